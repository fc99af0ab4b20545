//! Which tool a caller means.

use crate::calls::error;

use super::request::Addressed;
use crate::calls::error::RunError;
use crate::model::{Spelling, shown};
use crate::policy;
use crate::project::Project;
use crate::registry::{NoSuchTool, Registered, Registry};

/// The longest name that is looked for, in bytes: a script is called by its path, too.
const LONGEST_NAME: usize = 4096;

pub(crate) async fn find<'a>(
    project: &Project,
    registry: &'a Registry,
    tool: &Addressed,
) -> Result<&'a Registered, RunError> {
    if let Addressed::Exactly(name, spelling) | Addressed::ByAgent(name, spelling) = tool
        && name.len() > LONGEST_NAME
    {
        // Nothing is like it, and looking for what is would take long.
        let (name, none) = (shown(name), NoSuchTool::Unknown { near: Vec::new() });
        return Err(RunError::unknown(project, registry, (&name, *spelling), &none, None));
    }
    let (found, name, spelling) = match tool {
        Addressed::Exactly(name, spelling) => {
            let found = registry.named(name, *spelling);
            (found.ok_or_else(|| registry.missing(name, *spelling)), name, *spelling)
        }
        Addressed::ByAgent(name, spelling) => (registry.resolve(name, *spelling), name, *spelling),
        Addressed::Loosely(name) => (resolve(project, registry, name), name, Spelling::Dotted),
    };
    match found {
        Ok(found) => Ok(found),
        Err(none) => {
            if let Some(refused) = refused(project, registry, name, spelling) {
                return Err(refused);
            }
            let withheld = error::withheld(project, registry, name, spelling).await;
            let error = RunError::unknown(project, registry, (name, spelling), &none, withheld);
            // The settings of today might know of the tool, and cannot be used.
            let help = error.help.into_iter().chain(project.catalog.stale_settings()).collect::<Vec<_>>();
            Err(RunError { help: (!help.is_empty()).then(|| help.join("; ")), ..error })
        }
    }
}

/// The refusal of a tool that is withheld from the caller; `None`: no such tool is.
pub fn refused(project: &Project, registry: &Registry, name: &str, spelling: Spelling) -> Option<RunError> {
    let found = registry.withheld_named(name, spelling)?;
    let refusal = policy::unapproved_text(found, project)?;
    Some(RunError::refused(project.prefix(found), refusal, project.settings.caller).of(found))
}

/// The tool that a person means by what he typed, where he is.
///
/// # Errors
/// When nothing or more than one thing is called so.
pub fn resolve<'a>(
    project: &Project,
    registry: &'a Registry,
    typed: &str,
) -> Result<&'a Registered, NoSuchTool> {
    registry.find(typed, project.here())
}
