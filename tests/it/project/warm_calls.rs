//! A call on a server that has answered before opens no file that did not change.
#![expect(clippy::unwrap_used, reason = "what the tests set up themselves is there")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use notify::event::{AccessKind, EventKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use serde_json::json;

use crate::support::mcp_session::McpSession;
use crate::support::project::Project;

/// Longer than a change may stay without a stamp of its own, and than the kernel takes to report an open
/// file.
const A_WHILE: Duration = Duration::from_millis(400);

/// Counts how often each of a few files is opened by any process.
struct Opened {
    _watcher: RecommendedWatcher,
    events: Receiver<PathBuf>,
}

impl Opened {
    fn of(files: &[PathBuf]) -> Self {
        let (sender, events) = channel();
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            let event = event.unwrap();
            if matches!(event.kind, EventKind::Access(AccessKind::Open(_))) {
                event.paths.into_iter().for_each(|path| drop(sender.send(path)));
            }
        })
        .unwrap();
        for file in files {
            watcher.watch(file, RecursiveMode::NonRecursive).unwrap();
        }
        Self { _watcher: watcher, events }
    }

    /// The files that were opened since the last look, by name.
    fn since(&self) -> BTreeMap<String, usize> {
        thread::sleep(A_WHILE);
        let mut opened = BTreeMap::new();
        for path in self.events.try_iter() {
            *opened.entry(name(&path)).or_default() += 1;
        }
        opened
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

fn counts<const N: usize>(expected: [(&str, usize); N]) -> BTreeMap<String, usize> {
    expected.into_iter().map(|(name, count)| (name.to_owned(), count)).collect()
}

#[test]
fn a_warm_call_opens_no_file_that_did_not_change() {
    let project = Project::empty();
    let mut files = vec![
        project.write("package.json", r#"{"scripts": {"test": "true"}}"#),
        project.write("Makefile", "all:\n\ttrue\n"),
        project.write(".env", "API_TOKEN=s3cr3t-of-the-file\n"),
        project.write(".env.local", "OTHER_TOKEN=s3cr3t-of-the-other\n"),
        project.script("scripts/say.sh", "#!/bin/sh\necho \"$1\" s3cr3t-of-the-file\n"),
    ];
    let preferences = project.outside().join("home/config/cuff/preferences.yml");
    fs::create_dir_all(preferences.parent().unwrap()).unwrap();
    fs::write(&preferences, "runs: {keep_days: 3}\n").unwrap();
    fs::set_permissions(&preferences, fs::Permissions::from_mode(0o600)).unwrap();
    project.cuff(["init", "--yes"]).succeeded();
    files.extend([preferences.clone(), project.root().join("settings.yml")]);
    thread::sleep(A_WHILE);

    let mut session = McpSession::begun(&project, &[]);
    let mut say = |word: &str| {
        let said = session.call("scripts.script_scripts_say", &json!({"args": [word]}));
        said["content"][0]["text"].as_str().unwrap().to_owned()
    };
    assert!(say("one").contains("one [redacted:API_TOKEN]"));
    say("two");
    let opened = Opened::of(&files);
    assert!(say("three").contains("three [redacted:API_TOKEN]"));
    // The shell that runs the script, and the look at what runs later, which trusts no stamp after a run.
    let warm = || counts([("say.sh", 1), ("settings.yml", 1)]);
    assert_eq!(opened.since(), warm());

    // A changed file is read, once.
    fs::write(&files[2], "API_TOKEN=s3cr3t-that-is-new\n").unwrap();
    fs::write(&files[4], "#!/bin/sh\necho \"$1\" s3cr3t-that-is-new\n").unwrap();
    fs::write(&preferences, "runs: {keep_days: 4}\n").unwrap();
    opened.since();
    assert!(say("four").contains("four [redacted:API_TOKEN]"));
    let again = opened.since();
    assert_eq!(again.get(".env"), Some(&1), "{again:?}");
    assert_eq!(again.get("preferences.yml"), Some(&1), "{again:?}");
    assert!(again.get("say.sh").is_some_and(|count| *count > 1), "{again:?}");
    assert_eq!((again.get("settings.yml"), again.get("Makefile")), (Some(&1), None), "{again:?}");
    say("five");
    assert_eq!(opened.since(), warm());

    let settings = project.read("settings.yml");
    project.write("settings.yml", format!("{settings}# a remark\n"));
    opened.since();
    say("six");
    let again = opened.since();
    assert!(again.contains_key("settings.yml"), "{again:?}");
    say("seven");
    assert_eq!(opened.since(), warm());
    session.leave();
}
