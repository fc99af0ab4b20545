//! Caches of package managers and compilers: a contained run has its own, by the managers' own variables.

use std::io;
use std::path::{Path, PathBuf};

use crate::sys::Environment;
use crate::sys::private::PrivateFolder;

/// Variables that name a cache, and the folder that it gets. Those that only say where something was installed stay as they are.
const OF_PROJECT: [(&str, &str); 13] = [
    ("npm_config_cache", "npm"),
    ("YARN_CACHE_FOLDER", "yarn"),
    ("YARN_GLOBAL_FOLDER", "yarn-global"),
    ("BUN_INSTALL_CACHE_DIR", "bun"),
    ("PIP_CACHE_DIR", "pip"),
    ("UV_CACHE_DIR", "uv"),
    ("GOCACHE", "go"),
    ("GOLANGCI_LINT_CACHE", "golangci"),
    ("CCACHE_DIR", "ccache"),
    ("SCCACHE_DIR", "sccache"),
    ("TURBO_CACHE_DIR", "turbo"),
    ("PRE_COMMIT_HOME", "pre-commit"),
    ("RUFF_CACHE_DIR", "ruff"),
];

/// The users' caches that installs write, in a home folder. None of them has programs that a search path leads to.
const OF_USER: [&str; 19] = [
    ".npm",
    ".cache/node",
    ".cache/pnpm",
    ".cache/yarn",
    ".cache/pip",
    ".cache/uv",
    ".cache/pypoetry",
    ".cache/go-build",
    ".cache/deno",
    ".cache/ms-playwright",
    ".cache/composer",
    ".local/share/pnpm/store",
    ".local/state/pnpm",
    ".local/share/uv/python",
    ".bun/install/cache",
    ".cargo/registry",
    ".cargo/git",
    ".nuget/packages",
    "go/pkg",
];
/// Files beside those caches that a manager locks.
const LOCKS: [&str; 3] = [".cargo/.package-cache", ".cargo/.package-cache-mutate", ".cargo/.global-cache"];
/// Further caches, whose managers run on Java.
const OF_JAVA: [&str; 4] = [".m2/repository", ".gradle/caches", ".gradle/wrapper", ".gradle/native"];

/// Variables by which managers leave out what would go on after the run, or speak to the network only to tell of news.
const QUIET: [(&str, &str); 13] = [
    ("npm_config_update_notifier", "false"),
    ("NO_UPDATE_NOTIFIER", "1"),
    ("npm_config_fund", "false"),
    ("npm_config_audit", "false"),
    ("NX_DAEMON", "false"),
    ("NX_ISOLATE_PLUGINS", "false"),
    ("TURBO_DAEMON", "false"),
    ("TURBO_TELEMETRY_DISABLED", "1"),
    ("NEXT_TELEMETRY_DISABLED", "1"),
    ("MSBUILDDISABLENODEREUSE", "1"),
    ("DOTNET_CLI_USE_MSBUILD_SERVER", "0"),
    ("DOTNET_CLI_TELEMETRY_OPTOUT", "1"),
    ("UV_LINK_MODE", "copy"),
];

/// Makes the caches of a project, and returns their variables.
pub(super) fn make(folder: &Path) -> io::Result<Vec<(String, String)>> {
    PrivateFolder::make(folder)?;
    let variable = |(name, sub): (&str, &str)| (name.to_owned(), folder.join(sub).display().to_string());
    Ok(OF_PROJECT.map(variable).into())
}

/// The variables of the temporary folder.
pub(super) fn temporary(folder: &Path) -> Vec<(String, String)> {
    ["TMPDIR", "TMP", "TEMP"].map(|name| (name.to_owned(), folder.display().to_string())).into()
}

/// The variables that keep managers quiet. Nothing is left that serves later runs outside.
pub(super) fn quiet() -> Vec<(String, String)> {
    QUIET.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
}

/// The user's caches, but for a folder that the search path leads into.
pub(super) fn of_user(home: &Path, environment: &Environment) -> Vec<PathBuf> {
    let programs = environment.get("PATH").map(|path| std::env::split_paths(path).collect::<Vec<_>>());
    let programs = programs.unwrap_or_default();
    let names = OF_USER.iter().chain(&LOCKS).chain(&OF_JAVA);
    let caches = names.map(|name| home.join(name));
    caches.filter(|cache| !programs.iter().any(|folder| folder.starts_with(cache))).collect()
}
