//! The start of a supervised process, its failures, and the report of its end.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use cuff::model::{Identity, NotStarted};
use cuff::sys::Environment;
use cuff::sys::process::{Job, MARKER, Pipes, ProcessEnd, Supervisor, spawn};

use super::{Seen, complete, shell, start, supervisor};

#[tokio::test]
async fn exit_codes_and_signals_are_reported() {
    for (script, end) in [
        ("exit 0", ProcessEnd::Exited(0)),
        ("exit 1", ProcessEnd::Exited(1)),
        ("exit 255", ProcessEnd::Exited(255)),
        ("kill -TERM $$", ProcessEnd::Signalled(15)),
        ("kill -KILL $$", ProcessEnd::Signalled(9)),
        // The supervisor does not take a polite hint from the tool.
        ("kill -TERM $PPID; kill -HUP $PPID; kill -INT $PPID; exit 6", ProcessEnd::Exited(6)),
    ] {
        assert_eq!(complete(&shell(script, &[])).await.end, Some(end), "{script}");
    }
}

#[tokio::test]
async fn arguments_are_words_however_many() {
    let hostile = ["$(id)", "a b", "", "'\"", "\n", "-c", "--", "ü", "*"];
    let seen = complete(&shell(r#"printf '<%s>' "$@""#, &hostile)).await;
    assert_eq!(seen.out(), hostile.map(|word| format!("<{word}>")).concat());
    let many = vec!["word"; 100_000];
    assert_eq!(complete(&shell("echo $#", &many)).await.out(), "100000\n");
}

#[tokio::test]
async fn too_long_and_impossible_words_are_reported() {
    let long = "x".repeat(128 * 1024);
    for (word, expected) in [(long.as_str(), "larger than the operating system allows"), ("a\0b", "nul byte")]
    {
        let seen = complete(&shell(":", &[word])).await;
        let Some(NotStarted::Other(text)) = &seen.not_started else { panic!("{seen:?}") };
        assert!(text.contains(expected), "{text}");
        assert!(text.len() < 300);
        assert_eq!((seen.pid, seen.end, seen.lost), (None, None, false));
    }
}

#[tokio::test]
async fn the_environment_is_inherited_and_changed() {
    let job = Job {
        environment: [("A", "changed"), ("C", "1"), ("C", "2")].map(|(n, v)| (n.into(), v.into())).into(),
        ..shell(&format!("echo $A $B $C $PWD; echo $PATH ${MARKER} $$; exec env | wc -l"), &[])
    };
    let inherited = Environment::new("/", [("A", "first"), ("B", "kept"), ("PATH", "/usr/bin:/bin")]);
    let mut markers = Vec::new();
    for _ in 0..2 {
        let mut running = spawn(&supervisor(), &inherited, &job, Pipes::Two, None).await.unwrap();
        let seen = Seen::default().finish(&mut running).await;
        let lines: Vec<_> = seen.out().lines().collect();
        assert_eq!(lines[0], "changed kept 2 /");
        let [path, marker, pid] = lines[1].split(' ').collect::<Vec<_>>()[..] else { panic!("{lines:?}") };
        assert_eq!((path, pid), ("/usr/bin:/bin", seen.pid.unwrap().to_string().as_str()));
        markers.push(marker.to_owned());
        // A, B, C, PATH, the marker, and PWD.
        assert_eq!(lines[2], "6");
    }
    assert!(!markers[0].is_empty() && markers[0] != markers[1], "{markers:?}");
}

#[tokio::test]
#[cfg(target_os = "linux")]
async fn nothing_is_inherited_but_three_descriptors() {
    use nix::fcntl::{FcntlArg, fcntl};

    // A descriptor such as careless hosts leak: open across exec.
    let file = fs::File::open("/dev/null").unwrap();
    let leaked = fcntl(&file, FcntlArg::F_DUPFD(50)).unwrap();
    let script = "for number in /proc/$$/fd/*; do [ -e $number ] && printf '%s ' ${number##*/}; done; \
                  read line && echo input; ( : </dev/tty ) 2>/dev/null && echo terminal; readlink /proc/$$/fd/0";
    assert_eq!(complete(&shell(script, &[])).await.out(), "0 1 2 /dev/null\n", "leaked {leaked}");
    // Nor can the tool reopen it through its parent.
    let parents =
        format!("[ -e /proc/$PPID/fd/{leaked} ] && echo reachable; [ -e /proc/$PPID/fd/0 ] && echo ok");
    // Only root sees descriptors of a supervisor at all.
    let expected = if nix::unistd::geteuid().is_root() { "ok\n" } else { "" };
    assert_eq!(complete(&shell(&parents, &[])).await.out(), expected, "leaked {leaked}");
    nix::unistd::close(leaked).unwrap();
}

#[tokio::test]
#[cfg(target_os = "linux")]
async fn signals_are_as_at_boot() {
    use nix::sys::signal::{SigSet, Signal};

    let mut blocked = SigSet::empty();
    blocked.add(Signal::SIGUSR1);
    blocked.thread_block().unwrap();
    let script = "sed -n 's/^Sig\\(Blk\\|Ign\\):\t//p' /proc/self/status";
    let seen = complete(&shell(script, &[])).await;
    blocked.thread_unblock().unwrap();
    // The C library ignores signal 32, its own, in processes that it spawns, such as this test.
    let sets = seen.out().lines().map(|set| u64::from_str_radix(set, 16).unwrap() & 0x7fff_ffff);
    assert!(sets.eq([0, 0]), "{}", seen.out());
}

#[tokio::test]
async fn a_process_leads_its_own_session() {
    let seen = complete(&shell("ps -o pid= -o pgid= -o sess= -p $$", &[])).await;
    let pid = seen.pid.unwrap().to_string();
    assert!(seen.out().split_whitespace().eq([&pid, &pid, &pid]), "{seen:?}");
}

#[tokio::test]
async fn a_missing_program_interpreter_or_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("run");
    fs::write(&script, "#!/no/such/interpreter\n").unwrap();
    fs::set_permissions(&script, Permissions::from_mode(0o755)).unwrap();
    let gone = Job { directory: "/no/such/folder".into(), ..shell(":", &[]) };
    assert_eq!(
        complete(&gone).await.not_started,
        Some(NotStarted::DirectoryMissing("/no/such/folder".into()))
    );
    for (program, expected) in [
        (script.as_path(), "the interpreter that its first line names"),
        (Path::new("/no/such/program"), "is gone"),
        (Path::new("/etc/passwd"), "chmod +x"),
    ] {
        let seen = complete(&Job { program: program.into(), ..shell(":", &[]) }).await;
        let Some(NotStarted::Other(text)) = &seen.not_started else { panic!("{seen:?}") };
        assert!(text.contains(expected) && text.contains(program.to_str().unwrap()), "{text}");
    }
}

#[tokio::test]
async fn a_script_runs_only_while_it_is_the_one_that_was_found() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let (script, other) = (root.join("sub/run.sh"), root.join("other.sh"));
    fs::create_dir(root.join("sub")).unwrap();
    fs::write(&script, "echo found").unwrap();
    fs::write(&other, "echo other").unwrap();
    let file = fs::metadata(&script).unwrap();
    let identity = Identity { path: script.clone(), device: file.dev(), inode: file.ino() };
    let job =
        Job { arguments: vec![script.to_str().unwrap().into()], script: Some(identity), ..shell("", &[]) };
    let changed = Some(NotStarted::ScriptChanged(script.to_str().unwrap().into()));

    assert_eq!(complete(&job).await.out(), "found\n");
    // The same file edited in place is still the same file.
    fs::write(&script, "echo edited").unwrap();
    assert_eq!(complete(&job).await.out(), "edited\n");
    // Kept elsewhere, so that its inode stays taken.
    fs::rename(&script, root.join("kept.sh")).unwrap();
    assert_eq!(complete(&job).await.not_started, changed);
    fs::copy(&other, &script).unwrap();
    assert_eq!(complete(&job).await.not_started, changed);
    fs::remove_file(&script).unwrap();
    symlink(root.join("kept.sh"), &script).unwrap();
    assert_eq!(complete(&job).await.not_started, changed);
    // A folder on the way that became a link leads to the same file and is still refused.
    fs::remove_file(&script).unwrap();
    fs::rename(root.join("kept.sh"), &script).unwrap();
    fs::rename(root.join("sub"), root.join("moved")).unwrap();
    symlink(root.join("moved"), root.join("sub")).unwrap();
    assert_eq!(complete(&job).await.not_started, changed);
}

#[tokio::test]
async fn a_wrong_supervisor_is_reported() {
    let job = shell(":", &[]);
    let environment = Environment::of_process().unwrap();
    spawn(&Supervisor::at("/no/such/cuff"), &environment, &job, Pipes::Two, None).await.unwrap_err();
    let mut running =
        spawn(&Supervisor::at("/bin/true"), &environment, &job, Pipes::Two, None).await.unwrap();
    let seen = Seen::default().finish(&mut running).await;
    assert_eq!((seen.lost, seen.pid, seen.end), (true, None, None));
    // cuff reads its outputs, and a supervisor started by hand explains its purpose.
    let by_hand = std::process::Command::new(env!("CARGO_BIN_EXE_cuff"))
        .arg("__supervise")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert!(String::from_utf8(by_hand.stderr).unwrap().contains("is started by cuff itself"));
    assert!(!by_hand.status.success());
    drop(start(&job).await);
}
