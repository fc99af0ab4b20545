#![doc = include_str!("README.md")]

pub mod execution;
pub mod model;
pub mod plugin;
pub mod plugins;
pub mod policy;
pub mod sys;
