//! The packages of a workspace of a source: found by the root's file, an instance each for a run of all of them.

use serde_json::Value;

use super::config::WORKING_DIRECTORY;
use super::look::SourceLook;
use super::manifest::{ManifestFormat, parse};
use super::spec::{SourceSpec, WorkspaceSpec};
use crate::model::{Files, Member, PACKAGES, Package, Values, Workspace, path};

/// The workspace whose root is the folder of this config.
pub(super) fn of(spec: &SourceSpec, own: &WorkspaceSpec, config: &Values, files: &Files) -> Workspace {
    let mut look = SourceLook::new((spec.id, spec.command), config, files);
    let mut members = Vec::new();
    if let Some([included, left_out]) = (own.members)(&mut look) {
        let manifests = |folders: &[String]| {
            let folders = folders.iter().map(|folder| folder.trim_start_matches("./"));
            let of_folder = |folder| own.manifests.iter().map(move |name| format!("{folder}/{name}"));
            folders.flat_map(of_folder).collect::<Vec<_>>()
        };
        let all = look.find(&manifests(&included));
        let none = if left_out.is_empty() { Vec::new() } else { look.find(&manifests(&left_out)) };
        for file in all.iter().filter(|file| !none.contains(file)) {
            let inner = path::split(file).0;
            if inner == "." {
                continue;
            }
            let text = look.text(file);
            let folder = path::join(look.folder(), inner);
            let name = text.and_then(own.package).map(|package| package.name);
            let mut of_member = config.clone().taking(&PACKAGES, &Values::default());
            of_member = of_member.with(&WORKING_DIRECTORY, Value::from(folder.as_str()));
            if let Some((field, value)) = own.setting.filter(|(field, _)| !config.has(field)) {
                of_member = of_member.with(field, Value::from(value));
            }
            members.push(Member { name: name.filter(|name| !name.is_empty()), folder, config: of_member });
        }
    }
    let notes = look.problems.iter().map(|problem| problem.message.clone()).collect();
    Workspace { members, notes, wants: look.wants }
}

/// The package of a manifest: its name behind these keys, and the names of the packages that it needs.
pub(in crate::plugins) fn package(
    format: ManifestFormat,
    text: &str,
    name: &[&str],
    needs: impl Fn(&Value) -> Vec<String>,
) -> Option<Package> {
    let manifest = parse(format, text).ok()?;
    let name = name.iter().try_fold(&manifest, |value, key| value.get(key))?.as_str()?.to_owned();
    Some(Package { name, needs: needs(&manifest) })
}
