//! Variables with literal values, and texts in which they stand.

use std::cell::Cell;
use std::collections::HashMap;

use super::globs::Globs;
use super::words::{HOLE, find, first_word, is_space, reference};
use crate::model::shown;
use crate::plugins::makefile::targets::Doubt;

/// How deep references may lie within each other.
const DEEPEST: usize = 100;
/// The cost of a reference in bytes of text: the lookup is work, even if the value is empty.
const REFERENCE: usize = 32;

/// The cause of a hole after reading was given up.
const TOO_LONG: &str = "text that is too long";

/// A text with its variables put in.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ExpandedText {
    /// With a [`HOLE`] for each part that only make knows.
    pub(super) text: String,
    /// The first of those parts, as it is written.
    pub(super) cause: Option<String>,
    /// The condition under which a variable of it has its value.
    pub(super) only_if: Option<Doubt>,
}

impl ExpandedText {
    fn hole(&mut self, cause: &str) {
        self.text.push(HOLE);
        self.cause.get_or_insert_with(|| shown(cause));
    }

    /// Appends what was expanded before.
    fn add(&mut self, more: &Self) {
        self.text.push_str(&more.text);
        self.cause = self.cause.take().or_else(|| more.cause.clone());
        self.only_if = self.only_if.take().or_else(|| more.only_if.clone());
    }
}

/// How a variable gets its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    /// `=`: expanded when it is used.
    Recursive,
    /// `:=`, `::=`, `:::=`: expanded now.
    Simple,
    /// `+=`: appended to the value.
    Append,
    /// `?=`: only when it has no value yet. The environment is taken to have none.
    Unless,
    /// `!=`: the output of a command.
    Shell,
}

/// `NAME = value`; neither is expanded yet.
#[derive(Debug, PartialEq)]
pub(super) struct Assignment<'t> {
    pub(super) name: &'t str,
    pub(super) operator: Operator,
    pub(super) value: &'t str,
    /// Whether only another one of its kind changes the variable from then on.
    pub(super) overrides: bool,
}

impl<'t> Assignment<'t> {
    /// Reads a line without comment, or the text behind a rule's colon.
    pub(super) fn read(line: &'t str) -> Option<Self> {
        let line = line.trim_start_matches(is_space);
        let plain = || {
            let at = find(line, b"=")?;
            let (before, value) = (&line[..at], line[at + 1..].trim_start_matches(is_space));
            let (name, operator) = match before.as_bytes().last() {
                Some(b'+') => (&before[..at - 1], Operator::Append),
                Some(b'?') => (&before[..at - 1], Operator::Unless),
                Some(b'!') => (&before[..at - 1], Operator::Shell),
                Some(b':') => (before.trim_end_matches(':'), Operator::Simple),
                _ => (before, Operator::Recursive),
            };
            let name = name.trim_end_matches(is_space);
            (!name.is_empty() && find(name, b" \t:").is_none()).then_some(Self {
                name,
                operator,
                value,
                overrides: false,
            })
        };
        plain().or_else(|| match first_word(line) {
            ("override", rest) => Some(Self { overrides: true, ..Self::read(rest)? }),
            ("export" | "private", rest) => Self::read(rest),
            _ => None,
        })
    }
}

#[derive(Debug)]
struct Variable {
    value: ExpandedText,
    /// Whether the value is expanded when it is used (`=`), not when it was set.
    is_recursive: bool,
    overrides: bool,
}

/// The variables that were set so far.
#[derive(Debug)]
pub(super) struct Variables<'a> {
    all: HashMap<String, Variable>,
    /// Whether no part of the text that was not read may have set others.
    pub(super) are_all: bool,
    pub(super) globs: Globs<'a>,
    /// How many bytes may still be read or made.
    left: Cell<usize>,
}

impl<'a> Variables<'a> {
    pub(super) fn new(globs: Globs<'a>, most_bytes: usize) -> Self {
        Self { all: HashMap::new(), are_all: true, globs, left: Cell::new(most_bytes) }
    }

    /// Takes bytes from what a reading may come to. Returns `false` when nothing is left.
    pub(super) fn spend(&self, bytes: usize) -> bool {
        self.left.set(self.left.get().saturating_sub(bytes));
        self.left.get() > 0
    }

    /// Carries out an assignment, which may stand under a condition.
    pub(super) fn set(&mut self, assignment: &Assignment<'_>, only_if: Option<&Doubt>) {
        let &Assignment { name, operator, value, overrides } = assignment;
        let name = self.expand(name).text;
        let before = self.all.get(&name);
        if !overrides && before.is_some_and(|before| before.overrides) {
            return;
        }
        let mut is_recursive = match operator {
            Operator::Recursive | Operator::Unless => true,
            Operator::Append => before.is_none_or(|before| before.is_recursive),
            Operator::Simple | Operator::Shell => false,
        };
        let mut set = match operator {
            Operator::Shell => unknown(&format!("what `{value}` prints")),
            _ if is_recursive => ExpandedText { text: value.to_owned(), ..ExpandedText::default() },
            _ => self.expand(value),
        };
        set.only_if = set.only_if.or_else(|| only_if.cloned());
        let is_certain = |before: &Variable| before.value.only_if.is_none();
        match (operator, before) {
            (Operator::Append, Some(_)) => {
                // Nothing behind `+=` is as good as no line.
                if let Some(before) = self.all.get_mut(&name).filter(|_| !set.text.is_empty()) {
                    before.value.text.push_str(if before.value.text.is_empty() { "" } else { " " });
                    before.value.add(&set);
                    before.overrides |= overrides;
                }
                return;
            }
            (Operator::Unless, Some(before)) if is_certain(before) => return,
            // The variable has one of two values.
            (_, Some(before))
                if before.value.text != set.text && (only_if.is_some() || operator == Operator::Unless) =>
            {
                let cause = format!("$({name}), which is set under a condition");
                if is_certain(before) {
                    // The variable keeps this value where the condition does not hold.
                    let only_if =
                        set.only_if.map(|doubt| Doubt::new(doubt.at, format!("not {}", doubt.what)));
                    set = ExpandedText { cause: Some(cause), only_if, ..before.value.clone() };
                    is_recursive = before.is_recursive;
                } else {
                    (set, is_recursive) = (unknown(&cause), false);
                }
            }
            _ => {}
        }
        self.all.insert(name, Variable { value: set, is_recursive, overrides });
    }

    /// Sets a variable to this text as it is, or to what only make knows.
    pub(super) fn fix(&mut self, name: &str, text: Option<&str>) {
        let literal = |text: &str| ExpandedText { text: text.to_owned(), ..ExpandedText::default() };
        let value = text.map_or_else(|| unknown(&format!("$({name})")), literal);
        self.all.insert(name.to_owned(), Variable { value, is_recursive: false, overrides: false });
    }

    /// Forgets all values, since another part of the Makefile may have set others.
    pub(super) fn forget(&mut self) {
        self.all.clear();
        self.are_all = false;
    }

    /// Sets those of these variables that have no value to nothing.
    pub(super) fn declare(&mut self, names: &str) {
        for name in self.expand(names).text.split_whitespace() {
            if !self.all.contains_key(name) {
                self.fix(name, Some(""));
            }
        }
    }

    /// Puts the values of variables into a text.
    pub(super) fn expand(&self, text: &str) -> ExpandedText {
        let mut out = ExpandedText::default();
        self.expand_into(text, 0, &mut out);
        out
    }

    fn expand_into(&self, text: &str, depth: usize, out: &mut ExpandedText) {
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once('$') {
            out.text.push_str(before);
            let Some(letter) = behind.chars().next() else { return };
            let inner = reference(behind);
            let length = inner.map_or(letter.len_utf8(), |inner| inner.len() + 2);
            rest = behind.get(length..).unwrap_or_default();
            if !self.spend(before.len() + REFERENCE) || depth > DEEPEST {
                return out.hole(TOO_LONG);
            }
            match inner {
                None if letter == '$' => out.text.push('$'),
                None => self.put(&behind[..length], depth, out),
                Some(inner) => self.put(inner, depth, out),
            }
        }
        self.spend(rest.len());
        out.text.push_str(rest);
    }

    /// Puts in a list of names: the files that match patterns, the words in order, or each with something beside it.
    fn list(&self, function: &str, rest: &str, depth: usize, out: &mut ExpandedText) {
        let (fixed, words) = match find(rest, b",").filter(|_| function.starts_with("add")) {
            Some(comma) => (&rest[..comma], &rest[comma + 1..]),
            None => ("", rest),
        };
        let (mut beside, mut list) = (ExpandedText::default(), ExpandedText::default());
        self.expand_into(fixed, depth + 1, &mut beside);
        self.expand_into(words, depth + 1, &mut list);
        let words = std::mem::take(&mut list.text);
        let words = words.split(is_space).filter(|word| !word.is_empty());
        let mut found: Vec<String> = match function {
            "addprefix" => words.map(|word| [&beside.text, word].concat()).collect(),
            "addsuffix" => words.map(|word| [word, &beside.text].concat()).collect(),
            "sort" => words.map(str::to_owned).collect(),
            _ => match words.map(|pattern| self.globs.find(pattern)).collect::<Option<Vec<_>>>() {
                Some(found) => found.concat(),
                None => return out.hole(&format!("$({function} {rest})")),
            },
        };
        if function == "sort" {
            found.sort_unstable();
            found.dedup();
        }
        list.text = found.join(" ");
        if self.spend(list.text.len()) {
            out.add(&ExpandedText { text: String::new(), ..beside });
            out.add(&list);
        } else {
            out.hole(TOO_LONG);
        }
    }

    /// Puts in what stands between the parentheses of a reference.
    fn put(&self, inner: &str, depth: usize, out: &mut ExpandedText) {
        let (word, rest) = first_word(inner);
        match (self.all.get(inner), word) {
            (Some(Variable { value, is_recursive: true, .. }), _) => {
                out.add(&ExpandedText { text: String::new(), ..value.clone() });
                self.expand_into(&value.text, depth + 1, out);
            }
            (Some(Variable { value, .. }), _) if self.spend(value.text.len()) => out.add(value),
            // They print something, and stand for nothing.
            (_, "info" | "warning" | "error") if word.len() < inner.len() => {}
            (_, "wildcard" | "sort" | "addprefix" | "addsuffix") if word.len() < inner.len() => {
                self.list(word, rest, depth, out);
            }
            // The environment is taken to have none of the others.
            _ if self.are_all
                && is_plain(inner)
                && !OF_MAKE.iter().any(|line| line.split(' ').any(|name| name == inner)) => {}
            _ => out.hole(&format!("$({inner})")),
        }
    }
}

/// The variables of make itself, built-in ones included, and those of nearly every environment.
const OF_MAKE: &[&str] = &[
    "MAKE MAKE_COMMAND MAKE_VERSION MAKE_HOST MAKECMDGOALS MAKEFILES MAKEFILE_LIST MAKEFLAGS MFLAGS MAKELEVEL MAKE_TERMOUT",
    "MAKE_TERMERR CURDIR CUFF_RUN HOME LANG LC_ALL LOGNAME PATH PWD SHELL SUFFIXES TERM TMPDIR USER AR ARFLAGS AS ASFLAGS CC",
    "CO COFLAGS CPP CPPFLAGS CTANGLE CWEAVE CXX F77 FC FFLAGS GET GFLAGS LD LDFLAGS LEX LFLAGS LINT M2C MAKEINFO OBJC OBJCXX",
    "OUTPUT_OPTION PC PFLAGS RFLAGS RM TANGLE TARGET_ARCH TEX TEXI2DVI WEAVE YACC YFLAGS",
];

/// Whether a name is that of a variable, and of none that begins with a dot or a sign.
fn is_plain(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn unknown(cause: &str) -> ExpandedText {
    let mut value = ExpandedText::default();
    value.hole(cause);
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Files, Location};
    use std::cell::RefCell;

    #[test]
    fn assignments_and_rules_are_distinguished() {
        use Operator::{Append, Recursive, Shell, Simple, Unless};
        for (line, name, operator, value) in [
            ("A=b", "A", Recursive, "b"),
            ("A = b = c ", "A", Recursive, "b = c "),
            ("A:=", "A", Simple, ""),
            ("A ::= b", "A", Simple, "b"),
            ("A:::=b", "A", Simple, "b"),
            ("a-b.c/d += e", "a-b.c/d", Append, "e"),
            ("A?=b", "A", Unless, "b"),
            ("A != ls", "A", Shell, "ls"),
            ("A_$(x:=y)_B := c", "A_$(x:=y)_B", Simple, "c"),
            ("export override A=b", "A", Recursive, "b"),
            ("export = b", "export", Recursive, "b"),
            ("ifdef := x", "ifdef", Simple, "x"),
            ("A?B=c", "A?B", Recursive, "c"),
            ("A\u{fc}=c", "A\u{fc}", Recursive, "c"),
        ] {
            let overrides = line.contains("override");
            assert_eq!(
                Assignment::read(line),
                Some(Assignment { name, operator, value, overrides }),
                "{line}"
            );
        }
        for line in ["a: b", "a b = c", "a:b=c", "a:: b", "export A", "a", "", "$(a", "a$", "a?:x=y", "=b"] {
            assert_eq!(Assignment::read(line), None, "{line}");
        }
    }

    #[test]
    fn literal_values_are_put_in_and_others_leave_a_hole() {
        let doubt = || Doubt::new(Location::file("Makefile"), "ifdef X");
        let files = Files::default();
        let globs = Globs { files: &files, folder: ".", wants: RefCell::default() };
        let mut variables = Variables::new(globs, 10_000);
        for (line, is_sure) in [
            ("A = a $B", true),
            ("C := c $B", true),
            ("B = b$$", true),
            ("C += $B", true),
            ("A ?= other", true),
            ("D = d", false),
            ("D += e", true),
            ("B2 = one", true),
            ("B2 = two", false),
            ("S != ls", true),
            ("LOOP = $(LOOP)", true),
        ] {
            let only_if = (!is_sure).then(doubt);
            variables.set(&Assignment::read(line).unwrap(), only_if.as_ref());
        }
        for (text, expected) in [
            ("$(A)-${A} $$x", "a b$-a b$ $x"),
            ("$C", "c  b$"),
            ("$(D)", "d e if ifdef X"),
            ("x$(B2)y", "xoney | $(B2), which is set under a condition if not ifdef X"),
            ("$(S)$(shell ls)", "?? | what `ls` prints"),
            ("$(A:.c=.o)", "? | $(A:.c=.o)"),
            ("$(info hi)$(LOOP)", "? | text that is too long"),
            ("$(wildcard *.mk)|$(wildcard cmd/*)", "|? | $(wildcard cmd/*)"),
            ("$(NOT_SET)$(CC)", "? | $(CC)"),
            ("a$", "a"),
        ] {
            let ExpandedText { text: found, cause, only_if } = variables.expand(text);
            let cause = cause.map_or_else(String::new, |cause| format!(" | {cause}"));
            let only_if = only_if.map_or_else(String::new, |doubt| format!(" if {}", doubt.what));
            assert_eq!(found.replace(HOLE, "?") + &cause + &only_if, expected, "{text}");
        }
        assert_eq!(variables.globs.wants.borrow().len(), 1);
        variables.are_all = false;
        assert_eq!(variables.expand("$(NOT_SET)").text, "\0");
    }
}
