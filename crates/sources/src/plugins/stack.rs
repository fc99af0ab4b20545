//! Haskell: build and test with stack, where the project is set up for it.

use super::cabal::tasks;
use super::tasks::SourceSpec;

pub(super) const STACK: SourceSpec = SourceSpec {
    id: "stack",
    codes: "STACK",
    summary: "Haskell: build and test with stack",
    files: &["stack.yaml"],
    read: |look| {
        if look.manifest("stack.yaml").is_none() {
            return Vec::new();
        }
        let stack = look.program(&["stack"]);
        let fetch = ["build", "--only-dependencies", "--test"];
        tasks(&stack, [&["build"], &["test"], &fetch])
    },
    programs: &[("stack", "install stack: https://docs.haskellstack.org")],
    ..SourceSpec::BLANK
};

#[cfg(test)]
mod tests {
    use super::super::taskfile::tests::listed;
    use super::*;

    #[test]
    fn a_broken_file_is_said_with_its_line() {
        insta::assert_snapshot!(listed(&STACK, &[("stack.yaml", "resolver: lts-22.0\npackages: [\n")]), @"error: stack.yaml:3: stack.yaml cannot be parsed: did not find expected node content at line 3 column 1, while parsing a flow node (correct it; tools of other sources still work)");
    }
}
