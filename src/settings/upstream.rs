//! Upstreams: other MCP servers, whose tools the settings bring in.
//!
//! An entry with `type: mcp` names a program that is started (`command`) or an address that is connected to (`url`).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::keys::ENABLED;
use crate::model::{CONFIRM, DEFAULT_TIMEOUT, Default, Field, Kind, Values};

/// The front of the error codes of upstreams.
pub const CODE_PREFIX: &str = "UPSTREAM";

const COMMAND: Field = Field {
    name: "command",
    kind: Kind::Text,
    default: Default::Absent,
    about: "The program that serves MCP on its standard input and output.",
};
const ARGS: Field = Field {
    name: "args",
    kind: Kind::TextList,
    default: Default::Absent,
    about: "The words after the program's name.",
};
const ENV: Field = Field {
    name: "env",
    kind: Kind::TextMap,
    default: Default::Absent,
    about: "Environment variables for the program.",
};
const CWD: Field = Field {
    name: "cwd",
    kind: Kind::Directory,
    default: Default::Absent,
    about: "The folder that the program starts in, relative to the settings file unless absolute.",
};
const URL: Field = Field {
    name: "url",
    kind: Kind::Text,
    default: Default::Absent,
    about: "The address of a server that speaks MCP over streamable HTTP.",
};
const HEADERS: Field = Field {
    name: "headers",
    kind: Kind::TextMap,
    default: Default::Absent,
    about: "HTTP headers of every request to the server.",
};

/// Which of a server's tools are offered.
pub const INCLUDE_TOOLS: Field = Field {
    name: "include_tools",
    kind: Kind::Patterns,
    default: Default::Text("*"),
    about: "Which of the server's tools to offer: fnmatch patterns, comma-separated or a list.",
};

/// Which of a server's tools are not offered.
pub const EXCLUDE_TOOLS: Field = Field {
    name: "exclude_tools",
    kind: Kind::Patterns,
    default: Default::Text(""),
    about: "Which of the server's tools not to offer: fnmatch patterns, comma-separated or a list.",
};

/// The keys of a server that is started.
pub(super) const STDIO: [&Field; 4] = [&COMMAND, &ARGS, &ENV, &CWD];
/// The keys of a server that is connected to.
pub(super) const HTTP: [&Field; 2] = [&URL, &HEADERS];
/// The keys of an upstream's `config:`.
pub(super) const CONFIG: [&Field; 4] = [&INCLUDE_TOOLS, &EXCLUDE_TOOLS, &CONFIRM, &DEFAULT_TIMEOUT];

/// An entry with `type: mcp` under `plugins:`.
#[derive(Debug, Clone, PartialEq)]
pub struct Upstream {
    /// The key, which is the namespace of its tools.
    pub name: String,
    /// Whether it is to be used.
    pub enabled: bool,
    /// The way to reach it.
    pub transport: Transport,
    /// Its `config:`, checked.
    pub config: Values,
}

/// The way to reach a server.
#[derive(Debug, Clone, PartialEq)]
pub enum Transport {
    /// Start a program, and speak over its standard input and output.
    Stdio {
        /// The program.
        command: String,
        /// The words after its name.
        arguments: Vec<String>,
        /// What is set for it on top of the inherited environment.
        environment: Vec<(String, String)>,
        /// The folder that it starts in, relative to the settings file unless absolute; `None`: the settings file's.
        directory: Option<String>,
    },
    /// Connect to an address, over streamable HTTP.
    Http {
        /// The address, with `http://` or `https://`.
        url: String,
        /// Headers of every request.
        headers: Vec<(String, String)>,
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
    /// The keys of the entry whose values are others in a later version of it; `type` and `config` have no value of
    /// their own.
    pub(crate) fn changed_keys(&self, later: &Self) -> Vec<String> {
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
            Transport::Stdio { command, arguments, environment, directory } => vec![
                (COMMAND.name, json!(command)),
                (ARGS.name, json!(arguments)),
                (ENV.name, json!(environment)),
                (CWD.name, json!(directory)),
            ],
            Transport::Http { url, headers } => {
                vec![(URL.name, json!(url)), (HEADERS.name, json!(headers))]
            }
        };
        values.extend(self.config.iter().map(|(name, value)| (name, value.clone())));
        values
    }
}

impl Transport {
    /// Reads checked values of [`STDIO`] and [`HTTP`]. `is_final` says whether variables were expanded: what still has
    /// `${` in it is not looked at otherwise.
    ///
    /// # Errors
    /// With everything that is wrong with them.
    pub(super) fn read(values: &Values, is_final: bool) -> Result<Self, Vec<Unreachable>> {
        let is_http = match (values.has(&COMMAND), values.has(&URL)) {
            (false, false) => return Err(vec![Unreachable::Nothing]),
            (true, true) => return Err(vec![Unreachable::Both]),
            (_, is_http) => is_http,
        };
        let (own, others) = if is_http { (URL.name, &STDIO[..]) } else { (COMMAND.name, &HTTP[..]) };
        let foreign = others.iter().filter(|field| values.has(field));
        let mut wrong: Vec<_> = foreign.map(|field| Unreachable::Foreign(field.name, own)).collect();
        wrong.extend(impossible(values, is_final));
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        let pairs = |field| values.pairs(field).into_iter().map(owned).collect();
        Ok(if is_http {
            Self::Http { url: values.text(&URL).to_owned(), headers: pairs(&HEADERS) }
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
    wrong
}

/// The keys of an upstream's entry.
pub(super) fn keys() -> impl Iterator<Item = &'static str> {
    let own = STDIO.into_iter().chain(HTTP).map(|field| field.name);
    [ENABLED, "type"].into_iter().chain(own).chain(["config"])
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
