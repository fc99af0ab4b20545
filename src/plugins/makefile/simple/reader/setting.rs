//! Assignments to variables, as far as their lines count.

use super::Reader;
use super::expand::Expanded;
use crate::model::shown;
use crate::plugins::makefile::simple::assignment::Operator;
use crate::plugins::makefile::simple::conditions::Weight;
use crate::plugins::makefile::simple::uname;
use crate::plugins::makefile::simple::variables::{HOLE, Unset, Variable, unset};
use crate::plugins::makefile::simple::words::words;

impl Reader<'_> {
    /// Sets a variable.
    pub(super) fn set(&mut self, name: &str, operator: Operator, value: &str, overriding: bool) {
        let weight = self.conditions.weight();
        // If the assignment is assumed not to count, or appends, the prefix of recipe lines is uncertain.
        self.drafts.written.unsure |=
            name == ".RECIPEPREFIX" && (weight > Weight::Unsure || operator == Operator::Append);
        if weight > Weight::Unsure {
            return;
        }
        let before = self.variables.get(name);
        if operator == Operator::Unless && before.is_some() {
            return;
        }
        let recursive = match operator {
            Operator::Recursive | Operator::Unless => true,
            Operator::Append => before.is_none_or(|before| before.recursive),
            Operator::Simple | Operator::Shell => false,
        };
        let mut set = self.value(name, operator, value, recursive);
        // Evaluating the value has effects even if the variable does not change.
        if name.contains(HOLE) || !self.variables.yields(name, overriding) {
            return;
        }
        let before = self.variables.get(name).filter(|_| operator != Operator::Append);
        if weight == Weight::Unsure && before.is_none_or(|before| before.value != set.value) {
            set = unknown(format!("$({}), which is set under a condition", shown(name)));
        }
        set.overriding = overriding;
        if !self.spend(set.value.len()) {
            return;
        }
        if operator == Operator::Append {
            self.variables.append(name, set);
        } else {
            self.assigned(name, &set.value);
            self.variables.set(name, set);
        }
    }

    /// The value that an assignment gives.
    fn value(&mut self, name: &str, operator: Operator, value: &str, recursive: bool) -> Variable {
        if operator == Operator::Shell {
            if let Some(known) = uname::printed(value) {
                let value = known.to_owned();
                return Variable { value, recursive, cause: None, assumed: None, overriding: false };
            }
            return unknown(format!("what `{}` prints", shown(value)));
        }
        if recursive {
            let assumed = (operator == Operator::Unless).then(|| name.to_owned());
            return Variable { value: value.to_owned(), recursive, cause: None, assumed, overriding: false };
        }
        let Expanded { text, cause, assumed } = self.expand(value);
        Variable { value: text.into_owned(), recursive, cause, assumed, overriding: false }
    }

    /// Handing a variable on, or not, sets it where nothing has: to nothing.
    pub(super) fn export(&mut self, names: &str) {
        if self.conditions.weight() != Weight::Live {
            return;
        }
        for name in words(names).filter(|name| !name.contains(HOLE)) {
            if self.variables.get(name).is_none() && unset(name) == Unset::Assumed {
                let value = String::new();
                let empty = Variable {
                    value,
                    recursive: false,
                    cause: None,
                    assumed: Some(name.to_owned()),
                    overriding: false,
                };
                self.variables.set(name, empty);
            }
        }
    }

    /// Forgets a variable.
    pub(super) fn unset(&mut self, name: &str, overriding: bool) {
        if !self.variables.yields(name, overriding) {
            return;
        }
        match self.conditions.weight() {
            Weight::Live => self.variables.remove(name),
            Weight::Unsure => {
                let cause = format!("$({}), which is unset under a condition", shown(name));
                self.variables.set(name, unknown(cause));
            }
            Weight::Ghost | Weight::Dead => {}
        }
    }
}

fn unknown(cause: String) -> Variable {
    let value = HOLE.to_string();
    Variable { value, recursive: false, cause: Some(cause), assumed: None, overriding: false }
}
