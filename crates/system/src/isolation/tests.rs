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

use super::lock::refuse;
use super::{Bounds, Layers, privileges};

const ATTEMPT: &str = "CUFF_TEST_ATTEMPT";
const LAYERS: &str = "CUFF_TEST_LAYERS";

/// The exit codes of an attempt.
const DENIED: i32 = 10;
const SUCCEEDED: i32 = 20;
const NOT_LOCKED: i32 = 30;

/// A system call by its number, for what has no safe function here.
#[expect(unsafe_code, reason = "the attempts are what nobody should do; the kernel must refuse each")]
fn call_for<const COUNT: usize>(
    number: libc::c_long,
    arguments: [libc::c_long; COUNT],
) -> io::Result<libc::c_long> {
    let six: [libc::c_long; 6] = std::array::from_fn(|at| arguments.get(at).copied().unwrap_or_default());
    // SAFETY: the arguments are numbers and null pointers, which the kernel checks.
    let result = unsafe { libc::syscall(number, six[0], six[1], six[2], six[3], six[4], six[5]) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

fn call<const COUNT: usize>(number: libc::c_long, arguments: [libc::c_long; COUNT]) -> io::Result<()> {
    call_for(number, arguments).map(drop)
}

/// The process that started this one. To ask for it is refused as well.
fn parent() -> nix::unistd::Pid {
    let id = env::var("CUFF_TEST_PARENT").ok().and_then(|id| id.parse().ok());
    nix::unistd::Pid::from_raw(id.unwrap_or(i32::MAX))
}

/// Moves one byte between this process and its parent, in either direction.
fn move_memory(number: libc::c_long) -> io::Result<()> {
    let address = |of: usize| libc::c_long::try_from(of).unwrap_or_default();
    let mut byte = 0_u8;
    let part = libc::iovec { iov_base: (&raw mut byte).cast(), iov_len: 1 };
    let parts = address((&raw const part).expose_provenance());
    call(number, [parent().as_raw().into(), parts, 1, parts, 1, 0])
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
    ("signal its parent", || nix::sys::signal::kill(parent(), None).map_err(Into::into)),
    ("trace", || call(libc::SYS_ptrace, [libc::PTRACE_TRACEME.into(), 0, 0, 0])),
    ("read another's memory", || move_memory(libc::SYS_process_vm_readv)),
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
    ("submit work that is queued (io_uring)", || call(libc::SYS_io_uring_enter, [0, 1, 0, 0])),
    ("register with a queue (io_uring)", || call(libc::SYS_io_uring_register, [0, 0, 0, 0])),
    ("trace its parent", || {
        call(libc::SYS_ptrace, [libc::PTRACE_ATTACH.into(), parent().as_raw().into(), 0, 0])
    }),
    ("seize its parent", || {
        call(libc::SYS_ptrace, [libc::PTRACE_SEIZE.into(), parent().as_raw().into(), 0, 0])
    }),
    ("kill its parent", || {
        // Nothing that matters would die: the process that is asked for is a child of the test.
        let victim = env::var("CUFF_TEST_VICTIM").ok().and_then(|id| id.parse().ok());
        let victim = nix::unistd::Pid::from_raw(victim.unwrap_or(i32::MAX));
        nix::sys::signal::kill(victim, nix::sys::signal::Signal::SIGKILL).map_err(Into::into)
    }),
    ("kill everything", || {
        let everyone = nix::unistd::Pid::from_raw(-1);
        nix::sys::signal::kill(everyone, None).map_err(Into::into)
    }),
    ("signal a thread of its parent", || {
        let parent = libc::c_long::from(parent().as_raw());
        call(libc::SYS_tgkill, [parent, parent, 0, 0])
    }),
    ("queue a signal for its parent", || {
        call(libc::SYS_rt_sigqueueinfo, [parent().as_raw().into(), 0, 0, 0])
    }),
    ("read the memory of its parent by a file", || File::open(format!("/proc/{}/mem", parent())).map(drop)),
    ("read the environment of its parent by a file", || {
        File::open(format!("/proc/{}/environ", parent())).map(drop)
    }),
    ("write another's memory", || move_memory(libc::SYS_process_vm_writev)),
    ("compare itself with its parent", || {
        let parent = parent().as_raw().into();
        call(libc::SYS_kcmp, [parent, parent, 0, 0])
    }),
    ("run a program that is in memory", || {
        let (flags, nothing) = (libc::AT_EMPTY_PATH.into(), c"".as_ptr().expose_provenance());
        call(libc::SYS_execveat, [0, libc::c_long::try_from(nothing).unwrap_or_default(), 0, 0, flags])
    }),
    ("clone with a structure", || call(libc::SYS_clone3, [0, 0, 0, 0])),
    ("enter a namespace", || call(libc::SYS_setns, [0, 0, 0, 0])),
    ("leave the namespace of mounts", || call(libc::SYS_unshare, [libc::CLONE_NEWNS.into(), 0, 0, 0])),
    ("open a file system", || call(libc::SYS_fsopen, [0, 0, 0, 0])),
    ("move the root", || call(libc::SYS_pivot_root, [0, 0, 0, 0])),
    ("open with rules", || call(libc::SYS_openat2, [libc::AT_FDCWD.into(), 0, 0, 0])),
    ("make a file", || call(libc::SYS_mknodat, [libc::AT_FDCWD.into(), 0, 0, 0])),
    ("make a link", || call(libc::SYS_linkat, [libc::AT_FDCWD.into(), 0, 0, 0])),
    ("rename a file", || call(libc::SYS_renameat2, [libc::AT_FDCWD.into(), 0, 0, 0])),
    ("shorten a file", || call(libc::SYS_truncate, [0, 0, 0, 0])),
    ("watch files", || call(libc::SYS_inotify_init1, [0, 0, 0, 0])),
    ("watch the whole file system", || call(libc::SYS_fanotify_init, [0, 0, 0, 0])),
    ("list a folder by a descriptor", || call(libc::SYS_getdents64, [0, 0, 0, 0])),
    ("connect to an abstract socket", || {
        use std::os::linux::net::SocketAddrExt as _;
        let name = env::var("CUFF_TEST_ABSTRACT").unwrap_or_default();
        let address = std::os::unix::net::SocketAddr::from_abstract_name(name)?;
        UnixStream::connect_addr(&address).map(drop)
    }),
    ("listen on an abstract socket", || {
        use std::os::linux::net::SocketAddrExt as _;
        let address = std::os::unix::net::SocketAddr::from_abstract_name("cuff-attempt")?;
        UnixListener::bind_addr(&address).map(drop)
    }),
    ("speak to the kernel (netlink)", || {
        call(libc::SYS_socket, [libc::AF_NETLINK.into(), libc::SOCK_RAW.into(), 0, 0])
    }),
    ("send packets of its own making", || {
        call(libc::SYS_socket, [libc::AF_PACKET.into(), libc::SOCK_RAW.into(), 0, 0])
    }),
    ("speak to a virtual machine's host", || {
        call(libc::SYS_socket, [libc::AF_VSOCK.into(), libc::SOCK_STREAM.into(), 0, 0])
    }),
    ("use the kernel's ciphers", || {
        call(libc::SYS_socket, [libc::AF_ALG.into(), libc::SOCK_SEQPACKET.into(), 0, 0])
    }),
    ("receive a descriptor", || call(libc::SYS_recvmsg, [0, 0, 0, 0])),
    ("copy a descriptor", || call(libc::SYS_dup, [0, 0, 0, 0])),
    ("copy a descriptor to a number", || call(libc::SYS_dup3, [0, 2, 0, 0])),
    ("take a descriptor of its parent", || call(libc::SYS_pidfd_getfd, [0, 0, 0, 0])),
    ("signal by a descriptor", || call(libc::SYS_pidfd_send_signal, [0, 0, 0, 0])),
    ("add a key to the kernel", || call(libc::SYS_add_key, [0, 0, 0, 0])),
    ("ask for a key of the kernel", || call(libc::SYS_request_key, [0, 0, 0, 0])),
    ("learn the handle of a file", || call(libc::SYS_name_to_handle_at, [0, 0, 0, 0])),
    ("become privileged", || call(libc::SYS_capset, [0, 0, 0, 0])),
    ("become dumpable", || call(libc::SYS_prctl, [libc::PR_SET_DUMPABLE.into(), 1, 0, 0])),
    ("change its group", || call(libc::SYS_setgid, [0, 0, 0, 0])),
    ("change its groups", || call(libc::SYS_setgroups, [0, 0, 0, 0])),
    ("leave its session", || call(libc::SYS_setsid, [0, 0, 0, 0])),
    ("share memory", || call(libc::SYS_shmget, [0, 0, 0, 0])),
    ("send to a queue of messages", || call(libc::SYS_msgget, [1, 0, 0, 0])),
    ("open a queue of messages", || call(libc::SYS_mq_open, [0, 0, 0, 0])),
    ("make memory secret", || call(libc::SYS_memfd_secret, [0, 0, 0, 0])),
    ("make its memory executable", || {
        let page = call_for(
            libc::SYS_mmap,
            [0, 4096, libc::PROT_READ.into(), (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS).into()],
        )?;
        call(libc::SYS_mprotect, [page, 4096, libc::PROT_EXEC.into(), 0])
    }),
    ("load a module into the kernel", || call(libc::SYS_finit_module, [0, 0, 0, 0])),
    ("start another kernel", || call(libc::SYS_kexec_load, [0, 0, 0, 0])),
    ("restart the machine", || call(libc::SYS_reboot, [0, 0, 0, 0])),
    ("set the clock", || call(libc::SYS_clock_settime, [0, 0, 0, 0])),
    ("set the name of the machine", || call(libc::SYS_sethostname, [0, 65, 0, 0])),
    ("use swap", || call(libc::SYS_swapon, [0, 0, 0, 0])),
    ("raise its priority", || call(libc::SYS_setpriority, [0, 0, -20, 0])),
    ("be told of a call by a listener", || {
        call(
            libc::SYS_seccomp,
            [
                libc::SECCOMP_SET_MODE_FILTER.into(),
                libc::SECCOMP_FILTER_FLAG_NEW_LISTENER.cast_signed(),
                0,
                0,
            ],
        )
    }),
    ("read the kernel's log", || call(libc::SYS_syslog, [3, 0, 0, 0])),
    ("make a new filter", || call(libc::SYS_seccomp, [libc::SECCOMP_SET_MODE_FILTER.into(), 0, 0, 0])),
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
    let given_up = if wanted.contains("privileges") { privileges::give_up() } else { Ok(()) };
    let code = match given_up.and_then(|()| refuse(bounds, layers)) {
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
    // Everything else that a normal exit would do is refused.
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
    /// It did not end, and was killed.
    Endless,
    Other(i32),
}

/// How a process ends that has little to do.
fn ended(process: &mut std::process::Child) -> Option<std::process::ExitStatus> {
    for _ in 0..2000 {
        if let Some(status) = process.try_wait().unwrap() {
            return Some(status);
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    process.kill().unwrap();
    None
}

fn tried(attempt: &str, layers: &str) -> End {
    use std::os::linux::net::SocketAddrExt as _;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let _there = UnixListener::bind(&socket).unwrap();
    // A socket outside the file system needs a name that nobody else has.
    let name = socket.display().to_string();
    let address = std::os::unix::net::SocketAddr::from_abstract_name(&name).unwrap();
    let _as_well = UnixListener::bind_addr(&address).unwrap();
    let mut victim = Command::new("sleep").arg("60").stdin(Stdio::null()).spawn().unwrap();
    let mut trying = Command::new(env::current_exe().unwrap())
        .args(["--exact", "isolation::tests::attempt", "--ignored", "--nocapture", "--test-threads=1"])
        .env(ATTEMPT, attempt)
        .env(LAYERS, layers)
        .env("CUFF_TEST_PORT", listener.local_addr().unwrap().port().to_string())
        .env("CUFF_TEST_SOCKET", &socket)
        .env("CUFF_TEST_ABSTRACT", name)
        .env("CUFF_TEST_PARENT", std::process::id().to_string())
        .env("CUFF_TEST_VICTIM", victim.id().to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let Some(status) = ended(&mut trying) else {
        victim.kill().and_then(|()| victim.wait()).unwrap();
        return End::Endless;
    };
    // It is there, unless the attempt was to kill it.
    let is_dead = victim.try_wait().unwrap().is_some();
    victim.kill().and_then(|()| victim.wait()).unwrap();
    assert!(!is_dead || status.code() == Some(SUCCEEDED), "{attempt}: {status}");
    match (status.code(), status.signal()) {
        (_, Some(libc::SIGSYS)) => End::Killed,
        (Some(DENIED), _) => End::Denied,
        (Some(SUCCEEDED), _) => End::Succeeded,
        (Some(NOT_LOCKED), _) => End::NotLocked,
        (code, signal) => End::Other(code.or(signal).unwrap_or_default()),
    }
}

/// Look-ups that the C library makes by itself, which are refused politely.
const POLITE: [&str; 6] = [
    "read a file",
    "read its own memory by a file",
    "write a file",
    "list a folder",
    "ask whether a file is there",
    "raise its limits",
];

/// Files below `/proc` are opened by the same system call.
const POLITE_AS_WELL: [&str; 2] =
    ["read the memory of its parent by a file", "read the environment of its parent by a file"];

/// Expects that each attempt at anything but a look-up ends the process.
fn nothing_can_be_done(layers: &str) {
    for (attempt, _) in ATTEMPTS {
        let is_polite = POLITE.contains(attempt) || POLITE_AS_WELL.contains(attempt);
        let expected = if is_polite { End::Denied } else { End::Killed };
        assert_eq!(tried(attempt, layers), expected, "{attempt} with {layers}");
    }
}

#[test]
fn nothing_that_is_given_up_can_be_done() {
    nothing_can_be_done("privileges system_calls files resources");
    // The end of an attempt if nothing is given up, and of one without a name.
    assert_eq!((tried("read a file", ""), tried("nothing", "")), (End::Succeeded, End::Other(0)));
    assert!(ATTEMPTS.len() >= 90, "{}", ATTEMPTS.len());
}

/// The first layer needs no other: what it refuses is all there is.
#[test]
fn system_calls_are_refused_without_the_other_layers() {
    nothing_can_be_done("system_calls");
}

/// Any of the others may be off.
#[test]
fn nothing_can_be_done_while_one_of_the_other_layers_is_off() {
    nothing_can_be_done("system_calls files resources");
    nothing_can_be_done("privileges system_calls resources");
    nothing_can_be_done("privileges system_calls files");
}

/// Without the first layer the others leave nothing but this, and nothing of it leads out.
#[test]
fn little_can_be_done_while_system_calls_are_not_refused() {
    let harmless = [
        // Landlock does not refuse that.
        "ask whether a file is there",
        // The answer is yes, and nobody got the signal.
        "kill everything",
        // It has these three descriptors anyway.
        "copy a descriptor to a number",
        "become dumpable",
        "leave its session",
        "change its name",
        "map executable memory",
        "make its memory executable",
        "make memory secret",
        "be told of a call by a listener",
        "use the calls of the other word size",
    ];
    for (attempt, _) in ATTEMPTS {
        // Its parent is this very process, which would have to wait for the thread that asked for it.
        if *attempt == "trace" {
            continue;
        }
        match tried(attempt, "privileges files resources") {
            End::NotLocked => return,
            end => assert!(end == End::Denied || harmless.contains(attempt), "{attempt}: {end:?}"),
        }
    }
}

/// Root's privileges are gone without any other layer.
#[test]
fn privileges_are_gone_without_the_other_layers() {
    let privileged = [
        "change its user",
        "change its group",
        "change its groups",
        "change its root",
        "leave the namespace of mounts",
        "set the name of the machine",
        "restart the machine",
        "start another kernel",
        "watch the whole file system",
        "open files by handle",
        "send packets of its own making",
    ];
    for attempt in privileged {
        assert_eq!(tried(attempt, "privileges"), End::Denied, "{attempt}");
    }
    if nix::unistd::geteuid().is_root() {
        assert_eq!(tried("change its user", ""), End::Succeeded);
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
        "read the memory of its parent by a file",
        "read the environment of its parent by a file",
        "trace its parent",
        "seize its parent",
    ];
    // Kernels know these since 6.12.
    let newer = ["signal its parent", "kill its parent", "connect to an abstract socket"];
    let newer = newer.into_iter().filter(|_| kernel() >= (6, 12));
    for attempt in named.into_iter().chain(newer) {
        match tried(attempt, "files") {
            // A kernel without Landlock, or an older one: the first layer is what counts.
            End::NotLocked => return,
            end => assert_eq!(end, End::Denied, "{attempt}"),
        }
    }
}

/// The version of this kernel.
fn kernel() -> (u32, u32) {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    let mut numbers = release.split(['.', '-']).map_while(|number| number.parse().ok());
    (numbers.next().unwrap(), numbers.next().unwrap())
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
        "fork",
        "start a thread",
        "raise its limits",
        "watch files",
        "handle page faults",
    ] {
        // Neither counts for root: a limit of processes, and that a limit cannot be raised.
        assert_eq!(tried(attempt, "privileges resources"), End::Denied, "{attempt}");
    }
}
