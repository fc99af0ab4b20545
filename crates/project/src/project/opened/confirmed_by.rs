//! The setting by which a tool requires confirmation, with its place.

use std::str;

use crate::model::{CONFIRM, Patterns, Registered, ValueKind, shown};
use crate::plugin::Plugin;
use crate::policy::ConfirmReason;
use crate::project::opened::Project;
use crate::settings;

impl Project {
    /// The reason why a person is asked, with the line that says so: `settings.yml:12  confirm: deploy*`.
    pub(crate) fn confirmed_by(&self, tool: &Registered, because: ConfirmReason) -> String {
        match because {
            ConfirmReason::Changes => format!("the plugin {} says: always", tool.plugin),
            ConfirmReason::Settings => self.setting(tool),
        }
    }

    fn setting(&self, tool: &Registered) -> String {
        let instance = &tool.name.instance;
        let file = self.settings.file().unwrap_or(settings::FILE_NAME);
        let text = self.settings.bytes.as_deref().and_then(|bytes| str::from_utf8(bytes).ok());
        let at =
            |line: Option<usize>| line.map_or_else(|| shown(file), |line| format!("{}:{line}", shown(file)));
        if tool.tool.confirms {
            let plugin = self.context.plugin(tool.plugin).map(Plugin::about);
            let fields = plugin.map_or(&[][..], |about| about.config);
            let declares = fields.iter().find(|field| field.kind == ValueKind::PlainCommands);
            let Some(field) = declares else { return format!("{} says so", tool.tool.source) };
            let line =
                text.and_then(|text| settings::line_of_key(text, instance, field.name, &tool.tool.original));
            return format!("{}  {}: true", at(line), CONFIRM.name);
        }
        let config = self.settings.config(instance);
        let pattern = config.into_iter().flat_map(|config| config.texts(&CONFIRM)).find(|pattern| {
            let (patterns, _) = Patterns::new([*pattern]);
            tool.rule_names().iter().any(|name| patterns.matches(name))
        });
        let line = pattern
            .zip(text)
            .and_then(|(pattern, text)| settings::line_of_key(text, instance, CONFIRM.name, pattern));
        let pattern = pattern.map_or_else(|| "a pattern that cannot be read".to_owned(), shown);
        format!("{}  {}: {pattern}", at(line), CONFIRM.name)
    }
}
