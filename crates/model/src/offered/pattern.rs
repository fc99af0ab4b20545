//! Regular expressions that the engines of all clients compile: what ECMAScript with Unicode and Python have in common.

use std::iter::Peekable;
use std::str::Chars;

/// How deep groups may lie in one another.
const DEEPEST: usize = 64;
/// The most digits of a repetition's bound.
const DIGITS: usize = 5;

/// Whether all engines compile a pattern.
pub(super) fn is_portable(pattern: &str) -> bool {
    let mut reader = PatternReader { rest: pattern.chars().peekable() };
    reader.alternatives(0).is_some() && reader.rest.peek().is_none()
}

/// Reads a pattern from its front. `None` where engines differ.
struct PatternReader<'p> {
    rest: Peekable<Chars<'p>>,
}

/// One item of a class of characters.
enum ClassItem {
    One(char),
    Several,
}

impl PatternReader<'_> {
    fn takes(&mut self, wanted: char) -> bool {
        self.rest.next_if_eq(&wanted).is_some()
    }

    /// Reads up to the end, or to a bracket that closes.
    fn alternatives(&mut self, depth: usize) -> Option<()> {
        while let Some(&next) = self.rest.peek() {
            if next == ')' {
                break;
            }
            self.term(depth)?;
        }
        Some(())
    }

    fn term(&mut self, depth: usize) -> Option<()> {
        let may_repeat = match self.rest.next()? {
            '|' | '^' | '$' => false,
            '(' => self.group(depth + 1)?,
            '[' => {
                self.class()?;
                true
            }
            '\\' => self.escape()?,
            '*' | '+' | '?' | '{' | '}' | ']' | ')' => return None,
            _ => true,
        };
        if may_repeat { self.repetition() } else { Some(()) }
    }

    /// Reads a group behind its bracket. Whether it may be repeated.
    fn group(&mut self, depth: usize) -> Option<bool> {
        let may_repeat = if self.takes('?') {
            match self.rest.next()? {
                ':' => true,
                '=' | '!' => false,
                _ => return None,
            }
        } else {
            true
        };
        if depth > DEEPEST {
            return None;
        }
        self.alternatives(depth)?;
        self.takes(')').then_some(may_repeat)
    }

    fn repetition(&mut self) -> Option<()> {
        match self.rest.peek() {
            Some('*' | '+' | '?') => {
                self.rest.next();
            }
            Some('{') => {
                self.rest.next();
                let least = self.number()?;
                let most =
                    if self.takes(',') && self.rest.peek() != Some(&'}') { self.number()? } else { least };
                if most < least || !self.takes('}') {
                    return None;
                }
            }
            _ => return Some(()),
        }
        self.takes('?');
        Some(())
    }

    fn number(&mut self) -> Option<u32> {
        let mut digits = String::new();
        while let Some(digit) = self.rest.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        if digits.len() > DIGITS { None } else { digits.parse().ok() }
    }

    /// Reads an escape outside of a class. Whether it may be repeated.
    fn escape(&mut self) -> Option<bool> {
        match self.rest.peek()? {
            'b' | 'B' => {
                self.rest.next();
                Some(false)
            }
            _ => self.character().map(|_| true),
        }
    }

    /// Reads an escape behind its backslash that stands for characters.
    fn character(&mut self) -> Option<ClassItem> {
        Some(match self.rest.next()? {
            'd' | 'D' | 'w' | 'W' | 's' | 'S' => ClassItem::Several,
            't' => ClassItem::One('\t'),
            'n' => ClassItem::One('\n'),
            'r' => ClassItem::One('\r'),
            'f' => ClassItem::One('\u{c}'),
            'v' => ClassItem::One('\u{b}'),
            'x' => ClassItem::One(self.hexadecimal(2)?),
            'u' => ClassItem::One(self.hexadecimal(4)?),
            sign @ ('^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|'
            | '/') => ClassItem::One(sign),
            _ => return None,
        })
    }

    fn hexadecimal(&mut self, digits: usize) -> Option<char> {
        let mut number = 0;
        for _ in 0..digits {
            number = number * 16 + self.rest.next()?.to_digit(16)?;
        }
        char::from_u32(number)
    }

    /// Reads a class behind its bracket.
    fn class(&mut self) -> Option<()> {
        self.takes('^');
        // An empty one ends in some engines, and goes on in others.
        let mut item = self.class_item()?;
        loop {
            if self.takes(']') {
                return Some(());
            }
            if !self.takes('-') {
                item = self.class_item()?;
                continue;
            }
            if self.takes(']') {
                return Some(());
            }
            match (item, self.class_item()?) {
                (ClassItem::One(first), ClassItem::One(last)) if first <= last => {}
                _ => return None,
            }
            if self.takes(']') {
                return Some(());
            }
            item = self.class_item()?;
        }
    }

    fn class_item(&mut self) -> Option<ClassItem> {
        match self.rest.next()? {
            ']' => None,
            '\\' if self.takes('-') => Some(ClassItem::One('-')),
            '\\' => self.character(),
            letter => Some(ClassItem::One(letter)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_portable;

    #[test]
    fn patterns_of_both_languages_are_portable() {
        for pattern in [
            "",
            "^[a-z0-9_-]+$",
            r"^[\w.-]+@[\w-]+\.[a-z]{2,}$",
            r"^\d{4}-\d{2}-\d{2}$",
            r"^(?:a|b|)*?(?=x)$",
            r"^\/[^/]*\/$",
            r"[\-a\]\\]",
            "é+?",
            r"\u00e9\x41\bx",
            "a{2}b{2,}c{1,3}?",
        ] {
            assert!(is_portable(pattern), "{pattern}");
        }
    }

    #[test]
    fn a_pattern_that_one_engine_refuses_is_not() {
        for pattern in [
            "(",
            ")",
            "[",
            "]",
            "[]",
            "[^]",
            "*",
            "a**",
            "a*+",
            "{1}",
            "a{",
            "a{2,1}",
            "a{999999}",
            "}",
            r"\",
            r"\_",
            r"\-",
            r"\p{L}",
            r"\1",
            "(?<n>x)",
            "(?P<n>x)",
            "(?<=x)",
            "(?i)x",
            "^*",
            "(?=x)*",
            r"\b+",
            "[z-a]",
            r"[\w-.]",
            r"[a-\d]",
            r"\u12",
            r"\ud83d",
            "a|*",
            r"\cA",
            r"\0",
        ] {
            assert!(!is_portable(pattern), "{pattern}");
        }
        assert!(!is_portable(&"(".repeat(100_000)));
    }
}
