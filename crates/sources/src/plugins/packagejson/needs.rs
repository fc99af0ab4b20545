//! The packages that a package needs, for an order of a workspace.

use serde_json::Value;

use crate::model::Package;
use crate::plugins::managers;

/// The package of a package.json; `None` where it has no name, so that no other can need it, and needs none.
pub(super) fn of(manifest: &[u8]) -> Option<Package> {
    let manifest = managers::package_json(manifest)?;
    let name = manifest.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    // Managers build what it needs first.
    let needs: Vec<String> = managers::needs(&manifest).map(|(name, _)| name.clone()).collect();
    (!name.is_empty() || !needs.is_empty()).then_some(Package { name, needs })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_of_dependencies_count() {
        let manifest = r#"{"name": "@x/app", "dependencies": {"@x/ui": "workspace:*"}, "devDependencies": {"@x/build": "1"},
            "peerDependencies": {"react": "18"}, "optionalDependencies": null}"#;
        let package = of(manifest.as_bytes()).unwrap();
        assert_eq!(package.name, "@x/app");
        assert_eq!(package.needs, ["@x/ui", "@x/build", "react"]);
        assert_eq!(of(b"{}"), None);
        assert_eq!(of(b"[1"), None);
    }
}
