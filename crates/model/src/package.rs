//! Packages of a workspace, and which of them need which.

use std::collections::{BTreeMap, BTreeSet};

/// A package of a workspace, as its manifest has it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Package {
    /// Its name, by which others need it.
    pub name: String,
    /// The names of the packages that it needs, those of other projects among them.
    pub needs: Vec<String>,
    /// The other names that the packages of its workspace may have for some, with the real ones.
    pub renames: BTreeMap<String, String>,
}

/// The packages of one workspace by their folders, each with the folders of those that it needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PackageGraph(BTreeMap<String, BTreeSet<String>>);

impl PackageGraph {
    /// The graph of these packages, by their folders. Names that none of them has are other projects'.
    pub fn of(packages: &BTreeMap<String, Package>) -> Self {
        let folders: BTreeMap<&str, &str> =
            packages.iter().map(|(folder, package)| (package.name.as_str(), folder.as_str())).collect();
        let renames: BTreeMap<&String, &str> = packages
            .values()
            .flat_map(|package| &package.renames)
            .map(|(name, real)| (name, real.as_str()))
            .collect();
        let needs = |folder: &String, package: &Package| {
            let named = package.needs.iter().map(|name| renames.get(name).copied().unwrap_or(name));
            let others = named.filter_map(|name| folders.get(name).copied());
            others.filter(|other| other != folder).map(str::to_owned).collect()
        };
        Self(packages.iter().map(|(folder, package)| (folder.clone(), needs(folder, package))).collect())
    }

    /// The folders of the packages that a package names itself.
    pub fn needs(&self, folder: &str) -> impl Iterator<Item = &str> {
        self.0.get(folder).into_iter().flatten().map(String::as_str)
    }

    /// All that need one of these, directly or through others; one of these too if another of them reaches it.
    pub fn all_dependents<'a>(&'a self, folders: impl IntoIterator<Item = &'a str>) -> BTreeSet<&'a str> {
        let dependents = self.dependents();
        let next = |folder: &str| dependents.get(folder).into_iter().flatten().copied();
        let mut open: Vec<&str> = folders.into_iter().flat_map(next).collect();
        let mut reached = BTreeSet::new();
        while let Some(folder) = open.pop() {
            if reached.insert(folder) {
                open.extend(next(folder));
            }
        }
        reached
    }

    /// The packages that need each other, directly or through others, each with the number of its cycle.
    pub fn cycles(&self) -> BTreeMap<&str, usize> {
        // Kosaraju's algorithm: a search along the needs, and one against them from those that the first left last.
        let (mut left, mut seen) = (Vec::new(), BTreeSet::new());
        for first in self.0.keys() {
            let mut open = vec![(first.as_str(), false)];
            while let Some((folder, is_left)) = open.pop() {
                if is_left {
                    left.push(folder);
                } else if seen.insert(folder) {
                    open.push((folder, true));
                    open.extend(self.needs(folder).map(|needed| (needed, false)));
                }
            }
        }
        let dependents = self.dependents();
        let (mut numbers, mut sizes) = (BTreeMap::new(), BTreeMap::<usize, usize>::new());
        for (number, first) in left.into_iter().rev().enumerate() {
            let mut open = vec![first];
            while let Some(folder) = open.pop() {
                if !numbers.contains_key(folder) {
                    numbers.insert(folder, number);
                    *sizes.entry(number).or_default() += 1;
                    open.extend(dependents.get(folder).into_iter().flatten());
                }
            }
        }
        numbers.retain(|_, number| sizes[number] > 1);
        numbers
    }

    /// Each package that others name, with those.
    fn dependents(&self) -> BTreeMap<&str, Vec<&str>> {
        let mut dependents: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (folder, needs) in &self.0 {
            for needed in needs {
                dependents.entry(needed).or_default().push(folder);
            }
        }
        dependents
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_need_each_other_through_others_and_in_cycles() {
        let package = |name: &str, needs: &[&str]| Package {
            name: name.to_owned(),
            needs: needs.iter().map(|name| (*name).to_owned()).collect(),
            renames: BTreeMap::new(),
        };
        let root =
            Package { renames: [("base".to_owned(), "@x/core".to_owned())].into(), ..Package::default() };
        let packages = [
            (".", root),
            ("app", package("@x/app", &["@x/ui", "react"])),
            ("core", package("@x/core", &["lodash"])),
            ("one", package("one", &["two"])),
            ("two", package("two", &["one", "two"])),
            ("ui", package("@x/ui", &["base"])),
        ];
        let graph = PackageGraph::of(&packages.map(|(folder, package)| (folder.to_owned(), package)).into());
        let texts = |set: BTreeSet<&str>| set.into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(texts(graph.needs("app").collect()), "ui");
        assert_eq!(texts(graph.needs("core").collect()), "");
        assert_eq!(texts(graph.all_dependents(["core"])), "app ui");
        assert_eq!(texts(graph.all_dependents(["core", "one"])), "app one two ui");
        assert_eq!(graph.cycles().into_keys().collect::<Vec<_>>(), ["one", "two"]);
    }

    #[test]
    fn cycles_are_told_apart_however_long_they_are() {
        let needs = |folder: &str, needs: &[&str]| {
            (folder.to_owned(), needs.iter().map(|one| (*one).to_owned()).collect())
        };
        let ring = (0..5000).map(|at| needs(&format!("r{at}"), &[&format!("r{}", (at + 1) % 5000)]));
        let others =
            [("a", &["b", "c"][..]), ("b", &["a", "r7"]), ("c", &["d"]), ("d", &[]), ("e", &["c", "r0"])];
        let graph =
            PackageGraph(others.map(|(folder, all)| needs(folder, all)).into_iter().chain(ring).collect());
        let cycles = graph.cycles();
        assert_eq!(cycles.len(), 5002);
        assert_eq!(cycles["a"], cycles["b"]);
        assert_eq!(cycles["r1"], cycles["r4999"]);
        assert_ne!(cycles["a"], cycles["r0"]);
    }
}
