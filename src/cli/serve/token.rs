//! The token that clients over HTTP bring: from a file, from the environment, or made for this server.

use std::io;
use std::path::{Path, PathBuf};

use super::announcer::Announcer;
use crate::cli::Failed;
use crate::cli::arguments::Http;
use crate::http::Token;
use crate::model::Seen;
use crate::sys::private::PrivateFolder;
use crate::sys::{self, Environment};

/// The variable that holds one. No process of a tool inherits it.
pub(super) const VARIABLE: &str = "CUFF_TOKEN";

/// The largest file that holds one, in bytes.
const LARGEST: u64 = 4096;
/// Whether others may read it.
const OTHERS_READ: u32 = 0o044;

/// Which token counts.
pub(super) enum Chosen {
    /// The operator's.
    Given(Token),
    /// One that was made, and is kept in a file.
    Made(Kept),
    /// None is asked for.
    Nothing,
}

impl Chosen {
    pub(super) fn token(&self) -> Option<Token> {
        match self {
            Self::Given(token) | Self::Made(Kept { token, .. }) => Some(token.clone()),
            Self::Nothing => None,
        }
    }
}

/// A token in a file that is removed with this.
pub(super) struct Kept {
    token: Token,
    folder: PrivateFolder,
    name: String,
}

impl Kept {
    pub(super) fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // Where it stays it opens nothing: the server that it was for is gone.
        let _ = self.folder.remove_file(&self.name);
    }
}

/// The token that the operator gave, if he gave one.
pub(super) fn given(
    environment: &Environment,
    typed: &Http,
    announcer: &Announcer<'_>,
) -> Result<Option<Token>, Failed> {
    let (text, place) = match (&typed.token_file, environment.get(VARIABLE)) {
        (Some(path), _) => {
            (read(&environment.directory().join(path), announcer)?, path.display().to_string())
        }
        (None, Some(value)) if !typed.no_token => (value.to_string_lossy().into_owned(), VARIABLE.to_owned()),
        (None, _) => return Ok(None),
    };
    let token = Token::new(text.trim_end_matches(['\n', '\r']));
    token.map(Some).map_err(|error| {
        let failed = Failed::usage(format!("{place}: {error}"));
        failed.help("`head -c 32 /dev/urandom | base64` makes one")
    })
}

fn read(path: &Path, announcer: &Announcer<'_>) -> Result<String, Failed> {
    let why = match sys::look::file(path, LARGEST) {
        Seen::File(file) => {
            if file.mode & OTHERS_READ != 0 {
                let path = path.display();
                announcer.note(&format!("others can read the token in {path}; `chmod 600 {path}` ends that"));
            }
            return Ok(String::from_utf8_lossy(&file.bytes).into_owned());
        }
        Seen::Missing => "there is no such file".to_owned(),
        Seen::Unreadable(why) => why,
    };
    Err(Failed::usage(format!("{}: {why}", path.display()))
        .help("`--token-file` names a file with the token alone"))
}

/// The given token, or one that is made for the server on this port.
pub(super) fn choose(
    environment: &Environment,
    given: Option<Token>,
    port: u16,
    no_token: bool,
) -> Result<Chosen, Failed> {
    match given {
        Some(token) => Ok(Chosen::Given(token)),
        None if no_token => Ok(Chosen::Nothing),
        None => make(environment, port).map(Chosen::Made),
    }
}

fn make(environment: &Environment, port: u16) -> Result<Kept, Failed> {
    let place = place(environment).ok_or_else(|| {
        let failed =
            Failed::usage("none of XDG_RUNTIME_DIR, XDG_STATE_HOME and HOME says where a token can be kept")
                .unable();
        failed.help("give one with `--token-file` or CUFF_TOKEN")
    })?;
    let failed = |error: io::Error| {
        let failed =
            Failed::usage(format!("a token cannot be kept in {}: {error}", place.display())).unable();
        failed.help("give one with `--token-file` or CUFF_TOKEN")
    };
    let bytes = sys::random::secret::<32>().map_err(failed)?;
    let text = blake3::Hash::from_bytes(bytes).to_hex();
    let token = Token::new(&text).map_err(|error| failed(io::Error::other(error)))?;
    let (folder, name) = (PrivateFolder::make(&place).map_err(failed)?, format!("serve-{port}.token"));
    folder.write(&name, format!("{text}\n").as_bytes()).map_err(failed)?;
    Ok(Kept { token, folder, name })
}

/// `$XDG_RUNTIME_DIR/cuff`, which is gone after the last logout; else a folder beside what people decided.
fn place(environment: &Environment) -> Option<PathBuf> {
    let runtime = environment.absolute("XDG_RUNTIME_DIR").map(|folder| folder.join("cuff"));
    runtime.or_else(|| Some(environment.base("XDG_STATE_HOME", ".local/state")?.join("cuff/runtime")))
}
