//! `include`: other files of the project.

use super::MakefileReader;
use crate::model::{ErrorCode, File, Problem, Seen, Want, path, shown};
use crate::plugins::makefile::names::GENERATED;
use crate::plugins::makefile::simple::words::{HOLE, plain_names};

/// How deep files may include each other.
const DEEPEST: usize = 100;

impl MakefileReader<'_> {
    /// Reads the files that an include names. `required`: make stops where one is missing that no rule makes.
    pub(super) fn include(&mut self, rest: &str, required: bool) {
        let expanded = self.variables.expand(rest);
        // A variable that has its value under a condition may have another one.
        self.unread |= expanded.only_if.is_some();
        let is_unsure = expanded.only_if.is_some_and(|doubt| self.conditions.begin(doubt, &self.open));
        for name in plain_names(&expanded.text) {
            if name.contains(HOLE) {
                let cause = expanded.cause.as_deref().unwrap_or_default();
                let is_generated =
                    |end: &str| name.ends_with(end) || cause.trim_end_matches(')').ends_with(end);
                self.unread = true;
                if !GENERATED.iter().any(|end| is_generated(end)) {
                    self.leave_unread(format!("which files are included depends on {cause}"));
                }
            } else if !name.contains(['*', '?', '[']) {
                self.include_file(&name, required);
            } else if let Some(names) = self.variables.globs.find(&name) {
                for name in names {
                    self.include_file(&name, false);
                }
            } else {
                self.leave_unread(format!("the files that match `{}` are not read", shown(&name)));
            }
        }
        if is_unsure {
            self.conditions.end(&mut self.open);
        }
    }

    fn include_file(&mut self, name: &str, required: bool) {
        self.includes.insert(name.to_owned());
        let path = path::join(&self.project.folder, name);
        let is_outside =
            path.starts_with("..") || path.starts_with('/') != self.project.folder.starts_with('/');
        if is_outside || name.starts_with('~') {
            return self
                .leave_unread(format!("`{}` lies outside of the project and is not read", shown(name)));
        }
        match self.files.files.get(&path) {
            // The file will be seen, unless the look is cut short.
            None => {
                self.variables.globs.want(Want::File(path));
                self.unread = true;
                self.doubt(format!("`{}` was not looked at", shown(name)));
            }
            Some(Seen::File(file)) if !self.is_inside(file) => {
                self.leave_unread(format!("`{}` is a link out of the project and is not read", shown(name)));
            }
            Some(Seen::File(_)) if self.reading.len() > DEEPEST || self.reading.contains(&path) => {
                let what = format!("`{}` includes itself; it is read once here", shown(name));
                self.complain(Problem::warning(what));
            }
            Some(Seen::File(file)) => {
                let here = self.at.clone();
                self.read(&path, &file.bytes);
                self.at = here;
            }
            Some(Seen::Unreadable(reason)) => {
                self.unread = true;
                let what = format!("included file `{}` cannot be read: {reason}", shown(name));
                self.complain(Problem::warning(what));
            }
            Some(Seen::Missing) if required && self.conditions.around().is_none() => {
                self.missing.push((self.at.clone(), name.to_owned()));
            }
            Some(Seen::Missing) => {}
        }
    }

    /// Reports missing includes, once every rule is known: make may make them first.
    pub(in crate::plugins::makefile::simple) fn conclude_includes(&mut self) {
        for (at, name) in std::mem::take(&mut self.missing) {
            self.at = at;
            if self.script.rules.iter().any(|rule| rule.names.contains(&name)) {
                self.leave_unread(format!(
                    "`{}` is not there; make makes it and then reads it",
                    shown(&name)
                ));
                continue;
            }
            let what = format!("included file `{}` is not in the project", shown(&name));
            let help = "what it would add is not offered; make may find it elsewhere or stop";
            self.complain(Problem::warning(what).numbered(ErrorCode::SourceNotFound).help(help));
        }
    }

    /// Whether a file lies in the project, links resolved.
    fn is_inside(&self, file: &File) -> bool {
        self.root.as_ref().is_none_or(|root| file.canonical.starts_with(root))
    }
}
