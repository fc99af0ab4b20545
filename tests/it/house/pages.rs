//! README.md and the pages in docs/: their examples are cuff's real output, their tables are complete, their links lead
//! somewhere. Each block marked `console` is part of a session in the demo project, one for each page.
//!
//! To write the tables of keys again: `INSTA_UPDATE=always cargo test --test it -- tables_of_keys`.

use std::collections::BTreeSet;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cuff::dialect;
use cuff::model::{EVERYWHERE, ErrorCode, Field, PACKAGES, PluginInfo};
use serde_json::json;

use crate::support::project::{Project, Run};
use crate::support::tools;

/// A command and its output. `…` matches anything within a line, or, alone in a line, any lines.
#[derive(Debug, PartialEq, Eq)]
struct Example {
    command: String,
    expected: Vec<String>,
}

/// The keys that at least so many plugins have in the same words are in the table of all plugins.
const SHARED_BY: usize = 4;

/// README.md, the pages in docs/, and the page of the sources.
pub(super) fn pages() -> Vec<PathBuf> {
    let root = super::root();
    let docs = super::files(&root.join("docs"));
    let mut pages = vec![root.join("README.md"), root.join("CHANGELOG.md"), root.join("src/README.md")];
    pages.extend(docs.into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "md")));
    pages
}

fn page(name: &str) -> String {
    fs::read_to_string(super::root().join(name)).expect("a page of ours")
}

#[test]
fn examples_print_what_they_show() {
    if ["node", "npm", "python3"].iter().any(|program| tools::require(program).is_none()) {
        return;
    }
    let mut shown = 0;
    for file in pages() {
        let examples = examples(&fs::read_to_string(&file).expect("a page of ours"));
        shown += examples.len();
        if !examples.is_empty() {
            print_what_they_show(&file, &examples);
        }
    }
    assert!(shown >= 9, "the pages show {shown} commands");
}

fn print_what_they_show(page: &Path, examples: &[Example]) {
    // One project for all of them, in the order of the page, as a reader would try them.
    let project = Project::of("demo");
    let mut path =
        Path::new(env!("CARGO_BIN_EXE_cuff")).parent().expect("the folder it is in").as_os_str().to_owned();
    path.push(":");
    path.push(tools::path());
    let project = project.variable("PATH", path);
    if !examples[0].command.starts_with("cuff init") {
        project.cuff(["init", "--yes"]).ended_with(0);
    }
    for Example { command, expected } in examples {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("{{ {command}\n}} 2>&1"));
        project.surround(&mut shell);
        let run = Run::of(shell);
        let printed: Vec<&str> = run.stdout.lines().map(str::trim_end).collect();
        assert!(
            matches(expected, &printed),
            "{} says that `{command}` prints\n\n{}\n\nbut it prints\n\n{}\n",
            page.display(),
            expected.join("\n"),
            printed.join("\n")
        );
    }
}

#[test]
fn readme_is_short_and_begins_with_a_command() {
    let text = page("README.md");
    assert!(text.lines().count() <= 200, "README.md has {} lines", text.lines().count());
    let first = text.lines().position(|line| line.starts_with("cuff init"));
    assert!(first.is_some_and(|line| line < 20), "the first useful command stands in line {first:?}");
}

#[test]
fn error_codes_are_in_the_table() {
    let text = page("docs/results.md");
    let rows: Vec<String> =
        ErrorCode::all().map(|fault| format!("| {} | {} |", fault.number(), fault.meaning())).collect();
    let table = format!("| number | meaning |\n|---|---|\n{}\n", rows.join("\n"));
    assert!(text.contains(&table), "docs/results.md must have this table:\n{table}");
    // The sources of tasks have theirs in a table of docs/plugins.md.
    for about in cuff::plugins::ALL.iter().map(|plugin| plugin.about()).filter(|about| about.has_command) {
        let front = format!("`{}_`", about.code_prefix);
        assert!(
            text.contains(&front),
            "docs/results.md does not name {front}, the front of {}'s codes",
            about.id
        );
    }
}

#[test]
fn every_output_format_is_named() {
    let text = page("docs/results.md");
    // One of several shapes stands there several times; the first has the programs.
    let is_first = |at: usize| dialect::ALL[..at].iter().all(|before| before.id != dialect::ALL[at].id);
    let mut named: Vec<String> = (0..dialect::ALL.len())
        .filter(|at| is_first(*at))
        .map(|at| &dialect::ALL[at])
        .map(|format| match format.programs {
            [] => format!("`{}`", format.id),
            programs => format!("`{}` ({})", format.id, programs.join(", ")),
        })
        .collect();
    named.sort();
    let list = format!("{}.", named.join(", "));
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(
        words.join(" ").contains(&list),
        "docs/results.md must have this list, in lines of any length:\n{list}"
    );
}

#[test]
fn tables_of_keys_are_complete() {
    let abouts = || cuff::plugins::ALL.iter().map(|plugin| plugin.about());
    let shared: Vec<&Field> = abouts()
        .filter(|about| about.has_command)
        .flat_map(|about| about.config)
        .filter(|field| {
            let has = |about: &PluginInfo| about.has_command && about.config.contains(field);
            abouts().filter(has).count() >= SHARED_BY
        })
        .fold(Vec::new(), |mut fields, field| {
            if !fields.contains(&field) {
                fields.push(field);
            }
            fields
        });
    let mut stale = Vec::new();
    let common: Vec<&Field> = shared.iter().copied().chain(EVERYWHERE).collect();
    stale.extend(rewrite("docs/settings.md", "every plugin", &common));
    let own = |about: &PluginInfo| {
        about.config.iter().filter(|field| !shared.contains(field)).collect::<Vec<&'static Field>>()
    };
    for about in abouts().filter(|about| about.has_command) {
        stale.extend(rewrite("docs/plugins.md", about.id, &own(&about)));
    }
    let sources: Vec<PluginInfo> = abouts().filter(|about| !about.has_command).collect();
    // The page says in words which of them have workspaces.
    let own =
        |about: &PluginInfo| own(about).into_iter().filter(|field| **field != PACKAGES).collect::<Vec<_>>();
    let with_packages = sources.iter().filter(|about| about.config.contains(&PACKAGES)).map(|about| about.id);
    assert_eq!(with_packages.collect::<Vec<_>>(), ["cargo", "python", "go", "deno"]);
    stale.extend(rewrite("docs/plugins.md", "sources", &own(&sources[0])));
    let mut table = String::from("\n| source | file | offers | codes |\n|---|---|---|---|\n");
    for about in &sources {
        assert_eq!(own(about), own(&sources[0]), "{}: all sources have the same keys", about.id);
        let PluginInfo { id, source, summary, code_prefix, .. } = about;
        writeln!(table, "| `{id}` | `{source}` | {summary} | `{code_prefix}_` |").expect("a string");
    }
    stale.extend(rewritten(
        "docs/plugins.md",
        "<!-- Sources, written by tests/it/house/pages.rs -->\n",
        table,
    ));
    super::none(
        &stale,
        "`INSTA_UPDATE=always cargo test --test it -- tables_of_keys` writes these tables again",
    );
}

/// Compares a table with the one in its page, and writes it where that was asked for. Plugins that differ in their name
/// alone share a section, so a page need not name each.
fn rewrite(name: &str, of: &str, fields: &[&Field]) -> Option<String> {
    let text = page(name);
    let begins = format!("<!-- Keys of {of}, written by tests/it/house/pages.rs -->\n");
    if !text.contains(&begins) {
        let sections = text.lines().filter(|line| line.starts_with("## "));
        let named = sections.flat_map(|line| line.split([' ', ','])).any(|word| word == of);
        return (!named).then(|| format!("{name} has no section of {of}"));
    }
    let mut table = String::from("\n| key | default | meaning |\n|---|---|---|\n");
    for field in fields {
        let value = field.default_value().map_or_else(String::new, |value| match value.as_str() {
            Some("") => String::new(),
            Some(text) => format!("`{text}`"),
            None => format!("`{value}`"),
        });
        let about = field.about.replace('|', "\\|");
        writeln!(table, "| `{}` | {value} | {about} |", field.name).expect("a string");
    }
    rewritten(name, &begins, table)
}

/// Compares a table with the one behind this mark of a page, and writes it where that was asked for.
fn rewritten(name: &str, begins: &str, mut table: String) -> Option<String> {
    let text = page(name);
    let (before, rest) = text.split_once(begins).expect("a page has the marks of its tables");
    let (shown, after) = rest.split_once("<!-- End -->").expect("a table has its end");
    table.push('\n');
    if shown == table {
        return None;
    }
    if env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(super::root().join(name), format!("{before}{begins}{table}<!-- End -->{after}"))
            .expect("a page of ours");
        return None;
    }
    Some(format!("{name}: {}", begins.trim_end()))
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    for file in pages() {
        let text = fs::read_to_string(&file).expect("a page of ours");
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if target.contains("://") {
                continue;
            }
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let goal =
                if path.is_empty() { file.clone() } else { file.parent().expect("a folder").join(path) };
            let there = match anchor {
                "" => goal.exists(),
                anchor => fs::read_to_string(&goal).is_ok_and(|text| anchors(&text).contains(anchor)),
            };
            if !there {
                broken.push(format!("{}: {target}", file.display()));
            }
        }
    }
    super::none(&broken, "these links lead nowhere");
}

/// The anchors of a page's headings, as GitHub makes them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let words = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
            words.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_')).collect()
        })
        .collect()
}

/// The settings of docs/results.md with problem matchers, in the project whose linter they are for.
#[test]
fn problem_matchers_find_what_the_page_says() {
    if ["node", "npm"].iter().any(|program| tools::require(program).is_none()) {
        return;
    }
    let text = page("docs/results.md");
    let mut blocks = text.split("```yaml\n").skip(1).filter_map(|block| block.split("```").next());
    let settings = blocks.find(|block| block.contains("problem_matchers:")).expect("settings with matchers");
    let project = Project::of("demo").variable("PATH", tools::path());
    project.write("settings.yml", settings);
    project.write("src/tide.js", "export const low = 1;\nexport const tide = 2; \n");
    let ran = project.cuff(["run", "packagejson.npm_lint", "--json"]).ended_with(1).json();
    let found = ran["diagnostics"].as_array().expect("findings");
    assert_eq!(found.len(), 1, "{ran}");
    for (key, value) in [
        ("source", json!("blanks")),
        ("severity", json!("warning")),
        ("file", json!("src/tide.js")),
        ("line", json!(2)),
        ("message", json!("ends in blanks")),
    ] {
        assert_eq!(found[0][key], value, "{key}: {ran}");
    }
}

/// The commands of all `console` blocks, in order.
fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let (true, Some(command)) = (inside, line.strip_prefix("$ ")) {
            examples.push(Example { command: command.to_owned(), expected: Vec::new() });
        } else if inside {
            let example = examples.last_mut().expect("a console block starts with a command");
            example.expected.push(line.trim_end().to_owned());
        }
    }
    // A blank line before the next command is layout.
    for Example { expected, .. } in &mut examples {
        while expected.last().is_some_and(String::is_empty) {
            expected.pop();
        }
    }
    examples
}

fn matches<Line: AsRef<str>>(expected: &[String], printed: &[Line]) -> bool {
    match expected.split_first() {
        None => printed.iter().all(|line| line.as_ref().is_empty()),
        Some((any, rest)) if any.trim() == "…" => {
            (0..=printed.len()).any(|skip| matches(rest, &printed[skip..]))
        }
        Some((first, rest)) => match printed.split_first() {
            Some((line, others)) => line_matches(first, line.as_ref()) && matches(rest, others),
            None => false,
        },
    }
}

fn line_matches(pattern: &str, line: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('…') else { return pattern == line };
    let Some(line) = line.strip_prefix(start) else { return false };
    let (middle, end) = rest.rsplit_once('…').unwrap_or(("", rest));
    let Some(mut line) = line.strip_suffix(end) else { return false };
    middle.split('…').all(|piece| match line.find(piece) {
        Some(at) => {
            line = &line[at + piece.len()..];
            true
        }
        None => false,
    })
}

#[test]
fn a_wrong_example_is_found() {
    let expected = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    for (pattern, printed, right) in [
        ("a\nb", "a\nb", true),
        ("a\nb", "a\nc", false),
        ("a", "a\nb", false),
        ("a\nb", "a", false),
        ("a\n…\nd", "a\nb\nc\nd", true),
        ("a\n…\nd", "a\nd", true),
        ("a\n…\nd", "a\nb", false),
        ("took … s", "took 1.2 s", true),
        ("took … s", "took 1.2 ms", false),
        ("took … s", "it took 1.2 s", false),
        ("took …", "took long", true),
        ("…a…b…c", "xaxbxc", true),
        ("…a…b…c", "xbxaxc", false),
        ("ab…ba", "aba", false),
        ("…\nlast", "first\nlast\nafter", false),
        ("", "", true),
        ("", "more", false),
    ] {
        let printed: Vec<&str> = printed.lines().collect();
        assert_eq!(matches(&expected(pattern), &printed), right, "{pattern:?} and {printed:?}");
    }
    let text = "text\n```sh\n$ no\n```\n```console\n$ cuff a\nb\n\n$ cuff c\n```\n$ no\n";
    let found = [("cuff a", vec!["b".to_owned()]), ("cuff c", vec![])]
        .map(|(command, expected)| Example { command: command.to_owned(), expected });
    assert_eq!(examples(text), found);
}
