//! Haskell: build and test with stack, where the project is set up for it.

use super::cabal::tasks;
use super::tasks::SourceSpec;

pub(super) const STACK: SourceSpec = SourceSpec {
    id: "stack",
    codes: "STACK",
    summary: "Haskell: build and test with stack",
    files: &["stack.yaml"],
    read: |look| {
        let stack = look.command(&["stack"]);
        let fetch = ["build", "--only-dependencies", "--test"];
        tasks(&stack, [&["build"], &["test"], &fetch])
    },
    programs: &[("stack", "install stack: https://docs.haskellstack.org")],
    ..SourceSpec::BLANK
};
