//! A value of the model is made by its constructor, so that a new field touches one file.

use std::collections::BTreeSet;
use std::fs;
use std::str::FromStr as _;

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

use super::{files, none, root};

/// The values that only the model writes as a literal.
const CONSTRUCTED: [&str; 2] = ["Command", "Tool"];

/// The values whose fields only the model spells out in full; `..` may vary one.
const VARIED: [&str; 5] = ["PluginInfo", "Change", "File", "Glob", "Location"];

/// The literals of these values in a text, each with its line.
fn literals(text: &str, name: &str) -> Vec<String> {
    let tokens = TokenStream::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut found = Vec::new();
    read(&tokens, &declared(&tokens), &mut found);
    found.into_iter().map(|(line, value)| format!("{name}:{line}: {value}")).collect()
}

/// The types that a file has of its own.
fn declared(tokens: &TokenStream) -> BTreeSet<String> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let types = tokens.windows(2).filter(|pair| is_one_of(&pair[0], &["enum", "struct"]));
    types.map(|pair| pair[1].to_string()).collect()
}

fn read(tokens: &TokenStream, own: &BTreeSet<String>, found: &mut Vec<(usize, String)>) {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    // Behind `->`, `impl` and the like, the braces after a name hold a body.
    let (mut returned, mut declared) = (false, false);
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(name) => {
                declared |= is_one_of(token, &["enum", "impl", "struct", "trait"]);
                let braces = match tokens.get(at + 1) {
                    Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => group,
                    _ => continue,
                };
                let value = name.to_string();
                if returned || declared || own.contains(&value) || is_variant(&tokens[..at]) {
                    continue;
                }
                let rest = rest(braces);
                if CONSTRUCTED.contains(&&*value) && rest != Rest::Ignored
                    || VARIED.contains(&&*value) && rest == Rest::None
                {
                    found.push((name.span().start().line, value));
                }
            }
            TokenTree::Punct(mark) => match mark.as_char() {
                '>' => returned |= at > 0 && is_arrow(&tokens[at - 1]),
                ',' => returned = false,
                ';' => (returned, declared) = (false, false),
                _ => {}
            },
            TokenTree::Group(group) => {
                if group.delimiter() == Delimiter::Brace {
                    (returned, declared) = (false, false);
                }
                read(&group.stream(), own, found);
            }
            TokenTree::Literal(_) => {}
        }
    }
}

fn is_one_of(token: &TokenTree, words: &[&str]) -> bool {
    matches!(token, TokenTree::Ident(word) if words.iter().any(|one| word == one))
}

/// Whether this is the first half of `->`.
fn is_arrow(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(mark) if mark.as_char() == '-' && mark.spacing() == Spacing::Joint)
}

/// Whether the name behind these tokens belongs to a type: `Shape::Command`.
fn is_variant(before: &[TokenTree]) -> bool {
    match before {
        [.., TokenTree::Ident(owner), TokenTree::Punct(first), TokenTree::Punct(second)] => {
            (first.as_char(), second.as_char()) == (':', ':')
                && owner.to_string().starts_with(|first: char| first.is_ascii_uppercase())
        }
        _ => false,
    }
}

/// The end of a literal's braces: the fields that they do not name.
#[derive(Debug, PartialEq, Eq)]
enum Rest {
    /// They name all.
    None,
    /// `..`, in a pattern.
    Ignored,
    /// `..base`.
    Copied,
}

fn rest(braces: &Group) -> Rest {
    let tokens: Vec<String> = braces.stream().into_iter().map(|token| token.to_string()).collect();
    let begins = |at: usize| at == 0 || tokens[at - 1] == ",";
    match (1..tokens.len()).find(|at| begins(at - 1) && tokens[at - 1] == "." && tokens[*at] == ".") {
        None => Rest::None,
        Some(at) if at + 1 == tokens.len() => Rest::Ignored,
        Some(_) => Rest::Copied,
    }
}

fn sources_outside_of_the_model() -> Vec<(String, String)> {
    let folders = ["src", "crates", "tests/it", "fuzz/src", "fuzz/targets"];
    let rust = folders.iter().flat_map(|folder| files(&root().join(folder))).filter(|file| {
        file.extension().is_some_and(|extension| extension == "rs")
            && !file.starts_with(root().join("crates/model/src"))
    });
    rust.map(|file| {
        let name = file.strip_prefix(root()).expect("a file below it").to_str().expect("a name of ours");
        (name.to_owned(), fs::read_to_string(&file).expect("a file of ours"))
    })
    .collect()
}

#[test]
fn values_are_made_in_the_model() {
    let model: String = files(&root().join("crates/model/src"))
        .into_iter()
        .map(|file| fs::read_to_string(file).expect("a file of ours"))
        .collect();
    for value in CONSTRUCTED.iter().chain(&VARIED) {
        assert!(
            model.contains(&format!("pub struct {value} {{")),
            "the rule looks for what is there: {value}"
        );
    }
    let offenders: Vec<String> =
        sources_outside_of_the_model().iter().flat_map(|(name, text)| literals(text, name)).collect();
    none(
        &offenders,
        "call the constructor of the value, in crates/model/src/, and the methods that change one field",
    );
}

#[test]
fn planted_literals_are_found() {
    for (text, found) in [
        ("fn a() -> Tool { Tool { name } }", "a.rs:1: Tool"),
        ("fn a() {\n b(model::Command { c: 0..1, d }) }", "a.rs:2: Command"),
        ("fn a() { vec![Tool { name, ..b() }] }", "a.rs:1: Tool"),
        ("fn a() { let f: fn() -> u8 = b; Location { file, line, column } }", "a.rs:1: Location"),
        ("impl A for B { fn c(&self) -> &Change { &Change { name, value, origin } } }", "a.rs:1: Change"),
        ("fn a(Location { file, line, column }: &Location) {}", "a.rs:1: Location"),
    ] {
        assert_eq!(literals(text, "a.rs").join("; "), found, "{text}");
    }
    for text in [
        "fn a(tool: &Tool) -> &Command { let Tool { role, .. } = tool; role }",
        "impl<A, B> From<A> for Tool { fn b() -> Result<A, Command> where A: B { Tool::listing() } }",
        "struct Change { a: u8 }\nfn b() { Change { a: 1 } }",
        "fn a() { Shape::Command { a: 1 } }\n// Tool { a }\nconst B: &str = \"Tool { a }\";",
        "fn a() { Location { line, ..b() } }",
    ] {
        assert_eq!(literals(text, "a.rs"), [""; 0], "{text}");
    }
}
