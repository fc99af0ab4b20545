//! The program that an operator has a tool call, with words of the operator's own.

use super::Values;
use crate::{ErrorCode, Field, Problem, Word, shown};

impl Values {
    /// The program and the words of a field of the kind [`CommandLine`](crate::ValueKind::CommandLine).
    /// They count as the operator's if the settings contain them.
    ///
    /// # Errors
    /// A problem if the line cannot be split into words, and for a program that is relative to a folder: a
    /// call that chooses the folder must not choose the program with it.
    pub fn program(&self, field: &Field) -> Result<(Word, Vec<Word>), Box<Problem>> {
        let word = if self.has(field) { Word::settings } else { Word::fixed };
        let words = shlex::split(self.text(field)).unwrap_or_default();
        let mut words = words.into_iter().map(word);
        let Some(program) = words.next() else {
            let what = format!("{} cannot be split into words, so nothing is offered", field.name);
            let problem = Problem::error(ErrorCode::InvalidConfig, what);
            return Err(Box::new(problem.help("close each quotation mark, and name at least a program")));
        };
        if program.text.contains('/') && !program.text.starts_with('/') {
            let what =
                format!("{} names {}, which is relative to a folder", field.name, shown(&program.text));
            let problem = Problem::error(ErrorCode::InvalidProgram, what);
            return Err(Box::new(problem.help("name a program on the PATH, or write its whole path")));
        }
        Ok((program, words.collect()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Default, Origin, ValueKind};

    const COMMAND: Field =
        Field { name: "command", kind: ValueKind::CommandLine, default: Default::Text("pnpm"), about: "x" };

    #[test]
    fn the_operator_chooses_the_program() {
        let said = |line: &str| Values::of([(&COMMAND, json!(line))]).program(&COMMAND);
        assert_eq!(Values::default().program(&COMMAND).unwrap(), (Word::fixed("pnpm"), vec![]));
        let (program, words) = said("corepack 'pnpm'").unwrap();
        assert_eq!((program, words), (Word::settings("corepack"), vec![Word::settings("pnpm")]));
        assert_eq!(said("/opt/pnpm").unwrap().0.origin, Origin::Settings);
        for (line, expected) in [
            ("", "command cannot be split into words, so nothing is offered"),
            ("'", "command cannot be split into words, so nothing is offered"),
            ("./pnpm", "command names ./pnpm, which is relative to a folder"),
            ("bin/pnpm x", "command names bin/pnpm, which is relative to a folder"),
        ] {
            assert_eq!(said(line).unwrap_err().message, expected, "{line}");
        }
    }
}
