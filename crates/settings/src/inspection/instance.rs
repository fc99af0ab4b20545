//! One entry under `plugins:`.

use serde_json::Value;

use super::{DeclaredEntry, Inspection, is_off, is_upstream, unknown};
use crate::content::Instance;
use crate::keys::{INSTANCE_KEYS, KEYS_OF_TYPE, TYPES, types};
use crate::limits;
use crate::model::{
    ErrorCode, Field, InputError, InputErrorKind, PluginInfo, RESERVED_INSTANCES, Severity, ValueStep,
    Values, is_instance_name, nearest, shown,
};
use crate::problem::ProblemDraft;
use crate::tree::{Content, Map, Node, TreeEntry};
use crate::written::check_written;

impl Inspection<'_> {
    /// The instance or upstream under this key, with a problem for everything that is wrong with it.
    pub(super) fn entry(&mut self, entry: &TreeEntry) -> Option<DeclaredEntry> {
        let name = &entry.key;
        if is_off(entry) && !self.is_ours(entry) && !is_upstream(entry) {
            return None;
        }
        let before = self.drafts.len();
        self.instance_name(entry);
        let empty = Map::default();
        let map = if entry.value.is_null() { &empty } else { self.mapping(entry, Some(name))? };
        let enabled = self.enabled(name, map.get("enabled"));
        if is_upstream(entry) {
            return self.upstream(entry, map, enabled, before).map(DeclaredEntry::Upstream);
        }
        let about = match self.of_type(map) {
            Some(about) => Some(about),
            None if self.is_built_in(name, enabled, map.get("type")) => self.plugin(entry, map.get("module")),
            None => return None,
        };
        self.unknown_of_instance(map, name, about.as_ref());
        let about = about?;
        let config = self.config(entry, map.get("config"), &about);
        Some(DeclaredEntry::Instance(Instance {
            name: name.clone(),
            enabled,
            plugin: about.id,
            config: config?,
            workspace: None,
        }))
    }

    /// The plugin that `type` names.
    fn of_type(&self, map: &Map) -> Option<PluginInfo> {
        let given = map.get("type")?.value.value();
        self.abouts.iter().find(|about| about.is_type && given == about.id).copied()
    }

    /// Whether an instance that is switched off is one of a built-in plugin. Others are never an error.
    fn is_ours(&self, entry: &TreeEntry) -> bool {
        let Content::Map(map) = &entry.value.content else { return true };
        let text = |key| map.get(key).filter(|entry| !entry.value.is_null()).map(|entry| entry.value.value());
        let is_built_in = text("type").is_none_or(|kind| kind == TYPES[0]);
        let module = text("module").unwrap_or_else(|| Value::from(entry.key.as_str()));
        let id = module.as_str().and_then(|module| module.rsplit('.').next());
        self.of_type(map).is_some() || is_built_in && self.abouts.iter().any(|about| Some(about.id) == id)
    }

    /// An unknown key beside `config` takes the instance out where it may have been meant to hold its tools back.
    fn unknown_of_instance(&mut self, map: &Map, name: &str, about: Option<&PluginInfo>) {
        let known: &[&str] = if self.of_type(map).is_some() { &KEYS_OF_TYPE } else { &INSTANCE_KEYS };
        for entry in map.iter().filter(|entry| !known.contains(&entry.key.as_str())) {
            let fields: Vec<_> = about.into_iter().flat_map(PluginInfo::keys).collect();
            let field = limits::nearest_key(&entry.key, &fields).filter(|field| limits::holds_back(field));
            let draft = unknown(&entry.key, known);
            let draft = match (nearest(&entry.key, known.iter().copied()), field) {
                (_, Some(field)) => ProblemDraft { severity: Severity::Error, ..draft }
                    .help(format!("did you mean `{}`? It belongs below `config`", field.name)),
                (Some(_), None) => ProblemDraft { severity: Severity::Error, ..draft },
                (None, None) => draft,
            };
            self.add(entry.number, draft.of(name));
        }
    }

    pub(super) fn instance_name(&mut self, entry: &TreeEntry) {
        let name = &entry.key;
        let draft = if RESERVED_INSTANCES.contains(&name.as_str()) {
            ProblemDraft::error(format!("no instance can be called `{name}`: it is a command of cuff"))
                .help(format!("choose another name, for example `{name}_tools`"))
        } else if is_instance_name(name) {
            return;
        } else {
            ProblemDraft::error(format!("`{}` cannot be the name of an instance", shown(name)))
                .help("use letters, digits, `_` and `-`, at most 32, and start with a letter")
        };
        self.add(entry.number, draft.of(name).label("this name"));
    }

    fn enabled(&mut self, name: &str, enabled: Option<&TreeEntry>) -> bool {
        let Some(entry) = enabled else { return true };
        let is_expanded = self.expanded.written(entry.value.number).is_some();
        match &entry.value.content {
            Content::Scalar(Value::Bool(flag)) => *flag,
            Content::Scalar(Value::Null) => true,
            Content::Scalar(Value::String(word)) if is_expanded && word == "true" => true,
            Content::Scalar(Value::String(word)) if is_expanded && word == "false" => false,
            _ => {
                let found = entry.value.kind();
                let draft = ProblemDraft::error(format!("`enabled` must be true or false, not {found}"));
                self.add(entry.value.number, draft.of(name).label("true or false"));
                true
            }
        }
    }

    /// Whether `type` is that of a built-in plugin; the others are skipped, and said to be unless switched off.
    fn is_built_in(&mut self, name: &str, enabled: bool, entry: Option<&TreeEntry>) -> bool {
        let Some(entry) = entry.filter(|entry| !entry.value.is_null()) else { return true };
        let Some(given) = self.text(entry, name) else { return false };
        if given == TYPES[0] {
            return true;
        }
        let draft = if TYPES.contains(&given) {
            if !enabled {
                return false;
            }
            ProblemDraft::error(format!(
                "this version of cuff does not start `type: {given}`, `{}` is skipped",
                shown(name)
            ))
            .label("not supported")
            .help("set `enabled: false` to keep the entry without this message")
        } else {
            let types = types(self.abouts);
            let draft = ProblemDraft::error(format!("`type` must be one of {}", types.join(", ")))
                .label("none of them");
            match nearest(given, types) {
                Some(meant) => draft.help(format!("did you mean `{meant}`?")),
                None => draft,
            }
        };
        self.add(entry.value.number, draft.of(name));
        false
    }

    /// The built-in that an instance is of: the last part of `module`, else the instance's own name.
    fn plugin(&mut self, entry: &TreeEntry, module: Option<&TreeEntry>) -> Option<PluginInfo> {
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
        let written = self.expanded.written(number).unwrap_or(id);
        let draft = ProblemDraft::error(format!("no built-in plugin is called `{}`", shown(written)));
        self.add(number, draft.of(&entry.key).label("no such plugin").help(help));
        None
    }

    /// The checked config; `None` when it is wrong.
    fn config(
        &mut self,
        instance: &TreeEntry,
        entry: Option<&TreeEntry>,
        about: &PluginInfo,
    ) -> Option<Values> {
        let empty = Map::default();
        let map = match entry {
            Some(entry) if !entry.value.is_null() => self.mapping(entry, Some(&instance.key))?,
            _ => &empty,
        };
        let fields: Vec<_> = about.keys().collect();
        let (values, mistakes) = check_written(&fields, map.values());
        let whole = entry.map_or(instance.number, |entry| entry.number);
        let named = (instance.key.as_str(), about.code_prefix);
        let is_right = self.mistakes(mistakes, map, named, whole, &fields);
        let has_runners = self.knows_runners(map, named);
        (is_right && has_runners).then_some(values)
    }

    /// Reports the mistakes in a mapping of an instance, named with the front of its codes; whether none is an error.
    pub(super) fn mistakes(
        &mut self,
        mistakes: Vec<InputError>,
        map: &Map,
        (instance, prefix): (&str, &'static str),
        whole: usize,
        fields: &[&Field],
    ) -> bool {
        let mut right = true;
        for mistake in mistakes {
            let (mut draft, number) = drafted(&mistake, map, whole);
            if let (InputErrorKind::Type(expected, _), Some(_)) =
                (&mistake.wrong, self.expanded.written(number))
            {
                let not = "what a variable says".to_owned();
                let unquoted = InputError { wrong: InputErrorKind::Type(expected, not), ..mistake.clone() };
                draft = ProblemDraft { message: unquoted.sentence(), help: None, ..draft };
            }
            if let (InputErrorKind::Unknown(_), [ValueStep::Key(key)]) = (&mistake.wrong, &mistake.path[..])
                && let Some(field) = limits::nearest_key(key, fields)
            {
                let severity = if limits::holds_back(field) { Severity::Error } else { draft.severity };
                draft = ProblemDraft { severity, ..draft }.help(format!("did you mean `{}`?", field.name));
            }
            if mistake.wrong == InputErrorKind::Missing {
                let field =
                    fields.iter().find(|field| mistake.path == [ValueStep::Key(field.name.to_owned())]);
                draft.help = field.map(|field| format!("add it under `config`: {}", field.about));
            }
            right &= draft.severity == Severity::Warning;
            self.add(number, ProblemDraft { prefix, ..draft.of(instance) });
        }
        right
    }
}

/// A mistake in a config, and the number of the node to point at.
fn drafted(mistake: &InputError, config: &Map, whole: usize) -> (ProblemDraft, usize) {
    let (key, value) = located(&mistake.path, config, whole);
    let sentence = mistake.sentence();
    let (draft, number, label) = match &mistake.wrong {
        InputErrorKind::Unknown(_) => (ProblemDraft::warning(sentence), key, "unknown key".to_owned()),
        InputErrorKind::Missing => (ProblemDraft::error(sentence), whole, "missing here".to_owned()),
        InputErrorKind::Type(expected, _) | InputErrorKind::Shape(expected, _) => {
            (ProblemDraft::error(sentence), value, (*expected).to_owned())
        }
        InputErrorKind::Range(least, most) => {
            (ProblemDraft::error(sentence), value, format!("from {least} to {most}"))
        }
        InputErrorKind::Choice(..) => (ProblemDraft::error(sentence), value, "none of them".to_owned()),
        InputErrorKind::Program(..) => {
            let draft = ProblemDraft { fault: ErrorCode::InvalidProgram, ..ProblemDraft::error(sentence) };
            (draft, value, "none of them".to_owned())
        }
    };
    (ProblemDraft { help: mistake.wrong.help(), ..draft.label(label) }, number)
}

/// The numbers of the key and the value that a path leads to.
pub(super) fn located(path: &[ValueStep], config: &Map, whole: usize) -> (usize, usize) {
    let mut found = (whole, whole);
    let mut map = Some(config);
    let mut list: &[Node] = &[];
    for step in path {
        let (key, value) = match step {
            ValueStep::Key(key) => match map.and_then(|map| map.get(key)) {
                Some(entry) => (entry.number, &entry.value),
                None => break,
            },
            ValueStep::Item(at) => match list.get(*at) {
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
