//! The packages that a package needs, for an order of a workspace.

use serde_json::Value;

use crate::model::Package;
use crate::plugins::managers;

/// The package of a package.json; `None` where it has no name, so that no other can need it, and needs none.
pub(super) fn of(manifest: &[u8]) -> Option<Package> {
    let manifest = managers::package_json(manifest)?;
    let name = manifest.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    // Managers build what it needs first.
    let needs: Vec<String> =
        managers::needs(&manifest).map(|(name, wanted)| aliased(wanted).unwrap_or(name).to_owned()).collect();
    (!name.is_empty() || !needs.is_empty()).then_some(Package { name, needs, ..Package::default() })
}

/// The package behind another name for it: `workspace:@x/ui@*`, `npm:@x/ui@1`.
fn aliased(wanted: &Value) -> Option<&str> {
    let wanted = wanted.as_str()?;
    let wanted = ["workspace:", "npm:"].into_iter().find_map(|kind| wanted.strip_prefix(kind))?;
    let (name, _) = wanted.rsplit_once('@')?;
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_of_dependencies_count() {
        let manifest = r#"{"name": "@x/app", "dependencies": {"@x/ui": "workspace:*"}, "devDependencies": {"@x/build": "1",
            "own": "workspace:@x/core@*", "other": "npm:old@^1", "path": "workspace:../path"},
            "peerDependencies": {"react": "18"}, "optionalDependencies": null}"#;
        let package = of(manifest.as_bytes()).unwrap();
        assert_eq!(package.name, "@x/app");
        assert_eq!(package.needs, ["@x/ui", "@x/build", "@x/core", "old", "path", "react"]);
        assert_eq!(of(b"{}"), None);
        assert_eq!(of(b"[1"), None);
    }
}
