//! Managers of packages: what they run behind their own words.

use super::last;
use super::place::PackagePlace;
use super::taken::TakenWords;

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
const SCRIPTS: [&str; 4] = ["test", "start", "stop", "restart"];

/// The command that a manager runs, behind which words come.
#[derive(Debug)]
pub(super) enum ManagerCommand<'a> {
    /// This one, in a package.
    Command(Vec<String>, PackagePlace<'a>),
    /// None that is known: the manager takes these words.
    Nothing(TakenWords),
}

impl ManagerCommand<'_> {
    fn none(why: String) -> Self {
        Self::Nothing(TakenWords::None(why))
    }
}

/// The command that a manager runs behind its own words; `None`: the program is none, or it runs a file.
pub(super) fn of<'a>(program: &str, own: &[String], place: &PackagePlace<'a>) -> Option<ManagerCommand<'a>> {
    let own = behind_plain(own);
    if ONLY_RUN.contains(&program) {
        return Some(of_package(program, own, place));
    }
    if !["npm", "pnpm", "yarn", "bun"].contains(&program) {
        return None;
    }
    let none = |why: &str| ManagerCommand::none(format!("{program} {why}"));
    let Some((command, rest)) = own.split_first() else { return Some(none("would take it for a command")) };
    let is_npm = program == "npm";
    Some(match command.as_str() {
        "run" | "run-script" | "rum" | "urn" => match behind_plain(rest).split_first() {
            None => none("would run the script of that name"),
            Some((name, rest)) => of_script(program, name, rest, place),
        },
        "exec" | "x" | "dlx" => match rest.split_first() {
            Some((dashes, rest)) if dashes == "--" => of_package(program, rest, place),
            _ if is_npm => none("would read options in it"),
            _ if command == "dlx" => ManagerCommand::Nothing(TakenWords::Contained(format!("{program} dlx"))),
            _ => of_package(program, rest, place),
        },
        "test" if program == "bun" => ManagerCommand::Nothing(TakenWords::Contained("bun test".to_owned())),
        "t" | "tst" => of_script(program, "test", rest, place),
        script if SCRIPTS.contains(&script) => of_script(program, script, rest, place),
        file if program == "bun" && file.contains(['.', '/']) => return None,
        name if is_npm || name.starts_with('-') || OWN.split_ascii_whitespace().any(|own| own == name) => {
            none("runs other tools of this project, or changes its packages")
        }
        name if place.script(name).is_some() => of_script(program, name, rest, place),
        _ => of_package(program, own, place),
    })
}

/// The words behind options that choose no other package.
fn behind_plain(words: &[String]) -> &[String] {
    &words[words.iter().take_while(|word| PLAIN.contains(&word.as_str())).count()..]
}

/// A program of a package. One that is named with a version or an address may be downloaded.
fn of_package<'a>(manager: &str, words: &[String], place: &PackagePlace<'a>) -> ManagerCommand<'a> {
    match words.first() {
        None => ManagerCommand::none(format!("{manager} would run the program of that name")),
        Some(program) if program.starts_with('-') || program.contains(['@', ':', '/']) => {
            ManagerCommand::Nothing(TakenWords::Contained(format!("{manager} {program}")))
        }
        Some(_) => ManagerCommand::Command(words.to_vec(), place.clone()),
    }
}

/// A script of the same package. It must get words: npm passes on those behind `--`.
fn of_script<'a>(manager: &str, name: &str, rest: &[String], place: &PackagePlace<'a>) -> ManagerCommand<'a> {
    let own = match rest.iter().position(|word| word == "--") {
        Some(at) if manager == "npm" && rest[..at].iter().any(|word| word.starts_with('-')) => {
            return ManagerCommand::none(format!("npm reads options before `--` behind the script `{name}`"));
        }
        Some(at) => [&rest[..at], &rest[at + 1..]].concat(),
        None if manager == "npm" => {
            let why = "without `--` behind it, so npm would read it";
            return ManagerCommand::none(format!("its text runs the script `{name}` {why}"));
        }
        None => rest.to_vec(),
    };
    match place.script(name).map(|(text, place)| (last::command(&text), place)) {
        None => ManagerCommand::none(format!(
            "{manager} runs the script `{name}`, which is none of the same package.json"
        )),
        Some((_, place)) if place.is_far() => ManagerCommand::none(
            "its text runs a script that runs another one, too often in a row".to_owned(),
        ),
        Some((Ok(words), place)) => ManagerCommand::Command([words, own].concat(), place),
        Some((Err(why), _)) => ManagerCommand::none(format!("it would go to the script `{name}`: {why}")),
    }
}
