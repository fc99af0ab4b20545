//! The heap, for a process that makes many small values and ends soon, and for one that stays.

/// Has the kernel give the heap its memory in large pages, where it gives any, once the process turns out to need much.
///
/// To be given thousands of pages one by one would take a list of 1,500 tools a tenth of its time, 10 of 96 ms. Nothing is given back before the
/// end, so this is not for a process that stays. A small project's list needs none of it, and pays for two system calls.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn expect_many_values() {
    use nix::libc::{MADV_HUGEPAGE, c_int, madvise};

    /// A large page, in bytes. Where it is another size, the advice is as good.
    const PAGE: usize = 2 << 20;
    /// As much as an ordinary list needs, in bytes; to clear a large page for that would take longer.
    const ORDINARY: usize = 512 << 10;
    /// The largest block that the C library takes from the heap, in bytes.
    const LARGEST: c_int = 32 << 20;

    if !keep(LARGEST, c_int::MAX) {
        return;
    }
    // One block, freed at once: what follows is taken from there. Nothing is lost where memory is limited.
    let mut room: Vec<u8> = Vec::new();
    if room.try_reserve_exact(LARGEST as usize - PAGE).is_err() {
        return;
    }
    let unused = room.spare_capacity_mut();
    let start = unused.as_ptr().addr();
    let first = (start + ORDINARY).next_multiple_of(PAGE) - start;
    if let Some(large) = unused.get_mut(first..) {
        // SAFETY: the block is this function's own, and advice changes no byte of it.
        #[expect(unsafe_code, reason = "the library's own call is in a part of it that nothing else needs")]
        let _ = unsafe { madvise(large.as_mut_ptr().cast(), large.len(), MADV_HUGEPAGE) };
    }
}

/// Has a process that stays keep a megabyte for its next request. Else an answer of tens of kilobytes is made in memory that the
/// kernel gives page by page, and gets back with the next one.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn expect_requests() {
    const KEPT: nix::libc::c_int = 1 << 20;
    let _ = keep(KEPT, KEPT);
}

/// Has blocks up to this size taken from the heap, and gives memory back only beyond that much; whether the C library does so.
/// Both in bytes.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn keep(largest: nix::libc::c_int, kept: nix::libc::c_int) -> bool {
    use nix::libc::{M_MMAP_THRESHOLD, M_TRIM_THRESHOLD, mallopt};

    // SAFETY: it takes two numbers.
    #[expect(unsafe_code, reason = "the C library alone has this heap")]
    let is_set = |option, value| unsafe { mallopt(option, value) } == 1;
    is_set(M_MMAP_THRESHOLD, largest) && is_set(M_TRIM_THRESHOLD, kept)
}

/// Nothing: elsewhere the heap is another.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn expect_many_values() {}

/// Nothing: elsewhere the heap is another.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn expect_requests() {}
