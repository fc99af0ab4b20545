//! The part of cuff's own environment that a process inherits.

use std::borrow::Cow;

use crate::model::EnvironmentPolicy;
use crate::sys::Environment;

/// The variables that `clean` passes on. Programs need them to run at all, to find their files and the
/// network, and to use the user's language. No variable is here for its meaning to one project, and no name
/// of a secret; a proxy's address keeps its password.
const EVERYDAY: &[&str] = &[
    "PATH HOME USER LOGNAME SHELL PWD TMPDIR TMP TEMP",
    "LANG LANGUAGE TZ TERM TERMINFO TERMINFO_DIRS COLORTERM TERM_PROGRAM COLUMNS LINES",
    "NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE CI",
    "XDG_CONFIG_HOME XDG_CONFIG_DIRS XDG_DATA_HOME XDG_DATA_DIRS XDG_STATE_HOME XDG_CACHE_HOME XDG_RUNTIME_DIR",
    // Trusted certificates, and proxies.
    "SSL_CERT_FILE SSL_CERT_DIR NIX_SSL_CERT_FILE NODE_EXTRA_CA_CERTS CURL_CA_BUNDLE REQUESTS_CA_BUNDLE",
    "HTTP_PROXY HTTPS_PROXY ALL_PROXY FTP_PROXY NO_PROXY http_proxy https_proxy all_proxy ftp_proxy no_proxy",
    // The places of programs and their downloads; shims on the search path look for their versions there.
    "NVM_DIR FNM_DIR FNM_MULTISHELL_PATH VOLTA_HOME ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR NODENV_ROOT COREPACK_HOME",
    "PNPM_HOME BUN_INSTALL YARN_CACHE_FOLDER npm_config_cache npm_config_prefix npm_config_userconfig",
    "DOTNET_ROOT DOTNET_CLI_HOME NUGET_PACKAGES CARGO_HOME RUSTUP_HOME GOPATH GOROOT GOCACHE GOMODCACHE JAVA_HOME",
    "PYENV_ROOT RBENV_ROOT SDKMAN_DIR VIRTUAL_ENV CONDA_PREFIX HOMEBREW_PREFIX DEVELOPER_DIR SDKROOT",
];

/// The beginning of further names that are passed on.
const FAMILY: &str = "LC_";

/// The environment that a process starts from, before the command's own changes.
pub(super) fn inherited(environment: &Environment, policy: EnvironmentPolicy) -> Cow<'_, Environment> {
    match policy {
        EnvironmentPolicy::Inherit => Cow::Borrowed(environment),
        EnvironmentPolicy::Clean => Cow::Owned(environment.only(is_everyday)),
    }
}

fn is_everyday(name: &str) -> bool {
    name.starts_with(FAMILY)
        || EVERYDAY.iter().flat_map(|line| line.split_ascii_whitespace()).any(|listed| listed == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clean_lets_everyday_variables_through_and_no_other() {
        let names = |policy| {
            let variables =
                ["PATH", "LC_ALL", "https_proxy", "GITHUB_TOKEN", "NODE_OPTIONS", "LD_PRELOAD", "CUFF_X"];
            let environment = Environment::new("/here", variables.map(|name| (name, "x")));
            let inherited = inherited(&environment, policy);
            assert_eq!(inherited.directory(), environment.directory());
            inherited.variables().map(|(name, _)| name.to_string_lossy().into_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names(EnvironmentPolicy::Clean), ["LC_ALL", "PATH", "https_proxy"]);
        assert_eq!(names(EnvironmentPolicy::Inherit).len(), 7);
    }
}
