//! The keys of an MCP server's entry in settings.yml.

use crate::keys::ENABLED;
use crate::model::{CONFIRM, CONTAINMENT, DEFAULT_TIMEOUT, Default, Field, ValueKind};

pub(super) const COMMAND: Field = Field {
    name: "command",
    kind: ValueKind::Text,
    default: Default::Absent,
    about: "The program that serves MCP on its standard input and output.",
};
pub(super) const ARGS: Field = Field {
    name: "args",
    kind: ValueKind::TextList,
    default: Default::Absent,
    about: "The words after the program's name.",
};
pub(super) const ENV: Field = Field {
    name: "env",
    kind: ValueKind::TextMap,
    default: Default::Absent,
    about: "Environment variables for the program.",
};
pub(super) const CWD: Field = Field {
    name: "cwd",
    kind: ValueKind::Directory,
    default: Default::Absent,
    about: "The folder that the program starts in, relative to the settings file unless absolute.",
};
pub(super) const URL: Field = Field {
    name: "url",
    kind: ValueKind::Text,
    default: Default::Absent,
    about: "The address of a server that speaks MCP over HTTP.",
};
pub(super) const HEADERS: Field = Field {
    name: "headers",
    kind: ValueKind::TextMap,
    default: Default::Absent,
    about: "HTTP headers of every request to the server.",
};
pub(super) const OAUTH: Field = Field {
    name: "oauth",
    kind: ValueKind::TextMap,
    default: Default::Absent,
    about: "How cuff presents itself where the server wants a login: `client_id`, `client_secret`, `client_metadata_url`, `issuer`, `scope`, `redirect_port`.",
};

/// The protocol to speak; `stdio` and `streamable-http` are names that `.mcp.json` files use.
pub(crate) const TRANSPORT: Field = Field {
    name: "transport",
    kind: ValueKind::Choice(&TRANSPORTS),
    default: Default::Absent,
    about: "The protocol of a `url`: `http` for streamable HTTP (the default), or `sse` for the older HTTP+SSE.",
};

/// The values of [`TRANSPORT`]: the one of a `command`, then those of a `url`.
pub(crate) const TRANSPORTS: [&str; 4] = [STDIO_WORD, "http", "streamable-http", SSE_WORD];
/// Standard input and output.
pub(super) const STDIO_WORD: &str = "stdio";
/// HTTP+SSE of protocol version 2024-11-05.
pub(super) const SSE_WORD: &str = "sse";

/// Which of a server's tools are offered.
pub const INCLUDE_TOOLS: Field = Field {
    name: "include_tools",
    kind: ValueKind::Patterns,
    default: Default::Text("*"),
    about: "Which of the server's tools to offer: fnmatch patterns, comma-separated or a list.",
};

/// Which of a server's tools are not offered.
pub const EXCLUDE_TOOLS: Field = Field {
    name: "exclude_tools",
    kind: ValueKind::Patterns,
    default: Default::Text(""),
    about: "Which of the server's tools not to offer: fnmatch patterns, comma-separated or a list.",
};

pub(super) const CONCURRENCY: Field = Field {
    name: "concurrency",
    kind: ValueKind::Integer(1, 1024),
    default: Default::Integer(16),
    about: "How many calls the server gets at once; more wait their turn.",
};
pub(super) const CONNECT_TIMEOUT: Field = Field {
    name: "connect_timeout",
    kind: ValueKind::Integer(1, 3600),
    default: Default::Integer(30),
    about: "How many seconds the server may take to start and answer its first request.",
};
pub(super) const OPEN_TO_AGENTS: Field = Field {
    name: "open_to_agents",
    kind: ValueKind::Flag,
    default: Default::Flag(true),
    about: "Whether agents get the server's tools. With false only people do.",
};
pub(super) const TRUST_ANNOTATIONS: Field = Field {
    name: "trust_annotations",
    kind: ValueKind::Flag,
    default: Default::Flag(false),
    about: "Whether cuff believes what the server says of its own tools, such as that one only reads.",
};
pub(super) const NEW_TOOLS: Field = Field {
    name: "new_tools",
    kind: ValueKind::Choice(&["review", ALLOW]),
    default: Default::Text("review"),
    about: "A tool that the server adds after your approval: `review` withholds it from agents until you approve it, `allow` offers it.",
};
pub(super) const ALLOW: &str = "allow";

/// The keys of a server that is started.
pub(crate) const STDIO: [&Field; 4] = [&COMMAND, &ARGS, &ENV, &CWD];
/// The keys of a server that is connected to.
pub(crate) const HTTP: [&Field; 3] = [&URL, &HEADERS, &OAUTH];
/// The keys of an upstream's `config:`.
pub(crate) const CONFIG: [&Field; 10] = [
    &INCLUDE_TOOLS,
    &EXCLUDE_TOOLS,
    &CONFIRM,
    &CONTAINMENT,
    &DEFAULT_TIMEOUT,
    &CONCURRENCY,
    &CONNECT_TIMEOUT,
    &OPEN_TO_AGENTS,
    &TRUST_ANNOTATIONS,
    &NEW_TOOLS,
];

/// The keys of an upstream's entry.
pub(crate) fn keys() -> impl Iterator<Item = &'static str> {
    let own = address().map(|field| field.name);
    [ENABLED, "type"].into_iter().chain(own).chain(["config"])
}

/// The keys that say where the server is.
pub(crate) fn address() -> impl Iterator<Item = &'static Field> {
    STDIO.into_iter().chain(HTTP).chain([&TRANSPORT])
}
