//! A task, as a source reads it.

use crate::model::{Effects, Profile, Word};

/// One thing that a project's own tools do by a name.
#[expect(clippy::struct_excessive_bools, reason = "facts of a task, each on its own")]
#[derive(Debug, Clone)]
pub(in crate::plugins) struct Task {
    /// Its name in the source: `test`, `lint:fix`.
    pub(super) name: String,
    /// Other names for it.
    pub(super) aliases: Vec<String>,
    /// The words of its description; `None`: the command says it.
    pub(super) description: Option<String>,
    /// The program and its words.
    pub(super) words: Vec<Word>,
    /// The project's own text that it runs; `None`: the command is all of it.
    pub(super) text: Option<String>,
    /// Whether a call may add words.
    pub(super) takes_words: bool,
    /// Whether the project has given it its name.
    pub(super) is_of_project: bool,
    /// Whether the project's own definition has each call require confirmation.
    pub(super) confirms: bool,
    /// Whether agents need a person's confirmation, whatever settings say.
    pub(super) mutates: bool,
    /// Whether it is listed, or why not.
    pub(super) listing: Listing,
    pub(super) profile: Profile,
    pub(super) effects: Option<Effects>,
    /// The file and the line of its definition, where they differ from the source's file.
    pub(super) place: Option<(String, Option<usize>)>,
}

/// Whether a task is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::plugins) enum Listing {
    /// Listed.
    Public,
    /// The source keeps it out of lists, for this reason. A person may name it, and so may settings.
    ByName(&'static str),
    /// Its runner starts it for other tasks alone, for this reason.
    Never(&'static str),
}

impl Task {
    fn new(name: impl Into<String>, words: Vec<Word>) -> Self {
        Self {
            name: name.into(),
            aliases: Vec::new(),
            description: None,
            words,
            text: None,
            takes_words: true,
            is_of_project: false,
            confirms: false,
            mutates: false,
            listing: Listing::Public,
            profile: Profile::Test,
            effects: None,
            place: None,
        }
    }

    /// A task that every project with this source has, with its description.
    pub(in crate::plugins) fn usual(name: &str, words: Vec<Word>, description: &str) -> Self {
        Self { description: Some(description.to_owned()), ..Self::new(name, words) }
    }

    /// A task that the project itself names.
    pub(in crate::plugins) fn own(name: impl Into<String>, words: Vec<Word>) -> Self {
        Self { is_of_project: true, ..Self::new(name, words) }
    }

    /// The same task, which writes nothing but its own output and may run again.
    #[must_use]
    pub(in crate::plugins) fn repeatable(mut self) -> Self {
        self.effects = Some(Effects { destructive: false, idempotent: true, ..Effects::UNKNOWN });
        self
    }

    /// The same task, as one that fetches from the network: it requires confirmation for agents, and takes no words.
    #[must_use]
    pub(in crate::plugins) fn fetching(mut self) -> Self {
        (self.profile, self.mutates, self.takes_words) = (Profile::Install, true, false);
        self
    }

    /// The same task, which requires confirmation for agents.
    #[must_use]
    pub(in crate::plugins) fn mutating(mut self) -> Self {
        self.mutates = true;
        self
    }

    /// The same task, with another containment.
    #[must_use]
    pub(in crate::plugins) fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// The same task, with further names.
    #[must_use]
    pub(in crate::plugins) fn aliases<'a>(mut self, aliases: impl IntoIterator<Item = &'a str>) -> Self {
        self.aliases.extend(aliases.into_iter().map(str::to_owned));
        self
    }

    /// The same task, with its own description, if it has one.
    #[must_use]
    pub(in crate::plugins) fn described<'a>(mut self, description: impl Into<Option<&'a str>>) -> Self {
        self.description = description.into().map(str::to_owned).or(self.description);
        self
    }

    /// The same task, with the project's own text that it runs.
    #[must_use]
    pub(in crate::plugins) fn text(mut self, text: impl Into<Option<String>>) -> Self {
        self.text = text.into();
        self
    }

    /// The same task, which takes no words of a call.
    #[must_use]
    pub(in crate::plugins) fn without_words(mut self) -> Self {
        self.takes_words = false;
        self
    }

    /// The same task; whether the project has each call require confirmation.
    #[must_use]
    pub(in crate::plugins) fn confirming(mut self, confirms: bool) -> Self {
        self.confirms = confirms;
        self
    }

    /// The same task, which is listed or not.
    #[must_use]
    pub(in crate::plugins) fn listing(mut self, listing: Listing) -> Self {
        self.listing = listing;
        self
    }

    /// The same task, listed nowhere for this reason unless it never is.
    #[must_use]
    pub(in crate::plugins) fn hidden(mut self, why: &'static str) -> Self {
        if self.listing == Listing::Public {
            self.listing = Listing::ByName(why);
        }
        self
    }

    /// The same task, with the place of its definition.
    #[must_use]
    pub(in crate::plugins) fn at(mut self, file: impl Into<String>, line: Option<usize>) -> Self {
        self.place = Some((file.into(), line));
        self
    }

    /// Whether it is the task of this name.
    pub(in crate::plugins) fn is(&self, name: &str) -> bool {
        self.name == name
    }

    /// The local name of its tool: `lint__fix` for `lint:fix`.
    pub(super) fn tool_name(&self) -> String {
        let mut name = String::new();
        for c in self.name.chars() {
            match c {
                ':' => name.push_str("__"),
                c if c.is_ascii_alphanumeric() => name.push(c),
                _ => name.push('_'),
            }
        }
        name
    }
}

/// Words of cuff's or of the project's files.
pub(in crate::plugins) fn words<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<Word> {
    words.into_iter().map(Word::fixed).collect()
}
