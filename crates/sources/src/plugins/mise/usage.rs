//! The parameters of a task of mise, in the language of usage: `arg "<file>" help="…"`, `flag "-f --force"`.

use crate::model::{Parameter, ParameterForm};

/// The parameters that a text declares; lines that are not understood are passed over, as mise itself judges them.
pub(super) fn parameters(text: &str) -> Vec<Parameter> {
    let mut found: Vec<Parameter> = Vec::new();
    for line in text.lines() {
        let words = words(line);
        let parts: Vec<&str> = words.iter().map(String::as_str).collect();
        match parts.as_slice() {
            ["arg", name, rest @ ..] => found.push(with_details(argument(name), rest)),
            ["flag", names, rest @ ..] => found.push(with_details(flag(names), rest)),
            ["choices", choices @ ..] => {
                if let Some(last) = found.last_mut() {
                    last.choices = choices.iter().map(|choice| (*choice).to_owned()).collect();
                }
            }
            _ => {}
        }
    }
    found
}

/// The parameters in the comments of a file: `#USAGE flag "-f"`, `#MISE …` apart.
pub(super) fn in_comments(text: &str) -> Vec<Parameter> {
    let lines = text.lines().filter_map(|line| {
        let line = line.trim_start_matches(['#', '/', '-', ' ', '[']).strip_prefix("USAGE")?;
        Some(line.trim_start_matches(']'))
    });
    parameters(&lines.collect::<Vec<_>>().join("\n"))
}

/// `<file>`, `[file]`, `<files>...`.
fn argument(name: &str) -> Parameter {
    let own = name.trim_end_matches(['.', '…']);
    Parameter {
        is_required: name.starts_with('<'),
        is_variadic: own.len() < name.len(),
        ..Parameter::placed(own.trim_matches(['<', '>', '[', ']']))
    }
}

/// `-f --force`, `-u --user <user>`.
fn flag(names: &str) -> Parameter {
    let mut words = names.split_whitespace();
    let (mut long, mut short, mut is_switch) = (None, None, true);
    for word in words.by_ref() {
        match (word.strip_prefix("--"), word.strip_prefix('-')) {
            (Some(name), _) => long = Some(name.to_owned()),
            (None, Some(letter)) => short = Some(letter.to_owned()),
            (None, None) => is_switch = false,
        }
    }
    let name = long.clone().or_else(|| short.clone()).unwrap_or_default();
    Parameter { form: ParameterForm::Option { long, short, is_switch }, ..Parameter::placed(name) }
}

/// The same parameter, with what stands behind its name.
fn with_details(mut parameter: Parameter, words: &[&str]) -> Parameter {
    for (at, word) in words.iter().enumerate() {
        let is_on = |value: &str| value.trim_start_matches('#') == "true";
        match word.split_once('=') {
            Some(("help", help)) => parameter.about = Some(help.to_owned()),
            Some(("default", default)) => {
                parameter.default = Some(default.to_owned());
                parameter.is_required = false;
            }
            Some(("required", value)) => parameter.is_required = is_on(value),
            Some(("var", value)) => parameter.is_variadic = is_on(value),
            None if *word == "choices" => {
                let rest = words[at + 1..].iter().take_while(|word| **word != "}");
                parameter.choices = rest.map(|word| (*word).to_owned()).collect();
            }
            _ => {}
        }
    }
    parameter
}

/// The words of a line; quotes keep blanks together, and are left out.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut is_quoted, mut is_open) = (Vec::new(), String::new(), false, false);
    let mut letters = line.trim().chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if is_quoted => word.extend(letters.next()),
            '"' => (is_quoted, is_open) = (!is_quoted, true),
            letter if letter.is_whitespace() && !is_quoted => {
                if is_open {
                    words.push(std::mem::take(&mut word));
                }
                is_open = false;
            }
            letter => {
                word.push(letter);
                is_open = true;
            }
        }
    }
    if is_open {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_and_flags_are_understood() {
        for (text, expected) in [
            ("arg \"<file>\" help=\"The file to use\"", "FILE (The file to use)"),
            ("arg \"[file]\" default=\"a b\"", "[FILE=a b]"),
            ("arg \"<files>...\"", "FILES..."),
            ("arg \"<file>\" required=#false var=#true", "[FILE]..."),
            ("flag \"-f --force\" help=\"Even so\"", "[--force] (Even so)"),
            ("flag \"-u --user <user>\" required=#true", "--user=USER"),
            ("flag \"-l <level>\"", "[-l L]"),
            ("arg \"<stage>\" { choices \"dev\" \"prod\" }", "dev|prod"),
            ("arg \"<stage>\" {\n  choices \"dev\" \"prod\"\n}\n", "dev|prod"),
            ("cmd \"x\"\n\narg", ""),
        ] {
            let shown = parameters(text).into_iter().map(|own| {
                let about = own.about.as_ref().map_or_else(String::new, |about| format!(" ({about})"));
                own.usage() + &about
            });
            assert_eq!(shown.collect::<Vec<_>>().join(" "), expected, "{text}");
        }
        let text = "#!/bin/sh\n#USAGE flag \"--all\"\n# [USAGE] arg \"<x>\"\necho USAGE\n";
        let names: Vec<String> = in_comments(text).into_iter().map(|own| own.name).collect();
        assert_eq!(names, ["all", "x"]);
    }
}
