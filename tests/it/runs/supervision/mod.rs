//! Real processes under a real supervisor: their start, their output, and their leftovers.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "these tests are the outside world: they start processes, read files, and fail by panicking"
)]

mod outputs;
#[cfg(target_os = "linux")]
mod servers;
mod starts;
#[cfg(target_os = "linux")]
mod survivors;

use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use cuff::model::{Leftovers, NotStarted, Stream};
use cuff::sys::Environment;
use cuff::sys::process::{Job, Pipes, ProcessEnd, RunEvent, Running, Supervisor, spawn};

/// The variable by which a test knows its own processes.
const FAMILY: &str = "CUFF_TEST_FAMILY";

/// Everything that happened to a run.
#[derive(Debug, Default)]
struct Seen {
    pid: Option<u32>,
    not_started: Option<NotStarted>,
    out: Vec<u8>,
    err: Vec<u8>,
    end: Option<ProcessEnd>,
    left: Option<Leftovers>,
    lost: bool,
}

impl Seen {
    fn take(&mut self, event: RunEvent<'_>) {
        match event {
            RunEvent::Contained(_) | RunEvent::Denied(_) => {}
            RunEvent::Started(pid) => self.pid = Some(pid),
            RunEvent::NotStarted(reason) => self.not_started = Some(reason),
            RunEvent::Output(Stream::Out | Stream::Both, bytes) => self.out.extend_from_slice(bytes),
            RunEvent::Output(Stream::Err, bytes) => self.err.extend_from_slice(bytes),
            RunEvent::Ended(end) => self.end = Some(end),
            RunEvent::Left(leftovers) => self.left = Some(leftovers),
            RunEvent::Lost => self.lost = true,
        }
    }

    fn out(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }

    /// Takes events in until something is so.
    async fn watch(&mut self, running: &mut Running, until: impl Fn(&Self) -> bool) {
        while !until(self) {
            let event = tokio::time::timeout(Duration::from_secs(20), running.next()).await.unwrap();
            self.take(event.unwrap());
        }
    }

    /// Takes events in until there can be no more.
    async fn finish(mut self, running: &mut Running) -> Self {
        while let Some(event) = tokio::time::timeout(Duration::from_secs(20), running.next()).await.unwrap() {
            self.take(event);
        }
        self
    }
}

fn supervisor() -> Supervisor {
    Supervisor::at(env!("CARGO_BIN_EXE_cuff"))
}

/// A job that a shell does; the text may use its further arguments.
fn shell(script: &str, arguments: &[&str]) -> Job {
    let words = ["-c", script, "sh"].into_iter().chain(arguments.iter().copied());
    Job {
        program: "/bin/sh".into(),
        arguments: words.map(String::from).collect(),
        directory: "/".into(),
        folder: None,
        ends_detached: false,
        converses: false,
        is_persons: false,
        environment: vec![],
        script: None,
        confinement: None,
    }
}

async fn start(job: &Job) -> Running {
    spawn(&supervisor(), &Environment::of_process().unwrap(), job, Pipes::Two, None).await.unwrap()
}

/// Runs a job to its end and the end of its outputs.
async fn complete(job: &Job) -> Seen {
    Seen::default().finish(&mut start(job).await).await
}

/// A name that no other test has.
fn unique() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("{}-{}", process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}
