//! Which arguments a script may be called with.

use crate::model::{BadCall, Command, LITERAL};

/// Characters that a shell would act on, in case the script hands its arguments to one unquoted.
const DANGEROUS: &str = ";&|`$(){}[]<>\\'\"!*?~\n\r\0";

/// Programs that go on to read options after a script that they were given with `-f`.
const READ_ON: &[&str] = &["awk", "gawk", "mawk", "nawk", "sed", "gsed", "make", "gmake", "bmake", "jq"];

/// Refuses arguments that could do more than be arguments.
pub(super) fn check(mode: &str, command: &Command, arguments: &[&str]) -> Result<(), BadCall> {
    let Some(reader) = option_reader(command) else { return check_characters(mode, arguments) };
    for (number, argument) in (1..).zip(arguments) {
        // make's NAME=value has the power of an option: SHELL=… chooses the shell of recipes.
        if argument.starts_with('-') || (reader.ends_with("make") && argument.contains('=')) {
            let message = format!("Argument {number} would be read by {reader} as its own option");
            return Err(BadCall::refused(message).help("call the script without it"));
        }
    }
    check_characters(mode, arguments)
}

/// Refuses characters that a shell acts on. The arguments are passed without a shell, so `literal` allows every character
/// that a process can be given.
pub(in crate::plugins) fn check_characters(mode: &str, arguments: &[&str]) -> Result<(), BadCall> {
    for (number, argument) in (1..).zip(arguments) {
        let dangerous = dangerous(if mode == LITERAL { "\0" } else { DANGEROUS }, argument);
        if !dangerous.is_empty() {
            let help = if dangerous == ["\\0"] {
                format!("leave the NUL out of argument {number}; no process can be given one")
            } else {
                format!(
                    "leave them out of argument {number}; settings.yml can allow them with \
                     `arguments: literal`"
                )
            };
            let message = format!("Argument contains dangerous characters: {}", dangerous.join(" "));
            return Err(BadCall::refused(message).help(help));
        }
    }
    Ok(())
}

/// The characters of `set` that the argument holds, in order of appearance, as they can be shown.
fn dangerous(set: &str, argument: &str) -> Vec<String> {
    let mut found: Vec<char> = Vec::new();
    for character in argument.chars().filter(|character| set.contains(*character)) {
        if !found.contains(&character) {
            found.push(character);
        }
    }
    found
        .into_iter()
        .map(|c| if c.is_control() { c.escape_debug().to_string() } else { c.to_string() })
        .collect()
}

/// The program that would take a script's arguments for its own, if one runs it.
fn option_reader(command: &Command) -> Option<&'static str> {
    let (_script, interpreter) = command.arguments.split_last()?;
    let words = std::iter::once(&command.program).chain(interpreter);
    let mut names =
        words.flat_map(|word| word.text.split(' ')).map(|word| word.rsplit('/').next().unwrap_or(word));
    names.find_map(|name| READ_ON.iter().copied().find(|reader| *reader == name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Word;

    fn verdict(mode: &str, words: &[&str], arguments: &[&str]) -> String {
        let mut words = words.iter().copied().map(Word::fixed);
        let command = Command::new(words.next().unwrap()).arguments(words);
        match check(mode, &command, arguments) {
            Ok(()) => "fine".into(),
            Err(bad) => format!("{:?}: {} ({})", bad.kind, bad.message, bad.help.unwrap()),
        }
    }

    #[test]
    fn strict_refuses_what_a_shell_acts_on() {
        for character in DANGEROUS.chars() {
            let argument = format!("a{character}b");
            let said = verdict("strict", &["/bin/sh", "/s"], &["fine", &argument]);
            assert!(said.starts_with("Refused: Argument contains dangerous characters: "), "{said}");
            assert!(said.contains("argument 2"), "{said}");
        }
        insta::assert_snapshot!(verdict("strict", &["/bin/sh", "/s"], &["x; rm $HOME; $x\n"]), @r"Refused: Argument contains dangerous characters: ; $ \n (leave them out of argument 1; settings.yml can allow them with `arguments: literal`)");
        for argument in ["--flag=a,b", "-x", "", "ä 日本", "a/b:c@d#e%f+g^h", "\t"] {
            assert_eq!(verdict("strict", &["/bin/sh", "/s"], &[argument]), "fine", "{argument:?}");
        }
    }

    #[test]
    fn literal_refuses_what_no_process_can_be_given() {
        assert_eq!(verdict("literal", &["/s"], &["$(x); `y` \n\r'\""]), "fine");
        insta::assert_snapshot!(verdict("literal", &["/s"], &["a", "b\0"]), @r"Refused: Argument contains dangerous characters: \0 (leave the NUL out of argument 2; no process can be given one)");
    }

    #[test]
    fn options_of_the_interpreter_are_refused() {
        for (words, argument, expected) in [
            (&["/usr/bin/awk", "-f", "/s"][..], "-f", false),
            (&["make", "-f", "/s"], "SHELL=/x", false),
            (&["make", "-f", "/s"], "build", true),
            (&["/usr/bin/env", "-S gawk ${X} -f", "/s"], "-i", false),
            (&["/bin/zsh", "-f", "/s"], "-f", true),
            (&["python3", "/home/make"], "--x=y", true),
            (&["/home/sed"], "-i", true),
        ] {
            for mode in ["strict", "literal"] {
                assert_eq!(verdict(mode, words, &[argument]) == "fine", expected, "{words:?} {argument}");
            }
        }
        insta::assert_snapshot!(verdict("strict", &["sed", "-f", "/s"], &["x", "-i"]), @"Refused: Argument 2 would be read by sed as its own option (call the script without it)");
    }
}
