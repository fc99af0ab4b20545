//! Names in a Makefile that are commands to make itself.

use std::collections::HashSet;

/// Targets that are commands to make and not things to be made. Those of BSD's make are among them.
const SPECIAL: &[&str] = &[
    ".PHONY .SUFFIXES .DEFAULT .PRECIOUS .INTERMEDIATE .NOTINTERMEDIATE .SECONDARY .SECONDEXPANSION .DELETE_ON_ERROR",
    ".IGNORE .LOW_RESOLUTION_TIME .SILENT .EXPORT_ALL_VARIABLES .NOTPARALLEL .ONESHELL .POSIX .RECIPEPREFIX .WAIT",
    ".MAKE .BEGIN .END",
];

/// The suffixes that make knows when it is called without `-r`.
const SUFFIXES: &[&str] = &[
    ".out .a .ln .o .c .cc .C .cpp .p .f .F .m .r .y .l .ym .yl .s .S .mod .sym .def .h .info .dvi .tex .texinfo",
    ".texi .txinfo .w .ch .web .sh .elc .el",
];

/// Whether a target of this name is a word to make.
pub(super) fn is_special(name: &str) -> bool {
    name.starts_with('.') && SPECIAL.iter().flat_map(|line| line.split(' ')).any(|special| special == name)
}

/// The suffixes that make knows from the start, and those of the Makefile: `.c.o:` is then a rule, and no target.
#[derive(Debug)]
pub(super) struct Suffixes(HashSet<String>);

impl Default for Suffixes {
    fn default() -> Self {
        Self(SUFFIXES.iter().flat_map(|line| line.split(' ')).map(str::to_owned).collect())
    }
}

impl Suffixes {
    /// Takes a rule for `.SUFFIXES`: names extend the list, and a rule without names empties it.
    pub(super) fn add(&mut self, names: Vec<String>) {
        if names.is_empty() {
            self.0.clear();
        }
        self.extend(names);
    }

    /// Takes more of them.
    pub(super) fn extend(&mut self, names: impl IntoIterator<Item = String>) {
        self.0.extend(names);
    }

    /// The pattern that a rule of this name is in truth: `%.o` for `.c.o`.
    pub(super) fn pattern(&self, name: &str) -> Option<String> {
        let second = name.rfind('.').filter(|at| *at > 0).map(|at| name.split_at(at));
        let made =
            second.filter(|(from, to)| self.0.contains(*from) && self.0.contains(*to)).map(|(_, to)| to);
        made.or_else(|| self.0.contains(name).then_some("")).map(|made| format!("%{made}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_for_suffixes_are_patterns() {
        let mut suffixes = Suffixes::default();
        suffixes.add(vec![".in".into(), ".out".into()]);
        for (name, expected) in [
            (".in.out", Some("%.out")),
            (".c.o", Some("%.o")),
            (".c", Some("%")),
            (".in.html", None),
            (".config", None),
            ("a.in.out", None),
            ("a.o", None),
            ("", None),
            ("..", None),
        ] {
            assert_eq!(suffixes.pattern(name).as_deref(), expected, "{name}");
        }
        suffixes.add(Vec::new());
        assert_eq!(suffixes.pattern(".c.o"), None);
    }
}
