//! Formats whose findings stand in a line each, or in a head line and a place line: data, with one reader for all.
//!
//! A format is added as a row, with a sample in `fixtures/lines/`; one of several shapes is several rows of one name.
//! Expressions have the shape of a problem matcher of the settings; their groups are named `file`, `line`, `column`,
//! `severity`, `code` and `message`. `{name}` stands for the name of a file, with blanks or without.

mod docs;
mod languages;
mod native;
mod python;
#[cfg(test)]
mod samples;
mod scripts;
mod settings;
mod suites;
mod system;
#[cfg(test)]
mod tests;
mod usage;
mod web;

use super::place;
use crate::model::{Matcher, Pattern, Severity};

pub(super) use docs::DOCS;
pub(super) use languages::LANGUAGES;
pub(super) use native::NATIVE;
pub(super) use python::PYTHON;
pub(super) use scripts::SCRIPTS;
pub(super) use settings::SETTINGS;
pub(super) use suites::SUITES;
pub(super) use system::SYSTEM;
pub(super) use usage::USAGE;
pub(super) use web::WEB;

/// A format as data.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// Its name: `yamllint`.
    id: &'static str,
    /// The programs that write it.
    programs: &'static [&'static str],
    /// One of these is in each first line of a finding.
    triggers: &'static [&'static str],
    /// An expression for each line of a finding.
    lines: &'static [&'static str],
    /// Expressions for lines that may follow a complete finding, in this order, each as often as it comes. Their group
    /// `message` is one more line of the message, and `wrapped` goes on with its last one; a line without a group is passed over.
    more: &'static [&'static str],
    /// How those lines follow one another.
    order: Order,
    /// The severity of a finding that names none.
    severity: Severity,
    /// The tool's own words for severities.
    severities: &'static [(&'static str, Severity)],
    /// The code of a finding that names none, and the message of one that says nothing.
    defaults: (&'static str, &'static str),
    /// Files and messages as people read them, where the tool escapes characters.
    decode: fn(String) -> String,
    /// Whether a finding counts only where no error explains it.
    is_consequence: bool,
    /// Whether that error stands below it.
    is_heading: bool,
}

/// How the lines of one finding follow one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// One immediately behind the other.
    Together,
    /// The first one has no trigger and stands before the line that has.
    Headed,
    /// Up to so many other lines stand between two of them.
    Within(usize),
    /// The last one may come again, up to so many other lines later.
    Repeating(usize),
    /// The same, and the first one has no trigger.
    HeadedRepeating(usize),
}

/// A row that most others differ from in a few fields.
const LINE: Row = Row {
    id: "",
    programs: &[],
    triggers: &[],
    lines: &[],
    more: &[],
    order: Order::Together,
    severity: Severity::Error,
    severities: &[],
    defaults: ("", ""),
    decode: std::convert::identity,
    is_consequence: false,
    is_heading: false,
};

/// Formats of rows. Expressions are compiled when the first line with a trigger comes.
macro_rules! formats {
    ($list:ident: $($row:expr),* $(,)?) => {
        /// The formats of this file.
        pub(in crate::dialect) const $list: &[$crate::dialect::Format] = &[$({
            const ROW: $crate::dialect::table::Row = $row;
            $crate::dialect::Format {
                id: ROW.id,
                triggers: ROW.triggers,
                programs: ROW.programs,
                reader: || {
                    static MATCHER: std::sync::LazyLock<$crate::model::Matcher> =
                        std::sync::LazyLock::new(|| ROW.matcher());
                    Box::new($crate::dialect::matcher::Matched::new(MATCHER.clone()))
                },
            }
        }),*];
    };
}
use formats;

impl Row {
    /// The matcher of a row; an expression that is not understood matches nothing.
    fn matcher(&self) -> Matcher {
        let patterns =
            |lines: &[&str]| Pattern::all(lines.iter().map(|line| place::expanded(line))).unwrap_or_default();
        let mut matcher = Matcher::of(self.id.to_owned(), self.severity, patterns(self.lines));
        matcher.more = patterns(self.more);
        (matcher.severities, matcher.defaults, matcher.decode) =
            (self.severities, self.defaults, self.decode);
        (matcher.is_consequence, matcher.is_heading) = (self.is_consequence, self.is_heading);
        matcher.is_headed = matches!(self.order, Order::Headed | Order::HeadedRepeating(_));
        matcher.between = match self.order {
            Order::Together | Order::Headed => 0,
            Order::Within(lines) | Order::Repeating(lines) | Order::HeadedRepeating(lines) => lines,
        };
        if let (Order::Repeating(_) | Order::HeadedRepeating(_), Some(last)) =
            (self.order, matcher.patterns.last_mut())
        {
            last.repeats = true;
        }
        matcher
    }
}
