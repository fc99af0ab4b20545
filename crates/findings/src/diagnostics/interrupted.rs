//! Findings that cuff itself brought about: a tool complains because it was ended, and nothing is wrong with the project.

use crate::dialect::{self, Interruption};
use crate::model::{Diagnostic, Ending, Findings, occurrences};

/// The findings of a run without those that cuff itself caused by ending the run early.
pub fn without_interruptions(findings: Findings, ending: &Ending) -> Findings {
    if !matches!(ending, Ending::Cancelled | Ending::TimedOut(_)) {
        return findings;
    }
    let is_own = |found: &Diagnostic| dialect::interruption(found).is_some();
    let (own, diagnostics): (Vec<_>, Vec<_>) = findings.diagnostics.into_iter().partition(is_own);
    let is_failure = |found: &&Diagnostic| dialect::interruption(found) == Some(Interruption::Failure);
    let failed = own.iter().filter(is_failure).map(|found| found.times).sum();
    Findings {
        diagnostics,
        errors: findings.errors.saturating_sub(occurrences(&own)),
        unexplained: findings.unexplained.saturating_sub(failed),
        ..findings
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::model::{LogRange, Severity};

    const MAKE: &str = "make";

    #[test]
    fn only_what_the_end_brought_about_goes() {
        let found = |message: &str, dialect: &str| {
            Diagnostic::new(Severity::Error, message, LogRange::default(), dialect)
        };
        let findings = Findings {
            diagnostics: vec![
                found("[a] Error 2", MAKE),
                found("[b] Error 130", MAKE),
                found("[c] Interrupt", MAKE),
                found("wait: No child processes.", MAKE),
                found("[c] Interrupt", "other"),
            ],
            errors: 5,
            unexplained: 3,
            ..Findings::default()
        };
        assert_eq!(without_interruptions(findings.clone(), &Ending::Exited(2)), findings);
        for ending in [Ending::Cancelled, Ending::TimedOut(Duration::from_secs(1))] {
            let left = without_interruptions(findings.clone(), &ending);
            let messages: Vec<&str> = left.diagnostics.iter().map(|found| found.message.as_str()).collect();
            assert_eq!(messages, ["[a] Error 2", "[c] Interrupt"]);
            assert_eq!((left.errors, left.unexplained), (2, 1));
            assert_eq!(without_interruptions(left.clone(), &ending), left, "of a record it is taken once");
        }
    }
}
