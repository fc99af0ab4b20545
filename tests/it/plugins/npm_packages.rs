//! Real packages from the npm registry: every script is offered, or there is a reason why not.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::support::project::{Project, Run};
use crate::support::tools;

/// Scripts that package managers run by themselves; left out unless settings ask for them.
const LIFECYCLE: [&str; 11] = [
    "preinstall",
    "install",
    "postinstall",
    "preuninstall",
    "uninstall",
    "postuninstall",
    "prepublish",
    "prepare",
    "prepublishOnly",
    "prepack",
    "postpack",
];

/// A package as `tests/registry/fetch` unpacked it.
#[derive(Debug)]
struct Package {
    name: String,
    folder: PathBuf,
    manager: String,
    scripts: Map<String, Value>,
}

impl Package {
    /// A project with the files at the package's root: away from this repository, whose settings are not the package's.
    fn project(&self) -> Project {
        let project = Project::empty();
        for entry in fs::read_dir(&self.folder).expect("an unpacked package") {
            let file = entry.expect("an entry of it").path();
            if file.is_file() {
                let name =
                    file.file_name().and_then(|name| name.to_str()).expect("a name that npm published");
                project.write(name, fs::read(&file).expect("a file of the package"));
            }
        }
        project
    }
}

/// The output of `cuff packagejson list --json`, as far as these tests need it.
#[derive(Debug)]
struct Listed {
    /// Original names by local names, without the list tool.
    offered: BTreeMap<String, String>,
    /// The messages of the problems.
    problems: Vec<String>,
}

impl Listed {
    fn of(package: &Package, project: &Project) -> Self {
        Self::read(&project.cuff(["packagejson", "list", "--json"]).succeeded(), &package.manager)
    }

    fn read(run: &Run, manager: &str) -> Self {
        let said = run.json();
        let lister = format!("{manager}_list_scripts");
        let text = |value: &Value, key: &str| {
            value[key].as_str().unwrap_or_else(|| panic!("no text {key:?} in {value}")).to_owned()
        };
        let list =
            |key: &str| said[key].as_array().unwrap_or_else(|| panic!("no list {key:?} in {said}")).iter();
        let tools: Vec<_> = list("tools").map(|tool| (text(tool, "local"), text(tool, "original"))).collect();
        let offered: BTreeMap<_, _> = tools.iter().filter(|(local, _)| *local != lister).cloned().collect();
        assert_eq!(offered.len() + 1, tools.len(), "names are unique, and the list tool is there: {tools:?}");
        Self { offered, problems: list("problems").map(|problem| text(problem, "message")).collect() }
    }
}

/// The packages in the lock; `None` where they are missing and may be.
fn packages() -> Option<Vec<Package>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lock = fs::read_to_string(root.join("tests/registry/packages.lock.json")).expect("the lock");
    let lock: BTreeMap<String, String> = serde_json::from_str(&lock).expect("the lock, as fetch wrote it");
    let mut packages = Vec::new();
    for spec in lock.keys() {
        let (name, _) = spec.rsplit_once('@').expect("name@version");
        let folder = root.join(".cache/registry").join(name);
        let Ok(text) = fs::read_to_string(folder.join("package.json")) else {
            assert!(
                tools::may_skip(),
                "{name} is missing: run tests/registry/fetch, or without a network set CUFF_TEST_OFFLINE=1"
            );
            tools::skipped(&format!("{name} is missing"));
            return None;
        };
        let whole: Value = serde_json::from_str(&text).expect("a package.json that npm published");
        let scripts = whole["scripts"].as_object().cloned().unwrap_or_default();
        // Published packages hold no lock file, so the field alone decides.
        let manager =
            whole["packageManager"].as_str().and_then(|field| field.split('@').next()).unwrap_or("npm");
        packages.push(Package { name: name.to_owned(), manager: manager.to_owned(), folder, scripts });
    }
    Some(packages)
}

/// Whether a message is about a script; of a long name it shows both ends with `…` between them.
fn names(message: &str, script: &str) -> bool {
    let ends = |(start, end): (&str, &str)| script.starts_with(start) && script.ends_with(end);
    message.contains(script) || message.split('"').filter_map(|quoted| quoted.split_once('…')).any(ends)
}

#[test]
fn every_script_of_real_packages_is_offered_or_has_a_reason() {
    let Some(packages) = packages() else { return };
    assert!(packages.len() >= 15, "only {} packages", packages.len());
    let (mut offered, mut reported, mut comments) = (0, 0, 0);
    for package in &packages {
        let mut listed = Listed::of(package, &package.project());
        for local in listed.offered.keys() {
            let name = format!("packagejson.{local}");
            assert!(name.len() <= 64, "{}: {name} is longer than 64 characters", package.name);
            assert!(
                local.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'),
                "{}: {name}",
                package.name
            );
        }
        let originals: BTreeSet<String> = listed.offered.values().cloned().collect();
        for script in package.scripts.keys() {
            let lifecycle = LIFECYCLE.contains(&script.as_str());
            let place = format!("{}: {script:?}", package.name);
            match (originals.contains(script), lifecycle) {
                (true, true) => panic!("{place} is run by npm itself and must not be offered"),
                (true, false) => offered += 1,
                (false, true) => {}
                // Comments, and rules between scripts, run nothing.
                (false, false) if script.starts_with("//") || package.scripts[script] == "" => comments += 1,
                (false, false) => {
                    let reason = listed.problems.iter().position(|message| names(message, script));
                    let reason = reason
                        .unwrap_or_else(|| panic!("{place} is neither offered nor reported: {listed:?}"));
                    // One problem is the reason of one script: several may look alike once they are cut.
                    listed.problems.swap_remove(reason);
                    reported += 1;
                }
            }
        }
        let unknown: Vec<_> =
            originals.iter().filter(|name| !package.scripts.contains_key(name.as_str())).collect();
        assert!(unknown.is_empty(), "{}: {unknown:?} are offered and are no scripts", package.name);
    }
    // Should the packages in the lock change, the variety must not go with them.
    assert!(
        offered >= 400 && reported + comments >= 5,
        "{offered} offered, {reported} reported, {comments} comments"
    );
}

#[test]
fn the_packages_are_of_many_shapes() {
    let Some(packages) = packages() else { return };
    let names: Vec<&String> = packages.iter().flat_map(|package| package.scripts.keys()).collect();
    let any = |fits: fn(&str) -> bool| names.iter().any(|name| fits(name));
    for (shape, found) in [
        ("a colon", any(|name| name.contains(':'))),
        ("three colons", any(|name| name.matches(':').count() >= 3)),
        ("a dot", any(|name| name.contains('.'))),
        ("a hyphen", any(|name| name.contains('-'))),
        ("an underscore", any(|name| name.contains('_'))),
        ("a capital letter", any(|name| name.contains(char::is_uppercase))),
        ("a blank", any(|name| name.contains(' '))),
        ("more than 64 characters", any(|name| name.len() > 64)),
    ] {
        assert!(found, "no script has {shape} in its name");
    }
    assert!(packages.iter().any(|package| package.scripts.is_empty()), "no package is without scripts");
    assert!(packages.iter().any(|package| package.name.starts_with('@')), "no package has a scope");
}

#[test]
fn each_dry_run_is_what_the_manager_would_be_asked() {
    let Some(packages) = packages() else { return };
    for package in &packages {
        let project = package.project();
        for (at, (local, original)) in Listed::of(package, &project).offered.iter().enumerate() {
            // Either name finds the script; in turns, since each is a process.
            let name = if at % 2 == 0 { original } else { local };
            let run = project.cuff(["packagejson", "run", name, "--dry-run"]).succeeded();
            let expected = format!("Would execute: {} run {original}\n", package.manager);
            assert_eq!(run.stdout, expected, "{}: {name}", package.name);
        }
    }
}
