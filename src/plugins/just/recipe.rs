//! A recipe, as just's own answer says it.

use serde_json::Value;

/// One recipe of a justfile or of a module.
#[derive(Debug, Clone, Default)]
pub(super) struct Recipe {
    /// Its name behind those of its modules: `foo::sub`.
    pub(super) path: String,
    /// The modules that it lies in: `foo`, or nothing.
    pub(super) module: String,
    /// The comment that describes it.
    pub(super) doc: Option<String>,
    pub(super) parameters: Vec<Parameter>,
    /// The groups that just lists it in.
    pub(super) groups: Vec<String>,
    /// Its lines, each a list of texts and inserted expressions.
    pub(super) body: Vec<Value>,
    /// The recipes that run before or after it, with the arguments that it gives them.
    pub(super) dependencies: Vec<(String, Vec<Value>)>,
    /// Whether just keeps it out of lists.
    pub(super) is_private: bool,
    /// Whether just asks a person before it runs.
    pub(super) confirms: bool,
    /// The program that runs its text, where that is no shell: `python3`.
    pub(super) interpreter: Option<String>,
}

/// One parameter of a recipe.
#[expect(clippy::struct_excessive_bools, reason = "facts of a parameter, each on its own")]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Parameter {
    pub(super) name: String,
    /// Whether a call must give it.
    pub(super) is_required: bool,
    /// Whether it takes all words that are left, up to `most`.
    pub(super) is_variadic: bool,
    pub(super) most: Option<usize>,
    /// Whether recipes get it as a variable too.
    pub(super) is_exported: bool,
    /// Its long option, where it is one.
    pub(super) long: Option<String>,
    /// Its short option, where it is one.
    pub(super) short: Option<String>,
    /// Whether it is an option without a value.
    pub(super) is_switch: bool,
    /// The default, where it is a plain string.
    pub(super) default: Option<String>,
}

impl Parameter {
    /// Whether it is given by an option, and not by its place.
    pub(super) fn is_option(&self) -> bool {
        self.long.is_some() || self.short.is_some()
    }

    /// Its usage: `TARGET`, `[MODE]`, `[FILES]...`, `[--name=NAME]`.
    pub(super) fn usage(&self) -> String {
        let name = self.name.to_uppercase();
        let mut usage = match (&self.long, &self.short) {
            (Some(long), _) if self.is_switch => format!("--{long}"),
            (Some(long), _) => format!("--{long}={name}"),
            (None, Some(short)) if self.is_switch => format!("-{short}"),
            (None, Some(short)) => format!("-{short} {name}"),
            (None, None) => name,
        };
        if let Some(default) = self.default.as_ref().filter(|default| !default.is_empty()) {
            usage = format!("{usage}={default}");
        }
        if !self.is_required {
            usage = format!("[{usage}]");
        }
        if self.is_variadic { usage + "..." } else { usage }
    }
}

/// The tool name of a recipe: `just_build_all`, `just_foo__sub` for `foo::sub`.
pub(super) fn tool_name(path: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = path.chars().map(safe).collect();
    format!("just_{name}")
}
