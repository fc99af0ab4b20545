//! Patterns in which nothing but `*` stands for other text: the commonest ones, matched without a regular expression.

/// A pattern of literal text and `*`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wildcard {
    /// The text before the first `*`, or all of it.
    front: String,
    /// The texts behind each `*`; the last one ends the name.
    behind: Vec<String>,
}

impl Wildcard {
    /// The pattern, unless something else in it has a meaning of its own.
    pub fn of(pattern: &str) -> Option<Self> {
        let is_plain = !pattern.contains(['?', '[', ']', '{', '}']) && !pattern.contains("**");
        is_plain.then(|| {
            let mut parts = pattern.split('*').map(str::to_owned);
            Self { front: parts.next().unwrap_or_default(), behind: parts.collect() }
        })
    }

    /// Whether it matches the whole name.
    pub fn matches(&self, name: &str) -> bool {
        let Some(mut rest) = name.strip_prefix(self.front.as_str()) else { return false };
        let Some((last, inner)) = self.behind.split_last() else { return rest.is_empty() };
        for part in inner {
            match rest.find(part.as_str()) {
                Some(at) => rest = &rest[at + part.len()..],
                None => return false,
            }
        }
        rest.ends_with(last.as_str())
    }
}

#[cfg(test)]
mod tests {
    use globset::GlobBuilder;

    use super::*;

    #[test]
    fn it_matches_as_a_glob_does() {
        let patterns =
            ["", "*", "a", "a*", "*a", "*a*", "a*a", "a*b*a", "*.sh", "a/*", "ä*", "*\\*", "a*aa*a"];
        let names =
            ["", "a", "aa", "aba", "aaaa", "ab", "ba", ".sh", "x.sh", "a/b", "a\nb", "äb", "x\\y", "abab"];
        for pattern in patterns {
            let glob = GlobBuilder::new(pattern).literal_separator(false).backslash_escape(false).build();
            let glob = glob.unwrap().compile_matcher();
            let own = Wildcard::of(pattern).unwrap();
            for name in names {
                assert_eq!(own.matches(name), glob.is_match(name), "{pattern:?} and {name:?}");
            }
        }
    }

    #[test]
    fn other_patterns_are_left_to_others() {
        for pattern in ["a?", "[a]", "{a,b}", "**", "a**b", "]", "}"] {
            assert_eq!(Wildcard::of(pattern), None, "{pattern}");
        }
    }
}
