//! Autotools: the script that makes `configure`, `configure` itself, and make where it writes the Makefile.

use super::tasks::{SourceLook, SourceSpec, SourceTask, words};

pub(super) const AUTOTOOLS: SourceSpec = SourceSpec {
    id: "autotools",
    codes: "AUTOTOOLS",
    summary: "Autotools: autogen, configure, and make with its check",
    files: &["configure.ac", "configure.in", "configure"],
    read,
    usual_advice: "install autoconf, automake, libtool and make",
    // Behind a task make reads further targets.
    runners: &["make"],
    ..SourceSpec::BLANK
};

/// The scripts by which projects make `configure`, the usual one first.
const BOOTSTRAPS: &[&str] = &["autogen.sh", "bootstrap", "bootstrap.sh", "buildconf"];

fn read(look: &mut SourceLook<'_>) -> Vec<SourceTask> {
    let is_source = look.source() != "configure";
    let is_configured = look.has_file("configure");
    let build = |name: &str, own: &[&str], description: &str| {
        SourceTask::usual(name, words(own.iter().copied()), description).building()
    };
    let mut tasks = Vec::new();
    if is_source {
        tasks.push(match look.first(BOOTSTRAPS) {
            Some(script) => build("autogen", &["sh", script], "Make `configure`").aliases([script]),
            None => build("autoreconf", &["autoreconf", "--install"], "Make `configure`"),
        });
    }
    if is_source || is_configured {
        tasks.push(build("configure", &["sh", "configure"], "Write the Makefile for this machine"));
    }
    // The targets of a Makefile that is there are listed already.
    let has_makefile = look.first(&["GNUmakefile", "makefile", "Makefile"]).is_some();
    if !has_makefile && look.first(&["Makefile.am", "Makefile.in"]).is_some() {
        tasks.push(build("build", &["make"], "Build, once it is configured"));
        tasks.push(build("check", &["make", "check"], "Build and run the tests").aliases(["test"]));
    }
    tasks
}
