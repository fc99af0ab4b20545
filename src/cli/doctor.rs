//! `cuff doctor`: what is in the way, a line each, and what to do about it.

use std::path::Path;

use console::Style;
use serde_json::{Value, json};

use super::arguments::Doctor;
use super::install::{self, Site};
use super::ui::Ui;
use super::wrap::hanging;
use super::{Failed, exit};
use crate::engine::{Check, Engine, Grade, Repair, Surroundings, refused};
use crate::hosts::{CLIENTS, Named, Scope, Servers};
use crate::model::{Caller, visible};
use crate::sys::{files, programs, terminal};

/// Something that was found, and what can be done about it.
#[derive(Debug)]
struct Finding {
    check: Check,
    /// An entry of a client that can be taken out, by its name.
    stale: Option<(Site, String)>,
    /// What was done about it.
    mended: Option<String>,
}

/// Looks, mends where that is wanted, and says so. It ends with 1 when something does not work.
pub(super) fn doctor(
    ui: &Ui,
    surroundings: &Surroundings,
    config: Option<&Path>,
    typed: &Doctor,
) -> Result<u8, Failed> {
    let mut findings: Vec<Finding> = project(ui, surroundings, config)?
        .into_iter()
        .chain(surroundings.kept_checks())
        .map(|check| Finding { check, stale: None, mended: None })
        .collect();
    findings.extend(clients(surroundings));
    if typed.fix {
        for finding in &mut findings {
            finding.mended = mend(surroundings, finding);
        }
    }
    let left =
        |grade| findings.iter().filter(|found| found.mended.is_none() && found.check.grade == grade).count();
    let (failed, warned) = (left(Grade::Fail), left(Grade::Warn));
    if typed.json {
        let checks: Vec<Value> = findings.iter().map(shape).collect();
        ui.json(&json!({ "checks": checks, "failed": failed, "warned": warned }))?;
    } else {
        for finding in &findings {
            ui.styled(lines(finding, ui.width()))?;
        }
        let can = findings
            .iter()
            .any(|found| found.mended.is_none() && (found.check.repair.is_some() || found.stale.is_some()));
        let hint = if can && !typed.fix { "; `cuff doctor --fix` mends some of it" } else { "" };
        let count = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        ui.note(format!("{}, {}{hint}", count(failed, "failure"), count(warned, "warning")));
    }
    Ok(if failed == 0 { exit::SUCCESS } else { exit::FAILURE })
}

fn project(ui: &Ui, surroundings: &Surroundings, config: Option<&Path>) -> Result<Vec<Check>, Failed> {
    let engine = match Engine::open(surroundings.clone(), config, Caller::Human) {
        Ok(engine) => engine,
        Err(error) => return Ok(vec![refused(&error)]),
    };
    let registry = super::wait_for(ui, engine.list())?;
    let mut checks = engine.checks(&registry);
    if engine.fit_for_serving().is_ok() {
        checks.extend(engine.approval_checks(&registry));
    }
    Ok(checks)
}

/// The entries of clients that start cuff, and files of clients that cannot be read.
fn clients(surroundings: &Surroundings) -> Vec<Finding> {
    let root = install::root(surroundings);
    let mut findings = Vec::new();
    for client in CLIENTS {
        for scope in [Scope::Project, Scope::User] {
            let site = || Site::at(&surroundings.environment, &root, client, scope);
            let Some(text) = site().and_then(|site| site.text().ok().flatten()) else { continue };
            let Some(file) = site().map(|site| site.file.display().to_string()) else { continue };
            let ours = match (Servers { client, text: Some(&text) }).ours() {
                Ok(ours) => ours,
                Err(obstacle) => {
                    let what = format!("{} may not understand {file}: {obstacle}", client.name);
                    let check = Check::warn(what, "mend it there");
                    findings.push(Finding { check, stale: None, mended: None });
                    continue;
                }
            };
            for (name, named) in ours {
                let (check, is_stale) = entry(surroundings, &format!("{} ({file})", client.name), &named);
                let stale = if is_stale { site().map(|site| (site, name)) } else { None };
                findings.push(Finding { check, stale, mended: None });
            }
        }
    }
    findings
}

/// How one entry is, and whether it is of no use to anybody.
fn entry(surroundings: &Surroundings, whose: &str, named: &Named) -> (Check, bool) {
    let Named::Ours { project, command } = named else { return (Check::pass(whose), false) };
    let gone = project.as_deref().map(Path::new).filter(|path| path.is_absolute());
    if let Some(gone) = gone.filter(|path| !programs::is_directory(path)) {
        let what = format!("{whose} starts cuff for {}, which is gone", gone.display());
        return (Check::warn(what, "`cuff doctor --fix` takes the entry out"), true);
    }
    let command = command.as_deref().unwrap_or("cuff");
    let environment = &surroundings.environment;
    let path = programs::inherited_search_path(environment);
    let Some(found) = programs::find(command, path, environment.directory()) else {
        let what = format!("{whose} starts {command}, which is not there");
        return (
            Check::fail(
                what,
                "put cuff on the PATH of whatever starts the client; the user's file (`--user`) names its whole path",
            ),
            false,
        );
    };
    let own = install::binary(surroundings);
    if files::canonical(&found) != files::canonical(&own) {
        let what = format!("{whose} starts another cuff: {}", found.display());
        return (Check::warn(what, format!("this one is {}; keep one of them", own.display())), false);
    }
    (Check::pass(format!("{whose} starts this cuff")), false)
}

/// What was done about a finding; `None` where nothing was.
fn mend(surroundings: &Surroundings, finding: &Finding) -> Option<String> {
    if let Some((site, name)) = &finding.stale {
        let question = format!("Take the entry `{name}` out of {}?", site.file.display());
        terminal::ask(&visible(&question)).ok().flatten()?;
        return site.remove(surroundings, Some(name), true, false).ok();
    }
    match finding.check.repair.as_ref()? {
        Repair::Close(file) => {
            files::close_to_others(file).ok()?;
            Some(format!("others can no longer write {}", file.display()))
        }
        Repair::Prune => {
            let swept = surroundings.runs()?.prune(surroundings.limits());
            let count = swept.removed.len();
            (count > 0 && swept.failed.is_empty()).then(|| format!("{count} runs were removed"))
        }
    }
}

/// One finding; strangers' words in it are made visible before colours are put on.
fn lines(finding: &Finding, width: Option<usize>) -> String {
    /// Where what is said begins.
    const BELOW: usize = 6;
    let within = |line: &str| hanging(line, width.unwrap_or(usize::MAX), BELOW);

    let Check { grade, what, remedy, .. } = &finding.check;
    let (word, style) = match (&finding.mended, grade) {
        (Some(_), _) => ("FIXED", Style::new().cyan()),
        (None, Grade::Pass) => ("PASS", Style::new().green()),
        (None, Grade::Warn) => ("WARN", Style::new().yellow()),
        (None, Grade::Fail) => ("FAIL", Style::new().red().bold()),
    };
    let mut text = within(&format!("{} {}", style.apply_to(format!("{word:5}")), visible(what)));
    if let Some(next) = finding.mended.as_ref().or(remedy.as_ref()) {
        text.push('\n');
        text.push_str(&within(&format!("{:BELOW$}{}", "", visible(next))));
    }
    text
}

fn shape(finding: &Finding) -> Value {
    let Check { grade, what, remedy, .. } = &finding.check;
    let grade = match grade {
        Grade::Pass => "pass",
        Grade::Warn => "warn",
        Grade::Fail => "fail",
    };
    let mut shape = json!({ "grade": grade, "what": what });
    for (key, value) in [("remedy", remedy), ("mended", &finding.mended)] {
        if let Some(value) = value {
            shape[key] = json!(value);
        }
    }
    shape
}
