//! OCaml: build, test and format with dune.

use super::tasks::{SourceSpec, SourceTask, words};

pub(super) const DUNE: SourceSpec = SourceSpec {
    id: "dune",
    codes: "DUNE",
    summary: "OCaml: build, test and format with dune",
    files: &["dune-project"],
    read: |look| {
        let dune = look.program(&["dune"]);
        let mut tasks = vec![
            dune.usual("build", &["build"], "Build everything").building(),
            dune.usual("test", &["test"], "Build and run the tests").repeatable(),
        ];
        if look.has_file(".ocamlformat") {
            tasks.push(dune.usual("fmt", &["fmt"], "Format the code").aliases(["format"]));
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
