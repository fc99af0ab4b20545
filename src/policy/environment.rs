//! Environment variables that a call may not set: those by which code runs before or instead of the tool.

mod names;

use self::names::{ENDINGS, FAMILIES, HARMLESS, NAMES};
use super::Refusal;
use crate::model::{Change, Origin};

/// Refuses the changes of a call that could make other code run. Settings may make them: the operator is trusted.
pub(super) fn judge(changes: &[Change]) -> Result<(), Refusal> {
    let brought = || changes.iter().filter(|change| change.origin == Origin::Call);
    if let Some(odd) = brought().find(|change| !is_plain(&change.name)) {
        return Err(Refusal {
            message: format!("Environment variable name {:?} is not plain", odd.name),
            help: "use letters, digits and `_`, not starting with a digit".into(),
            by_hand: None,
        });
    }
    if let Some(odd) = brought().find(|change| change.value.contains('\0')) {
        return Err(Refusal {
            message: format!("Environment variable {} contains a NUL character", odd.name),
            help: "remove the NUL character; no program can be given one".into(),
            by_hand: None,
        });
    }
    let blocked: Vec<&str> =
        brought().filter(|change| is_blocked(change)).map(|change| change.name.as_str()).collect();
    if blocked.is_empty() {
        return Ok(());
    }
    Err(Refusal {
        message: format!("Blocked environment variables: {}", blocked.join(", ")),
        help: "a call may not set variables that make other code run, in `env` or as NAME=value; \
               the operator may, under `environment:` in settings.yml"
            .into(),
        by_hand: Some(
            "it can make other code run: set it in your shell before `cuff run`, or under `environment:` in settings.yml",
        ),
    })
}

/// Letters, digits and `_`: also keeps out exported shell functions (`BASH_FUNC_ls%%`).
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Case does not matter: npm reads `NPM_Config_Script_Shell` as well.
fn is_blocked(change: &Change) -> bool {
    let name = change.name.to_ascii_uppercase();
    if name == "ENV" {
        // To many projects it is what they deploy to; to a shell, and only to an interactive one, a file.
        return !change.value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    }
    let any = |list: &[&'static str], matches: &dyn Fn(&str) -> bool| {
        list.iter().flat_map(|line| line.split_ascii_whitespace()).any(matches)
    };
    any(NAMES, &|single| name == single)
        || any(ENDINGS, &|ending| name.ends_with(ending))
        || any(FAMILIES, &|family| name.starts_with(family)) && !any(HARMLESS, &|single| name == single)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(name: &str, value: &str, origin: Origin) -> Option<String> {
        let change = Change { name: name.into(), value: value.into(), origin };
        judge(&[change]).err().map(|refusal| refusal.message)
    }

    #[test]
    fn families_are_refused_in_any_case() {
        for name in [
            "PATH Path LD_PRELOAD ld_library_path DYLD_INSERT_LIBRARIES npm_config_script_shell",
            "NPM_CONFIG_PREFIX NODE_OPTIONS node_path BASH_ENV GIT_SSH_COMMAND PYTHONPATH",
            "PYTHONSTARTUP PERL5OPT PERL5LIB RUBYOPT RUSTC_WRAPPER JAVA_TOOL_OPTIONS HOME USER SHELL",
            "IFS MAKEFLAGS MAKEFILES GNUMAKEFLAGS PS4 SHELLOPTS ZDOTDIR XDG_CONFIG_HOME CUFF_SETTINGS",
            "MAVEN_OPTS CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER BUN_OPTIONS CC NODE_CONFIG_DIR",
            "node_pending_pipe_instances PHPRC PHP_INI_SCAN_DIR ZDOTDIR NULLCMD MODULE_PATH",
            "TEXTDOMAINDIR LOCPATH TSX_TSCONFIG_PATH TS_NODE_PROJECT ESBUILD_BINARY_PATH",
            "PUPPETEER_EXECUTABLE_PATH PLAYWRIGHT_BROWSERS_PATH CHROME_BIN MOCHA_OPTIONS NYC_CONFIG",
            "PYTEST_ADDOPTS PYTEST_PLUGINS PIP_INDEX_URL UV_PYTHON VIRTUAL_ENV VOLTA_HOME",
            "PYENV_VERSION RUSTFLAGS GOTOOLCHAIN GRADLE_USER_HOME JAVACMD CONFIG_SITE",
            "RIPGREP_CONFIG_PATH FZF_DEFAULT_COMMAND HGRCPATH KUBECONFIG AWS_CONFIG_FILE",
            "DBUS_SESSION_BUS_ADDRESS https_proxy INIT_CWD TAR_OPTIONS VPATH",
        ]
        .into_iter()
        .flat_map(str::split_ascii_whitespace)
        {
            assert_eq!(
                refused(name, "x", Origin::Call),
                Some(format!("Blocked environment variables: {name}"))
            );
            assert_eq!(refused(name, "x", Origin::Settings), None, "the operator may set {name}");
        }
    }

    #[test]
    fn what_a_project_calls_its_environment_is_told_from_a_file_for_shells() {
        assert_eq!(refused("ENV", "prod-eu_1", Origin::Call), None);
        for file in ["./prod", "$HOME/x", "prod.sh", "~", "a b"] {
            assert!(refused("ENV", file, Origin::Call).is_some(), "{file}");
        }
    }

    #[test]
    fn everyday_variables_pass() {
        for name in [
            "NODE_ENV VITE_API_URL CI DEBUG PORT LOG_LEVEL RUST_LOG TZ LANG NO_COLOR NODE_DEBUG",
            "NEXT_PUBLIC_API_URL VITE_API_PROXY REACT_APP_X RUST_BACKTRACE BABEL_ENV",
            "JEST_JUNIT_OUTPUT_DIR VITEST_MAX_THREADS PLAYWRIGHT_TEST_BASE_URL FEATURE_FLAGS",
            "DATABASE_URL REDIS_HOST API_TOKEN AWS_REGION AWS_PROFILE DOCKER_BUILDKIT GOOS CGO_ENABLED",
            "CARGO_TERM_COLOR DJANGO_SETTINGS_MODULE FLASK_ENV RAILS_ENV",
            "DOTNET_ENVIRONMENT ASPNETCORE_ENVIRONMENT HUSKY TERM LC_ALL HOST USERNAME VERSION",
        ]
        .into_iter()
        .flat_map(str::split_ascii_whitespace)
        {
            assert_eq!(refused(name, "x", Origin::Call), None, "{name}");
        }
    }

    #[test]
    fn names_and_values_that_would_be_misread_are_refused() {
        for name in ["", "A=B", "A B", "BASH_FUNC_ls%%", "1A", "Ä", "A\0"] {
            assert!(
                refused(name, "x", Origin::Call).is_some_and(|message| message.contains("is not plain")),
                "{name:?}"
            );
        }
        assert_eq!(
            refused("A", "x\0y", Origin::Call),
            Some("Environment variable A contains a NUL character".to_owned())
        );
    }
}
