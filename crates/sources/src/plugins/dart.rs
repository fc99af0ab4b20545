//! Dart and Flutter: the everyday commands of a package, and the scripts of melos.

use serde_json::Value;

use super::tasks::{MissingDependency, SourceLook, SourceSpec, SourceTask, TaskManifest, words};
use crate::model::Profile;

pub(super) const DART: SourceSpec = SourceSpec {
    id: "dart",
    codes: "DART",
    summary: "Dart and Flutter: test, analyze, format, run; the scripts of melos",
    files: &["pubspec.yaml"],
    read,
    missing: Some(|look| {
        let what = "nothing that pubspec.yaml depends on is installed".to_owned();
        let is_there = look.has_file(".dart_tool/package_config.json");
        (!is_there).then_some(MissingDependency { what, task: "get" })
    }),
    programs: &[
        ("dart", "install Dart: https://dart.dev/get-dart"),
        ("flutter", "install Flutter: https://docs.flutter.dev/get-started/install"),
        ("melos", "install melos: dart pub global activate melos"),
    ],
    runners: &["melos"],
    ..SourceSpec::BLANK
};

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let Some(manifest) = look.manifest("pubspec.yaml") else { return Vec::new() };
    let needs = |name: &str| {
        ["dependencies", "dev_dependencies"].iter().any(|key| manifest.get(&[*key, name]).is_some())
    };
    let is_flutter = needs("flutter");
    let program = look.program(&[if is_flutter { "flutter" } else { "dart" }]);
    let dart = |own: &[&str]| words(std::iter::once("dart").chain(own.iter().copied()));
    let mut tasks = vec![
        program.usual("analyze", &["analyze"], "Find problems").building().aliases(["lint"]),
        SourceTask::usual("format", dart(&["format", "."]), "Format the code").aliases(["fmt"]),
    ];
    if needs("test") || needs("flutter_test") {
        tasks.insert(0, program.usual("test", &["test"], "Run the tests").repeatable());
    }
    if is_flutter && look.has_file("lib/main.dart") {
        let run = program.usual("run", &["run"], "Start the app on a device");
        tasks.push(run.profile(Profile::Serve));
    } else if !look.find(&["bin/*.dart"]).is_empty() {
        tasks.push(program.usual("run", &["run"], "Run the package's program"));
    }
    if needs("build_runner") {
        let generate = dart(&["run", "build_runner", "build"]);
        tasks.push(
            SourceTask::usual("build_runner", generate, "Generate code with build_runner")
                .profile(Profile::Build)
                .aliases(["generate"]),
        );
    }
    tasks.extend(scripts(&manifest, &["melos", "scripts"]));
    if let Some(melos) = look.manifest("melos.yaml") {
        tasks.extend(scripts(&melos, &["scripts"]));
    }
    tasks.push(program.usual("get", &["pub", "get"], "Download the packages of pubspec.yaml").fetching());
    tasks
}

/// The scripts of melos behind these keys.
fn scripts(manifest: &TaskManifest, keys: &[&str]) -> Vec<SourceTask> {
    let script = |(name, own): (&str, &Value)| {
        let text = own.as_str().or_else(|| ["run", "exec"].iter().find_map(|key| own.get(*key)?.as_str()));
        let is_private = own.get("private").and_then(Value::as_bool).unwrap_or_default();
        let task = SourceTask::own(name, words(["melos", "run", "--no-select", name]))
            .described(own.get("description").and_then(Value::as_str))
            .text(text.map(str::to_owned))
            .at(&manifest.file, manifest.line(name));
        let why = "it is private to melos; name it under `tasks` in the settings to offer it";
        if is_private { task.hidden(why) } else { task }
    };
    manifest.entries(keys).into_iter().map(script).collect()
}
