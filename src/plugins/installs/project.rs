//! The place of the package, the wants, and the command that installs for it.

use std::borrow::Cow;

use super::config::{WORKING_DIRECTORY, command};
use super::manager::Manager;
use crate::model::{Command, Fault, Files, Problem, Profile, Seen, Values, Want, path};
use crate::plugins::managers::{lock_file, lock_files};

/// The package of one instance, as far as its settings determine it.
#[derive(Debug)]
pub(super) struct Project {
    /// The manager that installs.
    pub(super) manager: Manager,
    /// Its package.json, relative to the project's root or absolute.
    pub(super) file: String,
    /// The program that the settings have it call, where they name one.
    program: Option<String>,
}

impl Project {
    /// The package under these settings.
    pub(super) fn new(manager: Manager, config: &Values) -> Self {
        let program = config.program(&command(manager.program()));
        Self {
            manager,
            file: path::join(config.text(&WORKING_DIRECTORY), "package.json"),
            program: program.ok().map(|(program, _)| program.text),
        }
    }

    pub(super) fn folder(&self) -> &str {
        path::split(&self.file).0
    }

    /// package.json, the lock files in its folder and above it, and the program.
    pub(super) fn wants(&self) -> Vec<Want> {
        let mut wants = vec![Want::File(self.file.clone())];
        wants.extend(path::upwards(self.folder()).into_iter().map(|folder| Want::Glob(lock_files(folder))));
        wants.extend(self.program.clone().map(Want::Program));
        wants
    }

    /// Checks that there is a package.json. Without one a manager would take the next above, or write one.
    ///
    /// # Errors
    /// A problem that names the cause.
    pub(super) fn readable(&self, seen: &Files) -> Result<(), Box<Problem>> {
        let file = &self.file;
        let (what, help) = match seen.files.get(file) {
            Some(Seen::File(_)) => return Ok(()),
            Some(Seen::Unreadable(why)) => {
                (format!("{file} cannot be read: {why}"), "make it a readable file".to_owned())
            }
            Some(Seen::Missing) | None => {
                let program = self.manager.program();
                (
                    format!("package.json not found: {file}"),
                    format!("create it with {program} init, or set working_directory"),
                )
            }
        };
        Err(Box::new(Problem::error(Fault::SourceNotFound, what).help(help)))
    }

    /// The lock file of the manager: in the folder of package.json or, in a workspace, above it.
    pub(super) fn lock_file(&self, seen: &Files) -> Option<String> {
        nearest(self.manager, self.folder(), seen)
    }

    /// The lock file of another manager in the folder of package.json or above it.
    pub(super) fn other_lock_file(&self, seen: &Files) -> Option<String> {
        let mut others = Manager::ALL.into_iter().filter(|manager| *manager != self.manager);
        others.find_map(|other| nearest(other, self.folder(), seen))
    }

    /// The command without the manager's own subcommand.
    pub(super) fn command(&self, config: &Values) -> Result<Command, Box<Problem>> {
        let (program, arguments) = config.program(&command(self.manager.program()))?;
        Ok(config
            .command(program)
            .arguments(arguments)
            .directory(self.folder())
            .requires_confirmation(true)
            .profile(Profile::Install)
            .if_missing(Cow::from(self.manager.advice())))
    }
}

fn nearest(manager: Manager, folder: &str, seen: &Files) -> Option<String> {
    path::upwards(folder).into_iter().find_map(|folder| {
        let name = lock_file(manager.known(), folder, seen)?;
        Some(path::join(folder, name))
    })
}
