//! The output of a supervised process arrives unchanged, in bounded memory, until the end.

use cuff::model::Leftovers;
use cuff::sys::process::{ProcessEnd, RunEvent};

use super::{Seen, complete, shell, start};

#[tokio::test]
async fn bytes_arrive_as_they_are_each_on_its_stream() {
    let seen = complete(&shell(r"printf '\377\376\000\r\n\303'; printf '\200' >&2", &[])).await;
    assert_eq!(seen.out, b"\xff\xfe\0\r\n\xc3");
    assert_eq!(seen.err, b"\x80");
    assert_eq!((seen.end, seen.left), (Some(ProcessEnd::Exited(0)), Some(Leftovers::default())));
}

#[tokio::test]
async fn a_silent_process_ends() {
    let seen = complete(&shell(":", &[])).await;
    assert!(seen.out.is_empty() && seen.err.is_empty());
    assert_eq!(seen.end, Some(ProcessEnd::Exited(0)));
}

#[tokio::test]
async fn a_closed_output_is_not_the_end() {
    let seen = complete(&shell("exec >&-; sleep 0.1; echo still here >&2; exit 4", &[])).await;
    assert_eq!(seen.err, b"still here\n");
    assert_eq!(seen.end, Some(ProcessEnd::Exited(4)));
}

#[tokio::test]
async fn both_outputs_closed_is_not_the_end_either() {
    let seen = complete(&shell("exec >&- 2>&-; sleep 0.1; exit 5", &[])).await;
    assert_eq!(seen.end, Some(ProcessEnd::Exited(5)));
}

#[tokio::test]
async fn a_hundred_megabytes_take_no_memory() {
    const SIZE: usize = 100 << 20;
    let before = peak_kilobytes();
    let mut running = start(&shell("head -c 104857600 /dev/zero", &[])).await;
    let (mut bytes, mut seen) = (0, Seen::default());
    while let Some(event) = running.next().await {
        match event {
            RunEvent::Output(_, chunk) => {
                assert!(chunk.iter().all(|byte| *byte == 0));
                bytes += chunk.len();
            }
            event => seen.take(event),
        }
    }
    assert_eq!((bytes, seen.end), (SIZE, Some(ProcessEnd::Exited(0))));
    let grown = peak_kilobytes() - before;
    assert!(grown < 20_000, "{grown} KB");
}

/// The most memory this process ever had; 0 if the system does not report it.
fn peak_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    line.trim().trim_end_matches(" kB").parse().unwrap()
}
