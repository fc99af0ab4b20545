//! The built-in plugins. Adding one is a folder and two lines here.

mod autotools;
mod bazel;
mod braces;
mod cabal;
mod cargo;
mod cmake;
mod commands;
mod compose;
mod composer;
mod dart;
mod deno;
mod dotnet;
mod dune;
mod eslint;
mod go;
mod gradle;
mod installs;
mod invoke;
mod just;
mod lefthook;
mod literal;
mod makefile;
mod managers;
mod maven;
mod meson;
mod mise;
mod mix;
mod nox;
mod nx;
mod packagejson;
mod pixi;
mod precommit;
mod python;
mod rake;
mod rebar;
mod rush;
mod sbt;
mod scripts;
mod stack;
mod swift;
mod taskfile;
mod tasks;
mod tox;
mod turbo;
mod workspaces;
mod zig;

use crate::plugin::Plugin;

/// Every built-in, in the order that `cuff init` looks and writes.
pub const ALL: &[&dyn Plugin] = &[
    &packagejson::PackageJson,
    &makefile::MakefileTargets,
    &just::JUST,
    &taskfile::TASKFILE,
    &mise::MISE,
    &cargo::CARGO,
    &python::PYTHON,
    &tox::TOX,
    &nox::NOX,
    &invoke::INVOKE,
    &pixi::PIXI,
    &go::GO,
    &deno::DENO,
    &composer::COMPOSER,
    &gradle::GRADLE,
    &maven::MAVEN,
    &sbt::SBT,
    &cmake::CMAKE,
    &meson::MESON,
    &autotools::AUTOTOOLS,
    &cabal::CABAL,
    &stack::STACK,
    &rake::RAKE,
    &mix::MIX,
    &rebar::REBAR,
    &swift::SWIFT,
    &dart::DART,
    &zig::ZIG,
    &dune::DUNE,
    &bazel::BAZEL,
    &compose::COMPOSE,
    &turbo::TURBO,
    &nx::NX,
    &rush::RUSH,
    &lefthook::LEFTHOOK,
    &precommit::PRECOMMIT,
    &scripts::Scripts,
    &installs::NPM,
    &installs::PNPM,
    &installs::YARN,
    &installs::BUN,
    &dotnet::DOTNET,
    &eslint::ESLINT,
    &commands::DECLARED,
    &tasks::DESCRIBED,
];
