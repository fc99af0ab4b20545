//! Build servers: whether this is one, and the branch that it builds.

use std::path::Path;

use crate::model::Revision;
use crate::sys::{Environment, revision as git};

/// The variables by which build servers name the branch, the first that is set counts. They check a commit out without its branch.
/// GitHub's is `12/merge` for a pull request and GitLab's `refs/merge-requests/…`, so that no change goes for the branch that it may
/// become part of.
const BRANCHES: [&str; 8] = [
    "GITHUB_REF_NAME",
    "CI_COMMIT_BRANCH",
    "CI_MERGE_REQUEST_REF_PATH",
    "BUILDKITE_BRANCH",
    "CIRCLE_BRANCH",
    "BRANCH_NAME",
    "BITBUCKET_BRANCH",
    "BUILD_SOURCEBRANCH",
];
/// The variables that are set where a tag is built, each with its value; `None`: any. Some servers have the tag in the variable of the
/// branch then.
const TAGS: [(&str, Option<&str>); 2] = [("GITHUB_REF_TYPE", Some("tag")), ("BUILDKITE_TAG", None)];
/// How Azure's variable names a branch, and a tag.
const OF_BRANCHES: &str = "refs/heads/";
const OF_TAGS: &str = "refs/tags/";

/// Whether this is a build server: each sets `CI`, but for Azure Pipelines, which sets `TF_BUILD`.
pub(crate) fn is_build_server(environment: &Environment) -> bool {
    let is_set = |name| environment.get(name).is_some_and(|value| value != "false" && value != "0");
    is_set("CI") || is_set("TF_BUILD")
}

/// The commit and the branch of a project: those of git, and the branch of the build server where git has none.
pub(crate) fn revision(root: &Path, environment: &Environment) -> Revision {
    let revision = git::of(root);
    if revision.branch.is_some() || revision.commit.is_none() || !is_build_server(environment) {
        return revision;
    }
    Revision { branch: branch(environment), ..revision }
}

/// The branch that the build server names; `None` where it builds a tag.
fn branch(environment: &Environment) -> Option<String> {
    let text = |name: &str| environment.get(name)?.to_str().filter(|text| !text.is_empty());
    let is_tag = |(name, value): &(&str, Option<&str>)| {
        text(name).is_some_and(|set| value.is_none_or(|value| value == set))
    };
    if TAGS.iter().any(is_tag) {
        return None;
    }
    let named = BRANCHES.iter().find_map(|name| text(name))?;
    let branch = named.strip_prefix(OF_BRANCHES).unwrap_or(named);
    (!branch.starts_with(OF_TAGS)).then(|| branch.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_build_server_names_its_branch_and_a_tag_is_none() {
        for (variables, expected) in [
            (&[("CI", "true"), ("GITHUB_REF_TYPE", "branch"), ("GITHUB_REF_NAME", "main")][..], Some("main")),
            (&[("CI", "true"), ("GITHUB_REF_TYPE", "tag"), ("GITHUB_REF_NAME", "v1")], None),
            (
                &[("CI", "true"), ("GITHUB_REF_TYPE", "branch"), ("GITHUB_REF_NAME", "12/merge")],
                Some("12/merge"),
            ),
            (&[("TF_BUILD", "True"), ("BUILD_SOURCEBRANCH", "refs/heads/team/x")], Some("team/x")),
            (&[("TF_BUILD", "True"), ("BUILD_SOURCEBRANCH", "refs/pull/1/merge")], Some("refs/pull/1/merge")),
            (&[("TF_BUILD", "True"), ("BUILD_SOURCEBRANCH", "refs/tags/v1")], None),
            (&[("CI", "true"), ("BITBUCKET_BRANCH", "main")], Some("main")),
            (&[("CI", "true"), ("BITBUCKET_TAG", "v1")], None),
            (&[("CI", "true"), ("BUILDKITE_BRANCH", "main"), ("BUILDKITE_TAG", "")], Some("main")),
            (&[("CI", "true"), ("BUILDKITE_BRANCH", "v1"), ("BUILDKITE_TAG", "v1")], None),
            (&[("CI", "true"), ("CI_COMMIT_BRANCH", ""), ("CIRCLE_BRANCH", "main")], Some("main")),
        ] {
            let environment = Environment::new("/", variables.iter().copied());
            assert!(is_build_server(&environment), "{variables:?}");
            assert_eq!(branch(&environment).as_deref(), expected, "{variables:?}");
        }
    }
}
