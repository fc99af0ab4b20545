//! The names that people see: those of the sources, and more only where that would mean several tools.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use super::Registry;
use super::called::NameIndex;
use crate::model::{Registered, ToolName, is_hidden};

impl Registry {
    /// The same registry, with the names that people see who are in this folder of the project.
    #[must_use]
    pub fn seen_from(mut self, here: Option<&Path>) -> Self {
        let at_root = of(&self, Some(Path::new("")));
        let elsewhere = here.filter(|here| !here.as_os_str().is_empty()).map(|here| of(&self, Some(here)));
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
fn of(registry: &Registry, here: Option<&Path>) -> Vec<String> {
    let called = NameIndex::of(registry);
    // Many tools have the same names to try.
    let mut meant: HashMap<Cow<'_, str>, Option<&ToolName>> = HashMap::new();
    let mut note = |name: &Cow<'_, str>, tool: &Registered| {
        // A name of a tool that is withheld is no name of another.
        if registry.withheld().is_empty()
            && let Some(only) = called.only(name, here)
        {
            return std::ptr::eq(only, tool);
        }
        if let Some(known) = meant.get(name) {
            return known.is_some_and(|found| *found == tool.name);
        }
        let found = registry.meant(&called.among(name, here), name, here).ok();
        let is_it = found.is_some_and(|found| found.name == tool.name);
        if !is_it {
            meant.insert(name.clone().into_owned().into(), found.map(|found| &found.name));
        }
        is_it
    };
    let mut shown = |tool: &Registered| {
        let mut names = candidates(registry, tool, here);
        let name = names.find(|name| is_plain(name) && note(name, tool));
        name.map_or_else(|| tool.name.to_string(), quoted)
    };
    registry.tools().iter().map(&mut shown).collect()
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
