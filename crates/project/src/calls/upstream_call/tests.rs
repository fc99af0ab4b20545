//! Calls of another MCP server through a source that stands in for its connection.

#![expect(clippy::disallowed_methods, reason = "the tests write the settings of their projects")]

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use crate::calls::{self, Addressed, CallOptions, CallRequest, Detach};
use crate::model::{
    Answer, BadCall, BoundFile, Called, Caller, Definition, Discovery, Ending, Location, Outcome, Plan,
    Problem, RecordState, Report, Seen, Tool, UpstreamCall,
};
use crate::project::{Context, Project};
use crate::sources::project::ProjectView;
use crate::sources::upstream::Connect;
use crate::sources::{CallInput, Conversation, Freshness, Source, Unbindable, Waiting};
use crate::store::Store;
use crate::sys::journal::Journal;
use crate::sys::process::Supervisor;
use crate::sys::watch::WatchedPlaces;
use crate::sys::{Clock, Environment};

/// A server that gives each call its prepared answer; `None`: never.
#[derive(Debug)]
struct Fake {
    offered: Arc<Discovery>,
    ending: Option<(Ending, Option<Value>)>,
}

impl Fake {
    fn new(ending: Option<(Ending, Option<Value>)>) -> Self {
        let definition = json!({"name": "create-issue", "inputSchema": {"type": "object", "x-vendor": 1}});
        let schema = Arc::new(definition["inputSchema"].clone());
        let place = Location::at("settings.yml", None, None);
        let tool = Tool::relayed("create_issue", "create-issue", place, schema, Arc::new(definition));
        let offered = Arc::new(Discovery { tools: vec![tool], ..Discovery::default() });
        Self { offered, ending }
    }
}

impl Source for Fake {
    fn instance(&self) -> &'static str {
        "github"
    }

    fn plugin(&self) -> &'static str {
        "mcp"
    }

    fn snapshot(&self) -> Option<Arc<Discovery>> {
        Some(Arc::clone(&self.offered))
    }

    fn refresh<'a>(&'a self, _: Freshness, _: &'a ProjectView) -> Waiting<'a, Arc<Discovery>> {
        Box::pin(async { Arc::clone(&self.offered) })
    }

    fn recalled(&self, _: &ProjectView) -> Arc<Discovery> {
        Arc::clone(&self.offered)
    }

    fn watched(&self) -> WatchedPlaces {
        WatchedPlaces::default()
    }

    fn plan(&self, tool: &Tool, input: &CallInput<'_>) -> Result<Plan, BadCall> {
        Ok(Plan::Upstream(UpstreamCall {
            server: "github".into(),
            tool: tool.original.clone(),
            arguments: input.arguments.clone(),
            timeout: Duration::from_secs(30),
            definition: None,
            trace: None,
        }))
    }

    fn definitions(&self) -> Option<Vec<Definition>> {
        Some(self.offered.tools.iter().filter_map(|tool| tool.role.definition().cloned()).collect())
    }

    fn call<'a>(
        &'a self,
        _: &'a UpstreamCall,
        _: &'a dyn Conversation,
        _: &'a CancellationToken,
    ) -> Waiting<'a, Outcome> {
        Box::pin(async {
            let Some((ending, answer)) = self.ending.clone() else { return std::future::pending().await };
            let answer = answer.map(Answer::new);
            Outcome { answer, ..Outcome::new(ending, Duration::ZERO) }
        })
    }

    fn bind<'a>(&'a self, _: &'a Tool) -> Waiting<'a, Result<Vec<(BoundFile, Seen)>, Unbindable>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn absence<'a>(&'a self, _: &'a str, _: &'a ProjectView) -> Waiting<'a, Option<Problem>> {
        Box::pin(async { None })
    }
}

/// Somebody who hears the answer.
struct Hearer;

impl crate::execution::Sink for Hearer {
    fn write(&mut self, _: crate::model::Stream, bytes: &[u8]) -> std::ops::ControlFlow<()> {
        assert!(!String::from_utf8_lossy(bytes).contains("hush"), "a secret is shown");
        std::ops::ControlFlow::Continue(())
    }
}

/// A call by an agent with one argument, and the store that it is recorded in.
async fn called(fake: Fake, cancel: &CancellationToken) -> (Report, Store) {
    // In the user's own folder: such a server waits for nobody's approval.
    let folder = tempfile::tempdir().unwrap().keep();
    let (home, settings) = (folder.join("home"), folder.join("config/cuff"));
    std::fs::create_dir_all(&settings).unwrap();
    let text =
        "version: \"1\"\nplugins: {github: {type: mcp, command: none, env: {OWN_KEY: own-key-of-it}}}\n";
    std::fs::write(settings.join("settings.yml"), text).unwrap();
    let config = folder.join("config");
    let variables = [
        ("HOME", home.to_str().unwrap()),
        ("XDG_CONFIG_HOME", config.to_str().unwrap()),
        ("API_TOKEN", "hush-hush-hush"),
    ];
    let environment = Environment::new(&folder, variables);
    let store = Store::of(&environment).unwrap();
    let context = Context {
        plugins: &[],
        environment,
        clock: Clock::of_system(),
        supervisor: Supervisor::at("/no/such/cuff"),
        journal: Journal::default(),
        metrics: Arc::default(),
        connect: Connect::WhenCalled,
        files: Arc::default(),
        views: None,
    };
    let project = Project::open(context, None, Caller::Human).unwrap();
    project.catalog.sources.set(vec![Arc::new(fake) as Arc<dyn Source>]).unwrap();
    let request = CallRequest {
        tool: Addressed::Loosely("create-issue".into()),
        arguments: Map::from_iter([("title".to_owned(), json!("about hush-hush-hush"))]),
        caller: Caller::Agent,
        colours: false,
        asker: None,
        conversation: None,
        detach: Detach::default(),
        options: CallOptions::default(),
        parent: None,
        correlation: None,
        trace: None,
        is_mcp: false,
    };
    let report = calls::run(&project, request, &mut Hearer, cancel).await.unwrap();
    (report, store)
}

#[tokio::test]
async fn a_call_is_a_run_with_request_and_answer_and_without_secrets() {
    let answer = json!({"content": [{"type": "text", "text": "made hush-hush-hush own-key-of-it", "x": 1}], "vendor": [2]});
    let fake = Fake::new(Some((Ending::Answered { is_error: false }, Some(answer))));
    let (report, store) = called(fake, &CancellationToken::new()).await;
    assert_eq!(
        (report.success, &report.error, report.output.text.as_str()),
        (true, &None, "made [redacted:API_TOKEN] [redacted:OWN_KEY]\n")
    );
    let shown = json!({"content": [{"type": "text", "text": "made [redacted:API_TOKEN] [redacted:OWN_KEY]", "x": 1}], "vendor": [2]});
    let text = |answer: Option<&Answer>| answer.unwrap().raw().to_string();
    assert_eq!(text(report.answer.as_ref()), shown.to_string());
    let id = report.run_id.unwrap();
    assert_eq!(text(store.answer(id).as_ref()), shown.to_string());
    let run = store.run(id).unwrap();
    let expected = Called {
        server: "github".into(),
        tool: "create-issue".into(),
        arguments: Some(Map::from_iter([("title".to_owned(), json!("about [redacted:API_TOKEN]"))])),
    };
    assert_eq!((run.beginning.call, run.beginning.arguments), (Some(expected), None));
    let RecordState::Ended(end) = run.state else { panic!("{:?}", run.state) };
    assert_eq!((end.success, end.ending), (true, Ending::Answered { is_error: false }));
}

#[tokio::test]
async fn each_way_to_fail_has_its_words() {
    let failed = Some(json!({"content": [], "isError": true}));
    for (ending, answer, error) in [
        (Ending::Answered { is_error: true }, failed, "`create-issue` failed, says github"),
        (Ending::Rejected("no such repo".into()), None, "github rejected the call: no such repo"),
        (Ending::TimedOut(Duration::from_secs(30)), None, "github did not answer within 30 seconds"),
        (
            Ending::Disconnected("the connection to the server github was lost: exit code 3".into()),
            None,
            "the connection to the server github was lost: exit code 3",
        ),
    ] {
        let (report, store) =
            called(Fake::new(Some((ending.clone(), answer))), &CancellationToken::new()).await;
        assert_eq!((report.success, report.error.as_deref()), (false, Some(error)));
        assert_eq!(report.ending.as_ref(), Some(&ending));
        let RecordState::Ended(end) = store.run(report.run_id.unwrap()).unwrap().state else {
            panic!("{error}")
        };
        assert_eq!(end.ending, ending);
    }
}

#[tokio::test]
async fn a_call_that_is_cancelled_ends_at_once() {
    let cancel = CancellationToken::new();
    cancel.cancel();
    let (report, _) = called(Fake::new(None), &cancel).await;
    assert_eq!((report.ending, report.success), (Some(Ending::Cancelled), false));
}
