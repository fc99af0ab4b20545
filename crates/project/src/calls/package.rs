//! Which package an agent means where those of a workspace share a tool.

use serde_json::Value;

use super::request::{Addressed, CallRequest};
use crate::calls::error::{ErrorReason, RunError};
use crate::model::{ErrorCode, Spelling, listed, shown};
use crate::project::Project;
use crate::registry::{NoPackage, PACKAGE, Registry};

/// How many packages a message names.
const MOST_NAMES: usize = 20;

/// Makes a call one of the package's own tool, where an agent calls one that packages of a workspace share. Any other call stays
/// as it is.
///
/// # Errors
/// When the package is none that has it, or is not named and the root has it not.
pub(crate) fn settle_package(
    project: &Project,
    registry: &Registry,
    request: &mut CallRequest,
) -> Result<(), RunError> {
    let Addressed::ByAgent(name, spelling) = &request.tool else { return Ok(()) };
    let package = request.arguments.get(PACKAGE);
    // A name of one package's own means that package.
    if package.is_none() && registry.named(name, *spelling).is_some() {
        return Ok(());
    }
    let Some(tool) = registry.shared(name, *spelling) else { return Ok(()) };
    let code = || ErrorCode::BadArgument.code(project.prefix(tool.first));
    let error = |message: String, help: String| {
        let error = RunError::new(ErrorReason::BadArguments, code(), message, Some(help));
        RunError { tool: Some(Box::new(tool.name.clone())), ..error }
    };
    let package = match package {
        None | Some(Value::Null) => None,
        Some(Value::String(package)) => Some(package.as_str()),
        Some(_) => {
            let help = "give the name of a package, or leave it out for the root".to_owned();
            return Err(error(format!("`{PACKAGE}` must be a string"), help));
        }
    };
    let script = shown(&tool.first.tool.original);
    let found = tool.of_package(registry, package).map_err(|none| match none {
        NoPackage::Missing(packages) => error(
            format!("the root of the workspace has no `{script}`: say which `{PACKAGE}`"),
            format!("these have it: {}", listed(&all_shown(&packages), MOST_NAMES)),
        ),
        NoPackage::Unknown(packages, meant) => error(
            format!("no package `{}` has `{script}`", shown(package.unwrap_or_default())),
            meant.map_or_else(
                || format!("these have it: {}", listed(&all_shown(&packages), MOST_NAMES)),
                |meant| format!("did you mean `{}`?", shown(&meant)),
            ),
        ),
    })?;
    request.tool = Addressed::Exactly(found.name.to_string(), Spelling::Dotted);
    request.arguments.shift_remove(PACKAGE);
    Ok(())
}

fn all_shown(names: &[String]) -> Vec<String> {
    names.iter().map(|name| shown(name)).collect()
}
