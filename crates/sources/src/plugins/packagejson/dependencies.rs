//! The missing dependencies of a package.json, as in a fresh clone.

use std::iter;

use serde_json::Value;

use super::workspaces;
use crate::model::{
    Files, Glob, InstallHint, Installer, Matches, Missing, Registered, Role, Seen, Tool, Want, path,
};
use crate::plugins::managers::{INSTALLERS, PackageManager, package_json, runner};

/// The folder of installed packages, in the folder of package.json or above it.
const INSTALLED: &str = "node_modules";
/// The files that yarn writes instead.
const PLUG_N_PLAY: [&str; 2] = [".pnp.cjs", ".pnp.js"];
/// The keys of package.json that name dependencies.
const DEPENDENCIES: [&str; 3] = ["dependencies", "devDependencies", "optionalDependencies"];
/// In how many folders they may be installed. Node.js looks up to the root of the file system, wherever the project lies.
const MOST_FOLDERS: usize = 64;

/// The installer of a script's dependencies, if none of them is installed.
pub(super) fn hint(tool: &Tool, offered: &[Registered], seen: &Files) -> InstallHint {
    let Role::Run { command, .. } = &tool.role else { return InstallHint::Nothing };
    let (Some(manager), Some(folder)) = (runner(tool), command.directory.to_str()) else {
        return InstallHint::Nothing;
    };
    match search(manager, folder, offered, seen) {
        Ok(missing) => missing.map_or(InstallHint::Nothing, InstallHint::Missing),
        Err(wants) => InstallHint::Look(wants),
    }
}

/// One question after the other, since most packages have their answer early.
fn search(
    manager: PackageManager,
    folder: &str,
    offered: &[Registered],
    seen: &Files,
) -> Result<Option<Missing>, Vec<Want>> {
    let manifest = path::join(folder, "package.json");
    let places: Vec<String> = upwards(folder).map(|folder| path::join(&folder, INSTALLED)).collect();
    answered(iter::once(&manifest).chain(&places).cloned().map(Want::File), seen)?;
    if !has_dependencies(&manifest, seen) || places.iter().any(|folder| seen.exists(folder)) {
        return Ok(None);
    }
    let written: Vec<Glob> = upwards(folder).map(plug_n_play).collect();
    answered(written.iter().cloned().map(Want::Glob), seen)?;
    if written.iter().any(|glob| seen.globs.get(glob).is_some_and(|matches| is_found(matches))) {
        return Ok(None);
    }
    let installer = installer(manager, folder, offered, seen)?;
    let what = "nothing that package.json depends on is installed".to_owned();
    Ok(Some(Missing { what, installer }))
}

/// # Errors
/// The wants that were not answered yet.
fn answered(wants: impl Iterator<Item = Want>, seen: &Files) -> Result<(), Vec<Want>> {
    let open: Vec<Want> = wants.filter(|want| !seen.answers(want)).collect();
    if open.is_empty() { Ok(()) } else { Err(open) }
}

/// The folder, then those above it, beyond the project's root as well.
fn upwards(folder: &str) -> impl Iterator<Item = String> {
    let above = |folder: &String| Some(path::join(folder, "..")).filter(|above| above != folder);
    iter::successors(Some(folder.to_owned()), above).take(MOST_FOLDERS)
}

fn plug_n_play(folder: String) -> Glob {
    Glob::new(folder, PLUG_N_PLAY)
}

fn is_found(matches: &Matches) -> bool {
    matches.found.values().any(|seen| *seen != Seen::Missing)
}

fn has_dependencies(manifest: &str, seen: &Files) -> bool {
    let package = seen.file(manifest).and_then(|file| package_json(&file.bytes));
    let has = |package: &Value, key: &&str| {
        package.get(key).and_then(Value::as_object).is_some_and(|of| !of.is_empty())
    };
    package.is_some_and(|package| DEPENDENCIES.iter().any(|key| has(&package, key)))
}

/// The tool that installs for a folder with its manager, the nearest one first; a line to type, if there is
/// none. A tool above the folder counts too, if its own folder is the root of a workspace.
///
/// # Errors
/// The wants that must be answered to know the workspaces.
fn installer(
    manager: PackageManager,
    folder: &str,
    offered: &[Registered],
    seen: &Files,
) -> Result<Installer, Vec<Want>> {
    let folders = path::upwards(folder);
    let place = |found: &Registered| {
        let order = INSTALLERS.iter().position(|name| *name == found.name.local)?;
        let Role::Run { command, .. } = &found.tool.role else { return None };
        let above = folders.iter().position(|above| command.directory.to_str() == Some(above))?;
        (runner(&found.tool) == Some(manager)).then_some((above, order))
    };
    let mut places: Vec<_> = offered.iter().filter_map(|found| Some((place(found)?, found))).collect();
    places.sort_by_key(|(place, _)| *place);
    for ((above, _), found) in places {
        if above > 0 {
            answered(workspaces::wants_of_root(folders[above]).into_iter(), seen)?;
        }
        if above == 0 || workspaces::is_root(folders[above], seen) {
            return Ok(Installer::Tool(found.name.clone()));
        }
    }
    Ok(Installer::ByHand { line: format!("{} install", manager.program()), directory: folder.into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ToolName;
    use crate::plugins::managers::trial::{FileTexts, seen, tool};

    const LACKING: (&str, &str) = ("web/package.json", r#"{"dependencies": {"moon": "1"}}"#);

    /// The installer for a script that npm runs in `web`, where these tools install for their folders.
    fn installer_for(texts: FileTexts<'_>, installers: &[(&str, PackageManager, &str)]) -> String {
        let offered = installers.iter().enumerate().map(|(at, (name, manager, folder))| {
            let qualified = ToolName { instance: format!("i{at}"), local: (*name).into() };
            Registered::new(qualified, "any", tool(name, *manager, folder))
        });
        let offered: Vec<Registered> = offered.collect();
        let script = tool("npm_test", PackageManager::Npm, "web");
        let files = seen(texts, |seen| match hint(&script, &offered, seen) {
            InstallHint::Look(wants) => wants,
            InstallHint::Nothing | InstallHint::Missing(_) => Vec::new(),
        });
        match hint(&script, &offered, &files) {
            InstallHint::Nothing => String::new(),
            InstallHint::Missing(Missing { what, installer }) => match installer {
                Installer::Tool(name) => format!("{what}: {name}"),
                Installer::ByHand { line, directory } => format!("{what}: {line} in {}", directory.display()),
            },
            InstallHint::Look(wants) => panic!("{wants:?}"),
        }
    }

    #[test]
    fn packages_installed_in_any_folder_above_count() {
        let missing = "nothing that package.json depends on is installed: npm install in web";
        assert_eq!(installer_for(&[LACKING], &[]), missing);
        for there in [
            "web/node_modules/moon/package.json",
            "node_modules/moon/package.json",
            "../../../node_modules/moon/package.json",
            "web/.pnp.cjs",
            ".pnp.js",
            "../.pnp.cjs",
        ] {
            assert_eq!(installer_for(&[LACKING, (there, "")], &[]), "", "{there}");
        }
        assert_eq!(installer_for(&[LACKING, ("other/node_modules/moon/package.json", "")], &[]), missing);
    }

    #[test]
    fn a_package_without_dependencies_lacks_nothing() {
        for package in [
            "{}",
            r#"{"dependencies": {}, "peerDependencies": {"moon": "1"}}"#,
            r#"{"dependencies": ["moon"]}"#,
            "[",
        ] {
            assert_eq!(installer_for(&[("web/package.json", package)], &[]), "", "{package}");
        }
        for key in ["devDependencies", "optionalDependencies"] {
            let package = format!(r#"{{"{key}": {{"moon": "1"}}}}"#);
            assert_ne!(installer_for(&[("web/package.json", &package)], &[]), "", "{key}");
        }
        assert_eq!(installer_for(&[], &[]), "");
    }

    #[test]
    fn the_nearest_tool_that_installs_for_the_folder_is_named() {
        use PackageManager::{Npm, Pnpm};
        let by_hand = "npm install in web";
        let workspace = ("package.json", r#"{"workspaces": ["web"]}"#);
        for (texts, installers, expected) in [
            (&[LACKING][..], &[("install", Npm, "web"), ("ci", Npm, "web")][..], "i1.ci"),
            (&[LACKING], &[("install", Npm, "web"), ("ci", Pnpm, "web")], "i0.install"),
            (&[LACKING], &[("test", Npm, "web")], by_hand),
            (&[LACKING], &[("install", Npm, "api"), ("install", Npm, "web/deep")], by_hand),
            (&[LACKING], &[("install", Npm, ".")], by_hand),
            (&[LACKING, workspace], &[("install", Npm, ".")], "i0.install"),
            (&[LACKING, ("pnpm-workspace.yaml", "")], &[("install", Npm, ".")], "i0.install"),
            (&[LACKING, workspace], &[("ci", Npm, "."), ("install", Npm, "web")], "i1.install"),
        ] {
            let message = installer_for(texts, installers);
            let installer = message.rsplit_once(": ").map(|(_, installer)| installer);
            assert_eq!(installer, Some(expected), "{installers:?}");
        }
    }
}
