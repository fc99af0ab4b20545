//! Texts between quotes, as build files in programming languages have them.

/// A call in a build file: `b.step("test", "Run the tests")`.
#[derive(Debug)]
pub(super) struct LiteralCall<'t> {
    /// The first argument.
    pub(super) name: &'t str,
    /// The second argument, where that is a literal too and not empty.
    pub(super) text: Option<&'t str>,
    /// The line that it begins in.
    pub(super) line: usize,
}

/// The text between the quotes with which this begins, blanks aside, and the rest behind it.
pub(super) fn literal(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let quote = text.chars().next().filter(|c| ['"', '\''].contains(c))?;
    text[1..].split_once(quote)
}

/// The calls of a function, named with its bracket, whose first argument is a literal. Calls behind `//` count as none.
pub(super) fn literal_calls<'t>(text: &'t str, function: &str) -> Vec<LiteralCall<'t>> {
    let call = |(at, _): (usize, &str)| {
        let line_before = text[..at].rsplit('\n').next().unwrap_or_default();
        let (name, rest) = literal(&text[at + function.len()..]).filter(|_| !line_before.contains("//"))?;
        let second = rest.trim_start().strip_prefix(',').and_then(literal);
        let second = second.map(|(second, _)| second).filter(|second| !second.is_empty());
        Some(LiteralCall { name, text: second, line: text[..at].matches('\n').count() + 1 })
    };
    text.match_indices(function).filter_map(call).collect()
}
