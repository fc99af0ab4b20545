//! Bazel: build and test all targets.

use super::tasks::SourceSpec;

pub(super) const BAZEL: SourceSpec = SourceSpec {
    id: "bazel",
    codes: "BAZEL",
    summary: "Bazel: build and test all targets",
    files: &["MODULE.bazel", "WORKSPACE.bazel", "WORKSPACE"],
    read: |look| {
        let program = if look.lacks("bazel") && look.has_program("bazelisk") { "bazelisk" } else { "bazel" };
        let bazel = look.program(&[program]);
        vec![
            bazel.usual("build", &["build", "//..."], "Build all targets").building(),
            bazel.usual("test", &["test", "//..."], "Run all tests").building(),
            bazel.usual("fetch", &["fetch", "//..."], "Download what the targets need").fetching(),
        ]
    },
    programs: &[("bazel", "install Bazelisk: https://github.com/bazelbuild/bazelisk")],
    ..SourceSpec::BLANK
};
