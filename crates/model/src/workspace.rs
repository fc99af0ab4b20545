//! The packages of a workspace, and the choice among them.

use serde_json::{Map, Value, json};

use super::input_error::{Complain, InputErrorKind, ValueStep};
use super::{Default, Field, Pathname, Patterns, ValueKind, Values, Want, nearest};

/// The packages of a workspace that an instance takes in.
pub const PACKAGES: Field = Field {
    name: "packages",
    kind: ValueKind::Packages,
    default: Default::Absent,
    about: "The packages of the workspace to offer beside its root: `include` and `exclude`, fnmatch patterns of their names or \
            folders. Packages below examples, fixtures, playgrounds and templates are left out unless a pattern of \
            `include` names such a folder. Without this key there are none.",
};

const INCLUDE: &str = "include";
const EXCLUDE: &str = "exclude";
const KEYS: [&str; 2] = [INCLUDE, EXCLUDE];

/// The folders whose packages nobody works on every day.
const ASIDE: [&str; 9] = [
    "example",
    "examples",
    "fixture",
    "fixtures",
    "__fixtures__",
    "playground",
    "playgrounds",
    "template",
    "templates",
];

/// A workspace, as far as its files were seen.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Workspace {
    /// All of its packages but the root, in the order of their folders.
    pub members: Vec<Member>,
    /// Parts that were left out, and why, each in a sentence without a full stop.
    pub notes: Vec<String>,
    /// Further wants before all of them are known.
    pub wants: Vec<Want>,
}

/// A package of a workspace.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Its own name, if it has one.
    pub name: Option<String>,
    /// Its folder.
    pub folder: Pathname,
    /// The settings of an instance for it, made of those for the workspace.
    pub config: Values,
}

impl Member {
    /// All that people call it: its name with its scope and without, and its folder.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let unscoped = self.name.as_deref().map(|name| name.rsplit('/').next().unwrap_or(name));
        unscoped.into_iter().chain(self.name.as_deref()).chain([self.folder.as_str()])
    }

    /// The shortest of that.
    pub fn label(&self) -> &str {
        self.names().next().unwrap_or(&self.folder)
    }
}

/// The choice of packages that settings make.
#[derive(Debug)]
pub struct PackageChoice {
    include: Vec<String>,
    patterns: Patterns,
    exclude: Patterns,
    is_readable: bool,
}

impl PackageChoice {
    /// The choice of an instance; `None` where it takes in no packages.
    pub fn of(config: &Values) -> Option<Self> {
        let value = config.value(&PACKAGES)?;
        let texts = |key: &str| match value.get(key) {
            Some(Value::String(text)) => {
                text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
            }
            Some(Value::Array(items)) => {
                items.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
            }
            _ => Vec::new(),
        };
        let include = if value.get(INCLUDE).is_some() { texts(INCLUDE) } else { vec!["*".to_owned()] };
        let (patterns, _) = Patterns::new(include.iter().map(String::as_str));
        let excluded = texts(EXCLUDE);
        let (exclude, bad) = Patterns::new(excluded.iter().map(String::as_str));
        Some(Self { include, patterns, exclude, is_readable: bad.is_empty() })
    }

    /// The choice of all packages but those that are set aside.
    pub fn usual() -> Self {
        let include = vec!["*".to_owned()];
        let (patterns, _) = Patterns::new(["*"]);
        Self { include, patterns, exclude: Patterns::new([]).0, is_readable: true }
    }

    /// Whether it takes in a package. Where a pattern of `exclude` cannot be read, it may name any of them.
    pub fn has(&self, member: &Member) -> bool {
        let is_named = |patterns: &Patterns| {
            patterns.matches(&member.folder)
                || member.name.as_deref().is_some_and(|name| patterns.matches(name))
        };
        self.is_readable && is_named(&self.patterns) && !is_named(&self.exclude) && !self.is_set_aside(member)
    }

    /// Whether it leaves a package out for its folder alone.
    pub fn is_set_aside(&self, member: &Member) -> bool {
        let mut parts = member.folder.split('/');
        parts.any(|part| {
            let is_named = || self.include.iter().any(|pattern| pattern.split('/').any(|own| own == part));
            ASIDE.contains(&part.to_ascii_lowercase().as_str()) && !is_named() && !self.names(member)
        })
    }

    /// Whether a pattern is the very name or folder of a package.
    fn names(&self, member: &Member) -> bool {
        let own = [Some(member.folder.as_str()), member.name.as_deref()];
        self.include.iter().any(|pattern| own.contains(&Some(pattern.as_str())))
    }
}

/// The value of [`PACKAGES`] that takes in these and leaves out those.
pub fn package_choice(include: &[String], exclude: &[String]) -> Value {
    let mut choice = Map::new();
    choice.insert(INCLUDE.to_owned(), json!(include));
    if !exclude.is_empty() {
        choice.insert(EXCLUDE.to_owned(), json!(exclude));
    }
    Value::Object(choice)
}

/// Reports what does not fit in a value of the key.
pub(super) fn check(value: &Value, complain: Complain<'_>) {
    let Value::Object(keys) = value else { return };
    for (key, value) in keys {
        let path = |rest: Option<ValueStep>| {
            std::iter::once(ValueStep::Key(key.clone())).chain(rest).collect::<Vec<_>>()
        };
        if !KEYS.contains(&key.as_str()) {
            let meant = nearest(key, KEYS.iter().copied());
            complain(path(None), InputErrorKind::Unknown(meant));
            continue;
        }
        match value {
            Value::String(_) | Value::Null => {}
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate().filter(|(_, item)| !item.is_string()) {
                    let wrong = InputErrorKind::Type("a string", super::json_value::describe(item));
                    complain(path(Some(ValueStep::Item(at))), wrong);
                }
            }
            other => {
                let given = super::json_value::describe(other);
                complain(path(None), InputErrorKind::Type("a string or a list of strings", given));
            }
        }
    }
}

/// The JSON Schema of the key.
pub(super) fn schema() -> Value {
    let patterns = json!({"type": ["string", "array"], "items": {"type": "string"}});
    json!({
        "type": "object", "properties": {INCLUDE: patterns.clone(), EXCLUDE: patterns}, "additionalProperties": false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_chosen_by_name_or_folder_and_some_folders_wait_to_be_named() {
        let member = |(name, folder): (&str, &str)| Member {
            name: Some(name.to_owned()),
            folder: folder.to_owned(),
            config: Values::default(),
        };
        let all = [
            ("@x/core", "packages/core"),
            ("@x/ui", "packages/ui"),
            ("play", "playgrounds/basic"),
            ("demo", "packages/create/templates/demo"),
        ]
        .map(member);
        for (choice, expected) in [
            (json!({}), "@x/core @x/ui"),
            (json!({"include": "*"}), "@x/core @x/ui"),
            (json!({"include": ["@x/*"], "exclude": ["packages/ui"]}), "@x/core"),
            (json!({"include": "packages/*"}), "@x/core @x/ui"),
            (json!({"include": ["*", "playgrounds/*"]}), "@x/core @x/ui play"),
            (json!({"include": ["demo"]}), "demo"),
            (json!({"include": "*", "exclude": "@x/*"}), ""),
            (json!({"exclude": "["}), "@x/core @x/ui"),
            (json!({"include": []}), ""),
        ] {
            let choice = PackageChoice::of(&Values::of([(&PACKAGES, choice)])).unwrap();
            let kept: Vec<&str> =
                all.iter().filter(|one| choice.has(one)).filter_map(|one| one.name.as_deref()).collect();
            assert_eq!(kept.join(" "), expected);
        }
        assert!(PackageChoice::of(&Values::default()).is_none());
    }
}
