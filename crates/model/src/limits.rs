//! The words and variables that settings allow in a call.

use serde_json::{Map, Value, json};

use super::input_error::{Complain, InputErrorKind, ValueStep};
use super::shared_fields::{ALLOWED_ENV, ALLOWED_WORDS, NONE, TOOLS, WORDS};
use super::{Default as Usual, Field, Patterns, ValueKind, Values, nearest};

/// The keys of an entry of `tools`.
const KEYS: [&str; 2] = ["env", "words"];

/// The mark of limits that a person has not approved: they narrow, and open nothing. No settings file can have it.
const UNAPPROVED: Field =
    Field { name: "unapproved_limits", kind: ValueKind::Flag, default: Usual::Flag(false), about: "" };

/// The words that a call may contain, the strictest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AllowedWords {
    /// None.
    None,
    /// None that begins with `-` or is `NAME=…`.
    Values,
    /// All that are plain text.
    Flags,
}

/// The words and variables that settings allow in a call. Without a word of the settings, the rules decide by the tool's
/// own text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The names of variables; `None` for all that the rules allow.
    pub env: Option<Vec<String>>,
    /// The words; `None` for those that the rules allow.
    pub words: Option<AllowedWords>,
    /// Whether the settings also open what the rules refuse.
    pub opens: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { env: None, words: None, opens: true }
    }
}

impl Limits {
    /// The limits of a tool under the settings of its instance. They combine the instance's own with each
    /// entry of `tools` whose pattern matches one of the tool's names.
    pub fn of(config: &Values, names: &[impl AsRef<str>]) -> Self {
        let mut limits = Self::of_instance(config);
        for (pattern, value) in entries(config) {
            let (patterns, bad) = Patterns::new([pattern]);
            // A pattern that cannot be understood holds back everything.
            if !bad.is_empty() || names.iter().any(|name| patterns.matches(name.as_ref())) {
                limits = limits.and(&Self::read(value));
            }
        }
        limits
    }

    fn of_instance(config: &Values) -> Self {
        let value = |name: &str| config.iter().find(|(key, _)| *key == name).map(|(_, value)| value);
        Self::new(value(ALLOWED_ENV.name), value(ALLOWED_WORDS.name), value(UNAPPROVED.name))
    }

    /// The limits of an entry of `tools`.
    fn read(value: &Value) -> Self {
        Self::new(value.get(KEYS[0]), value.get(KEYS[1]), value.get(UNAPPROVED.name))
    }

    fn new(env: Option<&Value>, words: Option<&Value>, unapproved: Option<&Value>) -> Self {
        let env = env.filter(|value| !value.is_null()).map(|value| match value {
            Value::Array(names) => names.iter().filter_map(Value::as_str).map(String::from).collect(),
            Value::String(names) if names != NONE => {
                names.split(',').map(str::trim).filter(|name| !name.is_empty()).map(String::from).collect()
            }
            _ => Vec::new(),
        });
        let words = words.filter(|value| !value.is_null()).map(|value| match value.as_str() {
            Some("values") => AllowedWords::Values,
            Some("flags") => AllowedWords::Flags,
            _ => AllowedWords::None,
        });
        Self { env, words, opens: unapproved.is_none() }
    }

    /// Both limits at once.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let env = match (&self.env, &other.env) {
            (Some(one), Some(two)) => Some(one.iter().filter(|name| two.contains(name)).cloned().collect()),
            (Some(only), None) | (None, Some(only)) => Some(only.clone()),
            (None, None) => None,
        };
        let words = match (self.words, other.words) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        };
        Self { env, words, opens: self.opens && other.opens }
    }

    /// These limits, which a person approved, with what others narrow.
    fn narrowed_by(&self, other: &Self) -> Self {
        let both = self.and(other);
        Self { opens: both.opens && both.is_within(self), ..both }
    }

    /// Whether everything that these limits allow is allowed by the others as well.
    fn is_within(&self, other: &Self) -> bool {
        let words = match (self.words, other.words) {
            // A word of the settings opens what the rules refuse, and the rules allow no more than `flags`.
            (None, other) => matches!(other, None | Some(AllowedWords::Flags)),
            (Some(own), None) => own == AllowedWords::None,
            (Some(own), Some(other)) => own <= other,
        };
        words
            && match (&self.env, &other.env) {
                (own, None) => own.as_ref().is_none_or(Vec::is_empty),
                (None, Some(_)) => false,
                (Some(one), Some(two)) => one.iter().all(|name| two.contains(name)),
            }
    }

    fn put_into(&self, values: Values) -> Values {
        let values = match &self.env {
            Some(names) if names.is_empty() => values.with(&ALLOWED_ENV, json!(NONE)),
            Some(names) => values.with(&ALLOWED_ENV, json!(names)),
            None => values,
        };
        let values = match self.words {
            None => values,
            Some(words) => values.with(&ALLOWED_WORDS, json!(WORDS[words as usize])),
        };
        if self.opens { values } else { values.with(&UNAPPROVED, json!(true)) }
    }

    fn value(&self) -> Value {
        let limits = self.put_into(Values::default());
        let limits = limits.iter().map(|(name, value)| (name.to_owned(), value.clone()));
        Value::Object(limits.collect())
    }
}

fn entries(config: &Values) -> impl Iterator<Item = (&str, &Value)> {
    let tools = config.iter().find(|(key, _)| *key == TOOLS.name).and_then(|(_, value)| value.as_object());
    tools.into_iter().flatten().map(|(pattern, value)| (pattern.as_str(), value))
}

/// The settings of `pinned` with every limit that `current` puts on top.
pub fn narrowed(pinned: &Values, current: &Values) -> Values {
    let limits = Limits::of_instance(pinned).narrowed_by(&Limits::of_instance(current));
    let mut tools: Map<String, Value> =
        entries(pinned).map(|(pattern, value)| (pattern.to_owned(), value.clone())).collect();
    for (pattern, value) in entries(current) {
        let more = Limits::read(value);
        let both = tools.get(pattern).map(Limits::read).unwrap_or_default().narrowed_by(&more);
        tools.insert(pattern.to_owned(), both.value());
    }
    let config = limits.put_into(pinned.clone());
    if tools.is_empty() { config } else { config.with(&TOOLS, Value::Object(tools)) }
}

/// Whether `current` has every limit that `pinned` has, or a stricter one.
pub fn is_no_looser(pinned: &Values, current: &Values) -> bool {
    let of_pattern = |config: &Values, wanted: &str| {
        let mut all = entries(config);
        all.find(|(pattern, _)| *pattern == wanted).map(|(_, value)| Limits::read(value)).unwrap_or_default()
    };
    let mut patterns = entries(pinned).chain(entries(current)).map(|(pattern, _)| pattern);
    Limits::of_instance(current).is_within(&Limits::of_instance(pinned))
        && patterns.all(|pattern| of_pattern(current, pattern).is_within(&of_pattern(pinned, pattern)))
}

/// Complains about a value of `env` that is neither `none` nor names.
pub(super) fn check_env(value: &Value, complain: Complain<'_>) {
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let bad = || {
        InputErrorKind::Shape(
            "none or a list of names",
            Some("write `env: none` or `env: [NODE_ENV, CI]`".into()),
        )
    };
    match value {
        Value::String(names) if names.split(',').all(|name| is_name(name.trim())) => {}
        Value::Array(names) => {
            for (at, name) in names.iter().enumerate() {
                if !name.as_str().is_some_and(is_name) {
                    let help = "write the names of variables: `env: [NODE_ENV, CI]`".to_owned();
                    complain(
                        vec![ValueStep::Item(at)],
                        InputErrorKind::Shape("the name of a variable", Some(help)),
                    );
                }
            }
        }
        Value::Object(_) => {
            let help =
                "to set variables, use `environment`; `env` names those that a call may set".to_owned();
            complain(vec![], InputErrorKind::Shape("none or a list of names", Some(help)));
        }
        _ => complain(vec![], bad()),
    }
}

/// Complains about a value of `tools` that is no mapping of patterns to limits.
pub(super) fn check_tools(value: &Value, complain: Complain<'_>) {
    let shape = || {
        let help = "write `tools: {\"deploy*\": {words: none, env: [STAGE]}}`".to_owned();
        InputErrorKind::Shape("a mapping of patterns to limits", Some(help))
    };
    let Value::Object(tools) = value else { return complain(vec![], shape()) };
    for (pattern, limits) in tools {
        let at = |more: &[ValueStep]| [vec![ValueStep::Key(pattern.clone())], more.to_vec()].concat();
        let Value::Object(limits) = limits else {
            complain(at(&[]), shape());
            continue;
        };
        for (key, value) in limits {
            let step = ValueStep::Key(key.clone());
            match key.as_str() {
                "env" => check_env(value, &mut |more, wrong| {
                    complain(at(&[vec![step.clone()], more].concat()), wrong);
                }),
                "words" if value.as_str().is_some_and(|word| WORDS.contains(&word)) => {}
                "words" => {
                    let meant = value.as_str().and_then(|word| nearest(word, WORDS.iter().copied()));
                    complain(at(&[step]), InputErrorKind::Choice(WORDS, meant));
                }
                _ => {
                    // A limit that is misspelt must not be a limit less.
                    let meant = nearest(key, KEYS).map_or_else(|| "env` or `words".to_owned(), String::from);
                    let help = format!("did you mean `{meant}`?");
                    complain(
                        at(&[step]),
                        InputErrorKind::Shape("`env` or `words`, the only limits of a tool", Some(help)),
                    );
                }
            }
        }
    }
}

/// The JSON Schema of `env`.
pub(super) fn schema_of_env() -> Value {
    json!({"type": ["string", "array"], "items": {"type": "string"}})
}

/// The JSON Schema of `tools`.
pub(super) fn schema_of_tools() -> Value {
    let limits = json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {"env": schema_of_env(), "words": {"type": "string", "enum": WORDS}},
    });
    json!({"type": "object", "additionalProperties": limits})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(value: Value) -> Values {
        let Value::Object(map) = value else { panic!("an object") };
        Values(map.into())
    }

    #[test]
    fn limits_of_a_tool_are_all_that_apply() {
        let settings = config(json!({
            "env": ["CI", "NODE_ENV"],
            "words": "values",
            "tools": {"build*": {"env": ["CI", "PORT"]}, "*deploy": {"words": "none"}},
        }));
        for (name, env, words) in [
            ("test", vec!["CI", "NODE_ENV"], Some(AllowedWords::Values)),
            ("build:web", vec!["CI"], Some(AllowedWords::Values)),
            ("build_deploy", vec!["CI"], Some(AllowedWords::None)),
        ] {
            let limits = Limits::of(&settings, &["other", name]);
            assert_eq!(limits.env.unwrap(), env, "{name}");
            assert_eq!(limits.words, words, "{name}");
        }
        assert_eq!(Limits::of(&Values::default(), &["x"]), Limits::default());
        assert_eq!(Limits::of(&config(json!({"env": "none"})), &["x"]).env, Some(vec![]));
        assert_eq!(Limits::of(&config(json!({"env": "A, B"})), &["x"]).env.unwrap(), ["A", "B"]);
    }

    #[test]
    fn narrower_limits_hold_and_looser_ones_do_not() {
        for (pinned, current, expected, no_looser) in [
            (json!({}), json!({"env": "none"}), json!({"env": "none"}), true),
            (json!({"env": "none"}), json!({}), json!({"env": "none"}), false),
            (json!({"env": ["A", "B"]}), json!({"env": ["B"]}), json!({"env": ["B"]}), true),
            (json!({"env": ["A"]}), json!({"env": ["A", "B"]}), json!({"env": ["A"]}), false),
            (json!({"words": "values"}), json!({"words": "none"}), json!({"words": "none"}), true),
            (json!({"words": "values"}), json!({"words": "flags"}), json!({"words": "values"}), false),
            (json!({"words": "flags"}), json!({"words": "values"}), json!({"words": "values"}), true),
            (json!({"words": "flags"}), json!({}), json!({"words": "flags"}), true),
            (json!({}), json!({"words": "none"}), json!({"words": "none"}), true),
            // It narrows at once, and opens nothing before a person has seen it.
            (
                json!({}),
                json!({"words": "values"}),
                json!({"words": "values", "unapproved_limits": true}),
                false,
            ),
            (
                json!({"words": "none"}),
                json!({"words": "none", "tools": {"a": {"env": ["X"]}}}),
                json!({"words": "none", "tools": {"a": {"env": ["X"], "unapproved_limits": true}}}),
                false,
            ),
            (
                json!({}),
                json!({"tools": {"a": {"words": "none"}}}),
                json!({"tools": {"a": {"words": "none"}}}),
                true,
            ),
            (
                json!({"tools": {"a": {"words": "none"}}}),
                json!({}),
                json!({"tools": {"a": {"words": "none"}}}),
                false,
            ),
            (
                json!({"tools": {"a": {"words": "values"}}}),
                json!({"tools": {"a": {"env": "none", "words": "values"}, "b": {"env": "none"}}}),
                json!({"tools": {"a": {"env": "none", "words": "values"}, "b": {"env": "none"}}}),
                true,
            ),
        ] {
            let (pinned, current) = (config(pinned), config(current));
            assert_eq!(narrowed(&pinned, &current), config(expected), "{pinned:?} {current:?}");
            assert_eq!(is_no_looser(&pinned, &current), no_looser, "{pinned:?} {current:?}");
        }
    }
}
