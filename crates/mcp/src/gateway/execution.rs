//! Programs that are executed in the session's gateway.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::calls::ClientLine;
use crate::code::{
    Collected, ExecutionAudience, ExecutionLimits, ExecutionTask, Only, Program, execute as execute_program,
};
use crate::project::Project;

/// The least and the most of the limits that a request may choose.
const SECONDS: std::ops::RangeInclusive<u64> = 1..=3600;
const MEGABYTES: std::ops::RangeInclusive<usize> = 8..=4096;

/// A program as it is posted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PostedProgram {
    code: String,
    /// The name of its file.
    file: Option<String>,
    #[serde(default)]
    check: bool,
    #[serde(default)]
    read_only: bool,
    #[serde(default)]
    allow: Vec<String>,
    timeout: Option<u64>,
    memory: Option<usize>,
    #[serde(default)]
    whole: bool,
}

/// A program, and whether all of its result is wanted.
pub(super) struct ProgramRequest {
    program: Program,
    whole: bool,
}

/// The program that a request has, as one of this session.
///
/// # Errors
/// Says what cannot be understood.
pub(super) fn program(posted: Value, session: &str) -> Result<ProgramRequest, String> {
    let posted: PostedProgram = serde_json::from_value(posted).map_err(|error| error.to_string())?;
    let only = Only::new(&posted.allow, posted.read_only).map_err(|why| format!("allow: {why}"))?;
    let mut limits = ExecutionLimits::default();
    if let Some(seconds) = posted.timeout {
        let seconds = Some(seconds).filter(|seconds| SECONDS.contains(seconds));
        limits.time = Duration::from_secs(seconds.ok_or("timeout: 1 to 3600 seconds")?);
    }
    if let Some(megabytes) = posted.memory {
        let megabytes = Some(megabytes).filter(|megabytes| MEGABYTES.contains(megabytes));
        limits.memory = megabytes.ok_or("memory: 8 to 4096 megabytes")? << 20;
    }
    let task = if posted.check { ExecutionTask::Check } else { ExecutionTask::Run };
    // The same name that commands of the session have.
    let session = format!("named:{session}");
    Ok(ProgramRequest {
        program: Program { source: posted.code, file: posted.file, limits, only, task, session, trace: None },
        whole: posted.whole,
    })
}

/// Executes a program; the execution as JSON.
///
/// # Errors
/// When no interpreter can be started.
pub(super) async fn execute(
    project: &Arc<Project>,
    ProgramRequest { program, whole }: ProgramRequest,
    cancel: CancellationToken,
) -> io::Result<Value> {
    let collected = Collected::default();
    let printed = {
        let collected = collected.clone();
        Box::new(move |stream, text: &str| collected.push(stream, text))
    };
    let executed = execute_program(
        project,
        &program,
        ExecutionAudience { printed, client: ClientLine::default(), cancel },
    )
    .await?;
    Ok(executed.to_json(&program.source, &collected.text(), whole))
}
