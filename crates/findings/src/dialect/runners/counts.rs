//! The counts of a runner, in one line or several.

use regex::{Captures, Regex};

use super::shape::Shape;
use crate::model::TestSummary;

/// Puts together the counts of one stream.
#[derive(Debug, Default)]
pub(super) struct RunnerCounts {
    /// The numbers of a count that has begun: which of the runner's ways it is, and how many lines of it were read.
    begun: Option<(usize, usize, Numbers)>,
    /// The results of single tests since the last count.
    results: TestSummary,
    /// The largest count, of a runner that counts suites as well.
    largest: Option<TestSummary>,
}

/// The numbers that were read.
#[derive(Debug, Default, Clone, Copy)]
struct Numbers {
    total: Option<u64>,
    run: Option<u64>,
    passed: Option<u64>,
    failed: u64,
    skipped: u64,
    broken: u64,
}

impl RunnerCounts {
    /// Counts the test whose result a line is.
    pub(super) fn result(&mut self, shape: &Shape, text: &str) {
        let Some(groups) = shape.result.as_ref().and_then(|result| result.captures(text)) else { return };
        let results = &mut self.results;
        for (name, count) in [
            ("passed", &mut results.passed),
            ("failed", &mut results.failed),
            ("skipped", &mut results.skipped),
        ] {
            if groups.name(name).is_some() {
                *count = count.saturating_add(1);
                results.total = results.total.saturating_add(1);
            }
        }
    }

    /// Whether a line is one of a count, and the count where it is complete.
    pub(super) fn read(&mut self, shape: &Shape, text: &str) -> (bool, Option<TestSummary>) {
        let begun = self.begun.take();
        let next = begun.and_then(|(way, read, numbers)| {
            let lines = shape.counts.get(way)?;
            Some((way, read, lines.get(read)?.captures(text)?, numbers))
        });
        let first = |(way, lines): (usize, &Vec<Regex>)| {
            Some((way, 0, lines.first()?.captures(text)?, Numbers::default()))
        };
        let Some((way, read, groups, mut numbers)) =
            next.or_else(|| shape.counts.iter().enumerate().find_map(first))
        else {
            return (false, None);
        };
        numbers.add(&groups);
        if read + 1 < shape.counts[way].len() {
            self.begun = Some((way, read + 1, numbers));
            return (true, None);
        }
        let results = std::mem::take(&mut self.results);
        let summary = match shape.result {
            Some(_) => Some(results).filter(|results| results.total > 0),
            None => numbers.summary(),
        };
        if !shape.runner.is_nested {
            return (true, summary);
        }
        let larger = |summary: &TestSummary| self.largest.is_none_or(|largest| largest.total < summary.total);
        self.largest = summary.filter(larger).or(self.largest);
        (true, None)
    }

    /// Whether the next line may belong to a count.
    pub(super) fn is_open(&self) -> bool {
        self.begun.is_some()
    }

    /// Nothing follows: the count of everything.
    pub(super) fn end(&mut self) -> Option<TestSummary> {
        self.largest.take()
    }
}

impl Numbers {
    fn add(&mut self, groups: &Captures<'_>) {
        let number = |name: &str| groups.name(name)?.as_str().parse::<u64>().ok();
        let more = |names: [&str; 2]| {
            names.iter().filter_map(|name| number(name)).fold(0, |sum: u64, one| sum.saturating_add(one))
        };
        self.total = number("total").or(self.total);
        self.run = number("run").or(self.run);
        self.passed = number("passed").or(self.passed);
        self.failed = self.failed.saturating_add(more(["failed", "errors"]));
        self.skipped = self.skipped.saturating_add(more(["skipped", "pending"]));
        self.broken = self.broken.saturating_add(number("broken").unwrap_or_default());
    }

    /// The numbers that the runner does not print follow from the others; those that contradict each other are no count.
    fn summary(self) -> Option<TestSummary> {
        let Self { passed, failed, skipped, broken, .. } = self;
        let run = self.run.or(self.total.map(|total| total.saturating_sub(skipped)));
        let failed = match (run, passed) {
            (Some(run), Some(passed)) => run.checked_sub(passed)?,
            _ => failed,
        };
        let passed = match run {
            Some(run) => run.checked_sub(failed)?,
            None => passed?,
        };
        let total = passed.checked_add(failed)?.checked_add(skipped)?;
        Some(TestSummary { passed, failed, skipped, total, broken })
    }
}
