//! `cuff --version --verbose`: how cuff was installed, as its package says.

use std::fs;
use std::os::unix::fs::symlink;

use crate::support::project::{Project, Run};

#[test]
fn the_verbose_version_says_how_cuff_was_installed() {
    let project = Project::empty();
    let prefix = project.outside().join("usr");
    fs::create_dir_all(prefix.join("bin")).unwrap();
    fs::create_dir_all(prefix.join("lib/cuff")).unwrap();
    let binary = prefix.join("bin/cuff");
    fs::copy(env!("CARGO_BIN_EXE_cuff"), &binary).unwrap();
    let record = r#"[{"path": "/elsewhere/", "by": "another", "upgrade": "-"}, {"by": "pkg", "upgrade": "pkg upgrade cuff"}]"#;
    fs::write(prefix.join("lib/cuff/installed.json"), record).unwrap();
    // A link of a package manager's, in a folder of the search path.
    let link = project.outside().join("cuff");
    symlink(&binary, &link).unwrap();

    let said = |words: &[&str]| {
        let mut command = std::process::Command::new(&link);
        command.args(words);
        project.surround(&mut command);
        Run::of(command).succeeded().stdout
    };
    let version = env!("CARGO_PKG_VERSION");
    let expected = format!(
        "cuff {version}\nbinary:       {}\ninstalled by: pkg\nto upgrade:   pkg upgrade cuff\nbuilt for:    {} on {}\nfeatures:     code, http\n",
        binary.display(),
        std::env::consts::OS,
        std::env::consts::ARCH
    );
    for words in [&["--version", "--verbose"][..], &["-v", "--version"], &["-Vv"]] {
        assert_eq!(said(words), expected, "{words:?}");
    }
    assert_eq!(said(&["--version"]), format!("cuff {version}\n"));
}
