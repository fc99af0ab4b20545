//! The meaning of eslint's exit codes: 0 clean, 1 problems or too many warnings, 2 it could not do its work.

use super::findings::EslintReport;
use crate::model::{Ended, Verdict, one_line};

/// Judges an eslint that ended. The verdict depends on the report, since an exit code of 1 also comes from a
/// node that cannot start eslint.
pub(super) fn judge(fixes: bool, ended: Ended<'_>) -> Verdict {
    let why = telling(ended.err);
    let Some(findings) = EslintReport::of(ended.findings) else {
        return Verdict { error: Some(unreported(ended.code, why)), ..Verdict::default() };
    };
    let count = findings.count().unwrap_or_else(|| "no problems".into());
    let error = match (ended.code, findings.has_errors()) {
        (0, false) => None,
        (0, true) => Some(format!("eslint ended with exit code 0, but its report has {count}")),
        (1, true) if fixes => Some(format!("eslint could not fix {count}")),
        (1, true) => Some(format!("eslint found {count}")),
        // Too many warnings, which eslint says on its standard error.
        (1, false) => Some(format!("{}: {count}", why.unwrap_or_else(|| "eslint found problems".into()))),
        (code, _) => Some(failed(code, why)),
    };
    Verdict { error, text: Some(findings.text()), data: findings.facts() }
}

/// No report, or something else in its place.
fn unreported(code: i32, why: Option<String>) -> String {
    if code > 1 {
        return failed(code, why);
    }
    let why = why.map_or_else(String::new, |why| format!(": {why}"));
    format!("eslint ended with exit code {code} and without a report{why}")
}

fn failed(code: i32, why: Option<String>) -> String {
    let why = why.map_or_else(String::new, |why| format!(": {why}"));
    if code == 2 {
        format!("eslint could not run{why}")
    } else {
        format!("eslint ended with exit code {code}{why}")
    }
}

/// The line of standard error that says most: the first that names an error, else the first that is no greeting.
fn telling(err: &str) -> Option<String> {
    let greeting = |line: &str| {
        line.starts_with("Oops! Something went wrong")
            || line.starts_with("ESLint: ")
            || line.starts_with("(node:")
            || line.starts_with("(Use `node")
    };
    let lines = || err.lines().map(str::trim).filter(|line| !line.is_empty() && !greeting(line));
    let names_error = |line: &&str| {
        let word = line.split([':', ' ']).next().unwrap_or_default();
        word.ends_with("Error") && line[word.len()..].contains(':')
    };
    let line = lines().find(names_error).or_else(|| lines().next())?;
    Some(one_line(line)?.trim_end_matches('.').to_owned())
}
