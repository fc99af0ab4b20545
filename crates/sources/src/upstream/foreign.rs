//! An entry of a server's list: offered as every client takes it, or withheld alone.

use serde_json::Value;

use crate::model::{ErrorCode, OfferedDefinition, OfferedKind, Problem, shown};

/// An entry of a list.
pub(super) struct Foreign<'a> {
    pub(super) server: &'a str,
    pub(super) of: OfferedKind,
    /// Its place in the list.
    pub(super) at: usize,
    /// The entry, as it came.
    pub(super) raw: &'a Value,
}

impl Foreign<'_> {
    /// The entry that clients get, and the problem that a part of it is left out.
    ///
    /// # Errors
    /// The problem that the entry is withheld.
    pub(super) fn offered(&self) -> Result<(Value, Option<Problem>), Box<Problem>> {
        let OfferedDefinition { value, left_out } =
            OfferedDefinition::of(self.of, self.raw).map_err(|reason| self.withheld(&reason))?;
        let problem = (!left_out.is_empty()).then(|| {
            let message = format!("{} is offered without what clients refuse: {}", self, left_out.join("; "));
            Problem::warning(message)
        });
        Ok((value, problem))
    }

    /// The problem that the entry is withheld, for this reason.
    pub(super) fn withheld(&self, reason: &str) -> Box<Problem> {
        let message = format!("{self} is not offered: {reason}");
        let problem = Problem::error(ErrorCode::Failed, message);
        Box::new(if self.name().is_empty() { problem } else { problem.withholding(self.name()) })
    }

    /// The field that names it.
    pub(super) fn name(&self) -> &str {
        let field = match self.of {
            OfferedKind::Tool | OfferedKind::Prompt => "name",
            OfferedKind::Resource => "uri",
            OfferedKind::Template => "uriTemplate",
        };
        self.raw.get(field).and_then(Value::as_str).unwrap_or_default()
    }
}

impl std::fmt::Display for Foreign<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = match self.of {
            OfferedKind::Tool => "tool",
            OfferedKind::Prompt => "prompt",
            OfferedKind::Resource => "resource",
            OfferedKind::Template => "resource template",
        };
        write!(out, "the {kind} ")?;
        match self.name() {
            "" => write!(out, "{}", self.at + 1)?,
            name => write!(out, "\"{}\"", shown(name))?,
        }
        write!(out, " of the server {}", self.server)
    }
}
