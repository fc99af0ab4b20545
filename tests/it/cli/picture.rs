//! docs/terminal.svg is a recording of the real program. To draw it again:
//! `INSTA_UPDATE=always cargo test --test it -- picture`.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::project::Project;
use crate::support::tools;

#[test]
fn the_picture_shows_what_cuff_prints() {
    let needed = ["node", "npm", "make", "python3", "git"];
    let found: Vec<_> = needed.iter().filter_map(|name| tools::require(name)).collect();
    if found.len() < needed.len() {
        return;
    }
    // Programs that some machines lack are no part of the picture.
    let project = Project::of("demo");
    let bin = project.outside().join("bin");
    fs::create_dir(&bin).unwrap();
    for (name, program) in needed.iter().zip(&found) {
        std::os::unix::fs::symlink(program, bin.join(name)).unwrap();
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let drawn = Command::new("python3")
        .arg(root.join("demo/picture"))
        .arg(env!("CARGO_BIN_EXE_cuff"))
        .env("PATH", format!("{}:/usr/bin:/bin", bin.display()))
        .output()
        .unwrap();
    assert!(drawn.status.success(), "{}", String::from_utf8_lossy(&drawn.stderr));
    let drawn = String::from_utf8(drawn.stdout).unwrap();
    let file = root.join("docs/terminal.svg");
    let shown = fs::read_to_string(&file).unwrap_or_default();
    // A busy machine takes longer.
    let times = regex::Regex::new(r"\d+(\.\d)? s\b( ago)?").unwrap();
    let without_times = |text: &str| times.replace_all(text, "some time").into_owned();
    let is_same = without_times(&shown) == without_times(&drawn);
    if !is_same && env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(&file, drawn).unwrap();
    } else {
        let again = "`INSTA_UPDATE=always cargo test --test it -- picture` draws it again";
        assert!(is_same, "docs/terminal.svg shows something else; {again}:\n{drawn}");
    }
}
