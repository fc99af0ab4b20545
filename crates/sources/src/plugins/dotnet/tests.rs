use serde_json::{Value, json};

use super::*;
use crate::model::{
    CWD, Command, ENV, File, Files, Glob, Governance, Matches, Origin, Role, Seen, Tool, Values, Want, check,
};
use crate::plugin::Plugin as _;

/// The answers to the plugin's wants for a project with these files.
fn seen(config: &Values, names: &[&str]) -> Files {
    let file = || Seen::File(File::new("/project/x", *b""));
    let program = || Seen::File(File::new("/project/x", *b"<OutputType>Exe</OutputType>"));
    let depth = |name: &str| name.matches('/').count();
    let mut files = Files::default();
    loop {
        let fresh: Vec<Want> =
            DOTNET.wants(config, &files).into_iter().filter(|want| !files.answers(want)).collect();
        if fresh.is_empty() {
            return files;
        }
        for want in fresh {
            match want {
                Want::Glob(glob) => {
                    let Glob { base, patterns, .. } = &glob;
                    let inside = names.iter().filter_map(|name| {
                        if base == "." { Some(*name) } else { name.strip_prefix(&format!("{base}/")) }
                    });
                    let fits = |name: &&str| {
                        let is = |pattern: &String| {
                            pattern.ends_with("/.git") == name.ends_with("/.git")
                                && pattern.ends_with("HEAD") == name.ends_with("HEAD")
                        };
                        let is_out =
                            glob.exclude.iter().any(|out| name.starts_with(out.trim_end_matches("**")));
                        !is_out && patterns.iter().any(|pattern| depth(pattern) == depth(name) && is(pattern))
                    };
                    let found = inside.filter(fits).map(|name| (name.to_owned(), file())).collect();
                    files.globs.insert(glob, Matches { found, ..Matches::default() }.into());
                }
                Want::File(name) => {
                    let text = if name.contains("App") { program() } else { file() };
                    files.files.insert(name, text);
                }
                Want::Program(name) => _ = files.programs.insert(name, None),
                other => panic!("{other:?}"),
            }
        }
    }
}

fn settings(given: Value) -> Values {
    let Value::Object(given) = given else { panic!("an object") };
    let (values, mistakes) = check(&config::FIELDS.iter().collect::<Vec<_>>(), &given);
    assert_eq!(mistakes, []);
    values
}

fn command(tool: &Tool) -> &Command {
    let Role::Run { command, .. } = &tool.role else { panic!("a tool that runs") };
    command
}

#[test]
fn one_solution_or_project_is_chosen_by_its_place() {
    for (config, names, expected) in [
        (json!({}), &["a.sln"][..], "in . dotnet build"),
        (json!({}), &["a.slnx", "src/a/a.csproj"], "in . dotnet build"),
        (json!({}), &["a.fsproj"], "in . dotnet build"),
        (json!({}), &["a.sln", "a.csproj"], "in . dotnet build a.sln"),
        (json!({}), &["b.sln", "a.sln"], "in . dotnet build a.sln (1 others)"),
        (json!({}), &["a.sln", "a.wixproj"], "in . dotnet build a.sln"),
        (json!({}), &["src/a/a.csproj"], "in src/a dotnet build"),
        (json!({}), &["src/a/a.csproj", "src/a/b.csproj"], "in src/a dotnet build a.csproj (1 others)"),
        (json!({}), &["a/a.vbproj", "b/b.vbproj"], "in a dotnet build (1 others)"),
        (json!({}), &["src/x.sln", "src/a.csproj"], "in src dotnet build x.sln"),
        (json!({"project": "b.sln"}), &["a.sln", "b.sln"], "in . dotnet build b.sln"),
        (json!({"project": "src/a/a.csproj"}), &["a.sln", "src/a/a.csproj"], "in src/a dotnet build"),
        (json!({"working_directory": "net"}), &["a.sln", "net/b.sln"], "in net dotnet build"),
        (json!({"command": "/opt/dotnet x"}), &["a.sln"], "in . /opt/dotnet x build"),
        (json!({}), &["x/y/z/a.csproj"], "no .sln, .slnx, .csproj, .fsproj or .vbproj in ."),
        (
            json!({}),
            &["-a.sln", "@a.sln", ".sln", "a.proj"],
            "no .sln, .slnx, .csproj, .fsproj or .vbproj in .",
        ),
        (json!({"project": "b.sln"}), &["a.sln"], "project not found: b.sln"),
        (json!({"project": "b.proj"}), &["b.proj"], "project must be a solution or a project, not b.proj"),
        (json!({"command": "./dotnet"}), &["a.sln"], "command names ./dotnet, which is relative to a folder"),
    ] {
        let config = settings(config);
        let files = seen(&config, names);
        let found = DOTNET.discover(&config, &files);
        let summary = match found.tools.first() {
            None => found.problems[0].message.clone(),
            Some(tool) => {
                let command = command(tool);
                let others = found.problems.iter().find_map(|p| p.message.split_once("there is also "));
                let others = others.map_or(0, |(_, names)| names.split(", ").count());
                let others = if others > 0 { format!(" ({others} others)") } else { String::new() };
                format!("in {} {}{others}", command.directory.display(), command.line())
            }
        };
        assert_eq!(summary, expected, "{names:?}");
        assert!(
            found
                .tools
                .iter()
                .all(|tool| command(tool).requires_confirmation == (tool.original == "restore"))
        );
    }
}

#[test]
fn the_only_program_can_be_run() {
    for (names, expected) in [
        (&["a.sln", "src/App/App.csproj", "test/T/T.csproj"][..], "dotnet run in src/App"),
        (&["App.csproj"], "dotnet run in ."),
        (&["a.sln", "a.csproj"], ""),
        (&["a.sln", "x/App.csproj", "y/App.fsproj"], ""),
        (&["a.sln", "x/App.csproj", "x/b.csproj"], ""),
    ] {
        let config = Values::default();
        let found = DOTNET.discover(&config, &seen(&config, names));
        let run = found.tools.iter().find(|tool| tool.name == RUN).map(command);
        let run = run.map(|run| format!("{} in {}", run.line(), run.directory.display()));
        assert_eq!(run.unwrap_or_default(), expected, "{names:?}");
    }
}

#[test]
fn clones_and_vendored_code_below_are_no_part_of_the_project() {
    for (names, expected) in [
        (&["clones/x/x.sln", "clones/x/.git"][..], 0),
        (&["clones/x/x.sln", "clones/x/.git/HEAD"], 0),
        (&["vendor/x/x.sln"], 0),
        (&["third_party/x.csproj"], 0),
        (&["net/x.sln"], 4),
    ] {
        let config = Values::default();
        let found = DOTNET.discover(&config, &seen(&config, names));
        assert_eq!(found.tools.len(), expected, "{names:?}");
    }
}

/// The command of a call, or the reason why it is refused.
fn planned(task: &str, arguments: &Values) -> Result<String, String> {
    let config = Values::default();
    let found = DOTNET.discover(&config, &seen(&config, &["a.sln", "a.csproj"]));
    let tool = found.tools.iter().find(|tool| tool.name == task).unwrap();
    let planned = DOTNET.plan(&config, tool, command(tool).clone(), arguments, Governance::Governed);
    planned
        .map(|command| format!("{} in {}", command.words().join(" "), command.directory.display()))
        .map_err(|bad| {
            assert!(bad.help.is_some_and(|help| !help.is_empty()), "{}", bad.message);
            bad.message
        })
}

fn words(words: &[&str]) -> Values {
    Values::of([(&config::ARGS, json!(words))])
}

#[test]
fn listed_options_pass_in_each_of_their_spellings() {
    for (task, given, expected) in [
        (BUILD, &[][..], "build a.sln"),
        (BUILD, &["-c", "Release"], "build a.sln -c Release"),
        (BUILD, &["--configuration=Release"], "build a.sln --configuration=Release"),
        (BUILD, &["-c:Release", "-v:q"], "build a.sln -c:Release -v:q"),
        (BUILD, &["-f", "net9.0", "-r", "linux-x64"], "build a.sln -f net9.0 -r linux-x64"),
        (TEST, &["--filter", "A.B~c&(X!=y|Z=1)"], "test a.sln --filter A.B~c&(X!=y|Z=1)"),
        (TEST, &["--filter:(A=b)"], "test a.sln --filter:(A=b)"),
        (TEST, &["-t", "--no-build"], "test a.sln -t --no-build"),
        (TEST, &["--collect", "XPlat Code Coverage"], "test a.sln --collect XPlat Code Coverage"),
        (FORMAT, &["--verify-no-changes"], "format a.sln --verify-no-changes"),
        (RESTORE, &["--locked-mode"], "restore a.sln --locked-mode"),
    ] {
        assert_eq!(planned(task, &words(given)).unwrap(), format!("dotnet {expected} in ."));
    }
    for (given, expected) in [
        (&["src/x.csproj"][..], "build src/x.csproj"),
        (&["./b.slnx", "-c", "Release"], "build b.slnx -c Release"),
        (&["--nologo", "src/../x.fsproj"], "build x.fsproj --nologo"),
        (&["/p/src/x.vbproj"], "build src/x.vbproj"),
    ] {
        let given = words(given).rooted(&["/p".into()]);
        assert_eq!(planned(BUILD, &given).unwrap(), format!("dotnet {expected} in ."));
    }
    let below = Values::of([(&CWD, json!("src")), (&config::ARGS, json!(["../b.sln", "--nologo"]))]);
    assert_eq!(planned(BUILD, &below).unwrap(), "dotnet build ../b.sln --nologo in src");
    let absolute = Values::of([(&CWD, json!("/p/src")), (&config::ARGS, json!(["/p/src/y.csproj"]))]);
    assert_eq!(planned(BUILD, &absolute.rooted(&["/p".into()])).unwrap(), "dotnet build y.csproj in src");
    let there = Values::of([(&CWD, json!("src")), (&config::ARGS, json!(["--nologo"]))]);
    assert_eq!(planned(BUILD, &there).unwrap(), "dotnet build --nologo in src");
}

#[test]
fn a_call_s_words_are_known_to_be_its_own() {
    let config = Values::default();
    let found = DOTNET.discover(&config, &seen(&config, &["a.sln"]));
    let command = DOTNET
        .plan(
            &config,
            &found.tools[0],
            command(&found.tools[0]).clone(),
            &words(&["-c", "Release", "--nologo"]),
            Governance::Governed,
        )
        .unwrap();
    let brought: Vec<_> =
        command.arguments.iter().filter(|word| word.origin == Origin::Call).map(|word| &word.text).collect();
    assert_eq!(brought, ["-c", "Release", "--nologo"]);
}

#[test]
fn one_project_inside_the_project_and_nothing_else_is_one() {
    for (given, expected) in [
        (&["x.proj"][..], r#"args: "x.proj" would be taken for a project or for MSBuild's"#),
        (&["x.dll"], r#"args: "x.dll" would be taken for a project or for MSBuild's"#),
        (&["../x.sln"], r#"args: "../x.sln" leads out of the project"#),
        (&["src/../../x.sln"], r#"args: "src/../../x.sln" leads out of the project"#),
        (&["/etc/x.sln"], r#"args: "/etc/x.sln" is no option that a call may pass"#),
        (&["/p:X=x.csproj"], r#"args: "/p:X=x.csproj" sets properties that decide what a build runs"#),
        (&["a;b.csproj"], r#"args: "a;b.csproj" holds characters that MSBuild would act on"#),
        (&["a%3Bb.csproj"], r#"args: "a%3Bb.csproj" holds characters that MSBuild would act on"#),
        (&["$(X).csproj"], r#"args: "$(X).csproj" holds characters that MSBuild would act on"#),
        (&["a.csproj", "b.csproj"], r#"args: "b.csproj" is a second project"#),
        (&["@a.csproj"], r#"args: "@a.csproj" is a file of further options"#),
        (&["sub/@a.csproj"], r#"args: "sub/@a.csproj" would be taken for a project or for MSBuild's"#),
    ] {
        assert_eq!(planned(TEST, &words(given)).unwrap_err(), expected);
    }
}

#[test]
fn every_other_spelling_is_refused() {
    let writes = "-o -o=x --output --output=x --output:x -output:x /o:x --artifacts-path=x -bl -bl:x /bl --binaryLogger:x \
                  -fl -flp:x -pp:x -ts:x --packages=x --results-directory=x --diag=x";
    let properties = "-p:X=y -p --property:X=y --property --PROPERTY:X=y -P:X=y /p:X=y /property:X=y -rp:X=y \
                      --restoreProperty:X=y -e --environment=X";
    let code =
        "-l -l:x --logger --logger=trx /logger:x -logger:x -dl:x --test-adapter-path=x -s --settings=x";
    let sources = "--source --source=x --configfile=x --interactive";
    let targets = "-t:Clean /t:Clean --target:Clean -getProperty:X --getItem:X";
    let unknown = "-x --x - /x -C --Configuration --nologo=1 -cRelease -vq --no-Restore --tl";
    for (options, why) in [
        (writes, "would write wherever it says"),
        (properties, "sets properties that decide what a build runs"),
        (code, "loads code that a call would choose"),
        (sources, "chooses where packages come from, or waits for a person"),
        (targets, "runs or reads other targets"),
        (unknown, "is no option that a call may pass"),
    ] {
        for option in options.split_ascii_whitespace() {
            for task in [BUILD, TEST, RESTORE] {
                let said = planned(task, &words(&["--nologo", option])).unwrap_err();
                assert_eq!(said, format!("args: \"{option}\" {why}"));
            }
        }
    }
    for (given, expected) in [
        (&[""][..], r#"args: "" is empty"#),
        (&["@x.rsp"], r#"args: "@x.rsp" is a file of further options"#),
        (&["--", "A=1"], r#"args: "--" hands the rest to the test runner"#),
        (&["-c"], "args: -c|--configuration cannot take nothing"),
        (&["-c", ""], r#"args: -c|--configuration cannot take """#),
        (&["-c", "-p:X=y"], r#"args: -c|--configuration cannot take "-p:X=y""#),
        (&["-c", "Release;X=y"], r#"args: -c|--configuration cannot take "Release;X=y""#),
        (&["-c=Release;X=y"], r#"args: -c|--configuration cannot take "Release;X=y""#),
        (&["-c:Release%3BX=y"], r#"args: -c|--configuration cannot take "Release%3BX=y""#),
        (&["-f", "../x"], r#"args: -f|--framework cannot take "../x""#),
        (&["-v", "loud"], r#"args: -v|--verbosity cannot take "loud""#),
        (&["--filter", "a;b"], r#"args: --filter cannot take "a;b""#),
        (&["--filter", "a\"b"], r#"args: --filter cannot take "a"b""#),
        (&["--filter", "a%22"], r#"args: --filter cannot take "a%22""#),
        (&["--collect", "evil"], r#"args: --collect cannot take "evil""#),
    ] {
        assert_eq!(planned(TEST, &words(given)).unwrap_err(), expected);
    }
    for (task, given) in [
        (BUILD, &["-t"][..]),
        (BUILD, &["--filter", "x"]),
        (BUILD, &["--collect", "Code Coverage"]),
        (RESTORE, &["-c", "Release"]),
        (RESTORE, &["-f", "net9.0"]),
    ] {
        planned(task, &words(given)).unwrap_err();
    }
    let variable = Values::of([(&ENV, json!({"OutDir": "/x"}))]);
    assert_eq!(
        planned(BUILD, &variable).unwrap_err(),
        "env: OutDir may not be set by a call: MSBuild takes it for a property"
    );
}
