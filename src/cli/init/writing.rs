//! The end of `cuff init`: what was chosen in short, the file, and who gets it.

use std::path::Path;

use console::Style;

use super::plan::{Plan, added, written};
use super::session::InitSession;
use super::{clients, existing, servers, summary};
use crate::cli::install::{self, Site};
use crate::model::{Pick, Problem, shown, visible};
use crate::project::{self, InstanceChoice, Offer, Project};
use crate::settings::{NewInstance, ServerEntry};
use crate::setup::WriteError;
use crate::terminal::{ExtraReply, Stop, StyledLine, TerminalAnswer, Ui, difference, exit, fitted};

/// The lines around a preview: the summary's title, and the question.
const SPARE_LINES: usize = 4;

/// Go through the questions again.
const CHANGE: ExtraReply = ExtraReply { letter: 'c', hint: "c changes answers", word: Some("change") };
/// See the file first.
const SHOW: ExtraReply = ExtraReply { letter: 's', hint: "s shows the file", word: None };

/// Shows what would be written, and writes it; `None` where a person wants to answer anew.
pub(super) fn write(
    session: &InitSession<'_>,
    plan: &Plan,
    offers: &[Offer],
    (choice, is_quick): (&InstanceChoice, bool),
    servers: &[ServerEntry],
) -> TerminalAnswer<Option<u8>> {
    let InitSession { ui, context, draft, output, .. } = session;
    let sites = if is_quick { found_clients(session) } else { Vec::new() };
    let entries = entries(session, plan, offers, choice);
    let text = match plan {
        Plan::New | Plan::Anew => draft.compose(context, &entries),
        Plan::Added(there) => there.with(context, &entries),
    };
    let text = match text.and_then(|text| servers::added(session, text, servers)) {
        Ok(text) => text,
        Err(why) => {
            session.not_merged(&why, &entries);
            return Ok(Some(exit::BAD_SETTINGS));
        }
    };
    if session.typed.dry_run {
        if let Plan::Added(_) = plan {
            ui.note(format!("New in {output}: {}", added(offers, choice)));
        }
        // Where the old file ends its lines another way, that is for its own bytes alone.
        ui.result(text.trim_end().replace("\r\n", "\n"))?;
        return Ok(Some(exit::SUCCESS));
    }
    if session.asks {
        if !agreed(session, plan, offers, choice, servers, &text, (is_quick, &sites))? {
            return Ok(None);
        }
    } else {
        for line in summary::confirmation_lines(offers, choice) {
            session.say(&line)?;
        }
    }
    if let Some(failed) = put(session, plan, &text, servers) {
        return Ok(Some(failed));
    }
    if !choice.instances.is_empty() {
        ui.result(written(plan, output, offers, choice))?;
    }
    note_ports(session, plan);
    servers::afterwards(session, plan, servers);
    pin(session, plan, &text, servers);
    let code = if is_quick {
        existing::connect(session, &sites);
        exit::SUCCESS
    } else {
        connect(session)
    };
    if session.typed.output.is_none() && !matches!(plan, Plan::Added(_)) {
        let tools = offers.iter().filter_map(|offer| {
            let chosen = choice.of(offer)?;
            // Several packages may have a script that the root has not: its name alone means none.
            let is_one = |pick: &Pick| {
                let mut members = offer.suggestion.members.iter();
                !members.any(|member| pick.source.file.starts_with(&format!("{}/", member.folder)))
            };
            let picks = chosen.picks(offer).filter(|(at, _)| !chosen.confirmed.contains(at));
            Some(picks.map(|(_, pick)| pick).filter(move |pick| pick.irreversible.is_none() && is_one(pick)))
        });
        existing::next_steps(session, &tools.flatten().collect::<Vec<_>>());
    }
    Ok(Some(code))
}

/// Names the ports that the project's files name, where runs are contained.
fn note_ports(session: &InitSession<'_>, plan: &Plan) {
    if cfg!(target_os = "linux") && !matches!(plan, Plan::Added(_)) {
        let ports = project::named_ports(session.context.environment.directory());
        if let Some(note) = ports {
            session.ui.note(note);
        }
    }
}

/// The instances to write. A file that is written anew keeps those whose sources are broken now.
fn entries(
    session: &InitSession<'_>,
    plan: &Plan,
    offers: &[Offer],
    choice: &InstanceChoice,
) -> Vec<NewInstance> {
    let mut entries = choice.entries(offers);
    if let Plan::Anew = plan {
        let broken = session.draft.broken(session.context, offers);
        for entry in &broken {
            let name = shown(&entry.name);
            session.ui.note(format!("`{name}` is kept as it was: its source cannot be read now"));
        }
        entries.extend(broken);
    }
    entries
}

/// The clients that one yes connects.
fn found_clients(session: &InitSession<'_>) -> Vec<Site> {
    if session.typed.output.is_some() { Vec::new() } else { install::unconnected(session.context) }
}

/// Writes the text, and keeps what it replaces; comes back with the exit code where that fails.
fn put(session: &InitSession<'_>, plan: &Plan, text: &str, servers: &[ServerEntry]) -> Option<u8> {
    let InitSession { ui, context, draft, output, .. } = session;
    if let Plan::Anew = plan {
        match draft.put_aside(text) {
            Ok(None) => {}
            Ok(Some(aside)) => {
                let name = aside.file_name().unwrap_or_default();
                let aside = Path::new(output).with_file_name(name);
                ui.note(format!("The old file is kept as {}", aside.display()));
            }
            Err(error) => return Some(session.not_written(&error)),
        }
    }
    if let Err(error) = draft.write(text, plan.replace(), &context.schema()) {
        if let WriteError::Schema { .. } = error {
            pin(session, plan, text, servers);
        }
        return Some(session.not_written(&error));
    }
    None
}

/// Shows what was chosen in short, and the file where the window has room for it or a person asks for it. Comes back
/// with whether the person says yes, or wants to answer anew.
fn agreed(
    session: &InitSession<'_>,
    plan: &Plan,
    offers: &[Offer],
    choice: &InstanceChoice,
    servers: &[ServerEntry],
    text: &str,
    (is_quick, sites): (bool, &[Site]),
) -> TerminalAnswer<bool> {
    let InitSession { ui, asking, output, .. } = session;
    let preview = Preview::of(output, session.draft.old_text().as_deref(), text);
    let mut summary = summary::lines(offers, choice);
    summary.extend(servers::line(servers));
    let has_room = preview.fits(summary.len() + SPARE_LINES);
    if has_room {
        preview.show(ui);
    }
    let mut others = Vec::new();
    others.extend((is_quick || asking.has_answers()).then_some(CHANGE));
    others.extend((!has_room).then_some(SHOW));
    loop {
        ui.note(match plan {
            Plan::Added(_) => format!("New in {output}:"),
            Plan::New | Plan::Anew => format!("{output} has:"),
        });
        for line in &summary {
            asking.explain(line);
        }
        let connects =
            if sites.is_empty() { String::new() } else { format!(" and connect {}", clients::named(sites)) };
        let reply = asking.key(&format!("Write {output}{connects}?"), &others)?;
        match reply.and_then(|at| others.get(at)) {
            None => return Ok(true),
            Some(&SHOW) => asking.leaf(preview.lines())?,
            Some(_) => return Ok(false),
        }
    }
}

/// Lets agents have what was written.
fn pin(session: &InitSession<'_>, plan: &Plan, text: &str, servers: &[ServerEntry]) {
    let names: Vec<String> = servers.iter().map(|server| server.name.clone()).collect();
    let why = match session.draft.pin(session.context, text, plan.replace(), &names, "cuff init") {
        Ok(None) => return,
        Ok(Some(why)) => why.to_owned(),
        Err(error) => error.to_string(),
    };
    // Another file than the one that counts here says nothing of it.
    let is_ours = matches!(plan, Plan::Added(_)) && session.typed.output.is_none();
    let open = || Project::open_typed(session.context.clone(), None).ok();
    let project = if is_ours { open() } else { None };
    let what = match project
        .as_ref()
        .map(|project| (project.settings.withheld_settings(), project.settings.agents_have()))
    {
        // Nothing waits: what is new only takes away.
        Some((None, have)) => return have.into_iter().for_each(|have| session.ui.note(have)),
        // The words are those of `cuff list`, for people who read both.
        Some((Some(_), Some(have))) => have.what,
        _ => "agents do not have these settings before you approve them".to_owned(),
    };
    let problem = Problem::warning(format!("{what}: {why}"));
    session.ui.problem(None, None, &problem.help("`cuff approve settings` lets them have it"));
}

/// Offers the clients that are installed here. The settings are written, even if this fails.
fn connect(session: &InitSession<'_>) -> u8 {
    if !session.asks || session.typed.output.is_some() {
        return exit::SUCCESS;
    }
    match clients::offer(session.ui, &session.asking, session.context) {
        Ok(()) | Err(Stop::Declined | Stop::Back) => exit::SUCCESS,
        Err(Stop::Failed(failed)) => {
            session.ui.note(format!("{} is written, and no client was changed", session.output));
            failed.print(session.ui, false)
        }
    }
}

/// The lines to show: of the text, or of its difference from the old one.
#[derive(Debug)]
struct Preview(Vec<StyledLine>);

impl Preview {
    fn of(file: &str, old: Option<&str>, text: &str) -> Self {
        let plain = || Style::new().for_stderr();
        let Some(old) = old else {
            let is_comment = |line: &str| line.trim_start().starts_with('#');
            let style = |line| if is_comment(line) { plain().dim() } else { plain() };
            let line = |line| (style(line), format!("  {}", visible(line)));
            return Self::titled(&format!("{file} will be:"), text.lines().map(line));
        };
        let line = |line: String| {
            let style = match line.get(..1) {
                Some("-") => plain().red(),
                Some("+") => plain().green(),
                Some("@") => plain().dim(),
                _ => plain(),
            };
            (style, format!("  {line}"))
        };
        Self::titled(
            &format!("{file}, as it is and as it will be:"),
            difference(old, text).into_iter().map(line),
        )
    }

    fn titled(title: &str, lines: impl Iterator<Item = StyledLine>) -> Self {
        let plain = |text: &str| (Style::new().for_stderr(), text.to_owned());
        let title = [plain(""), plain(&visible(title)), plain("")];
        Self(title.into_iter().chain(lines).chain([plain("")]).collect())
    }

    /// Whether a window shows all of it and so many lines more.
    fn fits(&self, more: usize) -> bool {
        fitted(&self.0, Ui::error_width()).len() + more < Ui::error_height()
    }

    fn show(&self, ui: &Ui) {
        for line in fitted(&self.0, Ui::error_width()) {
            ui.styled_note(line);
        }
    }

    /// The lines, to leaf through.
    fn lines(&self) -> &[StyledLine] {
        &self.0
    }
}
