//! What the server says before and beside its logs: in words, or as lines of JSON where those are asked for.

use serde_json::{Map, Value, json};

use crate::cli::arguments::LogFormat;
use crate::cli::ui::Ui;
use crate::cli::{Failed, complain};
use crate::engine::Engine;
use crate::sys::journal::{Journal, Level};

/// Whoever reads standard error gets one kind of lines.
pub(super) struct Announcer<'a> {
    ui: &'a Ui,
    journal: Option<Journal>,
}

impl<'a> Announcer<'a> {
    pub(super) fn new(ui: &'a Ui, journal: Journal, format: LogFormat) -> Self {
        Self { ui, journal: (format == LogFormat::Json).then_some(journal) }
    }

    /// A fact that somebody waits for: `listening on http://…`.
    pub(super) fn say(&self, what: &str, name: &str, fact: &str) {
        match &self.journal {
            Some(journal) => journal.announce(Level::Info, what, &fields([(name, Some(json!(fact)))])),
            None => self.ui.say(format!("{what} {fact}")),
        }
    }

    /// What it means that something is wrong.
    pub(super) fn note(&self, text: &str) {
        match &self.journal {
            Some(journal) => journal.announce(Level::Warn, text, &Map::new()),
            None => self.ui.say(format!("note: {text}")),
        }
    }

    /// What is wrong while the server goes on.
    pub(super) fn failed(&self, failed: Failed) {
        let Some(journal) = &self.journal else {
            failed.print(self.ui, false);
            return;
        };
        let own = [("error_code", Some(json!(failed.error_code))), ("help", failed.help.map(Value::String))];
        journal.announce(Level::Error, &failed.message, &fields(own));
    }

    /// What is wrong with the settings while the rest is served.
    pub(super) fn complain(&self, engine: &Engine) {
        let Some(journal) = &self.journal else {
            complain(self.ui, engine);
            if let Some(withheld) = engine.withheld_settings() {
                self.ui.problem(None, None, &withheld);
            }
            return;
        };
        for complaint in engine.complaints() {
            let place = complaint.location.to_string();
            let own = [
                ("instance_name", complaint.instance.clone().map(Value::String)),
                ("error_code", complaint.code.clone().map(Value::String)),
                ("path", Some(json!(place))),
                ("help", complaint.help.clone().map(Value::String)),
            ];
            journal.announce(Level::Warn, &complaint.message, &fields(own));
        }
        if let Some(withheld) = engine.withheld_settings() {
            let own = [("help", withheld.help.clone().map(Value::String))];
            journal.announce(Level::Warn, &withheld.to_string(), &fields(own));
        }
    }
}

fn fields<const N: usize>(pairs: [(&str, Option<Value>); N]) -> Map<String, Value> {
    pairs.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}
