//! The entry of one server in a client's file: the command that starts cuff, and the command of an existing
//! entry.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::clients::{AgentClient, ClientScope};

/// The default name of cuff's entry.
const NAME: &str = "cuff";
/// The longest name of an entry: it becomes part of each tool's name in some clients.
const LONGEST_NAME: usize = 32;

/// How a client is to start cuff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The entry's name.
    pub name: String,
    command: String,
    words: Vec<String>,
    /// The project's folder, as the entry names it.
    project: Option<String>,
}

impl Launch {
    /// The entry for a client's file of this scope. `binary` is cuff's full path, and `project` the project's
    /// root.
    ///
    /// A user's own file names the binary in full, since a desktop does not have this shell's PATH. It is for all
    /// projects: only for a client that knows of none does it name this one. The file of a project is shared, so it names
    /// neither.
    pub fn new(
        client: &AgentClient,
        scope: ClientScope,
        binary: &Path,
        project: &Path,
        name: Option<&str>,
    ) -> Self {
        let command = match scope {
            ClientScope::User => binary.display().to_string(),
            ClientScope::Project => NAME.to_owned(),
        };
        let project = match client.project {
            Some((_, word)) => word.map(str::to_owned),
            None => Some(project.display().to_string()),
        };
        let mut words = Vec::new();
        if let Some(project) = &project {
            words.extend(["-C".to_owned(), project.clone()]);
        }
        words.push("serve".to_owned());
        if client.rejects_dots {
            words.extend(["--tool-names", "portable"].map(str::to_owned));
        }
        Self { name: name.unwrap_or(NAME).to_owned(), command, words, project }
    }

    /// Whether every client takes this as an entry's name.
    pub fn is_name(name: &str) -> bool {
        let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
        (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(plain)
    }

    /// The line that is started, for people.
    pub fn line(&self) -> String {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        format!("{} {}", self.command, words.join(" "))
    }

    /// The entry in the shape of a client.
    pub(super) fn shape(&self, client: &AgentClient) -> Map<String, Value> {
        let mut entry = Map::new();
        if client.is_typed {
            entry.insert("type".into(), json!("stdio"));
        }
        entry.insert("command".into(), json!(self.command));
        entry.insert("args".into(), json!(self.words));
        if let Some((key, value)) = client.timeout {
            entry.insert(key.into(), json!(value));
        }
        entry
    }

    /// How an entry of this name stands to this one.
    pub(super) fn compare(&self, there: &Value) -> Named {
        match Named::of(there) {
            Named::Ours { project, .. } if project == self.project => Named::Ours { project, command: None },
            other => other,
        }
    }
}

/// The command of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Named {
    /// `cuff serve`.
    Ours {
        /// The folder after `-C`.
        project: Option<String>,
        /// The program; left out where it does not matter.
        command: Option<String>,
    },
    /// Another command or address, for people.
    Other(String),
}

impl Named {
    /// Reads an entry of any author.
    pub fn of(entry: &Value) -> Self {
        // Zed's older files have the command as an object.
        let at = |key| entry.get(key).or_else(|| entry.get("command")?.get(key));
        let command = entry.get("command").and_then(Value::as_str).or_else(|| at("path")?.as_str());
        let words: Vec<&str> =
            at("args").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let Some(command) = command else {
            return Self::Other(entry.get("url").and_then(Value::as_str).unwrap_or("nothing").to_owned());
        };
        let is_cuff = Path::new(command).file_name().is_some_and(|name| name == "cuff");
        if !is_cuff || !words.contains(&"serve") {
            return Self::Other([&[command], &words[..]].concat().join(" "));
        }
        let project = words.iter().position(|word| *word == "-C").and_then(|at| words.get(at + 1));
        Self::Ours { project: project.map(|word| (*word).to_owned()), command: Some(command.to_owned()) }
    }
}
