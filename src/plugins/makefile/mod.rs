//! Targets of a Makefile.

mod targets;
