//! A script's description: the first line of the comment that it opens with.

use std::borrow::Cow;

use crate::model::{begins_licence, describes, one_line};

/// The first comment line that says something, or `None`. `name` is the file's own, which says nothing.
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
            return std::iter::once(opened).chain(lines.map(|(_, line)| line)).find_map(inside_docstring)?;
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
        {
            return one_line(said).map(Cow::into_owned);
        }
    }
    None
}

/// Whether a comment that these lines begin with stands directly above code, which it is about then.
fn is_of_code(lines: &[&str]) -> bool {
    let below = lines.iter().find(|line| comment(line).is_none());
    below.is_some_and(|line| !line.is_empty() && !is_preamble(line))
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

/// `None` to read on, `Some(None)` if the docstring ends without any text.
#[expect(clippy::option_option, reason = "three answers of one step of a search")]
fn inside_docstring(line: &str) -> Option<Option<String>> {
    let end = ["\"\"\"", "'''"].iter().filter_map(|quotes| line.find(quotes)).min();
    let said = line[..end.unwrap_or(line.len())].trim();
    match (said.is_empty(), end) {
        (false, _) => Some(one_line(said).map(Cow::into_owned)),
        (true, Some(_)) => Some(None),
        (true, None) => None,
    }
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
