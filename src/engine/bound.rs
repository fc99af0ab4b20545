//! What a person's yes to a tool is bound to: the project's own text, as it is when the person is asked.

use std::path::Path;

use blake3::Hasher;

use super::{Engine, shown_text};
use crate::discovery::Memory;
use crate::model::{Command, Given, Role, Seen};
use crate::registry::Registered;
use crate::settings::Instance;
use crate::sys;

/// The largest script that is read to be hashed, in bytes. A larger one is known by when it was changed.
pub(super) const LARGEST: u64 = 64 * 1024 * 1024;

/// The text that decides what a tool runs.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Bound {
    /// A hash over all of it.
    pub(super) digest: String,
    /// What people are shown of it; `None` where nothing is known that the command line does not say.
    pub(super) text: Option<String>,
}

impl Engine {
    /// What a yes to a tool would be bound to now; `None` where the tool is no longer what was found.
    ///
    /// The files of every instance are part of it, since one leads to another: a script of package.json calls make.
    pub(super) async fn bound(&self, found: &Registered, command: &Command) -> Option<Bound> {
        let (mut hasher, given) = (Hasher::new(), Given::of(command));
        let mut memory = self.memory.lock().await;
        let mut is_found = false;
        for instance in self.instances.iter().filter(|instance| instance.enabled) {
            let Some(plugin) = self.surroundings.plugin(instance.plugin) else { continue };
            let is_own = instance.name == found.name.instance;
            if is_own {
                is_found = memory.discover(self.place(), plugin, instance).await.tools.contains(&found.tool);
            }
            let call = is_own.then_some((&found.tool, &given));
            hasher.update(memory.texts(self.place(), plugin, instance, call).as_bytes());
        }
        let led = self.led(&memory, found);
        drop(memory);
        let script = match &found.tool.role {
            Role::Run { command, .. } => command.script.as_ref().map(|script| script.path.as_path()),
            Role::List(_) => None,
        };
        let script = script.map(|path| script_text(path, &mut hasher));
        let own = found.tool.runs().or(script);
        // What others run it may have shown already, as what is made first.
        let text = led.into_iter().fold(own, |text, (name, runs)| match text {
            Some(text) if format!("\n{text}\n").contains(&format!("\n{runs}\n")) => Some(text),
            text => Some(format!("{}\n{name}:\n{runs}", text.unwrap_or_default())),
        });
        is_found.then(|| Bound { digest: hasher.finalize().to_hex().to_string(), text })
    }
}

impl Engine {
    /// What a tool leads to that nothing seems to take back, and what that runs.
    fn led(&self, memory: &Memory, found: &Registered) -> Vec<(String, String)> {
        let has_plugin =
            |instance: &&Instance| instance.enabled && self.surroundings.plugin(instance.plugin).is_some();
        let instances: Vec<&Instance> = self.instances.iter().filter(has_plugin).collect();
        let runs = |(place, name): (usize, &str)| {
            let discovery = memory.remembered(&instances.get(place)?.name)?;
            let tool = discovery.tools.iter().find(|tool| tool.original == name)?;
            Some((name.to_owned(), tool.runs()?))
        };
        found.leads_to().into_iter().filter_map(runs).collect()
    }
}

/// What people are shown of a script; all of it becomes part of the hash.
fn script_text(path: &Path, hasher: &mut Hasher) -> String {
    match sys::look::file(path, LARGEST) {
        Seen::File(file) => {
            hasher.update(&file.bytes);
            shown_text::of_script(&file.bytes)
        }
        Seen::Missing => "the script is not there".to_owned(),
        Seen::Unreadable(why) => {
            hasher.update(format!("{:?}", sys::files::stamp(path)).as_bytes());
            format!("the script cannot be read: {why}")
        }
    }
}
