//! A script's description: the first sentence of the comment that it opens with.

use std::borrow::Cow;

use crate::model::{begins_licence, describes, one_line};

/// The width from which on a line may be broken before its sentence ends, in characters.
const WIDE: usize = 50;

/// The longest text that lines are joined to, in bytes.
const LONGEST: usize = 1000;

/// Lines of code, and the words of a comment that tells of such a line alone.
const OF_THE_NEXT_LINE: [(&str, &str); 2] = [
    ("set -", "error errors fail fails failure strict exit exits abort unset undefined unbound trace"),
    ("cd ", "directory dir root folder cd cwd"),
];

/// The first sentence of the comment that says something, or `None`. `name` is the file's own, which says nothing.
pub(super) fn of(head: &[u8], name: &str) -> Option<String> {
    let text = String::from_utf8_lossy(head);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut licence = false;
    let mut metadata = false;
    // A comment at the top is of the file; one behind an empty line or code, and directly above code, is of that code.
    let mut is_top = true;
    let all: Vec<&str> = text.lines().map(str::trim).collect();
    let mut lines = all.iter().copied().enumerate();
    while let Some((at, line)) = lines.next() {
        if line.is_empty() || is_preamble(line) || (at == 0 && line.starts_with("#!")) {
            licence = false;
            is_top = at == 0;
            continue;
        }
        if let Some(opened) = docstring(line) {
            let rest = lines.map(|(_, line)| line);
            let mut inside = std::iter::once(opened).chain(rest).skip_while(|line| line.is_empty());
            let (first, is_last) = inside_docstring(inside.next()?);
            let more = inside.map_while(|line| match inside_docstring(line) {
                (said, false) => Some(said),
                _ => None,
            });
            return sentence(first, more.take(if is_last { 0 } else { usize::MAX }));
        }
        let comment = comment(line)?;
        let said = undecorated(comment);
        // The block of inline script metadata that Python tools read.
        if said.starts_with("/// ") || (metadata && said == "///") {
            metadata = said != "///";
            continue;
        }
        licence |= begins_licence(comment);
        if describes(comment)
            && (said == comment || describes(said))
            && said != name
            && !licence
            && !metadata
            && (is_top || !is_of_code(&all[at..]))
            && !tells_of_the_next_line(said, &all[at..])
        {
            let more = all[at + 1..].iter().copied().map_while(self::comment);
            return sentence(said, more.take_while(|line| describes(line) && undecorated(line) == *line));
        }
    }
    None
}

/// Whether a comment that these lines begin with stands directly above code, which it is about then.
fn is_of_code(lines: &[&str]) -> bool {
    let below = lines.iter().find(|line| comment(line).is_none());
    below.is_some_and(|line| !line.is_empty() && !is_preamble(line))
}

/// Whether a comment that these lines begin with tells of the line of code directly below it, and not of the script.
fn tells_of_the_next_line(said: &str, lines: &[&str]) -> bool {
    let below = lines.iter().find(|line| comment(line).is_none()).copied().unwrap_or_default();
    let is_in = |words: &str| {
        let mut said = said.split(|c: char| !c.is_alphanumeric());
        said.any(|own| words.split(' ').any(|word| own.eq_ignore_ascii_case(word)))
    };
    OF_THE_NEXT_LINE.iter().any(|(code, words)| below.starts_with(code) && is_in(words))
}

/// A sentence from its first line on, with the lines that it goes on in.
fn sentence<'t>(first: &'t str, more: impl Iterator<Item = &'t str>) -> Option<String> {
    let (mut text, mut last) = (first.to_owned(), first);
    for line in more {
        let is_wide = last.chars().count() >= WIDE;
        let begins = |c: char| c.is_lowercase() || is_wide && (c.is_numeric() || "`\"'(".contains(c));
        // A line of usage begins with the name of the program.
        let is_usage =
            line.starts_with("usage") || line.contains([' ', '/']) && first_word(line) == first_word(first);
        let is_over = last.ends_with(['.', ':', '!', '?']) || text.len() > LONGEST;
        if is_over || is_usage || !line.starts_with(begins) {
            break;
        }
        text.extend([" ", line]);
        last = line;
    }
    let is_end = |at: &usize| {
        let word = text[..*at].rsplit(' ').next().unwrap_or_default();
        word.len() > 2 && !word.contains('.') && text[at + 2..].starts_with(char::is_uppercase)
    };
    if text.len() > first.len()
        && let Some(end) = text.match_indices(". ").map(|(at, _)| at).find(is_end)
    {
        text.truncate(end + 1);
    }
    one_line(&text).map(Cow::into_owned)
}

fn first_word(line: &str) -> Option<&str> {
    line.split_whitespace().next()
}

/// Lines of code that stand before the first comment often enough.
fn is_preamble(line: &str) -> bool {
    let line = line.trim_end_matches(';');
    line == "<?php"
        || line == "set"
        || line.starts_with("set -")
        || line == "\"use strict\""
        || line == "'use strict'"
}

/// The text of a comment line; `None` for a line of code.
fn comment(line: &str) -> Option<&str> {
    let said = match line.strip_prefix('#') {
        Some(rest) => rest.trim_start_matches('#'),
        None => match line.strip_prefix("//") {
            Some(rest) => rest.trim_start_matches('/'),
            None => line.strip_prefix("--")?.trim_start_matches('-'),
        },
    };
    Some(said.trim())
}

/// `=== Build ===` says `Build`.
fn undecorated(said: &str) -> &str {
    let edge = ['=', '-', '*', '#', '~', '+'];
    match said.chars().next() {
        Some(first) if edge.contains(&first) && said.len() > 1 && said.ends_with(first) => {
            said.trim_matches(first).trim()
        }
        _ => said.trim_end_matches([' ', '#']),
    }
}

/// The text behind the quotes that open a Python docstring on this line.
fn docstring(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(['r', 'R', 'u', 'U']);
    line.strip_prefix("\"\"\"").or_else(|| line.strip_prefix("'''"))
}

/// The text of a line in a docstring, and whether it is the last.
fn inside_docstring(line: &str) -> (&str, bool) {
    let end = ["\"\"\"", "'''"].iter().filter_map(|quotes| line.find(quotes)).min();
    (line[..end.unwrap_or(line.len())].trim(), end.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_says_something() {
        for (head, expected) in [
            (
                "#!/bin/bash\n# Deploy the application to production\n#\n# This script\n\nset -e",
                "Deploy the application to production",
            ),
            ("#!/bin/sh\n\n\n#\n#   Build it  \n", "Build it"),
            ("# No shebang", "No shebang"),
            ("#!/bin/sh\r\n# With CRLF\r\n", "With CRLF"),
            ("\u{feff}# After a mark\n", "After a mark"),
            ("#!/bin/bash\nset -euo pipefail\n\n# After set\n", "After set"),
            ("#!/bin/sh\n############\n# === Build ===\n", "Build"),
            ("#!/bin/sh\n#-----\n# Build # \n", "Build"),
            ("# --dry-run shows what would be done\n", "--dry-run shows what would be done"),
            (
                "#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n# vim: ts=4\n# SPDX-License-Identifier: MIT\n# Copyright (c) 2024 X\n# Migrate\n",
                "Migrate",
            ),
            ("#!/bin/sh\n# shellcheck disable=SC2086\n# deploy.sh\n# Ship it\n", "Ship it"),
            (
                "#!/bin/sh\n# Licensed under the Apache License, Version 2.0;\n# you may not use this\n#\n# Unless required by law\n\n# Real\n",
                "Real",
            ),
            (
                "#!/usr/bin/env -S uv run\n# /// script\n# dependencies = [\"x\"]\n# ///\n\"\"\"Fetch data.\"\"\"\n",
                "Fetch data.",
            ),
            ("\"\"\"Doc line\n\nmore\n\"\"\"\n", "Doc line"),
            ("#!/usr/bin/env python3\nr'''\n\n   Second line\n'''\n", "Second line"),
            ("'use strict';\n// Bundle the site\n", "Bundle the site"),
            ("/// Triple\n", "Triple"),
            ("<?php\n// Clear caches\n", "Clear caches"),
            ("-- Seed the database\nselect 1;", "Seed the database"),
            ("# tab\tand\x1b[31m colour\x07 \u{202e}back\n", "tab and[31m colour back"),
            ("# 日本語の説明\n", "日本語の説明"),
            ("#!/bin/sh\n# Top of all\necho\n", "Top of all"),
            ("#!/bin/sh\n\n# The header\n\nset -e\necho\n", "The header"),
            (
                "#!/bin/sh\n# Fetch the tide tables of all stations that are\n# open today, and write them to data/. Needs curl.\n# See docs.\n",
                "Fetch the tide tables of all stations that are open today, and write them to data/.",
            ),
            ("#!/bin/sh\n# Ship it\n# Author: somebody\n", "Ship it"),
            ("#!/bin/sh\n# bin/test <file>\n# bin/test [ruby|jruby]\n", "bin/test <file>"),
            ("#!/bin/sh\n# Vendor the types\n# usage: bin/vendor\n", "Vendor the types"),
            ("#!/bin/sh\n# Steps:\n# build it\n", "Steps:"),
            ("\"\"\"\nServe the almanac\non a port.\n\nMore.\n\"\"\"\n", "Serve the almanac on a port."),
            ("#!/bin/bash\n# Exit in case of error\nset -e\n\n# Build the site\n\nx=1\n", "Build the site"),
            (
                "#!/bin/sh\n# This file is licensed under the GPL v2\n# or later\n\n# Ask for a pull\n\nx=1\n",
                "Ask for a pull",
            ),
        ] {
            assert_eq!(of(head.as_bytes(), "deploy.sh").as_deref(), Some(expected), "{head:?}");
        }
    }

    #[test]
    fn nothing_said() {
        for head in [
            "",
            "#!/bin/sh",
            "#!/bin/sh\necho hi\n# later\n",
            "#\n#\n####\n",
            "\"\"\"\"\"\"\n# after\n",
            "import os\n\"\"\"no docstring\"\"\"\n",
            "# Licensed under X\n# and more\n",
            "/* block */\n",
            "# \u{1}\n",
            "#!/usr/bin/env ruby\n\n# Prevent failures from being reported twice.\nThread.x = false\n",
            "#!/bin/sh\nset -e\n\n# Go to the root\ncd ..\n",
            "#!/bin/sh\n# Exit in case of error\nset -e\nmake\n",
            "#!/bin/sh\n# Change to the project's root\ncd \"$(dirname \"$0\")\"\n",
            "#!/bin/sh\n# http://redsymbol.net/strict-mode/\nset -e\n",
            "#!/bin/sh\n# export PATH=/x &&\necho\n",
        ] {
            assert_eq!(of(head.as_bytes(), "x"), None, "{head:?}");
        }
    }

    #[test]
    fn long_and_broken_text_stays_short_and_whole() {
        let said = of(format!("# {}\n", "wörd ".repeat(4_000)).as_bytes(), "x").unwrap();
        assert!(said.chars().count() <= 200 && said.ends_with('…'), "{said}");
        assert_eq!(of(b"# caf\xff\n", "x").as_deref(), Some("caf\u{fffd}"));
    }
}
