//! The tools by all that they are called: the names of a large project are looked up thousands of times.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::path::Path;

use super::Registry;
use crate::model::{Registered, path};

/// The places of tools by their names, their sources and their files.
#[derive(Debug)]
pub(super) struct NameIndex<'r> {
    registry: &'r Registry,
    names: OnceCell<WordIndex<'r>>,
    /// By what may stand before a name: an instance, a program, a package.
    sources: OnceCell<WordIndex<'r>>,
    files: OnceCell<WordIndex<'r>>,
}

/// The places of the tools of each word.
type WordIndex<'r> = HashMap<&'r str, ToolPlaces>;

/// The places of tools that share a word, in order. Most words are those of one tool.
#[derive(Debug)]
enum ToolPlaces {
    One(usize),
    Several(Vec<usize>),
}

impl ToolPlaces {
    fn all(&self) -> &[usize] {
        match self {
            Self::One(place) => std::slice::from_ref(place),
            Self::Several(places) => places,
        }
    }

    fn add(&mut self, place: usize) {
        match self {
            // A tool may be called the same twice.
            _ if self.all().last() == Some(&place) => {}
            Self::One(first) => *self = Self::Several(vec![*first, place]),
            Self::Several(places) => places.push(place),
        }
    }
}

fn add<'r>(words: &mut WordIndex<'r>, word: &'r str, place: usize) {
    words.entry(word).and_modify(|places| places.add(place)).or_insert(ToolPlaces::One(place));
}

impl<'r> NameIndex<'r> {
    /// All tools of a registry.
    pub(super) fn of(registry: &'r Registry) -> Self {
        Self { registry, names: OnceCell::new(), sources: OnceCell::new(), files: OnceCell::new() }
    }

    fn names(&self) -> &WordIndex<'r> {
        self.names.get_or_init(|| {
            let tools = self.registry.tools();
            let mut names = WordIndex::with_capacity(2 * tools.len());
            for (at, tool) in tools.iter().enumerate() {
                for name in tool.names() {
                    add(&mut names, name, at);
                }
            }
            names
        })
    }

    fn sources(&self) -> &WordIndex<'r> {
        self.sources.get_or_init(|| {
            let tools = self.registry.tools();
            let mut sources = WordIndex::with_capacity(tools.len());
            for (at, tool) in tools.iter().enumerate() {
                let instance = tool.name.instance.as_str();
                let package = self.registry.package(instance).iter().map(String::as_str);
                for source in package.chain([instance]).chain(tool.program()) {
                    add(&mut sources, source, at);
                }
            }
            sources
        })
    }

    fn files(&self) -> &WordIndex<'r> {
        self.files.get_or_init(|| {
            let tools = self.registry.tools();
            let mut files = WordIndex::with_capacity(tools.len());
            for (at, tool) in tools.iter().enumerate() {
                if tool.file().is_some() {
                    add(&mut files, &tool.tool.source.file, at);
                }
            }
            files
        })
    }

    /// The tool that a typed name means, where it is the path of its file, or a plain one and a name of this tool alone:
    /// `lint`, or `core:lint` behind a word for its source.
    pub(super) fn only(&self, typed: &str, here: Option<&Path>) -> Option<&'r Registered> {
        let tools = self.registry.tools();
        if typed.contains('/') {
            return self.at(typed, here).first().map(|place| &tools[*place]);
        }
        if typed.contains('.') {
            return None;
        }
        let behind = typed.split_once(':');
        match (self.names().get(typed), behind) {
            (Some(ToolPlaces::One(place)), None) => Some(&tools[*place]),
            (None, Some((source, name))) => {
                let (named, of_source) = (of(self.names(), name), of(self.sources(), source));
                let fewer = if named.len() < of_source.len() { named } else { of_source };
                let fewer = fewer.iter().map(|place| &tools[*place]);
                let mut meant = fewer.filter(|tool| self.registry.is_of_source(tool, typed));
                let only = meant.next()?;
                meant.next().is_none().then_some(only)
            }
            _ => None,
        }
    }

    /// The scripts at this path, as it is typed in a folder.
    fn at(&self, typed: &str, here: Option<&Path>) -> &[usize] {
        match here.and_then(Path::to_str).filter(|_| typed.contains('/')) {
            Some(here) => of(self.files(), &path::join(here, typed)),
            None => &[],
        }
    }

    /// The tools that a typed name may mean, in their order, and perhaps some that it does not mean.
    pub(super) fn among(&self, typed: &str, here: Option<&Path>) -> Vec<&'r Registered> {
        let mut places = of(self.names(), typed).to_vec();
        let parted = typed.match_indices('.').chain(typed.match_indices(':').take(1));
        for (at, _) in parted {
            let named = of(self.names(), &typed[at + 1..]);
            let of_source = if named.is_empty() { named } else { of(self.sources(), &typed[..at]) };
            places.extend(if named.len() < of_source.len() { named } else { of_source });
        }
        places.extend(self.at(typed, here));
        places.sort_unstable();
        places.dedup();
        places.into_iter().map(|at| &self.registry.tools()[at]).collect()
    }
}

fn of<'w>(words: &'w WordIndex<'_>, word: &str) -> &'w [usize] {
    words.get(word).map_or(&[], ToolPlaces::all)
}
