//! The packages of workspaces: for people a source each, for agents one tool for each name, with the package as an argument.

use std::collections::{HashMap, HashSet};

use crate::model::{Registered, Severity, Spelling, ToolName, nearest};

use super::Registry;

/// The argument of an agent's tool that says which package is meant.
pub const PACKAGE: &str = "package";

/// A tool as agents have it: one of the registry, or all those of one workspace that have the same name.
#[derive(Debug)]
pub struct AgentTool<'r> {
    /// Its name: of the workspace where packages share it.
    pub name: ToolName,
    /// The root's own, where there is one, else the first package's.
    pub first: &'r Registered,
    /// Whether the root has it, so that a call may leave the package out.
    pub has_root: bool,
    /// The packages that have it, by the names that tell them apart; none where it is no script of a workspace.
    pub packages: Vec<(&'r str, &'r Registered)>,
}

/// Why an agent's tool of a workspace leads to no package.
#[derive(Debug, PartialEq, Eq)]
pub enum NoPackage {
    /// None was given, and the root has no such tool. These packages have it.
    Missing(Vec<String>),
    /// No package of this name has it. These have, and one of them may be meant.
    Unknown(Vec<String>, Option<String>),
}

impl AgentTool<'_> {
    /// Whether packages share it.
    pub fn is_shared(&self) -> bool {
        !self.packages.is_empty()
    }
}

impl Registry {
    /// The same registry, in which these instances are of packages, each with the instance of its workspace. A pattern of the
    /// settings that means nothing in one package may mean something in another.
    #[must_use]
    pub fn with_workspaces(mut self, workspaces: impl IntoIterator<Item = (String, String)>) -> Self {
        self.workspaces = workspaces.into_iter().collect();
        if self.workspaces.is_empty() {
            return self;
        }
        let mut sizes: HashMap<&str, usize> = HashMap::new();
        for workspace in self.workspaces.values() {
            *sizes.entry(workspace).or_insert(1) += 1;
        }
        let mut told: HashMap<(&str, &str), usize> = HashMap::new();
        for one in self.problems.iter().filter(|one| one.problem.is_of_pattern()) {
            *told.entry((self.workspace(&one.instance), &one.problem.message)).or_default() += 1;
        }
        let is_kept = |instance: &str, message: &str| {
            let size = sizes.get(self.workspace(instance)).copied().unwrap_or(1);
            let is_package = self.workspaces.contains_key(instance);
            !is_package && told.get(&(instance, message)).is_some_and(|count| *count == size)
        };
        let kept: Vec<bool> = self
            .problems
            .iter()
            .map(|one| !one.problem.is_of_pattern() || is_kept(&one.instance, &one.problem.message))
            .collect();
        let mut kept = kept.into_iter();
        self.problems.retain(|_| kept.next().unwrap_or(true));
        // A package without scripts is nothing odd.
        let offering: HashSet<&str> = self.tools.iter().map(|tool| tool.name.instance.as_str()).collect();
        let workspaces = &self.workspaces;
        self.problems.retain(|one| {
            let is_told = one.problem.severity != Severity::Warning || one.problem.fault.is_some();
            is_told || offering.contains(&*one.instance) || !workspaces.contains_key(&one.instance)
        });
        self
    }

    /// The instance of the workspace that an instance belongs to: itself where it is no package.
    fn workspace<'a>(&'a self, instance: &'a str) -> &'a str {
        self.workspaces.get(instance).map_or(instance, String::as_str)
    }

    /// An instance, and those of the packages of its workspace.
    pub fn family<'a>(&'a self, instance: &'a str) -> impl Iterator<Item = &'a str> {
        let packages = self.workspaces.iter().filter(move |(_, workspace)| *workspace == instance);
        std::iter::once(instance).chain(packages.map(|(package, _)| package.as_str()))
    }

    /// Whether an instance is another one, or of a package of its workspace.
    pub fn is_in_family(&self, instance: &str, of: &str) -> bool {
        self.workspace(instance) == of || instance == of
    }

    /// The name of the package that a tool is of, where it is one of a workspace.
    pub fn package_of<'a>(&'a self, found: &'a Registered) -> Option<&'a str> {
        let instance = &found.name.instance;
        self.is_package(instance).then(|| self.package_name(instance))
    }

    /// Whether an instance is of a package of a workspace.
    pub fn is_package(&self, instance: &str) -> bool {
        self.workspaces.contains_key(instance)
    }

    /// Whether an instance is of a workspace with packages that are offered.
    pub fn has_packages(&self, instance: &str) -> bool {
        self.workspaces.values().any(|workspace| workspace == instance)
    }

    /// Every tool as agents have it, in order.
    pub fn for_agents(&self) -> Vec<AgentTool<'_>> {
        let mut tools: Vec<AgentTool<'_>> = Vec::with_capacity(self.tools.len());
        let mut places: HashMap<(&str, &str), usize> = HashMap::new();
        let shared: HashSet<&str> = self.workspaces.values().map(String::as_str).collect();
        for found in &self.tools {
            let instance = found.name.instance.as_str();
            let workspace = self.workspace(instance);
            let is_package = workspace != instance;
            let named = is_package.then(|| (self.package_name(instance), found));
            if !shared.contains(workspace) || found.tool.role.is_list() {
                tools.push(AgentTool::of(found));
                continue;
            }
            if let Some(at) = places.get(&(workspace, found.name.local.as_str())) {
                tools[*at].packages.extend(named);
                continue;
            }
            places.insert((workspace, &found.name.local), tools.len());
            let name = ToolName { instance: workspace.to_owned(), local: found.name.local.clone() };
            let packages = named.into_iter().collect();
            tools.push(AgentTool { name, first: found, has_root: !is_package, packages });
        }
        tools
    }

    /// The name by which agents call a tool, and the package that they name beside it.
    pub fn for_agent<'a>(&'a self, found: &'a Registered) -> (ToolName, Option<&'a str>) {
        let instance = self.workspace(&found.name.instance).to_owned();
        (ToolName { instance, local: found.name.local.clone() }, self.package_of(found))
    }

    /// The name by which agents tell the package of an instance apart: its own, else its folder.
    fn package_name<'a>(&'a self, instance: &'a str) -> &'a str {
        let names = self.package(instance);
        let scoped = names.iter().find(|name| name.starts_with('@'));
        scoped.or_else(|| names.first()).map_or(instance, String::as_str)
    }

    /// The tool that packages share and that an agent names: by its qualified name, or by its original one where that is
    /// unambiguous.
    pub fn shared(&self, name: &str, spelling: Spelling) -> Option<AgentTool<'_>> {
        if self.workspaces.is_empty() || name.is_empty() {
            return None;
        }
        let mut tools = self.for_agents();
        let spelled = |spelling| {
            tools.iter().position(|tool: &AgentTool<'_>| tool.is_shared() && tool.name.is(name, spelling))
        };
        let exact =
            spelled(spelling).or_else(|| spelled(Spelling::Dotted)).or_else(|| spelled(Spelling::Portable));
        let by_original = || {
            let is_called = |tool: &AgentTool<'_>| tool.first.tool.original == name;
            let mut called = tools.iter().enumerate().filter(|(_, tool)| is_called(tool));
            let (at, tool) = called.next()?;
            (called.next().is_none() && tool.is_shared() && !self.withholds(name)).then_some(at)
        };
        let at = exact.or_else(by_original)?;
        Some(tools.swap_remove(at))
    }
}

impl<'r> AgentTool<'r> {
    /// A tool that no packages share.
    pub fn of(found: &'r Registered) -> Self {
        Self { name: found.name.clone(), first: found, has_root: true, packages: Vec::new() }
    }

    /// All tools that it stands for.
    pub fn all(&self) -> impl Iterator<Item = &'r Registered> {
        let root = self.has_root.then_some(self.first);
        root.into_iter().chain(self.packages.iter().map(|(_, found)| *found))
    }

    /// The tool of the package that is meant; without one the root's.
    ///
    /// # Errors
    /// When no package of that name has it, or none is named and the root has it not.
    pub fn of_package(
        &self,
        registry: &Registry,
        package: Option<&str>,
    ) -> Result<&'r Registered, NoPackage> {
        let names = || self.packages.iter().map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>();
        let package = match package {
            None | Some("" | ".") if self.has_root => return Ok(self.first),
            None => return Err(NoPackage::Missing(names())),
            Some(package) => package,
        };
        let is_called = |found: &Registered| {
            let instance = &found.name.instance;
            instance == package || registry.package(instance).iter().any(|name| name == package)
        };
        let exact = self.packages.iter().find(|(name, _)| *name == package);
        let found = exact.or_else(|| self.packages.iter().find(|(_, found)| is_called(found)));
        found.map(|(_, found)| *found).ok_or_else(|| {
            let meant = nearest(package, self.packages.iter().map(|(name, _)| *name)).map(str::to_owned);
            NoPackage::Unknown(names(), meant)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::{Discovery, ErrorCode, Heading, Problem};
    use crate::registry::ReportedProblem;
    use crate::registry::names::tests::script;

    fn registry() -> Registry {
        let package = |instance: &str, name: &str, scripts: &[&str]| {
            let tools = scripts.iter().map(|script_name| script(&format!("npm_{script_name}"), script_name));
            let heading = Heading::default().of_package(Some(name), &format!("packages/{instance}"));
            let discovery = Discovery { tools: tools.collect(), heading, ..Discovery::default() };
            (instance.to_owned(), "p", Arc::new(discovery))
        };
        let root = Discovery { tools: vec![script("npm_test", "test")], ..Discovery::default() };
        let make = Discovery { tools: vec![script("make_lint", "lint")], ..Discovery::default() };
        let of_workspace = |instance: &str| (instance.to_owned(), "root".to_owned());
        Registry::new([
            ("root".to_owned(), "p", Arc::new(root)),
            package("core", "@x/core", &["test", "lint"]),
            package("ui", "@x/ui", &["test", "dev"]),
            ("make".to_owned(), "m", Arc::new(make)),
        ])
        .with_workspaces([of_workspace("core"), of_workspace("ui")])
    }

    #[test]
    fn packages_share_a_tool_and_an_argument_tells_them_apart() {
        let registry = registry();
        let listed = registry
            .for_agents()
            .iter()
            .map(|tool| {
                let packages: Vec<&str> = tool.packages.iter().map(|(name, _)| *name).collect();
                format!("{} {} [{}]", tool.name, tool.has_root, packages.join(" "))
            })
            .collect::<Vec<_>>()
            .join("\n");
        insta::assert_snapshot!(listed, @r"
        root.npm_test true [@x/core @x/ui]
        root.npm_lint false [@x/core]
        root.npm_dev false [@x/ui]
        make.make_lint true []
        ");
        let called = |name: &str, package: Option<&str>| {
            let Some(tool) = registry.shared(name, Spelling::Dotted) else { return "not shared".to_owned() };
            match tool.of_package(&registry, package) {
                Ok(found) => found.name.to_string(),
                Err(NoPackage::Missing(packages)) => format!("one of {}", packages.join(" ")),
                Err(NoPackage::Unknown(_, meant)) => format!("unknown, perhaps {meant:?}"),
            }
        };
        for (name, package, expected) in [
            ("root.npm_test", None, "root.npm_test"),
            ("root.npm_test", Some("."), "root.npm_test"),
            ("root.npm_test", Some("@x/ui"), "ui.npm_test"),
            ("root.npm_test", Some("ui"), "ui.npm_test"),
            ("root.npm_test", Some("packages/ui"), "ui.npm_test"),
            ("root.npm_test", Some("@x/iu"), "unknown, perhaps Some(\"@x/ui\")"),
            ("test", Some("core"), "core.npm_test"),
            ("dev", None, "one of @x/ui"),
            // make has one of this name.
            ("lint", Some("core"), "not shared"),
            ("root.npm_lint", Some("core"), "core.npm_lint"),
            ("core.npm_lint", None, "not shared"),
            ("make.make_lint", Some("core"), "not shared"),
        ] {
            assert_eq!(called(name, package), expected, "{name} {package:?}");
        }
    }

    #[test]
    fn a_pattern_is_idle_where_no_package_has_what_it_names() {
        let idle = |instance: &str, pattern: &str| ReportedProblem {
            instance: instance.to_owned(),
            plugin: "p",
            problem: Problem::warning(pattern).numbered(ErrorCode::InvalidPattern),
        };
        let all = [("root", "a"), ("core", "a"), ("ui", "a"), ("root", "b"), ("ui", "b"), ("make", "b")];
        let registry = Registry::default()
            .with_problems(all.map(|(instance, pattern)| idle(instance, pattern)))
            .with_workspaces([("core".to_owned(), "root".to_owned()), ("ui".to_owned(), "root".to_owned())]);
        let kept: Vec<String> = registry
            .problems()
            .iter()
            .map(|one| format!("{} {}", one.instance, one.problem.message))
            .collect();
        assert_eq!(kept, ["root a", "make b"]);
    }
}
