//! Environment variables that a call may not set: those by which code runs before or instead of the tool.

use super::Refusal;
use crate::model::{Caller, Change, Origin};

/// Whole families, by what their names begin with, upper case.
const FAMILIES: &[&str] = &[
    "LD_",
    "DYLD_",
    "GIT_",
    "NPM_",
    "PNPM_",
    "YARN_",
    "BUN_",
    "COREPACK_",
    "PYTHON",
    "PERL",
    "RUBY",
    "GEM_",
    "BUNDLE_",
    "DOTNET_",
    "CORECLR_",
    "COR_",
    "MSBUILD",
    "NUGET_",
    "TS_NODE_",
    "CARGO_",
    "RUSTC",
    "RUSTDOC",
    "RUSTUP_",
    "BASH_",
    "XDG_",
    "CUFF_",
    "OPENCUFF_",
    "SSH_",
    "SUDO_",
    "ELECTRON_",
    "GUILE_",
    "LUA_",
    "R_",
    "PHP_",
    "MALLOC_",
    "GLIBC_",
    "GCONV_",
];

/// What their names end with.
const ENDINGS: &[&str] = &["_WRAPPER", "_RUNNER", "_LAUNCHER", "_TOOL_OPTIONS", "_PRELOAD"];

/// Single names.
const NAMES: &[&str] = &[
    // The shells.
    "PATH",
    "IFS",
    "ENV",
    "SHELL",
    "SHELLOPTS",
    "BASHOPTS",
    "PS4",
    "PROMPT_COMMAND",
    "CDPATH",
    "FPATH",
    "ZDOTDIR",
    // Who and where the user is: configuration is read from there.
    "HOME",
    "USER",
    "LOGNAME",
    "PWD",
    "OLDPWD",
    "TMPDIR",
    // Make.
    "MAKE",
    "MAKEFILES",
    "MAKEFLAGS",
    "MFLAGS",
    "GNUMAKEFLAGS",
    "MAKEOVERRIDES",
    "MAKELEVEL",
    // Node.
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_REPL_EXTERNAL_MODULE",
    "NODE_REDIRECT_WARNINGS",
    "NODE_V8_COVERAGE",
    "NODE_EXTRA_CA_CERTS",
    "NODE_TLS_REJECT_UNAUTHORIZED",
    "NODE_ICU_DATA",
    "NODE_COMPILE_CACHE",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "OPENSSL_CONF",
    "OPENSSL_ENGINES",
    "OPENSSL_MODULES",
    "NODE_GYP_FORCE_PYTHON",
    "DENO_DIR",
    // Java, Go, C.
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "JAVA_OPTS",
    "MAVEN_OPTS",
    "GRADLE_OPTS",
    "SBT_OPTS",
    "ANT_OPTS",
    "CLASSPATH",
    "JAVA_HOME",
    "GOFLAGS",
    "GOENV",
    "GOROOT",
    "GOPATH",
    "CC",
    "CXX",
    "CPP",
    "LD",
    "AR",
    "AS",
    "CFLAGS",
    "CXXFLAGS",
    "CPPFLAGS",
    "LDFLAGS",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "PKG_CONFIG",
    "PKG_CONFIG_PATH",
    // Programs that other programs start.
    "EDITOR",
    "VISUAL",
    "PAGER",
    "MANPAGER",
    "LESS",
    "LESSOPEN",
    "LESSCLOSE",
    "BROWSER",
    "TERMINFO",
    "TERMCAP",
    "INPUTRC",
    "TCLLIBPATH",
];

/// Refuses the changes of a call that could make other code run. Settings may make them: the operator is trusted.
pub(super) fn judge(changes: &[Change], _caller: Caller) -> Result<(), Refusal> {
    let brought = || changes.iter().filter(|change| change.origin == Origin::Call);
    if let Some(odd) = brought().find(|change| !is_plain(&change.name)) {
        return Err(Refusal {
            message: format!("Environment variable name {:?} is not plain", odd.name),
            help: "use letters, digits and `_`, not starting with a digit".into(),
        });
    }
    if let Some(odd) = brought().find(|change| change.value.contains('\0')) {
        return Err(Refusal {
            message: format!("Environment variable {} contains a NUL character", odd.name),
            help: "remove the NUL character; no program can be given one".into(),
        });
    }
    let blocked: Vec<&str> =
        brought().map(|change| change.name.as_str()).filter(|name| is_blocked(name)).collect();
    if blocked.is_empty() {
        return Ok(());
    }
    Err(Refusal {
        message: format!("Blocked environment variables: {}", blocked.join(", ")),
        help: "a call may not set variables that make other code run; \
               the operator may, under `environment:` in settings.yml"
            .into(),
    })
}

/// Letters, digits and `_`: also keeps out exported shell functions (`BASH_FUNC_ls%%`).
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Case does not matter: npm reads `NPM_Config_Script_Shell` as well.
fn is_blocked(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    NAMES.contains(&name.as_str())
        || FAMILIES.iter().any(|family| name.starts_with(family))
        || ENDINGS.iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(name: &str, value: &str, origin: Origin) -> Option<String> {
        let change = Change { name: name.into(), value: value.into(), origin };
        judge(&[change], Caller::Agent).err().map(|refusal| refusal.message)
    }

    #[test]
    fn families_are_refused_in_any_case() {
        for name in [
            "PATH",
            "Path",
            "LD_PRELOAD",
            "ld_library_path",
            "DYLD_INSERT_LIBRARIES",
            "npm_config_script_shell",
            "NPM_CONFIG_PREFIX",
            "NODE_OPTIONS",
            "node_path",
            "BASH_ENV",
            "ENV",
            "GIT_SSH_COMMAND",
            "PYTHONPATH",
            "PYTHONSTARTUP",
            "PERL5OPT",
            "PERL5LIB",
            "RUBYOPT",
            "RUSTC_WRAPPER",
            "JAVA_TOOL_OPTIONS",
            "HOME",
            "USER",
            "SHELL",
            "IFS",
            "MAKEFLAGS",
            "MAKEFILES",
            "GNUMAKEFLAGS",
            "PS4",
            "SHELLOPTS",
            "ZDOTDIR",
            "XDG_CONFIG_HOME",
            "CUFF_SETTINGS",
            "MAVEN_OPTS",
            "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER",
            "BUN_OPTIONS",
            "CC",
        ] {
            assert_eq!(
                refused(name, "x", Origin::Call),
                Some(format!("Blocked environment variables: {name}"))
            );
            assert_eq!(refused(name, "x", Origin::Settings), None, "the operator may set {name}");
        }
    }

    #[test]
    fn everyday_variables_pass() {
        for name in [
            "NODE_ENV",
            "VITE_API_URL",
            "CI",
            "DEBUG",
            "PORT",
            "LOG_LEVEL",
            "RUST_LOG",
            "TZ",
            "LANG",
            "NO_COLOR",
        ] {
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
