use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;

use super::*;
use crate::ledger::Unreviewed;
use crate::model::{
    BoundFile, Caller, Change, Command, Content, EnvironmentPolicy, ErrorCode, File, Limits, Location,
    NotStarted, Origin, Plan, Quoting, Reach, Registered, Runner, RunnerFiles, Seen, StatePart, Tool,
    ToolName, UpstreamCall, Values, Word,
};

/// A project with the answers that a test needs.
#[derive(Debug)]
pub(super) struct Ground {
    pub(super) root: PathBuf,
    pub(super) confirms: bool,
    pub(super) approval: TextApproval,
    pub(super) now: Option<Registered>,
    pub(super) text: &'static str,
    pub(super) config: Values,
    pub(super) limits: Limits,
    pub(super) reach: Reach,
    pub(super) files: Vec<(&'static str, String)>,
    pub(super) is_contained: bool,
}

impl Ground {
    pub(super) fn open() -> Self {
        Self {
            root: "/".into(),
            confirms: false,
            approval: TextApproval::NotAsked,
            now: Some(tool(false)),
            text: "a",
            config: Values::default(),
            limits: Limits::default(),
            reach: Reach::Declared,
            files: Vec::new(),
            is_contained: true,
        }
    }
}

impl PolicyContext for Ground {
    fn root(&self) -> &Path {
        &self.root
    }

    fn confirms(&self, _: &Registered) -> bool {
        self.confirms
    }

    fn config(&self, _: &Registered) -> &Values {
        &self.config
    }

    fn limits(&self, _: &Registered) -> Limits {
        self.limits.clone()
    }

    fn approval(&self, _: &Registered) -> TextApproval {
        self.approval
    }

    fn reach(&self, _: &Registered) -> Reach {
        self.reach
    }

    fn script(&self, path: &Path, _: u64) -> Seen {
        let found = self.files.iter().find(|(name, _)| self.root.join(name) == path);
        found.map_or(Seen::Missing, |(name, text)| Seen::File(file(name, text)))
    }

    fn runs_tools(&self, program: &str) -> bool {
        plugins::ALL.iter().any(|plugin| plugin.about().programs.contains(&program))
    }

    fn is_contained(&self, _: &Registered) -> bool {
        self.is_contained
    }

    fn current<'a>(&'a self, _: &'a Registered) -> Looking<'a, Option<Registered>> {
        Box::pin(async { self.now.clone() })
    }

    fn bind<'a>(&'a self, _: &'a Registered) -> Looking<'a, Result<ContentBinding, Unbound>> {
        Box::pin(async { Ok(binding(self.text)) })
    }
}

fn file(path: &str, text: &str) -> File {
    File { device: 1, inode: 1, ..File::new(path, text.as_bytes()) }
}

fn binding(text: &str) -> ContentBinding {
    let file = file("/package.json", text);
    let bound = BoundFile { path: "package.json".into(), after: StatePart::Same };
    ContentBinding::of(vec![(bound, Seen::File(file))])
}

fn command(words: &[&str]) -> Command {
    Command::new(Word::fixed("npm")).arguments(words.iter().map(|word| Word::call(*word)))
}

fn named(local: &str, requires_confirmation: bool) -> Registered {
    let command = command(&[]).requires_confirmation(requires_confirmation);
    let mut tool = Tool::running(local, local, Location::file("package.json"), command);
    tool.content = Some(Content::of([("a", &b"text"[..])]));
    Registered::new(ToolName { instance: "npm".into(), local: local.into() }, "npm", tool)
}

fn tool(requires_confirmation: bool) -> Registered {
    named("ci", requires_confirmation)
}

fn judged(tool: &Registered, plan: Plan, caller: Caller, ground: &Ground) -> Result<Decision, Refusal> {
    authorize(PolicyCall { tool, plan, caller, chose_folder: false, is_contained: false }, ground)
}

fn unconfirmed(tool: &Registered, command: Command) -> Unconfirmed {
    let plan = Plan::Process(command.requires_confirmation(true));
    match judged(tool, plan, Caller::Agent, &Ground::open()) {
        Ok(Decision::Unconfirmed(unconfirmed)) => unconfirmed,
        other => panic!("{other:?}"),
    }
}

fn set(name: &str, value: &str, origin: Origin) -> Change {
    Change::new(name, value, origin)
}

#[test]
fn the_gate_knows_confirm_pins_and_who_calls() {
    let plan = || Plan::Process(command(&[]));
    for caller in [Caller::Human, Caller::HumanRun, Caller::Agent, Caller::Run, Caller::Code] {
        let is_governed = !matches!(caller, Caller::Human | Caller::HumanRun);
        let open = judged(&tool(false), plan(), caller, &Ground::open());
        assert!(matches!(open, Ok(Decision::Permitted(_))), "{open:?}");

        let asks = Ground { confirms: true, ..Ground::open() };
        let Ok(Decision::Unconfirmed(asked)) = judged(&tool(false), plan(), caller, &asks) else { panic!() };
        assert_eq!(asked.because(), ConfirmReason::Settings);
        let changes = Plan::Process(command(&[]).requires_confirmation(true));
        let Ok(Decision::Unconfirmed(asked)) = judged(&tool(true), changes, caller, &asks) else { panic!() };
        let own = if caller == Caller::Human { ConfirmReason::Settings } else { ConfirmReason::Changes };
        assert_eq!(asked.because(), own);

        let approved = Ground { approval: TextApproval::Approved, ..Ground::open() };
        let pinned = judged(&tool(false), plan(), caller, &approved);
        assert_eq!(matches!(pinned, Ok(Decision::Pinned(_))), is_governed, "{pinned:?}");
        let unapproved = Ground { approval: TextApproval::Unapproved, confirms: true, ..Ground::open() };
        let refused = judged(&tool(false), plan(), caller, &unapproved).map_err(|refusal| refusal.fault);
        assert_eq!(refused.err(), is_governed.then_some(ErrorCode::Unapproved));
    }
    for (caller, asked) in [
        (Caller::Agent, Some(ConfirmReason::Changes)),
        (Caller::Code, Some(ConfirmReason::Changes)),
        (Caller::Run, Some(ConfirmReason::Changes)),
        (Caller::HumanRun, Some(ConfirmReason::Changes)),
        (Caller::Human, None),
    ] {
        assert_eq!(confirmation(&tool(true), caller, &Ground::open()), asked, "{caller:?}");
        assert_eq!(confirmation(&tool(false), caller, &Ground::open()), None);
    }
}

#[test]
fn a_definition_that_nobody_has_reviewed_is_refused_to_all_but_people() {
    let plan = || Plan::Process(command(&[]));
    for (why, said) in [
        (Unreviewed::Changed, "The MCP server npm changed npm.ci since a person approved it"),
        (Unreviewed::New, "The MCP server npm added npm.ci, and no person has approved it"),
        (Unreviewed::Unpinned, "It is not known what a person approved of npm.ci of the MCP server npm"),
    ] {
        let ground = Ground { approval: TextApproval::Unreviewed(why), ..Ground::open() };
        for caller in [Caller::Agent, Caller::Run, Caller::Code] {
            let refusal = judged(&tool(false), plan(), caller, &ground).unwrap_err();
            assert_eq!((refusal.fault, refusal.message.as_str()), (ErrorCode::Unapproved, said));
        }
        assert!(matches!(judged(&tool(false), plan(), Caller::Human, &ground), Ok(Decision::Permitted(_))));
    }
}

#[test]
fn a_call_of_another_server_is_held_to_the_same_gate() {
    let call = |text: &str| {
        Plan::Upstream(UpstreamCall {
            server: "github".into(),
            tool: "create_issue".into(),
            arguments: json!({"title": text}).as_object().unwrap().clone(),
            timeout: Duration::from_secs(1),
            definition: None,
            trace: None,
        })
    };
    let asks = Ground { confirms: true, ..Ground::open() };
    let digest = |text: &str| match judged(&tool(false), call(text), Caller::Agent, &asks) {
        Ok(Decision::Unconfirmed(asked)) => (asked.digest(Path::new("/p"), &binding("a")), asked.line()),
        other => panic!("{other:?}"),
    };
    assert_eq!(digest("a").1, r#"github: create_issue {"title":"a"}"#);
    assert_ne!(digest("a").0, digest("b").0, "a yes is for these arguments");
    let open = judged(&tool(false), call("a"), Caller::Agent, &Ground::open());
    assert!(matches!(open, Ok(Decision::Permitted(_))), "{open:?}");
}

#[test]
fn a_yes_is_for_one_plan_of_one_tool() {
    let digest = |tool: &str, command: Command| {
        unconfirmed(&named(tool, true), command).digest(Path::new("/project"), &binding("a"))
    };
    let one = digest("install", command(&["a"]));
    assert_eq!(one, digest("install", command(&["a"])));
    assert_ne!(one, digest("install", command(&["b"])));
    assert_ne!(one, digest("ci", command(&["a"])));
    let with = |origin| command(&["a"]).environment([set("X", "1", origin)]);
    assert_ne!(one, digest("install", with(Origin::Call)));
    assert_ne!(one, digest("install", with(Origin::Settings)));
    assert_eq!(one, digest("install", with(Origin::Fixed)));
    let clean = command(&["a"]).environment_policy(EnvironmentPolicy::Clean);
    assert_ne!(one, digest("install", clean), "another environment is another plan");
}

#[test]
fn a_yes_is_for_no_plan_that_looks_alike() {
    let folder = tempfile::tempdir().unwrap();
    let digest =
        |unconfirmed: &Unconfirmed, text: &str, root: &Path| unconfirmed.digest(root, &binding(text));
    let words = unconfirmed(&tool(true), command(&["a", "environment", "X"]));
    let with = command(&["a"]).environment([set("X", "environment", Origin::Call)]);
    let with = unconfirmed(&tool(true), with);
    let root = folder.path();
    assert_ne!(digest(&words, "a", root), digest(&with, "a", root), "words are no environment");
    assert_ne!(digest(&with, "a", root), digest(&with, "b", root), "a file says something else");
    assert_ne!(digest(&with, "a", root), digest(&with, "a", Path::new("/")), "it is another project");
    assert_eq!(with.line(), "X=environment npm a");
    let elsewhere = unconfirmed(&tool(true), command(&["a"]).directory("a b"));
    assert_eq!(elsewhere.line(), "cd 'a b' && npm a");
}

/// The permit of a call that nothing stands against.
fn permit(caller: Caller) -> Permit {
    match judged(&tool(false), Plan::Process(command(&[])), caller, &Ground::open()) {
        Ok(Decision::Permitted(permit)) => permit,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_call_that_waited_is_judged_again() {
    let changed = || Err("package.json".to_owned());
    let look_again = async |permit: Permit, waited, ground: Ground| {
        clear(permit, waited, &ground).await.map(|_| ()).map_err(|why| match why {
            NotStarted::SourceChanged(files) => files,
            other => panic!("{other:?}"),
        })
    };
    let asks = || Ground { confirms: true, ..Ground::open() };
    let gone = || Ground { now: None, ..Ground::open() };
    let other = || Ground { now: Some(named("other", false)), ..Ground::open() };
    let unapproved = || Ground { approval: TextApproval::Unapproved, ..Ground::open() };
    assert_eq!(look_again(permit(Caller::Agent), true, Ground::open()).await, Ok(()));
    for ground in [asks, gone, other, unapproved] {
        assert_eq!(look_again(permit(Caller::Agent), true, ground()).await, changed());
        assert_eq!(look_again(permit(Caller::Agent), false, ground()).await, Ok(()), "it has not waited");
        assert_eq!(
            look_again(permit(Caller::Human), true, ground()).await,
            Ok(()),
            "a person has what there is"
        );
    }
}

#[tokio::test]
async fn bound_files_are_read_again_with_or_without_a_wait() {
    let approved = Ground { approval: TextApproval::Approved, ..Ground::open() };
    for (text, waited, passes) in
        [("a", false, true), ("a", true, true), ("b", false, false), ("b", true, false)]
    {
        let plan = Plan::Process(command(&[]));
        let Ok(Decision::Pinned(pinned)) = judged(&tool(false), plan, Caller::Agent, &approved) else {
            panic!()
        };
        let cleared = clear(pinned.bound_to(binding("a")), waited, &Ground { text, ..Ground::open() }).await;
        assert_eq!(cleared.is_ok(), passes, "{cleared:?}");
    }
}

#[tokio::test]
async fn nothing_starts_where_there_is_no_folder() {
    let plan = Plan::Process(command(&[]).directory("no/such/folder"));
    let Ok(Decision::Permitted(permit)) = judged(&tool(false), plan, Caller::Agent, &Ground::open()) else {
        panic!()
    };
    let cleared = clear(permit, false, &Ground::open()).await;
    assert!(matches!(cleared, Err(NotStarted::DirectoryMissing(_))), "{cleared:?}");
}

#[test]
fn a_server_that_requires_a_yes_or_has_impossible_words_is_not_started() {
    let server =
        || Command::new(Word::settings("npx")).arguments([Word::settings("-y"), Word::settings("a;b")]);
    assert!(authorize_server(server(), None).is_ok(), "settings choose any words");
    for command in [
        server().requires_confirmation(true),
        server().arguments([Word::settings("a\0b")]),
        Command::new(Word::call("npx")),
    ] {
        assert!(authorize_server(command, None).is_err());
    }
}

#[test]
fn a_runner_is_open_to_agents_by_the_settings_alone_and_has_the_rules_of_this_machine() {
    let runner = |is_open_to_agents| Runner {
        name: "box".into(),
        via: vec!["x".into()],
        stop: Vec::new(),
        check: Vec::new(),
        quoting: Quoting::Words,
        folder: None,
        files: RunnerFiles::Shared,
        is_open_to_agents,
    };
    let on = |is_open| command(&[]).on(Some(runner(is_open)));
    for (caller, is_open, is_contained, refused) in [
        (Caller::Human, false, false, false),
        (Caller::Human, true, true, false),
        (Caller::Agent, true, false, false),
        (Caller::Agent, false, false, true),
        (Caller::Code, false, false, true),
        (Caller::Run, false, false, true),
    ] {
        let plan = Plan::Process(on(is_open));
        let call = PolicyCall { tool: &tool(false), plan, caller, chose_folder: false, is_contained };
        let decision = authorize(call, &Ground::open());
        assert_eq!(decision.is_err(), refused, "{caller:?}: {decision:?}");
        let Ok(Decision::Permitted(permit)) = decision else { continue };
        assert_eq!(permit.containment().is_some(), is_contained || caller != Caller::Human);
    }
    let digest = |command| unconfirmed(&tool(true), command).digest(Path::new("/"), &binding("a"));
    assert_ne!(digest(on(true)), digest(command(&[])));
    // Words that are allowed since the run is contained are not allowed there.
    let ground = Ground { reach: Reach::Appended, ..Ground::open() };
    let mut script = Tool::running("ci", "ci", Location::file("package.json"), command(&[]));
    script.text = Some("frobnicate".into());
    let script = Registered::new(ToolName { instance: "npm".into(), local: "ci".into() }, "npm", script);
    let words = |command: Command| {
        let plan = Plan::Process(command.arguments([Word::call("x")]));
        judged(&script, plan, Caller::Agent, &ground).is_ok()
    };
    assert_eq!((words(command(&[])), words(on(true))), (true, false));
}
