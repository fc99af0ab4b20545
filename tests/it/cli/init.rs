//! `cuff init` at a terminal: what a person sees, and what comes of the keys.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use crate::support::mcp_session::McpSession;
use crate::support::project::{Project, Run, files_below};
use crate::support::terminal::Shown;

const ENTER: &str = "\r";
const DOWN: &str = "\u{1b}[B";
const RIGHT: &str = "\u{1b}[C";
const ESCAPE: &str = "\u{1b}";
const CTRL_C: &str = "\u{3}";
const BACK: &str = "\u{7f}";

/// A project with something for every question: a risk, two lock files, a Makefile that must run to be known, packages.
fn shop() -> Project {
    let project = Project::empty().variable("TERM", "xterm");
    let package = r#"{"name": "shop", "workspaces": ["packages/*"], "scripts": {"test": "node --test", "build": "node ."}}"#;
    project.write("package.json", package);
    project.write("package-lock.json", "{}");
    project.write("pnpm-lock.yaml", "");
    project.write("Makefile", "check: ; true\n.PHONY: check\n$(shell echo made): ; true\n");
    for (folder, name) in [("ui", "@shop/ui"), ("web", "@shop/web")] {
        let text = format!(r#"{{"name": "{name}", "scripts": {{"dev": "node .", "lint": "node ."}}}}"#);
        project.write(&format!("packages/{folder}/package.json"), text);
    }
    project.script("scripts/greet.sh", "#!/bin/sh\necho hi\n");
    let open = project.script("scripts/open.sh", "#!/bin/sh\necho hi\n");
    fs::set_permissions(open, fs::Permissions::from_mode(0o777)).unwrap();
    project
}

/// A small one.
fn small() -> Project {
    let project = Project::empty().variable("TERM", "xterm");
    project.write("package.json", r#"{"scripts": {"test": "node --test", "build": "node ."}}"#);
    project
}

/// Every screen, with the keys that ended it.
fn pictures(shown: &Shown, steps: &[(&str, &str)]) -> String {
    let keys = steps.iter().map(|(_, keys)| format!("==== keys {keys:?}"));
    let ends = keys.chain([format!("==== ended with {}", shown.code)]);
    let pictures = shown.screens.iter().zip(ends).map(|(screen, end)| format!("{screen}\n{end}"));
    pictures.collect::<Vec<_>>().join("\n")
}

fn walk(name: &str, project: &Project, columns: u16, words: &[&str], steps: &[(&str, &str)]) {
    let shown = project.at_terminal(columns, steps, words);
    assert!(shown.restored, "the terminal is left as it was found");
    insta::with_settings!({ snapshot_path => "../../../snapshots/wizard", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, pictures(&shown, steps));
    });
}

/// All files of a project with their content.
fn files(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    files_below(root).into_iter().map(|file| (file.clone(), fs::read(file).unwrap())).collect()
}

/// The questions of the shop, in their order, each by words that it alone shows.
const QUESTIONS: &[&str] = &[
    "Which plugins?",
    "2 packages with scripts?",
    "Which package manager",
    "Let make read the Makefile?",
    "Choose single tools?",
    "Write settings.yml?",
];

/// The one question of a first `cuff init`, answered by wanting to choose.
const CHOOSE: (&str, &str) = ("Write settings.yml?", "c");

/// Enter at the first of these questions, which come once a person wants to choose.
fn entered(questions: &[&'static str]) -> Vec<(&'static str, &'static str)> {
    std::iter::once(CHOOSE).chain(questions.iter().map(|question| (*question, ENTER))).collect()
}

#[test]
fn one_yes_writes_the_usual_settings_and_connects_the_clients_found() {
    let project = shop();
    for folder in ["home/.claude", "home/.codex"] {
        fs::create_dir_all(project.outside().join(folder)).unwrap();
    }
    let steps = [("Write settings.yml and connect Claude Code, Codex?", ENTER)];
    let shown = project.at_terminal(100, &steps, &["init"]);
    assert_eq!(shown.code, 0, "{}", shown.text);
    assert!(
        shown.text.contains("Next: `cuff list` shows the tools\n      `cuff run test` runs one\n"),
        "{}",
        shown.text
    );
    assert!(!shown.text.contains("cuff install --client"), "all are connected: {}", shown.text);
    let asked = project.read("settings.yml");
    assert!(project.read(".mcp.json").contains("serve"));
    project.cuff(["init", "--yes", "--force"]).succeeded();
    assert_eq!(project.read("settings.yml"), asked);
    let mut session = McpSession::over_pipes(&project, &[]);
    session.initialize();
    assert!(session.names().contains(&"packagejson.pnpm_test".to_owned()), "agents have it");
    session.leave();
}

#[test]
fn settings_that_came_with_the_repository_take_one_yes() {
    let project = small();
    let text = "version: '1'\nplugins:\n  packagejson: {}\n";
    project.write("settings.yml", text);
    fs::create_dir_all(project.outside().join("home/.claude")).unwrap();
    for (keys, offered) in [(ESCAPE, false), ("n", false), (ENTER, true)] {
        let steps = [("Let agents use these settings, and connect Claude Code?", keys)];
        let shown = project.at_terminal(100, &steps, &["init"]);
        assert_eq!(shown.code, 0, "{}", shown.text);
        assert_eq!(shown.text.contains("Next: `cuff list`"), offered, "{}", shown.text);
        assert_eq!(project.root().join(".mcp.json").exists(), offered);
        assert_eq!(project.read("settings.yml"), text, "the file stays as it is");
    }
    // A change that waits for a person is no first use: it is shown line by line.
    project.write("settings.yml", format!("{text}  makefile: {{}}\n"));
    project.write("Makefile", "check: ; true\n");
    let shown = project.at_terminal(100, &[("settings.yml exists already", ESCAPE)], &["init"]);
    assert!(!shown.text.contains("Let agents use"), "{}", shown.text);
    // An agent's shell and a run approve nothing.
    let fresh = small().inside_a_run();
    fresh.write("settings.yml", text);
    let shown = fresh.at_terminal(100, &[("settings.yml exists already", ESCAPE)], &["init"]);
    assert!(!shown.text.contains("Let agents use"), "{}", shown.text);
}

#[test]
fn init_refuses_the_home_folder_unless_told() {
    let project = Project::empty();
    project.write("../home/package.json", r#"{"scripts": {"test": "true"}}"#);
    let home = project.outside().join("home");
    let init = |words: &[&str]| {
        let mut command = project.command(["init", "--yes"]);
        command.args(words).current_dir(&home);
        Run::of(command)
    };
    let refused = init(&[]);
    assert!(refused.code != 0 && refused.stderr.contains("cuff init --here"), "{refused:?}");
    assert!(!home.join("settings.yml").exists());
    init(&["--dry-run"]).succeeded();
    let mut top = project.command(["-C", "/", "init", "--yes"]);
    top.current_dir(&home);
    let refused = Run::of(top);
    assert!(refused.code != 0 && refused.stderr.contains("`/` is no project"), "{refused:?}");
    init(&["--here"]).succeeded();
    assert!(home.join("settings.yml").exists());
}

#[test]
fn forced_init_keeps_an_instance_whose_source_is_broken() {
    let project = small();
    project.write("Makefile", "check: ; true\n");
    project.write(
        "settings.yml",
        "version: '1'\nplugins:\n  packagejson:\n    config: {scripts: [test], confirm: [test]}\n  makefile: {}\n",
    );
    let manifest = project.read("package.json");
    project.write("package.json", "{ broken");
    assert_eq!(project.cuff(["list"]).code, 1, "a broken source is no success, though tools are listed");
    let said = project.cuff(["init", "--yes", "--force"]).succeeded();
    assert!(said.stderr.contains("`packagejson` is kept as it was"), "{}", said.stderr);
    let text = project.read("settings.yml");
    assert!(text.contains("  packagejson:\n") && text.contains("  makefile:\n"), "{text}");
    assert!(text.contains("confirm:\n      - test\n"), "{text}");
    project.write("package.json", manifest);
    let listed = project.cuff(["list"]).succeeded().stdout;
    assert!(listed.contains("test") && listed.contains("check"), "{listed}");
}

#[test]
fn pressing_enter_at_every_question_equals_init_yes() {
    let project = shop();
    let steps = entered(QUESTIONS);
    walk("enter_all_the_way", &project, 80, &["init"], &steps);
    let asked = project.read("settings.yml");
    project.cuff(["init", "--yes", "--force"]).succeeded();
    assert_eq!(project.read("settings.yml"), asked);
    project.cuff(["init", "--yes", "--force"]).succeeded();
    assert_eq!(project.read("settings.yml"), asked, "the same each time");
    assert!(asked.contains("trust_makefile: false"), "{asked}");
    assert!(asked.contains("\n      - scripts/*.sh\n"), "{asked}");
    assert!(asked.contains("\n      exclude:\n      - scripts/open.sh\n"), "{asked}");
    let said = project.cuff(["init", "--yes", "--force"]).succeeded().stdout;
    assert!(said.contains("SECURITY: scripts/open.sh is left out; `--plugins scripts` takes it"), "{said}");
    let offered = project.cuff(["list", "--json"]).succeeded().stdout;
    assert!(offered.contains("scripts/greet.sh") && !offered.contains("scripts/open.sh"), "{offered}");
    let named = project.cuff(["init", "--yes", "--force", "--plugins", "scripts,ui"]).succeeded();
    assert!(
        named.stdout.ends_with("Generated settings.yml with 2 plugins and 1 package\n"),
        "{}",
        named.stdout
    );
    let only = Project::empty();
    let open = only.script("scripts/open.sh", "#!/bin/sh\n");
    fs::set_permissions(open, fs::Permissions::from_mode(0o777)).unwrap();
    let refused = only.cuff(["init", "--yes"]).ended_with(1);
    assert!(refused.stderr.contains("`--plugins scripts`"), "{}", refused.stderr);
}

#[test]
fn init_writes_the_chosen_settings() {
    let project = shop();
    // Without npm; only ui of the packages; pnpm; trust; test of the scripts.
    let steps = [
        CHOOSE,
        ("Which plugins?", &format!("{DOWN}{DOWN}{DOWN} {ENTER}")[..]),
        ("2 packages with scripts?", &format!("{DOWN}{ENTER}")),
        ("Which packages?", &format!("{DOWN} {ENTER}")),
        ("Which package manager", &format!("{DOWN}{ENTER}")),
        ("Let make read the Makefile?", &format!("{DOWN}{ENTER}")),
        ("Choose single tools?", "y"),
        ("Single tools of which plugins?", &format!(" {ENTER}")),
        ("Tools of packagejson", &format!("{DOWN} {ENTER}")),
        ("Write settings.yml?", "y"),
    ];
    walk("choices", &project, 80, &["init"], &steps);
    let text = project.read("settings.yml");
    for line in [
        "      package_manager: pnpm",
        "      scripts:\n      - test\n",
        "      trust_makefile: true",
        "      packages:\n        include:\n        - packages/ui\n",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(!text.contains("packages/web") && !text.contains("  npm:"), "{text}");
    let run = project.cuff(["run", "--dry-run", "ui:dev"]).succeeded().stdout;
    assert!(run.contains("pnpm run dev"), "the manager of the root's scripts runs ui's: {run}");
}

#[test]
fn leaving_init_at_any_question_writes_nothing() {
    for (key, code) in [(CTRL_C, 130), (ESCAPE, 0)] {
        for (at, last) in QUESTIONS.iter().enumerate() {
            let project = shop();
            let before = files(&project.outside());
            let mut steps = entered(&QUESTIONS[..at]);
            steps.push((last, key));
            let shown = project.at_terminal(80, &steps, &["init"]);
            assert_eq!(shown.code, code, "{last}");
            assert!(shown.last().ends_with("Nothing was written"), "{last}: {}", shown.last());
            assert!(shown.restored, "{last}");
            assert_eq!(files(&project.outside()), before, "{last}");
        }
    }
}

#[test]
fn init_merges_new_instances_into_an_existing_file() {
    let project = small();
    let edited = "# Ours\nversion: '1'\nplugins:\n    packagejson: # mine\n        config: {scripts: [test]}\n\n# end\n";
    project.write("settings.yml", edited);
    let nothing = [("Let agents use these settings?", "m"), ("settings.yml exists already", ENTER)];
    walk("nothing_new", &project, 80, &["init"], &nothing);
    assert_eq!(project.read("settings.yml"), edited);
    project.write("package-lock.json", "{}");
    let steps = [
        ("Let agents use these settings?", "m"),
        ("settings.yml exists already", ENTER),
        ("Write settings.yml?", ENTER),
    ];
    walk("merge", &project, 80, &["init"], &steps);
    project.approve();
    let merged = project.read("settings.yml");
    assert!(
        merged.starts_with(&edited.replace("\n# end\n", "")) && merged.ends_with("\n# end\n"),
        "{merged}"
    );
    assert!(merged.contains("\n    npm:\n        type: in_source\n"), "{merged}");
    assert_eq!(project.cuff(["list"]).succeeded().stderr, "");
    let steps = [("settings.yml exists already", &format!("{DOWN}{DOWN}{ENTER}")[..])];
    project.write("Makefile", "check: ; true\n");
    assert_eq!(project.at_terminal(80, &steps, &["init"]).code, 0);
    assert_eq!(project.read("settings.yml"), merged, "cancelled");
    let steps = [
        ("settings.yml exists already", &format!("{DOWN}{ENTER}")[..]),
        ("Which plugins?", ENTER),
        ("Choose single", ENTER),
        ("Write", ENTER),
    ];
    walk("replace", &project, 80, &["init"], &steps);
    assert!(!project.read("settings.yml").contains("# mine"));
    assert_eq!(project.read("settings.yml.bak"), merged, "what was replaced is kept");
}

#[test]
fn a_narrow_terminal_without_colours_shows_whole_lines() {
    let project = shop().variable("NO_COLOR", "1");
    let steps = entered(QUESTIONS);
    let shown = project.at_terminal(40, &steps, &["init"]);
    let text = String::from_utf8_lossy(&shown.sent);
    let ends = |rest: &str| rest.chars().find(char::is_ascii_alphabetic) == Some('m');
    assert!(!text.split("\u{1b}[").skip(1).any(ends), "no colours, and nothing bold: {text:?}");
    for cut in ["Which package manager runs the …", "auto: p\n", "offer wh\n"] {
        assert!(!shown.last().contains(cut), "a question is whole: {}", shown.last());
    }
    walk("narrow", &shop().variable("NO_COLOR", "1"), 40, &["init"], &steps);
}

#[test]
fn init_asks_nothing_in_ci_or_without_a_terminal() {
    let project = small().variable("CI", "true");
    let shown = project.at_terminal(80, &[], &["init"]);
    assert_eq!(shown.code, 0, "{}", shown.last());
    assert!(shown.last().contains("Generated settings.yml with 1 plugin"), "{}", shown.last());
    let again = project.at_terminal(80, &[], &["init"]);
    assert_eq!(again.code, 2, "{}", again.last());
    let said = project.cuff(["init"]).ended_with(2);
    assert!(said.stderr.contains("`--merge`") && said.stderr.contains("`--force`"), "{}", said.stderr);
    project.cuff(["init", "--merge", "--force"]).ended_with(64);
    assert!(Project::empty().variable("TERM", "xterm").at_terminal(80, &[], &["init"]).code == 1);
}

#[test]
fn init_merge_leaves_existing_entries_alone() {
    let project = small();
    project.write("Makefile", "check: ; true\n");
    project.script("scripts/a.sh", "#!/bin/sh\n");
    // By its key, by what it looks at, switched off, broken: each stands.
    project.write("packages/ui/package.json", r#"{"scripts": {"a": "true"}}"#);
    project.write("package.json", r#"{"workspaces": ["packages/*"], "scripts": {"test": "true"}}"#);
    let old = "version: '1'\r\nplugins:\r\n  u: {module: x.packagejson, config: {package_json_path: packages/ui/package.json}}\r\n  mine: {module: x.packagejson, config: {scripts: [test]}}\r\n  makefile: {enabled: false}\r\n  \
               theirs: {module: x.scripts, config: {patterns: 5}}";
    project.write("settings.yml", old);
    let said = project.cuff(["init", "--merge"]).succeeded();
    assert!(
        said.stdout.ends_with("settings.yml has all of this already: nothing was written\n"),
        "{}",
        said.stdout
    );
    assert_eq!(project.read("settings.yml"), old);
    project.write("package-lock.json", "{}");
    let shown = project.cuff(["init", "--merge", "--dry-run"]).succeeded().stdout;
    assert_eq!(project.read("settings.yml"), old);
    project.cuff(["init", "--merge", "--yes"]).succeeded();
    let merged = project.read("settings.yml");
    assert!(merged.starts_with(old) && merged.replace('\r', "").trim_end() == shown.trim_end(), "{merged:?}");
    project.cuff(["init", "--merge"]).succeeded();
    assert_eq!(project.read("settings.yml"), merged, "once it is there it is not new");
    for (broken, next) in [
        ("plugins: [", "then `cuff init --merge` adds"),
        ("plugins: {}\n---\n", "then `cuff init --merge` adds"),
        ("plugins: &a {}\nplugin_settings: *a\n", "  npm:\n    type: in_source"),
    ] {
        project.write("settings.yml", broken);
        let said = project.cuff(["init", "--merge", "--yes"]).ended_with(2).stderr;
        assert!(said.contains("stays as it is") && said.contains(next), "{said}");
        assert_eq!(project.read("settings.yml"), broken);
    }
    fs::remove_file(project.root().join("settings.yml")).unwrap();
    project.cuff(["init", "--merge"]).succeeded();
    assert!(project.read("settings.yml").contains("  npm:"), "where there is none it is written");
}

/// A tool that is offered already may have been left out of `confirm` on purpose.
#[test]
fn merge_adds_instances_and_leaves_confirm_of_those_that_stand() {
    let project = Project::empty();
    project.write("package.json", r#"{"scripts": {"test": "true", "deploy": "./d", "ship": "git push"}}"#);
    let mine = "# Ours\nversion: '1'\nplugins:\n  packagejson:\n    config:\n      confirm: # mine\n        - 'dep*' # all\n";
    project.write("settings.yml", mine);
    let said = project.cuff(["init", "--merge"]).succeeded().stdout;
    assert!(said.ends_with("settings.yml has all of this already: nothing was written\n"), "{said}");
    project.write("Makefile", "check: ; true\npublish: ; npm publish\n");
    let said = project.cuff(["init", "--merge"]).succeeded().stdout;
    assert!(said.contains("  makefile: publish (`npm publish` at Makefile:2)\n"), "{said}");
    assert!(said.ends_with("Added makefile to settings.yml\n"), "{said}");
    let merged = project.read("settings.yml");
    assert!(merged.starts_with(mine) && merged.contains("      confirm:\n      - publish\n"), "{merged}");
}

/// Scripts that came where no pattern of the settings finds them.
#[test]
fn patterns_are_suggested_for_scripts_that_came_later() {
    let project = Project::empty();
    let come = |path: &str, text: &str| project.script(path, format!("#!/bin/sh\n{text}\n"));
    come("scripts/one.sh", "true");
    project.cuff(["init", "--yes"]).succeeded();
    let written = project.read("settings.yml");
    come("scripts/two.mjs", "true");
    come("bin/three.sh", "true");
    come("tools/wipe.sh", "git push");
    let open = come("bin/open.py", "true");
    fs::set_permissions(open, fs::Permissions::from_mode(0o777)).unwrap();
    let new =
        "`patterns` for bin/*.sh, tools/*.sh, scripts/two.mjs and `confirm` for tools/wipe.sh of scripts";
    let dry = project.cuff(["init", "--merge", "--dry-run"]).succeeded();
    assert!(dry.stderr.ends_with(&format!("New in settings.yml: {new}\n")), "{}", dry.stderr);
    let said = project.cuff(["init", "--merge", "--yes"]).succeeded().stdout;
    assert!(said.contains("  scripts: tools/wipe.sh (`git push` at tools/wipe.sh)\n"), "{said}");
    assert!(said.ends_with(&format!("Added {new} to settings.yml\n")), "{said}");
    let merged = project.read("settings.yml");
    let list = "      - scripts/*.sh\n";
    let more = format!("{list}      - bin/*.sh\n      - tools/*.sh\n      - scripts/two.mjs\n");
    assert_eq!(merged.lines().count(), written.lines().count() + 6, "{merged}");
    assert!(merged.contains(&more) && merged.contains("confirm:\n      - tools/wipe.sh\n"), "{merged}");
    for tool in ["two", "three.sh"] {
        project.cuff(["run", tool]).succeeded();
    }
    let again = project.cuff(["init", "--merge"]).succeeded().stdout;
    assert!(again.ends_with("settings.yml has all of this already: nothing was written\n"), "{again}");

    // Folders that were left out stay so. A pattern that finds a risk is written for the other files alone. A
    // list of single scripts stays a list of single scripts.
    let risk = come("tools/risk.sh", "true");
    fs::set_permissions(risk, fs::Permissions::from_mode(0o777)).unwrap();
    for (config, expected) in [
        (
            "{patterns: ['scripts/*'], exclude: [bin]}",
            "{patterns: ['scripts/*', \"tools/wipe.sh\"], exclude: [bin], confirm: [\"tools/wipe.sh\"]}",
        ),
        ("{patterns: ['**/*.sh', '**/*.mjs', bin/*]}", ""),
        ("{patterns: [scripts/one.sh], exclude: [bin], confirm: true}", ""),
        ("{patterns: 'scripts/*, tools/*, bin/*', confirm: []}", ""),
        (
            "{patterns: ['scripts/*', 'tools/*'], confirm: []}",
            "{patterns: ['scripts/*', 'tools/*', \"bin/*.sh\"], confirm: []}",
        ),
    ] {
        if config.contains("one.sh") {
            come("scripts/other.sh", "true");
        }
        let text = |config: &str| format!("version: '1'\nplugins:\n  scripts: {{config: {config}}}\n");
        project.write("settings.yml", text(config));
        project.cuff(["init", "--merge", "--yes"]).succeeded();
        let expected = if expected.is_empty() { config } else { expected };
        assert_eq!(project.read("settings.yml"), text(expected));
    }
}

/// Several instances may share the scripts of a project, and what none of them finds goes to one.
#[test]
fn a_pattern_is_suggested_to_one_of_several_instances() {
    let project = Project::empty();
    for path in ["scripts/one.sh", "tools/two.sh", "bin/three.sh"] {
        project.script(path, "#!/bin/sh\n");
    }
    let text = |first: &str, last: &str| {
        format!(
            "version: '1'\nplugins:\n  scripts: {{config: {{patterns: [scripts/*{first}]}}}}\n  \
             tools: {{module: scripts, config: {{{last}}}}}\n"
        )
    };
    for other in ["patterns: ['tools/*.sh']", "base_directory: tools, patterns: ['*']"] {
        project.write("settings.yml", text("", other));
        let said = project.cuff(["init", "--merge", "--yes"]).succeeded().stdout;
        assert!(said.ends_with("Added `patterns` for bin/*.sh of scripts to settings.yml\n"), "{said}");
        assert_eq!(project.read("settings.yml"), text(", \"bin/*.sh\"", other));
    }
}

#[test]
fn a_file_that_is_broken_is_mended_before_anything_is_added() {
    let project = small();
    for (text, why, mend) in [
        (
            "version: \"1\"\nplugins:\n\tpackagejson: {}\n",
            "line 3, column 1: the settings are not valid YAML",
            "indent with spaces: YAML does not allow tabs there",
        ),
        ("", "line 1, column 1: the settings are empty", "have `cuff init --force` write the file"),
        ("version: \"1\"\nplugins: []\n", "line 2, column 1: `plugins` must be a mapping", ""),
    ] {
        project.write("settings.yml", text);
        let said = project.cuff(["init", "--merge"]).ended_with(2).stderr;
        assert!(said.contains(why) && said.contains(mend), "{said}");
        assert!(said.ends_with("; then `cuff init --merge` adds what is new\n"), "{said}");
        assert!(!said.contains("module:"), "nothing to paste into what is broken: {said}");
        assert_eq!(project.read("settings.yml"), text);
        let place =
            why.split(':').next().unwrap().replace("line ", "settings.yml:").replace(", column ", ":");
        let doctor = project.cuff(["doctor"]).ended_with(1).stdout;
        assert!(
            doctor.contains(&format!("FAIL  {place} cannot be used: ")) && doctor.contains(mend),
            "{doctor}"
        );
    }
}

/// A link in a repository, at the schema's place, may lead to any file of the user's.
#[test]
fn settings_are_not_written_through_a_link_that_leads_elsewhere() {
    let project = Project::empty();
    project.write("package.json", r#"{"scripts": {"test": "true"}}"#);
    let mine = project.outside().join("mine.yml");
    fs::write(&mine, "plugins: {}\n").unwrap();
    let settings = project.root().join("settings.yml");
    symlink(&mine, &settings).unwrap();
    for how in ["--force", "--merge"] {
        let said = project.cuff(["init", "--yes", how]).ended_with(3).stderr;
        assert!(
            said.contains("is a link that leads out of its folder, to") && said.contains("mine.yml"),
            "{said}"
        );
        assert_eq!(fs::read_to_string(&mine).unwrap(), "plugins: {}\n");
        assert!(!project.root().join("settings.yml.bak").exists());
    }
    fs::remove_file(&settings).unwrap();
    project.write("settings.yml", "plugins: {}\n");
    fs::set_permissions(&settings, fs::Permissions::from_mode(0o600)).unwrap();
    project.cuff(["init", "--yes", "--force"]).succeeded();
    for file in ["settings.yml", "settings.yml.bak"] {
        let mode = fs::metadata(project.root().join(file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file} is as private as before");
    }
}

#[test]
fn the_schema_is_not_written_through_a_link() {
    for (link, lands) in [
        (".cuff/settings.schema.json", "mine"),
        (".cuff/settings.schema.json", "nowhere"),
        (".cuff", "settings.schema.json"),
    ] {
        let project = small();
        let home = project.outside().join("home");
        let mine = home.join("mine");
        fs::write(&mine, "mine").unwrap();
        fs::create_dir_all(project.root().join(link).parent().unwrap()).unwrap();
        let target = if link == ".cuff" { home.clone() } else { home.join(lands) };
        symlink(target, project.root().join(link)).unwrap();
        let said = project.cuff(["init", "--yes"]).ended_with(3);
        assert_eq!(fs::read_to_string(&mine).unwrap(), "mine");
        assert!(lands == "mine" || !home.join(lands).exists(), "{link}");
        assert!(said.stderr.contains(&format!("{link} is a symbolic link")), "{}", said.stderr);
        assert!(said.stderr.contains("the settings are written and count"), "{}", said.stderr);
        assert!(project.read("settings.yml").contains("\n  packagejson:\n"));
    }
}

/// A project with tools that nothing takes back.
fn shipping() -> Project {
    let project = Project::empty().variable("TERM", "xterm");
    let scripts = r#"{"build": "rm -rf dist && node .", "deploy": "node ship", "ship": "npm publish", "clean": "rm -rf dist"}"#;
    project.write("package.json", format!("{{\"scripts\": {scripts}}}"));
    project.write("Makefile", "check: ; true\ninfra:\n\tcd infra && terraform apply\n.PHONY: check infra\n");
    project.script("scripts/push-images.sh", "#!/bin/sh\nsleep 0\n");
    project
}

#[test]
fn tools_that_look_irreversible_ask_first() {
    let project = shipping();
    let said = project.cuff(["init", "--yes"]).succeeded().stdout;
    let lines = "These tools look irreversible, so cuff asks you first (`confirm` in the settings):\n  \
                 packagejson: deploy (its name)\n  packagejson: ship (`npm publish` at package.json:1)\n  \
                 makefile: infra (`terraform apply` at Makefile:2)\n  scripts: scripts/push-images.sh (its name)\n";
    assert!(said.contains(lines), "{said}");
    let usual = project.read("settings.yml");
    project.cuff(["run", "deploy"]).ended_with(126);
    project.cuff(["run", "make_infra"]).ended_with(126);
    project.cuff(["run", "scripts/push-images.sh"]).ended_with(126);
    project.cuff(["run", "--dry-run", "build"]).succeeded();

    let question = "Which ask you first";
    let steps = [
        CHOOSE,
        ("Which plugins?", ENTER),
        ("Choose single tools?", ENTER),
        (question, ENTER),
        ("Write settings.yml?", ENTER),
    ];
    fs::remove_file(project.root().join("settings.yml")).unwrap();
    walk("needs_a_yes", &project, 80, &["init"], &steps);
    assert_eq!(project.read("settings.yml"), usual, "Enter all the way");
    fs::remove_file(project.root().join("settings.yml")).unwrap();
    // The first, deploy, needs none; what was not suggested can be ticked.
    let last_one = format!(" {}{ENTER}", DOWN.repeat(4) + " ");
    let steps = [
        CHOOSE,
        ("Which plugins?", ENTER),
        ("Choose single tools?", ENTER),
        (question, &last_one),
        ("Write settings.yml?", ENTER),
    ];
    assert_eq!(project.at_terminal(80, &steps, &["init"]).code, 0);
    let text = project.read("settings.yml");
    assert!(text.contains("      confirm:\n      - build\n      - ship\n"), "{text}");

    // A person's decision stays as it is; for new tools the same is suggested.
    fs::remove_file(project.root().join("settings.yml")).unwrap();
    let mine = "version: '1'\nplugins:\n  packagejson:\n    config: {confirm: []}\n";
    project.write("settings.yml", mine);
    project.cuff(["init", "--merge", "--yes"]).succeeded();
    let merged = project.read("settings.yml");
    assert!(merged.starts_with(mine) && merged.contains("      confirm:\n      - infra\n"), "{merged}");
}

#[test]
fn a_small_window_shows_what_was_chosen_before_it_asks() {
    let project = shipping();
    let steps = [
        CHOOSE,
        ("Which plugins?", ENTER),
        ("Choose single tools?", ENTER),
        ("Which ask you first", ENTER),
        ("Write settings.yml?", "s"),
        ("settings.yml will be:", " "),
        (" of ", "\u{1b}[D"),
        (" of ", &RIGHT.repeat(5)),
        (" of ", ENTER),
        ("Write settings.yml?", "n"),
    ];
    let shown = project.at_terminal((14, 40), &steps, &["init"]);
    assert_eq!(shown.code, 0, "{}", shown.last());
    let asked = &shown.screens[4];
    assert!(asked.contains("settings.yml has:") && asked.contains("confirm"), "{asked}");
    let keys = "c changes answers, s shows the file,\n  escape leaves\nWrite settings.yml? [Y/n/c/s]";
    assert!(asked.ends_with(keys) && !asked.contains("version:"), "{asked}");
    // Of the file no word is cut, and it turns in pages that tell their keys.
    let (first, back) = (&shown.screens[5], &shown.screens[7]);
    assert!(first.contains("settings.yml will be:") && first.contains("1-11 of "), "{first}");
    assert!(first.contains("space or right") && first.contains("escape ends"), "{first}");
    assert!(first.contains("$schema=.cuff/settings.schema.json") && !first.contains('…'), "{first}");
    assert!(!shown.screens[6].contains("settings.yml will be:") && shown.screens[6].contains("12-22 of "));
    assert!(back.contains("1-11 of "), "{back}");
    assert!(shown.screens[8].contains("scripts/push-images.sh"), "the last page: {}", shown.screens[8]);
    // Then it is asked as before, and nothing of the pages is left.
    let summary = asked.find("settings.yml has:").unwrap();
    assert_eq!(shown.screens[9], asked[summary..]);
    assert!(shown.last().ends_with("Write settings.yml? no\nNothing was written"), "{}", shown.last());
    let left = [&steps[..5], &[(" of ", CTRL_C)]].concat();
    let shown = project.at_terminal((14, 40), &left, &["init"]);
    assert!(shown.code == 130 && shown.restored, "{}", shown.last());
    assert!(!project.root().join("settings.yml").exists());
}

#[test]
fn answers_can_be_changed_before_init_writes() {
    let project = shipping().variable("NO_COLOR", "1");
    let scripts = r#"{"build": "node .", "deploy": "node ship"}"#;
    project.write("packages/ui/package.json", format!(r#"{{"name": "ui", "scripts": {scripts}}}"#));
    project.write("package.json", format!(r#"{{"workspaces": ["packages/*"], "scripts": {scripts}}}"#));
    project.write("package-lock.json", "{}");
    project.write("pnpm-lock.yaml", "");
    // Without npm and pnpm and all packages; npm; of the root's scripts deploy alone, which needs no yes.
    let first = [
        CHOOSE,
        ("Which plugins?", &format!("{DOWN}{DOWN}{DOWN} {DOWN} {ENTER}")[..]),
        ("1 package with scripts?", &format!("{DOWN}{DOWN}{ENTER}")),
        ("Which package manager", &format!("{DOWN}{DOWN}{ENTER}")),
        ("Choose single tools?", "y"),
        ("Single tools of which plugins?", &format!(" {ENTER}")),
        ("Tools of packagejson", &format!(" {ENTER}")),
        ("Which ask you first", &format!(" {ENTER}")),
    ];
    // Enter all the way changes nothing.
    let usual = ["Which plugins?", "1 package with", "Which package manager", "Choose single tools?"];
    let again = usual.into_iter().chain([
        "Single tools of which plugins?",
        "Tools of packagejson",
        "Which ask you first",
    ]);
    let again: Vec<(&str, &str)> = again.map(|question| (question, ENTER)).collect();
    let write = [("Write settings.yml?", ENTER)];
    let change = [("Write settings.yml? [Y/n/c]", "c")];
    assert_eq!(project.at_terminal(40, &[&first[..], &write].concat(), &["init"]).code, 0);
    let once = project.read("settings.yml");
    for line in ["      package_manager: npm", "      scripts:\n      - deploy\n"] {
        assert!(once.contains(line), "{line}\n{once}");
    }
    assert!(!once.contains("packages:") && !once.contains("  npm:"), "{once}");
    fs::remove_file(project.root().join("settings.yml")).unwrap();
    let shown = project.at_terminal(40, &[&first[..], &change, &again, &write].concat(), &["init"]);
    assert!(shown.code == 0 && shown.restored, "{}", shown.last());
    assert_eq!(project.read("settings.yml"), once);
    let asked = &shown.screens[first.len()];
    assert!(asked.ends_with("c changes answers, escape leaves\nWrite settings.yml? [Y/n/c]"), "{asked}");

    // One answer is another: no single tools after all. Tools that were left out then are suggested as ever.
    fs::remove_file(project.root().join("settings.yml")).unwrap();
    let other: Vec<(&str, &str)> = usual[..3].iter().map(|question| (*question, ENTER)).collect();
    let other = [&other[..], &[("Choose single tools? [Y/n]", "n"), ("Which ask you first", ENTER)]].concat();
    let shown = project.at_terminal(80, &[&first[..], &change, &other, &write].concat(), &["init"]);
    assert_eq!(shown.code, 0, "{}", shown.last());
    let text = project.read("settings.yml");
    assert!(text.contains("      scripts: '*'\n") && text.contains("package_manager: npm"), "{text}");

    // Where there is little to choose a person may look at it all the same.
    let bare = Project::empty().variable("TERM", "xterm").variable("NO_COLOR", "1");
    bare.write("package.json", r#"{"scripts": {"test": "node --test"}}"#);
    let shown = bare.at_terminal(80, &[("Write settings.yml? [Y/n/c]", "n")], &["init"]);
    assert_eq!(shown.code, 0, "{}", shown.last());
}

#[test]
fn a_list_that_is_longer_than_the_window_turns_and_tells_its_keys() {
    let project = Project::empty().variable("TERM", "xterm");
    let rules: Vec<String> = (1..24).map(|at| format!("task-{at}: ; true\n")).collect();
    project.write("Makefile", format!("deploy: ; sleep 0\n{}", rules.concat()));
    for size in [(14, 40), (24, 80)] {
        let steps = [
            CHOOSE,
            ("Choose single tools?", ENTER),
            ("Which ask you first", RIGHT),
            ("Which ask you first", " "),
            ("Which ask you first", ENTER),
            ("Write settings.yml?", "n"),
        ];
        let shown = project.at_terminal(size, &steps, &["init"]);
        for screen in &shown.screens[2..5] {
            assert_eq!(screen.matches("Which ask you first").count(), 1, "{size:?}\n{screen}");
            let said = screen.split_whitespace().collect::<Vec<_>>().join(" ");
            for word in [
                "they run?",
                "of 24: type to narrow, arrows",
                "left/right",
                "space",
                "* turns all",
                "enter goes on",
                "backspace goes back",
                "escape leaves",
                "> [",
            ] {
                assert!(said.contains(word), "{size:?}, {word}\n{screen}");
            }
        }
        assert!(shown.screens[2].contains("> [x] makefile: deploy"), "{}", shown.screens[2]);
        assert!(shown.screens[3].contains("> [ ] makefile: task-"), "{}", shown.screens[3]);
        assert!(shown.screens[4].contains("> [x] makefile: task-"), "{}", shown.screens[4]);
        assert!(
            shown.screens[5].replace("\n  ", " ").contains("they run? 2 of 24\n"),
            "{}",
            shown.screens[5]
        );
        assert!(shown.code == 0 && shown.restored);
    }
}

#[test]
fn init_keeps_a_backup_of_replaced_settings() {
    let project = small();
    for (mine, aside) in
        [("# one\n", "settings.yml.bak"), ("# two\n", "settings.yml.bak2"), ("# one\n", "settings.yml.bak")]
    {
        project.write("settings.yml", mine);
        let said = project.cuff(["init", "--force", "--yes"]).succeeded();
        assert!(said.stderr.contains(&format!("The old file is kept as {aside}\n")), "{}", said.stderr);
        assert_eq!(project.read(aside), mine);
    }
    let said = project.cuff(["init", "--force", "--yes"]).succeeded();
    assert!(!said.stderr.contains("before is in"), "nothing is lost: {}", said.stderr);
    assert!(!project.root().join("settings.yml.bak3").exists());
}

#[test]
fn settings_above_are_not_hidden_by_chance() {
    let project = small();
    fs::create_dir(project.root().join(".git")).unwrap();
    project.write("web/Makefile", "check: ; true\n");
    project.write("empty/readme", "");
    project.cuff(["init", "--yes"]).succeeded();
    for folder in ["web", "empty"] {
        let said = project.cuff(["-C", folder, "init", "--yes"]).ended_with(2);
        assert!(
            said.stderr.contains("../settings.yml has the settings that count in this folder"),
            "{}",
            said.stderr
        );
        assert!(said.stderr.contains("`cuff -C .. init --merge`"), "{}", said.stderr);
        assert!(!project.root().join(folder).join("settings.yml").exists());
    }
    for (columns, asked) in [(80, "Write one for this folder all the same?"), (30, "same?")] {
        let shown = project.at_terminal(columns, &[(asked, ENTER)], &["-C", "web", "init"]);
        assert!(shown.code == 0 && shown.last().ends_with("Nothing was written"), "{}", shown.last());
        let said = shown.last().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("Write one for this folder all the same? no"), "{said}");
    }
    assert!(!project.root().join("web/settings.yml").exists());
    project.cuff(["-C", "web", "init", "--yes", "-o", "settings.yml"]).succeeded();
    assert!(project.read("web/settings.yml").contains("  makefile:"), "on purpose");
    project.cuff(["-C", "web", "init", "--merge", "--yes"]).succeeded();
}

#[test]
fn servers_of_clients_are_offered_and_written_without_secrets() {
    let project = small();
    let claude = r#"{"mcpServers": {"cuff": {"command": "cuff", "args": ["serve"]}, "time": {"command": "uvx", "args": ["server"]},
        "git": {"command": "npx", "env": {"GIT_TOKEN": "hush-hush"}}, "bad name": {"command": "x"}, "own": {"command": "y"}}}"#;
    project.write(".mcp.json", claude);
    project.write(
        ".vscode/mcp.json",
        r#"{"servers": {"docs": {"type": "http", "url": "https://d"}, "time": {"command": "z"}}}"#,
    );
    project.write(".cursor/mcp.json", "{");
    project.write(".toolscript.json", r#"{"own": {"command": "x"}}"#);
    let shown = project.at_terminal(
        (60, 120),
        &[("Choose single tools", ENTER), ("Which MCP servers", "*\r"), ("Write settings.yml", "y\r")],
        &["init"],
    );
    let shown = shown.succeeded();
    let screens = shown.screens.join("\n") + &shown.text;
    for said in [
        ".toolscript.json names MCP servers, and cuff reads it as it is: own",
        "`bad name` is left out: rename it",
        ".cursor/mcp.json: 1:",
        "set GIT_TOKEN before",
        "cuff install --client NAME",
    ] {
        assert!(screens.contains(said), "{said}: {screens}");
    }
    let written = project.read("settings.yml");
    assert!(
        written.contains("  time:\n    type: mcp\n    command: uvx\n    args:\n    - server\n"),
        "{written}"
    );
    assert!(written.contains("GIT_TOKEN: ${GIT_TOKEN}") && written.contains("url: https://d"), "{written}");
    for other in ["hush", "own:", "bad name", "  cuff:", "command: z"] {
        assert!(!written.contains(other), "{other}: {written}");
    }
    let states = project.variable("GIT_TOKEN", "hush-hush").cuff(["mcp", "list"]).succeeded().stdout;
    assert_eq!(states.matches("approved").count(), 3, "{states}");
}

#[test]
fn no_server_is_written_where_nobody_is_asked() {
    let project = small();
    project.write(".mcp.json", r#"{"mcpServers": {"time": {"command": "uvx", "args": ["server"]}}}"#);
    let run = project.cuff(["init", "--yes"]).succeeded();
    assert!(run.stdout.contains("not added, since nobody was asked: time (.mcp.json)"), "{run:?}");
    assert!(!project.read("settings.yml").contains("mcp"), "{run:?}");
}

/// A project with many recipes, some of which look irreversible.
fn many() -> Project {
    let project = Project::empty().variable("TERM", "xterm").variable("NO_COLOR", "1");
    let rules: Vec<String> = (1..20).map(|at| format!("check-{at}: ; true\n")).collect();
    let text = format!("deploy: ; sleep 0\nrelease: ; git push --tags\n{}", rules.concat());
    project.write("Makefile", format!(".PHONY: deploy release\n{text}"));
    project.write("package.json", r#"{"scripts": {"test": "node --test", "build": "node ."}}"#);
    project
}

#[test]
fn typing_narrows_a_long_list_and_ticks_stay() {
    let project = many();
    let steps = [
        CHOOSE,
        ("Which plugins?", ENTER),
        ("Choose single tools?", "y"),
        ("Single tools of which plugins?", &format!("{DOWN} {ENTER}")[..]),
        // None, then those with a 2 in their names, then one more.
        ("Tools of makefile", "*"),
        ("Tools of makefile", "k-2"),
        ("Tools of makefile: k-2|", " "),
        ("[x] check-2", ESCAPE),
        ("escape leaves", "rel"),
        ("Tools of makefile: rel|", &format!(" {ENTER}")),
        ("Which ask you first", ENTER),
        ("Write settings.yml?", "y"),
    ];
    let shown = project.at_terminal(80, &steps, &["init"]);
    let list = |screen: &String| screen.split("which plugins? 1 of 2\n").last().unwrap().to_owned();
    insta::assert_snapshot!(list(&shown.screens[6]), @"
    Tools of makefile: k-2|
    > [ ] check-2
    type to narrow, arrows move, space ticks, * turns all, enter goes on, escape
      shows all
    ");
    insta::assert_snapshot!(list(&shown.screens[9]), @"
    Tools of makefile: rel|
    > [ ] release
    type to narrow, arrows move, space ticks, * turns all, enter goes on, escape
      shows all
    ");
    let text = project.read("settings.yml");
    assert!(text.contains("      targets:\n      - release\n      - check-2\n"), "{text}");
    assert!(text.contains("      confirm:\n      - release\n"), "{text}");
}

#[test]
fn a_step_back_asks_again_and_keeps_the_answers() {
    let project = many();
    let steps = [
        CHOOSE,
        // There is nothing to go back to.
        ("Which plugins?", BACK),
        ("Which plugins?", &format!("{DOWN} {ENTER}")[..]),
        ("Choose single tools? [y/N]", "y"),
        ("Tools of packagejson", &format!(" {ENTER}")),
        ("Write settings.yml?", "c"),
        ("Which plugins?", ENTER),
        ("Choose single tools? [Y/n]", BACK),
        ("> [x] packagejson", &format!("{DOWN} {ENTER}")),
        ("Choose single tools? [Y/n]", ENTER),
        ("Single tools of which plugins?", BACK),
        ("Choose single tools? [Y/n]", ENTER),
        ("Single tools of which plugins?", ENTER),
        // An entry that is ticked already stays ticked.
        ("Tools of packagejson", &format!(" {BACK}")),
        ("Single tools of which plugins?", ENTER),
        ("> [x] test", &format!(" {ENTER}")),
        ("Which ask you first", BACK),
        ("Tools of packagejson", ENTER),
        ("Which ask you first", ENTER),
        ("Write settings.yml?", "y"),
    ];
    let shown = project.at_terminal(80, &steps, &["init"]);
    let asked = shown.last().split("Write settings.yml? change\n").last().unwrap();
    // Answers that were taken back are gone.
    insta::assert_snapshot!(asked.split("\n\nsettings.yml will be:").next().unwrap(), @"
    Which plugins? all
    Choose single tools? yes
    Single tools of which plugins? 1 of 2
    Tools of packagejson: 1 of 2
    Which ask you first, each time they run? 2 of 22
    ");
    assert!(shown.code == 0 && shown.restored, "{}", shown.last());
    let text = project.read("settings.yml");
    assert!(text.contains("      scripts:\n      - build\n") && text.contains("  makefile:"), "{text}");
}
