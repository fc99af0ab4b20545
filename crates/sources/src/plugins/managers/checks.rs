//! Checks for `cuff doctor`: the package manager that a project asks for, compared with the one that is
//! called.

use super::{PackageManager, PackageManifest, lock_file, lock_files, package_json, runner};
use crate::model::{Checks, Command, File, Files, Problem, ProgramFile, Role, Tool, Want, path, shown};

/// The file with the name and version of a package, also of a manager's own.
const MANIFEST: &str = "package.json";

/// Whether the manager of an instance's tools is the one that package.json and lock files are for. The tools of an instance
/// all start it in one folder.
pub(in crate::plugins) fn checks(tools: &[&Tool], seen: &Files) -> Checks {
    let first = tools.iter().find_map(|tool| match &tool.role {
        Role::Run { command, .. } => Some((runner(tool)?, command)),
        Role::List(_) | Role::Relay(_) => None,
    });
    let Some((manager, command)) = first else { return Checks::default() };
    let Some(folder) = command.directory.to_str() else { return Checks::default() };
    let mut checks = Checks::default();
    asked_for(manager, command, folder, seen, &mut checks);
    others(manager, folder, seen, &mut checks);
    checks
}

/// Compares `packageManager` of package.json with the manager that is called, and with its version.
fn asked_for(manager: PackageManager, command: &Command, folder: &str, seen: &Files, checks: &mut Checks) {
    let manifest = path::join(folder, MANIFEST);
    let package = seen.file(&manifest).and_then(|file| PackageManifest::of(file, MANIFEST).ok());
    checks.wants.push(Want::File(manifest));
    let manager = manager.program();
    let asked =
        package.iter().flat_map(|package| &package.managers).find(|(key, _)| *key == "packageManager");
    let Some((_, asked)) = asked else { return };
    let (name, version) = asked.split_once('@').unwrap_or((asked.as_str(), ""));
    // The hash of the download follows a plus sign.
    let version = shown(version.split('+').next().unwrap_or_default());
    if name != manager {
        let name = shown(name);
        let what = format!("package.json asks for {name}, and {manager} runs the scripts");
        let help = format!("say `package_manager: {name}` in the settings, or change `packageManager`");
        checks.found.push(Problem::warning(what).help(help));
        return;
    }
    let own = ProgramFile { command: command.clone(), name: MANIFEST.to_owned() };
    let installed = seen.program_file(&own).and_then(|file| Installed::read(file, manager));
    checks.wants.push(Want::ProgramFile(own));
    checks.found.extend(match installed {
        None => None,
        Some(Installed::Shim) => Some(Problem::note(format!("corepack brings {name} {version}"))),
        Some(Installed::Version(there)) if there == version => {
            Some(Problem::note(format!("{name} {there} is the one that package.json asks for")))
        }
        Some(Installed::Version(_)) if version.is_empty() => None,
        Some(Installed::Version(there)) => {
            let what = format!("package.json asks for {name} {version}, and {there} is installed");
            let help = format!(
                "`corepack enable {name}` brings the one that is asked for; or change `packageManager`"
            );
            Some(Problem::warning(what).help(help))
        }
    });
}

/// The package behind a manager's program.
enum Installed {
    /// A version of it.
    Version(String),
    /// A program that starts the version that a project asks for.
    Shim,
}

impl Installed {
    /// Reads the package of a program; `None` if it is no package of the manager.
    fn read(manifest: &File, manager: &str) -> Option<Self> {
        let package = package_json(&manifest.bytes)?;
        let name = package.get("name")?.as_str()?;
        if name == "corepack" {
            return Some(Self::Shim);
        }
        let is_its = name.rsplit('/').next().is_some_and(|last| last.starts_with(manager));
        let version = package.get("version")?.as_str()?;
        is_its.then(|| Self::Version(shown(version)))
    }
}

/// The version of an installed manager, from the package.json of its program; `None` for a shim of corepack.
pub(in crate::plugins) fn installed_version(manifest: &File, manager: &str) -> Option<String> {
    match Installed::read(manifest, manager)? {
        Installed::Version(version) => Some(version),
        Installed::Shim => None,
    }
}

/// Lock files of another manager than the one that is called.
fn others(manager: PackageManager, folder: &str, seen: &Files, checks: &mut Checks) {
    let own = lock_file(manager, folder, seen);
    let others = PackageManager::ALL.into_iter().filter(|other| *other != manager);
    let others = others.filter_map(|other| Some((other.program(), lock_file(other, folder, seen)?)));
    let manager = manager.program();
    checks.found.extend(others.map(|(other, lock)| {
        match own {
            None => Problem::warning(format!("{manager} runs the scripts, and {lock} is {other}'s"))
                .help(format!("say `package_manager: {other}` in the settings, or install with {manager}")),
            Some(own) => Problem::warning(format!(
                "{own} and {lock} lie side by side, and {manager} reads the first alone"
            ))
            .help(format!(
                "remove the one that is not kept up; say `package_manager: {other}` to use {lock}"
            )),
        }
    }));
    checks.wants.push(Want::Glob(lock_files(folder)));
}

#[cfg(test)]
mod tests {
    use super::super::trial::{FileTexts, seen, tool};
    use super::*;

    /// The checks of a script that npm runs in `web`, a line each.
    fn said(texts: FileTexts<'_>) -> String {
        let tool = tool("test", PackageManager::Npm, "web");
        let tools = [&tool];
        let files = seen(texts, |seen| checks(&tools, seen).wants);
        let lines = checks(&tools, &files).found.into_iter().map(|problem| {
            let help = problem.help.as_ref().map_or_else(String::new, |help| format!(" ({help})"));
            format!("{}: {problem}{help}", problem.severity.name())
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_manager_is_compared_with_the_one_that_is_asked_for() {
        let own = ("<npm>/package.json", r#"{"name": "npm", "version": "10.9.0"}"#);
        for (asked, expected) in [
            ("npm@10.9.0+sha512.ab", "info: npm 10.9.0 is the one that package.json asks for"),
            ("npm", ""),
            (
                "npm@9.1.0",
                "warning: package.json asks for npm 9.1.0, and 10.9.0 is installed (`corepack enable npm` brings the one \
                 that is asked for; or change `packageManager`)",
            ),
            (
                "yarn@4.0.0",
                "warning: package.json asks for yarn, and npm runs the scripts (say `package_manager: yarn` in the \
                 settings, or change `packageManager`)",
            ),
            (
                "\u{202e}",
                "warning: package.json asks for \\u{202e}, and npm runs the scripts (say `package_manager: \\u{202e}` in \
                 the settings, or change `packageManager`)",
            ),
        ] {
            let package = format!(r#"{{"packageManager": "{asked}"}}"#);
            assert_eq!(said(&[("web/package.json", &package), own]), expected, "{asked}");
        }
    }

    #[test]
    fn a_program_counts_by_what_its_package_says_of_itself() {
        for (own, expected) in [
            (r#"{"name": "corepack", "version": "0.29.0"}"#, "info: corepack brings npm 9.1.0"),
            (
                r#"{"name": "@scope/npm-cli", "version": "9.1.0"}"#,
                "info: npm 9.1.0 is the one that package.json asks for",
            ),
            (r#"{"name": "another", "version": "9.1.0"}"#, ""),
            (r#"{"name": "npm"}"#, ""),
            ("no JSON", ""),
        ] {
            let asks = ("web/package.json", r#"{"packageManager": "npm@9.1.0"}"#);
            assert_eq!(said(&[asks, ("<npm>/package.json", own)]), expected, "{own}");
        }
        assert_eq!(said(&[("web/package.json", r#"{"packageManager": "npm@9.1.0"}"#)]), "");
    }

    #[test]
    fn lock_files_of_other_managers_are_reported() {
        insta::assert_snapshot!(
            said(&[("web/yarn.lock", ""), ("web/bun.lockb", ""), ("pnpm-lock.yaml", "")]),
            @"
        warning: npm runs the scripts, and yarn.lock is yarn's (say `package_manager: yarn` in the settings, or install with npm)
        warning: npm runs the scripts, and bun.lockb is bun's (say `package_manager: bun` in the settings, or install with npm)
        "
        );
        insta::assert_snapshot!(
            said(&[("web/npm-shrinkwrap.json", ""), ("web/pnpm-lock.yaml", "")]),
            @"warning: npm-shrinkwrap.json and pnpm-lock.yaml lie side by side, and npm reads the first alone (remove the one that is not kept up; say `package_manager: pnpm` to use pnpm-lock.yaml)"
        );
        assert_eq!(said(&[("web/package-lock.json", "")]), "");
    }

    #[test]
    fn tools_without_a_manager_have_no_checks() {
        let mut other = tool("test", PackageManager::Npm, "web");
        other.metadata.clear();
        let mut list = tool("list", PackageManager::Npm, "web");
        list.role = Role::List("scripts");
        for tools in [&[][..], &[&other], &[&list]] {
            assert_eq!(checks(tools, &Files::default()), Checks::default());
        }
    }
}
