//! The errors of linkers: GNU's, LLVM's and Apple's.

use super::super::{Line, place};
use super::words::ID;
use crate::model::path::base;
use crate::model::{Diagnostic, Location, Severity};

/// The finding that a line of a linker is.
pub(super) fn complaint(line: &Line<'_>) -> Option<Diagnostic> {
    let finding = |severity, message: &str| Diagnostic::new(severity, message, line.log, ID);
    let words = [": undefined reference to ", ": multiple definition of "];
    let complains = |rest: &str| words.iter().any(|words| rest.starts_with(words));
    if let Some((at, _)) = line.text.match_indices(':').find(|(at, _)| complains(&line.text[*at..])) {
        let (at, message) = (&line.text[..at], &line.text[at + 2..]);
        let quoted = message.contains(['`', '\'', '‘', '"', '«', '„']);
        let from = without_linker(at).unwrap_or(at);
        let place = place_of(from.strip_suffix(": error").unwrap_or(from));
        return quoted.then(|| Diagnostic { place, ..finding(Severity::Error, message) });
    }
    if let Some(symbol) =
        line.text.strip_prefix("  \"").and_then(|text| text.strip_suffix("\", referenced from:"))
    {
        return Some(finding(Severity::Error, &format!("undefined symbol: {symbol}")));
    }
    let text = without_linker(line.text)?;
    let warning = text.strip_prefix("warning: ").or_else(|| Some(text.split_once(": warning: ")?.1));
    if let Some(warning) = warning {
        return Some(finding(Severity::Warning, warning));
    }
    let text = text.strip_prefix("error: ").unwrap_or(text);
    (!goes_on(text)).then(|| finding(Severity::Error, text))
}

/// Whether a linker says where something is, or says once more that it failed.
fn goes_on(text: &str) -> bool {
    let begins = [
        "final link failed",
        "symbol(s) not found for architecture",
        "skipping incompatible ",
        "note: ",
        "NOTE: ",
        "in function ",
    ];
    let holds = [": in function ", ": error adding symbols", ": In function "];
    // Programs print their own name, and the names of their files, with the same beginning.
    let talks = !text.contains(' ');
    talks
        || begins.iter().any(|begin| text.starts_with(begin))
        || holds.iter().any(|inner| text.contains(inner))
}

/// The text behind `/usr/bin/ld: `, or behind the names of other linkers.
fn without_linker(text: &str) -> Option<&str> {
    let (program, rest) = text.split_once(": ")?;
    let name = base(program);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let known = ["ld", "ld.bfd", "ld.gold", "ld.lld", "ld64.lld", "wasm-ld"];
    let fits = known.contains(&name) || name.strip_suffix("-ld").is_some_and(|target| !target.contains(' '));
    // No command line: names of folders may hold blanks, but then it begins with one.
    (fits && (!program.contains(' ') || program.starts_with(['/', 'C']))).then_some(rest)
}

/// The place of a missing symbol: `main.c:(.text+0xa)`, `main.o:main.c:(.text+0xa)`, or `main.c:3`. A name
/// that the compiler made up is no place.
fn place_of(text: &str) -> Option<Location> {
    if let Some(place) = place::whole(text).filter(|place| place.column.is_none()) {
        return Some(place);
    }
    let text = text.rsplit_once(":(").map_or(text, |(name, _)| name);
    let text = text.rsplit_once(":function ").map_or(text, |(name, _)| name);
    let name = match text.split_once(".o:") {
        Some((_, source)) => source,
        None => text,
    };
    let ending = name.rsplit_once('.').map(|(_, ending)| ending)?;
    let object = matches!(ending, "o" | "a" | "so" | "obj" | "lo") || ending.contains([')', '/']);
    let file = place::file(name).filter(|name| !object && !name.starts_with(['<', '(']))?;
    Some(Location::file(file))
}

/// LLVM's linker prints the references to a symbol behind it: `referenced by main.c:3 (/a/main.c:3)`.
pub(super) fn referenced(text: &str, open: Option<&mut Diagnostic>) {
    let place = ["referenced by ", "defined at "].iter().find_map(|words| {
        let named = text.strip_prefix(words)?;
        place::whole(named.split_once(" (").map_or(named, |(name, _)| name))
    });
    if let Some(open) = open.filter(|open| open.place.is_none()) {
        open.place = place;
    }
}
