//! Tools that a program looks for, and their types.

use serde_json::{Value, json};

use super::search::search;
use super::tools::types;
use crate::model::{shown, visible_lines};
use crate::sandbox::{CallFailure, Catalog};

/// The most that are found at once.
const MOST: usize = 100;

/// The tools that match, each with the first line of what it does.
pub(super) fn found(catalog: &Catalog, words: &str, limit: u32) -> Value {
    let limit = usize::try_from(limit).unwrap_or(MOST).min(MOST);
    let hits = search(catalog, words, limit);
    let row = |hit: &super::search::Hit<'_>| {
        let about = hit.tool.described.description.as_deref().unwrap_or_default();
        let first = about.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        json!({
            "tool": format!("{}.{}", hit.server.identifier, hit.tool.function),
            "description": visible_lines(first),
        })
    };
    hits.iter().map(row).collect()
}

/// The types of a tool or of a server.
pub(super) fn described(catalog: &Catalog, name: &str) -> Result<Value, CallFailure> {
    let (server, tool) = name.split_once('.').map_or((name, None), |(server, tool)| (server, Some(tool)));
    let known = catalog.server(server).filter(|server| tool.is_none_or(|tool| server.tool(tool).is_some()));
    if known.is_none() {
        let message = format!("there is no tool {}; `await search(\"words\")` finds some", shown(name));
        return Err(CallFailure { message, data: None });
    }
    let text = types(catalog, &[name.to_owned()]);
    // What every program has is known.
    let own = text.split_once("declare module \"toolscript\" {").map_or(text.as_str(), |(own, _)| own);
    Ok(own.trim_end().into())
}
