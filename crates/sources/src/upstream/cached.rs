//! A server's tools and instructions on disk, under the hash of the server's configuration.

use blake3::{Hash, Hasher};
use serde_json::{Value, json};

use super::last_failure::LastFailure;
use super::listing::{ListEntries, ServerListing};
use crate::settings::{ServerTransport, Upstream};
use crate::sys::Cache;

/// The largest list, and the largest instructions, that are kept, in bytes.
const LARGEST: usize = 16 * 1024 * 1024;
/// The version of the file's shape.
const VERSION: u64 = 2;

/// The largest description of a failure that is read, in bytes.
const LARGEST_FAILURE: u64 = 256 * 1024;

// The endings of the server's files.
const LIST: &str = "";
const FAILURE: &str = ".failure";
const INSTRUCTIONS: &str = ".instructions";
const LATE: &str = ".late";

/// The place of one server's list, and of its last failure.
#[derive(Debug)]
pub(super) struct Cached {
    cache: Option<Cache>,
    server: String,
    file: String,
}

impl Cached {
    pub(super) fn of(cache: Option<Cache>, upstream: &Upstream) -> Self {
        Self { cache, server: upstream.name.clone(), file: key(upstream).to_hex().to_string() }
    }

    /// The last list, of this process or another.
    pub(super) fn read(&self) -> Option<ServerListing> {
        let bytes = self.kept(LIST, LARGEST as u64)?;
        let mut kept: Value = serde_json::from_slice(&bytes).ok()?;
        let is_ours = kept.get("version").and_then(Value::as_u64) == Some(VERSION);
        let is_cut = kept.get("cut").and_then(Value::as_bool)?;
        let has_headers = kept.get("headers").and_then(Value::as_bool)?;
        match kept.get_mut("tools").map(Value::take) {
            Some(Value::Array(values)) if is_ours => {
                Some(ServerListing::of(&self.server, ListEntries { values, is_cut, has_headers }))
            }
            _ => None,
        }
    }

    /// Keeps a list. Where that cannot be done, the next process asks the server.
    pub(super) fn write(&self, entries: &ListEntries) {
        self.keep(LATE, None);
        let bytes = json!({
            "version": VERSION, "cut": entries.is_cut, "headers": entries.has_headers, "tools": entries.values,
        });
        let bytes = bytes.to_string().into_bytes();
        self.keep(LIST, Some(&*bytes).filter(|bytes| bytes.len() <= LARGEST));
    }

    /// How the server failed when it was tried last; `None` where it has answered since, or nobody knows.
    pub(super) fn failure(&self) -> Option<LastFailure> {
        serde_json::from_slice(&self.kept(FAILURE, LARGEST_FAILURE)?).ok()
    }

    /// Keeps a failure; `None`: the server has answered. Where that cannot be done, it is of this process alone.
    pub(super) fn keep_failure(&self, failure: Option<&LastFailure>) {
        let text = failure.map(|failure| json!(failure).to_string());
        self.keep(FAILURE, text.as_deref().map(str::as_bytes));
    }

    /// Whether a list has waited for the server in vain, in this process or another, and nobody has its tools since.
    pub(super) fn is_late(&self) -> bool {
        self.kept(LATE, 0).is_some()
    }

    /// Notes that a list has waited for the server in vain.
    pub(super) fn keep_late(&self) {
        // Where that cannot be done, the first list of the next process waits, too.
        self.keep(LATE, Some(b""));
    }

    /// The server's instructions, as it last gave them.
    pub(super) fn instructions(&self) -> Option<String> {
        String::from_utf8(self.kept(INSTRUCTIONS, LARGEST as u64)?).ok()
    }

    /// Keeps the server's instructions, or that it has none.
    pub(super) fn keep_instructions(&self, instructions: Option<&str>) {
        self.keep(INSTRUCTIONS, instructions.map(str::as_bytes));
    }

    /// One of the server's files.
    fn kept(&self, ending: &str, largest: u64) -> Option<Vec<u8>> {
        self.cache.as_ref()?.read(&format!("{}{ending}", self.file), largest)
    }

    /// Writes one of the server's files; `None` takes it away.
    fn keep(&self, ending: &str, bytes: Option<&[u8]>) {
        let Some(cache) = &self.cache else { return };
        let name = format!("{}{ending}", self.file);
        let _ = bytes.map_or_else(|| cache.remove(&name), |bytes| cache.write(&name, bytes));
    }
}

/// The hash of all that decides which server it is. Secrets among it cannot be read back.
fn key(upstream: &Upstream) -> Hash {
    let mut hasher = Hasher::new();
    let mut part = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    part(&upstream.name);
    let pairs = match &upstream.transport {
        ServerTransport::Stdio { command, arguments, environment, directory } => {
            part("stdio");
            part(command);
            part(directory.as_deref().unwrap_or_default());
            part(&arguments.len().to_string());
            for argument in arguments {
                part(argument);
            }
            environment
        }
        ServerTransport::Http { url, headers, is_legacy, .. } => {
            part(if *is_legacy { "sse" } else { "http" });
            part(url);
            headers
        }
    };
    for (name, value) in pairs {
        part(name);
        part(value);
    }
    hasher.finalize()
}
