//! The terminal face: reads the command line, calls the engine, prints through one `Ui`.

mod arguments;
mod exit;
mod init;
mod list;
mod run;
mod serve;
mod stop;
mod ui;

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use serde_json::Value;

use crate::engine::{Engine, OpenError, Surroundings};
use crate::model::{About, Field, Problem};
use crate::settings::SettingsProblem;
use crate::sys::{files, programs};
use arguments::{Action, Commands, Globals, Typed};
use ui::Ui;

/// Runs the command line; the first word is the program's own name.
pub fn main(surroundings: Surroundings, words: Vec<OsString>) -> ExitCode {
    let typed = match arguments::parse(&surroundings.abouts(), words) {
        Ok(typed) => typed,
        Err(error) => return exit::code(explain(&error)),
    };
    let globals = match &typed {
        Typed::Own(own) => own.globals.clone(),
        Typed::Plugin { globals, .. } => globals.clone(),
    };
    let ui = Ui::new(&globals);
    let done =
        within(surroundings, &globals).and_then(|surroundings| dispatch(&ui, surroundings, globals, typed));
    exit::code(done.unwrap_or_else(|failed| failed.print(&ui)))
}

/// The answer when cuff cannot even look around.
pub fn no_start(what: &str, error: &io::Error) -> ExitCode {
    use std::io::Write as _;
    // Where standard error is closed there is nobody left to tell.
    let _ = writeln!(io::stderr(), "error: {what}: {error}");
    exit::code(exit::CANNOT)
}

/// Help and version are results; everything else that clap says is wrong usage.
fn explain(error: &clap::Error) -> u8 {
    let printed = error.print();
    match (error.use_stderr(), printed) {
        (false, Ok(())) => exit::SUCCESS,
        (false, Err(_)) => exit::BROKEN_PIPE,
        (true, _) => exit::USAGE,
    }
}

/// `-C DIR`.
fn within(surroundings: Surroundings, globals: &Globals) -> Result<Surroundings, Failed> {
    let Some(directory) = &globals.directory else { return Ok(surroundings) };
    let directory = surroundings.environment.directory().join(directory);
    if !programs::is_directory(&directory) {
        return Err(Failed::usage(format!("-C {}: there is no such directory", directory.display())));
    }
    let environment = surroundings.environment.within(files::canonical(&directory));
    Ok(Surroundings { environment, ..surroundings })
}

fn dispatch(ui: &Ui, surroundings: Surroundings, globals: Globals, typed: Typed) -> Result<u8, Failed> {
    let config = globals.config;
    match typed {
        Typed::Own(own) => match own.command {
            Commands::Init(typed) => init::init(ui, &surroundings, &typed),
            Commands::List(typed) => {
                let engine = open(ui, surroundings, config.as_deref())?;
                list::list(ui, &engine, &typed)
            }
            Commands::Run(typed) => {
                let engine = open(ui, surroundings, config.as_deref()).map_err(Failed::before_a_run)?;
                run::run(ui, &engine, typed)
            }
            Commands::Serve(typed) => serve::serve(ui, surroundings, config, &typed),
            Commands::Schema => {
                ui.json(&surroundings.schema())?;
                Ok(exit::SUCCESS)
            }
        },
        Typed::Plugin { about, action, given, .. } => {
            let given: Vec<(&'static Field, String)> =
                given.into_iter().map(|(option, value)| (option.field, value)).collect();
            let engine = open_plugin(surroundings, config.as_deref(), &about, &given);
            match action {
                Action::List(typed) => {
                    let engine = engine?;
                    complain(ui, &engine);
                    list::list(ui, &engine, &typed)
                }
                Action::Run(typed) => {
                    let engine = engine.map_err(Failed::before_a_run)?;
                    complain(ui, &engine);
                    run::run(ui, &engine, typed)
                }
            }
        }
    }
}

fn open(ui: &Ui, surroundings: Surroundings, config: Option<&Path>) -> Result<Engine, Failed> {
    let engine = Engine::open(surroundings, config)?;
    complain(ui, &engine);
    Ok(engine)
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
    for complaint in engine.complaints() {
        ui.complaint(complaint);
    }
    if engine.fit_for_serving().is_err() {
        let file = engine.settings_file().unwrap_or_default();
        let problem = Problem::warning(format!("{file} may be written by every user of this machine"));
        ui.problem(None, None, &problem.help(format!("run `chmod o-w {file}`")));
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
    error_code: Option<String>,
    help: Option<String>,
    complaints: Vec<SettingsProblem>,
}

impl Failed {
    fn usage(message: impl Into<String>) -> Self {
        let (error_code, help, complaints) = (None, None, Vec::new());
        Self { code: exit::USAGE, message: message.into(), error_code, help, complaints }
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same before a run, where exit codes below 124 belong to the tool.
    fn before_a_run(mut self) -> Self {
        self.code = exit::CANNOT;
        self
    }

    fn print(self, ui: &Ui) -> u8 {
        for complaint in &self.complaints {
            ui.complaint(complaint);
        }
        if !self.message.is_empty() {
            ui.error(&self.message, self.error_code.as_deref(), self.help.as_deref());
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
            _ => Self { code: exit::FAILURE, ..Self::usage(error.to_string()) },
        }
    }
}

impl From<OpenError> for Failed {
    fn from(error: OpenError) -> Self {
        let code = match error {
            OpenError::NoSettings(_) | OpenError::NotConfigured { .. } => exit::FAILURE,
            OpenError::BadOption(_) => exit::USAGE,
            OpenError::NotThere(_) | OpenError::Unusable { .. } | OpenError::WorldWritable(_) => {
                exit::BAD_SETTINGS
            }
        };
        let (message, help) = (error.to_string(), error.help());
        let complaints = match error {
            OpenError::Unusable { problems, .. } => problems,
            _ => Vec::new(),
        };
        Self { code, help, complaints, ..Self::usage(message) }
    }
}
