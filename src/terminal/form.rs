//! A form that a person fills in at the terminal: a field after the other, each judged when it is entered.

use console::Term;
use dialoguer::theme::ColorfulTheme;
use dialoguer::{Input, Select};

use crate::model::visible;

/// A field of a form.
#[derive(Debug, Clone, PartialEq)]
pub struct FormField {
    /// The question: `Title of the issue`.
    pub prompt: String,
    /// The answers to choose from; empty: the person types one.
    pub choices: Vec<String>,
    /// The answer when nothing is typed; `None`: there must be one, unless the field is optional.
    pub usual: Option<String>,
    /// Whether it may be left empty.
    pub is_optional: bool,
}

/// Asks for one field. `judge` returns the error of a typed answer. `None`: the person left it empty.
///
/// # Errors
/// The terminal's, and Ctrl-C as [`std::io::ErrorKind::Interrupted`].
pub fn fill_in(
    field: &FormField,
    judge: impl Fn(&str) -> Result<(), String>,
) -> std::io::Result<Option<String>> {
    let theme = ColorfulTheme::default();
    let prompt = visible(&field.prompt).into_owned();
    let terminal = Term::stderr();
    if field.choices.is_empty() {
        let mut input = Input::<String>::with_theme(&theme)
            .with_prompt(prompt)
            .allow_empty(field.is_optional)
            .validate_with(
                |typed: &String| {
                    if typed.is_empty() && field.is_optional { Ok(()) } else { judge(typed) }
                },
            );
        if let Some(usual) = &field.usual {
            input = input.default(usual.clone());
        }
        let typed = input.interact_text_on(&terminal).map_err(|dialoguer::Error::IO(error)| error)?;
        return Ok((!typed.is_empty() || !field.is_optional).then_some(typed));
    }
    let mut items: Vec<String> = field.choices.iter().map(|choice| visible(choice).into_owned()).collect();
    if field.is_optional {
        items.push("(leave it empty)".to_owned());
    }
    let usual = field.usual.as_ref().and_then(|usual| field.choices.iter().position(|it| it == usual));
    let chosen = Select::with_theme(&theme)
        .with_prompt(prompt)
        .items(&items)
        .default(usual.unwrap_or_default())
        .interact_on(&terminal)
        .map_err(|dialoguer::Error::IO(error)| error)?;
    Ok(field.choices.get(chosen).cloned())
}
