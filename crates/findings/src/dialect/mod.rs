//! Formats of output that findings are read from, a file each; this file is only the list.
//!
//! A dialect reads the lines of one stream and returns findings. It knows nothing of files, processes or
//! other dialects. [`diagnostics`](crate::diagnostics) cuts logs into lines, chooses the dialects for each
//! line, and combines the findings.

mod brief;
mod bun_install;
mod bun_test;
mod cargo_json;
mod cargo_test;
mod cause;
mod crash;
mod deno;
mod dotnet;
mod dotnet_test;
mod draft;
mod epilogue;
mod eslint;
mod failure;
mod frame;
mod gcc;
mod go;
mod java;
mod jest;
mod json;
mod json_report;
mod make;
mod matcher;
mod mocha;
mod msbuild;
mod mypy;
mod next;
mod nextest;
mod node;
mod node_test;
mod npm_install;
mod panic;
mod place;
mod playwright;
mod pnpm_install;
mod pnpm_report;
mod pytest;
mod python;
mod reading;
mod reason;
mod rolldown;
mod rollup;
mod runners;
mod rustc;
mod sanitizer;
mod shell;
mod source;
mod stylish;
mod table;
mod tally;
mod tap;
mod thrown;
mod traceback;
#[cfg(test)]
pub(crate) mod trial;
mod unittest;
mod vitest;
mod webpack;
mod xml_report;
mod yarn_install;

use std::sync::LazyLock;

pub use brief::brief;
pub use cause::with_causes;
pub use epilogue::{is_epilogue, is_sum};
pub use make::{Interruption, interruption, is_made_of, is_target_failure};
pub use matcher::Matched;
pub use reading::{
    Consequence, Dialect, Format, LONGEST_BEFORE, Line, LinePart, Next, PendingFindings, last_line, plain,
};

/// Every dialect. If two read the same thing, the first one's finding counts: those that say most of a line come first.
pub static ALL: LazyLock<Vec<Format>> = LazyLock::new(|| LISTS.concat());

const LISTS: &[&[Format]] = &[
    runners::RUNNERS,
    TESTS,
    table::SUITES,
    // Rolldown passes on what compilers of styles say, more than once, and names the file.
    &[rolldown::FORMAT],
    table::PYTHON,
    table::WEB,
    table::NATIVE,
    table::SCRIPTS,
    table::LANGUAGES,
    table::DOCS,
    table::SETTINGS,
    table::USAGE,
    table::SYSTEM,
    json_report::LINTERS,
    READERS,
    json_report::REPORTS,
];
/// How many there are.
pub(crate) const COUNT: usize = {
    let (mut list, mut count) = (0, 0);
    while list < LISTS.len() {
        count += LISTS[list].len();
        list += 1;
    }
    count
};

/// Whether the format with this name is one of a test runner.
pub fn is_test_runner(id: &str) -> bool {
    [runners::RUNNERS, TESTS, table::SUITES].into_iter().flatten().any(|format| format.id == id)
}

/// The formats of the compilers of Rust and Go, which are done before the tests of a package run.
pub const COMPILED_FIRST: [&str; 2] = ["rustc", "go"];

/// Whether the format with this name is one of a compiler or a build that runners of tests start themselves, between the
/// tests of two packages as well.
pub fn is_compiler(id: &str) -> bool {
    let compilers = [
        "go",
        "rustc",
        "msbuild",
        "dotnet",
        "java",
        "javac",
        "maven",
        "gradle",
        "kotlinc",
        "sbt",
        "ant",
        "mix",
        "erlc",
        "dart_compile",
        "cython",
        "next",
        "webpack",
        "vite",
    ];
    compilers.contains(&id)
}

/// The formats of compilers of C and of the programs that build with them.
pub const COMPILING: &[&str] = &[gcc::FORMAT.id, make::FORMAT.id, "cmake"];

/// Runners of tests that have readers of their own. They pass on what compilers say, and know of which test.
const TESTS: &[Format] = &[
    jest::FORMAT,
    vitest::FORMAT,
    playwright::FORMAT,
    mocha::FORMAT,
    bun_test::FORMAT,
    node_test::FORMAT,
    tap::FORMAT,
    pytest::FORMAT,
    unittest::FORMAT,
    nextest::FORMAT,
    cargo_test::FORMAT,
    go::test::FORMAT,
    dotnet_test::FORMAT,
];

/// Other formats that have readers of their own.
const READERS: &[Format] = &[
    stylish::ESLINT,
    stylish::STYLELINT,
    eslint::FORMAT,
    next::FORMAT,
    rollup::FORMAT,
    webpack::FORMAT,
    rustc::FORMAT,
    cargo_json::FORMAT,
    panic::FORMAT,
    gcc::FORMAT,
    sanitizer::FORMAT,
    make::FORMAT,
    go::panic::FORMAT,
    java::FORMAT,
    java::exception::FORMAT,
    java::maven::FORMAT,
    msbuild::FORMAT,
    mypy::FORMAT,
    dotnet::FORMAT,
    node::FORMAT,
    deno::FORMAT,
    python::FORMAT,
    npm_install::FORMAT,
    pnpm_install::FORMAT,
    pnpm_report::FORMAT,
    yarn_install::FORMAT,
    bun_install::FORMAT,
    shell::FORMAT,
    xml_report::CHECKSTYLE,
    xml_report::JUNIT,
];
