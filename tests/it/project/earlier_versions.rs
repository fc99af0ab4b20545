//! What an earlier cuff has written is read by this one: settings, an approval, records. Each release leaves its files in `fixtures/kept`.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::support::project::Project;

/// The project of a version, with all that its cuff kept outside.
fn kept(version: &Path) -> Project {
    let name = version.file_name().and_then(|name| name.to_str()).expect("a version");
    let project = Project::of(&format!("kept/{name}/project")).unapproved();
    let home = project.outside().join("home");
    lay(&version.join("home"), &home, project.root());
    // A pin is named by the settings file's path, which is another one here.
    let file = project.root().join("settings.yml");
    let pin = format!("{}.json", blake3::hash(file.as_os_str().as_encoded_bytes()).to_hex());
    let pins = home.join("state/cuff/pins");
    fs::rename(pins.join("settings.json"), pins.join(pin)).expect("the pin of the settings");
    project
}

/// Copies a folder as cuff keeps it: for its user alone, with this project's path.
fn lay(from: &Path, to: &Path, root: &Path) {
    for entry in fs::read_dir(from).expect("a folder of ours") {
        let entry: PathBuf = entry.expect("an entry of it").path();
        let target = to.join(entry.file_name().expect("its name"));
        let mode = if entry.is_dir() { 0o700 } else { 0o600 };
        if entry.is_dir() {
            fs::create_dir_all(&target).expect("a folder of ours");
            lay(&entry, &target, root);
        } else {
            let bytes = fs::read(&entry).expect("a file of ours");
            let bytes = match String::from_utf8(bytes) {
                Ok(text) => text.replace("@ROOT@", root.to_str().expect("a path of ours")).into_bytes(),
                Err(binary) => binary.into_bytes(),
            };
            fs::write(&target, bytes).expect("a file of ours");
        }
        fs::set_permissions(&target, fs::Permissions::from_mode(mode)).expect("a file of ours");
    }
}

#[test]
fn files_of_earlier_versions_are_read() {
    let versions = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/kept");
    let mut versions: Vec<PathBuf> = fs::read_dir(versions)
        .expect("a folder of ours")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir())
        .collect();
    versions.sort();
    assert!(!versions.is_empty());
    for version in versions {
        let shown = version.display();
        let project = kept(&version);

        let list = project.cuff(["list"]).succeeded();
        assert_eq!(
            (list.stdout.as_str(), list.stderr.as_str()),
            (
                "scripts/\n  scripts/check.sh   Check the sources\n  scripts/deploy.sh  [asks] Run scripts/deploy.sh\n",
                ""
            ),
            "{shown}: settings"
        );

        let runs = project.cuff(["runs", "--json"]).succeeded().json();
        let runs: Vec<(&str, bool)> = runs["runs"]
            .as_array()
            .unwrap_or_else(|| panic!("{runs:#}"))
            .iter()
            .map(|run| (run["tool"].as_str().expect("a name"), run["success"].as_bool().expect("an end")))
            .collect();
        let expected = [("scripts.script_scripts_deploy", true), ("scripts.script_scripts_check", false)];
        assert_eq!(runs, expected, "{shown}: records");
        let log = project.cuff(["runs", "log", "01a217a0-6366"]).succeeded();
        assert_eq!(
            log.stdout, "done\nsrc/a.ts(3,7): error TS2304: Cannot find name 'x'.\n",
            "{shown}: a log"
        );
        let found = project.cuff(["runs", "diagnostics", "01a217a0-6366"]).succeeded().stdout;
        assert!(found.contains("src/a.ts:3:7") && found.contains("TS2304"), "{shown}: findings: {found}");

        let always = project.cuff(["approvals", "--always"]).succeeded().stdout;
        assert!(always.starts_with("scripts.script_scripts_deploy: /bin/sh "), "{shown}: {always}");
        let audit = project.cuff(["audit"]).succeeded().stdout;
        assert!(audit.contains("a person approved settings.yml"), "{shown}: {audit}");

        let status = project.cuff(["status"]).succeeded().stdout;
        assert!(status.contains("use the current settings"), "{shown}: the approval counts: {status}");
        let agent = project.variable("CLAUDECODE", "1");
        let run = agent.cuff(["run", "scripts/check.sh"]).ended_with(1);
        assert!(
            run.stdout.contains("error TS2304"),
            "{shown}: an agent has what was approved: {}",
            run.stderr
        );
    }
}
