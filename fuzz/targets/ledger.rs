//! The file of approvals with anything in it, and questions and answers in any order. A yes is used once, and
//! only where a person said it.
#![no_main]

use std::fs;

use cuff::ledger::{Approval, ApprovalQuestion, ApprovalState, Ledger, LedgerError};
use cuff::sys::terminal;
use cuff_fuzz::Room;
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;

const FILE: &str = "approvals.json";
const MINUTE: u64 = 60_000;
/// As the ledger has them: how long a yes lasts, how long everything else, and how many questions may wait.
const ANSWER_LASTS: u64 = 15 * MINUTE;
const QUESTION_LASTS: u64 = 24 * 60 * MINUTE;
const MOST: usize = 200;
const MOST_OF_ONE: usize = 50;

fuzz_target!(|input: &[u8]| {
    let Some((choice, input)) = input.split_first() else { return };
    if *choice == b'{' || *choice == b'[' {
        return any_file(&[&[*choice], input].concat());
    }
    // An input that ends early says nothing.
    let _ = in_any_order(&mut Unstructured::new(input));
});

fn question(digest: &str, project: &str) -> ApprovalQuestion {
    ApprovalQuestion {
        digest: digest.into(),
        tool: "a.b".into(),
        original: "b".into(),
        reason: "settings.yml:1  confirm: b".into(),
        command: "b".into(),
        text: None,
        facts: vec!["contained: profile test".into()],
        project: project.into(),
        caller: "agent".into(),
    }
}

fn any_file(bytes: &[u8]) {
    let room = Room::new("ledger");
    let ledger = Ledger::at(room.path());
    room.write(FILE, bytes);
    let now = 5 * MINUTE;
    match ledger.approvals(now) {
        Ok(known) => {
            assert_eq!(ledger.approvals(now).expect("it was read before"), known, "reading changes nothing");
            let aside = room.read(&format!("approvals.corrupt-{now}.json"));
            assert!(aside.as_deref().is_none_or(|aside| aside == bytes && known.is_empty()));
            let granted = |known: &Approval| matches!(known.state, ApprovalState::Granted(_));
            let yes = known.iter().filter(|known| granted(known) && known.question.digest == "d").count();
            for _ in 0..yes {
                assert!(ledger.take("d", now).expect("it was read before").is_some());
            }
            assert!(ledger.take("d", now).expect("it was read before").is_none(), "nobody said yes again");
            let id = ledger.ask(question("new", "/p"), now);
            assert!(id.is_ok() || known.len() - yes >= MOST, "{id:?}");
        }
        Err(LedgerError::Newer(..)) => {
            assert!(ledger.ask(question("d", "/p"), now).is_err() && ledger.take("d", now).is_err());
            assert_eq!(room.read(FILE).as_deref(), Some(bytes), "what a newer one wrote is left alone");
        }
        Err(error) => panic!("{error}"),
    }
}

/// A question as the ledger should know it: the id, the plan and its project, the time, and the answer with
/// its time.
#[derive(Debug, Clone, PartialEq)]
struct Known {
    id: String,
    digest: String,
    project: String,
    asked: u64,
    state: ApprovalState,
}

#[derive(Default)]
struct Model(Vec<Known>);

fn in_any_order(input: &mut Unstructured<'_>) -> Result<()> {
    let room = Room::new("ledger");
    fs::create_dir_all(room.path()).expect("a folder of ours");
    let ledger = Ledger::at(room.path());
    let yes = terminal::said(true).expect("a yes for tests");
    let (mut model, mut now) = (Model::default(), MINUTE);
    for _ in 0..input.int_in_range(0..=24)? {
        now += [0, 1, MINUTE, ANSWER_LASTS, QUESTION_LASTS][input.int_in_range(0..=4)?];
        let digest = format!("d{}", input.int_in_range(0..=5)?);
        let project = format!("/p{}", input.int_in_range(0..=2)?);
        model.forget(now);
        match input.int_in_range(0..=5)? {
            0 | 1 => model.ask(&ledger, &digest, &project, now),
            // Sixty cost as much as all else: seldom.
            2 if input.ratio(1, 16)? => {
                for at in 0..60 {
                    model.ask(&ledger, &format!("{digest}-{at}"), &project, now);
                }
            }
            3 => {
                let waits = |known: &&mut Known| known.state == ApprovalState::Waiting;
                let waiting: Vec<&mut Known> = model.0.iter_mut().filter(waits).collect();
                let count = waiting.len();
                let at = input.int_in_range(0..=count)?;
                let grant: bool = input.arbitrary()?;
                let meant = waiting.into_iter().nth(at);
                let id = meant.as_ref().map_or_else(|| "none".to_owned(), |known| known.id.clone());
                let answered = ledger.answer(&yes, &id, grant, now);
                assert_eq!(answered.is_ok(), meant.is_some(), "{answered:?}");
                if let Some(known) = meant {
                    known.state =
                        if grant { ApprovalState::Granted(now) } else { ApprovalState::Denied(now) };
                }
            }
            4 => {
                let of_it = |known: &Known| known.digest == digest;
                let granted =
                    |known: &Known| of_it(known) && matches!(known.state, ApprovalState::Granted(_));
                let place = model.0.iter().position(granted);
                let taken = ledger.take(&digest, now).expect("a file of ours");
                assert_eq!(taken.is_some(), place.is_some());
                place.map(|place| model.0.remove(place));
            }
            _ => {
                let denied =
                    |known: &Known| known.digest == digest && matches!(known.state, ApprovalState::Denied(_));
                assert_eq!(
                    ledger.is_denied(&digest, now).expect("a file of ours"),
                    model.0.iter().any(denied)
                );
            }
        }
        model.compare(&ledger, now);
    }
    Ok(())
}

impl Model {
    fn forget(&mut self, now: u64) {
        self.0.retain(|known| match known.state {
            ApprovalState::Waiting => now - known.asked < QUESTION_LASTS,
            ApprovalState::Denied(at) => now - at < QUESTION_LASTS,
            ApprovalState::Granted(at) => now - at < ANSWER_LASTS,
        });
    }

    fn ask(&mut self, ledger: &Ledger, digest: &str, project: &str, now: u64) {
        let waits = |known: &Known| known.state == ApprovalState::Waiting && known.project == project;
        let asked = ledger.ask(question(digest, project), now);
        if let Some(known) = self.0.iter().find(|known| waits(known) && known.digest == digest) {
            assert_eq!(asked.expect("it waits already"), known.id);
            return;
        }
        let is_full = self.0.iter().filter(|known| waits(known)).count() >= MOST_OF_ONE;
        if let Some(oldest) = self.0.iter().position(waits).filter(|_| is_full) {
            self.0.remove(oldest);
        }
        assert_eq!(asked.is_ok(), self.0.len() < MOST, "{asked:?}");
        let (digest, project, state) = (digest.to_owned(), project.to_owned(), ApprovalState::Waiting);
        self.0.extend(asked.ok().map(|id| Known { id, digest, project, asked: now, state }));
    }

    fn compare(&self, ledger: &Ledger, now: u64) {
        let known = ledger.approvals(now).expect("a file of ours").into_iter().map(|known| Known {
            id: known.id,
            digest: known.question.digest,
            project: known.question.project,
            asked: known.asked,
            state: known.state,
        });
        assert_eq!(known.collect::<Vec<_>>(), self.0);
    }
}
