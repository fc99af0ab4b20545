//! The modules of `src/` as `syn` reads them: the items that each file defines, and the items that its paths lead to.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, Meta, Token, UseTree};

/// The path of a module from the root of the crate.
type Module = Vec<String>;

/// The library, without its tests.
#[derive(Debug)]
pub(super) struct Tree {
    /// Every path of every file.
    pub(super) mentions: Vec<Mention>,
    /// Every `impl Type { … }`.
    pub(super) impls: Vec<InherentImpl>,
}

#[derive(Debug, Default)]
struct Scopes(BTreeMap<Module, Scope>);

/// The names of one module.
#[derive(Debug, Default)]
struct Scope {
    file: String,
    children: BTreeSet<String>,
    /// Each item, and its target path if it is an alias of a type.
    items: BTreeMap<String, Option<Vec<String>>>,
    bindings: Vec<(String, Vec<String>)>,
    globs: Vec<Vec<String>>,
}

/// The place where an item is defined.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Definition {
    module: Module,
    /// Relative to `src/`.
    pub(super) file: String,
    pub(super) name: String,
}

/// A path that a file has written down.
#[derive(Debug)]
pub(super) struct Mention {
    /// Relative to `src/`.
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) path: String,
    /// Several if a name is a type and a function, and none if the path names a module or another crate.
    pub(super) definitions: BTreeSet<Definition>,
    /// Whether it starts with `crate`, `self` or `super`, but leads nowhere.
    pub(super) is_lost: bool,
}

/// An `impl Type { … }`.
#[derive(Debug)]
pub(super) struct InherentImpl {
    /// Relative to `src/`.
    pub(super) file: String,
    pub(super) line: usize,
    /// The type as it is written.
    pub(super) written: String,
    pub(super) definition: Option<Definition>,
}

/// A name that a path has reached.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Module(Module),
    Item(Definition),
}

impl Tree {
    /// The library as it is.
    pub(super) fn of_library() -> &'static Self {
        static LIBRARY: LazyLock<Tree> = LazyLock::new(|| {
            let texts = super::texts();
            Tree::read(texts.iter().map(|(name, text)| (name.as_str(), text.as_str())))
        });
        &LIBRARY
    }

    /// Reads files by their names relative to `src/`. Binaries are left out: nothing can import them.
    pub(super) fn read<'text>(texts: impl IntoIterator<Item = (&'text str, &'text str)>) -> Self {
        let (mut files, mut for_tests) = (Vec::new(), BTreeSet::new());
        for (name, text) in texts {
            if name == "main.rs" || name.starts_with("bin/") {
                continue;
            }
            let file = syn::parse_file(text).unwrap_or_else(|error| panic!("src/{name}: {error}"));
            let module = module_of(name);
            let declared = file.items.iter().filter_map(|item| match item {
                Item::Mod(child) if is_test(&child.attrs) => Some(child.ident.to_string()),
                _ => None,
            });
            for_tests.extend(declared.map(|child| [module.as_slice(), &[child]].concat()));
            files.push((name, module, file));
        }
        files.retain(|(_, module, _)| !for_tests.iter().any(|test| module.starts_with(test)));
        let mut scopes = Scopes::default();
        for (name, module, file) in &files {
            let mut declarations = Declarations { file: name, module: module.clone(), scopes: &mut scopes };
            declarations.scope();
            declarations.visit_file(file);
        }
        let mut tree = Self { mentions: Vec::new(), impls: Vec::new() };
        for (name, module, file) in &files {
            let (scopes, tree) = (&scopes, &mut tree);
            Reader { scopes, file: name, module: module.clone(), tree }.visit_file(file);
        }
        tree
    }
}

impl Scopes {
    /// The names that a path of a module leads to.
    fn resolve(
        &self,
        module: &[String],
        path: &[String],
        seen: &mut BTreeSet<(Module, String)>,
    ) -> BTreeSet<Target> {
        let Some((first, rest)) = path.split_first() else { return BTreeSet::new() };
        let mut targets = match first.as_str() {
            "crate" => BTreeSet::from([Target::Module(Vec::new())]),
            "self" => BTreeSet::from([Target::Module(module.to_vec())]),
            "super" => BTreeSet::from([Target::Module(above(module))]),
            _ => self.look_up(module, first, seen),
        };
        for step in rest {
            let inner: BTreeSet<Target> = targets
                .iter()
                .filter_map(|target| match target {
                    Target::Module(module) => Some(module),
                    Target::Item(_) => None,
                })
                .flat_map(|module| match step.as_str() {
                    "self" => BTreeSet::from([Target::Module(module.clone())]),
                    "super" => BTreeSet::from([Target::Module(above(module))]),
                    _ => self.look_up(module, step, seen),
                })
                .collect();
            // Else a variant of an item, or a function of it.
            if inner.is_empty() {
                targets.retain(|target| matches!(target, Target::Item(_)));
            } else {
                targets = inner;
            }
        }
        targets
    }

    fn look_up(
        &self,
        module: &[String],
        name: &str,
        seen: &mut BTreeSet<(Module, String)>,
    ) -> BTreeSet<Target> {
        let Some(scope) = self.0.get(module) else { return BTreeSet::new() };
        let mut targets = BTreeSet::new();
        if scope.children.contains(name) {
            targets.insert(Target::Module([module, &[name.to_owned()]].concat()));
        }
        if scope.items.contains_key(name) {
            let (module, file, name) = (module.to_vec(), scope.file.clone(), name.to_owned());
            targets.insert(Target::Item(Definition { module, file, name }));
        }
        // `use names::names` where `names` is a child: the import must not be asked for its own first word.
        if !seen.insert((module.to_vec(), name.to_owned())) {
            return targets;
        }
        for (_, path) in scope.bindings.iter().filter(|(binding, _)| binding == name) {
            targets.extend(self.resolve(module, path, seen));
        }
        if targets.is_empty() {
            for glob in &scope.globs {
                for target in self.resolve(module, glob, seen) {
                    if let Target::Module(inner) = target {
                        targets.extend(self.look_up(&inner, name, seen));
                    }
                }
            }
        }
        seen.remove(&(module.to_vec(), name.to_owned()));
        targets
    }

    fn definitions(&self, module: &[String], path: &[String]) -> (BTreeSet<Definition>, bool) {
        let targets = self.resolve(module, path, &mut BTreeSet::new());
        let ours = matches!(path[0].as_str(), "crate" | "self" | "super");
        let is_lost = ours && targets.is_empty();
        let definitions = targets.into_iter().filter_map(|target| match target {
            Target::Item(definition) => Some(definition),
            Target::Module(_) => None,
        });
        (definitions.collect(), is_lost)
    }

    /// The definition of a type, also through the aliases that it may have.
    fn type_at(&self, module: &[String], path: &[String]) -> Option<Definition> {
        let definition = self.definitions(module, path).0.into_iter().next()?;
        match &self.0[&definition.module].items[&definition.name] {
            Some(aliased) => self.type_at(&definition.module, aliased),
            None => Some(definition),
        }
    }
}

/// The first pass: the names of each module.
struct Declarations<'tree> {
    file: &'tree str,
    module: Module,
    scopes: &'tree mut Scopes,
}

impl Declarations<'_> {
    fn scope(&mut self) -> &mut Scope {
        let scope = self.scopes.0.entry(self.module.clone()).or_default();
        self.file.clone_into(&mut scope.file);
        scope
    }
}

impl<'ast> Visit<'ast> for Declarations<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if is_test(attributes(item)) {
            return;
        }
        let name = match item {
            Item::Mod(module) => {
                let name = module.ident.to_string();
                self.scope().children.insert(name.clone());
                self.module.push(name);
                if module.content.is_some() {
                    self.scope();
                }
                visit::visit_item(self, item);
                self.module.pop();
                return;
            }
            Item::Use(import) if import.leading_colon.is_none() => {
                for Leaf { path, name, .. } in leaves(&import.tree) {
                    match name.as_str() {
                        "*" => self.scope().globs.push(path),
                        _ => self.scope().bindings.push((name, path)),
                    }
                }
                return;
            }
            Item::Type(alias) => {
                let aliased = match &*alias.ty {
                    syn::Type::Path(aliased) if aliased.qself.is_none() => Some(words(&aliased.path)),
                    _ => None,
                };
                self.scope().items.insert(alias.ident.to_string(), aliased);
                return;
            }
            Item::Const(item) => Some(&item.ident),
            Item::Enum(item) => Some(&item.ident),
            Item::Fn(item) => Some(&item.sig.ident),
            Item::Macro(item) => {
                // A file that declares a macro for itself has the items that this makes.
                for name in made(item.mac.tokens.clone()) {
                    self.scope().items.insert(name, None);
                }
                item.ident.as_ref()
            }
            Item::Static(item) => Some(&item.ident),
            Item::Struct(item) => Some(&item.ident),
            Item::Trait(item) => Some(&item.ident),
            Item::Union(item) => Some(&item.ident),
            _ => None,
        };
        if let Some(name) = name {
            self.scope().items.insert(name.to_string(), None);
        }
        visit::visit_item(self, item);
    }
}

/// The names of the items in the body of a macro.
fn made(tokens: TokenStream) -> Vec<String> {
    let mut names = Vec::new();
    let mut follows = false;
    for token in tokens {
        match token {
            TokenTree::Ident(word) => {
                let word = word.to_string();
                if follows {
                    names.push(word.clone());
                }
                follows = ["const", "enum", "fn", "static", "struct"].contains(&word.as_str());
            }
            TokenTree::Group(group) => {
                follows = false;
                names.extend(made(group.stream()));
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => follows = false,
        }
    }
    names
}

/// The second pass: the paths of each module, and its methods.
struct Reader<'tree> {
    scopes: &'tree Scopes,
    file: &'tree str,
    module: Module,
    tree: &'tree mut Tree,
}

impl Reader<'_> {
    fn mention(&mut self, line: usize, path: &[String]) {
        let (definitions, is_lost) = self.scopes.definitions(&self.module, path);
        let file = self.file.to_owned();
        self.tree.mentions.push(Mention { file, line, path: path.join("::"), definitions, is_lost });
    }

    /// The paths among the tokens of a macro or an attribute, which have no syntax of their own.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let (mut line, mut colons) = (0, 0);
        for token in tokens {
            match token {
                TokenTree::Ident(word) => {
                    if colons != 2 {
                        self.flush(line, &mut path);
                        line = word.span().start().line;
                    }
                    path.push(word.to_string());
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => {
                    let goes_on = colons == 1 || mark.spacing() == Spacing::Joint;
                    colons = if goes_on { colons + 1 } else { 0 };
                }
                TokenTree::Group(group) => {
                    // `use a::{b, c}` within a macro: the names in the braces continue the path.
                    if colons == 2 && group.delimiter() == Delimiter::Brace {
                        let before = std::mem::take(&mut path);
                        self.continued(&before, group.stream());
                    } else {
                        self.flush(line, &mut path);
                        self.tokens(group.stream());
                    }
                    colons = 0;
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {
                    self.flush(line, &mut path);
                    colons = 0;
                }
            }
        }
        self.flush(line, &mut path);
    }

    fn continued(&mut self, before: &[String], branches: TokenStream) {
        for branch in branches {
            if let TokenTree::Ident(word) = branch {
                self.mention(word.span().start().line, &[before, &[word.to_string()]].concat());
            }
        }
    }

    fn flush(&mut self, line: usize, path: &mut Vec<String>) {
        let path = std::mem::take(path);
        // `self.field`, or a word of its own.
        if path.len() > 1 || path.first().is_some_and(|word| word != "self") {
            self.mention(line, &path);
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            _ if is_test(attributes(item)) => {}
            Item::Mod(module) => {
                self.module.push(module.ident.to_string());
                visit::visit_item(self, item);
                self.module.pop();
            }
            Item::Use(import) if import.leading_colon.is_none() => {
                for Leaf { path, line, .. } in leaves(&import.tree) {
                    self.mention(line, &path);
                }
            }
            Item::Impl(block) if block.trait_.is_none() => {
                let path = named(&block.self_ty);
                let definition = path.as_deref().and_then(|path| self.scopes.type_at(&self.module, path));
                let written = path.map_or_else(|| "a type without a name".to_owned(), |path| path.join("::"));
                let (file, line) = (self.file.to_owned(), block.impl_token.span.start().line);
                self.tree.impls.push(InherentImpl { file, line, written, definition });
                visit::visit_item(self, item);
            }
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        let attributes = match item {
            syn::ImplItem::Const(item) => &item.attrs,
            syn::ImplItem::Fn(item) => &item.attrs,
            syn::ImplItem::Type(item) => &item.attrs,
            _ => &Vec::new(),
        };
        if !is_test(attributes) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        if !is_test(&field.attrs) {
            visit::visit_field(self, field);
        }
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        if !is_test(&variant.attrs) {
            visit::visit_variant(self, variant);
        }
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if !is_test(&arm.attrs) {
            visit::visit_arm(self, arm);
        }
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if !is_test(&local.attrs) {
            visit::visit_local(self, local);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.leading_colon.is_none() && !path.is_ident("self") {
            self.mention(path.segments[0].ident.span().start().line, &words(path));
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        visit::visit_macro(self, call);
        self.tokens(call.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        visit::visit_attribute(self, attribute);
        if let Meta::List(list) = &attribute.meta {
            self.tokens(list.tokens.clone());
        }
    }
}

/// The path of a type with a name.
fn named(ty: &syn::Type) -> Option<Vec<String>> {
    match ty {
        syn::Type::Path(ty) if ty.qself.is_none() => Some(words(&ty.path)),
        syn::Type::Paren(ty) => named(&ty.elem),
        syn::Type::Group(ty) => named(&ty.elem),
        syn::Type::TraitObject(ty) => ty.bounds.iter().find_map(|bound| match bound {
            syn::TypeParamBound::Trait(bound) => Some(words(&bound.path)),
            _ => None,
        }),
        _ => None,
    }
}

/// One name of an import.
struct Leaf {
    path: Vec<String>,
    /// The name that it has here.
    name: String,
    line: usize,
}

fn leaves(tree: &UseTree) -> Vec<Leaf> {
    fn below(tree: &UseTree, before: &[String], leaves: &mut Vec<Leaf>) {
        let joined = |word: &syn::Ident| [before, &[word.to_string()]].concat();
        match tree {
            UseTree::Path(path) => below(&path.tree, &joined(&path.ident), leaves),
            UseTree::Group(group) => group.items.iter().for_each(|tree| below(tree, before, leaves)),
            UseTree::Glob(glob) => {
                let line = glob.star_token.spans[0].start().line;
                leaves.push(Leaf { path: before.to_vec(), name: "*".to_owned(), line });
            }
            // `a::{self}` is `a`.
            UseTree::Name(name) if name.ident == "self" && !before.is_empty() => {
                let (path, line) = (before.to_vec(), name.ident.span().start().line);
                leaves.push(Leaf { path, name: before[before.len() - 1].clone(), line });
            }
            UseTree::Name(name) => {
                let (path, line) = (joined(&name.ident), name.ident.span().start().line);
                leaves.push(Leaf { path, name: name.ident.to_string(), line });
            }
            UseTree::Rename(name) => {
                let path = if name.ident == "self" { before.to_vec() } else { joined(&name.ident) };
                let line = name.ident.span().start().line;
                leaves.push(Leaf { path, name: name.rename.to_string(), line });
            }
        }
    }
    let mut all = Vec::new();
    below(tree, &[], &mut all);
    all
}

fn words(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect()
}

fn above(module: &[String]) -> Module {
    module[..module.len().saturating_sub(1)].to_vec()
}

fn module_of(name: &str) -> Module {
    let mut parts: Module = name.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if parts.last().is_some_and(|last| last == "mod") || parts == ["lib"] {
        parts.pop();
    }
    parts
}

/// `#[cfg(test)]`, or `test` as one of several conditions that must all hold.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).any(|attribute| {
        attribute.parse_args::<Meta>().is_ok_and(|condition| match condition {
            Meta::Path(path) => path.is_ident("test"),
            Meta::List(list) if list.path.is_ident("all") => list
                .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
                .is_ok_and(|all| all.iter().any(|condition| condition.path().is_ident("test"))),
            _ => false,
        })
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
