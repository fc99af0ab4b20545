#![doc = include_str!("README.md")]

pub mod cli;
pub mod discovery;
pub mod engine;
pub mod execution;
pub mod mcp;
pub mod model;
pub mod plugin;
pub mod plugins;
pub mod policy;
pub mod registry;
pub mod settings;
pub mod sys;
pub mod wire;
