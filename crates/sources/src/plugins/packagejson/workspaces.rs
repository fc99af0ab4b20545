//! Finds the packages of the project's workspace, from package.json or pnpm-workspace.yaml.
//!
//! Their patterns name folders. npm, yarn and bun read them in their order, so that a `!` excludes matches of
//! earlier patterns. In pnpm a `!` excludes matches of all patterns. No manager looks into `node_modules`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::config::{PACKAGE_JSON_PATH, WORKING_DIRECTORY};
use super::manager::PNPM;
use super::project::PackageProject;
use crate::model::{
    EXPOSE_LIST_SCRIPTS, ErrorCode, File, Files, Glob, Link, Location, Member, PACKAGES, Pathname, Problem,
    Seen, Values, Want, Workspace, path, shown,
};
use crate::plugins::braces::alternatives;
use crate::plugins::managers::PackageManifest;

/// The largest of these that is read, in bytes.
const LARGEST: usize = 256 * 1024;

/// The largest package.json of a package whose name counts, in bytes.
const LARGEST_MANIFEST: u64 = 16 * 1024 * 1024;

/// How many patterns count.
const MOST_PATTERNS: usize = 100;

/// The most alternatives that braces may expand to.
const MOST_ALTERNATIVES: usize = 32;

/// The packages of the workspace whose root is the package of this config: the two files say where they are, a search for each
/// pattern finds them, and their own files have their names.
pub(super) fn of(config: &Values, seen: &Files) -> Workspace {
    let root = PackageProject::new(config).folder().to_owned();
    let mut workspace = Workspace { wants: wants_of_root(&root).to_vec(), ..Workspace::default() };
    if !workspace.wants.iter().all(|want| seen.answers(want)) || !is_root(&root, seen) {
        return workspace;
    }
    let (searches, notes) = searches(&root, seen);
    let searches: Vec<Glob> = searches.into_iter().map(|search| search.reading(LARGEST_MANIFEST)).collect();
    workspace.notes = notes;
    workspace.wants.extend(searches.iter().cloned().map(Want::Glob));
    let folders = folders(&searches, seen, &mut workspace.notes);
    for (folder, manifest) in folders {
        let folder = path::join(&root, &folder);
        let name = if let Some(manifest) = manifest {
            name(manifest)
        } else {
            // A search found the link to it.
            let file = path::join(&folder, "package.json");
            let name = seen.file(&file).and_then(name);
            workspace.wants.push(Want::File(file));
            name
        };
        let config = member_config(config, &folder);
        workspace.members.push(Member { name, folder, config });
    }
    workspace
}

/// The config of a package: that of the workspace, for its folder.
fn member_config(of_root: &Values, folder: &str) -> Values {
    let absent = Values::default();
    let config = [&PACKAGES, &PACKAGE_JSON_PATH]
        .into_iter()
        .fold(of_root.clone(), |config, field| config.taking(field, &absent));
    config.with(&WORKING_DIRECTORY, Value::from(folder)).with(&EXPOSE_LIST_SCRIPTS, Value::from(false))
}

/// The folders of the packages from the root, in the order of their paths, as far as they were seen, with their package.json
/// where a search found that very file.
fn folders<'s>(
    searches: &[Glob],
    seen: &'s Files,
    notes: &mut Vec<String>,
) -> BTreeMap<String, Option<&'s File>> {
    let (mut folders, mut linked) = (BTreeMap::new(), Vec::new());
    for search in searches {
        let Some(matches) = seen.globs.get(search) else { continue };
        notes.extend(matches.refused.iter().map(|bad| format!("workspace {bad}")));
        notes.extend(matches.notes.iter().cloned());
        for (file, there) in &matches.found {
            let Seen::File(found) = there else { continue };
            let folder = path::split(file).0;
            let Some(inside) = matches.base.as_ref().and_then(|base| found.canonical.strip_prefix(base).ok())
            else {
                // The target of a link out of the project is not the project's.
                notes.push(format!(
                    "{} is left out: it leads out of the project; its scripts are those of the folder that it leads to",
                    shown(file)
                ));
                continue;
            };
            if folder == "." || is_hidden_by(search, folder) {
                continue;
            }
            if inside == Path::new(&path::join("", file)) {
                folders.insert(folder.to_owned(), Some(found));
            } else {
                linked.push((file, found.link, inside));
            }
        }
    }
    for (file, link, inside) in linked {
        let real = inside.parent().and_then(Path::to_str).filter(|folder| !folder.is_empty());
        match real {
            // As for npm, the package is the folder that the link leads to.
            Some(real) if link == Link::Direct && !folders.contains_key(real) => {
                folders.insert(real.to_owned(), None);
            }
            _ => {
                // A second path to a file would make a second instance.
                let own = inside.display().to_string();
                let (file, own) = (shown(file), shown(&own));
                notes.push(format!("{file} is left out: a link leads there, and the file is {own}"));
            }
        }
    }
    notes.sort();
    notes.dedup();
    folders
}

/// Whether a folder has a name with a dot in front, which no wildcard of the managers matches.
fn is_hidden_by(search: &Glob, folder: &str) -> bool {
    let dotted = |path: &str| path.split('/').any(|part| part.starts_with('.') && part.len() > 1);
    dotted(folder) && !search.patterns.iter().any(|pattern| dotted(pattern.trim_start_matches("./")))
}

/// The wants that decide whether a folder is the root of a workspace.
pub(super) fn wants_of_root(folder: &str) -> [Want; 2] {
    ["package.json", PNPM].map(|name| Want::File(path::join(folder, name)))
}

/// Whether a folder says which packages a workspace has.
pub(super) fn is_root(folder: &str, seen: &Files) -> bool {
    let own = manifest(&path::join(folder, "package.json"), seen);
    own.is_some_and(|own| own.workspaces.is_some()) || seen.exists(&path::join(folder, PNPM))
}

/// A package's own name.
fn name(file: &File) -> Option<String> {
    PackageManifest::of(file, "").ok()?.name.clone()
}

fn manifest(file: &str, seen: &Files) -> Option<Arc<PackageManifest>> {
    PackageManifest::of(seen.file(file)?, file).ok()
}

/// The parts of a pnpm-workspace.yaml that count here.
#[derive(Debug, Deserialize)]
struct Pnpm {
    packages: Option<Vec<String>>,
}

/// The searches for the packages of the workspace whose root is this folder, and the package.json files that they found:
/// all of them, however many.
pub(in crate::plugins) fn members(root: &str, seen: &Files) -> (Vec<Glob>, Vec<Pathname>) {
    let (searches, _) = searches(root, seen);
    let found = searches.iter().filter_map(|search| seen.globs.get(search));
    let files: BTreeSet<Pathname> =
        found.flat_map(|matches| matches.found.keys()).map(|file| path::join(root, file)).collect();
    (searches, files.into_iter().collect())
}

/// A search for each pattern, and the errors of the patterns.
fn searches(root: &str, seen: &Files) -> (Vec<Glob>, Vec<String>) {
    let mut notes = Vec::new();
    let of_pnpm = pnpm_patterns(root, seen);
    let own = manifest_patterns(root, seen);
    let project = PackageProject::new(&Values::of([(&WORKING_DIRECTORY, Value::from(root))]));
    let manager = project.manager(project.own(seen).ok().as_deref(), seen, &mut Vec::new());
    // If the manager's own file has no patterns, the other file decides.
    let pnpm_first = manager.program() == "pnpm";
    let is_pnpm = if pnpm_first { of_pnpm.as_ref().is_ok_and(|own| !own.is_empty()) } else { own.is_empty() };
    let of_pnpm = of_pnpm.unwrap_or_else(|problem| {
        // Among the scripts that pnpm runs it is said already.
        notes.extend((!pnpm_first).then(|| problem.sentence()));
        Vec::new()
    });
    let mut patterns = if is_pnpm { of_pnpm } else { own };
    if patterns.len() > MOST_PATTERNS {
        notes.push(format!("only the first {MOST_PATTERNS} patterns of the workspace count"));
        patterns.truncate(MOST_PATTERNS);
    }
    // A pattern for each alternative, so that `!` and the search see plain ones.
    let each = |word: &str| vec![word.to_owned()];
    let patterns: Vec<String> =
        patterns.iter().flat_map(|pattern| alternatives(pattern, MOST_ALTERNATIVES, each)).collect();
    let negative = |pattern: &String| pattern.strip_prefix('!').map(of_package);
    let searches = patterns.iter().enumerate().filter(|(_, pattern)| !pattern.starts_with('!'));
    let searches = searches.map(|(at, pattern)| {
        let taken_back = if is_pnpm { &patterns[..] } else { &patterns[at..] };
        Glob::new(root, [of_package(pattern)])
            .without(taken_back.iter().filter_map(negative))
            .without(["**/node_modules/**"])
            .behind_links("package.json")
    });
    (searches.collect(), notes)
}

fn manifest_patterns(root: &str, seen: &Files) -> Vec<String> {
    let own = manifest(&path::join(root, "package.json"), seen);
    let workspaces = own.as_ref().and_then(|own| own.workspaces.as_ref());
    let list = match workspaces {
        Some(Value::Object(more)) => more.get("packages"),
        other => other,
    };
    let texts = list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}

/// The patterns of a pnpm-workspace.yaml, or the reason why nobody can read them.
fn pnpm_patterns(root: &str, seen: &Files) -> Result<Vec<String>, Box<Problem>> {
    let name = path::join(root, PNPM);
    let Some(file) = seen.file(&name) else { return Ok(Vec::new()) };
    // The parser's time grows with the square of the brackets that stay open.
    let brackets = file.bytes.iter().filter(|byte| b"[{".contains(byte)).count();
    if file.bytes.len() > LARGEST || brackets > 2_000 {
        let what = format!("{} is too large, and its packages are left out", shown(&name));
        return Err(Problem::warning(what).at(Location::file(&name)).into());
    }
    match serde_yaml::from_slice::<Option<Pnpm>>(&file.bytes) {
        Ok(found) => Ok(found.and_then(|found| found.packages).unwrap_or_default()),
        Err(error) => {
            let what = format!("{} cannot be parsed, so pnpm runs nothing: {error}", shown(&name));
            let place = Location::line(&name, error.location().map(|place| place.line()));
            let problem = Problem::error(ErrorCode::SourceInvalid, what).at(place);
            Err(problem.help("correct it; tools of other sources still work").into())
        }
    }
}

/// The problem of a pnpm-workspace.yaml in this folder, if it has one.
pub(super) fn fault(folder: &str, seen: &Files) -> Option<Problem> {
    pnpm_patterns(folder, seen).err().map(|problem| *problem)
}

/// The package.json of the folders that a pattern names.
fn of_package(pattern: &str) -> String {
    format!("{}/package.json", pattern.trim_end_matches('/'))
}
