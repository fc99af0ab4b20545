//! settings.yml: where it lies, what it says, everything that is wrong with it, and how it is written.
//!
//! A file is a `version`, free `plugin_settings` that cuff does not read, and `plugins`: a mapping of
//! instances. Each has `enabled`, `type`, `module` and the plugin's own `config`. The plugins' identity cards
//! come in as data, so that this module knows no plugin. The same fields check a `config:`, comment it in a
//! written file and describe it to editors.
//!
//! [`hosts`] are the programs that start cuff for an agent, and the files in which each keeps its servers.
//!
//! Begin with [`load()`] and [`find()`].

use cuff_model as model;
use cuff_system as sys;
pub mod hosts;

mod addition;
mod compose;
mod content;
mod effective;
mod expand;
mod find;
mod foreign;
mod insertion;
mod inspection;
mod json;
mod keys;
mod limits;
mod load;
mod locate;
mod merge;
mod not_merged;
mod parse;
mod preferences;
mod problem;
mod read;
mod records;
mod runners;
mod schema;
mod server_entry;
mod servers;
mod syntax;
#[cfg(test)]
mod tests;
mod tree;
mod upstream;
mod written;

pub use compose::{NewInstance, ServerEntry};
pub use content::{Instance, Settings, SettingsReading};
pub use effective::{Difference, Effective, Withheld, effective};
pub use find::{
    FILE_NAME, NotThere, OWN_FOLDER, SERVERS_FILE, SettingsOrigin, SettingsPlace, SettingsSearch, candidates,
    find, find_all, named, places, root_of, server_candidates, server_files, user_places, way_up,
};
pub use foreign::is_foreign;
pub use json::json_entries;
pub use load::{kept, load, look, read};
pub use locate::line_of_key;
pub use merge::{ExistingEntry, existing_entries, fresh, merge, to_paste};
pub use not_merged::NotMerged;
pub use preferences::{Preferences, kept_preferences, preferences, preferences_file};
pub use problem::SettingsProblem;
pub use schema::{SCHEMA_FILE, is_current_schema, points_to_schema, schema, schema_beside};
pub use server_entry::{add_servers, lines_to_paste, new_file, remove_server, written_servers};
pub use servers::{ServerFile, load_servers, read_servers};
pub use upstream::{
    CODE_PREFIX as UPSTREAM_CODE_PREFIX, EXCLUDE_TOOLS, INCLUDE_TOOLS, NewTools, OAuth, ServerTransport,
    Upstream,
};
