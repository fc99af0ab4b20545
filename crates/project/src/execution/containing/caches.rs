//! Caches of package managers and compilers: a contained run has its own, by the managers' own variables.

use std::io;
use std::path::{Path, PathBuf};

use crate::sys::private::PrivateFolder;
use crate::sys::{Environment, files};

/// Variables that name a cache, the folder that it gets, and its usual place in a home folder. A cache that is in the project
/// anyway, and variables that only say where something was installed, stay as they are.
const OF_PROJECT: [(&str, &str, &str); 9] = [
    ("npm_config_cache", "npm", ".npm"),
    ("YARN_CACHE_FOLDER", "yarn", ".cache/yarn"),
    ("BUN_INSTALL_CACHE_DIR", "bun", ".bun/install/cache"),
    ("PIP_CACHE_DIR", "pip", ".cache/pip"),
    ("UV_CACHE_DIR", "uv", ".cache/uv"),
    ("GOCACHE", "go", ".cache/go-build"),
    ("GOLANGCI_LINT_CACHE", "golangci", ".cache/golangci-lint"),
    ("CCACHE_DIR", "ccache", ".cache/ccache"),
    ("SCCACHE_DIR", "sccache", ".cache/sccache"),
];

/// The users' caches that installs write, in a home folder. Folders in them whose programs a search path leads to are kept from them.
const OF_USER: [&str; 21] = [
    ".npm",
    ".cache/.bun/install/cache",
    ".cache/golangci-lint",
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

/// Variables by which managers ask once: without a network each further try takes seconds, and fails as the first.
const ONCE: [(&str, &str); 6] = [
    ("npm_config_fetch_retries", "0"),
    ("YARN_HTTP_RETRY", "0"),
    ("PIP_RETRIES", "0"),
    ("UV_HTTP_RETRIES", "0"),
    ("CARGO_NET_RETRY", "0"),
    ("BUNDLE_RETRY", "0"),
];

/// Makes the caches of a project, and returns their variables. A run that writes the user's caches has its own where the user has none:
/// a folder that does not exist cannot be granted.
pub(super) fn make(
    folder: &Path,
    environment: &Environment,
    writes_users: bool,
) -> io::Result<Vec<(String, String)>> {
    PrivateFolder::make(folder)?;
    let is_users = |usual: &str| {
        writes_users && in_home(usual, environment).is_some_and(|path| files::look(&path).is_some())
    };
    let needed = OF_PROJECT.iter().filter(|(.., usual)| !is_users(usual));
    Ok(needed.map(|(name, sub, _)| ((*name).to_owned(), folder.join(sub).display().to_string())).collect())
}

/// A usual place in a home folder, where the environment has it.
fn in_home(usual: &str, environment: &Environment) -> Option<PathBuf> {
    for (base, variable) in
        [(".cache", "XDG_CACHE_HOME"), (".local/share", "XDG_DATA_HOME"), (".local/state", "XDG_STATE_HOME")]
    {
        if let Some(rest) = usual.strip_prefix(base).and_then(|rest| rest.strip_prefix('/')) {
            return Some(environment.base(variable, base)?.join(rest));
        }
    }
    Some(environment.absolute("HOME")?.join(usual))
}

/// The variables of the temporary folder.
pub(super) fn temporary(folder: &Path) -> Vec<(String, String)> {
    ["TMPDIR", "TMP", "TEMP"].map(|name| (name.to_owned(), folder.display().to_string())).into()
}

/// The variables that keep managers quiet. Nothing is left that serves later runs outside.
pub(super) fn quiet() -> Vec<(String, String)> {
    QUIET.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
}

/// The variables of managers in a run that reaches no other machine.
pub(super) fn asking_once() -> Vec<(String, String)> {
    ONCE.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
}

/// The user's caches, but for a folder that the search path leads into.
pub(super) fn of_user(environment: &Environment) -> Vec<PathBuf> {
    let programs = environment.get("PATH").map(|path| std::env::split_paths(path).collect::<Vec<_>>());
    let programs = programs.unwrap_or_default();
    let names = OF_USER.iter().chain(&LOCKS).chain(&OF_JAVA);
    let caches = names.filter_map(|name| in_home(name, environment));
    caches.filter(|cache| !programs.iter().any(|folder| folder.starts_with(cache))).collect()
}
