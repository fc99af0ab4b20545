//! The metadata about a server as a protected resource (RFC 9728): its authorization servers and its scopes.

use reqwest::Url;
use serde_json::Value;

use super::challenge::Challenge;
use super::web::{Web, origin};

/// A server as its authorization server knows it.
#[derive(Debug, PartialEq)]
pub(super) struct Resource {
    /// Its identifier, exactly as it is published.
    pub(super) identifier: String,
    /// The issuers of its authorization servers; the first is used.
    pub(super) issuers: Vec<String>,
    /// The scopes that it knows.
    pub(super) scopes: Option<String>,
    /// Whether it published nothing, so that its own origin is taken for the issuer, as before 2025-06-18.
    pub(super) is_guessed: bool,
}

/// Finds the metadata: where the challenge says, else at the well-known places.
///
/// # Errors
/// When it cannot be read, or is about another resource.
pub(super) async fn discover(web: &Web, server: &Url, challenge: &Challenge) -> Result<Resource, String> {
    let named = challenge.resource_metadata.as_deref();
    let named = named.map(|named| web.address(named, "the address of its metadata")).transpose()?;
    for url in named.into_iter().chain(well_known(server)) {
        if let Some(document) = web.document(&url).await? {
            return read(server, &document);
        }
    }
    Ok(Resource {
        identifier: identifier(server),
        issuers: vec![origin(server)],
        scopes: None,
        is_guessed: true,
    })
}

/// The well-known places of a server's metadata: by its path, then at the root.
fn well_known(server: &Url) -> Vec<Url> {
    const PLACE: &str = "/.well-known/oauth-protected-resource";
    let path = server.path().trim_end_matches('/');
    let paths = if path.is_empty() { vec![String::new()] } else { vec![path.to_owned(), String::new()] };
    paths.iter().filter_map(|path| server.join(&format!("{PLACE}{path}")).ok()).collect()
}

fn read(server: &Url, document: &Value) -> Result<Resource, String> {
    let text = |key: &str| document.get(key).and_then(Value::as_str);
    let texts = |key: &str| -> Option<Vec<String>> {
        let values = document.get(key)?.as_array()?.iter();
        Some(values.filter_map(|value| value.as_str().map(str::to_owned)).collect())
    };
    let published = text("resource").ok_or("its metadata names no resource")?;
    if !covers(published, server) {
        return Err(format!("its metadata is about another resource, {published:?}"));
    }
    let issuers = texts("authorization_servers").filter(|issuers| !issuers.is_empty());
    let is_guessed = issuers.is_none();
    Ok(Resource {
        identifier: published.to_owned(),
        issuers: issuers.unwrap_or_else(|| vec![origin(server)]),
        scopes: texts("scopes_supported").map(|scopes| scopes.join(" ")),
        is_guessed,
    })
}

/// Whether the resource of this identifier is the server, or what the server is a part of.
fn covers(identifier: &str, server: &Url) -> bool {
    let Ok(resource) = Url::parse(identifier) else { return false };
    let (of, path) = (resource.path().trim_end_matches('/'), server.path().trim_end_matches('/'));
    let is_within = path.strip_prefix(of).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let has_query = resource.query().is_some_and(|query| server.query() != Some(query));
    resource.fragment().is_none() && resource.origin() == server.origin() && is_within && !has_query
}

/// The identifier of a server that publishes none (RFC 8707 §2).
fn identifier(server: &Url) -> String {
    let mut server = server.clone();
    server.set_fragment(None);
    let text = server.to_string();
    if server.path() == "/" && server.query().is_none() {
        return text.trim_end_matches('/').to_owned();
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn metadata_is_looked_for_by_path_and_at_the_root() {
        for (server, expected) in [
            ("https://a", &["https://a/.well-known/oauth-protected-resource"][..]),
            (
                "https://a:8/b/mcp?c=d",
                &[
                    "https://a:8/.well-known/oauth-protected-resource/b/mcp",
                    "https://a:8/.well-known/oauth-protected-resource",
                ],
            ),
        ] {
            let found: Vec<_> =
                well_known(&Url::parse(server).unwrap()).iter().map(ToString::to_string).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn metadata_of_another_resource_is_refused() {
        let server = Url::parse("https://a/mcp/x").unwrap();
        for (identifier, expected) in [
            ("https://a/mcp/x", true),
            ("https://a/mcp/x/", true),
            ("https://A/mcp", true),
            ("https://a", true),
            ("https://a/", true),
            ("https://a/mc", false),
            ("https://a/mcp/x/y", false),
            ("https://a/mcp/x#f", false),
            ("https://a/mcp/x?q=1", false),
            ("https://b/mcp/x", false),
            ("http://a/mcp/x", false),
            ("a/mcp/x", false),
        ] {
            let read =
                read(&server, &json!({"resource": identifier, "authorization_servers": ["https://b"]}));
            assert_eq!(read.is_ok(), expected, "{identifier}");
        }
        assert_eq!(identifier(&Url::parse("https://a/#x").unwrap()), "https://a");
        assert_eq!(identifier(&Url::parse("https://a/b/").unwrap()), "https://a/b/");
    }
}
