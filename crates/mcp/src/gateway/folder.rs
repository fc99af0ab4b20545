//! The folder with the files of all sessions of this user.

use std::io;
use std::path::{Path, PathBuf};

use super::files::SessionFiles;
use super::session_id::SessionId;
use crate::sys::Environment;
use crate::sys::private::{PrivateFolder, user};

/// The folder in it that is ours.
const OWN: &str = "toolscript";
/// How the names of the records end.
const RECORD: &str = ".json";

/// The folder with the files of all sessions of this user, closed to others.
#[derive(Debug, Clone)]
pub struct SessionFolder(PrivateFolder);

/// There is no folder that the files of a session may lie in.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot hold the files of a session: {why}", folder.display())]
pub struct NoFolder {
    /// The folder that was tried last.
    pub folder: PathBuf,
    /// Why.
    pub why: String,
}

impl NoFolder {
    /// The next step for a person.
    pub fn help(&self) -> String {
        let folder = self.folder.display();
        format!("it must be a folder of yours that others cannot open: `chmod 700 {folder}`, or remove it")
    }
}

impl SessionFolder {
    /// Makes the folder: below `XDG_RUNTIME_DIR` where that is private, else below the temporary folder.
    ///
    /// # Errors
    /// When neither can be used: it is another user's, or others can open it.
    pub fn make(environment: &Environment) -> Result<Self, NoFolder> {
        let bases = bases(environment);
        let mut failed = None;
        for base in &bases {
            let made = base.make();
            match made {
                Ok(folder) => return Ok(Self(folder)),
                Err(error) => failed = Some((base.above.clone(), error)),
            }
        }
        let (folder, error) = failed.unwrap_or_default();
        Err(NoFolder { folder, why: error })
    }

    /// The folders that are there: a session that was started in another environment may have its files in the other one.
    pub fn all(environment: &Environment) -> Vec<Self> {
        let opened = bases(environment).into_iter().filter_map(|base| base.open().ok());
        opened.map(Self).collect()
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The files of a session.
    pub fn session(&self, id: &SessionId) -> SessionFiles {
        SessionFiles::new(self.0.clone(), id.stem())
    }

    /// The files of every session that has a record.
    pub fn sessions(&self) -> Vec<SessionFiles> {
        let names = self.0.names().unwrap_or_default();
        let stems = names.iter().filter_map(|name| name.strip_suffix(RECORD));
        stems.map(|stem| SessionFiles::new(self.0.clone(), stem.to_owned())).collect()
    }

    /// The files of every session that has any.
    pub(super) fn remains(&self) -> Vec<SessionFiles> {
        let names = self.0.names().unwrap_or_default();
        let mut stems: Vec<&str> = names.iter().filter_map(|name| Some(name.split_once('.')?.0)).collect();
        stems.dedup();
        stems.into_iter().map(|stem| SessionFiles::new(self.0.clone(), stem.to_owned())).collect()
    }
}

/// A place that a folder may be made in.
struct FolderPlace {
    /// The folder that must be private before anything is made in it; `None`: anyone may own it.
    private: Option<PathBuf>,
    above: PathBuf,
}

impl FolderPlace {
    fn make(&self) -> Result<PrivateFolder, String> {
        self.check_base().map_err(described)?;
        let above = PrivateFolder::make(&self.above).map_err(described)?;
        closed(&above)?;
        let own = PrivateFolder::make(&self.above.join(OWN)).map_err(described)?;
        closed(&own)?;
        Ok(own)
    }

    fn open(&self) -> Result<PrivateFolder, String> {
        self.check_base().map_err(described)?;
        let above = PrivateFolder::open(&self.above).map_err(described)?;
        closed(&above)?;
        let own = above.inner(OWN).map_err(described)?;
        closed(&own)?;
        Ok(own)
    }

    fn check_base(&self) -> io::Result<()> {
        self.private.as_deref().map(PrivateFolder::open).transpose().map(|_| ())
    }
}

fn bases(environment: &Environment) -> Vec<FolderPlace> {
    let runtime = environment.absolute("XDG_RUNTIME_DIR");
    let runtime = runtime.map(|folder| FolderPlace { above: folder.join("cuff"), private: Some(folder) });
    // Never the working directory: it is the agent's to write.
    let temporary = environment.absolute("TMPDIR").unwrap_or_else(|| PathBuf::from("/tmp"));
    let temporary = FolderPlace { private: None, above: temporary.join(format!("cuff-{}", user())) };
    runtime.into_iter().chain([temporary]).collect()
}

fn closed(folder: &PrivateFolder) -> Result<(), String> {
    match folder.is_closed_to_others() {
        Ok(true) => Ok(()),
        Ok(false) => Err("other users can open it".to_owned()),
        Err(error) => Err(described(error)),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is the end of the error")]
fn described(error: io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "it is another user's, or others can write there".to_owned(),
        io::ErrorKind::NotADirectory => "it is no folder".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "folders of these tests")]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn environment(runtime: Option<&Path>, temporary: &Path) -> Environment {
        let runtime = runtime.map(|path| ("XDG_RUNTIME_DIR", path.as_os_str().to_owned()));
        let temporary = ("TMPDIR", temporary.as_os_str().to_owned());
        Environment::new("/", runtime.into_iter().chain([temporary]))
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn the_folder_is_closed_and_lies_where_the_system_keeps_such_things() {
        let base = tempfile::tempdir().unwrap();
        let (runtime, temporary) = (base.path().join("run"), base.path().join("tmp"));
        fs::create_dir(&runtime).unwrap();
        fs::create_dir(&temporary).unwrap();
        fs::set_permissions(&runtime, Permissions::from_mode(0o700)).unwrap();
        let made = SessionFolder::make(&environment(Some(&runtime), &temporary)).unwrap();
        assert_eq!((made.path(), mode(made.path())), (&*runtime.join("cuff/toolscript"), 0o700));
        let without = SessionFolder::make(&environment(None, &temporary)).unwrap();
        let expected = temporary.join(format!("cuff-{}/toolscript", user()));
        assert_eq!((without.path(), mode(without.path())), (&*expected, 0o700));
        // A runtime folder that others may write is none.
        fs::set_permissions(&runtime, Permissions::from_mode(0o777)).unwrap();
        let elsewhere = SessionFolder::make(&environment(Some(&runtime), &temporary)).unwrap();
        assert_eq!(elsewhere.path(), expected);
        assert_eq!(SessionFolder::all(&environment(Some(&runtime), &temporary)).len(), 1);
    }

    #[test]
    fn a_folder_that_was_put_there_by_others_is_refused() {
        let base = tempfile::tempdir().unwrap();
        let own = base.path().join(format!("cuff-{}", user()));
        let environment = environment(None, base.path());
        fs::create_dir(&own).unwrap();
        fs::set_permissions(&own, Permissions::from_mode(0o755)).unwrap();
        let refused = SessionFolder::make(&environment).unwrap_err();
        assert!(refused.to_string().contains("other users can open it"), "{refused}");
        fs::remove_dir(&own).unwrap();
        symlink("/", &own).unwrap();
        let refused = SessionFolder::make(&environment).unwrap_err();
        assert!(refused.to_string().contains("no folder") && refused.help().contains("chmod 700"));
    }
}
