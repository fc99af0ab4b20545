//! Lists of fnmatch patterns: `test-*`, `[!_]*`; `*` matches every character, as in Python's fnmatch.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::wildcard::Wildcard;
use super::{ErrorCode, Field, Problem, nearest, shown};

/// Patterns that a name is matched against.
#[derive(Debug, Clone)]
pub struct Patterns {
    simple: Vec<Wildcard>,
    others: GlobSet,
}

/// A pattern that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, Hash, thiserror::Error)]
#[error("pattern `{pattern}`: {reason}")]
pub struct BadPattern {
    /// As it was written.
    pub pattern: String,
    /// The reason why it cannot be parsed.
    pub reason: String,
}

impl BadPattern {
    /// The problem for this pattern under a key of the settings; `effect` is its effect on the tools.
    pub fn problem(&self, key: &Field, effect: &str) -> Problem {
        Problem::error(ErrorCode::InvalidPattern, format!("{}: {self}; {effect}", key.name)).help(
            "write it as for fnmatch: * any text, ? one character, [abc] one of these, [!abc] none of these",
        )
    }
}

impl Patterns {
    /// Parses patterns. Returns the bad ones separately.
    pub fn new<'a>(patterns: impl IntoIterator<Item = &'a str>) -> (Self, Vec<BadPattern>) {
        let (mut simple, mut set) = (Vec::new(), GlobSetBuilder::new());
        let mut bad = Vec::new();
        let mut fail = |pattern: &str, error: &globset::Error| {
            bad.push(BadPattern { pattern: pattern.into(), reason: error.kind().to_string() });
        };
        for pattern in patterns {
            if let Some(wildcard) = Wildcard::of(pattern) {
                simple.push(wildcard);
                continue;
            }
            match GlobBuilder::new(&escaped(pattern)).literal_separator(false).backslash_escape(false).build()
            {
                Ok(glob) => _ = set.add(glob),
                Err(error) => fail(pattern, &error),
            }
        }
        let others = set.build().unwrap_or_else(|error| {
            fail("all together", &error);
            GlobSet::empty()
        });
        (Self { simple, others }, bad)
    }

    /// The problem for a pattern that matches none of the names; `effect` is the consequence.
    pub fn idle<'a>(
        key: &Field,
        pattern: &str,
        effect: &str,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Problem {
        let what = format!("`{}` has `{}`, which means {effect}", key.name, shown(pattern));
        let help = nearest(pattern, names).map_or_else(
            || "correct it, or take it out of the settings".to_owned(),
            |meant| format!("did you mean `{}`?", shown(meant)),
        );
        Problem::warning(what).numbered(ErrorCode::InvalidPattern).help(help)
    }

    /// A problem for each plain name among patterns that does not exist; `so` is the missing effect.
    pub fn idle_names(key: &Field, patterns: &[&str], names: &[&str], noun: &str, so: &str) -> Vec<Problem> {
        let is_idle = |pattern: &&str| !pattern.contains(['*', '?', '[']) && !names.contains(pattern);
        let effect = format!("no {noun}, so that it {so}");
        let idle = patterns.iter().copied().filter(is_idle);
        idle.map(|pattern| Self::idle(key, pattern, &effect, names.iter().copied())).collect()
    }

    /// Whether there are none, so that they match no name.
    pub fn is_empty(&self) -> bool {
        self.simple.is_empty() && self.others.is_empty()
    }

    /// Whether any pattern matches the whole name.
    pub fn matches(&self, name: &str) -> bool {
        let is_other = || !self.others.is_empty() && self.others.is_match(name);
        self.simple.iter().any(|pattern| pattern.matches(name)) || is_other()
    }
}

/// fnmatch knows no braces, and takes a `[` that is never closed as itself; globset has braces and refuses that.
fn escaped(pattern: &str) -> String {
    let mut out = String::new();
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        let close = class_end(rest);
        match (first, close) {
            ('{', _) => out.push_str("[{]"),
            ('}', _) => out.push_str("[}]"),
            ('[', None) => out.push_str("[[]"),
            ('[', Some(end)) => {
                out.push_str(&rest[..end]);
                rest = &rest[end..];
                continue;
            }
            _ => out.push(first),
        }
        rest = &rest[first.len_utf8()..];
    }
    out
}

/// The end of the character class that `rest` starts with; a `]` right after `[` or `[!` is a member.
fn class_end(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('[')?;
    let skip = usize::from(inner.starts_with('!'));
    let skip = skip + usize::from(inner[skip..].starts_with(']'));
    inner[skip..].find(']').map(|at| at + skip + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matched(pattern: &str, names: &[&str]) -> String {
        let (patterns, bad) = Patterns::new([pattern]);
        assert_eq!(bad, []);
        names.iter().copied().filter(|name| patterns.matches(name)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn as_fnmatch_does() {
        let names = ["test", "test:unit", "te/st", "a{b}", "[x", "_t", "-", "tEst"];
        for (pattern, expected) in [
            ("*", "test test:unit te/st a{b} [x _t - tEst"),
            ("test*", "test test:unit"),
            ("te?st", "te/st"),
            ("t[eE]st", "test tEst"),
            ("[!_t]*", "a{b} [x -"),
            ("a{b}", "a{b}"),
            ("[x", "[x"),
            ("**st", "test te/st tEst"),
            ("[]-]", "-"),
        ] {
            assert_eq!(matched(pattern, &names), expected, "{pattern}");
        }
    }

    #[test]
    fn a_range_the_wrong_way_round_is_named() {
        let (_, bad) = Patterns::new(["ok", "[z-a]"]);
        assert_eq!(bad[0].pattern, "[z-a]");
    }
}
