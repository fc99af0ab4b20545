//! The tools that `tools/list` shows: all of them, or one through which all are called. The same tools can be
//! called in either case.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::Tool;
use serde_json::Value;

use super::offered::Offered;
use super::{clean, dispatch, offer, runs};
use crate::model::Spelling;
use crate::project::Live;
use crate::registry::Registry;

/// The most tools that are listed one by one when it is left to cuff. Hosts take 40 to 50, and those of other
/// servers are among them.
pub const MOST_TOOLS: usize = 40;

/// How the tools are offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expose {
    /// Each as a tool of its own, and the two for clients of the program that cuff takes after.
    Tools,
    /// All behind the tool `cuff`.
    Dispatch,
    /// Each, up to [`MOST_TOOLS`]; more of them behind `cuff`.
    Auto,
    /// All as functions of programs: three tools find, describe and call them.
    #[cfg(feature = "code")]
    Code,
}

/// How the tools are offered, and how they are called.
#[derive(Debug, Clone, Copy)]
pub struct Exposure {
    /// How they are offered.
    pub expose: Expose,
    /// How the names of tools are written, in both ways to offer them.
    pub spelling: Spelling,
}

/// The tools as `tools/list` shows them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Shown {
    pub(super) tools: Vec<Tool>,
    /// The definitions of the tools of other MCP servers, by name, as they came.
    pub(super) definitions: HashMap<String, Value>,
    /// Whether the one tool is the dispatcher.
    pub(super) dispatches: bool,
}

impl Exposure {
    /// The way in which they are offered, where the last list had the dispatcher alone or not.
    pub(super) const fn offered(self, dispatches: bool) -> Offered {
        match self.expose {
            #[cfg(feature = "code")]
            Expose::Code => Offered::Code,
            _ if dispatches => Offered::Dispatcher,
            _ => Offered::Tools,
        }
    }

    /// The list now; it is empty where there is nothing to offer.
    pub(super) async fn now(self, source: &Live) -> Shown {
        match source.engine() {
            Ok(engine) => self.tools(&*engine.list().await),
            Err(_) => self.nothing(),
        }
    }

    /// The list where there is nothing to offer.
    fn nothing(self) -> Shown {
        Shown { dispatches: self.expose == Expose::Dispatch, ..Shown::default() }
    }

    /// The list of these tools.
    pub(super) fn tools(self, registry: &Registry) -> Shown {
        #[cfg(feature = "code")]
        if self.expose == Expose::Code {
            return Shown { tools: super::code::tools(), ..Shown::default() };
        }
        let dispatches = match self.expose {
            #[cfg(feature = "code")]
            Expose::Code => false,
            Expose::Tools => false,
            Expose::Dispatch => true,
            Expose::Auto => registry.tools().len() > MOST_TOOLS,
        };
        if dispatches {
            return Shown { tools: vec![dispatch::tool()], dispatches, ..Shown::default() };
        }
        let mut tools = offer::tools(registry, self.spelling);
        tools.extend(runs::tools(self.spelling));
        if self.expose == Expose::Tools {
            tools.extend(dispatch::kin());
        }
        let tools = tools.into_iter().map(clean::tool).collect();
        Shown { tools, definitions: offer::definitions(registry, self.spelling), dispatches }
    }
}

/// The list as it was last made: the same registry has the same list.
#[derive(Debug, Default)]
pub(super) struct LastShown(Mutex<Option<(Arc<Registry>, Arc<Shown>)>>);

impl LastShown {
    /// The list now, made anew where the registry is another one.
    pub(super) async fn now(&self, exposure: Exposure, source: &Live) -> Arc<Shown> {
        let Ok(engine) = source.engine() else { return Arc::new(exposure.nothing()) };
        self.of(exposure, engine.list().await)
    }

    /// The list of a registry.
    pub(super) fn of(&self, exposure: Exposure, registry: Arc<Registry>) -> Arc<Shown> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((of, shown)) if Arc::ptr_eq(of, &registry) => Arc::clone(shown),
            _ => {
                let shown = Arc::new(exposure.tools(&registry));
                *last = Some((registry, Arc::clone(&shown)));
                shown
            }
        }
    }
}
