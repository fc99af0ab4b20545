//! One callable thing.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use serde_json::{Map, Value};

use super::{Command, Content, Definition, Effects, Field, Input, Lazy, Location, Parameter};

/// The empty list of what runs along with a tool, or is started by it, which most tools share.
static NOTHING: LazyLock<Lazy<Vec<String>>> = LazyLock::new(|| Vec::new().into());

/// A tool as its plugin found it; the registry settles its final name.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// The local name that the plugin wants for it: `npm_test`.
    pub name: String,
    /// Its name in the source: `test:unit`, `scripts/build.sh`.
    pub original: String,
    /// Other names of it in the source, by which people may call it: `b` for `build`.
    pub aliases: Vec<String>,
    /// One line for lists and for agents.
    pub description: String,
    /// Whether that says more than the name: the project's own words, or the plugin's of a tool that it knows.
    pub is_described: bool,
    /// Whether a file of the project declares it under this very name, settings.yml or one with tasks: then the project has given
    /// it its name.
    pub is_declared: bool,
    /// Whether its own definition has each call require confirmation, whoever asks: `confirm: true` in settings.yml,
    /// `[confirm]` in a justfile.
    pub confirms: bool,
    /// The parameters that it takes.
    pub input: Input,
    /// Its possible effects.
    pub effects: Effects,
    /// Whether it runs or answers.
    pub role: Role,
    /// The place of its definition.
    pub source: Location,
    /// Its own text where that is short and known: `tsc && vite build`.
    pub text: Option<String>,
    /// The same text as its file has it, where `text` is in other words: with `{{env}}`, not `$1`.
    pub written: Option<String>,
    /// Commands that run with it without being named, in the plugin's words:
    /// `prebuild before it: rm -rf dist`. Otherwise the project's own text, in lines.
    pub along: Lazy<Vec<String>>,
    /// The names in its source of other tools that it starts by its own definition, wherever its text does not say so: what a rule
    /// needs, the `deps` of a task. `*` stands for any text. Some may be no tools.
    pub starts: Lazy<Vec<String>>,
    /// All that it runs of the project's own text, where [`TRUST`](super::TRUST) asks for it and it can be known.
    pub content: Option<Content>,
    /// Further facts for results: `package_manager: npm`.
    pub metadata: Vec<(&'static str, String)>,
}

impl Tool {
    /// A tool that starts a process, of which nothing more is known.
    pub fn running(
        name: impl Into<String>,
        original: impl Into<String>,
        source: Location,
        command: Command,
    ) -> Self {
        let role = Role::Run { command: Box::new(command), entry: ListEntry::Original, rehearsal: None };
        let original = original.into();
        let effects = Effects::named(&original);
        Self::new(name.into(), original, source, role, effects)
    }

    /// A tool that lists the others of its instance under a key.
    pub fn listing(
        name: impl Into<String>,
        original: impl Into<String>,
        source: Location,
        key: &'static str,
    ) -> Self {
        Self::new(name.into(), original.into(), source, Role::List(key), Effects::NONE)
    }

    /// A tool of another MCP server, by the server's own definition of it.
    pub fn relayed(
        name: impl Into<String>,
        original: impl Into<String>,
        source: Location,
        schema: Arc<Value>,
        definition: impl Into<Definition>,
    ) -> Self {
        let role = Role::Relay(definition.into());
        let tool = Self::new(name.into(), original.into(), source, role, Effects::UNKNOWN);
        Self { input: Input::Schema(schema), ..tool }
    }

    fn new(name: String, original: String, source: Location, role: Role, effects: Effects) -> Self {
        Self {
            name,
            original,
            aliases: Vec::new(),
            description: String::new(),
            is_described: false,
            is_declared: false,
            confirms: false,
            input: Input::Fields(&[]),
            effects,
            role,
            source,
            text: None,
            written: None,
            along: Lazy::clone(&NOTHING),
            starts: Lazy::clone(&NOTHING),
            content: None,
            metadata: Vec::new(),
        }
    }

    /// The same tool, with a description that says more than its name.
    #[must_use]
    pub fn described(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self.is_described = true;
        self
    }

    /// The same tool, with its own description, or else with a line that says no more than its name.
    #[must_use]
    pub fn described_or(self, own: Option<Cow<'_, str>>, otherwise: impl FnOnce() -> String) -> Self {
        match own {
            Some(own) => self.described(own),
            None => Self { description: otherwise(), is_described: false, ..self },
        }
    }

    /// The same tool, as a file of the project declares it under its own name.
    #[must_use]
    pub fn declared(mut self) -> Self {
        self.is_declared = true;
        self
    }

    /// The same tool, whose own definition has each call require confirmation or not.
    #[must_use]
    pub fn confirming(mut self, confirms: bool) -> Self {
        self.confirms = confirms;
        self
    }

    /// The same tool, with its plugin's parameters.
    #[must_use]
    pub fn parameters(mut self, parameters: &'static [Field]) -> Self {
        self.input = Input::Fields(parameters);
        self
    }

    /// The same tool, with parameters that the project declares, which these fields take as words.
    #[must_use]
    pub fn declaring(mut self, fields: &'static [Field], parameters: Vec<Parameter>) -> Self {
        self.input = Input::Declared(fields, parameters.into());
        self
    }

    /// The same tool, with its possible effects.
    #[must_use]
    pub fn effects(mut self, effects: Effects) -> Self {
        self.effects = effects;
        self
    }

    /// The same tool, as the instance's list tool shows it; a list tool itself is not shown.
    #[must_use]
    pub fn shown_as(mut self, shown: impl Into<ListEntry>) -> Self {
        if let Role::Run { entry, .. } = &mut self.role {
            *entry = shown.into();
        }
        self
    }

    /// Its fields in the instance's list tool, but for its final name; `None` for a tool that does not run.
    pub fn shown(&self) -> Option<Value> {
        let Role::Run { entry, .. } = &self.role else { return None };
        let said = |said: &ToolFact| match said {
            ToolFact::Original => self.original.clone().into(),
            ToolFact::Description => self.description.clone().into(),
            ToolFact::Is(value) => Value::Bool(*value),
            ToolFact::Fact(fact) => {
                let found = self.metadata.iter().find(|(name, _)| name == fact);
                found.map_or_else(String::new, |(_, value)| value.clone()).into()
            }
        };
        Some(match entry {
            ListEntry::Original => self.original.clone().into(),
            ListEntry::Object(object) => Value::Object(Map::clone(object)),
            ListEntry::Of(parts) => {
                parts.iter().map(|(name, part)| ((*name).to_owned(), said(part))).collect()
            }
        })
    }

    /// The same tool, with the flag by which its program shows its plan without acting; ignored for a list
    /// tool.
    #[must_use]
    pub fn rehearsed_by(mut self, flag: &'static str) -> Self {
        if let Role::Run { rehearsal, .. } = &mut self.role {
            *rehearsal = Some(flag);
        }
        self
    }

    /// The same tool, with its own text, where that is known.
    #[must_use]
    pub fn text(mut self, text: impl Into<Option<String>>) -> Self {
        self.text = text.into();
        self
    }

    /// The same tool, with its text as its file has it.
    #[must_use]
    pub fn written(mut self, written: impl Into<Option<String>>) -> Self {
        self.written = written.into();
        self
    }

    /// The same tool, with the commands that run with it without being named.
    #[must_use]
    pub fn along(mut self, along: impl Into<Lazy<Vec<String>>>) -> Self {
        self.along = along.into();
        self
    }

    /// The same tool, with the names of others that it starts by its own definition.
    #[must_use]
    pub fn starting(mut self, starts: impl Into<Lazy<Vec<String>>>) -> Self {
        self.starts = starts.into();
        self
    }

    /// The same tool, with all that it runs of the project's own text, where that is asked for.
    #[must_use]
    pub fn content(mut self, content: Option<Content>) -> Self {
        self.content = content;
        self
    }

    /// The same tool, with other names of it in the source.
    #[must_use]
    pub fn aliases(mut self, aliases: Vec<String>) -> Self {
        self.aliases = aliases;
        self
    }

    /// The same tool, with a further fact for results, where it is known.
    #[must_use]
    pub fn fact(mut self, name: &'static str, value: impl Into<Option<String>>) -> Self {
        if let Some(value) = value.into() {
            // Few tools have more than one.
            self.metadata.reserve_exact(1);
            self.metadata.push((name, value));
        }
        self
    }

    /// Whether it may remove or overwrite, by what is known of it and of all that runs with it.
    pub fn is_destructive(&self) -> bool {
        let changes = || self.text.iter().chain(&*self.along).any(|text| Effects::changes(text));
        self.effects.destructive || (!self.effects.read_only && changes())
    }

    /// The names that distinguish it from the other tools of its source, independent of the settings.
    pub fn key(&self) -> (&str, &str) {
        (&self.name, &self.original)
    }

    /// Whether the project has named it, in a file of its own or in settings.yml. Else its plugin has: `lint` of eslint.
    pub fn is_named_by_project(&self) -> bool {
        self.is_declared || self.name != self.original
    }

    /// All known commands that it runs, in lines: its own text, and the commands before and after it.
    pub fn runs(&self) -> Option<String> {
        let lines = self.text.iter().chain(&*self.along).map(String::as_str);
        Some(lines.collect::<Vec<_>>().join("\n")).filter(|text| !text.is_empty())
    }

    /// The commands that run with it without being named, a line each.
    pub fn runs_also(&self) -> impl Iterator<Item = String> {
        self.along.iter().map(|also| also.replace("\\\n", "").lines().collect::<Vec<_>>().join("; "))
    }

    /// One line about it for a person: its description, or all the commands that it runs if it has no
    /// description of its own.
    pub fn told(&self) -> Cow<'_, str> {
        if self.is_described {
            return Cow::Borrowed(&self.description);
        }
        let text = self.written.as_deref().or(self.text.as_deref()).unwrap_or_default();
        if !text.contains('\n') && !text.trim().is_empty() {
            return Cow::Borrowed(text.trim());
        }
        let text = text.replace("\\\n", "");
        let lines = text.lines().map(str::trim);
        let text = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ");
        if text.is_empty() { Cow::Borrowed(&self.description) } else { text.into() }
    }
}

/// The kind of a tool.
#[derive(Debug, Clone, PartialEq)]
pub enum Role {
    /// Starts a process: the command before a call's arguments are added.
    Run {
        /// Program, fixed words, directory, settings' environment, default timeout.
        command: Box<Command>,
        /// How the instance's list tool shows it.
        entry: ListEntry,
        /// The flag by which the program itself shows its plan (`-n`): a dry run starts it with that. `None`:
        /// a dry run starts nothing.
        rehearsal: Option<&'static str>,
    },
    /// Lists the other tools of the instance under this key: `scripts`, `targets`.
    List(&'static str),
    /// Passes the call on to another MCP server. The server's definition of the tool, as it came.
    Relay(Definition),
}

impl Role {
    /// Whether the tool only lists the others of its instance.
    pub fn is_list(&self) -> bool {
        matches!(self, Self::List(_))
    }

    /// The definition by another MCP server; `None` for a tool of the project's own.
    pub fn definition(&self) -> Option<&Definition> {
        match self {
            Self::Relay(definition) => Some(definition),
            Self::Run { .. } | Self::List(_) => None,
        }
    }
}

/// How a list tool shows a tool.
#[derive(Debug, Clone, PartialEq)]
pub enum ListEntry {
    /// As its original name.
    Original,
    /// As an object; the final tool name is put first as `name`.
    Object(Box<Map<String, Value>>),
    /// The same, of what the tool itself says.
    Of(&'static [(&'static str, ToolFact)]),
}

/// A fact that a tool has about itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ToolFact {
    /// Its name in the source.
    Original,
    /// Its description.
    Description,
    /// Whether something holds for it.
    Is(bool),
    /// A further fact; no text where it is not known.
    Fact(&'static str),
}

impl From<Map<String, Value>> for ListEntry {
    fn from(object: Map<String, Value>) -> Self {
        Self::Object(object.into())
    }
}

impl From<&'static [(&'static str, ToolFact)]> for ListEntry {
    fn from(parts: &'static [(&'static str, ToolFact)]) -> Self {
        Self::Of(parts)
    }
}
