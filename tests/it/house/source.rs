//! The contents of a Rust file, as far as the rules need them. They are read from its tokens. So comments and
//! strings are neither code nor imports, and the content of a macro is.

use std::collections::BTreeSet;
use std::iter::Peekable;
use std::str::FromStr as _;
use std::vec;

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

/// A file of `src/`.
#[derive(Debug)]
pub(super) struct Source {
    /// Relative to `src/`: `model/tool.rs`.
    pub(super) name: String,
    pub(super) rust: Rust,
}

/// The contents of a file. Lines count from 1; tests are left out of everything.
#[derive(Debug, Default)]
pub(super) struct Rust {
    /// Paths that start at the root of the crate: `crate::model::Tool` as `[model, Tool]`.
    pub(super) inner: Vec<Mention>,
    /// All other paths: `clap::Arg`.
    pub(super) outer: Vec<Mention>,
    /// The lines that hold code.
    pub(super) lines: BTreeSet<usize>,
    /// The modules that are declared at the top of the file.
    pub(super) modules: Vec<String>,
    /// The modules that are declared for tests alone, from the root of the crate.
    pub(super) test_modules: Vec<Vec<String>>,
    /// The texts between quotes, those of attributes as well.
    pub(super) texts: Vec<Text>,
    /// The names of the variants of enums.
    pub(super) variants: Vec<Text>,
    /// The names of structs, enums, traits, unions, and of type aliases outside of them.
    pub(super) types: Vec<Text>,
    /// The lines with `allow` in an attribute.
    pub(super) allowed: Vec<usize>,
    /// The lines with `todo!` or `unimplemented!`.
    pub(super) unfinished: Vec<usize>,
}

/// A path and where it stands.
#[derive(Debug)]
pub(super) struct Mention {
    pub(super) line: usize,
    pub(super) path: Vec<String>,
}

/// A text between quotes or a name, and where it begins.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) line: usize,
    pub(super) text: String,
}

impl Source {
    /// The path of its module from the root of the crate.
    pub(super) fn module(&self) -> Vec<String> {
        module_of(&self.name)
    }

    /// The row of the map that it belongs to: a module at the root of the crate, or `main.rs`, or `lib.rs`.
    pub(super) fn owner(&self) -> String {
        self.module().into_iter().next().unwrap_or_else(|| self.name.clone())
    }
}

fn module_of(name: &str) -> Vec<String> {
    let mut parts: Vec<String> = name.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    let last = parts.last().map(String::as_str);
    if last == Some("mod") || (parts.len() == 1 && matches!(last, Some("lib" | "main"))) {
        parts.pop();
    }
    parts
}

impl Rust {
    /// Reads the text of a file, whose name gives its place among the modules.
    pub(super) fn read(text: &str, name: &str) -> Self {
        let tokens = TokenStream::from_str(text).unwrap_or_else(|error| panic!("src/{name}: {error}"));
        let mut rust = Self::default();
        rust.items(tokens, &module_of(name), 0);
        rust
    }

    /// Reads the tokens between two braces, or of the whole file, within a module.
    fn items(&mut self, tokens: TokenStream, module: &[String], depth: usize) {
        let mut tokens = Tokens(tokens.into_iter().collect::<Vec<_>>().into_iter().peekable());
        let (mut importing, mut enumerating) = (false, false);
        while let Some(token) = tokens.0.next() {
            match token {
                TokenTree::Punct(mark) if mark.as_char() == '#' => {
                    let Some(attribute) = tokens.attribute() else { continue };
                    match word(&attribute).as_deref() {
                        Some("doc") => {}
                        Some("cfg") if attribute.stream().to_string().replace(' ', "") == "cfg(test)" => {
                            let test = tokens.skip_item();
                            self.test_modules.extend(test.map(|name| [module, &[name]].concat()));
                        }
                        _ => {
                            if names_allow(&attribute) {
                                self.allowed.push(attribute.span_open().start().line);
                            }
                            self.group(&attribute, module, depth);
                        }
                    }
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' && tokens.joined(mark.spacing()) => {
                    // `::clap::Arg` is never a path of this crate.
                    if let Some(TokenTree::Ident(first)) = tokens.0.next() {
                        self.path(&mut tokens, first.to_string(), first.span().start().line, None);
                    }
                }
                TokenTree::Punct(mark) => {
                    self.lines.insert(mark.span().start().line);
                    importing &= mark.as_char() != ';';
                }
                TokenTree::Literal(literal) => {
                    let line = literal.span().start().line;
                    self.lines.extend(line..=literal.span().end().line);
                    self.texts.extend(quoted(&literal.to_string()).map(|text| Text { line, text }));
                }
                TokenTree::Group(group) if importing && group.delimiter() == Delimiter::Brace => {
                    self.branches(&group, &[], Some(module));
                }
                TokenTree::Group(group) => {
                    if std::mem::take(&mut enumerating) && group.delimiter() == Delimiter::Brace {
                        self.variants.extend(variants(&group));
                    }
                    self.group(&group, module, depth);
                }
                TokenTree::Ident(ident) => {
                    let line = ident.span().start().line;
                    self.lines.insert(line);
                    let text = ident.to_string();
                    match text.as_str() {
                        "use" => importing = true,
                        "struct" | "enum" | "trait" | "union" => {
                            enumerating = text == "enum";
                            self.types.extend(tokens.next_name(line));
                        }
                        "type" if depth == 0 => self.types.extend(tokens.next_name(line)),
                        "mod" => self.module(&mut tokens, module, depth),
                        "todo" | "unimplemented" if tokens.next_is('!') => self.unfinished.push(line),
                        _ if importing || tokens.next_is_separator() => {
                            self.path(&mut tokens, text, line, Some(module));
                        }
                        _ => {}
                    }
                }
            }
        }
    }

    fn group(&mut self, group: &Group, module: &[String], depth: usize) {
        self.lines.insert(group.span_open().start().line);
        self.lines.insert(group.span_close().start().line);
        self.items(group.stream(), module, depth + 1);
    }

    /// `mod name;` or `mod name { … }`.
    fn module(&mut self, tokens: &mut Tokens, module: &[String], depth: usize) {
        let Some(TokenTree::Ident(name)) = tokens.0.next() else { return };
        let name = name.to_string();
        if let Some(TokenTree::Group(body)) = tokens.0.next_if(|token| matches!(token, TokenTree::Group(_))) {
            self.group(&body, &[module, &[name]].concat(), depth);
        } else if depth == 0 {
            self.modules.push(name);
        }
    }

    /// The rest of a path whose first word was read, with all its branches. Without a module it is a foreign one.
    fn path(&mut self, tokens: &mut Tokens, first: String, line: usize, module: Option<&[String]>) {
        self.lines.insert(line);
        let mut path = vec![first];
        while tokens.separator() {
            match tokens.0.peek() {
                Some(TokenTree::Ident(next)) => path.push(next.to_string()),
                Some(TokenTree::Punct(star)) if star.as_char() == '*' => path.push("*".to_owned()),
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                    let group = group.clone();
                    tokens.0.next();
                    return self.branches(&group, &path, module);
                }
                // A turbofish: its tokens are read like any others.
                _ => break,
            }
            tokens.0.next();
        }
        self.mention(line, path, module);
    }

    /// `{a, b::c}` of an import.
    fn branches(&mut self, group: &Group, before: &[String], module: Option<&[String]>) {
        self.lines.extend([group.span_open().start().line, group.span_close().start().line]);
        let mut tokens = Tokens(group.stream().into_iter().collect::<Vec<_>>().into_iter().peekable());
        while let Some(token) = tokens.0.next() {
            let line = token.span().start().line;
            self.lines.insert(line);
            match token {
                TokenTree::Ident(renamed) if renamed == "as" => drop(tokens.0.next()),
                TokenTree::Ident(first) => {
                    let mut inner = Self::default();
                    inner.path(&mut tokens, first.to_string(), line, None);
                    self.lines.extend(inner.lines);
                    for mention in inner.outer {
                        self.mention(mention.line, [before, &mention.path].concat(), module);
                    }
                }
                TokenTree::Punct(star) if star.as_char() == '*' => {
                    self.mention(line, [before, &["*".to_owned()]].concat(), module);
                }
                TokenTree::Group(nested) => self.branches(&nested, before, module),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    /// Notes a path, from the root of the crate where it leads there.
    fn mention(&mut self, line: usize, path: Vec<String>, module: Option<&[String]>) {
        let Some(module) = module else { return self.outer.push(Mention { line, path }) };
        let mut place = match path[0].as_str() {
            // The binary calls the library by its name.
            "crate" | "cuff" => Vec::new(),
            "self" | "super" => module.to_vec(),
            _ => return self.outer.push(Mention { line, path }),
        };
        for step in &path[usize::from(path[0] != "super")..] {
            match step.as_str() {
                "super" => drop(place.pop()),
                "self" => {}
                _ => place.push(step.clone()),
            }
        }
        // `pub(crate)`, `pub(super)`, `use super::*` at the second level: they name no module.
        if !place.is_empty() {
            self.inner.push(Mention { line, path: place });
        }
    }
}

struct Tokens(Peekable<vec::IntoIter<TokenTree>>);

impl Tokens {
    /// The bracketed part of an attribute whose `#` was read.
    fn attribute(&mut self) -> Option<Group> {
        self.0.next_if(|token| matches!(token, TokenTree::Punct(mark) if mark.as_char() == '!'));
        match self.0.next_if(|token| matches!(token, TokenTree::Group(_))) {
            Some(TokenTree::Group(group)) => Some(group),
            _ => None,
        }
    }

    /// Skips the item that an attribute stands before; answers its name when it is a module.
    fn skip_item(&mut self) -> Option<String> {
        let mut name = None;
        while let Some(token) = self.0.next() {
            match token {
                TokenTree::Ident(word) if word == "mod" => name = self.0.peek().map(ToString::to_string),
                TokenTree::Punct(mark) if mark.as_char() == ';' => break,
                TokenTree::Group(body) if body.delimiter() == Delimiter::Brace && !self.next_is(';') => break,
                _ => {}
            }
        }
        name
    }

    /// The name that comes next.
    fn next_name(&mut self, line: usize) -> Option<Text> {
        match self.0.peek() {
            Some(TokenTree::Ident(name)) => Some(Text { line, text: name.to_string() }),
            _ => None,
        }
    }

    fn next_is(&mut self, mark: char) -> bool {
        matches!(self.0.peek(), Some(TokenTree::Punct(next)) if next.as_char() == mark)
    }

    /// Whether the colon just read was the first half of `::`; reads the second.
    fn joined(&mut self, spacing: Spacing) -> bool {
        spacing == Spacing::Joint && self.next_is(':') && self.0.next().is_some()
    }

    /// Whether `::` comes next.
    fn next_is_separator(&mut self) -> bool {
        matches!(
            self.0.peek(),
            Some(TokenTree::Punct(mark)) if mark.as_char() == ':' && mark.spacing() == Spacing::Joint
        )
    }

    /// Reads `::` when it comes next.
    fn separator(&mut self) -> bool {
        self.next_is_separator() && self.0.next().is_some() && self.0.next().is_some()
    }
}

/// The names that an enum's braces begin with, and those behind each comma.
fn variants(body: &Group) -> Vec<Text> {
    let (mut found, mut begins) = (Vec::new(), true);
    for token in body.stream() {
        match token {
            TokenTree::Ident(name) if begins => {
                found.push(Text { line: name.span().start().line, text: name.to_string() });
                begins = false;
            }
            TokenTree::Punct(mark) if mark.as_char() == ',' => begins = true,
            _ => {}
        }
    }
    found
}

/// The text between the quotes of a literal, escapes as they are written: of `"a"`, `r#"a"#` and `b"a"` it is
/// `a`.
fn quoted(literal: &str) -> Option<String> {
    let text = literal.trim_start_matches(['b', 'c', 'r', '#']).strip_prefix('"')?;
    text.trim_end_matches('#').strip_suffix('"').map(str::to_owned)
}

fn word(attribute: &Group) -> Option<String> {
    attribute.stream().into_iter().next().map(|first| first.to_string())
}

fn names_allow(attribute: &Group) -> bool {
    match word(attribute).as_deref() {
        Some("allow") => true,
        Some("cfg_attr") => attribute.stream().into_iter().any(|token| match token {
            TokenTree::Group(inner) => inner.stream().into_iter().any(|token| token.to_string() == "allow"),
            _ => false,
        }),
        _ => false,
    }
}
