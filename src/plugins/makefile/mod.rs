//! Targets of a Makefile.

mod project;
mod simple;
mod targets;
