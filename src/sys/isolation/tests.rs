//! Attempts at everything that the process has given up, with all layers and with each alone.
//!
//! Each attempt runs in a process of its own: the test binary starts itself again with one ignored test, which locks
//! itself down and tries. No program of ours has a door for that.

#![expect(clippy::disallowed_methods, reason = "these are the ways out that must not be there")]

use std::fs::File;
use std::net::{Ipv4Addr, TcpListener, TcpStream, UdpSocket};
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, io};

use nix::libc;

use super::{Bounds, Layers, lock_down};

const ATTEMPT: &str = "CUFF_TEST_ATTEMPT";
const LAYERS: &str = "CUFF_TEST_LAYERS";

/// The exit codes of an attempt.
const DENIED: i32 = 10;
const SUCCEEDED: i32 = 20;
const NOT_LOCKED: i32 = 30;

/// A system call by its number, for what has no safe function here.
#[expect(unsafe_code, reason = "the attempts are what nobody should do; the kernel must refuse each")]
fn call(number: libc::c_long, arguments: [libc::c_long; 4]) -> io::Result<()> {
    let [a, b, c, d] = arguments;
    // SAFETY: the arguments are numbers and null pointers, which the kernel checks.
    let result = unsafe { libc::syscall(number, a, b, c, d) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// A way out, and how it is tried.
type Attempt = (&'static str, fn() -> io::Result<()>);

/// Every way out that is tried.
const ATTEMPTS: &[Attempt] = &[
    ("read a file", || File::open("/etc/passwd").map(drop)),
    ("read its own memory by a file", || File::open("/proc/self/mem").map(drop)),
    ("write a file", || File::create(env::temp_dir().join("cuff-attempt")).map(drop)),
    ("list a folder", || std::fs::read_dir("/").map(drop)),
    ("ask whether a file is there", || Path::new("/etc/passwd").metadata().map(drop)),
    ("delete a file", || call(libc::SYS_unlinkat, [libc::AT_FDCWD.into(), 0, 0, 0])),
    ("run a program", || {
        use std::os::unix::process::CommandExt as _;
        Err(Command::new("/bin/true").exec())
    }),
    ("start a process", || Command::new("/bin/true").spawn().map(drop)),
    ("fork", || call(libc::SYS_clone, [libc::SIGCHLD.into(), 0, 0, 0])),
    ("start a thread", || std::thread::Builder::new().spawn(|| ()).map(drop)),
    ("connect over TCP", || {
        let port = env::var("CUFF_TEST_PORT").ok().and_then(|port| port.parse().ok()).unwrap_or(1);
        TcpStream::connect((Ipv4Addr::LOCALHOST, port)).map(drop)
    }),
    ("listen on TCP", || TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map(drop)),
    ("send over UDP", || UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).map(drop)),
    ("connect to a socket of the machine", || {
        UnixStream::connect(env::var("CUFF_TEST_SOCKET").unwrap_or_default()).map(drop)
    }),
    ("make a pair of sockets", || UnixStream::pair().map(drop)),
    ("make a pipe", || io::pipe().map(drop)),
    ("make memory that has a descriptor", || {
        nix::sys::memfd::memfd_create(c"x", nix::sys::memfd::MFdFlags::empty()).map(drop).map_err(Into::into)
    }),
    ("signal its parent", || nix::sys::signal::kill(nix::unistd::getppid(), None).map_err(Into::into)),
    ("trace", || call(libc::SYS_ptrace, [libc::PTRACE_TRACEME.into(), 0, 0, 0])),
    ("read another's memory", || {
        call(libc::SYS_process_vm_readv, [nix::unistd::getppid().as_raw().into(), 0, 0, 0])
    }),
    ("queue work for the kernel (io_uring)", || call(libc::SYS_io_uring_setup, [1, 0, 0, 0])),
    ("load a program into the kernel", || call(libc::SYS_bpf, [0, 0, 0, 0])),
    ("watch the processor", || call(libc::SYS_perf_event_open, [0, 0, 0, 0])),
    ("handle page faults", || call(libc::SYS_userfaultfd, [0, 0, 0, 0])),
    ("mount", || call(libc::SYS_mount, [0, 0, 0, 0])),
    ("leave its namespaces", || call(libc::SYS_unshare, [libc::CLONE_NEWUSER.into(), 0, 0, 0])),
    ("change its root", || nix::unistd::chroot("/tmp").map_err(Into::into)),
    ("change its user", || call(libc::SYS_setuid, [0, 0, 0, 0])),
    ("change its name", || call(libc::SYS_prctl, [libc::PR_SET_NAME.into(), 0, 0, 0])),
    ("read the keys of the kernel", || call(libc::SYS_keyctl, [0, 0, 0, 0])),
    ("open files by handle", || call(libc::SYS_open_by_handle_at, [0, 0, 0, 0])),
    ("take another's descriptor", || call(libc::SYS_pidfd_open, [1, 0, 0, 0])),
    ("map executable memory", || {
        let flags = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
        call(libc::SYS_mmap, [0, 4096, flags.into(), (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS).into()])
    }),
    ("read another descriptor", || call(libc::SYS_read, [2, 0, 0, 0])),
    ("write to another descriptor", || call(libc::SYS_write, [0, 0, 0, 0])),
    ("send a descriptor", || call(libc::SYS_sendmsg, [0, 0, 0, 0])),
    ("raise its limits", || {
        nix::sys::resource::setrlimit(nix::sys::resource::Resource::RLIMIT_NOFILE, 100, 100)
            .map_err(Into::into)
    }),
    ("read the kernel's log", || call(libc::SYS_syslog, [3, 0, 0, 0])),
    ("make a new filter", || call(libc::SYS_seccomp, [0, 0, 0, 0])),
    ("use the calls of the other word size", || call(0x4000_0000 + libc::SYS_getpid, [0, 0, 0, 0])),
];

/// Not a test: what [`tried`] starts.
#[test]
#[ignore = "started by the other tests, in a process of its own"]
fn attempt() {
    let Ok(name) = env::var(ATTEMPT) else { return };
    let wanted = env::var(LAYERS).unwrap_or_default();
    let layers = Layers {
        system_calls: wanted.contains("system_calls"),
        files: wanted.contains("files"),
        resources: wanted.contains("resources"),
    };
    let bounds = Bounds { memory: 1 << 30, stack: 8 << 20, seconds: 10 };
    let code = match lock_down(bounds, layers) {
        Ok(held) if held == layers => {
            let attempt = ATTEMPTS.iter().find(|(attempt, _)| *attempt == name).map(|(_, attempt)| attempt);
            match attempt.map(|attempt| attempt()) {
                Some(Ok(())) => SUCCEEDED,
                Some(Err(_)) => DENIED,
                None => 0,
            }
        }
        Ok(_) | Err(_) => NOT_LOCKED,
    };
    // Whatever else an end would do is refused.
    #[expect(unsafe_code, reason = "nothing may run after it")]
    // SAFETY: the process ends here.
    unsafe {
        libc::_exit(code)
    }
}

/// How an attempt ended.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
enum End {
    Killed,
    Denied,
    Succeeded,
    NotLocked,
    Other(i32),
}

fn tried(attempt: &str, layers: &str) -> End {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let _there = UnixListener::bind(&socket).unwrap();
    let status = Command::new(env::current_exe().unwrap())
        .args(["--exact", "sys::isolation::tests::attempt", "--ignored", "--nocapture", "--test-threads=1"])
        .env(ATTEMPT, attempt)
        .env(LAYERS, layers)
        .env("CUFF_TEST_PORT", listener.local_addr().unwrap().port().to_string())
        .env("CUFF_TEST_SOCKET", &socket)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    match (status.code(), status.signal()) {
        (_, Some(libc::SIGSYS)) => End::Killed,
        (Some(DENIED), _) => End::Denied,
        (Some(SUCCEEDED), _) => End::Succeeded,
        (Some(NOT_LOCKED), _) => End::NotLocked,
        (code, signal) => End::Other(code.or(signal).unwrap_or_default()),
    }
}

#[test]
fn nothing_that_is_given_up_can_be_done() {
    for (attempt, _) in ATTEMPTS {
        let end = tried(attempt, "system_calls files resources");
        assert!(matches!(end, End::Killed | End::Denied), "{attempt}: {end:?}");
    }
    // What an attempt ends with where nothing is given up, and where it has no name.
    assert_eq!((tried("read a file", ""), tried("nothing", "")), (End::Succeeded, End::Other(0)));
}

/// The first layer needs no other: what it refuses is all there is.
#[test]
fn system_calls_are_refused_without_the_other_layers() {
    for (attempt, _) in ATTEMPTS {
        let end = tried(attempt, "system_calls");
        assert!(matches!(end, End::Killed | End::Denied), "{attempt}: {end:?}");
    }
}

/// The second holds alone where it is about names: files, programs, TCP, signals.
#[test]
fn names_are_refused_without_the_other_layers() {
    let named = [
        "read a file",
        "read its own memory by a file",
        "write a file",
        "list a folder",
        "run a program",
        "start a process",
        "connect over TCP",
        "listen on TCP",
        "signal its parent",
    ];
    for attempt in named {
        match tried(attempt, "files") {
            // A kernel without Landlock, or an older one: the first layer is what counts.
            End::NotLocked => return,
            end => assert_eq!(end, End::Denied, "{attempt}"),
        }
    }
}

/// The third holds alone where a descriptor is needed: everything that opens, connects, or makes one.
#[test]
fn no_descriptor_is_left_without_the_other_layers() {
    for attempt in [
        "read a file",
        "write a file",
        "list a folder",
        "connect over TCP",
        "listen on TCP",
        "send over UDP",
        "connect to a socket of the machine",
        "make a pair of sockets",
        "make a pipe",
        "make memory that has a descriptor",
        "start a process",
    ] {
        assert_eq!(tried(attempt, "resources"), End::Denied, "{attempt}");
    }
}
