//! No file imports another that, in the end, imports it.
//!
//! An import counts for the file that defines the imported item, so a file of nothing but `mod` and `use` is
//! in no cycle.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;

use super::tree::Tree;
use super::{is_in_rework, none, path_of};

/// The items that each file imports from others.
type Imports = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

fn imports(tree: &Tree, is_exempt: impl Fn(&str) -> bool) -> Imports {
    let mut imports = Imports::new();
    for mention in &tree.mentions {
        for definition in &mention.definitions {
            if definition.file != mention.file && !is_exempt(&mention.file) && !is_exempt(&definition.file) {
                let of = imports.entry(mention.file.clone()).or_default();
                of.entry(definition.file.clone()).or_default().insert(definition.name.clone());
            }
        }
    }
    imports
}

/// The shortest cycle through each file that is in one, each once.
pub(super) fn cycles(tree: &Tree, is_exempt: impl Fn(&str) -> bool) -> Vec<String> {
    let imports = imports(tree, is_exempt);
    let mut found = BTreeSet::new();
    for file in imports.keys() {
        if let Some(mut cycle) = shortest(&imports, file) {
            let first = cycle.iter().enumerate().min_by_key(|(_, file)| **file).map_or(0, |(at, _)| at);
            cycle.rotate_left(first);
            found.insert((cycle.len(), cycle));
        }
    }
    found.iter().map(|(_, cycle)| described(&imports, cycle)).collect()
}

/// The files of the shortest way from a file back to it.
fn shortest<'imports>(imports: &'imports Imports, start: &'imports str) -> Option<Vec<&'imports str>> {
    let mut came_from: BTreeMap<&str, &str> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(file) = queue.pop_front() {
        for next in imports.get(file).into_iter().flat_map(BTreeMap::keys) {
            if next == start {
                let mut way = vec![file];
                while let Some(before) = came_from.get(way[way.len() - 1]) {
                    way.push(before);
                }
                way.reverse();
                return Some(way);
            }
            if !came_from.contains_key(next.as_str()) {
                came_from.insert(next, file);
                queue.push_back(next);
            }
        }
    }
    None
}

fn described(imports: &Imports, cycle: &[&str]) -> String {
    let mut text = path_of(cycle[0]);
    for (at, file) in cycle.iter().enumerate() {
        let next = cycle[(at + 1) % cycle.len()];
        let names: Vec<&str> = imports[*file][next].iter().map(String::as_str).collect();
        // Writing to a string does not fail.
        let _ = write!(text, " -> {} ({})", path_of(next), names.join(", "));
    }
    text
}

#[test]
fn no_import_comes_back() {
    none(
        &cycles(Tree::of_library(), is_in_rework),
        "these files import each other; move what both need to a file that imports neither",
    );
}

/// The rule would be blind where the reader takes a path for a foreign one.
#[test]
fn every_path_of_ours_is_followed() {
    let mentions = &Tree::of_library().mentions;
    assert!(mentions.iter().any(|mention| !mention.definitions.is_empty()), "there are imports");
    let lost = mentions.iter().filter(|mention| mention.is_lost);
    let lost: Vec<String> = lost
        .map(|mention| format!("{}:{}: {}", path_of(&mention.file), mention.line, mention.path))
        .collect();
    none(&lost, "these paths lead to nothing that the reader knows");
}

fn planted(texts: &[(&str, &str)]) -> String {
    cycles(&Tree::read(texts.iter().copied()), |file| file.starts_with("exempt/")).join("; ")
}

const TO_B: (&str, &str) = ("a.rs", "use crate::b::B; pub struct A;");
const A_TO_B: &str = "src/a.rs -> src/b.rs (B) -> src/a.rs (A)";

#[test]
fn planted_cycles_are_found() {
    for text in [
        "use crate::a::A; pub struct B;",
        "use super::a::A; pub struct B;",
        "use crate::{a::{self, A as First}}; pub struct B;",
        "use crate::a; pub struct B(a::A);",
        "use crate::a as first; pub struct B; fn b() -> first::A {}",
        "pub struct B; fn b() { use crate::a::A; }",
        "pub struct B; impl From<crate::a::A> for B {}",
        "pub struct B; fn b(a: u8) { match a { crate::a::A { .. } => {} } }",
        "pub struct B; fn b() -> Vec<Option<crate::a::A>> {}",
        "pub struct B; fn b() { println!(\"{:?}\", crate::a::A) }",
        "use crate::a; pub struct B; fn b() { assert!(matches!(1, a::A::NEW)) }",
        "#[derive(crate::a::A)] pub struct B;",
        "use crate::a::*; pub struct B(A);",
        "use crate::*; pub struct B(a::A);",
        "pub struct B; mod inner { use super::super::a::A; }",
        "pub struct B; mod inner { fn f() { super::super::a::A::new() } }",
        "#[cfg(not(test))] use crate::a::A; pub struct B;",
        "#[cfg(target_os = \"linux\")] use crate::a::A; pub struct B;",
    ] {
        let lib = ("lib.rs", "mod a; mod b;");
        assert_eq!(planted(&[lib, TO_B, ("b.rs", text)]), A_TO_B, "{text}");
    }
}

#[test]
fn cycles_through_hubs_are_found_where_the_items_are_defined() {
    let hub = ("c/mod.rs", "//! A hub.\nmod a; mod b; pub use a::A; pub use b::*;");
    let texts = [("lib.rs", "mod c; pub use c::A;"), hub, ("c/b.rs", "use crate::A; pub struct B(A);")];
    let inner = ("c/a.rs", "use super::B; pub struct A(B);");
    assert_eq!(planted(&[&texts[..], &[inner]].concat()), "src/c/a.rs -> src/c/b.rs (B) -> src/c/a.rs (A)");

    // A file that defines an item is no hub, and an import of that item is one of the file.
    for (parent, child) in [
        ("mod a; pub use a::A; pub const C: u8 = 1;", "use super::C; pub struct A;"),
        ("mod a; use a::A; pub const C: u8 = 1;", "pub struct A([u8; crate::c::C as usize]);"),
        ("mod a; pub const C: u8 = a::A;", "pub const A: u8 = super::C;"),
    ] {
        let texts = [("lib.rs", "mod c;"), ("c.rs", parent), ("c/a.rs", child)];
        assert_eq!(planted(&texts), "src/c.rs -> src/c/a.rs (A) -> src/c.rs (C)", "{parent}");
    }

    // A module and a function of the same name: the path goes on through the module.
    let texts = [
        ("lib.rs", "mod find; mod place;"),
        ("find/mod.rs", "mod find; pub use find::find;"),
        ("find/find.rs", "use crate::place::Place; pub fn find() {}"),
        ("place.rs", "use crate::find::find; pub struct Place;"),
    ];
    assert_eq!(planted(&texts), "src/find/find.rs -> src/place.rs (Place) -> src/find/find.rs (find)");
}

#[test]
fn the_shortest_way_round_is_shown_once() {
    let texts = [
        ("lib.rs", "mod a; mod b; mod c; mod d;"),
        ("a.rs", "use crate::b::{B, Other}; pub struct A;"),
        ("b.rs", "use crate::c::C; pub struct B; pub struct Other;"),
        ("c.rs", "use crate::a::A; use crate::d::D; pub struct C;"),
        ("d.rs", "use crate::a::A; pub struct D;"),
    ];
    assert_eq!(
        planted(&texts),
        "src/a.rs -> src/b.rs (B, Other) -> src/c.rs (C) -> src/a.rs (A); \
         src/a.rs -> src/b.rs (B, Other) -> src/c.rs (C) -> src/d.rs (D) -> src/a.rs (A)"
    );
}

#[test]
fn harmless_imports_are_no_cycle() {
    for text in [
        "pub struct B;",
        "// use crate::a::A;\n/// [`crate::a::A`]\npub struct B; const C: &str = \"crate::a::A\";",
        "pub struct B;\n#[cfg(test)]\nmod tests { use crate::a::A; }\n#[cfg(test)]\nuse crate::a::A;",
        "pub struct B;\n#[cfg(all(test, unix))]\nmod tests { use crate::a::A; }",
        "pub struct B; impl B { #[cfg(test)] fn of(a: crate::a::A) {} }",
        "pub struct B; #[cfg(test)] mod tests;",
        "pub struct B; use std::a::A; use ::a::A as Foreign; fn f(a: u8) -> u8 { a.A }",
        "pub(in crate::b) struct B; pub(crate) fn f() {}",
    ] {
        let tests = ("b/tests.rs", "use crate::a::A;");
        assert_eq!(planted(&[("lib.rs", "mod a; mod b;"), TO_B, ("b.rs", text), tests]), "", "{text}");
    }
    for (parent, child) in [
        // The children name each other's items, and the parent declares and publishes them.
        ("mod a; mod d; pub use a::A;", "use super::d::D; use super::super::c; pub struct A;"),
        ("mod a; mod d; pub fn c() -> a::A {}", "use super::d::D; pub struct A;"),
        ("mod a; mod d; pub const C: u8 = 1;", "use super::C; pub struct A;"),
    ] {
        let texts = [("lib.rs", "mod c;"), ("c.rs", parent), ("c/a.rs", child), ("c/d.rs", "pub struct D;")];
        assert_eq!(planted(&texts), "", "{parent}");
    }
    let exempt = [
        ("lib.rs", "mod exempt;"),
        ("exempt/mod.rs", "mod a; mod b;"),
        ("exempt/a.rs", "use super::b::B; pub struct A;"),
        ("exempt/b.rs", "use super::a::A; pub struct B;"),
    ];
    assert_eq!(planted(&exempt), "");
    // The binary imports the library, and nothing can import the binary.
    assert_eq!(
        planted(&[("lib.rs", "mod a;"), ("a.rs", "pub fn main() {}"), ("main.rs", "use cuff::a::main;")]),
        ""
    );
}
