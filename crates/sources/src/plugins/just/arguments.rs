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
use super::recipe::Recipe;
use crate::model::{BadCall, Command, LITERAL, Parameter, ParameterForm, Word, fit_parameters, shown};
use crate::plugins::tasks::{PlannedCall, check_pasted};

/// The key of a recipe's entry in the list that names its interpreter.
const INTERPRETER: &str = "interpreter";

/// A recipe as the list tool shows it.
pub(super) fn entry(recipe: &Recipe, description: &str) -> Map<String, Value> {
    let mut entry = Map::new();
    entry.insert("recipe".into(), recipe.path.clone().into());
    entry.insert("description".into(), description.into());
    entry.insert("parameters".into(), recipe.parameters.iter().map(shape).collect());
    entry.extend(recipe.interpreter.iter().map(|own| (INTERPRETER.to_owned(), json!(own))));
    entry
}

fn shape(own: &Parameter) -> Value {
    let mut shape = json!({"name": own.name, "required": own.is_required});
    if own.is_variadic {
        shape["variadic"] = json!(true);
    }
    if let ParameterForm::Option { long, short, is_switch } = &own.form {
        if *is_switch {
            shape["switch"] = json!(true);
        }
        for (key, value) in [("long", long), ("short", short)] {
            if let Some(value) = value {
                shape[key] = json!(value);
            }
        }
    }
    if let Some(default) = &own.default {
        shape["default"] = json!(default);
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
        let declared = call.tool.input.declared().unwrap_or_default();
        check(call.config.text(&ARGUMENTS) == LITERAL, &recipe, declared, &words)?;
    }
    Ok(call.command.clone().arguments(words.into_iter().map(Word::call)))
}

fn check(is_literal: bool, recipe: &Value, parameters: &[Parameter], words: &[&str]) -> Result<(), BadCall> {
    check_pasted(is_literal, words)?;
    if let Some(interpreter) = recipe[INTERPRETER].as_str().filter(|_| !is_literal && !words.is_empty()) {
        let what = format!("args: the text of this recipe is no shell's but of {}", shown(interpreter));
        let help = "call it without args: just pastes them into that text, or allow it in settings.yml with \
                    `arguments: literal`";
        return Err(BadCall::refused(what).help(help));
    }
    fit_parameters(parameters, "recipe", words)
}
