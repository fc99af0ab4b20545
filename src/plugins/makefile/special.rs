//! Names in a Makefile that are commands to make itself.

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

/// The suffixes that make knows from the start: `.c.o:` is then a rule, and no target.
pub(super) fn suffixes<'a>() -> impl Iterator<Item = &'a str> {
    SUFFIXES.iter().flat_map(|line| line.split(' '))
}
