//! The MCP server that a call would be passed on to, as people see it.

use std::time::Duration;

use serde_json::Value;

use crate::model::UpstreamCall;
use crate::project::Project;
use crate::redact::redacted_json;
use crate::settings::ServerTransport;

/// A call of another MCP server's tool, secrets taken out.
#[derive(Debug, Clone, PartialEq)]
pub struct Relayed {
    /// The instance of the settings that names the server.
    pub server: String,
    /// The tool, as the server calls it.
    pub tool: String,
    /// The command line that starts the server, or its address without user and query.
    pub reached: String,
    /// Whether that is an address.
    pub is_address: bool,
    /// The arguments that the server would get.
    pub arguments: Value,
    /// How long the answer may take.
    pub timeout: Duration,
}

/// The call as people see it; `None` if the settings no longer name its server.
pub(super) fn relayed(project: &Project, call: &UpstreamCall) -> Option<Relayed> {
    let upstream = project.settings.upstreams.iter().find(|upstream| upstream.name == call.server)?;
    let secrets = project.secrets_of_server(&call.server);
    let (reached, is_address) = match &upstream.transport {
        ServerTransport::Stdio { command, arguments, .. } => {
            // Taken out word by word: quoted, one might no longer be found.
            let words = std::iter::once(command).chain(arguments);
            let words: Vec<_> = words.map(|word| secrets.redact(word)).collect();
            (shlex::try_join(words.iter().map(|word| &**word)).unwrap_or_default(), false)
        }
        ServerTransport::Http { url, .. } => (secrets.redact(&bare(url)).into_owned(), true),
    };
    Some(Relayed {
        server: call.server.clone(),
        tool: call.tool.clone(),
        reached,
        is_address,
        arguments: redacted_json(Value::Object(call.arguments.clone()), &secrets),
        timeout: call.timeout,
    })
}

/// An address without what may be a secret in it: user, password, query.
fn bare(url: &str) -> String {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = host.rsplit('@').next().unwrap_or_default();
    format!("{scheme}://{host}{path}")
}

#[cfg(test)]
mod tests {
    use super::bare;

    #[test]
    fn an_address_is_shown_without_what_may_be_secret() {
        for (url, expected) in [
            ("https://a.b/mcp", "https://a.b/mcp"),
            ("https://me:pass@a.b:80/mcp/@x?key=1#y", "https://a.b:80/mcp/@x"),
            ("http://a.b?key=1", "http://a.b"),
            ("http://me@a.b", "http://a.b"),
        ] {
            assert_eq!(bare(url), expected);
        }
    }
}
