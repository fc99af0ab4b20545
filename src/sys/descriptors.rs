//! Descriptors that a process was started with.

use std::os::fd::RawFd;

/// Closes every descriptor but the first three and these. A host may have leaked pipes into cuff: they must end with
/// cuff, and the tool must not even find them under `/proc`.
#[expect(clippy::disallowed_methods, reason = "/dev/fd lists descriptors")]
pub(in crate::sys) fn close_all_but(kept: &[RawFd]) {
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
