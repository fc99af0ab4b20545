//! Completion: what `cuff __complete` answers, and what real shells make of it when somebody presses the tab key.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::json;

use crate::support::project::{Project, Run};
use crate::support::terminal::Terminal;
use crate::support::tools;

/// A project with two instances, of which one has names that shells take apart.
fn project() -> Project {
    let project = Project::empty();
    let scripts = json!({
        "greet": "touch greeted", "lint:fix": "touch fixed", "lint:check": "touch checked", "build": "true",
    });
    let package = json!({
        "name": "x", "scripts": scripts, "scripts-info": {"lint:check": "Look for mistakes", "lint:fix": "Mend them"},
    });
    project.write("package.json", package.to_string());
    project.write("Makefile", "build: ## Build it\n\ttrue\n.PHONY: build\n");
    project.write("web/deep/a.txt", "");
    project.cuff(["init", "--yes"]).succeeded();
    project
}

/// The candidates behind a line, the last word of which is under the cursor, and what the shell adds.
fn answer(project: &Project, shell: &str, line: &str) -> (String, Vec<String>) {
    let words = ["__complete", shell].into_iter().chain(line.split(' '));
    let run = project.cuff(words).succeeded();
    assert_eq!(run.stderr, "", "{line}");
    let mut lines = run.stdout.lines().map(str::to_owned);
    (lines.next().expect("what the shell adds"), lines.collect())
}

/// The same, names alone.
fn names(project: &Project, line: &str) -> String {
    let (also, candidates) = answer(project, "bash", line);
    let names = candidates.iter().map(|line| line.split('\t').next().unwrap_or_default());
    std::iter::once(also.as_str()).chain(names).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_scripts_are_those_in_the_repository() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("completions");
    for (shell, file) in [
        ("bash", "cuff.bash"),
        ("zsh", "_cuff"),
        ("fish", "cuff.fish"),
        ("powershell", "cuff.ps1"),
        ("elvish", "cuff.elv"),
    ] {
        let printed = Project::empty().cuff(["completions", shell]).succeeded().stdout;
        assert_eq!(printed, fs::read_to_string(folder.join(file)).expect("a script"), "{shell}");
    }
}

#[test]
fn everything_that_has_a_name_is_completed() {
    let project = project();
    for (line, expected) in [
        ("cuff ru", "nothing run runs runners"),
        ("cuff run packagejson.npm_g", "nothing packagejson.npm_greet"),
        ("cuff run npm_g", "nothing npm_greet"),
        ("cuff run gre", "nothing greet"),
        ("cuff run npm_b", "nothing npm_build"),
        ("cuff run buil", "nothing npm:build make:build"),
        ("cuff run ./gre", "files"),
        (
            "cuff run make",
            "nothing make_list_targets makefile.make_list_targets make:build make_build makefile.make_build",
        ),
        ("cuff run lint:", "nothing lint:fix lint:check"),
        ("cuff packagejson run ", "nothing list_scripts greet lint:fix lint:check build"),
        ("cuff makefile run bu", "nothing build"),
        ("cuff run greet ", "files"),
        ("cuff run greet --cwd=we", "folders"),
        ("cuff run greet --dr", "nothing --dry-run"),
        ("cuff run greet -- --dr", "files"),
        ("cuff list --plugin ", "nothing packagejson makefile"),
        ("cuff list --plugin pack", "nothing packagejson"),
        ("cuff install --client claude-code,cu", "nothing claude-code,cursor"),
        ("cuff init --plugins npm,pn", "nothing npm,pnpm"),
        ("cuff serve --tool-names=", "nothing --tool-names=dotted --tool-names=portable"),
        ("cuff completions p", "nothing powershell"),
        ("cuff approve s", "nothing settings"),
        ("cuff -C web/.. run packagejson.npm_g", "nothing packagejson.npm_greet"),
        ("cuff -C nowhere run ", "nothing"),
        ("cuff --config nowhere.yml run ", "nothing"),
        ("cuff nonsense ", "files"),
        ("cuff gre", "nothing greet"),
        ("cuff lint:", "nothing lint:fix lint:check"),
        ("cuff greet --dr", "nothing --dry-run"),
        ("cuff -q greet --cwd=we", "folders"),
        ("cuff run ", "nothing greet lint:fix lint:check npm:build make:build"),
    ] {
        assert_eq!(names(&project, line), expected, "{line}");
    }
    let (_, described) = answer(&project, "zsh", "cuff run packagejson.npm_lint__f");
    assert!(described.contains(&"packagejson.npm_lint__fix\tMend them".to_owned()), "{described:?}");
    let (_, described) = answer(&project, "fish", "cuff run b");
    let ambiguous = "build\tone of npm:build, make:build".to_owned();
    assert!(described.contains(&ambiguous), "{described:?}");
}

/// `cuff run ci` is the script, and that it is one of two would say that it cannot be run so.
#[test]
fn a_name_that_means_one_of_two_is_completed_with_what_that_is() {
    let project = Project::empty();
    project.write("package.json", r#"{"scripts": {"ci": "echo mine"}}"#);
    project.write("package-lock.json", r#"{"lockfileVersion": 3}"#);
    let settings = "version: '1'\nplugins: {npm: {}, packagejson: {config: {package_manager: npm}}}\n";
    project.write("settings.yml", settings);
    let (_, described) = answer(&project, "zsh", "cuff run ci");
    assert!(described.contains(&"ci\techo mine".to_owned()), "{described:?}");
}

#[test]
fn runs_and_questions_are_completed_with_what_they_are() {
    let project = project();
    if tools::require("npm").is_none() {
        return;
    }
    assert_eq!(names(&project, "cuff runs show "), "nothing");
    project.cuff(["run", "greet"]).succeeded();
    let (_, runs) = answer(&project, "zsh", "cuff runs show ");
    assert_eq!(runs.len(), 2, "{runs:?}");
    assert!(runs[0].starts_with("latest\t") && runs[1].ends_with(" ago, greet"), "{runs:?}");
    let id = runs[1].split('\t').next().expect("an id");
    project.cuff(["runs", "show", id]).succeeded();
    let (_, begun) = answer(&project, "bash", &format!("cuff runs log {}", &id[..id.len().min(10)]));
    assert_eq!(begun.len(), 1, "{begun:?}");
    // A tool's name stands for its newest run; what has ended is not to be stopped.
    assert_eq!(names(&project, "cuff runs log npm"), "nothing npm_greet");
    assert_eq!(names(&project, "cuff runs log gre"), "nothing greet");
    assert_eq!(names(&project, "cuff runs stop "), "nothing");
    // The newest run of all is of another project.
    project.write("empty/a", "");
    let settings = "version: '1'\nplugins: {scripts: {config: {patterns: ['*.sh']}}}\n";
    project.write("beside/settings.yml", settings);
    project.script("beside/a.sh", "#!/bin/sh\n");
    project.cuff(["-C", "beside", "run", "a.sh"]).succeeded();
    let (_, beside) = answer(&project, "zsh", "cuff -C beside runs show ");
    assert!(beside[0].starts_with("latest\t") && beside[0].ends_with(", a.sh"), "{beside:?}");
    let (_, elsewhere) = answer(&project, "zsh", "cuff -C empty runs show ");
    assert!(elsewhere.iter().all(|run| run.ends_with(", greet")), "{elsewhere:?}");

    project.write("settings.yml", "plugins:\n  npm: {module: packagejson, config: {confirm: true}}\n");
    project.cuff(["run", "greet"]).ended_with(126);
    let (_, waiting) = answer(&project, "fish", "cuff deny ");
    assert_eq!(waiting.len(), 1, "{waiting:?}");
    assert!(waiting[0].ends_with("\tnpm.npm_greet: npm run greet"), "{waiting:?}");
}

/// In a folder of somebody else's, pressing the tab key is no consent to anything.
#[test]
fn completing_runs_nothing_writes_nothing_and_complains_of_nothing() {
    let project = Project::empty();
    project.write(
        "Makefile",
        "$(shell touch ran)\nNAMES := $(shell touch ran; echo a b)\n$(NAMES):\n\ttouch ran\n",
    );
    project.write("package.json", "{\"scripts\": {\"\\u001b[2Jx\": \"true\", \"ok\": \"true\"}}");
    project.write(
        "settings.yml",
        "plugins:\n  makefile: {config: {trust_makefile: true, extractor: make_database}}\n  packagejson: {}\n  bad: 5\n",
    );
    let before = everything(&project.outside());
    for line in ["cuff run ", "cuff makefile run ", "cuff runs show ", "cuff approve ", "cuff list --plugin "]
    {
        for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
            let (_, candidates) = answer(&project, shell, line);
            assert!(!candidates.iter().any(|line| line.contains('\u{1b}')), "{candidates:?}");
        }
    }
    assert_eq!(names(&project, "cuff run ok"), "nothing ok");
    assert_eq!(everything(&project.outside()), before);
    for words in [&["__complete"][..], &["__complete", "tcsh"], &["__complete", "bash"]] {
        let run = project.cuff(words);
        assert_eq!(run.stderr, "", "{words:?}");
    }
}

/// Targets that make printed before are offered without asking it again.
#[test]
fn completion_uses_cached_probe_results() {
    let project = Project::empty();
    project.write(
        "Makefile",
        "NAMES := $(shell echo x >> asked; echo one two)\n.PHONY: $(NAMES)\n$(NAMES):\n\t@true\n",
    );
    project.write("settings.yml", "plugins:\n  makefile: {config: {extractor: make_database}}\n");
    assert_eq!(names(&project, "cuff run makefile.make_"), "nothing makefile.make_list_targets");
    project.cuff(["list"]).succeeded();
    let asked = project.read("asked");
    assert_eq!(
        names(&project, "cuff run makefile.make_"),
        "nothing makefile.make_list_targets makefile.make_one makefile.make_two"
    );
    assert_eq!(project.read("asked"), asked);
}

fn everything(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).expect("a folder of ours").map(|entry| entry.expect("an entry").path());
    let mut found: Vec<PathBuf> = entries
        .flat_map(
            |path| if path.is_dir() { [vec![path.clone()], everything(&path)].concat() } else { vec![path] },
        )
        .collect();
    found.sort();
    found
}

/// A shell that may be missing on this machine, said loudly; on a build server it is installed or left out by choice.
fn shell(name: &str) -> Option<PathBuf> {
    let folders = std::env::split_paths(&tools::path()).collect::<Vec<_>>();
    let found = folders.into_iter().map(|folder| folder.join(name)).find(|file| file.is_file());
    if found.is_none() {
        tools::impossible(&format!("{name} is not installed, so its completion is not tried"));
    }
    found
}

/// The text on the terminal after these keys are typed into a shell, each once the shell waits for some.
fn typed(project: &Project, shell: &[&str], keys: &[&str]) -> String {
    let mut command = Command::new(shell[0]);
    command.args(&shell[1..]);
    project.surround(&mut command);
    let mut path = OsString::from(Path::new(env!("CARGO_BIN_EXE_cuff")).parent().expect("a folder"));
    path.push(":");
    path.push(tools::path());
    command.env("PATH", path).env("TERM", "xterm").env("PS1", "$ ").env("HISTFILE", "/dev/null");
    let mut terminal = Terminal::start(command, 80);
    for keys in keys {
        terminal.wait_for_shell(Duration::from_millis(1500));
        terminal.press(keys);
    }
    terminal.finish().text
}

/// In every shell the tab key completes a tool that is then run, also a name with a colon, and shows the
/// candidates.
fn completes(name: &str, start: &[&str], setup: &str, descriptions: bool) {
    if shell(name).is_none() || tools::require("npm").is_none() {
        return;
    }
    let project = project();
    // A program of the folder that must not be run.
    project.script("cuff", "#!/bin/sh\ntouch betrayed\n");
    let keys = [
        &format!("{setup}\n"),
        "cuff run packagejson.npm_g\t",
        "\n",
        "cuff packagejson run lint:f\t",
        "\n",
        "cuff run packagejson.npm_lint\t",
        "\t",
        "\t",
        "\u{15}",
        "./cuff run packagejson.npm_b\t",
        "\u{15}",
        "exit\n",
    ];
    let seen = typed(&project, start, &keys);
    assert!(project.root().join("greeted").exists(), "a tool was completed and run:\n{seen}");
    assert!(project.root().join("fixed").exists(), "a name with a colon was completed:\n{seen}");
    assert!(seen.contains("pm_lint__check") && seen.contains("pm_lint__fix"), "all are shown:\n{seen}");
    assert_eq!(seen.contains("Look for mistakes"), descriptions, "{seen}");
    assert!(!project.root().join("betrayed").exists(), "completing runs nothing of the folder:\n{seen}");
}

#[test]
fn bash_completes() {
    completes("bash", &["bash", "--norc", "--noprofile", "-i"], "source <(cuff completions bash)", false);
}

#[test]
fn zsh_completes() {
    let setup = "autoload -U compinit; compinit -u -D; source <(cuff completions zsh)";
    completes("zsh", &["zsh", "-f", "-i"], setup, true);
}

#[test]
fn fish_completes() {
    completes("fish", &["fish", "--no-config", "-i"], "cuff completions fish | source", true);
}

/// `make install` puts everything where shells and man look for it.
#[test]
fn make_installs_binary_completions_and_man_pages() {
    if tools::require("make").is_none() {
        return;
    }
    let project = Project::empty();
    let mut make = Command::new("make");
    project.surround(&mut make);
    let destination = project.outside().join("image");
    make.current_dir(env!("CARGO_MANIFEST_DIR")).args(["install", "PREFIX=/usr/local"]);
    make.arg(format!("BINARY={}", env!("CARGO_BIN_EXE_cuff")))
        .arg(format!("DESTDIR={}", destination.display()));
    Run::of(make).succeeded();
    let installed = destination.join("usr/local");
    for file in [
        "share/man/man1/cuff.1",
        "share/man/man1/cuff-runs-log.1",
        "share/bash-completion/completions/toolscript",
        "share/zsh/site-functions/_toolscript",
        "share/fish/vendor_completions.d/toolscript.fish",
        "share/elvish/lib/toolscript.elv",
        "share/bash-completion/completions/cuff",
        "share/zsh/site-functions/_cuff",
        "share/fish/vendor_completions.d/cuff.fish",
        "share/elvish/lib/cuff.elv",
    ] {
        assert!(installed.join(file).is_file(), "{file}");
    }
    let mut version = Command::new(installed.join("bin/cuff"));
    version.arg("--version");
    assert!(Run::of(version).succeeded().stdout.starts_with("cuff "));
}

/// cargo builds where `CARGO_TARGET_DIR` says, and `make install` takes cuff from there. A stub stands for cargo, since a
/// release takes minutes.
#[test]
fn make_installs_what_cargo_built_in_another_folder() {
    if tools::require("make").is_none() {
        return;
    }
    let project = Project::empty();
    let stub = "#!/bin/sh\nmkdir -p \"$CARGO_TARGET_DIR/release\"\necho \"echo built by $1\" > \"$CARGO_TARGET_DIR/release/cuff\"\n";
    project.script("cargo", stub);
    let mut make = Command::new("make");
    project.surround(&mut make);
    let (built, image) = (project.outside().join("built"), project.outside().join("image"));
    make.current_dir(env!("CARGO_MANIFEST_DIR")).env("CARGO_TARGET_DIR", &built).args(["install", "PREFIX="]);
    make.arg(format!("CARGO={}", project.root().join("cargo").display()));
    make.arg(format!("DESTDIR={}", image.display()));
    Run::of(make).succeeded();
    let installed = fs::read_to_string(image.join("bin/cuff")).expect("a binary");
    assert_eq!(installed, "echo built by rustc\n");
}
