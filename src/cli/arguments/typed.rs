//! The typed command line: the clap tree, in which each plugin has a command made from its identity card, and
//! the words read by it.

use std::ffi::OsString;
use std::sync::LazyLock;

use clap::error::{ContextKind, ContextValue};
use clap::{ArgMatches, Command, CommandFactory, FromArgMatches};

use super::commands::{Commands, Cuff};
use super::examples;
use super::globals::Globals;
use super::groups::with_groups;
use super::list::{ListArguments, ListOptions};
use super::mcp::{McpCommand, McpTest};
use super::named;
use super::plugin_command::plugin_command;
use super::run::RunArguments;
use super::runs::{ApprovalsTyped, Audit, Json};
use super::sorted::long_options;
use super::toolscript::Toolscript;
use crate::model::{PluginInfo, TerminalOption, nearest};

/// The typed command line.
#[derive(Debug)]
pub(in crate::cli) enum TypedLine {
    /// One of cuff's own commands.
    Own(Cuff),
    /// `cuff <plugin> list|run`.
    Plugin {
        globals: Globals,
        about: Box<PluginInfo>,
        action: Action,
        given: Vec<(&'static TerminalOption, String)>,
    },
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
        match self {
            Self::Own(Cuff { command: Commands::Run(run), .. })
            | Self::Plugin { action: Action::Run(run), .. } => Some(run),
            Self::Own(_) | Self::Plugin { .. } => None,
        }
    }

    /// Whether it may be the yes of a person, or the no: preferences say where that counts.
    pub(in crate::cli) fn says_yes(&self) -> bool {
        match self {
            Self::Own(Cuff { command: Commands::Run(run), .. })
            | Self::Plugin { action: Action::Run(run), .. } => run.how.yes,
            Self::Own(Cuff { command: Commands::Approve(_) | Commands::Deny(_), .. }) => true,
            Self::Own(_) | Self::Plugin { .. } => false,
        }
    }

    /// Whether a program reads the answer.
    pub(in crate::cli) fn wants_json(&self) -> bool {
        match self {
            Self::Own(Cuff { command: Commands::List(ListArguments { what: shown, .. }), .. })
            | Self::Plugin { action: Action::List(shown), .. } => shown.json,
            Self::Own(Cuff { command: Commands::Run(run), .. })
            | Self::Plugin { action: Action::Run(run), .. } => run.how.json,
            Self::Own(Cuff { command: Commands::Why(why), .. }) => why.json,
            Self::Own(Cuff { command: Commands::Runs(runs), .. }) => runs.json(),
            Self::Own(Cuff { command: Commands::Read(read), .. }) => read.form.is_json(),
            Self::Own(Cuff { command: Commands::Mcp(mcp), .. }) => {
                matches!(
                    mcp.command,
                    McpCommand::List(Json { json: true }) | McpCommand::Test(McpTest { json: true, .. })
                )
            }
            Self::Own(Cuff { command: Commands::Toolscript(toolscript), .. }) => toolscript.wants_json(),
            Self::Own(Cuff { command: Commands::Doctor(doctor), .. }) => doctor.json,
            Self::Own(Cuff {
                command:
                    Commands::Approvals(ApprovalsTyped { json, .. })
                    | Commands::Status(Json { json })
                    | Commands::Runners(Json { json })
                    | Commands::Audit(Audit { json, .. }),
                ..
            }) => *json,
            Self::Own(_) => false,
        }
    }
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

/// The long options of `cuff run`, without dashes.
pub(in crate::cli) fn run_options() -> &'static [String] {
    static OPTIONS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let mut tree = tree(&[]);
        tree.build();
        tree.find_subcommand("run").map(long_options).unwrap_or_default()
    });
    &OPTIONS
}

/// Reads the words of the command line.
pub(in crate::cli) fn parse(abouts: &[PluginInfo], words: &[OsString]) -> Result<TypedLine, clap::Error> {
    if let Some(typed) = Toolscript::under_its_own_name(words) {
        let (globals, toolscript) = typed?;
        return Ok(TypedLine::Own(Cuff { globals, command: Commands::Toolscript(toolscript) }));
    }
    let matches = named::read(abouts, words).unwrap_or_else(|| {
        shown_tree(abouts)
            .try_get_matches_from(words)
            .map_err(|error| with_nearest(error, &tree(abouts), words))
    })?;
    let plugin = matches
        .subcommand()
        .and_then(|(name, inner)| abouts.iter().find(|about| about.id == name).map(|about| (*about, inner)));
    let Some((about, inner)) = plugin else { return Cuff::from_arg_matches(&matches).map(TypedLine::Own) };
    let (action, matches) = match inner.subcommand() {
        Some(("list", matches)) => (Action::List(ListOptions::from_arg_matches(matches)?), matches),
        Some((_, matches)) => (Action::Run(RunArguments::from_arg_matches(matches)?), matches),
        None => {
            return Err(tree(abouts).error(clap::error::ErrorKind::MissingSubcommand, "say `list` or `run`"));
        }
    };
    let globals = Globals::from_arg_matches(matches)?;
    Ok(TypedLine::Plugin { globals, about: Box::new(about), action, given: given(&about, matches) })
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
    fn every_own_command_is_reserved_as_an_instance_name() {
        for command in Cuff::command().get_subcommands() {
            assert!(RESERVED_INSTANCES.contains(&command.get_name()), "{}", command.get_name());
        }
    }

    #[test]
    fn options_stand_before_the_dashes_and_words_behind_them() {
        let words = |line: &str| -> Vec<OsString> { line.split(' ').map(OsString::from).collect() };
        let Ok(TypedLine::Own(Cuff { command: Commands::Run(run), .. })) =
            parse(&[ABOUT], &words("cuff run test a --timeout 5 -- --timeout 6"))
        else {
            panic!("a run")
        };
        assert_eq!((run.how.call.timeout, run.how.call.words), (Some(5), words("a --timeout 6")));
        assert!(
            parse(&[ABOUT], &words("cuff run test --coverage")).is_err(),
            "a flag of the tool needs the dashes"
        );
        let listed = parse(&[ABOUT], &words("cuff scripts list-scripts --pattern x --quiet"));
        let Ok(TypedLine::Plugin { globals, given, .. }) = listed else { panic!("a plugin's list") };
        assert!(globals.quiet);
        assert_eq!(given[0].1, "x");
        assert!(parse(&[ABOUT], &words("cuff scripts run x --pattern y")).is_err(), "only list takes it");
    }
}
