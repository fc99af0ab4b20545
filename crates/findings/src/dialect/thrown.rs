//! The first line of a JavaScript error: `TypeError: …`, `Error [ERR_X]: …`.

/// Whether a text begins with the class of an error.
pub(super) fn is_error(text: &str) -> bool {
    text.split_once(": ").is_some_and(|(name, _)| {
        let class = match name.split_once(" [") {
            Some((class, code)) if code.ends_with(']') => class,
            _ => name,
        };
        class.ends_with("Error") && class.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes() {
        for (text, expected) in [
            ("Error: x", true),
            ("TypeError: x: y", true),
            ("Error [ERR_MODULE_NOT_FOUND]: x", true),
            ("Type error: x", false),
            ("an Error: x", false),
            ("Errors: x", false),
            ("Error:", false),
        ] {
            assert_eq!(is_error(text), expected, "{text}");
        }
    }
}
