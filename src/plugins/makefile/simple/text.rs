//! The functions that know nothing but their arguments: words and paths in, words out.

use std::collections::HashSet;

use super::scan::around_percent;
use super::variables::HOLE;
use super::words::{each, file, folder, joined, stem, substituted, suffix_place, words};

/// The cost of a function, in bytes of text: its result may be far longer than its arguments.
pub(super) fn cost(name: &str, arguments: &[&str]) -> usize {
    let given = arguments.iter().map(|text| text.len()).sum::<usize>();
    let more = match (name, arguments) {
        ("addprefix" | "addsuffix", [each, text]) | ("patsubst", [_, each, text]) => {
            each.len().saturating_mul(words(text).count())
        }
        ("subst", [from, to, text]) if !from.is_empty() => {
            to.len().saturating_mul(text.matches(from).count())
        }
        // Each pattern is held against each word, which is quickly done.
        ("filter" | "filter-out", [patterns, text]) => {
            let patterns = words(patterns).filter(|pattern| pattern.contains('%'));
            patterns.count().saturating_mul(words(text).count()) / 8
        }
        _ => 0,
    };
    given.saturating_add(more)
}

/// The result of a function that depends on its arguments alone; `None` if a hole decides it.
pub(super) fn of_words(name: &str, arguments: &[&str]) -> Option<String> {
    let holed = |text: &str| text.contains(HOLE);
    Some(match (name, arguments) {
        ("strip", [text]) => joined(words(text)),
        ("subst", [from, to, text]) if !holed(from) => subst(from, to, text),
        ("patsubst", [from, to, text]) if !holed(from) => substituted(from, to, text),
        ("addprefix", [prefix, text]) => each(text, |word| format!("{prefix}{word}")),
        ("addsuffix", [suffix, text]) => each(text, |word| format!("{word}{suffix}")),
        ("dir", [text]) => each(text, |word| if holed(word) { HOLE.into() } else { folder(word).to_owned() }),
        ("notdir", [text]) => {
            each(text, |word| if holed(word) { HOLE.into() } else { file(word).to_owned() })
        }
        ("suffix", [text]) => joined(words(text).filter_map(|word| match suffix_place(word) {
            _ if holed(word) => Some("\0"),
            place => place.map(|place| &word[place..]),
        })),
        ("basename", [text]) => each(text, |word| {
            if holed(word) {
                HOLE.into()
            } else {
                word[..suffix_place(word).unwrap_or(word.len())].to_owned()
            }
        }),
        ("filter" | "filter-out", [patterns, text]) => filter(name == "filter", patterns, text),
        ("sort", [text]) => {
            let mut sorted: Vec<&str> = words(text).collect();
            sorted.sort_unstable();
            sorted.dedup();
            joined(sorted)
        }
        ("findstring", [wanted, text]) if !holed(wanted) => match text.contains(wanted) {
            true => (*wanted).to_owned(),
            false if holed(text) => return None,
            false => String::new(),
        },
        ("firstword", [text]) => words(text).next().unwrap_or_default().to_owned(),
        ("lastword", [text]) => words(text).last().unwrap_or_default().to_owned(),
        ("words", [text]) if !holed(text) => words(text).count().to_string(),
        ("word", [place, text]) if !holed(text) => {
            let place: usize = place.trim().parse().ok()?;
            words(text).nth(place.checked_sub(1)?).unwrap_or_default().to_owned()
        }
        ("wordlist", [from, to, text]) if !holed(text) => {
            let (from, to): (usize, usize) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
            joined(words(text).take(to).skip(from.checked_sub(1)?))
        }
        ("join", [left, right]) if !holed(left) && !holed(right) => {
            let (mut left, mut right) = (words(left), words(right));
            let mut out = Vec::new();
            loop {
                match (left.next(), right.next()) {
                    (None, None) => break,
                    (a, b) => out.push(format!("{}{}", a.unwrap_or_default(), b.unwrap_or_default())),
                }
            }
            joined(out.iter().map(String::as_str))
        }
        _ => return None,
    })
}

fn subst(from: &str, to: &str, text: &str) -> String {
    if from.is_empty() { format!("{text}{to}") } else { text.replace(from, to) }
}

/// The words that match any of the patterns, or none; where holes leave that open, a hole.
fn filter(keep: bool, patterns: &str, text: &str) -> String {
    let mut whole = HashSet::new();
    let mut parts = Vec::new();
    for pattern in words(patterns).filter(|pattern| !pattern.contains(HOLE)) {
        match around_percent(pattern) {
            Err(word) => _ = whole.insert(word),
            Ok(part) => parts.push(part),
        }
    }
    let matches = |word: &str| {
        whole.contains(word) || parts.iter().any(|(before, behind)| stem(word, before, behind).is_some())
    };
    let open = patterns.contains(HOLE);
    let kept = words(text).filter_map(|word| match (word.contains(HOLE), matches(word)) {
        (true, _) => Some("\0"),
        (false, true) => keep.then_some(word),
        (false, false) if open => Some("\0"),
        (false, false) => (!keep).then_some(word),
    });
    joined(kept)
}
