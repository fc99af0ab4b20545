//! A Makefile that was read, with all that its tools are made of.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::extractor::{self, Extraction};
use super::probe;
use super::project::MakefileProject;
use super::recipe::Recipes;
use super::simple::MakefileReading;
use super::targets::{MakeTarget, Makefile};
use crate::model::{Content, ErrorCode, Files, Problem, Seen, Values, Want, Word, shown};

/// The instruction if make is missing.
pub(super) const ADVICE: &str =
    "install GNU make: apt-get install make, dnf install make, or xcode-select --install on macOS";

/// A Makefile that was read.
#[derive(Debug)]
pub(super) struct FoundMakefile {
    pub(super) project: MakefileProject,
    pub(super) makefile: Makefile,
    /// How it was read.
    pub(super) note: String,
    /// The way to have make settle the open questions.
    pub(super) remedy: &'static str,
    /// The targets of the text that make says are not there.
    pub(super) absent: Vec<MakeTarget>,
    /// The problems of make.
    pub(super) problems: Vec<Problem>,
    /// All that make reads, where the settings have it pinned and it can be known.
    pub(super) content: Option<Content>,
    /// Words that keep make from another text than that.
    pub(super) keeping: Vec<Word>,
    /// The commands of the targets.
    pub(super) recipes: Recipes,
    /// The places of targets by their names, once they are wanted.
    pub(super) places: OnceLock<HashMap<String, usize>>,
}

/// A Makefile that was read under these settings.
#[derive(Debug, Clone)]
struct KeptMakefile(Values, Arc<FoundMakefile>);

/// The Makefile, and the problems of it and of make.
pub(super) fn look(config: &Values, files: &Files) -> Result<Arc<FoundMakefile>, Box<Problem>> {
    if let Some(KeptMakefile(of, found)) = files.kept.get()
        && of == *config
    {
        return Ok(found);
    }
    let project = MakefileProject::new(config, files)?;
    project.check(files)?;
    let extraction = extractor::extract(&project, config, files);
    Ok(of(project, extraction, config, files).into())
}

/// The wants of a Makefile as far as it was read; once nothing more is wanted, what was found is kept.
pub(super) fn wants(config: &Values, files: &Files) -> Vec<Want> {
    let mut wants = MakefileProject::wants(config);
    if wants.iter().all(|want| files.answers(want))
        && let Ok(project) = MakefileProject::new(config, files)
        && project.check(files).is_ok()
    {
        let mut extraction = extractor::extract(&project, config, files);
        wants.extend(project.sought(config).map(Want::Program));
        wants.append(&mut extraction.reading.wants);
        if wants.iter().all(|want| files.answers(want)) {
            let found = || KeptMakefile(config.clone(), of(project, extraction, config, files).into());
            files.kept.get_or_make(found);
        }
    }
    wants
}

/// The same, of a Makefile that was read.
fn of(project: MakefileProject, extraction: Extraction, config: &Values, files: &Files) -> FoundMakefile {
    let mut problems = Vec::new();
    let missing = |make: &String| files.programs.get(make).is_some_and(Option::is_none);
    if let Some(make) = project.sought(config).filter(missing) {
        let what = format!("{} is not installed or not on the PATH", shown(&make));
        problems.push(Problem::warning(what).numbered(ErrorCode::ProgramNotFound).help(ADVICE));
    }
    let Extraction { reading, note, remedy, absent, recipes } = extraction;
    let MakefileReading { mut makefile, includes, unread, written, .. } = reading;
    if !problems.is_empty() {
        // The problem above already says that make could not be asked.
        makefile.problems.retain(|problem| problem.fault != Some(ErrorCode::ProgramNotFound));
    }
    let pinned = config.pins_texts() && !unread && includes.len() <= probe::MOST_OLD;
    let content = pinned.then(|| content(files));
    let keeping = if pinned { probe::kept(&project, &includes) } else { Vec::new() };
    let recipes = Recipes::new(written, recipes);
    FoundMakefile {
        project,
        makefile,
        note,
        remedy,
        absent,
        problems,
        content,
        keeping,
        recipes,
        places: OnceLock::new(),
    }
}

/// Every file that was read: any line of any of them can change any recipe.
fn content(files: &Files) -> Content {
    let read = files.files.iter().filter_map(|(path, seen)| match seen {
        Seen::File(file) => Some((path.as_str(), &*file.bytes)),
        Seen::Missing | Seen::Unreadable(_) => None,
    });
    Content::of(read)
}
