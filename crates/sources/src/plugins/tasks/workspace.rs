//! The packages of a workspace of a source: found by the root's file, an instance each for a run of all of them.

use serde_json::Value;

use super::config::WORKING_DIRECTORY;
use super::look::SourceLook;
use super::manifest::{ManifestFormat, parse};
use super::spec::{SourceSpec, WorkspaceSpec};
use crate::model::{Files, Location, Member, PACKAGES, Package, Problem, Values, Workspace, path, shown};

/// The workspace whose root is the folder of this config.
pub(super) fn of(spec: &SourceSpec, own: &WorkspaceSpec, config: &Values, files: &Files) -> Workspace {
    let mut look = SourceLook::new((spec.id, spec.command), config, files);
    let mut members = Vec::new();
    for file in member_files(&mut look, own) {
        let text = look.text(&file);
        let folder = path::join(look.folder(), path::split(&file).0);
        let name = text.and_then(own.of_manifest).map(|package| package.name);
        let mut of_member = config.clone().taking(&PACKAGES, &Values::default());
        of_member = of_member.with(&WORKING_DIRECTORY, Value::from(folder.as_str()));
        if let Some((field, value)) = own.setting.filter(|(field, _)| !config.has(field)) {
            of_member = of_member.with(field, Value::from(value));
        }
        members.push(Member { name: name.filter(|name| !name.is_empty()), folder, config: of_member });
    }
    let notes = look.problems.iter().map(|problem| problem.message.clone()).collect();
    Workspace { members, notes, wants: look.wants }
}

/// The name of the package in the source's own folder, if its manifest was read.
pub(super) fn package_name(own: &WorkspaceSpec, look: &SourceLook<'_>) -> Option<String> {
    let files = own.manifests.iter().filter_map(|name| look.files.file(&look.place(name)));
    let texts = files.filter_map(|file| std::str::from_utf8(&file.bytes).ok());
    texts.filter_map(own.of_manifest).map(|package| package.name).find(|name| !name.is_empty())
}

/// The manifests of the packages, but for that of the root.
fn member_files(look: &mut SourceLook<'_>, own: &WorkspaceSpec) -> Vec<String> {
    let Some([mut included, left_out]) = (own.members)(look) else { return Vec::new() };
    for folder in included.iter().filter(|folder| folder.starts_with("../")) {
        let what =
            format!("the package in {} is left out: it is outside of the workspace's folder", shown(folder));
        let problem = Problem::warning(what).at(Location::file(&look.source));
        look.problem(problem.help("its own folder offers its tools"));
    }
    included.retain(|folder| !folder.starts_with("../"));
    let manifests = |folders: &[String]| {
        let folders = folders.iter().map(|folder| folder.trim_start_matches("./"));
        let of_folder = |folder| own.manifests.iter().map(move |name| format!("{folder}/{name}"));
        folders.flat_map(of_folder).collect::<Vec<_>>()
    };
    // A folder by its name is looked for alone: what was found stays where other names come later.
    let mut all: Vec<String> =
        manifests(&included).iter().flat_map(|manifest| look.there(manifest)).collect();
    all.sort();
    all.dedup();
    let none = if left_out.is_empty() { Vec::new() } else { look.find(&manifests(&left_out)) };
    all.retain(|file| !none.contains(file) && path::split(file).0 != ".");
    all
}

/// Reports the packages whose manifest cannot be parsed: the tool refuses the whole workspace then.
pub(in crate::plugins) fn check_members(look: &mut SourceLook<'_>, own: &WorkspaceSpec) {
    for file in member_files(look, own) {
        _ = look.manifest(&file);
    }
}

/// The package of a manifest: its name behind these keys, and the rest of it. It may have no name.
pub(in crate::plugins) fn package(
    format: ManifestFormat,
    text: &str,
    name: &[&str],
    rest: impl Fn(&Value) -> Package,
) -> Option<Package> {
    let manifest = parse(format, text).ok()?;
    let name = name.iter().try_fold(&manifest, |value, key| value.get(key)).and_then(Value::as_str);
    Some(Package { name: name.unwrap_or_default().to_owned(), ..rest(&manifest) })
}
