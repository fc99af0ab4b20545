//! Environment variables that an agent's call may set: plain names and values that settings allow. None of
//! them may run code before or instead of the tool.

mod expanded;
mod names;

use self::names::{ENDINGS, FAMILIES, HARMLESS, JOINED, NAMES, OTHER_WORDS};
use super::refusal::Refusal;
use crate::model::{Change, Limits, Origin, Registered, shown};

/// Characters that a shell, make or a configuration file acts on.
const ACTED_ON: &str = "$`;|&<>'\"\\()[]{}";

/// Refuses variables that no process can receive, for every caller.
pub(super) fn judge_shape(changes: &[Change]) -> Result<(), Refusal> {
    for change in brought(changes) {
        if change.name.is_empty() || change.name.contains(['=', '\0']) {
            return Err(Refusal::new(
                format!("Environment variable name {:?} is not plain", change.name),
                "use letters, digits and `_`, not starting with a digit",
            ));
        }
        if change.value.contains('\0') {
            return Err(Refusal::new(
                format!("Environment variable {} contains a NUL character", change.name),
                "remove the NUL character; no program can be given one",
            ));
        }
    }
    Ok(())
}

/// Refuses the changes of an agent's call that could make other code run, or that settings do not allow. Settings may
/// make such changes: the operator is trusted.
pub(super) fn judge(changes: &[Change], limits: &Limits) -> Result<(), Refusal> {
    for change in brought(changes) {
        if !is_plain(&change.name) {
            return Err(Refusal::new(
                format!("Environment variable name {:?} is not plain", change.name),
                "use letters, digits and `_`, not starting with a digit",
            ));
        }
        if let Some(odd) = change.value.chars().find(|character| is_acted_on(*character)) {
            return Err(Refusal::new(
                format!("The value of environment variable {} holds {}", change.name, visible(odd)),
                "give plain text: no control characters and none of $ ` ; | & < > quotes, backslash or brackets, which \
                 shells, make and configuration files act on; the operator may set it under `environment:` in settings.yml",
            ));
        }
    }
    let names = |is_it: &dyn Fn(&Change) -> bool| -> Vec<&str> {
        brought(changes).filter(|change| is_it(change)).map(|change| change.name.as_str()).collect()
    };
    let blocked = names(&|change| is_blocked(change));
    if !blocked.is_empty() {
        return Err(Refusal::new(
            format!("Blocked environment variables: {}", blocked.join(", ")),
            "a call may not set variables that make other code run, in `env` or as NAME=value; the operator may, under \
             `environment:` in settings.yml",
        ));
    }
    let allows = |name: &String| limits.env.as_ref().is_none_or(|allowed| allowed.contains(name));
    let unlisted = names(&|change| !allows(&change.name));
    if unlisted.is_empty() {
        return Ok(());
    }
    let help = match limits.env.as_deref().unwrap_or_default() {
        [] => "leave them out: the settings say `env: none` for this tool".to_owned(),
        allowed => format!("the settings allow {} for this tool", shown(&allowed.join(", "))),
    };
    Err(Refusal::new(
        format!("Environment variables that the settings do not allow: {}", unlisted.join(", ")),
        help,
    ))
}

/// Refuses variables that the tool's own text puts where they choose a program or an option, unless the settings name them.
pub(super) fn judge_expanded(
    text: &str,
    changes: &[Change],
    limits: &Limits,
    tool: &Registered,
) -> Result<(), Refusal> {
    let is_named =
        |name: &String| limits.opens && limits.env.as_ref().is_some_and(|names| names.contains(name));
    let mut unnamed = brought(changes).filter(|change| !is_named(&change.name));
    let Some(change) = unnamed.find(|change| expanded::chooses(text, &change.name, &change.value)) else {
        return Ok(());
    };
    let (name, original) = (&change.name, &tool.tool.original);
    Err(Refusal::new(
        format!(
            "The tool's own text puts environment variable {name} in the place of a program or an option"
        ),
        format!(
            "leave it out; a person can allow it with `tools: {{{original:?}: {{env: [{name}]}}}}` under `config` of `{}` in \
             settings.yml",
            tool.name.instance
        ),
    ))
}

fn brought(changes: &[Change]) -> impl Iterator<Item = &Change> {
    changes.iter().filter(|change| change.origin == Origin::Call)
}

/// Letters, digits and `_`: also keeps out exported shell functions (`BASH_FUNC_ls%%`).
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Whether some reader of a value acts on this character. Such characters are C0, DEL, C1, and signs of
/// shells and make. So are separators of lines and marks of direction, which also hide text from people.
fn is_acted_on(character: char) -> bool {
    let hides = matches!(character, '\u{2028}' | '\u{2029}' | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    character.is_control() || hides || ACTED_ON.contains(character)
}

/// A character as messages show it.
fn visible(character: char) -> String {
    if ACTED_ON.contains(character) { character.to_string() } else { character.escape_unicode().to_string() }
}

/// Case does not matter: npm reads `NPM_Config_Script_Shell` as well.
fn is_blocked(change: &Change) -> bool {
    let name = change.name.to_ascii_uppercase();
    if name == "ENV" {
        // To many projects it is a deployment target; to an interactive shell it is a file.
        return !change.value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    }
    let any = |list: &[&'static str], matches: &dyn Fn(&str) -> bool| {
        list.iter().flat_map(|line| line.split_ascii_whitespace()).any(matches)
    };
    let joined = any(JOINED, &|end| name.strip_suffix(end).is_some_and(|rest| !rest.ends_with('_')));
    let in_family = joined && !any(OTHER_WORDS, &|word| name.ends_with(word))
        || any(ENDINGS, &|ending| name.ends_with(ending))
        || any(FAMILIES, &|family| name.starts_with(family));
    any(NAMES, &|single| name == single) || in_family && !is_harmless(&name)
}

fn is_harmless(name: &str) -> bool {
    HARMLESS.iter().flat_map(|line| line.split_ascii_whitespace()).any(|harmless| {
        match harmless.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => name == harmless,
        }
    })
}

#[cfg(test)]
mod tests;
