//! Commands that settings declare: by name a line of words, or a mapping with more. No shell reads the line.

use serde_json::{Map, Value, json};

use super::input_error::{Complain, InputError, InputErrorKind, ValueStep};
use super::json_value::describe;
use super::{Default, Field, ValueKind, Values, is_hidden, path};

/// The shape of a command that is a line.
const LINE: &str = "a program and its words, and no line for a shell";
/// The shape of a command, for messages.
const COMMAND: &str = "a line of words, or a mapping with `run`";
/// The keys of a command, for messages.
const KEYS: &str = "one of run, description, confirm, env and cwd, the keys of a command";
/// The signs outside of quotes that a shell acts on.
const SIGNS: &str = "|&;<>()`$*?[\n";
/// The signs that a shell acts on in double quotes as well.
const QUOTED_SIGNS: &str = "`$";

const RUN: Field = Field {
    name: "run",
    kind: ValueKind::Words,
    default: Default::Required,
    about: "The program and its words: a line without operators of a shell, or a list whose words are taken as they stand.",
};
const DESCRIPTION: Field = Field {
    name: "description",
    kind: ValueKind::Text,
    default: Default::Absent,
    about: "One line for people and agents; the command itself when left out.",
};
const CONFIRM: Field = Field {
    name: "confirm",
    kind: ValueKind::Flag,
    default: Default::Flag(false),
    about: "Whether each call requires confirmation, as if `confirm` of the instance named it.",
};
const ENV: Field = Field {
    name: "env",
    kind: ValueKind::TextMap,
    default: Default::Absent,
    about: "Environment variables for this command.",
};
const CWD: Field = Field {
    name: "cwd",
    kind: ValueKind::Directory,
    default: Default::Text("."),
    about: "The folder that it runs in, relative to the settings file and inside the project.",
};
const FIELDS: [&Field; 5] = [&RUN, &DESCRIPTION, &CONFIRM, &ENV, &CWD];

/// A command as settings declare it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainCommand {
    /// The name of the command.
    pub name: String,
    /// The program and its words.
    pub words: Vec<String>,
    /// The description of the command, if it has one.
    pub description: Option<String>,
    /// Whether each call requires confirmation.
    pub confirms: bool,
    /// The variables that are set for it.
    pub environment: Vec<(String, String)>,
    /// The folder that the command runs in.
    pub folder: String,
}

impl PlainCommand {
    /// The commands of a field of the kind [`PlainCommands`](ValueKind::PlainCommands), in the order of the settings.
    pub fn all(config: &Values, field: &Field) -> Vec<Self> {
        entries(config, field).map(|(name, entry)| Self::of(name, entry)).collect()
    }

    fn of(name: &str, entry: &Value) -> Self {
        let keys = entry.as_object().cloned().unwrap_or_default();
        let entry = Values(keys.into());
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        Self {
            name: name.to_owned(),
            words: entry.texts(&RUN).into_iter().map(String::from).collect(),
            description: Some(entry.text(&DESCRIPTION)).filter(|text| !text.is_empty()).map(String::from),
            confirms: entry.flag(&CONFIRM),
            environment: entry.pairs(&ENV).into_iter().map(owned).collect(),
            folder: path::join(".", entry.text(&CWD)),
        }
    }
}

fn entries<'v>(values: &'v Values, field: &Field) -> impl Iterator<Item = (&'v str, &'v Value)> {
    let given = values.iter().find(|(key, _)| *key == field.name).and_then(|(_, value)| value.as_object());
    given.into_iter().flatten().map(|(name, entry)| (name.as_str(), entry))
}

/// Whether the current commands are among the approved ones, each the same. One may require confirmation that did not.
pub(super) fn are_narrower(field: &Field, approved: &Values, current: &Values) -> bool {
    let known: Map<String, Value> = entries(approved, field).map(owned).collect();
    entries(current, field).all(|(name, entry)| {
        known.get(name).is_some_and(|known| {
            without_confirm(known) == without_confirm(entry) && (confirms(entry) || !confirms(known))
        })
    })
}

/// The approved commands that are current as well. Each requires confirmation where one of the two does.
pub(super) fn common(field: &Field, approved: &Values, current: &Values) -> Value {
    let current: Map<String, Value> = entries(current, field).map(owned).collect();
    let both = entries(approved, field).filter_map(|(name, entry)| {
        let now = current.get(name)?;
        let mut entry = entry.clone();
        if confirms(now) {
            entry[CONFIRM.name] = json!(true);
        }
        Some((name.to_owned(), entry))
    });
    Value::Object(both.collect())
}

fn owned((name, entry): (&str, &Value)) -> (String, Value) {
    (name.to_owned(), entry.clone())
}

fn confirms(entry: &Value) -> bool {
    entry.get(CONFIRM.name).and_then(Value::as_bool).unwrap_or_default()
}

fn without_confirm(entry: &Value) -> Value {
    let mut entry = entry.clone();
    entry.as_object_mut().and_then(|entry| entry.shift_remove(CONFIRM.name));
    entry
}

/// The check of given values against their fields.
type Check = fn(&[&Field], &Map<String, Value>) -> (Values, Vec<InputError>);

/// The commands in their normal form: a mapping each, with a list of words. Reports those that do not fit.
pub(super) fn accept(given: &Map<String, Value>, check: Check, complain: Complain<'_>) -> Value {
    let mut kept = Map::new();
    for (name, value) in given {
        if !is_word(name) {
            let help = "use letters, digits and `_ : . - / + @`, and begin with none of the signs but `_`";
            let wrong = InputErrorKind::Shape("called by one word", Some(help.to_owned()));
            complain(vec![ValueStep::Key(name.clone())], wrong);
            continue;
        }
        let entry = match value {
            Value::String(_) => Map::from_iter([(RUN.name.to_owned(), value.clone())]),
            Value::Object(entry) => entry.clone(),
            _ => {
                let help = "write `test: cargo test`, or `test: {run: [cargo, test]}`".to_owned();
                complain(vec![ValueStep::Key(name.clone())], InputErrorKind::Shape(COMMAND, Some(help)));
                continue;
            }
        };
        let (values, mistakes) = check(&FIELDS, &entry);
        for mistake in mistakes {
            let (steps, wrong) = located(mistake, value.is_string());
            complain([vec![ValueStep::Key(name.clone())], steps].concat(), wrong);
        }
        let folder = values.text(&CWD);
        if folder.starts_with('/') || path::join(".", folder).starts_with("..") || folder.contains(is_hidden)
        {
            let help = "write a folder below that of the settings file: `cwd: infra`".to_owned();
            let steps = [name.as_str(), CWD.name].map(|key| ValueStep::Key(key.to_owned()));
            complain(steps.to_vec(), InputErrorKind::Shape("a folder inside the project", Some(help)));
        }
        let entry = values.iter().map(|(key, value)| (key.to_owned(), value.clone()));
        kept.insert(name.clone(), Value::Object(entry.collect()));
    }
    Value::Object(kept)
}

/// The place and the text of a mistake in an entry. An unknown key is an error: a `confirm` that is misspelt must not be a
/// question less.
fn located(mistake: InputError, is_line: bool) -> (Vec<ValueStep>, InputErrorKind) {
    match mistake.wrong {
        InputErrorKind::Unknown(meant) => {
            let help = meant.map(|meant| format!("did you mean `{meant}`?"));
            (mistake.path, InputErrorKind::Shape(KEYS, help))
        }
        InputErrorKind::Missing => {
            let help = "add `run:` with the program and its words".to_owned();
            (Vec::new(), InputErrorKind::Shape(COMMAND, Some(help)))
        }
        wrong if is_line => (Vec::new(), wrong),
        wrong => (mistake.path, wrong),
    }
}

/// Whether a name can be typed and read as one word.
fn is_word(name: &str) -> bool {
    let is_sign = |letter: char| "_:.-/+@".contains(letter);
    name.starts_with(|first: char| first.is_alphanumeric() || first == '_')
        && name.chars().all(|letter| letter.is_alphanumeric() || is_sign(letter))
}

/// The words of a line, or of a list as it stands. Reports what is neither.
pub(super) fn accept_words(value: &Value, complain: Complain<'_>) -> Option<Value> {
    let words: Vec<Value> = match value {
        Value::String(line) => match words(line) {
            Ok(words) => words.into_iter().map(Value::from).collect(),
            Err(help) => {
                complain(vec![], InputErrorKind::Shape(LINE, Some(help)));
                return None;
            }
        },
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate().filter(|(_, item)| !item.is_string()) {
                complain(vec![ValueStep::Item(at)], InputErrorKind::Type("a string", describe(item)));
            }
            items.clone()
        }
        _ => {
            complain(vec![], InputErrorKind::Type("a string or a list of strings", describe(value)));
            return None;
        }
    };
    if words.first().is_none_or(|program| program == "") {
        let help = "name at least a program: `run: [cargo, test]`".to_owned();
        complain(vec![], InputErrorKind::Shape("a program and its words", Some(help)));
        return None;
    }
    Some(Value::Array(words))
}

/// The words of a line.
///
/// # Errors
/// The help for a line that only a shell understands.
fn words(line: &str) -> Result<Vec<String>, String> {
    if let Some(sign) = sign_of_shell(line) {
        return Err(format!(
            "cuff starts programs without a shell, and {sign} is for one: put the line into a script and name that, or write \
             `run: [...]`, whose words are taken as they stand"
        ));
    }
    let words = shlex::split(line).ok_or("close each quotation mark")?;
    let sets = words.first().and_then(|first| first.split_once('='));
    match sets {
        Some((name, value)) if !name.contains('/') => Err(format!(
            "a variable is no word of a program: write `env: {{{name}: {value:?}}}` beside `run`"
        )),
        _ => Ok(words),
    }
}

/// The first sign of a line that a shell would act on: `&&`, `$`, a `#` or `~` at the beginning of a word.
fn sign_of_shell(line: &str) -> Option<String> {
    let mut quote = None;
    let mut begins = true;
    let mut letters = line.char_indices();
    while let Some((at, letter)) = letters.next() {
        let is_sign = match quote {
            Some('\'') => false,
            Some(_) => QUOTED_SIGNS.contains(letter),
            None => {
                SIGNS.contains(letter)
                    || begins && ['#', '~'].contains(&letter)
                    || letter == '{' && !is_in_braces(&line[at + 1..])
            }
        };
        if is_sign {
            let repeated = line[at..].chars().take_while(|next| *next == letter).count();
            return Some(match letter {
                '\n' => "a line break".to_owned(),
                _ => format!("`{}`", letter.to_string().repeat(repeated)),
            });
        }
        begins = quote.is_none() && letter.is_whitespace();
        match (letter, quote) {
            ('\\', None | Some('"')) => _ = letters.next(),
            ('\'' | '"', None) => quote = Some(letter),
            (_, Some(open)) if open == letter => quote = None,
            _ => {}
        }
    }
    None
}

/// Whether a text begins with a plain name and a closing brace, as in `{}` and `{name}`: no shell acts on such braces.
fn is_in_braces(text: &str) -> bool {
    text.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric() || letter == '_').starts_with('}')
}

/// The JSON Schema of commands.
pub(super) fn schema() -> Value {
    let entry = Field::object_schema(&FIELDS);
    let line = json!({"type": "string", "description": RUN.about});
    json!({"type": "object", "additionalProperties": {"anyOf": [line, entry]}})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;

    const COMMANDS: Field = Field {
        name: "commands",
        kind: ValueKind::PlainCommands,
        default: Default::Required,
        about: "Which.",
    };

    fn checked(given: &Value) -> (Values, Vec<String>) {
        let (values, mistakes) = check(&[&COMMANDS], json!({"commands": given}).as_object().unwrap());
        let said = |mistake: &InputError| {
            format!("{} | {}", mistake.sentence(), mistake.wrong.help().unwrap_or_default())
        };
        (values, mistakes.iter().map(said).collect())
    }

    fn values(given: &Value) -> Values {
        let (values, mistakes) = checked(given);
        assert_eq!(mistakes, [""; 0]);
        values
    }

    #[test]
    fn a_command_is_a_line_or_a_mapping() {
        let given = json!({
            "test": "cargo test --package 'a b' \"it's\" x\\;y {} a=b",
            "lint": {"run": ["cargo", "clippy", "a | b", "$X"], "description": "Lint it"},
            "deploy": {"run": "./deploy.sh --prod", "confirm": true, "env": {"STAGE": "prod"}, "cwd": "./infra/"},
        });
        let plain = |name: &str, words: &[&str]| PlainCommand {
            name: name.into(),
            words: words.iter().map(ToString::to_string).collect(),
            description: None,
            confirms: false,
            environment: Vec::new(),
            folder: ".".into(),
        };
        let expected = [
            plain("test", &["cargo", "test", "--package", "a b", "it's", "x;y", "{}", "a=b"]),
            PlainCommand {
                description: Some("Lint it".into()),
                ..plain("lint", &["cargo", "clippy", "a | b", "$X"])
            },
            PlainCommand {
                confirms: true,
                environment: vec![("STAGE".into(), "prod".into())],
                folder: "infra".into(),
                ..plain("deploy", &["./deploy.sh", "--prod"])
            },
        ];
        assert_eq!(PlainCommand::all(&values(&given), &COMMANDS), expected);
    }

    #[test]
    fn a_line_for_a_shell_is_an_error_that_names_the_sign() {
        let of_line = |line: &str| {
            let (_, mistakes) = checked(&json!({"a": line}));
            let help = mistakes.first().map_or("fine", |said| said.split_once(" | ").unwrap().1).to_owned();
            help.split(" is for one").next().unwrap().rsplit("and ").next().unwrap().to_owned()
        };
        for (line, sign) in [
            ("a | b", "`|`"),
            ("a && b", "`&&`"),
            ("a; b", "`;`"),
            ("a > b", "`>`"),
            ("a >> b", "`>>`"),
            ("a 2>&1", "`>`"),
            ("a $(b)", "`$`"),
            ("a \"$X\"", "`$`"),
            ("a `b`", "```"),
            ("a *.rs", "`*`"),
            ("a x?", "`?`"),
            ("a [x]", "`[`"),
            ("a {b,c}", "`{`"),
            ("a ~/b", "`~`"),
            ("a # b", "`#`"),
            ("a\nb", "a line break"),
            ("(a)", "`(`"),
            ("a {1..3}", "`{`"),
            ("a '$X | *' \"a > b\" \\* b#c d~", "fine"),
            ("find {} {name} x/{name}.sh", "fine"),
        ] {
            assert_eq!(of_line(line), sign, "{line}");
        }
        insta::assert_debug_snapshot!(checked(&json!({"a": "a | b", "b": "'a", "c": "X=1 a", "d": ""})).1, @r#"
        [
            "`commands.a` must be a program and its words, and no line for a shell | cuff starts programs without a shell, and `|` is for one: put the line into a script and name that, or write `run: [...]`, whose words are taken as they stand",
            "`commands.b` must be a program and its words, and no line for a shell | close each quotation mark",
            "`commands.c` must be a program and its words, and no line for a shell | a variable is no word of a program: write `env: {X: \"1\"}` beside `run`",
            "`commands.d` must be a program and its words | name at least a program: `run: [cargo, test]`",
        ]
        "#);
    }

    #[test]
    fn every_other_mistake_says_what_to_write() {
        insta::assert_debug_snapshot!(checked(&json!({
            "a b": "x", "-a": "x", "*": "x", "c": ["x"], "d": {"confirm": true}, "e": {"run": "x", "confrim": true},
            "f": {"run": ["sleep", 5]}, "g": {"run": []}, "h": {"run": "x", "cwd": "../y"}, "i": {"run": "x", "cwd": "/y"},
            "j": {"run": "a | b", "env": ["A"]}, "k": 5, "l": null,
        })).1, @r#"
        [
            "`commands.a b` must be called by one word | use letters, digits and `_ : . - / + @`, and begin with none of the signs but `_`",
            "`commands.-a` must be called by one word | use letters, digits and `_ : . - / + @`, and begin with none of the signs but `_`",
            "`commands.*` must be called by one word | use letters, digits and `_ : . - / + @`, and begin with none of the signs but `_`",
            "`commands.c` must be a line of words, or a mapping with `run` | write `test: cargo test`, or `test: {run: [cargo, test]}`",
            "`commands.d` must be a line of words, or a mapping with `run` | add `run:` with the program and its words",
            "`commands.e.confrim` must be one of run, description, confirm, env and cwd, the keys of a command | did you mean `confirm`?",
            "`commands.f.run[1]` must be a string, not the number 5 | write it in quotes: \"5\"",
            "`commands.g.run` must be a program and its words | name at least a program: `run: [cargo, test]`",
            "`commands.h.cwd` must be a folder inside the project | write a folder below that of the settings file: `cwd: infra`",
            "`commands.i.cwd` must be a folder inside the project | write a folder below that of the settings file: `cwd: infra`",
            "`commands.j.run` must be a program and its words, and no line for a shell | cuff starts programs without a shell, and `|` is for one: put the line into a script and name that, or write `run: [...]`, whose words are taken as they stand",
            "`commands.j.env` must be a mapping of names to strings, not a list | ",
            "`commands.k` must be a line of words, or a mapping with `run` | write `test: cargo test`, or `test: {run: [cargo, test]}`",
            "`commands.l` must be a line of words, or a mapping with `run` | write `test: cargo test`, or `test: {run: [cargo, test]}`",
        ]
        "#);
    }

    #[test]
    fn fewer_commands_and_more_questions_are_narrower() {
        let (a, b) = (json!({"run": "a"}), json!({"run": "b"}));
        let asks = json!({"run": "a", "confirm": true});
        for (approved, current, is_narrower, holds) in [
            (json!({"a": a, "b": b}), json!({"b": b, "a": a}), true, "a b"),
            (json!({"a": a, "b": b}), json!({"a": a}), true, "a"),
            (json!({"a": a}), json!({"a": asks}), true, "a?"),
            (json!({"a": asks}), json!({"a": a}), false, "a?"),
            (json!({"a": a}), json!({"a": b}), false, "a"),
            (json!({"a": a}), json!({"a": a, "b": b}), false, "a"),
            (json!({"a": a, "b": b}), json!({"c": a}), false, ""),
            (json!({"a": asks, "b": b}), json!({}), true, ""),
        ] {
            let case = format!("{approved} {current}");
            let [approved, current] = [approved, current].map(|given| values(&given));
            assert_eq!(are_narrower(&COMMANDS, &approved, &current), is_narrower, "{case}");
            let held = approved.clone().with(&COMMANDS, common(&COMMANDS, &approved, &current));
            let name = |command: PlainCommand| {
                assert_eq!(command.words.join(" "), command.name, "{case}: as it was approved");
                command.name + if command.confirms { "?" } else { "" }
            };
            let names: Vec<String> = PlainCommand::all(&held, &COMMANDS).into_iter().map(name).collect();
            assert_eq!(names.join(" "), holds, "{case}");
        }
    }
}
