//! Telling a variable assignment from a rule.

use super::scan::{after_reference, first_word, is_space};

/// How a variable gets its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    /// `=`: expanded when it is used.
    Recursive,
    /// `:=`, `::=`, `:::=`: expanded now.
    Simple,
    /// `+=`: appended to the value.
    Append,
    /// `?=`: only when it has no value yet, not even from the environment.
    Unless,
    /// `!=`: the output of a command.
    Shell,
}

/// A line that sets, unsets or begins to define a variable.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Assignment<'t> {
    /// `NAME = value`; the name is not expanded yet.
    Set { name: &'t str, operator: Operator, value: &'t str, overriding: bool },
    /// `define NAME` and the rest of its line.
    Define { rest: &'t str, overriding: bool },
    /// `undefine NAME`.
    Undefine { name: &'t str, overriding: bool },
}

/// Parses a line, comment removed, as an assignment; `for_targets`: the text behind a rule's colon.
pub(super) fn read(line: &str, for_targets: bool) -> Option<Assignment<'_>> {
    let mut rest = line.trim_start_matches(is_space);
    let mut overriding = false;
    loop {
        if let Some((name, operator, value)) = definition(rest) {
            return Some(Assignment::Set { name, operator, value, overriding });
        }
        let (word, behind) = first_word(rest);
        match word {
            "export" | "private" => {}
            "override" => overriding = true,
            "define" if !for_targets => return Some(Assignment::Define { rest: behind, overriding }),
            "undefine" if !for_targets => {
                return Some(Assignment::Undefine { name: behind.trim_end(), overriding });
            }
            _ => return None,
        }
        if behind.is_empty() {
            return None;
        }
        rest = behind;
    }
}

/// The name, operator and value of `NAME = value`: a name without blanks, then one of the operators.
pub(super) fn definition(text: &str) -> Option<(&str, Operator, &str)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut end = None;
    loop {
        let byte = *bytes.get(at)?;
        match byte {
            b'#' => return None,
            b'$' => {
                at = after_reference(bytes, at);
                continue;
            }
            b' ' | b'\t' => {
                end.get_or_insert(at);
                at += 1;
                continue;
            }
            _ => {}
        }
        if let Some((operator, length)) = operator(&bytes[at..]) {
            let name = &text[..end.unwrap_or(at)];
            return Some((name, operator, text[at + length..].trim_start_matches(is_space)));
        }
        if byte == b':' || end.is_some() {
            return None;
        }
        at += 1;
    }
}

fn operator(bytes: &[u8]) -> Option<(Operator, usize)> {
    Some(match bytes {
        [b'=', ..] => (Operator::Recursive, 1),
        [b':', b'=', ..] => (Operator::Simple, 2),
        [b':', b':', b'=', ..] => (Operator::Simple, 3),
        [b':', b':', b':', b'=', ..] => (Operator::Simple, 4),
        [b'+', b'=', ..] => (Operator::Append, 2),
        [b'?', b'=', ..] => (Operator::Unless, 2),
        [b'!', b'=', ..] => (Operator::Shell, 2),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let overriding = line.contains("override");
            let expected = Assignment::Set { name, operator, value, overriding };
            assert_eq!(read(line, false), Some(expected), "{line}");
        }
        for line in
            ["a: b", "a b = c", "a:b=c", "a:: b", "# A=b", "export A", "a", "", "$(a", "a$", "A#=b", "a?:x=y"]
        {
            assert_eq!(read(line, false), None, "{line}");
        }
        assert_eq!(read("define A =", false), Some(Assignment::Define { rest: "A =", overriding: false }));
        assert_eq!(
            read("override define A", false),
            Some(Assignment::Define { rest: "A", overriding: true })
        );
        assert_eq!(read("undefine A ", false), Some(Assignment::Undefine { name: "A", overriding: false }));
        assert_eq!(read("define A", true), None);
    }
}
