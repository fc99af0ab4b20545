//! mix: the everyday commands of an Elixir project, and the aliases of its mix.exs, read as text.

use super::tasks::{Look, MissingDependency, SourceSpec, Task, words};
use crate::model::{Profile, Word};

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

fn read(look: &mut Look<'_>) -> Vec<Task> {
    let Some(text) = look.text("mix.exs") else { return Vec::new() };
    let mix = look.command(&["mix"]);
    let command = |own: &str| -> Vec<Word> { [mix.clone(), words([own])].concat() };
    let mut tasks = vec![
        Task::usual("compile", command("compile"), "Compile the project")
            .profile(Profile::Build)
            .repeatable()
            .aliases(["build"]),
        Task::usual("test", command("test"), "Run the tests").repeatable(),
        Task::usual("format", command("format"), "Format the code").aliases(["fmt"]),
    ];
    for (package, name, description) in PACKAGES {
        if text.contains(package) {
            let profile = if *name == "phx.server" { Profile::Serve } else { Profile::Build };
            tasks.push(Task::usual(name, command(name), description).profile(profile));
        }
    }
    let place = look.place("mix.exs");
    for (name, value, line) in aliases(text) {
        let known = Some(value).filter(|value| !value.is_empty());
        tasks.push(Task::own(&*name, command(&name)).text(known).at(&place, Some(line)));
    }
    tasks.push(Task::usual("deps.get", command("deps.get"), "Download the packages of mix.exs").fetching());
    tasks
}

/// The aliases, with the commands that they are for.
fn aliases(text: &str) -> Vec<(String, String, usize)> {
    let mut found = Vec::new();
    let lines = text.lines().enumerate().skip_while(|(_, line)| !line.trim().starts_with("defp aliases"));
    for (at, line) in lines.skip(1).take_while(|(_, line)| line.trim() != "end") {
        let line = line.trim();
        let named = match line.strip_prefix('"') {
            Some(rest) => rest.split_once("\":"),
            None => line.split_once(": "),
        };
        let Some((name, value)) = named else { continue };
        if !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "._-".contains(c)) {
            // Every second part stands between quotes.
            let commands = value.split('"').skip(1).step_by(2).map(|own| format!("mix {own}"));
            found.push((name.to_owned(), commands.collect::<Vec<_>>().join("\n"), at + 1));
        }
    }
    found
}
