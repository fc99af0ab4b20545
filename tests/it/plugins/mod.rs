//! The built-in plugins with the real programs that they call.

mod bad_input;
mod commands;
mod contracts;
mod described;
mod dotnet;
mod eslint;
mod installs;
mod just;
mod makefile;
mod manager_scripts;
mod nested_folders;
mod npm_packages;
mod package_managers;
mod probes;
mod real_sources;
mod scripts;
mod sources;
mod workspaces;
