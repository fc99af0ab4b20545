//! The suggestion of `cuff init` for scripts.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::model::{
    CACHE_TTL, DEFAULT_TIMEOUT, EXPOSE_LIST_SCRIPTS, Field, File, Files, Glob, Link, Location, Pick, Picking,
    Seen, Suggestion, Want, is_hidden, listed, path as paths, shown,
};

use super::names::{split_extension, tool_name};
use super::{config, interpreter, library};

/// The usual places of scripts.
const PATTERNS: &[&str] =
    &["scripts/*.sh", "scripts/*.py", "script/*.sh", "script/*.py", "bin/*.sh", "tools/*.sh", "*.sh"];

/// Further places, where a script may have any name.
const FOLDERS: &[&str] = &["scripts/*", "script/*", "bin/*", "tools/*"];

/// How many files of a folder the settings name one by one.
const MOST_SINGLE: usize = 20;

/// How many scripts of a folder are offered; a folder of more is a collection of something else.
const MOST_OTHERS: usize = 500;

/// How many files that are passed over are named.
const MOST_NAMED: usize = 5;

/// Parts of names that suggest secrets.
const SENSITIVE: &[&str] = &["secret", "password", "credential", "key"];

/// Others may write to the file.
const WORLD_WRITABLE: u32 = 0o002;

/// One search a pattern, so that those without a match can be left out of the settings.
pub(super) fn wants() -> Vec<Want> {
    PATTERNS.iter().chain(FOLDERS).map(|pattern| Want::Glob(glob(pattern))).collect()
}

/// The patterns that match, and notes on their scripts for a reader who enables them.
pub(super) fn suggest(files: &Files) -> Option<Suggestion> {
    let mut patterns = Vec::new();
    // The order is that of the later offer, not that of the patterns.
    let mut found = BTreeMap::new();
    for pattern in PATTERNS {
        let matches = files.globs.get(&glob(pattern)).map(|matches| &matches.found);
        if let Some(matches) = matches.filter(|matches| !matches.is_empty()) {
            patterns.push(*pattern);
            found.extend(matches);
        }
    }
    let others = others(files, |path| found.contains_key(path));
    let patterns: Vec<&str> =
        patterns.into_iter().chain(others.patterns.iter().map(String::as_str)).collect();
    found.extend(others.scripts);
    let libraries = library::libraries(found.iter().map(|(path, seen)| (*path, *seen)));
    let libraries: Vec<String> = libraries.into_iter().map(str::to_owned).collect();
    // A path that the settings name is offered in any case.
    let libraries: Vec<String> =
        libraries.into_iter().filter(|path| !others.patterns.contains(&literal(path))).collect();
    found.retain(|path, _| !libraries.contains(path));
    let mut items = vec!["script_list_scripts".to_owned()];
    let (mut warnings, mut risks) = (Vec::new(), Vec::new());
    let mut guessed = Vec::new();
    for (path, seen) in &found {
        items.push(tool_name(path));
        warn(path, seen, &mut warnings, &mut risks);
        if matches!(seen, Seen::File(file) if !interpreter::is_binary(file) && !file.bytes.starts_with(b"#!"))
        {
            guessed.push(shown(path));
        }
    }
    warnings.extend(without_shebang(&guessed));
    let count = found.len();
    let picks = found.iter().map(|(path, seen)| pick(path, seen));
    (count > 0).then(|| Suggestion {
        description: format!("Found {count} script{}", if count == 1 { "" } else { "s" }),
        confidence: 0.8,
        config: settings(&patterns, &others.exclude),
        items,
        warnings,
        notes: passed_over_note(&others.passed_over).into_iter().chain(libraries_note(&libraries)).collect(),
        risks,
        picking: Some(Picking {
            field: &config::PATTERNS,
            excluding: Some(&config::EXCLUDE),
            picks: picks.collect(),
        }),
        ..Suggestion::default()
    })
}

/// The advice if nothing is suggested.
pub(super) fn remark(files: &Files) -> Option<String> {
    passed_over_note(&others(files, |_| false).passed_over)
}

/// The further files in the folders.
#[derive(Debug, Default)]
struct Others<'f> {
    /// The scripts: executable texts with a shebang, which are made to be run.
    scripts: Vec<(&'f String, &'f Seen)>,
    /// The patterns that match them, and files of the same folders to leave out.
    patterns: Vec<String>,
    exclude: Vec<String>,
    /// The paths of possible scripts that are not offered.
    passed_over: Vec<&'f str>,
}

fn others(files: &Files, is_known: impl Fn(&String) -> bool) -> Others<'_> {
    let mut others = Others::default();
    for folder in FOLDERS {
        let Some(matches) = files.globs.get(&glob(folder)) else { continue };
        let (mut scripts, mut rest) = (Vec::new(), Vec::new());
        for (path, seen) in matches.found.iter().filter(|(path, _)| !is_known(path)) {
            if let Seen::File(file) = seen
                && is_to_run(path, file)
            {
                scripts.push((path, seen));
            } else {
                rest.push((path, seen));
            }
        }
        let is_whole = scripts.len() > MOST_SINGLE;
        if scripts.len() > MOST_OTHERS || is_whole && rest.len() > MOST_SINGLE {
            others.passed_over.extend(scripts.drain(..).map(|(path, _)| path.as_str()));
        } else if is_whole {
            others.patterns.push((*folder).to_owned());
            others.exclude.extend(rest.iter().map(|(path, _)| literal(path)));
        } else {
            others.patterns.extend(scripts.iter().map(|(path, _)| literal(path)));
        }
        others.scripts.extend(scripts);
        let possible = rest.into_iter().filter(|(path, seen)| may_be_script(path, seen));
        others.passed_over.extend(possible.map(|(path, _)| path.as_str()));
    }
    others
}

/// Whether a file is made to be run. The target of a link is offered under its own name, if at all.
fn is_to_run(path: &str, file: &File) -> bool {
    file.executable && is_text_with_shebang(file) && file.link == Link::Direct && !path.contains(is_hidden)
}

fn may_be_script(path: &str, seen: &Seen) -> bool {
    let (folder_and_stem, extension) = split_extension(path);
    let is_usual = interpreter::is_usual(extension) && !folder_and_stem.ends_with("/__init__");
    matches!(seen, Seen::File(file) if is_usual || is_text_with_shebang(file))
}

fn is_text_with_shebang(file: &File) -> bool {
    file.bytes.starts_with(b"#!") && !interpreter::is_binary(file)
}

/// The note on files that other scripts read in.
fn libraries_note(libraries: &[String]) -> Option<String> {
    let names: Vec<String> = libraries.iter().map(|path| shown(path)).collect();
    let verb = if names.len() == 1 { "is" } else { "are" };
    (!names.is_empty()).then(|| {
        let first = listed(&names, MOST_NAMED);
        format!("{first} {verb} not offered, since other scripts read such files in; `patterns` takes what you name there")
    })
}

/// The note on files that are passed over.
fn passed_over_note(passed_over: &[&str]) -> Option<String> {
    let names: Vec<String> = passed_over.iter().map(|path| shown(path)).collect();
    let verb = if names.len() == 1 { "is" } else { "are" };
    (!names.is_empty()).then(|| {
        let first = listed(&names, MOST_NAMED);
        format!("{first} {verb} not offered; `patterns` in the settings takes what you name there")
    })
}

fn pick(path: &str, seen: &Seen) -> Pick {
    let file = match seen {
        Seen::File(file) => Some(file),
        Seen::Missing | Seen::Unreadable(_) => None,
    };
    Pick {
        name: path.to_owned(),
        pattern: literal(path),
        text: file.and_then(|file| shell_text(path, file)),
        source: Location::file(path),
        packages: Vec::new(),
        irreversible: None,
        risky: file.is_some_and(is_world_writable),
    }
}

/// The text of a script that a shell runs, as far as it was read. Other languages are not split into commands.
fn shell_text(path: &str, file: &File) -> Option<String> {
    const SHELLS: [&str; 5] = ["sh", "bash", "zsh", "dash", "ksh"];
    let text = String::from_utf8_lossy(&file.bytes);
    let first = text.lines().next().and_then(|line| line.strip_prefix("#!")).unwrap_or_default();
    let mut words = first.split_whitespace().map(|word| paths::split(word).1);
    let is_shell = match first {
        "" => SHELLS.contains(&split_extension(path).1),
        _ => words.any(|word| SHELLS.contains(&word)),
    };
    is_shell.then(|| text.into_owned())
}

/// The pattern that matches this path alone.
fn literal(path: &str) -> String {
    let class = |c: char| if "*?[]{}".contains(c) { format!("[{c}]") } else { c.to_string() };
    path.chars().map(class).collect()
}

fn glob(pattern: &str) -> Glob {
    Glob::new(".", [pattern]).reading(config::HEAD)
}

fn settings(patterns: &[&str], exclude: &[String]) -> Vec<(&'static Field, Value)> {
    vec![
        (&config::PATTERNS, json!(patterns)),
        (&config::BASE_DIRECTORY, json!(".")),
        (&config::EXCLUDE, json!(exclude)),
        (&DEFAULT_TIMEOUT, json!(300)),
        (&EXPOSE_LIST_SCRIPTS, json!(true)),
        (&CACHE_TTL, json!(300)),
    ]
}

/// The note on scripts without a shebang: a folder of Python has many.
fn without_shebang(names: &[String]) -> Option<String> {
    match names {
        [] => None,
        [name] => Some(format!("Script '{name}' has no shebang line - interpreter will be guessed")),
        _ => Some(format!(
            "{} scripts have no shebang line - their interpreter will be guessed: {}",
            names.len(),
            listed(names, MOST_NAMED)
        )),
    }
}

/// The warnings and risks of one script.
fn warn(path: &str, seen: &Seen, warnings: &mut Vec<String>, risks: &mut Vec<String>) {
    let script = format!("Script '{}'", shown(path));
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name).to_lowercase();
    if SENSITIVE.iter().any(|word| name.contains(word)) {
        warnings.push(format!("{script} may contain sensitive operations - review before enabling"));
    }
    let Seen::File(file) = seen else { return };
    if interpreter::is_binary(file) {
        warnings.push(format!("{script} appears to be binary - verify this is intentional"));
    }
    if is_world_writable(file) {
        risks.push(format!("{script} is world-writable - this allows any user to modify the script"));
    }
    if file.link == Link::Symbolic {
        warnings.push(format!("{script} is a symlink - target will be validated at runtime"));
    }
}

const fn is_world_writable(file: &File) -> bool {
    file.mode & WORLD_WRITABLE != 0
}
