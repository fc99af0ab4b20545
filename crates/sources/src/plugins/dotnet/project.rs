//! Finds the solution or project by its place and its ending, without reading it.

use super::config::PROJECT;
use crate::model::{ErrorCode, Glob, Problem, Word, path, shown};
use crate::plugins::tasks::SourceLook;

/// The endings of solutions.
const SOLUTIONS: &[&str] = &[".sln", ".slnx"];

/// Files that dotnet takes for a project if it is given none: `.proj`, `.wixproj`, with any content.
const ANY_PROJECT: &str = ".*proj";

/// The endings of projects that are looked for: C#, F# and Visual Basic.
const PROJECTS: &[&str] = &[".csproj", ".fsproj", ".vbproj"];

/// The solution or project that is built.
#[derive(Debug)]
pub(super) struct ChosenProject {
    /// Relative to the project's root, or absolute.
    pub(super) file: String,
    /// Whether dotnet, called in its folder, could take another.
    ambiguous: bool,
    /// The other candidates.
    pub(super) others: Vec<String>,
}

impl ChosenProject {
    /// The file's name, if dotnet needs it. Newer test runners take no file there, so it is left out if
    /// possible.
    pub(super) fn word(&self) -> Option<Word> {
        self.ambiguous.then(|| Word::fixed(path::split(&self.file).1))
    }
}

/// The one that the settings name; else a solution in the folder, a project in it, a solution below it, a project
/// below it. Without one, that is the problem.
pub(super) fn choose(look: &mut SourceLook<'_>) -> Option<ChosenProject> {
    let named = Some(look.config.text(&PROJECT)).filter(|name| !name.is_empty()).map(|name| look.place(name));
    let folder = named.as_deref().map_or(look.folder(), |file| path::split(file).0).to_owned();
    let mut all = search(look, &folder, &[""]);
    if named.is_none() && look.is_complete() && !all.iter().any(|file| is_project(file)) {
        let below = search(look, &folder, &["*/", "*/*/"]);
        all.extend(without_clones(look, &folder, below));
    }
    if !look.is_complete() {
        return None;
    }
    let fitting = |endings| all.iter().filter(move |file| ends(file, endings)).cloned().collect::<Vec<_>>();
    let mut candidates = match &named {
        Some(file) if is_project(file) && all.contains(file) => vec![file.clone()],
        Some(_) => Vec::new(),
        None => [fitting(SOLUTIONS), fitting(PROJECTS)]
            .into_iter()
            .find(|found| !found.is_empty())
            .unwrap_or_default(),
    };
    if candidates.is_empty() {
        look.fail(match named {
            None => {
                let what = format!("no .sln, .slnx, .csproj, .fsproj or .vbproj in {}", shown(&folder));
                let help = "create one with dotnet new, or set working_directory";
                Problem::error(ErrorCode::SourceNotFound, what).help(help)
            }
            Some(file) if is_project(&file) => {
                let what = format!("project not found: {}", shown(&file));
                Problem::error(ErrorCode::SourceNotFound, what).help("correct `project`, or leave it out")
            }
            Some(file) => {
                let what = format!("project must be a solution or a project, not {}", shown(&file));
                Problem::error(ErrorCode::InvalidConfig, what)
                    .help("it ends in .sln, .slnx, .csproj, .fsproj or .vbproj")
            }
        });
        return None;
    }
    let file = candidates.remove(0);
    let beside = all.iter().filter(|other| path::split(other).0 == path::split(&file).0);
    Some(ChosenProject { ambiguous: beside.count() > 1, file, others: candidates })
}

/// The most projects whose text is read.
const MOST_READ: usize = 30;

/// The only project that is a program, by its text; `None` where there are several.
pub(super) fn program(look: &mut SourceLook<'_>) -> Option<ChosenProject> {
    let folder = look.folder().to_owned();
    let all = search(look, &folder, &["", "*/", "*/*/"]);
    let all = without_clones(look, &folder, all);
    let projects: Vec<&String> = all.iter().filter(|file| ends(file, PROJECTS)).take(MOST_READ + 1).collect();
    if projects.len() > MOST_READ {
        return None;
    }
    let mut is_program = |file: &&&String| {
        let text = look.text(&path::within(&folder, file)).unwrap_or_default();
        let is = |parts: &[&str]| parts.iter().any(|part| text.contains(part));
        is(&[
            "<OutputType>Exe<",
            "<OutputType>WinExe<",
            "Microsoft.NET.Sdk.Web\"",
            "Microsoft.NET.Sdk.Worker\"",
        ]) && !is(&["Microsoft.NET.Test.Sdk", "<IsTestProject>true<"])
    };
    let programs: Vec<&&String> = projects.iter().filter(&mut is_program).collect();
    let [only] = programs[..] else { return None };
    let beside = all.iter().filter(|other| path::split(other).0 == path::split(only).0);
    // In its folder dotnet finds it by itself.
    (beside.filter(|file| !ends(file, SOLUTIONS)).count() == 1).then(|| ChosenProject {
        file: (**only).clone(),
        ambiguous: false,
        others: Vec::new(),
    })
}

/// Whether a word names a solution or a project.
pub(super) fn is_project(word: &str) -> bool {
    ends(word, SOLUTIONS) || ends(word, PROJECTS)
}

/// Whether a file has one of these endings. Names that dotnet would read as an option or a file of options do
/// not count.
fn ends(file: &str, endings: &[&str]) -> bool {
    let name = path::split(file).1;
    endings
        .iter()
        .any(|ending| name.len() > ending.len() && name.ends_with(ending) && !name.starts_with(['-', '@']))
}

/// Folders of files that dotnet makes, and of code of others.
const ELSEWHERE: [&str; 6] =
    ["node_modules/**", "**/bin/**", "**/obj/**", "vendor/**", "third_party/**", "external/**"];

/// These files without those of other repositories that lie below.
fn without_clones(look: &mut SourceLook<'_>, folder: &str, files: Vec<String>) -> Vec<String> {
    if files.is_empty() {
        return files;
    }
    let marks = ["*/.git", "*/*/.git", "*/.git/HEAD", "*/*/.git/HEAD"];
    let clones = look.found(&Glob::new(folder, marks));
    let roots = clones.iter().map(|mark| mark.trim_end_matches("/HEAD").trim_end_matches(".git"));
    let roots: Vec<String> = roots.map(|root| path::join(folder, root.trim_end_matches('/')) + "/").collect();
    files.into_iter().filter(|file| roots.iter().all(|root| !file.starts_with(root))).collect()
}

/// The solutions and projects of a folder, at these depths. Nothing of the files is read: their names say enough.
fn search(look: &mut SourceLook<'_>, folder: &str, depths: &[&str]) -> Vec<String> {
    let endings = || SOLUTIONS.iter().chain([&ANY_PROJECT]);
    let patterns = depths.iter().flat_map(|depth| endings().map(move |ending| format!("{depth}*{ending}")));
    let glob = Glob::new(folder, patterns).without(ELSEWHERE);
    look.found(&glob).into_iter().map(|file| path::join(folder, &file)).collect()
}
