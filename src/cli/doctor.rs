//! `cuff doctor`: what is in the way, a line each, and what to do about it.

use std::path::Path;

use console::Style;
use serde_json::{Value, json};

use super::arguments::Doctor;
use super::install::{self, Site};
use crate::calls;
use crate::doctor;
use crate::doctor::{Check, Grade, Installation, Repair, refused};
use crate::hosts::{CLIENTS, ClientScope, ClientServers, Named};
use crate::model::{Caller, counted, visible};
use crate::project::{Context, Project};
use crate::setup::renew_schema;
use crate::sys::{files, programs, terminal};
use crate::terminal::{Failed, Ui, exit, hanging, wait_for};

/// Something that was found, and what can be done about it.
#[derive(Debug)]
struct DoctorFinding {
    check: Check,
    /// An entry of a client that can be taken out, by its name.
    stale: Option<(Site, String)>,
    /// The repair that was made, or the reason why it could not be made.
    mended: Option<Result<String, String>>,
}

impl DoctorFinding {
    fn is_mended(&self) -> bool {
        matches!(self.mended, Some(Ok(_)))
    }
}

/// Looks, mends where that is wanted, and says so. It ends with 1 when something does not work, or where that is wanted is
/// warned of.
pub(super) fn doctor(
    ui: &Ui,
    context: &Context,
    config: Option<&Path>,
    typed: &Doctor,
) -> Result<u8, Failed> {
    let mut findings: Vec<DoctorFinding> = project(ui, context, config)?
        .into_iter()
        .chain(doctor::kept_checks(context))
        .chain(Installation::of(context.supervisor.path()).checks(&context.environment))
        .map(|check| DoctorFinding { check, stale: None, mended: None })
        .collect();
    findings.extend(clients(context));
    if typed.fix {
        for finding in &mut findings {
            finding.mended = mend(context, finding);
        }
    }
    say(ui, &findings, typed)
}

/// Shows checks that nothing mends. It ends with 1 when something does not work.
#[cfg(all(feature = "code", feature = "http"))]
pub(super) fn report(ui: &Ui, checks: Vec<Check>, is_json: bool) -> Result<u8, Failed> {
    let of = |check| DoctorFinding { check, stale: None, mended: None };
    let findings: Vec<DoctorFinding> = checks.into_iter().map(of).collect();
    say(ui, &findings, &Doctor { fix: false, strict: false, json: is_json })
}

fn say(ui: &Ui, findings: &[DoctorFinding], typed: &Doctor) -> Result<u8, Failed> {
    let left =
        |grade| findings.iter().filter(|found| !found.is_mended() && found.check.grade == grade).count();
    let (failed, warned) = (left(Grade::Fail), left(Grade::Warn));
    if typed.json {
        let checks: Vec<Value> = findings.iter().map(shape).collect();
        ui.json(&json!({ "checks": checks, "failed": failed, "warned": warned }))?;
    } else {
        for finding in findings {
            ui.styled(lines(finding, ui.width()))?;
        }
        let can = findings
            .iter()
            .any(|found| !found.is_mended() && (found.check.repair.is_some() || found.stale.is_some()));
        let hint = if can && !typed.fix { "; `cuff doctor --fix` mends some of it" } else { "" };
        let counts = [counted(failed as u64, "failure"), counted(warned as u64, "warning")];
        ui.note(format!("{}{hint}", counts.join(", ")));
    }
    let is_sound = failed == 0 && (warned == 0 || !typed.strict);
    Ok(if is_sound { exit::SUCCESS } else { exit::FAILURE })
}

fn project(ui: &Ui, context: &Context, config: Option<&Path>) -> Result<Vec<Check>, Failed> {
    let project = match Project::open(context.clone(), config, Caller::Human) {
        Ok(project) => project,
        Err(error) => return Ok(vec![refused(&error)]),
    };
    let registry = wait_for(ui, project.list())?;
    renew_schema(context, project.settings.place.as_ref());
    let mut checks = doctor::checks(&project, &registry);
    checks.extend(doctor::lacking_settings(&project).map(Check::pass));
    checks.extend(doctor::server_checks(&project));
    #[cfg(feature = "team")]
    checks.extend(doctor::unsent_checks(&project));
    if project.settings.fit_for_serving().is_ok() {
        checks.extend(doctor::approval_checks(&project, &registry));
    }
    Ok(checks)
}

/// The entries of clients that start cuff, and files of clients that cannot be read.
fn clients(context: &Context) -> Vec<DoctorFinding> {
    let root = install::root(context);
    let mut findings = Vec::new();
    for client in CLIENTS {
        for scope in [ClientScope::Project, ClientScope::User] {
            let site = || Site::at(&context.environment, &root, client, scope);
            let Some(text) = site().and_then(|site| site.text().ok().flatten()) else { continue };
            let Some(file) = site().map(|site| site.file.display().to_string()) else { continue };
            let ours = match (ClientServers { client, text: Some(&text) }).ours() {
                Ok(ours) => ours,
                Err(obstacle) => {
                    let what = format!("{} may not understand {file}: {obstacle}", client.name);
                    let check = Check::warn(what, "mend it there");
                    findings.push(DoctorFinding { check, stale: None, mended: None });
                    continue;
                }
            };
            for (name, named) in ours {
                let (check, is_stale) = entry(context, &format!("{} ({file})", client.name), &named);
                let stale = if is_stale { site().map(|site| (site, name)) } else { None };
                findings.push(DoctorFinding { check, stale, mended: None });
            }
        }
    }
    findings
}

/// How one entry is, and whether it is of no use to anybody.
fn entry(context: &Context, whose: &str, named: &Named) -> (Check, bool) {
    let Named::Ours { project, command } = named else { return (Check::pass(whose), false) };
    let gone = project.as_deref().map(Path::new).filter(|path| path.is_absolute());
    if let Some(gone) = gone.filter(|path| !programs::is_directory(path)) {
        let what = format!("{whose} starts cuff for {}, which is gone", gone.display());
        return (Check::warn(what, "`cuff doctor --fix` takes the entry out"), true);
    }
    let command = command.as_deref().unwrap_or("cuff");
    let environment = &context.environment;
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
    let own = install::binary(context);
    if doctor::is_launcher(&found) {
        return (Check::pass(format!("{whose} starts cuff through {}", found.display())), false);
    }
    if files::canonical(&found) != files::canonical(&own) {
        let what = format!("{whose} starts another cuff: {}", found.display());
        return (Check::warn(what, format!("this one is {}; keep one of them", own.display())), false);
    }
    (Check::pass(format!("{whose} starts this cuff")), false)
}

/// Repairs a finding, or returns the reason why that failed; `None` if there was nothing to do, or a person
/// said no.
fn mend(context: &Context, finding: &DoctorFinding) -> Option<Result<String, String>> {
    if let Some((site, name)) = &finding.stale {
        let question = format!("Take the entry `{name}` out of {}?", site.file.display());
        return match terminal::ask(&visible(&question)) {
            Ok(None) => None,
            Ok(Some(_)) => {
                Some(site.remove(context, Some(name), true, false).map_err(|failed| failed.message))
            }
            Err(error) => Some(Err(format!("nobody could be asked: {error}"))),
        };
    }
    match finding.check.repair.as_ref()? {
        Repair::Close(file) => {
            let (closed, file) = (files::close_to_others(file), file.display());
            let done = closed.map(|()| format!("others can no longer write {file}"));
            Some(done.map_err(|error| format!("others can still write {file}: {error}")))
        }
        Repair::Prune => {
            let swept = calls::all_runs(context)?.prune(calls::limits(&context.environment));
            pruned(swept.removed.len(), &swept.failed)
        }
    }
}

/// The result of removing the runs that are due.
fn pruned(removed: usize, failed: &[String]) -> Option<Result<String, String>> {
    let done = match removed {
        0 => "no run was removed".to_owned(),
        1 => "1 run was removed".to_owned(),
        more => format!("{more} runs were removed"),
    };
    match failed {
        [] if removed == 0 => None,
        [] => Some(Ok(done)),
        [first, rest @ ..] => {
            let more =
                if rest.is_empty() { String::new() } else { format!(", and {} more could not", rest.len()) };
            Some(Err(format!("{done}, and one could not be: {first}{more}")))
        }
    }
}

/// One finding; strangers' words in it are made visible before colours are put on.
fn lines(finding: &DoctorFinding, width: Option<usize>) -> String {
    /// Where what is said begins.
    const BELOW: usize = 6;
    let within = |line: &str| hanging(line, width.unwrap_or(usize::MAX), BELOW);

    let Check { grade, what, remedy, lines, .. } = &finding.check;
    let (word, style) = match (&finding.mended, grade) {
        (Some(Ok(_)), _) => ("FIXED", Style::new().cyan()),
        (_, Grade::Pass) => ("PASS", Style::new().green()),
        (_, Grade::Warn) => ("WARN", Style::new().yellow()),
        (_, Grade::Fail) => ("FAIL", Style::new().red().bold()),
    };
    let mut text = within(&format!("{} {}", style.apply_to(format!("{word:5}")), visible(what)));
    let not_mended = finding.mended.as_ref().and_then(|mended| mended.as_ref().err());
    let not_mended = not_mended.map(|why| format!("--fix could not mend it: {why}"));
    let below = match &finding.mended {
        Some(Ok(done)) => [Some(done), None],
        Some(Err(_)) | None => [not_mended.as_ref(), remedy.as_ref()],
    };
    for line in lines {
        text.push('\n');
        text.push_str(&within(&format!("{:BELOW$}| {}", "", visible(line))));
    }
    for next in below.into_iter().flatten().flat_map(|next| next.lines()) {
        text.push('\n');
        text.push_str(&within(&format!("{:BELOW$}{}", "", visible(next))));
    }
    text
}

fn shape(finding: &DoctorFinding) -> Value {
    let Check { grade, what, remedy, lines, .. } = &finding.check;
    let grade = match grade {
        Grade::Pass => "pass",
        Grade::Warn => "warn",
        Grade::Fail => "fail",
    };
    let mut shape = json!({ "grade": grade, "what": what });
    if !lines.is_empty() {
        shape["lines"] = json!(lines);
    }
    let (mended, not_mended) = match &finding.mended {
        Some(Ok(done)) => (Some(done), None),
        Some(Err(why)) => (None, Some(why)),
        None => (None, None),
    };
    for (key, value) in [("remedy", remedy.as_ref()), ("mended", mended), ("not_mended", not_mended)] {
        if let Some(value) = value {
            shape[key] = json!(value);
        }
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_repairs_are_reported_beside_successful_ones() {
        assert_eq!((pruned(0, &[]), pruned(1, &[])), (None, Some(Ok("1 run was removed".to_owned()))));
        let failed = ["0190: it is busy".to_owned(), "0191: it is busy".to_owned()];
        let mended = pruned(300, &failed);
        let finding = DoctorFinding { check: Check::warn("too many", "remove some"), stale: None, mended };
        let why = "300 runs were removed, and one could not be: 0190: it is busy, and 1 more could not";
        assert_eq!(
            console::strip_ansi_codes(&lines(&finding, None)),
            format!("WARN  too many\n      --fix could not mend it: {why}\n      remove some")
        );
        let expected =
            json!({"grade": "warn", "what": "too many", "remedy": "remove some", "not_mended": why});
        assert_eq!(shape(&finding), expected);
        assert!(!finding.is_mended());
    }
}
