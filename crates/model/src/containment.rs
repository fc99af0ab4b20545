//! Containment: what the kernel keeps a run from.

use std::fmt;
use std::path::{Path, PathBuf};

/// A named set of rules for a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Profile {
    /// Tests: the project is written, and servers of the project's own are reached.
    Test,
    /// Builds: as tests.
    Build,
    /// Installs: the network is open, and the managers' own caches are written.
    Install,
    /// Servers of a developer: as tests.
    Serve,
    /// Other MCP servers: the network is open, and all that is not hidden is written.
    Server,
    /// No containment.
    Off,
}

/// The part of the network that a run reaches.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Network {
    /// None: it cannot even make a socket for it.
    Closed,
    /// The servers that contained runs of the same project have started, and these ports of this machine.
    Loopback(Vec<u16>),
    /// All but this machine's own servers, of which it reaches the same as with `Loopback`, and every datagram port.
    Open(Vec<u16>),
}

/// The rules for a run, as a permit carries them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Containment {
    /// The rules that settings start from.
    pub profile: Profile,
    /// The part of the network that it reaches.
    pub network: Network,
    /// Files and folders that it writes beside the project, as settings spell them.
    pub write: Vec<String>,
    /// Files and folders that it cannot read, beside those that are always hidden.
    pub hide: Vec<String>,
    /// Files and folders that it can read although they are usually hidden.
    pub show: Vec<String>,
    /// Sockets of programs outside that it reaches, by their paths.
    pub sockets: Vec<String>,
    /// Whether it does not start where the kernel cannot hold all of it.
    pub is_required: bool,
}

/// The places that a contained run writes and does not read, as absolute paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fences {
    /// Folders and files that it writes, with all that is in them.
    pub writable: Vec<PathBuf>,
    /// Files and folders that it does not write although a folder above them is writable.
    pub kept: Vec<PathBuf>,
    /// Files and folders that it neither reads nor writes.
    pub hidden: Vec<PathBuf>,
    /// Files and folders below hidden ones that it reads nevertheless.
    pub shown: Vec<PathBuf>,
    /// cuff's own files, which are hidden in any case.
    pub own: Vec<PathBuf>,
}

/// How far the kernel held the rules for a run.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Contained {
    /// All of them.
    Yes,
    /// All but these.
    Partly(Vec<String>),
    /// None, for this reason.
    No(String),
}

/// Something that a contained run tried and was refused.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Denial {
    /// Which kind of thing.
    pub act: DeniedAct,
    /// The address, the path or the process.
    pub subject: String,
}

/// Kinds of things that a contained run is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeniedAct {
    /// To reach a port of this machine.
    ReachPort,
    /// To reach another machine.
    ReachAddress,
    /// To be reached from other machines.
    Listen,
    /// To speak to a program outside by its socket.
    ReachSocket,
    /// To change owner, permissions, times or attributes of a file outside.
    ChangeMetadata,
    /// To change limits or priorities of a process outside.
    ChangeProcess,
    /// To write a file outside: probably, since its output names it.
    Write,
    /// To read a hidden file: probably, since its output names it.
    Read,
    /// To reach cuff's own files: probably, since its output names one.
    ReachOwn,
    /// To look up the addresses of other machines by their names: probably, since its output says that it found none.
    LookUpName,
}

impl Profile {
    /// All, in the order in which docs have them.
    pub const ALL: [Self; 6] = [Self::Test, Self::Build, Self::Install, Self::Serve, Self::Server, Self::Off];
    /// Their names.
    pub const NAMES: &[&str] = &["test", "build", "install", "serve", "server", "off"];

    /// Its name in settings.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The profile of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// The part of the network that it has where settings say nothing.
    pub fn network(self) -> Network {
        match self {
            Self::Test | Self::Build | Self::Serve => Network::Loopback(Vec::new()),
            Self::Install | Self::Server | Self::Off => Network::Open(Vec::new()),
        }
    }

    /// Whether it writes the managers' own caches.
    pub fn writes_caches(self) -> bool {
        matches!(self, Self::Install | Self::Server)
    }

    /// Whether it writes all that is not hidden.
    pub fn writes_everything(self) -> bool {
        self == Self::Server
    }
}

impl Network {
    /// The names of its modes, as settings and messages have them.
    pub const NAMES: &[&str] = &["none", "loopback", "open"];

    /// The name of its mode.
    pub const fn name(&self) -> &'static str {
        Self::NAMES[match self {
            Self::Closed => 0,
            Self::Loopback(_) => 1,
            Self::Open(_) => 2,
        }]
    }

    /// The mode of this name, with the ports of this machine that are open in it.
    pub fn named(name: &str, ports: Vec<u16>) -> Option<Self> {
        match name {
            "none" => Some(Self::Closed),
            "loopback" => Some(Self::Loopback(ports)),
            "open" => Some(Self::Open(ports)),
            _ => None,
        }
    }

    /// Whether it makes sockets for the network at all.
    pub fn has_sockets(&self) -> bool {
        *self != Self::Closed
    }

    /// The ports of this machine that settings open.
    pub fn ports(&self) -> &[u16] {
        match self {
            Self::Closed => &[],
            Self::Loopback(ports) | Self::Open(ports) => ports,
        }
    }

    /// Whether other machines are reached.
    pub fn is_open(&self) -> bool {
        matches!(self, Self::Open(_))
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        let ports: Vec<String> = self.ports().iter().map(u16::to_string).collect();
        if ports.is_empty() { Ok(()) } else { write!(f, " and ports {}", ports.join(", ")) }
    }
}

impl Containment {
    /// The rules of a profile, without settings.
    pub fn of(profile: Profile) -> Self {
        Self {
            profile,
            network: profile.network(),
            write: Vec::new(),
            hide: Vec::new(),
            show: Vec::new(),
            sockets: Vec::new(),
            is_required: false,
        }
    }

    /// Whether there are none.
    pub fn is_off(&self) -> bool {
        self.profile == Profile::Off
    }
}

impl Fences {
    /// Whether it can read a path.
    pub fn hides(&self, path: &Path) -> bool {
        let is_below = |places: &[PathBuf]| places.iter().any(|one| path.starts_with(one));
        is_below(&self.hidden) && !is_below(&self.shown) || self.keeps(path)
    }

    /// Whether a path is cuff's own, which no settings open.
    pub fn keeps(&self, path: &Path) -> bool {
        self.own.iter().any(|one| path.starts_with(one))
    }

    /// Whether it can write a path.
    pub fn opens(&self, path: &Path) -> bool {
        !self.hides(path)
            && self.writable.iter().any(|root| {
                // What is kept of a folder is no part of it; a folder below that was granted for itself.
                let is_kept = |one: &PathBuf| one.starts_with(root) && path.starts_with(one);
                path.starts_with(root) && !self.kept.iter().any(is_kept)
            })
    }
}

impl Contained {
    /// One word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::Partly(_) => "partly",
            Self::No(_) => "no",
        }
    }

    /// The rules that were not held, and why.
    pub fn missing(&self) -> &[String] {
        match self {
            Self::Yes => &[],
            Self::Partly(missing) => missing,
            Self::No(reason) => std::slice::from_ref(reason),
        }
    }
}

impl DeniedAct {
    const ALL: [Self; 10] = [
        Self::ReachPort,
        Self::ReachAddress,
        Self::Listen,
        Self::ReachSocket,
        Self::ChangeMetadata,
        Self::ChangeProcess,
        Self::Write,
        Self::Read,
        Self::ReachOwn,
        Self::LookUpName,
    ];

    /// The act with this number, as the supervisor reports it.
    pub fn numbered(number: u64) -> Option<Self> {
        usize::try_from(number).ok().and_then(|number| Self::ALL.get(number).copied())
    }
}

impl Denial {
    /// The sentence about it.
    pub fn sentence(&self) -> String {
        let Self { act, subject } = self;
        match act {
            DeniedAct::ReachPort => format!("the run could not connect to {subject}"),
            DeniedAct::ReachAddress => format!("the run could not connect to {subject}, another machine"),
            DeniedAct::LookUpName => format!("the run probably could not look up {subject}"),
            DeniedAct::Listen => format!("the run could not listen on {subject}, which other machines reach"),
            DeniedAct::ReachSocket => format!("the run could not connect to the socket {subject}"),
            DeniedAct::ChangeMetadata => {
                format!("the run could not change permissions, owner or times of {subject}")
            }
            DeniedAct::ChangeProcess => {
                format!("the run could not change limits or priorities of {subject}")
            }
            DeniedAct::Write => format!("the run probably could not write {subject}"),
            DeniedAct::Read => format!("the run probably could not read {subject}"),
            DeniedAct::ReachOwn => {
                format!("the run probably could not reach {subject}: cuff's own files are open to no run")
            }
        }
    }

    /// The value of `containment` in settings that allows it; `None` where nothing does.
    pub fn allowed_by(&self) -> Option<String> {
        let Self { act, subject } = self;
        Some(match act {
            DeniedAct::ReachPort => {
                let port = subject.rsplit(':').next().unwrap_or_default();
                format!("network: {{loopback: [{port}]}}")
            }
            DeniedAct::ReachAddress | DeniedAct::LookUpName => "network: open".to_owned(),
            DeniedAct::ReachSocket => format!("sockets: [{}]", quoted(subject)),
            DeniedAct::ChangeMetadata | DeniedAct::Write => {
                format!("write: [{}]", quoted(own_folder(subject)))
            }
            DeniedAct::Read => format!("show: [{}]", quoted(subject)),
            DeniedAct::Listen | DeniedAct::ChangeProcess | DeniedAct::ReachOwn => return None,
        })
    }
}

/// The folder of a user's cache or data that a program has for itself, where a path lies in one: it makes more files there than
/// the one that was refused. Else the path.
fn own_folder(path: &str) -> &str {
    let shared = ["/.cache/", "/.local/share/", "/.local/state/"];
    let begin = shared.iter().find_map(|shared| path.find(shared).map(|at| at + shared.len()));
    let end = begin.and_then(|begin| path[begin..].find('/').map(|at| begin + at + 1));
    end.map_or(path, |end| &path[..end])
}

/// A path as one word of a YAML list.
fn quoted(path: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
    if path.chars().all(is_plain) { path.to_owned() } else { format!("{path:?}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mode_of_the_network_is_found_by_its_name() {
        for name in Network::NAMES {
            assert_eq!(Network::named(name, vec![5432]).map(|network| network.name()), Some(*name));
        }
        assert_eq!(Network::named("opened", Vec::new()), None);
    }

    #[test]
    fn each_act_has_the_number_by_which_it_is_found() {
        for (number, act) in DeniedAct::ALL.into_iter().enumerate() {
            assert_eq!(act as usize, number, "{act:?}");
        }
    }

    #[test]
    fn a_refused_file_of_a_cache_names_the_folder_that_its_program_has() {
        let line = |subject: &str| {
            Denial { act: DeniedAct::Write, subject: subject.to_owned() }.allowed_by().unwrap_or_default()
        };
        assert_eq!(line("/home/u/.cache/pre-commit/.lock"), "write: [/home/u/.cache/pre-commit/]");
        assert_eq!(line("/home/u/.local/share/a b/x/y"), "write: [\"/home/u/.local/share/a b/\"]");
        assert_eq!(line("/home/u/.cache/file"), "write: [/home/u/.cache/file]");
        assert_eq!(line("/srv/data/x"), "write: [/srv/data/x]");
    }
}
