//! The files that decide what dotnet builds: solutions, projects, and the files that these import, here,
//! below and above.

use crate::model::{Binding, Glob, Pathname, StatePart, Want, path};
use crate::plugins::tasks::SourceLook;

/// Files that projects share, in their own folders and in folders above them.
const SHARED: [&str; 11] = [
    "Directory.Build.props",
    "Directory.Build.targets",
    "Directory.Build.rsp",
    "Directory.Packages.props",
    "Directory.Solution.props",
    "Directory.Solution.targets",
    "MSBuild.rsp",
    "global.json",
    "nuget.config",
    "NuGet.config",
    "NuGet.Config",
];

/// The file that a restore writes if the project asks for a lock file.
const LOCK_FILE: &str = "packages.lock.json";

/// The files of a task; `restores`: it may write lock files.
pub(super) fn binding(look: &SourceLook<'_>, restores: bool) -> Binding {
    let folder = look.folder().to_owned();
    let search = search(&folder);
    let found: Vec<Pathname> = look
        .files
        .globs
        .get(&search)
        .into_iter()
        .flat_map(|matches| matches.found.keys())
        .map(|file| path::join(&folder, file))
        .collect();
    let (locks, others): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|file| path::split(file).1 == LOCK_FILE);
    let mut binding = Binding::same(others);
    binding.add(if restores { StatePart::Written } else { StatePart::Same }, locks);
    for above in path::upwards(&folder) {
        binding.add(StatePart::Same, SHARED.map(|name| path::join(above, name)));
    }
    binding.wants.push(Want::Glob(search));
    binding
}

fn search(folder: &str) -> Glob {
    let endings = [".sln", ".slnx", ".csproj", ".fsproj", ".vbproj", ".proj", ".props", ".targets", ".rsp"];
    let names = SHARED.iter().chain([&LOCK_FILE]).map(|name| format!("**/{name}"));
    let patterns = endings.iter().map(|ending| format!("**/*{ending}")).chain(names);
    Glob::new(folder, patterns).without(["**/node_modules/**", "**/bin/**", "**/obj/**"])
}
