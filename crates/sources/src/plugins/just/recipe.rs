//! A recipe, as just's own answer says it.

use serde_json::Value;

use crate::model::Parameter;

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

/// The tool name of a recipe: `just_build_all`, `just_foo__sub` for `foo::sub`.
pub(super) fn tool_name(path: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = path.chars().map(safe).collect();
    format!("just_{name}")
}

/// The path of a module or recipe in a module.
pub(super) fn inner(module: &str, name: &str) -> String {
    if module.is_empty() { name.to_owned() } else { format!("{module}::{name}") }
}
