//! The parameters that a project declares for a tool of its own, as people see them.

use std::ffi::OsString;
use std::fmt::Write as _;

use crate::model::{Parameter, ParameterForm, Registered, Role, visible, visible_lines};

/// The most columns that the usages take before the descriptions begin.
const WIDEST: usize = 32;

/// The help of a tool with such parameters: its description, and a line for each of them.
pub(super) fn help(found: &Registered) -> Option<String> {
    let declared = found.tool.input.declared()?;
    let about = visible_lines(&found.tool.description);
    let dashes = if declared.iter().any(Parameter::is_option) { " --" } else { "" };
    let usages: Vec<String> = declared.iter().map(Parameter::usage).collect();
    let usage = format!("cuff run {}{dashes} {}", found.shown, visible(&usages.join(" ")));
    let mut text = format!("{}\n\nUsage: {}\n", about.trim_end(), usage.trim_end());
    if !declared.is_empty() {
        text.push_str("\nParameters:\n");
    }
    for line in lines(declared) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {line}");
    }
    text.push_str("\n`cuff run --help` has the options of cuff.\n");
    Some(text)
}

/// The help of a tool without such parameters: its description, what it runs, and who answers further questions.
pub(super) fn plain_help(found: &Registered) -> String {
    let about = visible_lines(&found.tool.description);
    let words = if found.tool.input.fields().is_empty() { "" } else { " [-- WORDS]" };
    let name = &found.shown;
    let runs = match &found.tool.role {
        Role::Run { command, .. } => format!("\nRuns: {}\n", visible(&command.line())),
        Role::List(_) | Role::Relay(_) => String::new(),
    };
    let asks = if words.is_empty() {
        String::new()
    } else {
        format!("`cuff run {name} -- --help` asks the tool itself, ")
    };
    format!(
        "{}\n\nUsage: cuff run {name}{words}\n{runs}\n{asks}`cuff why {name}` says what cuff would do, `cuff run --help` has \
         the options of cuff.\n",
        about.trim_end()
    )
}

/// The help of a tool whose words ask for nothing but help. One that takes any words gets these, too.
pub(super) fn asked_help(found: Option<&Registered>, words: &[OsString]) -> Option<String> {
    let found = found?;
    let declared = found.tool.input.declared().filter(|declared| !declared.is_empty())?;
    let takes_any = declared.iter().any(|own| own.is_variadic && own.form == ParameterForm::Placed);
    let asks = matches!(words, [word] if word == "--help" || word == "-h");
    if asks && !takes_any { help(found) } else { None }
}

/// A line for each parameter: the way to give it, and what is known of it.
pub(super) fn lines(declared: &[Parameter]) -> Vec<String> {
    in_columns(declared.iter().map(|own| (own.usage(), own.about.clone().unwrap_or_default())))
}

/// A line for each usage, with what is known of it.
pub(super) fn in_columns(rows: impl Iterator<Item = (String, String)>) -> Vec<String> {
    let rows = rows.map(|row| <[String; 2]>::from(row).map(|text| visible(&text).into_owned()));
    let rows: Vec<[String; 2]> = rows.collect();
    let width = rows.iter().map(|[usage, _]| usage.chars().count()).max().unwrap_or_default().min(WIDEST);
    rows.iter().map(|[usage, about]| format!("{usage:width$}  {about}").trim_end().to_owned()).collect()
}

/// The words that may follow: options, variables with their values, and the values of what is given by its place.
pub(super) fn words<'p>(declared: &'p [Parameter], given: &[&str], dashes: bool) -> Vec<(String, &'p str)> {
    let mut offered: Vec<(String, &str)> = Vec::new();
    let is_given = |front: &str| given.iter().any(|word| word.starts_with(front));
    for own in declared {
        let fronts = match &own.form {
            ParameterForm::Placed => continue,
            ParameterForm::Variable => vec![format!("{}=", own.name)],
            ParameterForm::Option { .. } if !dashes => continue,
            ParameterForm::Option { long: Some(long), is_switch: true, .. } => vec![format!("--{long}")],
            ParameterForm::Option { long: Some(long), .. } => vec![format!("--{long}=")],
            ParameterForm::Option { short, .. } => short.iter().map(|short| format!("-{short}")).collect(),
        };
        for front in fronts.iter().filter(|front| !is_given(front)) {
            let about = own.about.as_deref().unwrap_or_default();
            if own.choices.is_empty() {
                offered.push((front.clone(), about));
            }
            offered.extend(own.choices.iter().map(|choice| (format!("{front}{choice}"), about)));
        }
    }
    let placed: Vec<_> = declared.iter().filter(|own| own.form == ParameterForm::Placed).collect();
    let count = given.iter().filter(|word| !word.starts_with('-') && !word.contains('=')).count();
    let next = placed.get(count).or_else(|| placed.last().filter(|own| own.is_variadic));
    offered.extend(next.into_iter().flat_map(|own| &own.choices).map(|choice| (choice.clone(), "")));
    offered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_fit_are_offered_once() {
        let choices = || vec!["dev".to_owned(), "prod".to_owned()];
        let option = |name: &str, is_switch| Parameter {
            form: ParameterForm::Option { long: Some(name.into()), short: None, is_switch },
            ..Parameter::placed(name)
        };
        let declared = [
            Parameter { choices: choices(), ..Parameter::variable("STAGE") },
            option("all", true),
            option("level", false),
            Parameter { choices: choices(), ..Parameter::placed("to") },
        ];
        for (given, dashes, expected) in [
            (&[][..], false, "STAGE=dev STAGE=prod dev prod"),
            (&["STAGE=dev", "prod"], true, "--all --level="),
            (&["--all", "--level=3"], true, "STAGE=dev STAGE=prod dev prod"),
        ] {
            let offered: Vec<String> =
                words(&declared, given, dashes).into_iter().map(|(word, _)| word).collect();
            assert_eq!(offered.join(" "), expected, "{given:?}");
        }
    }
}
