//! Swift: the everyday commands of a package.

use super::literal::literal_calls;
use super::tasks::{SourceLook, SourceSpec, SourceTask, words};
use crate::model::{Profile, Word};

pub(super) const SWIFT: SourceSpec = SourceSpec {
    id: "swift",
    codes: "SWIFT",
    summary: "Swift: build, test and run a package",
    files: &["Package.swift"],
    read,
    programs: &[
        ("swift", "install Swift: https://www.swift.org/install"),
        ("swiftlint", "install SwiftLint: https://github.com/realm/SwiftLint"),
    ],
    ..SourceSpec::BLANK
};

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let Some(text) = look.text("Package.swift") else { return Vec::new() };
    let swift = look.command(&["swift"]);
    let command = |own: &[&str]| -> Vec<Word> { [swift.clone(), words(own.iter().copied())].concat() };
    let mut tasks = vec![
        SourceTask::usual("build", command(&["build"]), "Build everything")
            .profile(Profile::Build)
            .repeatable(),
    ];
    if text.contains(".testTarget(") {
        tasks.push(SourceTask::usual("test", command(&["test"]), "Build and run the tests").repeatable());
    }
    let declared = [".executable(name:", ".executableTarget(name:"].map(|front| literal_calls(text, front));
    let mut programs: Vec<&str> = declared.iter().flatten().map(|own| own.name).collect();
    programs.sort_unstable();
    programs.dedup();
    if !programs.is_empty() {
        let description = match &programs[..] {
            [_] => "Build the program and run it".to_owned(),
            _ => format!("Build a program and run it, by its name: {}", programs.join(", ")),
        };
        tasks.push(SourceTask::usual("run", command(&["run"]), &description));
    }
    if look.has_file(".swiftlint.yml") {
        let lint = SourceTask::usual("lint", words(["swiftlint"]), "Find problems with SwiftLint");
        tasks.push(lint.profile(Profile::Build).repeatable());
    }
    tasks.push(
        SourceTask::usual(
            "resolve",
            command(&["package", "resolve"]),
            "Download what the package depends on",
        )
        .fetching(),
    );
    tasks
}
