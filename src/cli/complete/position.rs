//! Where in the clap tree the word under the cursor stands.

use clap::{Arg, ArgAction, Command};

use crate::cli::arguments::{option_word, takes_value};

/// The result of reading the words before the cursor. A wrong line is read as far as it is right.
#[derive(Debug)]
pub(super) struct Position<'a> {
    /// The names of the commands that were typed, cuff itself not counted.
    pub(super) commands: Vec<&'a str>,
    /// The kind of word that is expected here.
    pub(super) expected: ExpectedWord<'a>,
    /// The values that options were given, by the name of the option.
    pub(super) given: Vec<(&'a str, String)>,
    /// The word under the cursor, as far as it is the value that is looked for.
    pub(super) typed: &'a str,
    /// The tool of `cuff run` or `cuff why`, and the words behind it.
    pub(super) behind: Option<Behind<'a>>,
}

/// The words behind a tool that are no option of cuff.
#[derive(Debug)]
pub(super) struct Behind<'a> {
    pub(super) tool: &'a str,
    pub(super) words: Vec<&'a str>,
    /// Whether `--` was there.
    pub(super) dashes: bool,
}

/// The kind of word that is expected under the cursor.
#[derive(Debug)]
pub(super) enum ExpectedWord<'a> {
    /// The value of an option; the text before it in the same word: `--cwd=`.
    Value(&'a Arg, &'a str),
    /// An option.
    Option(&'a Command),
    /// A command within this one.
    Command(&'a Command),
    /// An argument by its place.
    Argument(&'a Arg),
    /// Nothing that is known.
    Nothing,
}

/// The words that were read so far.
struct WordsBefore<'a> {
    command: &'a Command,
    commands: Vec<&'a str>,
    given: Vec<(&'a str, String)>,
    /// How many arguments by place there were.
    places: usize,
    /// The option whose value comes next.
    open: Option<&'a Arg>,
    /// Whether `--` was there.
    dashes: bool,
    /// The words that are neither commands nor options of cuff.
    words: Vec<&'a str>,
}

impl<'a> Position<'a> {
    /// Reads the words before the cursor, without the program's name, and the word under it.
    pub(super) fn of(tree: &'a Command, before: &'a [String], typed: &'a str) -> Self {
        let mut line = WordsBefore {
            command: tree,
            commands: Vec::new(),
            given: Vec::new(),
            places: 0,
            open: None,
            dashes: false,
            words: Vec::new(),
        };
        for word in before {
            line.read(word);
        }
        let (expected, typed) = line.expected(typed);
        let takes_tool = matches!(line.commands.as_slice(), ["run" | "why"]);
        let behind = line.words.split_first().filter(|_| takes_tool).map(|(tool, words)| Behind {
            tool,
            words: words.to_vec(),
            dashes: line.dashes,
        });
        Self { commands: line.commands, expected, given: line.given, typed, behind }
    }
}

impl<'a> WordsBefore<'a> {
    fn read(&mut self, word: &'a str) {
        if let Some(option) = self.open.take() {
            self.give(option, word);
        } else if self.dashes {
            self.words.push(word);
            self.places += 1;
        } else if word == "--" {
            self.dashes = true;
        } else if let Some((option, value)) = option_word(self.command, word) {
            match value {
                Some(value) => self.give(option, value),
                None if takes_value(option) => self.open = Some(option),
                None => {}
            }
        } else if word.len() < 2 || !word.starts_with('-') {
            if let Some(inner) = self.command.find_subcommand(word).filter(|_| self.places == 0) {
                self.command = inner;
                self.commands.push(inner.get_name());
            } else {
                self.read_tool(word);
            }
        } else if !self.words.is_empty() {
            self.words.push(word);
        }
    }

    /// A word by its place. As the first of the line it is a tool: `cuff test` is `cuff run test`.
    fn read_tool(&mut self, word: &'a str) {
        if let Some(run) = self.command.find_subcommand("run").filter(|_| self.commands.is_empty()) {
            self.command = run;
            self.commands.push(run.get_name());
        }
        self.words.push(word);
        self.places += 1;
    }

    fn give(&mut self, option: &'a Arg, value: &str) {
        self.given.push((option.get_id().as_str(), value.to_owned()));
    }

    fn expected(&self, typed: &'a str) -> (ExpectedWord<'a>, &'a str) {
        if let Some(option) = self.open {
            return (ExpectedWord::Value(option, ""), typed);
        }
        if !self.dashes && typed.starts_with('-') {
            return match option_word(self.command, typed) {
                Some((option, Some(value))) => {
                    (ExpectedWord::Value(option, &typed[..typed.len() - value.len()]), value)
                }
                _ => (ExpectedWord::Option(self.command), typed),
            };
        }
        if self.places == 0 && !self.dashes && self.command.has_subcommands() {
            return (ExpectedWord::Command(self.command), typed);
        }
        let mut places: Vec<&Arg> = self.command.get_positionals().collect();
        places.sort_by_key(|arg| arg.get_index());
        let here = places.get(self.places).or_else(|| places.last().filter(|last| is_many(last)));
        (here.map_or(ExpectedWord::Nothing, |arg| ExpectedWord::Argument(arg)), typed)
    }
}

fn is_many(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Append)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::arguments::built_tree;

    #[test]
    fn words_are_read_as_the_command_line_reads_them() {
        let abouts: Vec<_> = crate::plugins::ALL.iter().map(|plugin| plugin.about()).collect();
        let tree = built_tree(&abouts);
        for (line, expected) in [
            ("cuff ", "command of cuff"),
            ("cuff -q ", "command of cuff"),
            ("cuff -C ", "value DIR"),
            ("cuff -qC ", "value DIR"),
            ("cuff -Cwe", "value DIR after -C"),
            ("cuff --config=x", "value PATH after --config="),
            ("cuff ru", "command of cuff"),
            ("cuff run ", "argument TOOL"),
            ("cuff -C x run ", "argument TOOL"),
            ("cuff run -C x --env A=B ", "argument TOOL"),
            ("cuff run test ", "argument ARGS"),
            ("cuff run test a b ", "argument ARGS"),
            ("cuff run test -- --", "argument ARGS"),
            ("cuff run --", "option of run"),
            ("cuff run -", "option of run"),
            ("cuff run --cwd we", "value DIR"),
            ("cuff run test --cwd=we", "value DIR after --cwd="),
            ("cuff run --unknown ", "argument TOOL"),
            ("cuff runs ", "command of runs"),
            ("cuff runs diff ", "argument RUN"),
            ("cuff runs diff latest ", "argument EARLIER"),
            ("cuff runs diff latest x ", "nothing"),
            ("cuff runs log --stream ", "value STREAM"),
            ("cuff makefile run ", "argument TARGET"),
            ("cuff makefile run-target ", "argument TARGET"),
            ("cuff init --plugins a,", "value A,B"),
            ("cuff test ", "argument ARGS"),
            ("cuff -q test --", "option of run"),
            ("cuff test --cwd we", "value DIR"),
        ] {
            let words: Vec<String> = line.split(' ').skip(1).map(str::to_owned).collect();
            let (typed, before) = words.split_last().unwrap();
            let position = Position::of(&tree, before, typed);
            let name = |arg: &Arg| arg.get_value_names().unwrap_or_default().first().unwrap().to_string();
            let found = match position.expected {
                ExpectedWord::Value(arg, "") => format!("value {}", name(arg)),
                ExpectedWord::Value(arg, front) => format!("value {} after {front}", name(arg)),
                ExpectedWord::Option(command) => format!("option of {}", command.get_name()),
                ExpectedWord::Command(command) => format!("command of {}", command.get_name()),
                ExpectedWord::Argument(arg) => format!("argument {}", name(arg)),
                ExpectedWord::Nothing => "nothing".to_owned(),
            };
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn values_of_options_are_kept_wherever_they_stand() {
        let tree = built_tree(&[]);
        let words: Vec<String> = ["-C", "a", "run", "--config=b", "x"].map(str::to_owned).to_vec();
        let position = Position::of(&tree, &words, "");
        assert_eq!(position.given, [("directory", "a".to_owned()), ("config", "b".to_owned())]);
        assert_eq!(position.commands, ["run"]);
    }
}
