//! Build servers: whether this is one, and the branch that it builds.

use std::path::Path;

use crate::model::Revision;
use crate::sys::{Environment, revision as git};

/// The variables by which build servers name the branch, the first that is set counts. They check a commit out without its branch.
/// GitHub's is `12/merge` for a pull request and GitLab's `refs/merge-requests/…`, so that no change goes for the branch that it may
/// become part of.
const BRANCHES: [&str; 6] = [
    "GITHUB_REF_NAME",
    "CI_COMMIT_BRANCH",
    "CI_MERGE_REQUEST_REF_PATH",
    "BUILDKITE_BRANCH",
    "CIRCLE_BRANCH",
    "BRANCH_NAME",
];

/// Whether this is a build server: each sets `CI`.
pub(crate) fn is_build_server(environment: &Environment) -> bool {
    environment.get("CI").is_some_and(|value| value != "false" && value != "0")
}

/// The commit and the branch of a project: those of git, and the branch of the build server where git has none.
pub(crate) fn revision(root: &Path, environment: &Environment) -> Revision {
    let revision = git::of(root);
    if revision.branch.is_some() || revision.commit.is_none() || !is_build_server(environment) {
        return revision;
    }
    let branch = BRANCHES.iter().find_map(|name| environment.get(name)?.to_str().map(str::to_owned));
    Revision { branch, ..revision }
}
