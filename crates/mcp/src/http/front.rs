//! The rules that hold before any path: the client of a request, its origin, and whether its connection
//! stays.

use hyper::Request;
use hyper::body::Incoming;
use hyper::header::{self, HeaderValue};

use super::access::AccessRules;
use super::answer::{HttpAnswer, with};
use super::client::HttpClient;
use super::connection_limit::ConnectionSlot;
use super::cors::readable_by;
use super::routes::{Routes, Visit};
use super::traffic::Traffic;

/// All that a connection talks to.
pub(super) struct Front<Face> {
    pub(super) face: Face,
    pub(super) traffic: Traffic,
    access: AccessRules,
}

impl<Face: Routes> Front<Face> {
    pub(super) fn new(access: AccessRules, face: Face) -> Self {
        Self { face, traffic: Traffic::default(), access }
    }

    /// Answers one request. A client with the token keeps its place; a client without it gets no more than
    /// this answer.
    pub(super) async fn answer(
        &self,
        request: Request<Incoming>,
        place: &ConnectionSlot,
        client: &HttpClient,
    ) -> HttpAnswer {
        let token = self.access.token(request.headers());
        if token.is_ok() {
            place.keep();
        }
        let answer = match self.access.origin(request.uri(), request.headers()) {
            Ok(origin) => {
                let origin = origin.and_then(|origin| HeaderValue::from_str(origin).ok());
                let visit = Visit { client, traffic: &self.traffic, is_page: origin.is_some(), token };
                let mut answer = self.face.answer(request, visit).await;
                if let Some(origin) = origin {
                    readable_by(origin, answer.headers_mut());
                }
                answer
            }
            Err(refused) => refused.answer(),
        };
        self.traffic.count(answer.status().as_u16());
        if token.is_ok() { answer } else { with(answer, header::CONNECTION, "close") }
    }
}
