//! Missing dependencies of tools, as in a fresh clone.

use std::collections::{BTreeMap, BTreeSet};

use crate::calls::install_hint;
use crate::doctor::check::Check;
use crate::model::{Role, listed};
use crate::project::Project;
use crate::registry::Registry;

/// How many instances a line names.
const MOST_NAMES: usize = 3;

/// A warning for each install that was left out.
pub(crate) fn dependency_checks(project: &Project, registry: &Registry) -> Vec<Check> {
    let (mut seen, mut lacking) = (BTreeSet::new(), BTreeMap::<_, Vec<&str>>::new());
    for found in registry.tools() {
        // The tools of an instance share their sources, so the first one is enough.
        let instance = found.name.instance.as_str();
        if !matches!(found.tool.role, Role::Run { .. }) || !seen.insert(instance) {
            continue;
        }
        if let Some(missing) = install_hint::missing(project, found, registry.tools()) {
            let remedy = install_hint::for_people(&project.settings, registry, &missing.installer);
            lacking.entry((remedy, missing.what)).or_default().push(instance);
        }
    }
    let check = |((remedy, what), instances): ((String, String), Vec<&str>)| {
        Check::warn(format!("{}: {what}", listed(&instances, MOST_NAMES)), remedy)
    };
    lacking.into_iter().map(check).collect()
}
