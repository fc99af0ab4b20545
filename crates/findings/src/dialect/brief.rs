//! The message of a finding for a reader who pays for each word: all that differs from message to message, and nothing
//! that a tool writes below each.

/// The beginnings of lines that are the same for every finding of their kind.
const ADVICE: &[&str] = &[
    "If this is a long-running test, pass a timeout value",
    "Add a timeout value to this test to increase the timeout",
    "You may need an appropriate loader to handle this file type",
    "You may need an additional loader to handle the result of these loaders",
    "File was parsed as module type ",
    "Jest encountered an unexpected token",
    "Looks like Playwright was just installed or updated.",
    "<3 Playwright Team",
    // Of rustc, without the source below it.
    "note: function defined here",
    "note: associated function defined here",
    "note: method defined here",
    "not found in this scope",
    "unknown field",
    "method not found in ",
];

/// The comments behind the matchers of Jest, Vitest and Playwright.
const COMMENTS: &[&str] = &[" // Object.is equality", " // deep equality"];

/// The first line and those below it, each without its line feed. `file` is the file that the finding names.
pub fn brief(message: &str, file: Option<&str>) -> Vec<String> {
    let mut lines: Vec<&str> = message.lines().collect();
    if lines.len() > 1 && lines.first().is_some_and(|first| Some(*first) == file) {
        lines.remove(0);
    }
    let (first, below) = lines.split_first().map_or(("", &[][..]), |(first, below)| (*first, below));
    let kept = below.iter().map(|line| line.trim_end());
    let kept = kept.filter(|line| !is_advice(line) && !is_legend(line) && says_something(line));
    let mut brief = vec![matcher(first)];
    brief.extend(kept.map(matcher));
    if let Some(shorter) = without_difference(&brief) {
        brief.truncate(shorter);
    }
    brief
}

fn is_advice(line: &str) -> bool {
    let text = line.trim_matches(|c: char| c.is_whitespace() || c == '║');
    ADVICE.iter().any(|advice| text.starts_with(advice))
}

/// A bracket alone says nothing, and that lines are left out does.
fn says_something(line: &str) -> bool {
    line.contains(|c: char| c.is_alphanumeric() || c == '…')
}

/// `- Expected  - 2`, `+ Received`: what the signs mean, as everywhere.
fn is_legend(line: &str) -> bool {
    let rest = ["- Expected", "+ Received", "- Snapshot"].iter().find_map(|legend| line.strip_prefix(legend));
    rest.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || " +-".contains(c)))
}

/// `expect(received).not.toBe(expected) // Object.is equality` is `not.toBe`.
fn matcher(line: &str) -> String {
    let line = COMMENTS.iter().find_map(|comment| line.strip_suffix(comment)).unwrap_or(line);
    let Some((before @ ("" | "Error: "), call)) = line.split_once("expect(received).") else {
        return line.to_owned();
    };
    let name = call.strip_suffix("(expected)").or_else(|| call.strip_suffix("()"));
    match name.filter(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '.')) {
        Some(name) => name.to_owned(),
        None => format!("{before}expect(received).{call}"),
    }
}

/// How many lines say the same without the difference at the end: `expected 3 to be 4` has both of its values.
fn without_difference(lines: &[String]) -> Option<usize> {
    let [.., reason, minus, plus] = lines else { return None };
    let (expected, received) = (minus.strip_prefix("- ")?.trim(), plus.strip_prefix("+ ")?.trim());
    let rest = reason.split_once("expected ")?.1;
    let has_both = rest.starts_with(received) && rest.ends_with(expected);
    (has_both && received.len() + expected.len() < rest.len()).then_some(lines.len() - 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(message: &str) -> String {
        brief(message, Some("a.test.ts")).join("|")
    }

    #[test]
    fn a_difference_that_its_sentence_has_is_left_out() {
        let vitest = "tide > is high\nAssertionError: expected 3 to be 4 // Object.is equality\n- Expected\n+ Received\n- 4\n+ 3";
        assert_eq!(told(vitest), "tide > is high|AssertionError: expected 3 to be 4");
        let deep = "x\nAssertionError: expected { a: 1 } to deeply equal { a: 2 }\n- Expected\n+ Received\n  {\n-   \"a\": 2,\n+   \"a\": 1,";
        assert_eq!(
            told(deep),
            "x|AssertionError: expected { a: 1 } to deeply equal { a: 2 }|-   \"a\": 2,|+   \"a\": 1,"
        );
    }

    #[test]
    fn matchers_are_named_alone() {
        assert_eq!(
            told("t\nexpect(received).not.toBe(expected) // Object.is equality\nExpected: not \"x\""),
            "t|not.toBe|Expected: not \"x\""
        );
        assert_eq!(told("t\nError: expect(received).toEqual(expected) // deep equality"), "t|toEqual");
        let other = "t\nexpect(jest.fn()).toHaveBeenCalledWith(...expected)";
        assert_eq!(told(other), other.replace('\n', "|"));
        let own = "t\nexpect(received).toBe(expected) is what it says";
        assert_eq!(told(own), own.replace('\n', "|"));
    }

    #[test]
    fn what_differs_from_message_to_message_stays() {
        assert_eq!(told("a.test.ts\nError: no"), "Error: no");
        assert_eq!(told("a.test.ts"), "a.test.ts");
        assert_eq!(
            told("mismatched types\nexpected `u32`, found `&str`\nhelp: try `x`"),
            "mismatched types|expected `u32`, found `&str`|help: try `x`"
        );
        assert_eq!(told("t\n- Expected more\n+ Received less"), "t|- Expected more|+ Received less");
    }
}
