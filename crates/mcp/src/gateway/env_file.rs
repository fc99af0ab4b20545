//! The file that an agent's program reads variables of its shells from.

use std::path::PathBuf;

use super::client::URL_VARIABLE;
use crate::model::Seen;
use crate::sys::{Environment, files, read_file};

/// The variable that names the file.
const VARIABLE: &str = "CLAUDE_ENV_FILE";
/// The largest file that is looked at, in bytes.
const LARGEST: u64 = 1024 * 1024;

/// The file that an agent's program reads variables of its shells from, where it named one.
#[derive(Debug, Clone)]
pub struct EnvFile(PathBuf);

impl EnvFile {
    /// The file that the environment names.
    pub fn of(environment: &Environment) -> Option<Self> {
        environment.absolute(VARIABLE).map(Self)
    }

    /// The environment without its name: it is for hooks alone.
    #[must_use]
    pub fn hidden(environment: Environment) -> Environment {
        environment.without(VARIABLE)
    }
}

/// Adds the address of a gateway to the file, unless it is the last one there.
///
/// # Errors
/// The operating system's, in words.
pub fn announce(EnvFile(file): &EnvFile, url: &str) -> Result<(), String> {
    let line = format!("export {URL_VARIABLE}='{url}'");
    let before = match read_file::file(file, LARGEST) {
        Seen::File(file) => String::from_utf8_lossy(&file.bytes).into_owned(),
        Seen::Missing => String::new(),
        Seen::Unreadable(why) => return Err(format!("{}: {why}", file.display())),
    };
    if last(&before) == Some(&line) {
        return Ok(());
    }
    let gap = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    files::append(file, &format!("{gap}{line}\n")).map_err(|error| format!("{}: {error}", file.display()))
}

/// The last line that sets the address.
fn last(text: &str) -> Option<&str> {
    let start = format!("export {URL_VARIABLE}=");
    text.lines().rfind(|line| line.starts_with(&start))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "files of these tests")]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_address_is_written_once_and_other_lines_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("env");
        let file = EnvFile(path.clone());
        let text = || fs::read_to_string(&path).unwrap();
        fs::write(&path, "export A=1").unwrap();
        announce(&file, "http://127.0.0.1:1").unwrap();
        announce(&file, "http://127.0.0.1:1").unwrap();
        assert_eq!(text(), "export A=1\nexport TOOLSCRIPT_GATEWAY_URL='http://127.0.0.1:1'\n");
        announce(&file, "http://127.0.0.1:2").unwrap();
        announce(&file, "http://127.0.0.1:1").unwrap();
        assert!(
            text().ends_with(":2'\nexport TOOLSCRIPT_GATEWAY_URL='http://127.0.0.1:1'\n"),
            "the last counts"
        );
        assert!(announce(&EnvFile(folder.path().to_owned()), "http://127.0.0.1:1").is_err());
    }
}
