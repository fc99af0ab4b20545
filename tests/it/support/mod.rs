//! The helpers of all tests: a project, terminals, clients and servers, the installed programs.

pub(crate) mod balancer;
pub(crate) mod normalize;
pub(crate) mod project;
pub(crate) mod terminal;
pub(crate) mod tools;
