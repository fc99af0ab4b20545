//! The shape of settings.yml: what it may say, and every problem with it at once.

use serde_json::Value;

use super::problem::{Draft, SettingsProblem, Source, shorten};
use super::tree::{self, Content, Entry, Map, Node, Oddity, OddityKind};
use super::{Instance, syntax};
use crate::model::{
    About, Mistake, RESERVED_INSTANCES, Severity, Step, Values, Wrong, check, is_instance_name, nearest,
};

/// The most problems that are listed; each costs one pass over the text to be placed.
const MOST_PROBLEMS: usize = 50;

pub(super) const VERSION: &str = "1";
pub(super) const TOP_KEYS: [&str; 3] = ["version", "plugin_settings", "plugins"];
pub(super) const INSTANCE_KEYS: [&str; 4] = ["enabled", "type", "module", "config"];
/// The first is the default and the only one that this version starts.
pub(super) const TYPES: [&str; 4] = ["in_source", "mcp", "process", "http"];

/// Reads a text: the instances that are whole, and all problems in the order of the file.
///
/// With an error that concerns the whole file no instance is left.
pub(super) fn read(name: &str, text: &str, abouts: &[About]) -> (Vec<Instance>, Vec<SettingsProblem>) {
    let source = Source::new(name, text);
    let text = source.text();
    if let Some((draft, offset)) = syntax::forbidden_character(text) {
        return (Vec::new(), vec![draft.at(&source, offset)]);
    }
    let (root, oddities) = match tree::grow(text) {
        Ok(grown) => grown,
        Err(no_tree) => {
            let (draft, offset) = syntax::explain(text, no_tree);
            return (Vec::new(), vec![draft.at(&source, offset)]);
        }
    };
    let mut reading = Reading { abouts, drafts: Vec::new() };
    for oddity in &oddities {
        reading.odd(oddity);
    }
    let mut instances = reading.root(&root);
    let broken = |instance: Option<&str>| {
        let errors = reading.drafts.iter().filter(|(draft, _)| draft.severity == Severity::Error);
        errors.map(|(draft, _)| draft.instance.as_deref()).any(|of| of.is_none() || of == instance)
    };
    instances.retain(|instance| !broken(Some(&instance.name)));
    (instances, place(&source, reading.drafts))
}

/// Finds where each problem stands, errors first when there are too many.
fn place(source: &Source, mut drafts: Vec<(Draft, usize)>) -> Vec<SettingsProblem> {
    let total = drafts.len();
    drafts.sort_by_key(|(draft, number)| (std::cmp::Reverse(draft.severity), *number));
    drafts.truncate(MOST_PROBLEMS);
    let mut placed: Vec<_> =
        drafts.into_iter().map(|(draft, number)| (tree::offset(source.text(), number), draft)).collect();
    placed.sort_by_key(|(offset, _)| *offset);
    let mut problems: Vec<_> = placed.into_iter().map(|(offset, draft)| draft.at(source, offset)).collect();
    if total > MOST_PROBLEMS {
        let more = format!("{} more problems are not listed", total - MOST_PROBLEMS);
        problems.push(Draft::warning(more).help("correct the first ones and look again").at(source, None));
    }
    problems
}

/// What is found out while a tree is looked at.
struct Reading<'a> {
    abouts: &'a [About],
    /// Problems, each with the number of the node to point at.
    drafts: Vec<(Draft, usize)>,
}

impl Reading<'_> {
    fn add(&mut self, number: usize, draft: Draft) {
        self.drafts.push((draft, number));
    }

    fn root(&mut self, root: &Node) -> Vec<Instance> {
        let Content::Map(map) = &root.content else {
            let draft = if root.is_null() {
                Draft::error("the settings are empty")
            } else {
                Draft::error(format!("the settings must be a mapping, not {}", kind(root))).label("here")
            };
            let help =
                "start with `version: \"1\"` and `plugins:`, or have `cuff init --force` write the file";
            self.add(root.number, draft.help(help));
            return Vec::new();
        };
        self.unknown_keys(map, &TOP_KEYS, None);
        self.version(root, map.get("version"));
        if let Some(entry) = map.get("plugin_settings") {
            self.mapping(entry, None);
        }
        let Some(plugins) = map.get("plugins") else {
            let draft = Draft::warning("`plugins` is missing, so no tool is offered").label("from here on");
            self.add(root.number, draft.help("`cuff init` finds what the project has"));
            return Vec::new();
        };
        let Some(plugins) = self.mapping(plugins, None) else { return Vec::new() };
        plugins.iter().filter_map(|entry| self.instance(entry)).collect()
    }

    fn version(&mut self, root: &Node, version: Option<&Entry>) {
        let Some(version) = version else {
            let draft = Draft::warning("`version` is missing").label("from here on");
            return self
                .add(root.number, draft.help(format!("write `version: \"{VERSION}\"` as the first line")));
        };
        let message = match version.value.value() {
            Value::String(text) if text == VERSION => return,
            Value::Number(number) if number.to_string() == VERSION => return,
            Value::String(text) => format!("settings of version {} are not understood", shorten(&text)),
            Value::Number(number) => format!("settings of version {number} are not understood"),
            _ => format!("`version` must be a string, not {}", kind(&version.value)),
        };
        let draft = Draft::error(message)
            .label("not a version that this cuff reads")
            .help(format!("this cuff reads version \"{VERSION}\"; newer settings need a newer cuff"));
        self.add(version.value.number, draft);
    }

    /// The instance under this key, with a problem for everything that is wrong with it.
    fn instance(&mut self, entry: &Entry) -> Option<Instance> {
        let name = &entry.key;
        self.instance_name(entry);
        let empty = Map::default();
        let map = if entry.value.is_null() { &empty } else { self.mapping(entry, Some(name))? };
        let enabled = self.enabled(name, map.get("enabled"));
        if !self.is_built_in(name, enabled, map.get("type")) {
            return None;
        }
        self.unknown_keys(map, &INSTANCE_KEYS, Some(name));
        let about = self.plugin(entry, map.get("module"))?;
        let config = self.config(entry, map.get("config"), &about);
        Some(Instance { name: name.clone(), enabled, plugin: about.id, config: config? })
    }

    fn instance_name(&mut self, entry: &Entry) {
        let name = &entry.key;
        let draft = if RESERVED_INSTANCES.contains(&name.as_str()) {
            Draft::error(format!("no instance can be called `{name}`: it is a command of cuff"))
                .help(format!("choose another name, for example `{name}_tools`"))
        } else if is_instance_name(name) {
            return;
        } else {
            Draft::error(format!("`{}` cannot be the name of an instance", shorten(name)))
                .help("use letters, digits, `_` and `-`, at most 32, and start with a letter")
        };
        self.add(entry.number, draft.of(name).label("this name"));
    }

    fn enabled(&mut self, name: &str, enabled: Option<&Entry>) -> bool {
        let Some(entry) = enabled else { return true };
        match &entry.value.content {
            Content::Scalar(Value::Bool(flag)) => *flag,
            Content::Scalar(Value::Null) => true,
            _ => {
                let found = kind(&entry.value);
                let draft = Draft::error(format!("`enabled` must be true or false, not {found}"));
                self.add(entry.value.number, draft.of(name).label("true or false"));
                true
            }
        }
    }

    /// Whether `type` is that of a built-in plugin; the others are skipped, and said to be unless switched off.
    fn is_built_in(&mut self, name: &str, enabled: bool, entry: Option<&Entry>) -> bool {
        let Some(entry) = entry.filter(|entry| !entry.value.is_null()) else { return true };
        let Some(given) = self.text(entry, name) else { return false };
        if given == TYPES[0] {
            return true;
        }
        let draft = if TYPES.contains(&given) {
            if !enabled {
                return false;
            }
            Draft::error(format!(
                "this version of cuff does not start `type: {given}`, `{}` is skipped",
                shorten(name)
            ))
            .label("not supported")
            .help("set `enabled: false` to keep the entry without this message")
        } else {
            let draft =
                Draft::error(format!("`type` must be one of {}", TYPES.join(", "))).label("none of them");
            match nearest(given, TYPES) {
                Some(meant) => draft.help(format!("did you mean `{meant}`?")),
                None => draft,
            }
        };
        self.add(entry.value.number, draft.of(name));
        false
    }

    /// The built-in that an instance is of: the last part of `module`, else the instance's own name.
    fn plugin(&mut self, entry: &Entry, module: Option<&Entry>) -> Option<About> {
        let module = module.filter(|module| !module.value.is_null());
        let (given, number) = match module {
            Some(module) => (self.text(module, &entry.key)?, module.value.number),
            None => (entry.key.as_str(), entry.number),
        };
        let id = given.rsplit('.').next().unwrap_or(given);
        if let Some(about) = self.abouts.iter().find(|about| about.id == id) {
            return Some(*about);
        }
        let ids = || self.abouts.iter().map(|about| about.id);
        if module.is_none() && !is_instance_name(id) {
            return None; // The name itself was complained about.
        }
        let known = ids().collect::<Vec<_>>().join(", ");
        let help = match nearest(id, ids()) {
            Some(meant) => format!("did you mean `{meant}`? The built-in plugins are {known}"),
            None if module.is_none() => {
                format!("an instance with a name of its own needs `module`; the built-in plugins are {known}")
            }
            None => format!("the built-in plugins are {known}"),
        };
        let draft = Draft::error(format!("no built-in plugin is called `{}`", shorten(id)));
        self.add(number, draft.of(&entry.key).label("no such plugin").help(help));
        None
    }

    /// The checked config; `None` when it is wrong.
    fn config(&mut self, instance: &Entry, entry: Option<&Entry>, about: &About) -> Option<Values> {
        let empty = Map::default();
        let map = match entry {
            Some(entry) if !entry.value.is_null() => self.mapping(entry, Some(&instance.key))?,
            _ => &empty,
        };
        let fields: Vec<_> = about.config.iter().collect();
        let (values, mistakes) = check(&fields, &map.values());
        let whole = entry.map_or(instance.number, |entry| entry.number);
        let mut right = true;
        for mistake in mistakes {
            let (mut draft, number) = drafted(&mistake, map, whole);
            if mistake.wrong == Wrong::Missing {
                let field = fields.iter().find(|field| mistake.path == [Step::Key(field.name.to_owned())]);
                draft.help = field.map(|field| format!("add it under `config`: {}", field.about));
            }
            right &= draft.severity == Severity::Warning;
            self.add(number, Draft { prefix: about.code_prefix, ..draft.of(&instance.key) });
        }
        right.then_some(values)
    }

    fn odd(&mut self, oddity: &Oddity) {
        let draft = match &oddity.kind {
            OddityKind::Duplicate(key) => Draft::error(format!("`{}` is there twice", shorten(key)))
                .label("the second one")
                .help("remove one of them; YAML readers differ in which one they take"),
            OddityKind::KeyNotText(key) => {
                let draft = Draft::error(format!("the key {} is not a string", shorten(&key.to_string())));
                if key.is_array() || key.is_object() {
                    draft.help("names are plain words: look for a `?`, `{` or `[` that starts the line")
                } else {
                    draft.help(format!("write it in quotes: \"{key}\""))
                }
            }
            OddityKind::Tag(tag) => {
                Draft::error(format!("the tag `!{}` has no meaning in settings", shorten(tag)))
                    .help("remove it, or write the value in quotes if it starts with `!`")
            }
            OddityKind::Merge => Draft::error("`<<` merges mappings, and this is none")
                .help("name a mapping with an alias, as in `<<: *defaults`"),
        };
        let instance = match (&oddity.path[..], &oddity.kind) {
            ([Step::Key(plugins), Step::Key(instance), ..], _) if plugins == "plugins" => {
                Some(instance.clone())
            }
            ([Step::Key(plugins)], OddityKind::Duplicate(instance)) if plugins == "plugins" => {
                Some(instance.clone())
            }
            _ => None,
        };
        self.add(oddity.number, Draft { instance, ..draft });
    }

    fn unknown_keys(&mut self, map: &Map, known: &[&'static str], instance: Option<&str>) {
        for entry in map.iter().filter(|entry| !known.contains(&entry.key.as_str())) {
            let draft =
                Draft::warning(format!("`{}` is not known here", shorten(&entry.key))).label("unknown key");
            let draft = match nearest(&entry.key, known.iter().copied()) {
                Some(meant) => draft.help(format!("did you mean `{meant}`?")),
                None => draft.help(format!("known here are {}", known.join(", "))),
            };
            self.add(entry.number, Draft { instance: instance.map(str::to_owned), ..draft });
        }
    }

    /// The mapping under a key; nothing under it is an empty one and no complaint.
    fn mapping<'e>(&mut self, entry: &'e Entry, instance: Option<&str>) -> Option<&'e Map> {
        match &entry.value.content {
            Content::Map(map) => return Some(map),
            Content::Scalar(Value::Null) => return None,
            Content::Scalar(_) | Content::List(_) => {}
        }
        let found = kind(&entry.value);
        let draft = Draft::error(format!("`{}` must be a mapping, not {found}", shorten(&entry.key)));
        let draft = Draft { instance: instance.map(str::to_owned), ..draft };
        self.add(entry.number, draft.label("a mapping").help("write its keys indented below it, one a line"));
        None
    }

    fn text<'e>(&mut self, entry: &'e Entry, instance: &str) -> Option<&'e str> {
        if let Content::Scalar(Value::String(text)) = &entry.value.content {
            return Some(text);
        }
        let draft = Draft::error(format!("`{}` must be a string, not {}", entry.key, kind(&entry.value)));
        self.add(entry.value.number, draft.of(instance).label("a string"));
        None
    }
}

/// A mistake in a config, and the number of the node to point at.
fn drafted(mistake: &Mistake, config: &Map, whole: usize) -> (Draft, usize) {
    let (key, value) = located(&mistake.path, config, whole);
    let sentence = mistake.wrong.sentence(&shorten(&spelled(&mistake.path)));
    let (draft, number, label) = match &mistake.wrong {
        Wrong::Unknown(_) => (Draft::warning(sentence), key, "unknown key".to_owned()),
        Wrong::Missing => (Draft::error(sentence), whole, "missing here".to_owned()),
        Wrong::Type(expected, _) => (Draft::error(sentence), value, (*expected).to_owned()),
        Wrong::Range(least, most) => (Draft::error(sentence), value, format!("from {least} to {most}")),
        Wrong::Choice(..) => (Draft::error(sentence), value, "none of them".to_owned()),
    };
    (Draft { help: mistake.wrong.help(), ..draft.label(label) }, number)
}

/// The numbers of the key and the value that a path leads to.
fn located(path: &[Step], config: &Map, whole: usize) -> (usize, usize) {
    let mut found = (whole, whole);
    let mut map = Some(config);
    let mut list: &[Node] = &[];
    for step in path {
        let (key, value) = match step {
            Step::Key(key) => match map.and_then(|map| map.get(key)) {
                Some(entry) => (entry.number, &entry.value),
                None => break,
            },
            Step::Item(at) => match list.get(*at) {
                Some(item) => (item.number, item),
                None => break,
            },
        };
        found = (key, value.number);
        map = if let Content::Map(inner) = &value.content { Some(inner) } else { None };
        list = if let Content::List(items) = &value.content { items } else { &[] };
    }
    found
}

/// A path as people write it: `environment.CI`, `patterns[2]`.
fn spelled(path: &[Step]) -> String {
    let mut spelled = String::new();
    for step in path {
        match step {
            Step::Key(key) if spelled.is_empty() => spelled.push_str(key),
            Step::Key(key) => spelled.extend([".", key]),
            Step::Item(at) => spelled.extend(["[", &at.to_string(), "]"]),
        }
    }
    spelled
}

/// A value as messages name it.
fn kind(node: &Node) -> &'static str {
    match &node.content {
        Content::Map(_) => "a mapping",
        Content::List(_) => "a list",
        Content::Scalar(Value::String(_)) => "a string",
        Content::Scalar(Value::Bool(_)) => "a truth value",
        Content::Scalar(Value::Null) => "nothing",
        Content::Scalar(_) => "a number",
    }
}
