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

use super::{DOCS, NATIVE, PYTHON, SCRIPTS, USAGE, WEB};

/// The findings as they are told of an output, without places in the log.
fn told(output: &str) -> Vec<String> {
    let mut reader = Reader::of(ALL);
    reader.push(Chunk::new(Stream::Out, output.as_bytes()));
    let told = lines(&reader.finish());
    told.iter().map(|line| line.rsplit_once(" [").map_or(&**line, |(line, _)| line).to_owned()).collect()
}

#[test]
fn each_row_reads_its_sample() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/lines");
    let (mut wrong, mut report) = (Vec::new(), String::from("tool, found, missed, invented, source\n"));
    let mut formats = [RUNNERS, PYTHON, WEB, NATIVE, SCRIPTS, DOCS, USAGE].concat();
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

/// A short trigger is looked for byte by byte, and slows the reading of every log.
#[test]
fn triggers_are_long_enough() {
    for format in [RUNNERS, PYTHON, WEB, NATIVE, SCRIPTS, DOCS, USAGE].concat() {
        assert!(format.triggers.iter().all(|trigger| trigger.len() >= 4), "{}", format.id);
    }
}

#[test]
fn expressions_are_understood() {
    for format in [PYTHON, WEB, NATIVE, SCRIPTS, DOCS, USAGE].concat() {
        let reader = format!("{:?}", (format.reader)());
        assert!(!reader.contains("matched: None"), "{}", format.id);
    }
}
