#![expect(clippy::disallowed_methods, reason = "the tests break the files that they look at")]

use std::ops::ControlFlow;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::files::{INDEX, LOG, META};
use super::*;
use crate::model::{
    Beginning, Called, Chunk, End, Ending, Findings, Group, Leftovers, Printed, RecordState, Recorded,
    Revision, RunId, Stream,
};

fn store() -> (tempfile::TempDir, Store) {
    let base = tempfile::tempdir().unwrap();
    let store = Store::at(base.path().join("cuff/runs"));
    (base, store)
}

fn id(milliseconds: u64) -> RunId {
    RunId::new(milliseconds, [7; 10])
}

fn beginning() -> Beginning {
    Beginning {
        tool: "packagejson.npm_test".into(),
        called: None,
        project: "/project".into(),
        caller: "human".into(),
        command: vec!["npm".into(), "run".into(), "test".into()],
        directory: ".".into(),
        absolute_directory: Some("/project".into()),
        arguments: None,
        call: None,
        script: None,
        is_several: false,
        runner: None,
        parent: None,
        revision: Revision::default(),
        is_pulled: false,
    }
}

fn end(printed: Printed) -> End {
    End {
        ending: Ending::Exited(3),
        success: false,
        duration: 812,
        at: Some(1_700_000_000_812),
        error: Some("Script failed with exit code 3".into()),
        error_code: Some("PKGJSON_302".into()),
        leftovers: Leftovers::default(),
        changed_later: Vec::new(),
        contained: None,
        denied: Vec::new(),
        printed,
    }
}

fn text(log: &Log, from: u64, to: u64) -> String {
    let mut out = Vec::new();
    let range = log.line(from).unwrap()..log.line(to + 1).unwrap();
    log.each(range, &mut |bytes| {
        out.extend_from_slice(bytes);
        ControlFlow::Continue(())
    })
    .unwrap();
    String::from_utf8_lossy(&out).into_owned()
}

fn stream(log: &Log, stream: Stream) -> String {
    let mut out = Vec::new();
    log.each_of(stream, 0..u64::MAX, &mut |bytes| {
        out.extend_from_slice(bytes);
        ControlFlow::Continue(())
    })
    .unwrap();
    String::from_utf8_lossy(&out).into_owned()
}

#[test]
fn a_run_is_read_back_as_it_was() {
    let (_base, store) = store();
    let mut recording = store.begin(id(5), beginning()).unwrap();
    recording.push(Chunk::new(Stream::Out, b"one\ntw"));
    recording.push(Chunk::new(Stream::Err, b"warning\n"));
    recording.push(Chunk::new(Stream::Out, b"o\nthree"));
    assert_eq!(store.run(id(5)).unwrap().state, RecordState::Running(None));
    let log = store.log(id(5)).unwrap();
    assert_eq!((log.bytes(), log.lines().unwrap()), (21, 4), "while it goes on, too");
    let printed = recording.printed();
    assert_eq!(printed, Printed { out: 13, err: 8, lines: 4, lost: None });
    recording.end(&end(printed.clone()), &Findings::default()).unwrap();
    assert_eq!(store.run(id(5)).unwrap().state, RecordState::Ended(Box::new(end(printed))));
    assert_eq!(text(&log, 1, 1), "one\n");
    assert_eq!(text(&log, 2, 3), "twwarning\no\n");
    assert_eq!(text(&log, 4, 99), "three");
    let mut streams: Vec<(Stream, Vec<u8>)> = Vec::new();
    log.each_with_stream(0..log.bytes(), &mut |stream, bytes| {
        streams.push((stream, bytes.to_vec()));
        ControlFlow::Continue(())
    })
    .unwrap();
    let expected: [(Stream, &[u8]); 3] =
        [(Stream::Out, b"one\ntw"), (Stream::Err, b"warning\n"), (Stream::Out, b"o\nthree")];
    assert_eq!(streams, expected.map(|(stream, bytes)| (stream, bytes.to_vec())));
    assert_eq!(
        (stream(&log, Stream::Out), stream(&log, Stream::Err)),
        ("one\ntwo\nthree".into(), "warning\n".into())
    );
}

/// Pieces that are read at once have many segments in them, and segments are longer than a piece.
#[test]
fn streams_are_told_apart_in_short_and_long_segments() {
    let (_base, store) = store();
    let mut recording = store.begin(id(5), beginning()).unwrap();
    let mut expected: Vec<(Stream, Vec<u8>)> = Vec::new();
    for number in 0..400 {
        let stream = if number % 2 == 0 { Stream::Out } else { Stream::Err };
        let line = format!("{number} {}\n", "x".repeat(if number % 90 == 0 { 100_000 } else { number }));
        recording.push(Chunk::new(stream, line.as_bytes()));
        expected.push((stream, line.into_bytes()));
    }
    let log = store.log(id(5)).unwrap();
    let mut found: Vec<(Stream, Vec<u8>)> = Vec::new();
    log.each_with_stream(0..log.bytes(), &mut |stream, bytes| {
        match found.last_mut().filter(|(last, _)| *last == stream) {
            Some((_, begun)) => begun.extend_from_slice(bytes),
            None => found.push((stream, bytes.to_vec())),
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    assert!(found == expected);
    let err: Vec<u8> = expected.iter().skip(1).step_by(2).flat_map(|(_, line)| line.clone()).collect();
    assert_eq!(stream(&log, Stream::Err).as_bytes(), err);
}

/// An agent may send megabytes as arguments: the command must still be known afterwards.
#[test]
fn a_run_of_giant_words_is_read_back() {
    let (_base, store) = store();
    let long = "é\u{1}".repeat(1 << 20);
    let words = |count: usize, word: &str| Beginning {
        command: std::iter::once("npm").chain(std::iter::repeat_n(word, count)).map(str::to_owned).collect(),
        ..beginning()
    };
    for (at, given) in [words(1, &long), words(100, &long), words(1_000_000, "\u{1}")].into_iter().enumerate()
    {
        let id = id(at as u64 + 1);
        let mut end = end(Printed { lost: Some(long.clone()), ..Printed::default() });
        end.error = Some(long.clone());
        store.begin(id, given.clone()).unwrap().end(&end, &Findings::default()).unwrap();
        let read = store.run(id).unwrap().beginning.command;
        assert_eq!(read[0], "npm");
        let last = read.last().unwrap();
        assert!(last.contains(if given.command.len() == 2 {
            " bytes left out …]"
        } else {
            " words left out …]"
        }));
        assert!(read.len() > 1 && read.len() < 100_000, "{} words", read.len());
    }
    let fits = words(2, &"x".repeat(cut::LONGEST_TEXT));
    store.begin(id(9), fits.clone()).unwrap();
    assert_eq!(store.run(id(9)).unwrap().beginning, fits);
}

#[test]
fn lines_of_a_long_log_are_found_by_its_index() {
    let (_base, store) = store();
    let mut recording = store.begin(id(1), beginning()).unwrap();
    for number in 1..=60_000 {
        let from = if number % 1000 == 0 { Stream::Err } else { Stream::Out };
        recording.push(Chunk::new(from, format!("line {number}\n").as_bytes()));
    }
    let log = store.log(id(1)).unwrap();
    for number in [1, 2, 999, 1000, 1001, 31_337, 59_999, 60_000] {
        assert_eq!(text(&log, number, number), format!("line {number}\n"));
    }
    assert_eq!((text(&log, 60_001, 60_002).as_str(), log.lines().unwrap()), ("", 60_000));
    assert_eq!(stream(&log, Stream::Err).lines().count(), 60);
    drop(recording);
    // Without its index a log is read through.
    std::fs::write(store.path().join(id(1).to_string()).join(INDEX), [9; 100]).unwrap();
    assert_eq!(text(&store.log(id(1)).unwrap(), 31_337, 31_337), "line 31337\n");
}

/// The index is written first: killed before its bytes came, a log ends where a checkpoint stands.
#[test]
fn a_log_that_ends_at_a_checkpoint_has_no_line_more() {
    let (_base, store) = store();
    let mut recording = store.begin(id(1), beginning()).unwrap();
    recording.push(Chunk::new(Stream::Out, b"one\n"));
    recording.push(Chunk::new(Stream::Err, b"two\n"));
    drop(recording);
    let log = store.path().join(id(1).to_string()).join(LOG);
    for (bytes, lines) in [("one\n", 1), ("one", 1), ("", 0)] {
        std::fs::write(&log, bytes).unwrap();
        assert_eq!(store.log(id(1)).unwrap().lines().unwrap(), lines, "{bytes:?}");
    }
}

#[test]
fn a_run_whose_recorder_is_gone_was_interrupted() {
    let (_base, store) = store();
    let mut recording = store.begin(id(1), beginning()).unwrap();
    recording.push(Chunk::new(Stream::Out, b"so far\n"));
    drop(recording);
    assert_eq!(store.run(id(1)).unwrap().state, RecordState::Interrupted);
    assert_eq!(store.run(id(1)).unwrap().state, RecordState::Interrupted, "it stays so");
    assert_eq!(text(&store.log(id(1)).unwrap(), 1, 1), "so far\n");
}

#[test]
fn runs_are_found_by_the_beginning_of_their_ids() {
    let (_base, store) = store();
    assert_eq!(store.find("latest", &|_| true), Err(NoSuchRun::None));
    for milliseconds in [0x1111_1111_1111, 0x1111_2222_2222, 0x2222_0000_0000] {
        store.begin(id(milliseconds), beginning()).unwrap();
    }
    std::fs::create_dir(store.path().join("something")).unwrap();
    assert_eq!(store.find("latest", &|_| true), Ok(id(0x2222_0000_0000)));
    assert_eq!(store.find("11112", &|_| true), Ok(id(0x1111_2222_2222)));
    assert!(matches!(store.find("1111", &|_| true), Err(NoSuchRun::Ambiguous(_, ids)) if ids.len() == 2));
    let only = |run: RunId| run == id(0x1111_1111_1111);
    assert_eq!(store.find("latest", &only), Ok(id(0x1111_1111_1111)));
    assert_eq!(store.find("1111", &only), Ok(id(0x1111_1111_1111)), "others are as if they were not there");
    assert_eq!(store.find("2222", &only), Err(NoSuchRun::Unknown("2222".into())));
    assert_eq!(store.find("latest", &|_| false), Err(NoSuchRun::None));
    assert_eq!(store.find("3", &|_| true), Err(NoSuchRun::Unknown("3".into())));
    assert_eq!(store.find("", &|_| true), Err(NoSuchRun::Unknown(String::new())));
}

#[test]
fn old_runs_go_and_live_and_newer_ones_stay() {
    let (_base, store) = store();
    let day = 24 * 3600 * 1000;
    for milliseconds in [day, 2 * day, 20 * day, 21 * day] {
        let mut recording = store.begin(id(milliseconds), beginning()).unwrap();
        recording.push(Chunk::new(Stream::Out, &[b'x'; 1000]));
        recording.end(&end(Printed::default()), &Findings::default()).unwrap();
    }
    let live = store.begin(id(3 * day), beginning()).unwrap();
    let newer = store.path().join(id(2 * day).to_string()).join(META);
    std::fs::write(newer, "{\"format\": 99, \"what\": []}").unwrap();
    assert!(matches!(store.run(id(2 * day)), Err(StoreError::Meta(_, BadMeta::Newer(99)))));
    let swept = store.sweep(RetentionLimits::default(), 22 * day);
    assert_eq!((swept.removed, swept.failed), (vec![id(day)], vec![]));
    assert!(swept.bytes > 1000);
    let tight = RetentionLimits { bytes: 2500, ..RetentionLimits::default() };
    assert_eq!(store.sweep(tight, 22 * day).removed, [id(20 * day)]);
    drop(live);
    assert_eq!(
        store.sweep(RetentionLimits { age: Duration::ZERO, bytes: 0 }, 22 * day).removed,
        [id(21 * day), id(3 * day)]
    );
    assert_eq!(store.ids().unwrap(), [id(2 * day)]);
}

#[test]
fn the_beginning_of_a_run_is_read_as_it_was_written() {
    let called = Called {
        server: "github".into(),
        tool: "create-issue".into(),
        arguments: Some(Map::from_iter([("title".to_owned(), json!("x"))])),
    };
    let call = Beginning { command: vec![], call: Some(called), ..beginning() };
    for (beginning, kind) in [(beginning(), None), (call, Some("call"))] {
        let run = Recorded { id: id(1), beginning, state: RecordState::Running(None) };
        let bytes = format::write(&run);
        let written: Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(written["format"], json!(3));
        assert_eq!(written.get("kind").and_then(Value::as_str), kind);
        assert_eq!(format::read(&bytes).unwrap(), run);
    }
}

#[test]
fn a_process_of_the_first_format_is_one_document() {
    let run = Recorded {
        id: id(1),
        beginning: beginning(),
        state: RecordState::Ended(Box::new(end(Printed::default()))),
    };
    let mut document: Value = serde_json::from_slice(&format::write(&run)).unwrap();
    document["format"] = json!(1);
    assert_eq!(format::read(document.to_string().as_bytes()).unwrap(), run);
    let more = format!("{document}{document}");
    assert!(matches!(format::read(more.as_bytes()), Err(BadMeta::Corrupt(_))));
}

#[test]
fn each_change_of_a_run_is_read_once_it_is_whole() {
    let (_base, store) = store();
    let group = Group { id: 4711, started: Some(5) };
    let mut recording = store.begin(id(1), beginning()).unwrap();
    let file = store.path().join(id(1).to_string()).join(META);
    let begun = std::fs::read(&file).unwrap();
    recording.started(group);
    assert_eq!(store.run(id(1)).unwrap().state, RecordState::Running(Some(group)));
    let started = std::fs::read(&file).unwrap();
    recording.end(&end(Printed::default()), &Findings::default()).unwrap();
    let ended = std::fs::read(&file).unwrap();
    assert_eq!(store.findings(id(1)), Some(Findings::default()));
    let files = std::fs::read_dir(file.parent().unwrap()).unwrap().count();
    assert_eq!(files, 2, "the log and the record: a new file costs more than all else");
    for kept in 0..=ended.len() {
        let Ok(run) = format::read(&ended[..kept]) else {
            assert!(kept < begun.len() - 1, "{kept}");
            continue;
        };
        // Each document ends with a line feed, which may be missing.
        let expected = match kept {
            kept if kept < started.len() - 1 => RecordState::Running(None),
            kept if kept < ended.len() - 1 => RecordState::Running(Some(group)),
            _ => RecordState::Ended(Box::new(end(Printed::default()))),
        };
        assert_eq!((run.state, run.beginning), (expected, beginning()), "{kept}");
    }
}
