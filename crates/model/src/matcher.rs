//! Problem matchers, in the shape that VS Code has given them: how the findings of one more tool are read.

use regex::bytes::{Regex, RegexBuilder};
use serde_json::{Map, Value};

use super::input_error::Complain;
use super::{InputErrorKind, Severity, ValueStep, nearest};

/// The most memory that one compiled expression may take, in bytes.
const LARGEST: usize = 1 << 20;
/// The most lines that one finding may have.
const MOST_LINES: usize = 20;

const KEYS: &[&str] =
    &["owner", "source", "severity", "fileLocation", "pattern", "applyTo", "background", "name", "label"];
const PATTERN_KEYS: &[&str] = &[
    "regexp",
    "kind",
    "file",
    "location",
    "line",
    "column",
    "endLine",
    "endColumn",
    "severity",
    "code",
    "message",
    "loop",
    "name",
];

/// One problem matcher.
#[derive(Debug, Clone)]
pub struct Matcher {
    /// The owner that findings carry as their dialect.
    pub owner: String,
    /// The severity of a finding that names none.
    pub severity: Severity,
    /// The folder that file names are relative to, as [`Matcher::file`] writes it.
    folder: Folder,
    /// One for each line of a finding.
    pub patterns: Vec<Pattern>,
    /// Those of lines that may follow a complete finding, in this order, each as often as it comes.
    pub more: Vec<Pattern>,
    /// The most lines of other text between two of them.
    pub between: usize,
    /// The tool's own words for severities; those that all tools share need no mention.
    pub severities: &'static [(&'static str, Severity)],
    /// The code of a finding that names none, and the message of one that says nothing.
    pub defaults: (&'static str, &'static str),
    /// Files and messages as people read them, where the tool escapes characters.
    pub decode: fn(String) -> String,
    /// Whether a finding counts only where no error explains it.
    pub is_consequence: bool,
    /// Whether that error stands below it.
    pub is_heading: bool,
    /// Whether the first line has no trigger and stands before the one that has.
    pub is_headed: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Folder {
    /// As the tool names them: absolute, or relative to where it ran.
    AsNamed,
    /// Below this folder of the project.
    Below(String),
}

/// One line of a finding, and in which groups of the expression its parts are; group 0 is the whole match.
#[derive(Debug, Clone)]
pub struct Pattern {
    /// The expression.
    pub regexp: Regex,
    /// The file's name.
    pub file: Option<usize>,
    /// Line and column together: `3`, `3,5` or `3,5,3,9`.
    pub location: Option<usize>,
    /// The line.
    pub line: Option<usize>,
    /// The column.
    pub column: Option<usize>,
    /// `error`, `warning` or `info`.
    pub severity: Option<usize>,
    /// The tool's name for this kind of finding.
    pub code: Option<usize>,
    /// The group of the message.
    pub message: Option<usize>,
    /// The group of a message's text that was wrapped: a blank joins it to the line before.
    pub wrapped: Option<usize>,
    /// Whether the finding is of a whole file, and has no line.
    pub whole_file: bool,
    /// Whether this last line may come again, each time with another finding about the same file.
    pub repeats: bool,
}

impl Matcher {
    /// Reads a list of matchers, or a single one, and reports their mistakes.
    pub fn read_all(value: &Value, complain: Complain<'_>) -> Vec<Self> {
        match value {
            Value::Array(items) => {
                let read = |(at, item): (usize, &Value)| {
                    Self::read(item, &mut |mut path, wrong| {
                        path.insert(0, ValueStep::Item(at));
                        complain(path, wrong);
                    })
                };
                items.iter().enumerate().filter_map(read).collect()
            }
            single => Self::read(single, complain).into_iter().collect(),
        }
    }

    fn read(value: &Value, complain: Complain<'_>) -> Option<Self> {
        let Value::Object(map) = value else {
            complain(vec![], InputErrorKind::Shape("a mapping with `pattern`", None));
            return None;
        };
        unknown(map, KEYS, complain);
        let text = |name: &str| map.get(name).and_then(Value::as_str);
        let severity = match text("severity") {
            None => Severity::Error,
            Some(word) => severity(word).or_else(|| {
                complain(at("severity"), InputErrorKind::Shape("one of error, warning, info", None));
                None
            })?,
        };
        let folder = folder(map.get("fileLocation")).or_else(|| {
            let expected = "absolute, relative, or a list of `relative` and a folder";
            complain(at("fileLocation"), InputErrorKind::Shape(expected, None));
            None
        })?;
        let mut inside = |path: Vec<ValueStep>, wrong| complain([at("pattern"), path].concat(), wrong);
        let patterns = match map.get("pattern") {
            Some(Value::Array(items)) if (1..=MOST_LINES).contains(&items.len()) => {
                let read = |(line, item): (usize, &Value)| {
                    Pattern::read(item, &mut |mut path, wrong| {
                        path.insert(0, ValueStep::Item(line));
                        inside(path, wrong);
                    })
                };
                items.iter().enumerate().map(read).collect::<Option<Vec<_>>>()?
            }
            Some(single @ Value::Object(_)) => vec![Pattern::read(single, &mut inside)?.completed()],
            _ => {
                let help = "matchers that VS Code knows by name, such as `$tsc`, are dialects that cuff reads by itself";
                inside(
                    vec![],
                    InputErrorKind::Shape(
                        "a mapping with `regexp`, or a list of 1 to 20 of them",
                        Some(help.into()),
                    ),
                );
                return None;
            }
        };
        if let Some(early) = patterns.iter().rev().skip(1).position(|pattern| pattern.repeats) {
            let line = patterns.len() - 2 - early;
            inside(
                vec![ValueStep::Item(line), ValueStep::Key("loop".into())],
                InputErrorKind::Shape("in the last pattern alone", None),
            );
            return None;
        }
        let owner = text("owner").or_else(|| text("source")).unwrap_or("matcher").to_owned();
        Some(Self { folder, ..Self::of(owner, severity, patterns) })
    }

    /// A matcher with a pattern for each line of a finding.
    pub fn of(owner: String, severity: Severity, patterns: Vec<Pattern>) -> Self {
        Self {
            owner,
            severity,
            folder: Folder::AsNamed,
            patterns,
            more: Vec::new(),
            between: 0,
            severities: &[],
            defaults: ("", ""),
            decode: std::convert::identity,
            is_consequence: false,
            is_heading: false,
            is_headed: false,
        }
    }

    /// The severity that a tool's word stands for.
    pub fn severity_of(&self, word: &str) -> Option<Severity> {
        let own = self.severities.iter().find(|(known, _)| *known == word);
        own.map(|(_, severity)| *severity).or_else(|| severity(word))
    }

    /// A file of a finding, so that it is found from the project's root or from where the tool ran.
    pub fn file(&self, named: &str) -> String {
        match &self.folder {
            Folder::Below(folder) if !named.starts_with('/') => {
                format!("${{workspaceFolder}}/{folder}/{named}")
            }
            Folder::Below(_) | Folder::AsNamed => named.to_owned(),
        }
    }
}

impl Pattern {
    fn read(value: &Value, complain: Complain<'_>) -> Option<Self> {
        let Value::Object(map) = value else {
            complain(vec![], InputErrorKind::Shape("a mapping with `regexp`", None));
            return None;
        };
        unknown(map, PATTERN_KEYS, complain);
        let Some(expression) = map.get("regexp").and_then(Value::as_str) else {
            complain(at("regexp"), InputErrorKind::Shape("a regular expression", None));
            return None;
        };
        let built = compiled(expression);
        let regexp = built
            .map_err(|error| {
                let last = error.to_string().lines().last().unwrap_or_default().trim().to_owned();
                let help = format!("{last}; look-around and back references are not supported");
                complain(
                    at("regexp"),
                    InputErrorKind::Shape("a regular expression that cuff understands", Some(help)),
                );
            })
            .ok()?;
        let groups = regexp.captures_len();
        let mut right = true;
        let pattern = Self::of(&regexp, |name| {
            let Some(found) = map.get(name) else { return named(&regexp, name) };
            let number = found.as_u64().and_then(|number| usize::try_from(number).ok());
            let fits = number.filter(|number| *number < groups);
            if fits.is_none() {
                let help = format!("the expression has groups 0 to {}", groups - 1);
                complain(at(name), InputErrorKind::Shape("the number of a group", Some(help)));
                right = false;
            }
            fits
        });
        right.then_some(Self {
            whole_file: map.get("kind").and_then(Value::as_str) == Some("file"),
            repeats: map.get("loop") == Some(&Value::Bool(true)),
            ..pattern
        })
    }

    /// Patterns of expressions whose groups have the names of their parts. `None` where one is not understood.
    pub fn all(expressions: impl Iterator<Item = String>) -> Option<Vec<Self>> {
        let pattern = |expression: String| {
            let regexp = compiled(&expression).ok()?;
            let wrapped = named(&regexp, "wrapped");
            Some(Self { wrapped, ..Self::of(&regexp, |name| named(&regexp, name)) })
        };
        expressions.map(pattern).collect()
    }

    fn of(regexp: &Regex, mut group: impl FnMut(&str) -> Option<usize>) -> Self {
        Self {
            file: group("file"),
            location: group("location"),
            line: group("line"),
            column: group("column"),
            severity: group("severity"),
            code: group("code"),
            message: group("message"),
            wrapped: None,
            whole_file: false,
            repeats: false,
            regexp: regexp.clone(),
        }
    }

    /// Adds the groups that VS Code assumes for a single pattern that names none.
    fn completed(mut self) -> Self {
        let last = self.regexp.captures_len() - 1;
        let group = |number: usize| (number <= last).then_some(number);
        self.file = self.file.or(group(1));
        if !self.whole_file && self.line.is_none() && self.location.is_none() {
            self.line = group(2);
            self.column = self.column.or(group(3));
        }
        self.message = self.message.or(Some(0));
        self
    }
}

/// The number of the group of this name: `(?<file>…)`.
fn named(regexp: &Regex, name: &str) -> Option<usize> {
    regexp.capture_names().position(|known| known == Some(name))
}

fn at(key: &str) -> Vec<ValueStep> {
    vec![ValueStep::Key(key.to_owned())]
}

fn unknown(map: &Map<String, Value>, known: &'static [&'static str], complain: Complain<'_>) {
    for key in map.keys().filter(|key| !known.contains(&key.as_str())) {
        let meant = nearest(key, known.iter().copied());
        complain(at(key), InputErrorKind::Unknown(meant));
    }
}

/// A severity by the words that tools and VS Code have for it.
pub fn severity(word: &str) -> Option<Severity> {
    Some(match word.trim().to_ascii_lowercase().as_str() {
        "error" | "err" | "e" | "fatal" | "fatal error" => Severity::Error,
        "warning" | "warn" | "w" => Severity::Warning,
        "info" | "information" | "note" | "hint" | "i" => Severity::Info,
        _ => return None,
    })
}

fn folder(given: Option<&Value>) -> Option<Folder> {
    let kind = |word: &str| ["absolute", "relative", "autoDetect"].contains(&word);
    match given {
        None => Some(Folder::AsNamed),
        Some(Value::String(word)) => kind(word).then_some(Folder::AsNamed),
        Some(Value::Array(items)) => match items.as_slice() {
            [Value::String(word)] => kind(word).then_some(Folder::AsNamed),
            [Value::String(word), Value::String(folder)] if kind(word) => {
                let folder = folder
                    .strip_prefix("${workspaceFolder}")
                    .or_else(|| folder.strip_prefix("${workspaceRoot}"));
                let folder = folder.unwrap_or_else(|| items[1].as_str().unwrap_or_default());
                Some(Folder::Below(folder.trim_matches('/').to_owned()))
            }
            _ => None,
        },
        Some(_) => None,
    }
}

/// An expression whose `.`, `\d` and `\w` match bytes, as far as it can be one: to look for all digits and letters there are takes
/// several times as long.
fn compiled(expression: &str) -> Result<Regex, regex::Error> {
    let build = |unicode| RegexBuilder::new(expression).size_limit(LARGEST).unicode(unicode).build();
    build(false).or_else(|_| build(true))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn wrongs(value: &Value) -> (usize, Vec<String>) {
        let mut wrongs = Vec::new();
        let read = Matcher::read_all(value, &mut |path, wrong| {
            let mistake = super::super::InputError { path, wrong };
            wrongs.push(format!("{} | {}", mistake.sentence(), mistake.wrong.help().unwrap_or_default()));
        });
        (read.len(), wrongs)
    }

    #[test]
    fn each_mistake_is_named_with_its_place() {
        let good = json!({"owner": "x", "pattern": {"regexp": "^(.*):(\\d+): (.*)$", "file": 1, "line": 2, "message": 3}});
        assert_eq!(wrongs(&good), (1, vec![]));
        assert_eq!(wrongs(&json!([good, good])), (2, vec![]));
        for (value, expected) in [
            (json!("$tsc"), "`` must be a mapping with `pattern` | "),
            (
                json!({"pattern": "$tsc"}),
                "`pattern` must be a mapping with `regexp`, or a list of 1 to 20 of them | matchers that VS Code knows by \
                 name, such as `$tsc`, are dialects that cuff reads by itself",
            ),
            (json!({"pattern": {"file": 1}}), "`pattern.regexp` must be a regular expression | "),
            (
                json!([{"pattern": [{"regexp": "a(?=b)"}]}]),
                "`[0].pattern[0].regexp` must be a regular expression that cuff understands | error: look-around, \
                 including look-ahead and look-behind, is not supported; look-around and back references are not supported",
            ),
            (
                json!({"pattern": {"regexp": "(a)", "message": 2}}),
                "`pattern.message` must be the number of a group | the expression has groups 0 to 1",
            ),
            (
                json!({"severity": "bad", "pattern": {"regexp": "a"}}),
                "`severity` must be one of error, warning, info | ",
            ),
            (
                json!({"pattern": [{"regexp": "a", "loop": true}, {"regexp": "b"}]}),
                "`pattern[0].loop` must be in the last pattern alone | ",
            ),
            (
                json!({"fileLocation": 3, "pattern": {"regexp": "a"}}),
                "`fileLocation` must be absolute, relative, or a list of `relative` and a folder | ",
            ),
        ] {
            assert_eq!(wrongs(&value), (0, vec![expected.to_owned()]), "{value}");
        }
        let (read, wrong) = wrongs(&json!({"pattren": 1, "pattern": {"regexp": "a"}}));
        assert_eq!(
            (read, wrong),
            (1, vec!["`pattren` is not known here | did you mean `pattern`?".to_owned()])
        );
    }

    #[test]
    fn files_lie_below_the_folder_that_is_named() {
        let file = |location: Value| {
            let value = json!({"fileLocation": location, "pattern": {"regexp": "a"}});
            Matcher::read_all(&value, &mut |_, _| {})[0].file("a.c")
        };
        assert_eq!(file(json!("relative")), "a.c");
        assert_eq!(file(json!(["relative", "${workspaceFolder}"])), "${workspaceFolder}//a.c");
        assert_eq!(file(json!(["relative", "${workspaceFolder}/sub/"])), "${workspaceFolder}/sub/a.c");
        assert_eq!(file(json!(["autoDetect", "sub"])), "${workspaceFolder}/sub/a.c");
    }
}
