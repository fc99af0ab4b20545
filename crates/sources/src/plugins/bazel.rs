//! Bazel: build and test all targets.

use super::tasks::{SourceSpec, SourceTask, words};
use crate::model::{Profile, Word};

pub(super) const BAZEL: SourceSpec = SourceSpec {
    id: "bazel",
    codes: "BAZEL",
    summary: "Bazel: build and test all targets",
    files: &["MODULE.bazel", "WORKSPACE.bazel", "WORKSPACE"],
    read: |look| {
        let program = if look.lacks("bazel") && look.has_program("bazelisk") { "bazelisk" } else { "bazel" };
        let bazel = look.command(&[program]);
        let command = |own: &[&str]| -> Vec<Word> { [bazel.clone(), words(own.iter().copied())].concat() };
        let task = |name: &str, own: &[&str], description: &str| {
            SourceTask::usual(name, command(own), description).profile(Profile::Build).repeatable()
        };
        vec![
            task("build", &["build", "//..."], "Build all targets"),
            task("test", &["test", "//..."], "Run all tests"),
            SourceTask::usual("fetch", command(&["fetch", "//..."]), "Download what the targets need")
                .fetching(),
        ]
    },
    programs: &[("bazel", "install Bazelisk: https://github.com/bazelbuild/bazelisk")],
    ..SourceSpec::BLANK
};
