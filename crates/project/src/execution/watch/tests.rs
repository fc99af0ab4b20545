use std::collections::VecDeque;
use std::future::pending;
use std::ops::ControlFlow;
use std::time::SystemTime;

use super::*;
use crate::execution::KeySignals;
use crate::model::Stream;

/// A run that follows a script, in time that the test moves.
struct Fake {
    clock: Clock,
    at: Instant,
    /// Milliseconds after the event before, and the event.
    script: VecDeque<(u64, RunEvent<'static>)>,
    /// The events after a stop, if they differ.
    on_stop: Vec<(u64, RunEvent<'static>)>,
    on_kill: Vec<(u64, RunEvent<'static>)>,
    on_abandon: Vec<(u64, RunEvent<'static>)>,
    /// Whether a process that was left alone holds the pipes.
    held: bool,
    asked: Vec<&'static str>,
}

impl Fake {
    fn new(script: impl IntoIterator<Item = (u64, RunEvent<'static>)>) -> Self {
        Self {
            clock: Clock::standing(SystemTime::UNIX_EPOCH),
            at: Instant::now(),
            script: script.into_iter().collect(),
            on_stop: vec![],
            on_kill: vec![],
            on_abandon: vec![],
            held: false,
            asked: vec![],
        }
    }

    fn follow(&mut self, script: Vec<(u64, RunEvent<'static>)>) {
        if !script.is_empty() {
            self.clock.advance(self.at.elapsed());
            self.at = Instant::now();
            self.script = script.into();
        }
    }

    async fn watch(&mut self, timeout: Duration, sink: &mut Heard, cancel: &CancellationToken) -> Outcome {
        let clock = self.clock.clone();
        watch(self, timeout, &clock, sink, cancel).await
    }

    async fn run(&mut self, milliseconds: u64) -> (Outcome, Duration, String) {
        let (begun, mut sink) = (Instant::now(), Heard::default());
        let timeout = Duration::from_millis(milliseconds);
        let outcome = self.watch(timeout, &mut sink, &CancellationToken::new()).await;
        (outcome, begun.elapsed(), sink.text)
    }
}

impl Process for Fake {
    async fn next(&mut self) -> Option<RunEvent<'_>> {
        let Some((wait, _)) = self.script.front() else {
            return if self.held { pending().await } else { None };
        };
        let wait = Duration::from_millis(*wait);
        sleep_until(self.at + wait).await;
        self.at += wait;
        self.clock.advance(wait);
        self.script.pop_front().map(|(_, event)| event)
    }

    fn stop(&mut self) {
        self.asked.push("stop");
        let script = std::mem::take(&mut self.on_stop);
        self.follow(script);
    }

    fn interrupt(&mut self) {
        self.asked.push("interrupt");
        let script = std::mem::take(&mut self.on_stop);
        self.follow(script);
    }

    fn kill(&mut self) {
        self.asked.push("kill");
        let script = std::mem::take(&mut self.on_kill);
        self.follow(script);
    }

    fn suspend(&mut self) {
        self.asked.push("suspend");
    }

    fn abandon(&mut self) {
        self.asked.push("abandon");
        let script = std::mem::take(&mut self.on_abandon);
        self.follow(script);
    }
}

#[derive(Default)]
struct Heard {
    text: String,
    /// Breaks once it holds this many bytes.
    enough: Option<usize>,
    keys: KeySignals,
}

impl Sink for Heard {
    fn write(&mut self, _: Stream, bytes: &[u8]) -> ControlFlow<()> {
        self.text.push_str(std::str::from_utf8(bytes).unwrap());
        match self.enough {
            Some(enough) if self.text.len() >= enough => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }

    fn keys(&self) -> KeySignals {
        self.keys.clone()
    }
}

const NONE: Leftovers = Leftovers { killed: 0, detached: 0 };
const KILLED: RunEvent<'static> = RunEvent::Ended(ProcessEnd::Signalled(9));
const LEFT: RunEvent<'static> = RunEvent::Left(NONE);

fn out(text: &'static str) -> RunEvent<'static> {
    RunEvent::Output(Stream::Out, text.as_bytes())
}

fn outcome(ending: Ending, milliseconds: u64) -> Outcome {
    Outcome::new(ending, Duration::from_millis(milliseconds))
}

#[tokio::test(start_paused = true)]
async fn it_ends_as_the_process_ended_and_the_duration_is_the_processes_own() {
    let other = NotStarted::Other("the supervisor of the run ended before it started it".into());
    let gone = NotStarted::DirectoryMissing("/gone".into());
    for (last, expected) in [
        (vec![(30, RunEvent::Ended(ProcessEnd::Exited(3))), (40, LEFT)], outcome(Ending::Exited(3), 40)),
        (vec![(30, KILLED), (40, LEFT)], outcome(Ending::Signalled(9), 40)),
        (vec![(30, RunEvent::Lost)], outcome(Ending::Lost, 40)),
        (vec![], outcome(Ending::Lost, 10)),
    ] {
        let mut fake = Fake::new([(5, RunEvent::Started(7)), (10, out("a"))].into_iter().chain(last));
        let (outcome, _, text) = fake.run(1000).await;
        assert_eq!((outcome, text.as_str()), (expected, "a"));
        assert_eq!(fake.asked, [""; 0]);
    }
    for (script, reason) in [
        (vec![(5, RunEvent::NotStarted(gone.clone()))], gone),
        (vec![(5, RunEvent::Lost)], other.clone()),
        (vec![], other),
    ] {
        assert_eq!(Fake::new(script).run(1000).await.0, outcome(Ending::NotStarted(reason), 0));
    }
}

#[tokio::test(start_paused = true)]
async fn time_is_up_when_it_is_up() {
    let mut fake = Fake::new([(0, RunEvent::Started(7)), (60, out("a")), (60, out("never"))]);
    fake.on_stop = vec![(5, out("b")), (15, KILLED), (1, LEFT)];
    let (timed_out, took, text) = fake.run(100).await;
    assert_eq!(timed_out.ending, Ending::TimedOut(Duration::from_millis(100)));
    assert_eq!((text.as_str(), fake.asked), ("ab", vec!["stop"]));
    assert_eq!((timed_out.duration, took), (Duration::from_millis(120), Duration::from_millis(121)));
}

#[tokio::test(start_paused = true)]
async fn the_longest_time_is_no_time_at_all() {
    for timeout in [Duration::MAX, Duration::from_secs(u64::MAX)] {
        let day = 86_400_000;
        let mut fake =
            Fake::new([(0, RunEvent::Started(7)), (day, RunEvent::Ended(ProcessEnd::Exited(0))), (0, LEFT)]);
        let outcome = fake.watch(timeout, &mut Heard::default(), &CancellationToken::new()).await;
        assert_eq!((outcome.ending, outcome.duration.as_secs()), (Ending::Exited(0), 86_400));
    }
}

#[tokio::test(start_paused = true)]
async fn a_cancel_stops_it_once() {
    let cancel = CancellationToken::new();
    cancel.cancel();
    let mut fake = Fake::new([(0, RunEvent::Started(7))]);
    fake.held = true;
    fake.on_stop = vec![(2000, KILLED), (1, LEFT)];
    // The deadline passes meanwhile and changes nothing.
    let outcome = fake.watch(Duration::from_secs(1), &mut Heard::default(), &cancel).await;
    assert_eq!((outcome.ending, fake.asked), (Ending::Cancelled, vec!["stop"]));
}

#[tokio::test(start_paused = true)]
async fn ctrl_c_interrupts_and_a_second_one_kills() {
    let (cancel, mut sink) = (CancellationToken::new(), Heard::default());
    let keys = sink.keys.clone();
    keys.interrupted.cancel();
    cancel.cancel();
    let mut fake = Fake::new([(0, RunEvent::Started(7))]);
    fake.held = true;
    fake.on_kill = vec![(5, KILLED), (1, LEFT)];
    let begun = Instant::now();
    let (outcome, ()) = tokio::join!(fake.watch(Duration::from_mins(1), &mut sink, &cancel), async move {
        sleep(Duration::from_millis(300)).await;
        keys.again.cancel();
    });
    assert_eq!((outcome.ending, fake.asked), (Ending::Cancelled, vec!["interrupt", "kill"]));
    assert!(begun.elapsed() < Duration::from_millis(600), "{:?}", begun.elapsed());
}

#[tokio::test(start_paused = true)]
async fn nobody_listening_is_a_cancel() {
    let mut sink = Heard { enough: Some(2), ..Heard::default() };
    let mut fake = Fake::new([(0, RunEvent::Started(7)), (1, out("a")), (1, out("b")), (1, out("c"))]);
    fake.on_stop = vec![(1, out("d")), (1, RunEvent::Ended(ProcessEnd::Exited(0))), (1, LEFT)];
    let outcome = fake.watch(Duration::from_secs(1), &mut sink, &CancellationToken::new()).await;
    assert_eq!((outcome.ending, sink.text.as_str(), fake.asked), (Ending::Cancelled, "ab", vec!["stop"]));
}

#[tokio::test(start_paused = true)]
async fn a_cancel_after_the_end_hurries_what_is_left_and_changes_nothing() {
    let cancel = CancellationToken::new();
    let mut fake =
        Fake::new([(0, RunEvent::Started(7)), (10, RunEvent::Ended(ProcessEnd::Exited(0))), (2500, LEFT)]);
    fake.on_stop = vec![(5, LEFT)];
    let begun = Instant::now();
    let canceller = cancel.clone();
    let mut sink = Heard::default();
    let (outcome, ()) = tokio::join!(fake.watch(Duration::from_millis(50), &mut sink, &cancel), async move {
        sleep(Duration::from_millis(20)).await;
        canceller.cancel();
    });
    assert_eq!((outcome.ending, fake.asked), (Ending::Exited(0), vec!["stop"]));
    assert_eq!(begun.elapsed(), Duration::from_millis(25));
}

#[tokio::test(start_paused = true)]
async fn output_of_left_processes_is_read_until_silence_or_a_limit() {
    let detached = Leftovers { killed: 0, detached: 1 };
    for (every, times, took) in [(150, 3, 10 + 450 + 200), (150, 100, 10 + 2000), (250, 3, 10 + 200)] {
        let noise = (0..times).map(|_| (every, out(".")));
        let run = [
            (0, RunEvent::Started(7)),
            (10, RunEvent::Ended(ProcessEnd::Exited(0))),
            (0, RunEvent::Left(detached)),
        ];
        let mut fake = Fake::new(run.into_iter().chain(noise));
        fake.held = true;
        let (outcome, elapsed, _) = fake.run(1000).await;
        assert_eq!((outcome.ending, outcome.leftovers), (Ending::Exited(0), detached));
        assert_eq!(elapsed, Duration::from_millis(took), "every {every}");
        assert_eq!(outcome.duration, Duration::from_millis(10));
    }
}

#[tokio::test(start_paused = true)]
async fn output_that_waits_when_silence_is_over_is_not_lost() {
    // Both are due in the same moment. Which of them is seen first is random.
    for _ in 0..20 {
        let run = [
            (0, RunEvent::Started(7)),
            (10, RunEvent::Ended(ProcessEnd::Exited(0))),
            (0, LEFT),
            (200, out("all ")),
            (0, out("of it")),
        ];
        let mut fake = Fake::new(run);
        fake.held = true;
        let (outcome, _, text) = fake.run(1000).await;
        assert_eq!((outcome.ending, text.as_str()), (Ending::Exited(0), "all of it"));
    }
    // A process that prints without end is not listened to for ever.
    let text = "x".repeat(64 * 1024).leak();
    let noise = (0..1000).map(|_| (0, RunEvent::Output(Stream::Out, text.as_bytes())));
    let run = [(0, RunEvent::Started(7)), (0, KILLED), (0, LEFT)].into_iter();
    let mut endless = Fake::new(run.chain([(200, out("."))]).chain(noise));
    let clock = Clock::of_system();
    let (mut state, mut sink) = (RunState::new(&clock, Duration::MAX), Heard::default());
    sleep(Duration::from_millis(300)).await;
    take_rest(&mut endless, &mut state, &mut sink).await;
    assert_eq!(sink.text.len(), 1 + 16 * text.len());
}

#[tokio::test(start_paused = true)]
async fn a_supervisor_that_does_not_answer_is_abandoned() {
    let mut silent = Fake::new([(0, RunEvent::Started(7))]);
    silent.held = true;
    silent.on_abandon = vec![(100, RunEvent::Lost)];
    let (outcome, took, _) = silent.run(1000).await;
    assert_eq!(outcome.ending, Ending::TimedOut(Duration::from_secs(1)));
    assert_eq!(silent.asked, ["stop", "abandon"]);
    assert!(took < Duration::from_secs(16), "{took:?}");

    let mut halfway = Fake::new([(0, RunEvent::Started(7)), (10, RunEvent::Ended(ProcessEnd::Exited(4)))]);
    halfway.held = true;
    halfway.on_abandon = vec![(100, RunEvent::Lost)];
    let (outcome, took, _) = halfway.run(1000).await;
    assert_eq!((outcome.ending, halfway.asked), (Ending::Exited(4), vec!["abandon"]));
    assert!(took < Duration::from_secs(16), "{took:?}");
}
