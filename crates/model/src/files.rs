//! The files, programs and outputs that plugins want to see, and the answers. So a plugin's test is strings
//! in, values out.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use std::sync::Arc;

use super::{BadPattern, Command, ErrorCode, Kept};

/// A path relative to the project's root, with `/`, unless the operator wrote an absolute one.
pub type Pathname = String;

/// Something a plugin wants to look at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Want {
    /// One file, with its content.
    File(Pathname),
    /// The files that match.
    Glob(Glob),
    /// The path of a program on the search path.
    Program(String),
    /// One file that is installed with a program, with its content.
    ProgramFile(ProgramFile),
    /// The output of a program. Only settings can allow it: without them the answer is [`Probed::Nothing`]
    /// with [`ErrorCode::NotReady`], a fault that no other probe has.
    Probe(Probe),
}

/// A file of the package that a program was installed with: facts about the package, without running the
/// program.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProgramFile {
    /// The command whose program it is, found as a process of the command would be.
    pub command: Command,
    /// The name of the file: it is in the folder of the program's real file, or a few folders above it.
    pub name: String,
}

/// A process that is started to read its output. Policy judges it and execution supervises it, as any other.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Probe {
    /// The command to start. Its timeout bounds the probe.
    pub command: Command,
}

/// The answer of a probe. It holds until one of the files that were read with it changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Probed {
    /// It ended by itself.
    Ended {
        /// Its exit code; 128 and the signal's number when one ended it.
        code: i32,
        /// All of its standard output.
        out: Arc<[u8]>,
        /// The end of its standard error, as text.
        err: String,
    },
    /// It was not allowed, did not start, took too long, or printed too much.
    Nothing {
        /// The number of the error.
        fault: ErrorCode,
        /// In words, without a full stop.
        why: String,
    },
}

/// A set of files by pattern.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Glob {
    /// The directory that patterns are relative to, itself relative to the project's root.
    pub base: Pathname,
    /// `*`, `?` and `[…]` stay within a path component, `**` crosses them.
    pub patterns: Arc<[String]>,
    /// Patterns of files to leave out.
    pub exclude: Vec<String>,
    /// How many bytes of each match are read.
    pub head: u64,
    /// The name of a file that also matches in a folder that a symbolic link leads to; `None`: links to folders lead nowhere.
    pub behind_links: Option<&'static str>,
}

impl Glob {
    /// The files below a directory that match, with none of their content.
    pub fn new(base: impl Into<Pathname>, patterns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            base: base.into(),
            patterns: patterns.into_iter().map(Into::into).collect(),
            exclude: Vec::new(),
            head: 0,
            behind_links: None,
        }
    }

    /// The files of these names in a folder, there or not, with none of their content.
    pub fn of_names(folder: &str, names: &Arc<[String]>) -> Self {
        let (patterns, exclude) = (Arc::clone(names), Vec::new());
        Self { base: folder.to_owned(), patterns, exclude, head: 0, behind_links: None }
    }

    /// The same glob, with patterns of files to leave out.
    #[must_use]
    pub fn without(mut self, exclude: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.exclude.extend(exclude.into_iter().map(Into::into));
        self
    }

    /// The same glob, with files of this name in folders that symbolic links lead to.
    #[must_use]
    pub fn behind_links(mut self, name: &'static str) -> Self {
        self.behind_links = Some(name);
        self
    }

    /// The same glob, with the first bytes of each match.
    #[must_use]
    pub fn reading(mut self, head: u64) -> Self {
        self.head = head;
        self
    }
}

/// The answers to all wants: everything that a plugin may know of a project.
#[derive(Debug, Clone, Default)]
pub struct Files {
    /// The answers to [`Want::File`].
    pub files: BTreeMap<Pathname, Seen>,
    /// The answers to [`Want::Glob`].
    pub globs: BTreeMap<Glob, Arc<Matches>>,
    /// The answers to [`Want::Program`].
    pub programs: BTreeMap<String, Option<PathBuf>>,
    /// The answers to [`Want::ProgramFile`]: the nearest of that name.
    pub program_files: BTreeMap<ProgramFile, Seen>,
    /// The answers to [`Want::Probe`].
    pub probes: BTreeMap<Probe, Probed>,
    /// Values that a plugin made of the answers, once it wanted nothing more. Nothing of it holds where an answer is changed.
    pub kept: Kept,
}

impl Files {
    /// Whether this want was answered already.
    pub fn answers(&self, want: &Want) -> bool {
        match want {
            Want::File(path) => self.files.contains_key(path),
            Want::Glob(glob) => self.globs.contains_key(glob),
            Want::Program(name) => self.programs.contains_key(name),
            Want::ProgramFile(file) => self.program_files.contains_key(file),
            Want::Probe(probe) => self.probes.contains_key(probe),
        }
    }

    /// The file at this path, when it was asked for, exists and can be read.
    pub fn file(&self, path: &str) -> Option<&File> {
        self.files.get(path)?.file()
    }

    /// This file of a program, when it was asked for, exists and can be read.
    pub fn program_file(&self, file: &ProgramFile) -> Option<&File> {
        self.program_files.get(file)?.file()
    }

    /// Whether something is at this path, readable or not.
    pub fn exists(&self, path: &str) -> bool {
        self.files.get(path).is_some_and(|seen| !matches!(seen, Seen::Missing))
    }
}

/// The answer for a path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Seen {
    /// Nothing, or a symbolic link to nothing.
    Missing,
    /// Something that cannot be read, and why: a directory, no permission, too large.
    Unreadable(String),
    /// A regular file.
    File(File),
}

impl Seen {
    fn file(&self) -> Option<&File> {
        match self {
            Self::File(file) => Some(file),
            Self::Missing | Self::Unreadable(_) => None,
        }
    }
}

/// A regular file, with the facts that policy and plugins need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its content, or the first bytes of it when a glob asked for a head.
    pub bytes: Arc<[u8]>,
    /// Its whole size in bytes.
    pub size: u64,
    /// Permission bits.
    pub mode: u32,
    /// Whether this process may execute it.
    pub executable: bool,
    /// Whether the name itself is a symbolic link.
    pub link: Link,
    /// The canonical path, no symbolic link in it.
    pub canonical: PathBuf,
    /// The device it lies on.
    pub device: u64,
    /// Its inode there.
    pub inode: u64,
    /// When it changed last.
    pub times: Times,
    /// The result of reading its content.
    pub kept: Kept,
}

/// The times are no part of the hash: a file may be written again as it was.
impl Hash for File {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let Self { bytes, size, mode, executable, link, canonical, device, inode, times: _, kept: _ } = self;
        (bytes, size, mode, executable, link, canonical, device, inode).hash(hasher);
    }
}

/// When a file changed last, in seconds since 1970 and nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Times {
    /// Its content.
    pub modified: (i64, i64),
    /// Its content, its name or its rights.
    pub changed: (i64, i64),
}

/// Whether a name is a symbolic link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Link {
    /// The name of the file itself.
    Direct,
    /// A symbolic link to it.
    Symbolic,
}

impl File {
    /// Whether its content was withheld: a link leads to it out of the project.
    pub fn is_withheld(&self) -> bool {
        self.bytes.is_empty() && self.size > 0
    }

    /// A file that only its owner may write and nobody may execute, read in full.
    pub fn new(canonical: impl Into<PathBuf>, bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes = bytes.into();
        Self {
            size: bytes.len() as u64,
            bytes,
            mode: 0o644,
            executable: false,
            link: Link::Direct,
            canonical: canonical.into(),
            device: 0,
            inode: 0,
            times: Times::default(),
            kept: Kept::default(),
        }
    }

    /// The same file, with its permission bits, and whether this process may execute it.
    #[must_use]
    pub fn permitting(mut self, mode: u32, executable: bool) -> Self {
        self.mode = mode;
        self.executable = executable;
        self
    }
}

/// The matches of a glob, in the order of the paths.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Matches {
    /// The canonical base directory; `None` when there is none.
    pub base: Option<PathBuf>,
    /// Paths relative to the base, and the entry at each.
    pub found: BTreeMap<Pathname, Seen>,
    /// Patterns that cannot be parsed or would leave the base. An exclude among them empties `found`: the
    /// files that it should hide must not show.
    pub refused: Vec<BadPattern>,
    /// Patterns that no file matches, and excludes that leave nothing out.
    pub idle: Vec<String>,
    /// Paths that could not be looked at, and where the search was cut off, in words.
    pub notes: Vec<String>,
    /// The folders that were walked: a file that comes to one of them may match.
    pub folders: Vec<PathBuf>,
}
