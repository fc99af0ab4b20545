//! One entry with `type: mcp` under `plugins:`.

use super::instance::located;
use super::{Inspection, unknown};
use crate::keys::ENABLED;
use crate::limits;
use crate::model::{CONFIRM, Field, Patterns, Severity, ValueKind, ValueStep, Values, nearest, shown};
use crate::problem::ProblemDraft;
use crate::tree::{Map, TreeEntry};
use crate::upstream::{self, ServerTransport, Unreachable, Upstream};
use crate::written::check_written;

/// The keys whose misspelling takes the entry out: they switch it off, or hold its limits.
const GUARDS: [&str; 2] = [ENABLED, "config"];

impl Inspection<'_> {
    /// The upstream under this key, with a problem for everything that is wrong with it. The problems of its
    /// name are there already, from the one counted `before`. One that is switched off has no problems.
    pub(super) fn upstream(
        &mut self,
        entry: &TreeEntry,
        map: &Map,
        enabled: bool,
        before: usize,
    ) -> Option<Upstream> {
        let name = &entry.key;
        self.unknown_of_upstream(map, name);
        let transport = self.transport(entry, map);
        let config = self.upstream_config(entry, map.get("config"));
        let is_wrong = !self.is_whole(name);
        if !enabled {
            self.drafts.truncate(before);
        }
        let (transport, config) = (transport?, config?);
        (!is_wrong).then(|| Upstream::new(name.clone(), enabled, transport, config))
    }

    fn unknown_of_upstream(&mut self, map: &Map, name: &str) {
        let known: Vec<_> = upstream::keys().collect();
        for entry in map.iter().filter(|entry| !known.contains(&entry.key.as_str())) {
            let draft = unknown(&entry.key, &known);
            let field = limits::nearest_key(&entry.key, &upstream::CONFIG);
            let draft = match (nearest(&entry.key, known.iter().copied()), field) {
                (_, Some(field)) if limits::holds_back(field) => {
                    ProblemDraft { severity: Severity::Error, ..draft }
                        .help(format!("did you mean `{}`? It belongs below `config`", field.name))
                }
                (Some(key), _) if GUARDS.contains(&key) => {
                    ProblemDraft { severity: Severity::Error, ..draft }
                }
                (None, Some(field)) => {
                    draft.help(format!("did you mean `{}`? It belongs below `config`", field.name))
                }
                (Some(_) | None, _) => draft,
            };
            self.add(entry.number, draft.of(name));
        }
    }

    /// The way to reach the server; `None` when it is wrong.
    fn transport(&mut self, entry: &TreeEntry, map: &Map) -> Option<ServerTransport> {
        let fields: Vec<_> = upstream::address().collect();
        let is_ours = |(key, _): &(String, _)| fields.iter().any(|field| field.name == key);
        let given = self.known_values(map, &fields).into_iter().filter(is_ours).collect();
        let (values, mistakes) = check_written(&fields, given);
        let is_right = mistakes.is_empty();
        self.mistakes(mistakes, map, (&entry.key, upstream::CODE_PREFIX), entry.number, &fields);
        // A value of the wrong type is left out of the values: whether the rest makes sense is not known.
        if !is_right {
            return None;
        }
        self.reached(entry, map, &values, &upstream::TRANSPORT)
    }

    /// The way that checked values name, with `kind` as the key of the transport.
    pub(super) fn reached(
        &mut self,
        entry: &TreeEntry,
        map: &Map,
        values: &Values,
        kind: &'static Field,
    ) -> Option<ServerTransport> {
        let unreachable = match ServerTransport::read(values, kind, self.is_final) {
            Ok(transport) => return Some(transport),
            Err(unreachable) => unreachable,
        };
        for one in unreachable {
            let (draft, number) = unreachable_draft(&one, map, entry.number);
            self.add(number, ProblemDraft { prefix: upstream::CODE_PREFIX, ..draft.of(&entry.key) });
        }
        None
    }

    /// The checked config; `None` when it is wrong.
    fn upstream_config(&mut self, instance: &TreeEntry, entry: Option<&TreeEntry>) -> Option<Values> {
        let empty = Map::default();
        let map = match entry {
            Some(entry) if !entry.value.is_null() => self.mapping(entry, Some(&instance.key))?,
            _ => &empty,
        };
        let (values, mistakes) = check_written(&upstream::CONFIG, self.known_values(map, &upstream::CONFIG));
        let whole = entry.map_or(instance.number, |entry| entry.number);
        let named = (instance.key.as_str(), upstream::CODE_PREFIX);
        let is_right = self.mistakes(mistakes, map, named, whole, &upstream::CONFIG);
        let patterns = [&upstream::INCLUDE_TOOLS, &upstream::EXCLUDE_TOOLS, &CONFIRM];
        let has_patterns = self.has_patterns(&patterns, &values, map, &instance.key, whole);
        (is_right && has_patterns).then_some(values)
    }

    /// The values of a mapping. Where variables are not expanded, one that must be no text is left out if a variable says
    /// what it is.
    pub(super) fn known_values(
        &self,
        map: &Map,
        fields: &[&Field],
    ) -> serde_json::Map<String, serde_json::Value> {
        let is_typed = |name: &str| {
            let field = fields.iter().find(|field| field.name == name);
            field.is_some_and(|field| {
                matches!(field.kind, ValueKind::Integer(..) | ValueKind::Flag | ValueKind::Choice(_))
            })
        };
        let mut values = map.values();
        upstream::quote_port(&mut values);
        if !self.is_final {
            values.retain(|name, value| {
                !(is_typed(name) && value.as_str().is_some_and(|text| text.contains("${")))
            });
        }
        values
    }

    /// Whether each pattern of these fields is one.
    pub(super) fn has_patterns(
        &mut self,
        fields: &[&Field],
        values: &Values,
        map: &Map,
        name: &str,
        whole: usize,
    ) -> bool {
        let mut is_right = true;
        for field in fields.iter().filter(|field| values.has(field)) {
            // The reason alone: the pattern may be what a variable says.
            for bad in Patterns::new(values.texts(field)).1 {
                let message = format!("`{}` has a pattern that is none: {}", field.name, bad.reason);
                let (_, number) = located(&[ValueStep::Key(field.name.to_owned())], map, whole);
                let draft = ProblemDraft { prefix: upstream::CODE_PREFIX, ..ProblemDraft::error(message) };
                self.add(number, draft.of(name).label("no pattern"));
                is_right = false;
            }
        }
        is_right
    }
}

fn unreachable_draft(wrong: &Unreachable, map: &Map, whole: usize) -> (ProblemDraft, usize) {
    let at = |path: &[&str]| {
        let path: Vec<_> = path.iter().map(|key| ValueStep::Key((*key).to_owned())).collect();
        located(&path, map, whole)
    };
    match wrong {
        Unreachable::Nothing => {
            let draft =
                ProblemDraft::error("the MCP server has neither `command` nor `url`").label("this entry");
            (
                draft.help("write `command` for a program to start, or `url` for an address to connect to"),
                whole,
            )
        }
        Unreachable::Both => {
            let draft =
                ProblemDraft::error("the MCP server has both `command` and `url`").label("the second way");
            (draft.help("remove one of them: a server is started or connected to"), at(&["url"]).0)
        }
        Unreachable::Foreign(key, with) => {
            let draft = ProblemDraft::error(format!("`{key}` does not go with `{with}`")).label("not used");
            let belongs = if *with == "url" {
                "`args`, `env` and `cwd` belong to `command`"
            } else {
                "`headers` and `oauth` belong to `url`"
            };
            (draft.help(format!("remove it; {belongs}")), at(&[key]).0)
        }
        Unreachable::Value(key, name, must) => {
            let place = name.as_ref().map_or_else(|| (*key).to_owned(), |name| format!("{key}.{name}"));
            let path: Vec<&str> = std::iter::once(*key).chain(name.as_deref()).collect();
            (
                ProblemDraft::error(format!("`{}` must be {must}", shown(&place))).label("not usable"),
                at(&path).1,
            )
        }
    }
}
