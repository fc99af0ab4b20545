//! Upstreams: other MCP servers, whose tools the settings bring in.
//!
//! An entry with `type: mcp` names a program that is started (`command`) or an address that is connected to (`url`).

pub(super) mod declared;
mod fields;
mod oauth;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use super::find::{SettingsOrigin, SettingsPlace};
use crate::model::{Field, Values};
use fields::{
    ALLOW, ARGS, COMMAND, CONCURRENCY, CONNECT_TIMEOUT, CWD, ENV, HEADERS, NEW_TOOLS, OAUTH, OPEN_TO_AGENTS,
    SSE_WORD, STDIO_WORD, TRUST_ANNOTATIONS, URL,
};

pub(super) use fields::{CONFIG, HTTP, STDIO, TRANSPORT, address, keys};
pub use fields::{EXCLUDE_TOOLS, INCLUDE_TOOLS};
pub use oauth::OAuth;
pub(super) use oauth::quote_port;

/// The front of the error codes of upstreams.
pub const CODE_PREFIX: &str = "UPSTREAM";

/// An entry with `type: mcp` under `plugins:`.
#[derive(Debug, Clone, PartialEq)]
pub struct Upstream {
    /// The key, which is the namespace of its tools.
    pub name: String,
    /// Whether it is to be used.
    pub enabled: bool,
    /// The way to reach it.
    pub transport: ServerTransport,
    /// Its `config:`, checked.
    pub config: Values,
    /// The owner of the file that names it. The user's own file is trusted; a project's server waits for an
    /// approval.
    pub origin: SettingsOrigin,
    /// The folder that relative paths of the entry count from.
    pub folder: PathBuf,
}

/// The handling of a tool that an approved server adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewTools {
    /// Agents get it once a person has approved it.
    Review,
    /// Agents get it at once.
    Allow,
}

/// The way to reach a server.
#[derive(Debug, Clone, PartialEq)]
pub enum ServerTransport {
    /// Start a program, and speak over its standard input and output.
    Stdio {
        /// The program.
        command: String,
        /// The words after its name.
        arguments: Vec<String>,
        /// Variables that are set for it on top of the inherited environment.
        environment: Vec<(String, String)>,
        /// The folder that it starts in, relative to the settings file unless absolute; `None`: the settings file's.
        directory: Option<String>,
    },
    /// Connect to an address.
    Http {
        /// The address, with `http://` or `https://`.
        url: String,
        /// Headers of every request.
        headers: Vec<(String, String)>,
        /// Whether to speak the older HTTP+SSE instead of streamable HTTP.
        is_legacy: bool,
        /// How cuff presents itself where the server wants a login.
        oauth: OAuth,
    },
}

/// The reason why the keys of an upstream name no server, or one that cannot be reached.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unreachable {
    /// Neither `command` nor `url`.
    Nothing,
    /// Both.
    Both,
    /// A key that only goes with the other of the two: the key, and the one that is there.
    Foreign(&'static str, &'static str),
    /// A value that nothing can be done with: its key, the name within a mapping, and what it must be.
    Value(&'static str, Option<String>, &'static str),
}

impl Upstream {
    /// A server as an entry names it, before the owner of the file is known.
    pub fn new(name: String, enabled: bool, transport: ServerTransport, config: Values) -> Self {
        Self { name, enabled, transport, config, origin: SettingsOrigin::Found, folder: PathBuf::new() }
    }

    /// The same server, named by the file at this place.
    #[must_use]
    pub(super) fn of(self, place: &SettingsPlace) -> Self {
        Self { origin: place.origin, folder: place.root.clone(), ..self }
    }

    /// How many calls it gets at once.
    pub fn concurrency(&self) -> usize {
        usize::try_from(self.config.integer(&CONCURRENCY)).unwrap_or(usize::MAX)
    }

    /// How long it may take to start and answer its first request.
    pub fn connect_timeout(&self) -> Duration {
        Duration::from_secs(self.config.integer(&CONNECT_TIMEOUT))
    }

    /// Whether agents get its tools.
    pub fn is_open_to_agents(&self) -> bool {
        self.config.flag(&OPEN_TO_AGENTS)
    }

    /// Whether cuff believes what it says of its own tools.
    pub fn trusts_annotations(&self) -> bool {
        self.config.flag(&TRUST_ANNOTATIONS)
    }

    /// The handling of a tool that it adds after a person approved it.
    pub fn new_tools(&self) -> NewTools {
        if self.config.text(&NEW_TOOLS) == ALLOW { NewTools::Allow } else { NewTools::Review }
    }

    /// The keys of the entry that have other values in a later version of it; `type` and `config` have no
    /// value of their own.
    pub fn changed_keys(&self, later: &Self) -> Vec<String> {
        let (before, after) = (self.values(), later.values());
        let names: BTreeSet<&str> = before.iter().chain(&after).map(|(name, _)| *name).collect();
        let value = |side: &[(&str, Value)], name: &str| {
            side.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
        };
        let changed = names.into_iter().filter(|name| value(&before, name) != value(&after, name));
        changed.map(str::to_owned).collect()
    }

    fn values(&self) -> Vec<(&str, Value)> {
        let mut values = match &self.transport {
            ServerTransport::Stdio { command, arguments, environment, directory } => vec![
                (COMMAND.name, json!(command)),
                (ARGS.name, json!(arguments)),
                (ENV.name, json!(environment)),
                (CWD.name, json!(directory)),
            ],
            ServerTransport::Http { url, headers, is_legacy, oauth } => vec![
                (URL.name, json!(url)),
                (HEADERS.name, json!(headers)),
                (OAUTH.name, json!(oauth.pairs())),
                (TRANSPORT.name, json!(is_legacy)),
            ],
        };
        values.extend(self.config.iter().map(|(name, value)| (name, value.clone())));
        values
    }
}

impl ServerTransport {
    /// Reads checked values of [`STDIO`], [`HTTP`] and the key that names the transport. `is_final` says whether variables were expanded: what still has
    /// `${` in it is not looked at otherwise.
    ///
    /// # Errors
    /// With everything that is wrong with them.
    pub(super) fn read(
        values: &Values,
        transport: &'static Field,
        is_final: bool,
    ) -> Result<Self, Vec<Unreachable>> {
        let is_http = match (values.has(&COMMAND), values.has(&URL)) {
            (false, false) => return Err(vec![Unreachable::Nothing]),
            (true, true) => return Err(vec![Unreachable::Both]),
            (_, is_http) => is_http,
        };
        let (own, others) = if is_http { (URL.name, &STDIO[..]) } else { (COMMAND.name, &HTTP[..]) };
        let foreign = others.iter().filter(|field| values.has(field));
        let mut wrong: Vec<_> = foreign.map(|field| Unreachable::Foreign(field.name, own)).collect();
        let word = values.text(transport);
        if values.has(transport) && is_http == (word == STDIO_WORD) {
            let must = if is_http {
                "http or sse, since `url` is an address"
            } else {
                "stdio, since `command` is started"
            };
            wrong.push(Unreachable::Value(transport.name, None, must));
        }
        wrong.extend(impossible(values, is_final));
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        let pairs = |field| values.pairs(field).into_iter().map(owned).collect();
        Ok(if is_http {
            let is_legacy = word == SSE_WORD;
            let oauth = OAuth::read(values.pairs(&OAUTH));
            Self::Http { url: values.text(&URL).to_owned(), headers: pairs(&HEADERS), is_legacy, oauth }
        } else {
            Self::Stdio {
                command: values.text(&COMMAND).to_owned(),
                arguments: values.texts(&ARGS).into_iter().map(str::to_owned).collect(),
                environment: pairs(&ENV),
                directory: values.has(&CWD).then(|| values.text(&CWD).to_owned()),
            }
        })
    }
}

/// The values that nothing can be done with.
fn impossible(values: &Values, is_final: bool) -> Vec<Unreachable> {
    let mut wrong = Vec::new();
    let mut check = |field: &Field, name: Option<&str>, texts: &[&str], fits: bool, must| {
        let is_known = is_final || !texts.iter().any(|text| text.contains("${"));
        if is_known && !fits {
            wrong.push(Unreachable::Value(field.name, name.map(str::to_owned), must));
        }
    };
    let has_nul = |text: &str| text.contains('\0');
    for (field, fits, must) in [
        (&COMMAND, (|text| !text.trim().is_empty()) as fn(&str) -> bool, "the name or path of a program"),
        (&CWD, |text| !text.is_empty(), "the path of a folder"),
        (&URL, is_address, "an address that begins with http:// or https:// and names a host"),
    ] {
        let text = values.text(field);
        check(field, None, &[text], !values.has(field) || fits(text) && !has_nul(text), must);
    }
    let arguments = values.texts(&ARGS);
    let has_none = !arguments.iter().any(|text| has_nul(text));
    check(&ARGS, None, &arguments, has_none, "words without a NUL character");
    for (name, value) in values.pairs(&ENV) {
        let fits = !name.is_empty() && !name.contains(['=', '\0']) && !has_nul(value);
        let must = "a variable: a name without `=`, and a value without a NUL character";
        check(&ENV, Some(name), &[value], fits, must);
    }
    for (name, value) in values.pairs(&HEADERS) {
        let fits = is_header_name(name) && !value.chars().any(char::is_control);
        let must = "a header: a name without spaces or `:`, and a value in one line";
        check(&HEADERS, Some(name), &[value], fits, must);
    }
    for (name, value) in values.pairs(&OAUTH) {
        let is_known = is_final || !value.contains("${");
        if let Some(must) = oauth::must_be(name, is_known.then_some(value)) {
            wrong.push(Unreachable::Value(OAUTH.name, Some(name.to_owned()), must));
        }
    }
    wrong
}

/// Whether a text is an http or https address with a host.
fn is_address(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host.rsplit('@').next().unwrap_or_default();
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    is_web
        && !host.is_empty()
        && !host.starts_with(':')
        && !text.contains(|c: char| c.is_whitespace() || c.is_control())
}

/// Whether a text is a header's name (RFC 9110, section 5.6.2: a token).
fn is_header_name(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}
