//! Expands variable references, with a hole for unknown values.

use std::borrow::Cow;

use super::{DEEPEST, Reader};
use crate::model::shown;
use crate::plugins::makefile::simple::scan::{after_reference, closing};
use crate::plugins::makefile::simple::text::cost;
use crate::plugins::makefile::simple::trace::Trace;
use crate::plugins::makefile::simple::variables::{HOLE, Unset, unset};
use crate::plugins::makefile::simple::words::substituted;

/// An expanded text.
#[derive(Debug)]
pub(super) struct Expanded<'t> {
    /// The text, which may have holes.
    pub(super) text: Cow<'t, str>,
    /// The cause of the first hole.
    pub(super) cause: Option<String>,
    /// The first variable that the environment is assumed not to set.
    pub(super) assumed: Option<String>,
}

/// The cost of expanding one reference, in bytes of text. The lookup alone is work, even if the value is
/// empty.
const REFERENCE: usize = 32;

/// The cause of a hole after reading was given up.
pub(super) const TOO_LONG: &str = "text that is too long";

impl Reader<'_> {
    /// Expands a text.
    pub(super) fn expand<'t>(&mut self, text: &'t str) -> Expanded<'t> {
        if !text.contains('$') && self.depth < DEEPEST {
            let text = if self.spend(text.len()) { text } else { "" };
            return Expanded { text: text.into(), cause: None, assumed: None };
        }
        let outer = std::mem::take(&mut self.trace);
        let mut out = String::new();
        self.expand_into(text, &mut out);
        let Trace { cause, assumed } = std::mem::replace(&mut self.trace, outer);
        Expanded { text: out.into(), cause, assumed }
    }

    /// Expands a text, and appends it.
    pub(super) fn expand_into(&mut self, text: &str, out: &mut String) {
        if self.depth >= DEEPEST {
            return self.hole("references that are nested too deeply", out);
        }
        self.depth += 1;
        let mut rest = text;
        while let Some(place) = rest.find('$') {
            out.push_str(&rest[..place]);
            rest = self.reference(&rest[place..], out);
            if !self.spend(place + REFERENCE) {
                self.hole(TOO_LONG, out);
                break;
            }
        }
        if self.spend(rest.len()) {
            out.push_str(rest);
        }
        self.depth -= 1;
    }

    /// Expands the reference that a text begins with. Returns the rest.
    fn reference<'t>(&mut self, text: &'t str, out: &mut String) -> &'t str {
        let Some(open) = text[1..].chars().next() else { return "" };
        if open == '$' {
            out.push('$');
            return &text[2..];
        }
        let Some(close) = u8::try_from(open).ok().and_then(closing) else {
            let end = 1 + open.len_utf8();
            self.variable(&text[1..end], out);
            return &text[end..];
        };
        let end = after_reference(text.as_bytes(), 0);
        if !text[..end].ends_with(char::from(close)) || end < 3 {
            self.hole("a reference without an end", out);
            return "";
        }
        let inner = &text[2..end - 1];
        if self.function(inner, open, char::from(close), out) {
            return &text[end..];
        }
        // Without a reference inside, make takes the first closing character for the end.
        let (inner, end) = match inner.find(char::from(close)) {
            Some(first) if !inner.contains('$') => (&inner[..first], 2 + first + 1),
            _ => (inner, end),
        };
        let mut name = String::new();
        self.expand_into(inner, &mut name);
        self.named(&name, out);
        &text[end..]
    }

    /// `$(NAME)` or `$(NAME:from=to)`, after its inner references are expanded.
    fn named(&mut self, name: &str, out: &mut String) {
        let parts = name.split_once(':').and_then(|(name, rest)| Some((name, rest.split_once('=')?)));
        let Some((name, (from, to))) = parts else { return self.variable(name, out) };
        let mut value = String::new();
        self.variable(name, &mut value);
        let whole = from.contains('%');
        let (from, to) =
            if whole { (from.to_owned(), to.to_owned()) } else { (format!("%{from}"), format!("%{to}")) };
        if self.spend(cost("patsubst", &[&from, &to, &value])) {
            out.push_str(&substituted(&from, &to, &value));
        } else {
            self.hole(TOO_LONG, out);
        }
    }

    /// Appends an expanded text.
    pub(super) fn put(&mut self, text: &str, out: &mut String) {
        if self.spend(text.len()) {
            out.push_str(text);
        } else {
            self.hole(TOO_LONG, out);
        }
    }

    /// The value of a variable.
    fn variable(&mut self, name: &str, out: &mut String) {
        if name.contains(HOLE) {
            return self.hole("a variable whose name is not known", out);
        }
        if let Some(value) = self.locals.iter().rev().find_map(|local| local.get(name)) {
            let value = value.to_owned();
            if self.spend(value.len()) {
                out.push_str(&value);
            }
            return;
        }
        let Some(variable) = self.variables.get(name) else { return self.not_set(name, out) };
        let variable = variable.clone();
        if !self.spend(variable.value.len()) {
            return self.hole(TOO_LONG, out);
        }
        if let Some(assumed) = variable.assumed {
            self.trace.assumed.get_or_insert(assumed);
        }
        if variable.value.contains(HOLE) {
            let unknown = || variable.cause.unwrap_or_else(|| format!("$({})", shown(name)));
            self.trace.cause.get_or_insert_with(unknown);
        }
        if !variable.recursive {
            return out.push_str(&variable.value);
        }
        if self.expanding.iter().any(|open| open == name) {
            return self.hole(&format!("$({}), which refers to itself", shown(name)), out);
        }
        self.expanding.push(name.to_owned());
        self.expand_into(&variable.value, out);
        self.expanding.pop();
    }

    fn not_set(&mut self, name: &str, out: &mut String) {
        if name == "MAKEFILE_LIST" {
            let list: String = self.makefiles.iter().flat_map(|makefile| [" ", makefile]).collect();
            return self.put(&list, out);
        }
        if let ("CURDIR", Some(here)) = (name, &self.here) {
            return out.push_str(here);
        }
        match unset(name) {
            Unset::Elsewhere => self.hole(&format!("$({})", shown(name)), out),
            Unset::Empty => {}
            Unset::Assumed => _ = self.trace.assumed.get_or_insert_with(|| name.to_owned()),
        }
    }

    /// Leaves a hole, and the reason for it where it is the first.
    pub(super) fn hole(&mut self, cause: &str, out: &mut String) {
        self.trace.cause.get_or_insert_with(|| cause.to_owned());
        out.push(HOLE);
    }
}
