//! The environment that cuff was started in, as a value that callers can inject.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::run_ancestry::{self, RunAncestry};
use super::run_markers::MARKER;

/// Variables and working directory, read once.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// Shared by all copies.
    variables: Arc<BTreeMap<OsString, OsString>>,
    directory: PathBuf,
    /// The runs above this process; `None`: these variables are made up, and of no process.
    ancestry: Option<OnceLock<RunAncestry>>,
    /// Variables whose values come from settings, and are never shown.
    hidden: BTreeSet<String>,
}

impl Environment {
    /// The environment of this process.
    ///
    /// # Errors
    /// When the working directory was removed.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads it")]
    pub fn of_process() -> std::io::Result<Self> {
        let (variables, directory) = (Arc::new(std::env::vars_os().collect()), std::env::current_dir()?);
        Ok(Self { variables, directory, ancestry: Some(OnceLock::new()), hidden: BTreeSet::new() })
    }

    /// An environment made up by a caller.
    pub fn new(
        directory: impl Into<PathBuf>,
        variables: impl IntoIterator<Item = (impl Into<OsString>, impl Into<OsString>)>,
    ) -> Self {
        let variables: BTreeMap<_, _> =
            variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        Self {
            variables: variables.into(),
            directory: directory.into(),
            ancestry: None,
            hidden: BTreeSet::new(),
        }
    }

    /// The same, with these variables alone. A name that is no text is none of them.
    #[must_use]
    pub fn only(&self, keep: impl Fn(&str) -> bool) -> Self {
        let kept = self.variables.iter().filter(|(name, _)| name.to_str().is_some_and(&keep));
        let variables: BTreeMap<_, _> = kept.map(|(name, value)| (name.clone(), value.clone())).collect();
        Self { variables: variables.into(), ..self.clone() }
    }

    /// The same, with variables whose values settings have.
    #[must_use]
    pub fn hiding(mut self, names: &BTreeSet<String>) -> Self {
        self.hidden.clone_from(names);
        self
    }

    /// The variables whose values settings have, with the values.
    pub fn hidden(&self) -> impl Iterator<Item = (&str, &str)> {
        self.hidden.iter().filter_map(|name| Some((name.as_str(), self.get(name)?.to_str()?)))
    }

    /// The same, without one of the variables.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        Arc::make_mut(&mut self.variables).remove(OsStr::new(name));
        self
    }

    /// The working directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The same variables, working elsewhere.
    #[must_use]
    pub fn within(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = directory.into();
        self
    }

    /// A variable that is set and not empty.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// The runs above this process, whatever it has taken off of their marks. The variable of a run alone says that there
    /// is one, and nothing of who started it.
    pub fn run_ancestry(&self) -> RunAncestry {
        let known = self.ancestry.as_ref().map(|known| *known.get_or_init(run_ancestry::of_this_process));
        match known.unwrap_or(RunAncestry::Outside) {
            RunAncestry::Outside if self.get(MARKER).is_some() => RunAncestry::Run,
            known => known,
        }
    }

    /// A variable that holds a path.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        self.get(name).map(PathBuf::from)
    }

    /// A variable that holds an absolute path; the XDG base directory specification has relative ones ignored.
    pub fn absolute(&self, name: &str) -> Option<PathBuf> {
        self.path(name).filter(|path| path.is_absolute())
    }

    /// A base directory of that specification: the value of the variable, else this folder in the user's
    /// home.
    pub fn base(&self, variable: &str, in_home: &str) -> Option<PathBuf> {
        self.absolute(variable).or_else(|| Some(self.absolute("HOME")?.join(in_home)))
    }

    /// The variable, where it is set, an empty one too: that may be a choice.
    pub fn raw(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).map(OsString::as_os_str)
    }

    /// All variables.
    pub fn variables(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.variables.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }
}
