//! The typed command line: the clap tree, in which each plugin has a command made from its identity card, and
//! the words read by it.

use std::ffi::{OsStr, OsString};
use std::sync::LazyLock;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Args, Command, CommandFactory, FromArgMatches};

use super::commands::{Commands, Cuff, command_alone};
use super::examples;
use super::globals::Globals;
use super::groups::with_groups;
use super::list::ListOptions;
use super::option_word::first_word;
use super::plugin_command::plugin_command;
use super::run::RunArguments;
use super::sorted::long_options;
use super::toolscript::{Toolscript, is_toolscript};
use crate::model::{PluginInfo, TerminalOption, nearest};

/// The typed command line.
#[derive(Debug)]
pub(in crate::cli) struct TypedLine {
    /// The options of all commands.
    pub(in crate::cli) globals: Globals,
    /// Whether a program reads the answer.
    pub(in crate::cli) wants_json: bool,
    pub(in crate::cli) command: TypedCommand,
}

/// The command of a line.
#[derive(Debug)]
pub(in crate::cli) enum TypedCommand {
    /// One of cuff's own.
    Own(Commands),
    /// `cuff <plugin> list|run`.
    Plugin { about: Box<PluginInfo>, action: Action, given: Vec<(&'static TerminalOption, String)> },
}

/// An action of a plugin's command.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "a process has one of them")]
pub(in crate::cli) enum Action {
    List(ListOptions),
    Run(RunArguments),
}

impl TypedLine {
    /// The run that is wanted, if one is.
    pub(in crate::cli) fn run(&mut self) -> Option<&mut RunArguments> {
        match &mut self.command {
            TypedCommand::Own(Commands::Run(run)) | TypedCommand::Plugin { action: Action::Run(run), .. } => {
                Some(run)
            }
            TypedCommand::Own(_) | TypedCommand::Plugin { .. } => None,
        }
    }

    /// Whether it may be the yes of a person, or the no: preferences say where that counts.
    pub(in crate::cli) fn says_yes(&self) -> bool {
        match &self.command {
            TypedCommand::Own(Commands::Run(run)) | TypedCommand::Plugin { action: Action::Run(run), .. } => {
                run.how.yes
            }
            TypedCommand::Own(Commands::Approve(_) | Commands::Deny(_)) => true,
            TypedCommand::Own(_) | TypedCommand::Plugin { .. } => false,
        }
    }
}

/// Whether the command that was typed, or one within it, has `--json`, or a format that is JSON.
fn wants_json(matches: &ArgMatches) -> bool {
    let flag = matches.try_get_one::<bool>("json").ok().flatten().copied().unwrap_or_default();
    let is_json = |format: &OsStr| format == "json";
    let format = matches.try_get_raw("format").ok().flatten().is_some_and(|mut given| given.any(is_json));
    flag || format || matches.subcommand().is_some_and(|(_, inner)| wants_json(inner))
}

/// The whole tree, as help shows it: the commands of plugins stand apart from cuff's own.
fn shown_tree(abouts: &[PluginInfo]) -> Command {
    let commanding = || abouts.iter().filter(|about| about.has_command);
    let width = commanding().map(|about| about.id.len()).max().unwrap_or_default();
    let line = |about: &PluginInfo| format!("  {:width$}  {}\n", about.id, about.summary);
    let lines: String = commanding().map(line).collect();
    let tree = commanding().fold(with_groups(tree(abouts)), |tree, about| {
        tree.mut_subcommand(about.id, |inner| inner.hide(true))
    });
    let examples = tree.get_after_help().map(ToString::to_string).unwrap_or_default();
    tree.after_help(format!("Tools of one plugin alone, with `list` and `run`:\n{lines}\n{examples}"))
}

/// The whole tree.
pub(in crate::cli) fn tree(abouts: &[PluginInfo]) -> Command {
    let own = examples::with_examples(Cuff::command());
    let commanding = abouts.iter().filter(|about| about.has_command);
    commanding.fold(own, |tree, about| tree.subcommand(plugin_command(about)))
}

/// The same, with all that clap adds to it when it reads a line.
pub(in crate::cli) fn built_tree(abouts: &[PluginInfo]) -> Command {
    let mut tree = tree(abouts);
    tree.build();
    tree
}

/// The long options of `cuff run`, without dashes.
pub(in crate::cli) fn run_options() -> &'static [String] {
    static OPTIONS: LazyLock<Vec<String>> =
        LazyLock::new(|| built_tree(&[]).find_subcommand("run").map(long_options).unwrap_or_default());
    &OPTIONS
}

/// Reads the words of the command line.
pub(in crate::cli) fn parse(abouts: &[PluginInfo], words: &[OsString]) -> Result<TypedLine, clap::Error> {
    if is_toolscript(words) {
        let matches = Toolscript::alone().try_get_matches_from(words)?;
        let toolscript = Toolscript::from_arg_matches(&matches)?;
        return typed(&matches, TypedCommand::Own(Commands::Toolscript(toolscript)));
    }
    let matches = read_named(abouts, words).unwrap_or_else(|| {
        shown_tree(abouts)
            .try_get_matches_from(words)
            .map_err(|error| with_nearest(error, &tree(abouts), words))
    })?;
    let plugin = matches
        .subcommand()
        .and_then(|(name, inner)| abouts.iter().find(|about| about.id == name).map(|about| (*about, inner)));
    let Some((about, inner)) = plugin else {
        return typed(&matches, TypedCommand::Own(Commands::from_arg_matches(&matches)?));
    };
    let (action, matches) = match inner.subcommand() {
        Some(("list", matches)) => (Action::List(ListOptions::from_arg_matches(matches)?), matches),
        Some((_, matches)) => (Action::Run(RunArguments::from_arg_matches(matches)?), matches),
        None => {
            return Err(tree(abouts).error(ErrorKind::MissingSubcommand, "say `list` or `run`"));
        }
    };
    let given = given(&about, matches);
    typed(matches, TypedCommand::Plugin { about: Box::new(about), action, given })
}

fn typed(matches: &ArgMatches, command: TypedCommand) -> Result<TypedLine, clap::Error> {
    Ok(TypedLine { globals: Globals::from_arg_matches(matches)?, wants_json: wants_json(matches), command })
}

/// The words by the command alone that they name, which takes no time for the others, and the error of `--version`; `None`
/// for a line that is wrong, asks for help or names no command. The whole tree has the words for those.
fn read_named(abouts: &[PluginInfo], words: &[OsString]) -> Option<Result<ArgMatches, clap::Error>> {
    let root = Command::new("cuff").version(env!("CARGO_PKG_VERSION"));
    let root = Globals::augment_args(root).subcommand_required(true).arg_required_else_help(true);
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

/// The command of this name alone: one of cuff's own, or of a plugin.
fn named(abouts: &[PluginInfo], name: &str) -> Option<Command> {
    let of_plugin = || abouts.iter().find(|about| about.has_command && about.id == name).map(plugin_command);
    command_alone(name).or_else(of_plugin)
}

/// The error with the command that was probably meant, where one is a slip away.
fn with_nearest(mut error: clap::Error, tree: &Command, words: &[OsString]) -> clap::Error {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand).cloned() else {
        return error;
    };
    let before = words.iter().take_while(|word| **word != *typed).filter_map(|word| word.to_str());
    let within = before.fold(tree, |tree, word| tree.find_subcommand(word).unwrap_or(tree));
    let shown = within.get_subcommands().filter(|command| !command.is_hide_set()).map(Command::get_name);
    match nearest(&typed, shown) {
        Some(meant) => {
            let meant = ContextValue::Strings(vec![meant.to_owned()]);
            error.insert(ContextKind::SuggestedSubcommand, meant);
        }
        // A name that looks similar to clap alone: `eslint` for `test`.
        None => {
            error.remove(ContextKind::SuggestedSubcommand);
        }
    }
    error
}

fn given(about: &PluginInfo, matches: &ArgMatches) -> Vec<(&'static TerminalOption, String)> {
    let value = |option: &TerminalOption| matches.try_get_one::<String>(option.flag).ok().flatten().cloned();
    about.options.iter().filter_map(|option| Some((option, value(option)?))).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::model::{Default, Field, RESERVED_INSTANCES, ValueKind};

    const FIELD: Field =
        Field { name: "pattern", kind: ValueKind::TextList, default: Default::Absent, about: "" };
    const OPTION: TerminalOption =
        TerminalOption { flag: "pattern", field: &FIELD, help: "Which", on_run: false, is_path: false };
    const ABOUT: PluginInfo = PluginInfo {
        summary: "Scripts",
        noun: "script",
        options: &[OPTION],
        ..PluginInfo::new("scripts", "SCRIPT")
    };

    #[test]
    fn the_tree_is_sound() {
        tree(&[ABOUT]).debug_assert();
    }

    #[test]
    fn json_is_wanted_by_flags_and_formats_at_any_depth() {
        let wants = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            parse(&[ABOUT], &words).expect("a line").wants_json
        };
        for line in [
            "cuff list --json",
            "cuff run test --json",
            "cuff runs --json",
            "cuff runs log 7 --json",
            "cuff runs diagnostics --as json",
            "cuff read --as json",
            "cuff mcp list --json",
            "cuff scripts list --json",
            "cuff toolscript search moon --output json",
            "toolscript list-tools --json",
        ] {
            assert!(wants(line), "{line}");
        }
        for line in
            ["cuff list", "cuff run test -- --json", "cuff init --output json", "cuff read --as sarif"]
        {
            assert!(!wants(line), "{line}");
        }
    }

    #[test]
    fn every_own_command_is_reserved_as_an_instance_name() {
        for command in Cuff::command().get_subcommands() {
            assert!(RESERVED_INSTANCES.contains(&command.get_name()), "{}", command.get_name());
        }
    }

    #[test]
    fn options_stand_before_the_dashes_and_words_behind_them() {
        let words = |line: &str| -> Vec<OsString> { line.split(' ').map(OsString::from).collect() };
        let Ok(mut line) = parse(&[ABOUT], &words("cuff run test a --timeout 5 -- --timeout 6")) else {
            panic!("a line")
        };
        let run = line.run().expect("a run");
        assert_eq!((run.how.call.timeout, &run.how.call.words), (Some(5), &words("a --timeout 6")));
        assert!(
            parse(&[ABOUT], &words("cuff run test --coverage")).is_err(),
            "a flag of the tool needs the dashes"
        );
        let listed = parse(&[ABOUT], &words("cuff scripts list-scripts --pattern x --quiet"));
        let Ok(TypedLine { globals, command: TypedCommand::Plugin { given, .. }, .. }) = listed else {
            panic!("a plugin's list")
        };
        assert!(globals.quiet);
        assert_eq!(given[0].1, "x");
        assert!(parse(&[ABOUT], &words("cuff scripts run x --pattern y")).is_err(), "only list takes it");
    }

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
            read_named(&[], &words).map(|read| read.is_ok())
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
