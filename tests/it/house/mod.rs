//! The rules of the house, read from the sources: allowed imports, the length of files, complete lists.

mod cycles;
mod language;
mod literals_of_values;
mod methods;
mod pages;
mod plugin_names;
mod source;
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use crate::support::project::{Project, Run};
use crate::support::tools;
use source::{Rust, Source, Text};

/// No file has more lines of code than this: blank lines, comments and tests do not count.
const LONGEST_FILE: usize = 800;

/// Modules that are being taken apart: cycles and stray methods in them are not counted yet.
const IN_REWORK: [&str; 0] = [];

fn is_in_rework(file: &str) -> bool {
    let owner = file.split('/').next().unwrap_or(file);
    IN_REWORK.contains(&owner.trim_end_matches(".rs"))
}

/// A package of the library, as the rules see it: as if all packages were one.
struct Package {
    /// The folder of the sources.
    folder: &'static str,
    /// The module that its root is; empty where it has modules alone.
    own: &'static str,
    /// The modules that stand beside that one.
    beside: &'static [&'static str],
}

/// The packages in the order of the map.
const PACKAGES: [Package; 11] = [
    Package { folder: "src", own: "", beside: &[] },
    Package { folder: "crates/model/src", own: "model", beside: &[] },
    Package { folder: "crates/findings/src", own: "", beside: &[] },
    Package { folder: "crates/system/src", own: "sys", beside: &[] },
    Package { folder: "crates/settings/src", own: "settings", beside: &["hosts"] },
    Package { folder: "crates/sources/src", own: "sources", beside: &["plugin", "plugins"] },
    Package { folder: "crates/policy/src", own: "policy", beside: &["ledger"] },
    Package { folder: "crates/project/src", own: "", beside: &[] },
    Package { folder: "crates/team/src", own: "team", beside: &[] },
    Package { folder: "crates/code/src", own: "code", beside: &["sandbox"] },
    Package { folder: "crates/mcp/src", own: "", beside: &[] },
];

/// Where each file of the library lies, by the name that the rules have for it: that of its module, as if all packages were one.
fn places() -> &'static BTreeMap<String, String> {
    static PLACES: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
        let mut places = BTreeMap::new();
        for Package { folder, own, beside } in PACKAGES {
            for file in rust_files(&root().join(folder)) {
                let module = file.split(['/', '.']).next().unwrap_or_default();
                let name = match (own, file.as_str()) {
                    ("", "lib.rs") if folder != "src" => continue,
                    ("", name) => name.to_owned(),
                    (own, "lib.rs") => format!("{own}/mod.rs"),
                    (_, name) if beside.contains(&module) => name.to_owned(),
                    (own, name) => format!("{own}/{name}"),
                };
                places.insert(name, format!("{folder}/{file}"));
            }
        }
        places
    });
    &PLACES
}

/// The names of the Rust files below a folder, relative to it.
fn rust_files(folder: &Path) -> Vec<String> {
    let all = files(folder).into_iter().filter(|file| file.extension().is_some_and(|ending| ending == "rs"));
    all.map(|file| {
        file.strip_prefix(folder).expect("a file below it").to_str().expect("a name of ours").to_owned()
    })
    .collect()
}

/// Every Rust file of the library, by the name that the rules have for it, and its text as if all packages were one.
fn texts() -> Vec<(String, String)> {
    let all: BTreeSet<&str> = places().keys().filter_map(|name| name.split(['/', '.']).next()).collect();
    let text_of = |(name, place): (&String, &String)| {
        let text = fs::read_to_string(root().join(place)).expect("a file of ours");
        let package = PACKAGES.iter().find(|package| place.starts_with(package.folder));
        let Package { folder, own, beside } = *package.expect("its package");
        let text = if place == "src/lib.rs" {
            let modules = all.iter().filter(|module| !["lib", "main", "bin"].contains(module));
            modules.map(|module| format!("pub mod {module};")).collect::<Vec<_>>().join("\n")
        } else if own.is_empty() {
            text
        } else {
            let below: BTreeSet<String> = rust_files(&root().join(folder))
                .iter()
                .filter_map(|file| file.split(['/', '.']).next().map(str::to_owned))
                .filter(|module| !beside.contains(&module.as_str()))
                .collect();
            let is_of_packages = |line: &&str| {
                place.ends_with("src/lib.rs")
                    && (line.starts_with("use cuff_")
                        || beside.iter().any(|beside| *line == format!("pub mod {beside};")))
            };
            let nexts = text.lines().skip(1).chain([""]);
            let lines = text.lines().zip(nexts).map(|(line, next)| {
                let is_attribute_of_such = line.starts_with("#[") && is_of_packages(&next);
                let is_left_out = is_of_packages(&line) || is_attribute_of_such;
                if is_left_out { String::new() } else { from_the_root(line, own, &all, &below) }
            });
            lines.collect::<Vec<_>>().join("\n")
        };
        (name.clone(), text)
    };
    places().iter().map(text_of).collect()
}

/// A line whose paths from the root of its package begin at the root of the library.
fn from_the_root(line: &str, own: &str, all: &BTreeSet<&str>, below: &BTreeSet<String>) -> String {
    let mut parts = line.split("crate::");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let first: String =
            part.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
        let is_outside = all.contains(first.as_str()) && !below.contains(&first);
        text.push_str(if is_outside { "crate::" } else { "crate::OWN::" });
        text.push_str(part);
    }
    text.replace("crate::OWN::", &format!("crate::{own}::"))
}

/// The path of a file that has this name to the rules.
fn path_of(name: &str) -> String {
    places().get(name).cloned().unwrap_or_else(|| format!("src/{name}"))
}

/// Every module of the library but those that only exist in tests.
fn sources() -> Vec<Source> {
    let mut sources: Vec<Source> =
        texts().into_iter().map(|(name, text)| Source { rust: Rust::read(&text, &name), name }).collect();
    let tests: BTreeSet<Vec<String>> =
        sources.iter().flat_map(|source| source.rust.test_modules.clone()).collect();
    sources.retain(|source| !tests.iter().any(|test| source.module().starts_with(test)));
    sources
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files below a folder, in the order of their names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder of ours")
        .map(|entry| entry.expect("an entry of it").path())
        .collect();
    entries.sort();
    entries.into_iter().flat_map(|entry| if entry.is_dir() { files(&entry) } else { vec![entry] }).collect()
}

fn none(offenders: &[String], rule: &str) {
    assert!(offenders.is_empty(), "{rule}:\n  {}", offenders.join("\n  "));
}

/// Cargo holds the arrows between packages; the page must say the same.
#[test]
fn the_page_has_the_arrows_of_the_packages() {
    let page = fs::read_to_string(root().join("src/README.md")).expect("the front page of the sources");
    let rows = page.lines().skip_while(|line| !line.starts_with("| package |")).skip(2);
    let rows = rows.map_while(|line| line.strip_prefix("| `")?.split_once("` |"));
    let said: BTreeMap<String, BTreeSet<String>> = rows
        .map(|(package, rest)| {
            let may = rest.rsplit('|').nth(1).unwrap_or_default();
            (
                package.to_owned(),
                may.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect(),
            )
        })
        .collect();
    let mut packages: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for Package { folder, .. } in PACKAGES {
        let manifest = root().join(folder).with_file_name("Cargo.toml");
        let text = fs::read_to_string(manifest).expect("a manifest");
        let section =
            text.split("\n[").find(|section| section.starts_with("dependencies]")).unwrap_or_default();
        let ours = section.lines().filter_map(|line| line.strip_prefix("cuff-"));
        let names = ours.map(|line| line.split(['.', ' ']).next().unwrap_or_default().to_owned()).collect();
        let package =
            folder.split('/').nth(1).map_or_else(|| "src".to_owned(), |name| format!("crates/{name}"));
        packages.insert(package, names);
    }
    assert_eq!(said, packages, "the table of packages in src/README.md is that of the manifests");
}

#[test]
fn every_plugin_folder_is_declared_and_listed() {
    let folder = root().join("crates/sources/src/plugins");
    let folders: BTreeSet<String> = fs::read_dir(&folder)
        .expect("a folder of ours")
        .map(|entry| entry.expect("an entry of it").file_name().into_string().expect("a name of ours"))
        .filter(|name| name != "mod.rs")
        .map(|name| name.trim_end_matches(".rs").to_owned())
        .collect();
    let list = Rust::read(&fs::read_to_string(folder.join("mod.rs")).expect("the list"), "plugins/mod.rs");
    let declared: BTreeSet<String> = list.modules.iter().cloned().collect();
    assert_eq!(folders, declared, "each folder of plugins/ is declared in its mod.rs");
    let text = fs::read_to_string(folder.join("mod.rs")).expect("the list");
    let ids: BTreeSet<&str> = cuff::plugins::ALL.iter().map(|plugin| plugin.about().id).collect();
    let sources = sources();
    let names = |folder: &str, other: &str| {
        let own =
            sources.iter().filter(|source| source.module().starts_with(&["plugins".into(), folder.into()]));
        own.flat_map(|source| &source.rust.inner)
            .any(|mention| mention.path.starts_with(&["plugins".into(), other.into()]))
    };
    let mut listed = 0;
    for folder in &folders {
        let entries = text.matches(&format!("&{folder}::")).count();
        listed += entries;
        if entries == 0 {
            let users = folders.iter().filter(|other| *other != folder && names(other, folder)).count();
            assert!(users > 1, "a folder of plugins/ is in ALL, or several of those share it: {folder}");
            continue;
        }
        // A folder of several plugins, which differ in little, has the name of their common part.
        assert_eq!(
            entries == 1,
            ids.contains(folder.as_str()),
            "the folder of a plugin has its id for a name: {folder}"
        );
    }
    assert_eq!(listed, ids.len(), "ALL holds nothing but plugins of these folders");
}

#[test]
fn files_stay_small() {
    let offenders: Vec<String> = sources()
        .iter()
        .filter(|source| source.rust.lines.len() > LONGEST_FILE)
        .map(|source| format!("{}: {} lines of code", path_of(&source.name), source.rust.lines.len()))
        .collect();
    none(&offenders, &format!("a file has at most {LONGEST_FILE} lines of code; split it by concept"));
}

/// A type's name is its noun, which needs no path.
#[test]
fn no_two_types_of_a_package_have_one_name() {
    let mut named: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for source in sources() {
        let file = path_of(&source.name);
        let package = file.split("src/").next().unwrap_or_default();
        for Text { line, text } in &source.rust.types {
            let places = named.entry((package.to_owned(), text.clone())).or_default();
            places.push(format!("{file}:{line}"));
        }
    }
    assert!(named.len() > 1_000, "{} types were found", named.len());
    let twice = named.into_iter().filter(|(_, places)| places.len() > 1);
    let offenders: Vec<String> =
        twice.map(|((_, name), places)| format!("{name}: {}", places.join(", "))).collect();
    none(&offenders, "name each type by its noun in full: `ServerState`, not `State`");
}

/// A file that is named for nothing takes everything in.
#[test]
fn files_are_named_for_what_is_in_them() {
    let vague = ["util", "utils", "helper", "helpers", "common", "misc", "imp", "prelude"];
    let offenders: Vec<String> = sources()
        .iter()
        .filter(|source| source.name.trim_end_matches(".rs").split('/').any(|part| vague.contains(&part)))
        .map(|source| path_of(&source.name))
        .collect();
    none(&offenders, "name the file for the one idea that it holds");
}

#[test]
fn lints_are_expected_with_a_reason_and_nothing_is_left_to_do() {
    let offenders: Vec<String> = sources()
        .iter()
        .flat_map(|source| {
            let allowed =
                source.rust.allowed.iter().map(|line| format!("{}:{line}: allow(…)", path_of(&source.name)));
            let unfinished =
                source.rust.unfinished.iter().map(|line| format!("{}:{line}: todo!", path_of(&source.name)));
            allowed.chain(unfinished).collect::<Vec<_>>()
        })
        .collect();
    none(&offenders, "write #[expect(…, reason = \"…\")] for what must be, and finish the rest");
}

/// `make demo` works as described: the script fails if a step fails.
#[test]
fn the_demo_runs() {
    if ["node", "npm", "python3"].iter().any(|program| tools::require(program).is_none()) {
        return;
    }
    let mut demo = Command::new(root().join("demo/run"));
    demo.arg(env!("CARGO_BIN_EXE_cuff"));
    let project = Project::empty();
    project.surround(&mut demo);
    Run::of(demo).succeeded();
}

#[test]
fn planted_excess_is_found() {
    let text = "\
        //! Docs.\n\n/// More.\nfn a() {\n    // why\n    b(\"two\nlines\");\n}\n\
        #[cfg(test)]\nmod tests {\n    #[allow(x)]\n    fn c() { todo!() }\n}\n#[cfg(test)]\nmod more;\n";
    let rust = Rust::read(text, "sys/a.rs");
    assert_eq!(rust.lines.into_iter().collect::<Vec<_>>(), [4, 6, 7, 8]);
    assert_eq!((rust.allowed, rust.unfinished), (vec![], vec![]));
    let tests = [vec!["sys", "a", "tests"], vec!["sys", "a", "more"]];
    assert_eq!(rust.test_modules, tests);

    let text = "#![allow(a)]\n#[cfg_attr(b, allow(c))]\nfn d() {\n    todo!();\n    unimplemented!(\"e\")\n}";
    let rust = Rust::read(text, "a.rs");
    assert_eq!((rust.allowed, rust.unfinished), (vec![1, 2], vec![4, 5]));
}

/// A plan that requires confirmation gets its permit from a consent. A consent comes from a person's
/// confirmation, or from his client's word for one question. Outside of the ledger, which makes both, few
/// files may name them: no face can.
#[test]
fn no_face_can_make_a_consent() {
    let may = |path: &[String], file: &str| match path {
        [module, name, ..] if module == "ledger" => match name.as_str() {
            "Consent" => [
                "policy/consent.rs",
                "policy/confirmation.rs",
                "calls/first_approval.rs",
                "project/pending_changes.rs",
                "project/first_approval.rs",
            ]
            .contains(&file),
            "ClientAnswer" => file == "calls/asking.rs",
            "ClientsYes" => file == "policy/consent.rs",
            "*" => false,
            _ => true,
        },
        _ => true,
    };
    let sources = sources();
    let named = |name: &str| {
        sources.iter().flat_map(|source| &source.rust.inner).any(|mention| mention.path == ["ledger", name])
    };
    assert!(
        ["Consent", "ClientAnswer", "ClientsYes"].into_iter().all(named),
        "the rule looks for what is there"
    );
    let offenders: Vec<String> = sources
        .iter()
        .filter(|source| source.owner() != "ledger")
        .flat_map(|source| source.rust.inner.iter().map(move |mention| (source, mention)))
        .filter(|(source, mention)| !may(&mention.path, &source.name))
        .map(|(source, mention)| {
            format!("{}:{}: {}", path_of(&source.name), mention.line, mention.path.join("::"))
        })
        .collect();
    none(&offenders, "a consent is made of a person's yes, in one place");
}
