//! The tools that a tool starts by its own text.

use std::path::Path;

use crate::calls::shell_command::ToolsByCommand;
use crate::model::{Wildcard, path};
use crate::policy::commands;
use crate::project::ProjectSettings;
use crate::registry::Registered;

/// Programs that run scripts of the same package.json by their names.
const ROW_RUNNERS: [&str; 4] = ["run-s", "run-p", "npm-run-all", "npm-run-all2"];
/// The words in which a plugin says that another script runs with one.
const ALONG: [&str; 2] = [" before it: ", " after it: "];

/// The tools that a tool starts by its own text, each once and in the order of the text: commands that run them, what
/// runs before and after it, and the names behind its own in the head of a rule.
pub fn called_tools<'r>(
    settings: &ProjectSettings,
    by_command: &ToolsByCommand<'r>,
    starter: &Registered,
) -> Vec<&'r Registered> {
    let tools = by_command.tools();
    let mut called: Vec<&Registered> = Vec::new();
    let mut add = |found: Option<&'r Registered>| {
        let is_new = |found: &&Registered| {
            found.name != starter.name && !called.iter().any(|known| known.name == found.name)
        };
        called.extend(found.filter(is_new));
    };
    let beside = |name: &str| {
        tools.iter().find(|found| found.name.instance == starter.name.instance && found.tool.original == name)
    };
    for along in starter.tool.along.iter() {
        let name = ALONG.iter().find_map(|words| Some(along.split_once(words)?.0));
        add(name.and_then(beside));
    }
    let Some(text) = starter.tool.text.as_deref() else { return called };
    let (head, recipe) = rule(&starter.tool.original, text);
    head.split_whitespace().for_each(|name| add(beside(name)));
    let recipe = recipe.replace("$(MAKE)", "make").replace("${MAKE}", "make");
    let folder = settings.root.join(path::split(&starter.tool.source.file).0);
    let within = folder.strip_prefix(&settings.root).unwrap_or(Path::new(""));
    for command in commands(&recipe) {
        if ROW_RUNNERS.contains(&command.program()) {
            let patterns = command.arguments().iter().filter(|word| !word.starts_with('-'));
            for pattern in patterns.filter_map(|word| Wildcard::of(word)) {
                let named = tools.iter().filter(|found| {
                    found.name.instance == starter.name.instance && pattern.matches(&found.tool.original)
                });
                named.for_each(|found| add(Some(found)));
            }
        }
        add(by_command.closest(&command, within).map(|(tool, _)| tool));
    }
    called
}

/// The names in the head of a rule, `build: names`, and the commands behind it. A text without such a head has commands alone.
fn rule<'t>(name: &str, text: &'t str) -> (&'t str, &'t str) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let names = first.strip_prefix(name).and_then(|behind| behind.strip_prefix(':'));
    names.map_or(("", text), |names| (names, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_has_a_head_and_commands() {
        assert_eq!(rule("test", "test: build gen\nmake unit"), (" build gen", "make unit"));
        assert_eq!(rule("test", "test: build"), (" build", ""));
        assert_eq!(rule("test", "tests: build"), ("", "tests: build"));
        assert_eq!(rule("build", "npm run lint"), ("", "npm run lint"));
    }
}
