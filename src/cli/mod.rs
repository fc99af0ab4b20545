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
use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::Value;

use crate::engine::{Engine, OpenError, Surroundings};
use crate::model::{About, Field};
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
    let done = within(surroundings, &globals).and_then(|surroundings| dispatch(&ui, surroundings, globals, typed));
    exit::code(done.unwrap_or_else(|failed| failed.print(&ui)))
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
    match crate::sys::look::directory(&directory) {
        Ok(directory) => {
            let environment = surroundings.environment.within(directory);
            Ok(Surroundings { environment, ..surroundings })
        }
        Err(error) => Err(Failed::usage(format!("-C {}: {error}", directory.display()))),
    }
}

fn dispatch(ui: &Ui, surroundings: Surroundings, globals: Globals, typed: Typed) -> Result<u8, Failed> {
    let config = globals.config;
    match typed {
        Typed::Own(own) => match own.command {
            Commands::Init(typed) => init::init(ui, &surroundings, &typed),
            Commands::List(typed) => {
                let engine = open(ui, surroundings, config)?;
                list::list(ui, &engine, &typed)
            }
            Commands::Run(typed) => {
                let engine = open(ui, surroundings, config).map_err(Failed::before_a_run)?;
                run::run(ui, &engine, typed)
            }
            Commands::Serve(typed) => serve::serve(ui, surroundings, config, &typed),
            Commands::Schema => {
                ui.result(format!("{:#}", surroundings.schema()))?;
                Ok(exit::SUCCESS)
            }
        },
        Typed::Plugin { about, action, given, .. } => {
            let given: Vec<(&'static Field, String)> =
                given.into_iter().map(|(option, value)| (option.field, value)).collect();
            let engine = open_plugin(surroundings, config, &about, &given);
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

fn open(ui: &Ui, surroundings: Surroundings, config: Option<PathBuf>) -> Result<Engine, Failed> {
    let engine = Engine::open(surroundings, config.as_deref())?;
    complain(ui, &engine);
    Ok(engine)
}

fn open_plugin(
    surroundings: Surroundings,
    config: Option<PathBuf>,
    about: &About,
    given: &[(&'static Field, String)],
) -> Result<Engine, Failed> {
    let given = given.iter().map(|(field, text)| (*field, field.read(text))).collect::<Vec<(_, Value)>>();
    Ok(Engine::open_plugin(surroundings, config.as_deref(), about, &given)?)
}

/// Says what is wrong with the settings; what is right still works.
fn complain(ui: &Ui, engine: &Engine) {
    for line in engine.rendered_complaints(ui.verbose()) {
        ui.say(line);
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
}

impl Failed {
    fn usage(message: impl Into<String>) -> Self {
        Self { code: exit::USAGE, message: message.into(), error_code: None, help: None }
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
            OpenError::NoSettings(_) => exit::FAILURE,
            _ => exit::BAD_SETTINGS,
        };
        Self { code, help: error.help(), ..Self::usage(error.to_string()) }
    }
}
