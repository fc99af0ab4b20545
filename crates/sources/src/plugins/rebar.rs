//! Erlang: the everyday commands of rebar3, and the aliases of rebar.config.

use super::tasks::{SourceLook, SourceSpec, SourceTask};

pub(super) const REBAR: SourceSpec = SourceSpec {
    id: "rebar",
    codes: "REBAR",
    summary: "Erlang: compile and test with rebar3; its aliases",
    files: &["rebar.config"],
    read,
    programs: &[("rebar3", "install rebar3: https://rebar3.org/docs/getting-started")],
    runners: &["rebar3"],
    ..SourceSpec::BLANK
};

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let Some(text) = look.text("rebar.config") else { return Vec::new() };
    let own = look.has_file("rebar3");
    let rebar = look.program(&[if own { "./rebar3" } else { "rebar3" }]);
    let build = |name: &str, description: &str| rebar.usual(name, &[name], description).building();
    let mut tasks = vec![
        build("compile", "Compile everything").aliases(["build"]),
        rebar.usual("eunit", &["eunit"], "Run the EUnit tests").repeatable().aliases(["test"]),
    ];
    if !look.find(&["test/*_SUITE.erl", "apps/*/test/*_SUITE.erl"]).is_empty() {
        tasks.push(rebar.usual("ct", &["ct"], "Run the suites of Common Test").repeatable());
    }
    tasks.push(build("dialyzer", "Find errors of types"));
    tasks.push(build("xref", "Find calls of functions that are not there"));
    let place = look.place("rebar.config");
    for (name, list, line) in aliases(text) {
        tasks.retain(|task| !task.is(name));
        let text = format!("rebar3 do {}", commands(list));
        tasks.push(rebar.own(name, &[name]).text(text).at(&place, Some(line)));
    }
    tasks.push(rebar.usual("get-deps", &["get-deps"], "Download what the project depends on").fetching());
    tasks
}

/// The names in `{alias, [{check, […]}, …]}.`, each with its list of commands and its line.
fn aliases(text: &str) -> Vec<(&str, &str, usize)> {
    let Some(start) = text.find("{alias,") else { return Vec::new() };
    let mut found = Vec::new();
    let (mut depth, mut begin) = (0_usize, 0);
    for (at, c) in text.char_indices().skip_while(|(at, _)| *at < start) {
        match c {
            '{' | '[' => {
                depth += 1;
                // The first is the key's, the second that of the list.
                if depth == 3 {
                    begin = at + 1;
                }
            }
            '}' | ']' => {
                if depth == 3
                    && let Some((name, list)) = text[begin..at].split_once(',')
                {
                    found.push((name.trim(), list.trim(), text[..begin].matches('\n').count() + 1));
                }
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
            _ => {}
        }
    }
    found
}

/// The commands of an alias as a line for `rebar3 do`: `xref, eunit -v` for `[xref, {eunit, "-v"}]`.
fn commands(list: &str) -> String {
    let mut line = String::new();
    let mut is_name = false;
    for c in list.chars() {
        match c {
            '{' => is_name = true,
            ',' if is_name => is_name = false,
            '}' => is_name = false,
            ',' => line.push_str(", "),
            '[' | ']' | '"' => {}
            c => line.push(c),
        }
    }
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}
