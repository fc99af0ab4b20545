//! Stack frames of JavaScript: `at name (file:line:column)`, `❯ name file:line:column`, and which are the user's own.

use super::place;
use crate::model::Location;

/// A line of a stack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Frame {
    /// A place in the user's own files.
    Own(Location),
    /// Something else: a library, the runtime, or no file at all.
    Foreign,
}

impl Frame {
    /// The place, where it is the user's own.
    pub(super) fn own(self) -> Option<Location> {
        match self {
            Self::Own(place) => Some(place),
            Self::Foreign => None,
        }
    }
}

/// `at name (file:line:column)`, `at async file:line:column`, `at Array.map (<anonymous>) {`: all of a line but its
/// indent.
pub(super) fn at(text: &str) -> Option<Frame> {
    bare(text.trim().strip_prefix("at ")?)
}

/// The same without its `at`.
pub(super) fn bare(text: &str) -> Option<Frame> {
    let text = text.trim();
    // A frame may end with ` {`, before the error's other fields, or with `,`, before the next of several
    // errors.
    let text = text.strip_suffix(" {").or_else(|| text.strip_suffix(',')).unwrap_or(text);
    let Some(inner) = text.strip_suffix(')') else {
        return located(text.strip_prefix("async ").unwrap_or(text));
    };
    let inner = inner.split_once(" (").map(|(_, inner)| inner).or_else(|| inner.strip_prefix('('))?;
    if inner == "native" || inner == "unknown" || inner.starts_with('<') || inner.starts_with("index ") {
        return Some(Frame::Foreign);
    }
    located(inner)
}

/// `❯ name file:line:column` or `❯ file:line:column`, as vitest writes it. Names of functions and of files may both hold
/// blanks; a file that is `known` is never taken for a function.
pub(super) fn marked(text: &str, known: &str) -> Option<Frame> {
    let text = text.trim().strip_prefix('❯')?.trim_start();
    if !known.is_empty() && text.strip_prefix(known).is_some_and(|rest| rest.starts_with(':')) {
        return located(text);
    }
    let mut rest = text;
    for word in ["async ", "new ", "get ", "set "] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    let named = rest.split_once(' ').filter(|(name, _)| is_name(name));
    let rest = named.map_or(rest, |(_, rest)| rest);
    // `Object.name [as other] file:line:column`
    let rest =
        rest.strip_prefix("[as ").and_then(|rest| rest.split_once("] ")).map_or(rest, |(_, rest)| rest);
    located(rest)
}

/// Whether a file is the user's own: no library, no part of a runtime.
pub(super) fn is_own(file: &str) -> bool {
    const NOT: [&str; 8] = ["node:", "bun:", "ext:", "native:", "internal/", "[", "<", "eval at "];
    // Nearly every file is own: the folders of the others alone are looked at one by one.
    let library = |name: &str| file.contains(name) && file.split(['/', '\\']).any(|part| part == name);
    !library("node_modules")
        && !library(".pnp.cjs")
        && !NOT.iter().any(|not| file.starts_with(not))
        && !file.contains("://")
        && !file.ends_with('>')
}

/// All of a text is a place.
fn located(text: &str) -> Option<Frame> {
    // Source maps of webpack name files from the folder of its settings: `webpack://project/./src/a.ts`.
    let bundled = text.strip_prefix("webpack://").and_then(|text| text.split_once("/./"));
    let text = bundled.map_or(text, |(_, file)| file);
    let found = place::whole(text)?;
    // `at 12:30:01`
    found.column.filter(|_| !found.file.bytes().all(|byte| byte.is_ascii_digit()))?;
    let name = found.file.split_once('?').map_or(found.file.as_str(), |(name, _)| name);
    let file = if text.starts_with("file://") { path(name) } else { name.to_owned() };
    Some(if is_own(&file) { Frame::Own(Location { file, ..found }) } else { Frame::Foreign })
}

/// The path of a URL of a file, as a person writes it: `/C:/a%20b` is `C:/a b`.
pub(super) fn path(url: &str) -> String {
    let path = unescaped(url.strip_prefix("file://").unwrap_or(url));
    match path.strip_prefix('/').filter(|rest| rest.as_bytes().get(1) == Some(&b':')) {
        Some(rest) => rest.to_owned(),
        None => path,
    }
}

/// Whether a word can be a function's name.
fn is_name(word: &str) -> bool {
    let in_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '<' | '>' | '#');
    !word.is_empty() && word.chars().all(in_name)
}

/// `%20` is a blank.
pub(super) fn unescaped(url: &str) -> String {
    if !url.contains('%') {
        return url.to_owned();
    }
    let mut bytes = Vec::with_capacity(url.len());
    let mut rest = url.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let escaped = digits.filter(|_| first == b'%').and_then(|two| u8::from_str_radix(two, 16).ok());
        bytes.push(escaped.unwrap_or(first));
        rest = if escaped.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| url.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(frame: Option<Frame>) -> String {
        match frame {
            None => "none".into(),
            Some(Frame::Foreign) => "foreign".into(),
            Some(Frame::Own(place)) => place.to_string(),
        }
    }

    #[test]
    fn frames_with_at() {
        for (text, expected) in [
            ("    at Object.<anonymous> (/a b/c.js:2:16)", "/a b/c.js:2:16"),
            ("at async Promise.all (index 0)", "foreign"),
            ("at Array.map (<anonymous>) {", "foreign"),
            ("at a (/a/c.js:2:16),", "/a/c.js:2:16"),
            ("at node:internal/main/run_main_module:28:49 {", "foreign"),
            ("at main (/a (b)/c.js:2:16) {", "/a (b)/c.js:2:16"),
            ("at /a b/c.js:2:16", "/a b/c.js:2:16"),
            ("at async file:///a%20b/c.mjs:2:16", "/a b/c.mjs:2:16"),
            ("at file:///C:/a/c.mjs?x=1:2:16", "C:/a/c.mjs:2:16"),
            (r"at f (C:\a\c.js:2:16)", r"C:\a\c.js:2:16"),
            (r"at f (C:\a\node_modules\c.js:2:16)", "foreign"),
            ("at Parser.raise [as unexpected] (node_modules/a/b.ts:1:2)", "foreign"),
            ("at Object.f (my_node_modules/b.ts:1:2)", "my_node_modules/b.ts:1:2"),
            ("at eval (eval at f (/a/c.js:2:16), <anonymous>:1:1)", "foreign"),
            ("at new Promise (<anonymous>)", "foreign"),
            ("at Context.eval (webpack://app/./cypress/a.cy.js:5:10)", "cypress/a.cy.js:5:10"),
            ("at f (webpack:///./node_modules/a.js:5:10)", "foreign"),
            ("at f (http://localhost:8080/a.js:5:10)", "foreign"),
            ("at 100%:1:2", "100%:1:2"),
            ("at least 3:4", "none"),
            ("at the end", "none"),
            ("at 12:30:01", "none"),
            ("at the end (of it)", "none"),
            ("at )", "none"),
            ("at", "none"),
            ("look at f (/a/c.js:2:16)", "none"),
        ] {
            assert_eq!(render(at(text)), expected, "{text}");
        }
    }

    #[test]
    fn frames_with_a_mark() {
        for (text, expected) in [
            (" ❯ two words/log book.test.ts:4:17", "two words/log book.test.ts:4:17"),
            (" ❯ strict tide.ts:3:9", "tide.ts:3:9"),
            (" ❯ new Tide src/tide.ts:3:9", "src/tide.ts:3:9"),
            (" ❯ Object.a [as b] src/tide.ts:3:9", "src/tide.ts:3:9"),
            (" ❯ a.<computed> node_modules/b c.js:886:9", "foreign"),
            (" ❯ processTicks node:internal/process/task_queues:95:5", "foreign"),
            (" ❯ tide.test.ts (7 tests | 4 failed) 91ms", "none"),
            (" ❯ in spring (2)", "none"),
            (" tide.ts:3:9", "none"),
        ] {
            assert_eq!(render(marked(text, "two words/log book.test.ts")), expected, "{text}");
        }
    }

    #[test]
    fn broken_escapes_stay() {
        for (url, expected) in [
            ("file:///a%2", "/a%2"),
            ("file:///a%zz", "/a%zz"),
            ("file:///a%ff", "/a%ff"),
            ("/a%20b", "/a b"),
        ] {
            assert_eq!(path(url), expected);
        }
    }
}
