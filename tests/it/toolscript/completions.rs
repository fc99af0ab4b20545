//! Completion of `toolscript`, which is that of `cuff toolscript`.

use std::fs;
use std::path::Path;

use super::{scripts, toolscript};
use crate::support::project::Project;

/// The scripts of `toolscript` are those of cuff under its name. `INSTA_UPDATE=always` writes them.
#[test]
fn the_scripts_of_toolscript_are_those_in_the_repository() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("completions");
    for (shell, file) in [
        ("bash", "toolscript.bash"),
        ("zsh", "_toolscript"),
        ("fish", "toolscript.fish"),
        ("powershell", "toolscript.ps1"),
        ("elvish", "toolscript.elv"),
    ] {
        let printed = toolscript(&Project::empty(), &["completions", shell]).succeeded().stdout;
        if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
            fs::write(folder.join(file), &printed).expect("a script");
        }
        let kept = fs::read_to_string(folder.join(file)).expect("a script");
        assert_eq!(
            printed, kept,
            "completions/{file} is stale: INSTA_UPDATE=always cargo test --test it -- scripts_of_toolscript"
        );
    }
}

#[test]
fn toolscript_completes_its_commands_sources_tools_and_files() {
    let project = scripts();
    let names = |line: &str| {
        let words: Vec<&str> = ["__complete", "bash"].into_iter().chain(line.split(' ')).collect();
        let answer = toolscript(&project, &words).succeeded().stdout;
        answer.lines().filter_map(|line| line.split('\t').next()).collect::<Vec<_>>().join(" ")
    };
    for (line, expected) in [
        (
            "toolscript ",
            "nothing exec list-servers list-tools get-types search gateway doctor completions status help",
        ),
        ("toolscript gre", "nothing"),
        ("toolscript exec ", "files"),
        ("toolscript exec --file=a", "files"),
        ("toolscript exec --all", "nothing --allow"),
        ("toolscript exec --allow ", "nothing npm.*"),
        ("toolscript exec --allow npm.npm_count,npm.npm_g", "nothing npm.npm_count,npm.npm_greet"),
        ("toolscript list-tools ", "nothing npm"),
        ("toolscript -C . list-tools n", "nothing npm"),
        ("toolscript get-types --filter npm.npm_b", "nothing npm.npm_broken"),
        ("toolscript gateway st", "nothing start status stop"),
        ("toolscript gateway stop --session ", "nothing"),
        ("toolscript completions z", "nothing zsh"),
    ] {
        assert_eq!(names(line), expected, "{line}");
    }
}
