//! The turns of a program: what is ready runs, then it is waited for an answer, a timer or the end.

use std::ops::Range;
use std::rc::Rc;
use std::time::Duration;

use rquickjs::{Ctx, Function, Object, Result};
use serde_json::json;

use super::engine::Engine;
use super::natives::well_formed;
use super::parent::{Parent, Received};
use crate::model::size;
use crate::sandbox::catalog::Catalog;
use crate::sandbox::compile::compile;
use crate::sandbox::frame::frames;
use crate::sandbox::program::PreparedProgram;
use crate::sandbox::protocol::{StartLimits, StartMessage, Thrown};

/// Runs one program from the first message to the last. Returns when there is nothing left to say.
pub fn run(parent: &Rc<dyn Parent>) {
    // It is made before the message comes, which the parent is still busy with.
    let engine = Engine::new(Rc::clone(parent));
    let Received::Message(message) = parent.receive(None) else { return };
    let engine = match engine {
        Ok(engine) => engine,
        Err(thrown) => return parent.send(&json!({ "refused": thrown.message }).to_string()),
    };
    let Ok(start) = serde_json::from_str::<StartMessage>(&message) else { return };
    match parent.lock_down(&start.limits) {
        Ok(isolation) => parent.send(&json!({ "ready": isolation }).to_string()),
        Err(reason) => return parent.send(&json!({ "refused": reason }).to_string()),
    }
    // From here on it is a stranger's text that is looked at.
    let program = match compile(&start.source, &Catalog::of_start(&start.servers, &start.withheld)) {
        Ok(program) => program,
        Err(findings) => return parent.send(&json!({ "rejected": findings }).to_string()),
    };
    parent.send(r#""compiled""#);
    if start.is_check {
        return;
    }
    engine.limit(&start.limits);
    let program = engine.natives.program.get_or_init(|| program);
    let Some(end) = ending(&engine, &start, program) else { return };
    let unprinted = engine.natives.unprinted.get();
    if unprinted > 0 {
        parent.send(&json!({ "unprinted": unprinted }).to_string());
    }
    parent.send(&last(explained(end, &engine, program), program, start.limits.message));
}

/// How a program ended.
enum ProgramEnd {
    /// With a result, as JSON.
    Done(Option<String>),
    Failed(Box<Thrown>),
}

/// With the name and the value of what is no function, where that is why it failed.
fn explained(end: ProgramEnd, engine: &Engine, program: &PreparedProgram) -> ProgramEnd {
    let ProgramEnd::Failed(mut thrown) = end else { return end };
    if thrown.name == "TypeError" && thrown.message == "not a function" {
        let found = thrown.stack.as_deref().and_then(|stack| frames(stack, program).into_iter().next());
        if let Some((number, site)) = found.and_then(|frame| program.call_site(frame.offset)) {
            let text = |span: &Range<usize>| program.source.get(span.clone()).unwrap_or_default();
            let given = (number, text(&site.callee), text(&site.object), site.property.as_deref());
            let said = engine.with(|_, control| {
                control.get::<_, Function<'_>>("notAFunction")?.call::<_, Option<String>>((
                    given.0,
                    given.1,
                    given.2,
                    given.3,
                    site.is_kept,
                ))
            });
            if let Ok(Some(said)) = said {
                thrown.message = said;
            }
        }
    }
    ProgramEnd::Failed(thrown)
}

/// The last message.
fn last(end: ProgramEnd, program: &PreparedProgram, longest: usize) -> String {
    let text = match end {
        ProgramEnd::Done(None) => return r#"{"done":{}}"#.to_owned(),
        ProgramEnd::Done(Some(result)) => well_formed(format!("{{\"done\":{{\"result\":{result}}}}}")),
        ProgramEnd::Failed(thrown) => json!({ "failed": with_frames(*thrown, program) }).to_string(),
    };
    if text.len() <= longest {
        return text;
    }
    let message = format!(
        "the result is {} long, and at most {} can be returned",
        size(text.len() as u64),
        size(longest as u64)
    );
    json!({ "failed": Thrown { kind: "size".to_owned(), message, ..Thrown::default() } }).to_string()
}

/// With lines of the source in place of lines of the JavaScript.
fn with_frames(thrown: Thrown, program: &PreparedProgram) -> Thrown {
    let mut frames = thrown.stack.as_deref().map_or_else(Vec::new, |stack| frames(stack, program));
    if let (Some(_), Some(first)) = (&thrown.tool, frames.first_mut()) {
        first.offset = program.call_around(first.offset);
    }
    Thrown {
        frames,
        cause: thrown.cause.map(|cause| Box::new(with_frames(*cause, program))),
        errors: thrown.errors.into_iter().map(|error| with_frames(error, program)).collect(),
        ..thrown
    }
}

/// How the program ended; `None` where the parent is gone.
fn ending(engine: &Engine, start: &StartMessage, program: &PreparedProgram) -> Option<ProgramEnd> {
    let begun = engine.with(|ctx, control| announce(ctx, control, start));
    if let Err(thrown) = begun.and_then(|()| engine.start(&program.emitted.javascript)) {
        return Some(stopped(engine, thrown, start.limits.memory));
    }
    loop {
        if let Err(stack) = engine.run_ready(start.limits.memory) {
            return Some(ProgramEnd::Failed(Box::new(Thrown { stack, ..of_kind("time") })));
        }
        match turn(engine, &start.limits) {
            Ok(LoopTurn::Next) if engine.is_stopped() => return Some(ProgramEnd::Failed(boxed("time"))),
            Ok(LoopTurn::Next) => {}
            Ok(LoopTurn::Ended(end)) => return Some(end),
            Ok(LoopTurn::Gone) => return None,
            Err(thrown) => return Some(stopped(engine, thrown, start.limits.memory)),
        }
    }
}

/// A failure that the prelude could not describe itself.
fn stopped(engine: &Engine, thrown: Box<Thrown>, memory: usize) -> ProgramEnd {
    // Without memory for an error object, `null` is thrown.
    let is_memory = thrown.name.is_empty() && thrown.message == "null" && engine.was_full(memory);
    let kind = match (engine.is_stopped(), is_memory) {
        (true, _) => "time",
        (false, true) => "memory",
        (false, false) => "thrown",
    };
    ProgramEnd::Failed(Box::new(Thrown { kind: kind.to_owned(), ..*thrown }))
}

fn of_kind(kind: &str) -> Thrown {
    Thrown { kind: kind.to_owned(), ..Thrown::default() }
}

fn boxed(kind: &str) -> Box<Thrown> {
    Box::new(of_kind(kind))
}

fn announce<'js>(ctx: &Ctx<'js>, control: &Object<'js>, start: &StartMessage) -> Result<()> {
    let parsed = |text: serde_json::Result<String>| ctx.json_parse(text.unwrap_or_default());
    let servers = parsed(serde_json::to_string(&start.servers))?;
    let withheld = parsed(serde_json::to_string(&start.withheld))?;
    let announce: Function<'js> = control.get("announce")?;
    announce.call((servers, withheld, start.limits.concurrent_calls))
}

enum LoopTurn {
    Next,
    Ended(ProgramEnd),
    Gone,
}

/// How it stands with a program when nothing is ready.
struct LoopState {
    /// 0: it runs; 1: it has a result; 2: it failed.
    state: u32,
    calls_out: u32,
    /// When the next timer is due; less than nothing: there is none.
    due: f64,
}

fn turn(engine: &Engine, limits: &StartLimits) -> std::result::Result<LoopTurn, Box<Thrown>> {
    let number = |control: &Object<'_>, name: &str| control.get::<_, Function<'_>>(name)?.call(());
    let now = engine.with(|_, control| {
        let due: f64 = control.get::<_, Function<'_>>("nextTimer")?.call(())?;
        Ok(LoopState { state: number(control, "state")?, calls_out: number(control, "callsOut")?, due })
    })?;
    let parent = &engine.natives.parent;
    let waits = now.state == 0;
    if now.state == 2 || (!waits && now.calls_out == 0) {
        return ended(engine, limits);
    }
    let until_due = due_in(now.due, parent.elapsed()).filter(|_| waits);
    if until_due.is_some_and(|time| time.is_zero()) {
        engine.with(|_, control| control.get::<_, Function<'_>>("runTimer")?.call::<_, ()>(()))?;
        return Ok(LoopTurn::Next);
    }
    if waits && now.calls_out == 0 && until_due.is_none() {
        // A promise that found no memory stays as it is.
        let kind = if engine.was_full(limits.memory) { "memory" } else { "deadlock" };
        return Ok(LoopTurn::Ended(ProgramEnd::Failed(boxed(kind))));
    }
    // While a tool is at work the program's own time stands.
    let patience = if now.calls_out > 0 {
        engine.watch.pause(parent.elapsed());
        until_due
    } else {
        let left = engine.watch.left(parent.elapsed());
        Some(until_due.map_or(left, |due| due.min(left)))
    };
    let received = parent.receive(patience);
    engine.watch.go_on(parent.elapsed());
    match received {
        Received::Message(message) => {
            engine.with(|_, control| control.get::<_, Function<'_>>("deliver")?.call::<_, ()>((message,)))?;
            Ok(LoopTurn::Next)
        }
        Received::Nothing if now.calls_out == 0 && engine.watch.left(parent.elapsed()).is_zero() => {
            Ok(LoopTurn::Ended(ProgramEnd::Failed(boxed("time"))))
        }
        Received::Nothing => Ok(LoopTurn::Next),
        Received::Gone => Ok(LoopTurn::Gone),
    }
}

/// How long it is until a timer is due.
fn due_in(due: f64, now: Duration) -> Option<Duration> {
    // A timer waits for 25 days at most.
    (due >= 0.0).then(|| Duration::try_from_secs_f64(due / 1000.0).unwrap_or(now).saturating_sub(now))
}

/// The result, or what was thrown.
fn ended(engine: &Engine, limits: &StartLimits) -> std::result::Result<LoopTurn, Box<Thrown>> {
    let was_full = engine.was_full(limits.memory);
    // A program throws nothing that is no error without one of these words.
    let source = engine.natives.program.get().map_or("", |program| program.source.as_str());
    let may_throw = source.contains("throw") || source.contains("reject");
    engine.relax(limits.memory);
    let end = engine.with(|_, control| {
        control.get::<_, Function<'_>>("close")?.call::<_, ()>(())?;
        let state: u32 = control.get::<_, Function<'_>>("state")?.call(())?;
        if state == 1 {
            return Ok(ProgramEnd::Done(control.get::<_, Function<'_>>("result")?.call(())?));
        }
        let report: String = control.get::<_, Function<'_>>("report")?.call(())?;
        let thrown = serde_json::from_str(&well_formed(report));
        // Deeper than anything is read.
        let thrown = thrown.unwrap_or_else(|_| Thrown { name: "Error".to_owned(), ..of_kind("thrown") });
        // Without memory for an error object, `null` is thrown.
        let is_memory = (was_full || !may_throw) && thrown.name.is_empty() && thrown.message == "null";
        Ok(ProgramEnd::Failed(Box::new(if is_memory { of_kind("memory") } else { thrown })))
    })?;
    Ok(LoopTurn::Ended(end))
}
