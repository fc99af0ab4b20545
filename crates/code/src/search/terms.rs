//! The words of a query, and all that may stand for each in a tool.

use std::collections::HashMap;

use strsim::osa_distance;

use super::meanings::{is_filler, other_ways, phrase, synonyms};
use super::weights;
use super::words::{split, stem};

/// A word of a query: the stems that stand for it, and how much each counts.
#[derive(Debug)]
pub(super) struct Term {
    pub(super) stems: Vec<(String, f64)>,
}

/// The stems that some tool has.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    /// The number of each stem.
    pub(super) stems: HashMap<String, usize>,
    /// The stems of the names of servers.
    pub(super) servers: Vec<String>,
}

/// The words of a query that say something, or all where none does.
pub(super) fn terms(query: &str, known: &Vocabulary) -> Vec<Term> {
    let words = split(query);
    let content = content(&words, known);
    let every = |words: &[String]| words.iter().map(|word| Term { stems: vec![(stem(word), 1.0)] }).collect();
    let mut terms = if content.is_empty() { every(&words) } else { content };
    let mut seen: Vec<String> = Vec::new();
    terms.retain(|term| {
        let own = &term.stems[0].0;
        let is_new = !seen.contains(own);
        seen.push(own.clone());
        is_new
    });
    for term in &mut terms {
        widen(term, known);
    }
    terms
}

/// A term for each word that says something, with the other ways to say it.
fn content(words: &[String], known: &Vocabulary) -> Vec<Term> {
    let mut terms: Vec<Term> = Vec::new();
    // Which term each word went to, if any.
    let mut of_word: Vec<Vec<usize>> = vec![Vec::new(); words.len()];
    let mut at = 0;
    while at < words.len() {
        if let Some((length, word)) = phrase(&words[at..]) {
            terms.push(Term { stems: vec![(stem(word), 1.0)] });
            at += length;
            continue;
        }
        let ways: Vec<_> = other_ways(&words[at..]).collect();
        let taken = ways.iter().map(|(length, _)| *length).max().unwrap_or(1);
        for (word, of) in words[at..at + taken].iter().zip(&mut of_word[at..]) {
            if !is_filler(word) {
                of.push(terms.len());
                terms.push(Term { stems: vec![(stem(word), 1.0)] });
            }
        }
        for (length, other) in ways {
            let of: Vec<usize> = of_word[at..at + length].iter().flatten().copied().collect();
            for (number, word) in other.split_whitespace().filter(|word| !is_filler(word)).enumerate() {
                match of.get(number).or(of.last()) {
                    Some(term) => terms[*term].stems.push((stem(word), weights::SHORT)),
                    None => terms.push(Term { stems: vec![(stem(word), 1.0)] }),
                }
            }
            // `virtual machine` is `vm` by both of its words.
            if !other.contains(' ') {
                for term in of.iter().skip(1) {
                    terms[*term].stems.push((stem(other), weights::SHORT));
                }
            }
        }
        at += taken;
    }
    // `to-do` is `todo`, `on call` is `oncall`.
    for (at, pair) in words.windows(2).enumerate() {
        let joined = stem(&pair.concat());
        if pair.iter().any(|word| word.len() == 1)
            || is_filler(&pair.concat())
            || !known.stems.contains_key(&joined)
        {
            continue;
        }
        let of: Vec<usize> = of_word[at].iter().chain(&of_word[at + 1]).copied().collect();
        for term in &of {
            terms[*term].stems.push((joined.clone(), 1.0));
        }
        if of.is_empty() {
            terms.push(Term { stems: vec![(joined, 1.0)] });
        }
    }
    terms
}

/// Adds synonyms to a term, and what its word is a slip or a beginning of.
fn widen(term: &mut Term, known: &Vocabulary) {
    let own = term.stems[0].0.clone();
    if !known.stems.contains_key(&own) && !synonyms(&own).any(|synonym| known.stems.contains_key(synonym)) {
        let slips = slips(&own, known);
        for slip in slips {
            term.stems.extend(
                synonyms(&slip).map(|synonym| (synonym.to_owned(), weights::SLIP * weights::SYNONYM)),
            );
            term.stems.push((slip, weights::SLIP));
        }
    }
    if own.len() >= 4 {
        let begun = known.servers.iter().filter(|server| server.starts_with(&own) && **server != own);
        term.stems.extend(begun.map(|server| (server.clone(), weights::SLIP)));
    }
    term.stems.extend(synonyms(&own).map(|synonym| (synonym.to_owned(), weights::SYNONYM)));
    term.stems.retain(|(stem, _)| known.stems.contains_key(stem) || *stem == own);
}

/// The known stems that a word is nearest to, or a beginning of.
fn slips(word: &str, known: &Vocabulary) -> Vec<String> {
    let length = word.chars().count();
    let allowed = match length {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    };
    let letters = letters(word);
    let mut nearest = allowed;
    let mut found: Vec<(usize, &str)> = Vec::new();
    for stem in known.stems.keys().map(String::as_str) {
        let is_begun = length >= 4 && stem.starts_with(word);
        // A change takes away one letter and brings another.
        let is_far = (letters ^ self::letters(stem)).count_ones() as usize > 2 * nearest
            || length.abs_diff(stem.chars().count()) > nearest;
        let off = match (is_begun, nearest, is_far) {
            (true, _, _) => 1,
            (_, 0, _) | (_, _, true) => continue,
            _ => osa_distance(word, stem),
        };
        if off <= allowed.max(1) && (is_begun || off <= nearest) {
            found.push((off, stem));
            if !is_begun {
                nearest = off;
            }
        }
    }
    let best = found.iter().map(|(off, _)| *off).min().unwrap_or(0);
    found.into_iter().filter(|(off, _)| *off == best).map(|(_, stem)| stem.to_owned()).collect()
}

/// The letters that a word has, as bits.
fn letters(word: &str) -> u32 {
    word.bytes().filter(u8::is_ascii_lowercase).fold(0, |bits, letter| bits | 1 << (letter - b'a'))
}
