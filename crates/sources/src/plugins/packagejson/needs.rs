//! The packages that a package needs, for an order of a workspace.

use serde_json::{Map, Value};

use crate::model::Package;

/// The keys with them. Managers build what is under each of them first.
const KEYS: [&str; 4] = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/// The package of a package.json; `None` where it has no name, so that no other can need it, and needs none.
pub(super) fn of(manifest: &[u8]) -> Option<Package> {
    let bytes = manifest.strip_prefix(b"\xef\xbb\xbf").unwrap_or(manifest);
    let parts: Map<String, Value> = serde_json::from_slice(bytes).ok()?;
    let name = parts.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let tables = KEYS.iter().filter_map(|key| parts.get(*key)?.as_object());
    let needs: Vec<String> = tables.flat_map(Map::keys).cloned().collect();
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
