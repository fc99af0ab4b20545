//! The stamps of everything that a plugin was shown.

use std::sync::Arc;
use std::time::SystemTime;

use super::place::ProjectPlace;
use crate::model::{Files, Probe};
use crate::sys::{Stamped, Stamps, programs};

/// The stamps of a look that began at this time: of what was seen, and of the places of programs that were run.
pub(super) fn of_look(
    place: ProjectPlace<'_>,
    seen: &Files,
    stamped: Vec<Arc<Stamped>>,
    began: SystemTime,
) -> Stamps {
    let mut stamps = Stamps::since(began);
    if !seen.program_files.is_empty() {
        // Which file is the one of a program, the stamp of no single path says.
        stamps.unsettle();
    }
    for Probe { command } in seen.probes.keys() {
        let path = programs::search_path(command, place.environment);
        let (_, tried) = programs::look(&command.program.text, path, &place.root.join(&command.directory));
        stamps.add(Arc::new(Stamped::of_program(tried)));
    }
    for part in stamped {
        stamps.add(part);
    }
    stamps
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the test makes and changes the files that are stamped")]
mod tests {
    use std::fs;
    use std::thread::sleep;
    use std::time::Duration;

    use super::*;
    use std::path::Path;

    use crate::model::{Glob, Want};
    use crate::project::look::{LookResult, without_probes};
    use crate::sys::{Clock, Environment};

    /// Longer than a change may stay without a stamp of its own.
    const A_WHILE: Duration = Duration::from_millis(200);

    /// The stamps of a look at two files and a folder.
    fn stamps(root: &Path) -> Stamps {
        let (began, environment) = (Clock::of_system().now(), Environment::default());
        let place = ProjectPlace::of(root, &environment);
        let wants = ["there", "missing"].map(|name| Want::File(name.into())).into_iter();
        let wants: Vec<Want> = wants.chain([Want::Glob(Glob::new("folder", ["*"]))]).collect();
        let LookResult { files, stamped, .. } = without_probes(place, |_| wants.clone());
        of_look(place, &files, stamped, began)
    }

    #[test]
    fn stamps_hold_until_something_that_was_looked_at_changes() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir(root.join("folder")).unwrap();
        fs::write(root.join("there"), "a").unwrap();
        assert!(!stamps(&root).hold(), "it was written just now, and may be again without another stamp");
        let settled = |change: &dyn Fn()| {
            sleep(A_WHILE);
            let stamps = stamps(&root);
            assert!(stamps.hold(), "nothing has changed");
            change();
            stamps.hold()
        };
        assert!(settled(&|| ()));
        assert!(!settled(&|| fs::write(root.join("there"), "b").unwrap()), "as long as before, and another");
        assert!(!settled(&|| fs::write(root.join("missing"), "").unwrap()));
        assert!(!settled(&|| fs::write(root.join("folder/new"), "").unwrap()));
        assert!(!settled(&|| fs::remove_file(root.join("there")).unwrap()));
    }
}
