//! The lines that begin, part and end conditions.

use super::Reader;
use crate::model::{Fault, Problem, shown};
use crate::plugins::makefile::simple::conditions::{Truth, Weight};
use crate::plugins::makefile::simple::scan::{first_word, is_space};
use crate::plugins::makefile::simple::variables::{HOLE, Unset, unset};
use crate::plugins::makefile::targets::Doubt;

/// How deep conditions may lie within each other.
const DEEPEST: usize = 256;

impl Reader<'_> {
    /// The same as [`condition`](Self::condition), and recipes that the line parts show it.
    pub(super) fn shown_condition(&mut self, text: &str, word: &str, rest: &str) -> bool {
        if !matches!(word, "ifdef" | "ifndef" | "ifeq" | "ifneq" | "else" | "endif") {
            return false;
        }
        let mut owners = self.drafts.owners.written.clone();
        let is_one = self.condition(word, rest);
        owners.extend(&self.drafts.owners.written);
        owners.sort_unstable();
        owners.dedup();
        self.drafts.written.add_branch(text, &owners);
        is_one
    }

    /// Reads a line that has to do with conditions; `false` when it has not.
    pub(super) fn condition(&mut self, word: &str, rest: &str) -> bool {
        match word {
            "ifdef" | "ifndef" | "ifeq" | "ifneq" => {
                self.forks.part(&self.drafts.owners);
                self.begin(word, rest);
            }
            "else" => self.otherwise(rest),
            "endif" => self.end(),
            _ => return false,
        }
        true
    }

    fn begin(&mut self, word: &str, rest: &str) {
        let doubt = Doubt { at: self.at.clone(), what: format!("{word} {}", shown(rest.trim())) };
        let counts = self.conditions.weight() != Weight::Dead;
        if counts && self.conditions.depth() >= DEEPEST {
            self.doubt(format!("conditions within more than {DEEPEST} others are not read"));
            return self.conditions.begin(Truth::Known(false), doubt);
        }
        let truth = if counts { self.truth(word, rest) } else { Truth::Known(false) };
        self.conditions.begin(truth, doubt);
    }

    fn otherwise(&mut self, rest: &str) {
        let (word, condition) = first_word(rest);
        let is_condition = matches!(word, "ifdef" | "ifndef" | "ifeq" | "ifneq");
        let what =
            if is_condition { format!("else {word} {}", shown(condition.trim())) } else { "else".to_owned() };
        let doubt = Doubt { at: self.at.clone(), what };
        let truth = match (is_condition, self.conditions.is_open()) {
            (false, _) => None,
            (true, true) => Some(self.truth(word, condition)),
            (true, false) => Some(Truth::Known(false)),
        };
        let taken = self.conditions.weight() != Weight::Dead;
        if self.conditions.alternative(truth, doubt, rest.trim().is_empty()) {
            self.forks.next(&mut self.drafts.owners, taken);
        } else {
            self.misplaced("else");
        }
    }

    fn end(&mut self) {
        let (taken, passed) = (self.conditions.weight() != Weight::Dead, self.conditions.is_open());
        if self.conditions.end() {
            self.forks.meet(&mut self.drafts.owners, taken, passed);
        } else {
            self.misplaced("endif");
        }
    }

    fn misplaced(&mut self, word: &str) {
        let what = format!("`{word}` belongs to no condition: make stops here");
        self.complain(Problem::error(Fault::SourceInvalid, what).help("take it out, or begin the condition"));
    }

    fn truth(&mut self, word: &str, rest: &str) -> Truth {
        let negated = word.starts_with("ifn");
        let truth = if word.ends_with("def") { self.is_defined(rest) } else { self.is_equal(rest) };
        match truth {
            Truth::Known(holds) => Truth::Known(holds != negated),
            Truth::Assumed(holds, variable) => Truth::Assumed(holds != negated, variable),
            Truth::Unknown(cause) => Truth::Unknown(cause),
        }
    }

    fn is_defined(&mut self, rest: &str) -> Truth {
        let name = self.expand(rest);
        let (variable, _) = first_word(&name.text);
        if variable.contains(HOLE) {
            return Truth::Unknown(name.cause.unwrap_or_default());
        }
        match (self.variables.get(variable), unset(variable)) {
            (Some(found), _) if found.value.trim_matches(HOLE).is_empty() && !found.value.is_empty() => {
                Truth::Unknown(format!("$({})", shown(variable)))
            }
            (Some(found), _) if found.assumed.is_some() && found.value.is_empty() => {
                Truth::Assumed(false, variable.to_owned())
            }
            (Some(found), _) => Truth::Known(!found.value.is_empty()),
            (None, Unset::Elsewhere) => Truth::Unknown(format!("$({})", shown(variable))),
            (None, Unset::Empty) => Truth::Known(false),
            (None, Unset::Assumed) => Truth::Assumed(false, variable.to_owned()),
        }
    }

    fn is_equal(&mut self, rest: &str) -> Truth {
        let Some((left, right)) = compared(rest) else {
            let what = format!("the condition `{}` cannot be read: make stops here", shown(rest.trim()));
            self.complain(
                Problem::error(Fault::SourceInvalid, what).help("write it as `(a,b)` or `\"a\" \"b\"`"),
            );
            return Truth::Known(false);
        };
        let (left, right) = (self.expand(left), self.expand(right));
        if left.text.contains(HOLE) || right.text.contains(HOLE) {
            return Truth::Unknown(left.cause.or(right.cause).unwrap_or_default());
        }
        let equal = left.text == right.text;
        match left.assumed.or(right.assumed) {
            Some(variable) => Truth::Assumed(equal, variable),
            None => Truth::Known(equal),
        }
    }
}

/// The two sides of `(a,b)`, `"a" "b"` or `'a' 'b'`.
fn compared(text: &str) -> Option<(&str, &str)> {
    if let Some(inner) = text.strip_prefix('(') {
        let comma = outside(inner, ',')?;
        let right = inner[comma + 1..].trim_start_matches(is_space);
        let end = outside(right, ')')?;
        return Some((inner[..comma].trim_end_matches([' ', '\t']), &right[..end]));
    }
    let (left, rest) = quoted(text)?;
    let (right, _) = quoted(rest.trim_start_matches(is_space))?;
    Some((left, right))
}

/// The text between a quotation mark and the next, and the rest.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let mark = text.chars().next().filter(|mark| matches!(mark, '"' | '\''))?;
    text[1..].split_once(mark)
}

/// The position of a character outside of parentheses.
fn outside(text: &str, wanted: char) -> Option<usize> {
    let mut depth = 0_i64;
    for (place, letter) in text.char_indices() {
        if letter == wanted && depth <= 0 {
            return Some(place);
        }
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_of_a_comparison_are_found() {
        for (text, expected) in [
            ("(a,b)", Some(("a", "b"))),
            ("( a , b )", Some((" a", "b "))),
            ("($(f x,y),$(g (z)))", Some(("$(f x,y)", "$(g (z))"))),
            ("(,)", Some(("", ""))),
            ("\"a\" 'b c'", Some(("a", "b c"))),
            ("'a''b' x", Some(("a", "b"))),
            ("a b", None),
            ("(a", None),
            ("\"a\"", None),
        ] {
            assert_eq!(compared(text), expected, "{text}");
        }
    }
}
