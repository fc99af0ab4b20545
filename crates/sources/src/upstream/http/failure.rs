//! Reasons why a request over HTTP brought no result, each in one line.

use std::error::Error;

use reqwest::StatusCode;
use serde_json::Value;

use crate::model::visible;

/// The longest excerpt of a body in a message, in characters.
const EXCERPT: usize = 120;

/// The reason of a request that brought no response. Leaves the address out, which may have secrets in it.
pub(in crate::upstream) fn of_transport(error: &reqwest::Error) -> String {
    let cause = root_cause(error);
    if error.is_redirect() {
        return "it redirects to another address, which cuff does not follow".to_owned();
    }
    if let Some(reason) = cause.strip_prefix("invalid peer certificate: ") {
        return format!("its certificate is not trusted: {}", excerpt(reason).unwrap_or_default());
    }
    let what = if error.is_connect() { "it cannot be reached" } else { "the connection failed" };
    format!("{what}: {}", cause.lines().next().unwrap_or_default())
}

/// The reason of a response with a status that is no success.
pub(super) fn of_status(status: StatusCode, body: &[u8]) -> String {
    let said = said(body).map_or_else(String::new, |said| format!(": {said}"));
    match status {
        StatusCode::UNAUTHORIZED => {
            "it refuses the `Authorization` of its `headers` in settings.yml (HTTP 401)".to_owned()
        }
        StatusCode::FORBIDDEN => format!("it denies access (HTTP 403){said}"),
        status => format!("it answered HTTP {status}{said}"),
    }
}

/// The reason of a body that is no JSON.
pub(super) fn of_body(body: &[u8]) -> String {
    match excerpt(&String::from_utf8_lossy(&body[..body.len().min(4 * EXCERPT)])) {
        None => "its answer is empty".to_owned(),
        Some(excerpt) => format!("its answer is not JSON: {excerpt:?}"),
    }
}

/// The message of an error in a body: JSON-RPC's, else the beginning of the text.
fn said(body: &[u8]) -> Option<String> {
    let json = serde_json::from_slice::<Value>(body).ok();
    let message = json.as_ref().and_then(|json| json.get("error")?.get("message")?.as_str());
    match message {
        Some(message) => excerpt(message),
        None => excerpt(&String::from_utf8_lossy(&body[..body.len().min(4 * EXCERPT)])),
    }
}

/// The beginning of a text in one line; `None` where it is empty.
fn excerpt(text: &str) -> Option<String> {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut = words.char_indices().nth(EXCERPT).map(|(at, _)| at);
    let line = cut.map_or_else(|| words.clone(), |at| format!("{}…", &words[..at]));
    Some(visible(&line).into_owned()).filter(|line| !line.is_empty())
}

/// The reason why there can be no client: mostly that the system has no certificates of authorities.
pub(in crate::upstream) fn without_client(error: &reqwest::Error) -> String {
    let cause = root_cause(error);
    format!("no client for HTTPS: {cause} (the package ca-certificates brings certificates of authorities)")
}

/// The message at the bottom of an error.
fn root_cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}
