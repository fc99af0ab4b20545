//! Finds the tool for a typed name: qualified, local or original name, or the name of its file.

use std::path::Path;

use super::Registry;
use crate::model::{Registered, around, foremost};
use crate::model::{Spelling, ToolName, path};
use crate::registry::names::clean;
use crate::registry::near;

/// Why a name leads to no tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoSuchTool {
    /// Nothing is called so; these come near.
    Unknown {
        /// The likely tools, the likeliest first.
        near: Vec<ToolName>,
    },
    /// Several are called so.
    Ambiguous {
        /// All of them.
        candidates: Vec<ToolName>,
    },
}

/// The longest name that is looked for, in bytes: a script is called by its path, too. Nothing is like a longer one, and looking
/// for what is would take long.
const LONGEST_NAME: usize = 4096;

/// Whether a tool of a registry may be meant by a typed name.
type NameMatch = fn(&Registry, &Registered, &str) -> bool;

impl Registry {
    /// The tool of exactly this qualified name, as MCP names it.
    pub fn named(&self, qualified: &str, spelling: Spelling) -> Option<&Registered> {
        self.tools.iter().find(|tool| tool.name.is(qualified, spelling))
    }

    /// The tool that an agent calls: by its qualified name, by its source's name for it where that is unambiguous, or by both
    /// as any other face writes them.
    ///
    /// # Errors
    /// When nothing or more than one thing is called so.
    pub fn resolve(&self, name: &str, spelling: Spelling) -> Result<&Registered, NoSuchTool> {
        if let Some(exact) = self.named(name, spelling) {
            return Ok(exact);
        }
        if name.len() > LONGEST_NAME {
            return Err(NoSuchTool::Unknown { near: Vec::new() });
        }
        if self.withholds(name) {
            return Err(self.missing(name, spelling));
        }
        // First a name with its instance: no source takes that from another by what it calls its own tools.
        let mut called: Vec<&Registered> = self.tools.iter().filter(|tool| is_written(tool, name)).collect();
        let is_original = |tool: &&Registered| !name.is_empty() && tool.tool.original == name;
        if called.is_empty() && self.tools.iter().any(|tool| is_original(&tool)) {
            let is_called = |tool: &&Registered| is_original(tool) || tool.name.local == name;
            called = self.tools.iter().filter(is_called).collect();
        }
        // The name that lists show to people.
        if called.is_empty() {
            called = self.tools.iter().filter(|tool| tool.shown_at_root() == name).collect();
        }
        match called.as_slice() {
            [] => Err(self.missing(name, spelling)),
            [one] => Ok(one),
            several => {
                let candidates = several.iter().map(|tool| tool.name.clone()).collect();
                Err(NoSuchTool::Ambiguous { candidates })
            }
        }
    }

    /// Finds a tool by a qualified name, a local name, an original (`test:unit`, `scripts/seed.py`), or the
    /// last part of one (`seed.py`, `seed`).
    ///
    /// Among several it prefers those that the project named to those that cuff named. Of those it takes the
    /// one of the innermost folder that contains `here`, a path from the root.
    ///
    /// # Errors
    /// When no tool or more than one has the name.
    pub fn find(&self, typed: &str, here: Option<&Path>) -> Result<&Registered, NoSuchTool> {
        // Lists show a name with blanks in quotes.
        let unquoted = typed.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
        let typed = unquoted.unwrap_or(typed);
        let all: Vec<&Registered> = self.tools.iter().collect();
        self.meant(&all, typed, here).map_err(|several| match several.as_slice() {
            [] if is_of_here(typed) => self.missing(typed.trim_start_matches(['.', '/']), Spelling::Dotted),
            [] => self.missing(typed, Spelling::Dotted),
            _ => NoSuchTool::Ambiguous {
                candidates: several.into_iter().map(|tool| tool.name.clone()).collect(),
            },
        })
    }

    /// The tool that [`find`](Self::find) finds, where all that may be meant are among these, in their order.
    ///
    /// # Errors
    /// Those that are meant, where that is none or several.
    pub(super) fn meant<'r>(
        &self,
        among: &[&'r Registered],
        typed: &str,
        here: Option<&Path>,
    ) -> Result<&'r Registered, Vec<&'r Registered>> {
        let exact = among.iter().find(|tool| tool.name.is(typed, Spelling::Dotted));
        if let Some(exact) = exact.or_else(|| Self::at(among, typed, here)) {
            return Ok(exact);
        }
        // A path as a shell completes it means the file there, and no other of that name.
        if is_of_here(typed) || self.withholds(typed) {
            return Err(Vec::new());
        }
        let steps: [NameMatch; 6] = [
            |_, tool, typed| Self::is_called(tool, typed, Registered::is_called),
            |_, tool, typed| Self::is_called(tool, typed, Registered::has_alias),
            |_, tool, typed| Self::is_called(tool, typed, |tool, name| tool.last_part() == Some(name)),
            |_, tool, typed| Self::is_called(tool, typed, |tool, name| tool.stem() == Some(name)),
            Self::is_of_source,
            |_, tool, typed| is_written(tool, typed),
        ];
        for is_meant in steps.into_iter().filter(|_| !typed.is_empty()) {
            let called = among.iter().copied().filter(|tool| is_meant(self, tool, typed));
            let mut found = foremost(around(called.collect(), here));
            // `scripts/test` is the project's own word for what cuff would call `test`.
            if found.iter().all(|tool| !tool.tool.is_named_by_project()) {
                let scripts = among.iter().copied().filter(|tool| is_script_called(tool, typed));
                let scripts = scripts.filter(|_| !found.is_empty());
                let mut scripts = around(found.iter().copied().chain(scripts).collect(), here);
                scripts.retain(|tool| is_script_called(tool, typed));
                if !scripts.is_empty() {
                    found = scripts;
                }
            }
            match found.as_slice() {
                [] => {}
                [one] => return Ok(one),
                _ => return Err(found),
            }
        }
        Err(Vec::new())
    }

    /// Whether a tool is called so, by itself or behind its instance: `lint`, `eslint.lint`.
    fn is_called(tool: &Registered, typed: &str, is_called: fn(&Registered, &str) -> bool) -> bool {
        let within = typed.strip_prefix(&tool.name.instance).and_then(|rest| rest.strip_prefix('.'));
        is_called(tool, typed) || within.is_some_and(|name| !name.is_empty() && is_called(tool, name))
    }

    /// Whether a tool is called so behind a word for its source: `core:test`, `packages/core:test`, `npm:test`.
    fn is_of_source(&self, tool: &Registered, typed: &str) -> bool {
        let Some((source, name)) = typed.split_once(':').filter(|(_, name)| !name.is_empty()) else {
            return false;
        };
        let is_source = || {
            let package = self.package(&tool.name.instance);
            tool.name.instance == source
                || tool.program() == Some(source)
                || package.iter().any(|word| word == source)
        };
        tool.is_called(name) && is_source()
    }

    /// The tool that is withheld from the caller and has this name, as [`named`](Self::named) and [`find`](Self::find) look.
    pub fn withheld_named(&self, typed: &str, spelling: Spelling) -> Option<&Registered> {
        if typed.len() > LONGEST_NAME {
            return None;
        }
        let mut exact = self.withheld().iter().filter(|tool| tool.name.is(typed, spelling));
        let mut called =
            self.withheld().iter().filter(|tool| tool.is_called(typed) || is_written(tool, typed));
        exact.next().or_else(|| called.next())
    }

    /// Whether a tool that is withheld has this name. Then it is no name of another: a tool that is withheld must not have
    /// its calls go elsewhere.
    pub(super) fn withholds(&self, name: &str) -> bool {
        let mut withheld = self.withheld().iter();
        withheld.any(|tool| tool.is_called(name) || self.is_of_source(tool, name) || is_written(tool, name))
    }

    /// The other tools that have the name by which this one was found as their own or their source's, too.
    pub fn called_so_too(&self, typed: &str, found: &Registered) -> Vec<&ToolName> {
        let is_script = !found.is_called(typed) && is_script_called(found, typed);
        let is_called = |tool: &&Registered| tool.is_called(typed) || is_script && tool.has_alias(typed);
        let others = self.tools.iter().filter(|tool| tool.name != found.name).filter(is_called);
        others.filter(|_| is_script || found.is_called(typed)).map(|tool| &tool.name).collect()
    }

    /// The script at this path, relative to the person's folder.
    fn at<'a, 'r>(
        among: &'a [&'r Registered],
        typed: &str,
        here: Option<&Path>,
    ) -> Option<&'a &'r Registered> {
        let here = here.filter(|_| typed.contains('/'))?;
        let file = path::join(here.to_str()?, typed);
        let is_it = |tool: &&&Registered| tool.tool.source.file == file && tool.file().is_some();
        among.iter().find(is_it)
    }

    /// Why a name that is no tool's leads nowhere.
    pub fn missing(&self, typed: &str, spelling: Spelling) -> NoSuchTool {
        let mut candidates = self.wanting(typed, spelling);
        if candidates.len() > 1 {
            return NoSuchTool::Ambiguous { candidates };
        }
        if candidates.is_empty() {
            candidates = near::near(&self.tools, typed, spelling);
        }
        NoSuchTool::Unknown { near: candidates }
    }

    /// The tools that would have this name, had it not been too long or wanted by several.
    fn wanting(&self, typed: &str, spelling: Spelling) -> Vec<ToolName> {
        let wants = |tool: &&Registered| {
            let wanted = ToolName { local: clean(&tool.tool.name).into_owned(), ..tool.name.clone() };
            wanted.local == typed || wanted.is(typed, spelling)
        };
        self.tools.iter().filter(wants).map(|tool| tool.name.clone()).collect()
    }
}

/// Whether a name is the tool's behind its instance, as any face writes it: `git-hub.create-issue`, `git-hub__create_issue`,
/// `gitHub.createIssue`.
fn is_written(tool: &Registered, typed: &str) -> bool {
    [".", "__"].into_iter().flat_map(|separator| typed.match_indices(separator)).any(|(at, separator)| {
        let (instance, name) = (&typed[..at], &typed[at + separator.len()..]);
        let is_name = is_same(name, &tool.name.local) || is_same(name, &tool.tool.original);
        is_name && is_same(instance, &tool.name.instance)
    })
}

/// Whether two names have the same letters and digits: faces differ in capitals and in what stands between words.
fn is_same(one: &str, other: &str) -> bool {
    let letters = |name: &'_ str| {
        let letters = name.chars().filter(|letter| letter.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect::<String>()
    };
    let wanted = letters(one);
    !wanted.is_empty() && wanted == letters(other)
}

/// Whether a tool is a script of this name directly in a folder of scripts: `scripts/test`, `bin/test.sh`.
fn is_script_called(tool: &Registered, typed: &str) -> bool {
    tool.tool.original.matches('/').count() == 1 && tool.stem() == Some(typed)
}

/// Whether a path says that it begins in the folder of who typed it.
fn is_of_here(typed: &str) -> bool {
    typed.starts_with("./") || typed.starts_with("../")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::Discovery;
    use crate::registry::names::tests::script;

    fn discovery(tools: &[(&str, &str)]) -> Arc<Discovery> {
        let tool = |(name, original): &(&str, &str)| script(name, original);
        Arc::new(Discovery { tools: tools.iter().map(tool).collect(), ..Discovery::default() })
    }

    fn listed(names: &[ToolName]) -> String {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(" ") }
    }

    #[test]
    fn names_of_the_project_go_before_names_of_a_plugin() {
        let registry = Registry::new([
            ("eslint".into(), "e", discovery(&[("lint", "lint"), ("fix", "fix")])),
            ("web".into(), "p", discovery(&[("npm_lint", "lint")])),
        ]);
        for (typed, expected) in
            [("lint", "web.npm_lint"), ("eslint.lint", "eslint.lint"), ("fix", "eslint.fix")]
        {
            assert_eq!(registry.find(typed, None).map(|tool| tool.name.to_string()), Ok(expected.to_owned()));
        }
        for (typed, expected) in
            [("lint", "eslint.lint"), ("eslint.lint", "none"), ("web.lint", "none"), ("fix", "none")]
        {
            let also: Vec<ToolName> = registry
                .called_so_too(typed, registry.find(typed, None).unwrap())
                .into_iter()
                .cloned()
                .collect();
            assert_eq!(listed(&also), expected, "{typed}");
        }
    }

    #[test]
    fn no_source_takes_a_name_by_what_it_calls_its_own_tools() {
        let registry = Registry::new([
            ("packagejson".into(), "p", discovery(&[("npm_test", "test")])),
            (
                "up".into(),
                "mcp",
                discovery(&[("packagejson__npm_test", "packagejson__npm_test"), ("npm_test", "npm_test")]),
            ),
        ]);
        let found = |name: &str| match registry.resolve(name, Spelling::Dotted) {
            Ok(tool) => tool.name.to_string(),
            Err(NoSuchTool::Unknown { near }) => format!("none, perhaps {}", listed(&near)),
            Err(NoSuchTool::Ambiguous { candidates }) => format!("one of {}", listed(&candidates)),
        };
        assert_eq!(found("packagejson__npm_test"), "packagejson.npm_test");
        assert_eq!(found("npm_test"), "one of packagejson.npm_test up.npm_test");
        assert_eq!(found("up__npm_test"), "up.npm_test");
        assert_eq!(found("test"), "packagejson.npm_test");
    }

    #[test]
    fn people_may_use_any_name_that_is_unambiguous() {
        let registry = Registry::new([
            (
                "web".into(),
                "p",
                discovery(&[("npm_test__unit", "test:unit"), ("npm_build", "build"), ("list", "")]),
            ),
            (
                "api".into(),
                "p",
                discovery(&[("npm_build", "build"), ("npm_list", "list"), ("npm_a_b", "a.b")]),
            ),
        ]);
        let found = |typed: &str| match registry.find(typed, Some(Path::new(""))) {
            Ok(tool) => tool.name.to_string(),
            Err(NoSuchTool::Unknown { near }) => format!("none, perhaps {}", listed(&near)),
            Err(NoSuchTool::Ambiguous { candidates }) => format!("one of {}", listed(&candidates)),
        };
        for (typed, expected) in [
            ("web.npm_test__unit", "web.npm_test__unit"),
            ("npm_test__unit", "web.npm_test__unit"),
            ("test:unit", "web.npm_test__unit"),
            ("web.test:unit", "web.npm_test__unit"),
            ("a.b", "api.npm_a_b"),
            ("build", "one of web.npm_build api.npm_build"),
            ("npm_build", "one of web.npm_build api.npm_build"),
            ("web.build", "web.npm_build"),
            ("list", "one of web.list api.npm_list"),
            ("", "none, perhaps none"),
            ("web", "none, perhaps web.npm_test__unit web.npm_build web.list"),
            ("web.", "none, perhaps web.npm_test__unit web.npm_build web.list"),
            ("test:unt", "none, perhaps web.npm_test__unit"),
            ("unit", "none, perhaps web.npm_test__unit"),
            ("npm", "none, perhaps web.npm_test__unit web.npm_build api.npm_build api.npm_list api.npm_a_b"),
            ("web biuld", "none, perhaps web.npm_build"),
            ("bulid", "none, perhaps web.npm_build api.npm_build"),
            ("./build", "none, perhaps web.npm_build api.npm_build"),
            ("deploy", "none, perhaps none"),
        ] {
            assert_eq!(found(typed), expected, "{typed}");
        }
        let resolved = |name: &str| match registry.resolve(name, Spelling::Dotted) {
            Ok(tool) => tool.name.to_string(),
            Err(NoSuchTool::Unknown { .. }) => "none".to_owned(),
            Err(NoSuchTool::Ambiguous { candidates }) => format!("one of {}", listed(&candidates)),
        };
        for (name, expected) in [
            ("web.npm_test__unit", "web.npm_test__unit"),
            ("test:unit", "web.npm_test__unit"),
            ("build", "one of web.npm_build api.npm_build"),
            ("web.build", "web.npm_build"),
            ("npm_test__unit", "none"),
            ("", "none"),
        ] {
            assert_eq!(
                resolved(name),
                expected,
                "agents use qualified and original names of any face: {name}"
            );
        }
    }

    #[test]
    fn a_name_is_taken_as_any_face_writes_it() {
        let tools = discovery(&[("get-sum", "get-sum"), ("npm_a_b", "a.b")]);
        let registry = Registry::new([("git-hub".into(), "p", tools)]);
        for (typed, expected) in [
            ("git-hub.get_sum", "git-hub.get_sum"),
            ("git-hub.get-sum", "git-hub.get_sum"),
            ("git-hub__get_sum", "git-hub.get_sum"),
            ("gitHub.getSum", "git-hub.get_sum"),
            ("git-hub.a.b", "git-hub.npm_a_b"),
            ("git-hub.sum", "none"),
            ("hub.get_sum", "none"),
            ("getSum", "none"),
        ] {
            for found in [registry.resolve(typed, Spelling::Portable), registry.find(typed, None)] {
                let name = found.map_or_else(|_| "none".to_owned(), |tool| tool.name.to_string());
                assert_eq!(name, expected, "{typed}");
            }
        }
    }

    /// Else a server that has its own tool withheld could have a namesake's calls go elsewhere.
    #[test]
    fn a_name_of_a_tool_that_is_withheld_leads_to_no_other() {
        let all = || {
            Registry::new([
                ("a".into(), "p", discovery(&[("buy", "buy"), ("sell", "sell")])),
                ("b".into(), "p", discovery(&[("buy", "buy")])),
            ])
        };
        let registry = all().withholding(|tool| tool.name.to_string() == "a.buy");
        for (typed, expected) in
            [("buy", None), ("a.buy", None), ("b.buy", Some("b.buy")), ("sell", Some("a.sell"))]
        {
            let name = |found: Result<&Registered, NoSuchTool>| found.ok().map(|tool| tool.name.to_string());
            assert_eq!(name(registry.find(typed, None)).as_deref(), expected, "{typed}");
            assert_eq!(name(registry.resolve(typed, Spelling::Dotted)).as_deref(), expected, "{typed}");
        }
        for (typed, spelling) in
            [("buy", Spelling::Dotted), ("a.buy", Spelling::Dotted), ("a__buy", Spelling::Portable)]
        {
            let withheld = registry.withheld_named(typed, spelling).map(|tool| tool.name.to_string());
            assert_eq!(withheld.as_deref(), Some("a.buy"), "{typed}");
        }
        assert!(registry.withheld_named("sell", Spelling::Dotted).is_none());
    }
}
