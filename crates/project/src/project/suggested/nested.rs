//! Folders of a project with sources of their own, which no workspace takes in: `frontend/package.json` beside
//! `backend/pyproject.toml`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::path::Path;

use super::folder_survey::survey_folder;
use super::offer::Survey;
use crate::model::{
    Field, Files, Member, PackageChoice, PluginInfo, ValueKind, Values, Want, listed, path, shown,
};
use crate::plugin::Plugin;
use crate::project::context::Context;
use crate::sys::files;

/// How deep below the root folders are looked at.
const DEEPEST: usize = 2;
/// The most folders with sources that are taken.
const MOST_FOLDERS: usize = 32;
/// How many folders a note names.
const MOST_NAMED: usize = 6;

/// The most entries of folders that are looked at.
const MOST_ENTRIES: usize = 50_000;

/// Folders with what others wrote, what was built, and what tests read.
const LEFT_OUT: [&str; 22] = [
    "bench",
    "benches",
    "build",
    "demo",
    "deps",
    "dist",
    "extern",
    "external",
    "fuzz",
    "node_modules",
    "out",
    "samples",
    "submodules",
    "target",
    "test",
    "testdata",
    "tests",
    "third_party",
    "tmp",
    "vendor",
    "venv",
    "__pycache__",
];

/// The surveys of the folders below the root, and a note where not all of them were looked at. `of_root` are those of the root; nobody looks
/// into folders that are `known`.
pub(super) fn nested(
    context: &Context,
    root: &Path,
    wanted: &dyn Fn(&str) -> bool,
    of_root: &[Survey],
    known: &HashSet<&str>,
) -> (Vec<Survey>, Option<String>) {
    let is_open =
        |id: &str| wanted(id) && !of_root.iter().any(|survey| survey.about.id == id && takes_in_all(survey));
    let (mut found, mut left): (Vec<Survey>, Vec<String>) = (Vec::new(), Vec::new());
    let mut folders = 0;
    let (candidates, is_whole) = candidates(context, root, &is_open, (of_root, known));
    for ((_, folder), plugins) in candidates {
        let is_known = |id: &str| {
            let above = |survey: &&Survey| survey.about.id == id && is_below(&folder, &survey.folder);
            found.iter().filter(above).any(takes_in_all)
        };
        let is_wanted = |id: &str| plugins.contains(id) && !is_known(id);
        if !plugins.iter().any(|id| is_wanted(id)) {
            continue;
        }
        if folders == MOST_FOLDERS {
            left.push(shown(&folder));
            continue;
        }
        let surveys = survey_folder(context, &root.join(&folder), &is_wanted, &|_| ());
        let surveys: Vec<Survey> = surveys.into_iter().filter_map(|survey| within(survey, &folder)).collect();
        folders += usize::from(!surveys.is_empty());
        found.extend(surveys);
    }
    let too_many = || {
        (!is_whole).then(|| format!("this project has more than {MOST_ENTRIES} entries in its upper folders, and not all were looked at"))
    };
    let note = (!left.is_empty()).then(|| {
        format!(
            "{} more folders have files of sources and were not looked at: {}; `cuff -C FOLDER list` does",
            left.len(),
            listed(&left, MOST_NAMED)
        )
    });
    let note = note.or_else(too_many);
    (found, note)
}

/// Folders by their depth, the outer ones first, with the plugins that may begin there.
type Candidates = BTreeMap<(usize, String), BTreeSet<&'static str>>;

/// The folders with a file that a plugin begins with, and whether all folders were looked at.
fn candidates(
    context: &Context,
    root: &Path,
    wanted: &dyn Fn(&str) -> bool,
    (of_root, known): (&[Survey], &HashSet<&str>),
) -> (Candidates, bool) {
    let mut by_name: HashMap<String, BTreeSet<&'static str>> = HashMap::new();
    for plugin in context.plugins.iter().filter(|plugin| wanted(plugin.about().id)) {
        for name in first_files(*plugin) {
            by_name.entry(name).or_default().insert(plugin.about().id);
        }
    }
    let suggestions = of_root.iter().filter_map(|survey| survey.suggestion.as_ref());
    let members: HashSet<&str> =
        suggestions.flat_map(|suggestion| &suggestion.members).map(|member| member.folder.as_str()).collect();
    let usual = PackageChoice::usual();
    let is_open = |folder: &str, name: &str| {
        let member = Member { name: None, folder: folder.to_owned(), config: Values::default() };
        let is_known = members.contains(folder) || known.contains(folder);
        !name.starts_with('.') && !LEFT_OUT.contains(&name) && !is_known && usual.has(&member)
    };
    let mut found = Candidates::new();
    let mut open = VecDeque::from([(0, String::new())]);
    let mut entries = 0;
    while let Some((depth, folder)) = open.pop_front() {
        let inner = files::entries_in(&root.join(&folder));
        entries += inner.len();
        // A repository of its own is another project: a submodule.
        let is_own = depth > 0 && inner.iter().any(|(name, _)| name == ".git");
        if is_own || entries > MOST_ENTRIES {
            continue;
        }
        for (name, is_folder) in inner {
            let path = if depth == 0 { name.clone() } else { format!("{folder}/{name}") };
            if is_folder && depth < DEEPEST && is_open(&path, &name) {
                open.push_back((depth + 1, path));
            } else if let Some(plugins) = by_name.get(&name).filter(|_| depth > 0 && !is_folder) {
                found.entry((depth, folder.clone())).or_default().extend(plugins);
            }
        }
    }
    (found, entries <= MOST_ENTRIES)
}

/// The files in its own folder that a plugin looks at first; none of one that searches folders.
fn first_files(plugin: &dyn Plugin) -> BTreeSet<String> {
    let is_name = |name: &&str| !name.contains(['/', '*', '?', '[']);
    let mut names = BTreeSet::new();
    for want in plugin.scout(&Files::default()) {
        match want {
            Want::File(file) => {
                let file = file.trim_start_matches("./");
                names.extend(Some(file).filter(is_name).map(str::to_owned));
            }
            Want::Glob(glob) if path::join("", &glob.base) == "." => {
                let own = glob.patterns.iter().map(String::as_str);
                names.extend(own.filter(is_name).map(str::to_owned));
            }
            _ => {}
        }
    }
    names
}

fn is_below(folder: &str, above: &str) -> bool {
    above == "." || folder.strip_prefix(above).is_some_and(|rest| rest.starts_with('/'))
}

/// Whether a source answers for the folders below it.
fn takes_in_all(survey: &Survey) -> bool {
    if survey.suggestion.is_none() {
        return false;
    }
    let has_members = survey.suggestion.as_ref().is_some_and(|suggestion| !suggestion.members.is_empty());
    has_members || survey.about.speaks_for_below
}

/// The survey as one of a folder; `None` where it says nothing, or no key names the folder.
pub(super) fn within(mut survey: Survey, folder: &str) -> Option<Survey> {
    folder.clone_into(&mut survey.folder);
    survey.remark = None;
    let key = working_directory(&survey.about)?;
    if let Some(suggestion) = &mut survey.suggestion {
        for member in &mut suggestion.members {
            member.folder = path::join(folder, &member.folder);
            member.config = std::mem::take(&mut member.config).with(key, member.folder.as_str().into());
        }
        for pick in suggestion.picking.iter_mut().flat_map(|picking| &mut picking.picks) {
            for source in std::iter::once(&mut pick.source).chain(pick.packages.iter_mut().map(|(at, _)| at))
            {
                source.file = path::join(folder, &source.file);
            }
        }
    }
    (survey.suggestion.is_some() || !survey.problems.is_empty()).then_some(survey)
}

/// The key for the folder of a plugin's source.
pub(crate) fn working_directory(about: &PluginInfo) -> Option<&'static Field> {
    about.config.iter().find(|field| field.kind == ValueKind::Directory && field.name == "working_directory")
}
