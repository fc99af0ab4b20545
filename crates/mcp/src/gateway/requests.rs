//! The parts of a request: its path, its options, its body.

use hyper::http::request::Parts;
use hyper::{Method, StatusCode, header};
use serde_json::{Map, Value};

use crate::http::{HttpAnswer, JSON, say, with};

/// The answer to a request that does not post JSON: a form of a page does not.
pub(super) fn not_posted(parts: &Parts) -> Option<HttpAnswer> {
    if parts.method != Method::POST {
        let answer = say(StatusCode::METHOD_NOT_ALLOWED, "it takes POST\n");
        return Some(with(answer, header::ALLOW, "POST"));
    }
    let kind =
        parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_json = kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case(JSON));
    (!is_json).then(|| say(StatusCode::UNSUPPORTED_MEDIA_TYPE, "it takes application/json\n"))
}

/// The value of an option behind the `?` of an address, decoded.
pub(super) fn option(query: Option<&str>, name: &str) -> Option<String> {
    let pairs = query?.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let (_, value) = pairs.into_iter().find(|(key, _)| *key == name)?;
    Some(decoded(&value.replace('+', " ")))
}

/// A part of an address without its escapes.
pub(super) fn decoded(part: &str) -> String {
    let bytes = part.as_bytes();
    let mut text = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let code = part.get(at + 1..at + 3).and_then(|code| u8::from_str_radix(code, 16).ok());
        if let Some(code) = code.filter(|_| *byte == b'%') {
            text.push(code);
            at += 3;
        } else {
            text.push(*byte);
            at += 1;
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// A part of an address with escapes for all that means something there.
pub(super) fn encoded(part: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
    let escaped = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    part.bytes().map(escaped).collect()
}

/// A body that is an object of JSON; an empty one is an empty object.
pub(super) fn object(body: &[u8]) -> Result<Map<String, Value>, String> {
    if body.is_empty() {
        return Ok(Map::new());
    }
    serde_json::from_slice(body).map_err(|error| format!("the body is no JSON object: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_survives_an_address() {
        for text in ["plain", "a b/c?d=e&f%", "日本.tool", "100%", ""] {
            let encoded = encoded(text);
            assert!(!encoded.contains(['/', '?', '&', ' ', '+']), "{encoded}");
            assert_eq!(decoded(&encoded), text);
        }
        assert_eq!(decoded("%zz%4"), "%zz%4", "what is no escape stays");
    }

    #[test]
    fn options_are_found_and_decoded() {
        let query = Some("q=send+mail%21&limit=3&flag");
        assert_eq!(option(query, "q").as_deref(), Some("send mail!"));
        assert_eq!(option(query, "flag").as_deref(), Some(""));
        assert_eq!((option(query, "no"), option(None, "q")), (None, None));
    }
}
