//! The way of a child into containment, between fork and exec.

use std::borrow::Cow;
use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use nix::errno::Errno;
use nix::libc::{self, sock_filter, sock_fprog};
use nix::sched::CloneFlags;
use nix::sys::stat::stat;
use nix::unistd::chdir;

use super::filter::program;
use super::kept_rules::{KeptRules, KernelRules, RulesOrigin};
use super::looks::Looks;
use super::namespace::{HiddenPaths, Namespace, has_own_memory};
use super::{Confinement, files, privileges, system_calls};
use crate::folder::OpenFolder;
use crate::model::Contained;

/// The lack of a system without namespaces.
pub(super) const SHARED: &str = "shared memory: this system gives a run no mounts of its own, so that /dev/shm is every program's; \
     `containment: {write: [/dev/shm]}` accepts that";
/// No descriptor, and no error.
const NOTHING: i32 = -1;

/// The prepared way into containment. The child that goes it shares the memory of this process, and leaves its results here.
#[derive(Debug)]
pub(crate) struct Entrance {
    namespace: Option<Rc<Namespace>>,
    ruleset: Option<Rc<OwnedFd>>,
    filter: Rc<[sock_filter]>,
    probe: CString,
    missing: Vec<&'static str>,
    is_required: bool,
    /// Whether other programs' shared memory stays open to it.
    shares_memory: bool,
    has_namespace: AtomicBool,
    listener: AtomicI32,
    privileges_error: AtomicI32,
    files_error: AtomicI32,
    filter_error: AtomicI32,
    is_probe_refused: AtomicBool,
    is_inside: AtomicBool,
}

/// The results of a child that has entered.
#[derive(Debug)]
pub(crate) struct Entered {
    /// How much the kernel holds.
    pub(crate) contained: Contained,
    /// Whether the run can reach no process outside.
    pub(crate) holds_processes: bool,
    /// Where the judge hears of calls.
    pub(crate) listener: Option<OwnedFd>,
}

impl Entrance {
    /// Prepares it, with mounts of its own or without: a child can allocate nothing. Rules that were kept count again.
    ///
    /// # Errors
    /// When the rules cannot be made.
    pub(crate) fn prepare(
        confinement: &Confinement,
        terminal: Option<&Path>,
        has_namespace: bool,
        kept: &mut KeptRules,
    ) -> io::Result<Self> {
        let off = layers_off();
        let has_namespace = has_namespace && !off.contains("namespace");
        let terminal = terminal.map(Path::to_owned);
        let origin = RulesOrigin { confinement: Cow::Borrowed(confinement), terminal, has_namespace };
        let rules = match kept.of(&origin) {
            Some(rules) => rules,
            None => Self::rules(origin, &off, kept)?,
        };
        let KernelRules { files: (ruleset, missing), namespace, filter } = rules;
        Ok(Self {
            shares_memory: !has_namespace && has_own_memory(&confinement.fences),
            has_namespace: AtomicBool::new(false),
            namespace,
            ruleset,
            filter,
            probe: CString::new(confinement.probe.as_os_str().as_bytes())?,
            missing,
            is_required: confinement.is_required,
            listener: AtomicI32::new(NOTHING),
            privileges_error: AtomicI32::new(0),
            files_error: AtomicI32::new(0),
            filter_error: AtomicI32::new(0),
            is_probe_refused: AtomicBool::new(false),
            is_inside: AtomicBool::new(false),
        })
    }

    /// Makes the rules anew, and keeps them.
    fn rules(origin: RulesOrigin<'_>, off: &str, kept: &mut KeptRules) -> io::Result<KernelRules> {
        let (Confinement { fences, network, probe, .. }, mut looks) =
            (&*origin.confinement, Looks::default());
        let hidden = HiddenPaths::of(fences, origin.has_namespace, &mut looks);
        let files = if off.contains("landlock") {
            (None, vec!["files: switched off for a test"])
        } else {
            files::ruleset(&origin, &hidden, &mut looks)?
        };
        let closed = probe.parent().unwrap_or(Path::new("/"));
        let mut namespace = || Namespace::prepare(fences, &hidden, closed, &mut looks).map(Rc::new);
        let namespace = origin.has_namespace.then(&mut namespace).transpose()?;
        let filter =
            if off.contains("seccomp") { Vec::new() } else { program(&system_calls::rules(network)) };
        let rules = KernelRules { files, namespace, filter: filter.into() };
        kept.keep(origin, &rules, looks);
        Ok(rules)
    }

    /// The namespaces that the child is to start in.
    pub(crate) fn namespaces(&self) -> CloneFlags {
        self.namespace.as_deref().map_or(CloneFlags::empty(), Namespace::flags)
    }

    /// Whether the child did not start since this system gives it no mounts of its own. Another entrance without them is left.
    pub(crate) fn lacks_namespace(&self) -> bool {
        self.namespace.is_some() && !self.has_namespace.load(Ordering::Relaxed)
    }

    /// In the child: enters, and goes on in this folder, by its path and as it was found. Afterwards only an exec may follow.
    ///
    /// # Errors
    /// Where the system gives it no mounts of its own, where another folder has this path, and where containment is required and does not
    /// hold.
    pub(crate) fn pass(&self, path: &CStr, folder: &OpenFolder) -> nix::Result<()> {
        if let Some(namespace) = &self.namespace {
            namespace.enter()?;
            // The open folder lies in the mounts outside, where nothing is covered.
            chdir(path)?;
            if !folder.is_at(&stat(c".")?) {
                return Err(Errno::ESTALE);
            }
            self.ruleset.as_deref().map_or(Ok(()), files::grant_own_mounts)?;
            self.has_namespace.store(true, Ordering::Relaxed);
        }
        if let Err(error) = privileges::give_up() {
            self.privileges_error.store(error as i32, Ordering::Relaxed);
        }
        nix::sys::prctl::set_no_new_privs()?;
        match self.install_filter() {
            Ok(listener) => self.listener.store(listener, Ordering::Relaxed),
            Err(error) => self.filter_error.store(error as i32, Ordering::Relaxed),
        }
        // There can be one listener alone. Where somebody else's stands in the way, only a probe that is refused already tells that
        // the containment of an outer run holds.
        let is_busy = self.filter_error.load(Ordering::Relaxed) == Errno::EBUSY as i32;
        self.is_inside.store(is_busy && self.is_refused_the_probe(), Ordering::Relaxed);
        if !self.is_inside()
            && let Some(ruleset) = &self.ruleset
        {
            // SAFETY: the call takes numbers.
            #[expect(unsafe_code, reason = "the crate's own call allocates")]
            let result = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0) };
            if result != 0 {
                self.files_error.store(Errno::last() as i32, Ordering::Relaxed);
            }
        }
        // A kernel may take the rules and hold none of them.
        self.is_probe_refused.store(self.is_refused_the_probe(), Ordering::Relaxed);
        if self.is_required && !self.is_complete() { Err(Errno::ENOTSUP) } else { Ok(()) }
    }

    /// Whether the probe cannot be read.
    fn is_refused_the_probe(&self) -> bool {
        // SAFETY: the path ends with a zero and outlives the call.
        #[expect(unsafe_code, reason = "the library's own call allocates")]
        let opened = unsafe { libc::open(self.probe.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
        if opened >= 0 {
            let _ = nix::unistd::close(opened);
            return false;
        }
        // A cover has nothing below it.
        let is_covered = self.has_namespace.load(Ordering::Relaxed) && Errno::last() == Errno::ENOENT;
        is_covered || Errno::last() == Errno::EACCES
    }

    /// Installs the filter, and returns the listener of its questions.
    fn install_filter(&self) -> nix::Result<i32> {
        if self.filter.is_empty() {
            return Err(Errno::ENOSYS);
        }
        let length = libc::c_ushort::try_from(self.filter.len()).map_err(|_| Errno::E2BIG)?;
        // The kernel only reads it.
        let program = sock_fprog { len: length, filter: self.filter.as_ptr().cast_mut() };
        let listening = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
        // A signal does not interrupt a call that is being judged, and killing does. Older kernels do not know that.
        for flags in [listening | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, listening] {
            // SAFETY: the program outlives the call.
            #[expect(unsafe_code, reason = "no crate of ours has this call")]
            let result = unsafe {
                libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const program)
            };
            match i32::try_from(result) {
                Ok(listener @ 0..) => return Ok(listener),
                _ if Errno::last() == Errno::EINVAL => {}
                _ => return Err(Errno::last()),
            }
        }
        Err(Errno::EINVAL)
    }

    /// Whether containment of an outer run holds here already.
    fn is_inside(&self) -> bool {
        self.is_inside.load(Ordering::Relaxed)
    }

    /// Whether nothing is missing.
    fn is_complete(&self) -> bool {
        self.holds() && (self.is_inside() || !self.shares_memory)
    }

    /// Whether nothing is missing but memory of its own, by which a run stops or becomes no other process.
    fn holds(&self) -> bool {
        let is_refused = self.is_probe_refused.load(Ordering::Relaxed);
        if self.is_inside() {
            return is_refused;
        }
        is_refused
            && self.missing.is_empty()
            && self.privileges_error.load(Ordering::Relaxed) == 0
            && self.filter_error.load(Ordering::Relaxed) == 0
            && self.files_error.load(Ordering::Relaxed) == 0
    }

    /// In the supervisor, once the child has become the program or has ended: its results.
    pub(crate) fn results(self) -> Entered {
        let listener = match self.listener.load(Ordering::Relaxed) {
            // SAFETY: the child has made it in the table of descriptors that both had in common, and knows it no more.
            #[expect(unsafe_code, reason = "the kernel hands descriptors over as numbers")]
            number @ 0.. => Some(unsafe { OwnedFd::from_raw_fd(number) }),
            _ => None,
        };
        Entered { contained: self.contained(), holds_processes: self.holds(), listener }
    }

    fn contained(&self) -> Contained {
        if self.is_complete() {
            return Contained::Yes;
        }
        let mut missing: Vec<String> = self.missing.iter().map(ToString::to_string).collect();
        let mut note = |error: &AtomicI32, what: &str| {
            let error = error.load(Ordering::Relaxed);
            if error != 0 {
                missing.push(format!("{what} ({})", Errno::from_raw(error).desc()));
            }
            error != 0
        };
        note(&self.privileges_error, "privileges: the kernel did not take them");
        let has_no_filter = note(&self.filter_error, "system calls: this system takes no filter that asks");
        let has_no_files =
            note(&self.files_error, "files: the kernel refused the rules") || self.ruleset.is_none();
        if !self.is_probe_refused.load(Ordering::Relaxed) && !has_no_files {
            missing.push("files: the kernel took the rules, and a hidden file could be read".to_owned());
        }
        if self.shares_memory {
            missing.push(SHARED.to_owned());
        }
        if has_no_filter && has_no_files {
            Contained::No(missing.join("; "))
        } else {
            Contained::Partly(missing)
        }
    }

    /// Whether a required containment did not come about.
    pub(crate) fn is_short(&self) -> bool {
        self.is_required && !self.is_complete()
    }
}

/// The layers that a test switches off. Only a debug build knows how.
#[expect(clippy::disallowed_methods, reason = "a supervisor has no environment of the caller's")]
fn layers_off() -> String {
    if !cfg!(debug_assertions) {
        return String::new();
    }
    std::env::var("CUFF_TEST_LAYERS_OFF").unwrap_or_default()
}
