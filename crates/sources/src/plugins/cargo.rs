//! cargo: the everyday commands of a package or a workspace, and the project's own aliases.

use serde_json::Value;

use super::tasks::{
    MissingDependency, SourceLook, SourceSpec, SourceTask, TaskManifest, TaskProgram, check_members,
};
use super::workspaces;
use crate::model::Problem;

pub(super) const CARGO: SourceSpec = SourceSpec {
    id: "cargo",
    codes: "CARGO",
    summary: "Rust: build, test, lint and run with cargo; the project's aliases",
    files: &["Cargo.toml"],
    read,
    missing: Some(missing),
    workspace: Some(workspaces::CARGO),
    programs: &[("cargo", "install Rust: https://rustup.rs")],
    ..SourceSpec::BLANK
};

/// The files that may hold aliases.
const CONFIGURATIONS: [&str; 2] = [".cargo/config.toml", ".cargo/config"];

/// cargo's own commands, which no alias replaces.
const BUILT_IN: &[&str] = &["build", "test", "run", "bench", "doc", "fetch", "check"];

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let Some(manifest) = look.manifest("Cargo.toml") else { return Vec::new() };
    check_members(look, &workspaces::CARGO);
    let workspace = manifest.get(&["workspace"]);
    let has_package = manifest.get(&["package"]).is_some();
    // Without more words cargo takes the root's package alone, and not the members beside it.
    let all = workspace.is_some_and(|workspace| has_package && workspace.get("default-members").is_none());
    let cargo = look.program(&["cargo"]);
    let whole = |name: &str, own: &[&str], description: &str| {
        let own: Vec<&str> = own.iter().copied().chain(all.then_some("--workspace")).collect();
        cargo.usual(name, &own, description)
    };
    let mut tasks = vec![
        whole("build", &["build"], "Build everything").building(),
        whole("test", &["test"], "Build and run the tests").repeatable(),
        whole("clippy", &["clippy", "--all-targets"], "Find problems with clippy")
            .building()
            .aliases(["lint"]),
        cargo.usual("fmt", &["fmt", "--all"], "Format the code; `--check` only looks").aliases(["format"]),
        whole("doc", &["doc", "--no-deps"], "Build the documentation").building(),
    ];
    tasks.extend(programs(look, &manifest).map(|names| {
        let description = match &names[..] {
            [] | [_] => "Build the program and run it".to_owned(),
            _ => format!("Build a program and run it, by `--bin` and its name: {}", names.join(", ")),
        };
        cargo.usual("run", &["run"], &description)
    }));
    if has_benches(look, &manifest) {
        tasks.push(whole("bench", &["bench"], "Run the benchmarks").repeatable());
    }
    if look.has_file(".config/nextest.toml") {
        tasks.push(whole("nextest", &["nextest", "run"], "Run the tests with nextest").repeatable());
        if !look.has_program("cargo-nextest") {
            let what = "cargo-nextest is not installed, and .config/nextest.toml is for it";
            look.problem(Problem::warning(what).help("install it: cargo install --locked cargo-nextest"));
        }
    }
    tasks.extend(aliases(look, &cargo));
    tasks.push(cargo.usual("fetch", &["fetch"], "Download the crates that the other tasks need").fetching());
    tasks
}

/// The programs that `cargo run` may start, by their names as far as they are known; `None`: there is none.
fn programs(look: &mut SourceLook<'_>, manifest: &TaskManifest) -> Option<Vec<String>> {
    let package = manifest.get(&["package"]);
    let Some(package) = package else {
        // Of a workspace without a package at its root one member may have the only program.
        let found = look.find(&patterns(manifest, &["src/main.rs", "src/bin/*.rs"]));
        return (found.len() == 1).then(Vec::new);
    };
    let mut names: Vec<String> = Vec::new();
    let declared = list(manifest.get(&["bin"]));
    names.extend(declared.iter().filter_map(|bin| Some(bin.get("name")?.as_str()?.to_owned())));
    if package.get("autobins") != Some(&Value::Bool(false)) {
        for file in look.find(&["src/main.rs", "src/bin/*.rs", "src/bin/*/main.rs"]) {
            let is_declared =
                declared.iter().any(|bin| bin.get("path").and_then(Value::as_str) == Some(&file));
            let name = match file.strip_prefix("src/bin/") {
                Some(rest) => rest.trim_end_matches(".rs").trim_end_matches("/main").to_owned(),
                None => package.get("name").and_then(Value::as_str).unwrap_or_default().to_owned(),
            };
            if !is_declared && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    if package.get("default-run").is_some() {
        names.truncate(1);
    }
    (!names.is_empty()).then_some(names)
}

fn has_benches(look: &mut SourceLook<'_>, manifest: &TaskManifest) -> bool {
    !list(manifest.get(&["bench"])).is_empty()
        || !look.find(&patterns(manifest, &["benches/*.rs", "benches/*/main.rs"])).is_empty()
}

/// These paths of the root and of each member of the workspace.
fn patterns(manifest: &TaskManifest, paths: &[&str]) -> Vec<String> {
    let members = ["default-members", "members"].iter().find_map(|key| manifest.get(&["workspace", key]));
    let members =
        list(members).into_iter().filter_map(Value::as_str).map(|member| member.trim_start_matches("./"));
    let folders = std::iter::once(String::new()).chain(members.map(|member| format!("{member}/")));
    folders.flat_map(|folder| paths.iter().map(move |path| format!("{folder}{path}"))).collect()
}

fn list(value: Option<&Value>) -> Vec<&Value> {
    value.and_then(Value::as_array).into_iter().flatten().collect()
}

fn aliases(look: &mut SourceLook<'_>, cargo: &TaskProgram) -> Vec<SourceTask> {
    let Some(name) = CONFIGURATIONS.into_iter().find(|name| look.has_file(name)) else { return Vec::new() };
    let Some(file) = look.manifest(name) else { return Vec::new() };
    let aliases = file.entries(&["alias"]).into_iter().filter(|(name, _)| !BUILT_IN.contains(name));
    let task = |(name, value): (&str, &Value)| {
        let text = match value {
            Value::String(text) => text.clone(),
            _ => list(Some(value)).into_iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
        };
        let own = cargo.own(name, &[name]).text(format!("cargo {text}"));
        own.at(&file.file, file.line(name))
    };
    aliases.map(task).collect()
}

fn missing(look: &mut SourceLook<'_>) -> Option<MissingDependency> {
    let is_elsewhere = look.manifest(CONFIGURATIONS[0]).is_some_and(|file| file.get(&["build"]).is_some());
    let what = "cargo has not built this project yet, and downloads its crates the first time".to_owned();
    (!is_elsewhere && !look.has_file("target")).then_some(MissingDependency { what, task: "fetch" })
}

#[cfg(test)]
mod tests {
    use super::super::taskfile::tests::listed;
    use super::*;

    #[test]
    fn a_member_that_cannot_be_parsed_is_said() {
        insta::assert_snapshot!(listed(&CARGO, &[
            ("Cargo.toml", "[workspace]\nmembers = ['crates/*']\nexclude = ['crates/old']\n"),
            ("crates/a/Cargo.toml", "[package]\nname = 'a'\n"),
            ("crates/b/Cargo.toml", "[package]\nname == 'b'\n"),
            ("crates/old/Cargo.toml", "[package\n"),
        ]), @"
        build [cargo build …]  Build everything
        test [cargo test …]  Build and run the tests
        clippy = lint [cargo clippy --all-targets …]  Find problems with clippy
        fmt = format [cargo fmt --all …]  Format the code; `--check` only looks
        doc [cargo doc --no-deps …]  Build the documentation
        fetch [cargo fetch]  Download the crates that the other tasks need
        error: crates/b/Cargo.toml:2: crates/b/Cargo.toml cannot be parsed: extra `=`, expected nothing (correct it; tools of other sources still work)
        ");
    }
}
