//! The command line: reads it, opens what the command needs, and hands over to the command.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use serde_json::Value;

use super::arguments::{self, Action, Commands, TypedCommand, TypedLine};
use super::problems::{complain, complain_of_preferences};
#[cfg(feature = "code")]
use super::toolscript;
use super::{
    approve, audit, bare_tool, complete, doctor, flags, hook, init, install, list, mcp, read, run, runners,
    runs, serve, status, usage, why,
};
use crate::model::{Field, PluginInfo, TerminalOption};
use crate::project::{Connect, Context, Project};
use crate::sys::daemon::DaemonStarter;
use crate::sys::{files, heap, programs};
use crate::terminal::{Failed, MessageManner, Ui, exit};
use bare_tool::FirstWord;

/// Runs the command line; the first word is the program's own name.
pub fn main(context: Context, words: &[OsString]) -> ExitCode {
    if words.get(1).is_some_and(|word| word == complete::ARGUMENT) {
        return complete::answer(&context, arguments::is_toolscript(words), &words[2..]);
    }
    let (starter, words) = match DaemonStarter::of(words) {
        Some((starter, words)) => (Some(starter), Cow::from(words)),
        None => (None, Cow::from(words)),
    };
    let words = &*words;
    let json = words.iter().take_while(|word| *word != "--").any(|word| word == "--json");
    let typed = arguments::parse(&context.abouts(), words);
    let mut typed = match typed.or_else(|error| flags::reread(error, &context, words)) {
        Ok(typed) => typed,
        Err(error) => match bare_tool::reread(&error, &context, words) {
            Some(FirstWord::Unknown(failed)) => return exit::code(failed.print(&Ui::plain(), json)),
            Some(FirstWord::Tool(read)) => match *read {
                Ok(typed) => typed,
                Err(error) => return misread(&error, &context, words, json),
            },
            None => return misread(&error, &context, words, json),
        },
    };
    let json = typed.wants_json;
    let globals = &typed.globals;
    let ui =
        Ui::new(MessageManner { quiet: globals.quiet, verbose: globals.verbose, no_color: globals.no_color });
    if let Some(run) = typed.run().filter(|run| run.how.background) {
        run.how.starter = starter;
        if run.how.starter.is_none() {
            let done = run::background::start(&context, words);
            return exit::code(done.unwrap_or_else(|failed| failed.print(&ui, json)));
        }
    }
    let done = within(context, &typed.globals).and_then(|context| dispatch(&ui, context, typed));
    exit::code(done.unwrap_or_else(|failed| failed.print(&ui, json)))
}

/// Help, the version, or what is wrong with a line.
fn misread(error: &clap::Error, context: &Context, words: &[OsString], json: bool) -> ExitCode {
    if let Some(version) = usage::verbose_version(error, context, words) {
        let printed = Ui::plain().result(version);
        return exit::code(printed.map_or(exit::FAILURE, |()| exit::SUCCESS));
    }
    if let Some(help) = flags::help(error, context, words) {
        let printed = Ui::plain().result(help.trim_end());
        return exit::code(printed.map_or(exit::FAILURE, |()| exit::SUCCESS));
    }
    exit::code(usage::explain(error, json, || {
        usage::several(error)
            .or_else(|| bare_tool::behind_dashes(error, context, words))
            .or_else(|| bare_tool::of_plugin(error, context, words))
            .or_else(|| bare_tool::tool_of_command(context, words))
            .or_else(|| usage::inner_command(error, words))
            .or_else(|| usage::help_of_tool(error, words))
            .or_else(|| usage::inner_of_list(error, &arguments::tree(&[]), words))
    }))
}

/// `-C DIR`.
fn within(context: Context, globals: &arguments::Globals) -> Result<Context, Failed> {
    let Some(directory) = &globals.directory else { return Ok(context) };
    let directory = context.environment.directory().join(directory);
    if !programs::is_directory(&directory) {
        let failed = Failed::usage(format!("-C {}: there is no such directory", directory.display()));
        return Err(failed.help("name one that is there; the path counts from where you are"));
    }
    let environment = context.environment.within(files::canonical(&directory));
    Ok(Context { environment, ..context })
}

fn dispatch(ui: &Ui, context: Context, typed: TypedLine) -> Result<u8, Failed> {
    if typed.says_yes() {
        complain_of_preferences(ui, &context);
    }
    let config = typed.globals.config;
    match typed.command {
        TypedCommand::Own(command) => match command {
            Commands::Init(_) if config.is_some() => {
                let message = "`--config` names settings to read, and `cuff init` writes some";
                Err(Failed::usage(message).help("`-o PATH` says where to"))
            }
            Commands::Init(typed) => init::init(ui, &context, &typed),
            Commands::List(typed) => {
                heap::expect_many_values();
                let project = Project::open_typed(context.looking_once(), config.as_deref())?;
                complain(ui, &project);
                list::list(ui, &project, &typed.what, typed.plugin.as_deref())
            }
            Commands::Run(typed) => {
                let connect = Connect::WhenCalled;
                run::open_and_run(ui, Context { connect, ..context }, config.as_deref(), &typed)
            }
            Commands::Why(typed) => {
                let project = Project::open_typed(context, config.as_deref())?;
                let project = run::widened(ui, project, std::iter::once(typed.tool.as_str()))?;
                why::why(ui, &project, typed)
            }
            Commands::Status(typed) => status::status(ui, &context, config.as_deref(), typed.json),
            Commands::Install(typed) => install::install(ui, &context, config.as_deref(), &typed),
            Commands::Mcp(typed) => mcp::mcp(ui, &context, config.as_deref(), &typed.command),
            Commands::Doctor(typed) => doctor::doctor(ui, &context, config.as_deref(), &typed),
            Commands::Serve(typed) => serve::serve(ui, context, config, &typed),
            Commands::Approve(typed) if typed.what == approve::settings::SETTINGS => {
                approve::settings::approve(ui, &context, config.as_deref(), &typed)
            }
            Commands::Approve(typed) => approve::approve(ui, &context, &typed),
            Commands::Deny(typed) => approve::deny(ui, &context, &typed.id),
            Commands::Approvals(typed) if typed.always || typed.revoke.is_some() => {
                approve::always::always(ui, &context, &typed)
            }
            Commands::Approvals(typed) => approve::list(ui, &context, config.as_deref(), &typed),
            Commands::Audit(typed) => audit::audit(ui, &context, &typed),
            Commands::Read(typed) => read::read(ui, &context, &typed.form),
            Commands::Runners(typed) => runners::runners(ui, context, config.as_deref(), typed.json),
            Commands::Runs(typed) => runs::runs(ui, &context, config.as_deref(), typed.command()),
            #[cfg(feature = "code")]
            Commands::Toolscript(typed) => {
                toolscript::toolscript(ui, &context, config.as_deref(), &typed.command)
            }
            #[cfg(not(feature = "code"))]
            Commands::Toolscript(_) => {
                let help = "install cuff with its feature `code`";
                Err(Failed::usage("this build of cuff has no sandbox for programs").help(help))
            }
            Commands::Hook(typed) => Ok(hook::hook(ui, &context, config.as_deref(), typed.command)),
            Commands::Completions(typed) => complete::print(ui, typed.shell, "cuff"),
            Commands::Schema(_) => Ok(ui.json(&context.schema()).map(|()| exit::SUCCESS)?),
        },
        TypedCommand::Plugin { about, action, given } => {
            of_plugin(ui, context, config.as_deref(), (*about, action, given))
        }
    }
}

/// The command of a plugin.
fn of_plugin(
    ui: &Ui,
    context: Context,
    config: Option<&Path>,
    (about, action, given): (PluginInfo, Action, Vec<(&'static TerminalOption, String)>),
) -> Result<u8, Failed> {
    let here = context.environment.directory().to_owned();
    let read = |(option, value): (&'static TerminalOption, String)| {
        // A path counts from where it is typed, wherever the settings lie.
        let value = if option.is_path { here.join(value).display().to_string() } else { value };
        (option.field, option.field.read(&value))
    };
    let given: Vec<(&'static Field, Value)> = given.into_iter().map(read).collect();
    let is_list = matches!(action, Action::List(_));
    if is_list {
        heap::expect_many_values();
    }
    let context = if is_list { context.looking_once() } else { context };
    let project = Project::open_plugin(context, config, &about, &given).map_err(Failed::from);
    match action {
        Action::List(typed) => {
            let project = project?;
            complain(ui, &project);
            list::list(ui, &project, &typed, None)
        }
        Action::Run(typed) => {
            let project = project.map_err(Failed::before_a_run)?;
            run::run(ui, &project, &typed, Some(about.id))
        }
    }
}
