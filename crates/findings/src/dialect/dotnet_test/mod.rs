//! `dotnet test`: each failed test, and the counts, summed over projects.
//!
//! Three programs print them: `VSTest`'s console, `MSBuild`'s terminal logger, and Microsoft's testing
//! platform.

mod counts;
mod failure;
#[cfg(test)]
mod tests;

use super::{Dialect, Format, Line, Next, PendingFindings};
use crate::model::{Diagnostic, Severity, TestSummary};
use counts::Counting;
use failure::DotnetFailure;
pub(super) use failure::frame;

/// `VSTest` 15 to 18, .NET SDK 2 to 10.
pub(super) const FORMAT: Format = Format {
    id: "dotnet_test",
    triggers: &[
        "  Failed ",
        "Failed   ",
        "failed ",
        "error TESTERROR:",
        "!  - Failed: ",
        "! - Failed: ",
        "Total tests: ",
        "Test summary: ",
        "Test run summary: ",
        "The active test run was aborted",
        "proj]",
        "proj::TargetFramework=",
    ],
    programs: &["dotnet", "vstest.console"],
    reader: || Box::<DotnetTest>::default(),
};

/// The most projects that are known not to have been built.
const MOST_BROKEN: usize = 256;

#[derive(Debug, Default)]
struct DotnetTest {
    failure: Option<DotnetFailure>,
    counting: Option<Counting>,
    /// Tests were counted.
    counted: bool,
    /// The projects with errors.
    broken: Vec<String>,
}

impl Dialect for DotnetTest {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins() {
            let text = line.text.trim_end();
            self.line(line, text, found);
        }
        if self.failure.is_some() || self.counting.is_some() { Next::Line } else { Next::Trigger }
    }

    fn end(&mut self, found: &mut PendingFindings) {
        self.close(found);
        self.count(found);
        // Broken projects count only in a run that counted tests.
        if self.counted && !self.broken.is_empty() {
            let broken = u64::try_from(self.broken.len()).unwrap_or(u64::MAX);
            found.tests.push(TestSummary { broken, ..TestSummary::default() });
        }
    }
}

impl DotnetTest {
    fn line(&mut self, line: &Line<'_>, text: &str, found: &mut PendingFindings) {
        if let Some(counting) = &mut self.counting {
            if counting.read(text) {
                return;
            }
            self.count(found);
        }
        let over = self.failure.is_some() && ends(text);
        if let Some(summary) = counts::one_line(text) {
            self.close(found);
            self.counted = true;
            found.tests.push(summary);
        } else if let Some(counting) = Counting::begins(text) {
            self.close(found);
            self.counting = Some(counting);
        } else if let Some(failure) = DotnetFailure::head(line, text) {
            self.close(found);
            self.failure = Some(failure);
        } else if over || self.failure.as_mut().is_some_and(|failure| !failure.read(line, text)) {
            self.close(found);
        } else if self.failure.is_none() {
            self.project(text);
            if text.trim_start().starts_with("The active test run was aborted. Reason: ") {
                found.diagnostics.push(Diagnostic::new(Severity::Error, text.trim(), line.log, FORMAT.id));
            }
        }
    }

    /// Ends the test that is being read.
    fn close(&mut self, found: &mut PendingFindings) {
        if let Some(failure) = self.failure.take().filter(DotnetFailure::is_sure) {
            found.diagnostics.push(failure.finish(FORMAT.id));
        }
    }

    /// The summary is complete.
    fn count(&mut self, found: &mut PendingFindings) {
        if let Some(summary) = self.counting.take().and_then(Counting::finish) {
            self.counted = true;
            found.tests.push(summary);
        }
    }

    /// `a.cs(3,5): error CS0103: … [a.csproj]`: a project that is not built.
    fn project(&mut self, text: &str) {
        let Some((before, project)) = text.strip_suffix(']').and_then(|text| text.rsplit_once('[')) else {
            return;
        };
        let project = project.split_once("::").map_or(project, |(project, _)| project);
        // That tests failed is an error, too, but of a project that was built.
        let of_tests = ["TestPlatform.targets", "VSTest", "TESTERROR", "TESTRUN", "Testing.Platform"];
        let is_error = before.contains(": error ") && !of_tests.iter().any(|word| before.contains(word));
        let is_new = self.broken.len() < MOST_BROKEN && self.broken.iter().all(|known| known != project);
        if is_error && project.ends_with("proj") && is_new {
            self.broken.push(project.to_owned());
        }
    }
}

/// Whether a line ends the description of a test.
fn ends(text: &str) -> bool {
    let words = [
        "  Passed ",
        "  Skipped ",
        "Test Run ",
        "Results File: ",
        "Test run for ",
        "[xUnit.net ",
        "Total tests: ",
    ];
    words.iter().any(|word| text.starts_with(word))
}
