//! Where settings.yml is looked for, and what its relative paths refer to.

use std::path::{Path, PathBuf};

use super::foreign;
use crate::sys::files::FileMetadata;
use crate::sys::{Environment, files};

/// The name of a project's settings file.
pub const FILE_NAME: &str = "settings.yml";

/// The folder of a project that is cuff's own: the second place of settings, where the first is another program's.
pub const OWN_FOLDER: &str = ".cuff";

/// The name of a file with nothing but MCP servers.
pub const SERVERS_FILE: &str = ".toolscript.json";

/// The variables that name a settings file, the first that is set wins.
const VARIABLES: [&str; 2] = ["CUFF_SETTINGS", "OPENCUFF_SETTINGS"];

/// The result of the search for settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsSearch {
    /// The file to read; `None` when there is none.
    pub place: Option<SettingsPlace>,
    /// The repository's root, else the working directory: where things are without a settings file.
    pub project: PathBuf,
    /// Files that look like settings and are not read, each with the reason, a sentence without a full stop.
    pub passed_over: Vec<String>,
    /// A `settings.yml` of another program on the way, as messages name it.
    pub foreign: Option<String>,
}

/// A settings file and what its relative paths refer to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsPlace {
    /// The file.
    pub file: PathBuf,
    /// The directory that relative paths in it refer to: [`root_of`] the file, or the project's for a user-level file.
    ///
    /// Of a file that is a symbolic link, it is the directory of the link.
    pub root: PathBuf,
    /// The file as messages name it: relative where it lies below the working directory.
    pub name: String,
    /// How it came to be the one that counts.
    pub origin: SettingsOrigin,
}

/// How a settings file came to be the one that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsOrigin {
    /// `--config` or a variable names it.
    Named,
    /// It was found in the project.
    Found,
    /// It is the user's own, for projects that have none.
    Users,
}

/// A settings file was named and is not there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
#[error("the settings file `{file}` is not there", file = file.display())]
#[diagnostic(code(CUFF_201))]
pub struct NotThere {
    /// The path, made absolute.
    pub file: PathBuf,
    /// The option or variable that named it: `--config`, for instance.
    pub named_by: &'static str,
    /// The next step.
    #[help]
    pub help: String,
}

/// Looks for the settings of the working directory. `explicit` is what `--config` names.
///
/// The order: `--config`, `CUFF_SETTINGS`, `OPENCUFF_SETTINGS`, `settings.yml` or `.cuff/settings.yml` of the project,
/// `$XDG_CONFIG_HOME/cuff/settings.yml`, `~/.opencuff/settings.yml`. The first that is there wins, readable
/// or not. Falling through to another set of rules because of a typo would be worse than an error. A project's
/// `settings.yml` that is another program's is passed over.
///
/// # Errors
/// When `--config` or a variable names a file that is not there.
pub fn find(environment: &Environment, explicit: Option<&Path>) -> Result<SettingsSearch, NotThere> {
    WalkUp::new(environment).search(environment, explicit)
}

/// Looks for the settings as [`find`] does, and for the files with MCP servers as [`server_files`] does, on one way up.
pub fn find_all(
    environment: &Environment,
    explicit: Option<&Path>,
) -> (Result<SettingsSearch, NotThere>, Vec<SettingsPlace>) {
    let walk = WalkUp::new(environment);
    (walk.search(environment, explicit), walk.server_files(environment))
}

/// The settings file that `--config` or a variable names, there or not, and what names it.
pub fn named(environment: &Environment, explicit: Option<&Path>) -> Option<(PathBuf, &'static str)> {
    let variables = VARIABLES.iter().filter_map(|&name| Some((environment.path(name)?, name)));
    let mut all = explicit.map(|path| (path.to_owned(), "--config")).into_iter().chain(variables);
    // A link stays, since its own directory is what relative paths refer to.
    all.next()
        .map(|(path, named_by)| (files::in_canonical_folder(&environment.directory().join(path)), named_by))
}

/// The files that decide which settings count, there or not: what may be one, and what makes a repository's root.
pub fn candidates(environment: &Environment, explicit: Option<&Path>) -> Vec<PathBuf> {
    if let Some((file, _)) = named(environment, explicit) {
        return vec![file];
    }
    let walk = WalkUp::new(environment);
    let on_the_way = walk.directories.iter().flat_map(|folder| {
        let [first, second] = places(folder);
        [first, second, folder.join(".git")]
    });
    on_the_way.chain(user_files(environment)).collect()
}

/// The folders whose settings may count, the working directory first.
pub fn way_up(environment: &Environment) -> Vec<&Path> {
    WalkUp::new(environment).directories
}

/// The places of a folder's settings, the first that counts first.
pub fn places(folder: &Path) -> [PathBuf; 2] {
    [folder.join(FILE_NAME), folder.join(OWN_FOLDER).join(FILE_NAME)]
}

/// The folder that relative paths in a settings file refer to: the file's own, or the one that has the
/// [folder of cuff](OWN_FOLDER) which the file lies in.
pub fn root_of(file: &Path) -> Option<&Path> {
    let folder = file.parent()?;
    if folder.file_name().is_some_and(|name| name == OWN_FOLDER) { folder.parent() } else { Some(folder) }
}

/// The files with MCP servers that count in the working directory: the project's, then the user's own.
///
/// The project's is found as its settings are. Relative paths in the user's own file count from the project's root.
pub fn server_files(environment: &Environment) -> Vec<SettingsPlace> {
    WalkUp::new(environment).server_files(environment)
}

/// The files that may be one of [`server_files`], there or not.
pub fn server_candidates(environment: &Environment) -> Vec<PathBuf> {
    let walk = WalkUp::new(environment);
    let in_project = walk.directories.iter().map(|folder| folder.join(SERVERS_FILE));
    in_project.chain(users_server_file(environment)).collect()
}

fn users_server_file(environment: &Environment) -> Option<PathBuf> {
    Some(environment.absolute("HOME")?.join(SERVERS_FILE))
}

/// The places of a user's own settings.
fn user_files(environment: &Environment) -> impl Iterator<Item = PathBuf> {
    let ours = environment.base("XDG_CONFIG_HOME", ".config").map(|config| config.join("cuff"));
    let older = environment.absolute("HOME").map(|home| home.join(".opencuff"));
    ours.into_iter().chain(older).map(|folder| folder.join(FILE_NAME))
}

/// The user's own settings, there or not, as settings of the project that the working directory is in.
pub fn user_places(environment: &Environment) -> Vec<SettingsPlace> {
    let walk = WalkUp::new(environment);
    user_files(environment).map(|file| walk.place(file, walk.project(), SettingsOrigin::Users)).collect()
}

fn is_there(file: &Path) -> bool {
    files::look(file).is_some_and(|look| !look.directory)
}

fn name(start: &Path, file: &Path) -> String {
    file.strip_prefix(start).unwrap_or(file).display().to_string()
}

/// The way up from the working directory.
///
/// It ends at the repository's root, the first directory with a `.git`. Outside any repository it ends below
/// the home directory; outside home below `/`, and below the first directory that is another user's, that others
/// may write, or that is on another file system. A `settings.yml` that happens to lie in `~` or `/tmp` is not
/// meant for the folders below it. Above the working directory nothing counts that belongs to another user.
/// Otherwise anybody who may write to `/tmp` could put a `.git` and a `settings.yml` there for all who work
/// below it.
struct WalkUp<'a> {
    start: &'a Path,
    owner: Option<u32>,
    /// Every directory that is looked at, the working directory first.
    directories: Vec<&'a Path>,
    /// Whether the last of them is a repository's root.
    in_repository: bool,
}

impl<'a> WalkUp<'a> {
    fn new(environment: &'a Environment) -> Self {
        let start = environment.directory();
        let owner = files::look(start).map(|look| look.owner);
        let mut walk = Self { start, owner, directories: Vec::new(), in_repository: false };
        let ancestors: Vec<_> = start.ancestors().collect();
        let root = ancestors.iter().position(|directory| walk.trusts(&directory.join(".git")));
        walk.in_repository = root.is_some();
        let steps = root.map_or_else(|| steps_without_repository(environment, &ancestors), |root| root + 1);
        walk.directories = ancestors.into_iter().take(steps).collect();
        walk
    }

    fn search(&self, environment: &Environment, explicit: Option<&Path>) -> Result<SettingsSearch, NotThere> {
        let project = self.project().to_owned();
        let mut search = SettingsSearch { place: None, project, passed_over: Vec::new(), foreign: None };
        if let Some((file, named_by)) = named(environment, explicit) {
            if files::look(&file).is_none() {
                let help = format!(
                    "`{named_by}` names it; correct the path, or leave it out and cuff looks for {FILE_NAME}"
                );
                return Err(NotThere { file, named_by, help });
            }
            let root = root_of(&file).unwrap_or(self.start).to_owned();
            search.place = Some(self.place(file, &root, SettingsOrigin::Named));
            return Ok(search);
        }

        let in_project = self.settings(&mut search);
        let in_project = in_project.map(|(file, root)| self.place(file, root, SettingsOrigin::Found));
        let users = || user_files(environment).find(|file| is_there(file));
        search.place = in_project
            .or_else(|| users().map(|file| self.place(file, self.project(), SettingsOrigin::Users)));
        if search.place.is_none() {
            search.passed_over.extend(self.above());
        }
        Ok(search)
    }

    fn server_files(&self, environment: &Environment) -> Vec<SettingsPlace> {
        let users = users_server_file(environment);
        let is_users = |file: &Path| {
            users.as_ref().is_some_and(|users| files::canonical(users) == files::canonical(file))
        };
        let in_project = self.directories.iter().map(|folder| folder.join(SERVERS_FILE));
        let found =
            in_project.filter(|file| is_there(file) && self.trusts(file)).find(|file| !is_users(file));
        let found = found.map(|file| {
            let root = file.parent().unwrap_or(self.start).to_owned();
            self.place(file, &root, SettingsOrigin::Found)
        });
        let users = users.filter(|file| is_there(file)).map(|file| {
            let name = file.display().to_string();
            SettingsPlace { name, ..self.place(file, self.project(), SettingsOrigin::Users) }
        });
        found.into_iter().chain(users).collect()
    }

    fn place(&self, file: PathBuf, root: &Path, origin: SettingsOrigin) -> SettingsPlace {
        SettingsPlace { name: name(self.start, &file), root: root.to_owned(), file, origin }
    }

    /// The repository's root, else the working directory.
    fn project(&self) -> &'a Path {
        self.repository().unwrap_or(self.start)
    }

    fn repository(&self) -> Option<&'a Path> {
        self.directories.last().copied().filter(|_| self.in_repository)
    }

    /// Whether it is there, and nobody else's.
    fn trusts(&self, path: &Path) -> bool {
        files::look(path).is_some_and(|look| self.trusts_owner(path.parent(), look))
    }

    /// Whether a file of this folder is nobody else's.
    fn trusts_owner(&self, folder: Option<&Path>, look: FileMetadata) -> bool {
        folder == Some(self.start) || Some(look.owner) == self.owner
    }

    /// The nearest settings file, and the folder whose settings it holds; notes what lies on the way and is not read.
    fn settings(&self, search: &mut SettingsSearch) -> Option<(PathBuf, &'a Path)> {
        for &directory in &self.directories {
            for file in places(directory) {
                if self.counts(directory, &file, search) {
                    return Some((file, directory));
                }
            }
            let other = directory.join("settings.yaml");
            if is_there(&other) {
                let other = name(self.start, &other);
                search.passed_over.push(format!("`{other}` is not read: rename it to `{FILE_NAME}`"));
            }
        }
        None
    }

    /// Whether this is a settings file of cuff; notes why not, where one is there.
    fn counts(&self, directory: &Path, file: &Path, search: &mut SettingsSearch) -> bool {
        let Some(look) = files::look(file) else { return false };
        let called = name(self.start, file);
        let why = if look.directory {
            format!("`{called}` is a folder, and no file")
        } else if !self.trusts_owner(Some(directory), look) {
            format!("`{called}` is not read: it belongs to another user; `--config {called}` reads it")
        } else if foreign::is_foreign(file) {
            search.foreign.get_or_insert(called);
            return false;
        } else {
            return true;
        };
        search.passed_over.push(why);
        false
    }

    /// A note about settings above the last step, which count in that folder and not here, with the way
    /// there.
    fn above(&self) -> Option<String> {
        let mut beyond = self.start.ancestors().enumerate().skip(self.directories.len());
        let there = |directory: &Path| {
            places(directory).into_iter().find(|file| {
                let look = files::look(file).filter(|look| !look.directory);
                look.is_some_and(|look| self.trusts_owner(Some(directory), look))
                    && !foreign::is_foreign(file)
            })
        };
        let (steps, file) = beyond.find_map(|(steps, directory)| Some((steps, there(directory)?)))?;
        let way = vec![".."; steps].join("/");
        let file = file.strip_prefix(root_of(&file)?).ok()?.display();
        let why = if self.in_repository { "above this repository" } else { "without a `.git` beside it" };
        Some(format!("`{way}/{file}` does not count here, {why}; `cuff -C {way}` uses it"))
    }
}

/// How many directories, the first included, may hold settings where there is no repository: those below the home directory.
/// Outside of it, those below `/` that nobody else may write, and that are on one file system.
fn steps_without_repository(environment: &Environment, ancestors: &[&Path]) -> usize {
    let home = environment.path("HOME").map(|home| files::canonical(&home));
    let is_inside =
        |home: &PathBuf| ancestors.first().is_some_and(|start| files::canonical(start).starts_with(home));
    if let Some(home) = home.filter(is_inside) {
        let below = |directory: &&&Path| files::canonical(directory) != home;
        return ancestors.iter().take_while(below).count().max(1);
    }
    let Some(start) = ancestors.first().and_then(|start| files::look(start)) else { return 1 };
    let is_ours = |directory: &&&Path| {
        let look = files::look(directory);
        let is_safe = |look: FileMetadata| {
            look.owner == start.owner && look.device == start.device && !look.others_write
        };
        directory.parent().is_some() && look.is_some_and(is_safe)
    };
    ancestors.iter().take_while(is_ours).count().max(1)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The result of `find` in a tree of files with `home/` as the home directory; the tree's own path is cut
    /// off.
    #[expect(clippy::disallowed_methods, reason = "lays out the files")]
    fn found(files: &[&str], start: &str, variables: &[(&str, &str)], explicit: Option<&str>) -> String {
        let tree = tempfile::tempdir().unwrap();
        let base = tree.path().canonicalize().unwrap();
        fs::create_dir_all(base.join(start)).unwrap();
        for file in files {
            fs::create_dir_all(base.join(file).parent().unwrap()).unwrap();
            fs::write(base.join(file), "").unwrap();
        }
        let variables =
            variables.iter().chain([&("HOME", "home")]).map(|(name, path)| (*name, base.join(path)));
        let environment = Environment::new(base.join(start), variables);
        let text = match find(&environment, explicit.map(Path::new)) {
            Ok(SettingsSearch { place: Some(place), passed_over, .. }) => {
                format!("{} in {} {passed_over:?}", place.file.display(), place.root.display())
            }
            Ok(SettingsSearch { place: None, project, passed_over, .. }) => {
                format!("none in {} {passed_over:?}", project.display())
            }
            Err(error) => format!("{error}; {}", error.help),
        };
        text.replace(&format!("{}/", base.display()), "").replace(&format!("{}", base.display()), "/")
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "lays out the files")]
    fn the_nearest_server_file_counts_and_the_users_own_beside_it() {
        let tree = tempfile::tempdir().unwrap();
        let base = tree.path().canonicalize().unwrap();
        for folder in ["home", "repo/.git", "repo/a/b"] {
            fs::create_dir_all(base.join(folder)).unwrap();
        }
        let found = |start: &str| {
            let environment = Environment::new(base.join(start), [("HOME", base.join("home"))]);
            let way = |path: &Path| path.strip_prefix(&base).unwrap().display().to_string();
            let places = server_files(&environment).into_iter();
            let shown = places
                .map(|place| format!("{} in {} {:?}", way(&place.file), way(&place.root), place.origin));
            assert!(server_candidates(&environment).len() >= 2);
            shown.collect::<Vec<_>>().join(", ")
        };
        assert_eq!(found("repo/a/b"), "");
        let own = "home/.toolscript.json in repo Users";
        for (file, expected) in [
            (".toolscript.json", String::new()),
            ("home/.toolscript.json", own.to_owned()),
            ("repo/.toolscript.json", format!("repo/.toolscript.json in repo Found, {own}")),
            ("repo/a/.toolscript.json", format!("repo/a/.toolscript.json in repo/a Found, {own}")),
        ] {
            fs::write(base.join(file), "{}").unwrap();
            assert_eq!(found("repo/a/b"), expected, "{file}");
        }
        assert_eq!(
            found("home"),
            "home/.toolscript.json in home Users",
            "in the home folder it is the user's own"
        );
    }

    #[test]
    fn the_first_of_the_order_wins() {
        let mut files = vec![
            "open.yml",
            "cuff.yml",
            "config.yml",
            "repo/.git/HEAD",
            "repo/settings.yml",
            "repo/a/settings.yml",
            "xdg/cuff/settings.yml",
            "home/.config/cuff/settings.yml",
            "home/.opencuff/settings.yml",
        ];
        let mut variables = vec![
            ("CUFF_SETTINGS", "cuff.yml"),
            ("OPENCUFF_SETTINGS", "open.yml"),
            ("XDG_CONFIG_HOME", "xdg"),
        ];
        let answer = |files: &[&str], variables: &[(&str, &str)]| found(files, "repo/a/b", variables, None);
        assert_eq!(found(&files, "repo/a/b", &variables, Some("../../../config.yml")), "config.yml in / []");
        assert_eq!(answer(&files, &variables), "cuff.yml in / []");
        variables.remove(0);
        assert_eq!(answer(&files, &variables), "open.yml in / []");
        variables.remove(0);
        assert_eq!(answer(&files, &variables), "repo/a/settings.yml in repo/a []");
        files.remove(5);
        assert_eq!(answer(&files, &variables), "repo/settings.yml in repo []");
        files.remove(4);
        assert_eq!(answer(&files, &variables), "xdg/cuff/settings.yml in repo []");
        assert_eq!(answer(&files, &[]), "home/.config/cuff/settings.yml in repo []");
        files.remove(5);
        assert_eq!(answer(&files, &[]), "home/.opencuff/settings.yml in repo []");
        files.remove(5);
        assert_eq!(answer(&files, &[]), "none in repo []");
    }

    #[test]
    fn the_walk_ends_at_the_repository_or_below_home() {
        for (files, start, answer) in [
            // A worktree's or submodule's `.git` is a file.
            (
                &["settings.yml", "repo/.git"][..],
                "repo/a",
                "none in repo [\"`../../settings.yml` does not count here, above this repository; `cuff -C ../..` \
                 uses it\"]",
            ),
            (
                &["elsewhere/settings.yml", "settings.yml"],
                "elsewhere/a",
                "elsewhere/settings.yml in elsewhere []",
            ),
            (&[], "elsewhere/a", "none in elsewhere/a []"),
            (&["elsewhere/a/settings.yml"], "elsewhere/a", "elsewhere/a/settings.yml in elsewhere/a []"),
            (
                &["home/settings.yml"],
                "home/a/b",
                "none in home/a/b [\"`../../settings.yml` does not count here, without a `.git` beside it; \
                 `cuff -C ../..` uses it\"]",
            ),
            (&["home/settings.yml"], "home", "home/settings.yml in home []"),
            (&["home/a/settings.yml"], "home/a/b", "home/a/settings.yml in home/a []"),
            (&["home/.git", "home/settings.yml"], "home/a", "home/settings.yml in home []"),
            (
                &["repo/.git", "repo/a/settings.yaml", "repo/settings.yml"],
                "repo/a",
                "repo/settings.yml in repo [\"`settings.yaml` is not read: rename it to `settings.yml`\"]",
            ),
            (&["a/settings.yml/b"], "a", "none in a [\"`settings.yml` is a folder, and no file\"]"),
        ] {
            assert_eq!(found(files, start, &[], None), answer, "{files:?}");
        }
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "lays out the files")]
    fn outside_of_home_a_folder_that_others_write_ends_the_walk() {
        use std::os::unix::fs::PermissionsExt as _;
        let tree = tempfile::tempdir().unwrap();
        let base = tree.path().canonicalize().unwrap();
        let (shared, work) = (base.join("shared"), base.join("shared/work/sub"));
        fs::create_dir_all(&work).unwrap();
        fs::write(shared.join(FILE_NAME), "").unwrap();
        let environment = Environment::new(&work, [("HOME", "/nonexistent")]);
        let search = || find(&environment, None).unwrap();
        for (mode, counts) in [(0o755, true), (0o775, false), (0o1777, false), (0o700, true)] {
            fs::set_permissions(&shared, fs::Permissions::from_mode(mode)).unwrap();
            let found = search();
            assert_eq!(found.place.is_some(), counts, "{mode:o}");
            assert_eq!(found.passed_over.is_empty(), counts, "it is told: {:?}", found.passed_over);
        }
        // One above it is of no more use.
        fs::set_permissions(shared.join("work"), fs::Permissions::from_mode(0o777)).unwrap();
        assert_eq!(search().place, None);
        if std::os::unix::fs::chown(shared.join("work"), Some(12_345), None).is_err() {
            return eprintln!("SKIPPED: only root can give a folder away");
        }
        fs::set_permissions(shared.join("work"), fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(search().place, None);
    }

    #[test]
    fn a_file_that_is_named_must_be_there() {
        insta::assert_snapshot!(found(&["repo/settings.yml"], "repo", &[], Some("setings.yml")), @"the settings file `repo/setings.yml` is not there; `--config` names it; correct the path, or leave it out and cuff looks for settings.yml");
        insta::assert_snapshot!(found(&[], "repo", &[("CUFF_SETTINGS", "x/y.yml")], None), @"the settings file `x/y.yml` is not there; `CUFF_SETTINGS` names it; correct the path, or leave it out and cuff looks for settings.yml");
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "lays out the files")]
    fn files_of_another_user_above_are_passed_over() {
        let tree = tempfile::tempdir().unwrap();
        let base = tree.path().canonicalize().unwrap();
        let (work, git, settings) = (base.join("work"), base.join(".git"), base.join(FILE_NAME));
        fs::create_dir(&work).unwrap();
        fs::write(&git, "").unwrap();
        fs::write(&settings, "").unwrap();
        let search = |start: &Path| find(&Environment::new(start, [("HOME", "/nonexistent")]), None).unwrap();
        assert_eq!(search(&work).place.map(|place| place.file), Some(settings.clone()));
        if std::os::unix::fs::chown(&settings, Some(12_345), None).is_err() {
            return eprintln!("SKIPPED: only root can give a file away");
        }
        let passed = search(&work);
        assert_eq!((passed.place, passed.project), (None, base.clone()));
        assert!(passed.passed_over[0].contains("belongs to another user"), "{:?}", passed.passed_over);
        assert_eq!(search(&base).place.map(|place| place.file), Some(settings), "it was gone to on purpose");
        std::os::unix::fs::chown(&git, Some(12_345), None).unwrap();
        assert_eq!(search(&work).project, work);
    }
}
