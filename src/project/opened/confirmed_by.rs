//! The setting by which a tool requires confirmation, with its place.

use std::str;

use crate::model::{CONFIRM, Patterns, Registered, shown};
use crate::policy::Because;
use crate::project::opened::Project;
use crate::settings;

impl Project {
    /// The reason why a person is asked, with the line that says so: `settings.yml:12  confirm: deploy*`.
    pub(crate) fn confirmed_by(&self, tool: &Registered, because: Because) -> String {
        match because {
            Because::Changes => format!("the plugin {} says: always", tool.plugin),
            Because::Settings => self.setting(tool),
        }
    }

    fn setting(&self, tool: &Registered) -> String {
        let instance = &tool.name.instance;
        let config = self.instance(instance).map(|instance| &instance.config);
        let config = config.or_else(|| {
            self.upstreams.iter().find(|server| server.name == *instance).map(|server| &server.config)
        });
        let pattern = config.into_iter().flat_map(|config| config.texts(&CONFIRM)).find(|pattern| {
            let (patterns, _) = Patterns::new([*pattern]);
            patterns.matches(&tool.name.local) || patterns.matches(&tool.tool.original)
        });
        let file = self.settings_file().unwrap_or(settings::FILE_NAME);
        let text = self.settings_bytes.as_deref().and_then(|bytes| str::from_utf8(bytes).ok());
        let line = pattern
            .zip(text)
            .and_then(|(pattern, text)| settings::line_of_key(text, instance, CONFIRM.name, pattern));
        let place = line.map_or_else(|| shown(file), |line| format!("{}:{line}", shown(file)));
        let pattern = pattern.map_or_else(|| "a pattern that cannot be read".to_owned(), shown);
        format!("{place}  {}: {pattern}", CONFIRM.name)
    }
}
