//! OCaml: build, test and format with dune.

use super::tasks::{SourceSpec, SourceTask, words};
use crate::model::{Profile, Word};

pub(super) const DUNE: SourceSpec = SourceSpec {
    id: "dune",
    codes: "DUNE",
    summary: "OCaml: build, test and format with dune",
    files: &["dune-project"],
    read: |look| {
        let dune = look.command(&["dune"]);
        let command = |own: &str| -> Vec<Word> { [dune.clone(), words([own])].concat() };
        let mut tasks = vec![
            SourceTask::usual("build", command("build"), "Build everything")
                .profile(Profile::Build)
                .repeatable(),
            SourceTask::usual("test", command("test"), "Build and run the tests").repeatable(),
        ];
        if look.has_file(".ocamlformat") {
            tasks.push(SourceTask::usual("fmt", command("fmt"), "Format the code").aliases(["format"]));
        }
        if !look.find(&["*.opam"]).is_empty() {
            let install = words(["opam", "install", ".", "--deps-only", "--with-test"]);
            let what = "Install what the packages depend on";
            tasks.push(SourceTask::usual("install", install, what).fetching());
        }
        tasks
    },
    programs: &[
        ("dune", "install dune: opam install dune"),
        ("opam", "install opam: https://opam.ocaml.org/doc/Install.html"),
    ],
    ..SourceSpec::BLANK
};
