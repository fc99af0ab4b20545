//! The rules of a permit as the kernel takes them: absolute paths, the folders that a run has for itself, and variables that lead
//! tools there.

mod caches;
mod hidden;
mod place;

use std::io;
use std::path::{Path, PathBuf};

pub use self::hidden::KnownHiddenPaths;
use self::place::{home, resolved};
use crate::model::{Containment, Fences, Profile};
use crate::sys::containment::Confinement;
use crate::sys::private::PrivateFolder;
use crate::sys::{Environment, files, repository, user};

/// The rules for a run, and the variables that it gets on top of the inherited ones.
#[derive(Debug)]
pub(super) struct Contained {
    pub(super) confinement: Confinement,
    pub(super) variables: Vec<(String, String)>,
}

/// The numbers of FNV-1a.
const FIRST: u64 = 0xCBF2_9CE4_8422_2325;
const PRIME: u64 = 0x0100_0000_01B3;

/// How many programs of one folder are looked at.
const MOST_PROGRAMS: usize = 4096;

/// A file that no run can read.
const PROBE: &str = "containment-probe";
/// A folder of a manager that ignores `TMPDIR`, in the temporary folder of the system, with the user's number at the end.
const LOCKS_OF_PNPM: &str = "/tmp/pnpm-store-operation-locks-";

/// The file that no contained run can read.
pub fn probe(environment: &Environment) -> PathBuf {
    let state = environment.base("XDG_STATE_HOME", ".local/state").map(|base| base.join("cuff"));
    state.unwrap_or_else(|| hidden::of_sessions(environment)).join(PROBE)
}

/// Makes the folders of a contained run, and its rules. The folders that it has for itself are those of the project at `place`, which
/// is the root unless that is a copy.
///
/// # Errors
/// Where a folder cannot be made, or belongs to somebody else.
pub(super) fn contain(
    containment: &Containment,
    root: &Path,
    place: &Path,
    environment: &Environment,
    hidden: &KnownHiddenPaths,
) -> io::Result<Contained> {
    let project = files::canonical(root);
    let digest = if place == root { digest(&project) } else { digest(&files::canonical(place)) };
    let probe = probe(environment);
    let state = probe.with_file_name("");
    let own = PrivateFolder::make(&state)?;
    if own.view(PROBE).is_err() {
        own.write(PROBE, b"no contained run reads this\n")?;
    }
    let temporary = temporary_folder(&project, environment, &digest)?;
    let cache =
        environment.base("XDG_CACHE_HOME", ".cache").map(|base| base.join("cuff-contained").join(&digest));
    // Without a place for them tools have no caches, or those that settings name.
    let caches = cache
        .as_deref()
        .and_then(|cache| caches::make(cache, environment, containment.profile.writes_caches()).ok());
    let home = home(environment);
    let hidden = hidden.of(containment, root, environment);
    let (hidden, shown, own) = (hidden.hidden.clone(), hidden.shown.clone(), hidden.own.clone());
    let mut writable: Vec<PathBuf> =
        if containment.profile.writes_everything() { vec!["/".into()] } else { vec![project.clone()] };
    writable.extend(repository::common_folder(&project));
    writable.push(temporary.clone());
    writable.extend(cache);
    // Its name is known to other users, who could make a link of it.
    let locks = PrivateFolder::make(Path::new(&format!("{LOCKS_OF_PNPM}{}", user::own())));
    writable.extend(locks.ok().map(|locks| locks.path().to_owned()));
    if containment.profile.writes_caches() {
        writable.extend(caches::of_user(environment));
    }
    let mut writable: Vec<PathBuf> = writable.iter().map(|path| files::canonical(path)).collect();
    let named = |texts: &[String]| -> Vec<PathBuf> {
        texts.iter().map(|text| resolved(text, &project, home.as_deref())).collect()
    };
    let (write, sockets) = (named(&containment.write), named(&containment.sockets));
    // A run may have made links in each of the places that it writes, also where settings name one within another.
    let everywhere: Vec<PathBuf> = writable.iter().chain(&write).cloned().collect();
    for path in write.iter().chain(&sockets).chain(&named(&containment.show)) {
        stays(path, &everywhere)?;
    }
    for (path, text) in write.iter().zip(&containment.write) {
        // A path that does not exist cannot be granted.
        if text.ends_with('/') {
            files::make_directory(path)?;
        }
        writable.push(files::canonical(path));
    }
    let sockets = sockets.iter().map(|path| files::canonical(path)).collect();
    let is_above_home =
        home.as_deref().is_some_and(|home| writable.iter().any(|root| home.starts_with(root)));
    let has_kept = containment.profile.writes_caches() || is_above_home;
    let kept = if has_kept { kept(&writable, &project, home.as_deref(), environment) } else { Vec::new() };
    let confinement = Confinement {
        fences: Fences { writable, kept, hidden, shown, own },
        sockets,
        network: containment.network.clone(),
        ports: state.join("ports").join(&digest),
        probe,
        is_required: containment.is_required,
    };
    let mut variables = caches::temporary(&temporary);
    if containment.profile != Profile::Server {
        variables.extend(caches::quiet());
        variables.extend(caches.into_iter().flatten());
        if !containment.network.is_open() {
            variables.extend(caches::asking_once());
        }
    }
    Ok(Contained { confinement, variables })
}

/// The paths that are hidden from runs, and those below them that are shown.
#[derive(Debug)]
pub(super) struct HiddenPaths {
    hidden: Vec<PathBuf>,
    shown: Vec<PathBuf>,
}

impl HiddenPaths {
    /// Those below a project, of this user and of these rules.
    pub(super) fn below(root: &Path, rules: &Containment, environment: &Environment) -> Self {
        let root = files::canonical(root);
        let known = KnownHiddenPaths::default().of(rules, &root, environment);
        let hidden = known.hidden.iter().chain(&known.own);
        let hidden = hidden.filter(|path| path.starts_with(&root)).cloned().collect();
        Self { hidden, shown: known.shown.clone() }
    }

    /// Whether a path is one of them, or below one.
    pub(super) fn contains(&self, path: &Path) -> bool {
        let nearest = |paths: &[PathBuf]| {
            let around = paths.iter().filter(|one| path.starts_with(one));
            around.map(|one| one.components().count()).max()
        };
        nearest(&self.hidden) > nearest(&self.shown)
    }
}

/// Refuses a path of the settings that lies where a run writes, and that a link there leads elsewhere: a run may have made the link.
fn stays(path: &Path, writable: &[PathBuf]) -> io::Result<()> {
    match writable.iter().find_map(|root| files::led_out(root, path)) {
        None => Ok(()),
        Some(real) => Err(io::Error::other(format!(
            "{} in the settings of containment leads to {} by a link in a folder that runs write; name that place itself",
            path.display(),
            real.display()
        ))),
    }
}

/// A private folder for temporary files, the same for each run of the project. Sockets in it need a short path.
/// A folder that the project has itself could be made a link by a run.
fn temporary_folder(project: &Path, environment: &Environment, digest: &str) -> io::Result<PathBuf> {
    let named = environment.absolute("TMPDIR").filter(|named| !files::canonical(named).starts_with(project));
    let base = named.unwrap_or_else(|| "/tmp".into());
    let own = PrivateFolder::make(&base.join(format!("cuff-runs-{}", user::own())))?;
    let folder = own.path().join(digest);
    PrivateFolder::make(&folder)?;
    Ok(folder)
}

/// Paths that a run does not write although it writes a folder above them: where programs and shells of the user begin. Only a run that
/// writes the user's caches, a home folder, or a folder above one, has such. In a project that is a home folder that is everything with a dot.
fn kept(
    writable: &[PathBuf],
    project: &Path,
    home: Option<&Path>,
    environment: &Environment,
) -> Vec<PathBuf> {
    let programs = environment.get("PATH").map(|path| std::env::split_paths(path).collect::<Vec<_>>());
    let programs = programs.unwrap_or_default().into_iter().filter(|folder| folder.is_absolute());
    let mut kept: Vec<PathBuf> = programs.map(|folder| files::canonical(&folder)).collect();
    // A project may have programs of its own, which its installs write.
    let is_elsewhere =
        |folder: &Path| !folder.starts_with(project) && writable.iter().any(|root| folder.starts_with(root));
    // Some managers keep programs beside their caches, and lead to them by links.
    let linked = kept.iter().flat_map(|folder| files::links_below(folder, MOST_PROGRAMS, 1).places);
    let linked: Vec<PathBuf> = linked.filter_map(|place| place.parent().map(Path::to_owned)).collect();
    kept.extend(linked);
    let Some(home) = home.filter(|home| writable.iter().any(|root| home.starts_with(root))) else {
        kept.retain(|folder| is_elsewhere(folder));
        return kept;
    };
    kept.extend(hidden::BEGINNINGS.iter().map(|name| home.join(name)));
    if writable.iter().any(|root| root.parent().is_none()) {
        kept.extend(hidden::OF_ROOT.iter().map(PathBuf::from));
    }
    if home.starts_with(project) {
        kept.extend(files::with_a_dot(home));
    }
    kept
}

/// A short name for a project's folder (FNV-1a): the same in each version of cuff.
fn digest(project: &Path) -> String {
    let bytes = project.as_os_str().as_encoded_bytes();
    format!("{:016x}", bytes.iter().fold(FIRST, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(PRIME)))
}
