//! The methods of a type are in its own module: in the file that defines it, or below.

use super::tree::{InherentImpl, Tree};
use super::{is_in_rework, none, path_of};

/// Each `impl Type { … }` that stands elsewhere.
pub(super) fn strays(tree: &Tree, is_exempt: impl Fn(&str) -> bool) -> Vec<String> {
    let mut strays = Vec::new();
    for InherentImpl { file, line, written, definition } in &tree.impls {
        let problem = match definition {
            _ if is_exempt(file) => continue,
            Some(definition) if is_within(file, &definition.file) => continue,
            Some(definition) => format!("is defined in {}", path_of(&definition.file)),
            None => "is defined nowhere".to_owned(),
        };
        strays.push(format!("{}:{line}: {written} has methods here and {problem}", path_of(file)));
    }
    strays
}

/// Whether a file is the other one, or lies in the folder of its module.
fn is_within(file: &str, home: &str) -> bool {
    let folder = home.strip_suffix("/mod.rs").or_else(|| home.strip_suffix(".rs")).unwrap_or(home);
    file == home || file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

#[test]
fn methods_stand_with_their_type() {
    none(
        &strays(Tree::of_library(), is_in_rework),
        "write a function that takes the value, or move the methods to the module of the type",
    );
}

fn planted(texts: &[(&str, &str)]) -> String {
    strays(&Tree::read(texts.iter().copied()), |file| file.starts_with("exempt/")).join("; ")
}

#[test]
fn planted_strays_are_found() {
    for text in [
        "use crate::a::A;\nimpl A { fn f() {} }",
        "use crate::A;\nimpl<T> A<T> {}",
        "use super::a;\nimpl a::A {}",
        "use crate::{a::A as Renamed};\nimpl Renamed {}",
        "mod inner {\nimpl crate::a::A {} }",
        "type Alias = crate::a::A;\nimpl Alias {}",
        "fn f() {\nimpl crate::a::A {} }",
    ] {
        let texts = [("lib.rs", "mod a; mod b; pub use a::A;"), ("a.rs", "pub struct A;"), ("b.rs", text)];
        let found = planted(&texts);
        assert!(found.starts_with("src/b.rs:2: "), "{text}: {found}");
        assert!(found.ends_with(" has methods here and is defined in src/a.rs"), "{text}: {found}");
    }
    // A sibling, a parent, and a folder whose name merely begins alike.
    for (home, file) in
        [("c/a.rs", "c/b.rs"), ("c/a.rs", "c/mod.rs"), ("c/a.rs", "c/ab.rs"), ("c/a.rs", "c/ab/d.rs")]
    {
        let texts = [("lib.rs", "mod c;"), (home, "pub trait A {}"), (file, "impl dyn crate::c::a::A {}")];
        let hub = ("c/mod.rs", "mod a; mod b; mod ab;");
        let found = if file == hub.0 {
            planted(&[texts[0], texts[1], (file, "mod a; impl dyn a::A {}")])
        } else {
            planted(&[&texts[..], &[hub, ("c/ab/mod.rs", "mod d;")]].concat())
        };
        assert!(found.ends_with(" has methods here and is defined in src/c/a.rs"), "{file}: {found}");
    }
    assert_eq!(
        planted(&[("lib.rs", "mod a;"), ("a.rs", "impl Nowhere {}")]),
        "src/a.rs:1: Nowhere has methods here and is defined nowhere"
    );
}

#[test]
fn methods_at_home_are_let_be() {
    for (home, file) in
        [("a.rs", "a.rs"), ("a.rs", "a/b.rs"), ("a/mod.rs", "a/b.rs"), ("a/mod.rs", "a/b/c.rs")]
    {
        let text = "impl crate::a::A {}";
        let home_text = if home == file { "pub struct A; impl A {}" } else { "mod b; pub struct A;" };
        let mut texts = vec![("lib.rs", "mod a;"), (home, home_text)];
        texts.extend((home != file).then_some((file, text)));
        if file == "a/b/c.rs" {
            texts.push(("a/b.rs", "mod c;"));
        }
        assert_eq!(planted(&texts), "", "{file}");
    }
    let a = ("a.rs", "pub struct A;");
    for text in [
        "impl Clone for crate::a::A {}",
        "trait More {} impl More for crate::a::A {}",
        "#[cfg(test)] impl crate::a::A {}",
        "#[cfg(test)] mod tests { impl crate::a::A {} }",
        "struct Own; impl Own {}",
        "fn f() { struct Inner; impl Inner {} }",
        "mod inner { pub struct Inner; impl Inner {} }",
    ] {
        assert_eq!(planted(&[("lib.rs", "mod a; mod b;"), a, ("b.rs", text)]), "", "{text}");
    }
    let exempt = ("exempt/b.rs", "impl crate::a::A {}");
    assert_eq!(planted(&[("lib.rs", "mod a; mod exempt;"), a, ("exempt/mod.rs", "mod b;"), exempt]), "");
}
