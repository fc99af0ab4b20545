//! The session that a command means.

use crate::gateway::{SessionFiles, SessionFolder, SessionId, URL_VARIABLE, may_reach};
use crate::project::Context;
use crate::terminal::Failed;

/// The files of the session that was typed, else of that of `TOOLSCRIPT_GATEWAY_URL`, else of the only one. `None` where
/// there is none.
///
/// # Errors
/// When several could be meant, or it is the session of somebody else.
pub(super) fn chosen(context: &Context, session: Option<&str>) -> Result<Option<SessionFiles>, Failed> {
    let environment = &context.environment;
    let folders = SessionFolder::all(environment);
    if let Some(id) = session {
        let id = SessionId::new(id);
        let mut all = folders.iter().map(|folder| folder.session(&id));
        let files = all.find(SessionFiles::has_record).or_else(|| Some(folders.first()?.session(&id)));
        return match files.as_ref().and_then(SessionFiles::record) {
            Some(record) if !may_reach(context, &record) => Err(foreign()),
            _ => Ok(files),
        };
    }
    let mut all = reachable(context);
    if let Some(url) = environment.get(URL_VARIABLE) {
        let url = url.to_string_lossy();
        let url = url.trim_end_matches('/');
        let is_of_url = |files: &&SessionFiles| files.record().is_some_and(|record| record.url == url);
        let found = all.iter().find(is_of_url).cloned();
        let is_foreign = || folders.iter().flat_map(SessionFolder::sessions).any(|files| is_of_url(&&files));
        return if found.is_none() && is_foreign() { Err(foreign()) } else { Ok(found) };
    }
    match all.len() {
        0 | 1 => Ok(all.pop()),
        count => Err(Failed::usage(format!("{count} sessions have a gateway"))
            .help("`--session ID` says which; `toolscript gateway list` shows them")),
    }
}

/// The files of every session that a command here may reach.
pub(super) fn reachable(context: &Context) -> Vec<SessionFiles> {
    let all = SessionFolder::all(&context.environment);
    let all = all.iter().flat_map(SessionFolder::sessions);
    all.filter(|files| files.record().is_none_or(|record| may_reach(context, &record))).collect()
}

/// The refusal of another session's gateway.
fn foreign() -> Failed {
    let help =
        "a session's commands reach its own gateway alone; a person at a terminal may reach and end any";
    Failed::usage("that gateway is another session's").refused().help(help)
}
