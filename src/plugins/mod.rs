//! The built-in plugins. Adding one is a folder and two lines here.

mod eslint;
mod makefile;
mod packagejson;
mod scripts;

use crate::plugin::Plugin;

/// Every built-in, in the order that `cuff init` looks and writes.
pub const ALL: &[&dyn Plugin] =
    &[&packagejson::PackageJson, &makefile::MakefileTargets, &scripts::Scripts, &eslint::Eslint];
