//! The records of a team in their store: pushed once, listed newest first, read with their digest.

use std::io::ErrorKind;
use std::sync::Arc;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions};

use super::address::{self, FOLDER, OpenStore};
use super::key::{RecordKey, folder};
use super::record::{BadRecord, LARGEST, SharedRecord};
use crate::model::{RecordState, RunId};
use crate::sys::Environment;

/// How many names are looked at, the newest first.
const MOST_NAMES: usize = 10_000;
/// How many names a store gives in one answer.
const PAGE: usize = 1_000;
/// How many records are read at a time.
const AT_ONCE: usize = 8;
/// The shortest end of an id that is looked up.
const SHORTEST_END: usize = 6;

/// The reason why the records of a team cannot be used as asked.
#[derive(Debug, thiserror::Error)]
pub enum TeamError {
    /// The store does not answer as it should.
    #[error("the store of the records does not answer: {0}")]
    Store(String),
    /// The store wants other credentials.
    #[error("the store of the records refuses these credentials: {0}")]
    Refused(String),
    /// There is no such record.
    #[error("the records of the team have no run {0}")]
    None(String),
    /// Several runs are meant.
    #[error("several runs of the records have an id that begins or ends with {0}")]
    Ambiguous(String),
    /// The object is no record that can be trusted.
    #[error("the record of {0} is not used: {1}")]
    Bad(RunId, BadRecord),
    /// Another record of the run is there already.
    #[error("the records have another record of {0}; this one was not pushed")]
    Other(RunId),
    /// A record cannot be read or written on this machine.
    #[error("{0}")]
    Here(String),
}

impl TeamError {
    /// The same, with the address of the store in its message.
    #[must_use]
    pub(crate) fn of_store(self, address: &str) -> Self {
        match self {
            Self::Store(why) => Self::Store(format!("{address}: {why}")),
            Self::Refused(why) => Self::Refused(format!("{address}: {why}")),
            other => other,
        }
    }

    /// The next step.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Store(_) => {
                "runs are recorded on this machine as ever; look at `records.store` in settings.yml and at the network"
            }
            Self::Refused(_) => {
                "set the variables of its cloud, such as AWS_ACCESS_KEY_ID; runs are recorded on this machine as ever"
            }
            Self::None(_) | Self::Ambiguous(_) => "`cuff runs --shared` lists them",
            Self::Bad(..) => "ask those who may write to the store; the others can be read",
            Self::Other(_) => "ask those who may write to the store; the record on this machine is whole",
            Self::Here(_) => "`cuff doctor` looks at the folders of cuff",
        }
    }
}

/// Records as they are listed.
#[derive(Debug, Default)]
pub struct Listed {
    /// The newest first.
    pub records: Vec<SharedRecord>,
    /// Those that cannot be used, and why.
    pub bad: Vec<(RunId, BadRecord)>,
}

/// The records of a project of a team, in their store.
#[derive(Debug)]
pub struct TeamStore {
    objects: Arc<dyn ObjectStore>,
    prefix: Path,
    is_sorted: bool,
    project: String,
}

impl TeamStore {
    /// The records of a project in the store at an address. Nothing is sent yet.
    ///
    /// # Errors
    /// When the address cannot be one, or a folder is not there.
    pub fn open(address: &str, project: &str, environment: &Environment) -> Result<Self, TeamError> {
        let OpenStore { objects, prefix, is_sorted } = address::open(address, environment).map_err(failed)?;
        Ok(Self { objects, prefix, is_sorted, project: project.to_owned() })
    }

    /// Pushes a record. `false`: the very same is there already.
    ///
    /// # Errors
    /// When it cannot be, or another record of the run is there.
    pub async fn push(&self, record: &SharedRecord) -> Result<bool, TeamError> {
        let location = RecordKey::of(&record.run).location(&self.prefix, &self.project);
        let bytes = record.encode();
        let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
        match self.objects.put_opts(&location, bytes.clone().into(), options).await {
            Ok(_) => Ok(true),
            Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => {
                match self.bytes(&location).await? {
                    Some(there) if there == bytes => Ok(false),
                    _ => Err(TeamError::Other(record.run.id)),
                }
            }
            Err(error) => Err(without_bucket(error)),
        }
    }

    /// The newest records that a filter lets pass, at most so many. Parts of other runs are left out.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn list(
        &self,
        most: usize,
        passes: impl Fn(&SharedRecord) -> bool,
    ) -> Result<Listed, TeamError> {
        let mut listed = Listed::default();
        let mut seen = 0;
        for most_names in self.steps() {
            let keys = self.keys(*most_names).await?;
            let new: Vec<&RecordKey> =
                keys[seen.min(keys.len())..].iter().filter(|key| !key.is_part).collect();
            for some in new.chunks(most.max(AT_ONCE)) {
                let read: Vec<_> = some.iter().map(|key| self.read(key)).collect();
                let read: Vec<_> = stream::iter(read).buffered(AT_ONCE).collect().await;
                for one in read {
                    match one {
                        Ok(record) if passes(&record) => listed.records.push(record),
                        Err(TeamError::Bad(id, bad)) => listed.bad.push((id, bad)),
                        // One that is not there was removed by the store's own rules since it was listed.
                        Ok(_) | Err(TeamError::None(_)) => {}
                        Err(error) => return Err(error),
                    }
                }
                if listed.records.len() >= most {
                    break;
                }
            }
            if listed.records.len() >= most || keys.len() < *most_names {
                break;
            }
            seen = keys.len();
        }
        listed.records.truncate(most);
        Ok(listed)
    }

    /// The newest record of a tool on a branch, but for one run.
    ///
    /// # Errors
    /// When the store does not answer, or the record cannot be used.
    pub async fn newest(
        &self,
        tool: &str,
        branch: &str,
        but: RunId,
    ) -> Result<Option<SharedRecord>, TeamError> {
        for most_names in self.steps() {
            let keys = self.keys(*most_names).await?;
            let is_it = |key: &&RecordKey| key.is_of(tool, branch) && key.id() != Some(but);
            for key in keys.iter().filter(is_it) {
                match self.read(key).await {
                    // A run that was cut off found only a part.
                    Ok(record) if matches!(record.run.state, RecordState::Ended(_)) => {
                        return Ok(Some(record));
                    }
                    Ok(_) | Err(TeamError::None(_)) => {}
                    Err(error) => return Err(error),
                }
            }
            if keys.len() < *most_names {
                break;
            }
        }
        Ok(None)
    }

    /// The record of a run, by its id, its beginning or its end.
    ///
    /// # Errors
    /// When there is none, or more than one, or it cannot be used.
    pub async fn find(&self, wanted: &str) -> Result<SharedRecord, TeamError> {
        let lower = wanted.to_ascii_lowercase();
        let is_meant = |key: &RecordKey| {
            let id = key.id().map(|id| id.to_string()).unwrap_or_default();
            lower.len() >= SHORTEST_END && (id.starts_with(&lower) || id.ends_with(&lower))
        };
        let meant: Vec<RecordKey> = self.keys(MOST_NAMES).await?.into_iter().filter(is_meant).collect();
        match &meant[..] {
            [] => Err(TeamError::None(wanted.to_owned())),
            [one] => self.read(one).await,
            [..] => Err(TeamError::Ambiguous(wanted.to_owned())),
        }
    }

    /// How many names are asked for, until enough is found. A store that does not sort them is asked once, for all.
    fn steps(&self) -> &'static [usize] {
        if self.is_sorted { &[PAGE, MOST_NAMES] } else { &[MOST_NAMES] }
    }

    /// The names of the newest records, the newest first, at most so many.
    async fn keys(&self, most: usize) -> Result<Vec<RecordKey>, TeamError> {
        let folder = folder(&self.prefix, &self.project);
        let names = self.objects.list(Some(&folder));
        let keys = names.try_filter_map(async |object| Ok(RecordKey::read(&object.location)));
        let keys: Result<Vec<RecordKey>, Error> =
            if self.is_sorted { keys.take(most).try_collect().await } else { keys.try_collect().await };
        let mut keys = keys.map_err(without_bucket)?;
        keys.sort_unstable();
        keys.truncate(most);
        Ok(keys)
    }

    async fn read(&self, key: &RecordKey) -> Result<SharedRecord, TeamError> {
        let id = key.id().unwrap_or_else(|| RunId::new(0, [0; 10]));
        let location = key.location(&self.prefix, &self.project);
        let bad = |bad| TeamError::Bad(id, bad);
        let bytes = self.bytes(&location).await?.ok_or_else(|| bad(BadRecord::TooLarge))?;
        let record = SharedRecord::decode(&bytes).map_err(bad)?;
        if RecordKey::of(&record.run) != *key || record.project != self.project {
            return Err(bad(BadRecord::Renamed));
        }
        Ok(record)
    }

    /// The bytes of an object; `None` where it is larger than a record may be.
    async fn bytes(&self, location: &Path) -> Result<Option<Vec<u8>>, TeamError> {
        let found = self.objects.get(location).await.map_err(failed)?;
        let mut bytes = Vec::new();
        let mut parts = found.into_stream();
        while let Some(part) = parts.try_next().await.map_err(failed)? {
            bytes.extend_from_slice(&part);
            if bytes.len() > LARGEST {
                return Ok(None);
            }
        }
        Ok(Some(bytes))
    }
}

const NO_BUCKET: &str = "its bucket or container does not exist";

/// An error of a request that needs no object to be there: where something is missing, it is the bucket or the container.
fn without_bucket(error: Error) -> TeamError {
    match error {
        Error::NotFound { .. } => TeamError::Store(NO_BUCKET.into()),
        error => match failed(error) {
            TeamError::Store(why) if why.contains("404 Not Found") => TeamError::Store(NO_BUCKET.into()),
            error => error,
        },
    }
}

/// An error of a store, without the addresses of requests.
fn failed(error: Error) -> TeamError {
    match error {
        Error::NotFound { path, .. } => TeamError::None(path),
        // cuff's own word for a folder that is not there.
        Error::Generic { store: FOLDER, source } => TeamError::Store(source.to_string()),
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
            TeamError::Refused(first_line(&error))
        }
        Error::Generic { ref source, .. } => {
            let io = source.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
            match io {
                Some(ErrorKind::PermissionDenied) => TeamError::Refused(first_line(&error)),
                // The library has no kind for what a list answers.
                _ => match first_line(&error) {
                    why if ["401 Unauthorized", "403 Forbidden"].iter().any(|one| why.contains(one)) => {
                        TeamError::Refused(why)
                    }
                    why => TeamError::Store(why),
                },
            }
        }
        error => TeamError::Store(first_line(&error)),
    }
}

/// The first line of a message: a store may answer with a page.
fn first_line(error: &Error) -> String {
    const LONGEST: usize = 300;
    let mut text = error.to_string();
    let mut source: Option<&dyn std::error::Error> = std::error::Error::source(error);
    while let Some(inner) = source {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text = format!("{text}: {inner_text}");
        }
        source = inner.source();
    }
    // The cause stands behind the address and the time or the number of tries.
    let cause = text.split_once("Error performing ").and_then(|(_, behind)| behind.split_once(" - "));
    let text = cause.map_or(text.as_str(), |(_, cause)| cause.trim_start());
    text.lines().next().unwrap_or_default().chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "the tests forge the objects of a folder")]

    use std::fs;
    use std::path::PathBuf;

    use super::*;
    use crate::record::tests::record;

    const PROJECT: &str = "example.com/x";

    fn store(base: &std::path::Path) -> TeamStore {
        let none: [(&str, &str); 0] = [];
        let environment = Environment::new(base, none);
        fs::create_dir_all(base.join("records")).unwrap();
        TeamStore::open(base.join("records").to_str().unwrap(), PROJECT, &environment).unwrap()
    }

    /// The file of a record.
    fn file(base: &std::path::Path, at: u64) -> PathBuf {
        let location = RecordKey::of(&record(at).run).location(&Path::default(), PROJECT);
        base.join("records").join(location.as_ref())
    }

    #[tokio::test]
    async fn records_are_listed_newest_first_and_found_by_id_tool_and_branch() {
        let base = tempfile::tempdir().unwrap();
        let store = store(base.path());
        assert!(store.list(20, |_| true).await.unwrap().records.is_empty());
        for at in [3, 1, 2] {
            assert!(store.push(&record(at)).await.unwrap());
        }
        let mut part = record(4);
        part.run.beginning.parent = Some(record(3).run.id);
        part.run.beginning.revision.branch = Some("other".into());
        store.push(&part).await.unwrap();
        let listed = store.list(2, |_| true).await.unwrap();
        assert_eq!((listed.records, listed.bad), (vec![record(3), record(2)], vec![]));
        let id = record(2).run.id;
        assert_eq!(store.find(&id.to_string()).await.unwrap(), record(2));
        assert!(matches!(store.find("ffffffff").await, Err(TeamError::None(_))));
        assert!(matches!(store.find(&id.short()).await, Err(TeamError::Ambiguous(_))), "all end alike");
        let tool = "packagejson.npm_test";
        assert_eq!(store.newest(tool, "main", record(3).run.id).await.unwrap(), Some(record(2)));
        assert_eq!(store.newest(tool, "other", record(3).run.id).await.unwrap(), Some(part));
        assert_eq!(store.newest(tool, "no", record(3).run.id).await.unwrap(), None);
    }

    #[tokio::test]
    async fn a_record_is_made_once_and_never_changed() {
        let base = tempfile::tempdir().unwrap();
        let store = store(base.path());
        assert!(store.push(&record(1)).await.unwrap());
        assert!(!store.push(&record(1)).await.unwrap(), "the same again is no second one");
        let mut other = record(1);
        other.log[0].1[0] = b'O';
        assert!(matches!(store.push(&other).await, Err(TeamError::Other(id)) if id == other.run.id));
        assert_eq!(store.list(9, |_| true).await.unwrap().records, [record(1)]);
    }

    #[tokio::test]
    async fn cut_forged_and_huge_objects_are_named_and_not_shown() {
        let base = tempfile::tempdir().unwrap();
        let store = store(base.path());
        for at in 1..=5 {
            store.push(&record(at)).await.unwrap();
        }
        let whole = fs::read(file(base.path(), 1)).unwrap();
        fs::write(file(base.path(), 1), &whole[..whole.len() - 1]).unwrap();
        fs::write(file(base.path(), 2), &whole).unwrap();
        fs::write(file(base.path(), 3), vec![b' '; LARGEST + 1]).unwrap();
        fs::write(file(base.path(), 4), "").unwrap();
        fs::write(file(base.path(), 4).with_file_name("notes.txt"), "not a record").unwrap();
        let listed = store.list(9, |_| true).await.unwrap();
        assert_eq!(listed.records, [record(5)]);
        let bad: Vec<BadRecord> = listed.bad.into_iter().map(|(_, bad)| bad).collect();
        assert_eq!(bad, [BadRecord::Foreign, BadRecord::TooLarge, BadRecord::Renamed, BadRecord::Digest]);
        let error = store.find(&record(1).run.id.to_string()).await.unwrap_err();
        assert!(matches!(error, TeamError::Bad(_, BadRecord::Digest)), "{error}");
    }
}
