//! The names and values of a `.env` file, as the programs that read such files take them.

/// Reads `NAME=value` lines: `export` in front, quotes around, comments behind; quoted values may have several lines.
pub(super) fn dotenv(text: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let line = line.trim_start();
        let line = line.strip_prefix("export ").unwrap_or(line);
        let Some((name, value)) = line.split_once('=') else { continue };
        let (name, value) = (name.trim(), value.trim());
        if name.is_empty() || name.starts_with('#') || name.contains(char::is_whitespace) {
            continue;
        }
        let quoted = value.chars().next().filter(|first| matches!(first, '"' | '\'' | '`'));
        let value = match quoted {
            None => value.split(" #").next().unwrap_or_default().trim_end().to_owned(),
            Some(mark) => {
                let mut whole = value[1..].to_owned();
                while !whole.contains(mark) {
                    let Some(more) = lines.next() else { break };
                    whole.push('\n');
                    whole.push_str(more);
                }
                let inner = whole.split(mark).next().unwrap_or_default();
                if mark == '"' { inner.replace("\\n", "\n") } else { inner.to_owned() }
            }
        };
        pairs.push((name.to_owned(), value));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_without_quotes_and_comments() {
        let text = "# comment = no\nA=one two # three\nexport B = \"quo=ted # x\" # y\nC='it\\n'\nD=\"first\nsecond\"\nE=\nno line\nF=\"a\\nb\"\n G=`g`";
        let pairs: Vec<String> =
            dotenv(text).into_iter().map(|(name, value)| format!("{name}={value:?}")).collect();
        assert_eq!(
            pairs.join(" "),
            r#"A="one two" B="quo=ted # x" C="it\\n" D="first\nsecond" E="" F="a\nb" G="g""#
        );
    }
}
