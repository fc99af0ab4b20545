//! The fixpoint: wants are answered until nothing new is wanted.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use super::place::ProjectPlace;
use super::view::ProjectView;
use crate::model::{ErrorCode, Files, Location, Probe, Probed, Problem, ProgramFile, Seen, Want};
use crate::sys::{self, Stamped};

/// How often a plugin may want more after it saw something.
const MOST_ROUNDS: usize = 64;
/// How many wants one discovery may have.
const MOST_WANTS: usize = 10_000;
/// In how many folders a file of a program is looked for: its own, and those above it.
const PROGRAM_FOLDERS: usize = 4;
/// How many bytes of files one discovery may hold, but for the last file.
const MOST_BYTES: usize = 128 * 1024 * 1024;
/// Folders of what managers installed, whose links lead to stores.
const INSTALLED: [&str; 2] = ["node_modules", ".venv"];

/// A look under way. It stands still at each probe, which somebody else must answer: that takes time.
pub(super) struct LookInProgress<'a, Wants> {
    place: ProjectPlace<'a>,
    wants: Wants,
    /// The view of this look alone, where none is shared.
    own: ProjectView,
    files: Files,
    stamped: Vec<Arc<Stamped>>,
    open: VecDeque<Want>,
    rounds: usize,
    answered: usize,
    bytes: usize,
    most_bytes: usize,
    /// Paths below which nothing is read.
    hidden: Vec<PathBuf>,
    /// The first file that was not read.
    unread: Option<Problem>,
    cut: Option<Problem>,
}

/// The end of a look.
#[derive(Debug)]
pub(super) struct LookResult {
    pub(super) files: Files,
    /// Why the look was cut short, or what it did not read.
    pub(super) problem: Option<Problem>,
    /// The stamps of what was seen, but for programs that were run and files that belong to programs.
    pub(super) stamped: Vec<Arc<Stamped>>,
}

impl<'a, Wants: FnMut(&Files) -> Vec<Want>> LookInProgress<'a, Wants> {
    pub(super) fn new(place: ProjectPlace<'a>, wants: Wants) -> Self {
        Self::within(MOST_BYTES, place, wants)
    }

    fn within(most_bytes: usize, place: ProjectPlace<'a>, wants: Wants) -> Self {
        let (files, open, stamped) = (Files::default(), VecDeque::new(), Vec::new());
        let own = ProjectView::since(SystemTime::UNIX_EPOCH);
        Self {
            place,
            wants,
            own,
            files,
            stamped,
            open,
            rounds: 0,
            answered: 0,
            bytes: 0,
            most_bytes,
            hidden: Vec::new(),
            unread: None,
            cut: None,
        }
    }

    /// Reads nothing below these paths, which have no links in them.
    pub(super) fn without(self, hidden: Vec<PathBuf>) -> Self {
        Self { hidden, ..self }
    }

    /// The sight of a file that may be hidden.
    fn unhidden(&self, seen: Seen) -> Seen {
        match seen {
            Seen::File(file) if self.hidden.iter().any(|hidden| file.canonical.starts_with(hidden)) => {
                Seen::Unreadable("the settings hide it: `hide` in `containment`".to_owned())
            }
            seen => seen,
        }
    }

    /// Answers wants up to the next probe; `None` when it is over.
    pub(super) fn go_on(&mut self) -> Option<Probe> {
        while self.cut.is_none() {
            let Some(want) = self.open.pop_front() else {
                if self.ask_again() {
                    continue;
                }
                return None;
            };
            self.answered += 1;
            if self.answered > MOST_WANTS {
                self.cut = Some(cut_short("it names too many files"));
            } else if self.bytes > self.most_bytes {
                self.cut = Some(cut_short("the files that it names are too large together"));
            } else if !self.files.answers(&want)
                && let Some(probe) = self.look_at(want)
            {
                return Some(probe);
            }
        }
        None
    }

    /// Answers at once, unless it is a probe.
    fn look_at(&mut self, want: Want) -> Option<Probe> {
        let (ProjectPlace { root, environment, .. }, view) = (self.place, self.view());
        match want {
            Want::File(path) => {
                let (seen, stamped) = view.file(root, &path);
                let seen = self.unhidden(seen);
                self.note_unread(&path, &seen);
                self.bytes += size(&seen);
                self.stamped.push(stamped);
                self.files.files.insert(path, seen);
            }
            Want::Glob(glob) => {
                let (mut matches, stamped) = view.matches(root, &glob);
                if !self.hidden.is_empty() {
                    for seen in Arc::make_mut(&mut matches).found.values_mut() {
                        *seen = self.unhidden(std::mem::replace(seen, Seen::Missing));
                    }
                }
                self.bytes += matches.found.values().map(size).sum::<usize>();
                self.stamped.push(stamped);
                self.files.globs.insert(glob, matches);
            }
            Want::Program(name) => {
                let (found, stamped) = view.program(root, environment, &name);
                self.stamped.push(stamped);
                self.files.programs.insert(name, found);
            }
            Want::ProgramFile(file) => {
                let seen = self.program_file(&file);
                self.bytes += size(&seen);
                self.files.program_files.insert(file, seen);
            }
            Want::Probe(probe) => return Some(probe),
        }
        None
    }

    /// Notes that a file was not read since a link leads out of the project. Of what managers installed its presence is all that counts.
    fn note_unread(&mut self, path: &str, seen: &Seen) {
        let is_installed = path.split('/').any(|part| INSTALLED.contains(&part));
        if let Seen::File(file) = seen
            && file.is_withheld()
            && !is_installed
        {
            let place = file.canonical.display();
            let message = format!("a link leads out of the project, to {place}, where cuff reads nothing");
            let problem = Problem::warning(message).at(Location::file(path));
            self.unread.get_or_insert(problem.help("put a copy in its place"));
        }
    }

    fn view(&self) -> &ProjectView {
        self.place.view.unwrap_or(&self.own)
    }

    /// Looks at everything anew from now on, since a process ran.
    pub(super) fn forget(&self) {
        self.view().forget();
    }

    fn program_file(&self, ProgramFile { command, name }: &ProgramFile) -> Seen {
        let ProjectPlace { root, environment, .. } = self.place;
        let search_path = sys::programs::search_path(command, environment);
        let program = sys::programs::find(&command.program.text, search_path, &root.join(&command.directory));
        let program = program.map(|program| sys::files::canonical(&program)).unwrap_or_default();
        let folders = program.ancestors().skip(1).take(PROGRAM_FOLDERS);
        let mut seen = folders.map(|folder| self.view().unstamped(&folder.join(name)));
        seen.find(|seen| matches!(seen, Seen::File(_))).unwrap_or(Seen::Missing)
    }

    /// Takes the answer to the probe that it stands at.
    pub(super) fn answer(&mut self, probe: Probe, probed: Probed) {
        self.files.probes.insert(probe, probed);
    }

    /// Everything that was seen.
    pub(super) fn end(self) -> LookResult {
        LookResult { files: self.files, problem: self.cut.or(self.unread), stamped: self.stamped }
    }

    /// Goes on to the end. Each probe learns that nobody may carry it out.
    pub(super) fn end_without_probes(mut self) -> LookResult {
        while let Some(probe) = self.go_on() {
            self.answer(probe, not_allowed());
        }
        self.end()
    }

    /// Asks what is wanted now that more was seen; `false` when that is nothing new.
    fn ask_again(&mut self) -> bool {
        let files = &self.files;
        self.open = (self.wants)(files).into_iter().filter(|want| !files.answers(want)).collect();
        if self.open.is_empty() {
            return false;
        }
        self.rounds += 1;
        if self.rounds > MOST_ROUNDS {
            self.cut = Some(cut_short("each file it names leads to another"));
        }
        true
    }
}

/// A whole look where no probe may be carried out.
pub(super) fn without_probes(place: ProjectPlace<'_>, wants: impl FnMut(&Files) -> Vec<Want>) -> LookResult {
    LookInProgress::new(place, wants).end_without_probes()
}

/// The answer to a probe where nobody may carry it out.
pub(super) fn not_allowed() -> Probed {
    Probed::Nothing { fault: ErrorCode::NotReady, why: "there is no settings.yml that allows it".into() }
}

fn size(seen: &Seen) -> usize {
    match seen {
        Seen::File(file) => file.bytes.len(),
        Seen::Missing | Seen::Unreadable(_) => 0,
    }
}

fn cut_short(why: &str) -> Problem {
    Problem::error(
        ErrorCode::SourceInvalid,
        format!("discovery was cut short: {why}; what was found until then is offered"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Change, Command, File, Origin, Word};
    use crate::sys::Environment;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test makes the files that are looked at")]
    fn a_file_of_a_program_lies_beside_what_its_links_lead_to_or_above() {
        use std::fs;
        use std::os::unix::fs::{PermissionsExt as _, symlink};

        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        fs::create_dir_all(at("lib/tool/deep/bin")).unwrap();
        fs::create_dir_all(at("bin")).unwrap();
        fs::write(at("lib/tool/deep/bin/run"), "").unwrap();
        fs::set_permissions(at("lib/tool/deep/bin/run"), fs::Permissions::from_mode(0o755)).unwrap();
        symlink("../lib/tool/deep/bin/run", at("bin/tool")).unwrap();
        let environment = Environment::new(folder.path(), [("PATH", "/nowhere")]);
        let place = ProjectPlace::of(folder.path(), &environment);
        let said = |search_path: Option<&str>| {
            let change = search_path.map(|value| Change::new("PATH", value, Origin::Settings));
            let command = Command::new(Word::fixed("tool")).environment(change);
            let wanted = ProgramFile { command, name: "about".into() };
            let LookResult { files, .. } = without_probes(place, |_| vec![Want::ProgramFile(wanted.clone())]);
            let text = |file: &File| String::from_utf8_lossy(&file.bytes).into_owned();
            (files.program_files.len(), files.program_file(&wanted).map(text))
        };
        let found = |text: &str| (1, Some(text.to_owned()));
        fs::write(at("bin/about"), "of the link").unwrap();
        fs::write(at("about"), "too far above").unwrap();
        assert_eq!(said(Some("bin")), (1, None));
        fs::write(at("lib/about"), "above").unwrap();
        assert_eq!(said(Some("bin")), found("above"));
        fs::create_dir(at("lib/tool/about")).unwrap();
        fs::write(at("lib/tool/deep/about"), "nearest").unwrap();
        assert_eq!(said(Some("bin")), found("nearest"));
        assert_eq!(said(None), (1, None), "the command's own search path counts");
    }

    #[test]
    fn the_bytes_of_all_files_are_bounded() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a", "b", "c"] {
            #[expect(clippy::disallowed_methods, reason = "the test makes the files that are looked at")]
            std::fs::write(folder.path().join(name), [b'x'; 100]).unwrap();
        }
        let environment = Environment::default();
        let place = ProjectPlace::of(folder.path(), &environment);
        let wants = |_: &Files| ["a", "b", "c"].map(|name| Want::File(name.into())).into();
        for (most, seen, cut) in [(300, 3, false), (200, 3, false), (199, 2, true), (0, 1, true)] {
            let mut look = LookInProgress::within(most, place, wants);
            assert_eq!(look.go_on(), None);
            let LookResult { files, problem, .. } = look.end();
            assert_eq!((files.files.len(), problem.is_some()), (seen, cut), "at most {most}");
        }
    }
}
