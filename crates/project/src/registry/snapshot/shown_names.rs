//! The names that people see: those of the sources, and more only where that would mean several tools.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use super::Registry;
use crate::model::{Registered, ToolName, is_hidden, path};

impl Registry {
    /// The same registry, with the names that people see who are in this folder of the project.
    #[must_use]
    pub fn seen_from(mut self, here: Option<&Path>) -> Self {
        let at_root = names(&self, Some(Path::new("")));
        let elsewhere = here.filter(|here| !here.as_os_str().is_empty()).map(|here| names(&self, Some(here)));
        for (tool, name) in self.tools.iter_mut().zip(at_root) {
            (tool.shown, tool.at_root) = (name, None);
        }
        for (tool, name) in self.tools.iter_mut().zip(elsewhere.into_iter().flatten()) {
            tool.at_root = Some(std::mem::replace(&mut tool.shown, name));
        }
        self
    }
}

/// One name for each tool, in their order. Typed in the folder `here`, each means its tool and no other.
fn names(registry: &Registry, here: Option<&Path>) -> Vec<String> {
    let index = NameIndex::of(registry);
    // Many tools have the same names to try.
    let mut meant: HashMap<Cow<'_, str>, Option<&ToolName>> = HashMap::new();
    let mut is_name_of = |name: &Cow<'_, str>, tool: &Registered| {
        if let Some(known) = meant.get(name) {
            return known.is_some_and(|found| *found == tool.name);
        }
        let found = registry.meant(&index.among(name, here), name, here).ok();
        let is_it = found.is_some_and(|found| found.name == tool.name);
        if !is_it {
            meant.insert(name.clone().into_owned().into(), found.map(|found| &found.name));
        }
        is_it
    };
    let mut shown = |tool: &Registered| {
        let mut names = candidates(registry, tool, here);
        let name = names.find(|name| is_plain(name) && is_name_of(name, tool));
        name.map_or_else(|| tool.name.to_string(), quoted)
    };
    registry.tools().iter().map(&mut shown).collect()
}

/// The places of tools by all that they are called: the names of a large project are looked up thousands of times.
struct NameIndex<'r> {
    tools: &'r [Registered],
    names: WordIndex<'r>,
    /// By what may stand before a name: an instance, a program, a package.
    sources: WordIndex<'r>,
    files: WordIndex<'r>,
}

/// The places of the tools of each word, in order.
type WordIndex<'r> = HashMap<&'r str, Vec<usize>>;

impl<'r> NameIndex<'r> {
    fn of(registry: &'r Registry) -> Self {
        let (mut names, mut sources, mut files) = <(WordIndex<'r>, WordIndex<'r>, WordIndex<'r>)>::default();
        for (at, tool) in registry.tools().iter().enumerate() {
            let add = |words: &mut WordIndex<'r>, word| words.entry(word).or_default().push(at);
            tool.names().for_each(|name| add(&mut names, name));
            let instance = tool.name.instance.as_str();
            let package = registry.package(instance).iter().map(String::as_str);
            package.chain([instance]).chain(tool.program()).for_each(|source| add(&mut sources, source));
            if tool.file().is_some() {
                add(&mut files, &tool.tool.source.file);
            }
        }
        Self { tools: registry.tools(), names, sources, files }
    }

    /// The tools that a typed name may mean, in their order, and perhaps some that it does not mean.
    fn among(&self, typed: &str, here: Option<&Path>) -> Vec<&'r Registered> {
        let mut places = of(&self.names, typed).to_vec();
        let parted = typed.match_indices('.').chain(typed.match_indices(':').take(1));
        for (at, _) in parted {
            let (named, of_source) = (of(&self.names, &typed[at + 1..]), of(&self.sources, &typed[..at]));
            places.extend(if named.len() < of_source.len() { named } else { of_source });
        }
        if let Some(here) = here.and_then(Path::to_str).filter(|_| typed.contains('/')) {
            places.extend(of(&self.files, &path::join(here, typed)));
        }
        places.sort_unstable();
        places.dedup();
        places.into_iter().map(|at| &self.tools[at]).collect()
    }
}

fn of<'w>(words: &'w WordIndex<'_>, word: &str) -> &'w [usize] {
    words.get(word).map_or(&[], Vec::as_slice)
}

/// The names that a tool may be shown by, the best first. Scripts of a workspace package have the package in
/// front, unless one is in it: most packages have the same scripts.
fn candidates<'r>(
    registry: &'r Registry,
    tool: &'r Registered,
    here: Option<&Path>,
) -> impl Iterator<Item = Cow<'r, str>> {
    let original = Some(tool.tool.original.as_str()).filter(|original| !original.is_empty());
    let package = registry.package(&tool.name.instance);
    let is_elsewhere = !package.is_empty() && !here.is_some_and(|here| here.starts_with(tool.folder()));
    let behind = move |source: &str| Some(Cow::Owned(format!("{source}:{}", original?)));
    let alone = move |is_it: bool| original.filter(|_| is_it).map(Cow::Borrowed);
    let sources = tool.program().into_iter().chain([tool.name.instance.as_str()]);
    alone(!is_elsewhere)
        .into_iter()
        .chain(package.iter().filter_map(move |source| behind(source)))
        .chain(alone(is_elsewhere))
        .chain(sources.filter_map(behind))
        .chain([Cow::Borrowed(tool.name.local.as_str())])
}

/// Whether a name can be typed as it is seen, in quotes if it has blanks.
fn is_plain(name: &str) -> bool {
    let is_odd = |letter: char| letter.is_whitespace() && letter != ' ' || is_hidden(letter);
    let is_quotable = !name.contains(' ') || !name.contains(['\'', '\\']);
    !name.is_empty() && !name.starts_with('-') && !name.contains(is_odd) && is_quotable
}

/// A name as it is typed in a shell.
fn quoted(name: Cow<'_, str>) -> String {
    if name.contains(' ') { format!("'{name}'") } else { name.into_owned() }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::model::{Command, Discovery, Heading, Location, Tool, Word};
    use crate::registry::Registry;

    use super::*;

    fn tools(program: &str, folder: &str, originals: &[&str]) -> Vec<Tool> {
        let tool = |original: &&str| {
            let command = Command::new(Word::fixed(program)).directory(folder);
            let file = if original.contains('/') { (*original).to_owned() } else { format!("{folder}/file") };
            let local = format!("{program}_{}", original.replace([':', '/', '.'], "_"));
            Tool::running(local, *original, Location::file(file), command)
        };
        originals.iter().map(tool).collect()
    }

    fn registry() -> Registry {
        let package = |name: &str, folder: &str| Heading::of("x").of_package(Some(name), folder);
        let discovery = |tools, heading| Arc::new(Discovery { tools, heading, ..Discovery::default() });
        let root = Heading::of("package.json");
        Registry::new([
            (
                "packagejson".into(),
                "p",
                discovery(tools("npm", "", &["test", "test:unit", "core:lint"]), root),
            ),
            (
                "core".into(),
                "p",
                discovery(
                    tools("npm", "packages/core", &["test", "lint", "only"]),
                    package("@shop/core", "packages/core"),
                ),
            ),
            (
                "ui".into(),
                "p",
                discovery(tools("npm", "packages/ui", &["test"]), package("ui", "packages/ui")),
            ),
            (
                "makefile".into(),
                "m",
                discovery(tools("make", "", &["test", "check"]), Heading::of("Makefile")),
            ),
            (
                "scripts".into(),
                "s",
                discovery(tools("sh", ".", &["scripts/seed.py", "bin/only"]), Heading::default()),
            ),
        ])
    }

    fn shown(here: Option<&str>) -> Vec<String> {
        let registry = registry().seen_from(here.map(Path::new));
        for tool in registry.tools() {
            let found = registry.find(&tool.shown, here.map(Path::new));
            assert_eq!(found.map(|found| &found.name), Ok(&tool.name), "{} is typeable", tool.shown);
        }
        registry.tools().iter().map(|tool| tool.shown.clone()).collect()
    }

    #[test]
    fn names_are_those_of_the_source_and_each_means_one_tool() {
        let names = [
            "npm:test",
            "test:unit",
            "core:lint",
            "core:test",
            "@shop/core:lint",
            "core:only",
            "ui:test",
            "make:test",
            "check",
            "scripts/seed.py",
            "bin/only",
        ];
        assert_eq!(shown(Some("")), names);
    }

    #[test]
    fn a_package_in_which_one_stands_needs_no_words_before_its_scripts() {
        let names = shown(Some("packages/core/src"));
        assert_eq!(names[3..7], ["test", "lint", "only", "ui:test"]);
        assert_eq!((names[0].as_str(), names[7].as_str()), ("packagejson:test", "make:test"));
    }

    #[test]
    fn a_name_that_cannot_be_typed_gives_way_to_the_qualified_one() {
        let odd = ["-x", "a b", "a\u{202e}b", ""];
        let discovery = Discovery { tools: tools("npm", "", &odd), ..Discovery::default() };
        let registry = Registry::new([("p".to_owned(), "p", Arc::new(discovery))]).seen_from(None);
        assert_eq!(registry.tools()[1].shown, "'a b'");
        for tool in registry.tools() {
            assert!(is_plain(tool.shown.trim_matches('\'')), "{:?}", tool.shown);
            let found = registry.find(&tool.shown, None);
            assert_eq!(found.map(|found| &found.name), Ok(&tool.name), "{}", tool.shown);
        }
    }
}
