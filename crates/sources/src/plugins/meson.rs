//! Meson: setup, compile and test, in the folder `build`.

use super::tasks::{SourceLook, SourceSpec, SourceTask};

pub(super) const MESON: SourceSpec = SourceSpec {
    id: "meson",
    codes: "MESON",
    summary: "Meson: setup, compile and test, in the folder build",
    files: &["meson.build"],
    read,
    programs: &[("meson", "install Meson: https://mesonbuild.com/Getting-meson.html")],
    ..SourceSpec::BLANK
};

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    // Only the folder of a whole project can be set up.
    let is_project = |text: &str| text.lines().any(|line| line.trim_start().starts_with("project("));
    if !look.text("meson.build").is_some_and(is_project) {
        return Vec::new();
    }
    let meson = look.program(&["meson"]);
    let build = |name: &str, own: &[&str], description: &str| meson.usual(name, own, description).building();
    vec![
        build("setup", &["setup", "build"], "Configure the folder `build`").aliases(["configure"]),
        build("compile", &["compile", "-C", "build"], "Build in the folder `build`").aliases(["build"]),
        build("test", &["test", "-C", "build"], "Build and run the tests of the folder `build`"),
    ]
}
