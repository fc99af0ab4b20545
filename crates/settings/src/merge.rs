//! New instances for a settings file that people have edited: text in, text out, and not a byte of theirs is lost.
//!
//! New text is put in where it belongs. Then the result is read again: it must say what the old file said and
//! what is new, and nothing else. If it does not, the file is one that a person must edit.

use std::collections::BTreeSet;

use serde_json::Value;

use super::compose::{self, Indent, NewInstance};
use super::insertion::New;
use super::keys::LARGEST;
use super::keys::TOP_KEYS;
use super::not_merged::NotMerged;
use super::tree::{Content, Map, Node};
use super::{addition, insertion, parse, read, syntax};
use crate::model::{Location, PluginInfo, Severity, Values};

/// The key that instances stand under.
pub(super) const PLUGINS: &str = TOP_KEYS[2];

/// Why a text is none that is written.
pub(super) const TOO_LARGE: &str = "it would be larger than 256 KiB, and nobody would read it";

/// An entry of a file under one key of `plugins:`.
#[derive(Debug, Clone)]
pub struct ExistingEntry {
    /// The key.
    pub name: String,
    /// The built-in plugin that it is of, where it is of one.
    pub plugin: Option<&'static str>,
    /// Its config; `None` where that is not whole.
    pub config: Option<Values>,
    /// Whether it is switched off.
    pub is_off: bool,
}

/// The entries in the text of a settings file.
///
/// # Errors
/// When it cannot be used as a whole.
pub fn existing_entries(bytes: &[u8], abouts: &[PluginInfo]) -> Result<Vec<ExistingEntry>, NotMerged> {
    let old = Old::read(bytes, abouts)?;
    let (instances, _) = read::read("", old.text, abouts);
    let of = |name: &str, module: Option<&str>| {
        let id = module.map_or(name, |module| module.rsplit('.').next().unwrap_or(module));
        abouts.iter().map(|about| about.id).find(|known| *known == id)
    };
    let entries = old.plugins().into_iter().flat_map(Map::iter);
    let standing = entries.map(|entry| {
        let value = entry.value.value();
        let whole = instances.iter().find(|instance| instance.name == entry.key);
        ExistingEntry {
            name: entry.key.clone(),
            plugin: whole
                .map(|instance| instance.plugin)
                .or_else(|| of(&entry.key, value.get("module").and_then(Value::as_str))),
            config: whole.map(|instance| instance.config.clone()),
            is_off: whole.is_some_and(|instance| !instance.enabled),
        }
    });
    Ok(standing.collect())
}

/// The text with these instances put into it.
///
/// # Errors
/// When it cannot be used as a whole, or what is new cannot be put into it as text.
pub fn merge(bytes: &[u8], entries: &[NewInstance], abouts: &[PluginInfo]) -> Result<String, NotMerged> {
    let old = Old::read(bytes, abouts)?;
    let (standing, new): (Vec<NewInstance>, Vec<NewInstance>) =
        entries.iter().cloned().partition(|entry| entry.stands);
    let mut text = old.text.to_owned();
    for entry in &standing {
        text = addition::with(&text, entry, PLUGINS)?;
    }
    let texts: Vec<String> = if new.is_empty() {
        vec![text]
    } else {
        let (root, _) = parse::parse(&text).map_err(|_| NotMerged::because("it is not valid YAML"))?;
        let places = insertion::places(&text, &root, PLUGINS)?;
        places.iter().map(|place| place.filled(&text, &New::Instances(&new))).collect()
    };
    let mark = &bytes[..bytes.len() - old.text.len()];
    let mark = str::from_utf8(mark).unwrap_or_default();
    let small = |text: &str| (text.len() + mark.len()) as u64 <= LARGEST;
    let fits = |text: &String| small(text) && old.agrees(text, entries, abouts);
    if !texts.is_empty() && !texts.iter().any(|text| small(text)) {
        return Err(NotMerged::because(TOO_LARGE));
    }
    match texts.into_iter().find(fits) {
        Some(text) => Ok(format!("{mark}{text}")),
        None => Err(NotMerged::because("put into this file as text, they would change what it says")),
    }
}

/// The text of a new file with these instances.
///
/// # Errors
/// When it would not be read as what it is to say, or is too large.
pub fn fresh(entries: &[NewInstance], schema: &str, abouts: &[PluginInfo]) -> Result<String, NotMerged> {
    let text = compose::compose(entries, schema);
    if text.len() as u64 > LARGEST {
        return Err(NotMerged::because(TOO_LARGE));
    }
    let nothing = compose::compose(&[], schema);
    if Old::read(nothing.as_bytes(), abouts)?.agrees(&text, entries, abouts) {
        Ok(text)
    } else {
        Err(NotMerged::because("written down, they would be read as something else"))
    }
}

/// Instances as lines to paste below `plugins:`.
pub fn to_paste(entries: &[NewInstance]) -> String {
    compose::instances(entries, Indent { key: 2, level: 2 })
}

/// A file that is there.
pub(super) struct Old<'a> {
    /// Without a byte order mark.
    pub(super) text: &'a str,
    pub(super) root: Node,
    /// How much is wrong with it.
    pub(super) errors: usize,
}

impl<'a> Old<'a> {
    pub(super) fn read(bytes: &'a [u8], abouts: &[PluginInfo]) -> Result<Self, NotMerged> {
        let text =
            syntax::decode(bytes).map_err(|draft| NotMerged::broken(draft.message, draft.help.as_deref()))?;
        let (_, problems) = read::read("", text, abouts);
        let errors = problems.iter().filter(|problem| problem.severity == Severity::Error);
        if let Some(problem) = errors.clone().find(|problem| problem.instance.is_none()) {
            let place = match &problem.location {
                Location { line: Some(line), column: Some(column), .. } => {
                    format!("line {line}, column {column}: ")
                }
                _ => String::new(),
            };
            return Err(NotMerged::broken(format!("{place}{problem}"), problem.help.as_deref()));
        }
        let (root, _) = parse::parse(text).map_err(|_| NotMerged::because("it is not valid YAML"))?;
        Ok(Self { text, root, errors: errors.count() })
    }

    pub(super) fn plugins(&self) -> Option<&Map> {
        let Content::Map(root) = &self.root.content else { return None };
        match &root.get(PLUGINS)?.value.content {
            Content::Map(map) => Some(map),
            Content::List(_) | Content::Scalar(_) => None,
        }
    }

    /// Whether a text says what this one says and has these instances, whole, and nothing else.
    fn agrees(&self, text: &str, entries: &[NewInstance], abouts: &[PluginInfo]) -> bool {
        let mut expected = self.root.value();
        let Some(root) = expected.as_object_mut() else { return false };
        let plugins = root.entry(PLUGINS).or_insert(Value::Null);
        if plugins.is_null() {
            *plugins = Value::Object(serde_json::Map::new());
        }
        for entry in entries {
            let Some(plugins) = plugins.as_object_mut() else { return false };
            let is_put = if entry.stands {
                addition::add(plugins, entry)
            } else {
                plugins.insert(entry.name.clone(), compose::value(entry)).is_none()
            };
            if !is_put {
                return false;
            }
        }
        let is_same = parse::parse(text).is_ok_and(|(root, _)| root.value() == expected);
        let (instances, problems) = read::read("", text, abouts);
        let whole: BTreeSet<&str> = instances.iter().map(|instance| instance.name.as_str()).collect();
        let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
        is_same && errors == self.errors && entries.iter().all(|entry| whole.contains(entry.name.as_str()))
    }
}

#[cfg(test)]
mod tests;
