//! The tools by all that they are called: the names of a large project are looked up thousands of times.

use std::collections::HashMap;
use std::path::Path;

use super::Registry;
use crate::model::{Registered, path};

/// The places of tools by their names, their sources and their files.
#[derive(Debug)]
pub(super) struct Called<'r> {
    tools: &'r [Registered],
    names: HashMap<&'r str, Vec<usize>>,
    /// By what may stand before a name: an instance, a program, a package.
    sources: HashMap<&'r str, Vec<usize>>,
    files: HashMap<&'r str, Vec<usize>>,
}

impl<'r> Called<'r> {
    /// All tools of a registry.
    pub(super) fn of(registry: &'r Registry) -> Self {
        let tools = registry.tools();
        let mut called =
            Self { tools, names: HashMap::new(), sources: HashMap::new(), files: HashMap::new() };
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

    /// The tools that a typed name may mean, in their order, and perhaps some that it does not mean.
    pub(super) fn among(&self, typed: &str, here: Option<&Path>) -> Vec<&'r Registered> {
        let mut places: Vec<usize> = places_of(&self.names, typed).to_vec();
        let parted = typed.match_indices('.').chain(typed.match_indices(':').take(1));
        for (at, _) in parted {
            let [named, of_source] =
                [places_of(&self.names, &typed[at + 1..]), places_of(&self.sources, &typed[..at])];
            places.extend(if named.len() < of_source.len() { named } else { of_source });
        }
        if let Some(here) = here.and_then(Path::to_str).filter(|_| typed.contains('/')) {
            places.extend(places_of(&self.files, &path::join(here, typed)));
        }
        places.sort_unstable();
        places.dedup();
        places.into_iter().map(|at| &self.tools[at]).collect()
    }
}

fn add<'r>(places: &mut HashMap<&'r str, Vec<usize>>, word: &'r str, at: usize) {
    let of_word = places.entry(word).or_default();
    // A tool may be called the same twice.
    if of_word.last() != Some(&at) {
        of_word.push(at);
    }
}

fn places_of<'a>(places: &'a HashMap<&str, Vec<usize>>, word: &str) -> &'a [usize] {
    places.get(word).map_or(&[], Vec::as_slice)
}
