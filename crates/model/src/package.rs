//! Packages of a workspace, and which of them need which.

use std::collections::{BTreeMap, BTreeSet};

/// A package of a workspace, as its manifest has it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Package {
    /// Its name, by which others need it.
    pub name: String,
    /// The names of the packages that it needs, those of other projects among them.
    pub needs: Vec<String>,
}

/// The packages of one workspace by their folders, each with the folders of those that it needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PackageGraph(BTreeMap<String, BTreeSet<String>>);

impl PackageGraph {
    /// The graph of these packages, by their folders. Names that none of them has are other projects'.
    pub fn of(packages: &BTreeMap<String, Package>) -> Self {
        let folders: BTreeMap<&str, &str> =
            packages.iter().map(|(folder, package)| (package.name.as_str(), folder.as_str())).collect();
        let needs = |folder: &String, package: &Package| {
            let others = package.needs.iter().filter_map(|name| folders.get(name.as_str()).copied());
            others.filter(|other| other != folder).map(str::to_owned).collect()
        };
        Self(packages.iter().map(|(folder, package)| (folder.clone(), needs(folder, package))).collect())
    }

    /// All that a package needs, directly or through others; itself where it is in a cycle.
    pub fn all_needs(&self, folder: &str) -> BTreeSet<&str> {
        reach(folder, |folder| self.0.get(folder).into_iter().flatten().map(String::as_str).collect())
    }

    /// All that need a package, directly or through others; itself where it is in a cycle.
    pub fn all_dependents(&self, folder: &str) -> BTreeSet<&str> {
        reach(folder, |needed| {
            let dependents = self.0.iter().filter(|(_, needs)| needs.contains(needed));
            dependents.map(|(folder, _)| folder.as_str()).collect()
        })
    }

    /// Whether two packages need each other.
    pub fn is_cycle(&self, one: &str, other: &str) -> bool {
        self.all_needs(one).contains(other) && self.all_needs(other).contains(one)
    }
}

/// All that is reached from a folder in one step or more.
fn reach<'a>(from: &str, next: impl Fn(&str) -> Vec<&'a str>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = next(from);
    while let Some(folder) = open.pop() {
        if reached.insert(folder) {
            open.extend(next(folder));
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_need_each_other_through_others_and_in_cycles() {
        let package = |name: &str, needs: &[&str]| Package {
            name: name.to_owned(),
            needs: needs.iter().map(|name| (*name).to_owned()).collect(),
        };
        let packages = [
            ("app", package("@x/app", &["@x/ui", "react"])),
            ("core", package("@x/core", &["lodash"])),
            ("one", package("one", &["two"])),
            ("two", package("two", &["one", "two"])),
            ("ui", package("@x/ui", &["@x/core"])),
        ];
        let graph = PackageGraph::of(&packages.map(|(folder, package)| (folder.to_owned(), package)).into());
        let texts = |set: BTreeSet<&str>| set.into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(texts(graph.all_needs("app")), "core ui");
        assert_eq!(texts(graph.all_needs("core")), "");
        assert_eq!(texts(graph.all_dependents("core")), "app ui");
        assert_eq!(texts(graph.all_needs("one")), "one two");
        assert!(graph.is_cycle("one", "two") && !graph.is_cycle("app", "ui"));
    }
}
