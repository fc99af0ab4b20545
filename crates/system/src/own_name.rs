//! The name of this process in lists of processes, where it is not that of its program.

#[cfg(target_os = "linux")]
use std::sync::OnceLock;

/// Where the words of this process are; a fork has them at the same place.
#[cfg(target_os = "linux")]
static WORDS: OnceLock<Option<(usize, usize)>> = OnceLock::new();

/// Names this process, in at most 15 bytes: in `/proc/PID/stat`, and where there is room also in place of the words that
/// cuff was started with. A fork is listed with those otherwise, and whoever ends "cuff serve" by its words would end the
/// supervisors of its runs as well.
#[cfg(target_os = "linux")]
pub(crate) fn set(name: &str) {
    if let Ok(name) = std::ffi::CString::new(name) {
        let _ = nix::sys::prctl::set_name(&name);
    }
    let words = || super::process_table::words_at(nix::unistd::Pid::this());
    if let Some((start, end)) = WORDS.get_or_init(words) {
        replace_words(name.as_bytes(), *start, *end);
    }
}

/// Nothing: macOS has no call that names a process. There is no fork here either, a supervisor is a second start of cuff.
#[cfg(not(target_os = "linux"))]
pub(crate) fn set(_name: &str) {}

/// Writes this over the words at an address; what there is no room for is left out.
#[cfg(target_os = "linux")]
fn replace_words(name: &[u8], start: usize, end: usize) {
    let Some(room) = end.checked_sub(start + 1) else { return };
    let length = room.min(name.len());
    let words = std::ptr::with_exposed_provenance_mut::<u8>(start);
    // SAFETY: the kernel says that the words of this process are from `start` to `end`. They are its own to write, and
    // nothing refers to them: the library copies a word each time that it is asked for one.
    #[expect(unsafe_code, reason = "the words of a process are where the kernel has put them")]
    unsafe {
        std::ptr::copy_nonoverlapping(name.as_ptr(), words, length);
        std::ptr::write_bytes(words.add(length), 0, room + 1 - length);
    }
}
