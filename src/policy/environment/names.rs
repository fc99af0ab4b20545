//! The variables by which code runs before or instead of a tool, as the manuals of the programs name them.
//!
//! Upper case, parted by blanks. What belongs here loads code, chooses a program that is run, or says where
//! configuration lies that can do either. What programs merely behave differently by does not.

/// What whole families begin with.
pub(super) const FAMILIES: &[&str] = &[
    // The dynamic linkers and the C library.
    "LD_ DYLD_ MALLOC_ GLIBC_ GCONV_",
    "BASH_ CUFF_ OPENCUFF_ XDG_ SSH_ SUDO_ SYSTEMD_ DBUS_",
    // Version control and what it starts.
    "GIT_ HG SVN_ CVS_",
    // JavaScript: engines, managers, loaders, and the programs that choose between versions of them.
    "NODE_ NPM_ PNPM_ YARN_ BUN_ COREPACK_ DENO_ TS_NODE_ TSX_ JITI_ ESBUILD_ SWC_ ELECTRON_ MOCHA_ NYC_ TAP_",
    "NVM_ FNM_ VOLTA_ ASDF_ MISE_ RTX_ PROTO_ NODENV_ DIRENV_ NIX_",
    // Python.
    "PYTHON PYTEST_ PYENV_ PIP_ PIPX_ PIPENV_ UV_ POETRY_ PDM_ HATCH_ TOX_ CONDA_ VIRTUALENV_ COVERAGE_ IPYTHON JUPYTER_",
    "PERL RUBY GEM_ BUNDLE_ RBENV_ PHP COMPOSER_ LUA_ LUAROCKS_ GUILE_ R_ JULIA_ ERL_ ELIXIR_ MIX_",
    // .NET and the virtual machines of Java.
    "DOTNET_ CORECLR_ COR_ COMPLUS_ MSBUILD NUGET_ JAVA_ JDK_ JENV_ SDKMAN_ MAVEN_ GRADLE_ ANT_ SBT_ KOTLIN_ GROOVY_",
    // What is compiled, with what.
    "CARGO_ RUSTC RUSTDOC RUSTUP_ CGO_ CMAKE_ CCACHE_ SCCACHE_ DISTCC_ PKG_CONFIG",
    // Plug-ins of desktop libraries.
    "GTK_ GIO_ GDK_ QT_ QML_ GST_ VK_ LIBGL_ LIBVA_ ALSA_ KRB5_ SASL_ OPENSSL_",
    // Programs that are everywhere.
    "LESS FZF_ BAT_ GROFF_ EMACS VIM ANSIBLE_ TF_CLI_ HELM_",
];

/// Everyday members of those families: they choose what to print, or between parts of
/// a program that are all the project's own.
pub(super) const HARMLESS: &[&str] = &[
    "NODE_ENV NODE_DEBUG NODE_NO_WARNINGS NODE_DISABLE_COLORS NODE_PENDING_DEPRECATION",
    "DOTNET_ENVIRONMENT DOTNET_NOLOGO DOTNET_CLI_TELEMETRY_OPTOUT CARGO_TERM_COLOR CARGO_INCREMENTAL CGO_ENABLED",
    "CMAKE_BUILD_TYPE CMAKE_BUILD_PARALLEL_LEVEL CCACHE_DISABLE BUNDLE_JOBS COMPOSER_NO_INTERACTION",
];

/// What whole families end with.
pub(super) const ENDINGS: &[&str] = &[
    "_WRAPPER _RUNNER _LAUNCHER _PRELOAD _OPTIONS _OPTS _ADDOPTS _CMD_ARGS",
    "_EXECUTABLE _EXECUTABLE_PATH _BINARY _BINARY_PATH _BIN _EDITOR _PAGER _BROWSER _ASKPASS _RSH _SSH",
];

/// Single names.
pub(super) const NAMES: &[&str] = &[
    // The shells.
    "PATH IFS SHELL SHELLOPTS BASHOPTS PS4 PROMPT_COMMAND CDPATH FPATH MODULE_PATH ZDOTDIR NULLCMD READNULLCMD",
    "TEXTDOMAIN TEXTDOMAINDIR FCEDIT",
    // Who and where the user is: configuration is read from there.
    "HOME USER LOGNAME PWD OLDPWD INIT_CWD TMPDIR TMP TEMP",
    // The C library: files that it reads, and whom it asks.
    "LOCPATH NLSPATH HOSTALIASES LOCALDOMAIN RES_OPTIONS RESOLV_HOST_CONF TZDIR GETCONF_DIR NIS_PATH",
    // Make and configure.
    "MAKE MAKEFILES MAKEFLAGS MFLAGS GNUMAKEFLAGS MAKEOVERRIDES MAKELEVEL VPATH GPATH CONFIG_SITE CONFIG_SHELL M4 M4PATH",
    // Whom to trust, and through whom to go: what is fetched is run.
    "SSL_CERT_FILE SSL_CERT_DIR SSLKEYLOGFILE CURL_CA_BUNDLE REQUESTS_CA_BUNDLE",
    "HTTP_PROXY HTTPS_PROXY ALL_PROXY FTP_PROXY",
    // Java, Go, C.
    "_JAVA_OPTIONS JAVACMD JRE_HOME M2_HOME CLASSPATH",
    "GOFLAGS GOENV GOROOT GOPATH GOBIN GOWORK GOTOOLCHAIN GOTOOLDIR GOPROXY GOSUMDB GONOSUMDB GONOSUMCHECK GOINSECURE",
    "GOPRIVATE GOAUTH GOCACHEPROG GOMODCACHE GOVCS",
    "CC CXX CPP LD AR AS NM FC RANLIB STRIP OBJCOPY LEX YACC CFLAGS CXXFLAGS CPPFLAGS LDFLAGS RUSTFLAGS",
    "LDLIBS LOADLIBES TARGET_ARCH TARGET_MACH ARFLAGS ASFLAGS FFLAGS LFLAGS YFLAGS OUTPUT_OPTION",
    "COMPILER_PATH GCC_EXEC_PREFIX CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH DEPENDENCIES_OUTPUT",
    // Python and .NET, what their families leave out.
    "VIRTUAL_ENV __PYVENV_LAUNCHER__ ASPNETCORE_HOSTINGSTARTUPASSEMBLIES",
    // Browsers that tests start.
    "PLAYWRIGHT_BROWSERS_PATH PLAYWRIGHT_NODEJS_PATH CHROME_PATH",
    // Programs that other programs start.
    "EDITOR VISUAL PAGER MANPAGER BROWSER MANPATH MANOPT TERMINFO TERMCAP INPUTRC TCLLIBPATH AWKPATH AWKLIBPATH EXINIT",
    // Where programs that are everywhere read their configuration, which can name programs.
    "CURL_HOME WGETRC SYSTEM_WGETRC RIPGREP_CONFIG_PATH GNUPGHOME KUBECONFIG DOCKER_CONFIG DOCKER_HOST DOCKER_CONTEXT",
    "AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE CLOUDSDK_CONFIG CLOUDSDK_PYTHON",
];
