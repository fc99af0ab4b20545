//! Scala: the everyday commands of an sbt build, and its aliases.

use super::literal::literal_calls;
use super::tasks::{SourceLook, SourceSpec, SourceTask};

pub(super) const SBT: SourceSpec = SourceSpec {
    id: "sbt",
    codes: "SBT",
    summary: "Scala: compile, test and run with sbt; the build's aliases",
    files: &["build.sbt"],
    read,
    programs: &[("sbt", "install sbt: https://www.scala-sbt.org/download")],
    runners: &["sbt"],
    ..SourceSpec::BLANK
};

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let Some(text) = look.text("build.sbt") else { return Vec::new() };
    let own = look.has_file("sbt");
    let sbt = look.program(&[if own { "./sbt" } else { "sbt" }]);
    let build = |name: &str, description: &str| sbt.usual(name, &[name], description).building();
    let mut tasks = vec![
        build("compile", "Compile everything").aliases(["build"]),
        sbt.usual("test", &["test"], "Run the tests").repeatable(),
        sbt.usual("run", &["run"], "Compile the program and run it"),
    ];
    if look.text("project/plugins.sbt").is_some_and(|text| text.contains("sbt-scalafmt")) {
        tasks.push(sbt.usual("scalafmtAll", &["scalafmtAll"], "Format the code").aliases(["fmt"]));
        tasks.push(build("scalafmtCheckAll", "Say which code is not formatted"));
    }
    let place = look.place("build.sbt");
    let aliases = literal_calls(text, "addCommandAlias(").into_iter().map(|alias| {
        let commands = alias.text.map(str::to_owned);
        sbt.own(alias.name, &[alias.name]).text(commands).at(&place, Some(alias.line))
    });
    tasks.extend(aliases);
    tasks.push(sbt.usual("update", &["update"], "Download the libraries of the build").fetching());
    // A word behind a command is the next command.
    tasks.into_iter().map(SourceTask::without_words).collect()
}
