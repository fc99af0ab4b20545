//! The types of all tools, made before anybody asks and again when the tools change.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tokio::task::spawn_blocking;

use crate::code::{ToolIndex, Tools, is_of_server, types};
use crate::project::{Live, Project, Watching};
use crate::registry::Registry;
use crate::sandbox::{Catalog, NamedServer};

/// How many filtered texts are kept.
const MOST_FILTERED: usize = 64;

/// The tools and their types, as they are now.
#[derive(Debug)]
pub(super) struct Types {
    live: Arc<Live>,
    current: Mutex<Arc<Generated>>,
}

/// Types that were made at one moment.
#[derive(Debug, Default)]
pub(super) struct Generated {
    /// Which registry they are of; 0: there was none.
    pub(super) generation: u64,
    /// The tools.
    pub(super) catalog: Arc<Catalog>,
    /// Their declarations.
    pub(super) text: Arc<str>,
    filtered: Mutex<HashMap<Vec<String>, Arc<str>>>,
    index: OnceLock<ToolIndex>,
}

impl Generated {
    fn of(generation: u64, catalog: Arc<Catalog>) -> Self {
        let text = types(&catalog, &[]).into();
        Self { generation, catalog, text, filtered: Mutex::default(), index: OnceLock::new() }
    }

    /// The tools by their words, made with the first search.
    pub(super) fn index(&self) -> &ToolIndex {
        self.index.get_or_init(|| ToolIndex::of(&self.catalog))
    }

    /// The declarations of the tools that are wanted.
    pub(super) fn filtered(&self, wanted: Vec<String>) -> Arc<str> {
        if wanted.is_empty() {
            return Arc::clone(&self.text);
        }
        let mut kept = self.filtered.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST_FILTERED {
            kept.clear();
        }
        Arc::clone(kept.entry(wanted).or_insert_with_key(|wanted| types(&self.catalog, wanted).into()))
    }
}

impl Types {
    pub(super) fn new(live: Arc<Live>) -> Self {
        Self { live, current: Mutex::new(Arc::new(Generated::of(0, Arc::default()))) }
    }

    /// The types as they are now.
    pub(super) fn now(&self) -> Arc<Generated> {
        Arc::clone(&self.current.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Makes the types of the servers that answer in time. Late ones join.
    pub(super) async fn begin(&self) {
        // Without settings there are no tools, and that is no error.
        let Ok(project) = self.live.project() else { return };
        self.generate(&project, project.list().await).await;
    }

    /// The types as they are once the servers of these tools have answered or failed.
    pub(super) async fn wanted(&self, wanted: &[String]) -> Arc<Generated> {
        let known = self.now();
        let is_wanted = |server: &&NamedServer| wanted.iter().any(|name| is_of_server(name, server));
        let servers = known.catalog.servers().iter().filter(is_wanted);
        let names: Vec<&str> = servers.map(|server| server.name.as_str()).collect();
        if let (Ok(project), false) = (self.live.project(), names.is_empty()) {
            project.list_of_servers(&names).await;
            self.look().await;
        }
        self.now()
    }

    /// The servers that have not answered yet.
    pub(super) fn connecting_servers(&self) -> Vec<String> {
        self.live
            .project()
            .map_or_else(|_| Vec::new(), |project| project.connecting_servers().map(str::to_owned).collect())
    }

    /// Makes them again whenever the tools change, for as long as it is polled. The old ones are served meanwhile.
    pub(super) async fn follow(&self) {
        let mut watching = Watching::of(Arc::clone(&self.live));
        loop {
            // The first look is for the servers that were late.
            self.look().await;
            watching.next().await;
        }
    }

    async fn look(&self) {
        match self.live.project() {
            Ok(project) => {
                let registry = project.list_known().await;
                if registry.generation() != self.now().generation {
                    self.generate(&project, registry).await;
                }
            }
            Err(_) => self.set(Generated::of(0, Arc::default())),
        }
    }

    async fn generate(&self, project: &Arc<Project>, registry: Arc<Registry>) {
        let (project, generation) = (Arc::clone(project), registry.generation());
        // Schemas of hundreds of tools take a while, and requests are answered meanwhile.
        let made = spawn_blocking(move || Generated::of(generation, Tools::of(&project, registry).catalog));
        if let Ok(made) = made.await {
            self.set(made);
        }
    }

    fn set(&self, generated: Generated) {
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(generated);
    }
}
