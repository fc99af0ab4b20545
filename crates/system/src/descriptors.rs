//! Descriptors that a process was started with.

use std::os::fd::RawFd;

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// Lets this process have as many descriptors as the system allows it: each run that it waits for has some. Processes that were forked
/// before keep their limit, and so do the tools that those start.
pub fn raise_limit() {
    if let Ok((_, most)) = getrlimit(Resource::RLIMIT_NOFILE) {
        // Where it is refused, runs fail with the system's own words once there are too many.
        let _ = setrlimit(Resource::RLIMIT_NOFILE, most, most);
    }
}

/// Closes every descriptor but the first three and these. A host may have leaked pipes into cuff: they must end with
/// cuff, and the tool must not even find them under `/proc`.
pub(crate) fn close_all_but(kept: &[RawFd]) {
    if close_ranges_between(kept).is_none() {
        close_listed(kept);
    }
}

/// Closes them by ranges; `None` where the operating system knows no ranges.
#[cfg(target_os = "linux")]
fn close_ranges_between(kept: &[RawFd]) -> Option<()> {
    let mut kept: Vec<u32> = kept.iter().filter_map(|number| u32::try_from(*number).ok()).collect();
    kept.sort_unstable();
    let mut first = 3;
    for number in kept.into_iter().filter(|number| *number > 2) {
        close_range(first, number.checked_sub(1)?)?;
        first = number + 1;
    }
    close_range(first, u32::MAX)
}

#[cfg(not(target_os = "linux"))]
fn close_ranges_between(_: &[RawFd]) -> Option<()> {
    None
}

/// Closes from one number to another, both included.
#[cfg(target_os = "linux")]
fn close_range(first: u32, last: u32) -> Option<()> {
    if first > last {
        return Some(());
    }
    // SAFETY: nothing that this process will still do uses one of them. The library of an old system has no name for the call.
    #[expect(unsafe_code, reason = "the library offers no call for a range")]
    let done = unsafe { nix::libc::syscall(nix::libc::SYS_close_range, first, last, 0) };
    (done == 0).then_some(())
}

/// Closes them one by one.
#[expect(clippy::disallowed_methods, reason = "/dev/fd lists descriptors")]
fn close_listed(kept: &[RawFd]) {
    let listed = std::fs::read_dir("/dev/fd").map(|folder| {
        folder.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect::<Vec<RawFd>>()
    });
    // Without the list, all that a process may have by default.
    let descriptors = listed.unwrap_or_else(|_| (0..1024).collect());
    for descriptor in descriptors.into_iter().filter(|number| *number > 2 && !kept.contains(number)) {
        // Nothing that this process will still do uses another one.
        let _ = nix::unistd::close(descriptor);
    }
}
