//! The places that secrets are known from: the environment, `.env` files and settings.

use super::names;
use super::public_values::{self, Judged};

/// Of variables of the environment, those that hold secrets: by their names, or a password within an address.
pub fn of_environment<'v>(variables: impl Iterator<Item = (&'v str, &'v str)>) -> Vec<(String, String)> {
    let secret = |(name, value): (&str, &str)| {
        let is_secret = names::looks_secret(name) && !public_values::is_path(value);
        let value = if is_secret { value } else { names::password_in_address(value)? };
        Some((name.to_owned(), value.to_owned()))
    };
    variables.filter_map(secret).collect()
}

/// The secret values of a `.env` file: all but everyday ones such as that of `NODE_ENV`. Of an address
/// without another secret, only the password.
pub fn of_dotenv(text: &str) -> Vec<(String, String)> {
    dotenv(text).into_iter().flat_map(|(name, value)| secret_of(name, value)).collect()
}

fn secret_of(name: String, value: String) -> Vec<(String, String)> {
    match public_values::judge(&name, &value) {
        Judged::Everyday => Vec::new(),
        Judged::Password(password) => vec![(name, password)],
        Judged::Secret => {
            let password =
                names::password_in_address(&value).map(|password| (name.clone(), password.to_owned()));
            std::iter::once((name, value)).chain(password).collect()
        }
    }
}

/// The same for variables whose values come from settings. Paths and variables of every login are no secrets.
pub fn of_settings<'v>(variables: impl Iterator<Item = (&'v str, &'v str)>) -> Vec<(String, String)> {
    const OF_LOGIN: [&str; 10] =
        ["HOME", "HOSTNAME", "LANG", "LOGNAME", "PATH", "PWD", "SHELL", "TERM", "TMPDIR", "USER"];
    let candidates =
        variables.filter(|(name, value)| !OF_LOGIN.contains(name) && !public_values::is_path(value));
    candidates.flat_map(|(name, value)| secret_of(name.to_owned(), value.to_owned())).collect()
}

/// Reads `NAME=value` lines: `export` in front, quotes around, comments behind; quoted values may have several lines.
fn dotenv(text: &str) -> Vec<(String, String)> {
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
    fn values_that_settings_have_are_hidden_but_for_paths_and_what_a_login_sets() {
        let variables = [
            ("API_VALUE", "hush-hush-9000"),
            ("HOME", "/home/somebody"),
            ("TOOLS", "/opt/tools/bin"),
            ("USER", "somebody-else"),
            ("NODE_ENV", "production"),
        ];
        let hidden: Vec<String> =
            of_settings(variables.into_iter()).into_iter().map(|(name, _)| name).collect();
        assert_eq!(hidden, ["API_VALUE"]);
    }

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
