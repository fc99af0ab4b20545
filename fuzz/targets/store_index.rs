//! Runs as they are recorded, both streams in chunks of any size: lines and bytes are found where they are.
#![no_main]

use std::io;
use std::ops::{ControlFlow, Range};

use cuff::model::{Beginning, Chunk, RunId, Stream};
use cuff::store::{Log, Store};
use cuff_fuzz::Room;
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;

/// How many bytes of a stream go without a checkpoint, and how many are read at once.
const STRIDE: usize = 64 * 1024;

fuzz_target!(|input: &[u8]| {
    // An input that ends early says nothing.
    let _ = judge(&mut Unstructured::new(input));
});

/// The written bytes, and the stream that each came from.
#[derive(Default)]
struct Model {
    bytes: Vec<u8>,
    streams: Vec<Stream>,
}

fn judge(input: &mut Unstructured<'_>) -> Result<()> {
    let room = Room::new("store-index");
    let store = Store::at(room.path().join("runs"));
    let id = RunId::new(1, [1; 10]);
    let beginning = Beginning {
        arguments: None,
        call: None,
        script: None,
        is_several: false,
        runner: None,
        parent: None,
        tool: "a.b".into(),
        called: None,
        project: "/p".into(),
        caller: "human".into(),
        command: vec!["b".into()],
        directory: ".".into(),
        absolute_directory: Some("/p".into()),
        is_pulled: false,
        revision: Default::default(),
    };
    let mut recording = store.begin(id, beginning).expect("a folder of ours");
    let mut model = Model::default();
    let mut borders = vec![0];
    for _ in 0..input.int_in_range(0..=12)? {
        let stream = if input.arbitrary()? { Stream::Out } else { Stream::Err };
        let chunk = chunk(input, model.bytes.len())?;
        recording.push(Chunk::new(stream, &chunk));
        model.streams.extend(std::iter::repeat_n(stream, chunk.len()));
        model.bytes.extend(chunk);
        borders.push(model.bytes.len());
    }
    let printed = recording.printed();
    assert_eq!((printed.out + printed.err, printed.lost), (model.bytes.len() as u64, None));
    assert_eq!(printed.lines, model.lines());
    model.compare(&store.log(id).expect("it is recorded"), input, true)?;

    // A crash: the log or the index ends anywhere.
    drop(recording);
    let (log, index) = (format!("runs/{id}/raw.log"), format!("runs/{id}/raw.index"));
    let bytes = room.read(&index).expect("it was written");
    let is_whole: bool = input.arbitrary()?;
    if !is_whole {
        room.write(&index, &bytes[..input.int_in_range(0..=bytes.len())?]);
    }
    let end = if input.arbitrary()? {
        *input.choose(&borders)?
    } else {
        input.int_in_range(0..=model.bytes.len())?
    };
    model.bytes.truncate(end);
    model.streams.truncate(end);
    room.write(&log, &model.bytes);
    model.compare(&store.log(id).expect("it is there"), input, is_whole)
}

/// Of any size, gladly one about where checkpoints are due.
fn chunk(input: &mut Unstructured<'_>, at: usize) -> Result<Vec<u8>> {
    let small = usize::from(input.arbitrary::<u8>()?);
    let length = match input.int_in_range(0..=15)? {
        0 => small * 64,
        1 => STRIDE - 8 + small % 16,
        2 => (2 * STRIDE - at % STRIDE) - 8 + small % 16,
        _ => small % 40,
    };
    let every = 1 + usize::from(input.arbitrary::<u8>()?);
    let letter = |place: usize| if place % every == 0 { b'\n' } else { b'a' + (place % 23) as u8 };
    Ok((at..at + length).map(letter).collect())
}

impl Model {
    fn lines(&self) -> u64 {
        let feeds = self.bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
        feeds + u64::from(self.bytes.last().is_some_and(|last| *last != b'\n'))
    }

    /// Where each line begins.
    fn begins(&self) -> Vec<u64> {
        let feeds = self.bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        std::iter::once(0).chain(feeds.map(|(place, _)| place as u64 + 1)).collect()
    }

    /// Panics where the log says anything else; `streams`: whether it can know them.
    fn compare(&self, log: &Log, input: &mut Unstructured<'_>, streams: bool) -> Result<()> {
        assert_eq!(
            (log.bytes(), log.lines().expect("a file of ours")),
            (self.bytes.len() as u64, self.lines())
        );
        let ranges = [0..u64::MAX, self.range(input)?, self.range(input)?];
        for range in ranges {
            let seen = shown(|show| log.each(range.clone(), show));
            let within = range.start as usize..range.end.min(self.bytes.len() as u64) as usize;
            assert!(seen == self.bytes[within.clone()], "{range:?}");
            for stream in [Stream::Out, Stream::Err].into_iter().filter(|_| streams) {
                let seen = shown(|show| log.each_of(stream, range.clone(), show));
                let of_it = within.clone().filter(|place| self.streams[*place] == stream);
                assert!(
                    seen == of_it.map(|place| self.bytes[place]).collect::<Vec<u8>>(),
                    "{stream:?} {range:?}"
                );
            }
        }
        let begins = self.begins();
        for _ in 0..6 {
            let line = input.int_in_range(1..=begins.len() + 2)?;
            let begin = begins.get(line - 1).copied().unwrap_or(self.bytes.len() as u64);
            assert_eq!(log.line(line as u64).expect("a file of ours"), begin, "line {line}");
        }
        Ok(())
    }

    fn range(&self, input: &mut Unstructured<'_>) -> Result<Range<u64>> {
        let end = input.int_in_range(0..=self.bytes.len() as u64)?;
        Ok(input.int_in_range(0..=end)?..end)
    }
}

/// All that a reader shows.
fn shown(read: impl FnOnce(&mut dyn FnMut(&[u8]) -> ControlFlow<()>) -> io::Result<()>) -> Vec<u8> {
    let mut seen = Vec::new();
    let mut keep = |bytes: &[u8]| {
        seen.extend_from_slice(bytes);
        ControlFlow::Continue(())
    };
    read(&mut keep).expect("a file of ours");
    seen
}
