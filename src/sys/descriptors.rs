//! Descriptors that a process was started with.

use std::os::fd::RawFd;

/// Closes every descriptor but the first three. A host may have leaked pipes into cuff: they must end with
/// cuff, and the tool must not even find them under `/proc`.
pub(in crate::sys) fn close_inherited() {
    close_others(None);
}

/// The same, and keeps one more.
#[expect(clippy::disallowed_methods, reason = "/dev/fd lists descriptors")]
pub(in crate::sys) fn close_others(kept: Option<RawFd>) {
    let listed = std::fs::read_dir("/dev/fd").map(|folder| {
        folder.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect::<Vec<RawFd>>()
    });
    // Without the list, all that a process may have by default.
    let descriptors = listed.unwrap_or_else(|_| (0..1024).collect());
    for descriptor in descriptors.into_iter().filter(|found| *found > 2 && Some(*found) != kept) {
        // Nothing in this process owns a descriptor yet but the first three.
        let _ = nix::unistd::close(descriptor);
    }
}
