//! A directory and plugins in, tools and problems out: shows plugins what they want to see, and remembers.

mod consult;
mod fingerprint;
mod look;
mod memory;
mod probes;
mod record;
mod sights;

use std::fmt::Debug;
use std::future::Future;
use std::path::Path;
use std::pin::Pin;

use crate::model::{Discovery, Files, Probe, Probed, Problem, Values};
use crate::plugin::Plugin;
use crate::sys::Environment;

use look::Look;

pub use consult::{checks, install_hint};
pub use memory::Memory;

/// Where discovery looks.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// What relative paths refer to.
    pub root: &'a Path,
    /// For programs on the search path.
    pub environment: &'a Environment,
    /// What carries out probes; `None` where no settings allow any.
    pub prober: Option<&'a dyn Prober>,
}

/// Carries out probes: policy and execution, which discovery does not know.
pub trait Prober: Debug + Send + Sync {
    /// What the probe of an instance brings; it never fails in another way than [`Probed::Nothing`]. Dropping the future
    /// ends it.
    fn probe<'a>(&'a self, instance: &'a str, probe: &'a Probe) -> Probing<'a>;
}

/// A probe under way.
pub type Probing<'a> = Pin<Box<dyn Future<Output = Probed> + Send + 'a>>;

/// Shows a plugin what it scouts for, before there are any settings: no probe is carried out.
pub fn scout(place: Place<'_>, plugin: &dyn Plugin) -> Files {
    look::without_probes(place, |seen| plugin.scout(seen)).0
}

/// The tools and problems of a plugin under these settings, read afresh. No probe is carried out; [`Memory`] does that.
pub fn discover(place: Place<'_>, plugin: &dyn Plugin, config: &Values) -> Discovery {
    let (files, problem) = look::without_probes(place, |seen| plugin.wants(config, seen));
    conclude(plugin, config, &files, problem)
}

fn conclude(plugin: &dyn Plugin, config: &Values, files: &Files, problem: Option<Problem>) -> Discovery {
    let mut discovery = plugin.discover(config, files);
    discovery.problems.extend(problem);
    discovery
}

#[cfg(test)]
mod tests;
