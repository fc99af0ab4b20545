//! A package.json as a value, for those who need little of it.

use serde_json::{Map, Value};

/// The keys of a package.json whose names are packages that it needs.
const NEEDS: [&str; 4] = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/// The value of a package.json; `None` where it is not JSON.
pub(in crate::plugins) fn package_json(bytes: &[u8]) -> Option<Value> {
    serde_json::from_slice(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)).ok()
}

/// The packages that a package.json needs, each with its version, in the order of the keys.
pub(in crate::plugins) fn needs(manifest: &Value) -> impl Iterator<Item = (&String, &Value)> {
    NEEDS.iter().filter_map(|key| manifest.get(key)?.as_object()).flat_map(Map::iter)
}
