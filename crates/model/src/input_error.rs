//! Errors in given values: their place, and the way to correct them.

use serde_json::Value;

use super::shown;

/// The most mistakes of one call or instance that a summary names.
const MOST_TOLD: usize = 8;
/// One step of the way to a value inside settings or arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueStep {
    /// The value of this key.
    Key(String),
    /// The item at this place, from 0.
    Item(usize),
}

/// Takes the way to a wrong value, and the error.
pub(super) type Complain<'a> = &'a mut dyn FnMut(Vec<ValueStep>, InputErrorKind);

/// One thing wrong with given values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputError {
    /// The way to the value, from the map that was checked.
    pub path: Vec<ValueStep>,
    /// The error.
    pub wrong: InputErrorKind,
}

/// An error in a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputErrorKind {
    /// No field has this name; perhaps a similar one was intended.
    Unknown(Option<&'static str>),
    /// A required field is not there.
    Missing,
    /// Another type: the expected one, and the given one.
    Type(&'static str, String),
    /// A number out of its bounds.
    Range(u64, u64),
    /// Not of the expected shape, and the way to correct it.
    Shape(&'static str, Option<String>),
    /// None of the choices; perhaps a similar one was intended.
    Choice(&'static [&'static str], Option<&'static str>),
    /// None of the programs: the given name, the programs, and perhaps a similar one.
    Program(String, &'static [&'static str], Option<&'static str>),
}

impl InputError {
    /// All errors in one line; of many mistakes the first ones.
    pub fn summary(mistakes: &[Self]) -> String {
        let first: Vec<String> = mistakes.iter().take(MOST_TOLD).map(Self::sentence).collect();
        let more = mistakes.len() - first.len();
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        first.join("; ") + &more
    }

    /// The error and its place: `` `environment.CI` must be a string, not true ``.
    pub fn sentence(&self) -> String {
        self.wrong.sentence(&shown(&self.place()))
    }

    /// The way to the value as people write it: `environment.CI`, `patterns[2]`.
    fn place(&self) -> String {
        let mut place = String::new();
        for step in &self.path {
            match step {
                ValueStep::Key(key) if place.is_empty() => place.push_str(key),
                ValueStep::Key(key) => place.extend([".", key]),
                ValueStep::Item(at) => place.extend(["[", &at.to_string(), "]"]),
            }
        }
        place
    }
}

impl InputErrorKind {
    fn sentence(&self, name: &str) -> String {
        match self {
            Self::Unknown(_) => format!("`{name}` is not known here"),
            Self::Missing => format!("`{name}` is missing"),
            Self::Type(expected, found) => format!("`{name}` must be {expected}, not {found}"),
            Self::Range(least, most) => format!("`{name}` must be from {least} to {most}"),
            Self::Shape(expected, _) => format!("`{name}` must be {expected}"),
            Self::Choice(choices, _) => format!("`{name}` must be one of {}", choices.join(", ")),
            Self::Program(given, ..) => format!("Invalid {}: {given}", name.replace('_', " ")),
        }
    }

    /// The way to correct it.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Unknown(meant) | Self::Choice(_, meant) => {
                meant.map(|meant| format!("did you mean `{meant}`?"))
            }
            Self::Program(_, programs, meant) => {
                let meant = meant.map_or_else(String::new, |meant| format!("did you mean `{meant}`? "));
                Some(format!("{meant}it takes {}", programs.join(", ")))
            }
            Self::Type("a string", found) => {
                let plain = found.strip_prefix("the number ").unwrap_or(found);
                (plain.parse::<f64>().is_ok() || plain == "true" || plain == "false")
                    .then(|| format!("write it in quotes: \"{plain}\""))
            }
            Self::Type("a whole number", found) => {
                let text = found.strip_prefix("the string \"")?.strip_suffix('"')?;
                let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).trim();
                let unit = text.strip_prefix(number).unwrap_or_default().trim();
                let is_plain = matches!(unit, "" | "s" | "sec" | "seconds");
                let number = number.parse::<u64>().ok()?;
                Some(if is_plain {
                    format!("write it without quotes: {number}")
                } else {
                    "write the number alone, without a unit and quotes".to_owned()
                })
            }
            Self::Type("a list of strings", found) => {
                let item = found.strip_prefix("the string ")?;
                let text: String = serde_json::from_str(item).unwrap_or_default();
                let words: Vec<String> =
                    text.split_whitespace().map(|word| Value::from(word).to_string()).collect();
                Some(match words.len() {
                    0 | 1 => format!("write it as a list: [{item}]"),
                    _ => format!("write it as a list, a word each: [{}]", words.join(", ")),
                })
            }
            Self::Shape(_, help) => help.clone(),
            Self::Missing | Self::Type(..) | Self::Range(..) => None,
        }
    }
}
