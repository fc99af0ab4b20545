//! `cuff why` and `cuff status`: what would happen, and how things stand, with nothing happening.

use serde_json::json;

use crate::support::normalize::typed;
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
    assert_eq!(why["readers"]["dialects"], json!(["tsc"]));
    insta::assert_snapshot!(typed(&project, &["why test"]), @"
    $ cuff why test
    web.npm_test: Run test script
      from      package.json:1 (test, by the plugin packagejson)
      text
      │ touch ran && tsc -b
      command   npm run test
      program   /usr/bin/npm
      in        .
      sets      TOKEN_OF_MINE=[redacted:TOKEN_OF_MINE] (settings)
      sets      MODE=dev (settings)
      timeout   none: it goes on until you end it; an agent's call ends after 300 s
      contained not for you without --contained; for agents by the profile test; network: loopback
      decision  permitted: settings.yml offers it, and the call brings nothing that is refused
      agents    have it as you do
      errors    read by your problem matcher lint, from the output of tsc; any other output of a known form as well
    = 0
    ");
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
    let lines = ["why ship", "run make_ship --dry-run", "run make_deploy --dry-run"];
    insta::assert_snapshot!(typed(&project, &lines), @"
    $ cuff why ship
    makefile.make_ship: Execute 'make ship'
      from      Makefile:2 (ship, by the plugin makefile)
      text
      │ ship: deploy
      runs also deploy:; touch ran; echo done
      command   make ship
      program   /usr/bin/make
      in        .
      timeout   none: it goes on until you end it; an agent's call ends after 300 s
      contained not for you without --contained; for agents by the profile test; network: loopback
      decision  requires confirmation: settings.yml:2  confirm: ship
      agents    get nothing before a person approves these settings; `cuff approve settings` shows them
      errors    read from any output of a known form
    = 0
    $ cuff run make_ship --dry-run
    Would execute: make ship
    `make -n` would show its lines, and is not started, since it requires confirmation: `cuff why ship` shows them
    = 0
    $ cuff run make_deploy --dry-run
    Would execute: make deploy
    touch ran
    echo done
    = 0
    ");
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
    insta::assert_snapshot!(typed(&project, &["why test -- $(id)", "why tset"]), @"
    $ cuff why test -- $(id)
    web.npm_test: Run test script
      from      package.json:1 (test, by the plugin packagejson)
      text
      │ touch ran && tsc -b
      decision  refused: Dangerous character in arguments: '$' [PKGJSON_304]
      help      leave out ; | & ` $ ( ) and line breaks, in quotes as well: a shell may read them
      rules     an agent's rules hold here: this is inside a run that no person at a terminal started
      agents    are refused it as well
    = 0
    $ cuff why tset
    ! error: Tool not found: tset [CUFF_301]
    ! help: did you mean `web.npm_test`?
    = 127
    ");
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
        "build": "tsc -b", "prebuild": "rm -rf dist", "postbuild": "echo done", "ship": "true",
    });
    project.write("package.json", json!({ "scripts": scripts }).to_string());
    let config = "{package_manager: npm, scripts: [build, ship], confirm: [ship]}";
    project.write("settings.yml", format!("plugins:\n  web: {{module: packagejson, config: {config}}}\n"));
    project.approve();
    // A person is not governed; agents are.
    let lines = ["why build --env PATH=/x", "why ship", "list --long web.npm_build"];
    insta::assert_snapshot!(typed(&project, &lines), @"
    $ cuff why build --env PATH=/x
    web.npm_build: Run build script
      from      package.json:1 (build, by the plugin packagejson)
      text
      │ tsc -b
      runs also prebuild before it: rm -rf dist
      runs also postbuild after it: echo done
      command   npm run build
      program   not found on the PATH that is set below
      in        .
      sets      PATH=… (call)
      timeout   none: it goes on until you end it; an agent's call ends after 300 s
      contained not for you without --contained; for agents by the profile test; network: loopback
      decision  permitted: settings.yml offers it, and the call brings nothing that is refused
      agents    Blocked environment variables: PATH
      errors    read from the output of tsc; any other output of a known form as well
    = 0
    $ cuff why ship
    web.npm_ship: Run ship script
      from      package.json:1 (ship, by the plugin packagejson)
      text
      │ true
      command   npm run ship
      program   /usr/bin/npm
      in        .
      timeout   none: it goes on until you end it; an agent's call ends after 300 s
      contained not for you without --contained; for agents by the profile test; network: loopback
      decision  requires confirmation: settings.yml:2  confirm: ship
      agents    have it, and you are asked each time
      errors    read from any output of a known form
    = 0
    $ cuff list --long web.npm_build
    web.npm_build
      Run build script
      from      package.json:1 (build)
      text      tsc -b
      runs also prebuild before it: rm -rf dist
      runs also postbuild after it: echo done
      command   npm run build
      takes     words (those with a dash behind --), --env, --timeout, --dry-run
    = 0
    ");
    let json = project.cuff(["why", "build", "--json"]).succeeded().json();
    assert_eq!(
        json["runs_also"],
        json!(["prebuild before it: rm -rf dist", "postbuild after it: echo done"])
    );
}

#[test]
fn why_says_whether_agents_have_the_tool() {
    let project = project(", trust: pinned");
    let agents = |project: &Project, tool: &str| {
        let why = project.cuff(["why", tool, "--json"]).succeeded().json();
        (why["agents"]["allowed"].clone(), why["agents"]["why"].as_str().unwrap_or_default().to_owned())
    };
    let (allowed, why) = agents(&project, "test");
    assert_eq!(allowed, false);
    insta::assert_snapshot!(why, @"get nothing before a person approves these settings; `cuff approve settings` shows them");
    project.approve();
    assert_eq!(agents(&project, "test"), (json!(true), String::new()));
    project.write("package.json", r#"{"scripts": {"test": "touch other"}}"#);
    let (allowed, why) = agents(&project, "test");
    assert_eq!(allowed, false);
    insta::assert_snapshot!(why, @"are refused it: Nobody has approved what web.npm_test runs as it is now; a person runs `cuff approve settings` in a terminal, which shows the difference");
    let new = project.read("settings.yml") + "  more: {module: packagejson}\n";
    project.write("settings.yml", new);
    insta::assert_snapshot!(agents(&project, "more.npm_test").1, @"`more` is not offered: it is new in the settings, and nobody has approved it; a person runs `cuff approve settings` in a terminal, which shows the difference");
    insta::assert_snapshot!(typed(&project, &["status"]), @"
    $ cuff status
    settings   settings.yml
      agents   still use the last approved settings; `cuff approve settings` shows the difference
    web        healthy, 1 tool, run by npm
    more       healthy, 1 tool, run by npm
    runs       0 recorded in all projects, 0.1 MiB in ~/data/cuff/runs
    decisions  0 waiting for an answer in all projects, 0.1 MiB in ~/state/cuff
    = 0
    ");
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
    insta::assert_snapshot!(typed(&project, &["status"]), @"
    $ cuff status
    settings   settings.yml
      agents   use the current settings: a person approved them
    web        healthy, 1 tool, run by npm
    runs       0 recorded in all projects, 0.1 MiB in ~/data/cuff/runs
    decisions  0 waiting for an answer in all projects, 0.1 MiB in ~/state/cuff
    = 0
    ");
}

#[test]
fn status_reports_unhealthy_instances_with_the_reason() {
    let gone = project(", package_json_path: nowhere/package.json");
    let status = gone.cuff(["status", "--json"]).ended_with(1).json();
    let web = &status["instances"][0];
    assert_eq!([&web["healthy"], &web["source_exists"]], [&json!(false); 2], "{status}");
    insta::assert_snapshot!(typed(&gone, &["status"]), @"
    $ cuff status
    settings   settings.yml
      agents   have nothing of these settings, which nobody has approved yet; `cuff approve settings` shows them
    web        not healthy, 0 tools
      package.json not found: nowhere/package.json
    runs       0 recorded in all projects, 0.1 MiB in ~/data/cuff/runs
    decisions  0 waiting for an answer in all projects, 0.1 MiB in ~/state/cuff
    = 1
    ");

    let broken = project("");
    broken.write(
        "settings.yml",
        "plugins:\n  web: {module: packagejson}\n  bad: {module: packagejson, config: 5}\n  \
         off: {module: packagejson, enabled: false}\n",
    );
    let status = broken.cuff(["status", "--json"]).ended_with(2).json();
    let bad = &status["instances"].as_array().expect("instances")[2];
    assert_eq!([&bad["instance"], &bad["healthy"]], [&json!("bad"), &json!(false)], "{status}");
    insta::assert_snapshot!(typed(&broken, &["status"]), @"
    $ cuff status
    settings   settings.yml
      agents   have nothing of these settings, which nobody has approved yet; `cuff approve settings` shows them
    web        healthy, 1 tool, run by npm
    off        switched off, 0 tools
    bad        not healthy, 0 tools, not remembered
      settings.yml:3:30: `config` must be a mapping, not a number
    runs       0 recorded in all projects, 0.1 MiB in ~/data/cuff/runs
    decisions  0 waiting for an answer in all projects, 0.1 MiB in ~/state/cuff
    = 2
    ");
}

/// Whether a plugin wants the yes or the settings do, the list says so.
#[test]
fn the_list_says_what_a_person_is_asked_about() {
    let project = project(", confirm: test");
    insta::assert_snapshot!(typed(&project, &["list test", "list --long"]), @"
    $ cuff list test
    package.json · npm
      test  [asks] touch ran && tsc -b
    = 0
    $ cuff list --long
    web.npm_list_scripts
      List all available npm scripts
      from      package.json (list_scripts)

    web.npm_test
      Run test script
      from      package.json:1 (test)
      text      touch ran && tsc -b
      command   npm run test
      asks      for your yes, each time
      takes     words (those with a dash behind --), --env, --timeout, --dry-run
    = 0
    ");
    let tools = project.cuff(["list", "--json"]).succeeded().json()["tools"].clone();
    let asks = |name: &str| {
        let tools = tools.as_array().unwrap();
        tools.iter().find(|tool| tool["name"] == name).unwrap()["asks"].clone()
    };
    assert_eq!((asks("web.npm_test"), asks("web.npm_list_scripts")), (json!(true), json!(false)));
}
