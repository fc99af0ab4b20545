//! The contracts of every plugin, tested over the list of the binary: a new plugin is tested without further
//! work.
//!
//! Contracts with the world outside are files in `snapshots/`: help, the schema of settings.yml, MCP's tool
//! list. To rewrite them after an intended change: `INSTA_UPDATE=always cargo test --test it -- contracts`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;

use cuff::calls::parameters;
use cuff::model::{
    BadCall, Binding, Command, Default as FieldDefault, Discovery, ErrorCode, Field, File, Files, Governance,
    InstallHint, Installer, Matches, Missing, Origin, PluginInfo, Probed, Problem, REFRESH,
    RESERVED_INSTANCES, Registered, Role, Seen, Suggestion, Tool, ToolName, ValueKind, Values, Want, Word,
    check, is_hidden, is_instance_name,
};
use cuff::plugin::Plugin;
use cuff::plugins::ALL;
use cuff::settings::{self, SettingsReading};
use cuff::sources::project::{self as discovery, ProjectPlace};
use cuff::sys::Environment;
use serde_json::{Map, Value, json};

use crate::support::project::Project;

/// Words that do harm wherever something splits, expands or reads them as an option.
const HOSTILE: &[&str] = &[
    "",
    " ",
    "a b",
    "$(touch x)",
    "`touch x`",
    ";touch x",
    "&& touch x",
    "| sh",
    "> x",
    "--",
    "-c",
    "--config=x",
    "SHELL=/x",
    "NAME=a b",
    "*",
    "~",
    "'",
    "\"",
    "\\",
    "a\nb",
    "a\tb",
    "#x",
    "{a,b}",
    "ünï 日本 🚀",
    "\u{202e}x",
    "\u{1b}[31m",
];

/// Words of which each plugin that chooses among words takes one.
const HARMLESS: &[&str] = &["word", "--ignore-scripts", "--nologo"];

/// Contents that no parser of a plugin may stumble over.
fn garbage() -> Vec<Vec<u8>> {
    let deep = |unit: &str| unit.repeat(100_000).into_bytes();
    [
        &b""[..],
        b"\0\0\0",
        b"\xff\xfe\xff",
        b"{",
        b"[]",
        b"null",
        b"\"",
        b"#!",
        b"#!\n",
        b"#!/usr/bin/env -S",
        b"\n\n",
    ]
    .into_iter()
    .map(<[u8]>::to_vec)
    .chain([deep("{\"a\":"), deep("["), deep("#"), deep("\"\"\""), deep("é")])
    .collect()
}

#[test]
fn identity_cards_are_sound() {
    let (mut ids, mut prefixes) = (BTreeSet::new(), BTreeSet::new());
    for about in ALL.iter().map(|plugin| plugin.about()) {
        let id = about.id;
        assert!(ids.insert(id), "two plugins are called {id}");
        assert!(
            prefixes.insert(about.code_prefix),
            "two plugins have codes that start with {}",
            about.code_prefix
        );
        assert!(is_instance_name(id) && !RESERVED_INSTANCES.contains(&id), "{id} must do for an instance");
        assert!(id.chars().all(|c| c.is_ascii_lowercase()), "{id}: what is wrapped, in lower case");
        assert!(about.code_prefix.chars().all(|c| c.is_ascii_uppercase()), "{id}: {}", about.code_prefix);
        assert_ne!(about.code_prefix, "CUFF", "{id}: these are cuff's own codes");
        assert!(
            !about.noun.is_empty() && about.noun.chars().all(|c| c.is_ascii_lowercase()),
            "{id}: {}",
            about.noun
        );
        let is_shared = |other: &PluginInfo| other.source == about.source && !other.looked_for.is_empty();
        let is_told = !about.looked_for.is_empty() || ALL.iter().any(|other| is_shared(&other.about()));
        // `cuff init` shows what to write by hand for a plugin that looks for nothing.
        assert_ne!(is_told, !about.example.is_empty(), "{id}: what `cuff init` looks for");
        assert!(
            !about.looked_for.ends_with('.') && !about.looked_for.contains('\n'),
            "{id}: {:?}",
            about.looked_for
        );
        let summary = about.summary;
        assert!((10..=72).contains(&summary.chars().count()), "{id}: one short line, not {summary:?}");
        assert!(!summary.ends_with('.') && !summary.contains('\n'), "{id}: {summary:?}");
    }
}

#[test]
fn config_keys_and_options_are_sound() {
    for about in ALL.iter().map(|plugin| plugin.about()) {
        let id = about.id;
        fields_are_sound(id, &about.config.iter().collect::<Vec<_>>());
        let mut flags = BTreeSet::new();
        for option in about.options {
            assert!(flags.insert(option.flag), "{id}: --{} is there twice", option.flag);
            assert!(
                about.config.contains(option.field),
                "{id}: --{} is for no key of its config",
                option.flag
            );
            assert!(!option.help.is_empty() && !option.help.ends_with('.'), "{id}: {:?}", option.help);
        }
    }
}

fn fields_are_sound(id: &str, fields: &[&Field]) {
    let mut names = BTreeSet::new();
    for field in fields {
        let name = field.name;
        assert!(names.insert(name), "{id}: `{name}` is there twice");
        assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{id}: `{name}` in snake case");
        assert!(!field.about.is_empty(), "{id}: `{name}` says nothing of itself");
        if let Some(default) = field.default_value() {
            let given = Map::from_iter([(name.to_owned(), default.clone())]);
            let (values, mistakes) = check(&[field], &given);
            assert_eq!(mistakes, [], "{id}: the default of `{name}`");
            assert_eq!(values.iter().collect::<Vec<_>>(), [(name, &default)], "{id}: in its normal form");
        }
        if let (FieldDefault::Integer(_), ValueKind::Integer(least, most)) = (field.default, field.kind) {
            assert!(least <= most, "{id}: `{name}` takes no number");
        }
    }
}

#[test]
fn an_empty_project_offers_nothing() {
    let project = Project::empty();
    let environment = environment(project.root());
    let place = ProjectPlace::of(project.root(), &environment);
    for plugin in ALL {
        let id = plugin.about().id;
        assert!(
            plugin.suggest(&discovery::scout(place, *plugin)).is_none(),
            "{id} applies to nothing at all"
        );
        let found = discovery::discover(place, *plugin, &Values::default());
        assert_eq!(found.tools, [], "{id}");
        assert!(!found.problems.is_empty(), "{id} is configured, finds nothing, and does not say why");
    }
}

#[test]
fn every_fixture_is_understood_and_its_tools_are_sound() {
    let mut offered = BTreeSet::new();
    for fixture in fixtures() {
        let environment = environment(&fixture);
        let place = ProjectPlace::of(&fixture, &environment);
        for plugin in ALL {
            let id = plugin.about().id;
            let Some(config) = suggested(place, *plugin) else { continue };
            let recorded = Recorded { plugin: *plugin, root: &fixture };
            let found = discovery::discover(place, &recorded, &config);
            assert_eq!(
                found,
                discovery::discover(place, &recorded, &config),
                "{id}: asked twice, the same answer"
            );
            for tool in &found.tools {
                offered.insert(id);
                tool_is_sound(id, tool);
            }
        }
    }
    assert_eq!(offered.len(), ALL.len(), "a fixture for every plugin; these have one: {offered:?}");
}

fn tool_is_sound(id: &str, tool: &Tool) {
    let name = &tool.name;
    assert!(!name.is_empty() && !tool.original.is_empty(), "{id}: {tool:?}");
    let length = tool.description.chars().count();
    assert!(
        (1..=200).contains(&length) && !tool.description.contains('\n'),
        "{id}: {name}: {:?}",
        tool.description
    );
    assert!(!tool.description.contains(is_hidden), "{id}: {name}: {:?}", tool.description);
    fields_are_sound(id, &parameters(tool));
    match &tool.role {
        Role::Run { command, .. } => {
            assert_ne!(command.program.origin, Origin::Call, "{id}: {name}");
            assert!(command.arguments.iter().all(|word| word.origin != Origin::Call), "{id}: {name}");
            assert!(!command.timeout.is_zero(), "{id}: {name} has no time");
        }
        Role::Relay(_) => panic!("{id}: {name} relays calls"),
        Role::List(key) => {
            assert!(!key.is_empty() && tool.effects.read_only, "{id}: {name}");
            assert!(tool.input.fields().contains(&REFRESH), "{id}: {name}");
        }
    }
}

#[test]
fn garbage_is_a_problem_and_never_a_panic() {
    for plugin in ALL {
        let id = plugin.about().id;
        let (_, config) = at_home(*plugin);
        for content in garbage() {
            let files = everything_is(&content, |seen| plugin.wants(&config, seen));
            for tool in plugin.discover(&config, &files).tools {
                tool_is_sound(id, &tool);
            }
            let scouted = everything_is(&content, |seen| plugin.scout(seen));
            if let Some(suggestion) = plugin.suggest(&scouted) {
                assert!((0.0..=1.0).contains(&suggestion.confidence), "{id}");
                assert!(!suggestion.description.contains('\n'), "{id}: {:?}", suggestion.description);
            }
        }
    }
}

/// Every file that is wanted holds this, and every search finds a few of them.
fn everything_is(content: &[u8], wants: impl Fn(&Files) -> Vec<Want>) -> Files {
    let mut files = Files::default();
    loop {
        let fresh: Vec<Want> = wants(&files).into_iter().filter(|want| !files.answers(want)).collect();
        if fresh.is_empty() {
            return files;
        }
        for want in fresh {
            show(want, Some(content), &mut files);
        }
    }
}

/// Answers one want: with this content, or else with nothing.
fn show(want: Want, content: Option<&[u8]>, files: &mut Files) {
    let seen = |path: &str| content.map_or(Seen::Missing, |content| file(path, content));
    match want {
        Want::File(path) => {
            let seen = seen(&path);
            files.files.insert(path, seen);
        }
        Want::Program(name) => _ = files.programs.insert(name, None),
        Want::ProgramFile(wanted) => {
            let seen = seen(&wanted.name);
            files.program_files.insert(wanted, seen);
        }
        Want::Probe(probe) => {
            let out = Arc::from(content.unwrap_or_default());
            files.probes.insert(probe, Probed::Ended { code: 0, out, err: String::new() });
        }
        Want::Glob(glob) => {
            let names = ["a.sh", "a.b.py", "no_extension", ".hidden", "x\n\u{202e}.sh", "ünï 🚀.js", "-x.sh"];
            let plain =
                glob.patterns.iter().map(String::as_str).filter(|name| !name.contains(['*', '?', '[', '{']));
            let found = names.into_iter().chain(plain).filter(|_| content.is_some());
            let found = found.map(|name| (name.to_owned(), seen(name))).collect();
            let base = Some(PathBuf::from("/project"));
            files.globs.insert(glob, Matches { base, found, ..Matches::default() }.into());
        }
    }
}

/// Asks a plugin until it wants to look at nothing new, as discovery does, and within its bounds.
fn settled(id: &str, answer: impl Fn(Want, &mut Files), wants: impl Fn(&Files) -> Vec<Want>) -> Files {
    let mut files = Files::default();
    let mut answered = 0;
    for _ in 0..=16 {
        let fresh: Vec<Want> = wants(&files).into_iter().filter(|want| !files.answers(want)).collect();
        if fresh.is_empty() {
            return files;
        }
        answered += fresh.len();
        assert!(answered <= 2_000, "{id} wants to look at {answered} things");
        for want in fresh {
            answer(want, &mut files);
        }
    }
    panic!("{id} wants more after each look");
}

fn hint_wants(hint: InstallHint) -> Vec<Want> {
    match hint {
        InstallHint::Look(wants) => wants,
        InstallHint::Nothing | InstallHint::Missing(_) => Vec::new(),
    }
}

/// The tools of all plugins that apply to a project, under the names that they have there.
fn offered(place: ProjectPlace<'_>) -> Vec<(&'static dyn Plugin, Values, Vec<Registered>)> {
    let of_plugin = |plugin: &&'static dyn Plugin| {
        let about = plugin.about();
        let config = suggested(place, *plugin)?;
        let tools = discovery::discover(place, *plugin, &config).tools.into_iter();
        let registered = tools.map(|tool| {
            let name = ToolName { instance: about.id.to_owned(), local: tool.name.clone() };
            Registered::new(name, about.id, tool)
        });
        Some((*plugin, config, registered.collect()))
    };
    ALL.iter().filter_map(of_plugin).collect()
}

#[test]
fn checks_and_hints_of_plugins_settle_and_depend_on_their_files_alone() {
    let hostile = json!({
        "packageManager": "\u{1b}[2J@1\u{202e}\n.", "name": "npm", "version": "\u{202e}\n", "dependencies": {"a": "1"},
    });
    let hostile = hostile.to_string().into_bytes();
    let (mut checking, mut hinting) = (BTreeSet::new(), BTreeSet::new());
    for fixture in fixtures() {
        let environment = environment(&fixture);
        let place = ProjectPlace::of(&fixture, &environment);
        let all = offered(place);
        let registered: Vec<Registered> = all.iter().flat_map(|(.., tools)| tools.clone()).collect();
        for (plugin, config, own) in &all {
            let id = plugin.about().id;
            let tools: Vec<&Tool> = own.iter().map(|found| &*found.tool).collect();
            for content in garbage().into_iter().chain([hostile.clone()]).map(Some).chain([None]) {
                let answer = |want: Want, files: &mut Files| show(want, content.as_deref(), files);
                let checks = |seen: &Files| plugin.checks(config, &tools, seen);
                let files = settled(id, answer, |seen| checks(seen).wants);
                let found = checks(&files).found;
                assert_eq!(found, checks(&files.clone()).found, "{id}: asked twice, the same answer");
                for problem in &found {
                    check_is_sound(id, problem);
                }
                if content.is_none() {
                    assert_eq!(found, [], "{id} knows of a file that is not there");
                    checking.extend((!checks(&Files::default()).wants.is_empty()).then_some(id));
                }
                assert_eq!(plugin.checks(config, &[], &files).found, [], "{id} offers nothing");
                for tool in &tools {
                    let hint = |seen: &Files| plugin.install_hint(config, tool, &registered, seen);
                    let files = settled(id, answer, |seen| hint_wants(hint(seen)));
                    assert_eq!(hint(&files), hint(&files.clone()), "{id}: asked twice, the same answer");
                    assert!(!matches!(hint(&files), InstallHint::Look(_)), "{id}: {} is settled", tool.name);
                    let looks = matches!(hint(&Files::default()), InstallHint::Look(_));
                    hinting.extend(looks.then_some(id));
                }
            }
            let found = discovery::checks(place, *plugin, config, &tools);
            for problem in &found {
                check_is_sound(id, problem);
            }
            for tool in &tools {
                let missing = discovery::install_hint(place, *plugin, config, tool, &registered);
                if let Some(missing) = missing {
                    missing_is_sound(id, &missing, &registered);
                }
            }
        }
    }
    assert!(!checking.is_empty() && !hinting.is_empty(), "some look: {checking:?}, {hinting:?}");
}

/// A note is about something in order; everything else has a remedy.
fn check_is_sound(id: &str, problem: &Problem) {
    let said = [Some(problem.to_string()), problem.help.clone()];
    for text in said.iter().flatten() {
        sentence_is_sound(id, text);
    }
    assert_eq!(problem.help.is_none(), problem.is_note(), "{id}: {problem:?}");
    assert_eq!(problem.withheld, [""; 0], "{id}: what takes tools away, discovery says: {problem:?}");
}

fn missing_is_sound(id: &str, missing: &Missing, offered: &[Registered]) {
    sentence_is_sound(id, &missing.what);
    match &missing.installer {
        Installer::Tool(name) => {
            let installs = offered.iter().find(|found| found.name == *name);
            let runs = installs.is_some_and(|found| matches!(found.tool.role, Role::Run { .. }));
            assert!(runs, "{id}: {name} is offered, and runs something");
        }
        Installer::ByHand { line, .. } => sentence_is_sound(id, line),
    }
}

fn sentence_is_sound(id: &str, text: &str) {
    let is_one = !text.is_empty() && !text.ends_with('.') && !text.contains('\n');
    assert!(is_one && !text.contains(is_hidden), "{id}: {text:?}");
}

fn file(path: &str, content: &[u8]) -> Seen {
    Seen::File(File::new(Path::new("/project").join(path), content).permitting(0o777, true))
}

/// Escape sequences and direction marks of a file would rewrite the text around them on a terminal.
#[test]
fn invisible_characters_of_files_are_escaped_in_output() {
    let hostile = "\u{202e}\u{200b}";
    let project = Project::empty();
    let json = json!({
        "scripts": {"a": "b", format!("b{hostile}"): "c", "\u{1b}[2J": "d", "e": ["f"]},
        "scripts-info": {"a": format!("{hostile}\u{1b}[31msafe{hostile}")},
        "packageManager": "\u{1b}[2J@1",
    });
    project.write("package.json", json.to_string());
    project.script(&format!("scripts/{hostile}\u{1b}[2J.sh"), "#!/bin/sh\n");
    project.script("scripts/x.sh", format!("#!/bin/sh\n# \u{1b}[2J{hostile}says\n"));
    let settings = "version: \"1\"\nplugins:\n  \"a\\e[2J\": {}\n  packagejson:\n    \"\\u202E\": 1\n    config:\n      \
                    environment: {\"\\e]0;x\\a\": 1}\n";
    for command in
        [&["init", "--dry-run", "--verbose"][..], &["packagejson", "list"], &["scripts", "list"], &["list"]]
    {
        if command == ["list"] {
            project.write("settings.yml", settings);
        }
        let run = project.cuff(command);
        let said = run.stdout + &run.stderr;
        assert!(!said.is_empty() && !said.replace('\n', "").contains(is_hidden), "{command:?}: {said:?}");
    }
}

#[test]
fn hostile_arguments_stay_single_words_or_are_refused() {
    for plugin in ALL {
        let id = plugin.about().id;
        let (root, config) = at_home(*plugin);
        let environment = environment(&root);
        let place = ProjectPlace::of(&root, &environment);
        let (mut takes_words, mut passed) = (false, 0);
        for tool in &discovery::discover(place, &Recorded { plugin: *plugin, root: &root }, &config).tools {
            let Role::Run { command, .. } = &tool.role else { continue };
            takes_words |= !tool.input.fields().is_empty();
            for (field, word) in tool
                .input
                .fields()
                .iter()
                .flat_map(|field| HOSTILE.iter().chain(HARMLESS).map(move |word| (field, *word)))
            {
                // A program that takes no such neighbours at all may yet take the word alone.
                for words in [vec!["FIRST=1", word, "LAST=1"], vec![word]] {
                    let given = match field.kind {
                        ValueKind::TextList => json!(words),
                        ValueKind::CommandLine => {
                            json!(shlex::try_join(words.iter().copied()).expect("no NUL"))
                        }
                        _ => continue,
                    };
                    let arguments = Values::of([(field, given)]);
                    let planned =
                        plugin.plan(&config, tool, (**command).clone(), &arguments, Governance::Governed);
                    passed += usize::from(planned.is_ok());
                    stay_single_words(&format!("{} {word:?}", tool.name), command, planned, &words);
                }
            }
        }
        assert_eq!(passed > 0, takes_words, "{id}: some of them do no harm, where it takes any");
    }
}

fn stay_single_words(case: &str, before: &Command, planned: Result<Command, BadCall>, words: &[&str]) {
    let after = match planned {
        Ok(after) => after,
        Err(bad) => return assert!(!bad.message.is_empty() && bad.help.is_some(), "{case}: {bad:?}"),
    };
    let (fixed, brought): (Vec<&Word>, Vec<&Word>) =
        after.arguments.iter().partition(|word| word.origin != Origin::Call);
    let brought: Vec<&str> = brought.into_iter().map(|word| word.text.as_str()).collect();
    assert_eq!(brought, words, "{case}");
    assert!(before.arguments.iter().eq(fixed.into_iter().take(before.arguments.len())), "{case}");
    assert_eq!((&after.program, &after.directory), (&before.program, &before.directory), "{case}");
    // A plugin may report its program's reading of a word to policy; it never removes a variable.
    let (kept, added) = after.environment.split_at(before.environment.len().min(after.environment.len()));
    assert_eq!(kept, before.environment, "{case}");
    assert!(added.iter().all(|change| change.origin == Origin::Call), "{case}: {added:?}");
}

#[test]
fn suggested_settings_are_accepted() {
    for plugin in ALL {
        let about = plugin.about();
        let (root, _) = at_home(*plugin);
        let environment = environment(&root);
        let place = ProjectPlace::of(&root, &environment);
        let recorded = Recorded { plugin: *plugin, root: &root };
        let suggestion = recorded.suggest(&discovery::scout(place, *plugin));
        let Some(suggestion) = suggestion else {
            assert!(
                !about.example.is_empty(),
                "{}: something for every plugin that looks for a file",
                about.id
            );
            continue;
        };
        let given =
            suggestion.config.iter().map(|(field, value)| (field.name.to_owned(), value.clone())).collect();
        let fields: Vec<&Field> = about.config.iter().collect();
        assert_eq!(check(&fields, &given).1, [], "{}", about.id);
        let config = Values::of(suggestion.config);
        let tools = discovery::discover(place, &recorded, &config).tools;
        let names: Vec<String> = tools.into_iter().map(|tool| tool.name).collect();
        assert_eq!(suggestion.items, names, "{}: what init shows is what is offered then", about.id);
        let Some(picking) = suggestion.picking else { continue };
        for pick in picking.picks {
            let one = config.clone().with(picking.field, json!([pick.pattern]));
            let tools = discovery::discover(place, &recorded, &one).tools;
            let runs: Vec<&str> = tools.iter().map(|tool| tool.original.as_str()).collect();
            let runs: Vec<&str> = runs.into_iter().filter(|name| !name.starts_with("list_")).collect();
            assert_eq!(runs, [pick.name], "{}: a single tool is chosen by its pattern", about.id);
        }
    }
}

#[test]
fn help_is_as_recorded() {
    let project = Project::empty();
    let mut pages = vec![vec![]];
    pages.extend(
        [
            "init",
            "list",
            "run",
            "why",
            "status",
            "serve",
            "install",
            "doctor",
            "runs",
            "approve",
            "deny",
            "approvals",
        ]
        .into_iter()
        .chain(["audit", "schema", "completions"])
        .map(|command| vec![command]),
    );
    let of_runs = ["list", "status", "show", "log", "diagnostics", "diff", "stop", "prune"];
    pages.extend(of_runs.map(|command| vec!["runs", command]));
    for about in ALL.iter().map(|plugin| plugin.about()).filter(|about| about.has_command) {
        let id = about.id;
        pages.extend([vec![id], vec![id, "list"], vec![id, "run"]]);
    }
    let mut text = String::new();
    for mut words in pages {
        words.push("--help");
        let help = project.cuff(&words).succeeded().stdout;
        write!(text, "$ cuff {}\n{help}\n", words.join(" ")).expect("a string");
        for command in commands(&help).filter(|_| words.len() == 1) {
            assert!(
                text.contains(command) && RESERVED_INSTANCES.contains(&command) != is_plugin(command),
                "{command}"
            );
        }
    }
    recorded("help.txt", &text);
}

fn is_plugin(word: &str) -> bool {
    ALL.iter().any(|plugin| plugin.about().id == word)
}

/// The names in the groups of commands of a help page, which stand before its options.
fn commands(help: &str) -> impl Iterator<Item = &str> {
    let lines = help.lines().skip_while(|line| *line != "Everyday:").take_while(|line| *line != "Options:");
    lines.filter(|line| line.starts_with(' ')).filter_map(|line| line.split_whitespace().next())
}

#[test]
fn the_schema_is_as_recorded() {
    let printed = Project::empty().cuff(["schema"]).succeeded();
    recorded("settings.schema.json", &printed.stdout);
}

#[test]
fn the_tool_list_for_agents_is_as_recorded() {
    let project = Project::of("demo");
    project.cuff(["init", "--yes"]).succeeded();
    let mut command = project.command(["serve"]);
    let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("cuff");
    let mut input = server.stdin.take().expect("a pipe");
    let mut output = BufReader::new(server.stdout.take().expect("a pipe")).lines();
    let mut ask = |id: u32, method: &str, params: Value| {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        writeln!(input, "{request}").expect("it listens");
        let answer = output.next().expect("an answer").expect("text");
        serde_json::from_str::<Value>(&answer).expect("JSON")
    };
    let client = json!({
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"},
    });
    ask(1, "initialize", client);
    let listed = ask(2, "tools/list", json!({}));
    drop(input);
    assert!(server.wait().expect("a child of ours").success());
    recorded("tools-list.json", &format!("{:#}\n", listed["result"]));
}

fn recorded(name: &str, text: &str) {
    insta::with_settings!({ snapshot_path => "../../../snapshots", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, text);
    });
}

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let entries = fs::read_dir(folder).expect("the fixtures").map(|entry| entry.expect("an entry").path());
    let mut fixtures: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    fixtures.sort();
    fixtures
}

/// The demo if a plugin applies to it, else the first fixture that it applies to; and its suggestion there.
fn at_home(plugin: &dyn Plugin) -> (PathBuf, Values) {
    let mut fixtures = fixtures();
    fixtures.sort_by_key(|fixture| !fixture.ends_with("demo"));
    let home = fixtures.into_iter().find_map(|root| {
        let environment = environment(&root);
        let config = suggested(ProjectPlace::of(&root, &environment), plugin)?;
        Some((root, config))
    });
    home.unwrap_or_else(|| panic!("{} applies to no fixture", plugin.about().id))
}

fn environment(directory: &Path) -> Environment {
    Environment::new(directory, [("PATH", "/usr/bin:/bin")])
}

/// The config that `cuff init` suggests. A plugin that looks for nothing has the one in the settings of a fixture.
fn suggested(place: ProjectPlace<'_>, plugin: &dyn Plugin) -> Option<Values> {
    let suggestion = plugin.suggest(&discovery::scout(place, plugin));
    suggestion.map(|suggestion| Values::of(suggestion.config)).or_else(|| {
        let about = plugin.about();
        let file = place.root.join(settings::FILE_NAME);
        let text = fs::read_to_string(&file).ok().filter(|_| !about.example.is_empty())?;
        written(&text, &about)
    })
}

/// The config of the first instance of a plugin in these settings, in which nothing is wrong.
fn written(text: &str, about: &PluginInfo) -> Option<Values> {
    let place = settings::SettingsPlace {
        file: settings::FILE_NAME.into(),
        root: ".".into(),
        name: settings::FILE_NAME.into(),
        origin: settings::SettingsOrigin::Found,
    };
    let environment = Environment::new(Path::new("/"), [("PATH", "")]);
    let abouts: Vec<PluginInfo> = ALL.iter().map(|plugin| plugin.about()).collect();
    let SettingsReading { settings, problems } =
        settings::read(&place, text.as_bytes(), &abouts, &environment);
    assert!(problems.is_empty(), "{text}: {problems:?}");
    settings.instances.iter().find(|one| one.plugin == about.id).map(|one| one.config.clone())
}

#[test]
fn examples_of_settings_offer_something() {
    for plugin in ALL.iter().filter(|plugin| !plugin.about().example.is_empty()) {
        let config = written(plugin.about().example, &plugin.about()).expect("an instance of it");
        let (root, _) = at_home(*plugin);
        let found = discovery::discover(ProjectPlace::of(&root, &environment(&root)), *plugin, &config);
        assert_eq!((found.tools.len(), found.problems.len()), (1, 0), "{}", plugin.about().id);
    }
}

/// A plugin whose probes answer with the files in the folder `probes` of a fixture: no contract starts a
/// program.
#[derive(Debug)]
struct Recorded<'a> {
    plugin: &'a dyn Plugin,
    root: &'a Path,
}

impl Recorded<'_> {
    fn answered(&self, seen: &Files) -> Files {
        let mut files = seen.clone();
        for (probe, probed) in &mut files.probes {
            let recorded = fs::read(self.root.join("probes").join(&probe.command.program.text));
            if let (Ok(out), Probed::Nothing { fault: ErrorCode::NotReady, .. }) = (recorded, &*probed) {
                *probed = Probed::Ended { code: 0, out: out.into(), err: String::new() };
            }
        }
        files
    }
}

impl Plugin for Recorded<'_> {
    fn about(&self) -> PluginInfo {
        self.plugin.about()
    }

    fn scout(&self, seen: &Files) -> Vec<Want> {
        self.plugin.scout(seen)
    }

    fn suggest(&self, files: &Files) -> Option<Suggestion> {
        self.plugin.suggest(&self.answered(files))
    }

    fn wants(&self, config: &Values, seen: &Files) -> Vec<Want> {
        self.plugin.wants(config, seen)
    }

    fn binding(&self, config: &Values, seen: &Files, tool: &Tool) -> Binding {
        self.plugin.binding(config, seen, tool)
    }

    fn discover(&self, config: &Values, files: &Files) -> Discovery {
        self.plugin.discover(config, &self.answered(files))
    }

    fn plan(
        &self,
        config: &Values,
        tool: &Tool,
        command: Command,
        arguments: &Values,
        governance: Governance,
    ) -> Result<Command, BadCall> {
        self.plugin.plan(config, tool, command, arguments, governance)
    }
}
