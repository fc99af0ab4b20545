//! Swift: the everyday commands of a package.

use super::literal::literal_calls;
use super::tasks::{SourceLook, SourceSpec, SourceTask, words};

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
    let swift = look.program(&["swift"]);
    let mut tasks = vec![swift.usual("build", &["build"], "Build everything").building()];
    if text.contains(".testTarget(") {
        tasks.push(swift.usual("test", &["test"], "Build and run the tests").repeatable());
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
        tasks.push(swift.usual("run", &["run"], &description));
    }
    if look.has_file(".swiftlint.yml") {
        let lint = SourceTask::usual("lint", words(["swiftlint"]), "Find problems with SwiftLint");
        tasks.push(lint.building());
    }
    tasks.push(
        swift.usual("resolve", &["package", "resolve"], "Download what the package depends on").fetching(),
    );
    tasks
}
