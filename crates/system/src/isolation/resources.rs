//! An end to what the process may take.

use std::io;

use nix::sys::resource::{Resource, getrlimit, rlim_t, setrlimit};

/// Standard input, output and error: no number is left for another descriptor.
const DESCRIPTORS: rlim_t = 3;

/// How much the process may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Memory beyond what it has now, in bytes.
    pub memory: u64,
    /// Stack, in bytes.
    pub stack: u64,
    /// Processor time beyond what it has taken, in whole seconds.
    pub seconds: u64,
}

/// The limits, to be set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Resources {
    bounds: Bounds,
    address_space: rlim_t,
}

impl Resources {
    /// Looks how much there is already. It reads a file.
    pub(super) fn beyond(bounds: Bounds) -> Self {
        Self { bounds, address_space: address_space().saturating_add(bounds.memory) }
    }

    /// Sets each limit, soft and hard: nobody without privileges can raise it again.
    ///
    /// # Errors
    /// When the system refuses one.
    pub(super) fn limit(self) -> io::Result<()> {
        // A crash must not write what was in memory to disk.
        set(Resource::RLIMIT_CORE, 0)?;
        set(Resource::RLIMIT_FSIZE, 0)?;
        set(Resource::RLIMIT_NOFILE, DESCRIPTORS)?;
        deny_processes_and_locked_memory()?;
        set(Resource::RLIMIT_STACK, self.bounds.stack)?;
        // A second later than the soft limit, which says why, comes the end.
        let seconds = processor_seconds() + self.bounds.seconds;
        setrlimit(Resource::RLIMIT_CPU, seconds, seconds + 1)?;
        set(Resource::RLIMIT_AS, self.address_space)
    }
}

/// No more than what the limit is already.
fn set(resource: Resource, limit: rlim_t) -> io::Result<()> {
    let (_, hard) = getrlimit(resource)?;
    let limit = limit.min(hard);
    Ok(setrlimit(resource, limit, limit)?)
}

#[cfg(not(target_os = "macos"))]
fn deny_processes_and_locked_memory() -> io::Result<()> {
    set(Resource::RLIMIT_NPROC, 0)?;
    set(Resource::RLIMIT_MEMLOCK, 0)
}

/// nix has no name for either limit on macOS.
#[cfg(target_os = "macos")]
fn deny_processes_and_locked_memory() -> io::Result<()> {
    use nix::errno::Errno;
    use nix::libc;

    let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    [libc::RLIMIT_NPROC, libc::RLIMIT_MEMLOCK].into_iter().try_for_each(|resource| {
        // SAFETY: the call reads one `rlimit`, which outlives it.
        #[expect(unsafe_code, reason = "nix has no name for these limits here")]
        let done = unsafe { libc::setrlimit(resource, &raw const none) };
        Ok(Errno::result(done).map(drop)?)
    })
}

/// The seconds that this process has taken, rounded up.
fn processor_seconds() -> rlim_t {
    use nix::sys::resource::{UsageWho, getrusage};

    let used = getrusage(UsageWho::RUSAGE_SELF)
        .map(|usage| usage.user_time().tv_sec() + usage.system_time().tv_sec());
    rlim_t::try_from(used.unwrap_or_default()).unwrap_or_default() + 1
}

/// The size of all mappings, in bytes: most of it is the program itself, and never touched.
#[cfg(target_os = "linux")]
#[expect(clippy::disallowed_methods, reason = "this is sys; the kernel tells this by a file")]
fn address_space() -> rlim_t {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages: Option<rlim_t> = pages.and_then(|text| text.split(' ').next()?.parse().ok());
    // Without the file, more than any start takes.
    pages.map_or(1 << 30, |pages| pages * 4096)
}

#[cfg(not(target_os = "linux"))]
fn address_space() -> rlim_t {
    // Shared libraries alone take more than a limit could be; the interpreter's own limit of memory holds.
    rlim_t::MAX / 2
}
