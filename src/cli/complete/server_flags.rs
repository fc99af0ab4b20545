//! The flags of another MCP server's tool, and their values, from the list that was kept last.

use super::candidate::{Candidate, Completion};
use super::position::{Behind, ExpectedWord, Position};
use crate::calls;
use crate::cli::declared;
use crate::cli::flags::{self, Flag};
use crate::project::Project;

/// The options of the tool that was typed. `None` if it is no tool of a server, or if an option of cuff needs
/// a value.
pub(super) fn server_flags(
    position: &Position<'_>,
    project: impl FnOnce() -> Option<Project>,
) -> Option<Completion> {
    let Behind { tool, words, dashes } = position.behind.as_ref()?;
    if matches!(position.expected, ExpectedWord::Value(..) | ExpectedWord::Command(_)) {
        return None;
    }
    let project = project()?;
    let registry = project.recalled();
    let input = &calls::resolve(&project, &registry, tool).ok()?.tool.input;
    if let Some(own) = input.declared() {
        let words = declared::words(own, words, *dashes).into_iter();
        return Some(words.map(|(word, about)| Candidate::new(word, about)).collect::<Vec<_>>().into());
    }
    let flags = flags::flags(input.schema()?);
    Some(offered(&flags, words, position.typed, *dashes).into())
}

fn offered(flags: &[Flag], words: &[&str], typed: &str, dashes: bool) -> Vec<Candidate> {
    let (mut given, mut open): (Vec<&Flag>, Option<&Flag>) = (Vec::new(), None);
    for word in words {
        if open.take().is_some() {
            continue;
        }
        let Some(name) = word.strip_prefix("--") else { continue };
        let (name, is_whole) = name.split_once('=').map_or((name, false), |(name, _)| (name, true));
        let Ok(flag) = flags::find(flags, name) else { continue };
        given.push(flag);
        open = Some(flag).filter(|flag| !is_whole && !flag.is_switch());
    }
    if let Some(flag) = open {
        return values(flag, "");
    }
    if let Some((front, _)) = typed.split_once('=')
        && let Some(Ok(flag)) = front.strip_prefix("--").map(|name| flags::find(flags, name))
    {
        return values(flag, &format!("{front}="));
    }
    let is_open = |flag: &&Flag| (flag.is_list || !given.contains(flag)) && (dashes || !flag.is_shadowed);
    let candidate = |flag: &Flag| Candidate::new(format!("--{}", flag.name), flag.details());
    flags.iter().filter(is_open).map(candidate).collect()
}

fn values(flag: &Flag, front: &str) -> Vec<Candidate> {
    let truths = || ["true", "false"].map(str::to_owned).to_vec();
    let choices = if flag.is_switch() { truths() } else { flag.choices.clone() };
    choices.iter().map(|choice| Candidate::new(format!("{front}{choice}"), "")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn flags_and_values_are_offered_where_they_fit() {
        let flags = flags::flags(&json!({"properties": {
            "title": {"type": "string"},
            "state": {"enum": ["open", "closed"]},
            "labels": {"type": "array", "items": {"enum": ["a", "b"]}},
            "draft": {"type": "boolean"},
            "dry-run": {"type": "boolean"},
        }}));
        for (words, typed, dashes, expected) in [
            ("", "--", false, "--title --state --labels --draft"),
            ("", "", true, "--title --state --labels --draft --dry-run"),
            ("--title x --labels a", "--", false, "--state --labels --draft"),
            ("--title --state", "-", false, "--state --labels --draft"),
            ("--state", "", false, "open closed"),
            ("--labels", "a", false, "a b"),
            ("--title", "x", false, ""),
            ("--draft", "", false, "--title --state --labels"),
            ("", "--state=o", false, "--state=open --state=closed"),
            ("", "--draft=", false, "--draft=true --draft=false"),
        ] {
            let words: Vec<&str> = words.split_whitespace().collect();
            let offered = offered(&flags, &words, typed, dashes);
            let names: Vec<String> = offered.into_iter().map(|candidate| candidate.value).collect();
            assert_eq!(names.join(" "), expected, "{words:?} {typed}");
        }
    }
}
