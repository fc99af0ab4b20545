//! go: the everyday commands of a module or a workspace of modules.

use super::tasks::{SourceLook, SourceSpec, SourceTask, WorkspaceSpec, words};
use crate::model::{Package, Profile, Word};

pub(super) const GO: SourceSpec = SourceSpec {
    id: "go",
    codes: "GO",
    summary: "Go: build, test, vet and generate; golangci-lint where it is configured",
    files: &["go.mod", "go.work"],
    read,
    workspace: Some(WORKSPACE),
    programs: &[
        ("go", "install Go: https://go.dev/dl"),
        ("golangci-lint", "install it: https://golangci-lint.run/docs/welcome/install"),
    ],
    ..SourceSpec::BLANK
};

/// The modules of a go.work.
const WORKSPACE: WorkspaceSpec = WorkspaceSpec {
    manifests: &["go.mod"],
    members: |look| {
        let folders = modules(look);
        (!folders.is_empty()).then_some([folders, Vec::new()])
    },
    of_manifest: |text| {
        let lines = || text.lines().map(|line| line.split("//").next().unwrap_or_default().trim());
        let name = lines().find_map(|line| line.strip_prefix("module "))?.trim().to_owned();
        let required = lines().map(|line| line.strip_prefix("require ").unwrap_or(line));
        // A line of a requirement is a path and a version.
        let needs =
            required.filter_map(|line| line.split_once(' ').filter(|(_, version)| version.starts_with('v')));
        Some(Package { name, needs: needs.map(|(path, _)| path.to_owned()).collect(), ..Package::default() })
    },
    setting: None,
};

const LINTER: &[&str] = &[".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"];

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let packages = packages(look);
    let go = look.command(&["go"]);
    let command = |own: &[&str]| -> Vec<Word> {
        let packages = packages.iter().map(String::as_str);
        [go.clone(), words(own.iter().copied().chain(packages))].concat()
    };
    let plain = |own: &[&str]| [go.clone(), words(own.iter().copied())].concat();
    let mut tasks = vec![
        SourceTask::usual("build", command(&["build"]), "Build all packages")
            .profile(Profile::Build)
            .repeatable(),
        SourceTask::usual("test", command(&["test"]), "Run the tests of all packages").repeatable(),
        SourceTask::usual("vet", command(&["vet"]), "Find suspicious code")
            .profile(Profile::Build)
            .repeatable(),
        SourceTask::usual("fmt", command(&["fmt"]), "Format the code").aliases(["format"]),
        SourceTask::usual("generate", command(&["generate"]), "Run the //go:generate lines")
            .profile(Profile::Build),
    ];
    let mains = look.find(&["main.go", "cmd/*/main.go"]);
    if let [main] = &mains[..] {
        let folder = main.trim_end_matches("main.go").trim_end_matches('/');
        let package = if folder.is_empty() { ".".to_owned() } else { format!("./{folder}") };
        tasks.push(SourceTask::usual("run", plain(&["run", &package]), "Build the program and run it"));
    }
    if look.first(LINTER).is_some() {
        let lint =
            SourceTask::usual("lint", words(["golangci-lint", "run"]), "Find problems with golangci-lint");
        tasks.push(lint.profile(Profile::Build).repeatable());
    }
    tasks.push(
        SourceTask::usual(
            "fetch",
            plain(&["mod", "download"]),
            "Download the modules that the other tasks need",
        )
        .fetching(),
    );
    tasks
}

/// The patterns of all packages: those of each module of a workspace, or of the one module.
fn packages(look: &mut SourceLook<'_>) -> Vec<String> {
    let modules = modules(look);
    if modules.is_empty() {
        vec!["./...".to_owned()]
    } else {
        modules.iter().map(|folder| format!("{folder}/...")).collect()
    }
}

/// The folders of the modules of a workspace.
fn modules(look: &mut SourceLook<'_>) -> Vec<String> {
    let mut folders = Vec::new();
    let mut is_list = false;
    for line in look.text("go.work").unwrap_or_default().lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        let named = match line.strip_prefix("use") {
            Some(rest) if rest.trim_start().starts_with('(') => {
                is_list = true;
                continue;
            }
            Some(rest) if rest.starts_with([' ', '\t']) => rest.trim(),
            _ if is_list && line == ")" => {
                is_list = false;
                continue;
            }
            _ if is_list => line,
            _ => continue,
        };
        let folder = named.trim_matches('"').trim_end_matches('/');
        if !folder.is_empty() && !folder.starts_with('-') {
            folders.push(folder.to_owned());
        }
    }
    folders
}
