//! cuff from outside: the built binary, real package managers, real packages, and the rules of the house.
#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    reason = "these tests are the outside world: they start processes, read files, and fail by panicking"
)]

mod agent_runs;
mod asking_make;
mod attacks;
mod calls;
mod consent;
mod contracts;
mod diagnostics;
mod dotnet;
mod environment;
mod eslint;
mod generated;
mod hostile;
mod house;
mod installs;
mod makefile;
mod makefiles;
mod managers;
mod mcp;
mod pins;
mod probes;
mod project;
mod records;
mod registry;
mod results;
mod supervision;
mod terminal;
mod tools;
