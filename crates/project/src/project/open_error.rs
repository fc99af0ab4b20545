//! Why a project cannot be opened, and what to do about it.

use crate::ledger::LedgerError;
use crate::model::Problem;
use crate::settings::{NotThere, SettingsProblem, SettingsReading};

/// Why a project cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There is no settings file, and for a person nothing that stands in for one.
    #[error("{}{}", if .nothing.is_some() { NOTHING } else { "no settings.yml was found" }, also(.passed_over))]
    NoSettings {
        /// Files that look like settings and are not read, each with the reason.
        passed_over: Vec<String>,
        /// The help for a person, who needs no settings where something is found.
        nothing: Option<String>,
    },
    /// A settings file was named and is not there.
    #[error(transparent)]
    NotThere(#[from] NotThere),
    /// The settings file as a whole cannot be used.
    #[error("{} cannot be used: {}", place(file, problems), .problems.first().map_or("it is empty", |first| &first.message))]
    Unusable {
        /// The settings file.
        file: String,
        /// Everything that is wrong with it.
        problems: Vec<SettingsProblem>,
    },
    /// The settings have no instance of the plugin that was asked for.
    #[error("{file} has no instance of the plugin `{plugin}`")]
    NotConfigured {
        /// The settings file.
        file: String,
        /// The plugin.
        plugin: &'static str,
    },
    /// The settings switch the plugin that was asked for off.
    #[error("{file} switches `{instance}` off")]
    Disabled {
        /// The settings file.
        file: String,
        /// The instance of the plugin.
        instance: String,
    },
    /// Every user of this machine may write the settings.
    #[error("{0} may be written by every user of this machine")]
    WorldWritable(String),
    /// It is not known which settings a person has approved, so that nothing can be offered to agents.
    #[error("it is not known which settings a person has approved: {why}")]
    NotKnown {
        /// The obstacle.
        why: String,
        /// The next step for a person.
        help: String,
    },
    /// There is no place where it could be known.
    #[error("neither XDG_STATE_HOME nor HOME says where it is kept which settings a person has approved")]
    NoPins,
    /// An option of a plugin's command has a value that its config key does not take.
    #[error("{0}")]
    BadOption(String),
}

/// The message for a folder without any source.
pub const NOTHING: &str = "there is nothing here that cuff could offer";

/// The help for an instance that settings switch off.
pub(crate) const SWITCH_ON: &str = "`enabled: true` switches it on";

/// The file, with line and column of what is wrong with it first.
fn place(file: &str, problems: &[SettingsProblem]) -> String {
    problems.first().map_or_else(|| file.to_owned(), |first| first.location.to_string())
}

fn also(files: &[String]) -> String {
    std::iter::once(String::new()).chain(files.iter().cloned()).collect::<Vec<_>>().join("; ")
}

impl OpenError {
    /// The help for it: its consequence, and the next step.
    pub fn help(&self) -> Option<String> {
        let remedy = self.remedy()?;
        Some(match self {
            Self::Unusable { .. } => format!("nothing is offered until it is mended; {remedy}"),
            _ => remedy,
        })
    }

    /// The first thing that is wrong with the settings file, with its place, where that is the reason.
    pub(crate) fn first_problem(&self) -> Option<String> {
        match self {
            Self::Unusable { problems, .. } => Some(Problem::from(problems.first()?).in_one_line()),
            _ => None,
        }
    }

    /// The next step alone, for when the settings from before may still hold.
    pub fn remedy(&self) -> Option<String> {
        Some(match self {
            Self::NoSettings { nothing: None, .. } => {
                "run `cuff init` where a package.json, a Makefile or scripts are: it finds what they can do, and writes one".into()
            }
            Self::NotThere(not_there) => not_there.help.clone(),
            Self::Unusable { .. } => "`cuff schema` describes the file".into(),
            Self::NotConfigured { plugin, .. } => {
                format!("add one; `cuff init --dry-run --plugins {plugin}` shows what it would look like")
            }
            Self::Disabled { .. } => SWITCH_ON.into(),
            Self::WorldWritable(file) => format!("run `chmod o-w {file}`"),
            Self::NoSettings { nothing: Some(help), .. } | Self::NotKnown { help, .. } => help.clone(),
            Self::NoPins => "set HOME for whatever starts `cuff serve`".into(),
            Self::BadOption(_) => "`--help` shows what the options take".into(),
        })
    }
}

/// Settings that can be used, if there are any.
///
/// # Errors
/// When the file as a whole cannot be.
pub(crate) fn usable(reading: Option<SettingsReading>) -> Result<Option<SettingsReading>, OpenError> {
    match reading {
        Some(reading) if reading.is_unusable() => {
            Err(OpenError::Unusable { file: reading.settings.place.name, problems: reading.problems })
        }
        other => Ok(other),
    }
}

/// Agents are offered nothing where it cannot be read or written what a person has seen.
pub(crate) fn not_known(error: &LedgerError) -> OpenError {
    let help = match error {
        LedgerError::Newer(path, _) => {
            format!(
                "use that cuff, or remove {} and run `cuff approve settings` in a terminal",
                path.display()
            )
        }
        _ => "mend that, or run `cuff approve settings` in a terminal".to_owned(),
    };
    OpenError::NotKnown { why: error.to_string(), help }
}

/// Nothing can be offered, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotReady {
    /// The obstacle, in one sentence without a full stop.
    pub message: String,
    /// The help for it.
    pub help: Option<String>,
    /// Whether there are no settings at all, so that nothing is wrong.
    pub is_absence: bool,
}

impl From<&OpenError> for NotReady {
    fn from(error: &OpenError) -> Self {
        Self {
            message: format!("Nothing is offered: {error}"),
            help: error.first_problem().or_else(|| error.help()),
            is_absence: matches!(error, OpenError::NoSettings { .. }),
        }
    }
}
