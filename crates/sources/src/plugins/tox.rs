//! Environments of tox, read from its configuration.

use serde_json::Value;

use super::braces::alternatives;
use super::python;
use super::tasks::{SourceLook, SourceSpec, SourceTask, TaskManifest, ini_entries, ini_fault};
use crate::model::{Location, Problem};

pub(super) const TOX: SourceSpec = SourceSpec {
    id: "tox",
    codes: "TOX",
    summary: "Environments of tox",
    files: &["tox.ini", "tox.toml", "pyproject.toml", "setup.cfg"],
    read,
    programs: python::PROGRAMS,
    separator: Some("--"),
    runners: &["tox"],
    ..SourceSpec::BLANK
};

/// The most environments that are offered.
const MOST: usize = 1000;

/// The environment that tox runs where its file names none.
const USUAL: &str = "py";

/// An environment: its name and its description.
type ToxEnvironment = (String, Option<String>);

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let (file, mut environments) = environments(look);
    if environments.is_empty() {
        return Vec::new();
    }
    if environments.len() > MOST {
        let what = format!("{file} has more environments than the {MOST} that are offered");
        let help = "`tox run -e NAME` runs any other; write fewer alternatives in braces";
        look.problem(Problem::warning(what).help(help));
        environments.truncate(MOST);
    }
    if !file.starts_with("tox") {
        look.detail("tox");
    }
    let tox = python::tool(look, "tox");
    let place = look.place(file);
    let task = |(name, description): ToxEnvironment| {
        let described = description.map(|text| filled(&text, &name));
        let described = described.unwrap_or_else(|| format!("Run the environment {name}"));
        tox.own(&*name, &["run", "-e", &name]).described(described.as_str()).at(&place, None)
    };
    environments.into_iter().map(task).collect()
}

/// A description in one line, with the name of its environment put in. What only tox knows is `…`.
fn filled(text: &str, environment: &str) -> String {
    let mut rest = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for name in ["{env_name}", "{envname}"] {
        rest = rest.replace(name, environment);
    }
    let mut rest = rest.as_str();
    let mut filled = String::new();
    while let Some((before, inside)) = rest.split_once('{')
        && let Some((_, behind)) = inside.split_once('}')
    {
        filled.extend([before, "…"]);
        rest = behind;
    }
    filled + rest
}

/// The file that configures tox, as tox chooses it, and its environments.
fn environments(look: &mut SourceLook<'_>) -> (&'static str, Vec<ToxEnvironment>) {
    if let Some(text) = look.text("tox.ini") {
        return ("tox.ini", of_ini_file(look, "tox.ini", text, "[tox]"));
    }
    if let Some(text) = look.text("setup.cfg")
        && text.contains("[tox:tox]")
    {
        return ("setup.cfg", of_ini_file(look, "setup.cfg", text, "[tox:tox]"));
    }
    if let Some(manifest) = look.manifest("pyproject.toml")
        && let Some(own) = manifest.get(&["tool", "tox"])
    {
        let legacy = own.get("legacy_tox_ini").and_then(Value::as_str);
        let of_table = |look| of_toml(look, &manifest, own);
        return ("pyproject.toml", legacy.map_or_else(|| of_table(look), |text| of_ini(text, "[tox]")));
    }
    let own = look.manifest("tox.toml");
    ("tox.toml", own.map_or_else(Vec::new, |own| of_toml(look, &own, &own.value)))
}

/// Those of a file in the format INI; none of one that tox refuses.
fn of_ini_file(look: &mut SourceLook<'_>, file: &str, text: &str, main: &str) -> Vec<ToxEnvironment> {
    let Some((line, why)) = ini_fault(text) else { return of_ini(text, main) };
    look.unparsed(file, Some(line), why);
    Vec::new()
}

fn of_toml(look: &mut SourceLook<'_>, file: &TaskManifest, own: &Value) -> Vec<ToxEnvironment> {
    if own.get("env_list").is_some_and(has_open_range) {
        let what = "only tox knows the other end of a range of `env_list`; its environments are not listed";
        let place = Location::line(&file.file, file.line("env_list"));
        look.problem(
            Problem::note(what).at(place).help("`tox list` shows them; or write `start` and `stop`"),
        );
    }
    let mut found: Vec<ToxEnvironment> = Vec::new();
    let text = |table: Option<&Value>| table?.get("description")?.as_str().map(str::to_owned);
    let usual = || text(own.get("env_run_base"));
    let described = |name: &str| text(own.get("env").and_then(|env| env.get(name))).or_else(usual);
    let listed = own.get("env_list").and_then(Value::as_array).into_iter().flatten().flat_map(names);
    let tables =
        own.get("env").and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name.clone());
    for name in listed.chain(tables) {
        if found.len() <= MOST && found.iter().all(|(other, _)| *other != name) {
            let described = described(&name);
            found.push((name, described));
        }
    }
    found
}

/// The names that an entry of `env_list` stands for: a text, a group of factors, or a table whose groups are each joined with
/// all others. `exclude` takes names out.
fn names(entry: &Value) -> Vec<String> {
    if let Some(name) = entry.as_str() {
        return vec![name.to_owned()];
    }
    let Some(groups) = entry.get("product").and_then(Value::as_array) else { return factors(entry) };
    let mut names: Vec<String> = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        let factors = factors(group);
        let join = |name: &String| -> Vec<String> {
            factors.iter().map(|factor| format!("{name}-{factor}")).collect()
        };
        names = if at == 0 { factors } else { names.iter().flat_map(join).take(2 * MOST).collect() };
    }
    let excluded: Vec<&Value> =
        entry.get("exclude").and_then(Value::as_array).into_iter().flatten().collect();
    names.retain(|name| !excluded.iter().any(|own| *own == name));
    names
}

/// Whether a range has one end alone.
fn has_open_range(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.iter().any(has_open_range),
        Value::Object(table) => {
            let has = |key| table.contains_key(key);
            has("prefix") && !(has("start") && has("stop")) || table.values().any(has_open_range)
        }
        _ => false,
    }
}

/// The factors of a group: a list, a range `{prefix = "py3", start = 9, stop = 11}`, or either behind a label. A range without
/// one of its ends is none, since its other end changes with tox.
fn factors(group: &Value) -> Vec<String> {
    if let Some(list) = group.as_array() {
        return list.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    }
    let Some(table) = group.as_object() else { return Vec::new() };
    let Some(prefix) = table.get("prefix").and_then(Value::as_str) else {
        let label = table.values().next().filter(|_| table.len() == 1);
        return label.map_or_else(Vec::new, |own| factors(own.get("values").unwrap_or(own)));
    };
    let end = |key: &str| table.get(key).and_then(Value::as_u64);
    let (Some(start), Some(stop)) = (end("start"), end("stop")) else { return Vec::new() };
    (start..=stop).take(MOST).map(|number| format!("{prefix}{number}")).collect()
}

fn of_ini(text: &str, main: &str) -> Vec<ToxEnvironment> {
    let mut found: Vec<ToxEnvironment> = Vec::new();
    let mut usual = None;
    let add = |found: &mut Vec<ToxEnvironment>, name: &str| {
        for name in expanded(name.trim()) {
            if !name.is_empty() && found.len() <= MOST && found.iter().all(|(other, _)| *other != name) {
                found.push((name, None));
            }
        }
    };
    let entries = ini_entries(text);
    for (section, key, value) in entries.clone() {
        let own = section.strip_prefix("[testenv:").and_then(|rest| rest.strip_suffix(']'));
        match (own, key.as_str()) {
            (None, "envlist" | "env_list") if section == main => {
                listed(&value).for_each(|name| add(&mut found, name));
            }
            (Some(own), "") => add(&mut found, own),
            (Some(own), "description") => {
                for name in expanded(own) {
                    let mut named = found.iter_mut().filter(|(other, _)| *other == name);
                    named
                        .next()
                        .into_iter()
                        .for_each(|(_, described)| *described = Some(value.trim().to_owned()));
                }
            }
            (None, "description") if section == "[testenv]" => usual = Some(value),
            _ => {}
        }
    }
    // A condition in front of a value names an environment too, unless each of its factors is part of one already.
    let known: Vec<String> = found.iter().flat_map(|(name, _)| name.split('-').map(str::to_owned)).collect();
    let is_known = |name: &str| name.split('-').all(|factor| known.iter().any(|other| other == factor));
    for (section, _, value) in &entries {
        if section == main || section == "[testenv]" || section.starts_with("[testenv:") {
            let conditions = value.lines().filter_map(condition).flatten();
            conditions.filter(|name| !is_known(name)).for_each(|name| add(&mut found, &name));
        }
    }
    if found.is_empty() && entries.iter().any(|(section, ..)| section == "[testenv]") {
        found.push((USUAL.to_owned(), None));
    }
    found.into_iter().map(|(name, own)| (name, own.or_else(|| usual.clone()))).collect()
}

/// The names in the condition before a value: `postgresql` and `mssql-py312` for `postgresql, mssql-py312: psycopg`.
fn condition(line: &str) -> Option<Vec<String>> {
    let (before, _) = line.split_once(": ").or_else(|| Some((line.strip_suffix(':')?, "")))?;
    let names: Vec<String> = listed(before).flat_map(expanded).collect();
    let is_factor =
        |factor: &str| factor.chars().all(|c| c.is_alphanumeric() || "_.".contains(c)) && !factor.is_empty();
    let plain = |name: &str| -> Option<String> {
        let factors: Vec<&str> = name.split('-').map(|factor| factor.trim_start_matches('!')).collect();
        factors.iter().all(|factor| is_factor(factor)).then(|| factors.join("-"))
    };
    // Any other text before a colon makes the whole line a plain value.
    names.iter().map(|name| plain(name)).collect()
}

/// The names of a list, parted by lines and by commas outside of braces.
fn listed(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_u32;
    text.split(move |c| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == '\n' || c == ',' && depth == 0
    })
}

/// The names that a name with alternatives in braces stands for: `py{310,311}-x`, `py3{10-14}`.
fn expanded(name: &str) -> impl Iterator<Item = String> {
    let names = alternatives(name, 2 * MOST, |own| range(own.trim()));
    names.into_iter().map(|name| name.trim().to_owned()).filter(|name| !name.contains('{'))
}

/// The numbers of a range, `10-14`, from its first to its last in either direction; any other text is itself.
fn range(text: &str) -> Vec<String> {
    /// More numbers than that name no versions of Python.
    const MOST: u32 = 100;
    let number =
        |digits: &str| digits.parse::<u32>().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()));
    let ends = text.split_once('-').and_then(|(first, last)| Some((number(first)?, number(last)?)));
    match ends {
        Some((first, last)) if first <= last && last - first < MOST => {
            (first..=last).map(|number| number.to_string()).collect()
        }
        Some((first, last)) if first > last && first - last < MOST => {
            (last..=first).rev().map(|number| number.to_string()).collect()
        }
        _ => vec![text.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::super::taskfile::tests::listed;
    use super::*;

    #[test]
    fn descriptions_have_the_name_of_their_environment() {
        let text = "run {env_name}\n  on {basepython}, {[x]y} {";
        assert_eq!(filled(text, "py312"), "run py312 on …, … {");
    }

    #[test]
    fn conditions_name_environments_whose_factors_no_other_has() {
        let text = "[tox]\nenvlist = py, lint\n[other]\nextras =\n    py39-none: nothing\n[testenv]\nextras =\n    \
                    postgresql: postgresql\n    mssql-py{312,313}: mssql\n    py-lint: nothing\n    !nogreenlet: asyncio\n\
                    deps =\n    memusage,backendonly: psutil\ncommands = python -c \"{a: 1}\"\n    see https://example.com: x\n\
                    [testenv:lint]\ncommands = ruff check\n";
        let names: Vec<String> = of_ini(text, "[tox]").into_iter().map(|(name, _)| name).collect();
        insta::assert_snapshot!(names.join(" "), @"py lint postgresql mssql-py312 mssql-py313 nogreenlet memusage backendonly");
    }

    #[test]
    fn a_file_that_names_no_environment_has_the_usual_one() {
        insta::assert_snapshot!(listed(&TOX, &[("tox.ini", "[testenv]\ncommands = pytest\n")]), @"
        py [tox run -e py …]  Run the environment py
        ");
    }

    #[test]
    fn a_broken_file_is_said_with_its_line() {
        insta::assert_snapshot!(listed(&TOX, &[("tox.ini", "[tox]\nenvlist = a\n[testenv]\nnonsense\n")]), @"error: tox.ini:4: tox.ini cannot be parsed: it is neither a section nor a key with a value (correct it; tools of other sources still work)");
    }

    #[test]
    fn tables_of_factors_are_names_as_tox_makes_them() {
        let text = r#"env_list = ["lint", {product = [["py312", "py313"], ["a", "b"]], exclude = ["py312-b"]},
            {product = [{prefix = "py3", start = 9, stop = 10}, {kind = ["x"]}]}, {label = {values = ["y"]}}, {prefix = "z", start = 1}]"#;
        insta::assert_snapshot!(listed(&TOX, &[("tox.toml", text)]), @"
        lint [tox run -e lint …]  Run the environment lint
        py312-a [tox run -e py312-a …]  Run the environment py312-a
        py313-a [tox run -e py313-a …]  Run the environment py313-a
        py313-b [tox run -e py313-b …]  Run the environment py313-b
        py39-x [tox run -e py39-x …]  Run the environment py39-x
        py310-x [tox run -e py310-x …]  Run the environment py310-x
        y [tox run -e y …]  Run the environment y
        info: tox.toml:1: only tox knows the other end of a range of `env_list`; its environments are not listed (`tox list` shows them; or write `start` and `stop`)
        ");
        let groups = vec![r#"["a", "b"]"#; 40].join(",");
        let many = listed(&TOX, &[("tox.toml", &format!("env_list = [{{product = [{groups}]}}]"))]);
        assert_eq!(many.lines().count(), MOST + 1, "and one problem");
    }

    #[test]
    fn alternatives_in_braces_are_names_and_not_too_many() {
        let names = |list: &str| {
            let found = of_ini(&format!("[tox]\nenvlist = {list}\n"), "[tox]");
            found.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert_eq!(
            names("py{310,311}-{x, y},lint, py3{12-13}"),
            ["py310-x", "py310-y", "py311-x", "py311-y", "lint", "py312", "py313"]
        );
        let many = names(&format!("lint,{}", "{a,b}".repeat(1000))).len();
        assert!((1..=MOST + 1).contains(&many), "{many}");
    }
}
