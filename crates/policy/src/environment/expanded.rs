//! The places of a tool's own text in which a variable of a call would choose a program or an option.

use crate::shell::{ShellCommand, commands};
use crate::words::assignment;

/// Programs whose first argument is a program as well.
const RUN_THEIR_WORD: [&str; 18] = [
    "node", "bun", "deno", "tsx", "ts-node", "python", "python3", "ruby", "perl", "php", "sh", "bash", "zsh",
    "exec", "eval", "source", ".", "make",
];

/// Whether a variable with this value chooses a program or an option where a text puts it in.
pub(super) fn chooses(text: &str, name: &str, value: &str) -> bool {
    let is_option = value.split_whitespace().any(|word| word.starts_with('-'));
    let sets = |part: &str| assignment(part).is_some_and(|(_, value)| mentions(value, name));
    let is_whole = |line: &&str| {
        line.split_once('=').is_some_and(|(left, _)| {
            left.trim_end_matches([':', '+', '?', '!']).split_whitespace().count() == 1
        })
    };
    let mut parts =
        text.lines().map(str::trim).filter(is_whole).chain(text.split([' ', '\t', '\n', ';', '&', '|', '(']));
    mentions(text, name)
        && (parts.any(sets) || commands(text).iter().any(|command| is_in(command, name, is_option)))
}

fn is_in(command: &ShellCommand, name: &str, is_option: bool) -> bool {
    let words = &command.words;
    words.iter().enumerate().any(|(at, word)| {
        let behind_option = at > 0 && words[at - 1].starts_with('-') && !words[at - 1].contains('=');
        let runs_it = || {
            let first = words[1..].iter().position(|word| !word.starts_with('-'));
            RUN_THEIR_WORD.contains(&command.program()) && first.is_some_and(|first| first + 1 == at)
        };
        mentions(word, name) && (at == 0 || is_option || word.starts_with('-') || behind_option || runs_it())
    })
}

/// Whether a text puts in a variable: `$X`, `${X:-y}`, `%X%`, and make's `$(X)`.
fn mentions(text: &str, name: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_');
    text.match_indices(name).any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + name.len()..]);
        let opening = before.trim_end_matches(['{', '(', '#', '!', '"']);
        opening.ends_with('$') && ends(behind) || before.ends_with('%') && behind.starts_with('%')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_chooses_where_a_program_or_an_option_stands() {
        for (text, chosen) in [
            ("$X .", true),
            ("${X:-eslint} .", true),
            ("a && $(X)/bin/tool", true),
            ("%X% .", true),
            ("cross-env A=b $X", true),
            ("node $X", true),
            ("node --trace-warnings ${X}", true),
            ("eslint -c $X .", true),
            ("eslint --config=$X .", true),
            ("A=$X jest", true),
            ("FLAGS := $(X)\n\tcc $(FLAGS)", true),
            ("echo $X", false),
            ("node x.js $X", false),
            ("jest \"src/$X\"", false),
            ("jest $XY", false),
            ("echo X", false),
            ("", false),
        ] {
            assert_eq!(chooses(text, "X", "evil"), chosen, "{text}");
        }
        assert!(chooses("eslint src/$X", "X", "a -c evil.js"));
        assert!(chooses("eslint $$X", "X", "--config=evil.js"));
        assert!(!chooses("eslint $$X", "X", "a.js b.js"));
    }
}
