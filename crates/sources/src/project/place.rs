//! The place where discovery looks, and the one who carries out probes there.

use std::fmt::Debug;
use std::future::Future;
use std::path::Path;
use std::pin::Pin;

use super::view::ProjectView;
use crate::model::{Probe, Probed, Values};
use crate::sys::Environment;

/// Where discovery looks.
#[derive(Debug, Clone, Copy)]
pub struct ProjectPlace<'a> {
    /// The folder that relative paths refer to.
    pub root: &'a Path,
    /// For programs on the search path.
    pub environment: &'a Environment,
    /// Carries out probes; `None` where no settings allow any.
    pub prober: Option<&'a dyn Prober>,
    /// The view that it shares with other looks at the same time.
    pub view: Option<&'a ProjectView>,
}

impl<'a> ProjectPlace<'a> {
    /// A place where nobody carries out probes.
    pub fn of(root: &'a Path, environment: &'a Environment) -> Self {
        Self { root, environment, prober: None, view: None }
    }
}

/// Carries out probes: policy and execution, which discovery does not know.
pub trait Prober: Debug + Send + Sync {
    /// Carries out the probe of an instance with these settings; it never fails in another way than [`Probed::Nothing`]. Dropping
    /// the future ends it.
    fn probe<'a>(&'a self, instance: &'a str, config: &'a Values, probe: &'a Probe) -> Probing<'a>;
}

/// A probe under way.
pub type Probing<'a> = Pin<Box<dyn Future<Output = Probed> + Send + 'a>>;
