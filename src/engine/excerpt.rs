//! The source lines that findings are about, where they are at hand.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::model::{Location, Seen};
use crate::sys::{files, look};

/// The largest source that is read, in bytes.
const LARGEST: u64 = 1 << 20;
/// The most sources that are read.
const MOST: usize = 100;

/// The sources of a project. A log can name any file: only those inside of the project are read.
#[derive(Debug)]
pub struct Sources {
    root: PathBuf,
    read: HashMap<String, Option<String>>,
}

impl Sources {
    /// The sources of the project with this root.
    pub fn of(root: &Path) -> Self {
        Self { root: files::canonical(root), read: HashMap::new() }
    }

    /// The line at a place, without its indent, as the file has it now.
    pub fn line(&mut self, place: &Location) -> Option<String> {
        let number = place.line?.checked_sub(1)?;
        if !self.read.contains_key(&place.file) {
            if self.read.len() == MOST {
                return None;
            }
            let text = self.text(&place.file);
            self.read.insert(place.file.clone(), text);
        }
        let line = self.read.get(&place.file)?.as_ref()?.lines().nth(number)?.trim();
        (!line.is_empty()).then(|| line.to_owned())
    }

    fn text(&self, file: &str) -> Option<String> {
        let path = files::canonical(&self.root.join(file));
        if !path.starts_with(&self.root) {
            return None;
        }
        match look::file(&path, LARGEST) {
            Seen::File(file) => String::from_utf8(file.bytes.to_vec()).ok(),
            _ => None,
        }
    }
}
