//! Whether a line of a comment describes something to people.

/// Begins a comment line that is for a program, or says nothing of what follows.
const DIRECTIVES: &[&str] = &[
    "-*-",
    "vim:",
    "vi:",
    "ex:",
    "coding:",
    "coding=",
    "eslint-",
    "eslint ",
    "shellcheck",
    "spdx-",
    "copyright",
    "(c)",
    "©",
    "author",
    "license:",
    "licence:",
    "pylint:",
    "flake8:",
    "ruff:",
    "mypy:",
    "pyright:",
    "type:",
    "noqa",
    "@ts-",
    "prettier-",
    "jshint",
    "jslint",
    "tslint:",
    "biome-",
    "frozen_string_literal:",
    "rubocop:",
    "checkmake",
    "global ",
    "istanbul ",
    "usage: #!",
    "http://",
    "https://",
    "todo",
    "fixme",
    "xxx",
];

/// A licence, which goes on to the end of the comment, begins so or has these words.
const LICENCES: &[&str] = &[
    "permission is hereby granted",
    "redistribution and use",
    "use of this source code",
    "this program is free software",
    "this file is part of",
    "mit license",
    "apache license",
    "the mit license",
    "bsd ",
    "gnu ",
];

/// These words are of a licence wherever they stand in a line.
const OF_LICENCES: &[&str] =
    &["licensed under", "is licensed", "-licensed", "all rights reserved", "gnu general public license"];

/// Whether a line of a comment begins a licence.
pub fn begins_licence(line: &str) -> bool {
    is_licence(&line.to_lowercase())
}

fn is_licence(lower: &str) -> bool {
    begins_with(lower, LICENCES) || OF_LICENCES.iter().any(|words| lower.contains(words))
}

/// Whether a line of a comment describes something to people: no directive of a program, no licence, no code, no ruler and
/// no heading of a list.
pub fn describes(line: &str) -> bool {
    let line = line.trim();
    let lower = line.to_lowercase();
    line.chars().any(char::is_alphanumeric)
        && !begins_with(&lower, DIRECTIVES)
        && !is_licence(&lower)
        && !is_code(line)
        && !["usage:", "example:", "examples:", "note:", "options:"].contains(&lower.as_str())
}

/// Whether a text begins with one of these.
fn begins_with(text: &str, starts: &[&str]) -> bool {
    starts.iter().any(|start| text.starts_with(start))
}

/// Whether a line looks like code that somebody turned into a comment.
fn is_code(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    let assigns = first.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    });
    let is_variable = first.starts_with("$(") || first.starts_with("${") || first.starts_with("@$");
    let ends = [";", "{", "}", "\\", "&&", "||", ");", "; then", "; do"];
    assigns
        || is_variable
        || ends.iter().any(|end| line.ends_with(end))
        || ["fi", "done", "esac", "endif"].contains(&line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_directives_and_code_describe_nothing() {
        for line in [
            "",
            "-----",
            "shellcheck disable=SC2086",
            "eslint-disable-next-line",
            "SPDX-License-Identifier: MIT",
            "Copyright 2018 The Authors",
            "This file is licensed under the GPL v2, or a later version",
            "The install script is based off of the MIT-licensed script from",
            "Licensed under the Apache License, Version 2.0 (the \"License\");",
            "All rights reserved.",
            "http://redsymbol.net/articles/strict-mode/",
            "FLAGS=-x make all",
            "$(MAKE) -C src all",
            "if [ -z \"$x\" ]; then",
            "cd src && \\",
            "done",
            "Usage:",
            "TODO: rename",
        ] {
            assert!(!describes(line), "{line}");
        }
        for line in [
            "Build it",
            "Run tests; set FLAGS=-x for more",
            "Usage: Run 'tools/diff.sh A B' from the root",
            "Check the license of each file",
            "Deploy {staging, production}.",
            "日本語の説明",
        ] {
            assert!(describes(line), "{line}");
        }
    }
}
