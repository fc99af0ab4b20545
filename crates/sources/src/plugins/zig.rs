//! Zig: the build, and the steps of build.zig that are named in its text.

use super::literal::literal_calls;
use super::tasks::{SourceLook, SourceSpec, SourceTask, complete};
use crate::model::Profile;

pub(super) const ZIG: SourceSpec = SourceSpec {
    id: "zig",
    codes: "ZIG",
    summary: "Zig: build, and the steps of build.zig",
    files: &["build.zig"],
    read,
    programs: &[("zig", "install Zig: https://ziglang.org/download")],
    separator: Some("--"),
    ..SourceSpec::BLANK
};

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let Some(text) = look.text("build.zig") else { return Vec::new() };
    let zig = look.program(&["zig"]);
    let step = |name: &str, description: Option<&str>| {
        zig.own(name, &["build", name]).described(description).profile(Profile::Build)
    };
    let mut tasks =
        vec![zig.usual("build", &["build"], "Build and install into zig-out").building().without_words()];
    let place = look.place("build.zig");
    let calls = literal_calls(text, ".step(");
    tasks.extend(calls.iter().map(|own| step(own.name, own.text).at(&place, Some(own.line))));
    tasks.push(zig.usual("fetch", &["build", "--fetch"], "Download what build.zig.zon names").fetching());
    complete(look, tasks, zig.words(&["build", "--list-steps"]), |out| {
        let listed = out.lines().filter_map(|line| {
            let (name, description) = line.trim().split_once("  ")?;
            Some((name.trim_end_matches(" (default)"), description.trim()))
        });
        let brought = ["install", "uninstall"];
        listed
            .filter(|(name, _)| !brought.contains(name))
            .map(|(name, text)| step(name, Some(text)).at(&place, None))
            .collect()
    })
}
