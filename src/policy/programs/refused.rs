//! The refusal of a word for a program that a tool's text names.

use crate::model::shown;
use crate::policy::refusal::Refusal;

pub(super) fn refused(program: &str, word: &str, why: &str, help: &str) -> Refusal {
    Refusal::new(format!("{}, which this tool runs: \"{}\" {why}", shown(program), shown(word)), help)
}
