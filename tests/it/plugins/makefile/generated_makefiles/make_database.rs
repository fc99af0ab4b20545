//! The real make's view of a project, read by other code than cuff's own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::support::tools;

/// A goal that is old, so that make reads everything and then has nothing to do.
const NOTHING: &str = "nothing-of-the-project";

/// An explicit target.
#[derive(Debug, Default)]
pub(super) struct Target {
    pub(super) phony: bool,
    pub(super) prerequisites: bool,
    /// Its recipe, without the recipe prefix; `None` if it has none.
    pub(super) recipe: Option<String>,
    /// A pattern rule of the Makefile gave it that, when make looked for a way to remake an include.
    pub(super) by_pattern: bool,
}

/// The facts that make prints.
#[derive(Debug, Default)]
pub(super) struct Truth {
    pub(super) targets: BTreeMap<String, Target>,
    /// Names that other rules list as prerequisites.
    pub(super) needed: BTreeSet<String>,
    /// Names in `.SUFFIXES`.
    suffixes: BTreeSet<String>,
    /// Everything that it warned of.
    pub(super) warnings: String,
}

/// The facts of make here. `None` if make refuses the Makefile, or prints names with line feeds, which are
/// ambiguous.
pub(super) fn truth(root: &Path) -> Option<Truth> {
    let words = ["-pq", "-o", NOTHING, NOTHING].map(str::to_owned);
    let output = asked(root, "make", &words);
    // 0 and 1: there is nothing to do, or something; 2: it gave up.
    let whole = output.status.code().is_some_and(|code| code < 2);
    let (out, warnings) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    whole.then(|| read(&out, &warnings)).flatten()
}

/// The output of a program in this folder, with little in its environment.
pub(super) fn asked(root: &Path, program: &str, words: &[String]) -> Output {
    let mut command = Command::new(program);
    command.args(words).current_dir(root).stdin(Stdio::null()).env_clear();
    command.env("PATH", tools::path()).env("HOME", root).env("LC_ALL", "C");
    command.output().expect("make, which README asks for")
}

/// Reads the last database of an output; `None` where names hold line feeds.
pub(super) fn read(out: &str, warnings: &str) -> Option<Truth> {
    let (rest, files) = out.rsplit_once("\n# Files\n").expect("the heading of make's database");
    let (_, patterns) = rest.rsplit_once("\n# Implicit Rules\n").expect("the heading of that part");
    let (files, _) = files.split_once("\n# files hash-table stats").expect("the end of that part");
    let mut truth = Truth { warnings: warnings.to_owned(), ..Truth::default() };
    let lines: Vec<&str> = files.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let next = lines.get(at + 1).copied().unwrap_or_default();
        let before = at.checked_sub(1).map_or("", |before| lines[before]);
        // Lines of variables stand between a comment and the rule, which one of its own follows.
        if line.is_empty() || line.starts_with(['#', '\t']) {
            continue;
        }
        if !next.starts_with("#  ") {
            if before.is_empty() {
                return None;
            }
            continue;
        }
        let is_comment = |line: &str| line.starts_with("# ");
        let follows = before.is_empty() || is_comment(before) || before == "endef";
        if !follows && at.checked_sub(2).is_none_or(|before| !is_comment(lines[before])) {
            return None;
        }
        let Some((name, prerequisites)) = split(line) else { continue };
        if name.is_empty() {
            return None;
        }
        let is_special =
            name.starts_with('.') && name[1..].bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
        if name == ".SUFFIXES" {
            truth.suffixes.extend(prerequisites.split_whitespace().map(str::to_owned));
        }
        if is_special || before == "# Not a target:" || name == NOTHING {
            continue;
        }
        let rest = &lines[at + 1..];
        let rest = &rest[..rest.iter().position(|line| line.is_empty()).unwrap_or(rest.len())];
        // A file that make tried by its own rule while remaking an include is no target of the Makefile.
        if rest.contains(&"#  recipe to execute (built-in):") {
            continue;
        }
        // A target with several double-colon rules has an entry for each.
        truth.needs(name, prerequisites);
        let target = truth.targets.entry(name.to_owned()).or_default();
        target.phony |= rest.iter().any(|line| line.starts_with("#  Phony target"));
        target.by_pattern |= rest.contains(&"#  Implicit rule search has been done.")
            && rest.iter().any(|line| line.starts_with("#  Implicit/static pattern stem:"));
        target.prerequisites |= !prerequisites.is_empty();
        if let Some(at) = rest.iter().position(|line| line.starts_with("#  recipe to execute")) {
            let lines = rest[at + 1..].iter().map(|line| line.get(1..).unwrap_or_default().trim());
            target.recipe.get_or_insert_default().extend(lines);
        }
    }
    for line in patterns.lines().filter(|line| line.contains('%') && !line.starts_with(['#', '\t'])) {
        if let Some((name, prerequisites)) = split(line) {
            truth.needs(name, prerequisites);
        }
    }
    Some(truth)
}

/// The name and the prerequisites of a rule's line.
fn split(line: &str) -> Option<(&str, &str)> {
    let (name, prerequisites) = line.split_once(": ").or_else(|| Some((line.strip_suffix(':')?, "")))?;
    Some((name.strip_suffix(':').unwrap_or(name), prerequisites.trim()))
}

impl Truth {
    fn needs(&mut self, name: &str, prerequisites: &str) {
        let others = prerequisites.split_whitespace().filter(|other| *other != name && *other != "|");
        self.needed.extend(others.map(str::to_owned));
    }

    /// Whether a name is that of a rule for suffixes (`.c.o`), which is no target even where nothing else says so.
    pub(super) fn is_suffixes(&self, name: &str) -> bool {
        let two = |at: usize| self.suffixes.contains(&name[..at]) && self.suffixes.contains(&name[at..]);
        self.suffixes.contains(name) || name.rfind('.').is_some_and(|at| at > 0 && two(at))
    }
}
