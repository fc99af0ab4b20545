//! The gate: approvals, pins, confirmation, attacks on them, and input that is hostile or huge.

mod abuse;
mod always;
mod attacks;
mod client_consent;
mod contained_folders;
mod contained_runs;
mod content_binding;
mod definitions;
mod environment;
mod first_approval;
mod hostile_text;
mod impersonation;
mod narrowed_settings;
mod pins;
mod server_files;
mod undone_changes;
mod upstreams;
mod why_and_run;
mod wrapped_programs;
