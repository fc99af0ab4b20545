//! The messages between cuff and the supervisor of a run, as bytes on a socket.
//!
//! Both ends are the same binary, so the encoding is private and has no versions. A frame is its length and
//! its fields; numbers are 8 bytes little-endian, texts are a length and their bytes.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use super::frames::{FrameFields, Rest};
use crate::containment::Confinement;
use crate::model::{Contained, Denial, DeniedAct, Identity, Leftovers, NotStarted};

/// The bytes that cuff may send after the job. End everything.
pub(crate) const STOP: u8 = b's';
/// End everything, once the process, which has no more to read, has had time to end by itself.
pub(crate) const HANG_UP: u8 = b'h';
/// End everything as a shell does at Ctrl-C: the tool is interrupted first, and receives SIGTERM once it has
/// had its time.
pub(crate) const INTERRUPT: u8 = b'i';
/// Kill everything.
pub(crate) const KILL: u8 = b'k';
/// Let everything stand still, and let it go on.
pub(crate) const SUSPEND: u8 = b'p';
pub(crate) const RESUME: u8 = b'r';

/// A notice is a few numbers, or an error text with a path or two in it.
const LONGEST_NOTICE: u64 = 1 << 20;
/// More bytes than most jobs have.
const USUAL: usize = 1 << 16;

/// The job of a supervisor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// The file to execute; relative paths resolve against `directory`.
    pub program: PathBuf,
    /// The words after the program.
    pub arguments: Vec<String>,
    /// The working directory, absolute.
    pub directory: PathBuf,
    /// The folder that the working directory must still be; `None` accepts any folder.
    pub folder: Option<Identity>,
    /// Whether processes that have left the session end with the run, unless cuff decides otherwise
    /// meanwhile.
    pub ends_detached: bool,
    /// Variables set on top of those of the start; later ones win.
    pub environment: Vec<(String, String)>,
    /// A file that must still be the one that was found.
    pub script: Option<Identity>,
    /// Whether cuff speaks with it, so that the end of its input is the first hint to end.
    pub converses: bool,
    /// Whether a person started it, whose rules hold inside of it too.
    pub is_persons: bool,
    /// The rules that the kernel holds; `None` for a run that is not contained.
    pub confinement: Option<Confinement>,
}

/// How the process that was started ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessEnd {
    /// By itself, with this code.
    Exited(i32),
    /// By a signal from any sender.
    Signalled(i32),
}

/// A job as its supervisor gets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JobOrder {
    pub(super) job: Job,
    /// All variables that the process starts with, before the job's own.
    pub(super) variables: Vec<(OsString, OsString)>,
}

/// A report of the supervisor, in this order: here, where it is a fork, started, ended, left; or here and not started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SupervisorNotice {
    /// The supervisor lives under this id, and has not read its job yet.
    Here(u32),
    /// The process runs under this id, which is its group's and session's too.
    Started(u32),
    /// There is no process.
    NotStarted(NotStarted),
    /// The process stopped: Ctrl-Z at its terminal.
    Stopped,
    /// How much of its containment the kernel holds.
    Contained(Contained),
    /// Something that the run was refused.
    Denied(Denial),
    /// The process ended.
    Ended(ProcessEnd),
    /// Nothing of the run is supervised any more.
    Left(Leftovers),
}

impl Job {
    /// The job as one frame, for a process that starts with these variables.
    pub(crate) fn encode<'v>(&self, variables: impl Iterator<Item = (&'v OsStr, &'v OsStr)>) -> Vec<u8> {
        let mut fields = FrameFields::default();
        fields.path(&self.program);
        fields.path(&self.directory);
        fields.texts(self.arguments.iter().map(String::as_bytes));
        fields.number(self.environment.len() as u64);
        for (name, value) in &self.environment {
            fields.text(name.as_bytes());
            fields.text(value.as_bytes());
        }
        fields.identity(self.script.as_ref());
        fields.identity(self.folder.as_ref());
        for flag in [self.ends_detached, self.converses, self.is_persons] {
            fields.number(u64::from(flag));
        }
        fields.confinement(self.confinement.as_ref());
        // They go on to the end of the frame.
        for (name, value) in variables {
            fields.text(name.as_bytes());
            fields.text(value.as_bytes());
        }
        fields.frame()
    }
}

impl JobOrder {
    /// Reads one frame; however long it says it is, hardly more memory is taken than bytes arrive.
    ///
    /// # Errors
    /// When the other end went away, or is not a cuff.
    pub(super) fn read(source: &mut impl Read) -> io::Result<Self> {
        let mut length = [0; 8];
        source.read_exact(&mut length)?;
        let length = u64::from_le_bytes(length);
        let mut payload =
            Vec::with_capacity(usize::try_from(length).map_or(USUAL, |length| length.min(USUAL)));
        source.take(length).read_to_end(&mut payload)?;
        if payload.len() as u64 != length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Self::decode(&mut Rest(&payload)).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    fn decode(rest: &mut Rest<'_>) -> Option<Self> {
        let job = Job {
            program: rest.path()?,
            directory: rest.path()?,
            arguments: rest.several(Rest::string)?,
            environment: rest.several(|rest| Some((rest.string()?, rest.string()?)))?,
            script: rest.several(Rest::identity)?.pop(),
            folder: rest.several(Rest::identity)?.pop(),
            ends_detached: rest.flag()?,
            converses: rest.flag()?,
            is_persons: rest.flag()?,
            confinement: rest.several(Rest::confinement)?.pop(),
        };
        let mut variables = Vec::new();
        while !rest.0.is_empty() {
            variables.push((OsString::from_vec(rest.text()?), OsString::from_vec(rest.text()?)));
        }
        Some(Self { job, variables })
    }
}

impl SupervisorNotice {
    /// The notice as one frame.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut fields = FrameFields::default();
        match self {
            Self::Started(pid) => fields.numbers([0, u64::from(*pid)]),
            Self::Ended(ProcessEnd::Exited(code)) => fields.numbers([1, u64::from(code.cast_unsigned())]),
            Self::Ended(ProcessEnd::Signalled(signal)) => {
                fields.numbers([2, u64::from(signal.cast_unsigned())]);
            }
            Self::Stopped => fields.number(11),
            Self::Here(pid) => fields.numbers([12, u64::from(*pid)]),
            Self::Contained(contained) => {
                fields.number(13);
                fields.contained(contained);
            }
            Self::Denied(Denial { act, subject }) => {
                fields.numbers([14, *act as u64]);
                fields.text(subject.as_bytes());
            }
            Self::Left(left) => fields.numbers([3, u64::from(left.killed), u64::from(left.detached)]),
            Self::NotStarted(NotStarted::ProgramMissing { program, path }) => {
                fields.number(4);
                fields.text(program.as_bytes());
                fields.text(path.as_bytes());
            }
            Self::NotStarted(NotStarted::DirectoryMissing(text)) => fields.tagged(5, text),
            Self::NotStarted(NotStarted::ScriptChanged(text)) => fields.tagged(6, text),
            Self::NotStarted(NotStarted::Other(text)) => fields.tagged(7, text),
            Self::NotStarted(NotStarted::SourceChanged(text)) => fields.tagged(8, text),
            Self::NotStarted(NotStarted::DirectoryChanged(text)) => fields.tagged(9, text),
            Self::NotStarted(NotStarted::SourceBusy(text)) => fields.tagged(15, text),
            Self::NotStarted(NotStarted::Uncontained(contained)) => {
                fields.number(16);
                fields.contained(contained);
            }
            Self::NotStarted(NotStarted::DefinitionChanged { server, tool }) => {
                fields.number(10);
                fields.text(server.as_bytes());
                fields.text(tool.as_bytes());
            }
        }
        fields.frame()
    }

    /// Takes the first whole notice off the bytes that have arrived; `None` if more must arrive first.
    ///
    /// # Errors
    /// When the other end does not use this protocol.
    pub(crate) fn take(arrived: &mut Vec<u8>) -> io::Result<Option<Self>> {
        let Some((length, rest)) = arrived.split_first_chunk::<8>() else { return Ok(None) };
        let length = u64::from_le_bytes(*length);
        if length > LONGEST_NOTICE {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let Some(payload) = usize::try_from(length).ok().and_then(|length| rest.get(..length)) else {
            return Ok(None);
        };
        let notice = Self::decode(&mut Rest(payload)).ok_or(io::ErrorKind::InvalidData)?;
        let taken = 8 + payload.len();
        arrived.drain(..taken);
        Ok(Some(notice))
    }

    fn decode(rest: &mut Rest<'_>) -> Option<Self> {
        Some(match rest.number()? {
            0 => Self::Started(rest.small()?),
            1 => Self::Ended(ProcessEnd::Exited(rest.small()?.cast_signed())),
            2 => Self::Ended(ProcessEnd::Signalled(rest.small()?.cast_signed())),
            3 => Self::Left(Leftovers { killed: rest.small()?, detached: rest.small()? }),
            4 => {
                Self::NotStarted(NotStarted::ProgramMissing { program: rest.string()?, path: rest.string()? })
            }
            5 => Self::NotStarted(NotStarted::DirectoryMissing(rest.string()?)),
            6 => Self::NotStarted(NotStarted::ScriptChanged(rest.string()?)),
            7 => Self::NotStarted(NotStarted::Other(rest.string()?)),
            8 => Self::NotStarted(NotStarted::SourceChanged(rest.string()?)),
            9 => Self::NotStarted(NotStarted::DirectoryChanged(rest.string()?)),
            10 => Self::NotStarted(NotStarted::DefinitionChanged {
                server: rest.string()?,
                tool: rest.string()?,
            }),
            11 => Self::Stopped,
            12 => Self::Here(rest.small()?),
            13 => Self::Contained(rest.contained()?),
            14 => Self::Denied(Denial { act: DeniedAct::numbered(rest.number()?)?, subject: rest.string()? }),
            15 => Self::NotStarted(NotStarted::SourceBusy(rest.string()?)),
            16 => Self::NotStarted(NotStarted::Uncontained(rest.contained()?)),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> Job {
        Job {
            program: OsString::from_vec(b"/bin/\xff odd".to_vec()).into(),
            arguments: vec![String::new(), "a\nb\0c".into(), "ü".repeat(100_000)],
            directory: "/tmp".into(),
            environment: vec![("A".into(), "1".into()), ("A".into(), "=2".into())],
            script: Some(Identity { path: "/x/run.sh".into(), device: u64::MAX, inode: 7 }),
            folder: Some(Identity { path: "/tmp".into(), device: 1, inode: u64::MAX }),
            ends_detached: true,
            converses: true,
            is_persons: false,
            confinement: None,
        }
    }

    #[test]
    fn a_job_arrives_as_it_was_sent() {
        for job in [
            job(),
            Job {
                script: None,
                folder: None,
                ends_detached: false,
                converses: false,
                is_persons: true,
                confinement: None,
                arguments: vec![],
                environment: vec![],
                ..job()
            },
        ] {
            for variables in [vec![], vec![(OsString::from("A"), OsString::from_vec(b"\xff".to_vec()))]] {
                let frame = job.encode(variables.iter().map(|(name, value)| (&**name, &**value)));
                let read = JobOrder::read(&mut frame.as_slice()).unwrap();
                assert_eq!(read, JobOrder { job: job.clone(), variables });
            }
        }
    }

    #[test]
    fn a_job_cut_anywhere_is_an_error() {
        let job = Job { arguments: vec!["a".into()], ..job() };
        let frame = job.encode(std::iter::empty());
        for end in 0..frame.len() {
            JobOrder::read(&mut &frame[..end]).unwrap_err();
            // A frame that is whole by its length and short by its fields.
            let mut short = frame[..end].to_vec();
            if let Some(payload) = end.checked_sub(8) {
                short[..8].copy_from_slice(&(payload as u64).to_le_bytes());
                JobOrder::read(&mut short.as_slice()).unwrap_err();
            }
        }
        let mut endless = vec![0xff; 8];
        endless.extend_from_slice(&frame);
        JobOrder::read(&mut endless.as_slice()).unwrap_err();
    }

    #[test]
    fn notices_arrive_one_by_one_however_they_are_cut() {
        let notices = [
            SupervisorNotice::Started(u32::MAX),
            SupervisorNotice::Here(7),
            SupervisorNotice::Stopped,
            SupervisorNotice::Ended(ProcessEnd::Exited(-1)),
            SupervisorNotice::Ended(ProcessEnd::Exited(255)),
            SupervisorNotice::Ended(ProcessEnd::Signalled(9)),
            SupervisorNotice::Left(Leftovers { killed: 3, detached: 4 }),
            SupervisorNotice::NotStarted(NotStarted::ProgramMissing {
                program: "pnpm".into(),
                path: "/bin".into(),
            }),
            SupervisorNotice::NotStarted(NotStarted::DirectoryMissing("/gone".into())),
            SupervisorNotice::NotStarted(NotStarted::ScriptChanged("/a.sh".into())),
            SupervisorNotice::NotStarted(NotStarted::DirectoryChanged("/moved".into())),
            SupervisorNotice::NotStarted(NotStarted::Other("ö".into())),
            SupervisorNotice::NotStarted(NotStarted::SourceChanged("a".into())),
            SupervisorNotice::NotStarted(NotStarted::SourceBusy("a".into())),
            SupervisorNotice::NotStarted(NotStarted::Uncontained(Contained::Partly(vec![
                "a".into(),
                "b".into(),
            ]))),
            SupervisorNotice::Contained(Contained::No("a".into())),
        ];
        let stream: Vec<u8> = notices.iter().flat_map(SupervisorNotice::encode).collect();
        for size in [1, 7, 8, 9, 1000] {
            let (mut arrived, mut taken) = (Vec::new(), Vec::new());
            for chunk in stream.chunks(size) {
                arrived.extend_from_slice(chunk);
                while let Some(notice) = SupervisorNotice::take(&mut arrived).unwrap() {
                    taken.push(notice);
                }
            }
            assert_eq!(taken, notices, "chunks of {size}");
            assert!(arrived.is_empty());
        }
    }

    #[test]
    fn noise_is_no_notice() {
        for noise in [&[0xff; 8][..], b"\x08\0\0\0\0\0\0\0\x09\0\0\0\0\0\0\0", b"\0\0\0\0\0\0\0\0"] {
            SupervisorNotice::take(&mut noise.to_vec()).unwrap_err();
        }
    }
}
