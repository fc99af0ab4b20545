//! The settings that `cuff init` is about to write: their place, an existing file, and writing them.

mod backup;
mod newcomers;
mod pinning;

use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use crate::model::{Caller, EVERYWHERE, ErrorCode, Field, Files, Problem, Seen, Values, Want, path};
use crate::project::pins::key;
use crate::project::suggested::{in_the_way, offers, rebase};
use crate::project::{Context, Offer, Survey};
use crate::settings::{
    self, ExistingEntry, NewInstance, NotMerged, OWN_FOLDER, SCHEMA_FILE, SettingsOrigin, SettingsPlace,
};
use crate::sources::project as discovery;
use crate::sys::files::{self, ExistingFile, NewFile};
use crate::sys::read_file;

/// Settings that are about to be written.
#[derive(Debug, Clone)]
pub struct SettingsDraft {
    file: PathBuf,
    project: PathBuf,
}

/// A settings file that is there already.
#[derive(Debug, Clone)]
pub struct Predecessor {
    /// The folder that it lies in, which its directories are seen from.
    folder: PathBuf,
    bytes: Arc<[u8]>,
    standing: Vec<ExistingEntry>,
}

impl SettingsDraft {
    /// A draft of settings for the project in the working directory, to be written to this file.
    pub fn at(context: &Context, file: &Path) -> Self {
        let project = context.environment.directory().to_owned();
        Self { file: project.join(file), project }
    }

    /// The file for the settings of the working directory, from there: the one that counts, or the first that is free.
    /// A `settings.yml` of another program is never ours.
    pub fn usual_file(context: &Context) -> PathBuf {
        let places = settings::places(Path::new(""));
        let [first, second] = settings::places(context.environment.directory());
        let is_taken = settings::is_foreign(&first) || files::look(&first).is_some_and(|look| look.directory);
        let is_second = is_taken || files::look(&first).is_none() && files::look(&second).is_some();
        places.into_iter().nth(usize::from(is_second)).unwrap_or_else(|| settings::FILE_NAME.into())
    }

    /// Whether the file is another program's.
    pub fn is_foreign(&self) -> bool {
        settings::is_foreign(&self.file)
    }

    /// The folder that relative paths in the file refer to.
    fn folder(&self) -> &Path {
        settings::root_of(&self.file).unwrap_or(&self.project)
    }

    /// The folder that tools are looked for in.
    pub fn project(&self) -> &Path {
        &self.project
    }

    /// The name of the folder that settings are drafted for, if it is the home folder or the top of all folders.
    pub fn common_folder(&self, context: &Context) -> Option<&'static str> {
        let project = files::canonical(&self.project);
        let home = context.environment.absolute("HOME").map(|home| files::canonical(&home));
        match project.parent() {
            None => Some("`/`"),
            Some(_) if home.as_ref() == Some(&project) => Some("your home folder"),
            Some(_) => None,
        }
    }

    /// The instances that stand in the file and whose sources are broken now: they are kept by whoever writes the file
    /// anew. `offers` has what is found.
    pub fn broken(&self, context: &Context, offers: &[Offer]) -> Vec<NewInstance> {
        let Ok(Some(there)) = self.predecessor(context) else { return Vec::new() };
        let place = discovery::ProjectPlace::of(&there.folder, &context.environment);
        let kept = there.standing.iter().filter(|one| !one.is_off).filter_map(|one| {
            let plugin = context.plugin(one.plugin?)?;
            let config = one.config.as_ref().filter(|_| offers.iter().all(|offer| offer.name != one.name))?;
            let found = discovery::discover(place, plugin, config);
            let is_unread = |one: &Problem| one.fault == Some(ErrorCode::SourceInvalid);
            let is_broken = found.tools.is_empty() && in_the_way(found.problems).iter().any(is_unread);
            is_broken.then(|| {
                let about = plugin.about();
                let written = |field: &'static Field| {
                    Some((field, config.iter().find(|(name, _)| *name == field.name)?.1.clone()))
                };
                let config = about.config.iter().chain(EVERYWHERE).filter_map(written).collect();
                let comment = format!("{} (kept: its source cannot be read now)", about.summary);
                NewInstance { name: one.name.clone(), about, config, comment, stands: false }
            })
        });
        kept.collect()
    }

    /// The way to the settings of a folder above, which count here as long as this folder has none.
    pub fn above(&self, context: &Context) -> Option<PathBuf> {
        let found = settings::find(&context.environment, None).ok()?.place?;
        let way = way(&self.project, &found.root).filter(|_| found.origin == SettingsOrigin::Found)?;
        Some(Path::new(&way).join(found.file.strip_prefix(&found.root).ok()?))
    }

    /// Files that look like settings of this folder and do not count here, each in a sentence without a full
    /// stop.
    pub fn passed_over(&self, context: &Context) -> Vec<String> {
        settings::find(&context.environment, None).map_or_else(|_| Vec::new(), |found| found.passed_over)
    }

    /// Whether the file is there already.
    pub fn exists(&self) -> bool {
        files::look(&self.file).is_some()
    }

    /// The text that is there, as far as it is one; `None` where there is nothing.
    pub fn old_text(&self) -> Option<String> {
        match self.look() {
            Seen::File(file) => Some(String::from_utf8_lossy(&file.bytes).into_owned()),
            Seen::Missing | Seen::Unreadable(_) => None,
        }
    }

    fn look(&self) -> Seen {
        settings::look(&self.file)
    }

    /// The existing file, if entries can be added to it; `None` if there is none.
    ///
    /// # Errors
    /// When it cannot be read, or is wrong as a whole.
    pub fn predecessor(&self, context: &Context) -> Result<Option<Predecessor>, NotMerged> {
        match self.look() {
            Seen::Missing => Ok(None),
            Seen::Unreadable(why) => Err(NotMerged::broken(why, None)),
            Seen::File(file) => {
                let standing = settings::existing_entries(&file.bytes, &context.abouts())?;
                let folder = self.folder().to_owned();
                Ok(Some(Predecessor { folder, bytes: file.bytes, standing }))
            }
        }
    }

    /// The offers from the surveys, an instance each. Their directories are relative to the file's folder.
    pub fn offers(&self, surveys: &[Survey]) -> Vec<Offer> {
        let mut offers = offers(surveys);
        if let Some(way) = way(self.folder(), &self.project) {
            for offer in &mut offers {
                rebase(&mut offer.suggestion.config, &way);
            }
        }
        offers
    }

    /// The text of settings with only these instances.
    ///
    /// # Errors
    /// When reading the text would give other settings.
    pub fn compose(&self, context: &Context, entries: &[NewInstance]) -> Result<String, NotMerged> {
        settings::fresh(entries, settings::schema_beside(&self.file), &context.abouts())
    }

    /// Writes the settings, whole or not at all, and into the folder of cuff beside them the schema that their first line
    /// points editors to. Git ignores that folder but for settings.
    ///
    /// # Errors
    /// When a file exists that is not the one to be replaced, or cannot be written.
    pub fn write(&self, text: &str, replace: Replace<'_>, schema: &Value) -> Result<(), WriteError> {
        self.stays_in()?;
        let existing = match replace {
            Replace::Nothing => ExistingFile::Keep,
            Replace::Anything => ExistingFile::Replace,
            Replace::This(there) => match self.look() {
                Seen::File(file) if file.bytes == there.bytes => ExistingFile::Replace,
                _ => return Err(WriteError::Changed(self.file.clone())),
            },
        };
        let folder = self.folder();
        let is_inside = self.file.parent() != Some(folder);
        if is_inside {
            ignore_in_git(folder).map_err(|reason| WriteError::Io { file: self.file.clone(), reason })?;
        }
        write(&self.file, text, existing)?;
        write_schema(folder, schema)
            .map_err(|reason| WriteError::Schema { file: folder.join(SCHEMA_FILE), reason })
    }

    /// Whether there is a folder to write the file into.
    ///
    /// # Errors
    /// When there is none.
    pub fn has_folder(&self) -> Result<(), WriteError> {
        let folder = self.folder();
        if files::look(folder).is_some_and(|look| look.directory) {
            return Ok(());
        }
        Err(WriteError::NoFolder { file: self.file.clone(), folder: folder.to_owned() })
    }

    /// A repository may have a link in place of its settings; the link's target is none of its files.
    fn stays_in(&self) -> Result<(), WriteError> {
        self.has_folder()?;
        let led_out = files::led_out(self.folder(), &self.file);
        led_out.map_or(Ok(()), |target| Err(WriteError::Link { file: self.file.clone(), target }))
    }
}

/// The file that a draft may replace.
#[derive(Debug, Clone, Copy)]
pub enum Replace<'a> {
    /// Nothing: the file is new.
    Nothing,
    /// Any file.
    Anything,
    /// A file that has not changed since it was read.
    This(&'a Predecessor),
}

impl Predecessor {
    /// The offers that it has nothing of yet: neither their key, nor an instance of their plugin for the same
    /// path, with links followed. An instance that is switched off counts. A broken one counts as all of its
    /// plugin's.
    pub fn lacks(&self, context: &Context, offers: Vec<Offer>) -> Vec<Offer> {
        let stands = |offer: &Offer| {
            let looks_at = self.offered_at(context, offer);
            self.standing.iter().any(|standing| {
                standing.name == offer.name
                    || standing.plugin == Some(offer.about.id)
                        && standing
                            .config
                            .as_ref()
                            .is_none_or(|config| self.looks_at(context, offer.about.id, config) == looks_at)
            })
        };
        offers.into_iter().filter(|offer| !stands(offer)).collect()
    }

    /// The folder that an instance reads first, without links; if its file is a link, the folder of the
    /// target.
    fn looks_at(&self, context: &Context, plugin: &str, config: &Values) -> Option<PathBuf> {
        let wants = context.plugin(plugin)?.wants(config, &Files::default());
        let file = match wants.into_iter().next()? {
            Want::File(file) => file,
            Want::Glob(glob) => return Some(files::canonical(&self.folder.join(path::join("", &glob.base)))),
            Want::Program(_) | Want::ProgramFile(_) | Want::Probe(_) => return None,
        };
        let file = key(&self.folder.join(path::join("", &file)));
        files::canonical(&file).parent().map(Path::to_owned)
    }

    /// Whether it has an entry of this name.
    pub fn has(&self, name: &str) -> bool {
        self.standing.iter().any(|standing| standing.name == name)
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its text with these instances added.
    ///
    /// # Errors
    /// When that cannot be done without another change of the settings.
    pub fn with(&self, context: &Context, entries: &[NewInstance]) -> Result<String, NotMerged> {
        settings::merge(&self.bytes, entries, &context.abouts())
    }
}

fn write(file: &Path, text: &str, existing: ExistingFile) -> Result<(), WriteError> {
    files::write(file, text.as_bytes(), existing).map_err(|reason| match reason.kind() {
        io::ErrorKind::AlreadyExists => WriteError::Exists(file.to_owned()),
        _ => WriteError::Io { file: file.to_owned(), reason },
    })
}

/// The relative way from one directory to another; `None` when they are the same.
fn way(from: &Path, to: &Path) -> Option<String> {
    let (from, to) = (files::canonical(from), files::canonical(to));
    if from == to {
        return None;
    }
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    let way: PathBuf = up.chain(to.components().skip(shared)).collect();
    Some(way.display().to_string())
}

/// The content of the folder's `.gitignore`.
const IGNORED: &str = "# Made by cuff, which makes it again where it is missing.\n*\n!settings.yml\n";

/// Has git ignore the folder of cuff below this one, but for settings. Leaves a `.gitignore` that is there as it is.
fn ignore_in_git(folder: &Path) -> io::Result<()> {
    let way = Path::new(OWN_FOLDER).join(".gitignore");
    if files::look(&folder.join(&way)).is_some() {
        return Ok(());
    }
    files::write_below(folder, &way, IGNORED.as_bytes(), NewFile::Plain)
}

/// Writes the schema into the folder of cuff below this one.
fn write_schema(folder: &Path, schema: &Value) -> io::Result<()> {
    ignore_in_git(folder)?;
    files::write_below(folder, Path::new(SCHEMA_FILE), format!("{schema:#}\n").as_bytes(), NewFile::Plain)
}

/// Writes the schema anew for a person whose settings point editors to it, where it is missing or another version's. It is
/// of use to editors alone, so that a folder which cannot be written to is no error.
pub fn renew_schema(context: &Context, place: Option<&SettingsPlace>) {
    /// More than the schema takes, in bytes.
    const LARGEST: u64 = 1 << 20;
    let Some(place) = place.filter(|place| place.origin == SettingsOrigin::Found) else { return };
    if context.at_terminal() != Caller::Human || !settings::points_to_schema(place, &context.files) {
        return;
    }
    let is_current = match read_file::file(&place.root.join(SCHEMA_FILE), LARGEST) {
        Seen::File(file) => settings::is_current_schema(&file.bytes),
        Seen::Missing => false,
        Seen::Unreadable(_) => true,
    };
    if !is_current {
        let _ = write_schema(&place.root, &context.schema());
    }
}

/// Why settings were not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The file came into being meanwhile.
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    /// Another text is there now than the one that was added to.
    #[error("{} has changed meanwhile", .0.display())]
    Changed(PathBuf),
    /// The file is a link, which leads elsewhere.
    #[error("{} is a link that leads out of its folder, to {}", .file.display(), .target.display())]
    Link {
        /// The link.
        file: PathBuf,
        /// The link's target.
        target: PathBuf,
    },
    /// There is no such folder to write it into.
    #[error("{} cannot be written: there is no folder {}", .file.display(), .folder.display())]
    NoFolder {
        /// The file.
        file: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
    /// The settings are there, and their schema is not.
    #[error("{} cannot be written: {reason}", .file.display())]
    Schema {
        /// The file.
        file: PathBuf,
        /// In the operating system's words.
        reason: io::Error,
    },
    /// The existing file cannot be kept as a backup.
    #[error("{} cannot be put aside: {reason}", .file.display())]
    Detach {
        /// The file.
        file: PathBuf,
        /// The reason.
        reason: io::Error,
    },
    /// The operating system refused.
    #[error("{} cannot be written: {reason}", .file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// In the operating system's words.
        reason: io::Error,
    },
}

impl WriteError {
    /// The next step for the user.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Exists(_) | Self::Io { .. } | Self::Detach { .. } => {
                "nothing was changed; `-o PATH` writes elsewhere"
            }
            Self::NoFolder { .. } => "nothing was written; make that folder first, or name another with `-o`",
            Self::Changed(_) => "nothing was changed; run `cuff init --merge` again",
            Self::Link { .. } => {
                "nothing was changed; remove the link, or name the file that it leads to with `-o`"
            }
            Self::Schema { .. } => {
                "the settings are written and count; only editors miss the schema, which `cuff schema` prints"
            }
        }
    }
}
