//! Prompts and resources of other MCP servers, under names that begin with the server.
//!
//! A prompt has the server's name before its own, as a tool has. A resource has it before its URI: `github+repo://x`. An
//! agent may leave it out where one server alone has something of that name.

use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::conversing::Redacting;
use crate::ledger::AuditDecision;
use crate::model::{Caller, Rejection, Spelling, ToolName, shown, visible};
use crate::project::Project;
use crate::redact::redacted_json;
use crate::sources::upstream::{ForeignRequest, OfferKind, ServerAnswer, ServerNotice};
use crate::sources::{Conversation, Source, Unattended};

/// An entry of a list, under its name here.
#[derive(Debug, Clone, PartialEq)]
struct OfferEntry {
    server: String,
    original: String,
    entry: Value,
}

/// The reason why a request for a prompt or a resource has no result.
#[derive(Debug, Clone, PartialEq)]
pub enum NoOffer {
    /// No server has something of this name, or several have: in words, and the URI of a resource.
    Unknown(String, Option<String>),
    /// The server answered with this JSON-RPC error, whose text has the server's name before it.
    Rejected(Rejection),
    /// No answer came.
    Failed(String),
}

/// A request for something of a list.
#[derive(Debug)]
pub struct OfferRequest {
    /// The method: `prompts/get`.
    pub method: &'static str,
    /// The list that the name is looked for in.
    pub kind: OfferKind,
    /// The name or the URI as the caller has it.
    pub name: String,
    /// The parameters without the name.
    pub params: Map<String, Value>,
}

/// A result, and the server that it is from.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferAnswer {
    /// The server.
    pub server: String,
    /// The server's own name for what was asked for.
    pub original: String,
    /// The result, without secrets.
    pub result: Value,
}

/// The entries of all servers that are connected, in the order of the settings.
pub async fn offers(project: &Project, kind: OfferKind, spelling: Spelling) -> Vec<Value> {
    listed(project, kind, spelling).await.into_iter().map(|offered| offered.entry).collect()
}

/// Passes a request on to the server that has the named entry. The server's messages meanwhile go to `inner`.
///
/// # Errors
/// When no server has it, or the server does not answer with a result.
pub(super) async fn ask_for(
    project: &Project,
    (caller, spelling): (Caller, Spelling),
    request: OfferRequest,
    inner: &dyn Conversation,
    cancel: &CancellationToken,
) -> Result<OfferAnswer, NoOffer> {
    let OfferRequest { method, kind, name, mut params } = request;
    let (source, original, is_qualified) = resolve(project, kind, &name, spelling).await?;
    let server = source.instance().to_owned();
    note(project, caller, method, (&server, &original));
    insert_name(&mut params, method, kind, &original);
    let request = ForeignRequest { method, params: Value::Object(params) };
    let secrets = project.secrets_of_server(&server);
    let conversation = Redacting { inner, secrets: &secrets };
    let result = match source.request(request, &conversation, cancel).await {
        ServerAnswer::Result(result) => result,
        ServerAnswer::Rejected { code, message, data } => {
            let message = format!("{server}: {}", secrets.redact(&message));
            let mut data = data.map(|data| redacted_json(data, &secrets));
            if is_qualified && let Some(data) = &mut data {
                qualify_uri(data, &server);
            }
            return Err(NoOffer::Rejected(Rejection { code, message, data }));
        }
        ServerAnswer::TimedOut(after) => {
            return Err(NoOffer::Failed(format!("{server} did not answer within {} s", after.as_secs())));
        }
        ServerAnswer::Cancelled => return Err(NoOffer::Failed("the request was cancelled".to_owned())),
        ServerAnswer::Lost(why) | ServerAnswer::Unreachable(why) => {
            return Err(NoOffer::Failed(visible(&why).into_owned()));
        }
        // Only calls of tools are bound to a definition.
        ServerAnswer::Changed => return Err(NoOffer::Failed(format!("{server} changed it"))),
    };
    let mut result = redacted_json(result, &secrets);
    if is_qualified {
        qualify_contents(&mut result, &server);
    }
    Ok(OfferAnswer { server, original, result })
}

/// Sends a request to every server that is connected, and waits for none of the answers to be right: `logging/setLevel`.
pub async fn tell_all(project: &Project, method: &str, params: &Value) {
    let cancel = CancellationToken::new();
    let mut asked = Vec::new();
    for source in servers(project) {
        let request = ForeignRequest { method, params: params.clone() };
        asked.push((source.instance().to_owned(), source.request(request, &Unattended, &cancel)));
    }
    // A server without such a method says so, and goes on as before.
    drop(futures_of(asked).await);
}

/// A server's notice as a client may see it.
pub fn without_secrets(project: &Project, notice: ServerNotice) -> ServerNotice {
    let params = redacted_json(notice.params, &project.secrets_of_server(&notice.server));
    ServerNotice { params, ..notice }
}

/// The name of a resource of this server here.
pub fn qualified_uri(server: &str, uri: &str) -> String {
    format!("{}+{uri}", scheme(server))
}

/// The server's name as the start of a URI's scheme, which has no underscores.
fn scheme(server: &str) -> String {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
    let name: String = server.chars().map(|c| if is_allowed(c) { c } else { '-' }).collect();
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { format!("x-{name}") }
}

fn servers(project: &Project) -> impl Iterator<Item = &dyn Source> {
    project.settings.servers().filter_map(|server| project.source(server))
}

async fn listed(project: &Project, kind: OfferKind, spelling: Spelling) -> Vec<OfferEntry> {
    let mut all = Vec::new();
    // All are asked at once: one that is slow holds nobody up for longer than its own time.
    let mut asked = Vec::new();
    for source in servers(project) {
        asked.push((source.instance().to_owned(), source.offers(kind)));
    }
    for (server, entries) in futures_of(asked).await {
        let secrets = project.secrets_of_server(&server);
        // A server that cannot list them now has its problem in the list of tools.
        for entry in entries.unwrap_or_default() {
            let Some(original) = entry.get(kind.name()).and_then(Value::as_str).map(str::to_owned) else {
                continue;
            };
            let mut entry = redacted_json(entry, &secrets);
            entry[kind.name()] = json!(qualified(kind, &server, &secrets.redact(&original), spelling));
            all.push(OfferEntry { server: server.clone(), original, entry });
        }
    }
    all
}

fn qualified(kind: OfferKind, server: &str, original: &str, spelling: Spelling) -> String {
    match kind {
        OfferKind::Prompts => {
            ToolName { instance: server.to_owned(), local: original.to_owned() }.spelled(spelling)
        }
        OfferKind::Resources | OfferKind::Templates => qualified_uri(server, original),
    }
}

/// The server that has something of this name, its own name for it, and whether the caller named the server.
async fn resolve<'a>(
    project: &'a Project,
    kind: OfferKind,
    name: &str,
    spelling: Spelling,
) -> Result<(&'a dyn Source, String, bool), NoOffer> {
    match resolve_known(project, kind, name, spelling).await {
        // No name is unknown while a server that may have it is being connected to.
        Err(NoOffer::Unknown(..)) if project.catalog.has_waited_for_servers().await => {
            resolve_known(project, kind, name, spelling).await
        }
        resolved => resolved,
    }
}

async fn resolve_known<'a>(
    project: &'a Project,
    kind: OfferKind,
    name: &str,
    spelling: Spelling,
) -> Result<(&'a dyn Source, String, bool), NoOffer> {
    for source in servers(project) {
        let rest = name.strip_prefix(&qualified(kind, source.instance(), "", spelling));
        if let Some(original) = rest.filter(|rest| !rest.is_empty()) {
            return Ok((source, original.to_owned(), true));
        }
    }
    let all = listed(project, kind, spelling).await;
    let mut having: Vec<&str> = all
        .iter()
        .filter(|offered| offered.original == name)
        .map(|offered| offered.server.as_str())
        .collect();
    let templates = if having.is_empty() && kind == OfferKind::Resources {
        listed(project, OfferKind::Templates, spelling).await
    } else {
        Vec::new()
    };
    if having.is_empty() {
        // A URI of no list may be one of a template's.
        having =
            templates.iter().filter(|offered| fits(&offered.original, name)).map(|it| &*it.server).collect();
        having.dedup();
    }
    if having.is_empty() && kind == OfferKind::Resources {
        // A tool may answer with links to resources of no list. They can only be the one server's that has any.
        having = all.iter().chain(&templates).map(|offered| &*offered.server).collect();
        having.sort_unstable();
        having.dedup();
        having.truncate(usize::from(having.len() == 1));
    }
    match having.as_slice() {
        [server] => {
            let source = project.source(server);
            source.map(|source| (source, name.to_owned(), false)).ok_or_else(|| unknown(kind, name))
        }
        [] => Err(unknown(kind, name)),
        several => {
            let names: Vec<_> =
                several.iter().map(|server| qualified(kind, server, name, spelling)).collect();
            let why = format!("{} is ambiguous; say which: {}", shown(name), names.join(", "));
            Err(NoOffer::Unknown(why, uri_of(kind, name)))
        }
    }
}

fn unknown(kind: OfferKind, name: &str) -> NoOffer {
    let what = if kind == OfferKind::Prompts { "prompt" } else { "resource" };
    let why =
        format!("no MCP server has a {what} {}; ask {} for those that are there", shown(name), kind.method());
    NoOffer::Unknown(why, uri_of(kind, name))
}

fn uri_of(kind: OfferKind, name: &str) -> Option<String> {
    (kind != OfferKind::Prompts).then(|| name.to_owned())
}

/// Whether a URI begins as those of a template do.
fn fits(template: &str, uri: &str) -> bool {
    let literal = template.split('{').next().unwrap_or_default();
    !literal.is_empty() && uri.starts_with(literal)
}

fn insert_name(params: &mut Map<String, Value>, method: &str, kind: OfferKind, original: &str) {
    if method == "completion/complete" {
        if let Some(reference) = params.get_mut("ref").and_then(Value::as_object_mut) {
            let field = if kind == OfferKind::Prompts { "name" } else { "uri" };
            reference.insert(field.to_owned(), json!(original));
        }
    } else {
        params.insert(kind.name().to_owned(), json!(original));
    }
}

/// Names the contents of a resource as the caller named it.
fn qualify_contents(result: &mut Value, server: &str) {
    for content in result.get_mut("contents").and_then(Value::as_array_mut).into_iter().flatten() {
        qualify_uri(content, server);
    }
}

fn qualify_uri(of: &mut Value, server: &str) {
    if let Some(uri) = of.get("uri").and_then(Value::as_str) {
        of["uri"] = json!(qualified_uri(server, uri));
    }
}

/// Adds a line to the audit log. Reading a prompt or a resource starts nothing, so a log that cannot be written holds
/// nothing back.
fn note(project: &Project, caller: Caller, method: &str, (server, original): (&str, &str)) {
    let decided = AuditDecision {
        at: project.now(),
        caller: caller.name().to_owned(),
        tool: server.to_owned(),
        project: project.settings.root.display().to_string(),
        arguments: Vec::new(),
        decision: "permitted",
        rule: format!("{method} of an approved server: {}", shown(original)),
    };
    if let Some(ledger) = &project.authority.ledger {
        let _ = ledger.note(&decided);
    }
}

/// Waits for all at once; the results are in the order of the futures.
async fn futures_of<T>(asked: Vec<(String, crate::sources::Waiting<'_, T>)>) -> Vec<(String, T)> {
    let mut asked: Vec<_> = asked.into_iter().map(|(server, wait)| (server, wait, None)).collect();
    std::future::poll_fn(|context| {
        let mut is_ready = true;
        for (_, wait, done) in &mut asked {
            if done.is_none() {
                match wait.as_mut().poll(context) {
                    std::task::Poll::Ready(answer) => *done = Some(answer),
                    std::task::Poll::Pending => is_ready = false,
                }
            }
        }
        if is_ready { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    asked.into_iter().filter_map(|(server, _, done)| Some((server, done?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_is_qualified_by_a_scheme_and_a_template_keeps_its_braces() {
        for (server, uri, expected) in [
            ("github", "repo://a/b", "github+repo://a/b"),
            ("my_server", "x:y", "my-server+x:y"),
            ("1st", "x:y", "x-1st+x:y"),
            ("a", "demo://resource/{id}", "a+demo://resource/{id}"),
        ] {
            assert_eq!(qualified_uri(server, uri), expected);
        }
    }

    #[test]
    fn a_template_is_known_by_its_beginning() {
        assert!(fits("demo://resource/{id}", "demo://resource/1"));
        assert!(!fits("demo://resource/{id}", "demo://other/1"));
        assert!(!fits("{all}", "demo://other/1"), "it says nothing");
    }

    #[test]
    fn the_contents_of_a_resource_have_the_name_that_was_asked_for() {
        let mut result = json!({"contents": [{"uri": "a:b", "text": "t"}, {"x": 1}]});
        qualify_contents(&mut result, "s");
        assert_eq!(result, json!({"contents": [{"uri": "s+a:b", "text": "t"}, {"x": 1}]}));
    }
}
