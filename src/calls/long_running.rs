//! Which tools are meant to go on until somebody stops them, and how they say that they are ready.

use serde_json::{Map, Value};

use crate::model::Tool;

/// The parts of names that say so: `dev`, `start:web`, `scripts/watch.sh`.
const NAMES: [&str; 4] = ["dev", "start", "serve", "watch"];
/// Words that servers print once they serve, and watchers once they wait, in lower case.
const READY: [&str; 6] =
    ["ready in ", "ready on ", "listening on", "listening at", "watching for", "waiting for file changes"];
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

/// Whether a line of output says that a server serves, or a watcher waits. The command that a package manager
/// echoes does not count.
pub(crate) fn says_ready(line: &str) -> bool {
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
            assert!(!says_ready(line), "the script's own text: {line}");
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
            assert!(says_ready(line), "{line}");
        }
        for line in [
            "",
            "> next build",
            "learn more: https://nextjs.org/telemetry",
            "npm notice run http://registry.local/",
            "already built in 3 s",
        ] {
            assert!(!says_ready(line), "{line}");
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
