//! The scripts that patterns and excludes of the scripts plugin choose.

use crate::support::project::Project;

#[test]
fn an_exclude_without_a_slash_means_names_anywhere_and_what_has_no_effect_is_warned_of() {
    let project = Project::empty();
    for file in ["scripts/run.sh", "scripts/test_run.sh", "scripts/deep/test_more.sh", "scripts/deep/more.sh"]
    {
        project.script(file, "#!/bin/sh\necho ran\n");
    }
    project.write(
        "settings.yml",
        "version: '1'\nplugins:\n  scripts:\n    config:\n      patterns: ['scripts/**/*.sh', 'tools/*.sh']\n      \
         exclude: ['test_*', 'old_*', 'scripts/none/*']\n",
    );
    let listed = project.cuff(["list", "--json"]).succeeded().json().to_string();
    assert!(listed.contains("script_scripts_run") && listed.contains("script_scripts_deep_more"), "{listed}");
    assert!(!listed.contains("test_run") && !listed.contains("test_more"), "{listed}");
    let said = project.cuff(["run", "scripts/deep/test_more.sh"]).ended_with(127).stderr;
    assert!(said.contains("Script is excluded"), "{said}");
    let shown = project.cuff(["list"]).succeeded();
    let said = shown.stdout + &shown.stderr;
    for idle in [
        "`tools/*.sh` under `patterns` matches no file",
        "`old_*` under `exclude` leaves nothing out",
        "`scripts/none/*` under `exclude` leaves nothing out",
    ] {
        assert!(said.contains(idle), "{idle}: {said}");
    }
    assert!(!said.contains("`test_*` under") && !said.contains("`scripts/**/*.sh` under"), "{said}");
    project.script("tools/new.sh", "#!/bin/sh\n");
    let shown = project.cuff(["list"]).succeeded();
    assert!(!(shown.stdout + &shown.stderr).contains("tools/*.sh"), "it matches now");
}
