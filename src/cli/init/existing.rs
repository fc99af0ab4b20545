//! A settings file that came with the repository: one question lets agents have it and connects the clients found.

use super::clients::{self, named};
use super::session::InitSession;
use super::summary;
use crate::cli::approve::{approvals, settings};
use crate::cli::install::{self, Site};
use crate::model::{Pick, counted};
use crate::project::{self, Unapproved};
use crate::sys::terminal::KeyMode;
use crate::terminal::{ExtraReply, TerminalAnswer, exit};

/// Go on to merge or replace it.
const CHANGE: ExtraReply =
    ExtraReply { letter: 'm', hint: "m merges or replaces it", word: Some("merge or replace") };

/// Offers settings that no person has approved yet, and clients that do not start cuff yet. Comes back with the exit
/// code, or `None` where the file itself is to change or there is nothing of both.
pub(super) fn offer(session: &InitSession<'_>) -> TerminalAnswer<Option<u8>> {
    let InitSession { ui, context, typed, asking, output, .. } = session;
    if !session.asks
        || !session.draft.exists()
        || typed.output.is_some()
        || typed.existing.force
        || typed.existing.merge
    {
        return Ok(None);
    }
    // A run and an agent's shell are nobody's yes.
    let Some(said) = context.said_yes() else { return Ok(None) };
    let found = project::unapproved(context, None).ok().flatten();
    // A change is shown line by line, and programs that say what tools run are asked about first.
    let is_simple = |one: &Unapproved| one.is_first && one.held_probes.is_empty();
    let sites = install::unconnected(context);
    let first_use = found.filter(is_simple);
    if first_use.is_none() && sites.is_empty() {
        return Ok(None);
    }
    // From here on a key is an answer, and not to be seen before its question is.
    let _keys = KeyMode::unseen()?;
    if let Some(unapproved) = &first_use {
        ui.note(format!("{output} came with this project, and nobody has approved it here yet:"));
        for line in settings::in_short(&project::summary(context, unapproved)) {
            asking.explain(&line);
        }
        let lines = counted(unapproved.settings.1.lines().count() as u64, "line");
        asking.explain(&format!("{lines}; `cuff approve settings` shows all of them"));
    }
    let question = match (&first_use, sites.as_slice()) {
        (Some(_), []) => "Let agents use these settings?".to_owned(),
        (Some(_), sites) => format!("Let agents use these settings, and connect {}?", named(sites)),
        (None, sites) => format!("{output} is approved. Connect {}?", named(sites)),
    };
    if asking.key(&question, &[CHANGE])?.is_some() {
        return Ok(None);
    }
    if let Some(unapproved) = &first_use {
        approvals(context)?;
        settings::let_have(ui, context, unapproved, &said)?;
        ui.result(format!("approved: agents have {output} from now on"))?;
    }
    connect(session, &sites);
    next_steps(session, &[]);
    Ok(Some(exit::SUCCESS))
}

/// Connects every client; whatever becomes of one, the others are connected.
pub(super) fn connect(session: &InitSession<'_>, sites: &[Site]) {
    for site in sites {
        clients::connect(session.ui, session.context, site);
    }
}

/// Says what to do next, in at most three lines. `tools` are some that run and do not ask.
pub(super) fn next_steps(session: &InitSession<'_>, tools: &[&Pick]) {
    let InitSession { ui, context, .. } = session;
    ui.note("Next: `cuff list` shows the tools");
    if let Some(tool) = summary::first_to_run(tools).and_then(|pick| shlex::try_quote(&pick.name).ok()) {
        ui.note(format!("      `cuff run {tool}` runs one"));
    }
    if let Some(client) = install::next_client(context) {
        ui.note(format!("      `cuff install --client {client}` offers them to an agent"));
    }
}
