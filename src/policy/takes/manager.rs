//! Managers of packages: what they run behind their own words.

use super::place::Place;
use super::{Takes, last, of_command};

/// The programs that run a program of a package, and nothing else.
const ONLY_RUN: [&str; 3] = ["npx", "bunx", "pnpx"];
/// Their options that choose no other package.
const PLAIN: [&str; 9] =
    ["-s", "--silent", "-q", "--quiet", "-y", "--yes", "--no", "--no-install", "--if-present"];
/// The commands of managers that are no name of a script or of a program.
const OWN: &str = "add audit bin build cache ci config create dedupe dlx env exec explain fetch global import info init install i \
                   licenses link list login logout ls node npm outdated pack patch pm prune publish rebuild remove root run \
                   run-script search self-update set stage store unlink up update upgrade version versions view why workspace \
                   workspaces x";
/// The commands that are names of scripts as well.
const SCRIPTS: [&str; 6] = ["test", "t", "tst", "start", "stop", "restart"];

/// The words that a manager takes behind its own; `None`: the program is none, or it runs a file.
pub(super) fn of(program: &str, own: &[String], place: &Place<'_>) -> Option<Takes> {
    let none = |why: &str| Some(Takes::None(format!("{program} {why}")));
    let own = &own[own.iter().take_while(|word| PLAIN.contains(&word.as_str())).count()..];
    if ONLY_RUN.contains(&program) {
        return Some(of_package(program, own, place));
    }
    if !["npm", "pnpm", "yarn", "bun"].contains(&program) {
        return None;
    }
    let Some((command, rest)) = own.split_first() else { return none("would take it for a command") };
    let is_npm = program == "npm";
    match command.as_str() {
        "run" | "run-script" | "rum" | "urn" => {
            let rest = &rest[rest.iter().take_while(|word| PLAIN.contains(&word.as_str())).count()..];
            match rest.split_first() {
                None => none("would run the script of that name"),
                Some((name, rest)) => of_script(program, name, rest, place),
            }
        }
        "exec" | "x" | "dlx" => match rest.split_first() {
            Some((dashes, rest)) if dashes == "--" => Some(of_package(program, rest, place)),
            _ if is_npm => none("would read options in it"),
            _ if command == "dlx" => Some(Takes::Contained(format!("{program} dlx"))),
            _ => Some(of_package(program, rest, place)),
        },
        script if SCRIPTS.contains(&script) && !(program == "bun" && script == "test") => of_script(
            program,
            if script.starts_with("ts") || script == "t" { "test" } else { script },
            rest,
            place,
        ),
        "test" => Some(Takes::Contained("bun test".to_owned())),
        file if program == "bun" && file.contains(['.', '/']) => None,
        name if is_npm || name.starts_with('-') || OWN.split_ascii_whitespace().any(|own| own == name) => {
            none("runs other tools of this project, or changes its packages")
        }
        name if place.script(name).is_some() => of_script(program, name, rest, place),
        _ => Some(of_package(program, own, place)),
    }
}

/// A program of a package. One that is named with a version or an address may be downloaded.
fn of_package(manager: &str, words: &[String], place: &Place<'_>) -> Takes {
    let Some(program) = words.first() else {
        return Takes::None(format!("{manager} would run the program of that name"));
    };
    if program.starts_with(['-', '@']) || program.contains(['@', ':', '/']) {
        return Takes::Contained(format!("{manager} {program}"));
    }
    of_command(words, place)
}

/// A script of the same package. It must get words: npm passes on those behind `--`.
fn of_script(manager: &str, name: &str, rest: &[String], place: &Place<'_>) -> Option<Takes> {
    let none = |why: String| Some(Takes::None(why));
    let own = match rest.iter().position(|word| word == "--") {
        Some(at) if manager == "npm" && rest[..at].iter().any(|word| word.starts_with('-')) => {
            return none(format!("npm reads options before `--` behind the script `{name}`"));
        }
        Some(at) => [&rest[..at], &rest[at + 1..]].concat(),
        None if manager == "npm" => {
            return none(format!(
                "its text runs the script `{name}` without `--` behind it, so npm would read it"
            ));
        }
        None => rest.to_vec(),
    };
    let Some((text, place)) = place.script(name) else {
        return none(format!("{manager} runs the script `{name}`, which is none of the same package.json"));
    };
    if place.is_far() {
        return none("its text runs a script that runs another one, too often in a row".to_owned());
    }
    Some(match last::command(&text) {
        Ok(words) => of_command(&[words, own].concat(), &place),
        Err(why) => Takes::None(format!("it would go to the script `{name}`: {why}")),
    })
}
