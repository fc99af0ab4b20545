//! The problems that keep a plugin from its sources.

use crate::model::{ErrorCode, Problem, Severity};

/// Of the problems of a plugin that does not apply, those that are the reason; an absent source is none.
pub(crate) fn in_the_way(problems: Vec<Problem>) -> Vec<Problem> {
    let wrong = |problem: &Problem| {
        problem.severity == Severity::Error
            && !matches!(problem.fault, Some(ErrorCode::SourceNotFound | ErrorCode::InvalidConfig))
    };
    problems.into_iter().filter(wrong).collect()
}
