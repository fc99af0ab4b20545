//! `CMake`: the presets of a project, or its usual build folder.

use serde_json::Value;

use super::tasks::{SourceLook, SourceSpec, SourceTask, TaskManifest, words};
use crate::model::{Profile, path};

pub(super) const CMAKE: SourceSpec = SourceSpec {
    id: "cmake",
    codes: "CMAKE",
    summary: "CMake: configure, build and test, by the presets where there are some",
    files: &["CMakeLists.txt", "CMakePresets.json"],
    read,
    usual_advice: "install CMake (https://cmake.org/download), or put it on the PATH",
    ..SourceSpec::BLANK
};

/// The kinds of presets: their key, the words before the name of one, and their task.
const KINDS: &[(&str, &[&str], &str, &str)] = &[
    ("configurePresets", &["cmake", "--preset"], "configure", "Configure"),
    ("buildPresets", &["cmake", "--build", "--preset"], "build", "Build"),
    ("testPresets", &["ctest", "--preset"], "test", "Test"),
    ("workflowPresets", &["cmake", "--workflow", "--preset"], "workflow", "Run the workflow"),
];

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let mut files: Vec<TaskManifest> = Vec::new();
    let mut waiting = vec!["CMakeUserPresets.json".to_owned(), "CMakePresets.json".to_owned()];
    let mut known: Vec<String> = Vec::new();
    while let Some(name) = waiting.pop() {
        if known.contains(&name) || !look.has_file(&name) {
            continue;
        }
        let manifest = look.manifest(&name);
        let included =
            manifest.as_ref().and_then(|manifest| manifest.get(&["include"])).and_then(Value::as_array);
        let folder = path::split(&name).0;
        let literal =
            included.into_iter().flatten().filter_map(Value::as_str).filter(|path| !path.contains('$'));
        waiting.extend(literal.map(|own| path::join(folder, own)));
        known.push(name);
        files.extend(manifest);
    }
    let mut tasks = Vec::new();
    for (key, words_before, task, verb) in KINDS {
        for file in &files {
            let presets = file.get(&[key]).and_then(Value::as_array).into_iter().flatten();
            for preset in presets.filter(|preset| preset.get("hidden") != Some(&Value::Bool(true))) {
                let text = |key: &str| preset.get(key).and_then(Value::as_str);
                let Some(name) = text("name") else { continue };
                let own = words(words_before.iter().copied().chain([name]));
                let described = text("description").or_else(|| text("displayName"));
                let described = described
                    .map_or_else(|| format!("{verb} with the preset {name}"), |own| format!("{verb}: {own}"));
                let own = SourceTask::own(format!("{task}:{name}"), own).described(described.as_str());
                tasks.push(own.profile(Profile::Build).at(&file.file, None));
            }
        }
    }
    if tasks.is_empty() {
        usual(look, &mut tasks);
    }
    tasks
}

/// The commands of a project without presets, in the folder `build`.
fn usual(look: &mut SourceLook<'_>, tasks: &mut Vec<SourceTask>) {
    let Some(lists) = look.text("CMakeLists.txt") else { return };
    let has_tests = ["enable_testing", "include(CTest)", "add_test"].iter().any(|own| lists.contains(own));
    let configure = words(["cmake", "-S", ".", "-B", "build"]);
    let build =
        SourceTask::usual("build", words(["cmake", "--build", "build"]), "Build in the folder `build`");
    tasks.push(
        SourceTask::usual("configure", configure, "Configure the folder `build`")
            .profile(Profile::Build)
            .repeatable(),
    );
    tasks.push(build.profile(Profile::Build).repeatable());
    if has_tests {
        let test = words(["ctest", "--test-dir", "build", "--output-on-failure"]);
        tasks.push(SourceTask::usual("test", test, "Run the tests of the folder `build`").repeatable());
    }
}
