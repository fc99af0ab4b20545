//! The offers of an MCP server beside its tools: prompts and resources.

use serde_json::Value;

use crate::model::OfferedKind;

/// A kind of offer, each with a list of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OfferKind {
    /// Prompts, by name.
    Prompts,
    /// Resources, by URI.
    Resources,
    /// Templates of the URIs of resources.
    Templates,
}

impl OfferKind {
    /// The method that lists them.
    pub fn method(self) -> &'static str {
        match self {
            Self::Prompts => "prompts/list",
            Self::Resources => "resources/list",
            Self::Templates => "resources/templates/list",
        }
    }

    /// The kind of its entries.
    pub(super) fn entries(self) -> OfferedKind {
        match self {
            Self::Prompts => OfferedKind::Prompt,
            Self::Resources => OfferedKind::Resource,
            Self::Templates => OfferedKind::Template,
        }
    }

    /// The field of the result that holds them.
    pub fn key(self) -> &'static str {
        match self {
            Self::Prompts => "prompts",
            Self::Resources => "resources",
            Self::Templates => "resourceTemplates",
        }
    }

    /// The field of an entry that names it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prompts => "name",
            Self::Resources => "uri",
            Self::Templates => "uriTemplate",
        }
    }

    /// The capability of a server that has such a list.
    pub(super) fn capability(self) -> &'static str {
        match self {
            Self::Prompts => "prompts",
            Self::Resources | Self::Templates => "resources",
        }
    }
}

/// A request for an MCP server that is no call of a tool: `prompts/get`, `resources/read`.
#[derive(Debug)]
pub struct ForeignRequest<'a> {
    /// The method.
    pub method: &'a str,
    /// The parameters, in the server's own names.
    pub params: Value,
}

/// Something that a server tells its clients outside of any call.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerNotice {
    /// The server, as the settings name it.
    pub server: String,
    /// The method: `notifications/prompts/list_changed`.
    pub method: String,
    /// The parameters, as they came.
    pub params: Value,
}
