//! The tools by all that they are called: the names of a large project are looked up thousands of times.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;

use super::Registry;
use crate::model::{Registered, path};

/// The places of tools by their names, their sources and their files.
#[derive(Debug)]
pub(super) struct Called<'r> {
    tools: &'r [Registered],
    names: HashMap<&'r str, Places>,
    /// By what may stand before a name: an instance, a program, a package.
    sources: HashMap<&'r str, Places>,
    files: HashMap<&'r str, Places>,
}

/// The places of tools that share a word, in order. Most words are those of one tool.
#[derive(Debug)]
struct Places {
    first: usize,
    more: Vec<usize>,
}

impl Places {
    fn len(&self) -> usize {
        1 + self.more.len()
    }

    fn all(&self) -> impl Iterator<Item = usize> {
        std::iter::once(self.first).chain(self.more.iter().copied())
    }
}

impl<'r> Called<'r> {
    /// All tools of a registry.
    pub(super) fn of(registry: &'r Registry) -> Self {
        let tools = registry.tools();
        let names = HashMap::with_capacity(2 * tools.len());
        let mut called = Self { tools, names, sources: HashMap::new(), files: HashMap::new() };
        for (at, tool) in tools.iter().enumerate() {
            for name in tool.names() {
                add(&mut called.names, name, at);
            }
            let instance = tool.name.instance.as_str();
            let package = registry.package(instance).iter().map(String::as_str);
            for source in package.chain([instance]).chain(tool.program()) {
                add(&mut called.sources, source, at);
            }
            if tool.file().is_some() {
                add(&mut called.files, &tool.tool.source.file, at);
            }
        }
        called
    }

    /// The tool that a typed name means, where it is a plain one and a name of this tool alone.
    pub(super) fn only(&self, typed: &str) -> Option<&'r Registered> {
        let places = self.names.get(typed).filter(|places| places.more.is_empty())?;
        (!typed.contains(['.', ':', '/'])).then(|| &self.tools[places.first])
    }

    /// The tools that a typed name may mean, in their order, and perhaps some that it does not mean.
    pub(super) fn among(&self, typed: &str, here: Option<&Path>) -> Vec<&'r Registered> {
        let mut places: Vec<usize> = self.names.get(typed).into_iter().flat_map(Places::all).collect();
        let parted = typed.match_indices('.').chain(typed.match_indices(':').take(1));
        for (at, _) in parted {
            let named = self.names.get(&typed[at + 1..]);
            if let (Some(named), Some(of_source)) = (named, self.sources.get(&typed[..at])) {
                places.extend(if named.len() < of_source.len() { named.all() } else { of_source.all() });
            }
        }
        if let Some(here) = here.and_then(Path::to_str).filter(|_| typed.contains('/')) {
            places.extend(self.files.get(&*path::join(here, typed)).into_iter().flat_map(Places::all));
        }
        places.sort_unstable();
        places.dedup();
        places.into_iter().map(|at| &self.tools[at]).collect()
    }
}

fn add<'r>(places: &mut HashMap<&'r str, Places>, word: &'r str, at: usize) {
    match places.entry(word) {
        Entry::Vacant(open) => _ = open.insert(Places { first: at, more: Vec::new() }),
        Entry::Occupied(known) => {
            let known = known.into_mut();
            // A tool may be called the same twice.
            if *known.more.last().unwrap_or(&known.first) != at {
                known.more.push(at);
            }
        }
    }
}
