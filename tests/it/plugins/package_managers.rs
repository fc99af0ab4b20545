//! The words of a call after their way through the real package managers to the script.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::process::{Command, Stdio};

use cuff::model::{self, BadCallKind, Field, File, Files, Governance, Role, Seen, Tool, Values};
use cuff::plugin::Plugin;
use serde_json::{Value, json};

use crate::support::project::{Project, Run};
use crate::support::tools;

/// Words that a shell takes apart, expands, redirects or drops, unless the manager quotes them.
const SHELL: &[&str] = &[
    "two words",
    " lead",
    "trail ",
    "a\"b",
    "a'b",
    "it's \"x\" *",
    "\"",
    "'",
    "\"\"",
    "''",
    "*",
    "?",
    "p*",
    "[a-z]*",
    // There is a file that the shell would take these for.
    "[t]ell.js",
    "[t]ell*",
    "**",
    "./*",
    ">",
    "> landed",
    ">landed",
    "1>landed",
    "2>&1",
    "<",
    "<in",
    "~",
    "~/x",
    "~root",
    "a=~/x",
    "{a,b}",
    "a{1..3}",
    "\\",
    "a\\b",
    "\\n",
    "end\\",
    "a\\ b",
    "\\\"",
    "#",
    "#c",
    "!",
    "!x",
    "it's!",
    "",
    "%",
    "%PATH%",
    "ünï 日本 🎉",
    "\u{a0}",
    "\u{2028}",
    "=x",
    "A=1",
    "a:b",
    "^",
    "@x",
    "/",
    "//",
    "\t",
    "\u{1}",
];

/// Words that a package manager might take for flags of its own.
const FLAGS: &[&str] = &[
    "--script-shell=/tmp/evil",
    "--config.script-shell=/tmp/evil",
    "--shell=system",
    "--prefix=/tmp",
    "--prefix",
    "-C",
    "-C=/tmp",
    "--dir=/tmp",
    "--cwd=/x",
    "--config=x",
    "-c",
    "--userconfig=/tmp/x",
    "--silent",
    "-s",
    "--version",
    "-v",
    "--help",
    "-h",
    "--if-present",
    "--filter=x",
    "-F",
    "-r",
    "--recursive",
    "--workspace=a",
    "-w",
    "--workspaces",
    "--inspect",
    "--inspect-brk",
    "--require=/x",
    "--preload=/x",
    "--top-level",
    "-T",
    "--bun",
    "--watch",
    "--hot",
    "--ignore-scripts",
    "--node-options=x",
    "--registry=http://x",
    "--global",
    "-g",
    "--shell-emulator",
    "--modules-folder=x",
    "--use-yarnrc=x",
    "--use-node-version=1.0.0",
    "--dry-run",
    "-n",
    "-e",
    "-p",
    "-",
    "--",
];

/// Those of them that would do most harm, each sent alone in front as well.
const WORST: &[&str] = &[
    "--script-shell=/tmp/evil",
    "--prefix=/tmp",
    "-C",
    "--cwd=/x",
    "--shell=system",
    "--help",
    "--if-present",
    "--",
];

/// Words that a shell may take for a pattern, and that some managers pass on to it.
const PATTERNS: [&str; 3] = ["[t]ell.js", "{a,b}", "a{1..3}"];

/// Words that only a person's call may hold.
const PERSONS: &[&str] = &[
    "a;b",
    "msg (x)",
    "a|b",
    "a && b",
    "';id;'",
    "\";id;\"",
    ";",
    "|",
    "$(id)",
    "`id`",
    "$HOME",
    "it's $(id)",
    "\"${HOME}\"",
    "-run=^TestFoo$",
    "2>&1",
];

#[test]
fn npm_passes_words_on() {
    check("npm", "npm", &[&["\t", "\u{1}"][..], &PATTERNS].concat());
}

#[test]
fn pnpm_passes_words_on() {
    check("pnpm", "pnpm", &["~", "~/x", "~root", "a\\ b", "\\\"", "it's!", "", "\t", "\u{1}"]);
}

#[test]
fn pnpm_8_passes_words_on() {
    check("pnpm8", "pnpm", &["~", "~/x", "~root", "a\\ b", "\\\"", "it's!", "", "\t", "\u{1}"]);
}

#[test]
fn yarn_1_passes_words_on() {
    check("yarn", "yarn", &[&["\t", "\u{1}", "--"][..], &PATTERNS].concat());
}

#[test]
fn yarn_4_passes_words_on() {
    check("yarn4", "yarn", &[&["\t", "\u{1}", "--"][..], &PATTERNS].concat());
}

#[test]
fn bun_passes_words_on() {
    check("bun", "bun", &[">", "> landed", ">landed", "1>landed", "2>&1", "<", "<in", "", "\t", "\u{1}"]);
}

/// Sends every word that `plan` lets through to a script, and asserts that `plan` refuses exactly the others.
///
/// The unit tests cover characters that a strict call may not contain at all. `--env-file` is not among the
/// words: Node.js itself reads it at any place, so the script that prints its words would fail by it.
fn check(installed: &str, manager: &str, refused: &[&str]) {
    if tools::require(installed).is_none() || tools::require("node").is_none() {
        return;
    }
    let package = Package::new(installed, manager);
    let all: Vec<&str> = [SHELL, FLAGS].concat();
    // `2>&1` cannot be sent: the `&` in it is dangerous by itself.
    let mut kept: Vec<&str> = all.iter().copied().filter(|word| package.plan(&[word]).is_ok()).collect();
    let found: BTreeSet<&str> = all.iter().copied().filter(|word| !kept.contains(word)).collect();
    let expected: BTreeSet<&str> = refused.iter().copied().chain(["2>&1"]).collect();
    assert_eq!(found, expected, "what is refused for {manager}");

    package.assert_arrives(&kept);
    kept.reverse();
    package.assert_arrives(&kept);
    for word in WORST.iter().filter(|word| kept.contains(word)) {
        package.assert_arrives(&[word, "last"]);
    }
}

/// The words that arrive changed where a file matches them, since the manager leaves them to the shell.
const MATCHING: &[&str] = &["[t]ell.js"];

#[test]
fn the_words_of_a_person_reach_the_script_of_each_manager_and_version_exactly() {
    for (installed, manager, refused) in [
        ("npm", "npm", MATCHING),
        ("pnpm", "pnpm", &[]),
        ("pnpm8", "pnpm", &[]),
        ("yarn", "yarn", MATCHING),
        ("yarn4", "yarn", &["[t]ell.js", "\u{1}", "\t"]),
        ("bun", "bun", &[]),
    ] {
        if tools::require(installed).is_none() || tools::require("node").is_none() {
            return;
        }
        let package = Package::new(installed, manager);
        let words: Vec<&str> = [SHELL, FLAGS, PATTERNS.as_slice(), PERSONS]
            .concat()
            .into_iter()
            .filter(|word| !refused.contains(word))
            .collect();
        package.assert_persons_arrive(manager, &words);
        package.assert_persons_arrive(manager, &["--", "--", "x"]);
        // A word that an agent types is refused as before.
        for word in PERSONS {
            let run = package.typed(manager, &[word], true);
            assert_eq!(run.code, 126, "{manager}: {word}: {run:?}");
        }
    }
}

/// A package whose script writes down the words that it gets.
struct Package {
    folder: tempfile::TempDir,
    path: OsString,
    plugin: &'static dyn Plugin,
    tool: Tool,
    extra: Field,
}

impl Package {
    fn new(installed: &str, manager: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let write =
            |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file of ours");
        for name in ["programs", "home", "package"] {
            fs::create_dir(folder.path().join(name)).expect("a folder of ours");
        }
        let manifest = json!({"name": "x", "version": "1.0.0", "license": "MIT", "private": true,
            "scripts": {"tell": "node tell.js"}});
        write("package/package.json", &manifest.to_string());
        write(
            "package/tell.js",
            "require('fs').writeFileSync('../words', JSON.stringify(process.argv.slice(2)))",
        );
        write("package/in", "");
        if installed == "yarn4" {
            write("package/.yarnrc.yml", "nodeLinker: node-modules\nenableTelemetry: false\n");
            write("package/yarn.lock", "");
        }
        let path = if installed == manager {
            tools::path()
        } else {
            tools::path_with(installed, manager, &folder.path().join("programs"))
        };
        let (plugin, tool) = discovered(manager, &manifest.to_string());
        let extra =
            *tool.input.fields().iter().find(|field| field.name == "extra_args").expect("its parameter");
        let package = Self { folder, path, plugin, tool, extra };
        if installed == "yarn4" {
            // Yarn 2 and later run nothing in a package that was never installed.
            package.run(&["yarn", "install"]);
        }
        package
    }

    /// The words that a person types to cuff reach the script unchanged.
    fn assert_persons_arrive(&self, manager: &str, words: &[&str]) {
        let told = self.folder.path().join("words");
        drop(fs::remove_file(&told));
        let before = self.names();
        let run = self.typed(manager, words, false).succeeded();
        let text =
            fs::read_to_string(&told).unwrap_or_else(|_| panic!("it did not reach the script: {run:?}"));
        let got: Vec<String> = serde_json::from_str(&text).expect("the words as JSON");
        assert_eq!(got, words, "{manager}: {run:?}");
        assert_eq!(self.names(), before, "{manager}");
    }

    /// A call that a person types, or that is typed inside a run.
    fn typed(&self, manager: &str, words: &[&str], inside_a_run: bool) -> Run {
        let settings = format!(
            "version: '1'\nplugins: {{p: {{module: x.packagejson, config: {{package_manager: {manager}}}}}}}\n"
        );
        let file = self.folder.path().join("package/settings.yml");
        fs::write(&file, settings).expect("a file of ours");
        let project = Project::empty().variable("PATH", &self.path);
        let project = if inside_a_run { project.inside_a_run() } else { project };
        let mut command = project.command([OsString::from("--config"), file.into_os_string()]);
        command.args(["run", "tell", "--"]).args(words);
        command.current_dir(self.folder.path().join("package"));
        Run::of(command)
    }

    fn plan(&self, words: &[&str]) -> Result<model::Command, BadCallKind> {
        self.plan_as(Governance::Governed, words)
    }

    fn plan_as(&self, governance: Governance, words: &[&str]) -> Result<model::Command, BadCallKind> {
        let line = shlex::try_join(words.iter().copied()).expect("words without NUL");
        let Role::Run { command, .. } = &self.tool.role else { panic!("a tool that runs") };
        let arguments = Values::of([(&self.extra, Value::String(line))]);
        let planned =
            self.plugin.plan(&Values::default(), &self.tool, (**command).clone(), &arguments, governance);
        planned.map_err(|bad| bad.kind)
    }

    /// Runs the plan for these words: the script gets them unchanged, and no file appears.
    fn assert_arrives(&self, words: &[&str]) {
        let planned = self.plan(words).unwrap_or_else(|bad| panic!("{words:?} together: {bad:?}"));
        self.assert_planned(&planned, words);
    }

    fn assert_planned(&self, planned: &model::Command, words: &[&str]) {
        let words_file = self.folder.path().join("words");
        // A file of an earlier call must not count for this one.
        drop(fs::remove_file(&words_file));
        let before = self.names();
        let output = self.run(&planned.words());
        let text = fs::read_to_string(&words_file)
            .unwrap_or_else(|_| panic!("{} did not reach the script:\n{output}", planned.line()));
        let got: Vec<String> = serde_json::from_str(&text).expect("the words as JSON");
        assert_eq!(got, words, "{output}");
        assert_eq!(self.names(), before, "files after {}", planned.line());
    }

    fn run(&self, words: &[&str]) -> String {
        let output = Command::new("/usr/bin/env")
            .args(words)
            .current_dir(self.folder.path().join("package"))
            .env_clear()
            .env("PATH", &self.path)
            .env("HOME", self.folder.path().join("home"))
            .env("npm_config_update_notifier", "false")
            .stdin(Stdio::null())
            .output()
            .expect("env, which every machine has");
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    }

    /// The files of the package, but for the folders that managers keep there.
    fn names(&self) -> BTreeSet<OsString> {
        let folder = fs::read_dir(self.folder.path().join("package")).expect("a folder of ours");
        let names = folder.map(|entry| entry.expect("an entry").file_name());
        names
            .filter(|name| !["node_modules", ".yarn", "settings.yml"].iter().any(|own| name == own))
            .collect()
    }
}

/// The tool for the script `tell`, found in the same way as by cuff.
fn discovered(manager: &str, manifest: &str) -> (&'static dyn Plugin, Tool) {
    let find = |plugin: &&&dyn Plugin| plugin.about().id == "packagejson";
    let plugin = *cuff::plugins::ALL.iter().find(find).expect("the plugin");
    let mut files = Files::default();
    files.files.insert("package.json".into(), seen(manifest));
    let fields = plugin.about().config;
    let setting = fields.iter().find(|field| field.name == "package_manager").expect("the setting");
    let found = plugin.discover(&Values::of([(setting, json!(manager))]), &files);
    let tool = found.tools.into_iter().find(|tool| tool.original == "tell");
    (plugin, tool.expect("the tool"))
}

fn seen(text: &str) -> Seen {
    Seen::File(File::new("/package.json", text.as_bytes()))
}
