//! The challenge of a response that refuses a request: `WWW-Authenticate` with the scheme `Bearer` (RFC 6750, RFC 9728).

use reqwest::header::{HeaderMap, WWW_AUTHENTICATE};
use serde::{Deserialize, Serialize};

/// The login that a server demands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::upstream) struct Challenge {
    /// The address of the metadata about the server as a protected resource.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) resource_metadata: Option<String>,
    /// The scopes that the request needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) scope: Option<String>,
    /// Whether the token was good, and its scopes were not enough.
    #[serde(skip)]
    pub(in crate::upstream) is_about_scope: bool,
}

impl Challenge {
    /// The challenge in these headers; an empty one where there is none.
    pub(in crate::upstream) fn of(headers: &HeaderMap) -> Self {
        let mut challenge = Self::default();
        let values = headers.get_all(WWW_AUTHENTICATE).iter().filter_map(|value| value.to_str().ok());
        for (scheme, name, value) in values.flat_map(parameters) {
            if !scheme.eq_ignore_ascii_case("bearer") {
                continue;
            }
            match name.to_ascii_lowercase().as_str() {
                "resource_metadata" => _ = challenge.resource_metadata.get_or_insert(value),
                "scope" => _ = challenge.scope.get_or_insert(value),
                "error" => challenge.is_about_scope |= value == "insufficient_scope",
                _ => {}
            }
        }
        challenge
    }
}

/// The parameters of all challenges in one header: scheme, name and value.
fn parameters(header: &str) -> Vec<(String, String, String)> {
    let (mut found, mut scheme, mut rest) = (Vec::new(), String::new(), header);
    loop {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        let end = rest.find(|letter: char| !is_token(letter)).unwrap_or(rest.len());
        if end == 0 {
            return found;
        }
        let word = &rest[..end];
        rest = rest[end..].trim_start_matches([' ', '\t']);
        // A name has `=` and a value behind it; a scheme has not, and `=` at the end of a token68 has no value.
        let Some(after) = rest.strip_prefix('=').filter(|_| !scheme.is_empty()) else {
            word.clone_into(&mut scheme);
            continue;
        };
        let (value, left) = value(after.trim_start_matches([' ', '\t']));
        found.push((scheme.clone(), word.to_owned(), value));
        rest = left.trim_start_matches(|letter| letter != ',');
    }
}

/// A token or a quoted string, and what is behind it.
fn value(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([',', ' ', '\t']).unwrap_or(text.len());
        return (text[..end].to_owned(), &text[end..]);
    };
    let (mut value, mut letters) = (String::new(), quoted.char_indices());
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return (value, &quoted[at + 1..]),
            '\\' => value.extend(letters.next().map(|(_, letter)| letter)),
            letter => value.push(letter),
        }
    }
    (value, "")
}

/// Whether a letter can be in a token (RFC 9110 §5.6.2), or in a token68.
fn is_token(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~/".contains(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(headers: &[&str]) -> Challenge {
        let mut map = HeaderMap::new();
        for header in headers {
            map.append(WWW_AUTHENTICATE, header.parse().unwrap());
        }
        Challenge::of(&map)
    }

    #[test]
    fn bearer_challenges_are_read_wherever_they_stand() {
        let challenge = |metadata: Option<&str>, scope: Option<&str>, is_about_scope: bool| Challenge {
            resource_metadata: metadata.map(str::to_owned),
            scope: scope.map(str::to_owned),
            is_about_scope,
        };
        for (headers, expected) in [
            (&["Bearer"][..], challenge(None, None, false)),
            (&[], challenge(None, None, false)),
            (
                &[r#"Bearer resource_metadata="https://a/b", scope="x y""#],
                challenge(Some("https://a/b"), Some("x y"), false),
            ),
            (
                &[r#"Basic realm="a, Bearer scope=\"no\"", bearer Scope=x , error="insufficient_scope""#],
                challenge(None, Some("x"), true),
            ),
            (
                &[
                    "Negotiate YII/abc==",
                    r#"Bearer error="invalid_token", error_description="a \"b\" c",resource_metadata = "https://m""#,
                ],
                challenge(Some("https://m"), None, false),
            ),
            (&[r#"Basic realm="x", scope="no""#], challenge(None, None, false)),
            (&[r#"Bearer scope="unclosed"#], challenge(None, Some("unclosed"), false)),
            (&["=,=\"", "Bearer ,,scope=,error=insufficient_scope"], challenge(None, Some(""), true)),
        ] {
            assert_eq!(of(headers), expected, "{headers:?}");
        }
    }
}
