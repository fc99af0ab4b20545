//! A user's preferences for all projects: `$XDG_CONFIG_HOME/cuff/preferences.yml`, which no project can
//! bring.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::written::check_written;
use crate::model::{
    Default as Fallback, Field, InputError, Location, Problem, Seen, ValueKind, ValueStep, shown,
};
use crate::sys::{Environment, KeptFiles, read_file};

/// The largest file that is read, in bytes.
const LARGEST: u64 = 64 * 1024;

/// A user's preferences.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preferences {
    /// Whether commands that no person types may say yes to what needs one: for CI.
    pub noninteractive_yes: bool,
    /// Whether only a terminal is asked, and no client of an agent.
    pub terminal_only: bool,
    /// How many days runs are kept.
    pub keep_days: Option<u64>,
    /// How many bytes all runs together may take.
    pub keep_bytes: Option<u64>,
    /// Problems of the file. While there are any, runs are kept for ever: a slip of the pen removes nothing.
    pub problems: Vec<Problem>,
}

impl Preferences {
    /// Whether the client of an agent may ask this user, and say that the answer was yes. Not while the preferences
    /// cannot be understood.
    pub fn lets_clients_say_yes(&self) -> bool {
        !self.terminal_only && self.problems.is_empty()
    }
}

const NONINTERACTIVE_YES: Field = Field {
    name: "noninteractive_yes",
    kind: ValueKind::Flag,
    default: Fallback::Absent,
    about: "Whether `--yes` and `cuff approve` count where no person is.",
};
const CONFIRM_OVER: Field = Field {
    name: "confirm_over",
    kind: ValueKind::Choice(&["client", "terminal"]),
    default: Fallback::Text("client"),
    about: "The place where a person confirms an agent's call: its client, which asks the person in front of it, or a terminal \
            alone (`cuff approve`).",
};
/// Read key by key; it is here to suggest a correction if it is misspelled.
const RUNS: Field = Field {
    name: "runs",
    kind: ValueKind::TextMap,
    default: Fallback::Absent,
    about: "How long runs are kept.",
};
const KEEP_DAYS: Field = Field {
    name: "keep_days",
    kind: ValueKind::Integer(0, u64::MAX),
    default: Fallback::Absent,
    about: "How many days runs are kept.",
};
const KEEP_BYTES: Field = Field {
    name: "keep_bytes",
    kind: ValueKind::Text,
    default: Fallback::Absent,
    about: "How much room all runs together may take, such as 2GiB.",
};

/// Reads the preferences. A file that others may write, or that is no such file, prefers nothing and is complained of.
pub fn preferences(environment: &Environment) -> Preferences {
    preferred(environment, |file| read_file::file(file, LARGEST))
}

/// The same, of the file as it was read while its stamp was the same.
pub fn kept_preferences(environment: &Environment, files: &KeptFiles) -> Preferences {
    preferred(environment, |file| files.file(file, LARGEST))
}

fn preferred(environment: &Environment, look: impl FnOnce(&Path) -> Seen) -> Preferences {
    let Some(file) = preferences_file(environment) else { return Preferences::default() };
    let name = file.display().to_string();
    match look(&file) {
        Seen::Missing => Preferences::default(),
        Seen::Unreadable(why) => unusable(&name, &why, "make it a short file of YAML that you can read"),
        Seen::File(found) if found.mode & 0o022 != 0 => {
            unusable(&name, "others may write it", &format!("run `chmod go-w {name}`"))
        }
        Seen::File(found) => read(&name, &found.bytes),
    }
}

/// Where the preferences lie; `None` where the environment names no place.
pub fn preferences_file(environment: &Environment) -> Option<PathBuf> {
    Some(environment.base("XDG_CONFIG_HOME", ".config")?.join("cuff/preferences.yml"))
}

fn unusable(name: &str, why: &str, help: &str) -> Preferences {
    let mut preferences = Preferences::default();
    preferences.complain(name, &format!("these preferences are not used: {why}"), Some(help.to_owned()));
    preferences
}

fn read(name: &str, bytes: &[u8]) -> Preferences {
    let document = match serde_yaml::from_slice::<serde_yaml::Value>(bytes).map(serde_json::to_value) {
        Ok(Ok(Value::Null)) => Map::new(),
        Ok(Ok(Value::Object(map))) => map,
        Ok(_) => {
            return unusable(
                name,
                "they are no mapping of names to values",
                "write `noninteractive_yes: false`",
            );
        }
        Err(error) => return unusable(name, &error.to_string(), "mend it, or remove it"),
    };
    let mut preferences = Preferences::default();
    let (top, runs): (Map<_, _>, Map<_, _>) = document.into_iter().partition(|(key, _)| key != RUNS.name);
    let (values, mistakes) = check_written(&[&NONINTERACTIVE_YES, &CONFIRM_OVER, &RUNS], top);
    preferences.noninteractive_yes = values.flag(&NONINTERACTIVE_YES);
    preferences.terminal_only = values.text(&CONFIRM_OVER) == "terminal";
    preferences.complain_of(name, mistakes);
    match runs.get(RUNS.name) {
        None | Some(Value::Null) => {}
        Some(Value::Object(runs)) => preferences.read_runs(name, runs),
        Some(_) => {
            preferences.complain(name, "`runs` must be a mapping: {keep_days: 14, keep_bytes: 2GiB}", None);
        }
    }
    preferences
}

impl Preferences {
    fn read_runs(&mut self, name: &str, given: &Map<String, Value>) {
        // A number of bytes needs no quotes.
        let texts = given.iter().map(|(key, value)| match value {
            Value::Number(number) if key == KEEP_BYTES.name => {
                (key.clone(), Value::String(number.to_string()))
            }
            _ => (key.clone(), value.clone()),
        });
        let (values, mut mistakes) = check_written(&[&KEEP_DAYS, &KEEP_BYTES], texts.collect());
        for mistake in &mut mistakes {
            mistake.path.insert(0, ValueStep::Key(RUNS.name.to_owned()));
        }
        self.complain_of(name, mistakes);
        self.keep_days = values.has(&KEEP_DAYS).then(|| values.integer(&KEEP_DAYS));
        if values.has(&KEEP_BYTES) {
            let text = values.text(&KEEP_BYTES);
            self.keep_bytes = size(text);
            if self.keep_bytes.is_none() {
                let what = format!(
                    "`runs.keep_bytes` must be a whole number of bytes, MB, MiB, GB or GiB, not \"{}\"",
                    shown(text)
                );
                self.complain(name, &what, Some("write it as 2GiB".into()));
            }
        }
    }

    fn complain_of(&mut self, name: &str, mistakes: Vec<InputError>) {
        for mistake in mistakes {
            self.complain(name, &mistake.sentence(), mistake.wrong.help());
        }
    }

    fn complain(&mut self, name: &str, what: &str, help: Option<String>) {
        self.problems.push(Problem { help, ..Problem::warning(what).at(Location::file(name)) });
    }
}

/// A number of bytes: `2GiB`, `500 MB`, `1048576`.
fn size(text: &str) -> Option<u64> {
    const UNITS: [(&str, u64); 10] = [
        ("", 1),
        ("b", 1),
        ("kb", 1_000),
        ("mb", 1_000_000),
        ("gb", 1_000_000_000),
        ("tb", 1_000_000_000_000),
        ("kib", 1 << 10),
        ("mib", 1 << 20),
        ("gib", 1 << 30),
        ("tib", 1 << 40),
    ];
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = unit.trim_start().to_ascii_lowercase();
    let (_, bytes) = UNITS.iter().find(|(name, _)| *name == unit)?;
    number.parse::<u64>().ok()?.checked_mul(*bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_preferences_count() {
        for (text, yes, days, bytes) in [
            ("", false, None, None),
            ("# nothing yet\n", false, None, None),
            ("noninteractive_yes: true\n", true, None, None),
            ("runs:\nnoninteractive_yes: false\n", false, None, None),
            ("confirm_over: client\n", false, None, None),
            ("runs: {keep_days: 90, keep_bytes: 2GiB}", false, Some(90), Some(2 << 30)),
            ("runs: {keep_bytes: \"500 MB\"}", false, None, Some(500_000_000)),
            ("runs: {keep_days: 0, keep_bytes: 1048576}", false, Some(0), Some(1 << 20)),
        ] {
            let expected = Preferences {
                noninteractive_yes: yes,
                keep_days: days,
                keep_bytes: bytes,
                ..Preferences::default()
            };
            assert_eq!(read("preferences.yml", text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn a_terminal_alone_may_be_preferred() {
        assert!(read("preferences.yml", b"confirm_over: terminal\n").terminal_only);
        assert!(!read("preferences.yml", b"").terminal_only);
        let misspelt = read("preferences.yml", b"confirm_over: terminals\n");
        assert_eq!(misspelt.problems.len(), 1, "then no client is asked either: {misspelt:?}");
    }

    #[test]
    fn invalid_preferences_are_reported() {
        for (text, complaint) in [
            ("- a\n", "these preferences are not used: they are no mapping of names to values"),
            ("runs: {keep_days: [}\n", "these preferences are not used: "),
            (
                "noninteractive_yes: yes please\n",
                "`noninteractive_yes` must be true or false, not the string \"yes please\"",
            ),
            ("noninteractiveyes: true\n", "`noninteractiveyes` is not known here"),
            ("run: {keep_days: 90}\n", "`run` is not known here"),
            ("runs: 14\n", "`runs` must be a mapping: "),
            ("runs: {keep_days: -1}\n", "`runs.keep_days` must be from 0 to "),
            (
                "runs: {keep_days: a year}\n",
                "`runs.keep_days` must be a whole number, not the string \"a year\"",
            ),
            ("runs: {keep_day: 90}\n", "`runs.keep_day` is not known here"),
            (
                "runs: {keep_bytes: 2 gigs}\n",
                "`runs.keep_bytes` must be a whole number of bytes, MB, MiB, GB or GiB, not \"2 gigs\"",
            ),
            ("runs: {keep_bytes: 1.5GiB}\n", "`runs.keep_bytes` must be a whole number"),
            ("runs: {keep_bytes: 99999999999TiB}\n", "`runs.keep_bytes` must be a whole number"),
            ("runs: {keep_bytes: [1]}\n", "`runs.keep_bytes` must be a string, not a list"),
        ] {
            let preferences = read("preferences.yml", text.as_bytes());
            let [problem] = preferences.problems.as_slice() else { panic!("{text}: {preferences:?}") };
            assert!(
                problem.to_string().starts_with(&format!("preferences.yml: {complaint}")),
                "{text}: {problem}"
            );
            let kept = Preferences { problems: vec![], ..preferences };
            assert_eq!(kept, Preferences::default(), "{text}");
        }
    }
}
