//! How an instance is, as JSON.

use std::time::Duration;

use serde_json::{Value, json};

use super::problem::problem;
use crate::model::Health;

/// The keys are those of the package.json specification, section 11.3, where it has them.
pub fn health(health: &Health) -> Value {
    let problems: Vec<Value> =
        health.problems.iter().map(|found| problem(Some(&health.name), None, found)).collect();
    let mut shape = json!({
        "instance": health.name, "healthy": health.is_healthy(), "enabled": health.enabled,
        "initialized": health.read.is_some(), "source_exists": health.source_exists, "script_count": health.tools,
        "cache_valid": health.is_cache_valid,
    });
    if !health.plugin.is_empty() {
        shape["plugin"] = json!(health.plugin);
    }
    if let Some((fact, runner)) = &health.runner {
        shape[*fact] = json!(runner);
    }
    if let Some(key) = health.source_key {
        shape[format!("{key}_exists")] = json!(health.source_exists);
    }
    if let Some(read) = health.read {
        // In seconds, as the specification has it; a time in milliseconds is exact in these numbers.
        shape["last_extraction"] = json!(Duration::from_millis(read).as_secs_f64());
        shape["last_extraction_ms"] = json!(read);
    }
    if !problems.is_empty() {
        shape["problems"] = Value::Array(problems);
    }
    shape
}
