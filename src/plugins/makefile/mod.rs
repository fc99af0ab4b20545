//! Targets of a Makefile.

mod database;
mod extractor;
mod place;
mod probe;
mod project;
mod simple;
mod targets;
