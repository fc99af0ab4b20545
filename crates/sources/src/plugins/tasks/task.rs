//! A task, as a source reads it.

use std::borrow::Cow;

use super::config::PARAMETERS;
use crate::model::{Command, Effects, Location, Parameter, Profile, Tool, Word, one_line};

/// One thing that a project's own tools do by a name.
#[derive(Debug, Clone)]
pub(in crate::plugins) struct SourceTask {
    /// The tool that it becomes, but for its command.
    pub(super) tool: Tool,
    /// The command, but for the parts that settings give to all. Without a folder of its own it has an empty one.
    pub(super) command: Command,
    /// Whether it is listed, or why not.
    pub(super) listing: TaskListing,
    /// Whether its tool has the content that a pin is for already.
    pub(super) has_content: bool,
}

/// Whether a task is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::plugins) enum TaskListing {
    /// Listed.
    Public,
    /// The source keeps it out of lists, for this reason. A person may name it, and so may settings.
    ByName(&'static str),
    /// Its runner starts it for other tasks alone, for this reason.
    Never(&'static str),
    /// The file without which it does not work, where that is not there: the lack, and the way to mend it.
    Lacking(String, &'static str),
}

impl SourceTask {
    fn new(name: impl Into<String>, words: Vec<Word>) -> Self {
        let mut words = words.into_iter();
        let program = words.next().unwrap_or_else(|| Word::fixed(""));
        let command = Command::new(program).arguments(words).directory("");
        let line = command.line();
        let otherwise = || one_line(&line).map_or_else(|| "Run it".to_owned(), Cow::into_owned);
        let name = name.into();
        let tool = Tool::running(tool_name(&name), name, Location::file(""), command.clone())
            .described_or(None, otherwise)
            .parameters(PARAMETERS)
            .text(line);
        Self { tool, command, listing: TaskListing::Public, has_content: false }
    }

    /// A task that every project with this source has, with its description.
    pub(in crate::plugins) fn usual(name: &str, words: Vec<Word>, description: &str) -> Self {
        Self::new(name, words).described(description)
    }

    /// A task that the project itself names.
    pub(in crate::plugins) fn own(name: impl Into<String>, words: Vec<Word>) -> Self {
        Self::new(name, words).with(Tool::declared)
    }

    /// The same task, with a change to its tool.
    #[must_use]
    pub(in crate::plugins) fn with(mut self, change: impl FnOnce(Tool) -> Tool) -> Self {
        self.tool = change(self.tool);
        self
    }

    /// The same task, with a change to its command.
    #[must_use]
    pub(in crate::plugins) fn running(mut self, change: impl FnOnce(Command) -> Command) -> Self {
        self.command = change(self.command);
        self
    }

    /// The same task, whose tool has a name that its source gives.
    #[must_use]
    pub(in crate::plugins) fn named(mut self, name: impl Into<String>) -> Self {
        self.tool.name = name.into();
        self
    }

    /// The same task, whose tool has the content that a pin is for.
    #[must_use]
    pub(in crate::plugins) fn pinned(mut self) -> Self {
        self.has_content = true;
        self
    }

    /// The same task, which writes nothing but its own output and may run again.
    #[must_use]
    pub(in crate::plugins) fn repeatable(self) -> Self {
        self.with(|tool| tool.effects(Effects { destructive: false, idempotent: true, ..Effects::UNKNOWN }))
    }

    /// The same task, as one that builds, lints or tests: it is contained so, and repeatable.
    #[must_use]
    pub(in crate::plugins) fn building(self) -> Self {
        self.profile(Profile::Build).repeatable()
    }

    /// The same task, as one that fetches from the network: it requires confirmation for agents, and takes no words.
    #[must_use]
    pub(in crate::plugins) fn fetching(self) -> Self {
        self.profile(Profile::Install).mutating().without_words()
    }

    /// The same task, which requires confirmation for agents.
    #[must_use]
    pub(in crate::plugins) fn mutating(self) -> Self {
        self.running(|command| command.requires_confirmation(true))
    }

    /// The same task, with another containment.
    #[must_use]
    pub(in crate::plugins) fn profile(self, profile: Profile) -> Self {
        self.running(|command| command.profile(profile))
    }

    /// The same task, with further names.
    #[must_use]
    pub(in crate::plugins) fn aliases<'a>(mut self, aliases: impl IntoIterator<Item = &'a str>) -> Self {
        self.tool.aliases.extend(aliases.into_iter().map(str::to_owned));
        self
    }

    /// The same task, with its own description, if it has one.
    #[must_use]
    pub(in crate::plugins) fn described<'a>(self, description: impl Into<Option<&'a str>>) -> Self {
        match description.into().and_then(one_line) {
            Some(description) => self.with(|tool| tool.described(description)),
            None => self,
        }
    }

    /// The same task, with the project's own text that it runs; without one its command is all of it.
    #[must_use]
    pub(in crate::plugins) fn text(mut self, text: impl Into<Option<String>>) -> Self {
        self.tool.text = text.into().or(self.tool.text);
        self
    }

    /// The same task, with the parameters that the project declares, if it declares some.
    #[must_use]
    pub(in crate::plugins) fn declaring(self, parameters: Vec<Parameter>) -> Self {
        if parameters.is_empty() {
            return self;
        }
        self.with(|tool| tool.declaring(PARAMETERS, parameters))
    }

    /// The same task, with the names of others that it starts by its own definition; `*` stands for any text.
    #[must_use]
    pub(in crate::plugins) fn starting(self, names: impl IntoIterator<Item = String>) -> Self {
        let names: Vec<String> = names.into_iter().collect();
        if names.is_empty() { self } else { self.with(|tool| tool.starting(names)) }
    }

    /// The same task, which takes no words of a call.
    #[must_use]
    pub(in crate::plugins) fn without_words(self) -> Self {
        self.with(|tool| tool.parameters(&[]))
    }

    /// The same task; whether the project has each call require confirmation.
    #[must_use]
    pub(in crate::plugins) fn confirming(self, confirms: bool) -> Self {
        self.with(|tool| tool.confirming(confirms))
    }

    /// The same task, which is listed or not.
    #[must_use]
    pub(in crate::plugins) fn listing(mut self, listing: TaskListing) -> Self {
        self.listing = listing;
        self
    }

    /// The same task, listed nowhere for this reason unless it never is.
    #[must_use]
    pub(in crate::plugins) fn hidden(mut self, why: &'static str) -> Self {
        if self.listing == TaskListing::Public {
            self.listing = TaskListing::ByName(why);
        }
        self
    }

    /// The same task, with the place of its definition; without one that is the source's file.
    #[must_use]
    pub(in crate::plugins) fn at(mut self, file: impl Into<String>, line: Option<usize>) -> Self {
        self.tool.source = Location::line(file, line);
        self
    }

    /// Whether the source keeps it out of lists.
    pub(in crate::plugins) fn is_hidden(&self) -> bool {
        self.listing != TaskListing::Public
    }

    /// The line of its command.
    pub(in crate::plugins) fn line(&self) -> String {
        self.command.line()
    }

    /// Whether it is the task of this name.
    pub(in crate::plugins) fn is(&self, name: &str) -> bool {
        self.tool.original == name
    }

    /// Whether a program takes its name as one word, and not as an option.
    pub(super) fn is_word(name: &str) -> bool {
        !name.is_empty() && !name.starts_with('-') && !name.contains(char::is_control)
    }

    /// Whether it is called so: by its name, by its tool's, or by another name that it has.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.is(name) || self.tool.name == name || self.tool.aliases.iter().any(|alias| alias == name)
    }
}

/// A program with its first words, whose further words are tasks.
#[derive(Debug)]
pub(in crate::plugins) struct TaskProgram(pub(in crate::plugins) Vec<Word>);

impl TaskProgram {
    /// The words of its command, and these behind them.
    pub(in crate::plugins) fn words(&self, own: &[&str]) -> Vec<Word> {
        [self.0.clone(), words(own.iter().copied())].concat()
    }

    /// A task that every project with this source has, by these words.
    pub(in crate::plugins) fn usual(&self, name: &str, own: &[&str], description: &str) -> SourceTask {
        SourceTask::usual(name, self.words(own), description)
    }

    /// A task that the project itself names, by these words.
    pub(in crate::plugins) fn own(&self, name: impl Into<String>, own: &[&str]) -> SourceTask {
        SourceTask::own(name, self.words(own))
    }
}

/// The local name of a task's tool: `lint__fix` for `lint:fix`.
fn tool_name(task: &str) -> String {
    let mut name = String::new();
    for c in task.chars() {
        match c {
            ':' => name.push_str("__"),
            c if c.is_ascii_alphanumeric() => name.push(c),
            _ => name.push('_'),
        }
    }
    name
}

/// Words of cuff's or of the project's files.
pub(in crate::plugins) fn words<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<Word> {
    words.into_iter().map(Word::fixed).collect()
}
