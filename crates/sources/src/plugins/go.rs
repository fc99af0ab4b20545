//! go: the everyday commands of a module or a workspace of modules.

use super::tasks::{SourceLook, SourceSpec, SourceTask, WorkspaceSpec, words};
use crate::model::{Package, Profile, path, shown};

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

/// The words that lines of go.mod and of go.work begin with.
const DIRECTIVES: [&str; 11] = [
    "module",
    "go",
    "toolchain",
    "godebug",
    "require",
    "exclude",
    "replace",
    "retract",
    "tool",
    "ignore",
    "use",
];

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let of_modules = modules(look).into_iter().map(|folder| path::join(&folder, "go.mod"));
    let own = ["go.mod", "go.work"].map(str::to_owned);
    for file in
        own.into_iter().chain(of_modules.filter(|file| file != "go.mod" && !file.starts_with(['.', '/'])))
    {
        // A newer go may know more words, so its tools are offered all the same.
        if let Some((line, why)) = look.text(&file).and_then(fault) {
            look.unparsed(&file, Some(line), &why);
        }
    }
    let packages = packages(look);
    let go = look.program(&["go"]);
    let all = |name: &str, description: &str| {
        let own: Vec<&str> = std::iter::once(name).chain(packages.iter().map(String::as_str)).collect();
        go.usual(name, &own, description)
    };
    let mut tasks = vec![
        all("build", "Build all packages").building(),
        all("test", "Run the tests of all packages").repeatable(),
        all("vet", "Find suspicious code").building(),
        all("fmt", "Format the code").aliases(["format"]),
        all("generate", "Run the //go:generate lines").profile(Profile::Build),
    ];
    let mains = look.find(&["main.go", "cmd/*/main.go"]);
    if let [main] = &mains[..] {
        let folder = main.trim_end_matches("main.go").trim_end_matches('/');
        let package = if folder.is_empty() { ".".to_owned() } else { format!("./{folder}") };
        tasks.push(go.usual("run", &["run", &package], "Build the program and run it"));
    }
    if look.first(LINTER).is_some() {
        let lint =
            SourceTask::usual("lint", words(["golangci-lint", "run"]), "Find problems with golangci-lint");
        tasks.push(lint.building());
    }
    tasks.push(
        go.usual("fetch", &["mod", "download"], "Download the modules that the other tasks need").fetching(),
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

/// The first line of a go.mod or go.work that go does not understand, and the reason.
fn fault(text: &str) -> Option<(usize, String)> {
    let mut open = None;
    for (at, line) in text.lines().enumerate() {
        let line = line.split("//").next().unwrap_or_default().trim();
        let word = line.split([' ', '\t', '(']).next().unwrap_or_default();
        match (open, line) {
            (Some(_), ")") => open = None,
            (Some(_), _) | (None, "") => {}
            (None, ")") => return Some((at + 1, "the bracket closes no block".to_owned())),
            _ if !DIRECTIVES.contains(&word) => {
                return Some((at + 1, format!("`{}` is no directive", shown(word))));
            }
            _ if line.ends_with('(') => open = Some(at + 1),
            _ => {}
        }
    }
    open.map(|line| (line, "the block is not closed".to_owned()))
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

#[cfg(test)]
mod tests {
    use super::super::taskfile::tests::listed;
    use super::*;

    #[test]
    fn a_broken_file_is_said_with_its_line() {
        let sound = "// a\nmodule x // b\n\ngo 1.24\nrequire (\n\ta v1.0.0\n)\nretract [v1.0.0, v1.1.0]\n";
        for (text, expected) in [
            (sound, None),
            ("mdule x\n", Some((1, "`mdule` is no directive"))),
            ("module x\nrequire (\n a v1.0.0\n", Some((2, "the block is not closed"))),
            ("module x\n)\n", Some((2, "the bracket closes no block"))),
        ] {
            assert_eq!(fault(text), expected.map(|(line, why)| (line, why.to_owned())), "{text}");
        }
        let found = listed(&GO, &[("go.mod", sound), ("go.work", "use (\n\t.\n")]);
        let of_member = listed(
            &GO,
            &[("go.work", "use (\n\t.\n\t./lib\n)\n"), ("go.mod", sound), ("lib/go.mod", "modul\n")],
        );
        insta::assert_snapshot!(of_member.lines().last().unwrap_or_default(), @"
        error: lib/go.mod:1: lib/go.mod cannot be parsed: `modul` is no directive (correct it; tools of other sources still work)
        ");
        insta::assert_snapshot!(found.lines().last().unwrap_or_default(), @"error: go.work:1: go.work cannot be parsed: the block is not closed (correct it; tools of other sources still work)");
    }
}
