//! The built-in plugins. Adding one is a folder and two lines here.

mod cargo;
mod commands;
mod dotnet;
mod eslint;
mod go;
mod installs;
mod just;
mod makefile;
mod managers;
mod nox;
mod packagejson;
mod python;
mod scripts;
mod taskfile;
mod tasks;
mod tox;

use crate::plugin::Plugin;

/// Every built-in, in the order that `cuff init` looks and writes.
pub const ALL: &[&dyn Plugin] = &[
    &packagejson::PackageJson,
    &makefile::MakefileTargets,
    &just::Just,
    &taskfile::TASKFILE,
    &cargo::CARGO,
    &python::PYTHON,
    &tox::TOX,
    &nox::NOX,
    &go::GO,
    &scripts::Scripts,
    &installs::NPM,
    &installs::PNPM,
    &installs::BUN,
    &dotnet::DotNet,
    &eslint::Eslint,
    &commands::Commands,
];
