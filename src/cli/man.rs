//! The man pages: `man/` has what the clap tree says, one page a command.

#![expect(clippy::disallowed_methods, reason = "the pages are files of the repository")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use clap::Command;

use super::arguments::{SEE_ALSO, tree};

/// The message for pages that differ from the command line.
const STALE: &str =
    "man/ is not what the command line says; `INSTA_UPDATE=always cargo test --lib -- man_pages` writes it";

#[test]
fn the_man_pages_say_what_the_command_line_takes() {
    let abouts: Vec<_> = crate::plugins::ALL.iter().map(|plugin| plugin.about()).collect();
    let made = tempfile::tempdir().unwrap();
    clap_mangen::generate_to(tree(&abouts), made.path()).unwrap();
    let mut made = pages(made.path());
    let (mut whole, mut used) = (tree(&abouts), BTreeMap::new());
    whole.build();
    usages(&mut whole, &mut used);
    for (page, text) in &mut made {
        *text = with_synopsis(text, &used[page]);
    }
    let commanding = abouts.iter().filter(|about| about.has_command).count();
    assert!(made.len() > commanding * 3, "a page for each command: {:?}", made.keys());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("man");
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::create_dir_all(&folder).unwrap();
        for stale in pages(&folder).keys().filter(|page| !made.contains_key(*page)) {
            fs::remove_file(folder.join(stale)).unwrap();
        }
        for (page, text) in &made {
            fs::write(folder.join(page), text).unwrap();
        }
    }
    let there = pages(&folder);
    assert!(there.keys().eq(made.keys()), "{STALE}: {:?} and {:?}", there.keys(), made.keys());
    for (page, text) in made {
        assert!(there[&page] == text, "{STALE}: {page}");
    }
}

/// The pages in a folder by their names.
fn pages(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let page = |path: std::path::PathBuf| {
        let text = with_examples(&fs::read_to_string(&path).unwrap());
        // Blanks at the ends of lines mean nothing to a reader of man pages, and are struck out by editors.
        let text: String = text.lines().flat_map(|line| [line.trim_end(), "\n"]).collect();
        (path.file_name().unwrap().to_str().unwrap().to_owned(), text)
    };
    entries.map(page).collect()
}

/// The page with the text behind the options as it is typed: clap's generator calls it `EXTRA`, and has it
/// filled.
fn with_examples(page: &str) -> String {
    let Some((before, extra)) = page.split_once(".SH EXTRA\n") else { return page.to_owned() };
    let (extra, after) = extra
        .split_once(".SH ")
        .map_or((extra, String::new()), |(extra, after)| (extra, format!(".SH {after}")));
    let extra = extra.strip_prefix("Examples:\n").unwrap_or(extra);
    let extra = extra.replace(&format!("\n{SEE_ALSO}\n"), ".fi\n.SH SEE ALSO\n.nf\n");
    format!("{before}.SH EXAMPLES\n.nf\n{extra}.fi\n{after}")
}

/// The usage line of each command's help, by the name of its page.
fn usages(command: &mut Command, made: &mut BTreeMap<String, String>) {
    let usage = command.render_usage().to_string();
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage);
    made.insert(format!("{name}.1"), usage.lines().map(str::trim).collect::<Vec<_>>().join("\n.br\n"));
    for below in command.get_subcommands_mut() {
        usages(below, made);
    }
}

/// The page with this for its synopsis. The generator leaves out the values of options and the marks of
/// repetition, and has words in another order.
fn with_synopsis(page: &str, usage: &str) -> String {
    const TITLE: &str = ".SH SYNOPSIS\n";
    let (before, rest) = page.split_once(TITLE).unwrap();
    let (_, after) = rest.split_once('\n').unwrap();
    format!("{before}{TITLE}{}\n{after}", usage.replace('-', r"\-"))
}
