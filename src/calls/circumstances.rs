//! The circumstances that policy judges a call's plan by.

use crate::engine::Engine;
use crate::model::{BadCall, Caller, Command, Governance, Limits, Origin, Reach, Seen, Values, Wrapped};
use crate::plugin::Plugin;
use crate::policy::{Circumstances, Judges};
use crate::registry::Registered;
use crate::sys::look;

/// The longest script whose text is looked at, in bytes.
const LONGEST_SCRIPT: u64 = 256 * 1024;

/// The programs that read a script as a shell does.
const SHELLS: [&str; 6] = ["sh", "bash", "dash", "zsh", "ksh", "ash"];

impl Engine {
    /// The circumstances of a call of this tool with this plan.
    pub(crate) fn circumstances(
        &self,
        found: &Registered,
        command: &Command,
        caller: Caller,
    ) -> Circumstances<'_> {
        let plugin = self.surroundings.plugin(found.plugin);
        let config = self.instances.iter().find(|instance| instance.name == found.name.instance);
        let names = [found.name.local.as_str(), found.tool.original.as_str()];
        let limits = config.map_or_else(
            || Limits::of(&Values::default(), &names),
            |instance| Limits::of(&instance.config, &names),
        );
        let is_judged = Governance::of(caller).is_governed() && brings_something(command);
        Circumstances {
            caller,
            limits,
            text: if is_judged { text_of(found, command) } else { None },
            reach: plugin.map_or(Reach::Nothing, |plugin| plugin.reach(&found.tool)),
            judges: self,
        }
    }
}

/// The plugins' rules for programs that they know.
impl Judges for Engine {
    fn judge(&self, wrapped: &Wrapped<'_>) -> Option<Result<(), BadCall>> {
        self.surroundings.plugins.iter().find_map(|plugin: &&dyn Plugin| plugin.judge(wrapped))
    }
}

fn brings_something(command: &Command) -> bool {
    command.arguments.iter().any(|word| word.origin == Origin::Call)
        || command.environment.iter().any(|change| change.origin == Origin::Call)
}

/// The text that a tool runs: its own with what runs along with it, or that of a script for a shell.
fn text_of(found: &Registered, command: &Command) -> Option<String> {
    let Some(script) = &command.script else {
        let own = found.tool.text.iter().cloned();
        // What runs along comes first: the call's words stand behind the tool's own text. A hook's line begins with its name.
        let along =
            found.tool.along.iter().map(|also| {
                also.split_once(" it: ").map_or_else(|| also.clone(), |(_, text)| text.to_owned())
            });
        let lines: Vec<String> = along.chain(own).collect();
        return (!lines.is_empty()).then(|| lines.join("\n"));
    };
    let Seen::File(file) = look::file(&script.path, LONGEST_SCRIPT) else { return None };
    let text = String::from_utf8_lossy(&file.bytes).into_owned();
    let first = text.lines().next().filter(|line| line.starts_with("#!")).unwrap_or_default();
    let words = command.words();
    let (_, interpreter) = words.split_last()?;
    let brought = command.arguments.iter().filter(|word| word.origin == Origin::Call).count();
    let interpreter = &words[..(interpreter.len() + 1).saturating_sub(brought)];
    let mut named =
        interpreter.iter().flat_map(|word| word.split(' ')).chain(first[first.len().min(2)..].split(' '));
    let is_shell = named.any(|word| SHELLS.contains(&word.rsplit('/').next().unwrap_or(word)));
    is_shell.then_some(text)
}
