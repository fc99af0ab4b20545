//! The plugin dotnet, with a program of that name that writes down how it was called.

use serde_json::json;

use crate::support::mcp_session::McpSession;
use crate::support::project::Project;

/// A project whose dotnet prints its folder and its words.
fn project(fixture: bool) -> Project {
    let project = if fixture { Project::of("dotnet") } else { Project::empty() };
    let path = project.outside().join("programs").display().to_string();
    project.script(
        "../programs/dotnet",
        "#!/bin/sh\necho \"in ${PWD##*/}\"\nfor word; do echo \"<$word>\"; done\n",
    );
    let path = format!("{path}:/usr/bin:/bin");
    project.variable("PATH", path)
}

#[test]
fn dotnet_projects_are_built_in_their_folders() {
    let project = project(true);
    let said = project.cuff(["init", "--yes"]).succeeded().stdout;
    assert!(said.contains("[+] dotnet: Found src/Almanac/Almanac.csproj"), "{said}");
    let run = project.cuff(["run", "dotnet.build"]).succeeded();
    assert_eq!(run.stdout, "in Almanac\n<build>\n");
    let words =
        ["run", "dotnet.test", "--", "-c", "Release", "--filter", "Name~Moon|Category=slow", "--no-build"];
    let run = project.cuff(words).succeeded();
    assert_eq!(
        run.stdout,
        "in Almanac\n<test>\n<-c>\n<Release>\n<--filter>\n<Name~Moon|Category=slow>\n<--no-build>\n"
    );
    let agent = Project::at(&project).variable("CLAUDECODE", "1");
    let asks = agent.cuff(["run", "dotnet.restore"]).ended_with(126);
    assert!(asks.stderr.contains("cuff approve "), "{}", asks.stderr);
}

#[test]
fn ambiguous_dotnet_projects_are_reported() {
    let project = project(false);
    for file in ["Sky.sln", "Earth.slnx", "Sky.csproj", "tests/Sky.Tests/Sky.Tests.csproj"] {
        project.write(file, "");
    }
    let said = project.cuff(["init", "--yes"]).succeeded().stdout;
    assert!(said.contains("Earth.slnx is taken; there is also Sky.sln"), "{said}");
    assert_eq!(
        project.cuff(["run", "dotnet.build"]).succeeded().stdout,
        "in project\n<build>\n<Earth.slnx>\n"
    );
    project.write("settings.yml", "version: '1'\nplugins: {dotnet: {config: {project: Sky.sln}}}\n");
    let run = project.cuff(["run", "dotnet.build", "--", "--no-restore"]).succeeded();
    assert_eq!(run.stdout, "in project\n<build>\n<Sky.sln>\n<--no-restore>\n");

    let below = project.cuff(["dotnet", "run", "test", "--cwd", "tests/Sky.Tests"]).succeeded();
    assert_eq!(below.stdout, "in Sky.Tests\n<test>\n");
    let above = project.cuff(["run", "dotnet.test", "--cwd", ".."]).ended_with(126);
    assert!(above.stderr.contains("cwd: \"..\" climbs with `..`"), "{}", above.stderr);

    let mut agent = McpSession::begun(&project, &[]);
    let answer = agent.call("dotnet.test", &json!({"cwd": "tests/Sky.Tests", "args": ["--nologo"]}));
    assert_eq!(
        answer["structuredContent"]["data"]["stdout"], "in Sky.Tests\n<test>\n<--nologo>\n",
        "{answer:#}"
    );
    for (arguments, expected) in [
        (json!({"args": ["-p:CustomBeforeMicrosoftCommonTargets=/x"]}), "decide what a build runs"),
        (json!({"args": ["-c", "Release;X=/x"]}), "cannot take \"Release;X=/x\""),
        (json!({"env": {"CustomBeforeMicrosoftCommonTargets": "/x"}}), "MSBuild takes it for a property"),
        (json!({"cwd": ".."}), "climbs with `..`"),
    ] {
        let answer = agent.call("dotnet.build", &arguments);
        let error = answer["structuredContent"]["error"].as_str().unwrap_or_default();
        assert!(error.contains(expected), "{answer:#}");
        assert_eq!(answer["structuredContent"]["error_code"], "DOTNET_304", "{answer:#}");
    }
    agent.leave();
}

#[test]
fn a_failing_build_and_a_missing_program_are_reported() {
    let project = project(true);
    project.script("../programs/dotnet", "#!/bin/sh\necho 'error CS1002: ; expected'\nexit 1\n");
    let run = project.cuff(["dotnet", "run", "build"]).ended_with(1);
    assert!(run.stdout.contains("CS1002") && run.failed("build", "exit code 1, "), "{run:?}");
    std::fs::remove_file(project.outside().join("programs/dotnet")).expect("a file of ours");
    let run = project.cuff(["dotnet", "run", "build"]).ended_with(125);
    assert!(
        run.stderr.contains("DOTNET_103") && run.stderr.contains("install the .NET SDK"),
        "{}",
        run.stderr
    );
}

#[test]
fn absolute_paths_and_projects_inside_the_project_pass_and_those_outside_do_not() {
    let project = project(false);
    for file in ["Sky.sln", "tests/Sky.Tests/Sky.Tests.csproj", "../elsewhere/Other.csproj"] {
        project.write(file, "");
    }
    project.write("settings.yml", "version: '1'\nplugins: {dotnet: {config: {project: Sky.sln}}}\n");
    std::os::unix::fs::symlink(project.outside().join("elsewhere"), project.root().join("out"))
        .expect("a link");
    let root = project.root().display().to_string();
    let mut agent = McpSession::begun(&project, &[]);
    for (arguments, expected) in [
        (json!({"cwd": format!("{root}/tests/Sky.Tests")}), "in Sky.Tests\n<build>\n"),
        (json!({"cwd": root}), "in project\n<build>\n"),
        (
            json!({"args": ["tests/Sky.Tests/Sky.Tests.csproj", "-c", "Release"]}),
            "in project\n<build>\n<tests/Sky.Tests/Sky.Tests.csproj>\n<-c>\n<Release>\n",
        ),
        (
            json!({"args": [format!("{root}/tests/Sky.Tests/Sky.Tests.csproj")]}),
            "in project\n<build>\n<tests/Sky.Tests/Sky.Tests.csproj>\n",
        ),
        (json!({"cwd": "tests", "args": ["../Sky.sln"]}), "in tests\n<build>\n<../Sky.sln>\n"),
    ] {
        let answer = agent.call("dotnet.build", &arguments);
        assert_eq!(answer["structuredContent"]["data"]["stdout"], expected, "{arguments}: {answer:#}");
    }
    for (arguments, expected) in [
        (json!({"cwd": project.outside().join("elsewhere")}), "not inside the project"),
        (json!({"cwd": format!("{root}/../elsewhere")}), "not inside the project"),
        (json!({"cwd": format!("{root}/out")}), "leads out of the project"),
        (json!({"args": ["../elsewhere/Other.csproj"]}), "leads out of the project"),
        (json!({"args": [format!("{}/elsewhere/Other.csproj", project.outside().display())]}), "no option"),
        (json!({"args": ["Sky.sln", "tests/Sky.Tests/Sky.Tests.csproj"]}), "is a second project"),
    ] {
        let answer = agent.call("dotnet.build", &arguments).to_string();
        assert!(answer.contains(expected) && answer.contains("\"isError\":true"), "{arguments}: {answer}");
    }
    agent.leave();
}
