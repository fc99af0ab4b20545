//! `QuickJS` with the prelude in it, and nothing of a program yet.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use rquickjs::context::EvalOptions;
use rquickjs::{
    Context, Ctx, Error, Exception, Function, Module, Object, Persistent, Result, Runtime, Value,
};

use super::modules::Modules;
use super::natives::Natives;
use super::parent::Parent;
use crate::sandbox::protocol::{StartLimits, Thrown};
use crate::sandbox::stopwatch::Stopwatch;

/// The parts of the prelude; all but the first are made when they are first used.
const PARTS: [(&str, &str); 10] = [
    ("core", include_str!("prelude/core.js")),
    ("inspect", include_str!("prelude/inspect.js")),
    ("console", include_str!("prelude/console.js")),
    ("encoding", include_str!("prelude/encoding.js")),
    ("url", include_str!("prelude/url.js")),
    ("clone", include_str!("prelude/clone.js")),
    ("events", include_str!("prelude/events.js")),
    ("crypto", include_str!("prelude/crypto.js")),
    ("shape", include_str!("prelude/shape.js")),
    ("locale", include_str!("prelude/locale.js")),
];

/// How often it is looked whether the parent is still there while a program computes.
const LOOK: Duration = Duration::from_millis(100);

/// How many jobs of the language run between two looks at the memory that is left.
const JOBS: u32 = 256;

/// Memory that is left for the report of an error when a program has taken all, in bytes.
const RESERVE: usize = 8 << 20;

/// An interpreter. One program runs in it, once.
pub(super) struct Engine {
    control: Option<Persistent<Object<'static>>>,
    modules: Modules,
    context: Context,
    runtime: Runtime,
    pub(super) natives: Rc<Natives>,
    pub(super) watch: Rc<Stopwatch>,
    /// Whether the program was stopped since its time was over.
    is_stopped: Rc<Cell<bool>>,
    /// Whether nearly all memory was taken at some time.
    was_full: Cell<bool>,
}

impl Engine {
    /// # Errors
    /// When there is no memory for it.
    pub(super) fn new(parent: Rc<dyn Parent>) -> std::result::Result<Self, Box<Thrown>> {
        let without_memory =
            |error: Error| Box::new(Thrown { message: error.to_string(), ..Thrown::default() });
        let runtime = Runtime::new().map_err(without_memory)?;
        let context = Context::full(&runtime).map_err(without_memory)?;
        let natives = Natives::new(parent);
        let made = context.with(|ctx| prelude(&ctx, &natives).map_err(|error| thrown(&ctx, &error)));
        let Prelude { control, exported, rejected } = made?;
        let modules = Modules::new(exported);
        runtime.set_loader(modules.clone(), modules.clone());
        track_rejections(&runtime, rejected);
        let (watch, is_stopped) = (Rc::default(), Rc::default());
        Ok(Self {
            control: Some(control),
            modules,
            context,
            runtime,
            natives,
            watch,
            is_stopped,
            was_full: Cell::new(false),
        })
    }

    /// Sets the limits and starts the watch. The interpreter stops by itself when its time is over, or the parent gone.
    pub(super) fn limit(&self, limits: &StartLimits) {
        self.runtime.set_memory_limit(limits.memory);
        self.runtime.set_max_stack_size(limits.stack);
        self.natives.longest.set(limits.message);
        self.natives.printable.set(limits.output);
        let parent = Rc::clone(&self.natives.parent);
        let (watch, is_stopped) = (Rc::clone(&self.watch), Rc::clone(&self.is_stopped));
        watch.start(limits.time, parent.elapsed());
        let mut looked = parent.elapsed();
        self.runtime.set_interrupt_handler(Some(Box::new(move || {
            let now = parent.elapsed();
            if now >= looked + LOOK {
                looked = now;
                if parent.is_gone() {
                    is_stopped.set(true);
                }
            }
            if watch.left(now).is_zero() {
                is_stopped.set(true);
            }
            is_stopped.get()
        })));
    }

    /// Whether the program was stopped since its time was over.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped.get()
    }

    /// Whether nearly all memory was taken at some time. Without memory for an error object, `null` is
    /// thrown, and the memory may be free again by the time that it is caught.
    pub(super) fn was_full(&self, memory: usize) -> bool {
        self.look_at_memory(memory);
        self.was_full.get()
    }

    fn look_at_memory(&self, memory: usize) {
        let room = u32::try_from(memory / 10).unwrap_or(u32::MAX);
        let has_room =
            self.with(|_, control| control.get::<_, Function<'_>>("hasRoom")?.call::<_, bool>((room,)));
        // Looking takes memory as well.
        if !has_room.unwrap_or_default() {
            self.was_full.set(true);
        }
    }

    /// Lets what follows run although time and memory are over: the report of an error.
    pub(super) fn relax(&self, memory: usize) {
        self.runtime.set_interrupt_handler(None);
        self.runtime.set_memory_limit(memory.saturating_add(RESERVE));
    }

    /// Runs all that is ready; returns the stack of what was stopped, if it was.
    pub(super) fn run_ready(&self, memory: usize) -> std::result::Result<(), Option<String>> {
        let mut jobs = 0;
        loop {
            jobs += 1;
            if jobs == JOBS {
                jobs = 0;
                self.look_at_memory(memory);
            }
            match self.runtime.execute_pending_job() {
                Ok(false) => return Ok(()),
                Ok(true) if !self.is_stopped() => {}
                Ok(true) => return Err(None),
                Err(thrown) => {
                    let stack = thrown.0.with(|ctx| stack(&ctx.catch()));
                    // A job of the language throws nothing else.
                    if self.is_stopped() {
                        return Err(stack);
                    }
                }
            }
        }
    }

    /// Does something with the prelude's own object.
    ///
    /// # Errors
    /// The stack of what was thrown.
    pub(super) fn with<T>(
        &self,
        act: impl for<'js> FnOnce(&Ctx<'js>, &Object<'js>) -> Result<T>,
    ) -> std::result::Result<T, Box<Thrown>> {
        self.context.with(|ctx| {
            let control =
                self.control.clone().ok_or(Error::Unknown).and_then(|control| control.restore(&ctx));
            control.and_then(|control| act(&ctx, &control)).map_err(|error| thrown(&ctx, &error))
        })
    }

    /// Reads a program as a module, and starts it.
    ///
    /// # Errors
    /// The error of the program, as it was thrown.
    pub(super) fn start(&self, program: &str) -> std::result::Result<(), Box<Thrown>> {
        self.with(|ctx, control| {
            let (module, _) = Module::declare(ctx.clone(), "script.js", program)?.eval()?;
            let main: Function<'_> = module.get("default")?;
            control.get::<_, Function<'_>>("start")?.call((main,))
        })
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // These hold values of the interpreter, which must be gone before it is.
        self.runtime.set_host_promise_rejection_tracker(None);
        self.runtime.set_interrupt_handler(None);
        self.control = None;
        self.modules.forget();
    }
}

/// The error that nothing caught.
fn thrown(ctx: &Ctx<'_>, error: &Error) -> Box<Thrown> {
    if !error.is_exception() {
        return Box::new(Thrown {
            name: "Error".to_owned(),
            message: error.to_string(),
            ..Thrown::default()
        });
    }
    let value = ctx.catch();
    let text = |name: &str| value.as_object()?.get::<_, Option<String>>(name).ok()?;
    let without_text = if value.is_null() { "null" } else { "" };
    let name = text("name").unwrap_or_default();
    let message = text("message").unwrap_or_else(|| without_text.to_owned());
    // Looking may have thrown as well.
    ctx.catch();
    Box::new(Thrown { name, message, stack: stack(&value), ..Thrown::default() })
}

/// The prelude as it is kept.
struct Prelude {
    /// Its object, which knows how the program stands.
    control: Persistent<Object<'static>>,
    /// Says what a module exports.
    exported: Persistent<Function<'static>>,
    /// Hears of promises that are rejected.
    rejected: Persistent<Function<'static>>,
}

/// Puts the prelude into an interpreter.
fn prelude<'js>(ctx: &Ctx<'js>, natives: &Rc<Natives>) -> Result<Prelude> {
    let compiled = Function::new(ctx.clone(), |ctx: Ctx<'js>, name: String| part(&ctx, &name))?;
    let control: Object<'_> = part(ctx, "core")?.call((natives.object(ctx)?, compiled))?;
    let kept = |name: &str| Result::Ok(Persistent::save(ctx, control.get::<_, Function<'_>>(name)?));
    let (exported, rejected) = (kept("exported")?, kept("rejected")?);
    Ok(Prelude { control: Persistent::save(ctx, control), exported, rejected })
}

fn stack(value: &Value<'_>) -> Option<String> {
    value.clone().into_object().and_then(Exception::from_object)?.stack()
}

fn part<'js>(ctx: &Ctx<'js>, name: &str) -> Result<Function<'js>> {
    let (_, source) = PARTS.iter().find(|(part, _)| *part == name).ok_or(Error::Unknown)?;
    let mut options = EvalOptions::default();
    options.filename = Some(format!("toolscript:{name}"));
    ctx.eval_with_options(*source, options)
}

/// Promises that are rejected and that nobody looks at: the prelude keeps them.
fn track_rejections(runtime: &Runtime, rejected: Persistent<Function<'static>>) {
    runtime.set_host_promise_rejection_tracker(Some(Box::new(move |ctx, promise, reason, is_handled| {
        let kept = rejected.clone().restore(&ctx);
        if kept.and_then(|rejected| rejected.call::<_, ()>((promise, reason, is_handled))).is_err() {
            ctx.catch();
        }
    })));
}
