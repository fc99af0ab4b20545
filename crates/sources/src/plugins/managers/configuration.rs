//! The configuration files of package managers. They choose the shell of scripts, the source of packages, or
//! another program to call instead.

use crate::model::{Pathname, path};

/// Their names, in any folder.
const FILES: [&str; 7] = [
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    "bunfig.toml",
    "pnpm-workspace.yaml",
    ".pnpmfile.cjs",
    ".pnpmfile.mjs",
];

/// Those of a folder and of the folders above it.
pub(in crate::plugins) fn configuration_of_managers(folder: &str) -> Vec<Pathname> {
    let folders = path::upwards(folder);
    folders.iter().flat_map(|folder| FILES.map(|name| path::join(folder, name))).collect()
}

/// The settings of a configuration file that can change how scripts run, for people to read. Credentials, registries and lists
/// of packages are left out; so are comments. `None`: there are none.
pub(in crate::plugins) fn settings_of_scripts(file: &str, bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let kept = match path::split(file).1 {
        ".npmrc" | ".yarnrc" => lines(&text, is_of_registries),
        "bunfig.toml" => without_installs(&text),
        ".yarnrc.yml" => mapping(&text, |key| key.starts_with("npm") || PACKAGES.contains(&key)),
        "pnpm-workspace.yaml" => mapping(&text, |key| PACKAGES.contains(&key)),
        _ => return None,
    };
    (!kept.is_empty()).then_some(kept)
}

/// The keys of YAML files that list packages, and say what an install may do with each.
const PACKAGES: [&str; 20] = [
    "allowBuilds",
    "allowedDeprecatedVersions",
    "auditConfig",
    "catalog",
    "catalogs",
    "ignoredBuiltDependencies",
    "ignoredOptionalDependencies",
    "minimumReleaseAge",
    "minimumReleaseAgeExclude",
    "neverBuiltDependencies",
    "onlyBuiltDependencies",
    "overrides",
    "packageExtensions",
    "packages",
    "patchedDependencies",
    "peerDependencyRules",
    "supportedArchitectures",
    "trustPolicyExclude",
    "updateConfig",
    "initScope",
];

/// Whether a line is of one registry (`//host/:_authToken=…`), or of all: where packages come from and who asks for them.
fn is_of_registries(line: &str) -> bool {
    let key = line.split(['=', ' ']).next().unwrap_or_default();
    let of_all = ["registry", "_auth", "_authToken", "_password", "username", "email"];
    line.trim_start_matches('"').starts_with("//") || key.ends_with(":registry") || of_all.contains(&key)
}

/// The lines of a text that are neither empty, nor comments, nor left out.
fn lines(text: &str, is_left_out: impl Fn(&str) -> bool) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', ';']));
    lines.filter(|line| !is_left_out(line)).flat_map(|line| [line, "\n"]).collect()
}

/// The lines of a bunfig.toml that are not about installs.
fn without_installs(text: &str) -> String {
    let is_install = |key: &str| key.trim_start_matches('[').trim().starts_with("install");
    let mut is_left_out = false;
    let mut kept = Vec::new();
    for line in text.lines() {
        if line.starts_with('[') {
            is_left_out = is_install(line);
        }
        if !is_left_out && !is_install(line) {
            kept.push(line);
        }
    }
    lines(&kept.join("\n"), |_| false)
}

/// The entries of a YAML mapping that are not left out; all of a text that is none.
fn mapping(text: &str, is_left_out: impl Fn(&str) -> bool) -> String {
    match serde_yaml::from_str::<Option<serde_yaml::Mapping>>(text) {
        Ok(all) => {
            let mut all = all.unwrap_or_default();
            all.retain(|key, _| !key.as_str().is_some_and(&is_left_out));
            if all.is_empty() { String::new() } else { serde_yaml::to_string(&all).unwrap_or_default() }
        }
        Err(_) => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_scripts_have_neither_credentials_nor_packages() {
        let npmrc = "# mine\n//registry.example/:_authToken=${TOKEN}\n@a:registry=https://r\n_auth = x\nregistry=https://r\n\n\
                     script-shell = ./sh.sh\nnode-options=--require=./x.js\n; end\n";
        let pnpm = "packages: [a]\ncatalog: {b: ^1}\nscriptShell: ./sh.sh\nconfigDependencies: {c: 1.0.0}\n";
        let yarn = "npmAuthToken: x\nnpmRegistryServer: https://r\nyarnPath: .yarn/yarn.cjs\n";
        let bun = "preload = ['./a.ts']\n[install]\nregistry = 'https://r'\n[install.scopes]\na = {token = 'x'}\n[run]\nshell = 'bun'\n";
        for (file, text, expected) in [
            ("sub/.npmrc", npmrc, Some("script-shell = ./sh.sh\nnode-options=--require=./x.js\n")),
            (".npmrc", "registry=https://r\n", None),
            ("pnpm-workspace.yaml", pnpm, Some("scriptShell: ./sh.sh\nconfigDependencies:\n  c: 1.0.0\n")),
            ("pnpm-workspace.yaml", "packages: [a]\n", None),
            ("pnpm-workspace.yaml", "- a\n", Some("- a\n")),
            (".yarnrc.yml", yarn, Some("yarnPath: .yarn/yarn.cjs\n")),
            (".yarnrc", "yarn-path \"./y.js\"\n\"//r/:_authToken\" x\n", Some("yarn-path \"./y.js\"\n")),
            ("bunfig.toml", bun, Some("preload = ['./a.ts']\n[run]\nshell = 'bun'\n")),
            (".pnpmfile.cjs", "x", None),
        ] {
            assert_eq!(settings_of_scripts(file, text.as_bytes()).as_deref(), expected, "{file}: {text}");
        }
    }
}
