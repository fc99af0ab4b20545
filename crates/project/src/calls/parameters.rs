//! The parameters of all tools that run something, of any plugin.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::model::{
    BadCall, Default, ENV, Field, InputError, InputErrorKind, LONGEST_TIMEOUT, ON, Parameter, Role, TIMEOUT,
    Tool, ValueKind, ValueStep, words_by_name, words_of,
};

/// Seconds; the face that starts runs reads it.
pub(crate) const WAIT: Field = Field {
    name: "wait",
    kind: ValueKind::Integer(0, LONGEST_TIMEOUT),
    default: Default::Absent,
    about: "Seconds, then in background",
};

/// Says what would run and runs nothing.
pub(crate) const DRY_RUN: Field = Field {
    name: "dry_run",
    kind: ValueKind::Flag,
    default: Default::Flag(false),
    about: "Print command without executing",
};

/// The same for a tool that has a rehearsal of its own.
const REHEARSAL: Field = Field {
    about: "Print the command, and what the program itself says it would do; that may still run parts of it",
    ..DRY_RUN
};

/// All parameters of a tool: its plugin's, then the common ones that the plugin does not describe itself.
pub fn parameters(tool: &Tool) -> Vec<&'static Field> {
    let common: &[&Field] = match tool.role {
        Role::Run { rehearsal: None, .. } => &[&TIMEOUT, &WAIT, &ENV, &DRY_RUN],
        Role::Run { rehearsal: Some(_), .. } => &[&TIMEOUT, &WAIT, &ENV, &REHEARSAL],
        Role::List(_) | Role::Relay(_) => &[],
    };
    let own = tool.input.fields();
    let common = common.iter().copied().filter(|field| own.iter().all(|own| own.name != field.name));
    own.iter().chain(common).collect()
}

/// The runner of a call. Lists of tools have it only where settings open runners.
pub const CHOSEN_RUNNER: Field =
    Field { name: ON.name, kind: ValueKind::Text, default: Default::Absent, about: "The runner to run on" };

/// All parameters that a call of a tool may have: those of [`parameters`], and the runner.
pub fn accepted(tool: &Tool) -> Vec<&'static Field> {
    let mut fields = parameters(tool);
    let is_own = fields.iter().any(|field| field.name == CHOSEN_RUNNER.name);
    if matches!(tool.role, Role::Run { .. }) && !is_own {
        fields.push(&CHOSEN_RUNNER);
    }
    fields
}

/// The JSON Schema of a tool's call, made of that of its fields. Parameters that the project declares stand in the place of the
/// words that they become.
pub fn with_declared(tool: &Tool, mut schema: Value) -> Value {
    let Some(declared) = tool.input.declared().filter(|declared| !declared.is_empty()) else { return schema };
    let Some(fields) = schema.get_mut("properties").map(Value::take) else { return schema };
    let mut fields = fields.as_object().cloned().unwrap_or_default();
    fields.shift_remove(LIST);
    let common = accepted(tool);
    let required = declared.iter().filter(|own| own.is_required).map(|own| property(own, &common));
    let required: Vec<String> = required.collect();
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    let own = declared.iter().map(|own| {
        let (name, mut schema) = (property(own, &common), own.schema());
        if name != own.name {
            let is = format!("The task's own `{}`", own.name);
            schema["description"] =
                json!(own.about.as_ref().map_or(is.clone(), |about| format!("{about}. {is}")));
        }
        (name, schema)
    });
    schema["properties"] = Value::Object(own.chain(fields).collect());
    schema
}

/// The names of all parameters of a tool, those that the project declares first.
pub(super) fn names(tool: &Tool) -> Vec<String> {
    let (common, declared) = (accepted(tool), tool.input.declared().unwrap_or_default());
    let own = declared.iter().map(|own| property(own, &common));
    // The words of a call have names then.
    let fields = parameters(tool).into_iter().map(|field| field.name);
    own.chain(fields.filter(|name| declared.is_empty() || *name != LIST).map(str::to_owned)).collect()
}

/// The name of a declared parameter in a call: its own, or another where all tools have a parameter of that name.
fn property(own: &Parameter, common: &[&Field]) -> String {
    let is_taken = common.iter().any(|field| field.name == own.name);
    if is_taken { format!("task_{}", own.name) } else { own.name.clone() }
}

/// The arguments of a call with the parameters that the project declares as the words that they become.
///
/// # Errors
/// When a value does not fit its parameter.
pub(crate) fn by_words<'a>(
    tool: &Tool,
    arguments: &'a Map<String, Value>,
) -> Result<Cow<'a, Map<String, Value>>, BadCall> {
    let Some(declared) = tool.input.declared() else { return Ok(Cow::Borrowed(arguments)) };
    let common = accepted(tool);
    let names: Vec<String> = declared.iter().map(|own| property(own, &common)).collect();
    if !names.iter().any(|name| arguments.contains_key(name)) {
        return Ok(Cow::Borrowed(arguments));
    }
    let (mut rest, mut values) = (arguments.clone(), Map::new());
    for (own, name) in declared.iter().zip(&names) {
        values.extend(rest.shift_remove(name).map(|value| (own.name.clone(), value)));
    }
    let (words, _) = words_by_name(declared, &values)?;
    let given = as_taken(&common, &rest).get(LIST).and_then(Value::as_array).cloned().unwrap_or_default();
    rest.insert(LIST.to_owned(), words.into_iter().map(Value::from).chain(given).collect());
    Ok(Cow::Owned(rest))
}

/// Where some tools take the words of a call, as a line.
const LINE: &str = "extra_args";
/// Where others do, as a list.
const LIST: &str = "args";

/// The arguments as the tool takes them, where models write what they mean in another shape: a list or a number in a string, a
/// list for a line of words, and words under the name that other tools have for them. Any other value stays as it is, and
/// `check` reports it.
pub fn as_taken<'a>(
    fields: &[&'static Field],
    arguments: &'a Map<String, Value>,
) -> Cow<'a, Map<String, Value>> {
    match moved(fields, arguments) {
        Cow::Borrowed(arguments) => reshaped(fields, arguments),
        Cow::Owned(arguments) => Cow::Owned(reshaped(fields, &arguments).into_owned()),
    }
}

/// Each value in the shape that its field takes, where there is one way to understand it.
fn reshaped<'a>(fields: &[&'static Field], arguments: &'a Map<String, Value>) -> Cow<'a, Map<String, Value>> {
    let mut reshaped = Cow::Borrowed(arguments);
    for (name, value) in arguments {
        let kind = fields.iter().find(|field| field.name == name).map(|field| field.kind);
        let meant = match (kind, value) {
            (Some(ValueKind::CommandLine), Value::Array(words)) => line_of(words),
            (Some(ValueKind::CommandLine), Value::String(text)) => {
                list_in(text).and_then(|words| line_of(&words))
            }
            (Some(ValueKind::TextList), Value::String(text)) => list_in(text).map(Value::Array),
            (Some(ValueKind::Integer(..)), Value::String(text)) => {
                text.trim().parse::<u64>().ok().map(Value::from)
            }
            _ => None,
        };
        if let Some(meant) = meant {
            reshaped.to_mut().insert(name.clone(), meant);
        }
    }
    reshaped
}

/// The list of words that a string holds as JSON; `None` where it holds none.
fn list_in(text: &str) -> Option<Vec<Value>> {
    let text = text.trim();
    let words: Vec<Value> = text.starts_with('[').then(|| serde_json::from_str(text).ok()).flatten()?;
    words.iter().all(Value::is_string).then_some(words)
}

/// Words as a line; `None` where one is no string.
fn line_of(words: &[Value]) -> Option<Value> {
    let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
    words.and_then(|words| shlex::try_join(words).ok()).map(Value::from)
}

/// Moves the words to the parameter in which the tool takes them, `args` or `extra_args`.
fn moved<'a>(fields: &[&'static Field], arguments: &'a Map<String, Value>) -> Cow<'a, Map<String, Value>> {
    let takes = |name: &str| fields.iter().find(|field| field.name == name).map(|field| field.kind);
    let given = [LINE, LIST].into_iter().find(|name| takes(name).is_none() && arguments.contains_key(*name));
    let Some(given) = given else { return Cow::Borrowed(arguments) };
    if arguments.get(given).is_some_and(Value::is_null) {
        let mut arguments = arguments.clone();
        arguments.remove(given);
        return Cow::Owned(arguments);
    }
    let other = if given == LINE { LIST } else { LINE };
    let words = match (takes(other), arguments.get(given)) {
        (Some(ValueKind::CommandLine), Some(Value::Array(words))) => line_of(words),
        (Some(ValueKind::TextList), Some(Value::String(line))) if list_in(line).is_none() => {
            words_of(line).ok().map(|words| json!(words))
        }
        (Some(ValueKind::CommandLine), Some(line @ Value::String(_))) => Some(line.clone()),
        (Some(ValueKind::TextList), Some(words @ (Value::Array(_) | Value::String(_)))) => {
            Some(words.clone())
        }
        _ => None,
    };
    let Some(words) = words.filter(|_| !arguments.contains_key(other)) else {
        return Cow::Borrowed(arguments);
    };
    let mut arguments = arguments.clone();
    arguments.remove(given);
    arguments.insert(other.to_owned(), words);
    Cow::Owned(arguments)
}

/// The help for a mistake. For the two parameters that take words it says which takes a list and which a
/// line.
pub(crate) fn mended(mistake: &InputError) -> Option<String> {
    let both = match (mistake.path.as_slice(), &mistake.wrong) {
        ([ValueStep::Key(key)], InputErrorKind::Type(..)) if [LINE, LIST].contains(&key.as_str()) => {
            Some(format!(
                "`{LIST}` is for a list of words (`[\"a\", \"b\"]`), `{LINE}` for one string of them (`\"a b\"`)"
            ))
        }
        _ => None,
    };
    let all: Vec<String> = mistake.wrong.help().into_iter().chain(both).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Command, Location, Word, check};

    /// `deploy env version=latest [timeout]` of a justfile.
    #[test]
    fn a_parameter_that_all_tools_have_too_gets_its_value_under_another_name() {
        const WORDS: &[Field] =
            &[Field { name: LIST, kind: ValueKind::TextList, default: Default::Absent, about: "Words." }];
        let required = |name: &str| Parameter { is_required: true, ..Parameter::placed(name) };
        let version = Parameter { default: Some("latest".to_owned()), ..Parameter::placed("version") };
        let command = Command::new(Word::fixed("just"));
        let tool = Tool::running("deploy", "deploy", Location::file("justfile"), command)
            .declaring(WORDS, vec![required("env"), version, Parameter::placed("timeout")]);
        let schema = with_declared(&tool, Field::object_schema(&parameters(&tool)));
        let names: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(names, ["task_env", "version", "task_timeout", "timeout", "wait", "env", "dry_run"]);
        assert_eq!(schema["required"], json!(["task_env"]));
        assert_eq!(
            super::names(&tool),
            ["task_env", "version", "task_timeout", "timeout", "wait", "env", "dry_run"]
        );
        let given = json!({"task_env": "dev", "task_timeout": "3", "timeout": 5, "env": {"A": "1"}});
        let words = by_words(&tool, given.as_object().unwrap()).unwrap();
        let expected = json!({"timeout": 5, "env": {"A": "1"}, "args": ["dev", "latest", "3"]});
        assert_eq!(Value::Object(words.into_owned()), expected);
    }

    #[test]
    fn words_in_the_wrong_shape_get_help_about_both_parameters() {
        const WORDS: Field =
            Field { name: LINE, kind: ValueKind::CommandLine, default: Default::Absent, about: "Words." };
        const LISTED: Field = Field { name: LIST, kind: ValueKind::TextList, ..WORDS };
        let help_for = |field: &Field, given: Value| -> Vec<Option<String>> {
            let (_, mistakes) = check(&[field], given.as_object().unwrap());
            mistakes.iter().map(mended).collect()
        };
        let both =
            r#"`args` is for a list of words (`["a", "b"]`), `extra_args` for one string of them (`"a b"`)"#;
        assert_eq!(help_for(&WORDS, json!({"extra_args": ["a"]})), [Some(both.to_owned())]);
        let list = format!(r#"write it as a list: ["7"]; {both}"#);
        assert_eq!(help_for(&LISTED, json!({"args": "7"})), [Some(list)]);
        assert_eq!(help_for(&TIMEOUT, json!({"timeout": ["a"]})), [None]);
    }

    #[test]
    fn words_are_taken_by_either_name() {
        const WORDS: Field =
            Field { name: LINE, kind: ValueKind::CommandLine, default: Default::Absent, about: "Words." };
        const LISTED: Field = Field { name: LIST, kind: ValueKind::TextList, ..WORDS };
        let taken = |field: &'static Field, given: Value| {
            Value::Object(as_taken(&[field, &TIMEOUT], given.as_object().unwrap()).into_owned())
        };
        for (field, given, expected) in [
            (
                &WORDS,
                json!({"args": ["a b", "--c=$x"], "timeout": 3}),
                json!({"timeout": 3, "extra_args": "'a b' '--c=$x'"}),
            ),
            (&WORDS, json!({"args": "1 2"}), json!({"extra_args": "1 2"})),
            (&LISTED, json!({"extra_args": "1 '2 3'"}), json!({"args": ["1", "2 3"]})),
            (&LISTED, json!({"extra_args": ["1"]}), json!({"args": ["1"]})),
            (&LISTED, json!({"extra_args": null}), json!({})),
            // Unclear words are not guessed.
            (&LISTED, json!({"extra_args": "'1"}), json!({"extra_args": "'1"})),
            (&LISTED, json!({"extra_args": "1", "args": []}), json!({"extra_args": "1", "args": []})),
            (&LISTED, json!({"args": "1"}), json!({"args": "1"})),
            (&WORDS, json!({"extra_args": "[x] y"}), json!({"extra_args": "[x] y"})),
            (&WORDS, json!({"extra_args": "[1]"}), json!({"extra_args": "[1]"})),
            (&WORDS, json!({"extra_args": ["--a", "b c"]}), json!({"extra_args": "--a 'b c'"})),
            (&WORDS, json!({"extra_args": "[\"--a\", \"b c\"]"}), json!({"extra_args": "--a 'b c'"})),
            (&WORDS, json!({"args": "[\"--a\", \"b c\"]"}), json!({"extra_args": "--a 'b c'"})),
            (&LISTED, json!({"args": "[\"--a\", \"b c\"]"}), json!({"args": ["--a", "b c"]})),
            (&LISTED, json!({"extra_args": "[\"--a\", \"b c\"]"}), json!({"args": ["--a", "b c"]})),
            (&WORDS, json!({"timeout": "5"}), json!({"timeout": 5})),
            (&WORDS, json!({"timeout": "5s"}), json!({"timeout": "5s"})),
            (&WORDS, json!({"args": [1]}), json!({"args": [1]})),
            (&TIMEOUT, json!({"args": ["1"]}), json!({"args": ["1"]})),
        ] {
            assert_eq!(taken(field, given), expected);
        }
    }
}
