//! The rules of the house, read from the sources: allowed imports, the length of files, complete lists.

mod cycles;
mod language;
mod literals_of_values;
mod map;
mod methods;
mod pages;
mod plugin_names;
mod source;
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::project::{Project, Run};
use crate::support::tools;
use map::Map;
use source::{Rust, Source, Text};

/// No file has more lines of code than this: blank lines, comments and tests do not count.
const LONGEST_FILE: usize = 800;

/// Modules that are being taken apart: cycles and stray methods in them are not counted yet.
const IN_REWORK: [&str; 0] = [];

fn is_in_rework(file: &str) -> bool {
    let owner = file.split('/').next().unwrap_or(file);
    IN_REWORK.contains(&owner.trim_end_matches(".rs"))
}

/// The sources of the library and, as its modules, those of the package whose modules it offers as its own.
const SOURCES: [&str; 2] = ["src", PURE];
const PURE: &str = "crates/pure/src";

/// Every Rust file of both packages, by its name relative to the sources, and its text.
fn texts() -> Vec<(String, String)> {
    let below = |sources: &str| {
        let root = root().join(sources);
        let rust =
            files(&root).into_iter().filter(|file| file.extension().is_some_and(|ending| ending == "rs"));
        let named = rust.map(|file| {
            let name = file.strip_prefix(&root).expect("a file below it").to_str().expect("a name of ours");
            (name.to_owned(), fs::read_to_string(&file).expect("a file of ours"))
        });
        named.collect::<Vec<_>>()
    };
    let (roots, others): (Vec<_>, Vec<_>) = below(PURE).into_iter().partition(|(name, _)| name == "lib.rs");
    let modules = |text: &str| text.lines().filter(|line| line.starts_with("pub mod")).collect::<String>();
    let modules: String = roots.iter().map(|(_, text)| modules(text)).collect();
    let mut own = below("src");
    for (_, text) in own.iter_mut().filter(|(name, _)| name == "lib.rs") {
        let offered = text.lines().find(|line| line.starts_with("pub use cuff_pure::")).expect("its modules");
        *text = text.replace(offered, &modules);
    }
    own.into_iter().chain(others).collect()
}

/// The path of a file that has this name relative to the sources.
fn path_of(name: &str) -> String {
    let is_there = |sources: &&str| root().join(sources).join(name).exists();
    format!("{}/{name}", SOURCES.into_iter().find(|sources| is_there(sources)).unwrap_or("src"))
}

/// Every module of both packages but those that only exist in tests.
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

#[test]
fn imports_follow_the_map() {
    let map =
        Map::read(&fs::read_to_string(root().join("src/README.md")).expect("the front page of the sources"));
    let sources = sources();
    let offenders: Vec<String> = sources.iter().flat_map(|source| map.offences(source)).collect();
    none(
        &offenders,
        "src/README.md does not allow these imports; move the code or, with a reason, change the map",
    );

    none(
        &map.idle(&sources),
        "src/README.md allows imports that there are none of; take them out of the map",
    );

    let there: BTreeSet<String> =
        sources.iter().map(Source::owner).filter(|owner| owner != "lib.rs").collect();
    let mapped: BTreeSet<String> = map.modules().cloned().collect();
    assert_eq!(there, mapped, "the map in src/README.md names exactly the modules that exist");
}

#[test]
fn every_plugin_folder_is_declared_and_listed() {
    let folder = root().join("src/plugins");
    let folders: BTreeSet<String> = fs::read_dir(&folder)
        .expect("a folder of ours")
        .map(|entry| entry.expect("an entry of it").file_name().into_string().expect("a name of ours"))
        .filter(|name| name != "mod.rs")
        .map(|name| name.trim_end_matches(".rs").to_owned())
        .collect();
    let list = Rust::read(&fs::read_to_string(folder.join("mod.rs")).expect("the list"), "plugins/mod.rs");
    let declared: BTreeSet<String> = list.modules.iter().cloned().collect();
    assert_eq!(folders, declared, "each folder of src/plugins/ is declared in its mod.rs");
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
            assert!(users > 1, "a folder of src/plugins/ is in ALL, or several of those share it: {folder}");
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
    let mut named: BTreeMap<(bool, String), Vec<String>> = BTreeMap::new();
    for source in sources() {
        let file = path_of(&source.name);
        for Text { line, text } in source.rust.types {
            named.entry((file.starts_with(PURE), text)).or_default().push(format!("{file}:{line}"));
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

/// A checker that finds nothing may be blind, so each way to break a rule is planted once.
#[test]
fn planted_offences_are_found() {
    let map = Map::read(
        "| module | says | may import |\n|---|---|---|\n| `model/` | words | |\n| `sys/` | IO | model |\n\
         | `cli/` | face | model |\n| `main.rs` | composition | cli |\n\n\
         | crate | named in |\n|---|---|\n| `clap` | cli |\n",
    );
    let offences = |name: &str, text: &str| {
        map.offences(&Source { rust: Rust::read(text, name), name: name.to_owned() }).join("; ")
    };
    for (name, text, found) in [
        ("model/tool.rs", "use crate::sys::Clock;", "crates/pure/src/model/tool.rs:1: model imports sys"),
        (
            "sys/clock.rs",
            "use crate::{model::{self, Tool},\n cli::{run::Run as Go}};",
            "src/sys/clock.rs:2: sys imports cli",
        ),
        (
            "model/mod.rs",
            "fn a() -> u8 { crate::sys::b() }",
            "crates/pure/src/model/mod.rs:1: model imports sys",
        ),
        (
            "model/mod.rs",
            "fn a() { println!(\"{}\", crate::sys::B) }",
            "crates/pure/src/model/mod.rs:1: model imports sys",
        ),
        ("model/mod.rs", "use super::sys;", "crates/pure/src/model/mod.rs:1: model imports sys"),
        ("model/a/b.rs", "use super::super::super::sys::A;", "src/model/a/b.rs:1: model imports sys"),
        ("model/a.rs", "mod b { use super::super::super::cli; }", "src/model/a.rs:1: model imports cli"),
        ("sys/a.rs", "use crate::Clock;", "src/sys/a.rs:1: sys imports Clock, which is no module of the map"),
        ("sys/a.rs", "use crate::*;", "src/sys/a.rs:1: sys imports *, which is no module of the map"),
        ("sys/a.rs", "type A = ::clap::Arg;", "src/sys/a.rs:1: sys names the crate clap"),
        ("sys/a.rs", "#[derive(clap::Parser)] struct A;", "src/sys/a.rs:1: sys names the crate clap"),
        ("sys/a.rs", "use {std::fs, clap as c};", "src/sys/a.rs:1: sys names the crate clap"),
        ("main.rs", "use cuff::{cli, sys};", "src/main.rs:1: main.rs imports sys"),
        ("lib.rs", "pub use model::Tool; pub use crate::sys::Clock;", "src/lib.rs:1: lib.rs imports sys"),
        ("new.rs", "use crate::model::Tool;", "src/new.rs:1: new imports model"),
    ] {
        assert_eq!(offences(name, text), found, "{text}");
    }
    for (name, text) in [
        ("sys/a.rs", "// use crate::cli::Run;\n/// [`crate::cli`]\nconst A: &str = \"crate::cli::Run\";"),
        ("sys/a.rs", "pub(crate) use crate::model::Tool; pub(in crate::sys) fn a() {} use super::b;"),
        (
            "sys/a.rs",
            "#[cfg(test)]\nmod tests { use crate::cli::Run; }\n#[cfg(test)]\nuse crate::cli::{Run};",
        ),
        ("sys/a.rs", "mod b { use super::c; use self::d::e; } fn f(clap: u8) { clap + self.clap }"),
        ("main.rs", "use cuff::cli; fn main() { cuff::cli::main() }"),
    ] {
        assert_eq!(offences(name, text), "", "{text}");
    }
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
