//! The command of a plugin, made from its identity card.

use clap::{Arg, ArgAction, Args, Command};

use super::examples;
use super::list::ListOptions;
use super::run::RunArguments;
use crate::model::{PluginInfo, TerminalOption};

/// `cuff <plugin> list|run`.
pub(super) fn plugin_command(about: &PluginInfo) -> Command {
    let noun = about.noun;
    let [of_list, of_run] = examples::of_plugin(about.id);
    let list = ListOptions::augment_args(Command::new("list"))
        .mut_arg("filter", |arg| {
            arg.help(format!("Only {noun}s whose name, file or description contains each of these words"))
        })
        .alias(format!("list-{noun}s"))
        .about(format!("Show the {noun}s that are offered"))
        .after_help(of_list.clone())
        .args(about.options.iter().map(option));
    let run = RunArguments::augment_args(Command::new("run"))
        .mut_arg("tool", |arg| {
            arg.value_name(noun.to_uppercase()).help(format!(
                "The {noun}, by any of its names; `-` repeats your last, and without one you choose"
            ))
        })
        .mut_arg("json_input", |arg| arg.hide(true))
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
