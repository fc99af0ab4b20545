//! Files that no contained run reads: keys, tokens, histories, the profiles of browsers, and cuff's own.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::place::{Place, Places, resolved};
use crate::model::Containment;
use crate::sys::files::FileKind;
use crate::sys::{Environment, KeptAnswers, MountTable, Stamped, Stamps, files, user};

/// Places in a home folder with keys, tokens or what a person has typed.
const IN_HOME: &[&str] = &[
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".git-credentials",
    ".netrc",
    ".vault-token",
    ".terraform.d",
    ".password-store",
    ".pypirc",
    ".pgpass",
    ".my.cnf",
    ".boto",
    ".s3cfg",
    ".age",
    ".config/age",
    ".config/sops",
    ".config/gcloud",
    ".config/op",
    ".config/gh",
    ".config/hub",
    ".config/glab-cli",
    ".config/doctl",
    ".config/rclone",
    ".config/git/credentials",
    ".config/containers/auth.json",
    ".config/helm",
    ".config/pypoetry/auth.toml",
    ".config/composer/auth.json",
    ".composer/auth.json",
    ".gem/credentials",
    ".local/share/gem/credentials",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".m2/settings-security.xml",
    ".gradle/gradle.properties",
    ".claude/.credentials.json",
    ".codex/auth.json",
    ".gemini/oauth_creds.json",
    ".local/share/keyrings",
    ".local/share/kwalletd",
    ".mozilla",
    ".thunderbird",
    ".config/google-chrome",
    ".config/chromium",
    ".config/BraveSoftware",
    ".config/microsoft-edge",
    ".config/vivaldi",
    ".config/Signal",
    ".config/Slack",
    "snap/firefox",
    "snap/chromium",
    ".var/app",
    ".bash_history",
    ".zsh_history",
    ".python_history",
    ".node_repl_history",
    ".psql_history",
    ".mysql_history",
    ".lesshst",
    ".local/share/fish/fish_history",
    ".local/share/atuin",
    ".histfile",
    ".irb_history",
    ".rediscli_history",
    ".sqlite_history",
    ".authinfo",
    ".authinfo.gpg",
    ".bitcoin",
    ".ethereum",
    ".cache/huggingface/token",
    ".huggingface/token",
    ".claude/history.jsonl",
    ".claude/projects",
    ".codex/history.jsonl",
    ".codex/sessions",
    ".config/Code/User/globalStorage",
    ".config/Cursor/User/globalStorage",
    ".config/configstore",
    ".config/netlify",
    ".config/ngrok",
    ".config/solana",
    ".config/stripe",
    ".local/share/opencode/auth.json",
    ".oci",
    ".pulumi/credentials.json",
    ".Xauthority",
    ".claude.json",
    ".cursor/mcp.json",
    ".config/github-copilot",
    ".config/hcloud",
    ".config/openstack/clouds.yaml",
    ".config/Bitwarden",
    ".config/opera",
    ".config/VSCodium/User/globalStorage",
    ".config/Windsurf/User/globalStorage",
    ".config/Code - Insiders/User/globalStorage",
    ".vscode-server/data/User/globalStorage",
    ".databrickscfg",
    ".dbshell",
    ".fly/config.yml",
    ".kaggle",
    ".librewolf",
    ".local/share/com.vercel.cli",
    ".terraformrc",
    ".viminfo",
];

/// Files and folders of a home folder that shells and programs run when they begin, or that lead them to code, and those with
/// programs: a search path that leads there may be another's than cuff's.
pub(super) const BEGINNINGS: &[&str] = &[
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".config/fish",
    ".config/autostart",
    ".config/systemd",
    ".gitconfig",
    ".config/git",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".config/pnpm",
    ".bunfig.toml",
    ".config/pip",
    ".config/uv",
    ".cargo/config",
    ".cargo/config.toml",
    ".cargo/env",
    ".gradle/init.d",
    ".m2/settings.xml",
    ".vimrc",
    ".config/nvim",
    ".config/Code",
    ".claude",
    ".codex",
    ".gemini",
    ".cursor",
    "bin",
    ".local/bin",
    ".cargo/bin",
    ".bun/bin",
    ".deno/bin",
    "go/bin",
    ".local/share/pnpm",
    ".npm-global",
    ".yarn/bin",
    ".nvm",
    ".pyenv",
    ".rbenv",
    ".asdf",
    ".rustup",
    ".sdkman",
    ".volta",
    ".local/lib",
    ".local/share/applications",
    ".local/share/fnm",
    ".local/share/mise",
    ".local/share/systemd",
    ".bash_aliases",
    ".bash_logout",
    ".config/direnv",
    ".config/environment.d",
    ".config/mise",
    ".config/nushell",
    ".config/powershell",
    ".config/tmux",
    ".config/zsh",
    ".direnvrc",
    ".inputrc",
    ".oh-my-zsh",
    ".pam_environment",
    ".screenrc",
    ".tmux.conf",
    ".tool-versions",
    ".xinitrc",
    ".xprofile",
    ".xsessionrc",
    ".zlogout",
    ".config/emacs",
    ".config/gdb",
    ".config/opencode",
    ".config/zed",
    ".config/Claude",
    ".config/Cursor",
    ".config/Windsurf",
    ".claude.json",
    ".codeium",
    ".emacs",
    ".emacs.d",
    ".gdbinit",
    ".ipython",
    ".irbrc",
    ".lldbinit",
    ".Rprofile",
    ".toolscript.json",
    ".vscode",
    ".vscode-server",
    ".cshrc",
    ".tcshrc",
    ".kshrc",
    ".mkshrc",
    ".login",
    ".fzf.bash",
    ".fzf.zsh",
    ".p10k.zsh",
    ".pythonrc",
    ".vim",
    ".xsession",
    ".zfunc",
    ".config/awesome",
    ".config/helix",
    ".config/hypr",
    ".config/i3",
    ".config/openbox",
    ".config/plasma-workspace",
    ".config/starship.toml",
    ".config/sway",
    ".local/share/bash-completion",
    ".local/share/nvim",
    ".local/share/zsh",
];

/// Folders of the system with programs and with the rules by which they start. Root alone writes them.
pub(super) const OF_ROOT: [&str; 9] =
    ["/bin", "/boot", "/etc", "/lib", "/lib64", "/sbin", "/usr", "/var/lib/systemd", "/var/spool/cron"];

/// Files of the system that only its administrator reads.
const OF_SYSTEM: [&str; 6] =
    ["/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/run/secrets"];

/// Variables that name a file or a folder with keys or tokens; a list of them is one after another with colons between.
const VARIABLES: [&str; 14] = [
    "AWS_SHARED_CREDENTIALS_FILE",
    "AZURE_CONFIG_DIR",
    "CLOUDSDK_CONFIG",
    "DOCKER_CONFIG",
    "GH_CONFIG_DIR",
    "GNUPGHOME",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "HISTFILE",
    "KRB5CCNAME",
    "KUBECONFIG",
    "NETRC",
    "PASSWORD_STORE_DIR",
    "PGPASSFILE",
    "REGISTRY_AUTH_FILE",
];
/// The beginning of the variable of Kerberos.
const OF_KERBEROS: &[u8] = b"FILE:";
/// Folders that a variable names, with what is hidden in them.
const IN_FOLDERS: [(&str, &[&str]); 2] = [
    ("CARGO_HOME", &["credentials", "credentials.toml"]),
    ("XDG_RUNTIME_DIR", &["containers/auth.json", "gnupg", "keyring"]),
];
/// The folders of a home folder that variables move.
const MOVED: [(&str, &str); 3] = [
    ("XDG_CONFIG_HOME", ".config/"),
    ("XDG_DATA_HOME", ".local/share/"),
    ("XDG_STATE_HOME", ".local/state/"),
];
/// The folder with the home folders of others, which root reads.
const HOMES: &str = "/home";

/// How far links in hidden folders are looked for: so many entries of each, so deep, and so many places that they lead to.
const MOST_ENTRIES: usize = 512;
const DEPTH: usize = 4;
const MOST_PLACES: usize = 256;

/// The hidden paths, those below them that the settings show, and cuff's own.
#[derive(Debug)]
pub(super) struct HiddenAndShown {
    pub(super) hidden: Vec<PathBuf>,
    pub(super) shown: Vec<PathBuf>,
    pub(super) own: Vec<PathBuf>,
}

/// The hidden paths of a project's runs. They are looked for again only where a folder that may have some, or a mount, has changed.
#[derive(Debug, Default)]
pub struct KnownHiddenPaths(KeptAnswers<HiddenQuestion, Arc<HiddenAndShown>>);

/// All that hidden paths are found by, beside files and an environment that stays the same.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct HiddenQuestion {
    hide: Vec<String>,
    show: Vec<String>,
    mounts: MountTable,
}

impl KnownHiddenPaths {
    /// Those of this user, but for what the settings show.
    pub(super) fn of(
        &self,
        containment: &Containment,
        root: &Path,
        environment: &Environment,
    ) -> Arc<HiddenAndShown> {
        let Containment { hide, show, .. } = containment;
        let mounts = MountTable::now();
        let question = HiddenQuestion { hide: hide.clone(), show: show.clone(), mounts: mounts.clone() };
        self.0.of(question, |stamps| Arc::new(paths(containment, root, environment, &mounts, stamps)))
    }
}

fn paths(
    containment: &Containment,
    root: &Path,
    environment: &Environment,
    mounts: &MountTable,
    stamps: &mut Stamps,
) -> HiddenAndShown {
    let home = environment.absolute("HOME");
    let shown = containment.show.iter().map(|text| resolved(text, root, home.as_deref())).collect();
    let mut hidden = of_variables(environment);
    // The variable may name another folder than the system has for this user.
    let mut homes: Vec<PathBuf> = home.iter().cloned().chain(user::home()).collect();
    if user::is_root() {
        hidden.extend(OF_SYSTEM.map(PathBuf::from));
        homes.extend(files::folders_in(Path::new(HOMES)));
        stamps.add(Arc::new(Stamped::of_places([Path::new(HOMES)])));
    }
    hidden.extend(homes.iter().flat_map(|home| IN_HOME.iter().map(|name| home.join(name))));
    // A variable that names the project, or a folder above it, cannot mean it.
    let around = [Some(files::canonical(root)), home.as_deref().map(files::canonical)];
    let is_around = |path: &PathBuf| around.iter().flatten().any(|one| one.starts_with(path));
    let mut hidden = with_places(hidden, DEPTH, stamps);
    hidden.retain(|path| !is_around(path));
    hidden.extend(with_places(
        containment.hide.iter().map(|text| resolved(text, root, home.as_deref())).collect(),
        DEPTH,
        stamps,
    ));
    hidden.extend(mounts.other_places(&hidden));
    let shown = with_places(shown, DEPTH, stamps);
    hidden.retain(|path| !shown.contains(path));
    by_bytes(&mut hidden);
    HiddenAndShown { hidden, shown, own: of_cuff(environment, stamps) }
}

/// The places that variables name.
fn of_variables(environment: &Environment) -> Vec<PathBuf> {
    let lists = VARIABLES.iter().filter_map(|name| environment.get(name)).map(|value| {
        let bytes = value.as_encoded_bytes();
        OsStr::from_bytes(bytes.strip_prefix(OF_KERBEROS).unwrap_or(bytes))
    });
    let named = lists.flat_map(std::env::split_paths).filter(|path| path.is_absolute());
    let in_folders = IN_FOLDERS.iter().flat_map(|(name, places)| {
        let folder = environment.absolute(name);
        places.iter().filter_map(move |place| folder.as_ref().map(|folder| folder.join(place)))
    });
    let moved = MOVED.iter().flat_map(|(name, usual)| {
        let folder = environment.absolute(name);
        let rests = IN_HOME.iter().filter_map(move |place| place.strip_prefix(*usual));
        rests.filter_map(move |rest| folder.as_ref().map(|folder| folder.join(rest)))
    });
    let tickets = PathBuf::from(format!("/tmp/krb5cc_{}", user::own()));
    named.chain(in_folders).chain(moved).chain([tickets]).collect()
}

/// These paths, and the places that links among them lead to, or links so deep in folders among them, or links in those places.
fn with_places(mut paths: Vec<PathBuf>, depth: usize, stamps: &mut Stamps) -> Vec<PathBuf> {
    let mut known = Places::default();
    let (mut places, mut has_links) = (Vec::new(), false);
    for path in &paths {
        // A path that ends in two dots is a folder around others.
        if path.file_name().is_none() {
            continue;
        }
        let Place { path: place, kind } = known.of(path);
        if kind == Some(FileKind::Folder) {
            let links = files::links_below(path, MOST_ENTRIES, depth);
            has_links |= !links.places.is_empty();
            places.extend(links.places);
            known.note_names(links.folders);
            known.note_names(links.broken);
        }
        // Most of them are their own places.
        if place != *path {
            places.push(place);
        }
    }
    match known.stamps().filter(|_| !has_links) {
        Some(known) => stamps.add(Arc::new(known)),
        // No stamp covers the way of a link.
        None => stamps.unsettle(),
    }
    let mut at = 0;
    while let Some(place) = places.get(at).filter(|_| places.len() < MOST_PLACES).cloned() {
        if files::kind(&place) == Some(FileKind::Folder) {
            let further = files::links_below(&place, MOST_ENTRIES, DEPTH).places;
            places.extend(further.into_iter().filter(|one| !one.starts_with(&place)));
        }
        at += 1;
    }
    paths.extend(places);
    by_bytes(&mut paths);
    paths
}

/// Sorts them, each once. Paths themselves are compared name by name, which takes many times as long.
fn by_bytes(paths: &mut Vec<PathBuf>) {
    paths.sort_unstable_by(|one, other| one.as_os_str().cmp(other.as_os_str()));
    paths.dedup();
}

/// cuff's own folders: decisions, records, preferences, tokens of sessions, answers of probes.
fn of_cuff(environment: &Environment, stamps: &mut Stamps) -> Vec<PathBuf> {
    let bases = [
        ("XDG_STATE_HOME", ".local/state"),
        ("XDG_DATA_HOME", ".local/share"),
        ("XDG_CONFIG_HOME", ".config"),
        ("XDG_CACHE_HOME", ".cache"),
    ];
    let of_bases = bases.into_iter().filter_map(|(variable, usual)| environment.base(variable, usual));
    let runtime = environment.absolute("XDG_RUNTIME_DIR");
    // Nobody makes new files directly in a folder above a hidden one, and programs make theirs in this one.
    let usual = Path::new("/tmp").join(format!("cuff-{}", user::own()));
    let of_sessions = [of_sessions(environment), usual];
    stamps.add(Arc::new(Stamped::of_places(of_sessions.iter().map(PathBuf::as_path))));
    let is_used = |folder: &PathBuf| runtime.is_none() || files::look(folder).is_some();
    let of_sessions: Vec<PathBuf> = of_sessions.into_iter().filter(is_used).collect();
    let older = environment.absolute("HOME").map(|home| home.join(".opencuff"));
    let all = of_bases.chain(runtime.clone()).map(|base| base.join("cuff")).chain(older).chain(of_sessions);
    // Deeper down each run makes a folder, and cuff follows no link.
    with_places(all.collect(), 1, stamps)
}

/// The folder of sessions' tokens where the system has no better one.
pub(super) fn of_sessions(environment: &Environment) -> PathBuf {
    let temporary = environment.absolute("TMPDIR").unwrap_or_else(|| "/tmp".into());
    temporary.join(format!("cuff-{}", user::own()))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test changes files as others do")]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::thread::sleep;
    use std::time::Duration;

    use super::*;

    #[test]
    fn hidden_paths_are_kept_until_a_place_of_one_may_be_another() {
        let base = tempfile::tempdir().expect("a temporary folder");
        let base = files::canonical(base.path());
        let at = |path: &str| base.join(path);
        for folder in
            ["home/.config/unrelated", "home/.ssh/a/b", "elsewhere/keys", "elsewhere/far", "project"]
        {
            files::make_directory(&at(folder)).expect("a folder");
        }
        let known: KeptAnswers<(), Arc<Vec<PathBuf>>> = KeptAnswers::default();
        let look = || {
            let in_home = IN_HOME.iter().map(|name| at("home").join(name));
            let paths = in_home.chain([at("project/secrets"), at("elsewhere/cuff")]).collect();
            known.of((), |stamps| Arc::new(with_places(paths, DEPTH, stamps)))
        };
        let is_kept = || {
            // Longer than a change may stay without a stamp of its own.
            sleep(Duration::from_millis(250));
            Arc::ptr_eq(&look(), &look())
        };
        assert!(is_kept());
        let before = look();
        fs::write(at("home/.config/unrelated/file"), "").expect("a file");
        fs::write(at("elsewhere/file"), "").expect("a file");
        assert!(Arc::ptr_eq(&before, &look()), "nothing is hidden there");
        symlink(at("elsewhere/far"), at("elsewhere/keys/further")).expect("a link");
        for link in [
            "home/.config/gh",
            "home/.aws",
            "home/.ssh/a/b/key",
            "home/.ssh/agent",
            "project/secrets",
            "elsewhere/cuff",
        ] {
            assert!(is_kept(), "before {link}");
            symlink(at("elsewhere/keys"), at(link)).expect("a link");
            assert!(look().contains(&at("elsewhere/keys")), "{link}");
            assert!(look().contains(&at("elsewhere/far")), "a link in the place of {link}");
            assert!(!is_kept(), "the way of {link} may change without a trace");
            files::remove(&at(link)).expect("a link");
            assert!(!look().contains(&at("elsewhere/keys")), "{link} is gone");
        }
    }
}
