//! The contract between the server and a face: the requests that reach the face, and their context.

use hyper::Request;
use hyper::body::Incoming;

use super::access::RefusedRequest;
use super::answer::HttpAnswer;
use super::client::HttpClient;
use super::traffic::Traffic;

/// The paths of a face. A request gets here once the rules for Host and Origin let it in.
pub trait Routes: Send + Sync + 'static {
    /// Answers one request. Each path decides whether it takes the token.
    fn answer(&self, request: Request<Incoming>, visit: Visit<'_>)
    -> impl Future<Output = HttpAnswer> + Send;

    /// Resolves when no request is under way that must not be cut off.
    fn idle(&self) -> impl Future<Output = ()> + Send;

    /// Cancels running requests, and resolves when they have ended.
    fn end(&self) -> impl Future<Output = ()> + Send;
}

/// A request's circumstances.
#[derive(Debug, Clone, Copy)]
pub struct Visit<'a> {
    /// The client of its connection.
    pub client: &'a HttpClient,
    /// The counts of the server.
    pub traffic: &'a Traffic,
    /// Whether a page in a browser sent it.
    pub is_page: bool,
    pub(super) token: Result<(), RefusedRequest>,
}

impl Visit<'_> {
    /// Checks that the request has the token.
    ///
    /// # Errors
    /// When it does not: the refusal to answer with.
    pub fn token(&self) -> Result<(), RefusedRequest> {
        self.token
    }
}
