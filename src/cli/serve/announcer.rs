//! Messages of the server before and beside its logs: in words, or as lines of JSON if those are asked for.

use serde_json::{Map, Value, json};

use crate::cli::problems::complain;
use crate::project::{News, Project};
use crate::sys::journal::{Journal, Level, LineFormat};
use crate::terminal::{Failed, Ui};

/// Writes to standard error in one format, so that a reader gets one kind of lines.
pub(super) struct Announcer<'a> {
    ui: &'a Ui,
    journal: Option<Journal>,
}

impl<'a> Announcer<'a> {
    pub(super) fn new(ui: &'a Ui, journal: Journal, format: LineFormat) -> Self {
        Self { ui, journal: (format == LineFormat::Json).then_some(journal) }
    }

    /// A fact that somebody waits for: `listening on http://…`.
    #[cfg(feature = "http")]
    pub(super) fn say(&self, what: &str, name: &str, fact: &str) {
        match &self.journal {
            Some(journal) => journal.announce(Level::Info, what, &fields([(name, Some(json!(fact)))])),
            None => self.ui.say(format!("{what} {fact}")),
        }
    }

    /// The consequence of a problem.
    pub(super) fn note(&self, text: &str) {
        match &self.journal {
            Some(journal) => journal.announce(Level::Warn, text, &Map::new()),
            None => self.ui.say(format!("note: {text}")),
        }
    }

    /// A detail for readers who follow along.
    pub(super) fn remark(&self, text: &str) {
        match &self.journal {
            Some(journal) => journal.announce(Level::Info, text, &Map::new()),
            None => self.ui.note(format!("note: {text}")),
        }
    }

    /// Reports a change of the settings. Hosts hide standard error, but the agent reads the instructions and
    /// the answers.
    pub(super) fn tell(&self, news: News) {
        match news {
            News::Taken(project) => self.complain(&project),
            News::Kept(error) => {
                let remedy = error.remedy();
                self.failed(Failed { help: remedy, ..Failed::from(error) });
                self.note("until that is mended, the settings from before hold on");
            }
            News::Nothing(error) => {
                self.failed(Failed::from(error));
                self.note("no tool is served until then; the settings are looked at again with each request");
            }
            News::Unwatched(why) => self.remark(&format!(
                "not every change is heard of, so the files are looked at now and then: {why}"
            )),
        }
    }

    /// A problem while the server goes on.
    fn failed(&self, failed: Failed) {
        let Some(journal) = &self.journal else {
            failed.print(self.ui, false);
            return;
        };
        let own = [("error_code", Some(json!(failed.error_code))), ("help", failed.help.map(Value::String))];
        journal.announce(Level::Error, &failed.message, &fields(own));
    }

    /// Reports problems of the settings while the rest is served.
    fn complain(&self, project: &Project) {
        let Some(journal) = &self.journal else {
            complain(self.ui, project);
            if let Some(withheld) = project.settings.withheld_settings() {
                self.ui.problem(None, None, &withheld);
            }
            return;
        };
        for complaint in &project.settings.complaints {
            let place = complaint.location.to_string();
            let own = [
                ("instance_name", complaint.instance.clone().map(Value::String)),
                ("error_code", complaint.code.clone().map(Value::String)),
                ("path", Some(json!(place))),
                ("help", complaint.help.clone().map(Value::String)),
            ];
            journal.announce(Level::Warn, &complaint.message, &fields(own));
        }
        if let Some(withheld) = project.settings.withheld_settings() {
            let own = [("help", withheld.help.clone().map(Value::String))];
            journal.announce(Level::Warn, &withheld.to_string(), &fields(own));
        }
    }
}

fn fields<const N: usize>(pairs: [(&str, Option<Value>); N]) -> Map<String, Value> {
    pairs.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}
