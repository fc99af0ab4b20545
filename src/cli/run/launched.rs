//! The words by which people start a tool without cuff, typed behind `cuff run`: `npm test`, `make check`.

use std::ffi::OsString;
use std::path::Path;

use crate::model::{Role, nearest};
use crate::registry::{Registered, Registry, around, foremost};
use crate::terminal::{Failed, exit};

/// The tool that a command line starts, and the number of words behind the program that name it; the other words are for
/// the tool. `None` where no tool or more than one is started so.
pub(in crate::cli) fn tool<'r>(
    registry: &'r Registry,
    program: &str,
    words: &[OsString],
    here: Option<&Path>,
) -> Option<(&'r Registered, usize)> {
    let words: Vec<&str> = words.iter().map_while(|word| word.to_str()).collect();
    let started = |tool: &'r Registered| Some((tool, words_that_name(tool, program, &words)?));
    let started: Vec<(&Registered, usize)> = registry.tools().iter().filter_map(started).collect();
    let used = started.iter().map(|(_, used)| *used).max()?;
    let longest = started.iter().filter(|(_, own)| *own == used).map(|(tool, _)| *tool);
    match foremost(around(longest.collect(), here))[..] {
        [only] => Some((only, used)),
        _ => None,
    }
}

/// How many of the words name the tool, if its program is this one: all its own words, or its name right behind the
/// program, as in `npm test` for `npm run test`.
fn words_that_name(tool: &Registered, program: &str, words: &[&str]) -> Option<usize> {
    let Role::Run { command, .. } = &tool.tool.role else { return None };
    let is_program = tool.program() == Some(program) || command.program.text == program;
    let own: Vec<&str> = command.arguments.iter().map(|word| word.text.as_str()).collect();
    let is_own =
        |(typed, own): (&&str, &&str)| typed.trim_start_matches("./") == own.trim_start_matches("./");
    let is_whole = own.len() <= words.len() && !own.is_empty() && words.iter().zip(&own).all(is_own);
    let original = tool.tool.original.as_str();
    let is_original =
        |own: &&str| own.strip_suffix(original).is_some_and(|front| front.is_empty() || front.ends_with('/'));
    let is_short = words.first().is_some_and(|word| word.trim_start_matches("./") == original)
        && own.iter().any(is_original);
    match (is_program, is_whole, is_short) {
        (true, true, _) => Some(own.len()),
        (true, false, true) => Some(1),
        _ => None,
    }
}

/// The line to type for the tool of this name that was called by the words that start it.
pub(super) fn named_otherwise(typed: (&str, &[OsString]), name: &str, words: &[OsString]) -> Failed {
    let failed = no_tool(&joined(std::iter::once(typed.0), typed.1));
    failed.help(format!("the tool is called `{name}`: {}", command(name, words)))
}

/// The name that was probably meant by the program of some tools and a name that is none of theirs; `None`: no tool has that program.
pub(super) fn near(registry: &Registry, program: &str, words: &[OsString]) -> Option<Failed> {
    let of_program: Vec<&Registered> =
        registry.tools().iter().filter(|tool| tool.program() == Some(program)).collect();
    let leading = |word: &str| {
        of_program.iter().any(|tool| match &tool.tool.role {
            Role::Run { command, .. } => {
                word != tool.tool.original && command.arguments.iter().any(|own| own.text == word)
            }
            Role::List(_) | Role::Relay(_) => false,
        })
    };
    let typed = words.iter().filter_map(|word| word.to_str()).find(|word| !leading(word))?;
    let meant = nearest(typed, of_program.iter().map(|tool| tool.tool.original.as_str()))?;
    let found = of_program.iter().find(|tool| tool.tool.original == meant)?;
    let whole = joined(std::iter::once(program), words);
    Some(no_tool(&whole).help(format!("did you mean `cuff run {}`?", found.shown)))
}

fn no_tool(typed: &str) -> Failed {
    let failed = Failed::usage(format!("no tool is called `{typed}`")).unable();
    Failed { code: exit::NO_SUCH_TOOL, ..failed }
}

/// The line to type for a tool and the words for it.
fn command(tool: &str, words: &[OsString]) -> String {
    let dashes = if words.is_empty() { None } else { Some("--") };
    let front = ["cuff", "run", tool].into_iter().chain(dashes);
    format!("`{}`", joined(front, words))
}

fn joined<'w>(front: impl Iterator<Item = &'w str>, words: &'w [OsString]) -> String {
    let words = front.chain(words.iter().filter_map(|word| word.to_str()));
    shlex::try_join(words).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::{Command, Discovery, Heading, Location, Tool, Word};

    fn registry() -> Registry {
        let tool = |local: &str, original: &str, folder: &str, line: &str| {
            let mut words = line.split(' ').map(|word| Word::fixed(word.to_owned()));
            let command = Command::new(words.next().unwrap()).arguments(words).directory(folder);
            Tool::running(local, original, Location::file("x"), command)
        };
        let discovery =
            |tools| Arc::new(Discovery { tools, heading: Heading::default(), ..Discovery::default() });
        Registry::new([
            (
                "packagejson".to_owned(),
                "p",
                discovery(vec![
                    tool("npm_test", "test", "", "npm run test"),
                    tool("npm_test__unit", "test:unit", "", "npm run test:unit"),
                    tool("npm_run", "run", "", "npm run run"),
                ]),
            ),
            ("core".to_owned(), "p", discovery(vec![tool("npm_test", "test", "core", "npm run test")])),
            ("npm".to_owned(), "n", discovery(vec![tool("install", "install", "", "npm install")])),
            (
                "makefile".to_owned(),
                "m",
                discovery(vec![tool("make_check", "check", "", "make -f x.mk check")]),
            ),
            (
                "scripts".to_owned(),
                "s",
                discovery(vec![tool("script_seed", "seed.py", "", "/usr/bin/python3 seed.py")]),
            ),
        ])
        .seen_from(Some(Path::new("")))
    }

    #[test]
    fn a_tool_is_known_by_the_words_that_start_it() {
        let registry = registry();
        let found = |line: &str, here: &str| {
            let mut words = line.split(' ');
            let program = words.next().unwrap();
            let words: Vec<OsString> = words.map(OsString::from).collect();
            tool(&registry, program, &words, Some(Path::new(here)))
                .map(|(tool, used)| format!("{} and {:?}", tool.name, &words[used..]))
        };
        for (line, expected) in [
            ("npm test", "packagejson.npm_test and []"),
            ("npm run test --coverage", "packagejson.npm_test and [\"--coverage\"]"),
            ("npm run test:unit", "packagejson.npm_test__unit and []"),
            ("npm install", "npm.install and []"),
            ("make check -j4", "makefile.make_check and [\"-j4\"]"),
            ("make -f x.mk check", "makefile.make_check and []"),
            ("python3 ./seed.py now", "scripts.script_seed and [\"now\"]"),
            ("npm run run", "packagejson.npm_run and []"),
        ] {
            assert_eq!(found(line, "").as_deref(), Some(expected), "{line}");
        }
        assert_eq!(found("npm test", "core").as_deref(), Some("core.npm_test and []"));
        for line in ["npm tset", "pnpm test", "make", "npm", "python3", "test npm"] {
            assert_eq!(found(line, ""), None, "{line}");
        }
    }

    #[test]
    fn a_slip_behind_a_program_leads_to_its_nearest_tool() {
        let registry = registry();
        let help = |line: &str| {
            let mut words = line.split(' ');
            let program = words.next().unwrap();
            near(&registry, program, &words.map(OsString::from).collect::<Vec<_>>())
                .and_then(|failed| failed.help)
        };
        assert_eq!(help("npm run tset").as_deref(), Some("did you mean `cuff run test`?"));
        assert_eq!(help("make chekc").as_deref(), Some("did you mean `cuff run check`?"));
        for line in ["npm", "npm run", "cargo tset", "npm run deploy"] {
            assert_eq!(help(line), None, "{line}");
        }
    }
}
