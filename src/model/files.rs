//! What plugins want to look at, and what they are shown: so a plugin's test is strings in, values out.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::{BadPattern, Command, Fault};

/// A path relative to the project's root, with `/`, unless the operator wrote an absolute one.
pub type Pathname = String;

/// Something a plugin wants to look at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Want {
    /// One file, with its content.
    File(Pathname),
    /// The files that match.
    Glob(Glob),
    /// Where a program lies on the search path.
    Program(String),
    /// What a program prints. Only settings can allow it: without them the answer is [`Probed::Nothing`] with
    /// [`Fault::NotReady`], which no other probe brings.
    Probe(Probe),
}

/// A process that is started to read what it prints. Policy judges it and execution supervises it, as any other.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Probe {
    /// What is started; its timeout bounds the probe.
    pub command: Command,
}

/// What a probe brought. It holds for as long as the files that were looked at beside it do not change.
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
        /// The number of what went wrong.
        fault: Fault,
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
    pub patterns: Vec<String>,
    /// Patterns of what is left out again.
    pub exclude: Vec<String>,
    /// How many bytes of each match are read.
    pub head: u64,
}

impl Glob {
    /// The files below a directory that match, with none of their content.
    pub fn new(base: impl Into<Pathname>, patterns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            base: base.into(),
            patterns: patterns.into_iter().map(Into::into).collect(),
            exclude: Vec::new(),
            head: 0,
        }
    }

    /// The same glob, with patterns of what is left out again.
    #[must_use]
    pub fn without(mut self, exclude: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.exclude.extend(exclude.into_iter().map(Into::into));
        self
    }

    /// The same glob, with the first bytes of each match.
    #[must_use]
    pub fn reading(mut self, head: u64) -> Self {
        self.head = head;
        self
    }
}

/// What was seen: everything that a plugin may know of a project.
#[derive(Debug, Clone, Default)]
pub struct Files {
    /// The answers to [`Want::File`].
    pub files: BTreeMap<Pathname, Seen>,
    /// The answers to [`Want::Glob`].
    pub globs: BTreeMap<Glob, Matches>,
    /// The answers to [`Want::Program`].
    pub programs: BTreeMap<String, Option<PathBuf>>,
    /// The answers to [`Want::Probe`].
    pub probes: BTreeMap<Probe, Probed>,
}

impl Files {
    /// Whether this want was answered already.
    pub fn answers(&self, want: &Want) -> bool {
        match want {
            Want::File(path) => self.files.contains_key(path),
            Want::Glob(glob) => self.globs.contains_key(glob),
            Want::Program(name) => self.programs.contains_key(name),
            Want::Probe(probe) => self.probes.contains_key(probe),
        }
    }

    /// The file at this path, when it was asked for, exists and can be read.
    pub fn file(&self, path: &str) -> Option<&File> {
        match self.files.get(path)? {
            Seen::File(file) => Some(file),
            Seen::Missing | Seen::Unreadable(_) => None,
        }
    }

    /// Whether something is at this path, readable or not.
    pub fn exists(&self, path: &str) -> bool {
        self.files.get(path).is_some_and(|seen| !matches!(seen, Seen::Missing))
    }
}

/// What is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    /// Nothing, or a symbolic link to nothing.
    Missing,
    /// Something that cannot be read, and why: a directory, no permission, too large.
    Unreadable(String),
    /// A regular file.
    File(File),
}

/// A regular file, with what policy and plugins need to know of it.
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
}

/// Whether a name is a symbolic link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// The name of the file itself.
    Direct,
    /// A symbolic link to it.
    Symbolic,
}

impl File {
    /// A file that its owner may write and nobody execute, which was read whole.
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
        }
    }

    /// The same file, of which only the first bytes may have been read.
    #[must_use]
    pub fn sized(mut self, size: u64) -> Self {
        self.size = size;
        self
    }

    /// The same file, with its permission bits, and whether this process may execute it.
    #[must_use]
    pub fn permitting(mut self, mode: u32, executable: bool) -> Self {
        self.mode = mode;
        self.executable = executable;
        self
    }

    /// The same file, by a name that may be a symbolic link to it.
    #[must_use]
    pub fn named_by(mut self, link: Link) -> Self {
        self.link = link;
        self
    }

    /// The same file, at its place on a device.
    #[must_use]
    pub fn at(mut self, device: u64, inode: u64) -> Self {
        self.device = device;
        self.inode = inode;
        self
    }
}

/// What a glob found, in the order of the paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Matches {
    /// The canonical base directory; `None` when there is none.
    pub base: Option<PathBuf>,
    /// Paths relative to the base, and what is there.
    pub found: BTreeMap<Pathname, Seen>,
    /// Patterns that cannot be understood or would leave the base. An exclude among them empties `found`: what it
    /// was meant to hide must not show.
    pub refused: Vec<BadPattern>,
    /// Patterns that no file matches, and excludes that leave nothing out.
    pub idle: Vec<String>,
    /// What could not be looked at, in words; and where the search was cut off.
    pub notes: Vec<String>,
    /// The folders that were walked: a file that comes to one of them may match.
    pub folders: Vec<PathBuf>,
}
