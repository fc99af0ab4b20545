//! `cuff init`: looks around with every plugin, says what it found, lets a person choose, and writes settings.yml.
//!
//! The survey, the choice and the text made of it are values of the project and the settings; the questions
//! only make a choice. If nobody can be asked, the usual choice is made, and the same text comes of it.

mod clients;
mod existing;
mod plan;
mod questions;
mod servers;
mod session;
mod summary;
mod survey_report;
mod writing;

use std::collections::BTreeSet;

use console::Style;

use super::arguments::{ExistingArguments, Init, ScopeArguments};
use crate::model::{Member, PluginInfo, listed, nearest};
use crate::project::{self, Context, InstanceChoice, Offer, Survey};
use crate::settings;
use crate::setup::SettingsDraft;
use crate::sys::terminal::KeyMode;
use crate::terminal::{Asking, Failed, Stop, TerminalAnswer, Ui, exit};

use plan::{Plan, plan};
use session::{InitSession, names};
use summary::MOST_NAMES;
use writing::write;

/// Discovers, reports and writes. The exit code is 0 when written or declined, 1 when nothing was discovered,
/// 2 when the file exists and stays as it is, 3 when it cannot be written, 130 when Ctrl-C ended it.
pub(super) fn init(ui: &Ui, context: &Context, typed: &Init) -> Result<u8, Failed> {
    let output = typed.output.clone().unwrap_or_else(|| SettingsDraft::usual_file(context));
    let draft = SettingsDraft::at(context, &output);
    // A dry run's standard output is settings; in CI a terminal has nobody in front of it.
    let is_persons = context.agent_marker().is_none() && context.environment.get("CI").is_none();
    let asks = !typed.yes && !typed.dry_run && ui.can_ask() && is_persons;
    let (output, asking) = (output.display().to_string(), Asking::new(ui));
    let session = InitSession { ui, context, typed, output, draft, asks, asking };
    if !typed.here
        && !typed.dry_run
        && let Some(folder) = session.draft.common_folder(context)
    {
        let what = format!("{folder} is no project: its settings would be for this folder alone");
        let help = "go to the folder of a project, or say `cuff init --here`";
        return Err(Failed::usage(what).unable().help(help));
    }
    if session.draft.is_foreign() {
        let what = format!("{} is another program's, and cuff changes nothing in it", session.output);
        let help = if typed.output.is_some() {
            "leave out --output: cuff writes .cuff/settings.yml beside it"
        } else {
            "`--output` names another file, and `--config` has cuff use it"
        };
        return Err(Failed::usage(what).unable().help(help));
    }
    if !asks && session.draft.exists() && !typed.existing.force && !typed.existing.merge && !typed.dry_run {
        let message = format!("{} exists already", session.output);
        let help = "`--merge` adds what is new to it, `--force` replaces it, `--dry-run` shows what would be written";
        ui.error(message, None, Some(help));
        return Ok(exit::BAD_SETTINGS);
    }
    if let Err(error) =
        session.draft.has_folder().or_else(|error| if typed.dry_run { Ok(()) } else { Err(error) })
    {
        return Ok(session.not_written(&error));
    }
    run(&session).or_else(|stop| {
        if matches!(&stop, Stop::Declined | Stop::Failed(Failed { code: exit::INTERRUPTED, .. })) {
            ui.note("Nothing was written");
        }
        match stop {
            Stop::Declined | Stop::Back => Ok(exit::SUCCESS),
            Stop::Failed(failed) => Err(failed),
        }
    })
}

fn run(session: &InitSession<'_>) -> TerminalAnswer<u8> {
    if let Some(above) = above(session)? {
        return Ok(above);
    }
    if let Some(code) = existing::offer(session)? {
        return Ok(code);
    }
    let surveys = survey(session);
    let all = session.draft.offers(&surveys);
    check_names(session, &all)?;
    let found = session.wanted(all);
    report(session, &surveys, &found)?;
    note_foreign(session);
    let servers = servers::find(session)?;
    let has_servers = session.asks && !servers.is_empty();
    if found.is_empty() && !has_servers {
        let also = session.draft.passed_over(session.context);
        let what = std::iter::once(project::NOTHING.to_owned()).chain(also).collect::<Vec<_>>().join("; ");
        session.ui.error(what, None, Some(&session.context.help_for_nothing()));
        return Ok(exit::FAILURE);
    }
    // From here on a key is an answer, and not to be seen before its question is.
    let _keys = if session.asks { Some(KeyMode::unseen()?) } else { None };
    let Some((plan, offers)) = plan(session, &surveys, found)? else { return Ok(exit::BAD_SETTINGS) };
    if offers.is_empty() && !has_servers {
        servers::choose(session, &servers, &offers)?;
        session.ui.result(format!("{} has all of this already: nothing was written", session.output))?;
        return Ok(exit::SUCCESS);
    }
    let mut before = None;
    // The first file of a project takes one yes; whoever wants another choice is asked for each part of it.
    let mut is_quick = session.asks && matches!(plan, Plan::New) && !has_servers;
    loop {
        let (choice, servers) = session.asking.going_back(|| {
            let choice =
                if is_quick { usual(session, &offers) } else { choose(session, &offers, before.as_ref())? };
            Ok((choice, servers::choose(session, &servers, &offers)?))
        })?;
        if choice.instances.is_empty() && servers.is_empty() {
            return Ok(nothing_chosen(session, &offers));
        }
        if let Some(code) = write(session, &plan, &offers, (&choice, is_quick), &servers)? {
            return Ok(code);
        }
        (before, is_quick) = (Some(choice), false);
    }
}

/// Where a folder above has settings, they count here too, and others are written here on purpose alone. Comes back with
/// the exit code where they are not.
fn above(session: &InitSession<'_>) -> TerminalAnswer<Option<u8>> {
    let typed = session.typed;
    if typed.output.is_some() || typed.dry_run || session.draft.exists() {
        return Ok(None);
    }
    let Some(above) = session.draft.above(session.context) else { return Ok(None) };
    let what = format!("{} has the settings that count in this folder", above.display());
    if session.asks {
        let _keys = KeyMode::unseen()?;
        session.asking.explain(&format!("{what}. A file of its own would count here in their place."));
        let goes_on = session.asking.confirm("Write one for this folder all the same?", false)?;
        return if goes_on { Ok(None) } else { Err(Stop::Declined) };
    }
    let folder = settings::root_of(&above).unwrap_or(&above).display();
    let help = format!(
        "`cuff -C {folder} init --merge` adds to them, `cuff init -o settings.yml` writes a file for this folder \
         alone, which counts here in their place"
    );
    session.ui.error(what, None, Some(&help));
    Ok(Some(exit::BAD_SETTINGS))
}

/// Says why the settings go to another place than usual. Once: later the file is there.
fn note_foreign(session: &InitSession<'_>) {
    if session.typed.output.is_none() && !session.draft.exists() && session.output != settings::FILE_NAME {
        let file = settings::FILE_NAME;
        let lacks = "it has neither `version`, `plugins` nor `plugin_settings`";
        session.ui.note(format!("note: {file} is another program's ({lacks}); cuff uses {}", session.output));
    }
}

/// Asks the plugins, with a sign of life at a terminal.
fn survey(session: &InitSession<'_>) -> Vec<Survey> {
    let ScopeArguments { plugins, exclude, .. } = &session.typed.scope;
    let ids: Vec<&str> = session.context.abouts().iter().map(|about| about.id).collect();
    // A name that is no plugin's may be that of a package, which its plugin must find first.
    let by_plugin = plugins.iter().all(|name| ids.contains(&name.as_str()));
    let named = |id: &str| !by_plugin || plugins.is_empty() || plugins.iter().any(|name| name == id);
    let waiting = session.ui.waiting();
    let wanted = |id: &str| named(id) && !exclude.iter().any(|name| name == id);
    let begins = |about: &PluginInfo| waiting.set_message(format!("{}: {}", about.id, about.summary));
    let surveys = project::survey(session.context, session.draft.project(), wanted, begins);
    waiting.finish_and_clear();
    surveys
}

/// Whether each name that was typed is one of a plugin or a package.
fn check_names(session: &InitSession<'_>, offers: &[Offer]) -> Result<(), Failed> {
    let ScopeArguments { plugins, exclude, .. } = &session.typed.scope;
    let abouts = session.context.abouts();
    let ids = abouts.iter().map(|about| about.id);
    let members = || offers.iter().flat_map(|offer| &offer.suggestion.members);
    let folders = offers.iter().map(|offer| offer.name.as_str());
    let known: Vec<&str> = ids.chain(folders).chain(members().flat_map(Member::names)).collect();
    if let Some(name) = plugins.iter().chain(exclude).find(|name| !known.contains(&name.as_str())) {
        let meant = nearest(name, known.iter().copied()).map(|meant| format!("did you mean `{meant}`?"));
        let help = meant.unwrap_or_else(|| {
            let ids: Vec<&str> = abouts.iter().map(|about| about.id).collect();
            let packages: Vec<&str> = members().map(Member::label).collect();
            let also = format!(", the packages {}", listed(&packages, MOST_NAMES));
            let also = if packages.is_empty() { String::new() } else { also };
            format!("the plugins are {}{also}", ids.join(", "))
        });
        return Err(Failed::usage(format!("there is no plugin or package `{name}`")).help(help));
    }
    Ok(())
}

/// The offers that are missing in a file that `init` adds to; `None` if there is no such file.
fn lacking(session: &InitSession<'_>, surveys: &[Survey]) -> Option<Vec<Offer>> {
    let ExistingArguments { force, merge } = session.typed.existing;
    let may_add = merge || session.asks && !force;
    let there = session.draft.predecessor(session.context).ok().flatten().filter(|_| may_add)?;
    let all = session.draft.offers(surveys);
    Some(there.lacks(session.context, all))
}

fn report(session: &InitSession<'_>, surveys: &[Survey], found: &[Offer]) -> Result<(), Failed> {
    session.say("Discovering plugins...")?;
    let new = lacking(session, surveys);
    let is_new = |survey: &Survey| {
        let own = |offer: &Offer| is_of(offer, survey);
        new.as_ref().is_none_or(|new| new.iter().any(own))
    };
    let mut seen = BTreeSet::new();
    for survey in surveys {
        let mut survey = if is_new(survey) { survey.clone() } else { survey.known() };
        if let Some(suggestion) = &mut survey.suggestion {
            // A warning that several plugins share is shown once.
            suggestion.warnings.retain(|warning| seen.insert(warning.clone()));
        }
        let survey = &survey;
        let own: Vec<&Offer> = found.iter().filter(|offer| is_of(offer, survey)).collect();
        for line in survey_report::lines(survey, &own, session.ui.verbose(), session.asks) {
            session.say(&line)?;
        }
    }
    session.say("")
}

/// Whether an offer was made of a survey.
fn is_of(offer: &Offer, survey: &Survey) -> bool {
    offer.about.id == survey.about.id && offer.folder == survey.folder
}

fn usual(session: &InitSession<'_>, offers: &[Offer]) -> InstanceChoice {
    InstanceChoice::usual(offers, |offer| names(&session.typed.scope.plugins, offer))
}

/// Lets a person choose. The choice of `before` is preselected now.
fn choose(
    session: &InitSession<'_>,
    offers: &[Offer],
    before: Option<&InstanceChoice>,
) -> TerminalAnswer<InstanceChoice> {
    let usual = usual(session, offers);
    if session.asks {
        return questions::choose(&session.asking, offers, &usual, before.unwrap_or(&usual));
    }
    for offer in offers {
        let left_out = match usual.of(offer) {
            None => vec![offer.name.as_str()],
            Some(chosen) => chosen.left_out(offer).map(|pick| pick.name.as_str()).collect(),
        };
        for what in left_out {
            let text = format!(
                "{what} is left out; `--plugins {}` takes it, or choose it at a terminal",
                offer.name
            );
            session.say(&survey_report::marked(&Style::new().red().bold(), "SECURITY", &text))?;
        }
    }
    Ok(usual)
}

fn nothing_chosen(session: &InitSession<'_>, offers: &[Offer]) -> u8 {
    if session.asks {
        session.ui.note("Nothing was chosen, and nothing was written");
        return exit::SUCCESS;
    }
    let names = offers.iter().map(|offer| offer.name.as_str()).collect::<Vec<_>>().join(",");
    let help = format!("look at what is wrong, or take them all the same: `--plugins {names}`");
    session.ui.error("all that was found is a risk, and nothing was written", None, Some(&help));
    exit::FAILURE
}
