//! The files of a run.

/// The bytes of both streams.
pub(super) const LOG: &str = "raw.log";
/// The positions of the log's lines, and the stream of each byte.
pub(super) const INDEX: &str = "raw.index";
/// The command, and how it ended.
pub(super) const META: &str = "meta.json";
/// The findings in the log.
pub(super) const FINDINGS: &str = "diagnostics.json";
/// The answer of another MCP server to a call.
pub(super) const ANSWER: &str = "answer.json";
/// The largest `answer.json` that is read, in bytes.
pub(super) const LARGEST_ANSWER: u64 = 128 * 1024 * 1024;
/// The source of a program in TypeScript.
pub(super) const SCRIPT: &str = "script.ts";
/// The largest `script.ts` that is read, in bytes.
pub(super) const LARGEST_SCRIPT: u64 = 4 * 1024 * 1024;
/// The result of a program, as JSON.
pub(super) const RESULT: &str = "result.json";
/// A mark that another process was asked to end the run.
pub(super) const STOPPED: &str = "stopped";
/// The largest `diagnostics.json` that is read, in bytes: a thousand findings of the longest kind.
pub(super) const LARGEST_FINDINGS: u64 = 16 * 1024 * 1024;
/// The largest `meta.json` that is read, in bytes.
pub(super) const LARGEST_META: u64 = 4 * 1024 * 1024;
