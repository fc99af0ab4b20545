//! The servers in a client's file: adding cuff, removing it, and reading the entries.

use serde_json::{Map, Value};

use super::clients::{AgentClient, ClientFormat};
use super::entry::{Launch, Named};
use super::obstacle::Obstacle;
use super::{json, toml};

/// The change of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientFileChange {
    /// Nothing: it is so already.
    None,
    /// This is its new text.
    Text(String),
    /// Nothing is left that it was for: it can go.
    Gone,
}

/// The text of one client's file; `None` where there is none.
#[derive(Debug, Clone, Copy)]
pub struct ClientServers<'a> {
    /// The client that the file belongs to.
    pub client: &'a AgentClient,
    /// Its text; `None` if it does not exist.
    pub text: Option<&'a str>,
}

impl ClientServers<'_> {
    /// Adds an entry, or updates the existing one; keys that others added to it stay. With `force` it
    /// replaces any entry of its name.
    ///
    /// # Errors
    /// When the file cannot be changed without losing something.
    pub fn add(&self, launch: &Launch, force: bool) -> Result<ClientFileChange, Obstacle> {
        let wanted = launch.shape(self.client);
        let there = self.find(&launch.name)?;
        let entry = match &there {
            None => wanted,
            Some(there) => match (standing(launch, there), there) {
                (Ok(()), Value::Object(known)) => merged(known, wanted),
                (Err(_), _) if force => wanted,
                (Err(obstacle), _) => return Err(obstacle),
                (Ok(()), _) => wanted,
            },
        };
        let entry = Value::Object(entry);
        if there.as_ref() == Some(&entry) {
            return Ok(ClientFileChange::None);
        }
        let text = self.text.unwrap_or_default();
        let AgentClient { table, .. } = self.client;
        let text = match self.client.format {
            ClientFormat::Json => json::put(text, table, &launch.name, &entry)?,
            ClientFormat::Toml => toml::put(text, table, &launch.name, &entry)?,
        };
        Ok(ClientFileChange::Text(text))
    }

    /// Takes the entry out; where nothing was changed since it was added, the text is as it was before.
    ///
    /// # Errors
    /// When the file cannot be read, or the entry is not this one.
    pub fn remove(&self, launch: &Launch, force: bool) -> Result<ClientFileChange, Obstacle> {
        let Some(there) = self.find(&launch.name)? else { return Ok(ClientFileChange::None) };
        if !force {
            standing(launch, &there)?;
        }
        let text = self.text.unwrap_or_default();
        let AgentClient { table, .. } = self.client;
        let text = match self.client.format {
            ClientFormat::Json => json::take(text, table, &launch.name)?,
            ClientFormat::Toml => toml::take(text, table, &launch.name)?,
        };
        let is_empty = text.is_empty() || text == json::EMPTY;
        Ok(if is_empty { ClientFileChange::Gone } else { ClientFileChange::Text(text) })
    }

    /// Removes the entries of these names, except those that start cuff. Returns the names that were there.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn without(&self, names: &[&str]) -> Result<(ClientFileChange, Vec<String>), Obstacle> {
        let others = self.others()?;
        let there = names.iter().filter(|name| others.contains_key(**name));
        let there: Vec<String> = there.map(|name| (*name).to_owned()).collect();
        let mut text = self.text.unwrap_or_default().to_owned();
        let AgentClient { table, .. } = self.client;
        for name in &there {
            text = match self.client.format {
                ClientFormat::Json => json::take(&text, table, name)?,
                ClientFormat::Toml => toml::take(&text, table, name)?,
            };
        }
        Ok((if there.is_empty() { ClientFileChange::None } else { ClientFileChange::Text(text) }, there))
    }

    /// The entries that start `cuff serve`, with any name, each with its command.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn ours(&self) -> Result<Vec<(String, Named)>, Obstacle> {
        let entries = self.entries()?.into_iter().map(|(name, entry)| (name, Named::of(&entry)));
        Ok(entries.filter(|(_, named)| matches!(named, Named::Ours { .. })).collect())
    }

    /// The text of a file with nothing but this entry.
    pub fn alone(client: &AgentClient, launch: &Launch) -> Result<String, Obstacle> {
        match (ClientServers { client, text: None }).add(launch, false)? {
            ClientFileChange::Text(text) => Ok(text),
            ClientFileChange::None | ClientFileChange::Gone => Ok(String::new()),
        }
    }

    /// Every entry that starts or names another server than cuff.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn others(&self) -> Result<Map<String, Value>, Obstacle> {
        let is_other = |(_, entry): &(String, Value)| matches!(Named::of(entry), Named::Other(_));
        Ok(self.entries()?.into_iter().filter(is_other).collect())
    }

    fn find(&self, name: &str) -> Result<Option<Value>, Obstacle> {
        Ok(self.entries()?.remove(name))
    }

    fn entries(&self) -> Result<Map<String, Value>, Obstacle> {
        let Some(text) = self.text else { return Ok(Map::new()) };
        let AgentClient { table, .. } = self.client;
        match self.client.format {
            ClientFormat::Json => json::entries(text, table),
            ClientFormat::Toml => toml::entries(text, table),
        }
    }
}

/// The known entry, with the wanted keys replaced.
fn merged(known: &Map<String, Value>, wanted: Map<String, Value>) -> Map<String, Value> {
    let mut entry = known.clone();
    // Zed's older shape of a command is replaced whole.
    entry.extend(wanted);
    entry
}

/// Whether an entry of its name is this one.
fn standing(launch: &Launch, there: &Value) -> Result<(), Obstacle> {
    let name = launch.name.clone();
    match launch.compare(there) {
        Named::Ours { command: None, .. } => Ok(()),
        Named::Ours { project, .. } => {
            let project = project.unwrap_or_else(|| "the one that it is started in".into());
            Err(Obstacle::Elsewhere { name, project })
        }
        Named::Other(line) => Err(Obstacle::NotOurs { name, line }),
    }
}
