//! Named, typed values that somebody may give: the keys of a plugin's config, the parameters of a tool.
//!
//! One declaration serves the check, the defaults, the JSON Schema, the comments in settings.yml and the help.

use serde_json::{Map, Value, json};

use super::json_value::{describe, whole_number};
use super::limits::{self, check_env, check_tools};
use super::{Matcher, Values, nearest, shown};

/// How many mistakes of one call or instance are told.
const MOST_TOLD: usize = 8;
/// How many mistakes are looked at for what was meant: nobody mends more at once.
const MOST_COMPARED: usize = 100;
/// How many names a mapping may have.
const MOST_PAIRS: usize = 1000;

/// One key or parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field {
    /// Its name in settings.yml or in a call.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// What it is when it is left out.
    pub default: Default,
    /// One or two sentences for people.
    pub about: &'static str,
}

/// What a field takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// A string.
    Text,
    /// A string that is split into words as a shell would, without one.
    CommandLine,
    /// A directory, relative to the settings file unless absolute.
    Directory,
    /// One of these.
    Choice(&'static [&'static str]),
    /// The name of a program, one of these.
    Program(&'static [&'static str]),
    /// A whole number within these bounds, both included.
    Integer(u64, u64),
    /// True or false.
    Flag,
    /// A list of strings.
    TextList,
    /// Names and strings.
    TextMap,
    /// fnmatch patterns: one string, comma-separated, or a list.
    Patterns,
    /// The same, or `true` for all and `false` for none.
    PatternsOrAll,
    /// Problem matchers: one, or a list.
    Matchers,
    /// Names of variables: a list, comma-separated, or `none`.
    EnvironmentNames,
    /// Patterns of tools' names, each with limits.
    ToolLimits,
}

/// What a field is when it is left out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Default {
    /// Nothing: absent, empty, false, 0.
    Absent,
    /// It must be given.
    Required,
    /// This string.
    Text(&'static str),
    /// This number.
    Integer(u64),
    /// This truth value.
    Flag(bool),
}

/// One step of the way to a value inside settings or arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The value of this key.
    Key(String),
    /// The item at this place, from 0.
    Item(usize),
}

/// One thing wrong with given values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// Where, from the map that was checked.
    pub path: Vec<Step>,
    /// What.
    pub wrong: Wrong,
}

/// What is wrong with a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wrong {
    /// No field has this name; perhaps this one was meant.
    Unknown(Option<&'static str>),
    /// A required field is not there.
    Missing,
    /// Another type: what was expected, what was found.
    Type(&'static str, String),
    /// A number out of its bounds.
    Range(u64, u64),
    /// Not of the shape that is expected there, and what to do about it.
    Shape(&'static str, Option<String>),
    /// None of the choices; perhaps this one was meant.
    Choice(&'static [&'static str], Option<&'static str>),
    /// None of the programs: the name that was given, the programs, and perhaps the one that was meant.
    Program(String, &'static [&'static str], Option<&'static str>),
}

/// Checks given values against the fields; what is wrong is left out of the values and listed.
pub fn check(fields: &[&Field], given: &Map<String, Value>) -> (Values, Vec<Mistake>) {
    let mut values = Map::new();
    let mut mistakes = Vec::new();
    for (key, value) in given {
        let Some(field) = fields.iter().find(|field| field.name == key) else {
            let compares = mistakes.len() < MOST_COMPARED;
            let meant = compares.then(|| nearest(key, fields.iter().map(|field| field.name))).flatten();
            let meant = fields.iter().map(|field| field.name).find(|name| Some(*name) == meant);
            mistakes.push(Mistake { path: vec![Step::Key(key.clone())], wrong: Wrong::Unknown(meant) });
            continue;
        };
        let before = mistakes.len();
        let kept = field.kind.accept(value, &mut |mut path, wrong| {
            path.insert(0, Step::Key(key.clone()));
            mistakes.push(Mistake { path, wrong });
        });
        if mistakes.len() == before
            && let Some(kept) = kept
        {
            values.insert(key.clone(), kept);
        }
    }
    for field in fields {
        if field.default == Default::Required && given.get(field.name).is_none_or(Value::is_null) {
            mistakes.push(Mistake { path: vec![Step::Key(field.name.into())], wrong: Wrong::Missing });
        }
    }
    (Values(values), mistakes)
}

impl Kind {
    /// The value in its normal form; `None` for null, which means left out. Complains about what does not fit.
    fn accept(self, value: &Value, complain: &mut dyn FnMut(Vec<Step>, Wrong)) -> Option<Value> {
        if value.is_null() {
            return None;
        }
        match (self, value) {
            (
                Self::Text | Self::CommandLine | Self::Directory | Self::Patterns | Self::PatternsOrAll,
                Value::String(_),
            )
            | (Self::Flag, Value::Bool(_)) => {
                return Some(value.clone());
            }
            (Self::Choice(choices) | Self::Program(choices), Value::String(text)) => {
                if choices.contains(&text.as_str()) {
                    return Some(value.clone());
                }
                let meant = nearest(text, choices.iter().copied());
                let meant = choices.iter().copied().find(|choice| Some(*choice) == meant);
                let is_program = matches!(self, Self::Program(_));
                let program = || Wrong::Program(shown(text), choices, meant);
                complain(vec![], if is_program { program() } else { Wrong::Choice(choices, meant) });
            }
            (Self::Integer(least, most), Value::Number(_)) => match whole_number(value) {
                Some(number) if (least..=most).contains(&number) => return Some(json!(number)),
                None if value.as_f64().is_some_and(|n| n.fract() != 0.0) => {
                    complain(vec![], Wrong::Type(self.expected(), describe(value)));
                }
                _ => complain(vec![], Wrong::Range(least, most)),
            },
            (Self::PatternsOrAll, Value::Bool(all)) => return Some(json!(if *all { "*" } else { "" })),
            (Self::TextList | Self::Patterns | Self::PatternsOrAll, Value::Array(items)) => {
                for (at, item) in items.iter().enumerate().filter(|(_, item)| !item.is_string()) {
                    complain(vec![Step::Item(at)], Wrong::Type("a string", describe(item)));
                }
                return Some(value.clone());
            }
            (Self::TextMap, Value::Object(pairs)) => {
                if pairs.len() > MOST_PAIRS {
                    complain(vec![], Wrong::Shape("a mapping of at most 1000 names", None));
                    return None;
                }
                for (key, item) in pairs.iter().filter(|(_, item)| !item.is_string()) {
                    complain(vec![Step::Key(key.clone())], Wrong::Type("a string", describe(item)));
                }
                return Some(value.clone());
            }
            (Self::EnvironmentNames | Self::ToolLimits, _)
            | (Self::Matchers, Value::Array(_) | Value::Object(_)) => {
                self.check_shape(value, complain);
                return Some(value.clone());
            }
            _ => complain(vec![], Wrong::Type(self.expected(), describe(value))),
        }
        None
    }

    fn check_shape(self, value: &Value, complain: &mut dyn FnMut(Vec<Step>, Wrong)) {
        match self {
            Self::EnvironmentNames => check_env(value, complain),
            Self::ToolLimits => check_tools(value, complain),
            _ => _ = Matcher::read_all(value, complain),
        }
    }

    const fn expected(self) -> &'static str {
        match self {
            Self::Text | Self::CommandLine | Self::Directory | Self::Choice(_) | Self::Program(_) => {
                "a string"
            }
            Self::Integer(..) => "a whole number",
            Self::Flag => "true or false",
            Self::TextList => "a list of strings",
            Self::TextMap => "a mapping of names to strings",
            Self::Patterns => "a string or a list of strings",
            Self::Matchers => "a mapping or a list of mappings",
            Self::EnvironmentNames => "none or a list of names",
            Self::ToolLimits => "a mapping of patterns to limits",
            Self::PatternsOrAll => "true, false, a string or a list of strings",
        }
    }
}

impl Mistake {
    /// What is wrong, in one line; of many mistakes the first ones.
    pub fn summary(mistakes: &[Self]) -> String {
        let first: Vec<String> = mistakes.iter().take(MOST_TOLD).map(Self::sentence).collect();
        let more = mistakes.len() - first.len();
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        first.join("; ") + &more
    }

    /// What is wrong and where: `` `environment.CI` must be a string, not true ``.
    pub fn sentence(&self) -> String {
        self.wrong.sentence(&shown(&self.place()))
    }

    /// The way to the value as people write it: `environment.CI`, `patterns[2]`.
    fn place(&self) -> String {
        let mut place = String::new();
        for step in &self.path {
            match step {
                Step::Key(key) if place.is_empty() => place.push_str(key),
                Step::Key(key) => place.extend([".", key]),
                Step::Item(at) => place.extend(["[", &at.to_string(), "]"]),
            }
        }
        place
    }
}

impl Wrong {
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

    /// What to do about it.
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
                text.parse::<u64>().ok().map(|number| format!("write it without quotes: {number}"))
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

impl Field {
    /// The JSON Schema (2020-12) of the values that this field takes.
    pub fn schema(&self) -> Value {
        let mut schema = match self.kind {
            Kind::Text | Kind::CommandLine | Kind::Directory => json!({"type": "string"}),
            Kind::Choice(choices) | Kind::Program(choices) => json!({"type": "string", "enum": choices}),
            Kind::Integer(least, u64::MAX) => json!({"type": "integer", "minimum": least}),
            Kind::Integer(least, most) => json!({"type": "integer", "minimum": least, "maximum": most}),
            Kind::Flag => json!({"type": "boolean"}),
            Kind::TextList => json!({"type": "array", "items": {"type": "string"}}),
            Kind::TextMap => json!({"type": "object", "additionalProperties": {"type": "string"}}),
            Kind::Patterns => json!({"type": ["string", "array"], "items": {"type": "string"}}),
            Kind::Matchers => json!({"type": ["object", "array"], "items": {"type": "object"}}),
            Kind::EnvironmentNames => limits::schema_of_env(),
            Kind::ToolLimits => limits::schema_of_tools(),
            Kind::PatternsOrAll => {
                json!({"type": ["boolean", "string", "array"], "items": {"type": "string"}})
            }
        };
        schema["description"] = json!(self.about);
        if let Some(default) = self.default_value() {
            schema["default"] = default;
        }
        schema
    }

    /// A value from a command line, in the type that the field takes.
    pub fn read(&self, text: &str) -> Value {
        match self.kind {
            Kind::TextList => text.split(',').map(str::trim).filter(|part| !part.is_empty()).collect(),
            Kind::Integer(..) => text.parse::<u64>().map_or_else(|_| json!(text), |number| json!(number)),
            Kind::Flag => text.parse::<bool>().map_or_else(|_| json!(text), |flag| json!(flag)),
            _ => json!(text),
        }
    }

    /// The default, where there is one to write down.
    pub fn default_value(&self) -> Option<Value> {
        match self.default {
            Default::Absent | Default::Required => None,
            Default::Text(text) => Some(json!(text)),
            Default::Integer(number) => Some(json!(number)),
            Default::Flag(flag) => Some(json!(flag)),
        }
    }

    /// The JSON Schema of an object with these fields and no others.
    pub fn object_schema(fields: &[&Self]) -> Value {
        let properties: Map<_, _> = fields.iter().map(|field| (field.name.into(), field.schema())).collect();
        let required: Vec<_> =
            fields.iter().filter(|f| f.default == Default::Required).map(|f| f.name).collect();
        let mut schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        schema
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMEOUT: Field =
        Field { name: "timeout", kind: Kind::Integer(1, 9), default: Default::Integer(5), about: "Seconds." };
    const ENV: Field =
        Field { name: "env", kind: Kind::TextMap, default: Default::Absent, about: "Variables." };
    const MODE: Field = Field {
        name: "mode",
        kind: Kind::Choice(&["strict", "literal"]),
        default: Default::Text("strict"),
        about: "How.",
    };
    const NAMES: Field =
        Field { name: "names", kind: Kind::Patterns, default: Default::Text("*"), about: "Which." };

    fn wrongs(given: Value) -> Vec<String> {
        let Value::Object(given) = given else { panic!("an object") };
        let (_, mistakes) = check(&[&TIMEOUT, &ENV, &MODE, &NAMES], &given);
        mistakes
            .iter()
            .map(|m| format!("{} | {}", m.sentence(), m.wrong.help().unwrap_or_default()))
            .collect()
    }

    #[test]
    fn every_mistake_is_found_at_once() {
        insta::assert_debug_snapshot!(wrongs(json!({
            "timeout": [1], "env": {"A": 1, "B": "x", "C": true}, "mode": "litteral", "tmeout": 3, "names": [1, "a"],
        })), @r#"
        [
            "`timeout` must be a whole number, not a list | ",
            "`env.A` must be a string, not the number 1 | write it in quotes: \"1\"",
            "`env.C` must be a string, not true | write it in quotes: \"true\"",
            "`mode` must be one of strict, literal | did you mean `literal`?",
            "`tmeout` is not known here | did you mean `timeout`?",
            "`names[0]` must be a string, not the number 1 | write it in quotes: \"1\"",
        ]
        "#);
        for number in [json!(0), json!(10), json!(-1), json!(1e30)] {
            assert_eq!(wrongs(json!({"timeout": number}))[0], "`timeout` must be from 1 to 9 | ");
        }
        assert_eq!(wrongs(json!({"timeout": 1.5})).len(), 1);
        assert_eq!(
            wrongs(json!({"timeout": "5"})),
            ["`timeout` must be a whole number, not the string \"5\" | write it without quotes: 5"]
        );
        assert!(wrongs(json!({"timeout": 5.0})).is_empty());
    }

    #[test]
    fn defaults_fill_what_is_left_out() {
        let given = json!({"timeout": 7, "names": "a, b,,c", "mode": null});
        let (values, mistakes) = check(&[&TIMEOUT, &ENV, &MODE, &NAMES], given.as_object().unwrap());
        assert_eq!(mistakes, []);
        assert_eq!((values.integer(&TIMEOUT), values.text(&MODE)), (7, "strict"));
        assert_eq!(values.texts(&NAMES), ["a", "b", "c"]);
        assert_eq!(Values::default().texts(&NAMES), ["*"]);
        assert_eq!(Values::default().integer(&TIMEOUT), 5);
    }
}
