//! Sends the spans that wait to their collectors, as OTLP over HTTP.
//!
//! The exporter of OpenTelemetry reads its own variables: headers, time limits, the form of the body and the attributes of the
//! resource. It speaks through the client of this package, and tells nobody but the caller.

use std::borrow::Cow;
use std::error::Error;
use std::pin::Pin;
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime};

use http_body_util::{BodyExt as _, Limited};
use opentelemetry::trace::{SpanContext, SpanId, SpanKind, Status, TraceFlags, TraceId, TraceState};
use opentelemetry::{Array, InstrumentationScope, KeyValue, StringValue};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::resource::{ResourceDetector as _, SdkProvidedResourceDetector};
use opentelemetry_sdk::trace::{SpanData, SpanEvents, SpanExporter as _, SpanLinks};
use reqwest::redirect::Policy;
use serde_json::Value;

use crate::model::RunId;
use crate::store::{Outbox, RecordedSpan, SpanRole, WaitingTrace};
use crate::sys::Environment;

/// The name under which spans are sent where no variable gives another.
const SERVICE: &str = "cuff";
/// The name that the library gives a service without one.
const NAMELESS: &str = "unknown_service";
/// The longest that a connection takes.
const CONNECT: Duration = Duration::from_secs(5);
/// The longest that an attempt takes, with all repetitions, where no variable says so.
const ATTEMPT: Duration = Duration::from_secs(20);
/// The longest that variables can have it take.
const LONGEST_ATTEMPT: Duration = Duration::from_mins(5);
/// The variables with the time for a request, in milliseconds; the first that is set counts.
const TIMEOUTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"];
/// The longest answer that is read, in bytes.
const LARGEST_ANSWER: usize = 1024 * 1024;
/// The most calls whose spans are sent in one request.
const BATCH: usize = 200;

/// How an attempt to send went.
#[derive(Debug, Default)]
pub struct SentTraces {
    /// The calls whose spans were sent.
    pub sent: usize,
    /// The calls whose spans still wait.
    pub waiting: usize,
    /// Why they do, or why spans were given up.
    pub problem: Option<String>,
    /// Whether another process sends meanwhile.
    pub is_busy: bool,
}

/// Sends the spans that wait. The first failure of a collector ends the attempt; the next one goes on from there. Spans that it
/// refuses for good are given up.
pub async fn send_traces(outbox: &Outbox<WaitingTrace>, environment: &Environment) -> SentTraces {
    let limit = limit(environment);
    let waiting = || outbox.waiting().unwrap_or_default();
    let Some(_lock) = outbox.lock() else {
        let waiting = waiting().len();
        return SentTraces { waiting, is_busy: waiting > 0, ..SentTraces::default() };
    };
    let mut done = SentTraces::default();
    for ids in waiting().chunks(BATCH) {
        let mut batches: Vec<(String, Vec<(RunId, WaitingTrace)>)> = Vec::new();
        for id in ids {
            let Some(trace) = outbox.read(*id) else {
                outbox.forget(*id);
                continue;
            };
            match batches.iter_mut().find(|(collector, _)| *collector == trace.collector) {
                Some((_, batch)) => batch.push((*id, trace)),
                None => batches.push((trace.collector.clone(), vec![(*id, trace)])),
            }
        }
        for (collector, batch) in batches {
            let spans = batch.iter().flat_map(|(_, trace)| spans(trace)).collect();
            let sent = tokio::time::timeout(limit, send(&collector, spans, limit)).await;
            let (is_refused, problem) = match sent {
                Ok(Ok(())) => (false, None),
                Ok(Err(Unsent { why, is_final })) => (is_final, Some(why)),
                Err(_) => (false, Some(format!("no answer within {limit:?}"))),
            };
            let problem = problem.map(|why| format!("the collector {}: {why}", address(&collector)));
            let goes_on = problem.is_none() || is_refused;
            if goes_on {
                for (id, _) in &batch {
                    outbox.forget(*id);
                }
            }
            if problem.is_none() {
                done.sent += batch.len();
            } else {
                done.problem = problem;
            }
            if !goes_on {
                outbox.keep_problem(done.problem.as_deref());
                return SentTraces { waiting: waiting().len(), ..done };
            }
        }
    }
    outbox.keep_problem(done.problem.as_deref());
    SentTraces { waiting: waiting().len(), ..done }
}

/// The reason why spans were not sent.
struct Unsent {
    why: String,
    /// Whether another attempt would end alike.
    is_final: bool,
}

/// The time for a request, as the variables have it: in milliseconds.
fn limit(environment: &Environment) -> Duration {
    let named = TIMEOUTS.iter().find_map(|name| environment.get(name)?.to_str()?.trim().parse().ok());
    named.filter(|limit| *limit > 0).map_or(ATTEMPT, Duration::from_millis).min(LONGEST_ATTEMPT)
}

async fn send(collector: &str, spans: Vec<SpanData>, limit: Duration) -> Result<(), Unsent> {
    let failed = |why: String| Unsent { why, is_final: false };
    let (client, answer) = CollectorClient::new(limit).map_err(|error| failed(error.to_string()))?;
    let exporter =
        SpanExporter::builder().with_http().with_http_client(client).with_endpoint(collector).build();
    let mut exporter = exporter.map_err(|error| Unsent { why: error.to_string(), is_final: true })?;
    exporter.set_resource(&resource());
    let sent = exporter.export(spans).await;
    sent.map_err(|error| match answer.status.load(Ordering::Relaxed) {
        // The exporter keeps the cause to itself.
        0 => failed(answer.problem.get().cloned().unwrap_or_else(|| error.to_string())),
        // Too early, or too many at once.
        code => {
            let is_final = (300..500).contains(&code) && ![408, 425, 429].contains(&code);
            Unsent { why: format!("it answered with the HTTP status {code}"), is_final }
        }
    })
}

/// The attributes of all spans: those of the variables, and the name and version of cuff.
fn resource() -> Resource {
    // `OTEL_SERVICE_NAME` counts more than the name among `OTEL_RESOURCE_ATTRIBUTES`.
    let name = SdkProvidedResourceDetector.detect().get(&"service.name".into()).map(|name| name.to_string());
    let name = name.filter(|name| !name.starts_with(NAMELESS)).unwrap_or_else(|| SERVICE.to_owned());
    Resource::builder()
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .with_service_name(name)
        .build()
}

/// An address without what may be a secret in it.
fn address(collector: &str) -> Cow<'_, str> {
    let Ok(mut url) = collector.parse::<reqwest::Url>() else {
        return Cow::Borrowed("that the variables name");
    };
    // Where it can have none, it has none.
    let _ = (url.set_username(""), url.set_password(None));
    url.set_query(None);
    Cow::Owned(url.to_string())
}

fn spans(trace: &WaitingTrace) -> impl Iterator<Item = SpanData> {
    trace.spans.iter().filter_map(|span| data(span, &trace.state))
}

/// A span as the exporter takes it; `None` where its ids are none.
fn data(span: &RecordedSpan, state: &str) -> Option<SpanData> {
    let id = |text: &str| SpanId::from_hex(text).ok();
    let context = SpanContext::new(
        TraceId::from_hex(&span.trace).ok()?,
        id(&span.span)?,
        TraceFlags::SAMPLED,
        false,
        state.parse().unwrap_or_else(|_| TraceState::default()),
    );
    let at = |nanoseconds| SystemTime::UNIX_EPOCH + Duration::from_nanos(nanoseconds);
    Some(SpanData {
        span_context: context,
        parent_span_id: span.parent.as_deref().and_then(id).unwrap_or(SpanId::INVALID),
        parent_span_is_remote: span.role != SpanRole::Client && span.parent.is_some(),
        span_kind: match span.role {
            SpanRole::Server => SpanKind::Server,
            SpanRole::Client => SpanKind::Client,
            SpanRole::Internal => SpanKind::Internal,
        },
        name: Cow::Owned(span.name.clone()),
        start_time: at(span.start),
        end_time: at(span.end),
        attributes: span.attributes.iter().filter_map(attribute).collect(),
        dropped_attributes_count: 0,
        events: SpanEvents::default(),
        links: SpanLinks::default(),
        status: span.error.clone().map_or(Status::Unset, Status::error),
        instrumentation_scope: InstrumentationScope::builder(SERVICE)
            .with_version(env!("CARGO_PKG_VERSION"))
            .build(),
    })
}

fn attribute((name, value): (&String, &Value)) -> Option<KeyValue> {
    let value = match value {
        Value::String(text) => text.clone().into(),
        Value::Bool(flag) => (*flag).into(),
        Value::Number(number) => number.as_i64()?.into(),
        Value::Array(texts) => {
            let texts =
                texts.iter().filter_map(|text| text.as_str().map(|text| StringValue::from(text.to_owned())));
            opentelemetry::Value::Array(Array::String(texts.collect()))
        }
        Value::Null | Value::Object(_) => return None,
    };
    Some(KeyValue::new(name.clone(), value))
}

/// An HTTP client that follows no redirect and reads no long answer. It keeps the last status for its caller.
#[derive(Debug)]
struct CollectorClient {
    client: reqwest::Client,
    last: Arc<LastAnswer>,
}

/// The end of the last request of a client.
#[derive(Debug, Default)]
struct LastAnswer {
    /// The status of the answer; 0 without one.
    status: AtomicU16,
    /// Why there was none.
    problem: OnceLock<String>,
}

impl CollectorClient {
    fn new(limit: Duration) -> reqwest::Result<(Self, Arc<LastAnswer>)> {
        // Another connection may have installed the same provider.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder().connect_timeout(CONNECT.min(limit)).timeout(limit);
        // Headers may have a credential.
        let client = client.redirect(Policy::none()).build()?;
        let last = Arc::new(LastAnswer::default());
        Ok((Self { client, last: Arc::clone(&last) }, last))
    }

    async fn answer(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        self.last.status.store(0, Ordering::Relaxed);
        let response = self.client.execute(request.try_into()?).await.map_err(|error| {
            let why = reason(&error.without_url());
            let _ = self.last.problem.set(why.clone());
            why
        })?;
        self.last.status.store(response.status().as_u16(), Ordering::Relaxed);
        let (parts, body) = Response::from(response).into_parts();
        let body = Limited::new(body, LARGEST_ANSWER).collect().await?;
        Ok(Response::from_parts(parts, body.to_bytes()))
    }
}

/// The innermost cause of an error, which people can act on: that a connection was refused.
fn reason(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

impl HttpClient for CollectorClient {
    fn send_bytes<'client, 'answer>(
        &'client self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'answer>>
    where
        'client: 'answer,
        Self: 'answer,
    {
        Box::pin(self.answer(request))
    }
}
