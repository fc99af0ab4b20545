//! The list of a server's tools: pages in, foreign tools and problems out.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Value, json};

use super::message::Reply;
use super::parameter_headers;
use super::peer::Peer;
use super::steering;
use crate::model::{Definition, Fault, Problem, bounded, shown};

/// The most entries of one server that are taken.
pub(super) const MOST: usize = 5_000;
/// The most pages that are asked for.
const PAGES: usize = 1_000;

/// A tool as its server defines it.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeignTool {
    /// The server's name of it.
    pub name: String,
    /// The definition, as it came.
    pub definition: Definition,
    /// The schema of its arguments, as it came.
    pub schema: Arc<Value>,
    /// A description of text in the definition that may steer a model.
    pub steering: Option<String>,
}

/// The tools of a server at one moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listing {
    /// The tools, in the server's order.
    pub tools: Vec<ForeignTool>,
    /// Problems of the list.
    pub problems: Vec<Problem>,
}

/// Entries of a list.
#[derive(Debug, Clone, Default)]
pub(super) struct Entries {
    /// The entries, as they came.
    pub(super) values: Vec<Value>,
    /// Whether there are more than are taken.
    pub(super) is_cut: bool,
    /// Whether invalid annotations for headers leave a tool out: over HTTP since 2026-07-28.
    pub(super) has_headers: bool,
}

/// All pages of a list: `tools/list` and its entries `tools`.
///
/// # Errors
/// The server's error, or the reason why the connection ended.
pub(super) async fn pages(peer: &Peer, method: &str, key: &str) -> Result<Entries, String> {
    let (mut entries, mut cursor) = (Vec::new(), None::<Value>);
    for _ in 0..PAGES {
        let params = cursor.as_ref().map_or_else(|| json!({}), |cursor| json!({"cursor": cursor}));
        let mut result = match peer.ask(method, params).await? {
            Reply::Result(result) => result,
            Reply::Error { code, message, .. } => return Err(format!("{method} failed: {message} ({code})")),
            Reply::Refused(reason) => return Err(reason),
        };
        let Some(Value::Array(page)) = result.get_mut(key).map(Value::take) else {
            return Err(format!("its answer to {method} has no list {key:?}"));
        };
        entries.extend(page);
        let next = result.get("nextCursor").filter(|next| !next.is_null()).cloned();
        if entries.len() > MOST {
            entries.truncate(MOST);
            return Ok(Entries { values: entries, is_cut: true, ..Entries::default() });
        }
        if next.is_none() || next == cursor {
            return Ok(Entries { values: entries, ..Entries::default() });
        }
        cursor = next;
    }
    Ok(Entries { values: entries, is_cut: true, ..Entries::default() })
}

impl Listing {
    /// Reads the definitions of a server's tools.
    pub(super) fn of(server: &str, entries: Entries) -> Self {
        let Entries { values, is_cut, has_headers } = entries;
        let (mut tools, mut wrong, mut names) = (Vec::new(), Vec::new(), HashSet::new());
        for (at, raw) in values.into_iter().enumerate() {
            match ForeignTool::of(raw, has_headers) {
                Ok(tool) if names.insert(tool.name.clone()) => tools.push(tool),
                Ok(tool) => {
                    let name = shown(&tool.name);
                    let message =
                        format!("the server {server} lists the tool \"{name}\" twice; the first is offered");
                    wrong.push(Problem::warning(message));
                }
                Err(reason) => {
                    let message = format!("the server {server} defines tool {} wrongly: {reason}", at + 1);
                    wrong.push(Problem::error(Fault::Failed, message));
                }
            }
        }
        let mut problems = Vec::new();
        if is_cut {
            let message =
                format!("the server {server} lists more than {MOST} tools; the first {MOST} are offered");
            problems.push(Problem::warning(message));
        }
        bounded(wrong, &mut problems);
        Self { tools, problems }
    }
}

impl ForeignTool {
    fn of(raw: Value, has_headers: bool) -> Result<Self, String> {
        let name = match raw.get("name").and_then(Value::as_str) {
            None | Some("") => return Err("it has no name".to_owned()),
            Some(name) => name.to_owned(),
        };
        let schema = match raw.get("inputSchema") {
            Some(schema @ Value::Object(_)) => Arc::new(schema.clone()),
            _ => return Err(format!("the inputSchema of \"{}\" is no object", shown(&name))),
        };
        if has_headers {
            parameter_headers::annotations(&schema)
                .map_err(|reason| format!("\"{}\" cannot be called over HTTP: {reason}", shown(&name)))?;
        }
        let steering = steering::of_definition(&raw);
        Ok(Self { name, definition: Definition::new(Arc::new(raw)), schema, steering })
    }
}
