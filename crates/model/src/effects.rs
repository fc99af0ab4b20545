//! The possible effects of a tool, as in MCP's annotations.

use serde_json::Value;

/// The possible effects of a tool.
#[expect(clippy::struct_excessive_bools, reason = "MCP's four annotations, each on its own")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effects {
    /// It changes nothing.
    pub read_only: bool,
    /// It may remove or overwrite.
    pub destructive: bool,
    /// A second call adds nothing to the first.
    pub idempotent: bool,
    /// It may reach beyond this machine.
    pub open_world: bool,
}

impl Effects {
    /// Nothing is known, so everything is possible: a script.
    pub const UNKNOWN: Self =
        Self { read_only: false, destructive: true, idempotent: false, open_world: true };
    /// It only answers.
    pub const NONE: Self = Self { read_only: true, destructive: false, idempotent: true, open_world: false };

    /// The likely effects of a tool of the project by its name: `test:unit` and `lint` remove and overwrite nothing that
    /// a person wrote. That they only read is not certain.
    pub fn named(name: &str) -> Self {
        Self { destructive: !only_checks(name), ..Self::UNKNOWN }
    }

    /// Whether a command line says that it changes something: `eslint --fix`, `rm -rf dist`.
    pub fn changes(text: &str) -> bool {
        let words = text.split(|c: char| c.is_whitespace() || ";&|()'\"".contains(c));
        let updates = |word: &str| word == "-u" || word == "-U";
        text.contains('>') || words.clone().any(updates) || words.flat_map(parts).any(|part| is_change(&part))
    }

    /// The effects that the annotations in a tool's definition declare. A missing hint has MCP's default. A
    /// tool that only reads is neither destructive nor changed by a second call.
    pub fn annotated(definition: &Value) -> Self {
        let hint = |name: &str, default: bool| {
            let hint = definition.get("annotations").and_then(|annotations| annotations.get(name));
            hint.and_then(Value::as_bool).unwrap_or(default)
        };
        let read_only = hint("readOnlyHint", false);
        Self {
            read_only,
            destructive: !read_only && hint("destructiveHint", true),
            idempotent: read_only || hint("idempotentHint", false),
            open_world: hint("openWorldHint", true),
        }
    }
}

/// The words of names of tools that only look.
const CHECKS: &[&str] = &["test", "tests", "lint", "check", "checks", "typecheck", "list"];

/// The words of names and command lines that say that something is changed, sent or undone, and those that join two
/// tasks.
const CHANGES: &[&str] = &[
    "accept",
    "and",
    "apply",
    "approve",
    "autofix",
    "bless",
    "clean",
    "commit",
    "delete",
    "deploy",
    "destroy",
    "down",
    "drop",
    "fix",
    "force",
    "format",
    "fmt",
    "generate",
    "import",
    "init",
    "install",
    "migrate",
    "mv",
    "overwrite",
    "prune",
    "publish",
    "purge",
    "push",
    "record",
    "release",
    "remove",
    "reset",
    "restore",
    "rm",
    "seed",
    "send",
    "sync",
    "then",
    "truncate",
    "uninstall",
    "unlink",
    "unsafe",
    "update",
    "upgrade",
    "upload",
    "wipe",
    "write",
];

/// Whether the words of a name say that a tool only looks: `test:unit`, `check-types`, `scripts/lint.sh`, and neither
/// `lint:fix` nor `check-and-deploy`.
fn only_checks(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or_default();
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let words: Vec<String> = parts(stem).collect();
    let ends = [words.first(), words.last()];
    let checks = ends.iter().flatten().any(|word| CHECKS.contains(&word.as_str()));
    checks && !words.iter().any(|word| is_change(word))
}

fn is_change(word: &str) -> bool {
    let stem = |ending: &str| word.strip_suffix(ending).is_some_and(|stem| CHANGES.contains(&stem));
    CHANGES.contains(&word) || stem("s") || stem("es") || stem("d") || stem("ed")
}

/// The words of a name, in small letters: `test:unit`, `check-types`, `updateSnapshots`.
fn parts(name: &str) -> impl Iterator<Item = String> {
    let mut parts: Vec<String> = Vec::new();
    let mut goes_on = false;
    let mut small = false;
    for c in name.chars() {
        let begins = c.is_uppercase() && small;
        match parts.last_mut() {
            _ if !c.is_alphanumeric() => {}
            Some(last) if goes_on && !begins => last.extend(c.to_lowercase()),
            _ => parts.push(c.to_lowercase().collect()),
        }
        goes_on = c.is_alphanumeric();
        small = c.is_lowercase();
    }
    parts.into_iter()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn annotations_have_the_defaults_of_mcp() {
        let effects = |annotations: Value| Effects::annotated(&json!({ "annotations": annotations }));
        assert_eq!(effects(json!({})), Effects::UNKNOWN);
        assert_eq!(effects(json!({"readOnlyHint": "yes", "destructiveHint": 0})), Effects::UNKNOWN);
        assert_eq!(effects(json!({"readOnlyHint": true, "openWorldHint": false})), Effects::NONE);
        let adds = effects(json!({"destructiveHint": false, "idempotentHint": true}));
        assert_eq!(adds, Effects { destructive: false, idempotent: true, ..Effects::UNKNOWN });
        assert!(!effects(json!({"readOnlyHint": true, "destructiveHint": true})).destructive);
    }

    #[test]
    fn names_of_tools_that_only_look() {
        for name in [
            "test",
            "test:unit",
            "tests",
            "lint",
            "lint:css",
            "check-types",
            "typecheck",
            "type-check",
            "unit_test",
            "list",
            "scripts/lint.sh",
            "testUnit",
            "list_users",
        ] {
            assert!(!Effects::named(name).destructive, "{name}");
        }
        for name in [
            "build",
            "deploy",
            "test:update-snapshots",
            "lint:fix",
            "check-and-deploy",
            "lintFix",
            "list-then-delete",
            "format:check-and-write",
            "scripts/check_reset.sh",
            "latest",
            "checkout",
            "protest",
            "",
            "test-updates",
        ] {
            assert_eq!(Effects::named(name), Effects::UNKNOWN, "{name}");
        }
    }

    #[test]
    fn a_text_that_changes_something_says_so() {
        for text in [
            "eslint . --fix",
            "jest -u",
            "vitest run --update",
            "rm -rf dist && jest",
            "npm run lint:fix",
            "go test > out",
        ] {
            assert!(Effects::changes(text), "{text}");
        }
        for text in
            ["vitest run", "eslint src --max-warnings 0", "tsc --noEmit", "go test ./...", "pytest -q"]
        {
            assert!(!Effects::changes(text), "{text}");
        }
    }
}
