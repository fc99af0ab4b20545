//! A tool under the name by which it is called, and the names that people have for it.

use std::borrow::Cow;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use super::{Caller, Patterns, Role, SharedTool, Spelling, ToolName};

/// The names of no package, which most tools share.
static NO_PACKAGE: LazyLock<Arc<[String]>> = LazyLock::new(|| [].into());

/// A tool under its final name.
#[derive(Debug, Clone)]
pub struct Registered {
    /// The qualified name.
    pub name: ToolName,
    /// The name that people see and may type: the one of its source where that means it alone.
    pub shown: String,
    /// The same for people in the project's root, where that is another.
    pub at_root: Option<String>,
    /// The built-in it comes from, by id.
    pub plugin: &'static str,
    /// The names of the package that its source is of, the shortest first; none for the root's.
    pub package: Arc<[String]>,
    /// The tool as its plugin found it; `tool.name` is the name that the plugin wanted.
    pub tool: SharedTool,
}

impl Registered {
    /// A tool that people see by its qualified name, as long as nobody has looked for a shorter one.
    pub fn new(name: ToolName, plugin: &'static str, tool: impl Into<SharedTool>) -> Self {
        let shown = name.spelled(Spelling::Dotted);
        Self { shown, at_root: None, name, plugin, package: Arc::clone(&NO_PACKAGE), tool: tool.into() }
    }

    /// The name that people in the project's root see.
    pub fn shown_at_root(&self) -> &str {
        self.at_root.as_ref().unwrap_or(&self.shown)
    }

    /// The name in messages: agents read the qualified one, by which they call it.
    pub fn name_for(&self, caller: Caller) -> String {
        if caller.is_governed() { self.name.to_string() } else { self.shown.clone() }
    }

    /// The name of the program that it starts, without its folder: `npm`. `None` for a tool that starts none.
    pub fn program(&self) -> Option<&str> {
        match &self.tool.role {
            Role::Run { command, .. } => Path::new(&command.program.text).file_name()?.to_str(),
            Role::List(_) | Role::Relay(_) => None,
        }
    }

    /// All that it is called without its instance: the local name, the original, and the last part of that with and without
    /// its ending.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let whole = [self.name.local.as_str(), self.tool.original.as_str()].map(Some);
        let names = whole.into_iter().chain([self.last_part(), self.stem()]).flatten();
        names.filter(|name| !name.is_empty())
    }

    /// The names that patterns of settings are held against: the local name, the original, and those with its package in
    /// front where it has one: `core:test`, `core.npm_test`.
    pub fn rule_names(&self) -> Vec<Cow<'_, str>> {
        let mut names: Vec<Cow<'_, str>> = vec![(&*self.name.local).into(), (&*self.tool.original).into()];
        if !self.package.is_empty() {
            // The instance may have a longer name, where two packages want the same.
            let fronts = self.package.iter();
            names.extend(fronts.clone().map(|package| format!("{package}:{}", self.tool.original).into()));
            names.extend(fronts.map(|package| format!("{package}.{}", self.name.local).into()));
            names.push(self.name.to_string().into());
        }
        names
    }

    /// Whether a pattern of settings means it, where the pattern may allow more than before. One that names no package, as `core:*`
    /// does, is held against its own names alone: `c*` means no tool of a package `core`.
    pub fn is_meant_by(&self, pattern: &str) -> bool {
        let (patterns, _) = Patterns::new([pattern]);
        let own = if pattern.contains([':', '.', '/']) { usize::MAX } else { 2 };
        self.rule_names().iter().take(own).any(|name| patterns.matches(name))
    }

    /// Whether this is its local name or its original.
    pub fn is_called(&self, name: &str) -> bool {
        self.name.local == name || self.tool.original == name
    }

    /// Whether this is another name of it in its source.
    pub fn has_alias(&self, name: &str) -> bool {
        self.tool.aliases.iter().any(|alias| alias == name)
    }

    /// The last part of an original that is a path: `seed.py`.
    pub fn last_part(&self) -> Option<&str> {
        let (_, last) = self.tool.original.rsplit_once('/')?;
        (!last.is_empty()).then_some(last)
    }

    /// The name of the file that the tool is, without its ending: `seed`.
    pub fn stem(&self) -> Option<&str> {
        self.file()?.file_stem()?.to_str()
    }

    /// The file that the tool is, from the root; `None` for a script of package.json or a target of any name.
    pub fn file(&self) -> Option<&Path> {
        let (file, original) = (&self.tool.source.file, &self.tool.original);
        // Most scripts are called by their whole path; to compare names one by one takes longer.
        let is_it = !original.is_empty() && (file == original || Path::new(file).ends_with(original));
        is_it.then_some(Path::new(file))
    }

    /// The folder that the tool belongs to, from the root: its working directory, or for a list tool the
    /// folder of its source.
    pub fn folder(&self) -> &Path {
        match &self.tool.role {
            Role::Run { command, .. } => &command.directory,
            Role::List(_) | Role::Relay(_) => {
                Path::new(&self.tool.source.file).parent().unwrap_or(Path::new(""))
            }
        }
    }
}

/// Of tools that are called alike, those that the project named; where it named none, all of them.
pub fn foremost(mut tools: Vec<&Registered>) -> Vec<&Registered> {
    if tools.iter().any(|tool| tool.tool.is_named_by_project()) {
        tools.retain(|tool| tool.tool.is_named_by_project());
    }
    tools
}

/// Of tools that are called alike, those of the innermost folder around `here`; where there is none, all of them.
pub fn around<'a>(mut tools: Vec<&'a Registered>, here: Option<&Path>) -> Vec<&'a Registered> {
    let depth = |tool: &Registered| {
        let folder = tool.folder();
        let folder = folder.strip_prefix(".").unwrap_or(folder);
        here.is_some_and(|here| here.starts_with(folder)).then(|| folder.components().count())
    };
    if let Some(deepest) = tools.iter().filter_map(|tool| depth(tool)).max() {
        tools.retain(|tool| depth(tool) == Some(deepest));
    }
    tools
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Command, Location, Tool, Word};

    #[test]
    fn a_rule_that_may_loosen_means_a_package_only_where_it_names_one() {
        let command = Command::new(Word::fixed("npm"));
        let tool = Tool::running("npm_deploy", "deploy", Location::file("package.json"), command);
        let name = ToolName { instance: "core".into(), local: "npm_deploy".into() };
        let mut found = Registered::new(name, "p", tool);
        found.package = ["core".to_owned(), "@shop/core".to_owned()].into();
        for pattern in ["deploy", "npm_*", "*", "core:*", "*:deploy", "@shop/core:deploy", "core.npm_deploy"]
        {
            assert!(found.is_meant_by(pattern), "{pattern}");
        }
        for pattern in ["c*", "@*", "core", "other:*", "test"] {
            assert!(!found.is_meant_by(pattern), "{pattern}");
        }
    }
}
