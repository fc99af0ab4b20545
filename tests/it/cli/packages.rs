//! npm's `cuff`, a script that becomes the binary of this platform, and what it says where that is missing. `make dist-test` installs
//! the packages themselves.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::project::{Project, Run};
use crate::support::tools;

const PLATFORMS: [(&str, &str); 4] = [
    ("Linux x86_64", "cuff-linux-x64"),
    ("Linux aarch64", "cuff-linux-arm64"),
    ("Darwin arm64", "cuff-darwin-arm64"),
    ("Darwin x86_64", "cuff-darwin-x64"),
];

/// A folder with npm's main package, and a machine of any kind.
struct Installed {
    project: Project,
}

impl Installed {
    fn new() -> Self {
        let installed = Self { project: Project::empty() };
        for name in ["cuff", "toolscript"] {
            let shim = installed.file(&format!("node_modules/cuff/bin/{name}"));
            fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/npm/shim"), shim)
                .expect("a file of ours");
            // As npm links it.
            let link = installed.file(&format!("node_modules/.bin/{name}"));
            symlink(format!("../cuff/bin/{name}"), link).expect("a file of ours");
        }
        installed
    }

    fn file(&self, path: &str) -> PathBuf {
        let file = self.project.root().join(path);
        fs::create_dir_all(file.parent().expect("a file of ours")).expect("a file of ours");
        file
    }

    /// Installs a platform's package, whose binaries print their path and words.
    fn with_platform(&self, package: &str) {
        for name in ["cuff", "toolscript"] {
            self.project.script(&format!("{package}/bin/{name}"), "#!/bin/sh\necho \"$0\" \"$@\"\n");
        }
        self.project.write(&format!("{package}/lib/cuff/installed.json"), "[]");
    }

    /// Starts it by a path, on a machine that calls itself so.
    fn start(&self, path: &str, machine: &str) -> Run {
        let uname = self.project.script("bin/uname", format!("#!/bin/sh\necho {machine}\n"));
        let mut command = Command::new(self.project.root().join(path));
        command.args(["run", "two words"]);
        self.project.surround(&mut command);
        command.env("PATH", format!("{}:/usr/bin:/bin", uname.parent().expect("a file of ours").display()));
        Run::of(command)
    }
}

#[test]
fn npms_cuff_becomes_the_binary_of_the_platform() {
    for (machine, package) in PLATFORMS {
        // Beside the main package, within it (as npm does for all projects), and above it (in a workspace).
        for folder in ["node_modules", "node_modules/cuff/node_modules"] {
            let installed = Installed::new();
            let package = format!("{folder}/{package}");
            installed.with_platform(&package);
            for name in ["cuff", "toolscript"] {
                let binary = installed.project.root().join(&package).join("bin").join(name);
                for path in [format!("node_modules/.bin/{name}"), format!("node_modules/cuff/bin/{name}")] {
                    let run = installed.start(&path, machine).succeeded();
                    assert_eq!(run.stdout, format!("{} run two words\n", binary.display()), "{machine}");
                }
            }
        }
    }
    // Apple's translator starts programs for the other processor.
    let installed = Installed::new();
    installed.with_platform("node_modules/cuff-darwin-x64");
    installed.start("node_modules/.bin/cuff", "Darwin arm64").succeeded();
}

/// Yarn keeps packages in archives, and starts what lies in them with node.
#[test]
fn npms_cuff_is_a_program_for_node_as_well() {
    if tools::require("node").is_none() {
        return;
    }
    let system = if cfg!(target_os = "macos") { "darwin" } else { "linux" };
    let processor = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    let package = format!("node_modules/cuff-{system}-{processor}");
    let installed = Installed::new();
    let start = || {
        let mut command = Command::new("node");
        command.args(["node_modules/cuff/bin/toolscript", "run", "two words"]);
        installed.project.surround(&mut command);
        Run::of(command)
    };
    let expected = format!("error: the package with cuff for {system}-{processor} cannot be started: ");
    let run = start().ended_with(127);
    assert!(run.stderr.starts_with(&expected), "{}", run.stderr);
    installed.with_platform(&package);
    let binary = installed.project.root().join(&package).join("bin/toolscript");
    assert_eq!(start().succeeded().stdout, format!("{} run two words\n", binary.display()));
}

#[test]
fn npms_cuff_names_the_package_that_is_missing() {
    for (machine, package) in PLATFORMS {
        let run = Installed::new().start("node_modules/.bin/cuff", machine).ended_with(127);
        let expected = format!(
            "error: the package with cuff for {machine} is missing: {package}\nhelp: install cuff again without `--omit=optional` or `--no-optional`; from files name both packages: `npm install A.tgz B.tgz`\n"
        );
        assert_eq!((run.stdout, run.stderr), (String::new(), expected));
    }
}

#[test]
fn npms_cuff_names_the_platforms_where_there_is_none_for_this_one() {
    let run = Installed::new().start("node_modules/.bin/cuff", "FreeBSD amd64").ended_with(127);
    let expected = "error: cuff has no package for FreeBSD amd64\nhelp: there are packages for Linux and macOS on x86_64 and arm64; with Rust, `make install` in a clone of cuff builds it\n";
    assert_eq!(run.stderr, expected);
}

#[test]
fn npms_cuff_starts_no_half_of_a_package() {
    for missing in ["bin/cuff", "lib/cuff/installed.json"] {
        let installed = Installed::new();
        installed.with_platform("node_modules/cuff-linux-x64");
        let package = installed.project.root().join("node_modules/cuff-linux-x64");
        fs::remove_file(package.join(missing)).unwrap();
        let run = installed.start("node_modules/.bin/cuff", "Linux x86_64").ended_with(127);
        let expected = format!(
            "error: the package in {} is not whole\nhelp: remove that folder, and install cuff again with npm\n",
            package.display()
        );
        assert_eq!(run.stderr, expected, "without {missing}");
    }
    let shim = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/npm/shim");
    assert_eq!(
        fs::metadata(shim).unwrap().permissions().mode() & 0o111,
        0o111,
        "npm keeps the mode of files"
    );
}

/// The version and the platforms stand in several files that no program writes.
#[test]
fn versions_and_platforms_are_the_same_everywhere() {
    let read = |path: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    for (file, line) in [
        ("Cargo.toml", format!("cuff-model = {{ path = \"crates/model\", version = \"{version}\" }}")),
        ("plugins/cuff/.claude-plugin/plugin.json", format!("  \"version\": \"{version}\",")),
        ("plugins/toolscript/.claude-plugin/plugin.json", format!("  \"version\": \"{version}\",")),
    ] {
        assert!(read(file).lines().any(|found| found == line), "{file} has no line `{line}`");
    }
    let changes = read("CHANGELOG.md");
    let heading = changes.lines().find(|line| line.starts_with("## ")).expect("a heading");
    let is_released = heading.starts_with(&format!("## [{version}] - 20"));
    assert!(is_released || heading == "## [Unreleased]", "CHANGELOG.md begins with `{heading}`");
    for name in read("docs/install.md")
        .split(['`', ' ', '/'])
        .filter(|word| word.contains("cuff") && word.contains("0."))
    {
        assert!(name.contains(version), "docs/install.md names {name}");
    }

    let targets = [
        "aarch64-apple-darwin",
        "aarch64-unknown-linux-gnu",
        "x86_64-apple-darwin",
        "x86_64-unknown-linux-gnu",
    ];
    for file in [
        "Makefile",
        "packaging/pack",
        "packaging/components",
        "packaging/cuff.rb",
        ".github/workflows/release.yml",
    ] {
        let text = read(file);
        for target in targets {
            assert!(text.contains(target), "{file} does not name {target}");
        }
    }
    let shim = read("packaging/npm/shim");
    for (_, package) in PLATFORMS {
        assert!(shim.contains(package), "packaging/npm/shim does not name {package}");
    }
}
