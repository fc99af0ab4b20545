//! The choice of offered targets: by patterns, use by people and safe names.
//!
//! A target's name is a word of make's command line. make 4.3 reads names of each kind as follows:
//!
//! | a name that | as a goal |
//! |---|---|
//! | begins with `-` | is an option, or nothing at all |
//! | holds `=` | sets a variable |
//! | begins with `~` | becomes a home folder |
//! | begins with `./` | loses it |
//! | is `a(b)` | is the member `b` of the archive `a` |
//! | holds `*`, `?` or `[` | is itself, but matches files in a rule |
//! | is empty | is an error |
//! | is longer than any path | is more than a command line holds |
//! | holds a blank, `$`, `%`, `:`, `#`, `;`, `\`, `&`, `\|`, `~`, quotes, `/`, or is a number or a word of make's | is itself |
//!
//! Only the last kind is offered. Names with control or hidden characters are not offered, nor those with
//! U+FFFD, which replaces invalid UTF-8.

use super::config::{EXCLUDE_TARGETS, TARGETS};
use super::names::tool_name;
use super::targets::{FALLBACK, MakeTarget, Makefile, TargetPattern};
use crate::model::{
    ErrorCode, Location, Patterns, Problem, Severity, Values, bounded, is_hidden, nearest, shown,
};
use crate::plugins::tasks::TaskPatterns;

/// The longest name that is offered, in bytes: the longest path of common systems.
const LONGEST_NAME: usize = 4096;

/// The most targets of one Makefile that are offered. No person chooses among more, and a text of a few
/// megabytes can have so many that no memory holds their tools.
const MOST_OFFERED: usize = 10_000;

/// The settings about targets.
#[derive(Debug)]
pub(super) struct Selection {
    /// The patterns of `targets` but for `*`, which offer every match.
    named: Patterns,
    /// Those of them that are names.
    literals: Vec<String>,
    /// The names in `exclude_targets`.
    excluded: Vec<String>,
    /// The patterns of both keys.
    pub(super) patterns: TaskPatterns,
    /// The problems of patterns that cannot be read.
    problems: Vec<Problem>,
}

/// The decision about a target.
#[derive(Debug, PartialEq)]
pub(super) enum TargetVerdict {
    Offered,
    /// The settings leave it out.
    LeftOut,
    /// Nobody calls it by itself, for this reason, unless settings or a person name it.
    Unnamed(&'static str),
    /// No goal of this name could be given to make safely.
    Unsafe(&'static str),
}

impl Selection {
    /// Reads the patterns of the settings.
    pub(super) fn new(config: &Values) -> Self {
        let mut others = config.texts(&TARGETS);
        others.retain(|pattern| *pattern != "*");
        let literal = |pattern: &&str| !pattern.contains(['*', '?', '[']);
        let literals = others.iter().copied().filter(literal).map(str::to_owned).collect();
        let (named, _) = Patterns::new(others);
        let mut problems = Vec::new();
        let patterns = TaskPatterns::new(config, [&TARGETS, &EXCLUDE_TARGETS], "target", &mut problems);
        let excluded = config.texts(&EXCLUDE_TARGETS).into_iter().map(str::to_owned).collect();
        Self { named, literals, excluded, patterns, problems }
    }

    /// Decides about a target.
    pub(super) fn judge(&self, target: &MakeTarget) -> TargetVerdict {
        if !self.patterns.offers(&target.name) {
            return TargetVerdict::LeftOut;
        }
        let described = target.phony || target.description.is_some();
        let something = target.recipe || target.prerequisites;
        let called = target.recipe && !target.prerequisites || something && !target.needed;
        let is_plain = target.description.is_none();
        let why = match () {
            () if self.named.matches(&target.name) => None,
            () if !described && !something => Some("its rule has nothing to do"),
            () if !described && !called => Some("only other targets need it"),
            () if is_plain && target.aliased => Some("another rule has a plainer name for it"),
            () if is_plain && is_vendored(&target.source.file) => {
                Some("its Makefile lies among the code of others")
            }
            () if !described && is_file(&target.name) => Some("its rule makes a file"),
            () => None,
        };
        if let Some(why) = why {
            return TargetVerdict::Unnamed(why);
        }
        objection(&target.name).map_or(TargetVerdict::Offered, TargetVerdict::Unsafe)
    }

    /// The targets to offer, in the order of the file, then those that only the settings name. A target left
    /// out against the user's wish is a problem. A target that only the settings know is a note.
    pub(super) fn select<'m>(
        &self,
        makefile: &'m Makefile,
        file: &str,
        problems: &mut Vec<Problem>,
        notes: &mut Vec<String>,
    ) -> (Vec<&'m MakeTarget>, Vec<MakeTarget>) {
        problems.extend(self.problems.iter().cloned());
        if self.patterns.is_broken {
            return (Vec::new(), Vec::new());
        }
        let (mut kept, mut dangerous, mut too_many) = (Vec::new(), Vec::new(), Vec::new());
        for target in &makefile.targets {
            match self.judge(target) {
                TargetVerdict::Offered if kept.len() < MOST_OFFERED => kept.push(target),
                TargetVerdict::Offered => too_many.push(target),
                TargetVerdict::Unsafe(why) => {
                    let problem = not_safe(&target.name, why, target.source.clone());
                    dangerous.push(problem.wanted(self.named.matches(&target.name)));
                }
                _ => {}
            }
        }
        problems.extend(left_out(&too_many, file));
        let (mut named, mut unknown) = (Vec::new(), Vec::new());
        for name in &self.literals {
            if makefile.targets.iter().any(|target| target.name == *name) || self.patterns.excludes(name) {
                continue;
            }
            match objection(name) {
                Some(why) => dangerous.push(not_safe(name, why, Location::file(file)).wanted(true)),
                None => match only_named(name, makefile, file, notes) {
                    Some(target) => named.push(target),
                    None => unknown.push(unknown_name(name, makefile)),
                },
            }
        }
        bounded(dangerous, problems);
        bounded(unknown, problems);
        bounded(self.idle(makefile), problems);
        (kept, named)
    }

    /// The names in `exclude_targets` that do not exist, as far as the Makefile could be read.
    fn idle(&self, makefile: &Makefile) -> Vec<Problem> {
        let is_made = |name: &&str| made_by(name, makefile).is_some();
        let excluded: Vec<&str> =
            self.excluded.iter().map(String::as_str).filter(|name| !is_made(name)).collect();
        let names: Vec<&str> = makefile.targets.iter().map(|target| target.name.as_str()).collect();
        if !makefile.doubts.is_empty() {
            return Vec::new();
        }
        Patterns::idle_names(&EXCLUDE_TARGETS, &excluded, &names, "target", "leaves nothing out")
    }
}

/// The problem of targets that are more than anybody can choose among.
fn left_out(targets: &[&MakeTarget], file: &str) -> Option<Problem> {
    let first = targets.first()?;
    let count = targets.len();
    let message = format!(
        "the first {MOST_OFFERED} targets are offered, and {count} more are not: \"{}\" is the first of them",
        shown(&first.name)
    );
    let help = "say under `targets` or `exclude_targets` which ones you want";
    Some(
        Problem { severity: Severity::Error, ..Problem::warning(message) }
            .at(Location::file(file))
            .help(help),
    )
}

/// A target that no explicit rule has: a pattern rule makes it, or reading may have missed it.
fn only_named(name: &str, makefile: &Makefile, file: &str, notes: &mut Vec<String>) -> Option<MakeTarget> {
    let pattern = made_by(name, makefile);
    if pattern.is_none() {
        let doubt = makefile.doubts.first()?;
        notes.push(format!(
            "{} is offered because `targets` names it; whether the Makefile has it could not be read: {doubt}",
            shown(name)
        ));
    }
    Some(pattern.map_or_else(
        || MakeTarget::named(name, Location::file(file)),
        |pattern| MakeTarget::made_by(name, pattern),
    ))
}

/// The pattern rule that makes a target of this name, if there is one, or else the rule for any target.
pub(super) fn made_by<'m>(name: &str, makefile: &'m Makefile) -> Option<&'m TargetPattern> {
    let fitting = makefile.patterns.iter().find(|pattern| {
        let Some((start, end)) = pattern.name.split_once('%') else { return false };
        // As make does: a pattern without a slash is about the last part of the name alone.
        let name = if pattern.name.contains('/') { name } else { path_end(name) };
        // The stem is never empty.
        name.len() > start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
    });
    fitting.or_else(|| makefile.patterns.iter().find(|pattern| pattern.name == FALLBACK))
}

fn path_end(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, end)| end)
}

/// The problem of a name that is no safe goal.
fn not_safe(name: &str, why: &str, source: Location) -> Problem {
    let message = format!("target \"{}\" is not offered: {why}", shown(name));
    Problem::note(message)
        .help("rename the target, or name it in exclude_targets")
        .at(source)
        .withholding(name)
        .withholding(tool_name(name))
}

fn unknown_name(name: &str, makefile: &Makefile) -> Problem {
    let meant = nearest(name, makefile.targets.iter().map(|target| target.name.as_str()));
    let help = meant.map_or_else(
        || "correct it or take it out; `make -pRrq` prints every target".to_owned(),
        |meant| format!("did you mean `{}`?", shown(meant)),
    );
    let problem = Problem::warning(format!("targets: no target is called \"{}\"", shown(name)));
    problem.numbered(ErrorCode::NotFound).withholding(name).withholding(tool_name(name)).help(help)
}

/// The reason why make would not read a goal of this name as a target, or why its name is unreadable.
pub(super) fn objection(name: &str) -> Option<&'static str> {
    let is_usual = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    if name.len() <= LONGEST_NAME && name.starts_with(char::is_alphanumeric) && name.bytes().all(is_usual) {
        return None;
    }
    if name.is_empty() {
        return Some("its name is empty");
    }
    if name.len() > LONGEST_NAME {
        return Some("its name is longer than any path");
    }
    if name.contains(is_hidden) || name.contains(char::REPLACEMENT_CHARACTER) {
        return Some("its name holds characters that cannot be seen, or bytes that are no text");
    }
    if name.starts_with('-') {
        return Some("make would take its name for an option");
    }
    if name.contains('=') {
        return Some("make would take its name for a variable");
    }
    if name.starts_with('~') {
        return Some("make would take its name for a home folder");
    }
    if name.starts_with("./") {
        return Some("make would drop the ./ of its name");
    }
    if name.contains('(') && name.ends_with(')') {
        return Some("make would take its name for a member of an archive");
    }
    name.contains(['*', '?', '[']).then_some("make takes its name for a pattern of files")
}

/// The folders that other people's code is kept in.
const VENDORED: &[&str] = &[
    "vendor",
    "vendored",
    "third_party",
    "third-party",
    "thirdparty",
    "node_modules",
    "external",
    "submodules",
];

/// Whether a Makefile lies among the code of others.
fn is_vendored(file: &str) -> bool {
    file.rsplit_once('/').is_some_and(|(folder, _)| folder.split('/').any(|part| VENDORED.contains(&part)))
}

/// The endings of files that rules make.
const EXTENSIONS: &[&str] = &[
    "a", "bin", "bz2", "c", "cc", "cmd", "cpp", "css", "csv", "d", "deb", "db", "dll", "dylib", "elf", "exe",
    "gz", "h", "hex", "hpp", "html", "i", "ii", "in", "info", "inc", "jar", "js", "json", "ko", "la", "lib",
    "ll", "lo", "log", "lst", "made", "map", "md", "mo", "o", "obj", "out", "patch", "pb", "pdf", "png",
    "po", "pot", "ps", "py", "rpm", "s", "so", "spec", "stamp", "svg", "tar", "tex", "tgz", "tmp", "toml",
    "ts", "txt", "wasm", "whl", "xml", "xz", "yaml", "yml", "zip",
];

/// Whether a name is that of a file: a path, or a known ending.
fn is_file(name: &str) -> bool {
    let (folder, last) = name.rsplit_once('/').map_or(("", name), |(folder, last)| (folder, last));
    let ending = last.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, ending)| ending);
    let known = |ending: &str| EXTENSIONS.contains(&ending.to_ascii_lowercase().as_str());
    !folder.is_empty() || ending.is_some_and(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_and_folders_of_others_are_known() {
        for (name, expected) in [
            ("git.s", true),
            ("bin/lazyfs", true),
            (".build/pot/po/x.h.po", true),
            ("tools/array.cocci.patch", true),
            ("libx.a", true),
            ("test.unit", false),
            ("docker-1.2", false),
            ("build", false),
            (".uv", false),
            ("v1.x", false),
        ] {
            assert_eq!(is_file(name), expected, "{name}");
        }
        for (file, expected) in [
            ("Makefile", false),
            ("Makefile.common", false),
            ("mk/rules.mk", false),
            ("vendor/x/rules.mk", true),
            ("../shared/rules.mk", false),
            ("third_party/Makefile", true),
        ] {
            assert_eq!(is_vendored(file), expected, "{file}");
        }
    }
}
