//! The program that a command line means: its words, a file or standard input.

use std::path::{Path, PathBuf};

use crate::cli::arguments::Exec;
use crate::project::Context;
use crate::sandbox::LONGEST_SOURCE;
use crate::settings;
use crate::sys::{Environment, input, programs};
use crate::terminal::Failed;

/// The program's text, and the name of its file where it is one.
///
/// # Errors
/// When the file cannot be read, is too long, or is none that an agent's program may be.
pub(super) fn source(context: &Context, typed: &Exec) -> Result<(String, Option<String>), Failed> {
    let file = match (&typed.file, &typed.code) {
        (Some(file), _) => file.as_path(),
        (None, Some(code)) if code == "-" || is_file(code) => Path::new(code),
        (None, code) => return Ok((code.clone().unwrap_or_default(), None)),
    };
    let name = (file.as_os_str() != "-").then(|| file.display().to_string());
    Ok((read(context, file)?, name))
}

/// The folders that an agent's programs are read from: an error shows lines of its program, and no permission to run
/// cuff is one to read files. `-C` is the agent's word, so the project is that of the shell's own folder.
fn folders_for_agents() -> Vec<PathBuf> {
    let here = Environment::of_process().ok();
    let project = here.and_then(|here| settings::find(&here, None).ok()).map(|search| search.project);
    let is_whole_disk = |folder: &PathBuf| folder.parent().is_none();
    let temporary = ["/tmp", "/private/var/folders"].map(PathBuf::from);
    let temporary = temporary.into_iter().filter(|folder| programs::is_directory(folder));
    project.filter(|folder| !is_whole_disk(folder)).into_iter().chain(temporary).collect()
}

/// Whether a word is the name of a file, and no program.
fn is_file(code: &str) -> bool {
    let ends_so = [".ts", ".mts", ".js", ".mjs"].iter().any(|ending| code.ends_with(ending));
    ends_so && !code.contains(['\n', ';', '(', '"', '\'', '`'])
}

fn read(context: &Context, path: &Path) -> Result<String, Failed> {
    let is_input = path.as_os_str() == "-";
    let place = if is_input { "standard input".to_owned() } else { path.display().to_string() };
    let limit = LONGEST_SOURCE as u64;
    let text = if is_input || !context.at_terminal().is_governed() {
        input::document(path, limit)
    } else {
        input::document_within(path, &folders_for_agents(), limit)
    };
    text.map_err(|error| {
        Failed::usage(format!("the program cannot be read from {place}: {error}"))
            .help("`toolscript exec -f FILE` reads a file, `toolscript exec -` standard input, and `toolscript exec 'CODE'` runs text")
    })
}

#[cfg(test)]
mod tests {
    use super::is_file;

    #[test]
    fn a_word_with_an_ending_is_a_file_and_code_is_code() {
        for (code, expected) in [
            ("a.ts", true),
            ("./dir with space/a.mjs", true),
            ("return tools.ts", true),
            ("console.log(x.ts)", false),
            ("return 1", false),
            ("import 'x.ts'", false),
        ] {
            assert_eq!(is_file(code), expected, "{code}");
        }
    }
}
