//! `oauth:` of an MCP server's entry: how cuff presents itself where the server wants a login.

use serde_json::{Map, Value};

use super::fields::OAUTH;

/// The keys, each with other spellings that `.mcp.json` files of other clients have.
const KEYS: [(&str, &[&str]); 6] = [
    ("client_id", &["clientId"]),
    ("client_secret", &["clientSecret"]),
    ("client_metadata_url", &["clientMetadataUrl"]),
    ("issuer", &[]),
    ("scope", &[]),
    ("redirect_port", &["redirectPort", "callbackPort"]),
];

/// How cuff presents itself to the authorization server of an MCP server. All of it may be left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OAuth {
    /// The id of a client that was registered by hand.
    pub client_id: Option<String>,
    /// Its secret, if it has one.
    pub client_secret: Option<String>,
    /// The address of a client id metadata document, for authorization servers that read one.
    pub client_metadata_url: Option<String>,
    /// The one authorization server that the client is registered with.
    pub issuer: Option<String>,
    /// The scopes to ask for, separated by spaces, in place of those that the server names.
    pub scope: Option<String>,
    /// The port of this machine that the browser is sent back to; a free one where it is left out.
    pub redirect_port: Option<u16>,
}

impl OAuth {
    /// Reads checked pairs.
    pub(super) fn read<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut read = Self::default();
        for (name, value) in pairs {
            let value = Some(value.to_owned()).filter(|value| !value.is_empty());
            match canonical(name) {
                Some("client_id") => read.client_id = value,
                Some("client_secret") => read.client_secret = value,
                Some("client_metadata_url") => read.client_metadata_url = value,
                Some("issuer") => read.issuer = value,
                Some("scope") => read.scope = value,
                Some("redirect_port") => read.redirect_port = value.and_then(|value| value.parse().ok()),
                Some(_) | None => {}
            }
        }
        read
    }

    /// Whether a key below `oauth` is known.
    pub fn knows(name: &str) -> bool {
        canonical(name).is_some()
    }

    /// The pairs again, for comparisons.
    pub(super) fn pairs(&self) -> Vec<(&'static str, String)> {
        let port = self.redirect_port.map(|port| port.to_string());
        let texts = [
            ("client_id", &self.client_id),
            ("client_secret", &self.client_secret),
            ("client_metadata_url", &self.client_metadata_url),
            ("issuer", &self.issuer),
            ("scope", &self.scope),
            ("redirect_port", &port),
        ];
        texts.into_iter().filter_map(|(name, text)| Some((name, text.clone()?))).collect()
    }
}

/// Puts a port that is written as a number into quotes: all values below `oauth` are texts.
pub(crate) fn quote_port(values: &mut Map<String, Value>) {
    for (name, value) in values.get_mut(OAUTH.name).and_then(Value::as_object_mut).into_iter().flatten() {
        if value.is_u64() && canonical(name) == Some("redirect_port") {
            *value = Value::String(value.to_string());
        }
    }
}

/// The requirement that a pair fails to meet. `value` is `None` while it is the value of a variable.
pub(super) fn must_be(name: &str, value: Option<&str>) -> Option<&'static str> {
    let is_https = |value: &str| value.len() > 8 && value.starts_with("https://");
    let fits = |check: &dyn Fn(&str) -> bool| value.is_none_or(check);
    match canonical(name) {
        None => Some("one of client_id, client_secret, client_metadata_url, issuer, scope, redirect_port"),
        Some("client_metadata_url") => {
            (!fits(&is_https)).then_some("the address of a document, which begins with https://")
        }
        Some("redirect_port") => {
            let is_port = |value: &str| value.parse::<u16>().is_ok_and(|port| port > 0);
            (!fits(&is_port)).then_some("the number of a port, from 1 to 65535")
        }
        Some(_) => {
            let is_plain = |value: &str| !value.chars().any(char::is_control);
            (!fits(&is_plain)).then_some("a text in one line")
        }
    }
}

fn canonical(name: &str) -> Option<&'static str> {
    let is_it = |(key, others): &&(&'static str, &[&str])| *key == name || others.contains(&name);
    KEYS.iter().find(is_it).map(|(key, _)| *key)
}
