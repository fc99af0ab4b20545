//! Logins on disk: a file (0600) for each server's name and address, below the user's state folder (0700).
//!
//! A file is replaced as a whole. Two processes that renew the same login would each use up the refresh token
//! of the other, so a writer holds the file's lock.

use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep};

use super::challenge::Challenge;
use super::client::OAuthClient;
use super::secret::Secret;
use crate::sys::Environment;
use crate::sys::private::{Lock, PrivateFolder};

/// The version of the file's shape.
const FORMAT: u32 = 1;
/// The largest file that is read, in bytes.
const LARGEST: u64 = 256 * 1024;
/// How long another process may hold a lock: it waits for an authorization server.
const PATIENCE: Duration = Duration::from_secs(45);
/// How often a lock that is held is tried.
const BETWEEN_TRIES: Duration = Duration::from_millis(50);

/// The logins of this user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logins {
    folder: PathBuf,
}

/// The place of one server's login.
#[derive(Debug, Clone)]
pub(super) struct LoginPlace {
    folder: PathBuf,
    name: String,
    server: String,
    url: String,
}

/// A login that nobody else changes meanwhile.
#[derive(Debug)]
pub(super) struct Locked<'a> {
    place: &'a LoginPlace,
    folder: PrivateFolder,
    _lock: Lock,
}

/// The file about one server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct LoginFile {
    /// The client that was used last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) client: Option<OAuthClient>,
    /// The login.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) login: Option<Login>,
    /// The server's challenge since the last login.
    pub(super) challenge: Challenge,
    /// Whether the server refused the last request for want of a login.
    pub(super) is_refused: bool,
}

/// A login at the authorization server of one resource.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Login {
    /// The authorization server.
    pub(super) issuer: String,
    /// The resource that the tokens are for.
    pub(super) resource: String,
    /// The address for tokens.
    pub(super) token_endpoint: String,
    /// The address for the revocation of tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) revocation_endpoint: Option<String>,
    /// The scopes that were asked for, or granted where the authorization server says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) scope: Option<String>,
    pub(super) access_token: Secret,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) refresh_token: Option<Secret>,
    /// When the access token should be renewed, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) expires: Option<u64>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredLogin {
    format: u32,
    server: String,
    url: String,
    #[serde(flatten)]
    kept: LoginFile,
}

impl Logins {
    /// The logins of this user: in `$XDG_STATE_HOME/cuff/logins`, else `~/.local/state/cuff/logins`; `None` where
    /// neither is known.
    pub fn of(environment: &Environment) -> Option<Self> {
        let base = environment.base("XDG_STATE_HOME", ".local/state")?;
        Some(Self { folder: base.join("cuff").join("logins") })
    }

    /// The place of the login at a server of this name and address. Another address is another server.
    pub(super) fn place(&self, server: &str, url: &str) -> LoginPlace {
        let name = blake3::hash(format!("{server}\n{url}").as_bytes()).to_hex().to_string();
        LoginPlace { folder: self.folder.clone(), name, server: server.to_owned(), url: url.to_owned() }
    }

    /// The places of all logins at servers of this name.
    pub(super) fn named(&self, server: &str) -> Vec<LoginPlace> {
        let Ok(folder) = PrivateFolder::open(&self.folder) else { return Vec::new() };
        let names = folder.names().unwrap_or_default();
        // A lock is empty, and so no login.
        let files = names.iter().filter_map(|name| read(&folder, name).ok().flatten());
        files.filter(|file| file.server == server).map(|file| self.place(&file.server, &file.url)).collect()
    }
}

impl LoginPlace {
    /// The address of the server.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Reads the file; empty if it cannot be read.
    pub(super) fn read(&self) -> LoginFile {
        let folder = PrivateFolder::open(&self.folder);
        folder.and_then(|folder| self.read_in(&folder)).unwrap_or_default()
    }

    /// Holds what is kept until it is changed.
    ///
    /// # Errors
    /// When it cannot be written, or another process holds it for too long.
    pub(super) async fn lock(&self) -> Result<Locked<'_>, String> {
        let failed = |error: io::Error| self.failed(&error);
        let folder = PrivateFolder::make(&self.folder).map_err(failed)?;
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(lock) = folder.try_lock(&format!("{}.lock", self.name)).map_err(failed)? {
                return Ok(Locked { place: self, folder, _lock: lock });
            }
            if Instant::now() >= until {
                return Err("another cuff renews its login, and does not end".to_owned());
            }
            sleep(BETWEEN_TRIES).await;
        }
    }

    fn read_in(&self, folder: &PrivateFolder) -> io::Result<LoginFile> {
        let file = read(folder, &self.file())?;
        let file = file.filter(|file| file.server == self.server && file.url == self.url);
        Ok(file.map_or_else(LoginFile::default, |file| file.kept))
    }

    fn file(&self) -> String {
        format!("{}.json", self.name)
    }

    fn failed(&self, error: &io::Error) -> String {
        format!("logins cannot be kept in {}: {error}", self.folder.display())
    }
}

impl Locked<'_> {
    /// Reads the file as it is now.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn read(&self) -> Result<LoginFile, String> {
        self.place.read_in(&self.folder).map_err(|error| self.place.failed(&error))
    }

    /// Keeps this in the place of what was there.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn write(&self, kept: &LoginFile) -> Result<(), String> {
        let LoginPlace { server, url, .. } = self.place;
        let file =
            StoredLogin { format: FORMAT, server: server.clone(), url: url.clone(), kept: kept.clone() };
        let written = serde_json::to_vec_pretty(&file).map_err(io::Error::other);
        let written = written.and_then(|bytes| self.folder.write_durably(&self.place.file(), &bytes));
        written.map_err(|error| self.place.failed(&error))
    }

    /// Removes all that is kept.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub(super) fn remove(&self) -> Result<(), String> {
        match self.folder.remove_file(&self.place.file()) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(self.place.failed(&error)),
            _ => Ok(()),
        }
    }
}

impl Login {
    /// Whether the access token should be renewed before it is sent.
    pub(super) fn is_due(&self, now: u64) -> bool {
        self.expires.is_some_and(|expires| expires <= now)
    }
}

/// The time to renew a token of this lifetime, in seconds: a little before it ends.
pub(super) fn due(now: u64, lifetime: Option<u64>) -> Option<u64> {
    let lifetime = lifetime?.min(u64::from(u32::MAX));
    Some(now + 1000 * lifetime - 1000 * (lifetime / 10).min(30))
}

/// A file; `None` where there is none, or one that cuff did not write.
fn read(folder: &PrivateFolder, name: &str) -> io::Result<Option<StoredLogin>> {
    let bytes = match folder.read(name, LARGEST) {
        Ok(bytes) => bytes,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::InvalidInput) => {
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    match serde_json::from_slice::<StoredLogin>(&bytes) {
        Ok(file) if file.format > FORMAT => Err(io::Error::other("a newer cuff wrote it")),
        Ok(file) => Ok(Some(file)),
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests look at the files")]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn login(token: &str) -> Login {
        Login {
            issuer: "https://a".to_owned(),
            resource: "https://s/mcp".to_owned(),
            token_endpoint: "https://a/token".to_owned(),
            revocation_endpoint: None,
            scope: None,
            access_token: Secret::new(token),
            refresh_token: Some(Secret::new("rt")),
            expires: Some(5),
        }
    }

    #[tokio::test]
    async fn a_login_is_of_one_name_and_address_and_of_this_user_alone() {
        let base = tempfile::tempdir().unwrap();
        let logins = Logins { folder: base.path().join("cuff/logins") };
        let place = logins.place("docs", "https://s/mcp");
        assert_eq!(place.read(), LoginFile::default());
        let kept = LoginFile { login: Some(login("hush-hush")), ..LoginFile::default() };
        {
            let locked = place.lock().await.unwrap();
            locked.write(&kept).unwrap();
            assert_eq!(locked.read().unwrap(), kept);
        }
        assert_eq!(place.read(), kept);
        for (server, url) in
            [("docs", "https://s/mcp2"), ("wiki", "https://s/mcp"), ("docs", "https://s/mcp/")]
        {
            assert_eq!(logins.place(server, url).read(), LoginFile::default(), "{server} {url}");
        }
        assert_eq!(logins.named("docs").iter().map(LoginPlace::url).collect::<Vec<_>>(), ["https://s/mcp"]);
        assert!(logins.named("wiki").is_empty());
        let mode = |path: &str| fs::metadata(base.path().join(path)).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode("cuff/logins"), mode(&format!("cuff/logins/{}.json", place.name))), (0o700, 0o600));
        assert!(!format!("{kept:?}").contains("hush"), "{kept:?}");

        // A file that was given the name of another login.
        let other = logins.place("docs", "https://evil/mcp");
        let file = |place: &LoginPlace| logins.folder.join(place.file());
        fs::copy(file(&place), file(&other)).unwrap();
        assert_eq!(other.read(), LoginFile::default());
        fs::write(file(&place), "{\"format\": 9, \"server\": \"docs\", \"url\": \"https://s/mcp\"}").unwrap();
        assert_eq!(place.read(), LoginFile::default());
        let locked = place.lock().await.unwrap();
        assert!(locked.read().unwrap_err().ends_with("a newer cuff wrote it"));
        locked.remove().unwrap();
        locked.remove().unwrap();
        assert!(!file(&place).exists());
        drop(locked);
        fs::set_permissions(&logins.folder, fs::Permissions::from_mode(0o777)).unwrap();
        assert!(place.lock().await.unwrap_err().starts_with("logins cannot be kept in "));
    }

    #[test]
    fn a_token_is_renewed_a_little_before_it_ends() {
        for (lifetime, expected) in [(3600, 3_570_000), (100, 90_000), (2, 2_000), (0, 0)] {
            assert_eq!(due(7, Some(lifetime)), Some(7 + expected));
        }
        assert_eq!(due(7, None), None);
        assert!(login("").is_due(5) && !login("").is_due(4));
    }
}
