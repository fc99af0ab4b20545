//! A run's folder with anything in its files: it is read or refused, and nothing of its log is left out.
#![no_main]

use std::ops::ControlFlow;
use std::time::Duration;

use cuff::model::{RecordState, RunId, Stream};
use cuff::store::{BadMeta, Log, RetentionLimits, Store, StoreError};
use cuff_fuzz::Room;
use libfuzzer_sys::fuzz_target;

/// Parts an input into `meta.json`, `raw.index` and `raw.log`; a file without a part is not there.
const NEXT_FILE: &[u8] = b"\n===\n";

fuzz_target!(|input: &[u8]| {
    let room = Room::new("store-reader");
    let store = Store::at(room.path().join("runs"));
    let id = RunId::new(1, [1; 10]);
    let mut rest = Some(input);
    let mut parts = ["meta.json", "raw.index", "raw.log"].map(|name| {
        let part = rest?;
        let end = part.windows(NEXT_FILE.len()).position(|window| window == NEXT_FILE);
        rest = end.map(|end| &part[end + NEXT_FILE.len()..]);
        let part = &part[..end.unwrap_or(part.len())];
        room.write(&format!("runs/{id}/{name}"), part);
        Some(part)
    });
    if let Some(bytes) = parts[2].take() {
        check_log(&store.log(id).expect("it is there"), bytes);
    }
    let meta = format!("runs/{id}/meta.json");
    let is_newer = match store.run(id) {
        Ok(run) => {
            assert_eq!(run.id, id);
            assert!(!matches!(run.state, RecordState::Running(_)), "nobody records it");
            assert_eq!(store.run(id).expect("it was read before"), run, "what is read does not change");
            false
        }
        Err(StoreError::Meta(of, bad)) => {
            assert_eq!(of, id);
            assert_eq!(room.read(&meta).as_deref(), parts[0], "what is not understood is left alone");
            matches!(bad, BadMeta::Newer(_))
        }
        Err(StoreError::Io(..)) => false,
    };
    let swept = store.sweep(RetentionLimits { age: Duration::ZERO, bytes: 0 }, u64::MAX);
    assert_eq!((swept.removed.is_empty(), swept.failed), (is_newer, vec![]));
});

fn check_log(log: &Log, bytes: &[u8]) {
    let size = bytes.len() as u64;
    assert_eq!(log.bytes(), size);
    let mut seen = Vec::new();
    let mut keep = |chunk: &[u8]| {
        seen.extend_from_slice(chunk);
        ControlFlow::Continue(())
    };
    log.each(0..u64::MAX, &mut keep).expect("a file of ours");
    assert_eq!(seen, bytes);
    let mut of_both = 0;
    for stream in [Stream::Out, Stream::Err] {
        let mut count = |chunk: &[u8]| {
            of_both += chunk.len() as u64;
            ControlFlow::Continue(())
        };
        log.each_of(stream, 0..u64::MAX, &mut count).expect("a file of ours");
    }
    assert_eq!(of_both, size, "each byte is of one stream");
    let lines = log.lines().expect("a file of ours");
    assert!(lines <= size);
    for line in [1, 2, 3, lines.max(1) - 1, lines, lines + 1, u64::MAX] {
        let begins = log.line(line).expect("a file of ours");
        let behind = usize::try_from(begins).ok().and_then(|place| bytes.get(place.checked_sub(1)?));
        assert!(begins <= size && (begins == 0 || begins == size || behind == Some(&b'\n')), "line {line}");
    }
}
