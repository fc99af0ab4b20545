//! A collector of spans: a server of OTLP over HTTP that keeps what it is sent.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use serde_json::Value;

use crate::support::process::until;
use crate::support::project::Project;

/// A collector on this machine.
pub(crate) struct Collector {
    address: String,
    requests: Arc<Mutex<Vec<CollectorRequest>>>,
}

/// A request that came.
#[derive(Clone)]
pub(crate) struct CollectorRequest {
    /// Method and path.
    pub(crate) line: String,
    /// Names in lower case.
    pub(crate) headers: BTreeMap<String, String>,
    /// The body, where it is JSON.
    pub(crate) body: Value,
}

/// A span as it was sent.
pub(crate) struct CollectedSpan(pub(crate) Value);

impl CollectedSpan {
    /// A text of the span.
    pub(crate) fn text(&self, key: &str) -> &str {
        self.0[key].as_str().unwrap_or_default()
    }
}

impl Collector {
    /// Starts one that answers each request with this status.
    pub(crate) fn answering(status: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let requests: Arc<Mutex<Vec<CollectorRequest>>> = Arc::default();
        let kept = Arc::clone(&requests);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let Some(request) = stream.ok().and_then(|stream| read(stream, status)) else { continue };
                kept.lock().unwrap_or_else(PoisonError::into_inner).push(request);
            }
        });
        Self { address, requests }
    }

    /// The project with the variables by which this collector is reached.
    pub(crate) fn surround(&self, project: Project) -> Project {
        project
            .variable("OTEL_EXPORTER_OTLP_ENDPOINT", &self.address)
            .variable("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json")
    }

    /// The address of it.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// The requests so far.
    pub(crate) fn requests(&self) -> Vec<CollectorRequest> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The spans so far, the earliest first, once there are as many.
    pub(crate) fn spans(&self, count: usize) -> Vec<CollectedSpan> {
        until("the spans arrive", || self.collected().len() >= count);
        self.collected()
    }

    fn collected(&self) -> Vec<CollectedSpan> {
        let lists = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
        let requests = self.requests();
        let resources = requests.iter().flat_map(|request| lists(&request.body, "resourceSpans"));
        let scopes = resources.flat_map(|resource| lists(&resource, "scopeSpans"));
        let mut spans: Vec<CollectedSpan> =
            scopes.flat_map(|scope| lists(&scope, "spans")).map(CollectedSpan).collect();
        spans.sort_by_key(|span| span.text("startTimeUnixNano").to_owned());
        spans
    }

    /// All spans as a tree, a line each, with their attributes below. Ids are not in it.
    pub(crate) fn tree(&self, count: usize) -> String {
        let spans = self.spans(count);
        let mut text = String::new();
        let is_root = |span: &&CollectedSpan| {
            !spans.iter().any(|other| other.text("spanId") == span.text("parentSpanId"))
        };
        for root in spans.iter().filter(is_root) {
            branch(&spans, root, 0, &mut text);
        }
        text
    }
}

fn branch(spans: &[CollectedSpan], span: &CollectedSpan, depth: usize, text: &mut String) {
    use std::fmt::Write as _;
    let indent = "  ".repeat(depth);
    let kind = match span.0["kind"].as_u64() {
        Some(1) => "internal",
        Some(2) => "server",
        Some(3) => "client",
        _ => "another",
    };
    let status = match (span.0["status"]["code"].as_u64(), span.0["status"]["message"].as_str()) {
        (Some(2), Some(message)) => format!(", error: {message}"),
        _ => String::new(),
    };
    let _ = writeln!(text, "{indent}{} ({kind}{status})", span.text("name"));
    for attribute in span.0["attributes"].as_array().into_iter().flatten() {
        let name = attribute["key"].as_str().unwrap_or_default();
        let _ = writeln!(text, "{indent}    {name}: {}", plain(&attribute["value"]));
    }
    let below = spans.iter().filter(|other| other.text("parentSpanId") == span.text("spanId"));
    for span in below {
        branch(spans, span, depth + 1, text);
    }
}

/// A value of OTLP as plain JSON.
fn plain(value: &Value) -> Value {
    match value["arrayValue"]["values"].as_array() {
        Some(values) => values.iter().map(plain).collect(),
        None => value.as_object().and_then(|value| value.values().next()).cloned().unwrap_or_default(),
    }
}

fn read(stream: TcpStream, status: u16) -> Option<CollectorRequest> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut headers = BTreeMap::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((name, value)) = header.trim_end().split_once(':') else { break };
        headers.insert(name.to_lowercase(), value.trim().to_owned());
    }
    let mut body = vec![0; headers.get("content-length")?.parse().ok()?];
    reader.read_exact(&mut body).ok()?;
    let mut stream = reader.into_inner();
    let answer = format!("HTTP/1.1 {status} x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{{}}");
    stream.write_all(answer.as_bytes()).ok()?;
    let line = line.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    Some(CollectorRequest { line, headers, body: serde_json::from_slice(&body).unwrap_or_default() })
}
