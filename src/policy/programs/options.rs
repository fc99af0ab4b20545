//! Options as programs read them: in every spelling.

use crate::model::Wrapped;

/// How a program reads options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// `--name=x`, `--name x`, any beginning of a name, and letters in a row.
    Gnu,
    /// The same without beginnings of names; capitals and dashes inside a name do not matter.
    Exact,
    /// `-name` and `--name`, no letters in a row.
    Single,
}

/// The words that a program may not be given, or the only ones that it may.
#[derive(Debug)]
pub(super) struct Rule {
    /// Programs, each with its command if the rule is for that alone: `git clone`.
    pub(super) programs: &'static [&'static str],
    pub(super) style: Style,
    /// Long options, without dashes.
    pub(super) long: &'static str,
    /// Letters of short options.
    pub(super) short: &'static str,
    /// Letters of short options whose value may be joined to them; further letters are no options.
    pub(super) stops: &'static str,
    /// The only options that pass, where there are more dangerous ones than harmless ones.
    pub(super) only: Option<&'static str>,
    /// The rule for words that are no options.
    pub(super) others: Others,
    pub(super) why: &'static str,
}

/// The rule for words that are no options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Others {
    /// Anything.
    Any,
    /// Anything but paths out of the folder, and files of further options.
    Inside,
    /// Nothing: they would be other tasks.
    None,
}

/// Reporters that are part of test runners; another name is a module that is loaded.
const REPORTERS: &str = "default verbose dot json junit tap tap-flat html list line spec min github github-actions basic tree \
                         blob nyan landing progress doc markdown xunit json-stream summary text text-summary lcov";

impl Rule {
    pub(super) fn is_for(&self, program: &str, command: Option<&str>) -> bool {
        self.programs.iter().any(|name| match name.split_once(' ') {
            Some((named, wanted)) => named == program && command == Some(wanted),
            None => *name == program,
        })
    }
}

/// The first word that a rule does not let through, and why.
pub(super) fn offends<'a>(rule: &Rule, wrapped: &Wrapped<'a>) -> Option<(&'a str, &'static str)> {
    let words = wrapped.words;
    words.iter().enumerate().find_map(|(at, word)| {
        let is_option = word.starts_with('-') && word.len() > 1;
        if !is_option {
            return Some((word.as_str(), other(rule.others, word)?));
        }
        let next = words.get(at + 1).map(String::as_str);
        let passes = match rule.only {
            Some(only) => is_listed(only, word),
            None => !is_refused(rule, word) || is_reporter(word, next),
        };
        (!passes).then_some((word.as_str(), rule.why))
    })
}

/// Why a word that is no option does not pass.
fn other(others: Others, word: &str) -> Option<&'static str> {
    match others {
        Others::None => Some("would be another task or goal"),
        Others::Inside if word.starts_with('@') => Some("may be a file of further options"),
        Others::Inside if word.starts_with(['/', '~']) => {
            Some("lies outside of the folder that the tool works in")
        }
        Others::Inside if word.split(['/', '\\']).any(|part| part == "..") => Some("climbs with `..`"),
        Others::Any | Others::Inside => None,
    }
}

fn is_listed(only: &str, word: &str) -> bool {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    only.split_ascii_whitespace().any(|option| option == name)
}

fn is_refused(rule: &Rule, word: &str) -> bool {
    let long = |name: &str| {
        let plain = plain(name);
        let first = plain.split('.').next().unwrap_or(&plain).to_owned();
        !plain.is_empty()
            && rule.long.split_ascii_whitespace().map(self::plain).any(|refused| match rule.style {
                Style::Gnu => refused.starts_with(&plain),
                Style::Exact | Style::Single => {
                    refused == plain || refused == first || plain.strip_prefix("no") == Some(&refused)
                }
            })
    };
    if let Some(name) = word.strip_prefix("--") {
        return long(name);
    }
    let letters = &word[1..];
    if rule.style == Style::Single {
        return long(letters) || letters.chars().next().is_some_and(|letter| rule.short.contains(letter));
    }
    for letter in letters.chars() {
        if rule.short.contains(letter) {
            return true;
        }
        if rule.stops.contains(letter) || !letter.is_ascii_alphanumeric() {
            return false;
        }
    }
    false
}

/// The name of an option without its value, dashes and capitals.
fn plain(name: &str) -> String {
    let name = name.split(['=', ':']).next().unwrap_or_default();
    name.chars().filter(|c| !matches!(c, '-' | '_')).collect::<String>().to_ascii_lowercase()
}

/// Whether an option only chooses a reporter that is part of the program.
fn is_reporter(word: &str, next: Option<&str>) -> bool {
    let (name, value) = word.split_once('=').map_or((word, next), |(name, value)| (name, Some(value)));
    let is_listed = |value: &str| REPORTERS.split_ascii_whitespace().any(|reporter| reporter == value);
    matches!(name, "--reporter" | "--reporters" | "-R") && value.is_some_and(is_listed)
}

pub(super) const LOADS: &str = "loads code or configuration that the tool does not, or writes elsewhere";
const UNLISTED: &str = "is no option that a call may pass to it";

/// A program that may not be given these options.
pub(super) const fn rule(
    programs: &'static [&'static str],
    style: Style,
    long: &'static str,
    (short, stops): (&'static str, &'static str),
    why: &'static str,
) -> Rule {
    Rule { programs, style, long, short, stops, only: None, others: Others::Any, why }
}

/// The same for a program that runs or loads the files that it is given.
pub(super) const fn inside(
    programs: &'static [&'static str],
    style: Style,
    long: &'static str,
    letters: (&'static str, &'static str),
) -> Rule {
    Rule { others: Others::Inside, ..rule(programs, style, long, letters, LOADS) }
}

/// A program that takes listed options alone.
pub(super) const fn only(programs: &'static [&'static str], options: &'static str, others: Others) -> Rule {
    Rule { only: Some(options), others, ..rule(programs, Style::Exact, "", ("", ""), UNLISTED) }
}
