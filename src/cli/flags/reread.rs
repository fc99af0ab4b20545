//! A command line that clap refuses for the flags of another MCP server's tool, read once more.

use std::ffi::OsString;

use clap::error::ErrorKind;

use crate::calls;
use crate::cli::arguments::{
    CallArguments, Commands, Globals, Sorted, TypedCommand, TypedLine, built_tree, parse, sorted,
};
use crate::project::{Context, Project};
use crate::registry::NoSuchTool;
use crate::sys::files;

/// The same line, the flags of the tool read as its words; the very same error where it is no tool of a server.
///
/// # Errors
/// The error of the line.
pub(in crate::cli) fn reread(
    error: clap::Error,
    context: &Context,
    line: &[OsString],
) -> Result<TypedLine, clap::Error> {
    if error.kind() != ErrorKind::UnknownArgument {
        return Err(error);
    }
    let abouts = context.abouts();
    let tree = built_tree(&abouts);
    let Some(Sorted { own, tool, mut words }) = sorted(&tree, line) else { return Err(error) };
    let mut typed = parse(&abouts, &own)?;
    let Some((globals, call_input)) = call_input(&mut typed) else { return Err(error) };
    if !is_relayed(context, globals, &tool) {
        return Err(error);
    }
    call_input.words.append(&mut words);
    Ok(typed)
}

fn call_input(typed: &mut TypedLine) -> Option<(&Globals, &mut CallArguments)> {
    let TypedCommand::Own(command) = &mut typed.command else { return None };
    let call_input = match command {
        Commands::Run(run) => &mut run.how.call,
        Commands::Why(why) => &mut why.call,
        _ => return None,
    };
    Some((&typed.globals, call_input))
}

/// The options of the whole line, where its command takes a tool and its arguments.
pub(super) fn options_of(typed: &TypedLine) -> Option<&Globals> {
    let takes_a_tool = matches!(typed.command, TypedCommand::Own(Commands::Run(_) | Commands::Why(_)));
    takes_a_tool.then_some(&typed.globals)
}

/// The project that a line is about, looked at without changing anything.
pub(in crate::cli) fn opened(context: &Context, globals: &Globals) -> Option<Project> {
    let mut context = context.clone();
    if let Some(directory) = &globals.directory {
        let directory = context.environment.directory().join(directory);
        context.environment = context.environment.within(files::canonical(&directory));
    }
    Project::open_readonly(context, globals.config.as_deref(), None)
}

/// Whether a tool is one of another MCP server, as far as that is known without connecting to it.
fn is_relayed(context: &Context, globals: &Globals, tool: &str) -> bool {
    let Some(project) = opened(context, globals) else { return false };
    match calls::resolve(&project, &project.recalled(), tool) {
        Ok(found) => found.tool.input.schema().is_some(),
        Err(NoSuchTool::Ambiguous { .. }) => false,
        // Its list may not be known yet.
        Err(NoSuchTool::Unknown { .. }) => {
            let is_of = |server: &str| tool.strip_prefix(server).is_some_and(|rest| rest.starts_with('.'));
            project.settings.servers().any(is_of)
        }
    }
}
