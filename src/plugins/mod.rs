//! The built-in plugins. Adding one is a folder and two lines here.

mod commands;
mod dotnet;
mod eslint;
mod installs;
mod just;
mod makefile;
mod managers;
mod packagejson;
mod scripts;

use crate::plugin::Plugin;

/// Every built-in, in the order that `cuff init` looks and writes.
pub const ALL: &[&dyn Plugin] = &[
    &packagejson::PackageJson,
    &makefile::MakefileTargets,
    &just::Just,
    &scripts::Scripts,
    &installs::NPM,
    &installs::PNPM,
    &installs::BUN,
    &dotnet::DotNet,
    &eslint::Eslint,
    &commands::Commands,
];
