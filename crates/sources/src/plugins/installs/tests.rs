use std::path::Path;

use serde_json::{Value, json};

use super::*;
use crate::model::{
    Absence, CWD, File, Files, Glob, Governance, Location, Matches, Origin, Role, Seen, Values, check,
};
use crate::plugin::Plugin as _;

/// A project with these files, as a plugin that wants them is shown it.
fn seen(plugin: &SourceSpec, config: &Values, texts: &[(&str, &str)]) -> Files {
    let file =
        |text: &str, name: &str| Seen::File(File::new(Path::new("/project").join(name), text.as_bytes()));
    let text_of = |name: &str| texts.iter().find(|(there, _)| *there == name).map(|(_, text)| *text);
    let mut files = Files::default();
    loop {
        let wants = plugin.wants(config, &files);
        let fresh: Vec<Want> = wants.into_iter().filter(|want| !files.answers(want)).collect();
        if fresh.is_empty() {
            return files;
        }
        for want in fresh {
            match want {
                Want::File(name) => {
                    let there = text_of(&name).map_or(Seen::Missing, |text| file(text, &name));
                    files.files.insert(name, there);
                }
                Want::Glob(glob) => {
                    let Glob { base, patterns, .. } = &glob;
                    let paths = patterns.iter().map(|name| (name, path::join(base, name)));
                    let found = paths
                        .filter_map(|(name, path)| Some((name.clone(), file(text_of(&path)?, &path))))
                        .collect();
                    files.globs.insert(
                        glob,
                        Matches { base: Some("/project".into()), found, ..Matches::default() }.into(),
                    );
                }
                Want::Program(name) => _ = files.programs.insert(name, Some("/usr/bin/x".into())),
                other => panic!("{other:?}"),
            }
        }
    }
}

fn config(plugin: &SourceSpec, given: Value) -> Values {
    let Value::Object(given) = given else { panic!("an object") };
    let fields: Vec<_> = plugin.about().keys().collect();
    let (values, mistakes) = check(&fields, &given);
    assert_eq!(mistakes, []);
    values
}

const MANIFEST: (&str, &str) = ("package.json", "{}");

#[test]
fn a_package_json_can_be_installed_and_a_lock_file_be_gone_by() {
    for (plugin, files, expected) in [
        (NPM, &[MANIFEST][..], "npm install"),
        (NPM, &[MANIFEST, ("package-lock.json", "")], "npm install|npm ci"),
        (NPM, &[MANIFEST, ("npm-shrinkwrap.json", "")], "npm install|npm ci"),
        (NPM, &[MANIFEST, ("pnpm-lock.yaml", "")], "npm install"),
        (PNPM, &[MANIFEST, ("pnpm-lock.yaml", "")], "pnpm install|pnpm install --frozen-lockfile"),
        (YARN, &[MANIFEST, ("yarn.lock", "")], "yarn install|yarn install --frozen-lockfile"),
        (YARN, &[MANIFEST, ("yarn.lock", ""), (".yarnrc.yml", "")], "yarn install|yarn install --immutable"),
        (BUN, &[MANIFEST, ("bun.lock", "")], "bun install|bun install --frozen-lockfile"),
        (BUN, &[MANIFEST, ("bun.lockb", "")], "bun install|bun install --frozen-lockfile"),
        (BUN, &[("bun.lock", "")], ""),
    ] {
        let found = plugin.discover(&Values::default(), &seen(&plugin, &Values::default(), files));
        let commands: Vec<String> = found
            .tools
            .iter()
            .map(|tool| {
                let Role::Run { command, .. } = &tool.role else { panic!("a tool that runs") };
                assert!(command.requires_confirmation, "{}", tool.name);
                command.line()
            })
            .collect();
        assert_eq!(commands.join("|"), expected, "{files:?}");
        assert_eq!(found.problems.is_empty(), !commands.is_empty(), "{:?}", found.problems);
    }
}

#[test]
fn settings_say_where_and_by_what() {
    let given = json!({"working_directory": "web", "command": "corepack npm", "environment": {"A": "1"}});
    let config = config(&NPM, given);
    let files = [("web/package.json", "{}"), ("package-lock.json", "")];
    let found = NPM.discover(&config, &seen(&NPM, &config, &files));
    let Role::Run { command, .. } = &found.tools[1].role else { panic!("a tool that runs") };
    assert_eq!(command.line(), "corepack npm ci");
    assert_eq!(command.directory, Path::new("web"));
    assert_eq!((command.program.origin, command.arguments[1].origin), (Origin::Settings, Origin::Fixed));
    assert_eq!(
        found.tools[1].source,
        Location::file("package-lock.json"),
        "a workspace keeps it at its root"
    );
}

#[test]
fn signs_of_a_manager_are_its_lock_file_and_what_package_json_asks_for() {
    let lock = ("pnpm-lock.yaml", "");
    let asks = |manager: &'static str| ("package.json", manager);
    for (files, expected) in [
        (&[MANIFEST][..], None),
        (&[lock], None),
        (&[MANIFEST, ("package-lock.json", "")], None),
        (&[MANIFEST, lock], Some((0.95, 0))),
        (&[MANIFEST, lock, ("package-lock.json", "")], Some((0.95, 1))),
        (&[asks(r#"{"packageManager": "pnpm@9.1.0"}"#)], Some((0.95, 0))),
        (&[asks(r#"{"packageManager": "yarn@1"}"#), lock], Some((0.4, 1))),
        (&[asks(r#"{"packageManager": "yarn@1"}"#)], None),
        (&[asks(r#"{"packageManager": 1}"#)], None),
        (&[asks("nonsense"), lock], Some((0.95, 0))),
    ] {
        let suggestion = PNPM.suggest(&seen(&PNPM, &Values::default(), files));
        let summary = suggestion.map(|suggestion| (suggestion.confidence, suggestion.warnings.len()));
        assert_eq!(summary, expected, "{files:?}");
    }
}

/// The plan for these words, or the reason why there is none.
fn planned(plugin: &SourceSpec, task: &str, words: &[&str]) -> Result<String, String> {
    let files = [MANIFEST, ("package-lock.json", ""), ("pnpm-lock.yaml", ""), ("bun.lock", "")];
    let config = Values::default();
    let found = plugin.discover(&config, &seen(plugin, &config, &files));
    let tool = found.tools.iter().find(|tool| tool.name == task).unwrap();
    let Role::Run { command, .. } = &tool.role else { panic!("a tool that runs") };
    let arguments = Values::of([(&config::PACKAGES, json!(words))]);
    match plugin.plan(&config, tool, (**command).clone(), &arguments, Governance::Governed) {
        Ok(command) => {
            let brought = command.arguments.iter().filter(|word| word.origin == Origin::Call);
            assert!(brought.map(|word| word.text.as_str()).eq(words.iter().copied()));
            Ok(command.words().join(" "))
        }
        Err(bad) => {
            assert!(bad.help.is_some_and(|help| !help.is_empty()), "{words:?}");
            Err(bad.message)
        }
    }
}

#[test]
fn packages_and_listed_flags_pass() {
    for (plugin, task, words, expected) in [
        (&NPM, INSTALL, &["--save-dev", "moon@^1"][..], "npm install --save-dev moon@^1"),
        (&NPM, INSTALL, &["-D", "-E", "@a/moon", "--no-audit"], "npm install -D -E @a/moon --no-audit"),
        (&NPM, CI, &["--omit=dev", "--ignore-scripts"], "npm ci --omit=dev --ignore-scripts"),
        (&PNPM, INSTALL, &["moon", "--save-peer"], "pnpm install moon --save-peer"),
        (&PNPM, CI, &["--prod"], "pnpm install --frozen-lockfile --prod"),
        (&BUN, INSTALL, &["-d", "moon", "--exact"], "bun install -d moon --exact"),
        (&BUN, CI, &["--production"], "bun install --frozen-lockfile --production"),
    ] {
        assert_eq!(planned(plugin, task, words).unwrap(), expected);
    }
}

#[test]
fn every_other_spelling_is_refused() {
    let elsewhere = "-g --global --global=true --no-global --glob --Global --GLOBAL --location=global --location \
                     --prefix --prefix=/x --pref=/x --local-prefix=/x -C -C/x -C=/x --dir --dir=/x --cwd=/x --cwd \
                     --modules-dir=/x --modulesDir=/x --virtual-store-dir=/x --store-dir=/x --lockfile-dir=/x \
                     --global-dir=/x --cache=/x --cache-dir=/x -gD";
    let folders = "-w -wx --workspace=x --workspaces --workspace-root -r --recursive --filter=x -F -Fx";
    let sources = "--registry --registry=http://x --reg=http://x --@a:registry=http://x --proxy=http://x --https-proxy=x \
                   --ca=x --cafile=/x --userconfig=/x --userconfig --globalconfig=/x --config=/x -c -c=/x \
                   --config.script-shell=/x --npmrc-auth-file=/x --env-file=/x";
    let runs = "--script-shell --script-shell=/x --scriptShell=/x --script_shell=/x --script-sh=/x --shell-emulator \
                --node-options=-r/x --git=/x --pnpmfile=/x --global-pnpmfile=/x --use-node-version=1";
    let scripts = "--allow-scripts=x --allow-build=x --dangerously-allow-all-scripts --dangerously-allow-all-builds \
                   --trust --no-ignore-scripts --ignore-scripts=false --allow-git=all";
    let checks = "--no-verify --no-strict-ssl --strict-ssl=false --force -f --no-verify-store-integrity";
    let unknown = "-- - --di=/x --x -x -DE --save-dev=false --SAVE-DEV --saveDev --no-save-dev --ignore-script -D=x --omit=x";
    for (flags, why) in [
        (elsewhere, "installs or writes elsewhere"),
        (folders, "works in other folders than this one"),
        (sources, "chooses where packages or the configuration come from"),
        (runs, "chooses what is run"),
        (scripts, "lets code run that the project does not"),
        (checks, "switches checks off"),
        (unknown, ""),
    ] {
        for flag in flags.split_ascii_whitespace() {
            for plugin in [&NPM, &PNPM, &BUN] {
                for task in [INSTALL, CI] {
                    let said = planned(plugin, task, &["--ignore-scripts", flag]).unwrap_err();
                    assert!(said.starts_with(&format!("args: \"{flag}\" ")), "{said}");
                    assert!(said.ends_with(why), "{said}, not {why}");
                }
            }
        }
    }
    for plugin in [&NPM, &PNPM, &BUN] {
        for word in ["moon", "--save-dev", "-D", "--no-save", "--lockfile-only", "--no-frozen-lockfile"] {
            planned(plugin, CI, &[word]).unwrap_err();
        }
        for words in [&["--omit", "dev"][..], &["--prefix", "x"], &["-g", "x"]] {
            planned(plugin, INSTALL, words).unwrap_err();
        }
    }
}

#[test]
fn a_refusal_says_what_to_do() {
    let files = [MANIFEST, ("package-lock.json", "")];
    let config = Values::default();
    let found = NPM.discover(&config, &seen(&NPM, &config, &files));
    let help = |at: usize, arguments: &Values| {
        let Role::Run { command, .. } = &found.tools[at].role else { panic!("a tool that runs") };
        let bad = NPM
            .plan(&config, &found.tools[at], (**command).clone(), arguments, Governance::Governed)
            .unwrap_err();
        format!("{}\n{}", bad.message, bad.help.unwrap())
    };
    let words = |words: &[&str]| Values::of([(&config::PACKAGES, json!(words))]);
    insta::assert_snapshot!(help(1, &words(&["moon"])), @r#"
    args: "moon" is no flag, and packages are what the lock file says
    call `npm.install` to add a package
    "#);
    insta::assert_snapshot!(help(0, &words(&["user/repo"])), @r#"
    args: "user/repo" is a path or a repository, and no name of the registry
    name packages of the registry: name, @scope/name, name@range or name@tag; what comes from elsewhere, a person can write into package.json
    "#);
    insta::assert_snapshot!(help(1, &words(&["-C"])), @r#"
    args: "-C" installs or writes elsewhere
    `cwd` names a folder inside the project; allowed are --dry-run --omit=dev --omit=optional --omit=peer --include=dev --include=optional --include=peer --no-audit --no-fund --no-progress --legacy-peer-deps --strict-peer-deps --foreground-scripts --quiet --verbose --ignore-scripts --offline --prefer-offline --silent
    "#);
    assert!(help(0, &Values::of([(&CWD, json!("../x"))])).starts_with("cwd: "));
}

#[test]
fn ci_without_a_lock_file_has_a_reason() {
    let config = Values::default();
    assert!(
        matches!(NPM.absence(&config, "ci", &Files::default()), Absence::Look(wants) if !wants.is_empty())
    );
    let without = seen(&NPM, &config, &[MANIFEST]);
    assert!(matches!(NPM.absence(&config, "ci", &without), Absence::Because(_)));
    assert_eq!(NPM.absence(&config, "x", &without), Absence::Unknown);
}
