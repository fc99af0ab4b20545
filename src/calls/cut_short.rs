//! What make says because it was ended is nothing that is wrong with the project.

use crate::model::{Diagnostic, Ending, Findings, Severity};

/// Who words it so, by the id of its dialect.
const MAKE: &str = "make";

/// What ends a recipe that cuff ends: a signal's name, or the exit code of a shell that a signal ended.
const ENDS: [&str; 7] =
    ["Interrupt", "Terminated", "Killed", "Hangup", "Error 130", "Error 137", "Error 143"];

/// What was found in a run, without what cuff itself brought about where it ended the run before its time.
pub(crate) fn without_own(findings: Findings, ending: &Ending) -> Findings {
    if !matches!(ending, Ending::Cancelled | Ending::TimedOut(_)) {
        return findings;
    }
    let (own, diagnostics): (Vec<_>, Vec<_>) = findings.diagnostics.into_iter().partition(is_own);
    let failed = own.iter().filter(|found| found.message.starts_with('[')).count() as u64;
    Findings {
        diagnostics,
        errors: findings.errors.saturating_sub(own.len() as u64),
        unexplained: findings.unexplained.saturating_sub(failed),
        ..findings
    }
}

/// `[Makefile:2: serve] Interrupt`, and `wait: No child processes.`: its children were ended with it, in any language.
fn is_own(found: &Diagnostic) -> bool {
    let first = found.message.lines().next().unwrap_or_default();
    let how = first.strip_prefix('[').and_then(|rest| rest.rsplit_once("] "));
    let is_ended = how.is_some_and(|(_, how)| ENDS.contains(&how));
    found.severity == Severity::Error && found.dialect == MAKE && (is_ended || first.starts_with("wait: "))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::model::LogRange;

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
        assert_eq!(without_own(findings.clone(), &Ending::Exited(2)), findings);
        for ending in [Ending::Cancelled, Ending::TimedOut(Duration::from_secs(1))] {
            let left = without_own(findings.clone(), &ending);
            let told: Vec<&str> = left.diagnostics.iter().map(|found| found.message.as_str()).collect();
            assert_eq!(told, ["[a] Error 2", "[c] Interrupt"]);
            assert_eq!((left.errors, left.unexplained), (2, 1));
            assert_eq!(without_own(left.clone(), &ending), left, "of a record it is taken once");
        }
    }
}
