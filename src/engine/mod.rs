//! All that cuff can do, one method a file: what every face calls, and nothing a face knows.

mod error;
mod init;
mod list;
mod open;
mod parameters;
mod report;
mod run;

use std::path::PathBuf;
use std::sync::Mutex;

use crate::discovery::{Memory, Place};
use crate::execution::Host;
use crate::model::About;
use crate::plugin::Plugin;
use crate::settings::Settings;
use crate::sys::{Clock, Environment};

pub use error::RunError;
pub use init::{Draft, Survey};
pub use list::Listing;
pub use open::{Bare, OpenError};
pub use parameters::parameters;
pub use run::{Addressed, Request};

/// What the binary hands to cuff: everything that a test would want to replace.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// The built-in plugins, in order.
    pub plugins: &'static [&'static dyn Plugin],
    /// Variables and working directory.
    pub environment: Environment,
    /// The time.
    pub clock: Clock,
    /// The binary that supervises processes when it is started as `__supervise`.
    pub supervisor: PathBuf,
}

impl Surroundings {
    /// What the plugins say of themselves, in order.
    pub fn abouts(&self) -> Vec<About> {
        self.plugins.iter().map(|plugin| plugin.about()).collect()
    }

    /// The plugin of this id.
    pub fn plugin(&self, id: &str) -> Option<&'static dyn Plugin> {
        self.plugins.iter().copied().find(|plugin| plugin.about().id == id)
    }
}

/// A project that was opened: its settings, and what was discovered under them.
#[derive(Debug)]
pub struct Engine {
    surroundings: Surroundings,
    settings: Settings,
    memory: Mutex<Memory>,
    host: Host,
}

impl Engine {
    /// The settings that are in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    fn place(&self) -> Place<'_> {
        Place { root: &self.settings.root, environment: &self.surroundings.environment }
    }
}
