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
    } else {
        let folders = build_folders(&files);
        let has = |line: &str| tasks.iter().any(|task| task.line().starts_with(line));
        let (builds, tests) = (has("cmake --build"), has("ctest"));
        if !builds {
            tasks.extend(each(&folders, "build", &["cmake", "--build"], &[], "Build in").map(built));
        }
        if !tests && has_tests(look) {
            tasks.extend(each(
                &folders,
                "test",
                &["ctest", "--test-dir"],
                &["--output-on-failure"],
                "Run the tests of",
            ));
        }
    }
    tasks
}

fn built(task: SourceTask) -> SourceTask {
    task.profile(Profile::Build).repeatable()
}

/// The tasks of build folders: one for each, by its preset's name where there are several.
fn each<'f>(
    folders: &'f [(String, String)],
    task: &'f str,
    before: &'f [&str],
    behind: &'f [&str],
    verb: &'f str,
) -> impl Iterator<Item = SourceTask> + 'f {
    let is_one = folders.iter().all(|(_, folder)| Some(folder) == folders.first().map(|(_, first)| first));
    folders.iter().take(if is_one { 1 } else { folders.len() }).map(move |(preset, folder)| {
        let name = if is_one { task.to_owned() } else { format!("{task}:{preset}") };
        let own = words(before.iter().copied().chain([folder.as_str()]).chain(behind.iter().copied()));
        SourceTask::usual(&name, own, &format!("{verb} the folder `{folder}`"))
    })
}

/// The build folders of the configure presets, each with the name of its preset. One that only `CMake` knows is left out.
fn build_folders(files: &[TaskManifest]) -> Vec<(String, String)> {
    let presets = |file: &'_ TaskManifest| -> Vec<Value> {
        file.get(&["configurePresets"]).and_then(Value::as_array).cloned().unwrap_or_default()
    };
    let all: Vec<Value> = files.iter().flat_map(presets).collect();
    let shown = all.iter().filter(|preset| preset.get("hidden") != Some(&Value::Bool(true)));
    let folder = |preset: &Value| {
        let name = preset.get("name")?.as_str()?;
        let own = inherited(&all, preset, "binaryDir", 0)?;
        let folder = own.replace("${presetName}", name).replace("${sourceDir}", ".");
        (!folder.contains('$')).then(|| (name.to_owned(), path::join(".", &folder)))
    };
    shown.filter_map(folder).collect()
}

/// The deepest chain of presets that is followed.
const DEEPEST: usize = 20;

/// The value of a key in a preset, or in those that it inherits from.
fn inherited<'p>(all: &'p [Value], preset: &'p Value, key: &str, depth: usize) -> Option<&'p str> {
    if let Some(own) = preset.get(key).and_then(Value::as_str) {
        return Some(own);
    }
    let parents = match preset.get("inherits")? {
        Value::Array(names) => names.iter().collect(),
        one => vec![one],
    };
    let parents = parents
        .into_iter()
        .take(DEEPEST)
        .filter_map(|name| all.iter().find(|other| other.get("name").is_some_and(|own| own == name)));
    let mut found =
        parents.filter(|_| depth < DEEPEST).filter_map(|parent| inherited(all, parent, key, depth + 1));
    found.next()
}

/// Whether the main file of the project declares tests.
fn has_tests(look: &mut SourceLook<'_>) -> bool {
    let lists = look.text("CMakeLists.txt").unwrap_or_default().to_ascii_lowercase().replace(' ', "");
    ["enable_testing(", "include(ctest)", "add_test("].iter().any(|own| lists.contains(own))
}

/// The commands of a project without presets, in the folder `build`.
fn usual(look: &mut SourceLook<'_>, tasks: &mut Vec<SourceTask>) {
    if look.text("CMakeLists.txt").is_none() {
        return;
    }
    let folder = [("build".to_owned(), "build".to_owned())];
    let configure = words(["cmake", "-S", ".", "-B", "build"]);
    tasks.push(built(SourceTask::usual("configure", configure, "Configure the folder `build`")));
    tasks.extend(each(&folder, "build", &["cmake", "--build"], &[], "Build in").map(built));
    if has_tests(look) {
        let tests =
            each(&folder, "test", &["ctest", "--test-dir"], &["--output-on-failure"], "Run the tests of");
        tasks.extend(tests.map(SourceTask::repeatable));
    }
}
