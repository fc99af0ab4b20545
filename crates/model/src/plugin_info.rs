//! A plugin's description of itself. Help, schema, completions and contract tests derive from it.

use super::{EVERYWHERE, Field, NARROWS_EVERYWHERE, Narrows};

/// A plugin's identity card.
#[derive(Debug, Clone, Copy)]
pub struct PluginInfo {
    /// The id, also its default instance name and its subcommand: `packagejson`.
    pub id: &'static str,
    /// One line for help and the settings file, without a full stop.
    pub summary: &'static str,
    /// The word for one of its tools in messages: `script`.
    pub noun: &'static str,
    /// The source that its tools are read from, as log lines name it: `package.json`.
    pub source: &'static str,
    /// The file that `cuff init` looks for, as one of a list: `a Makefile`. Empty if another plugin looks for
    /// the same file.
    pub looked_for: &'static str,
    /// The settings to write by hand, where it looks for no file and `cuff init` cannot suggest it.
    pub example: &'static str,
    /// The words before a name that it does not offer: `Unknown tool`.
    pub unknown: &'static str,
    /// The facts about an instance that each of its log lines has, by the names in [`Tool::metadata`](super::Tool).
    pub facts: &'static [&'static str],
    /// The fact among them that names the runner of its tools, if its instances differ in that.
    pub runner: Option<&'static str>,
    /// The programs that run its tools by their name. Behind one in another tool's own text a call adds no words.
    pub programs: &'static [&'static str],
    /// The front of its error codes: `PKGJSON` gives `PKGJSON_302`.
    pub code_prefix: &'static str,
    /// The keys of its `config:` in settings.yml that it reads itself.
    pub config: &'static [Field],
    /// The keys of its own whose change may only narrow what agents may do, and how.
    pub narrows: &'static [(&'static Field, Narrows)],
    /// Whether it has commands of its own, `cuff <id> list|run`.
    pub has_command: bool,
    /// Whether a file of it speaks for the folders below too, so that nobody looks for more of it there. Otherwise it does where
    /// it has packages.
    pub speaks_for_below: bool,
    /// Whether `type: <id>` in the settings names it, under any name of an instance.
    pub is_type: bool,
    /// Options of these beyond the common ones.
    pub options: &'static [TerminalOption],
}

impl PluginInfo {
    /// A plugin by its id and the front of its error codes, which has nothing of its own but tools.
    pub const fn new(id: &'static str, code_prefix: &'static str) -> Self {
        Self {
            id,
            summary: "",
            noun: "tool",
            source: "",
            looked_for: "",
            example: "",
            unknown: "Tool not found",
            facts: &[],
            runner: None,
            programs: &[],
            code_prefix,
            config: &[],
            narrows: &[],
            has_command: true,
            speaks_for_below: true,
            is_type: false,
            options: &[],
        }
    }

    /// The keys of an instance's `config:`: those of the plugin, and those that all have.
    pub fn keys(&self) -> impl Iterator<Item = &'static Field> {
        self.config.iter().chain(EVERYWHERE)
    }

    /// The narrowing effect of a change of a key on agents; `None`: the change waits for a person.
    pub fn narrows(&self, key: &str) -> Option<(&'static Field, Narrows)> {
        let mut all = self.narrows.iter().chain(NARROWS_EVERYWHERE);
        all.find(|(field, _)| field.name == key).copied()
    }
}

/// An option of a plugin's terminal commands that replaces one key of its config.
#[derive(Debug, Clone, Copy)]
pub struct TerminalOption {
    /// The long flag without dashes: `pattern`.
    pub flag: &'static str,
    /// The config key that it overrides.
    pub field: &'static Field,
    /// One line of help.
    pub help: &'static str,
    /// Whether `run` takes it too; `list` always does.
    pub on_run: bool,
    /// Whether it names a file, as seen from where it is typed.
    pub is_path: bool,
}
