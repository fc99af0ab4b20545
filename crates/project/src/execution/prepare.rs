//! Turns a cleared command into a job for the operating system.

use std::path::{Path, PathBuf};

use crate::model::{Command, NotStarted};
use crate::sys::process::Job;
use crate::sys::{Environment, programs};

/// Resolves the working directory against the project's root, and the program on the search path that the process
/// itself will have.
pub(super) fn job(command: &Command, root: &Path, environment: &Environment) -> Result<Job, NotStarted> {
    // Without each `.` that is joined in: people read it.
    let directory: PathBuf = root.join(&command.directory).components().collect();
    let search_path = programs::search_path(command, environment);
    let name = &command.program.text;
    let Some(program) = programs::find(name, search_path, &directory) else {
        // Every relative program is missing from a directory that is missing: name the cause.
        if !programs::is_directory(&directory) {
            return Err(NotStarted::DirectoryMissing(directory.display().to_string()));
        }
        let looked_in = if name.contains('/') { directory.as_os_str() } else { search_path };
        let path = looked_in.to_string_lossy().into_owned();
        return Err(NotStarted::ProgramMissing { program: name.clone(), path });
    };
    Ok(Job {
        program,
        arguments: command.arguments.iter().map(|word| word.text.clone()).collect(),
        directory,
        folder: None,
        ends_detached: false,
        environment: command
            .environment
            .iter()
            .map(|change| (change.name.clone(), change.value.clone()))
            .collect(),
        script: command.script.clone(),
        converses: false,
        is_persons: false,
        confinement: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Change, Origin, Word};

    fn in_usr(command: &Command, path: Option<&str>) -> Result<Job, NotStarted> {
        job(command, Path::new("/usr"), &Environment::new("/", path.map(|path| ("PATH", path))))
    }

    fn command(program: &str, directory: &str, path: Option<&str>) -> Command {
        let change = |value: &str| Change::new("PATH", value, Origin::Settings);
        Command::new(Word::fixed(program))
            .arguments([Word::fixed("-c"), Word::call("exit 3")])
            .directory(directory)
            .environment(path.into_iter().flat_map(|path| [change("/overruled"), change(path)]))
    }

    #[test]
    fn the_program_is_looked_for_where_the_process_would() {
        let missing = |program: &str, path: &str| {
            Err(NotStarted::ProgramMissing { program: program.into(), path: path.into() })
        };
        let gone = |path: &str| Err(NotStarted::DirectoryMissing(path.into()));
        for (inherited, own, program, directory, expected) in [
            (Some("/usr/bin"), None, "sh", "", Ok("/usr/bin/sh")),
            (Some("/nowhere"), Some("/usr/bin"), "sh", "", Ok("/usr/bin/sh")),
            (Some("/usr/bin"), Some("/nowhere"), "sh", "", missing("sh", "/nowhere")),
            (Some("/usr/bin"), Some(""), "sh", "", missing("sh", "")),
            (None, None, "sh", "", Ok("/bin/sh")),
            (Some(""), None, "sh", "", Ok("/bin/sh")),
            (None, None, "cuff-has-no-such", "", missing("cuff-has-no-such", "/bin:/usr/bin")),
            (Some("bin"), None, "sh", "", Ok("/usr/bin/sh")),
            (None, None, "bin/sh", "", Ok("/usr/bin/sh")),
            (None, None, "./sh", "bin", Ok("/usr/bin/./sh")),
            (None, None, "./sh", "/", missing("./sh", "/")),
            (None, None, "./sh", "gone", gone("/usr/gone")),
            (None, None, "sh", "/gone", Ok("/bin/sh")),
        ] {
            let job = in_usr(&command(program, directory, own), inherited);
            let case = format!("{program} in {directory:?} with {inherited:?} and {own:?}");
            assert_eq!(job.map(|job| job.program), expected.map(|path| Path::new(path).to_owned()), "{case}");
        }
    }

    #[test]
    fn words_and_changes_stay_as_they_are() {
        let job = in_usr(&command("sh", "share", Some("/bin")), None).unwrap();
        assert_eq!(job.arguments, ["-c", "exit 3"]);
        assert_eq!(job.directory, Path::new("/usr/share"));
        assert_eq!(job.environment, [("PATH".into(), "/overruled".into()), ("PATH".into(), "/bin".into())]);
    }
}
