//! The groups in which the help of cuff shows its commands.

use std::fmt::Write as _;

use clap::Command;

use super::commands::GROUPS;

/// The command that clap adds, at the end of the last group.
const HELP: (&str, &str) = ("help", "Print this help, or the help of a command");
/// The commands that people take for one another; the help of each one names the others.
const RELATED: &[&str] = &["status", "doctor", "approvals", "audit"];
/// The title of those in the help.
pub(in crate::cli) const SEE_ALSO: &str = "See also:";

/// The same tree, with its commands in groups at the head of its help.
pub(super) fn with_groups(tree: Command) -> Command {
    let styles = tree.get_styles();
    let (header, literal) = (*styles.get_header(), *styles.get_literal());
    let width = shown().flat_map(|(_, names)| names).map(str::len).max().unwrap_or_default();
    let mut groups = String::new();
    // Writing to a string cannot fail.
    for (title, names) in shown() {
        let _ = writeln!(groups, "{header}{title}:{header:#}");
        for name in names {
            let _ = writeln!(groups, "  {literal}{name:width$}{literal:#}  {}", about(&tree, name));
        }
        groups.push('\n');
    }
    tree.help_template(format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}{header}Options:{header:#}\n\
         {{options}}{{after-help}}"
    ))
}

/// The groups that the help shows, with the names of their commands.
fn shown() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    let last = GROUPS.iter().rposition(|(title, _)| !title.is_empty());
    let group = move |(at, (title, names)): (usize, &(&'static str, &'static [&'static str]))| {
        let help = (Some(at) == last).then_some(HELP.0);
        (*title, names.iter().copied().chain(help).collect())
    };
    GROUPS.iter().enumerate().filter(|(_, (title, _))| !title.is_empty()).map(group)
}

/// The commands that are taken for this one, for the end of its help; empty for most.
pub(super) fn see_also(tree: &Command, name: &str) -> String {
    if !RELATED.contains(&name) {
        return String::new();
    }
    let width = RELATED.iter().map(|name| name.len()).max().unwrap_or_default();
    let others = RELATED.iter().filter(|other| **other != name);
    let lines = others.map(|other| format!("\n  cuff {other:width$}  {}", about(tree, other)));
    format!("\n\n{SEE_ALSO}{}", lines.collect::<String>())
}

fn about(tree: &Command, name: &str) -> String {
    let command = tree.find_subcommand(name);
    let text = command.and_then(Command::get_about).map(ToString::to_string);
    text.unwrap_or_else(|| HELP.1.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::arguments::tree;

    /// The width that most terminals show in one line.
    const COLUMNS: usize = 80;

    #[test]
    fn every_command_is_in_one_group_and_its_line_is_short() {
        let tree = tree(&[]);
        let shown = tree.get_subcommands().filter(|command| !command.is_hide_set()).map(Command::get_name);
        let mut expected: Vec<&str> = shown.chain([HELP.0]).collect();
        let mut grouped: Vec<&str> = super::shown().flat_map(|(_, names)| names).collect();
        let width = grouped.iter().map(|name| name.len()).max().unwrap();
        for name in &grouped {
            let columns = "    ".len() + width + about(&tree, name).chars().count();
            assert!(columns <= COLUMNS, "{name}: {columns} columns");
        }
        expected.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, expected, "a command that is not hidden is in a group with a title");
    }
}
