//! mix: the everyday commands of an Elixir project, and the aliases of its mix.exs, read as text.

use super::tasks::config::ASK_TOOL;
use super::tasks::{MissingDependency, SourceLook, SourceSpec, SourceTask, complete};
use crate::model::{Location, Problem, Profile};

pub(super) const MIX: SourceSpec = SourceSpec {
    id: "mix",
    codes: "MIX",
    summary: "Elixir: compile, test and format with mix; its aliases",
    files: &["mix.exs"],
    read,
    missing: Some(|look| {
        let what = "nothing that mix.exs depends on is installed".to_owned();
        (!look.has_file("deps")).then_some(MissingDependency { what, task: "deps.get" })
    }),
    programs: &[("mix", "install Elixir: https://elixir-lang.org/install.html")],
    runners: &["mix"],
    ..SourceSpec::BLANK
};

/// Packages that bring a command of their own: the command and its description.
const PACKAGES: &[(&str, &str, &str)] = &[
    ("{:phoenix,", "phx.server", "Start the server"),
    ("{:credo,", "credo", "Find problems with credo"),
    ("{:dialyxir,", "dialyzer", "Check the types with dialyzer"),
];

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let Some(text) = look.text("mix.exs") else { return Vec::new() };
    let mix = look.program(&["mix"]);
    let mut tasks = vec![
        mix.usual("compile", &["compile"], "Compile the project").building().aliases(["build"]),
        mix.usual("test", &["test"], "Run the tests").repeatable(),
        mix.usual("format", &["format"], "Format the code").aliases(["fmt"]),
    ];
    for (package, name, description) in PACKAGES {
        if text.contains(package) {
            let profile = if *name == "phx.server" { Profile::Serve } else { Profile::Build };
            tasks.push(mix.usual(name, &[name], description).profile(profile));
        }
    }
    let place = look.place("mix.exs");
    let code = without_comments(text);
    let (aliases, unread) = aliases(&code);
    if let Some(at) = unread.filter(|_| !look.config.flag(&ASK_TOOL)) {
        let what = "only mix knows the names of some aliases that are made here; they are not listed";
        let help = "`mix help` shows them, and `ask_tool: true` in the settings has cuff ask mix";
        look.problem(Problem::note(what).at(Location::line(&place, line_of(&code, at))).help(help));
    }
    for (name, value, at) in aliases {
        let line = line_of(&code, at);
        let known = Some(value).filter(|value| !value.is_empty());
        tasks.push(mix.own(&*name, &[&name]).text(known).at(&place, Some(line)));
    }
    look.has_file("mix.lock");
    for file in look.find(&["lib/mix/tasks/**/*.ex"]) {
        let text = look.text(&file).unwrap_or_default();
        let Some((name, line)) = defined(text) else { continue };
        let described =
            text.lines().find_map(|line| line.trim().strip_prefix("@shortdoc ")?.split('"').nth(1));
        let task = mix.own(&*name, &[&name]).described(described).at(look.place(&file), Some(line));
        let why = "it has no `@shortdoc`, and `mix help` leaves it out too; name it under `tasks` in the settings to offer it";
        tasks.push(if described.is_some() { task } else { task.hidden(why) });
    }
    tasks.push(mix.usual("deps.get", &["deps.get"], "Download the packages of mix.exs").fetching());
    complete(look, tasks, mix.words(&["help"]), |out| {
        let task = |(name, text): (&str, &str)| {
            let task = mix.own(name, &[name]).described(text).at(&place, None);
            let why = "it comes with Elixir; name it under `tasks` in the settings to offer it";
            if is_builtin(name) { task.hidden(why) } else { task }
        };
        out.lines().filter_map(listed).map(task).collect()
    })
}

/// The name of the task that a file defines, and the line: `moon.full_moon` for `defmodule Mix.Tasks.Moon.FullMoon do`.
fn defined(text: &str) -> Option<(String, usize)> {
    let module =
        |line: &str| line.trim().strip_prefix("defmodule Mix.Tasks.")?.strip_suffix(" do").map(str::to_owned);
    let (at, module) = text.lines().enumerate().find_map(|(at, line)| Some((at, module(line)?)))?;
    let mut name = String::new();
    for c in module.chars() {
        if c.is_ascii_uppercase() && !name.is_empty() && !name.ends_with('.') {
            name.push('_');
        }
        name.push(c.to_ascii_lowercase());
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    name.chars().all(is_name).then_some((name, at + 1))
}

/// The name and the description in a line of `mix help`: `mix ecto.migrate # Runs the migrations`.
fn listed(line: &str) -> Option<(&str, &str)> {
    let (call, description) = line.strip_prefix("mix ")?.split_once('#')?;
    Some((call.trim(), description.trim())).filter(|(name, _)| !name.is_empty() && !name.contains(' '))
}

/// Whether a task comes with Elixir or Hex: of these `read` offers what is typed daily.
fn is_builtin(name: &str) -> bool {
    const FIRST: &[&str] = &[
        "app",
        "archive",
        "clean",
        "cmd",
        "compile",
        "deps",
        "do",
        "escript",
        "eval",
        "format",
        "help",
        "hex",
        "iex",
        "loadconfig",
        "local",
        "new",
        "profile",
        "release",
        "run",
        "test",
        "xref",
    ];
    name.split('.').next().is_some_and(|first| FIRST.contains(&first))
}

/// The same text with blanks for its comments.
fn without_comments(text: &str) -> String {
    let (mut code, mut is_string, mut is_comment, mut is_escaped) = (String::new(), false, false, false);
    for c in text.chars() {
        match c {
            '\n' => is_comment = false,
            '#' if !is_string => is_comment = true,
            '"' if !is_comment && !is_escaped => is_string = !is_string,
            _ => {}
        }
        is_escaped = c == '\\' && !is_escaped;
        if is_comment { code.extend(std::iter::repeat_n(' ', c.len_utf8())) } else { code.push(c) }
    }
    code
}

fn line_of(code: &str, at: usize) -> usize {
    code[..at].matches('\n').count() + 1
}

/// The aliases with the commands that they are for, and the place of those that only mix knows.
fn aliases(code: &str) -> (Vec<(String, String, usize)>, Option<usize>) {
    const KEY: &str = "aliases:";
    let is_key = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || "_@:\"".contains(c));
    let Some((at, _)) = code.match_indices(KEY).find(|(at, _)| is_key(*at)) else {
        return (Vec::new(), None);
    };
    let read = list_of(code, at + KEY.len()).and_then(|start| Some((start, entries(&code[start..])?)));
    let Some((start, (entries, end))) = read else { return (Vec::new(), Some(at)) };
    let is_whole = !code[start + end..].trim_start().starts_with(['+', '|']);
    let (mut found, mut unread) = (Vec::new(), (!is_whole).then_some(start + end));
    for (from, entry) in entries {
        let at = start + from + entry.len() - entry.trim_start().len();
        let named = match entry.trim_start().strip_prefix('"') {
            Some(rest) => rest.split_once("\":"),
            None => entry.trim_start().split_once(": "),
        };
        let is_name = |name: &str| name.chars().all(|c| c.is_alphanumeric() || "._-".contains(c));
        match named.filter(|(name, _)| !name.is_empty() && is_name(name)) {
            Some((name, value)) => {
                // Every second part stands between quotes.
                let commands = value.split('"').skip(1).step_by(2).map(|own| format!("mix {own}"));
                found.push((name.to_owned(), commands.collect::<Vec<_>>().join("\n"), at));
            }
            None if entry.trim().is_empty() => {}
            None => unread = Some(at),
        }
    }
    (found, unread)
}

/// The place behind the bracket of a list that stands here, or in the attribute or function that does: `[`, `@aliases`, `own()`.
fn list_of(code: &str, at: usize) -> Option<usize> {
    let opens = |at: usize| {
        let rest = code[at..].trim_start();
        rest.starts_with('[').then(|| code.len() - rest.len() + 1)
    };
    let rest = code[at..].trim_start();
    let is_part = |c: char| c.is_alphanumeric() || "_@?!".contains(c);
    let name = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
    if name.is_empty() {
        return opens(at);
    }
    if name.starts_with('@') {
        return code.match_indices(name).find_map(|(at, _)| opens(at + name.len()));
    }
    let definitions = ["def ", "defp "].map(|front| format!("{front}{name}"));
    let mut found = definitions.iter().flat_map(|own| code.match_indices(own.as_str()));
    let (at, own) = found.find(|(at, own)| !code[at + own.len()..].starts_with(is_part))?;
    let body = at + own.len() + code[at + own.len()..].find(" do")? + " do".len();
    opens(body + usize::from(code[body..].starts_with(':')))
}

/// The entries of a list, each with its place, and the place behind the list.
fn entries(code: &str) -> Option<(Vec<(usize, &str)>, usize)> {
    let (mut found, mut start, mut depth, mut is_string, mut is_escaped) =
        (Vec::new(), 0, 0_usize, false, false);
    for (at, c) in code.char_indices() {
        match c {
            '"' if !is_escaped => is_string = !is_string,
            _ if is_string => {}
            ',' | ']' if depth == 0 => {
                found.push((start, &code[start..at]));
                start = at + 1;
                if c == ']' {
                    return Some((found, start));
                }
            }
            '[' | '(' | '{' => depth += 1,
            ']' | ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::taskfile::tests::listed;
    use super::*;

    /// The aliases of a project whose settings and further code are these.
    fn read(project: &str, more: &str) -> String {
        let text = format!(
            "defmodule A.MixProject do\n  def project do\n    [app: :a, {project}]\n  end\n{more}end\n"
        );
        let usual = ["compile", "test = ", "test [mix test …]  Run", "format", "deps.get"];
        let list = listed(&MIX, &[("mix.exs", &text)]);
        let own = list.lines().filter(|line| !usual.iter().any(|usual| line.starts_with(usual)));
        own.flat_map(|line| [line, "\n"]).collect()
    }

    #[test]
    fn aliases_are_read_in_each_form_that_the_text_tells() {
        let several = "aliases: [\n  setup: [\"deps.get\", \"a, b\"], # \"not: this\n  \"x.y\": &own/1,\n]";
        let function = "  # defp own: [no: \"no\"]\n  defp own_aliases, do: []\n  defp own(env) do\n    [one: \"test\"] ++ \
                        env_aliases(env)\n  end\n";
        insta::assert_snapshot!(
            [
                read(several, ""),
                read("aliases: own(Mix.env())", function),
                read("aliases: aliases()", "  def aliases, do: [short: [\"test\"]]\n"),
                read("aliases: @aliases", "  @aliases [constant: \"test\"]\n"),
                read("aliases: [a: \"x\", b: \"y\"] ", ""),
                read("aliases: [{:tuple, \"x\"}, c: \"z\"]", ""),
                read("aliases: Own.aliases()", ""),
                read("aliases: [", ""),
                read("deps: []", "  defp aliases, do: [unused: \"test\"]\n"),
            ]
            .join("-\n"),
            @r"
        setup [mix setup …]  mix setup
        x.y [mix x.y …]  mix x.y
        -
        one [mix one …]  mix one
        info: mix.exs:8: only mix knows the names of some aliases that are made here; they are not listed (`mix help` shows them, and `ask_tool: true` in the settings has cuff ask mix)
        -
        short [mix short …]  mix short
        -
        constant [mix constant …]  mix constant
        -
        a [mix a …]  mix a
        b [mix b …]  mix b
        -
        c [mix c …]  mix c
        info: mix.exs:3: only mix knows the names of some aliases that are made here; they are not listed (`mix help` shows them, and `ask_tool: true` in the settings has cuff ask mix)
        -
        info: mix.exs:3: only mix knows the names of some aliases that are made here; they are not listed (`mix help` shows them, and `ask_tool: true` in the settings has cuff ask mix)
        -
        -
        "
        );
    }
}
