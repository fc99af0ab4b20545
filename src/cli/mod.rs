//! The terminal face: reads the command line, calls the engine, prints through one `Ui`.

mod again;
mod approve;
mod arguments;
mod audit;
mod call;
mod choose;
mod complete;
mod doctor;
mod exit;
mod findings;
mod init;
mod install;
mod list;
mod log;
#[cfg(test)]
mod man;
mod run;
mod runs;
mod self_test;
mod serve;
mod status;
mod stop;
mod ui;
mod usage;
mod why;

use std::ffi::OsString;
use std::future::Future;
use std::io;
use std::path::Path;
use std::pin::pin;
use std::process::ExitCode;
use std::task::{Context, Poll, Waker};

use serde_json::Value;

use crate::engine::{Engine, OpenError, Surroundings};
use crate::model::{About, Fault, Field, Problem, TerminalOption};
use crate::settings::SettingsProblem;
use crate::sys::{files, programs};
use crate::wire::{self, ToolResult};
use arguments::{Action, Commands, Globals, Typed};
use ui::Ui;

/// Runs the command line; the first word is the program's own name.
pub fn main(surroundings: Surroundings, words: &[OsString]) -> ExitCode {
    if words.get(1).is_some_and(|word| word == complete::ARGUMENT) {
        return complete::answer(&surroundings, &words[2..]);
    }
    let json = words.iter().take_while(|word| *word != "--").any(|word| word == "--json");
    let typed = match arguments::parse(&surroundings.abouts(), words) {
        Ok(typed) => typed,
        Err(error) => {
            return exit::code(usage::explain(&error, json, || {
                usage::several(&error).or_else(|| usage::tool(&error, &surroundings, words))
            }));
        }
    };
    let json = typed.wants_json();
    let globals = match &typed {
        Typed::Own(own) => own.globals.clone(),
        Typed::Plugin { globals, .. } => globals.clone(),
    };
    let ui = Ui::new(&globals);
    let done =
        within(surroundings, &globals).and_then(|surroundings| dispatch(&ui, surroundings, globals, typed));
    exit::code(done.unwrap_or_else(|failed| failed.print(&ui, json)))
}

/// The answer when cuff cannot even look around.
pub fn no_start(what: &str, error: &io::Error) -> ExitCode {
    use std::io::Write as _;
    // Where standard error is closed there is nobody left to tell.
    let _ = writeln!(io::stderr(), "error: {what}: {error}");
    exit::code(exit::CANNOT)
}

/// `-C DIR`.
fn within(surroundings: Surroundings, globals: &Globals) -> Result<Surroundings, Failed> {
    let Some(directory) = &globals.directory else { return Ok(surroundings) };
    let directory = surroundings.environment.directory().join(directory);
    if !programs::is_directory(&directory) {
        let failed = Failed::usage(format!("-C {}: there is no such directory", directory.display()));
        return Err(failed.help("name one that is there; the path counts from where you are"));
    }
    let environment = surroundings.environment.within(files::canonical(&directory));
    Ok(Surroundings { environment, ..surroundings })
}

fn dispatch(ui: &Ui, surroundings: Surroundings, globals: Globals, typed: Typed) -> Result<u8, Failed> {
    let config = globals.config;
    if typed.says_yes() {
        complain_of_preferences(ui, &surroundings);
    }
    match typed {
        Typed::Own(own) => match own.command {
            Commands::Init(_) if config.is_some() => {
                let message = "`--config` names settings to read, and `cuff init` writes some";
                Err(Failed::usage(message).help("`-o PATH` says where to"))
            }
            Commands::Init(typed) => init::init(ui, &surroundings, &typed),
            Commands::List(typed) => {
                let engine = Engine::open_typed(surroundings, config.as_deref())?;
                complain(ui, &engine);
                list::list(ui, &engine, &typed.what, typed.plugin.as_deref())
            }
            Commands::Run(typed) => {
                let engine = Engine::open_typed(surroundings, config.as_deref())
                    .map_err(|error| Failed::from(error).before_a_run())?;
                run::run(ui, &engine, &typed, None)
            }
            Commands::Why(typed) => {
                let engine = Engine::open_typed(surroundings, config.as_deref())?;
                why::why(ui, &engine, typed)
            }
            Commands::Status(typed) => status::status(ui, &surroundings, config.as_deref(), typed.json),
            Commands::Install(typed) => install::install(ui, &surroundings, config.as_deref(), &typed),
            Commands::Doctor(typed) => doctor::doctor(ui, &surroundings, config.as_deref(), &typed),
            Commands::Serve(typed) => serve::serve(ui, surroundings, config, &typed),
            Commands::Approve(typed) if typed.what == approve::settings::SETTINGS => {
                approve::settings::approve(ui, &surroundings, config.as_deref(), &typed)
            }
            Commands::Approve(typed) => approve::approve(ui, &surroundings, &typed),
            Commands::Deny(typed) => approve::deny(ui, &surroundings, &typed.id),
            Commands::Approvals(typed) => approve::list(ui, &surroundings, config.as_deref(), &typed),
            Commands::Audit(typed) => audit::audit(ui, &surroundings, &typed),
            Commands::Runs(typed) => runs::runs(ui, &surroundings, config.as_deref(), typed.command()),
            Commands::Completions(typed) => complete::print(ui, typed.shell),
            Commands::Schema => Ok(ui.json(&surroundings.schema()).map(|()| exit::SUCCESS)?),
        },
        Typed::Plugin { about, action, given, .. } => {
            let here = surroundings.environment.directory().to_owned();
            let given: Vec<(&'static Field, String)> = given
                .into_iter()
                .map(|(option, value)| (option.field, seen_from(&here, option, value)))
                .collect();
            let engine = open_plugin(surroundings, config.as_deref(), &about, &given);
            match action {
                Action::List(typed) => {
                    let engine = engine?;
                    complain(ui, &engine);
                    list::list(ui, &engine, &typed, None)
                }
                Action::Run(typed) => {
                    let engine = engine.map_err(Failed::before_a_run)?;
                    run::run(ui, &engine, &typed, Some(about.id))
                }
            }
        }
    }
}

/// The value of an option: a path counts from where it is typed, wherever the settings lie.
fn seen_from(here: &Path, option: &TerminalOption, value: String) -> String {
    if option.is_path { here.join(value).display().to_string() } else { value }
}

fn open_plugin(
    surroundings: Surroundings,
    config: Option<&Path>,
    about: &About,
    given: &[(&'static Field, String)],
) -> Result<Engine, Failed> {
    let given = given.iter().map(|(field, text)| (*field, field.read(text))).collect::<Vec<(_, Value)>>();
    Ok(Engine::open_plugin(surroundings, config, about, &given)?)
}

/// Says what is wrong with the settings; what is right still works.
fn complain(ui: &Ui, engine: &Engine) {
    complain_of(ui, engine, |_| true);
}

/// Says what is wrong with those parts of the settings that matter here, `None` being the file as a whole.
fn complain_of(ui: &Ui, engine: &Engine, matters: impl Fn(Option<&str>) -> bool) {
    for complaint in engine.complaints().iter().filter(|complaint| matters(complaint.instance.as_deref())) {
        ui.complaint(complaint);
    }
    if engine.fit_for_serving().is_err() {
        let file = engine.settings_file().unwrap_or_default();
        let problem = Problem::warning(format!("{file} may be written by every user of this machine"));
        ui.problem(None, None, &problem.help(format!("run `chmod o-w {file}`")));
    }
}

/// Says what is wrong with the user's own preferences, to commands that ask for them; whether there is something.
fn complain_of_preferences(ui: &Ui, surroundings: &Surroundings) -> bool {
    let complaints = surroundings.preference_complaints();
    for complaint in &complaints {
        ui.problem(None, None, complaint);
    }
    !complaints.is_empty()
}

/// What is wrong with the settings, as JSON.
fn complaint_json(complaint: &SettingsProblem) -> Value {
    wire::problem(complaint.instance.as_deref(), complaint.code.clone(), &complaint.into())
}

/// The answer of a future that seldom needs a runtime, as [`Engine::list`]: one is built where it is not ready at once,
/// and a person is shown that something goes on.
fn wait_for<Answer>(ui: &Ui, future: impl Future<Output = Answer>) -> io::Result<Answer> {
    let mut future = pin!(future);
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => Ok(answer),
        Poll::Pending => {
            let runtime = runtime()?;
            let waiting = ui.waiting();
            let answer = runtime.block_on(future);
            waiting.finish_and_clear();
            Ok(answer)
        }
    }
}

/// An async runtime, for the commands that need one: one thread, since cuff waits more than it works.
fn runtime() -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}

/// A command that could not do what it was asked.
#[derive(Debug)]
struct Failed {
    code: u8,
    message: String,
    error_code: String,
    help: Option<String>,
    complaints: Vec<SettingsProblem>,
}

impl Failed {
    fn usage(message: impl Into<String>) -> Self {
        let error_code = Fault::BadArgument.code("CUFF");
        Self { code: exit::USAGE, message: message.into(), error_code, help: None, complaints: Vec::new() }
    }

    /// The same where policy does not allow it.
    fn refused(mut self) -> Self {
        self.code = exit::REFUSED;
        self.error_code = Fault::Unconfirmed.code("CUFF");
        self
    }

    /// The same where the words were right and it cannot be done.
    fn unable(mut self) -> Self {
        self.code = exit::FAILURE;
        self.error_code = Fault::NotFound.code("CUFF");
        self
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same before a run, where exit codes below 124 belong to the tool.
    fn before_a_run(mut self) -> Self {
        if matches!(self.code, exit::FAILURE | exit::BAD_SETTINGS) {
            self.code = exit::CANNOT;
        }
        self
    }

    fn print(self, ui: &Ui, json: bool) -> u8 {
        let help = self.help.as_deref();
        if self.message.is_empty() {
            return self.code;
        }
        if json {
            let shape = ToolResult::of_failure(None, &self.error_code, &self.message, help);
            let mut shape = shape.to_json();
            if !self.complaints.is_empty() {
                shape["problems"] = self.complaints.iter().map(complaint_json).collect();
            }
            if ui.result(format!("{shape:#}")).is_ok() {
                return self.code;
            }
        }
        for complaint in &self.complaints {
            ui.complaint(complaint);
        }
        match (self.complaints.as_slice(), help) {
            ([], _) => ui.error(&self.message, Some(&self.error_code), help),
            // The complaints have said it already.
            (_, Some(help)) => ui.help(help),
            (_, None) => {}
        }
        self.code
    }
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            // Silent: nobody reads, or the user said so.
            io::ErrorKind::BrokenPipe => Self { code: exit::BROKEN_PIPE, ..Self::usage("") },
            io::ErrorKind::Interrupted => Self { code: exit::INTERRUPTED, ..Self::usage("") },
            _ => {
                let error_code = Fault::NotStarted.code("CUFF");
                let failed = Self { code: exit::FAILURE, error_code, ..Self::usage(error.to_string()) };
                failed.help("`cuff doctor` looks for what is in the way")
            }
        }
    }
}

impl From<OpenError> for Failed {
    fn from(error: OpenError) -> Self {
        let (code, fault) = match error {
            OpenError::NoSettings(_) => (exit::FAILURE, Fault::SourceNotFound),
            OpenError::NotConfigured { .. } | OpenError::Disabled { .. } => {
                (exit::FAILURE, Fault::InvalidConfig)
            }
            OpenError::BadOption(_) => (exit::USAGE, Fault::BadArgument),
            OpenError::NotKnown { .. } | OpenError::NoPins => (exit::FAILURE, Fault::Unapproved),
            OpenError::NotThere(_) => (exit::BAD_SETTINGS, Fault::SourceNotFound),
            OpenError::Unusable { .. } | OpenError::WorldWritable(_) => {
                (exit::BAD_SETTINGS, Fault::InvalidConfig)
            }
        };
        let error_code = fault.code("CUFF");
        let (message, help) = (error.to_string(), error.help());
        let complaints = match error {
            OpenError::Unusable { problems, .. } => problems,
            _ => Vec::new(),
        };
        Self { code, error_code, help, complaints, ..Self::usage(message) }
    }
}
