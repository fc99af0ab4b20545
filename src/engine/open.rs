//! Opening a project: with its settings, or for one plugin without any.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde_json::Value;

use super::{Engine, Surroundings};
use crate::discovery::{self, Memory, Place};
use crate::execution::Host;
use crate::model::{About, Field, Problem, Values};
use crate::settings::{self, Instance, Settings};

/// Why a project cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There is no settings file.
    #[error("{0}")]
    NoSettings(NoSettings),
    /// The settings file cannot be used at all.
    #[error("{0}")]
    Broken(String),
    /// The settings have no instance of the plugin that was asked for.
    #[error("{file} has no instance of the plugin `{plugin}`")]
    NotConfigured {
        /// The settings file.
        file: PathBuf,
        /// The plugin.
        plugin: &'static str,
    },
    /// Every user of this machine may write the settings.
    #[error("{0} may be written by every user of this machine")]
    WorldWritable(PathBuf),
}

/// No settings file was found.
#[derive(Debug, thiserror::Error)]
#[error("no settings.yml was found; run `cuff init` to discover what this project can do and write one")]
pub struct NoSettings;
