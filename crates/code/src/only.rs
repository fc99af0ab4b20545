//! The tools that a single execution may call, beyond what policy says.

use crate::model::{Patterns, ToolName};
use crate::registry::Registered;

/// A narrower choice of tools for one execution. Policy judges each call as well.
#[derive(Debug, Clone, Default)]
pub struct Only {
    allowed: Option<(Patterns, String)>,
    is_read_only: bool,
}

impl Only {
    /// The tools with a name that matches a pattern, if there are patterns: any name that some face shows for them. With `is_read_only`, only
    /// those that do nothing but read.
    ///
    /// # Errors
    /// Names the pattern that cannot be understood.
    pub fn new(patterns: &[String], is_read_only: bool) -> Result<Self, String> {
        if patterns.is_empty() {
            return Ok(Self { allowed: None, is_read_only });
        }
        let (allowed, bad) = Patterns::new(patterns.iter().map(String::as_str));
        match bad.first() {
            Some(bad) => Err(bad.to_string()),
            None => Ok(Self { allowed: Some((allowed, patterns.join(", "))), is_read_only }),
        }
    }

    /// Why the tool with these names may not be called; `None`: it may.
    pub(super) fn refusal(&self, name: &ToolName, names: &[String], found: &Registered) -> Option<String> {
        if let Some((_, written)) =
            self.allowed.as_ref().filter(|(allowed, _)| !names.iter().any(|name| allowed.matches(name)))
        {
            return Some(format!("{name} may not be called in this execution: --allow names {written}"));
        }
        if self.is_read_only && !found.tool.effects.read_only {
            let why = if found.tool.role.definition().is_some() {
                "its server does not say that it only reads, or the settings do not trust what it says"
            } else {
                "what it runs may change anything"
            };
            return Some(format!("{name} may not be called with --read-only: {why}"));
        }
        None
    }
}
