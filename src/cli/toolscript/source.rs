//! The program that a command line means: its words, a file or standard input.

use std::path::Path;

use crate::cli::arguments::Exec;
use crate::sandbox::LONGEST_SOURCE;
use crate::sys::input;
use crate::terminal::Failed;

/// The program's text.
///
/// # Errors
/// When the file cannot be read, or is too long.
pub(super) fn source(typed: &Exec) -> Result<String, Failed> {
    match (&typed.file, &typed.code) {
        (Some(file), _) => read(file),
        (None, Some(code)) if code == "-" => read(Path::new("-")),
        (None, Some(code)) if is_file(code) => read(Path::new(code)),
        (None, code) => Ok(code.clone().unwrap_or_default()),
    }
}

/// Whether a word is the name of a file, and no program.
fn is_file(code: &str) -> bool {
    let ends_so = [".ts", ".mts", ".js", ".mjs"].iter().any(|ending| code.ends_with(ending));
    ends_so && !code.contains(['\n', ';', '(', '"', '\'', '`'])
}

fn read(path: &Path) -> Result<String, Failed> {
    let place =
        if path.as_os_str() == "-" { "standard input".to_owned() } else { path.display().to_string() };
    input::document(path, LONGEST_SOURCE as u64).map_err(|error| {
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
