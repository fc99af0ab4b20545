//! Why nothing ran, in words.

use super::{ErrorCode, NotStarted, shown};

/// The reason why nothing ran, and the next step; `noun` as a sentence begins with it.
pub fn not_started(
    why: &NotStarted,
    noun: &str,
    advice: Option<String>,
) -> (ErrorCode, String, Option<String>) {
    match why {
        NotStarted::ProgramMissing { program, .. } if program.contains('/') => {
            (ErrorCode::ProgramNotFound, format!("{program} does not exist, or is no program"), advice)
        }
        NotStarted::ProgramMissing { program, path } => {
            // The whole of it would be a page of folders, which the shell has at hand.
            let nowhere = if path.is_empty() { "; PATH names no folder at all" } else { "" };
            let help =
                advice.unwrap_or_else(|| format!("install {program}, or put it on the PATH")) + nowhere;
            (
                ErrorCode::ProgramNotFound,
                format!("{program} is not installed, or not on the PATH"),
                Some(help),
            )
        }
        NotStarted::DirectoryMissing(directory) => (
            ErrorCode::NotStarted,
            format!("The working directory {directory} does not exist"),
            Some("create it, or correct `working_directory` in settings.yml".into()),
        ),
        NotStarted::DirectoryChanged(directory) => (
            ErrorCode::Changed,
            format!("The working directory is no longer the folder that was found: {directory}"),
            Some("nothing was run; call again if it was meant to be replaced".into()),
        ),
        NotStarted::ScriptChanged(path) => (
            ErrorCode::Changed,
            format!("{noun} is no longer the file that was found: {path}"),
            Some("it was replaced between discovery and start; call again if that was meant".into()),
        ),
        NotStarted::SourceChanged(files) => (
            ErrorCode::Changed,
            format!("{} before the start", changed_files(files)),
            Some("nothing was run; the same call is judged by what it runs now".into()),
        ),
        NotStarted::SourceBusy(files) => (
            ErrorCode::Changed,
            format!("Another process may be writing approved files ({files})"),
            Some("nothing was run; end the process that has them open for writing, and call again".into()),
        ),
        NotStarted::DefinitionChanged { server, tool } => (
            ErrorCode::Changed,
            format!("The MCP server {} changed {} before it was called", shown(server), shown(tool)),
            Some("nothing was called; list the tools again".into()),
        ),
        NotStarted::Uncontained(contained) => (
            ErrorCode::NotStarted,
            format!(
                "{noun} could not be started: its settings require containment, and this machine cannot hold all of it: {}",
                contained.missing().join("; ")
            ),
            None,
        ),
        NotStarted::Other(reason) => {
            (ErrorCode::NotStarted, format!("{noun} could not be started: {reason}"), None)
        }
    }
}

/// Approved files that changed, in one sentence.
pub fn changed_files(files: &str) -> String {
    format!("Approved files were changed ({files})")
}
