//! The files that a yes or a pinned text is bound to, as they are at one moment: compared before the start and after the end.

use blake3::{Hash, Hasher};

use crate::engine::Engine;
use crate::model::{After, BoundFile, Ending, NotStarted, Problem, Seen, listed, shown};
use crate::registry::Registered;
use crate::sys;

/// The largest file that is read after the end, in bytes; discovery reads no larger one.
const LARGEST: u64 = 64 * 1024 * 1024;

/// The files of one plan, by what they say.
#[derive(Debug)]
pub(crate) struct ContentBinding {
    files: Vec<(BoundFile, Hash, Option<Hash>)>,
}

impl PartialEq for ContentBinding {
    fn eq(&self, other: &Self) -> bool {
        self.digest() == other.digest()
    }
}

impl ContentBinding {
    fn of(files: Vec<(BoundFile, Seen)>) -> Self {
        let hashed = |(file, seen): (BoundFile, Seen)| {
            let (now, after) = (hash(&seen), remains(file.after, &seen));
            (file, now, after)
        };
        Self { files: files.into_iter().map(hashed).collect() }
    }

    /// A hash over the names of all files and what they say, in hex.
    pub(crate) fn digest(&self) -> String {
        let mut hasher = Hasher::new();
        for (file, content, _) in &self.files {
            hasher.update(&(file.path.len() as u64).to_le_bytes());
            hasher.update(file.path.as_bytes());
            hasher.update(content.as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }

    /// The files that do not say the same in another binding of the same plan.
    fn differences(&self, other: &Self) -> Vec<String> {
        let same = |one: &(BoundFile, Hash, Option<Hash>), list: &Self| {
            list.files.iter().any(|(file, content, _)| file.path == one.0.path && *content == one.1)
        };
        let gone = self.files.iter().filter(|one| !same(one, other));
        let new = other.files.iter().filter(|one| !same(one, self));
        let mut names: Vec<String> = gone.chain(new).map(|(file, ..)| shown(&file.path)).collect();
        names.sort();
        names.dedup();
        names
    }
}

/// Why a plan is bound to nothing.
#[derive(Debug)]
pub(crate) enum Unbound {
    /// The tool is no longer the one that was found.
    Gone,
    /// Its files cannot all be looked at.
    TooMuch(Box<Problem>),
}

impl Engine {
    /// The binding of a tool now: everything that its plugin declares for it is read.
    ///
    /// # Errors
    /// When the tool is no longer the one that was found, or its files are too many.
    pub(crate) async fn bind(&self, found: &Registered) -> Result<ContentBinding, Unbound> {
        let mut instances = self.instances.iter().filter(|instance| instance.enabled);
        let instance =
            instances.find(|instance| instance.name == found.name.instance).ok_or(Unbound::Gone)?;
        let plugin = self.surroundings.plugin(instance.plugin).ok_or(Unbound::Gone)?;
        let mut memory = self.memory.lock().await;
        if !memory.discover(self.place(), plugin, instance).await.tools.contains(&found.tool) {
            return Err(Unbound::Gone);
        }
        let files = memory.bound_files(self.place(), plugin, instance, &found.tool);
        files.map(ContentBinding::of).map_err(Unbound::TooMuch)
    }

    /// Compares a binding with the files as they are immediately before the start.
    ///
    /// # Errors
    /// With the names of the files that changed.
    pub(crate) async fn still_bound(
        &self,
        found: &Registered,
        binding: &ContentBinding,
    ) -> Result<(), NotStarted> {
        let changed = match self.bind(found).await {
            Ok(now) => binding.differences(&now),
            Err(_) => vec![shown(&found.tool.source.file)],
        };
        if changed.is_empty() { Ok(()) } else { Err(NotStarted::SourceChanged(named(&changed))) }
    }

    /// The files of a binding that do not say the same after the end of a run, but for what the tool itself writes. None
    /// where nothing was started.
    pub(crate) fn changed_since(&self, binding: Option<&ContentBinding>, ending: &Ending) -> Vec<String> {
        let Some(binding) = binding.filter(|_| !matches!(ending, Ending::NotStarted(_))) else {
            return Vec::new();
        };
        let changed = binding.files.iter().filter(|(file, _, before)| {
            let now = || remains(file.after, &sys::look::file(&self.root.join(&file.path), LARGEST));
            before.is_some() && now() != *before
        });
        changed.map(|(file, ..)| shown(&file.path)).collect()
    }
}

/// Changed files, in a list for people.
pub(crate) fn named(files: &[String]) -> String {
    /// How many are named.
    const MOST: usize = 5;
    listed(files, MOST)
}

fn hash(seen: &Seen) -> Hash {
    match seen {
        Seen::Missing => blake3::hash(b"missing"),
        Seen::Unreadable(why) => blake3::hash(format!("unreadable {why}").as_bytes()),
        Seen::File(file) => {
            let mut hasher = Hasher::new();
            hasher.update(b"file ");
            hasher.update(&file.bytes);
            hasher.finalize()
        }
    }
}

/// What of a file must be the same after the end; `None`: nothing.
fn remains(after: After, seen: &Seen) -> Option<Hash> {
    match (after, seen) {
        (After::Written, _) => None,
        (After::Part(part), Seen::File(file)) => Some(blake3::hash(&part(&file.bytes))),
        (After::Same | After::Part(_), _) => Some(hash(seen)),
    }
}
