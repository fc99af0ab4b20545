//! `cuff init`: looks around with every plugin, says what it found, lets a person choose, and writes settings.yml.
//!
//! What was seen, what was chosen and the text that comes of it are values of the engine's and the settings'; the questions
//! make nothing but a choice. Where nobody can be asked the usual choice is made, and the same text comes of it.

mod asking;
mod clients;
mod plan;
mod preview;
mod questions;
mod sights;

use std::path::PathBuf;

use console::Style;

use super::arguments::{Existing, Init, Scope};
use super::ui::Ui;
use super::{Failed, exit};
use crate::engine::{Choice, Chosen, Draft, Offer, Predecessor, Surroundings, Survey, WriteError};
use crate::model::{Problem, nearest};
use crate::settings::{self, Entry, NotMerged};
use crate::sys::terminal::Keys;
use asking::{Answer, Asking, Stop};
use plan::{Plan, written};

/// Discovers, reports and writes. It ends with 0 when written or declined, 1 when nothing was discovered, 2 when the file
/// exists and stays as it is, 3 when it cannot be written, 130 when it was left.
pub(super) fn init(ui: &Ui, surroundings: &Surroundings, typed: &Init) -> Result<u8, Failed> {
    let output = typed.output.clone().unwrap_or_else(|| PathBuf::from("settings.yml"));
    let draft = Draft::at(surroundings, &output);
    // A dry run's standard output is settings; in CI a terminal has nobody in front of it.
    let asks = !typed.yes && !typed.dry_run && ui.can_ask() && surroundings.environment.get("CI").is_none();
    let (output, asking) = (output.display().to_string(), Asking::new(ui));
    let session = Session { ui, surroundings, typed, output, draft, asks, asking };
    if !asks && session.draft.exists() && !typed.existing.force && !typed.existing.merge && !typed.dry_run {
        let message = format!("{} exists already", session.output);
        let help = "`--merge` adds what is new to it, `--force` replaces it, `--dry-run` shows what would be written";
        ui.error(message, None, Some(help));
        return Ok(exit::BAD_SETTINGS);
    }
    session.run().or_else(|stop| {
        if matches!(&stop, Stop::Left | Stop::Declined | Stop::Failed(Failed { code: exit::INTERRUPTED, .. }))
        {
            ui.note("Nothing was written");
        }
        match stop {
            Stop::Declined => Ok(exit::SUCCESS),
            // As Ctrl-C, so that `cuff init && next` goes no further.
            Stop::Left => Ok(exit::INTERRUPTED),
            Stop::Failed(failed) => Err(failed),
        }
    })
}

/// One call of the command.
#[derive(Debug)]
struct Session<'a> {
    ui: &'a Ui,
    surroundings: &'a Surroundings,
    typed: &'a Init,
    /// The file as it was typed.
    output: String,
    draft: Draft,
    /// Whether a person is asked.
    asks: bool,
    asking: Asking<'a>,
}

impl Session<'_> {
    fn run(&self) -> Answer<u8> {
        let surveys = self.survey();
        let all = self.draft.offers(self.surroundings, &surveys, None);
        self.check_names(&all)?;
        let found = self.wanted(all);
        self.report(&surveys, &found)?;
        if found.is_empty() {
            let help =
                "run it where a package.json, a Makefile or scripts are, or name another directory with -C";
            self.ui.error("no plugin applies to this directory", None, Some(help));
            return Ok(exit::FAILURE);
        }
        // From here on a key is an answer, and not to be seen before its question is.
        let _keys = if self.asks { Some(Keys::unseen()?) } else { None };
        let Some((plan, offers)) = self.plan(&surveys, found)? else { return Ok(exit::BAD_SETTINGS) };
        if offers.is_empty() {
            self.ui.result(format!("{} has all of this already: nothing was written", self.output))?;
            return Ok(exit::SUCCESS);
        }
        let choice = self.choose(&offers)?;
        if choice.instances.is_empty() {
            return Ok(self.nothing_chosen(&offers));
        }
        self.write(&plan, &offers, &choice)
    }

    /// Asks the plugins, with a sign of life at a terminal.
    fn survey(&self) -> Vec<Survey> {
        let Scope { plugins, exclude, .. } = &self.typed.scope;
        let ids: Vec<&str> = self.surroundings.abouts().iter().map(|about| about.id).collect();
        // A name that is no plugin's may be that of a package, which its plugin must find first.
        let by_plugin = plugins.iter().all(|name| ids.contains(&name.as_str()));
        let named = |id: &str| !by_plugin || plugins.is_empty() || plugins.iter().any(|name| name == id);
        let waiting = self.ui.waiting();
        let wanted = |id: &str| named(id) && !exclude.iter().any(|name| name == id);
        let begins =
            |about: &crate::model::About| waiting.set_message(format!("{}: {}", about.id, about.summary));
        let surveys = self.surroundings.survey(&self.draft, wanted, begins);
        waiting.finish_and_clear();
        surveys
    }

    /// Whether each name that was typed is one of a plugin or a package.
    fn check_names(&self, offers: &[Offer]) -> Result<(), Failed> {
        let Scope { plugins, exclude, .. } = &self.typed.scope;
        let abouts = self.surroundings.abouts();
        let ids = abouts.iter().map(|about| about.id);
        let known: Vec<&str> = ids.chain(offers.iter().map(|offer| offer.name.as_str())).collect();
        if let Some(name) = plugins.iter().chain(exclude).find(|name| !known.contains(&name.as_str())) {
            let help = match nearest(name, known.iter().copied()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => {
                    format!("the plugins are {}", abouts.iter().map(|a| a.id).collect::<Vec<_>>().join(", "))
                }
            };
            return Err(Failed::usage(format!("there is no plugin `{name}`")).help(help));
        }
        Ok(())
    }

    /// Of the offers those that `--plugins`, `--exclude` and `--no-workspaces` leave.
    fn wanted(&self, offers: Vec<Offer>) -> Vec<Offer> {
        let Scope { plugins, exclude, no_workspaces } = &self.typed.scope;
        let kept = |offer: &Offer| {
            (plugins.is_empty() || names(plugins, offer))
                && !names(exclude, offer)
                && !(*no_workspaces && offer.folder.is_some())
        };
        offers.into_iter().filter(kept).collect()
    }

    fn report(&self, surveys: &[Survey], found: &[Offer]) -> Result<(), Failed> {
        self.say("Discovering plugins...")?;
        for survey in surveys {
            let own: Vec<&Offer> = found.iter().filter(|offer| offer.about.id == survey.about.id).collect();
            for line in sights::lines(survey, &own, self.ui.verbose(), self.asks) {
                self.say(&line)?;
            }
        }
        self.say("")
    }

    /// With --dry-run standard output is the settings alone, so that it can be redirected.
    fn say(&self, text: &str) -> Result<(), Failed> {
        if self.typed.dry_run || self.ui.quiet() {
            self.ui.styled_note(text);
            return Ok(());
        }
        let width = self.ui.width().unwrap_or(usize::MAX);
        Ok(self.ui.styled(sights::wrapped(text, width))?)
    }

    /// What is to become of a file that is there, and what is new in that case. `None`: it stays as it is.
    fn plan(&self, surveys: &[Survey], found: Vec<Offer>) -> Answer<Option<(Plan, Vec<Offer>)>> {
        if !self.draft.exists() {
            return Ok(Some((Plan::New, found)));
        }
        let Init { existing: Existing { force, merge }, dry_run, .. } = self.typed;
        if *force || (*dry_run && !merge) {
            return Ok(Some((Plan::Anew, found)));
        }
        let there = self.draft.predecessor(self.surroundings);
        let lacks = |there: &Predecessor| {
            let all = self.draft.offers(self.surroundings, surveys, Some(there));
            self.wanted(there.lacks(self.surroundings, all))
        };
        match there {
            Ok(Some(there)) if *merge => {
                let new = lacks(&there);
                Ok(Some((Plan::Added(there), new)))
            }
            Err(why) if *merge => {
                let usual = Choice::usual(&found, |offer| names(&self.typed.scope.plugins, offer));
                self.not_merged(&why, &usual.entries(&found));
                Ok(None)
            }
            Ok(None) => Ok(Some((Plan::New, found))),
            Ok(Some(there)) => {
                let new = lacks(&there);
                let names = new.iter().map(|offer| offer.name.as_str()).collect::<Vec<_>>().join(", ");
                match (new.is_empty(), self.existing(&names)?) {
                    (false, 0) => Ok(Some((Plan::Added(there), new))),
                    (_, 1) => Ok(Some((Plan::Anew, found))),
                    (_, _) => Err(Stop::Declined),
                }
            }
            Err(why) => {
                self.ui.note(format!("{} cannot be added to: {why}", self.output));
                if self.existing("")? == 1 { Ok(Some((Plan::Anew, found))) } else { Err(Stop::Declined) }
            }
        }
    }

    /// Asks what is to become of the file: 0 adds, 1 replaces.
    fn existing(&self, new: &str) -> Answer<usize> {
        let question = format!("{} exists already", self.output);
        let words = ["replace: write it anew", "cancel: leave it as it is"].map(str::to_owned);
        if new.is_empty() {
            self.ui.note(format!("There is nothing new for {}", self.output));
            return Ok(self.asking.one(&question, &words, 1)? + 1);
        }
        let merge = [format!("merge: add {new}")];
        self.asking.one(&question, &[&merge[..], &words].concat(), 0)
    }

    fn choose(&self, offers: &[Offer]) -> Answer<Choice> {
        let usual = Choice::usual(offers, |offer| names(&self.typed.scope.plugins, offer));
        if self.asks {
            return questions::choose(&self.asking, offers, &usual);
        }
        for offer in offers.iter().filter(|offer| !usual.has(offer)) {
            let name = &offer.name;
            let text = format!("{name} is left out; `--plugins {name}` takes it, or choose it at a terminal");
            self.say(&sights::marked(&Style::new().red().bold(), "SECURITY", &text))?;
        }
        Ok(usual)
    }

    fn nothing_chosen(&self, offers: &[Offer]) -> u8 {
        if self.asks {
            self.ui.note("Nothing was chosen, and nothing was written");
            return exit::SUCCESS;
        }
        let names = offers.iter().map(|offer| offer.name.as_str()).collect::<Vec<_>>().join(",");
        let help = format!("look at what is wrong, or take them all the same: `--plugins {names}`");
        self.ui.error("all that was found is a risk, and nothing was written", None, Some(&help));
        exit::FAILURE
    }

    /// Shows what would be written, and writes it.
    fn write(&self, plan: &Plan, offers: &[Offer], choice: &Choice) -> Answer<u8> {
        let Self { ui, surroundings, draft, output, .. } = self;
        let entries = choice.entries(offers);
        let text = match plan {
            Plan::New | Plan::Anew => draft.compose(surroundings, &entries),
            Plan::Added(there) => there.with(surroundings, &entries).map(|text| (text, Vec::new())),
        };
        let (text, left_out) = match text {
            Ok(text) => text,
            Err(why) => {
                self.not_merged(&why, &entries);
                return Ok(exit::BAD_SETTINGS);
            }
        };
        let choice = &self.fitting(choice, &left_out);
        if self.typed.dry_run {
            // Where the old file ends its lines another way, that is for its own bytes alone.
            ui.result(text.trim_end().replace("\r\n", "\n"))?;
            return Ok(exit::SUCCESS);
        }
        if self.asks {
            preview::show(ui, output, draft.old_text().as_deref(), &text);
            if !self.asking.confirm(&format!("Write {output}?"), true)? {
                return Err(Stop::Declined);
            }
        }
        if let Err(error) = draft.write(&text, plan.replace(), &surroundings.schema()) {
            let is_there = matches!(error, WriteError::Exists(_) | WriteError::Changed(_));
            ui.error(&error, None, Some(error.help()));
            if let WriteError::Schema { .. } = error {
                self.pin(plan, &text);
            }
            return Ok(if is_there { exit::BAD_SETTINGS } else { exit::WRITE_ERROR });
        }
        ui.result(written(plan, output, offers, choice))?;
        self.pin(plan, &text);
        Ok(self.connect())
    }

    /// What was chosen, without those that the file is too small for.
    fn fitting(&self, choice: &Choice, left_out: &[String]) -> Choice {
        if let Some(first) = left_out.first() {
            let (output, many) = (&self.output, left_out.len());
            let what = format!(
                "{output} would be larger than 256 KiB: {many} of the packages are left out, {first} is the first"
            );
            let help = "`--plugins` and `--exclude` say which packages you want";
            self.ui.problem(None, None, &Problem::warning(what).help(help));
        }
        let fits = |chosen: &&Chosen| !left_out.contains(&chosen.name);
        Choice { instances: choice.instances.iter().filter(fits).cloned().collect() }
    }

    /// Lets agents have what was written.
    fn pin(&self, plan: &Plan, text: &str) {
        let why = match self.draft.pin(self.surroundings, text, plan.replace()) {
            Ok(None) => return,
            Ok(Some(why)) => why.to_owned(),
            Err(error) => error.to_string(),
        };
        let what = format!("agents do not have these settings before you approve them: {why}");
        self.ui.problem(
            None,
            None,
            &Problem::warning(what).help("`cuff approve settings` lets them have it"),
        );
    }

    /// Offers the clients that are installed here; whatever becomes of that, the settings are written.
    fn connect(&self) -> u8 {
        if !self.asks || self.typed.output.is_some() {
            return exit::SUCCESS;
        }
        match clients::offer(self.ui, &self.asking, self.surroundings) {
            Ok(()) | Err(Stop::Left | Stop::Declined) => exit::SUCCESS,
            Err(Stop::Failed(failed)) => {
                self.ui.note(format!("{} is written, and no client was changed", self.output));
                failed.print(self.ui, false)
            }
        }
    }

    /// Says why nothing was added, and what to add by hand.
    fn not_merged(&self, why: &NotMerged, entries: &[Entry]) {
        let message = format!("{} stays as it is, nothing was added: {why}", self.output);
        self.ui.error(message, None, Some("write these lines below its `plugins:` by hand:"));
        self.ui.say(settings::to_paste(entries));
    }
}

/// Whether a list of names names an offer, or its plugin.
fn names(list: &[String], offer: &Offer) -> bool {
    list.iter().any(|name| *name == offer.name || name == offer.about.id)
}
