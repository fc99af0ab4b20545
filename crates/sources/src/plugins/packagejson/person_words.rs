//! A person's extra arguments: the script gets each word exactly, whichever version of the manager runs.
//!
//! The table of [`arguments`](super::arguments) says what each version changes. A person is refused only what no
//! quoting can bring through the installed version. 22 words of all kinds were sent through npm 7 and 11, pnpm 8, 9 and
//! 10, yarn 1 and bun 1.4:
//!
//! | manager | the way that brings every word through |
//! |---|---|
//! | npm 7 and pnpm up to 8 put words into double quotes, where the shell acts on `$` and backtick | the word is in a variable of the run, and the manager gets `$CUFF_WORD_1` |
//! | yarn 1 drops the first `--` | it gets another, in front |
//! | bun drops a `--` in front | it gets two |
//! | bun 1.0 quotes nothing | each word is quoted for the shell |
//! | npm and yarn 1 leave `[…]` unquoted | none is needed unless a file matches: then the script gets its name |
//! | pnpm 9 changes `~` in front, `\` beside blanks or `"`, and `!` beside `'` | none: those are refused |

use super::arguments::changed_by_pnpm_9;
use super::project::PackageProject;
use crate::model::{BadCall, Change, Command, Files, Origin, ProgramFile, Seen, Values, Want, Word, path};
use crate::plugins::managers::{PackageManager, PackageManifest, installed_version};

/// The part of a version that decides how words are quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ManagerVersion {
    major: u32,
    minor: u32,
}

/// The files that say which version of the manager runs the script.
pub(super) fn wants(config: &Values, command: &Command, seen: &Files) -> Vec<Want> {
    let project = PackageProject::new(config);
    let mut wants = vec![Want::ProgramFile(package_of(command))];
    let folders = path::upwards(project.folder());
    for folder in &folders {
        wants.push(Want::File(path::join(folder, "package.json")));
        if manager(command) == PackageManager::Yarn {
            wants.push(Want::File(path::join(folder, YARN_SETTINGS)));
        }
    }
    wants.retain(|want| !seen.answers(want));
    wants
}

/// The settings that every yarn but the first reads.
const YARN_SETTINGS: &str = ".yarnrc.yml";

/// The command with a person's words behind the script's name.
pub(super) fn add(
    mut command: Command,
    config: &Values,
    words: Vec<String>,
    seen: &Files,
) -> Result<Command, BadCall> {
    if words.is_empty() {
        return Ok(command);
    }
    let manager = manager(&command);
    let version = version(manager, config, &command, seen);
    let major = version.map(|version| version.major);
    match (manager, major) {
        (PackageManager::Npm, _) => command.arguments.push(Word::fixed("--")),
        (PackageManager::Bun, _) if words[0] == "--" => command.arguments.push(Word::fixed("--")),
        // It reads the words in front of its first `--` as options of its own.
        (PackageManager::Yarn, Some(1)) if words.iter().any(|word| word == "--") => {
            command.arguments.push(Word::fixed("--"));
        }
        _ => {}
    }
    let is_old = |last: u32| major.is_some_and(|major| major <= last);
    for (at, word) in words.into_iter().enumerate() {
        let quotes_doubly = match manager {
            PackageManager::Npm => is_old(7),
            PackageManager::Pnpm => is_old(8),
            PackageManager::Yarn | PackageManager::Bun => false,
        };
        if quotes_doubly && is_acted_on(&word) {
            let name = format!("CUFF_WORD_{}", at + 1);
            command.arguments.push(Word::call(format!("${name}")));
            command.environment.push(Change::new(&name, &word, Origin::Call));
        } else if manager == PackageManager::Bun && version == Some(ManagerVersion { major: 1, minor: 0 }) {
            let quoted = shlex::try_quote(&word).map_or_else(|_| word.clone(), String::from);
            command.arguments.push(Word::call(quoted));
        } else if manager == PackageManager::Pnpm
            && major == Some(9)
            && let Some(why) = changed_by_pnpm_9(&word)
        {
            return Err(BadCall::refused(format!("extra_args: {word:?} cannot be passed on: {why}"))
                .help("pnpm 10 passes it on; or write the argument into the script in package.json"));
        } else {
            command.arguments.push(Word::call(word));
        }
    }
    Ok(command)
}

/// Whether a word does not survive double quotes in a shell, or the escapes of JSON.
fn is_acted_on(word: &str) -> bool {
    word.is_empty() || word.contains(['$', '`']) || word.contains(char::is_control)
}

fn manager(command: &Command) -> PackageManager {
    PackageManager::named(&command.program.text).unwrap_or(PackageManager::Npm)
}

fn package_of(command: &Command) -> ProgramFile {
    ProgramFile { command: command.clone(), name: "package.json".to_owned() }
}

/// The version that runs the script: the one that package.json asks for, which pnpm, yarn and corepack start by
/// themselves, else the installed one. `None` if neither is known.
fn version(
    manager: PackageManager,
    config: &Values,
    command: &Command,
    seen: &Files,
) -> Option<ManagerVersion> {
    let project = PackageProject::new(config);
    let folders = path::upwards(project.folder());
    if matches!(manager, PackageManager::Pnpm | PackageManager::Yarn) {
        let asked = folders.iter().find_map(|folder| {
            let file = path::join(folder, "package.json");
            let manifest = PackageManifest::of(seen.file(&file)?, &file).ok()?;
            let own = manifest.managers.iter().map(|(_, value)| value.as_str());
            own.filter_map(|value| value.split_once('@'))
                .find(|(name, _)| *name == manager.program())
                .and_then(|(_, version)| read(version))
        });
        if asked.is_some() {
            return asked;
        }
        let is_there = |folder: &&str| {
            let file = path::join(folder, YARN_SETTINGS);
            matches!(seen.files.get(&file), Some(Seen::File(_)))
        };
        if manager == PackageManager::Yarn && folders.iter().any(is_there) {
            return Some(ManagerVersion { major: 2, minor: 0 });
        }
    }
    installed_version(seen.program_file(&package_of(command))?, manager.program()).as_deref().and_then(read)
}

fn read(version: &str) -> Option<ManagerVersion> {
    let mut parts = version.split('.');
    let mut number = || parts.next()?.parse().ok();
    Some(ManagerVersion { major: number()?, minor: number().unwrap_or_default() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::plugins::managers::trial::seen;
    use crate::plugins::packagejson::config::PACKAGE_MANAGER;

    /// The words and variables of a call, where these files lie in the project and with the manager.
    fn run(manager: &str, files: &[(&str, &str)], words: &[&str]) -> Result<String, BadCall> {
        let config = Values::of([(&PACKAGE_MANAGER, json!(manager))]);
        let command = Command::new(Word::fixed(manager)).arguments(["run", "x"].map(Word::fixed));
        let files = seen(files, |seen| wants(&config, &command, seen));
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        let planned = add(command, &config, words, &files)?;
        let set = planned.environment.iter().map(|change| format!("{}={:?}", change.name, change.value));
        Ok(set.chain(planned.words().into_iter().skip(3).map(str::to_owned)).collect::<Vec<_>>().join("|"))
    }

    #[test]
    fn words_go_through_each_version_as_it_needs_them() {
        let package = |manager: &str, version: &str| {
            (
                format!("<{manager}>/package.json"),
                format!(r#"{{"name": "{manager}", "version": "{version}"}}"#),
            )
        };
        for (manager, version, words, expected) in [
            ("npm", "11.1.0", &["-run=^T$", "`id`"] as &[&str], "--|-run=^T$|`id`"),
            ("npm", "7.24.2", &["a", "-run=^T$"], r#"CUFF_WORD_2="-run=^T$"|--|a|$CUFF_WORD_2"#),
            ("npm", "7.24.2", &["a\tb", "a\\b"], r#"CUFF_WORD_1="a\tb"|--|$CUFF_WORD_1|a\b"#),
            (
                "pnpm",
                "8.15.9",
                &["", "$HOME"],
                r#"CUFF_WORD_1=""|CUFF_WORD_2="$HOME"|$CUFF_WORD_1|$CUFF_WORD_2"#,
            ),
            ("pnpm", "10.2.0", &["", "~/x", "$HOME"], "|~/x|$HOME"),
            ("yarn", "1.22.22", &["a", "--", "--"], "--|a|--|--"),
            ("bun", "1.4.0", &["--", "$x"], "--|--|$x"),
            ("bun", "1.0.3", &["a b", "$x"], "'a b'|'$x'"),
        ] {
            let (file, text) = package(manager, version);
            assert_eq!(run(manager, &[(&file, &text)], words).unwrap(), expected, "{manager} {version}");
        }
        assert_eq!(
            run("npm", &[], &["$", "[a]"]).unwrap(),
            "--|$|[a]",
            "a version that is not known is a new one"
        );
    }

    #[test]
    fn the_version_that_the_project_asks_for_goes_before_the_installed_one() {
        let installed = ("<pnpm>/package.json", r#"{"name": "pnpm", "version": "10.1.0"}"#);
        let asks = ("package.json", r#"{"packageManager": "pnpm@8.6.0"}"#);
        assert_eq!(run("pnpm", &[installed, asks], &["$"]).unwrap(), r#"CUFF_WORD_1="$"|$CUFF_WORD_1"#);
        assert_eq!(run("npm", &[asks], &["$"]).unwrap(), "--|$", "it says nothing of npm");
        let yarn = ("<yarn>/package.json", r#"{"name": "yarn", "version": "1.22.22"}"#);
        assert_eq!(
            run("yarn", &[yarn, (".yarnrc.yml", "")], &["--"]).unwrap(),
            "--",
            "yarn 1 starts another"
        );
    }

    #[test]
    fn a_word_that_pnpm_9_changes_is_refused_with_the_way_out() {
        let pnpm = [("<pnpm>/package.json", r#"{"name": "pnpm", "version": "9.15.9"}"#)];
        for word in ["~/x", r"a\ b", "it's!"] {
            let bad = run("pnpm", &pnpm, &[word]).unwrap_err();
            assert!(bad.help.is_some_and(|help| help.starts_with("pnpm 10 passes it on")), "{word}");
        }
        assert_eq!(run("pnpm", &pnpm, &["$HOME", "a b"]).unwrap(), "$HOME|a b");
    }
}
