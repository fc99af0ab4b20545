//! The session that a command means.

use crate::gateway::{SessionFiles, SessionFolder, SessionId, URL_VARIABLE};
use crate::sys::Environment;
use crate::terminal::Failed;

/// The files of the session that was typed, else of that of `TOOLSCRIPT_GATEWAY_URL`, else of the only one. `None` where
/// there is none.
///
/// # Errors
/// When several could be meant.
pub(super) fn chosen(
    environment: &Environment,
    session: Option<&str>,
) -> Result<Option<SessionFiles>, Failed> {
    let folders = SessionFolder::all(environment);
    if let Some(id) = session {
        let id = SessionId::new(id);
        let mut all = folders.iter().map(|folder| folder.session(&id));
        return Ok(all.find(SessionFiles::has_record).or_else(|| {
            let first = folders.first()?;
            Some(first.session(&id))
        }));
    }
    let mut all: Vec<SessionFiles> = folders.iter().flat_map(SessionFolder::sessions).collect();
    if let Some(url) = environment.get(URL_VARIABLE) {
        let url = url.to_string_lossy();
        let url = url.trim_end_matches('/');
        let of_url = |files: &&SessionFiles| files.record().is_some_and(|record| record.url == url);
        return Ok(all.iter().find(of_url).cloned());
    }
    match all.len() {
        0 | 1 => Ok(all.pop()),
        count => Err(Failed::usage(format!("{count} sessions have a gateway"))
            .help("`--session ID` says which; `toolscript gateway list` shows them")),
    }
}
