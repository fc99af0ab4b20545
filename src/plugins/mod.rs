//! The built-in plugins. Adding one is a folder and two lines here.

use crate::plugin::Plugin;

mod packagejson;

/// Every built-in, in the order that `cuff init` looks and writes.
pub const ALL: &[&dyn Plugin] = &[&packagejson::PackageJson];
