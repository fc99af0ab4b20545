//! The end of `cuff init`: what was chosen in short, the file, and who gets it.

use std::path::Path;

use super::plan::{Plan, added, written};
use super::preview::Preview;
use super::session::Session;
use super::{clients, servers, summary};
use crate::model::Problem;
use crate::project::Project;
use crate::settings::{self, ServerEntry};
use crate::setup::{Choice, Chosen, Offer, WriteError};
use crate::terminal::{Answer, Reply, Stop, exit};

/// What stands around a preview: the summary's title, and the question.
const SPARE_LINES: usize = 4;

/// Go through the questions again.
const CHANGE: Reply = Reply { letter: 'c', told: "c changes answers", word: Some("change") };
/// See the file first.
const SHOW: Reply = Reply { letter: 's', told: "s shows the file", word: None };

/// Shows what would be written, and writes it; `None` where a person wants to answer anew.
pub(super) fn write(
    session: &Session<'_>,
    plan: &Plan,
    offers: &[Offer],
    choice: &Choice,
    servers: &[ServerEntry],
) -> Answer<Option<u8>> {
    let Session { ui, surroundings, draft, output, .. } = session;
    let entries = choice.entries(offers);
    let text = match plan {
        Plan::New | Plan::Anew => draft.compose(surroundings, &entries),
        Plan::Added(there) => there.with(surroundings, &entries).map(|text| (text, Vec::new())),
    };
    let text = text.and_then(|(text, left_out)| Ok((servers::added(session, text, servers)?, left_out)));
    let (text, left_out) = match text {
        Ok(text) => text,
        Err(why) => {
            session.not_merged(&why, &entries);
            return Ok(Some(exit::BAD_SETTINGS));
        }
    };
    let choice = &fitting(session, choice, &left_out);
    if session.typed.dry_run {
        if let Plan::Added(_) = plan {
            ui.note(format!("New in {output}: {}", added(offers, choice)));
        }
        // Where the old file ends its lines another way, that is for its own bytes alone.
        ui.result(text.trim_end().replace("\r\n", "\n"))?;
        return Ok(Some(exit::SUCCESS));
    }
    if session.asks {
        if !agreed(session, plan, offers, choice, servers, &text)? {
            return Ok(None);
        }
    } else {
        for line in summary::told(offers, choice) {
            session.say(&line)?;
        }
    }
    if let Some(failed) = put(session, plan, &text, servers)? {
        return Ok(Some(failed));
    }
    if !choice.instances.is_empty() {
        ui.result(written(plan, output, offers, choice))?;
    }
    servers::afterwards(session, plan, servers);
    pin(session, plan, &text, servers);
    Ok(Some(connect(session)))
}

/// Writes the text, and keeps what it replaces; comes back with the exit code where that fails.
fn put(session: &Session<'_>, plan: &Plan, text: &str, servers: &[ServerEntry]) -> Answer<Option<u8>> {
    let Session { ui, surroundings, draft, output, .. } = session;
    if let Plan::Anew = plan {
        match draft.put_aside(text) {
            Ok(None) => {}
            Ok(Some(aside)) => {
                let name = aside.file_name().unwrap_or_default();
                let aside = Path::new(output).with_file_name(name);
                ui.note(format!("What was there before is in {}", aside.display()));
            }
            Err(error) => return Ok(Some(session.not_written(&error))),
        }
    }
    let schema = draft.lacks_schema();
    if let Err(error) = draft.write(text, plan.replace(), &surroundings.schema()) {
        if let WriteError::Schema { .. } = error {
            pin(session, plan, text, servers);
        }
        return Ok(Some(session.not_written(&error)));
    }
    if schema {
        let schema = Path::new(output).with_file_name(settings::SCHEMA_FILE);
        session.say(&format!("Wrote {}, by which editors know the keys", schema.display()))?;
    }
    Ok(None)
}

/// Shows what was chosen in short, and the file where the window has room for it or a person asks for it. Comes back
/// with whether the person says yes, or wants to answer anew.
fn agreed(
    session: &Session<'_>,
    plan: &Plan,
    offers: &[Offer],
    choice: &Choice,
    servers: &[ServerEntry],
    text: &str,
) -> Answer<bool> {
    let Session { ui, asking, output, .. } = session;
    let preview = Preview::of(output, session.draft.old_text().as_deref(), text);
    let mut summary = summary::lines(offers, choice);
    summary.extend(servers::line(servers));
    let has_room = preview.fits(summary.len() + SPARE_LINES);
    if has_room {
        preview.show(ui);
    }
    let mut others = Vec::new();
    others.extend(asking.has_answers().then_some(CHANGE));
    others.extend((!has_room).then_some(SHOW));
    loop {
        ui.note(match plan {
            Plan::Added(_) => format!("New in {output}:"),
            Plan::New | Plan::Anew => format!("{output} has:"),
        });
        for line in &summary {
            asking.explain(line);
        }
        let reply = asking.key(&format!("Write {output}?"), &others)?;
        match reply.and_then(|at| others.get(at)) {
            None => return Ok(true),
            Some(&SHOW) => asking.leaf(preview.lines())?,
            Some(_) => return Ok(false),
        }
    }
}

/// What was chosen, without those that the file is too small for.
fn fitting(session: &Session<'_>, choice: &Choice, left_out: &[String]) -> Choice {
    if let Some(first) = left_out.first() {
        let (output, many) = (&session.output, left_out.len());
        let what = format!(
            "{output} would be larger than 256 KiB: {many} of the packages are left out, {first} is the first"
        );
        let help = "`--plugins` and `--exclude` say which packages you want";
        session.ui.problem(None, None, &Problem::warning(what).help(help));
    }
    let fits = |chosen: &&Chosen| !left_out.contains(&chosen.name);
    Choice { instances: choice.instances.iter().filter(fits).cloned().collect() }
}

/// Lets agents have what was written.
fn pin(session: &Session<'_>, plan: &Plan, text: &str, servers: &[ServerEntry]) {
    let names: Vec<String> = servers.iter().map(|server| server.name.clone()).collect();
    let why = match session.draft.pin(session.surroundings, text, plan.replace(), &names, "cuff init") {
        Ok(None) => return,
        Ok(Some(why)) => why.to_owned(),
        Err(error) => error.to_string(),
    };
    // Only what has a pin is looked at: another file would be pinned by that, as at its first use.
    let is_pinned = matches!(plan, Plan::Added(_)) && session.typed.output.is_none();
    let open = || Project::open_typed(session.surroundings.clone(), None).ok();
    let engine = if is_pinned { open() } else { None };
    let what = match engine.as_ref().map(|engine| (engine.withheld_settings(), engine.agents_have())) {
        // Nothing waits: what is new only takes away.
        Some((None, have)) => return have.into_iter().for_each(|have| session.ui.note(have)),
        // In the words of `cuff list`, whoever reads both.
        Some((Some(_), Some(have))) => have.what,
        _ => "agents do not have these settings before you approve them".to_owned(),
    };
    let problem = Problem::warning(format!("{what}: {why}"));
    session.ui.problem(None, None, &problem.help("`cuff approve settings` lets them have it"));
}

/// Offers the clients that are installed here; whatever becomes of that, the settings are written.
fn connect(session: &Session<'_>) -> u8 {
    if !session.asks || session.typed.output.is_some() {
        return exit::SUCCESS;
    }
    match clients::offer(session.ui, &session.asking, session.surroundings) {
        Ok(()) | Err(Stop::Declined) => exit::SUCCESS,
        Err(Stop::Failed(failed)) => {
            session.ui.note(format!("{} is written, and no client was changed", session.output));
            failed.print(session.ui, false)
        }
    }
}
