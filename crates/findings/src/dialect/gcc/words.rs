//! The words by which compilers name the kind of a message, in the most common languages of gcc, and their
//! own names.

use crate::model::path::base;
use crate::model::{Location, Severity};

/// The id of the format.
pub(super) const ID: &str = "gcc";

const ERROR: Severity = Severity::Error;
const WARNING: Severity = Severity::Warning;
/// One that belongs to the message before.
const NOTE: Severity = Severity::Info;

/// Each line that begins a message, or says more of one.
pub(super) const TRIGGERS: &[&str] = &[
    ": error: ",
    ": fatal error: ",
    ": warning: ",
    ": note: ",
    ": Error: ",
    ": Warning: ",
    ": Fehler: ",
    ": schwerwiegender Fehler: ",
    ": Warnung: ",
    ": Anmerkung: ",
    ": erreur: ",
    ": erreur fatale: ",
    ": attention: ",
    ": error fatal: ",
    ": aviso: ",
    ": nota: ",
    ": errore: ",
    ": errore irreversibile: ",
    ": attenzione: ",
    ": erro: ",
    ": erro fatal: ",
    ": ошибка: ",
    ": фатальная ошибка: ",
    ": предупреждение: ",
    ": замечание: ",
    ": エラー: ",
    ": 致命的エラー: ",
    ": 警告: ",
    ": 備考: ",
    "错误：",
    "致命错误：",
    "警告：",
    "附注：",
    "required from here",
    // Of linkers.
    ": undefined reference to ",
    ": multiple definition of ",
    "ld: ",
    "ld.bfd: ",
    "ld.gold: ",
    "ld.lld: ",
    "\", referenced from:",
];

const WORDS: &[(&str, Severity)] = &[
    ("error", ERROR),
    ("fatal error", ERROR),
    ("warning", WARNING),
    ("note", NOTE),
    ("Error", ERROR),
    ("Warning", WARNING),
    ("Fehler", ERROR),
    ("schwerwiegender Fehler", ERROR),
    ("Warnung", WARNING),
    ("Anmerkung", NOTE),
    ("erreur", ERROR),
    ("erreur fatale", ERROR),
    ("attention", WARNING),
    ("error fatal", ERROR),
    ("aviso", WARNING),
    ("nota", NOTE),
    ("errore", ERROR),
    ("errore irreversibile", ERROR),
    ("attenzione", WARNING),
    ("erro", ERROR),
    ("erro fatal", ERROR),
    ("ошибка", ERROR),
    ("фатальная ошибка", ERROR),
    ("предупреждение", WARNING),
    ("замечание", NOTE),
    ("エラー", ERROR),
    ("致命的エラー", ERROR),
    ("警告", WARNING),
    ("備考", NOTE),
    ("错误", ERROR),
    ("致命错误", ERROR),
    ("附注", NOTE),
];

/// The kind that a text begins with, and the rest.
pub(super) fn kind(text: &str) -> Option<(Severity, &str)> {
    let end = text.find([':', '：'])?;
    let (word, rest) = text.split_at_checked(end)?;
    let (_, kind) = WORDS.iter().find(|(known, _)| *known == word)?;
    Some((*kind, rest.trim_start_matches([':', '：']).trim()))
}

/// The compiler of that name, `/usr/bin/x86_64-linux-gnu-gcc-12`, as it is called in short.
pub(super) fn driver(name: &str) -> Option<&'static str> {
    let name = base(name);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').trim_end_matches('-');
    // The `1` of these is no version.
    let known =
        ["clang++", "clang", "g++", "gcc", "c++", "cc", "collect2", "cc1plus", "cc1", "lto1", "lto-wrapper"];
    known.into_iter().find(|known| {
        let short = known.trim_end_matches(|c: char| c.is_ascii_digit());
        name == *known
            || name == short
            || name.strip_suffix(short).is_some_and(|target| target.ends_with('-'))
    })
}

/// Endings of files that compilers of this kind read.
const SOURCES: [&str; 27] = [
    "c", "h", "cc", "hh", "cpp", "hpp", "cxx", "hxx", "c++", "h++", "C", "H", "inl", "ipp", "tpp", "tcc",
    "m", "mm", "cu", "cuh", "i", "ii", "ixx", "cppm", "s", "S", "asm",
];
/// The files of other languages. Their own readers know better.
const OTHERS: [&str; 6] = ["py", "pyi", "rs", "java", "kt", "go"];

/// Whether a place can be one in a source: with a column nearly all can that look like a file, without it few.
pub(super) fn is_source(place: &Location) -> bool {
    let name = base(&place.file);
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    if place.file.contains("://") {
        return false;
    }
    if place.column.is_none() || place.file == "{standard input}" {
        return place.file == "{standard input}" || ending.is_some_and(|ending| SOURCES.contains(&ending));
    }
    let is_file = place.file.contains(['/', '\\']) || place.file.starts_with('<');
    let lettered = |ending: &str| ending.starts_with(|c: char| c.is_ascii_alphabetic());
    ending.map_or(is_file, |ending| lettered(ending) && !OTHERS.contains(&ending)) && !name.is_empty()
}

/// Whether compilers show the source below a message about this file. The assembler does not. Neither do
/// programs that only write like compilers, about shell scripts for example.
pub(super) fn is_shown(place: &Location) -> bool {
    let ending = place.file.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| SOURCES[..SOURCES.len() - 3].contains(&ending))
}
