//! Which tools are meant to go on until somebody stops them, and how they say that they are ready.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde_json::{Map, Value};

use crate::model::Tool;

/// The parts of names that say so: `dev`, `start:web`, `scripts/watch.sh`.
const NAMES: [&str; 4] = ["dev", "start", "serve", "watch"];
/// Words that servers print once they serve, and watchers once they wait, in lower case.
const READY: [&str; 6] =
    ["ready in ", "ready on ", "listening on", "listening at", "watching for", "waiting for file changes"];
/// One of these is in each line that says so, in lower case, and in few others.
const RARE: [&str; 5] = ["http", "ready ", "stening ", "tching f", "ting for f"];
/// How an address of this machine begins.
const HERE: [&str; 5] = ["localhost", "127.0.0.1", "0.0.0.0", "[::1]", "[::]"];

/// Whether a tool is meant to go on: its name says so, or a `--watch` in its text or in the call.
pub fn is_long_running(tool: &Tool, arguments: &Map<String, Value>) -> bool {
    let name = if tool.original.is_empty() { &tool.name } else { &tool.original };
    let named = name.split(|c: char| !c.is_ascii_alphanumeric()).any(|part| NAMES.contains(&part));
    named || tool.text.as_deref().is_some_and(watches) || arguments.values().any(asks_to_watch)
}

fn watches(text: &str) -> bool {
    text.split_whitespace().any(|word| matches!(word.trim_matches(['"', '\'']), "--watch" | "--watchAll"))
}

fn asks_to_watch(value: &Value) -> bool {
    match value {
        Value::String(text) => watches(text),
        Value::Array(items) => items.iter().any(asks_to_watch),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => false,
    }
}

/// Marks that package managers put before the text of the script that they run.
const ECHOED: [&str; 2] = ["> ", "$ "];

/// Whether a line of this text says that a server serves, or a watcher waits. The command that a package manager
/// echoes does not count.
pub(crate) fn says_ready(text: &[u8]) -> bool {
    static RARELY: LazyLock<Vec<Finder<'static>>> = LazyLock::new(|| {
        let cases = RARE.iter().flat_map(|word| [word.to_string(), word.to_uppercase(), capital(word)]);
        let mut words: Vec<String> = cases.collect();
        words.dedup();
        words.iter().map(|word| Finder::new(word).into_owned()).collect()
    });
    RARELY.iter().any(|word| word.find(text).is_some())
        && text
            .split(|byte| matches!(byte, b'\n' | b'\r'))
            .any(|line| line_says_ready(&String::from_utf8_lossy(line)))
}

/// The word with its first letter in upper case.
fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_uppercase() + rest
}

fn line_says_ready(line: &str) -> bool {
    let line = line.trim();
    if ECHOED.iter().any(|mark| line.starts_with(mark)) {
        return false;
    }
    let line = line.to_ascii_lowercase();
    let serves = |scheme: &str| {
        line.split(scheme).skip(1).any(|address| HERE.iter().any(|here| address.starts_with(here)))
    };
    READY.iter().any(|words| line.contains(words)) || serves("http://") || serves("https://")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ready_lines_of_servers_and_watchers_are_recognised() {
        for line in
            ["> node -e \"console.log('listening on http://localhost:1')\"", "$ vite # http://localhost:5173"]
        {
            assert!(!says_ready(line.as_bytes()), "the script's own text: {line}");
        }
        for line in [
            "  VITE v7.1.0  ready in 312 ms",
            "  ➜  Local:   http://localhost:5173/",
            " ✓ Ready in 1123ms",
            "Server listening on port 3000",
            "Available on: https://127.0.0.1:8080",
            "Serving HTTP on 0.0.0.0 port 8000 (http://0.0.0.0:8000/) ...",
            "10:00:00 AM - Found 0 errors. Watching for file changes.",
        ] {
            assert!(says_ready(line.as_bytes()), "{line}");
        }
        assert!(says_ready(b"> vite\n\n  LISTENING ON port 3000\n"), "one of several lines");
        for line in [
            "",
            "> next build",
            "learn more: https://nextjs.org/telemetry",
            "npm notice run http://registry.local/",
            "already built in 3 s",
        ] {
            assert!(!says_ready(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn a_flag_counts_as_a_word_of_its_own() {
        for (text, expected) in [
            ("tsc -p . --watch", true),
            ("vitest '--watch'", true),
            ("vitest --watch=false", false),
            ("jest --watchman", false),
            ("node build.js", false),
        ] {
            assert_eq!(watches(text), expected, "{text}");
        }
        assert!(asks_to_watch(&Value::from(vec!["-p", "--watch"])));
    }
}
