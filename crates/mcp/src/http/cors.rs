//! Requests of pages in a browser, by the rules of CORS.

use hyper::header::{self, HeaderValue};
use hyper::{HeaderMap, StatusCode};

use super::answer::{HttpAnswer, say, with};

/// The answer to a browser's preflight for a page's request. `headers` are those that the page may send.
pub fn preflight(headers: &'static str) -> HttpAnswer {
    let answer = with(say(StatusCode::NO_CONTENT, ""), header::ACCESS_CONTROL_ALLOW_METHODS, "POST");
    let answer = with(answer, header::ACCESS_CONTROL_ALLOW_HEADERS, headers);
    with(answer, header::ACCESS_CONTROL_MAX_AGE, "600")
}

/// A browser shows an answer to the pages that the answer names.
pub(super) fn readable_by(origin: HeaderValue, headers: &mut HeaderMap) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.append(header::VARY, HeaderValue::from_static("origin"));
}
