//! Variables as the text sets them, and known facts about others.

use std::collections::HashMap;

/// The mark in a text for an unknown number of unknown words. No text that make reads holds a NUL.
pub(in crate::plugins::makefile) const HOLE: char = '\0';

/// A variable that the text sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Variable {
    /// Its value, which may have holes.
    pub(super) value: String,
    /// Whether the value is expanded when it is used (`=`), not when it was set.
    pub(super) recursive: bool,
    /// The cause of the first hole.
    pub(super) cause: Option<String>,
    /// The variable that the environment is assumed not to set (`?=`), this one or one that its value is made of.
    pub(super) assumed: Option<String>,
    /// Whether only another `override` changes it.
    pub(super) overriding: bool,
}

/// A variable, or several, that only a text that is being expanded has.
#[derive(Debug)]
pub(super) enum Local {
    /// The variable of a `$(foreach …)`.
    Each { name: String, value: String },
    /// The arguments of a `$(call …)`: `$(0)`, `$(1)` and so on.
    Call(Vec<String>),
}

impl Local {
    /// Its value, where it has this name.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        match self {
            Self::Each { name: own, value } => (own == name).then_some(value),
            Self::Call(given) => {
                let number: usize = name.parse().ok().filter(|_| !name.starts_with('+'))?;
                if name.len() > 1 && name.starts_with('0') {
                    return None;
                }
                // The arguments of an outer call are hidden.
                given.get(number).map(String::as_str).or((number < 10).then_some(""))
            }
        }
    }
}

/// The knowledge about a name that the text does not set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unset {
    /// Make or nearly every environment sets it: its value is not known.
    Elsewhere,
    /// It is empty where make has not begun to make anything.
    Empty,
    /// It is empty unless the environment sets it.
    Assumed,
}

/// The variables that were set so far.
#[derive(Debug, Default, Clone)]
pub(super) struct Variables(HashMap<String, Variable>);

impl Variables {
    pub(super) fn get(&self, name: &str) -> Option<&Variable> {
        self.0.get(name)
    }

    /// Whether an assignment changes this variable: after an `override` only another one does.
    pub(super) fn yields(&self, name: &str, overriding: bool) -> bool {
        overriding || self.get(name).is_none_or(|variable| !variable.overriding)
    }

    /// Sets the variables that depend on make's goal, if there is one.
    pub(super) fn set_goal(&mut self, goal: Option<&str>) {
        if let Some(value) = goal.map(str::to_owned) {
            let cause = value.contains(HOLE).then(|| "the goal that make is called for".to_owned());
            let goals = Variable { value, recursive: false, cause, assumed: None, overriding: false };
            self.set("MAKECMDGOALS", goals);
        }
    }

    pub(super) fn set(&mut self, name: &str, variable: Variable) {
        self.0.insert(name.to_owned(), variable);
    }

    /// Appends to a variable.
    pub(super) fn append(&mut self, name: &str, more: Variable) {
        let Some(there) = self.0.get_mut(name) else { return self.set(name, more) };
        // Nothing behind `+=` is as good as no line, `override` and all.
        if more.value.is_empty() {
            return;
        }
        if !there.value.is_empty() {
            there.value.push(' ');
        }
        there.value.push_str(&more.value);
        there.cause = there.cause.take().or(more.cause);
        there.assumed = there.assumed.take().or(more.assumed);
        there.overriding |= more.overriding;
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.0.remove(name);
    }
}

/// The value of a name that the text does not set.
pub(super) fn unset(name: &str) -> Unset {
    let of = |list: &[&str]| list.iter().flat_map(|line| line.split(' ')).any(|known| known == name);
    if of(ELSEWHERE) {
        Unset::Elsewhere
    } else if of(EMPTY) || name.is_empty() || name.starts_with(|c: char| "@%<?^+*|0123456789".contains(c)) {
        Unset::Empty
    } else {
        Unset::Assumed
    }
}

/// The variables of make itself, built-in ones included, and those of nearly every environment.
const ELSEWHERE: &[&str] = &[
    "MAKE MAKE_COMMAND MAKE_VERSION MAKE_HOST MAKEFLAGS MFLAGS MAKELEVEL MAKE_TERMOUT MAKE_TERMERR CURDIR SHELL",
    "CUFF_RUN .SHELLFLAGS .FEATURES .VARIABLES .INCLUDE_DIRS .DEFAULT_GOAL .LIBPATTERNS .LOADED SUFFIXES -*-command-variables-*- …",
    "HOME PATH USER LOGNAME PWD LANG LC_ALL TERM TMPDIR",
    "AR ARFLAGS AS CC CO COFLAGS CPP CTANGLE CWEAVE CXX F77 FC GET GFLAGS LD LEX LINT M2C MAKEINFO PC RM TANGLE TEX",
    "TEXI2DVI WEAVE YACC LDFLAGS OBJC OBJCXX ASFLAGS CPPFLAGS FFLAGS LFLAGS YFLAGS PFLAGS RFLAGS TARGET_ARCH OUTPUT_OPTION",
];

/// Variables that exist only while a target is made, or if make was called with goals.
const EMPTY: &[&str] = &["MAKECMDGOALS MAKE_RESTARTS MAKEOVERRIDES MAKEFILES .RECIPEPREFIX GPATH VPATH"];
