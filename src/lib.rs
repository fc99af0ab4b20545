#![doc = include_str!("README.md")]

pub mod model;
pub mod plugin;
pub mod plugins;
pub mod settings;
pub mod sys;
