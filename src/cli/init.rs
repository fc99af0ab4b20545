//! `cuff init`: looks around with every plugin, says what it found, writes settings.yml.

use std::path::{Path, PathBuf};

use console::Term;
use dialoguer::{Confirm, MultiSelect};
use tokio::signal::unix::{SignalKind, signal};

use super::arguments::Init;
use super::ui::Ui;
use super::{Failed, exit, install};
use crate::engine::{Draft, Surroundings, Survey, WriteError};
use crate::model::{Problem, nearest};

/// Discovers, reports and writes. It ends with 0 when written, 1 when nothing was discovered, 2 when the file exists, 3
/// when it cannot be written.
pub(super) fn init(ui: &Ui, surroundings: &Surroundings, typed: &Init) -> Result<u8, Failed> {
    let chosen = chosen(surroundings, typed)?;
    let output = typed.output.clone().unwrap_or_else(|| PathBuf::from("settings.yml"));
    let draft = Draft::at(surroundings, &output);
    if draft.exists() && !typed.force && !typed.dry_run {
        let message = format!("{} exists already", output.display());
        ui.error(message, None, Some("`--force` replaces it, `--dry-run` shows what would be written"));
        return Ok(exit::BAD_SETTINGS);
    }
    // With --dry-run standard output is the settings alone, so that it can be redirected.
    let say = |text: String| {
        if !typed.dry_run && !ui.quiet() {
            return ui.result(text);
        }
        ui.note(text);
        Ok(())
    };
    say("Discovering plugins...".into())?;
    let waiting = ui.waiting();
    let surveys = surroundings.survey(&draft, |id| chosen.contains(&id));
    waiting.finish_and_clear();
    for survey in &surveys {
        for line in lines(survey, ui.verbose()) {
            say(line)?;
        }
    }
    let found = surveys.iter().filter(|survey| survey.suggestion.is_some()).count();
    if found == 0 {
        say(String::new())?;
        ui.error(
            "no plugin applies to this directory",
            None,
            Some("run it where a package.json, a Makefile or scripts are, or name another directory with -C"),
        );
        return Ok(exit::FAILURE);
    }
    let text = draft.compose(&surveys);
    if typed.dry_run {
        ui.result(text.trim_end())?;
        return Ok(exit::SUCCESS);
    }
    say(String::new())?;
    if !typed.yes && ui.can_ask() && !ask(ui, &output)? {
        ui.note("Nothing was written");
        return Ok(exit::SUCCESS);
    }
    match draft.write(&text, typed.force, &surroundings.schema()) {
        Ok(()) => {
            let plural = if found == 1 { "plugin" } else { "plugins" };
            ui.result(format!("Generated {} with {found} {plural}", output.display()))?;
            pin(ui, surroundings, &draft, &text);
            offer(ui, surroundings, typed)?;
            Ok(exit::SUCCESS)
        }
        Err(error) => {
            let code =
                if matches!(error, WriteError::Exists(_)) { exit::BAD_SETTINGS } else { exit::WRITE_ERROR };
            ui.error(&error, None, Some("nothing was changed; `-o PATH` writes elsewhere"));
            Ok(code)
        }
    }
}

/// Lets agents have what was written.
fn pin(ui: &Ui, surroundings: &Surroundings, draft: &Draft, text: &str) {
    if let Err(error) = draft.pin(surroundings, text) {
        let what = format!("agents do not have these settings before you approve them: {error}");
        ui.problem(None, None, &Problem::warning(what).help("`cuff approve settings` lets them have it"));
    }
}

/// Offers to write cuff into the clients that are installed here and do not have it yet.
fn offer(ui: &Ui, surroundings: &Surroundings, typed: &Init) -> Result<(), Failed> {
    if typed.yes || typed.output.is_some() || !ui.can_ask() {
        return Ok(());
    }
    let sites = install::unconnected(surroundings);
    if sites.is_empty() {
        return Ok(());
    }
    let names: Vec<String> =
        sites.iter().map(|site| format!("{} ({})", site.client.name, site.file.display())).collect();
    let question = "Connect a client? (space chooses, enter goes on)";
    let chosen = answered(ui, || MultiSelect::new().with_prompt(question).items(&names).interact_opt())?;
    for at in chosen.unwrap_or_default() {
        if let Some(site) = sites.get(at) {
            match site.add(surroundings, None, false) {
                Ok(said) => ui.result(said)?,
                // The settings are written all the same.
                Err(failed) => _ = failed.print(ui, false),
            }
        }
    }
    Ok(())
}

fn ask(ui: &Ui, output: &Path) -> Result<bool, Failed> {
    let question = format!("Write {}?", output.display());
    let answer = answered(ui, || Confirm::new().with_prompt(question).default(true).interact_opt())?;
    Ok(answer.unwrap_or(false))
}

/// The answer to a question; `None` where a person gave none.
pub(super) fn answered<Answer>(
    ui: &Ui,
    question: impl FnOnce() -> dialoguer::Result<Option<Answer>>,
) -> Result<Option<Answer>, Failed> {
    // While this stands Ctrl-C ends the question and not cuff, which must show the cursor again first.
    let runtime = super::runtime()?;
    let _entered = runtime.enter();
    let _handled = signal(SignalKind::interrupt())?;
    question().map_err(|dialoguer::Error::IO(error)| {
        let _ = Term::stderr().show_cursor();
        ui.say("");
        error.into()
    })
}

/// What a plugin found, a line each, its warnings indented below it.
fn lines(survey: &Survey, verbose: bool) -> Vec<String> {
    let id = survey.about.id;
    let mut lines = Vec::new();
    if let Some(suggestion) = &survey.suggestion {
        lines.push(format!("  [+] {id}: {}", suggestion.description));
        lines.extend(suggestion.warnings.iter().map(|warning| format!("      Warning: {warning}")));
        if verbose {
            lines.extend(suggestion.items.iter().map(|item| format!("      {id}.{item}")));
        }
    }
    for problem in &survey.problems {
        lines.push(format!("  [!] {id}: {problem}"));
        lines.extend(problem.help.iter().map(|help| format!("      {help}")));
    }
    if lines.is_empty() && verbose {
        lines.push(format!("  [-] {id}: does not apply"));
    }
    lines
}

/// The ids that `--plugins` and `--exclude` leave.
fn chosen(surroundings: &Surroundings, typed: &Init) -> Result<Vec<&'static str>, Failed> {
    let known: Vec<&'static str> = surroundings.abouts().iter().map(|about| about.id).collect();
    for name in typed.plugins.iter().chain(&typed.exclude) {
        if !known.contains(&name.as_str()) {
            let help = match nearest(name, known.iter().copied()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("the plugins are {}", known.join(", ")),
            };
            return Err(Failed::usage(format!("there is no plugin `{name}`")).help(help));
        }
    }
    let wanted = |id: &&str| typed.plugins.is_empty() || typed.plugins.iter().any(|name| name == id);
    let excluded = |id: &&str| typed.exclude.iter().any(|name| name == id);
    Ok(known.into_iter().filter(|id| wanted(id) && !excluded(id)).collect())
}
