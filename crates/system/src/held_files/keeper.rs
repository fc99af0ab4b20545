//! The thread that holds files: it releases a lease as soon as a writer comes, and hears of other files at their paths.
//!
//! SIGIO reaches this thread alone, which blocks it and reads it from a descriptor. So there is no handler, and no moment
//! at which the signal could end the process.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::thread;

use nix::errno::Errno;
use nix::libc::{self, pid_t};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify, WatchDescriptor};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::unistd::gettid;

use super::hold::{FileToHold, Hold, Keeps, Write};
use super::lease::{FileLease, NoLease};
use super::route::{RouteStep, route};

/// The most leases at a time: each takes one of the process's open files.
const MOST_LEASES: usize = 256;
/// How often a file with a writer is looked at, in milliseconds.
const LOOK_AGAIN: u8 = 1;
/// A file that is cut off and written anew is another for a moment. It has differed once so many looks say so in a row.
const LOOKS: u32 = 20;

/// The files of one holder, by their numbers.
#[derive(Debug)]
pub(super) struct HolderFiles {
    numbers: Vec<u64>,
    /// Why no file could be held at all.
    gap: Option<String>,
}

/// All that the thread and the holders share.
struct FileKeeper {
    thread: pid_t,
    inotify: Inotify,
    state: Mutex<KeeperState>,
}

#[derive(Default)]
struct KeeperState {
    next: u64,
    files: BTreeMap<u64, HeldFile>,
    folders: HashMap<WatchDescriptor, BTreeSet<(Option<OsString>, u64)>>,
}

struct HeldFile {
    path: PathBuf,
    lease: Option<FileLease>,
    keeps: Option<Keeps>,
    /// Whether a part of it must stay, and somebody may be writing it.
    is_open: bool,
    /// How many looks in a row found another part, while somebody was writing it.
    differing: u32,
    hold: Hold,
}

impl HolderFiles {
    pub(super) fn new(files: Vec<FileToHold>) -> Self {
        match keeper() {
            Ok(keeper) => Self { numbers: keeper.hold(files), gap: None },
            Err(why) => Self { numbers: files.iter().map(|_| 0).collect(), gap: Some(why.clone()) },
        }
    }

    pub(super) fn states(&self) -> Vec<Hold> {
        let Ok(keeper) = keeper() else {
            return vec![Hold { gap: self.gap.clone(), ..Hold::default() }; self.numbers.len()];
        };
        let mut state = keeper.state();
        keeper.look(&mut state);
        let hold = |number| state.files.get(number).map(|file| file.hold.clone()).unwrap_or_default();
        self.numbers.iter().map(hold).collect()
    }
}

impl Drop for HolderFiles {
    fn drop(&mut self) {
        if let Ok(keeper) = keeper() {
            keeper.release(&self.numbers);
        }
    }
}

/// The one keeper of this process, which starts with the first files.
fn keeper() -> &'static Result<FileKeeper, String> {
    static KEEPER: OnceLock<Result<FileKeeper, String>> = OnceLock::new();
    KEEPER.get_or_init(|| {
        let words = |error: Errno| format!("files cannot be watched: {}", error.desc());
        let inotify = Inotify::init(InitFlags::IN_CLOEXEC | InitFlags::IN_NONBLOCK).map_err(words)?;
        let (sender, receiver) = mpsc::channel();
        let run = move || match signals() {
            Ok(signals) => {
                let _ = sender.send(Ok(gettid().as_raw()));
                // The keeper is there as soon as its first caller has it.
                if let Ok(keeper) = KEEPER.wait() {
                    keeper.run(&signals);
                }
            }
            Err(error) => drop(sender.send(Err(error))),
        };
        thread::Builder::new().name("held-files".into()).spawn(run).map_err(|error| error.to_string())?;
        let thread = receiver.recv().map_err(|error| error.to_string())?.map_err(words)?;
        Ok(FileKeeper { thread, inotify, state: Mutex::default() })
    })
}

/// SIGIO, blocked in this thread and readable from a descriptor.
fn signals() -> Result<SignalFd, Errno> {
    let mut mask = SigSet::empty();
    mask.add(Signal::SIGIO);
    mask.thread_block()?;
    SignalFd::with_flags(&mask, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)
}

impl FileKeeper {
    fn state(&self) -> MutexGuard<'_, KeeperState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, signals: &SignalFd) {
        let mut timeout = PollTimeout::NONE;
        loop {
            let wanted = PollFlags::POLLIN;
            let mut ready = [PollFd::new(signals.as_fd(), wanted), PollFd::new(self.inotify.as_fd(), wanted)];
            let _ = poll(&mut ready, timeout);
            while matches!(signals.read_signal(), Ok(Some(_))) {}
            let mut state = self.state();
            self.look(&mut state);
            let is_open = state.files.values().any(|file| file.is_open);
            timeout = if is_open { LOOK_AGAIN.into() } else { PollTimeout::NONE };
        }
    }

    fn hold(&self, files: Vec<FileToHold>) -> Vec<u64> {
        // A lease that is broken from now on is found in the state, since the thread waits for it.
        let mut state = self.state();
        files.into_iter().map(|file| self.hold_one(&mut state, file)).collect()
    }

    fn hold_one(&self, state: &mut KeeperState, FileToHold { path, keeps }: FileToHold) -> u64 {
        state.next += 1;
        let number = state.next;
        let mut hold = Hold::default();
        for step in route(&path) {
            hold.gap = hold.gap.or(self.watch(state, step, number));
        }
        let leases = state.files.values().filter(|file| file.lease.is_some()).count();
        let lease = if leases < MOST_LEASES {
            FileLease::take(&path, self.thread)
        } else {
            Err(NoLease::Refused("too many files are held already".into()))
        };
        match &lease {
            Ok(_) | Err(NoLease::NoFile) => {}
            Err(NoLease::Busy) => hold.is_busy = true,
            Err(NoLease::Refused(why)) => hold.gap = Some(why.clone()),
        }
        state
            .files
            .insert(number, HeldFile { path, lease: lease.ok(), keeps, is_open: false, differing: 0, hold });
        number
    }

    /// Watches one step to a file; returns the reason where that is not possible.
    fn watch(
        &self,
        state: &mut KeeperState,
        RouteStep { folder, name }: RouteStep,
        number: u64,
    ) -> Option<String> {
        let stays = AddWatchFlags::IN_MOVE_SELF | AddWatchFlags::IN_DELETE_SELF;
        let names = AddWatchFlags::IN_CREATE | AddWatchFlags::IN_DELETE | AddWatchFlags::IN_MOVE;
        let more = AddWatchFlags::IN_ONLYDIR | AddWatchFlags::from_bits_retain(libc::IN_MASK_ADD);
        let flags = if name.is_some() { names | more } else { stays | more };
        match self.inotify.add_watch(&folder, flags) {
            Ok(watch) => {
                state.folders.entry(watch).or_default().insert((name, number));
                None
            }
            // Somebody else's folder, which nobody but that user moves.
            Err(Errno::EACCES) if name.is_none() => None,
            Err(error) => Some(format!("its folder cannot be watched: {}", error.desc())),
        }
    }

    fn release(&self, numbers: &[u64]) {
        let mut state = self.state();
        for number in numbers {
            state.files.remove(number);
        }
        state.folders.retain(|watch, steps| {
            steps.retain(|(_, number)| !numbers.contains(number));
            if steps.is_empty() {
                let _ = self.inotify.rm_watch(*watch);
            }
            !steps.is_empty()
        });
    }

    /// Takes in all that has happened. Writers come first, since they wait.
    fn look(&self, state: &mut KeeperState) {
        for file in state.files.values_mut() {
            if file.lease.as_ref().is_some_and(FileLease::is_broken) {
                file.lease = None;
                file.note_write();
            }
        }
        while let Ok(events) = self.inotify.read_events() {
            for event in events {
                state.note(event.wd, event.mask, event.name.as_ref());
            }
        }
        for file in state.files.values_mut().filter(|file| file.is_open) {
            file.look(self.thread);
        }
    }
}

impl KeeperState {
    fn note(&mut self, watch: WatchDescriptor, mask: AddWatchFlags, name: Option<&OsString>) {
        if mask.contains(AddWatchFlags::IN_Q_OVERFLOW) {
            for file in self.files.values_mut() {
                file.hold.gap = Some("more happened in folders than the system tells".into());
            }
        }
        let Some(steps) = self.folders.get(&watch) else { return };
        // Names are of entries in the folder; an event without one is of the folder itself.
        for (_, number) in steps.iter().filter(|(of, _)| name.is_none() || of.as_ref() == name) {
            if let Some(file) = self.files.get_mut(number) {
                file.note_write();
            }
        }
        if mask.contains(AddWatchFlags::IN_IGNORED) {
            self.folders.remove(&watch);
        }
    }
}

impl HeldFile {
    fn note_write(&mut self) {
        self.hold.write = self.hold.write.max(Write::Written);
        self.is_open = self.keeps.is_some() && self.hold.write != Write::Differed;
    }

    /// Looks at a file of which a part must stay, until nobody writes it any more.
    fn look(&mut self, thread: pid_t) {
        let Some(keeps) = &self.keeps else { return };
        self.lease = None;
        let lease = FileLease::take(&self.path, thread);
        let is_underway = matches!(lease, Err(NoLease::Busy | NoLease::NoFile));
        self.differing = if keeps() { 0 } else { self.differing + 1 };
        if self.differing > 0 && (!is_underway || self.differing > LOOKS) {
            self.hold.write = Write::Differed;
        }
        self.is_open = is_underway && self.hold.write != Write::Differed;
        self.lease = lease.ok();
    }
}

#[cfg(test)]
mod tests;
