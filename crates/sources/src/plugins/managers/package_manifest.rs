//! package.json as text in, its scripts in their order out, and everything odd about them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::model::{ErrorCode, File, Location, Problem, Severity, bounded, shown};
use crate::settings::json_entries;

/// The parts of a package.json that count here.
#[derive(Debug, Default)]
pub(in crate::plugins) struct PackageManifest {
    /// The name of the package.
    pub(in crate::plugins) name: Option<String>,
    /// In the order of the file; a name that stands there twice is here once, as npm would run it.
    pub(in crate::plugins) scripts: Vec<PackageScript>,
    /// The texts of `scripts-info`, which describe scripts.
    pub(in crate::plugins) descriptions: HashMap<String, String>,
    /// `packageManager` and `devEngines.packageManager`, as far as they are there, with their values.
    pub(in crate::plugins) managers: Vec<(&'static str, String)>,
    /// The folders of a workspace's packages, as they are written.
    pub(in crate::plugins) workspaces: Option<Value>,
    /// Whether eslint's configuration is in it.
    pub(in crate::plugins) configures_eslint: bool,
    /// Problems of the file that do not make it unreadable, with a line alone as their place.
    problems: Vec<Problem>,
}

/// The reason why a package.json cannot be read, and its line and column.
#[derive(Debug, Clone)]
struct NoManifest {
    what: String,
    line: usize,
    column: usize,
}

/// One entry of `scripts`.
#[derive(Debug, Clone)]
pub(in crate::plugins) struct PackageScript {
    pub(in crate::plugins) name: String,
    /// The command line that the package manager hands to a shell.
    pub(in crate::plugins) command: String,
    /// The line of its name in the file, from 1.
    pub(in crate::plugins) line: Option<usize>,
}

/// The `test` that `npm init` writes where a package has no tests.
const PLACEHOLDER: &str = "echo \"Error: no test specified\" && exit 1";

/// The moment at which managers run a script along with another, and the front of its name.
pub(in crate::plugins) const HOOKS: [(&str, &str); 2] = [("before", "pre"), ("after", "post")];

impl PackageManifest {
    /// Whether a manager may run some of its scripts along with others.
    pub(in crate::plugins) fn has_hooks(&self) -> bool {
        let is_hook = |script: &PackageScript| HOOKS.iter().any(|(_, front)| script.name.starts_with(front));
        self.scripts.iter().any(is_hook)
    }

    /// The content of a package.json by this name, read once for all who want it.
    ///
    /// # Errors
    /// A problem that points at the place where the text stops being JSON.
    pub(in crate::plugins) fn of(file: &File, name: &str) -> Result<Arc<Self>, Box<Problem>> {
        let read = file.kept.get_or_make(|| Self::read(&file.bytes).map(Arc::new));
        read.map_err(|why| why.problem(name).into())
    }

    /// Problems of the file by this name that do not make it unreadable.
    pub(in crate::plugins) fn problems(&self, name: &str) -> Vec<Problem> {
        let named = |problem: &Problem| {
            let line = problem.location.as_ref().and_then(|place| place.line);
            problem.clone().at(Location::line(name, line))
        };
        self.problems.iter().map(named).collect()
    }

    /// Reads a package.json; other keys are skipped without building their values.
    fn read(bytes: &[u8]) -> Result<Self, NoManifest> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let text = std::str::from_utf8(bytes).map_err(|error| not_utf8(bytes, error.valid_up_to()))?;
        let whole: &RawValue = serde_json::from_str(text).map_err(|error| not_json(text, error))?;
        if kind(whole) != OBJECT {
            let what = format!("the file must hold an object, not {}", kind(whole));
            return Err(NoManifest { what, line: 1, column: 1 });
        }
        let entries = json_entries(whole);
        let mut problems = Vec::new();
        for key in ["scripts", "scripts-info"] {
            if entries.iter().filter(|(name, _)| name_of(name) == key).count() > 1 {
                let what = format!("`{key}` is in the file more than once; the last one counts");
                problems.push(Problem::warning(what));
            }
        }
        let last =
            |key: &str| entries.iter().rfind(|(name, _)| name_of(name) == key).map(|(_, value)| *value);
        let string = |key: &str| serde_json::from_str::<String>(last(key)?.get()).ok();
        let mut of_table =
            |key| last(key).map_or_else(Vec::new, |table| texts(key, table, text, &mut problems));
        let (mut scripts, descriptions) = (of_table("scripts"), of_table("scripts-info"));
        scripts.retain(|script| script.command != PLACEHOLDER);
        let engines =
            last("devEngines").and_then(|engines| serde_json::from_str::<Value>(engines.get()).ok());
        let engines =
            engines.map_or_else(Vec::new, |engines| texts_at(&engines, &["packageManager", "name"]));
        let asked = string("packageManager").into_iter().map(|value| ("packageManager", value));
        let others = engines.into_iter().map(|value| ("devEngines.packageManager", value));
        Ok(Self {
            name: string("name"),
            scripts,
            descriptions: descriptions.into_iter().map(|entry| (entry.name, entry.command)).collect(),
            managers: asked.chain(others).collect(),
            workspaces: last("workspaces").and_then(|folders| serde_json::from_str(folders.get()).ok()),
            configures_eslint: last("eslintConfig").is_some_and(|value| value.get() != "null"),
            problems,
        })
    }
}

/// The names that messages give to an object and to a string.
const OBJECT: &str = "an object";
const STRING: &str = "a string";

/// The kind of a value, as messages name it.
fn kind(value: &RawValue) -> &'static str {
    match value.get().as_bytes().first() {
        Some(b'{') => OBJECT,
        Some(b'[') => "a list",
        Some(b'"') => STRING,
        Some(b'n') => "null",
        Some(b't') => "true",
        Some(b'f') => "false",
        _ => "a number",
    }
}

/// The name of an entry.
fn name_of(name: &RawValue) -> Cow<'_, str> {
    let plain = name.get().trim_matches('"');
    let read = || serde_json::from_str(name.get()).unwrap_or_else(|_| plain.to_owned());
    if plain.contains('\\') { read().into() } else { plain.into() }
}

/// The strings at the end of a way through nested objects, and through lists of them.
fn texts_at(value: &Value, way: &[&str]) -> Vec<String> {
    match (value, way) {
        (Value::String(text), []) => vec![text.clone()],
        (Value::Array(items), _) => items.iter().flat_map(|item| texts_at(item, way)).collect(),
        (Value::Object(map), [first, rest @ ..]) => {
            map.get(*first).map_or_else(Vec::new, |inner| texts_at(inner, rest))
        }
        _ => Vec::new(),
    }
}

fn not_json(text: &str, skipped: serde_json::Error) -> NoManifest {
    // Skipped values have plainer errors than those that are built.
    let error = serde_json::from_str::<Value>(text).err().unwrap_or(skipped);
    let whole = error.to_string();
    let what = whole.rsplit_once(" at line ").map_or(whole.as_str(), |(what, _)| what).to_owned();
    NoManifest { what, line: error.line().max(1), column: error.column().max(1) }
}

fn not_utf8(bytes: &[u8], valid: usize) -> NoManifest {
    let before = &bytes[..valid];
    let line = before.split(|byte| *byte == b'\n').count();
    let column = before.rsplit(|byte| *byte == b'\n').next().map_or(0, <[u8]>::len) + 1;
    NoManifest { what: NOT_UTF8.to_owned(), line, column }
}

/// The reason for a text that is not UTF-8.
const NOT_UTF8: &str = "the text is not UTF-8";

impl NoManifest {
    /// The problem of the file by this name.
    fn problem(self, name: &str) -> Problem {
        let help = match &*self.what {
            NOT_UTF8 => "save the file as UTF-8",
            _ => "correct the file; until then none of its scripts is offered",
        };
        Problem::error(ErrorCode::SourceInvalid, format!("Invalid JSON in {name}: {}", self.what))
            .at(Location::at(name, self.line, self.column))
            .help(help)
    }
}

/// Whether a key is a comment: npm reserves `//` for that.
fn is_comment(key: &str) -> bool {
    key.starts_with("//")
}

/// The strings of an object. Other values are reported, and names that stand there twice: as in JavaScript, the first place and
/// the last value of such a name count.
fn texts(key: &str, table: &RawValue, text: &str, problems: &mut Vec<Problem>) -> Vec<PackageScript> {
    if kind(table) != OBJECT {
        let what = format!("`{key}` must be an object of names and strings, not {}", kind(table));
        problems.push(Problem::error(ErrorCode::SourceInvalid, what));
        return Vec::new();
    }
    let (mut before, mut line) = (0, 1);
    let mut line_of = |name: &RawValue| {
        let at = (name.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        line += text.get(before..at).map_or(0, |passed| passed.matches('\n').count());
        before = at;
        line
    };
    let mut rows: Vec<(Cow<'_, str>, usize, &RawValue, bool)> = Vec::new();
    let mut places: HashMap<Cow<'_, str>, usize> = HashMap::new();
    for (written, value) in json_entries(table) {
        let (name, line) = (name_of(written), line_of(written));
        let place = *places.entry(name.clone()).or_insert(rows.len());
        match rows.get_mut(place) {
            Some(row) => *row = (name, line, value, true),
            None => rows.push((name, line, value, false)),
        }
    }
    let mut kept = Vec::with_capacity(rows.len());
    let (mut repeats, mut strangers) = (Vec::new(), Vec::new());
    for (name, line, value, is_repeated) in rows.into_iter().filter(|(name, ..)| !is_comment(name)) {
        let (name, at) = (name.into_owned(), Location::line("", line));
        if is_repeated {
            let what = format!("\"{}\" is in `{key}` more than once; the last one counts", shown(&name));
            repeats.push(Problem::warning(what).at(at.clone()));
        }
        if let Ok(command) = serde_json::from_str(value.get()) {
            kept.push(PackageScript { name, command, line: Some(line) });
            continue;
        }
        let kind = if kind(value) == STRING { "one with half a character" } else { kind(value) };
        let what = format!("\"{}\" in `{key}` must be a string, not {kind}", shown(&name));
        let problem = Problem::error(ErrorCode::SourceInvalid, what).at(at).help("write it as one string");
        strangers.push(if key == "scripts" {
            problem.withholding(name)
        } else {
            Problem { severity: Severity::Warning, ..problem }
        });
    }
    bounded(repeats, problems);
    bounded(strangers, problems);
    kept
}

/// The parts of a package.json by which a manager decides what it runs. Bytes that are no JSON are returned
/// whole.
pub(in crate::plugins) fn what_runs(bytes: &[u8]) -> Vec<u8> {
    const PARTS: [&str; 10] = [
        "scripts",
        "config",
        "workspaces",
        "packageManager",
        "devEngines",
        "gypfile",
        "pnpm",
        "trustedDependencies",
        "patchedDependencies",
        "volta",
    ];
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match serde_json::from_slice::<serde_json::Map<String, Value>>(bytes) {
        Ok(mut manifest) => {
            manifest.retain(|key, _| PARTS.contains(&key.as_str()));
            serde_json::to_vec(&manifest).unwrap_or_default()
        }
        Err(_) => bytes.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scripts as `line name = command`, then descriptions, managers and problems.
    fn read(text: &str) -> String {
        match PackageManifest::of(&File::new("/package.json", text.as_bytes()), "package.json") {
            Ok(manifest) => {
                let scripts = manifest.scripts.iter().map(|script| {
                    format!("{} {:?} = {}", script.line.unwrap_or(0), script.name, script.command)
                });
                let mut info: Vec<_> =
                    manifest.descriptions.iter().map(|(n, t)| format!("info {n}: {t}")).collect();
                info.sort();
                let managers = manifest.managers.iter().map(|(key, value)| format!("{key}: {value}"));
                let problems = manifest.problems("package.json");
                let problems = problems.iter().map(|p| format!("{:?}: {p}", p.severity));
                scripts.chain(info).chain(managers).chain(problems).collect::<Vec<_>>().join("\n")
            }
            Err(problem) => problem.to_string(),
        }
    }

    #[test]
    fn scripts_keep_the_order_and_lines_of_the_file() {
        insta::assert_snapshot!(read(
            "\u{feff}{\n \"name\": \"x\",\n \"scripts\": {\n  \"z\": \"1\",\n  \"a\\u0062\": \"2\",\r\n\r\n  \"b\": \"é\\n\"},\n\
             \"packageManager\": \"pnpm@9.1.0\", \"devEngines\": {\"runtime\": [[]], \"packageManager\": {\"name\": \"yarn\"}},\n\
             \"scripts-info\": {\"z\": \"The last\"}}"
        ), @r#"
        4 "z" = 1
        5 "ab" = 2
        7 "b" = é

        info z: The last
        packageManager: pnpm@9.1.0
        devEngines.packageManager: yarn
        "#);
    }

    #[test]
    fn an_odd_entry_removes_only_itself() {
        insta::assert_snapshot!(read(
            r#"{"scripts": {"a": "1", "b": 2, "c": null, "a": "3", "d": {"e": ["f"]}, "g": ["h"], "i": true, "__proto__": "x"},
            "scripts-info": {"a": 1}, "packageManager": {"name": "npm"}, "devEngines": [1]}"#
        ), @r#"
        1 "a" = 3
        1 "__proto__" = x
        Warning: package.json:1: "a" is in `scripts` more than once; the last one counts
        Error: package.json:1: "b" in `scripts` must be a string, not a number
        Error: package.json:1: "c" in `scripts` must be a string, not null
        Error: package.json:1: "d" in `scripts` must be a string, not an object
        Error: package.json:1: "g" in `scripts` must be a string, not a list
        Error: package.json:1: "i" in `scripts` must be a string, not true
        Warning: package.json:2: "a" in `scripts-info` must be a string, not a number
        "#);
        assert_eq!(
            read(r#"{"scripts": {"a": "\ud800", "\u0062": "2"}}"#),
            "1 \"b\" = 2\nError: package.json:1: \"a\" in `scripts` must be a string, not one with half a character"
        );
        assert_eq!(
            read(r#"{"scripts": {"a": "1"}, "scripts": {"b": "2"}, "scripts": {"b": "3"}}"#),
            "1 \"b\" = 3\nWarning: package.json: `scripts` is in the file more than once; the last one counts"
        );
        for (scripts, kind) in [
            ("[]", "a list"),
            ("\"x\"", "a string"),
            ("null", "null"),
            ("1.5", "a number"),
            ("-1", "a number"),
        ] {
            assert_eq!(
                read(&format!(r#"{{"scripts": {scripts}}}"#)),
                format!("Error: package.json: `scripts` must be an object of names and strings, not {kind}")
            );
        }
    }

    #[test]
    fn errors_of_json_have_their_place() {
        for (text, expected) in [
            ("", "package.json:1:1: Invalid JSON in package.json: EOF while parsing a value"),
            (
                "[]",
                "package.json:1:1: Invalid JSON in package.json: the file must hold an object, not a list",
            ),
            (
                "{\n  \"scripts\": {\n    \"a\": \"b\",\n  }\n}",
                "package.json:4:3: Invalid JSON in package.json: trailing comma",
            ),
            ("{} x", "package.json:1:4: Invalid JSON in package.json: trailing characters"),
            ("{\"a\": 1,\n // no\n}", "package.json:2:2: Invalid JSON in package.json: key must be a string"),
        ] {
            assert_eq!(read(text), expected);
        }
        let file = File::new("/package.json", b"{\n\"a\": \"\xff\"}".as_slice());
        let problem = PackageManifest::of(&file, "package.json").unwrap_err();
        assert_eq!(
            problem.to_string(),
            "package.json:2:7: Invalid JSON in package.json: the text is not UTF-8"
        );
    }

    #[test]
    fn a_flood_is_counted_not_listed() {
        let many: Vec<_> = (0..100_000).map(|n| format!("\"s{n}\": 1")).collect();
        let manifest =
            PackageManifest::read(format!("{{\"scripts\": {{{}}}}}", many.join(",")).as_bytes()).unwrap();
        let problems = manifest.problems("p");
        assert_eq!(problems.len(), 21);
        assert_eq!(problems[20].to_string(), "p: 99980 more like the one before");
    }

    #[test]
    fn depth_and_size_of_what_is_skipped_do_not_matter() {
        let deep = "[".repeat(5_000_000) + &"]".repeat(5_000_000);
        assert_eq!(
            read(&format!("{{\"x\": {deep}, \"scripts\": {{\"a\": {deep}, \"b\": \"1\"}}}}")),
            "1 \"b\" = 1\nError: package.json:1: \"a\" in `scripts` must be a string, not a list"
        );
    }
}
