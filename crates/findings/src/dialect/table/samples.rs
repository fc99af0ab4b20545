//! Compares the findings in a sample of each row's format with those that stand above it.
//!
//! A sample begins with its source, `from: `, and the findings that a person reads in it, `is: error a.py:3:5 CODE message`;
//! the output of a failing run follows behind `---`, and that of a passing run behind `--- pass`, in which nothing but a count
//! of tests may be found.

#![expect(clippy::disallowed_methods, reason = "a test reads its own samples")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::diagnostics::Reader;
use crate::dialect::runners::RUNNERS;
use crate::dialect::trial::lines;
use crate::dialect::{ALL, Format};
use crate::model::{Chunk, Stream};

use super::{DOCS, LANGUAGES, NATIVE, PYTHON, SCRIPTS, SETTINGS, SUITES, SYSTEM, USAGE, WEB};

/// The findings as they are told of an output, without places in the log.
fn told(output: &str) -> Vec<String> {
    let mut reader = Reader::of(&ALL);
    reader.push(Chunk::new(Stream::Out, output.as_bytes()));
    let told = lines(&reader.finish());
    told.iter().map(|line| line.rsplit_once(" [").map_or(&**line, |(line, _)| line).to_owned()).collect()
}

#[test]
fn each_row_reads_its_sample() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/lines");
    let (mut wrong, mut report) = (Vec::new(), String::from("tool, found, missed, invented, source\n"));
    let mut formats =
        [RUNNERS, SUITES, PYTHON, WEB, NATIVE, SCRIPTS, LANGUAGES, DOCS, SETTINGS, USAGE, SYSTEM].concat();
    formats.dedup_by_key(|format| format.id);
    for Format { id: name, .. } in formats {
        let Ok(sample) = fs::read_to_string(root.join(format!("{name}.txt"))) else {
            wrong.push(format!("{name} has no sample"));
            continue;
        };
        let (head, output) = sample.split_once("---\n").unwrap_or((&sample, ""));
        let (failing, passing) = output.split_once("--- pass\n").unwrap_or((output, ""));
        let expected: Vec<&str> = head.lines().filter_map(|line| line.strip_prefix("is: ")).collect();
        let source = head.lines().find_map(|line| line.strip_prefix("from: ")).unwrap_or_default();
        let found = told(failing);
        let missed: Vec<&&str> =
            expected.iter().filter(|is| !found.iter().any(|found| found.starts_with(**is))).collect();
        let mut invented: Vec<&String> =
            found.iter().filter(|found| !expected.iter().any(|is| found.starts_with(is))).collect();
        let passed = told(passing);
        invented.extend(passed.iter().filter(|found| !found.contains(" passed, 0 failed, ")));
        let right = expected.len() - missed.len();
        let _ = writeln!(report, "{name}, {right}, {}, {}, {source}", missed.len(), invented.len());
        if !missed.is_empty() || !invented.is_empty() || expected.is_empty() || source.is_empty() {
            wrong.push(format!("{name}: missed {missed:#?}, invented {invented:#?}"));
        }
    }
    println!("{report}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The text with this file in a folder with a blank in its name.
fn in_folder(text: &str, file: &str) -> String {
    let folders = ["/", "./"].map(|root| (root, file.strip_prefix(root)));
    let (root, rest) = folders.into_iter().find_map(|(root, rest)| Some((root, rest?))).unwrap_or(("", file));
    let in_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.');
    let mut moved = String::new();
    let mut from = 0;
    for (at, _) in text.match_indices(file) {
        let before =
            ["./", "file://"].iter().find_map(|begin| text[..at].strip_suffix(begin)).unwrap_or(&text[..at]);
        let behind = text[at + file.len()..].trim_start_matches('.');
        if !before.ends_with(in_name) && !behind.starts_with(in_name) {
            moved.push_str(&text[from..at]);
            moved.extend([root, "my app/", rest]);
            from = at + file.len();
        }
    }
    moved + &text[from..]
}

/// Samples in which a text that looks like a file's name is another word, is made of a package's name, or is escaped.
const OTHER_NAMES: [&str; 7] =
    ["github", "gradle_test", "import_linter", "publint", "scalatest", "sphinx", "systemd"];

#[test]
fn each_row_reads_names_with_blanks() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/lines");
    let mut formats =
        [RUNNERS, SUITES, PYTHON, WEB, NATIVE, SCRIPTS, LANGUAGES, DOCS, SETTINGS, USAGE, SYSTEM].concat();
    formats.dedup_by_key(|format| format.id);
    formats.retain(|format| !OTHER_NAMES.contains(&format.id));
    let color = regex::Regex::new("\x1b\\[[\\d;]*m").unwrap();
    let place = regex::Regex::new(r"^is: (?:error|warning|info) (\S*?\.[A-Za-z]\w*)(?::\d+)* ").unwrap();
    let mut wrong = Vec::new();
    for Format { id: name, .. } in formats {
        let sample = fs::read_to_string(root.join(format!("{name}.txt"))).unwrap();
        let mut sample = color.replace_all(&sample, "").into_owned();
        let mut files: Vec<String> =
            sample.lines().filter_map(|line| Some(place.captures(line)?[1].to_owned())).collect();
        files.sort();
        files.dedup();
        for file in files {
            sample = in_folder(&sample, &file);
        }
        let (head, output) = sample.split_once("---\n").unwrap();
        let found = told(output.split_once("--- pass\n").map_or(output, |(failing, _)| failing));
        let is_missed = |is: &&str| !found.iter().any(|found| found.starts_with(*is));
        let missed: Vec<&str> =
            head.lines().filter_map(|line| line.strip_prefix("is: ")).filter(is_missed).collect();
        if !missed.is_empty() {
            wrong.push(format!("{name}: missed {missed:#?}, found {found:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}: {}", wrong.len(), wrong.join("\n"));
}

/// A short trigger is looked for byte by byte, and slows the reading of every log.
#[test]
fn triggers_are_long_enough() {
    for format in
        [RUNNERS, SUITES, PYTHON, WEB, NATIVE, SCRIPTS, LANGUAGES, DOCS, SETTINGS, USAGE, SYSTEM].concat()
    {
        assert!(format.triggers.iter().all(|trigger| trigger.len() >= 4), "{}", format.id);
    }
}

#[test]
fn expressions_are_understood() {
    for format in [SUITES, PYTHON, WEB, NATIVE, SCRIPTS, LANGUAGES, DOCS, SETTINGS, USAGE, SYSTEM].concat() {
        let reader = format!("{:?}", (format.reader)());
        assert!(!reader.contains("patterns: []"), "{}", format.id);
    }
}
