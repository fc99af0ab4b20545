//! The helpers of all tests: a project, terminals, clients and servers, the installed programs.

pub(crate) mod balancer;
#[cfg(feature = "team")]
pub(crate) mod collector;
pub(crate) mod engines;
pub(crate) mod http_server;
pub(crate) mod landing;
pub(crate) mod mcp_session;
pub(crate) mod normalize;
#[cfg(feature = "team")]
pub(crate) mod object_store;
pub(crate) mod official_client;
pub(crate) mod process;
pub(crate) mod project;
pub(crate) mod terminal;
pub(crate) mod tools;
