//! Carries out probes: policy judges them and execution supervises them, as it does with every run.

use std::ops::ControlFlow;
use std::sync::Arc;

use tokio::task::yield_now;
use tokio_util::sync::CancellationToken;

use super::audit_lines::AuditLines;
use super::secrets;
use crate::execution::{self, RunHost, Sink};
use crate::model::{
    Command, Containment, Ending, ErrorCode, Probe, Probed, Profile, Stream, Values, containment,
    not_started, shown,
};
use crate::policy;
use crate::redact::{Redactor, Secrets};
use crate::sources::project::{Prober, Probing};
use crate::sys::KeptFiles;

/// The caller of a probe in the audit log.
const CALLER: &str = "discovery";
/// How many bytes a probe may print on standard output.
const MOST_OUTPUT: usize = 32 * 1024 * 1024;
/// How many of the last bytes on standard error are kept.
const ERROR_END: usize = 4 * 1024;

/// Carries out the probes of a project on this machine.
#[derive(Debug)]
pub struct HostProber {
    host: RunHost,
    audit: AuditLines,
    files: Arc<KeptFiles>,
}

impl HostProber {
    pub(crate) fn new(host: RunHost, files: Arc<KeptFiles>) -> Self {
        let audit = AuditLines::new(&host, CALLER, "a probe that the settings allow");
        Self { host, audit, files }
    }
}

impl Prober for HostProber {
    fn probe<'a>(&'a self, instance: &'a str, config: &'a Values, probe: &'a Probe) -> Probing<'a> {
        Box::pin(self.run_probe(instance, config, &probe.command))
    }
}

impl HostProber {
    async fn run_probe(&self, instance: &str, config: &Values, command: &Command) -> Probed {
        // Polled without a runtime, this panics here, before anything is asked for.
        yield_now().await;
        let host = &self.host;
        let secrets = secrets::of_run(&self.files, &host.root, &host.environment, &command.environment);
        // Redacted before it is cut: a part of a secret would not be found.
        let line = shown(&secrets.redact(&command.line()));
        // A probe is held also where nothing holds the runs of its instance.
        let of_settings = containment(Profile::Test, config, |_| false);
        let rules = if of_settings.is_off() { Containment::of(Profile::Test) } else { of_settings };
        let cleared = match policy::authorize_probe(command.clone(), Some(rules)) {
            Ok(cleared) => cleared,
            Err(refusal) => {
                self.audit.add(host, instance, "refused", &line);
                return nothing(ErrorCode::BadArgument, format!("`{line}` is refused: {refusal}"));
            }
        };
        self.audit.add(host, instance, "permitted", &line);
        let mut printed = ProbeOutput::new(&secrets);
        let never = CancellationToken::new();
        let outcome = match execution::queue(host, false, &never, &never).await {
            Ok(place) => place.ending_detached(true).run(cleared, &mut printed, &never, &never).await,
            Err(outcome) => outcome,
        };
        answer(outcome.ending, printed, &line)
    }
}

fn answer(ending: Ending, printed: ProbeOutput, line: &str) -> Probed {
    if printed.too_much {
        let most = MOST_OUTPUT / 1024 / 1024;
        return nothing(ErrorCode::Failed, format!("`{line}` printed more than {most} MiB"));
    }
    match ending {
        Ending::Exited(code) => printed.ended(code),
        Ending::Signalled(signal) => printed.ended(128 + signal),
        Ending::TimedOut(after) => {
            nothing(ErrorCode::TimedOut, format!("`{line}` did not end within {} seconds", after.as_secs()))
        }
        Ending::Cancelled => nothing(ErrorCode::Cancelled, format!("`{line}` was cancelled")),
        Ending::Answered { .. } | Ending::Rejected(_) | Ending::Disconnected(_) => {
            nothing(ErrorCode::Failed, format!("`{line}` is no probe"))
        }
        Ending::Lost => {
            nothing(ErrorCode::NotStarted, format!("`{line}` lost its supervisor, which was killed"))
        }
        Ending::NotStarted(why) => {
            let (fault, why, _) = not_started(&why, &format!("`{line}`"), None);
            nothing(fault, why)
        }
    }
}

fn nothing(fault: ErrorCode, why: String) -> Probed {
    Probed::Nothing { fault, why }
}

/// The output of a probe so far.
#[derive(Debug)]
struct ProbeOutput {
    out: Vec<u8>,
    err: Vec<u8>,
    /// Takes secrets out of standard error, which is shown in problems and kept on disk. Standard output is for the
    /// plugin alone, which takes names out of it.
    hidden: Redactor,
    too_much: bool,
}

impl ProbeOutput {
    fn new(secrets: &Secrets) -> Self {
        Self { out: Vec::new(), err: Vec::new(), hidden: secrets.redactor(), too_much: false }
    }

    fn ended(mut self, code: i32) -> Probed {
        self.err.extend(self.hidden.finish());
        let from = self.err.len().saturating_sub(ERROR_END);
        // A character that was cut at the front is left out.
        let end = &self.err[from..];
        let begins =
            if from == 0 { 0 } else { end.iter().take(3).take_while(|byte| **byte & 0xc0 == 0x80).count() };
        let err = String::from_utf8_lossy(&end[begins..]).into_owned();
        Probed::Ended { code, out: Arc::from(self.out), err }
    }
}

impl Sink for ProbeOutput {
    fn write(&mut self, stream: Stream, bytes: &[u8]) -> ControlFlow<()> {
        match stream {
            Stream::Out | Stream::Both if self.out.len() + bytes.len() > MOST_OUTPUT => {
                self.too_much = true;
                return ControlFlow::Break(());
            }
            Stream::Out | Stream::Both => self.out.extend_from_slice(bytes),
            Stream::Err => {
                self.err.extend_from_slice(&self.hidden.push(bytes));
                if self.err.len() > 16 * ERROR_END {
                    self.err.drain(..self.err.len() - ERROR_END);
                }
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_standard_error_the_end_is_kept_and_of_too_much_output_nothing() {
        let mut printed = ProbeOutput::new(&Secrets::default());
        for line in 0..10_000 {
            assert!(printed.write(Stream::Err, format!("é line {line}\n").as_bytes()).is_continue());
            assert!(printed.err.len() <= 16 * ERROR_END);
        }
        assert!(printed.write(Stream::Out, b"out").is_continue());
        let Probed::Ended { code: 3, out, err } = printed.ended(3) else { panic!("it ended") };
        assert_eq!(&*out, b"out");
        assert!(err.ends_with("line 9999\n") && err.len() <= ERROR_END && err.len() > ERROR_END - 4);
        assert!(!err.contains(char::REPLACEMENT_CHARACTER), "{}", &err[..20]);

        let mut printed = ProbeOutput::new(&Secrets::default());
        assert!(printed.write(Stream::Out, &vec![0; MOST_OUTPUT]).is_continue());
        assert!(printed.write(Stream::Out, b"x").is_break() && printed.too_much);
    }

    #[test]
    fn problems_of_a_probe_hold_no_secret() {
        let mut printed = ProbeOutput::new(&Secrets::new([("TOKEN", "s3cr3t-token")]));
        for part in ["bad login: s3cr", "3t-token; s3cr3t"] {
            assert!(printed.write(Stream::Err, part.as_bytes()).is_continue());
        }
        let Probed::Ended { err, .. } = printed.ended(1) else { panic!("it ended") };
        assert_eq!(err, "bad login: [redacted:TOKEN]; s3cr3t");
    }
}
