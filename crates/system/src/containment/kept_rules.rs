//! The rules of one run as the kernel takes them, kept for the next run of the same supervisor: to find hundreds of paths, and to name
//! them to the kernel, takes longer than all else of a short run.

use std::borrow::Cow;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

use nix::libc::sock_filter;

use super::Confinement;
use super::looks::Looks;
use super::namespace::Namespace;
use crate::process_table::now;

/// How long rules are kept: what was mounted over a path meanwhile has none. So long no run asks again for what the system refuses.
const LONGEST: Duration = Duration::from_mins(5);
/// How many runs have the same rules: each adds those of its own mounts.
const MOST_RUNS: u32 = 64;

/// The rules of the run before, if it had some.
#[derive(Debug, Default)]
pub(crate) struct KeptRules {
    kept: Option<Kept>,
    /// Until when no run asks for mounts of its own, since this system gave none.
    without_namespace: Option<Instant>,
}

#[derive(Debug)]
struct Kept {
    of: RulesOrigin<'static>,
    rules: KernelRules,
    looks: Looks,
    until: Instant,
    runs: u32,
}

/// All that rules are made from, beside the files themselves.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RulesOrigin<'a> {
    pub(super) confinement: Cow<'a, Confinement>,
    pub(super) terminal: Option<PathBuf>,
    pub(super) has_namespace: bool,
}

/// Rules as the kernel takes them.
#[derive(Debug, Clone)]
pub(super) struct KernelRules {
    pub(super) files: FileRules,
    pub(super) namespace: Option<Rc<Namespace>>,
    /// The filter of system calls; empty where a test switches it off.
    pub(super) filter: Rc<[sock_filter]>,
}

/// The rules of files; `None` where this kernel has none. With them the rules that it does not know.
pub(super) type FileRules = (Option<Rc<OwnedFd>>, Vec<&'static str>);

impl KeptRules {
    /// The rules that were made from the same, where everything is as it was then.
    pub(super) fn of(&mut self, origin: &RulesOrigin<'_>) -> Option<KernelRules> {
        let kept = self.kept.as_mut()?;
        kept.runs += 1;
        let is_same = kept.of == *origin && kept.runs < MOST_RUNS && now() < kept.until && kept.looks.hold();
        is_same.then(|| kept.rules.clone())
    }

    /// Whether a run may get mounts of its own.
    pub(crate) fn may_have_namespace(&self) -> bool {
        self.without_namespace.is_none_or(|until| now() >= until)
    }

    /// Notes that this system gave a run no mounts of its own.
    pub(crate) fn note_no_namespace(&mut self) {
        self.without_namespace = Some(now() + LONGEST);
    }

    /// Keeps rules, unless something that they were made of was still changing.
    pub(super) fn keep(&mut self, of: RulesOrigin<'_>, rules: &KernelRules, looks: Looks) {
        let until = now() + LONGEST;
        let of = RulesOrigin { confinement: Cow::Owned(of.confinement.into_owned()), ..of };
        let kept = |looks: Looks| Kept {
            of,
            rules: rules.clone(),
            looks: looks.without_repetition(),
            until,
            runs: 0,
        };
        self.kept = looks.are_settled().then(|| kept(looks));
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test changes files as others do")]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::thread::sleep;

    use super::*;
    use crate::model::{Fences, Network};

    fn origin(writable: &str) -> RulesOrigin<'static> {
        let confinement = Confinement {
            fences: Fences { writable: vec![writable.into()], ..Fences::default() },
            sockets: Vec::new(),
            network: Network::Closed,
            ports: PathBuf::new(),
            probe: PathBuf::new(),
            is_required: false,
        };
        RulesOrigin { confinement: Cow::Owned(confinement), terminal: None, has_namespace: true }
    }

    /// Rules that were made of a folder's names and of a file in another folder.
    fn kept(names: &Path, file: &Path) -> KeptRules {
        let (mut kept, mut looks) = (KeptRules::default(), Looks::default());
        looks.at_names(names);
        looks.open(file);
        let rules = KernelRules { files: (None, vec!["a lack"]), namespace: None, filter: Rc::new([]) };
        kept.keep(origin("a"), &rules, looks);
        kept
    }

    fn is_kept(kept: &mut KeptRules) -> bool {
        kept.of(&origin("a")).is_some_and(|rules| rules.files.1 == ["a lack"])
    }

    #[test]
    fn rules_count_again_while_the_names_and_the_files_that_they_are_of_are_the_same() {
        let (names, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let file = other.path().join("file");
        fs::write(&file, "").expect("a file");
        fs::write(names.path().join("first"), "").expect("a file");
        let mut early = kept(names.path(), &file);
        assert!(!is_kept(&mut early), "a folder that changes now may change again without another time");
        sleep(Duration::from_millis(60));
        let mut rules = kept(names.path(), &file);
        fs::write(names.path().join("first"), "changed").expect("a file");
        fs::write(other.path().join("beside"), "").expect("a file");
        assert!(is_kept(&mut rules) && is_kept(&mut rules));
        assert!(rules.of(&origin("b")).is_none(), "rules for another folder");
        fs::write(names.path().join("second"), "").expect("a file");
        assert!(!is_kept(&mut rules), "a new name");
        sleep(Duration::from_millis(60));
        let mut rules = kept(names.path(), &file);
        assert!(is_kept(&mut rules));
        fs::rename(other.path().join("beside"), &file).expect("a file");
        assert!(!is_kept(&mut rules), "another file by the same name");
    }

    #[test]
    fn what_was_not_there_is_seen_when_it_comes() {
        for (missing, made) in
            [("a", "a"), ("a/b", "a/b"), ("a/b", "a"), ("there/c/d", "there/c/d"), ("there/c", "there/c")]
        {
            let names = tempfile::tempdir().expect("a folder");
            fs::create_dir(names.path().join("there")).expect("a folder");
            sleep(Duration::from_millis(60));
            let (mut kept, mut looks) = (KeptRules::default(), Looks::default());
            looks.at_names(names.path());
            looks.at(&names.path().join("a"));
            looks.at(&names.path().join(missing));
            let rules = KernelRules { files: (None, vec!["a lack"]), namespace: None, filter: Rc::new([]) };
            kept.keep(origin("a"), &rules, looks);
            assert!(is_kept(&mut kept), "{missing}");
            fs::create_dir_all(names.path().join(made)).expect("a folder");
            assert!(!is_kept(&mut kept), "{missing}: {made}");
        }
    }

    #[test]
    fn rules_are_made_anew_after_many_runs() {
        let folder = tempfile::tempdir().expect("a folder");
        sleep(Duration::from_millis(60));
        let mut rules = kept(folder.path(), folder.path());
        let runs = (0..MOST_RUNS).filter(|_| is_kept(&mut rules)).count();
        assert_eq!(runs, 63);
    }
}
