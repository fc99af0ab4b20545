//! The tool of a run whose runner is this machine: the cuff here contains it by the rules that the cuff of the run has sent.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::PathBuf;

use serde_json::{Value, json};
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::containing::{self, KnownHiddenPaths};
use super::prepare;
use super::tool_marks::{FIRST, MarkWords};
use crate::model::{Command, Containment, Network, NotStarted, Profile, Word, not_started};
use crate::sys::containment::Confinement;
use crate::sys::process::{self, ExpectedRuns, Job, Pipes, ProcessEnd, RunEvent, Supervisor};
use crate::sys::{Environment, terminal};

/// The word that starts cuff for it: the id of the run, the order and the words of the tool follow.
pub(super) const CONTAIN_ARGUMENT: &str = "__contain";

/// The exit codes of a tool that was not started, as shells have them, and of one whose end is unknown.
const CANNOT: u8 = 125;
const NO_PROGRAM: u8 = 127;
const KILLED: u8 = 137;

/// The rules for a tool on another machine, as words of a command line carry them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ContainmentOrder {
    pub(super) rules: Containment,
    /// The project there.
    pub(super) root: PathBuf,
    /// The project whose temporary folder and caches the tool has.
    pub(super) place: PathBuf,
}

impl ContainmentOrder {
    pub(super) fn encode(&self) -> String {
        let Containment { profile, network, write, hide, show, sockets, is_required } = &self.rules;
        json!({
            "profile": profile.name(), "network": network.name(), "ports": network.ports(), "write": write, "hide": hide, "show": show,
            "sockets": sockets, "required": is_required, "root": self.root.to_string_lossy(),
            "place": self.place.to_string_lossy(),
        })
        .to_string()
    }

    fn decode(text: &str) -> Option<Self> {
        let order: Value = serde_json::from_str(text).ok()?;
        let text = |key: &str| order[key].as_str();
        let texts = |key: &str| -> Option<Vec<String>> {
            order[key].as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
        };
        let port = |port: &Value| u16::try_from(port.as_u64()?).ok();
        let ports: Vec<u16> = order["ports"].as_array()?.iter().map(port).collect::<Option<_>>()?;
        let rules = Containment {
            profile: Profile::named(text("profile")?)?,
            network: Network::named(text("network")?, ports)?,
            write: texts("write")?,
            hide: texts("hide")?,
            show: texts("show")?,
            sockets: texts("sockets")?,
            is_required: order["required"].as_bool()?,
        };
        Some(Self { rules, root: text("root")?.into(), place: text("place")?.into() })
    }
}

/// Runs a tool within the rules of an order where these words ask for that, and returns its exit code; `None` where they do not.
pub fn contain_tool(words: &[OsString], environment: &Environment, supervisor: &Supervisor) -> Option<u8> {
    let [_, argument, id, order, program, arguments @ ..] = words else { return None };
    if argument != CONTAIN_ARGUMENT {
        return None;
    }
    let order = ContainmentOrder::decode(order.to_str()?)?;
    let texts: Option<Vec<&str>> = arguments.iter().map(|word| word.to_str()).collect();
    let command = Command::new(Word::fixed(program.to_str()?)).arguments(texts?.into_iter().map(Word::fixed));
    let tool =
        OrderedTool { id: id.to_str()?, order, command: command.directory(""), environment, supervisor };
    supervisor.prepare(ExpectedRuns::OneRun);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
    Some(runtime.block_on(tool.run()))
}

/// A tool that was ordered.
struct OrderedTool<'a> {
    id: &'a str,
    order: ContainmentOrder,
    command: Command,
    environment: &'a Environment,
    supervisor: &'a Supervisor,
}

impl OrderedTool<'_> {
    /// Starts the tool within all of its rules. Where the kernel does not hold them all, that is said before the tool starts within
    /// those that it holds: afterwards a tool that it does not hold could have stopped this process.
    async fn run(self) -> u8 {
        let Ok(mut signals) = EndSignals::heard() else { return CANNOT };
        let job = match prepare::job(&self.command, self.environment.directory(), self.environment) {
            Ok(job) => job,
            Err(why) => {
                self.say(&MarkWords::Began);
                let _ = writeln!(io::stderr(), "{}", not_started(&why, "It", None).1);
                return NO_PROGRAM;
            }
        };
        let ContainmentOrder { rules, root, place } = &self.order;
        let contained =
            containing::contain(rules, root, place, self.environment, &KnownHiddenPaths::default());
        let contained = match contained {
            Ok(contained) => contained,
            Err(error) => {
                return self.refuse(&format!("cuff could not make the folders of a contained run: {error}"));
            }
        };
        let environment = contained.variables;
        let strict = Confinement { is_required: true, ..contained.confinement };
        let job = Job { environment, confinement: Some(strict), ..job };
        match self.attempt(&job, &mut signals).await {
            Ok(code) => code,
            Err(NotStarted::Uncontained(contained)) if !rules.is_required => {
                self.say(&MarkWords::Contained(contained));
                let confinement = job.confinement.map(|strict| Confinement { is_required: false, ..strict });
                let ended = self.attempt(&Job { confinement, ..job }, &mut signals).await;
                ended.unwrap_or_else(|why| self.refuse(&not_started(&why, "It", None).1))
            }
            Err(NotStarted::Uncontained(contained)) => {
                let missing = contained.missing().join("; ");
                self.refuse(&format!(
                    "its settings require containment, which that machine does not hold: {missing}"
                ))
            }
            Err(why) => self.refuse(&not_started(&why, "It", None).1),
        }
    }

    /// Runs the tool to its end. It has the outputs of this process.
    async fn attempt(&self, job: &Job, signals: &mut EndSignals) -> Result<u8, NotStarted> {
        let input = terminal::own_input();
        let running = process::spawn(self.supervisor, self.environment, job, Pipes::Own, input).await;
        let mut running = running.map_err(|error| NotStarted::Other(error.to_string()))?;
        let (mut code, mut is_stopping) = (KILLED, false);
        loop {
            let event = tokio::select! {
                event = running.next() => event,
                wanted = signals.next() => {
                    match wanted {
                        WantedEnd::Interrupt => running.interrupt(),
                        // A runner may hang up behind its signal, and the tool is told once.
                        WantedEnd::Stop if is_stopping => {}
                        WantedEnd::Stop => running.stop(),
                    }
                    is_stopping |= wanted == WantedEnd::Stop;
                    continue;
                }
            };
            match event {
                Some(RunEvent::Contained(contained)) => self.say(&MarkWords::Contained(contained)),
                Some(RunEvent::Started(_)) => self.say(&MarkWords::Began),
                Some(RunEvent::Denied(denial)) => self.say(&MarkWords::Denied(denial)),
                Some(RunEvent::NotStarted(why)) => return Err(why),
                Some(RunEvent::Ended(end)) => code = exit_code(end),
                Some(RunEvent::Output(..) | RunEvent::Left(_) | RunEvent::Lost) => {}
                None => return Ok(code),
            }
        }
    }

    /// Says that the tool does not begin.
    fn refuse(&self, why: &str) -> u8 {
        self.say(&MarkWords::Refused(why.to_owned()));
        CANNOT
    }

    /// Writes a mark in one piece. Where standard error is closed there is nobody left to tell.
    fn say(&self, words: &MarkWords) {
        let mark = format!("{}cuff {} {}\n", char::from(FIRST), self.id, words.line());
        let _ = io::stderr().write_all(mark.as_bytes());
    }
}

/// The exit code of an end as a shell has it.
fn exit_code(end: ProcessEnd) -> u8 {
    match end {
        ProcessEnd::Exited(code) => u8::try_from(code & 0xff).unwrap_or(u8::MAX),
        ProcessEnd::Signalled(signal) => 128_u8.saturating_add(u8::try_from(signal).unwrap_or(0)),
    }
}

/// The end that a signal asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WantedEnd {
    Interrupt,
    Stop,
}

/// The signals by which a runner ends a tool.
struct EndSignals([Signal; 3]);

impl EndSignals {
    fn heard() -> io::Result<Self> {
        let [interrupt, terminate, hangup] =
            [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()].map(signal);
        Ok(Self([interrupt?, terminate?, hangup?]))
    }

    /// Waits for the next one.
    async fn next(&mut self) -> WantedEnd {
        let Self([interrupt, terminate, hangup]) = self;
        tokio::select! {
            _ = interrupt.recv() => WantedEnd::Interrupt,
            _ = terminate.recv() => WantedEnd::Stop,
            _ = hangup.recv() => WantedEnd::Stop,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_arrives_as_it_was_sent() {
        for network in [Network::Closed, Network::Loopback(vec![1, 65535]), Network::Open(Vec::new())] {
            let order = ContainmentOrder {
                rules: Containment {
                    network,
                    write: vec!["a b".into(), "~/x".into()],
                    hide: vec!["'\"".into()],
                    show: vec![String::new()],
                    sockets: Vec::new(),
                    is_required: true,
                    ..Containment::of(Profile::Install)
                },
                root: "/work space".into(),
                place: "/p".into(),
            };
            let text = order.encode();
            assert_eq!(ContainmentOrder::decode(&text), Some(order));
            assert_eq!(
                ContainmentOrder::decode(&text.replace("65535", "65536").replace("install", "x")),
                None
            );
        }
        assert_eq!(ContainmentOrder::decode("{}"), None);
    }
}
