//! The plugin makefile with the real make.

mod calls;
mod generated_makefiles;
mod make_queries;
mod real_makefiles;
