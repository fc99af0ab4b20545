//! From what somebody typed to a tool: the qualified name, the local name, or the original.

use super::names::clean;
use super::{Registered, Registry};
use crate::model::{Spelling, ToolName, nearest};

/// Why a name leads to no tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoSuchTool {
    /// Nothing is called so; these come near.
    Unknown {
        /// The tool that was probably meant.
        meant: Option<ToolName>,
    },
    /// Several are called so.
    Ambiguous {
        /// All of them.
        candidates: Vec<ToolName>,
    },
}

impl Registry {
    /// The tool of exactly this qualified name, as MCP names it.
    pub fn named(&self, qualified: &str, spelling: Spelling) -> Option<&Registered> {
        self.tools.iter().find(|tool| tool.name.is(qualified, spelling))
    }

    /// The tool that somebody means by a qualified name, a local name or an original (`test:unit`).
    ///
    /// # Errors
    /// When nothing or more than one thing is called so.
    pub fn find(&self, typed: &str) -> Result<&Registered, NoSuchTool> {
        // As a shell's completion writes the path of a script.
        let typed = typed.strip_prefix("./").unwrap_or(typed);
        if let Some(exact) = self.named(typed, Spelling::Dotted) {
            return Ok(exact);
        }
        let called = |tool: &&Registered| {
            let within = typed.strip_prefix(&tool.name.instance).and_then(|rest| rest.strip_prefix('.'));
            let original = Some(tool.tool.original.as_str()).filter(|original| !original.is_empty());
            tool.name.local == typed || original == Some(typed) || (within.is_some() && within == original)
        };
        let found: Vec<&Registered> = self.tools.iter().filter(called).collect();
        match found.as_slice() {
            [one] => Ok(one),
            [] => Err(self.missing(typed, Spelling::Dotted)),
            several => Err(NoSuchTool::Ambiguous {
                candidates: several.iter().map(|tool| tool.name.clone()).collect(),
            }),
        }
    }

    /// Why a name that is no tool's leads nowhere.
    pub fn missing(&self, typed: &str, spelling: Spelling) -> NoSuchTool {
        let candidates = self.wanting(typed, spelling);
        if candidates.len() > 1 {
            return NoSuchTool::Ambiguous { candidates };
        }
        NoSuchTool::Unknown { meant: candidates.into_iter().next().or_else(|| self.meant(typed, spelling)) }
    }

    /// The tools that would have this name, had it not been too long or wanted by several.
    fn wanting(&self, typed: &str, spelling: Spelling) -> Vec<ToolName> {
        let wants = |tool: &&Registered| {
            let wanted = ToolName { local: clean(&tool.tool.name), ..tool.name.clone() };
            wanted.local == typed || wanted.is(typed, spelling)
        };
        self.tools.iter().filter(wants).map(|tool| tool.name.clone()).collect()
    }

    /// The tool that a mistyped name probably means.
    fn meant(&self, typed: &str, spelling: Spelling) -> Option<ToolName> {
        let spellings: Vec<(String, &ToolName)> = self
            .tools
            .iter()
            .flat_map(|tool| {
                [tool.name.spelled(spelling), tool.name.local.clone(), tool.tool.original.clone()]
                    .map(|s| (s, &tool.name))
            })
            .filter(|(spelling, _)| !spelling.is_empty())
            .collect();
        match nearest(typed, spellings.iter().map(|(spelling, _)| spelling.as_str())) {
            Some(near) => {
                spellings.iter().find(|(spelling, _)| spelling == near).map(|(_, name)| (*name).clone())
            }
            None => self.containing(typed),
        }
    }

    /// The one tool with a name of which this is a whole part: `greet` or `greet.sh` of `scripts/greet.sh`.
    fn containing(&self, part: &str) -> Option<ToolName> {
        let within = |name: &str| {
            name.split(|c: char| !c.is_alphanumeric())
                .chain(name.rsplit('/').take(1))
                .any(|word| word == part)
        };
        let mut tools = self
            .tools
            .iter()
            .filter(|tool| !part.is_empty() && (within(&tool.tool.original) || within(&tool.name.local)));
        let found = tools.next()?;
        tools.next().is_none().then(|| found.name.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::{Discovery, Effects, Location, Role, Tool};

    fn discovery(tools: &[(&str, &str)]) -> Arc<Discovery> {
        let tool = |(name, original): &(&str, &str)| Tool {
            name: (*name).into(),
            original: (*original).into(),
            description: String::new(),
            parameters: &[],
            effects: Effects::NONE,
            role: Role::List("x"),
            source: Location::file("x"),
            text: None,
            content: None,
            metadata: Vec::new(),
        };
        Arc::new(Discovery { tools: tools.iter().map(tool).collect(), ..Discovery::default() })
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
        let found = |typed: &str| match registry.find(typed) {
            Ok(tool) => tool.name.to_string(),
            Err(NoSuchTool::Unknown { meant }) => {
                format!("none, perhaps {}", meant.map_or("none".into(), |meant| meant.to_string()))
            }
            Err(NoSuchTool::Ambiguous { candidates }) => {
                format!("one of {}", candidates.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
            }
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
            ("web.", "none, perhaps none"),
            ("test:unt", "none, perhaps web.npm_test__unit"),
            ("unit", "none, perhaps web.npm_test__unit"),
            ("npm", "none, perhaps none"),
            ("./build", "one of web.npm_build api.npm_build"),
            ("deploy", "none, perhaps none"),
        ] {
            assert_eq!(found(typed), expected, "{typed}");
        }
        assert!(registry.named("web.build", Spelling::Dotted).is_none(), "agents name tools exactly");
        assert!(registry.named("npm_test__unit", Spelling::Dotted).is_none());
    }
}
