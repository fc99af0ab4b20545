//! Variables that tools inherit from the environment that cuff was started in.

use serde_json::json;

use crate::support::mcp_session::called;
use crate::support::project::Project;
use crate::support::tools;

const SECRET: &str = "s3cr3t-of-the-test";

/// A project with tools that print their environment, under this policy.
fn project(policy: &str) -> Project {
    let project =
        Project::empty().variable("DEPLOY_TOKEN", SECRET).variable("PLAIN", "plain").variable("LC_TIME", "C");
    // Reversed, so that what is printed is not taken out as a secret again.
    let print = "printf '%s|' \"$PLAIN\" \"$LC_TIME\" \"$SET$CALLED\" \"$HOME\"; printf %s \"$DEPLOY_TOKEN\" | rev; echo '|'";
    project.script("scripts/show.sh", format!("#!/bin/sh\n{print}\n"));
    project.write("package.json", json!({"scripts": {"show": "node show.js"}}).to_string());
    project.write(
        "show.js",
        "const {PLAIN, LC_TIME, SET, CALLED, HOME, DEPLOY_TOKEN} = process.env;\n\
         const back = (DEPLOY_TOKEN ?? '').split('').reverse().join('');\n\
         console.log([PLAIN, LC_TIME, SET + CALLED, HOME, back, ''].join('|'));\n",
    );
    project.write("package-lock.json", json!({"lockfileVersion": 3, "packages": {"": {}}}).to_string());
    project.write("Makefile", format!("READ := $(shell echo $$DEPLOY_TOKEN | rev)\n.PHONY: show name$(READ)\nshow:\n\t@{}\nname$(READ):\n\t@:\n", print.replace('$', "$$")));
    project.write("app.csproj", "<Project Sdk=\"Microsoft.NET.Sdk\" />\n");
    project.write("eslint.config.js", "module.exports = [];\n");
    let config =
        format!("environment_policy: {policy}, environment: {{SET: set}}, patterns: ['scripts/*.sh']");
    let plugins = ["packagejson", "makefile", "scripts", "npm", "dotnet", "eslint"]
        .map(|plugin| format!("  {plugin}: {{config: {{{config}}}}}\n"))
        .concat();
    project.write("settings.yml", format!("version: '1'\nplugins:\n{plugins}"));
    project
}

#[test]
fn under_clean_a_secret_of_cuffs_environment_reaches_no_tool() {
    if ["node", "npm", "make"].iter().any(|program| tools::require(program).is_none()) {
        return;
    }
    let back: String = SECRET.chars().rev().collect();
    for (policy, plain, back) in [("inherit", "plain", back.as_str()), ("clean", "", "")] {
        let project = project(policy);
        let home = project.outside().join("home");
        let expected = format!("{plain}|C|setcalled|{}|{back}", home.display());
        for tool in ["scripts/show.sh", "packagejson.npm_show", "makefile.make_show"] {
            let shown = project.cuff(["run", tool, "--env", "CALLED=called"]).succeeded().stdout;
            assert!(shown.replace("\n|", "|").contains(&format!("{expected}|")), "{policy}, {tool}: {shown}");
        }
        // make is asked what a Makefile holds in the same environment as it is run.
        let listed = project.cuff(["list", "--plugin", "makefile", "--json"]).succeeded().stdout;
        assert_eq!(
            listed.contains("make_names3cr3t") || listed.contains("tset-eht-fo"),
            policy == "inherit",
            "{listed}"
        );
    }
}

/// No plugin may forget it.
#[test]
fn every_plugins_dry_run_says_that_the_environment_is_clean() {
    let project = project("clean");
    let listed = project.cuff(["list", "--json"]).succeeded().json();
    let mut said = Vec::new();
    for tool in listed["tools"].as_array().expect("tools") {
        let name = tool["name"].as_str().expect("a name");
        let run = project.cuff(["run", name, "--dry-run", "--json"]);
        let Some(metadata) = run.json().get("metadata").cloned() else { continue };
        assert_eq!(metadata["environment_policy"], "clean", "{name}: {metadata}");
        said.push(name.split('.').next().expect("an instance").to_owned());
    }
    said.dedup();
    assert_eq!(said, ["packagejson", "makefile", "scripts", "npm", "dotnet", "eslint"]);
    let line = project.cuff(["run", "packagejson.npm_show", "--dry-run"]).succeeded().stdout;
    assert_eq!(line, "Would execute: npm run show\nenvironment_policy: clean\n");
    let inherit = self::project("inherit").cuff(["run", "packagejson.npm_show", "--dry-run", "--json"]);
    assert!(!inherit.succeeded().stdout.contains("environment_policy"));
}

/// A file of the original, with servers that cuff does not start, and variables of the one who starts it.
#[test]
fn settings_of_the_original_load_and_take_variables() {
    let project = Project::empty().variable("TOOLS", "tools").variable("API_VALUE", "hush-hush-9000");
    project.script("tools/show.sh", "#!/bin/sh\necho \"mode $MODE value $VALUE\"\n");
    let settings = "version: \"1\"\nplugin_settings: {log: '${UNREAD}'}\nplugins:\n  github:\n    enabled: false\n    \
        type: mcp\n    module: servers.github\n    command: npx\n    config: {token: \"${GITHUB_TOKEN}\"}\n  \
        scripts:\n    type: in_source\n    module: opencuff.plugins.builtin.scripts\n    \
        config: {patterns: [\"${TOOLS}/*.sh\"], environment: {MODE: \"${MODE:-plain}\", VALUE: \"${API_VALUE}\"}}\n  \
        makefile: {config: {makefile_path: \"${NO_SUCH}/Makefile\"}}\n";
    project.write("settings.yml", settings);
    let listed = project.cuff(["list"]);
    assert!(
        listed.stdout.contains("tools/show.sh") || listed.stdout.contains("script_tools_show"),
        "{listed:?}"
    );
    let said = format!("{}{}", listed.stdout, listed.stderr);
    assert!(said.contains("the variable `NO_SUCH` is not set"), "{said}");
    assert!(!said.contains("github") && !said.contains("UNREAD"), "{said}");
    let run = project.cuff(["run", "script_tools_show"]).succeeded();
    assert_eq!(run.stdout, "mode plain value [redacted:API_VALUE]\n");
    let why = project.cuff(["why", "script_tools_show"]).succeeded().stdout;
    assert!(why.contains("VALUE") && !why.contains("hush-hush"), "{why}");
    let agent = called(&project, "scripts.script_tools_show", &json!({}));
    assert_eq!(agent["structuredContent"]["success"], true, "{agent}");
    assert!(!agent.to_string().contains("hush-hush"), "{agent}");
    let pins = std::fs::read_dir(project.outside().join("home/state/cuff/pins")).unwrap();
    for pin in pins {
        let text = std::fs::read_to_string(pin.unwrap().path()).unwrap();
        assert!(!text.contains("hush-hush"), "{text}");
    }
    project.write("package.json", r#"{"scripts": {"hi": "echo hi"}}"#);
    let merged = project.cuff(["init", "--merge", "--yes"]);
    assert!(project.read("settings.yml").contains("${API_VALUE}"), "{merged:?}");
    assert!(!project.read("settings.yml").contains("hush-hush") && !merged.stdout.contains("hush-hush"));
}
