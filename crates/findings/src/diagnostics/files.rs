//! How files are named: relative to the project where they lie inside, else as the log does.

use std::path::{Path, PathBuf};

use super::prefix::task_folder;
use super::scripts::{Scripts, failed_in};
use crate::model::path;

/// The triggers of a line by which a build enters or leaves a folder, `make[1]: Entering directory '/a/b'`, or
/// announces a command line, `> cd web && tsc`.
/// Turbo says where a task ran when it has failed, `web#build:  ERROR  command (/a/b) npm run build exited (2)`.
pub(super) const TRIGGERS: [&str; 10] = [
    ENTERING,
    VITEST,
    LEAVING,
    " && ",
    FAILED_TASK,
    FAILED_WORKSPACE,
    GROUPS[0],
    GROUPS[1],
    GROUP_ENDS[0],
    GROUP_ENDS[1],
];
/// A group of lines on GitHub: turbo writes one for each task, with its name.
const GROUPS: [&str; 2] = ["::group::", "##[group]"];
const GROUP_ENDS: [&str; 2] = ["::endgroup::", "##[endgroup]"];
const FAILED_TASK: &str = ":  ERROR  command (";
/// Yarn says it of a package, `The command failed in workspace @acme/api@workspace:packages/api with exit code 2`.
const FAILED_WORKSPACE: &str = "The command failed in workspace ";
/// Vitest says where it runs, ` RUN  v4.0.1 /a/packages/web`.
const VITEST: &str = "RUN  v";
const ENTERING: &str = ": Entering directory ";
const LEAVING: &str = ": Leaving directory ";

/// Where the files of packages of Java, Kotlin, Groovy and Scala lie: the tools name them from there.
const JVM_SOURCES: [&str; 8] = [
    "src/test/java",
    "src/main/java",
    "src/test/kotlin",
    "src/main/kotlin",
    "src/test/groovy",
    "src/main/groovy",
    "src/test/scala",
    "src/main/scala",
];

/// The most changes of folders in a log; files after them are relative to the last one.
const MOST_CHANGES: usize = 10_000;
/// How many parts of a module's name may stand before a file.
const MOST_OF_MODULE: usize = 4;
/// How deep folders are remembered within others.
const DEEPEST: usize = 100;

/// The folders that names begin from.
#[derive(Debug, Clone, Default)]
pub(super) struct BaseFolders {
    root: PathBuf,
    /// As [`path::join`] has it.
    directory: String,
    /// The folders that a build has entered and not left yet.
    entered: Vec<String>,
    /// The folder that names begin from, from each of these bytes of the log on; `None` is `directory`.
    folders: Vec<(u64, Option<String>)>,
    /// The scripts that npm ran one after another.
    scripts: Scripts,
    /// The folders that any line named.
    named: Vec<String>,
    /// The tasks of turbo, as names begin that their folders stand for, and these folders.
    tasks: Vec<(String, String)>,
    /// Checks whether a file exists; `None` if the disk may not be read.
    exists: Option<fn(&Path) -> bool>,
}

impl BaseFolders {
    /// `directory` is relative to the root.
    pub(super) fn new(root: &Path, directory: &Path) -> Self {
        Self { root: root.to_owned(), directory: directory.display().to_string(), ..Self::default() }
    }

    /// The same, with a check for existing files.
    pub(super) fn seeing(self, exists: fn(&Path) -> bool) -> Self {
        Self { exists: Some(exists), ..self }
    }

    /// Learns from a line that begins at this byte of the log where a build goes.
    pub(super) fn learn(&mut self, text: &str, at: u64) {
        self.scripts.learn(text, at);
        if let Some((task, folder)) = failed_task(text).filter(|_| self.tasks.len() < DEEPEST) {
            self.tasks.push((task_folder(task), self.name(folder, at, None)));
        }
        if let Some((package, folder)) = failed_workspace(text).filter(|_| self.tasks.len() < DEEPEST) {
            self.tasks.push((task_folder(package), folder.to_owned()));
            self.named.push(folder.to_owned());
        }
        for folder in announced(text, ENTERING).into_iter().chain(commanded(text)).chain(begun_in(text)) {
            if self.named.len() < DEEPEST && !self.named.iter().any(|named| named == folder) {
                self.named.push(folder.to_owned());
            }
        }
        if let Some(folder) = announced(text, ENTERING) {
            if self.entered.len() < DEEPEST {
                self.entered.push(folder.to_owned());
            }
        } else if let Some(folder) = announced(text, LEAVING) {
            let Some(place) = self.entered.iter().rposition(|entered| entered == folder) else { return };
            self.entered.remove(place);
        } else if !GROUPS.iter().chain(&GROUP_ENDS).any(|group| text.starts_with(group)) {
            return;
        }
        if self.folders.len() < MOST_CHANGES {
            let task = GROUPS.iter().find_map(|group| text.strip_prefix(group));
            let task = task.filter(|task| task.contains([':', '@', '#']) && !task.contains(' '));
            self.folders.push((at, task.map(task_folder).or_else(|| self.entered.last().cloned())));
        }
    }

    /// Learns from a line of a job where it runs: npm says so when a script failed.
    pub(super) fn learn_of(&mut self, job: Option<&str>, text: &str, at: u64) {
        let Some((job, path)) = job.filter(|job| job.starts_with('\0')).zip(failed_in(text)) else { return };
        if self.tasks.len() < DEEPEST && !self.tasks.iter().any(|(known, _)| known == job) {
            self.tasks.push((job.to_owned(), self.name(path, at, None)));
        }
    }

    /// The number of the script that a byte of the log belongs to. Equal messages of two scripts are about
    /// two packages.
    pub(super) fn script(&self, at: u64) -> usize {
        self.scripts.number(at)
    }

    /// The first byte of the script that a byte of the log belongs to.
    pub(super) fn script_start(&self, at: u64) -> u64 {
        self.scripts.start(at)
    }

    /// A text with the folders of tasks in place of what stands for them; `None` where it names none.
    pub(super) fn settled(&self, text: &str) -> Option<String> {
        let mut told = text.to_owned();
        while let Some((from, task, to)) = marked(&told) {
            let file = told[to..].split([':', ' ', ')', '\n']).next().unwrap_or_default();
            let folder = self.folder_of(task, file).map_or_else(String::new, |folder| format!("{folder}/"));
            told.replace_range(from..to, &folder);
        }
        let up = told.contains("/../").then(|| path::join(".", &told));
        (told != text).then(|| up.unwrap_or(told))
    }

    /// The folder of a task: as the log names it, or else where a package of that name has the file.
    fn folder_of(&self, task: &str, file: &str) -> Option<String> {
        const PARENTS: [&str; 9] =
            ["", "packages/", "apps/", "libs/", "services/", "crates/", "modules/", "plugins/", "examples/"];
        let is_of = |known: &str| {
            let rest = task.strip_prefix(known.trim_matches('\0'));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', ' ']))
        };
        if let Some((_, folder)) = self.tasks.iter().find(|(known, _)| is_of(known)) {
            return Some(folder.clone());
        }
        let exists = self.exists.filter(|_| !file.starts_with('/'))?;
        let directory = path::join(".", &self.directory);
        let names = task.split([':', ' ']).map(|name| name.rsplit('/').next().unwrap_or(name));
        let both = names.flat_map(|name| {
            // One of several instances of a service: `web-1`.
            let short = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches(['-', '.']);
            [name, short]
        });
        let mut folders = both
            .filter(|name| !name.is_empty())
            .flat_map(|name| PARENTS.map(|parent| format!("{parent}{name}")));
        folders.find_map(|folder| {
            let folder = path::join(&directory, &folder);
            exists(&self.root.join(path::join(&folder, file))).then_some(folder)
        })
    }

    /// A better name for a file that was named at this byte of the log, known only when all of it was read.
    pub(super) fn rename(&self, file: &str, at: u64) -> Option<String> {
        self.scripts.rename(file, at, &self.root, &self.directory).or_else(|| self.elsewhere(file))
    }

    /// A message whose paths in the project are relative to its root; `None` where it names none.
    pub(super) fn without_root(&self, message: &str) -> Option<String> {
        let root = self.root.to_str().filter(|root| root.len() > 1 && message.find(root).is_some())?;
        let (mut told, mut rest) = (String::new(), message);
        while let Some(at) = rest.find(root) {
            let (before, behind) = (&rest[..at], &rest[at + root.len()..]);
            told.push_str(before);
            let inner = before.ends_with(|c: char| c.is_alphanumeric() || "/._-~".contains(c));
            let inside = behind.strip_prefix('/').filter(|inside| !inner && inside.starts_with(is_of_name));
            if inside.is_none() {
                told.push_str(root);
            }
            rest = inside.unwrap_or(behind);
        }
        told.push_str(rest);
        Some(told).filter(|told| told != message)
    }

    /// Whether a file that the log names is there.
    pub(super) fn is_there(&self, printed: &str) -> bool {
        self.exists.is_some_and(|exists| exists(&self.root.join(path::join(&self.directory, printed))))
    }

    /// The name of a missing file, if it exists in exactly one of the folders that the log names. Such a file
    /// is named after `cd web && tsc`, or by make about a folder that it has left, as it does under `-O`.
    fn elsewhere(&self, file: &str) -> Option<String> {
        let exists = self.exists.filter(|_| !file.starts_with(['/', '<', '~']))?;
        if exists(&self.root.join(file)) {
            return None;
        }
        let named = path::within(&path::join(".", &self.directory), file);
        // cargo names files from the root of the workspace, wherever it was started.
        if exists(&self.root.join(&*named)) {
            return Some(named);
        }
        let prefixed = named.strip_prefix('[').and_then(|rest| rest.split_once("] "));
        let bare = prefixed.map_or(&*named, |(_, bare)| bare);
        let sources: &[&str] = if is_of_jvm(bare) { &JVM_SOURCES } else { &[] };
        let folders = self.named.iter().map(|folder| &**folder).chain(prefixed.map(|_| "."));
        let folders = folders.chain(sources.iter().copied());
        let mut found: Vec<String> = folders
            .filter_map(|folder| {
                let joined = path::join(&path::join(&self.directory, folder), bare);
                let inside = Path::new(&joined)
                    .strip_prefix(&self.root)
                    .map_or(&*joined, |inside| inside.to_str().unwrap_or_default());
                let is_inside = !inside.is_empty() && !inside.starts_with('/') && !inside.starts_with("..");
                (is_inside && exists(&self.root.join(inside))).then(|| inside.to_owned())
            })
            .collect();
        found.sort();
        found.dedup();
        found.pop().filter(|_| found.is_empty()).or_else(|| self.of_module(file, exists))
    }

    /// A file of Go whose name begins with the last parts of its module's name: the rest is there.
    fn of_module(&self, file: &str, exists: fn(&Path) -> bool) -> Option<String> {
        if !is_of_go(file) {
            return None;
        }
        let named = path::within(&path::join(".", &self.directory), file);
        let rests = named.match_indices('/').take(MOST_OF_MODULE).map(|(at, _)| &named[at + 1..]);
        let mut there = rests.map(|rest| path::join(&self.directory, rest));
        there.find(|name| exists(&self.root.join(name)))
    }

    /// The name in the project of a file in the log. `at` is the offset in the log that names it, `folder`
    /// that of the job that names it.
    pub(super) fn name(&self, printed: &str, at: u64, folder: Option<&str>) -> String {
        let named = printed.strip_prefix("file://").unwrap_or(printed);
        if self.root.as_os_str().is_empty() {
            return named.to_owned();
        }
        if let Some(inside) = named.strip_prefix("${workspaceFolder}/") {
            return path::join(".", inside.trim_start_matches('/'));
        }
        if let Some(inside) = self.inside(named) {
            return inside;
        }
        let windows = named.contains('\\') || named.as_bytes().get(1) == Some(&b':');
        if named.starts_with(['/', '<', '~']) || windows || named.contains("://") {
            return named.to_owned();
        }
        let behind = self.folders.partition_point(|(from, _)| *from <= at);
        let entered = self.folders[..behind].last().and_then(|(_, folder)| folder.as_deref());
        let folder = entered.or(folder);
        let plain = named.strip_prefix("./").unwrap_or(named);
        if folder.is_none() && matches!(&*self.directory, "" | ".") && is_tidy(plain) {
            return plain.to_owned();
        }
        if let Some(task) = folder.filter(|folder| folder.starts_with('\0')) {
            return format!("{task}/{plain}");
        }
        let joined = path::join(&path::join(&self.directory, folder.unwrap_or(".")), named);
        self.inside(&joined).unwrap_or(joined)
    }

    /// The rest of a path below the root, which is absolute.
    fn inside(&self, path: &str) -> Option<String> {
        let inside = path.starts_with('/').then(|| Path::new(path).strip_prefix(&self.root).ok())??;
        Some(inside.display().to_string())
    }
}

/// The part of a name that stands for the folder of a task: where it begins, the task, and where the name goes on.
fn marked(text: &str) -> Option<(usize, &str, usize)> {
    let (before, marked) = text.split_once('\0')?;
    let (task, _) = marked.split_once("\0/")?;
    Some((before.len(), task, before.len() + task.len() + 3))
}

/// The task that failed, and the folder that it ran in.
fn failed_task(text: &str) -> Option<(&str, &str)> {
    let (task, rest) = text.split_once(FAILED_TASK)?;
    let (folder, _) = rest.split_once(") ")?;
    (task.contains('#') && !task.contains(' ')).then_some((task, folder))
}

/// The package that yarn says failed, and its folder.
fn failed_workspace(text: &str) -> Option<(&str, &str)> {
    let (package, folder) = text.strip_prefix(FAILED_WORKSPACE)?.split_once("@workspace:")?;
    Some((package, folder.split(' ').next().filter(|folder| !folder.is_empty() && *folder != ".")?))
}

fn is_of_jvm(file: &str) -> bool {
    [".java", ".kt", ".groovy", ".scala"].iter().any(|end| file.ends_with(end))
}

fn is_of_go(file: &str) -> bool {
    [".go"].iter().any(|end| file.ends_with(end))
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || "._-@".contains(c)
}

/// Whether nothing in a name leads nowhere or back.
fn is_tidy(name: &str) -> bool {
    !name.is_empty() && !name.split('/').any(|part| matches!(part, "" | "." | ".."))
}

/// The folder between quotes behind the words, where a build says them.
fn announced<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let (who, folder) = text.split_once(words)?;
    let program = who.split_once('[').map_or(who, |(program, _)| program);
    let builds = program.ends_with("make") || program.ends_with("make.exe") || program == "ninja";
    let folder = folder.strip_prefix(['\'', '`', '"'])?.strip_suffix(['\'', '"'])?;
    (builds && !program.contains(' ') && !folder.is_empty()).then_some(folder)
}

/// The folders that the command line of a script or recipe enters, `> cd web && tsc`, or names to a program, `> pnpm -C web tsc`.
fn commanded(text: &str) -> impl Iterator<Item = &str> {
    const OPTIONS: [&str; 7] = ["-C", "--dir", "--cwd", "--prefix", "--root", "--rootDir", "--filter"];
    let shown = text.strip_prefix("> ").or_else(|| text.strip_prefix("$ "));
    let line = shown.unwrap_or(text).trim_start_matches(['(', ' ']);
    let commands = line.starts_with("cd ").then(|| line.split(" && ")).into_iter().flatten();
    let entered = commands.filter_map(|command| command.trim_start_matches('(').strip_prefix("cd "));
    let mut words = shown.unwrap_or_default().split([' ', '=']);
    let named = std::iter::from_fn(move || {
        words.find(|word| OPTIONS.contains(word))?;
        Some(words.next().unwrap_or_default())
    });
    entered.chain(named).map(str::trim).filter(|folder| {
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '@');
        !folder.is_empty() && folder.chars().all(is_plain)
    })
}

/// The folder that pnpm and vitest say they begin in: `> web@1.0.0 test /a/packages/web`, ` RUN  v4.0.1 /a/packages/web`.
fn begun_in(text: &str) -> Option<&str> {
    let begins = text.starts_with("> ") && text.contains('@') || text.trim_start().starts_with(VITEST);
    let (_, folder) = text.trim_end().rsplit_once(" /").filter(|_| begins)?;
    let absolute = &text.trim_end()[text.trim_end().len() - folder.len() - 1..];
    (!absolute.contains(' ')).then_some(absolute)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_is_looked_for_where_programs_say_they_run() {
        let there = |path: &Path| {
            let file = path.to_str().unwrap_or_default();
            ["/r/packages/web/src/t.ts", "/r/internal/x/x_test.go"].contains(&file)
        };
        for line in [
            "> web@1.0.0 tc /r/packages/web",
            " RUN  v4.0.1 /r/packages/web",
            "> pnpm -C packages/web tc",
            "$ jest --rootDir=packages/web",
        ] {
            let mut files = BaseFolders::new(Path::new("/r"), Path::new(".")).seeing(there);
            files.learn(line, 0);
            assert_eq!(files.rename("src/t.ts", 9).as_deref(), Some("packages/web/src/t.ts"), "{line}");
            assert_eq!(files.rename("src/u.ts", 9), None, "{line}");
        }
        let files = BaseFolders::new(Path::new("/r"), Path::new(".")).seeing(there);
        assert_eq!(files.rename("svc/internal/x/x_test.go", 0).as_deref(), Some("internal/x/x_test.go"));
        assert_eq!(files.rename("svc/internal/y/x_test.go", 0), None);
    }

    #[test]
    fn names_begin_where_the_build_is() {
        let mut files = BaseFolders::new(Path::new("/home/me/tides"), Path::new("sub"));
        files.learn("make[1]: Entering directory '/home/me/tides/lib'", 10);
        files.learn("say: Entering directory 'elsewhere'", 15);
        files.learn("make[2]: Entering directory `/home/me/other'", 20);
        files.learn("make[2]: Leaving directory `/home/me/other'", 30);
        files.learn("make[1]: Leaving directory '/home/me/tides/lib'", 40);
        files.learn("ninja: Entering directory `build'", 50);
        for (at, name) in [
            (0, "sub/a.c"),
            (10, "lib/a.c"),
            (19, "lib/a.c"),
            (25, "/home/me/other/a.c"),
            (35, "lib/a.c"),
            (45, "sub/a.c"),
            (55, "sub/build/a.c"),
        ] {
            assert_eq!(files.name("./a.c", at, None), name, "{at}");
            assert_eq!(files.name("/home/me/tides/b/a.c", at, None), "b/a.c");
        }
    }

    #[test]
    fn tasks_say_at_their_end_where_they_ran() {
        let mut files = BaseFolders::new(Path::new("/home/me/tides"), Path::new("."));
        let folder = task_folder("@sea/web:build");
        let name = |files: &BaseFolders, printed: &str| files.name(printed, 5, Some(&folder));
        let names =
            ["./src/a.ts", "../core/b.ts", "/home/me/tides/c.ts"].map(|printed| name(&files, printed));
        assert_ne!(names[0], files.name("src/a.ts", 5, Some(&task_folder("core:build"))), "another file");
        assert_eq!(files.settled(&names[0]).as_deref(), Some("src/a.ts"), "nothing says where");
        files.learn(
            "@sea/web#build:  ERROR  command (/home/me/tides/packages/web) npm run build exited (2)",
            90,
        );
        files.learn("web build:  ERROR  command (/x) y", 91);
        assert_eq!(files.settled(&names[0]).as_deref(), Some("packages/web/src/a.ts"));
        assert_eq!(files.settled(&names[1]).as_deref(), Some("packages/core/b.ts"));
        assert_eq!((files.settled(&names[2]), &*names[2]), (None, "c.ts"));
        let cause = format!("caused by x ({}:1:2)", names[0]);
        assert_eq!(files.settled(&cause).as_deref(), Some("caused by x (packages/web/src/a.ts:1:2)"));
    }

    #[test]
    fn messages_name_files_from_the_root() {
        let files = BaseFolders::new(Path::new("/home/me/tides"), Path::new("."));
        let without = |message: &str| files.without_root(message);
        for (message, relative) in [
            ("no './x' in '/home/me/tides/src'", "no './x' in 'src'"),
            ("/home/me/tides/a.js: bad, see /home/me/tides/b.js", "a.js: bad, see b.js"),
        ] {
            assert_eq!(without(message).as_deref(), Some(relative));
        }
        for message in [
            "in /home/me/tides",
            "in /home/me/tides-2/a.js",
            "in /home/me/tides/",
            "in /mnt/home/me/tides/a.js",
            "file:///home/me/tides/a.js",
        ] {
            assert_eq!(without(message), None, "{message}");
        }
        assert_eq!(BaseFolders::default().without_root("/a"), None);
    }

    /// `cargo test` in a member of a workspace.
    #[test]
    fn a_file_that_is_named_from_the_root_is_found_from_a_folder_below() {
        let there = |path: &Path| path == Path::new("/r/crates/core/src/lib.rs");
        let files = BaseFolders::new(Path::new("/r"), Path::new("crates/core")).seeing(there);
        for (printed, expected) in [
            ("crates/core/src/lib.rs", Some("crates/core/src/lib.rs")),
            ("src/lib.rs", None),
            ("crates/core/src/gone.rs", None),
        ] {
            assert_eq!(files.rename(&files.name(printed, 5, None), 5).as_deref(), expected, "{printed}");
        }
    }

    #[test]
    fn missing_files_are_searched_in_the_folders_of_the_log() {
        let there = |path: &Path| {
            let known =
                ["web/src/a.ts", "src/b.ts", "web/src/b.ts", "web/c.ts", "api/c.ts", "lib/d.c", "e.c"];
            known.iter().any(|name| path == Path::new("/home/me/tides").join(name))
        };
        let mut files = BaseFolders::new(Path::new("/home/me/tides"), Path::new("."));
        files.learn("cd web && tsc", 5);
        assert_eq!(files.rename("src/a.ts", 10), None, "nobody looks");
        let mut files = files.seeing(there);
        for (text, at) in [
            ("> (cd api && tsc) && cd \"$HERE\" && echo", 20),
            ("look: cd src && x", 30),
            ("make[1]: Entering directory '/home/me/tides/lib'", 40),
            ("make[1]: Leaving directory '/home/me/tides/lib'", 50),
        ] {
            files.learn(text, at);
        }
        for (file, name) in [
            ("src/a.ts", Some("web/src/a.ts")),
            ("src/b.ts", None),
            ("c.ts", None),
            ("d.c", Some("lib/d.c")),
            ("nowhere.c", None),
            ("[1] e.c", Some("e.c")),
            ("[web] src/a.ts", Some("web/src/a.ts")),
            ("/usr/a.ts", None),
        ] {
            assert_eq!(files.rename(file, 60).as_deref(), name, "{file}");
        }
    }
}
