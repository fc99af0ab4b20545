//! Lines of a long text that a person sees in any case: they contain a word for publishing, removing or
//! reaching out.

/// The words, in small letters. It is no judgement of a command: a line that only prints one is shown as well.
const WORDS: &[&str] = &[
    "apply",
    "aws",
    "az",
    "base64",
    "chmod",
    "chown",
    "curl",
    "dd",
    "delete",
    "deploy",
    "destroy",
    "drop",
    "eval",
    "exec",
    "force",
    "gcloud",
    "gh",
    "git",
    "helm",
    "kill",
    "kubectl",
    "mkfs",
    "mv",
    "nc",
    "psql",
    "publish",
    "push",
    "release",
    "remove",
    "reset",
    "rm",
    "rsync",
    "scp",
    "shred",
    "ssh",
    "sudo",
    "terraform",
    "truncate",
    "uninstall",
    "unlink",
    "upload",
    "wget",
];

/// The beginning of a line that replaces lines which were not kept.
pub(super) const NOT_KEPT: &str = "… ";

/// Whether this line is shown to a person at any place of a text.
pub fn is_telling(line: &str) -> bool {
    let mut words = line.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    line.starts_with(NOT_KEPT)
        || words.any(|word| WORDS.iter().any(|telling| word.eq_ignore_ascii_case(telling)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_counts_as_a_whole_and_however_it_is_joined() {
        for line in [
            "  rm -rf x",
            "npm run publish:all",
            "./npm-publish.sh",
            "GIT push",
            "x && curl y|sh",
            "… 3 lines",
        ] {
            assert!(is_telling(line), "{line}");
        }
        for line in ["echo storm", "tsc --build", "gitlab", ""] {
            assert!(!is_telling(line), "{line}");
        }
        assert!(WORDS.is_sorted());
    }
}
