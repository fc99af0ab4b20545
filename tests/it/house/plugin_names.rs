//! The core knows no plugin by name: no text between quotes is a plugin's id or the source that it reads, and
//! no variant of an enum is called as a plugin.
//!
//! A plugin's own knowledge comes through its contract: `about`, `checks`, `install_hint` and the rest.

use std::collections::BTreeSet;

use super::source::{Rust, Source};
use super::{none, path_of, sources};

/// Files that have such a text and mean another thing by it.
const EXEMPT: &[(&str, &str)] = &[
    (
        "calls/shell_command.rs",
        "programs that an agent types into a shell, any of which runs the scripts of a package",
    ),
    ("code/executed.rs", "the key of a failed program's calls, as in JavaScript"),
    ("diagnostics/prefix.rs", "programs that begin their messages with their names"),
    ("diagnostics/moved.rs", "endings of files of source text"),
    ("execution/containing/caches.rs", "folders for caches that any tool of a run may have"),
    ("sys/later_files/places.rs", "files that programs outside of cuff read later"),
    ("project/suggested/ports.rs", "a part of the names of files about containers"),
    ("policy/irreversible/names.rs", "interpreters that a tool's text puts before the name of a file"),
    (
        "policy/irreversible/programs.rs",
        "programs of a tool's text, by the words with which they publish or remove",
    ),
    ("policy/environment/expanded.rs", "programs of a tool's text that run the file that a word names"),
    ("policy/takes/interpreter.rs", "programs of a tool's text that run the file that a word names"),
    ("policy/takes/manager.rs", "programs of a tool's text that run another script of the same package.json"),
    ("policy/takes/place.rs", "the file and the key that npm reads scripts of a package from"),
    ("policy/takes/runners.rs", "programs of a tool's text, by the flags that a call's words may have"),
    ("policy/shell/through.rs", "programs of a tool's text that start another one"),
];

fn ids() -> BTreeSet<&'static str> {
    cuff::plugins::ALL.iter().map(|plugin| plugin.about().id).collect()
}

fn files() -> BTreeSet<&'static str> {
    cuff::plugins::ALL.iter().map(|plugin| plugin.about().source).collect()
}

/// Plugins name themselves, and a format of output may be called as its tool.
fn may_name(source: &Source) -> bool {
    ["plugins", "dialect"].contains(&source.owner().as_str())
}

fn named(source: &Source) -> Vec<String> {
    let (ids, files) = (ids(), files());
    let at = |line: usize, what: String| format!("{}:{line}: {what}", path_of(&source.name));
    let is_named = |text: &str| ids.contains(text) || files.contains(text);
    let texts = source.rust.texts.iter().filter(|text| is_named(&text.text));
    let texts = texts.map(|text| at(text.line, format!("{:?}", text.text)));
    let is_called = |name: &str| ids.contains(name.to_ascii_lowercase().as_str());
    let variants = source.rust.variants.iter().filter(|variant| is_called(&variant.text));
    texts.chain(variants.map(|variant| at(variant.line, variant.text.clone()))).collect()
}

fn is_exempt(source: &Source) -> bool {
    EXEMPT.iter().any(|(file, _)| source.name == *file)
}

#[test]
fn no_plugin_is_known_by_name() {
    let sources = sources();
    let others = || sources.iter().filter(|source| !may_name(source));
    let offenders: Vec<String> = others().filter(|source| !is_exempt(source)).flat_map(named).collect();
    none(
        &offenders,
        "let the plugin's contract say it; a text that means another thing is on the list, with the reason",
    );

    let has = |file: &str| others().any(|source| source.name == file && !named(source).is_empty());
    let idle = EXEMPT.iter().filter(|(file, _)| !has(file));
    let idle: Vec<String> = idle.map(|(file, reason)| format!("{} ({reason})", path_of(file))).collect();
    none(&idle, "these files name no plugin, and need no exemption");
}

/// The rule would be blind where the reader passes over texts.
#[test]
fn every_plugin_is_seen_to_name_itself() {
    let sources = sources();
    let own = sources.iter().filter(|source| source.owner() == "plugins");
    let texts: BTreeSet<&str> =
        own.flat_map(|source| &source.rust.texts).map(|text| text.text.as_str()).collect();
    let silent: Vec<&str> = ids().into_iter().filter(|id| !texts.contains(id)).collect();
    assert_eq!(silent, [""; 0], "the reader passes over these");
}

#[test]
fn planted_names_are_found() {
    let read = |name: &str, text: &str| Source { rust: Rust::read(text, name), name: name.to_owned() };
    for text in [
        "fn a(b: &str) -> bool { b == \"npm\" }",
        "fn a(b: &str) -> bool { matches!(b, \"eslint\" | \"other\") }",
        "fn a(b: &str) { match b { \"scripts\" => {} _ => {} } }",
        "const A: [&str; 2] = [\"pnpm\", \"more\"];",
        "const A: &[u8] = b\"bun\";",
        "fn a() { b(r#\"makefile\"#) }",
        "fn a() { println!(\"{}\", \"packagejson\") }",
        "#[serde(rename = \"dotnet\")] struct A;",
        "mod a { impl B { const C: &str = \"npm\"; } }",
        "const A: &str = \"package.json\";",
        "enum A { Npm }",
        "pub enum A<B> where B: Copy { Other(B), #[default] PackageJson = 3, }",
        "fn a() { enum B { Other { c: u8 }, DotNet, } }",
    ] {
        let source = read("calls/a.rs", text);
        assert!(!may_name(&source) && named(&source).len() == 1, "{text}");
    }
    let at = read("calls/a.rs", "fn a() {\n    b(\n        \"npm\",\n    );\n}\n");
    assert_eq!(named(&at), ["src/calls/a.rs:3: \"npm\""]);
    for text in [
        "/// Such as \"npm\".\n// \"npm\"\nfn npm() {}",
        "const A: &str = \"npm install\";",
        "const A: &str = \"make\";",
        "const A: char = 'n';",
        "use crate::npm; fn a(npm: u8) { npm + self.npm }",
        "#[cfg(test)]\nmod tests { const A: &str = \"npm\"; }",
        "#[doc = \"npm\"] struct A;",
        "const A: &str = \"web/package.json\";",
        "enum A { Other(Npm), More { npm: u8 } } struct Npm; fn a() { Npm }",
        "#[cfg(test)]\nenum A { Npm }",
    ] {
        assert_eq!(named(&read("calls/a.rs", text)), [""; 0], "{text}");
    }
    for (name, may) in
        [("plugins/eslint/mod.rs", true), ("dialect/eslint.rs", true), ("diagnostics/mod.rs", false)]
    {
        assert_eq!(may_name(&read(name, "")), may, "{name}");
    }
}
