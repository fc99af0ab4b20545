//! The words behind a tool's name as arguments of another MCP server's tool.

use serde_json::{Map, Value};

use super::flag::{Flag, find};
use super::kind::FlagKind;
use crate::model::{listed, shown};
use crate::terminal::Failed;

/// How many flags a message lists.
const MOST_LISTED: usize = 12;

/// Adds the arguments that the words say to those that are given already.
///
/// # Errors
/// When a word is no flag, or a value does not fit its flag.
pub(in crate::cli) fn arguments(
    flags: &[Flag],
    tool: &str,
    words: &[&str],
    mut arguments: Map<String, Value>,
) -> Result<Map<String, Value>, Failed> {
    let mut typed = Map::new();
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        let Some(name) = word.strip_prefix("--").filter(|name| !name.is_empty()) else {
            return Err(stray(flags, tool, word));
        };
        let (name, text) = name.split_once('=').map_or((name, None), |(name, text)| (name, Some(text)));
        let flag = find(flags, name).map_err(|near| unknown(flags, tool, name, near))?;
        let text = match (text, flag.kind) {
            (Some(text), _) => text,
            // A tool of a server takes no other words, so that this one can only be meant for the flag.
            (None, FlagKind::Switch) => {
                words.next_if(|next| matches!(*next, "true" | "false")).unwrap_or("true")
            }
            (None, _) => words.next().ok_or_else(|| {
                Failed::usage(format!("--{} needs a value", flag.name))
                    .help(format!("type `{}`", flag.usage()))
            })?,
        };
        add(&mut typed, flag, text)?;
    }
    arguments.extend(typed);
    Ok(arguments)
}

/// The error for a call that lacks what the tool needs.
pub(in crate::cli) fn missing(flags: &[Flag], tool: &str, arguments: &Map<String, Value>) -> Option<Failed> {
    let lacking = flags.iter().filter(|flag| flag.is_required && !arguments.contains_key(&flag.property));
    let lacking: Vec<&Flag> = lacking.collect();
    if lacking.is_empty() {
        return None;
    }
    let names: Vec<String> = lacking.iter().map(|flag| format!("--{}", flag.name)).collect();
    let dashes = if lacking.iter().any(|flag| flag.is_shadowed) {
        let shadowed: Vec<String> =
            lacking.iter().filter(|flag| flag.is_shadowed).map(|flag| format!("--{}", flag.name)).collect();
        format!("; {} goes after `--`, since `cuff run` has such an option itself", shadowed.join(", "))
    } else {
        String::new()
    };
    let failed = Failed::usage(format!("`{tool}` needs {}", listed(&names, MOST_LISTED)));
    Some(failed.help(format!("{}{dashes}", says_more(tool))))
}

fn add(typed: &mut Map<String, Value>, flag: &Flag, text: &str) -> Result<(), Failed> {
    let is_null = flag.is_nullable && flag.kind != FlagKind::Text && text == "null";
    let value = if is_null { Ok(Value::Null) } else { flag.kind.read(text) };
    let value = value.map_err(|must| {
        let help = match flag.kind {
            FlagKind::Json { .. } => {
                Some(format!("quote it for the shell: --{}='{{\"key\": 1}}'", flag.name))
            }
            FlagKind::Switch => Some(format!("`--{0}` alone means true, `--{0}=false` false", flag.name)),
            FlagKind::Text | FlagKind::Whole | FlagKind::Number => None,
        };
        let failed = Failed::usage(format!("--{} must be {must}, not `{}`", flag.name, shown(text)));
        help.into_iter().fold(failed, Failed::help)
    })?;
    match typed.get_mut(&flag.property) {
        None if flag.is_list && !is_null => {
            typed.insert(flag.property.clone(), Value::Array(vec![value]));
        }
        None => {
            typed.insert(flag.property.clone(), value);
        }
        Some(Value::Array(values)) if flag.is_list => values.push(value),
        Some(_) => return Err(Failed::usage(format!("--{} is given twice", flag.name)).help("give it once")),
    }
    Ok(())
}

fn stray(flags: &[Flag], tool: &str, word: &str) -> Failed {
    let failed = Failed::usage(format!("`{tool}` takes flags, not the word `{}`", shown(word)));
    failed.help(takes(flags, tool))
}

fn unknown(flags: &[Flag], tool: &str, name: &str, near: Option<&str>) -> Failed {
    let help = near.map_or_else(|| takes(flags, tool), |near| format!("did you mean `--{near}`?"));
    Failed::usage(format!("`{tool}` takes no --{}", shown(name))).help(help)
}

fn takes(flags: &[Flag], tool: &str) -> String {
    let names: Vec<String> = flags.iter().map(|flag| format!("--{}", flag.name)).collect();
    if names.is_empty() {
        return "it takes no arguments".to_owned();
    }
    format!("it takes {}; {}", listed(&names, MOST_LISTED), says_more(tool))
}

fn says_more(tool: &str) -> String {
    format!("`cuff list --long {tool}` shows its flags, and --json-input takes all arguments from a file")
}
