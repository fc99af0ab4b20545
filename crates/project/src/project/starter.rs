//! Starts the servers of a project: policy judges each start, and execution supervises it.

use std::borrow::Cow;
use std::sync::Arc;

use super::audit_lines::AuditLines;
use super::secrets;
use crate::execution::{self, RunHost, ServerProcess, StartedServer};
use crate::model::{Command, Containment, Ending, NotStarted, not_started, shown};
use crate::policy;
use crate::redact::Secrets;
use crate::sources::{ServerProcesses, ServerStarter, StartedProgram, Waiting};
use crate::sys::{KeptFiles, signal};

/// The caller of a server's start, in the audit log.
const CALLER: &str = "upstream";

/// Starts the servers of a project on this machine.
#[derive(Debug)]
pub struct HostStarter {
    host: RunHost,
    audit: AuditLines,
    files: Arc<KeptFiles>,
}

impl HostStarter {
    /// Starts servers as this host starts runs. `files` are those of the project, read for its secrets.
    pub fn new(host: RunHost, files: Arc<KeptFiles>) -> Self {
        let audit = AuditLines::new(&host, CALLER, "a server that was approved");
        Self { host, audit, files }
    }

    async fn start_approved(
        &self,
        server: &str,
        command: Command,
        containment: Containment,
    ) -> Result<StartedProgram, String> {
        let host = &self.host;
        let secrets = secrets::of_run(&self.files, &host.root, &host.environment, &command.environment);
        // Redacted before it is cut: a part of a secret would not be found.
        let line = shown(&secrets.redact(&command.line()));
        let advice = command.if_missing.clone();
        let cleared = policy::authorize_server(command, Some(containment)).map_err(|refusal| {
            self.audit.add(host, server, "refused", &line);
            format!("`{line}` is refused: {refusal}")
        })?;
        self.audit.add(host, server, "permitted", &line);
        let started = execution::serve(cleared, host).await;
        let StartedServer { input, out, err, process } =
            started.map_err(|why| failure(&why, &line, advice.map(Cow::into_owned), &secrets))?;
        Ok(StartedProgram {
            stdin: Box::new(input),
            stdout: Box::new(out),
            stderr: Box::new(err),
            process: Box::new(ServerLife(process)),
        })
    }
}

impl ServerStarter for HostStarter {
    fn start<'a>(
        &'a self,
        server: &'a str,
        command: Command,
        containment: Containment,
    ) -> Waiting<'a, Result<StartedProgram, String>> {
        Box::pin(self.start_approved(server, command, containment))
    }
}

/// The life of a server that was started here.
struct ServerLife(ServerProcess);

impl ServerProcesses for ServerLife {
    fn ended(&mut self) -> Waiting<'_, String> {
        Box::pin(async { in_words(&self.0.ended().await) })
    }
}

/// The end of a server: `exit code 3`, `signal 9 (SIGKILL)`.
fn in_words(ending: &Ending) -> String {
    match ending {
        Ending::Exited(code) => format!("exit code {code}"),
        Ending::Signalled(signal) => signal::described(*signal),
        Ending::TimedOut(_)
        | Ending::Cancelled
        | Ending::Answered { .. }
        | Ending::Rejected(_)
        | Ending::Disconnected(_)
        | Ending::NotStarted(_)
        | Ending::Lost => "its supervisor was killed".to_owned(),
    }
}

/// The reason why a server could not be started, and what to do. A client of cuff may have another search
/// path than the shell of the settings' author, so the message shows it.
fn failure(why: &NotStarted, line: &str, advice: Option<String>, secrets: &Secrets) -> String {
    let message = match why {
        NotStarted::ProgramMissing { program, path } if program.contains('/') => {
            let program = shown(program);
            format!("{program} does not exist, or is no program (seen from the folder {})", shown(path))
        }
        NotStarted::ProgramMissing { program, path } => {
            let advice = advice.map_or_else(String::new, |advice| format!("; {advice}"));
            format!("{} is not installed, or not on the search path {path:?}{advice}", shown(program))
        }
        NotStarted::DirectoryMissing(folder) => format!("The working directory {folder} does not exist"),
        other => not_started(other, &format!("`{line}`"), advice).1,
    };
    secrets.redact(&message).into_owned()
}
