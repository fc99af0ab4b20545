use super::*;

fn refused(name: &str, value: &str, origin: Origin) -> Option<String> {
    let change = Change::new(name, value, origin);
    judge(&[change], &Limits::default()).err().map(|refusal| refusal.message)
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
        // The places where `make install` puts code: with one of them it lands on the PATH, or where a shell reads it.
        "DESTDIR DestDir INSTALL_ROOT prefix exec_prefix bindir sbindir libdir libexecdir sysconfdir",
        // Variables that loaded code in ordinary projects before.
        "RM MAKE_COMMAND PREFIX PYLINTRC NAPI_RS_NATIVE_LIBRARY_PATH COMPOSE_FILE ARFLAGS LDLIBS CO GET LINT TEX",
        "MAKECMDGOALS CURDIR SUFFIXES GNUMAKEFLAGS LIBCLANG_PATH PROTOC PRISMA_QUERY_ENGINE_LIBRARY SASS_BINARY_SITE",
        "WEBPACK_PACKAGE BROWSERSLIST BROWSERSLIST_CONFIG CYPRESS_SUPPORT_FILE PW_TEST_SOURCE_TRANSFORM CHROME_PATH",
        "STYLELINT_CONFIG JEST_CONFIG DOTENV_CONFIG_PATH ESLINT_USE_FLAT_CONFIG RUFF_CONFIG MYPY_CONFIG_FILE_DIR",
        "MYPYPATH BLACK_CACHE_DIR FLASK_APP MPLBACKEND SPHINXBUILD SPHINXOPTS JQ_LIBRARY_PATH TF_REATTACH_PROVIDERS",
        "TF_CLI_CONFIG_FILE KUBECTL_EXTERNAL_DIFF HELM_PLUGINS KUSTOMIZE_PLUGIN_HOME VAGRANT_CWD PULUMI_HOME CLOUDSDK_CORE_X",
        "GOCACHE JAVA_HOME ANDROID_HOME SPRING_CONFIG_LOCATION LOADER_PATH MONO_PATH DOTNET_STARTUP_HOOKS XDEBUG_CONFIG",
        "PHPRC PROVE_OPTS HARNESS_PERL_SWITCHES RENV_PATHS_ROOT BOOTSNAP_CACHE_DIR LUA_INIT LUA_CPATH OCAMLPATH GHCRTS",
        "PSQLRC PGSERVICEFILE ODBCSYSINI MAGICK_CONFIGURE_PATH TEXMFHOME ZIPOPT GIT_EXTERNAL_DIFF SSH_ASKPASS HOMEBREW_PREFIX",
        "EDITOR KUBE_EDITOR GH_PAGER VIMINIT NVIM_APPNAME LESSOPEN JUST_SHELL BUN_INSPECT DENO_DIR WATCHMAN_SOCK XCODE_XCCONFIG_FILE",
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
fn a_name_of_an_environment_differs_from_a_file_for_shells() {
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
            "VITE_CONFIG NEXT_PUBLIC_BIN STAGE TAG IMAGE MODE TARGET OUT SRC ARGS FILES BUILD_DIR BUILD_CONFIG",
            "COMPOSE_PROJECT_NAME TF_VAR_region MIX_ENV DJANGO_DEBUG APP_ENV APP_NAME SPRING_PROFILES_ACTIVE ASPNETCORE_URLS",
            "GOARCH GO111MODULE GODEBUG CYPRESS_BASE_URL NX_HEAD TURBO_TEAM FORCE_COLOR UPDATE_SNAPSHOT TEST_TIMEOUT SEED",
            "BASE_URL API_URL S3_BUCKET OUTPUT_PATH DATA_DIR LOG_FILE DOCKER_REGISTRY SMTP_HOST JWT_SECRET RETRIES WORKERS",
    ]
    .into_iter()
    .flat_map(str::split_ascii_whitespace)
    {
        assert_eq!(refused(name, "x", Origin::Call), None, "{name}");
    }
}

#[test]
fn names_that_would_be_misread_are_refused() {
    for name in ["", "A=B", "A B", "BASH_FUNC_ls%%", "1A", "Ä", "A\0"] {
        assert!(
            refused(name, "x", Origin::Call).is_some_and(|message| message.contains("is not plain")),
            "{name:?}"
        );
    }
}

#[test]
fn a_value_is_plain_text() {
    for value in
        ["", "x", "a b", "-x --y=z", "prod-eu_1", "https://x.y:80/a?b=c#d", "a,b:c@d%e+f~g^h!i*j?", "日本 é"]
    {
        assert_eq!(refused("A", value, Origin::Call), None, "{value}");
    }
    let signs = ACTED_ON
        .chars()
        .chain("\n\r\t\0\u{1b}\u{7f}\u{9b}\u{85}\u{2028}\u{2029}\u{202e}\u{2066}\u{200f}".chars());
    for sign in signs {
        let value = format!("x{sign}y");
        let message = refused("A", &value, Origin::Call).unwrap_or_default();
        assert_eq!(
            message,
            format!("The value of environment variable A holds {}", visible(sign)),
            "{sign:?}"
        );
        assert_eq!(refused("A", &value, Origin::Settings), None, "the operator may set {sign:?}");
    }
}

#[test]
fn settings_narrow_the_names() {
    let change = |name: &str| Change::new(name, "x", Origin::Call);
    let limits = |names: &[&str]| Limits {
        env: Some(names.iter().map(ToString::to_string).collect()),
        ..Limits::default()
    };
    let said = |names: &[&str], limits: &Limits| {
        let changes: Vec<Change> = names.iter().map(|name| change(name)).collect();
        judge(&changes, limits).err().map(|refusal| format!("{}: {}", refusal.message, refusal.help))
    };
    assert_eq!(said(&["CI", "NODE_ENV"], &limits(&["NODE_ENV", "CI"])), None);
    insta::assert_snapshot!(said(&["CI", "PORT", "ci"], &limits(&["CI"])).unwrap(), @"Environment variables that the settings do not allow: PORT, ci: the settings allow CI for this tool");
    insta::assert_snapshot!(said(&["CI"], &limits(&[])).unwrap(), @"Environment variables that the settings do not allow: CI: leave them out: the settings say `env: none` for this tool");
    // A list allows nothing that the rules refuse.
    assert!(said(&["PATH"], &limits(&["PATH"])).unwrap().starts_with("Blocked environment variables: PATH"));
}

#[test]
fn a_person_sets_whatever_a_process_can_be_given() {
    let judged = |name: &str, value: &str| judge_shape(&[Change::new(name, value, Origin::Call)]);
    for (name, value) in
        [("PATH", "/x"), ("A B", "x"), ("1A", "$(x); `y`\n"), ("BASH_FUNC_ls%%", "() { x; }")]
    {
        assert_eq!(judged(name, value), Ok(()), "{name}");
    }
    for (name, value) in [("", "x"), ("A=B", "x"), ("A\0", "x"), ("A", "x\0y")] {
        assert!(judged(name, value).is_err(), "{name:?}");
    }
}
