//! The clap tree: cuff's own commands by derive, one command per plugin from the plugins' identity cards.

mod examples;
mod http;
mod install;
mod runs;
mod serve;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum,
};

pub(super) use self::http::{Http, LogFormat, Logging};
pub(super) use self::install::{Doctor, Install};
pub(super) use self::runs::{
    Answer, Approve, Audit, Json, Lines, LogOptions, Printing, Prune, RunAndEarlier, RunAndJson, RunsCommand,
    RunsList, RunsTyped,
};
pub(super) use self::serve::Serve;
use crate::model::{About, LONGEST_TIMEOUT, TerminalOption};

/// The command layer that people and coding agents share.
#[derive(Debug, Parser)]
#[command(name = "cuff", version, propagate_version = false, subcommand_required = true)]
#[command(arg_required_else_help = true)]
pub(super) struct Cuff {
    #[command(flatten)]
    pub(super) globals: Globals,
    #[command(subcommand)]
    pub(super) command: Commands,
}

/// What every command takes.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub(super) struct Globals {
    /// Work as if started in DIR
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub(super) directory: Option<PathBuf>,
    /// The settings file, instead of the one that is found
    #[arg(long, value_name = "PATH", global = true)]
    pub(super) config: Option<PathBuf>,
    /// Print without colours
    #[arg(long, global = true)]
    pub(super) no_color: bool,
    /// Print nothing but results and errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Print more about what is done
    #[arg(short, long, global = true)]
    pub(super) verbose: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum Commands {
    /// Find what this project can do and write settings.yml
    Init(Init),
    /// Show every tool that is offered
    List(List),
    /// Run a tool
    Run(Run),
    /// Explain what would become of a call, and run nothing
    Why(Why),
    /// Show how the project stands: plugins, settings, and what is kept
    Status(Json),
    /// Offer the tools to agents over MCP, on standard input and output or over HTTP
    Serve(Serve),
    /// Write cuff into the configuration of an agent's client, or take it out again
    Install(Install),
    /// Look for what is in the way: programs, settings, what is kept, and clients
    Doctor(Doctor),
    /// Show what ran, how it ended and what it printed
    Runs(RunsTyped),
    /// Say yes to a call that waits for a person, or let agents have changed settings
    Approve(Approve),
    /// Say no to a call that waits for a person, or take a yes back
    Deny(Answer),
    /// Show what waits for a person: calls, and changed settings
    Approvals(Json),
    /// Show what was decided about calls
    Audit(Audit),
    /// Print the JSON Schema of settings.yml
    Schema,
    /// Print the script by which a shell completes cuff's command line
    Completions(Completions),
}

#[derive(Debug, Args)]
pub(super) struct Completions {
    /// Which shell
    #[arg(value_name = "SHELL", value_enum)]
    pub(super) shell: Shell,
}

/// The shells that have a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Shell {
    Bash,
    Zsh,
    Fish,
    Powershell,
    Elvish,
}

#[derive(Debug, Args)]
pub(super) struct Init {
    /// Where to write [default: settings.yml]
    #[arg(short, long, value_name = "PATH")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) existing: Existing,
    /// Print the settings instead of writing them
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Ask nothing
    #[arg(short, long)]
    pub(super) yes: bool,
    #[command(flatten)]
    pub(super) scope: Scope,
}

/// What becomes of a settings file that is there.
#[derive(Debug, Args)]
pub(super) struct Existing {
    /// Replace an existing file
    #[arg(long, conflicts_with = "merge")]
    pub(super) force: bool,
    /// Add what is new to an existing file, and leave every line of it as it is
    #[arg(long)]
    pub(super) merge: bool,
}

/// What settings are to be about.
#[derive(Debug, Args)]
pub(super) struct Scope {
    /// Only these plugins, or packages of a workspace
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub(super) plugins: Vec<String>,
    /// All but these plugins, or packages of a workspace
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub(super) exclude: Vec<String>,
    /// Leave out the packages of a workspace
    #[arg(long)]
    pub(super) no_workspaces: bool,
}

#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    pub(super) what: Shown,
    /// Only tools of this plugin, or of this entry under `plugins:`
    #[arg(long, value_name = "PLUGIN")]
    pub(super) plugin: Option<String>,
}

/// What is listed and how, whichever command lists it.
#[derive(Debug, Args)]
pub(super) struct Shown {
    /// Only tools whose name or description contains each of these words
    #[arg(value_name = "FILTER")]
    pub(super) filter: Vec<String>,
    /// Show all there is to say of each: where it is from, what it runs, what it takes
    #[arg(short, long, conflicts_with = "json")]
    pub(super) long: bool,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct Run {
    /// The tool, by any name that means it alone: `test`, `npm_test` or `packagejson.npm_test`, and a script by its file too;
    /// of several that are called so the one of the folder you are in. `-` repeats your last run, and without one you
    /// choose from a list
    #[arg(value_name = "TOOL", index = 1)]
    pub(super) tool: Option<String>,
    #[command(flatten)]
    pub(super) how: How,
}

#[derive(Debug, Args)]
pub(super) struct Why {
    /// The tool, by any name that means it alone: `test`, `npm_test` or `packagejson.npm_test`
    #[arg(value_name = "TOOL", index = 1)]
    pub(super) tool: String,
    #[command(flatten)]
    pub(super) call: Brought,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// What a call brings.
#[derive(Debug, Args)]
pub(super) struct Brought {
    /// Words for the tool; those that start with a dash go after --. They are all that it gets: its standard input is empty
    #[arg(value_name = "ARGS", index = 2)]
    pub(super) words: Vec<OsString>,
    /// Set an environment variable for this run
    #[arg(long, value_name = "NAME=VALUE")]
    pub(super) env: Vec<OsString>,
    /// Work in this folder, relative to the tool's own; for tools that let a call choose
    #[arg(long, value_name = "DIR")]
    pub(super) cwd: Option<String>,
    /// Stop it after this many seconds; without it and a default_timeout in the settings it has no end of its own
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) timeout: Option<u64>,
}

/// How a tool is run, whichever command runs it.
#[derive(Debug, Args)]
pub(super) struct How {
    #[command(flatten)]
    pub(super) call: Brought,
    /// Say yes beforehand to a tool that needs a yes; it counts only at a terminal
    #[arg(short, long)]
    pub(super) yes: bool,
    /// Show the command instead of running it; a program that can rehearse it (make -n) may still run parts of it
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Print the result as JSON, and nothing else on standard output
    #[arg(long)]
    pub(super) json: bool,
}

/// What was typed.
#[derive(Debug)]
pub(super) enum Typed {
    /// One of cuff's own commands.
    Own(Cuff),
    /// `cuff <plugin> list|run`.
    Plugin { globals: Globals, about: About, action: Action, given: Vec<(&'static TerminalOption, String)> },
}

/// What a plugin's command does.
#[derive(Debug)]
pub(super) enum Action {
    List(Shown),
    Run(Run),
}

impl Typed {
    /// Whether it may be the yes of a person, or the no: preferences say where that counts.
    pub(super) fn says_yes(&self) -> bool {
        match self {
            Self::Own(Cuff { command: Commands::Run(run), .. })
            | Self::Plugin { action: Action::Run(run), .. } => run.how.yes,
            Self::Own(Cuff { command: Commands::Approve(_) | Commands::Deny(_), .. }) => true,
            Self::Own(_) | Self::Plugin { .. } => false,
        }
    }

    /// Whether a program reads the answer.
    pub(super) fn wants_json(&self) -> bool {
        match self {
            Self::Own(Cuff { command: Commands::List(List { what: shown, .. }), .. })
            | Self::Plugin { action: Action::List(shown), .. } => shown.json,
            Self::Own(Cuff { command: Commands::Run(run), .. })
            | Self::Plugin { action: Action::Run(run), .. } => run.how.json,
            Self::Own(Cuff { command: Commands::Why(why), .. }) => why.json,
            Self::Own(Cuff { command: Commands::Runs(runs), .. }) => runs.json(),
            Self::Own(Cuff { command: Commands::Doctor(doctor), .. }) => doctor.json,
            Self::Own(Cuff {
                command:
                    Commands::Approvals(Json { json })
                    | Commands::Status(Json { json })
                    | Commands::Audit(Audit { json, .. }),
                ..
            }) => *json,
            Self::Own(_) => false,
        }
    }
}

/// A time that a run may take.
fn seconds(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(seconds @ 1..=LONGEST_TIMEOUT) => Ok(seconds),
        _ => Err(format!("it is a whole number of seconds from 1 to {LONGEST_TIMEOUT}, such as 90")),
    }
}

/// The whole tree, as help shows it: the commands of plugins stand apart from cuff's own.
fn shown_tree(abouts: &[About]) -> Command {
    let width = abouts.iter().map(|about| about.id.len()).max().unwrap_or_default();
    let line = |about: &About| format!("  {:width$}  {}\n", about.id, about.summary);
    let lines: String = abouts.iter().map(line).collect();
    let tree = abouts
        .iter()
        .fold(tree(abouts), |tree, about| tree.mut_subcommand(about.id, |inner| inner.hide(true)));
    let examples = tree.get_after_help().map(ToString::to_string).unwrap_or_default();
    tree.after_help(format!("Tools of one plugin alone, with `list` and `run`:\n{lines}\n{examples}"))
}

/// The whole tree.
pub(super) fn tree(abouts: &[About]) -> Command {
    let own = examples::with_examples(Cuff::command());
    abouts.iter().fold(own, |tree, about| tree.subcommand(plugin_command(about)))
}

fn plugin_command(about: &About) -> Command {
    let noun = about.noun;
    let [of_list, of_run] = examples::of_plugin(about.id);
    let list = Shown::augment_args(Command::new("list"))
        .mut_arg("filter", |arg| {
            arg.help(format!("Only {noun}s whose name or description contains each of these words"))
        })
        .alias(format!("list-{noun}s"))
        .about(format!("Show the {noun}s that are offered"))
        .after_help(of_list.clone())
        .args(about.options.iter().map(option));
    let run = Run::augment_args(Command::new("run"))
        .mut_arg("tool", |arg| {
            arg.value_name(noun.to_uppercase()).help(format!(
                "The {noun}, by any of its names; `-` repeats your last, and without one you choose"
            ))
        })
        .alias(format!("run-{noun}"))
        .about(format!("Run a {noun}"))
        .after_help(of_run)
        .args(about.options.iter().filter(|option| option.on_run).map(option));
    Command::new(about.id)
        .about(about.summary)
        .after_help(of_list)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(list)
        .subcommand(run)
}

fn option(option: &TerminalOption) -> Arg {
    let value = if option.is_path { "PATH".into() } else { option.flag.to_uppercase().replace('-', "_") };
    Arg::new(option.flag).long(option.flag).value_name(value).help(option.help).action(ArgAction::Set)
}

/// Reads the words of the command line.
pub(super) fn parse(abouts: &[About], words: Vec<OsString>) -> Result<Typed, clap::Error> {
    let matches = shown_tree(abouts).try_get_matches_from(words)?;
    let plugin = matches
        .subcommand()
        .and_then(|(name, inner)| abouts.iter().find(|about| about.id == name).map(|about| (*about, inner)));
    let Some((about, inner)) = plugin else { return Cuff::from_arg_matches(&matches).map(Typed::Own) };
    let (action, matches) = match inner.subcommand() {
        Some(("list", matches)) => (Action::List(Shown::from_arg_matches(matches)?), matches),
        Some((_, matches)) => (Action::Run(Run::from_arg_matches(matches)?), matches),
        None => {
            return Err(tree(abouts).error(clap::error::ErrorKind::MissingSubcommand, "say `list` or `run`"));
        }
    };
    let globals = Globals::from_arg_matches(matches)?;
    Ok(Typed::Plugin { globals, about, action, given: given(&about, matches) })
}

fn given(about: &About, matches: &ArgMatches) -> Vec<(&'static TerminalOption, String)> {
    let value = |option: &TerminalOption| matches.try_get_one::<String>(option.flag).ok().flatten().cloned();
    about.options.iter().filter_map(|option| Some((option, value(option)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Default, Field, Kind, RESERVED_INSTANCES};

    const FIELD: Field = Field { name: "pattern", kind: Kind::TextList, default: Default::Absent, about: "" };
    const OPTION: TerminalOption =
        TerminalOption { flag: "pattern", field: &FIELD, help: "Which", on_run: false, is_path: false };
    const ABOUT: About = About {
        id: "scripts",
        summary: "Scripts",
        noun: "script",
        code_prefix: "SCRIPT",
        config: &[],
        options: &[OPTION],
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
        let words = |line: &str| line.split(' ').map(OsString::from).collect();
        let Ok(Typed::Own(Cuff { command: Commands::Run(run), .. })) =
            parse(&[ABOUT], words("cuff run test a --timeout 5 -- --timeout 6"))
        else {
            panic!("a run")
        };
        assert_eq!((run.how.call.timeout, run.how.call.words), (Some(5), words("a --timeout 6")));
        assert!(
            parse(&[ABOUT], words("cuff run test --coverage")).is_err(),
            "a flag of the tool needs the dashes"
        );
        let listed = parse(&[ABOUT], words("cuff scripts list-scripts --pattern x --quiet"));
        let Ok(Typed::Plugin { globals, given, .. }) = listed else { panic!("a plugin's list") };
        assert!(globals.quiet);
        assert_eq!(given[0].1, "x");
        assert!(parse(&[ABOUT], words("cuff scripts run x --pattern y")).is_err(), "only list takes it");
    }
}
