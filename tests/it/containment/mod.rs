//! Runs of agents that attack all that is outside of their project.

mod escapes;
mod scene;
