//! Answers over HTTP.

use std::convert::Infallible;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};

/// The content type of JSON.
pub const JSON: &str = "application/json";

/// An answer to one request.
pub type HttpAnswer = Response<BoxBody<Bytes, Infallible>>;

/// An answer in plain text.
pub fn say(status: StatusCode, text: impl Into<Bytes>) -> HttpAnswer {
    let mut answer = Response::new(Full::new(text.into()).boxed());
    *answer.status_mut() = status;
    with(answer, header::CONTENT_TYPE, "text/plain; charset=utf-8")
}

/// The same answer with a header.
pub fn with(mut answer: HttpAnswer, name: HeaderName, value: &'static str) -> HttpAnswer {
    answer.headers_mut().insert(name, HeaderValue::from_static(value));
    answer
}
