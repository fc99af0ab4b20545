//! The check of given values against the fields that declare them.

use serde_json::{Map, Value, json};

use super::{Default, Field, ValueKind};
use crate::input_error::{Complain, InputError, InputErrorKind, ValueStep};
use crate::json_value::{describe, whole_number};
use crate::limits::{check_env, check_tools};
use crate::{Matcher, Values, containment_settings, nearest, plain_commands, shown, workspace};

/// The most unknown keys that are compared with the known ones to suggest a spelling: nobody corrects more at
/// once.
const MOST_COMPARED: usize = 100;
/// How many names a mapping may have.
const MOST_PAIRS: usize = 1000;

/// Checks given values against the fields. A wrong value is listed and left out of the values.
pub fn check(fields: &[&Field], given: &Map<String, Value>) -> (Values, Vec<InputError>) {
    let mut values = Map::new();
    let mut mistakes = Vec::new();
    for (key, value) in given {
        let Some(field) = fields.iter().find(|field| field.name == key) else {
            let compares = mistakes.len() < MOST_COMPARED;
            let meant = compares.then(|| nearest(key, fields.iter().map(|field| field.name))).flatten();
            mistakes.push(InputError {
                path: vec![ValueStep::Key(key.clone())],
                wrong: InputErrorKind::Unknown(meant),
            });
            continue;
        };
        let before = mistakes.len();
        let kept = field.kind.accept(value, &mut |mut path, wrong| {
            path.insert(0, ValueStep::Key(key.clone()));
            mistakes.push(InputError { path, wrong });
        });
        if mistakes.len() == before
            && let Some(kept) = kept
        {
            values.insert(key.clone(), kept);
        }
    }
    for field in fields {
        if field.default == Default::Required && given.get(field.name).is_none_or(Value::is_null) {
            mistakes.push(InputError {
                path: vec![ValueStep::Key(field.name.into())],
                wrong: InputErrorKind::Missing,
            });
        }
    }
    (Values(values.into()), mistakes)
}

impl ValueKind {
    /// The value in its normal form; `None` for null, which means left out. Reports values that do not fit.
    fn accept(self, value: &Value, complain: Complain<'_>) -> Option<Value> {
        if value.is_null() {
            return None;
        }
        match (self, value) {
            (
                Self::Text
                | Self::CommandLine
                | Self::Directory
                | Self::Patterns
                | Self::PatternsOrAll
                | Self::RunnerNames,
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
                let is_program = matches!(self, Self::Program(_));
                let program = || InputErrorKind::Program(shown(text), choices, meant);
                complain(vec![], if is_program { program() } else { InputErrorKind::Choice(choices, meant) });
            }
            (Self::Integer(least, most), Value::Number(_)) => match whole_number(value) {
                Some(number) if (least..=most).contains(&number) => return Some(json!(number)),
                None if value.as_f64().is_some_and(|n| n.fract() != 0.0) => {
                    complain(vec![], InputErrorKind::Type(self.expected(), describe(value)));
                }
                _ => complain(vec![], InputErrorKind::Range(least, most)),
            },
            (Self::PatternsOrAll, Value::Bool(all)) => return Some(json!(if *all { "*" } else { "" })),
            (Self::TextList | Self::Patterns | Self::PatternsOrAll, Value::Array(items)) => {
                for (at, item) in items.iter().enumerate().filter(|(_, item)| !item.is_string()) {
                    complain(vec![ValueStep::Item(at)], InputErrorKind::Type("a string", describe(item)));
                }
                return Some(value.clone());
            }
            (Self::TextMap | Self::RunnerNames, Value::Object(pairs)) => {
                if pairs.len() > MOST_PAIRS {
                    complain(vec![], InputErrorKind::Shape("a mapping of at most 1000 names", None));
                    return None;
                }
                for (key, item) in pairs.iter().filter(|(_, item)| !item.is_string()) {
                    complain(
                        vec![ValueStep::Key(key.clone())],
                        InputErrorKind::Type("a string", describe(item)),
                    );
                }
                return Some(value.clone());
            }
            (Self::Words, value) => return plain_commands::accept_words(value, complain),
            (Self::PlainCommands, Value::Object(commands)) if commands.len() <= MOST_PAIRS => {
                return Some(plain_commands::accept(commands, check, complain));
            }
            (Self::EnvironmentNames | Self::ToolLimits | Self::Containment, _)
            | (Self::Matchers, Value::Array(_) | Value::Object(_))
            | (Self::Packages, Value::Object(_)) => {
                self.check_shape(value, complain);
                return Some(value.clone());
            }
            _ => complain(vec![], InputErrorKind::Type(self.expected(), describe(value))),
        }
        None
    }

    fn check_shape(self, value: &Value, complain: Complain<'_>) {
        match self {
            Self::EnvironmentNames => check_env(value, complain),
            Self::ToolLimits => check_tools(value, complain),
            Self::Containment => containment_settings::check(value, complain),
            Self::Packages => workspace::check(value, complain),
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
            Self::RunnerNames => "a string or a mapping of patterns to strings",
            Self::Patterns | Self::Words => "a string or a list of strings",
            Self::Matchers => "a mapping or a list of mappings",
            Self::EnvironmentNames => "none or a list of names",
            Self::ToolLimits => "a mapping of patterns to limits",
            Self::Containment => "a profile or a mapping of rules",
            Self::Packages => "a mapping of `include` and `exclude`",
            Self::PlainCommands => "a mapping of at most 1000 names to commands",
            Self::PatternsOrAll => "true, false, a string or a list of strings",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMEOUT: Field = Field {
        name: "timeout",
        kind: ValueKind::Integer(1, 9),
        default: Default::Integer(5),
        about: "Seconds.",
    };
    const ENV: Field =
        Field { name: "env", kind: ValueKind::TextMap, default: Default::Absent, about: "Variables." };
    const MODE: Field = Field {
        name: "mode",
        kind: ValueKind::Choice(&["strict", "literal"]),
        default: Default::Text("strict"),
        about: "How.",
    };
    const NAMES: Field =
        Field { name: "names", kind: ValueKind::Patterns, default: Default::Text("*"), about: "Which." };

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
