//! The command of a call: a program and its words, never a shell line.

use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Duration;

use super::{Profile, Runner};

/// The default timeout of a command.
pub(super) const USUAL_TIMEOUT: Duration = Duration::from_mins(5);

/// The origin of a word or an environment change. Policy judges those of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// Written in cuff or in the project's own files: the name of a script, `run`.
    Fixed,
    /// Written by the operator in settings.yml.
    Settings,
    /// Brought by the caller.
    Call,
}

/// One word of a command line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word {
    /// The word as the program gets it.
    pub text: String,
    /// The author of it.
    pub origin: Origin,
}

impl Word {
    /// A word of cuff's or of the project's files.
    pub fn fixed(text: impl Into<String>) -> Self {
        Self { text: text.into(), origin: Origin::Fixed }
    }

    /// A word of the operator's.
    pub fn settings(text: impl Into<String>) -> Self {
        Self { text: text.into(), origin: Origin::Settings }
    }

    /// A word of the caller's.
    pub fn call(text: impl Into<String>) -> Self {
        Self { text: text.into(), origin: Origin::Call }
    }
}

/// One environment variable that is set for the process.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Change {
    /// The variable.
    pub name: String,
    /// Its value.
    pub value: String,
    /// The author of it.
    pub origin: Origin,
}

impl Change {
    /// A variable that this caller sets.
    pub fn new(name: impl Into<String>, value: impl Into<String>, origin: Origin) -> Self {
        Self { name: name.into(), value: value.into(), origin }
    }
}

/// The part of cuff's own environment that a process inherits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EnvironmentPolicy {
    /// All of it.
    #[default]
    Inherit,
    /// Everyday variables alone: where programs and files are, language, terminal, network.
    Clean,
}

impl EnvironmentPolicy {
    /// As settings and results name it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inherit => "inherit",
            Self::Clean => "clean",
        }
    }
}

/// The identity of the file that was found, independent of its name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity {
    /// The canonical path, no symbolic link in it.
    pub path: PathBuf,
    /// The device it lies on.
    pub device: u64,
    /// Its inode there.
    pub inode: u64,
}

/// A process to be: program, words, directory, environment changes, time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Command {
    /// A name to be found on the search path, or a path.
    pub program: Word,
    /// Its arguments, one word each.
    pub arguments: Vec<Word>,
    /// The working directory, relative to the project's root unless absolute.
    pub directory: PathBuf,
    /// Variables set on top of the inherited environment; later ones win.
    pub environment: Vec<Change>,
    /// The part of cuff's own environment that it inherits.
    pub environment_policy: EnvironmentPolicy,
    /// How long it may run.
    pub timeout: Duration,
    /// The file that must still be the one that was found when the process starts.
    pub script: Option<Identity>,
    /// Whether each start requires confirmation: it changes the workspace, or settings ask for it.
    pub requires_confirmation: bool,
    /// The containment that it needs where the settings say nothing.
    pub profile: Profile,
    /// The runner that it runs on; `None`: this machine.
    pub runner: Option<Box<Runner>>,
    /// The instruction for a missing program: `install pnpm: npm install --global pnpm`.
    pub if_missing: Option<Cow<'static, str>>,
}

impl Command {
    /// A program without arguments, in the project's root, with cuff's own environment and the usual time.
    pub fn new(program: Word) -> Self {
        Self {
            program,
            arguments: Vec::new(),
            directory: PathBuf::from("."),
            environment: Vec::new(),
            environment_policy: EnvironmentPolicy::default(),
            timeout: USUAL_TIMEOUT,
            script: None,
            requires_confirmation: false,
            profile: Profile::Test,
            runner: None,
            if_missing: None,
        }
    }

    /// The same command, with further arguments.
    #[must_use]
    pub fn arguments(mut self, words: impl IntoIterator<Item = Word>) -> Self {
        if self.arguments.is_empty() {
            self.arguments = words.into_iter().collect();
        } else {
            self.arguments.extend(words);
        }
        self
    }

    /// The same command, with another profile.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// The same command, in a directory.
    #[must_use]
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = directory.into();
        self
    }

    /// The same command, with further variables set.
    #[must_use]
    pub fn environment(mut self, changes: impl IntoIterator<Item = Change>) -> Self {
        self.environment.extend(changes);
        self
    }

    /// The same command, with another part of cuff's own environment.
    #[must_use]
    pub fn environment_policy(mut self, policy: EnvironmentPolicy) -> Self {
        self.environment_policy = policy;
        self
    }

    /// The same command on this runner; `None`: on this machine.
    #[must_use]
    pub fn on(mut self, runner: Option<Runner>) -> Self {
        self.runner = runner.map(Box::new);
        self
    }

    /// The same command, with another time.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The same command, which starts only while its script is the file that was found.
    #[must_use]
    pub fn script(mut self, script: Identity) -> Self {
        self.script = Some(script);
        self
    }

    /// The same command; whether each start requires confirmation.
    #[must_use]
    pub fn requires_confirmation(mut self, requires_confirmation: bool) -> Self {
        self.requires_confirmation = requires_confirmation;
        self
    }

    /// The same command, with the instruction for a missing program, if one is known.
    #[must_use]
    pub fn if_missing(mut self, advice: impl Into<Option<Cow<'static, str>>>) -> Self {
        self.if_missing = advice.into();
        self
    }

    /// Program and arguments as one vector of texts.
    pub fn words(&self) -> Vec<&str> {
        std::iter::once(&self.program).chain(&self.arguments).map(|word| word.text.as_str()).collect()
    }

    /// The command line for people to read; words that a shell would take apart are quoted.
    pub fn line(&self) -> String {
        let quoted: Vec<_> = self
            .words()
            .into_iter()
            .map(|word| shlex::try_quote(word).map_or_else(|_| word.escape_debug().to_string(), String::from))
            .collect();
        quoted.join(" ")
    }
}
