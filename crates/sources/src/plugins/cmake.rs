//! `CMake`: the presets of a project, or its usual build folder.

use serde_json::Value;

use super::tasks::{SourceLook, SourceSpec, SourceTask, TaskListing, TaskManifest, words};
use crate::model::{ErrorCode, Location, Problem, Profile, path, shown};

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

/// The versions of presets that `CMake` reads, up to that of 4.4.
const VERSIONS: std::ops::RangeInclusive<i64> = 1..=12;

/// The advice about files of presets that `CMake` refuses.
const REFUSED: &str = "correct it: CMake refuses all presets until then";

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let files = files(look);
    let mut tasks = Vec::new();
    for (key, words_before, task, verb) in KINDS {
        let all = presets(&files, key);
        for (file, preset) in &all {
            let text = |key: &str| preset.get(key).and_then(Value::as_str);
            let Some(name) = text("name") else { continue };
            let lineage = lineage(&all, preset);
            if lineage.len() > 1 && lineage.last().is_some_and(|last| std::ptr::eq(*last, *preset)) {
                let what = format!("the preset {} inherits from itself", shown(name));
                let problem = Problem::error(ErrorCode::SourceInvalid, what);
                look.problem(problem.at(Location::file(&file.file)).help(REFUSED));
            }
            if preset.get("hidden") == Some(&Value::Bool(true)) {
                continue;
            }
            let own = words(words_before.iter().copied().chain([name]));
            let described = text("description").or_else(|| text("displayName"));
            let described = described
                .map_or_else(|| format!("{verb} with the preset {name}"), |own| format!("{verb}: {own}"));
            let own = SourceTask::own(format!("{task}:{name}"), own).described(described.as_str());
            let own = own.profile(Profile::Build).at(&file.file, None);
            let never = TaskListing::Never("its `condition` does not hold on this system");
            tasks.push(if is_enabled(&all, preset) { own } else { own.listing(never) });
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

/// The files of presets: the two that `CMake` looks for, and those that they include.
fn files(look: &mut SourceLook<'_>) -> Vec<TaskManifest> {
    let mut files: Vec<TaskManifest> = Vec::new();
    let first = ["CMakeUserPresets.json", "CMakePresets.json"];
    let mut waiting: Vec<(String, Vec<String>)> = first.map(|name| (name.to_owned(), Vec::new())).into();
    let mut known: Vec<String> = Vec::new();
    while let Some((name, above)) = waiting.pop() {
        if above.contains(&name) {
            let what = format!("{} is in a cycle of includes: it includes itself", shown(&name));
            let place = Location::file(look.place(&name));
            look.problem(Problem::error(ErrorCode::SourceInvalid, what).at(place).help(REFUSED));
        }
        if known.contains(&name) || !look.has_file(&name) {
            continue;
        }
        known.push(name.clone());
        let Some(manifest) = look.manifest(&name) else { continue };
        let version = manifest.get(&["version"]).and_then(Value::as_i64);
        if let Some(version) = version.filter(|version| !VERSIONS.contains(version)) {
            let what =
                format!("{} has the version {version}, which CMake up to 4.4 does not read", shown(&name));
            let place = Location::line(&manifest.file, manifest.line("version"));
            look.problem(Problem::warning(what).at(place).help(REFUSED));
        }
        let included = manifest.get(&["include"]).and_then(Value::as_array).into_iter().flatten();
        let literal = included.filter_map(Value::as_str).filter(|path| !path.contains('$'));
        let above = [above, vec![name.clone()]].concat();
        waiting.extend(literal.map(|own| (path::join(path::split(&name).0, own), above.clone())));
        files.push(manifest);
    }
    files
}

/// A preset, with its file.
type FoundPreset<'m> = (&'m TaskManifest, &'m Value);

/// The presets of a kind in all files.
fn presets<'m>(files: &'m [TaskManifest], key: &str) -> Vec<FoundPreset<'m>> {
    let of = |file: &'m TaskManifest| file.get(&[key]).and_then(Value::as_array).into_iter().flatten();
    files.iter().flat_map(|file| of(file).map(move |preset| (file, preset))).collect()
}

/// A preset and all that it inherits from, in the order in which they count. One that comes back ends the list.
fn lineage<'p>(all: &[FoundPreset<'p>], preset: &'p Value) -> Vec<&'p Value> {
    let mut found: Vec<&Value> = Vec::new();
    let mut waiting = vec![preset];
    while let Some(own) = waiting.pop().filter(|_| found.len() < MOST) {
        if found.iter().any(|other| std::ptr::eq(*other, own)) {
            continue;
        }
        found.push(own);
        let parents: Vec<&Value> = parents(own).filter_map(|name| named(all, name)).collect();
        if parents.iter().any(|parent| std::ptr::eq(*parent, preset)) {
            found.push(preset);
            break;
        }
        waiting.extend(parents.into_iter().rev());
    }
    found
}

/// The preset of this name.
fn named<'p>(all: &[FoundPreset<'p>], name: &str) -> Option<&'p Value> {
    all.iter().map(|(_, preset)| *preset).find(|preset| preset.get("name").is_some_and(|own| own == name))
}

/// Whether the condition of a preset holds here, as far as it can be known without `CMake`.
fn is_enabled(all: &[FoundPreset<'_>], preset: &Value) -> bool {
    let name = preset.get("name").and_then(Value::as_str).unwrap_or_default();
    inherited(all, preset, "condition").and_then(|condition| holds(condition, name, 0)) != Some(false)
}

/// Whether a condition holds, where only the preset's name and the system decide.
fn holds(condition: &Value, preset: &str, depth: usize) -> Option<bool> {
    if depth > DEEPEST {
        return None;
    }
    let text = |value: &Value| {
        let text = value.as_str()?.replace("${hostSystemName}", SYSTEM).replace("${presetName}", preset);
        (!text.contains('$')).then_some(text)
    };
    let key = |key: &str| condition.get(key);
    let inner = |one: &Value| holds(one, preset, depth + 1);
    let equal = || Some(text(key("lhs")?)? == text(key("rhs")?)?);
    let listed = || {
        let one = text(key("string")?)?;
        let all: Option<Vec<String>> = key("list")?.as_array()?.iter().map(text).collect();
        Some(all?.contains(&one))
    };
    let all = || Some(key("conditions")?.as_array()?.iter().map(inner).collect::<Vec<_>>());
    match key("type").and_then(Value::as_str) {
        None => condition.as_bool(),
        Some("const") => key("value")?.as_bool(),
        Some("equals") => equal(),
        Some("notEquals") => equal().map(|is| !is),
        Some("inList") => listed(),
        Some("notInList") => listed().map(|is| !is),
        Some("not") => inner(key("condition")?).map(|is| !is),
        // One part may decide, whatever the others are.
        Some(own @ ("anyOf" | "allOf")) => {
            let (all, decisive) = (all()?, own == "anyOf");
            if all.contains(&Some(decisive)) {
                Some(decisive)
            } else {
                (!all.contains(&None)).then_some(!decisive)
            }
        }
        Some(_) => None,
    }
}

/// The name that `CMake` has for this system.
const SYSTEM: &str = if cfg!(target_os = "macos") { "Darwin" } else { "Linux" };

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
    let all = presets(files, "configurePresets");
    let shown = all.iter().map(|(_, preset)| *preset);
    let shown = shown.filter(|own| own.get("hidden") != Some(&Value::Bool(true)) && is_enabled(&all, own));
    let folder = |preset: &Value| {
        let name = preset.get("name")?.as_str()?;
        let own = inherited(&all, preset, "binaryDir")?.as_str()?;
        let folder = own.replace("${presetName}", name).replace("${sourceDir}", ".");
        (!folder.contains('$')).then(|| (name.to_owned(), path::join(".", &folder)))
    };
    shown.filter_map(folder).collect()
}

/// The deepest condition, and the most parents of a preset, that are followed.
const DEEPEST: usize = 20;

/// The most presets that one inherits from, directly or not.
const MOST: usize = 100;

/// The names of the presets that a preset inherits from.
fn parents(preset: &Value) -> impl Iterator<Item = &str> {
    let named = preset.get("inherits").into_iter();
    let listed = named.clone().filter_map(Value::as_array).flatten();
    named.chain(listed).filter_map(Value::as_str).take(DEEPEST)
}

/// The value of a key in a preset, or in those that it inherits from. A `null` is none.
fn inherited<'p>(all: &[FoundPreset<'p>], preset: &'p Value, key: &str) -> Option<&'p Value> {
    lineage(all, preset).into_iter().find_map(|own| own.get(key).filter(|own| !own.is_null()))
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

#[cfg(test)]
mod tests {
    use super::super::taskfile::tests::listed;
    use super::*;

    #[test]
    fn presets_are_offered_as_cmake_lists_them() {
        let text = r#"{"version": 6, "configurePresets": [
            {"name": "base", "hidden": true, "binaryDir": "b/${presetName}"},
            {"name": "off", "inherits": "base", "condition": false},
            {"name": "const", "inherits": "base", "condition": {"type": "const", "value": false}},
            {"name": "child", "inherits": ["base", "off"]},
            {"name": "null", "inherits": "off", "condition": null},
            {"name": "own", "inherits": "off", "condition": true},
            {"name": "win", "inherits": "base", "condition": {"type": "equals", "lhs": "${hostSystemName}", "rhs": "Windows"}},
            {"name": "unix", "inherits": "base", "condition": {"type": "notEquals", "lhs": "${hostSystemName}", "rhs": "Windows"}},
            {"name": "list", "inherits": "base", "condition": {"type": "inList", "string": "${hostSystemName}", "list": ["Linux", "Darwin"]}},
            {"name": "nolist", "condition": {"type": "notInList", "string": "${presetName}", "list": ["nolist"]}},
            {"name": "any", "condition": {"type": "anyOf", "conditions": [false, {"type": "matches", "string": "a", "regex": "b"}]}},
            {"name": "all", "condition": {"type": "allOf", "conditions": [false, {"type": "matches", "string": "a", "regex": "b"}]}},
            {"name": "not", "condition": {"type": "not", "condition": true}},
            {"name": "env", "condition": {"type": "equals", "lhs": "$env{CI}", "rhs": "1"}}
        ], "testPresets": [{"name": "off", "configurePreset": "off"}]}"#;
        insta::assert_snapshot!(listed(&CMAKE, &[("CMakePresets.json", text)]), @"
        configure:own [cmake --preset own …]  Configure with the preset own
        configure:unix [cmake --preset unix …]  Configure with the preset unix
        configure:list [cmake --preset list …]  Configure with the preset list
        configure:any [cmake --preset any …]  Configure with the preset any
        configure:env [cmake --preset env …]  Configure with the preset env
        test:off [ctest --preset off …]  Test with the preset off
        build:own [cmake --build b/own …]  Build in the folder `b/own`
        build:unix [cmake --build b/unix …]  Build in the folder `b/unix`
        build:list [cmake --build b/list …]  Build in the folder `b/list`
        warning: cmake, ctest are not installed or not on the PATH (install CMake (https://cmake.org/download), or put it on the PATH)
        ");
    }

    #[test]
    fn cycles_and_unknown_versions_are_said_and_the_rest_is_offered() {
        let files = [
            (
                "CMakePresets.json",
                "{\n\"version\": 99,\n\"include\": [\"more/a.json\"],\n\"buildPresets\": [{\"name\": \"b\"}]}",
            ),
            ("more/a.json", r#"{"version": 6, "include": ["b.json"]}"#),
            (
                "more/b.json",
                r#"{"version": 6, "include": ["a.json"], "configurePresets": [
                {"name": "x", "inherits": ["y"]}, {"name": "y", "inherits": "x"}, {"name": "z", "inherits": "x"}]}"#,
            ),
        ];
        insta::assert_snapshot!(listed(&CMAKE, &files), @"
        configure:x [cmake --preset x …]  Configure with the preset x
        configure:y [cmake --preset y …]  Configure with the preset y
        configure:z [cmake --preset z …]  Configure with the preset z
        build:b [cmake --build --preset b …]  Build with the preset b
        warning: CMakePresets.json:2: CMakePresets.json has the version 99, which CMake up to 4.4 does not read (correct it: CMake refuses all presets until then)
        error: more/a.json: more/a.json is in a cycle of includes: it includes itself (correct it: CMake refuses all presets until then)
        error: more/b.json: the preset x inherits from itself (correct it: CMake refuses all presets until then)
        error: more/b.json: the preset y inherits from itself (correct it: CMake refuses all presets until then)
        ");
    }
}
