//! The entries of the database that `make -p` prints, without their meaning.
//!
//! The text has no grammar of its own. Names are not escaped, and the values of variables are printed as they
//! are, line breaks included. The lines around each entry separate them, the same in 4.3 and 4.4.1:
//!
//! - Before the database there may be any output of the Makefile while it was parsed (`$(info …)`). There may
//!   be whole databases: of other makes that recipes started, and of make itself before it read its makefiles
//!   anew. So the last heading counts. Only the line that marks its end follows a database, and without that
//!   line it is not whole.
//! - Of the sections, only `# Implicit Rules` and `# Files` are read. `# Files` is the last line of that kind
//!   behind a count of implicit rules, since variables may hold such a line.
//! - Empty lines separate entries. The line that begins one is followed by a line of `#` and two blanks.
//!   Lines of variables come before it, behind a comment that names their origin.
//! - Recipes are printed line by line behind a tab, or behind the last `.RECIPEPREFIX`. They are not read, so
//!   neither the prefix nor the beginning of continued lines matters. An entry ends at the first empty line.
//!
//! A Makefile can still print a database of its own making. It gains nothing: it could have had those
//! targets.

/// One database, as it was printed.
#[derive(Debug, Default)]
pub(super) struct DatabaseEntries<'a> {
    /// Explicit rules and files, in the order of make's table, which is that of a hash.
    pub(super) files: Vec<DatabaseEntry<'a>>,
    /// Pattern rules that have a recipe, in the order in which make tries them.
    pub(super) patterns: Vec<DatabaseEntry<'a>>,
    /// The value of `MAKEFILE_LIST`, as it was printed.
    pub(super) makefiles: &'a str,
}

/// One rule, or one file that make knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DatabaseEntry<'a> {
    /// The target; of a pattern rule, all of its targets, with blanks between.
    pub(super) name: &'a str,
    /// The prerequisites with blanks between, `|` among them.
    pub(super) prerequisites: &'a str,
    /// Whether it is the target of a rule, and not a file that is only known.
    pub(super) is_target: bool,
    /// Whether it is a prerequisite of `.PHONY`.
    pub(super) phony: bool,
    /// The beginning of its recipe, if it has one.
    pub(super) recipe: Option<RecipeStart<'a>>,
}

/// The beginning of a recipe, in make's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct RecipeStart<'a> {
    /// The makefile.
    pub(super) file: &'a str,
    /// The line of the recipe's first command, from 1.
    pub(super) line: usize,
}

const HEADING: &str = "# Make data base, printed on ";
const END: &str = "# Finished Make data base on ";
const RECIPE: &str = "#  recipe to execute (from '";

/// Takes the last whole database of an output apart; `None` when there is none.
pub(super) fn entries(out: &str) -> Option<DatabaseEntries<'_>> {
    let lines: Vec<&str> = out.split('\n').collect();
    let sections = Sections::find(&lines)?;
    let makefiles = lines[sections.start..sections.patterns].iter().find_map(|line| {
        let value = line.strip_prefix("MAKEFILE_LIST ")?;
        value.strip_prefix(":=").or_else(|| value.strip_prefix('='))
    });
    let blocks = |from: usize, to: usize| lines[from..to].split(|line| line.is_empty());
    Some(DatabaseEntries {
        files: blocks(sections.files, sections.end).filter_map(file).collect(),
        patterns: blocks(sections.patterns, sections.files).filter_map(pattern).collect(),
        makefiles: makefiles.unwrap_or_default(),
    })
}

/// The lines at which the sections begin.
#[derive(Debug)]
struct Sections {
    start: usize,
    patterns: usize,
    files: usize,
    end: usize,
}

impl Sections {
    /// `None` when something is missing: no database, or one that was cut.
    fn find(lines: &[&str]) -> Option<Self> {
        let heading = |at: &usize| {
            lines[*at].starts_with(HEADING) && lines.get(at + 1..at + 3) == Some(&["", "# Variables"])
        };
        let start = (0..lines.len()).rev().find(heading)?;
        let last = |from: usize, to: usize, is: &dyn Fn(usize) -> bool| (from..to).rev().find(|at| is(*at));
        let end = last(start, lines.len(), &|at| lines[at].starts_with(END))?;
        let files = last(start, end, &|at| lines[at] == "# Files" && follows_a_count(&lines[start..at]))?;
        let patterns = last(start, files, &|at| lines[at] == "# Implicit Rules")?;
        Some(Self { start, patterns, files, end })
    }
}

/// Whether the last of these lines counts the implicit rules: `# No implicit rules.`, `# 2 implicit rules, …`.
fn follows_a_count(lines: &[&str]) -> bool {
    let mut before = lines.iter().rev();
    let line = match before.next() {
        Some(&"") => before.next(),
        line => line,
    };
    let counted = line.and_then(|line| line.strip_prefix("# ")?.split_once(" implicit rules"));
    counted.is_some_and(|(count, _)| count == "No" || count.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The explicit rule or file of one block.
fn file<'a>(block: &[&'a str]) -> Option<DatabaseEntry<'a>> {
    let comment = |line: &str| line == "#" || line.starts_with("# ");
    let begins = |at: &usize| {
        let before = at.checked_sub(1).map(|before| block[before]);
        !comment(block[*at])
            && block.get(at + 1).is_some_and(|next| next.starts_with("#  "))
            && before.is_none_or(|before| before == NOT_A_TARGET || !comment(before))
    };
    let at = (0..block.len()).find(begins)?;
    let mut entry = header(block[at])?;
    entry.is_target = at == 0 || block[at - 1] != NOT_A_TARGET;
    for line in &block[at + 1..] {
        if let Some(place) = place(line) {
            entry.recipe = Some(place);
            break;
        }
        entry.phony |= line.starts_with("#  Phony target");
    }
    Some(entry)
}

const NOT_A_TARGET: &str = "# Not a target:";

/// The pattern rule of one block. One without a recipe takes a rule away and offers nothing.
fn pattern<'a>(block: &[&'a str]) -> Option<DatabaseEntry<'a>> {
    let at = block.iter().position(|line| line.starts_with(RECIPE))?.checked_sub(1)?;
    let recipe = place(block[at + 1]);
    Some(DatabaseEntry { recipe, is_target: true, ..header(block[at])? })
        .filter(|rule| rule.name.contains('%'))
}

/// The line that begins an entry: `name: prerequisites`, with two colons for a rule of its own.
///
/// Colons of names are not escaped; the one that ends the name is the first that a blank or the end follows.
fn header(line: &str) -> Option<DatabaseEntry<'_>> {
    let (name, prerequisites) = line.split_once(": ").or_else(|| Some((line.strip_suffix(':')?, "")))?;
    let name = name.strip_suffix(':').unwrap_or(name);
    (!name.is_empty()).then_some(DatabaseEntry {
        name,
        prerequisites,
        is_target: false,
        phony: false,
        recipe: None,
    })
}

/// `#  recipe to execute (from 'Makefile', line 3):`.
fn place(line: &str) -> Option<RecipeStart<'_>> {
    let (file, line) = line.strip_prefix(RECIPE)?.strip_suffix("):")?.rsplit_once("', line ")?;
    Some(RecipeStart { file, line: line.parse().ok()? })
}
