//! The backup of a settings file that is replaced: it stays in the same folder, under a new name.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use super::{SettingsDraft, WriteError};
use crate::model::Seen;
use crate::settings;
use crate::sys::files;

/// The most names that are tried: a user with so many backups needs no more.
const MOST_NAMES: u32 = 100;

impl SettingsDraft {
    /// Copies the existing file to a backup, if the new text would lose any of it. Returns the backup's path.
    ///
    /// # Errors
    /// When it cannot be read, or there is no room for it.
    pub fn put_aside(&self, text: &str) -> Result<Option<PathBuf>, WriteError> {
        self.stays_in()?;
        let old = match self.look() {
            Seen::File(file) if *file.bytes == *text.as_bytes() => return Ok(None),
            Seen::File(file) => file.bytes,
            Seen::Missing => return Ok(None),
            Seen::Unreadable(why) => return Err(self.cannot(io::Error::other(why))),
        };
        for number in 1..=MOST_NAMES {
            let file = self.aside(number);
            match files::write_new_like(&self.file, &file, &old) {
                Ok(()) => return Ok(Some(file)),
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(self.cannot(error)),
                Err(_) => match settings::look(&file) {
                    Seen::File(found) if found.bytes == old => return Ok(Some(file)),
                    _ => {}
                },
            }
        }
        Err(self.cannot(io::Error::other("no name beside it is free")))
    }

    fn cannot(&self, reason: io::Error) -> WriteError {
        WriteError::Detach { file: self.file.clone(), reason }
    }

    /// `settings.yml.bak`, `settings.yml.bak2` and so on.
    fn aside(&self, number: u32) -> PathBuf {
        let mut name = self.file.file_name().map_or_else(OsString::new, OsString::from);
        name.push(".bak");
        if number > 1 {
            name.push(number.to_string());
        }
        self.file.with_file_name(name)
    }
}
