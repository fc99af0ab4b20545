//! The flags that pass, and the reasons why others do not.

use crate::plugins::managers::PackageManager::{self, Bun, Npm, Pnpm, Yarn};

/// The flags that pass for every manager and task.
const EVERYWHERE: &[&str] = &["--ignore-scripts --offline --prefer-offline --silent"];

/// The further flags of one manager and task, in all its spellings.
const fn own(manager: PackageManager, is_ci: bool) -> &'static [&'static str] {
    match (manager, is_ci) {
        (Npm, false) => &[
            "-D --save-dev -P --save-prod -O --save-optional --save-peer -E --save-exact -S --save --no-save",
            "--production --package-lock-only --prefer-dedupe --dry-run",
            NPM,
        ],
        (Npm, true) => &["--dry-run", NPM],
        (Pnpm, false) => &[
            "-D --save-dev -P --save-prod -O --save-optional --save-peer -E --save-exact",
            "--frozen-lockfile --no-frozen-lockfile --prefer-frozen-lockfile --fix-lockfile --lockfile-only",
            "--ignore-workspace-root-check",
            PNPM,
        ],
        (Pnpm, true) => &[PNPM],
        (Bun, false) => &[
            "-d -D --dev --save-dev --optional --peer -E --exact --save-exact --no-save --only-missing --dry-run",
            "--frozen-lockfile --lockfile-only --save-text-lockfile",
            BUN,
        ],
        (Bun, true) => &["--dry-run", BUN],
        (Yarn, _) => &[YARN],
    }
}

const NPM: &str = "--omit=dev --omit=optional --omit=peer --include=dev --include=optional --include=peer --no-audit \
                   --no-fund --no-progress --legacy-peer-deps --strict-peer-deps --foreground-scripts --quiet --verbose";
const PNPM: &str = "--dev --prod --no-optional --ignore-pnpmfile --strict-peer-dependencies --reporter=append-only \
                    --reporter=default --reporter=silent";
const YARN: &str = "--immutable --immutable-cache --check-cache --frozen-lockfile --production --non-interactive --mode=skip-build";
const BUN: &str =
    "-p --production --omit=dev --omit=optional --omit=peer --no-progress --no-summary --quiet --verbose";

/// Whether a call may pass this word. Only whole spellings count: the managers take abbreviations as well.
pub(super) fn passes(manager: PackageManager, is_ci: bool, word: &str) -> bool {
    all(manager, is_ci).any(|flag| flag == word)
}

/// The flags that pass, for messages.
pub(super) fn list(manager: PackageManager, is_ci: bool) -> String {
    all(manager, is_ci).collect::<Vec<_>>().join(" ")
}

fn all(manager: PackageManager, is_ci: bool) -> impl Iterator<Item = &'static str> {
    own(manager, is_ci).iter().chain(EVERYWHERE).flat_map(|line| line.split_ascii_whitespace())
}

/// Why a flag does not pass.
#[derive(Debug)]
pub(super) struct RefusedFlag {
    flags: &'static str,
    /// Its effect, behind its name.
    pub(super) why: &'static str,
    /// The alternative.
    pub(super) instead: &'static str,
}

/// Long flags without dashes and in lower case, short ones with their dash.
const REFUSED: &[RefusedFlag] = &[
    RefusedFlag {
        flags: "-g global location prefix -C dir cwd globaldir globalbindir localprefix modulesdir virtualstoredir \
                storedir statedir lockfiledir cache cachedir",
        why: "installs or writes elsewhere",
        instead: "`cwd` names a folder inside the project",
    },
    RefusedFlag {
        flags: "-w workspace workspaces workspaceroot includeworkspaceroot -r recursive -F filter filterprod",
        why: "works in other folders than this one",
        instead: "`cwd` names the folder of a workspace's member",
    },
    RefusedFlag {
        flags: "registry @ proxy httpproxy httpsproxy noproxy ca cafile cert key userconfig globalconfig config -c \
                npmrcauthfile envfile",
        why: "chooses where packages or the configuration come from",
        instead: "a person writes that into .npmrc or bunfig.toml of the project",
    },
    RefusedFlag {
        flags: "scriptshell shell shellemulator nodeoptions git nodegyp pnpmfile globalpnpmfile usenodeversion \
                scriptsprependnodepath unsafeperm",
        why: "chooses what is run",
        instead: "a person writes that into the configuration of the project",
    },
    RefusedFlag {
        flags: "allowscripts allowbuild dangerouslyallowallscripts dangerouslyallowallbuilds trust ignorescripts \
                allowgit allowremote allowfile allowdirectory",
        why: "lets code run that the project does not",
        instead: "a person allows a package's scripts in package.json",
    },
    RefusedFlag {
        flags: "verify strictssl verifystoreintegrity force -f",
        why: "switches checks off",
        instead: "leave it out",
    },
    RefusedFlag {
        flags: "omit include reporter",
        why: "does not pass like that",
        instead: "join one of the listed values with `=`",
    },
];

/// Why this flag does not pass, where its name, as managers read it, is one that says so. Names may be cut short.
pub(super) fn refused(word: &str) -> Option<&'static RefusedFlag> {
    let entries = |refused: &'static RefusedFlag| refused.flags.split_ascii_whitespace();
    let Some(long) = word.strip_prefix("--") else {
        let short = word.get(..2)?;
        return REFUSED.iter().find(|refused| entries(refused).any(|flag| flag == short));
    };
    if long.starts_with('@') {
        return REFUSED.iter().find(|refused| entries(refused).any(|flag| flag == "@"));
    }
    let name = long.split(['=', '.', ':']).next().unwrap_or_default();
    let name: String = name.chars().filter(|c| !"-_".contains(*c)).collect::<String>().to_ascii_lowercase();
    let named = |name: &str, exactly: bool| {
        let is = |flag: &str| flag == name || (!exactly && name.len() >= 3 && flag.starts_with(name));
        REFUSED.iter().find(|refused| entries(refused).any(is))
    };
    let positive = name.strip_prefix("no").filter(|positive| !positive.is_empty());
    named(&name, true)
        .or_else(|| named(positive?, true))
        .or_else(|| named(&name, false))
        .or_else(|| named(positive?, false))
}
