//! The map in `src/README.md`: which module may import which, and which may name a crate.

use std::collections::{BTreeMap, BTreeSet};

use super::path_of;
use super::source::{Mention, Source};

/// The two tables.
#[derive(Debug)]
pub(super) struct Map {
    modules: BTreeMap<String, BTreeSet<String>>,
    crates: BTreeMap<String, BTreeSet<String>>,
}

impl Map {
    /// Reads the tables that start with a column `module` and a column `crate`.
    pub(super) fn read(text: &str) -> Self {
        let modules: BTreeMap<_, _> = rows(text, "module")
            .map(|row| {
                let [module, _, may] = row.as_slice() else { panic!("three columns, not {row:?}") };
                // A row names folders and files; `main.rs` keeps its ending, since it is no module.
                let module = module.trim_matches('`').trim_end_matches('/');
                let module = if module == "main.rs" { module } else { module.trim_end_matches(".rs") };
                (module.to_owned(), words(may))
            })
            .collect();
        let crates = rows(text, "crate")
            .flat_map(|row| {
                let [crates, places] = row.as_slice() else { panic!("two columns, not {row:?}") };
                let places = words(places);
                words(crates).into_iter().map(move |name| (name, places.clone())).collect::<Vec<_>>()
            })
            .collect();
        let unknown: Vec<_> =
            modules.values().flatten().filter(|name| !modules.contains_key(*name)).collect();
        assert!(unknown.is_empty(), "the map allows imports of {unknown:?}, which it has no row for");
        assert!(!modules.is_empty(), "the map has no rows");
        Self { modules, crates }
    }

    /// The modules that have a row.
    pub(super) fn modules(&self) -> impl Iterator<Item = &String> {
        self.modules.keys()
    }

    /// The imports that the map allows and no file has: a reader would look for them in vain.
    pub(super) fn idle(&self, sources: &[Source]) -> Vec<String> {
        let of = |module: &String| {
            let own = sources.iter().filter(|source| source.owner() == *module);
            own.flat_map(|source| source.rust.inner.iter().map(|mention| mention.path[0].clone()))
                .collect::<BTreeSet<String>>()
        };
        let idle = |(module, allowed): (&String, &BTreeSet<String>)| {
            let done = of(module);
            let idle = allowed.iter().filter(|name| !done.contains(*name));
            idle.map(|name| format!("{module} imports no {name}")).collect::<Vec<_>>()
        };
        self.modules.iter().flat_map(idle).collect()
    }

    /// The imports of a file that the map does not allow.
    pub(super) fn offences(&self, source: &Source) -> Vec<String> {
        let owner = source.owner();
        let nothing = BTreeSet::new();
        let allowed = self.modules.get(&owner).unwrap_or(&nothing);
        let inner = source.rust.inner.iter().filter_map(|Mention { line, path }| {
            let target = &path[0];
            if *target == owner || allowed.contains(target) {
                return None;
            }
            let known = self.modules.contains_key(target);
            let unmapped = if known { "" } else { ", which is no module of the map" };
            Some((line, format!("{owner} imports {target}{unmapped}")))
        });
        let outer = source.rust.outer.iter().filter_map(|Mention { line, path }| {
            let places = self.crates.get(&path[0])?;
            (!places.contains(&owner)).then(|| (line, format!("{owner} names the crate {}", path[0])))
        });
        let all = inner.chain(outer).map(|(line, what)| format!("{}:{line}: {what}", path_of(&source.name)));
        // One line may say the same several times: `{Registered, Registry}`.
        all.collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// The rows below the header that starts with this word, without the line of dashes.
fn rows<'text>(text: &'text str, first: &str) -> impl Iterator<Item = Vec<&'text str>> {
    let header = format!("| {first} |");
    text.lines()
        .skip_while(move |line| !line.starts_with(&header))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim().trim_matches('|').split('|').map(str::trim).collect())
}

fn words(cell: &str) -> BTreeSet<String> {
    cell.split(',')
        .map(|word| word.trim().trim_matches('`').to_owned())
        .filter(|word| !word.is_empty())
        .collect()
}
