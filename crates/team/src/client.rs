//! The HTTP client of the object stores: the one that cuff has anyway, over HTTP/1.1.

use std::pin::Pin;
use std::time::Duration;

use http_body_util::{BodyExt as _, Limited};
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody,
    HttpService,
};
use object_store::{ClientConfigKey, ClientOptions};
use reqwest::redirect::Policy;

/// The longest that a connection takes.
const CONNECT: Duration = Duration::from_secs(5);
/// The longest that a request takes, with its answer.
const REQUEST: Duration = Duration::from_secs(30);
/// The longest answer that is read, in bytes.
const LARGEST_ANSWER: usize = 64 * 1024 * 1024;

/// Makes clients. Of the options only one counts: whether a connection may go without TLS.
#[derive(Debug)]
pub(crate) struct Connector;

impl HttpConnector for Connector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        // Another connection may have installed the same provider.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let may_be_plain = options.get_config_value(&ClientConfigKey::AllowHttp);
        let may_be_plain = may_be_plain.is_some_and(|value| value == "true");
        let builder = reqwest::Client::builder().connect_timeout(CONNECT).timeout(REQUEST);
        let builder = builder.https_only(!may_be_plain);
        // Requests are signed for one address.
        let client = builder
            .redirect(Policy::none())
            .build()
            .map_err(|error| object_store::Error::Generic { store: "HTTP", source: Box::new(error) })?;
        Ok(HttpClient::new(Client(client)))
    }
}

#[derive(Debug)]
struct Client(reqwest::Client);

impl HttpService for Client {
    fn call<'service, 'call>(
        &'service self,
        request: HttpRequest,
    ) -> Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'call>>
    where
        'service: 'call,
        Self: 'call,
    {
        Box::pin(async move {
            let request = reqwest::Request::try_from(request.map(reqwest::Body::wrap));
            let request = request.map_err(|error| HttpError::new(HttpErrorKind::Unknown, error))?;
            let response = self.0.execute(request).await.map_err(failed)?;
            let (status, headers) = (response.status(), response.headers().clone());
            // No list of a page and no record is as long as this.
            let body = Limited::new(reqwest::Body::from(response), LARGEST_ANSWER);
            let body = body.map_err(|error| match error.downcast::<reqwest::Error>() {
                Ok(error) => failed(*error),
                Err(error) => HttpError::new_boxed(HttpErrorKind::Decode, error),
            });
            let mut answer = HttpResponse::new(HttpResponseBody::new(body));
            *answer.status_mut() = status;
            *answer.headers_mut() = headers;
            Ok(answer)
        })
    }
}

/// A failed request without its address, which may have a signature in it.
fn failed(error: reqwest::Error) -> HttpError {
    let kind = if error.is_timeout() {
        HttpErrorKind::Timeout
    } else if error.is_connect() {
        HttpErrorKind::Connect
    } else if error.is_decode() {
        HttpErrorKind::Decode
    } else {
        HttpErrorKind::Request
    };
    HttpError::new(kind, error.without_url())
}
