//! The list of a server's tools: pages in, foreign tools and problems out.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Value, json};

use super::foreign::Foreign;
use super::message::Reply;
use super::parameter_headers;
use super::peer::Peer;
use super::steering;
use crate::model::{Definition, OfferedKind, Problem, bounded, shown};

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
    /// The schema of its arguments, as it is offered.
    pub schema: Arc<Value>,
    /// A description of text in the definition that may steer a model.
    pub steering: Option<String>,
}

/// The tools of a server at one moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ServerListing {
    /// The tools, in the server's order.
    pub tools: Vec<ForeignTool>,
    /// Problems of the list.
    pub problems: Vec<Problem>,
}

/// Entries of a list.
#[derive(Debug, Clone, Default)]
pub(super) struct ListEntries {
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
pub(super) async fn pages(peer: &Peer, method: &str, key: &str) -> Result<ListEntries, String> {
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
            return Ok(ListEntries { values: entries, is_cut: true, ..ListEntries::default() });
        }
        if next.is_none() || next == cursor {
            return Ok(ListEntries { values: entries, ..ListEntries::default() });
        }
        cursor = next;
    }
    Ok(ListEntries { values: entries, is_cut: true, ..ListEntries::default() })
}

impl ServerListing {
    /// Reads the definitions of a server's tools.
    pub(super) fn of(server: &str, entries: ListEntries) -> Self {
        let ListEntries { values, is_cut, has_headers } = entries;
        let (mut tools, mut withheld, mut partial, mut names) =
            (Vec::new(), Vec::new(), Vec::new(), HashSet::new());
        for (at, raw) in values.into_iter().enumerate() {
            let entry = Foreign { server, of: OfferedKind::Tool, at, raw: &raw };
            match ForeignTool::of(&entry, has_headers) {
                Ok((tool, problem)) if names.insert(tool.name.clone()) => {
                    partial.extend(problem);
                    tools.push(tool);
                }
                Ok((tool, _)) => {
                    let name = shown(&tool.name);
                    let message =
                        format!("the server {server} lists the tool \"{name}\" twice; the first is offered");
                    partial.push(Problem::warning(message));
                }
                Err(problem) => withheld.push(*problem),
            }
        }
        let mut problems = Vec::new();
        if is_cut {
            let message =
                format!("the server {server} lists more than {MOST} tools; the first {MOST} are offered");
            problems.push(Problem::warning(message));
        }
        bounded(withheld, &mut problems);
        bounded(partial, &mut problems);
        Self { tools, problems }
    }
}

impl ForeignTool {
    /// The tool, and the problem that a part of its definition is left out.
    fn of(entry: &Foreign<'_>, has_headers: bool) -> Result<(Self, Option<Problem>), Box<Problem>> {
        let (offered, problem) = entry.offered()?;
        let schema = Arc::new(offered.get("inputSchema").cloned().unwrap_or_default());
        if has_headers {
            parameter_headers::annotations(&schema)
                .map_err(|reason| entry.withheld(&format!("it cannot be called over HTTP: {reason}")))?;
        }
        let (name, steering) = (entry.name().to_owned(), steering::of_definition(entry.raw));
        let definition = Definition::new(Arc::new(entry.raw.clone())).offered_as(offered);
        Ok((Self { name, definition, schema, steering }, problem))
    }
}
