//! The part of the tree that a line names. A right line is read with it alone, and takes no time for the rest.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command};

use super::completions::Completions;
use super::globals::Globals;
use super::hook::CuffHook;
use super::init::Init;
use super::install::{Doctor, Install};
use super::list::ListArguments;
use super::mcp::Mcp;
use super::option_word::first_word;
use super::plugin_command::plugin_command;
use super::read::Read;
use super::run::{RunArguments, Why};
use super::runs::{AnswerArguments, ApprovalsTyped, Approve, Audit, Json, RunsTyped};
use super::serve::Serve;
use super::toolscript::Toolscript;
use crate::model::PluginInfo;

/// The words as the whole tree reads them, and the error of `--version`; `None` for a line that is wrong, asks for
/// help or names no command. The whole tree has the words for those.
pub(super) fn read(abouts: &[PluginInfo], words: &[OsString]) -> Option<Result<ArgMatches, clap::Error>> {
    let root = root();
    let tree = match first_word(&root, words) {
        Some(at) => root.subcommand(named(abouts, words.get(at)?.to_str()?)?),
        None => root,
    };
    match tree.try_get_matches_from(words) {
        Ok(matches) => Some(Ok(matches)),
        Err(error) if error.kind() == ErrorKind::DisplayVersion => Some(Err(error)),
        Err(_) => None,
    }
}

/// cuff without its commands.
fn root() -> Command {
    let root = Command::new("cuff").version(env!("CARGO_PKG_VERSION"));
    Globals::augment_args(root).subcommand_required(true).arg_required_else_help(true)
}

/// The command of this name, without the texts of its help.
fn named(abouts: &[PluginInfo], name: &str) -> Option<Command> {
    let augment: fn(Command) -> Command = match name {
        "init" => Init::augment_args,
        "list" => ListArguments::augment_args,
        "run" => RunArguments::augment_args,
        "why" => Why::augment_args,
        "status" | "runners" => Json::augment_args,
        "serve" => Serve::augment_args,
        "install" => Install::augment_args,
        "mcp" => Mcp::augment_args,
        "toolscript" => Toolscript::augment_args,
        "doctor" => Doctor::augment_args,
        "hook" => CuffHook::augment_args,
        "read" => Read::augment_args,
        "runs" => RunsTyped::augment_args,
        "approve" => Approve::augment_args,
        "deny" => AnswerArguments::augment_args,
        "approvals" => ApprovalsTyped::augment_args,
        "audit" => Audit::augment_args,
        "schema" => |command| command,
        "completions" => Completions::augment_args,
        of_plugin => {
            let is_it = |about: &&PluginInfo| about.has_command && about.id == of_plugin;
            return abouts.iter().find(is_it).map(plugin_command);
        }
    };
    Some(augment(Command::new(name.to_owned())))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::cli::arguments::tree;

    /// The keys by which a line is read: the options, groups and rules of a command, and of those within it.
    fn read_by(command: &Command, path: &str, found: &mut BTreeMap<String, String>) {
        let args: Vec<_> = command.get_arguments().collect();
        let groups: Vec<_> = command.get_groups().collect();
        let names: Vec<_> = command.get_all_aliases().collect();
        let rules = [
            command.is_subcommand_required_set(),
            command.is_arg_required_else_help_set(),
            command.is_args_conflicts_with_subcommands_set(),
            command.is_subcommand_negates_reqs_set(),
            command.is_allow_external_subcommands_set(),
            command.is_disable_help_subcommand_set(),
        ];
        found.insert(path.to_owned(), format!("{args:?} {groups:?} {names:?} {rules:?}"));
        for inner in command.get_subcommands() {
            read_by(inner, &format!("{path} {}", inner.get_name()), found);
        }
    }

    #[test]
    fn every_command_alone_is_read_as_in_the_whole_tree() {
        let abouts: Vec<_> = crate::plugins::ALL.iter().map(|plugin| plugin.about()).collect();
        let whole = tree(&abouts);
        let found = |command: &Command| {
            let mut found = BTreeMap::new();
            read_by(command, "", &mut found);
            found
        };
        let options = |command: &Command| format!("{:?}", command.get_arguments().collect::<Vec<_>>());
        assert_eq!(options(&whole), options(&root()));
        for command in whole.get_subcommands() {
            let Some(alone) = named(&abouts, command.get_name()) else {
                panic!("`{}` is read with the whole tree", command.get_name());
            };
            assert_eq!(found(&alone), found(command), "{}", command.get_name());
        }
    }

    #[test]
    fn a_wrong_line_and_help_are_left_to_the_whole_tree() {
        let is_read = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            read(&[], &words).map(|read| read.is_ok())
        };
        for line in [
            "cuff",
            "cuff -q",
            "cuff --help",
            "cuff help list",
            "cuff lst",
            "cuff list --help",
            "cuff list --no",
        ] {
            assert_eq!(is_read(line), None, "{line}");
        }
        assert_eq!(is_read("cuff -qC x list --json"), Some(true));
        assert_eq!(is_read("cuff --version"), Some(false));
    }
}
