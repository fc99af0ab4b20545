//! The words of a call behind a recipe, and the words that an agent may pass.
//!
//! Tried with just 1.59:
//!
//! | words | effect |
//! |---|---|
//! | `just build A=1`, `-n`, `--yes`, `--`, `foo::x` | all are arguments of `build`: behind a recipe just reads neither options nor variables |
//! | `just build x deploy`, where `build` takes one argument | runs `deploy` too |
//! | the same without parameters, and `x::y` | runs the recipe `x::y` too |
//! | `--name x`, `--name=x`, `-n x` behind a recipe with such options | sets them; each takes a word that is no argument |
//! | `just build 'x; id'` with `echo {{target}}` | runs `id`: just pastes the word into the line |
//! | the same with `print({{x}})` under Python | runs any expression |
//!
//! So the count of a governed call's words fits the recipe's parameters exactly.

use serde_json::{Map, Value, json};

use super::config::{ARGS, ARGUMENTS};
use super::recipe::{Parameter, Recipe};
use crate::model::{BadCall, Command, LITERAL, Word, counted, shown};
use crate::plugins::tasks::PlannedCall;

/// The characters that a shell would act on, blanks included: just quotes nothing.
const DANGEROUS: &str = ";&|`$(){}[]<>\\'\"!*?~#^ \t\n\r\0";

/// The keys of a recipe's entry in the list.
const PARAMETERS: &str = "parameters";
const INTERPRETER: &str = "interpreter";

/// A recipe as the list tool shows it, and as a call's words are held to it.
pub(super) fn entry(recipe: &Recipe, description: &str) -> Map<String, Value> {
    let mut entry = Map::new();
    entry.insert("recipe".into(), recipe.path.clone().into());
    entry.insert("description".into(), description.into());
    entry.insert(PARAMETERS.into(), recipe.parameters.iter().map(shape).collect());
    entry.extend(recipe.interpreter.iter().map(|own| (INTERPRETER.to_owned(), json!(own))));
    entry
}

fn shape(own: &Parameter) -> Value {
    let mut shape = json!({"name": own.name, "required": own.is_required});
    if own.is_variadic {
        shape["variadic"] = json!(true);
    }
    if own.is_switch {
        shape["switch"] = json!(true);
    }
    let texts = [("long", &own.long), ("short", &own.short), ("default", &own.default)];
    for (key, value) in texts.into_iter().filter_map(|(key, value)| Some((key, value.as_ref()?))) {
        shape[key] = json!(value);
    }
    if let Some(most) = own.most {
        shape["most"] = json!(most);
    }
    shape
}

/// Adds a call's words behind the recipe.
///
/// # Errors
/// For a governed call: a word that may be more than an argument, or a number of words that the recipe does
/// not take.
pub(super) fn add(call: &PlannedCall<'_>) -> Result<Command, BadCall> {
    let words = call.arguments.texts(&ARGS);
    if call.governance.is_governed() {
        let recipe = call.tool.shown().unwrap_or_default();
        check(call.config.text(&ARGUMENTS) == LITERAL, &recipe, &words)?;
    }
    Ok(call.command.clone().arguments(words.into_iter().map(Word::call)))
}

fn check(is_literal: bool, recipe: &Value, words: &[&str]) -> Result<(), BadCall> {
    for word in words {
        let dangerous = word.chars().find(|c| if is_literal { *c == '\0' } else { DANGEROUS.contains(*c) });
        if let Some(found) = dangerous {
            let found = found.escape_debug();
            let what = format!("args: \"{}\" holds '{found}', which is no plain text", shown(word));
            let help = if is_literal {
                "leave the NUL out; no process can be given one"
            } else {
                "leave it out: just pastes arguments into lines for a shell, or allow it in settings.yml with \
                 `arguments: literal`"
            };
            return Err(BadCall::refused(what).help(help));
        }
    }
    if let Some(interpreter) = recipe[INTERPRETER].as_str().filter(|_| !is_literal && !words.is_empty()) {
        let what = format!("args: the text of this recipe is no shell's but of {}", shown(interpreter));
        let help = "call it without args: just pastes them into that text, or allow it in settings.yml with \
                    `arguments: literal`";
        return Err(BadCall::refused(what).help(help));
    }
    let empty = Vec::new();
    let parameters = recipe[PARAMETERS].as_array().unwrap_or(&empty);
    let (options, placed): (Vec<&Value>, Vec<&Value>) =
        parameters.iter().partition(|own| own["long"].is_string() || own["short"].is_string());
    let count = if options.is_empty() { plain(words)? } else { without_options(words, &options)? };
    fits(count, &placed)
}

/// The count of words for a recipe without options.
fn plain(words: &[&str]) -> Result<usize, BadCall> {
    if words.contains(&"--") {
        let help = "leave it out: this recipe has no options that it could end";
        return Err(BadCall::refused("args: \"--\" is no argument").help(help));
    }
    Ok(words.len())
}

/// The count of the words that are neither options of the recipe nor values of these.
fn without_options(words: &[&str], options: &[&Value]) -> Result<usize, BadCall> {
    let (mut count, mut words) = (0, words.iter());
    while let Some(word) = words.next() {
        if !word.starts_with('-') {
            count += 1;
            continue;
        }
        let (name, value) = word.split_once('=').map_or((*word, None), |(name, value)| (name, Some(value)));
        let is_it = |own: &&&Value| {
            let long = own["long"].as_str().is_some_and(|long| name.strip_prefix("--") == Some(long));
            let short = own["short"].as_str().is_some_and(|short| name.strip_prefix('-') == Some(short));
            long || short && value.is_none()
        };
        let option = options.iter().find(is_it);
        let is_switch = option.is_some_and(|own| own["switch"] == true);
        let is_whole = match (option, is_switch, value) {
            (Some(_), true, None) | (Some(_), false, Some(_)) => true,
            (Some(_), false, None) => words.next().is_some_and(|value| !value.starts_with('-')),
            (Some(_), true, Some(_)) | (None, ..) => false,
        };
        if !is_whole {
            let what = format!("args: \"{}\" is no whole option of this recipe", shown(word));
            return Err(
                BadCall::refused(what).help("write options as the description has them: --name=value")
            );
        }
    }
    Ok(count)
}

/// Checks that the recipe takes so many words: just would run those beyond as recipes of their own.
fn fits(count: usize, placed: &[&Value]) -> Result<(), BadCall> {
    let least = placed.iter().filter(|own| own["required"] == true).count();
    let variadic = placed.iter().find(|own| own["variadic"] == true);
    let most = match variadic {
        None => Some(placed.len()),
        Some(own) => own["most"].as_u64().map(|most| placed.len() - 1 + usize::try_from(most).unwrap_or(0)),
    };
    if count < least {
        let what =
            format!("args: this recipe takes at least {}, not {count}", counted(least as u64, "argument"));
        return Err(BadCall::invalid(what).help("give one for each parameter that the description names"));
    }
    if let Some(most) = most.filter(|most| count > *most) {
        let what =
            format!("args: this recipe takes at most {}, not {count}", counted(most as u64, "argument"));
        return Err(BadCall::refused(what).help("leave out the rest: just would run it as further recipes"));
    }
    Ok(())
}
