//! cuff from outside: the built binary, real package managers, real packages, and the rules of the house.
#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    reason = "these tests are the outside world: they start processes, read files, and fail by panicking"
)]

mod abuse;
mod agent_runs;
mod agreement;
mod asking_make;
mod at_terminal;
mod attacks;
mod balancer;
mod bound;
mod calls;
mod clients;
mod completions;
mod conformance;
mod consent;
mod contracts;
mod diagnostics;
mod dispatching;
mod doctor;
mod dotnet;
mod environment;
mod errors;
mod eslint;
mod explained;
mod generated;
mod hostile;
mod hosts;
mod house;
mod http;
mod installs;
mod instances;
mod makefile;
mod makefiles;
mod managers;
mod mcp;
mod meant;
mod narrowing;
mod persons;
mod pins;
mod probes;
mod project;
mod records;
mod registry;
mod reload;
mod results;
mod screen;
mod scripts;
mod serving;
mod session;
mod spec;
mod stable;
mod supervision;
mod terminal;
mod tools;
mod wizard;
mod workspaces;
mod wrapped;
