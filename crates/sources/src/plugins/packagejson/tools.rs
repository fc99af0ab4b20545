//! The tools of a package.json: its scripts, and their list.

use std::borrow::Cow;
use std::collections::HashMap;

use super::project::PackageProject;
use super::{config, selection, workspaces};
use crate::model::{
    Command, Content, Discovery, EXPOSE_LIST_SCRIPTS, ErrorCode, Files, Heading, Location, Problem, Tool,
    Values, Word, counted, one_line,
};
use crate::plugins::managers::{self, HOOKS, PackageManager, PackageManifest, PackageScript};

/// Everything in a package.json that can be read, and its manager.
pub(super) fn look(config: &Values, files: &Files) -> Result<(PackageManager, Discovery), Box<Problem>> {
    let project = PackageProject::new(config);
    let manifest = project.own(files)?;
    let mut problems = manifest.problems(&project.file);
    let manager = project.manager(Some(&manifest), files, &mut problems);
    problems.extend(config::elsewhere(config, manager, &project.file));
    if files.programs.get(manager.program()).is_some_and(Option::is_none) {
        let what = format!("{} is not installed or not on the PATH", manager.program());
        let problem = Problem::warning(what).numbered(ErrorCode::ProgramNotFound);
        problems.push(problem.help(manager.advice()));
    }
    if manager == PackageManager::Pnpm {
        problems.extend(workspaces::fault(project.folder(), files));
    }
    let there = manifest.scripts.len() as u64;
    let scripts = selection::select(&manifest.scripts, config, &project.file, &mut problems);
    if scripts.is_empty() && problems.is_empty() {
        let (what, help) = match there {
            0 => ("No scripts found".to_owned(), "add some under `scripts` in package.json"),
            _ => (
                format!("The settings leave out all there is: {}", counted(there, "script")),
                "change `scripts` or `exclude_scripts` in the settings",
            ),
        };
        problems.push(Problem::warning(what).at(Location::file(&project.file)).help(help));
    }
    let mut tools = Vec::with_capacity(scripts.len() + 1);
    if config.flag(&EXPOSE_LIST_SCRIPTS) {
        tools.push(list_tool(manager, &project));
    }
    let kit = Kit::of(&project, &manifest, manager, config, files);
    tools.extend(scripts.into_iter().map(|script| kit.tool(script)));
    let folder = project.folder();
    let heading = Heading::of(if folder.starts_with(['.', '/']) { &*project.file } else { folder })
        .detail(manager.program());
    let heading = heading.of_package(manifest.name.as_deref(), folder);
    Ok((manager, Discovery { tools, problems, heading, ..Discovery::default() }))
}

/// The tool of one script, whether it is offered or not.
pub(super) fn named(
    project: &PackageProject,
    manifest: &PackageManifest,
    script: &PackageScript,
    config: &Values,
    files: &Files,
) -> Tool {
    let manager = project.manager(Some(manifest), files, &mut Vec::new());
    Kit::of(project, manifest, manager, config, files).tool(script)
}

/// The shared data of the tools of one package.
#[derive(Debug)]
struct Kit<'a> {
    manager: PackageManager,
    config: &'a Values,
    project: &'a PackageProject,
    descriptions: &'a HashMap<String, String>,
    /// Every script by its name, where one may be run along or pinned with another.
    lines: HashMap<&'a str, &'a str>,
    /// A remark on the scripts that run along with others; `None`: the manager runs none.
    on_hooks: Option<&'static str>,
    /// The settings of managers that are pinned with each script.
    configuration: Vec<(String, String)>,
}

impl<'a> Kit<'a> {
    fn of(
        project: &'a PackageProject,
        manifest: &'a PackageManifest,
        manager: PackageManager,
        config: &'a Values,
        files: &Files,
    ) -> Self {
        let has_hooks = manifest.has_hooks();
        let lines = manifest.scripts.iter().filter(|_| has_hooks || config.pins_texts());
        let lines = lines.map(|script| (&*script.name, &*script.command)).collect();
        let on_hooks = if has_hooks { project.remark_on_hooks(manifest, manager, files) } else { None };
        let configuration = if config.pins_texts() { project.configuration(files) } else { Vec::new() };
        Self {
            manager,
            config,
            project,
            descriptions: &manifest.descriptions,
            lines,
            on_hooks,
            configuration,
        }
    }

    fn tool(&self, script: &PackageScript) -> Tool {
        let name = &*script.name;
        let source = Location::line(self.project.file.clone(), script.line);
        let along = self.along(name);
        let tool = Tool::running(tool_name(self.manager, name), name, source, self.command(name));
        let tool = if along.is_empty() { tool } else { tool.along(along).starting(self.hooks(name)) };
        tool.described_or(self.descriptions.get(name).and_then(|text| one_line(text)), || {
            format!("Run {name} script")
        })
        .parameters(config::SCRIPT_PARAMETERS)
        .text(script.command.clone())
        .content(self.content(name))
        .fact(managers::FACT, self.manager.program().to_owned())
    }

    /// The scripts that managers run before and after a script without being asked.
    fn along(&self, script: &str) -> Vec<String> {
        let Some(remark) = self.on_hooks else { return Vec::new() };
        let hook = |(when, front)| {
            let name = format!("{front}{script}");
            Some(format!("{name} {when} it: {}{remark}", self.lines.get(&*name)?))
        };
        HOOKS.into_iter().filter_map(hook).collect()
    }

    /// Their names, for one that has some.
    fn hooks(&self, script: &str) -> Vec<String> {
        let names = HOOKS.into_iter().map(|(_, front)| format!("{front}{script}"));
        names.filter(|name| self.lines.contains_key(&**name)).collect()
    }

    /// The script with those that managers run before and after it, and the settings that can choose their shell; `None` where the settings do not have it pinned.
    fn content(&self, script: &str) -> Option<Content> {
        if !self.config.pins_texts() || !self.lines.contains_key(script) {
            return None;
        }
        let names = [format!("pre{script}"), script.to_owned(), format!("post{script}")];
        let line = |name: &'_ String| self.lines.get(&**name).map(|line| line.as_bytes());
        let scripts = names.iter().filter_map(|name| Some((name.as_str(), line(name)?)));
        let settings = self.configuration.iter().map(|(file, text)| (file.as_str(), text.as_bytes()));
        Some(Content::of(scripts.chain(settings)))
    }

    fn command(&self, script: &str) -> Command {
        self.config
            .command(Word::fixed(self.manager.program()))
            .arguments(["run", script].map(Word::fixed))
            .directory(self.project.folder())
            .if_missing(Cow::from(self.manager.advice()))
    }
}

fn list_tool(manager: PackageManager, project: &PackageProject) -> Tool {
    let program = manager.program();
    let source = Location::file(&project.file);
    Tool::listing(format!("{program}_list_scripts"), "list_scripts", source, "scripts")
        .described(format!("List all available {program} scripts"))
        .parameters(config::LIST_PARAMETERS)
        .fact(managers::FACT, program.to_owned())
}

/// The name of a script's tool: `test:unit-2` of npm is `npm_test__unit_2`; the registry settles collisions and length.
pub(super) fn tool_name(manager: PackageManager, script: &str) -> String {
    let mut name = format!("{}_", manager.program());
    for c in script.chars() {
        match c {
            '-' | '.' => name.push('_'),
            ':' => name.push_str("__"),
            c => name.push(c),
        }
    }
    name
}
