//! One call of `cuff init`: what was typed, what is asked, and what is said on the way.

use crate::cli::arguments::{Init, ScopeArguments};
use crate::model::Member;
use crate::project::{Context, Offer};
use crate::settings::{self, NewInstance, NotMerged};
use crate::setup::{SettingsDraft, WriteError};
use crate::terminal::{Asking, Failed, Ui, exit, wrapped};

/// One call of the command.
#[derive(Debug)]
pub(super) struct InitSession<'a> {
    pub(super) ui: &'a Ui,
    pub(super) context: &'a Context,
    pub(super) typed: &'a Init,
    /// The file as it was typed.
    pub(super) output: String,
    pub(super) draft: SettingsDraft,
    /// Whether a person is asked.
    pub(super) asks: bool,
    pub(super) asking: Asking<'a>,
}

impl InitSession<'_> {
    /// Of the offers those that `--plugins`, `--exclude` and `--no-workspaces` leave.
    pub(super) fn wanted(&self, offers: Vec<Offer>) -> Vec<Offer> {
        let ScopeArguments { plugins, exclude, no_workspaces } = &self.typed.scope;
        let kept = |mut offer: Offer| {
            let is_named = |list: &[String], member: &Member| {
                list.iter().any(|name| member.names().any(|own| own == name))
            };
            let names_packages = offer.suggestion.members.iter().any(|member| is_named(plugins, member));
            let is_kept =
                (plugins.is_empty() || names(plugins, &offer) || names_packages) && !names(exclude, &offer);
            if *no_workspaces {
                offer.leave_out(|_| true);
            } else if names_packages {
                offer.take_alone(|member| is_named(plugins, member));
            }
            if offer.suggestion.members.iter().any(|member| is_named(exclude, member)) {
                offer.leave_out(|member| is_named(exclude, member));
            }
            is_kept.then_some(offer)
        };
        offers.into_iter().filter_map(kept).collect()
    }

    /// With --dry-run standard output is the settings alone, so that it can be redirected.
    pub(super) fn say(&self, text: &str) -> Result<(), Failed> {
        // The questions are on standard error, so a person who answers them sees all text there in its order.
        let elsewhere = self.typed.dry_run || self.asks && !self.ui.watched();
        if elsewhere || self.ui.quiet() {
            let width = if self.asks { Ui::error_width() } else { usize::MAX };
            self.ui.styled_note(wrapped(text, width));
            return Ok(());
        }
        let width = self.ui.width().unwrap_or(usize::MAX);
        Ok(self.ui.styled(wrapped(text, width))?)
    }

    pub(super) fn not_written(&self, error: &WriteError) -> u8 {
        let is_there = matches!(error, WriteError::Exists(_) | WriteError::Changed(_));
        self.ui.error(error, None, Some(error.help()));
        if is_there { exit::BAD_SETTINGS } else { exit::WRITE_ERROR }
    }

    /// Says why nothing was added, and what to add by hand.
    pub(super) fn not_merged(&self, why: &NotMerged, entries: &[NewInstance]) {
        let message = format!("{} stays as it is, nothing was added: {why}", self.output);
        if let Some(mend) = why.mend() {
            let help = format!("{mend}; then `cuff init --merge` adds what is new");
            return self.ui.error(message, None, Some(&help));
        }
        self.ui.error(message, None, Some("write these lines below its `plugins:` by hand:"));
        self.ui.to_copy(settings::to_paste(entries));
    }
}

/// Whether a list of names names an offer, or its plugin.
pub(super) fn names(list: &[String], offer: &Offer) -> bool {
    list.iter().any(|name| *name == offer.name || name == offer.about.id)
}
