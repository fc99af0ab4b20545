#![expect(clippy::disallowed_methods, reason = "tests write the files that are held")]

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::{Duration, Instant};

use super::super::{FileToHold, HeldFiles, Hold, Keeps, Write};

fn hold(paths: &[&Path]) -> HeldFiles {
    HeldFiles::hold(paths.iter().map(|path| FileToHold { path: path.to_path_buf(), keeps: None }).collect())
}

fn writes(held: &HeldFiles) -> Vec<Write> {
    held.states().into_iter().map(|state| state.write).collect()
}

/// A folder with the file `sub/file`, and a link to it.
fn scene() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    fs::write(folder.path().join("sub/file"), "a").unwrap();
    symlink("sub/file", folder.path().join("link")).unwrap();
    folder
}

#[test]
fn whatever_is_done_to_a_file_and_undone_is_noticed() {
    type Undone = fn(&Path);
    let deeds: [(&str, Undone); 8] = [
        ("written in place", |at| {
            fs::write(at.join("sub/file"), "b").unwrap();
            fs::write(at.join("sub/file"), "a").unwrap();
        }),
        ("opened for writing", |at| drop(OpenOptions::new().append(true).open(at.join("sub/file")).unwrap())),
        ("cut off", |at| nix::unistd::truncate(&at.join("sub/file"), 1).unwrap()),
        ("written by another name", |at| {
            fs::hard_link(at.join("sub/file"), at.join("other")).unwrap();
            fs::write(at.join("other"), "a").unwrap();
        }),
        ("replaced", |at| {
            fs::rename(at.join("sub/file"), at.join("sub/aside")).unwrap();
            fs::write(at.join("sub/file"), "b").unwrap();
            fs::rename(at.join("sub/aside"), at.join("sub/file")).unwrap();
        }),
        ("in a folder that was replaced", |at| {
            fs::rename(at.join("sub"), at.join("aside")).unwrap();
            fs::create_dir(at.join("sub")).unwrap();
            fs::rename(at.join("aside"), at.join("sub")).unwrap();
        }),
        ("behind a link that was replaced", |at| {
            fs::rename(at.join("link"), at.join("aside")).unwrap();
            symlink("other", at.join("link")).unwrap();
            fs::rename(at.join("aside"), at.join("link")).unwrap();
        }),
        ("made and removed", |at| {
            fs::write(at.join("sub/absent"), "b").unwrap();
            fs::remove_file(at.join("sub/absent")).unwrap();
        }),
    ];
    for (what, deed) in deeds {
        let folder = scene();
        let at = folder.path();
        let held = hold(&[&at.join("link"), &at.join("sub/absent")]);
        assert_eq!(held.states(), vec![Hold::default(); 2], "{what}");
        fs::write(at.join("sub/neighbour"), "b").unwrap();
        fs::read(at.join("sub/file")).unwrap();
        assert_eq!(writes(&held), [Write::None; 2], "{what}");
        deed(at);
        assert!(writes(&held).contains(&Write::Written), "{what}: {:?}", held.states());
    }
}

#[test]
fn a_writer_waits_no_longer_than_for_a_thread_and_only_once() {
    let folder = scene();
    let path = folder.path().join("sub/file");
    for _ in 0..20 {
        let held = hold(&[&path, &path]);
        let start = Instant::now();
        for _ in 0..10 {
            fs::write(&path, "b").unwrap();
        }
        // The kernel would make it wait for 45 seconds.
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
        assert_eq!(writes(&held), [Write::Written; 2]);
    }
}

#[test]
fn a_file_with_a_writer_cannot_be_held() {
    let folder = scene();
    let path = folder.path().join("sub/file");
    let writer = OpenOptions::new().append(true).open(&path).unwrap();
    assert_eq!(hold(&[&path]).states(), [Hold { is_busy: true, ..Hold::default() }]);
    drop(writer);
    assert_eq!(hold(&[&path]).states(), [Hold::default()]);
}

#[test]
fn a_part_that_was_another_for_some_time_is_noticed() {
    let folder = scene();
    let path = folder.path().join("sub/file");
    let held = || {
        let of = path.clone();
        let keeps: Keeps = Box::new(move || fs::read(&of).is_ok_and(|bytes| bytes.first() == Some(&b'a')));
        HeldFiles::hold(vec![FileToHold { path: path.clone(), keeps: Some(keeps) }])
    };
    let one = held();
    fs::write(&path, "a and more").unwrap();
    let mut writer = OpenOptions::new().append(true).open(&path).unwrap();
    writer.write_all(b" and more").unwrap();
    drop(writer);
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(writes(&one), [Write::Written]);

    // In place, and by another file, each for a moment.
    for aside in [false, true] {
        fs::write(&path, "a").unwrap();
        let one = held();
        let other = folder.path().join("sub/other");
        fs::write(&other, "b").unwrap();
        if aside {
            fs::rename(&other, &path).unwrap();
        } else {
            fs::write(&path, "b").unwrap();
        }
        std::thread::sleep(Duration::from_millis(50));
        fs::write(&path, "a").unwrap();
        assert_eq!(writes(&one), [Write::Differed], "aside: {aside}");
    }
}

#[test]
fn a_file_of_another_user_is_told() {
    let held = hold(&[Path::new("/etc/passwd")]);
    let expected = (!nix::unistd::geteuid().is_root()).then(|| "it belongs to another user".to_owned());
    assert_eq!(held.states(), [Hold { gap: expected, ..Hold::default() }]);
}
