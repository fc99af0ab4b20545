//! `cuff why` and `cuff status`: what would happen, and how things stand, with nothing happening.

use serde_json::json;

use crate::support::project::Project;

fn project(config: &str) -> Project {
    let project = Project::empty();
    project.write("package.json", r#"{"scripts": {"test": "touch ran && tsc -b"}}"#);
    let settings =
        format!("plugins:\n  web: {{module: packagejson, config: {{package_manager: npm{config}}}}}\n");
    project.write("settings.yml", settings);
    project
}

#[test]
fn a_call_is_explained_and_nothing_runs() {
    let project = project(
        ", environment: {TOKEN_OF_MINE: s3cr3t-value, MODE: dev}, problem_matchers: [{owner: lint, pattern: {regexp: '^(.+): (.+)$', file: 1, message: 2}}]",
    );
    project.approve();
    let audited = project.cuff(["audit", "--json"]).succeeded().json();
    let words = ["why", "test", "--env", "CI=1", "--timeout", "7", "--json", "--", "--watch"];
    let why = project.cuff(words).succeeded().json();
    assert_eq!(why["tool"], "web.npm_test");
    assert_eq!(why["decision"], "permitted");
    assert_eq!(why["plan"]["command"], json!(["npm", "run", "test", "--", "--watch"]));
    assert_eq!(why["plan"]["timeout_s"], 7);
    assert_eq!(why["plan"]["environment"]["CI"], json!({"value": "1", "from": "call"}));
    assert_eq!(why["plan"]["environment"]["MODE"], json!({"value": "dev", "from": "settings"}));
    assert_eq!(why["agents"], json!({"allowed": true}));
    assert_eq!(why["readers"]["matchers"], json!(["lint"]));
    assert!(why["readers"]["dialects"].as_array().is_some_and(|all| all.contains(&json!("tsc"))), "{why}");
    let text = project.cuff(["why", "test"]).succeeded().stdout;
    for line in [
        "web.npm_test: ",
        "  command   npm run test\n",
        "  decision  permitted: settings.yml offers it",
        "MODE=dev (settings)",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(!text.contains("s3cr3t-value"), "{text}");
    assert!(!project.root().join("ran").exists());
    assert_eq!(project.cuff(["audit", "--json"]).succeeded().json(), audited, "no decision was noted");
    assert_eq!(project.cuff(["runs", "list", "--json"]).succeeded().json(), json!({"runs": []}));
}

#[test]
fn runs_of_a_person_have_no_default_timeout() {
    let timeout = |config: &str, words: &[&str]| {
        let why = project(config).cuff([&["why", "test"], words].concat()).succeeded().stdout;
        let line = why.lines().find_map(|line| line.strip_prefix("  timeout   ").map(str::to_owned));
        line.unwrap_or_else(|| panic!("{why}"))
    };
    assert_eq!(timeout("", &[]), "none: it goes on until you end it; an agent's call ends after 300 s");
    assert_eq!(timeout(", default_timeout: 7", &[]), "7 s");
    assert_eq!(timeout("", &["--timeout", "9"]), "9 s");
}

#[test]
fn a_dry_run_names_the_folder() {
    let project = Project::empty();
    project.write("packages/core/package.json", json!({"scripts": {"test": "true"}}).to_string());
    project.write(
        "settings.yml",
        "version: '1'\nplugins:\n  packagejson: {config: {working_directory: packages/core}}\n",
    );
    let dry = project.cuff(["run", "npm_test", "--dry-run"]).succeeded().stdout;
    assert_eq!(dry, "Would execute: npm run test\nin: packages/core\n");
}

/// `why` shows the prerequisites of a target before anybody says yes to it, and the reason why a dry run
/// shows none.
#[test]
fn why_shows_the_prerequisites_of_a_target() {
    let project = Project::empty();
    project.write("Makefile", ".PHONY: ship deploy\nship: deploy\ndeploy:\n\t@touch ran\n\t@echo done\n");
    project.write("settings.yml", "plugins:\n  makefile: {config: {confirm: [ship]}}\n");
    let text = project.cuff(["why", "ship"]).succeeded().stdout;
    assert!(text.contains("  text\n  │ ship: deploy\n"), "{text}");
    assert!(text.contains("  runs also deploy:; touch ran; echo done\n"), "{text}");
    let dry = project.cuff(["run", "make_ship", "--dry-run"]).succeeded().stdout;
    let note = "`make -n` would show its lines, and is not started, since it requires confirmation: `cuff why ship` shows them\n";
    assert_eq!(dry, format!("Would execute: make ship\n{note}"));
    let dry = project.cuff(["run", "make_deploy", "--dry-run"]).succeeded().stdout;
    assert!(dry.contains("touch ran") && !dry.contains("a yes"), "{dry}");
    assert!(!project.root().join("ran").exists());
}

#[test]
fn a_refusal_is_explained_with_its_reason() {
    let project = project("").inside_a_run();
    for words in
        [&["why", "test", "--json", "--env", "PATH=/x"][..], &["why", "test", "--json", "--", "$(id)"]]
    {
        let why = project.cuff(words).succeeded().json();
        assert_eq!(why["decision"], "refused", "{why}");
        assert!(
            why["rule"].as_str().is_some_and(|rule| !rule.is_empty()) && why["help"].is_string(),
            "{why}"
        );
        assert_eq!(why["error_code"], "PKGJSON_304", "{why}");
    }
    let unknown = project.cuff(["why", "tset"]).ended_with(127);
    assert!(unknown.stderr.contains("web.npm_test"), "{}", unknown.stderr);
    project.cuff(["why", "test", "--cwd=..", "--json"]).ended_with(64);
    let list = project.cuff(["why", "list_scripts", "--json"]).succeeded().json();
    assert_eq!(list["decision"], "answered");
}

#[test]
fn why_reports_a_required_confirmation_without_asking() {
    let project = project(", confirm: [test]");
    let why = project.cuff(["why", "test", "--json"]).succeeded().json();
    assert_eq!(why["decision"], "confirmation_required");
    assert!(why["rule"].as_str().is_some_and(|rule| rule == "settings.yml:2  confirm: test"), "{why}");
    assert_eq!(project.cuff(["approvals", "--json"]).succeeded().json()["approvals"], json!([]));
}

/// `why` names the scripts that run along, the longest duration and the readers of the output in a user's
/// words.
#[test]
fn why_is_written_for_people() {
    let project = Project::empty();
    let scripts = json!({
        "build": "tsc -b", "prebuild": "rm -rf dist", "postbuild": "echo done", "dev": "vite", "ship": "true",
    });
    project.write("package.json", json!({ "scripts": scripts }).to_string());
    let config = "{package_manager: npm, scripts: [build, dev, ship], confirm: [ship]}";
    project.write("settings.yml", format!("plugins:\n  web: {{module: packagejson, config: {config}}}\n"));
    project.approve();
    let why = |words: &[&str]| project.cuff(["why"].iter().chain(words)).succeeded().stdout;
    for (words, expected) in [
        (
            &["build"][..],
            "  runs also prebuild before it: rm -rf dist\n  runs also postbuild after it: echo done\n",
        ),
        (&["build"], "  agents    have it as you do\n"),
        (&["build"], "  errors    read from the output of tsc; any other output of a known form as well\n"),
        (&["build", "--timeout", "300"], "  timeout   300 s\n"),
        (&["dev"], "  timeout   none: it goes on until you end it; an agent's call ends after 300 s\n"),
        (&["ship"], "  decision  requires confirmation: settings.yml:2  confirm: ship\n"),
        (&["ship"], "  agents    have it, and you are asked each time\n"),
        // A person is not governed; agents are.
        (&["build", "--env", "PATH=/x"], "  decision  permitted"),
        (&["build", "--env", "PATH=/x"], "Blocked environment variables: PATH"),
    ] {
        let text = why(words);
        assert!(text.contains(expected), "{words:?}: {expected}\n{text}");
    }
    let json = project.cuff(["why", "build", "--json"]).succeeded().json();
    assert_eq!(
        json["runs_also"],
        json!(["prebuild before it: rm -rf dist", "postbuild after it: echo done"])
    );
    let long = project.cuff(["list", "--long", "web.npm_build"]).succeeded().stdout;
    assert!(long.contains("  runs also prebuild before it: rm -rf dist\n"), "{long}");
}

#[test]
fn why_says_whether_agents_have_the_tool() {
    let project = project(", trust: pinned");
    let unapproved = project.cuff(["why", "test", "--json"]).succeeded().json()["agents"].clone();
    let why = "get nothing before a person approves these settings; `cuff approve settings` shows them";
    assert_eq!(unapproved, json!({"allowed": false, "why": why}));
    project.approve();
    let has =
        |project: &Project| project.cuff(["why", "test", "--json"]).succeeded().json()["agents"].clone();
    assert_eq!(has(&project), json!({"allowed": true}));
    project.write("package.json", r#"{"scripts": {"test": "touch other"}}"#);
    let agents = has(&project);
    assert_eq!(agents["allowed"], false);
    assert!(agents["why"].as_str().is_some_and(|why| why.contains("cuff approve settings")), "{agents}");
    let new = project.read("settings.yml") + "  more: {module: packagejson}\n";
    project.write("settings.yml", new);
    let why = project.cuff(["why", "more.npm_test", "--json"]).succeeded().json();
    assert!(why["agents"]["why"].as_str().is_some_and(|why| why.contains("new in the settings")), "{why}");
    let text = project.cuff(["status"]).succeeded().stdout;
    assert!(text.contains("  agents   still use the last approved settings"), "{text}");
}

#[test]
fn status_reports_the_state_of_a_project() {
    let project = project("");
    project.approve();
    let empty = Project::empty().cuff(["status", "--json"]).ended_with(1).json();
    assert_eq!((&empty["healthy"], &empty["instances"]), (&json!(false), &json!([])));
    let status = project.cuff(["status", "--json"]).succeeded().json();
    assert_eq!(status["healthy"], true, "{status}");
    let web = &status["instances"][0];
    assert_eq!(
        [&web["instance"], &web["plugin"], &web["package_manager"], &web["script_count"]],
        [&json!("web"), &json!("packagejson"), &json!("npm"), &json!(1)]
    );
    assert_eq!([&web["source_exists"], &web["cache_valid"], &web["enabled"]], [&json!(true); 3]);
    assert!(web["last_extraction_ms"].as_u64().is_some_and(|at| at > 1_500_000_000_000), "{web}");
    assert_eq!(status["settings"]["pinned"]["by"], "approved");
    assert_eq!(status["store"]["runs"], 0);
    assert!(
        status["ledger"]["bytes"].as_u64().is_some_and(|bytes| bytes > 0),
        "the pin takes room: {status}"
    );
    let text = project.cuff(["status"]).succeeded().stdout;
    assert!(text.contains("\nweb        healthy, 1 tool, run by npm\n"), "{text}");
}

#[test]
fn status_reports_unhealthy_instances_with_the_reason() {
    let gone = project(", package_json_path: nowhere/package.json");
    let status = gone.cuff(["status", "--json"]).ended_with(1).json();
    let web = &status["instances"][0];
    assert_eq!([&web["healthy"], &web["source_exists"]], [&json!(false); 2], "{status}");
    assert!(web["problems"][0]["message"].is_string(), "{web}");

    let broken = project("");
    broken.write(
        "settings.yml",
        "plugins:\n  web: {module: packagejson}\n  bad: {module: packagejson, config: 5}\n",
    );
    let status = broken.cuff(["status", "--json"]).ended_with(2).json();
    let bad = &status["instances"].as_array().expect("instances")[1];
    assert_eq!([&bad["instance"], &bad["healthy"]], [&json!("bad"), &json!(false)], "{status}");

    let off = project("");
    off.write("settings.yml", "plugins:\n  web: {module: packagejson, enabled: false}\n");
    let text = off.cuff(["status"]).succeeded().stdout;
    assert!(text.contains("\nweb        switched off, 0 tools\n"), "{text}");
}

/// Whether a plugin wants the yes or the settings do, the list says so.
#[test]
fn the_list_says_what_a_person_is_asked_about() {
    let project = project(", confirm: test");
    let short = project.cuff(["list", "test"]).succeeded().stdout;
    assert_eq!(short, "package.json · npm\n  test  [asks] touch ran && tsc -b\n");
    let long = project.cuff(["list", "--long"]).succeeded().stdout;
    assert_eq!(long.matches("  asks      for your yes, each time\n").count(), 1, "{long}");
    let tools = project.cuff(["list", "--json"]).succeeded().json()["tools"].clone();
    let asks = |name: &str| {
        let tools = tools.as_array().unwrap();
        tools.iter().find(|tool| tool["name"] == name).unwrap()["asks"].clone()
    };
    assert_eq!((asks("web.npm_test"), asks("web.npm_list_scripts")), (json!(true), json!(false)));
}
