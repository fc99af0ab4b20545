//! cargo's messages as JSON, `--message-format json`: each has the text that rustc prints for people.

use serde_json::Value;

use super::{Dialect, Format, Line, Next, PendingFindings, rustc};

/// A message in each line.
pub(super) const FORMAT: Format = Format {
    id: rustc::FORMAT.id,
    triggers: &["{\"reason\":\"compiler-message\""],
    programs: &[],
    reader: || Box::new(Messages),
};

#[derive(Debug)]
struct Messages;

impl Dialect for Messages {
    fn read(&mut self, line: &Line<'_>, found: &mut PendingFindings) -> Next {
        if line.begins()
            && line.text.starts_with('{')
            && let Ok(message) = serde_json::from_str::<Value>(line.text)
            && let Some(text) = message.pointer("/message/rendered").and_then(Value::as_str)
        {
            let mut rustc = (rustc::FORMAT.reader)();
            for told in text.lines() {
                rustc.read(&line.with(told), found);
            }
            rustc.end(found);
        }
        Next::Trigger
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::trial::findings;

    /// As cargo 1.95 prints it, shortened.
    #[test]
    fn what_rustc_says_is_read() {
        let log = r#"{"reason":"compiler-message","package_id":"path+file:///w/cr#0.1.0","message":{"rendered":"error[E0308]: mismatched types\n --> src/main.rs:1:26\n  |\n1 | fn main() { let x: u32 = \"a\"; }\n  |                    ---   ^^^ expected `u32`, found `&str`\n  |                    |\n  |                    expected due to this\n\n","level":"error"}}
{"reason":"build-finished","success":false}
"#;
        assert_eq!(
            findings(&FORMAT, log),
            ["error src/main.rs:1:26 E0308 mismatched types\nexpected `u32`, found `&str` [1-1]"]
        );
        assert!(findings(&FORMAT, &log.replace("\"rendered\"", "\"other\"")).is_empty());
    }
}
