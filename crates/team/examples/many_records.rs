//! Times lists of many records: `cargo run --release -p cuff-team --example many_records -- STORE 10000`. The store is empty before,
//! and keeps the records.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a measurement for developers"
)]

use std::time::Instant;

use cuff_model::{Beginning, Findings, RecordState, Recorded, Revision, RunId, Stream};
use cuff_system::Environment;
use cuff_team::{SharedRecord, TeamStore};
use futures_util::{StreamExt as _, stream};

fn record(at: u64) -> SharedRecord {
    let beginning = Beginning {
        tool: "packagejson.npm_test".into(),
        called: Some("test".into()),
        project: "example.com/x".into(),
        caller: "human".into(),
        command: vec!["npm".into(), "run".into(), "test".into()],
        directory: ".".into(),
        absolute_directory: None,
        arguments: None,
        call: None,
        script: None,
        is_several: false,
        runner: None,
        parent: None,
        revision: Revision { commit: None, branch: Some(if at == 5 { "main" } else { "topic" }.into()) },
        is_pulled: false,
    };
    let random = [at.to_be_bytes().as_slice(), &[0; 2]].concat().try_into().unwrap();
    let run = Recorded { id: RunId::new(at, random), beginning, state: RecordState::Interrupted };
    let log = vec![(Stream::Out, b"a line of a log\n".repeat(600))];
    SharedRecord { project: "example.com/x".into(), run, findings: Findings::default(), log }
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let count: u64 = words[2].parse().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let environment = Environment::of_process().unwrap();
        let store = TeamStore::open(&words[1], "example.com/x", &environment).unwrap();
        let begun = Instant::now();
        let pushes: Vec<_> = (1..=count).map(async |at| store.push(&record(at)).await.unwrap()).collect();
        let done: Vec<bool> = stream::iter(pushes).buffered(16).collect().await;
        println!("pushed {} in {:?}", done.len(), begun.elapsed());
        for _ in 0..3 {
            let begun = Instant::now();
            let listed = store.list(20, |_| true).await.unwrap();
            println!("listed the newest {} of {count} in {:?}", listed.records.len(), begun.elapsed());
        }
        let begun = Instant::now();
        store.newest("packagejson.npm_test", "main", RunId::new(0, [0; 10])).await.unwrap();
        println!("looked for one of the oldest by its branch in {:?}", begun.elapsed());
        let begun = Instant::now();
        let found = store.find(&record(3).run.id.to_string()).await.unwrap();
        println!("found one by its id in {:?}: {}", begun.elapsed(), found.run.id);
    });
}
