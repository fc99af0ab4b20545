//! `include`: other files of the project, and those that `$(wildcard …)` finds.

use std::path::{Component, Path};

use super::{DEEPEST, Reader};
use crate::model::{Fault, File, Glob, Problem, Seen, Want, shown};
use crate::plugins::makefile::simple::conditions::Weight;
use crate::plugins::makefile::simple::names;
use crate::plugins::makefile::simple::variables::HOLE;

/// The endings of generated files that contain only prerequisites.
const GENERATED: &[&str] = &[".d", ".dep", ".deps", ".P", ".Po", ".Plo", ".depend", ".dd"];

/// The result of a pattern.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// These paths, spelled as the pattern is.
    Paths(Vec<String>),
    /// It was not looked for yet; the answer will come.
    NotYet,
    /// The search has no answer: it reaches out of the project, or folders may match.
    Unknown,
}

impl Reader<'_> {
    /// Reads the files that an include names. `required`: make stops where one is missing that no rule makes.
    pub(super) fn include(&mut self, rest: &str, required: bool) {
        let expanded = self.expand(rest);
        for name in names::all(&expanded.text) {
            if name.contains(HOLE) {
                self.unread = true;
                if !GENERATED.iter().any(|ending| name.ends_with(ending)) {
                    let cause = expanded.cause.as_deref().unwrap_or("something that is not known");
                    self.doubt(format!("which files are included depends on {cause}"));
                }
                continue;
            }
            let paths = match self.found(&name) {
                Found::Paths(paths) if paths.is_empty() => vec![name],
                Found::Paths(paths) => paths,
                Found::NotYet => continue,
                Found::Unknown => {
                    self.leave_unread(format!(
                        "`{}` lies outside of the project and is not read",
                        shown(&name)
                    ));
                    continue;
                }
            };
            for path in paths {
                self.include_file(&path, required);
            }
        }
    }

    fn include_file(&mut self, name: &str, required: bool) {
        self.includes.insert(name.to_owned());
        let Some(path) = self.within(name) else {
            return self
                .leave_unread(format!("`{}` lies outside of the project and is not read", shown(name)));
        };
        if self.bytes_left == 0 {
            return;
        }
        let want = Want::File(path.clone());
        if !self.files.answers(&want) {
            self.wants.insert(want);
            return;
        }
        match self.files.files.get(&path) {
            Some(Seen::File(file)) if !self.is_inside(file) => {
                self.leave_unread(format!("`{}` is a link out of the project and is not read", shown(name)));
            }
            Some(Seen::File(file)) => {
                let text = String::from_utf8_lossy(&file.bytes).into_owned();
                self.include_text(name, &path, &text);
            }
            Some(Seen::Unreadable(reason)) => {
                self.unread = true;
                let what = format!("included file `{}` cannot be read: {reason}", shown(name));
                self.complain(Problem::warning(what));
            }
            Some(Seen::Missing) | None if required && self.conditions.weight() == Weight::Live => {
                self.missing.push((self.at.clone(), name.to_owned()));
            }
            Some(Seen::Missing) | None => {}
        }
    }

    fn include_text(&mut self, name: &str, path: &str, text: &str) {
        if self.reading.iter().any(|open| open == path) || self.depth >= DEEPEST {
            let what = format!("`{}` includes itself; it is read once here", shown(name));
            return self.complain(Problem::warning(what));
        }
        let here = self.at.clone();
        self.reading.push(path.to_owned());
        self.makefiles.push(name.to_owned());
        self.depth += 1;
        self.read(path, text.strip_prefix('\u{feff}').unwrap_or(text), None);
        self.depth -= 1;
        self.reading.pop();
        self.at = here;
    }

    /// Reports missing includes, once every rule is known: make may make them first.
    pub(in crate::plugins::makefile::simple) fn conclude_includes(&mut self) {
        for (at, name) in std::mem::take(&mut self.missing) {
            self.at = at;
            if self.drafts.makes(&name) {
                self.leave_unread(format!(
                    "`{}` is not there; make makes it and then reads it",
                    shown(&name)
                ));
            } else {
                let what = format!("included file `{}` is not in the project", shown(&name));
                let fault = Some(Fault::SourceNotFound);
                let help = "what it would add is not offered; make may find it elsewhere or stop";
                self.complain(Problem { fault, ..Problem::warning(what) }.help(help));
            }
        }
    }

    /// The paths of a name: the name itself if it has no wildcards.
    pub(super) fn found(&mut self, name: &str) -> Found {
        if !has_wildcards(name) {
            return Found::Paths(vec![name.to_owned()]);
        }
        self.searched(name)
    }

    /// The matches of `$(wildcard …)` for one pattern, which may have no wildcards.
    pub(super) fn searched(&mut self, pattern: &str) -> Found {
        let (spelled, plain) = match pattern.strip_prefix("./") {
            Some(plain) => ("./", plain.trim_start_matches('/')),
            None => ("", pattern),
        };
        let climbs = plain.split('/').any(|part| part == "..");
        if plain.is_empty() || climbs || plain.starts_with(['/', '~']) || plain.contains(['{', '\\']) {
            return Found::Unknown;
        }
        let wild = has_wildcards(plain);
        let last = plain.rsplit('/').next().unwrap_or(plain);
        // Folders are not found, so only a pattern that looks like files is answered in full.
        if wild && (plain.ends_with('/') || !last.contains('.')) {
            return Found::Unknown;
        }
        let plain = plain.replace("**", "*");
        let glob = Glob::new(&self.project.folder, [&plain]);
        let Some(matches) = self.files.globs.get(&glob) else {
            self.wants.insert(Want::Glob(glob));
            return Found::NotYet;
        };
        if !wild {
            // A folder is no match, but is not missing either.
            let is_there =
                !matches!(matches.found.get(&plain), Some(Seen::Missing)) && matches.base.is_some();
            return Found::Paths(is_there.then(|| pattern.to_owned()).into_iter().collect());
        }
        if !matches.refused.is_empty() || !matches.notes.is_empty() {
            return Found::Unknown;
        }
        let visible = |path: &&String| {
            path.split('/')
                .zip(plain.split('/'))
                .all(|(part, wanted)| !part.starts_with('.') || wanted.starts_with('.'))
        };
        Found::Paths(matches.found.keys().filter(visible).map(|path| format!("{spelled}{path}")).collect())
    }

    /// The names of targets with their wildcards replaced by the matches, as make does.
    pub(super) fn globbed(&mut self, names: Vec<String>) -> Vec<String> {
        let is_open = |name: &String| name.contains(HOLE) || has_wildcards(name);
        if !names.iter().any(is_open) {
            return names;
        }
        let mut out = Vec::with_capacity(names.len());
        for name in names {
            if name.contains(HOLE) || !has_wildcards(&name) {
                out.push(name);
                continue;
            }
            match self.searched(&name) {
                Found::Paths(paths) if paths.is_empty() => out.push(name),
                Found::Paths(paths) => out.extend(paths),
                Found::NotYet => {}
                Found::Unknown => out.push(format!("{HOLE}{name}")),
            }
        }
        out
    }

    /// Whether a file lies in the project, links resolved.
    fn is_inside(&self, file: &File) -> bool {
        self.root.as_ref().is_none_or(|root| file.canonical.starts_with(root))
    }

    /// A path made absolute, `.` and `..` gone; `resolved`: only where no link can lie on its way.
    pub(super) fn absolute(&self, name: &str, resolved: bool) -> Option<String> {
        let here = self.here.as_deref().filter(|_| !name.contains(HOLE) && !name.starts_with('~'))?;
        let mut parts: Vec<&str> = Vec::new();
        let start = if name.starts_with('/') { "" } else { here };
        for part in start.split('/').chain(name.split('/')) {
            match part {
                "" | "." => {}
                ".." => _ = parts.pop(),
                part => parts.push(part),
            }
        }
        let path = format!("/{}", parts.join("/"));
        (!resolved || Path::new(here).starts_with(&path)).then_some(path)
    }

    /// A path of the folder that make runs in, from the project's root; `None` when it leads out.
    fn within(&self, name: &str) -> Option<String> {
        if name.starts_with('/') {
            let path = Path::new(name).strip_prefix(self.root.as_ref()?).ok()?;
            return path
                .components()
                .all(|part| matches!(part, Component::Normal(_)))
                .then(|| path.to_str().map(str::to_owned))?;
        }
        if name.starts_with('~') {
            return None;
        }
        let mut parts: Vec<&str> = Vec::new();
        let absolute = self.project.folder.starts_with('/');
        for part in self.project.folder.split('/').chain(name.split('/')) {
            match part {
                "" | "." => {}
                ".." => _ = parts.pop()?,
                part => parts.push(part),
            }
        }
        let path = parts.join("/");
        Some(if absolute { format!("/{path}") } else { path })
    }
}

/// Whether a name is a pattern for files.
fn has_wildcards(name: &str) -> bool {
    name.contains(['*', '?', '['])
}
