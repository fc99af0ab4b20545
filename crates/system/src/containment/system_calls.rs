//! The rules for system calls. Those that are named nowhere are allowed: Landlock, or the lack of a privilege, holds them.

use nix::libc::{self, c_int, c_long};

use super::filter::{CallRules, FilterVerdict, Test};
use crate::model::Network;

/// Numbers that are the same on every machine, and that the library does not have yet.
const FCHMODAT2: c_long = 452;
const SETXATTRAT: c_long = 463;
const REMOVEXATTRAT: c_long = 466;
const OPEN_TREE_ATTR: c_long = 467;
const FILE_SETATTR: c_long = 469;

const QUOTACTL_FD: c_long = 443;

/// An option of sockets that the library does not have yet: the interface by its number.
const SO_BINDTOIFINDEX: c_int = 62;
/// Families of sockets: of files, of the kernel's own tables, and of the network.
const OF_FILES: &[u32] = &[word(libc::AF_UNIX)];
const OF_KERNEL: &[u32] = &[word(libc::AF_NETLINK)];
const OF_INTERNET: &[u32] = &[word(libc::AF_INET), word(libc::AF_INET6)];
/// Kinds of sockets, without the flags that may stand beside one.
const STREAMS: Test = Test::Bits(1, 0xF, &[word(libc::SOCK_STREAM)]);
const STREAMS_AND_PACKETS: Test = Test::Bits(1, 0xF, &[word(libc::SOCK_STREAM), word(libc::SOCK_SEQPACKET)]);
const DATAGRAMS: Test = Test::Bits(1, 0xF, &[word(libc::SOCK_DGRAM)]);
/// Options of all sockets by which one takes another's packets, or another way: by an interface, or as one of several at a port.
const OF_OTHERS: &[u32] = &[
    word(libc::SO_BINDTODEVICE),
    word(SO_BINDTOIFINDEX),
    word(libc::SO_MARK),
    word(libc::SO_REUSEPORT),
    word(libc::SO_ATTACH_REUSEPORT_CBPF),
    word(libc::SO_ATTACH_REUSEPORT_EBPF),
];
/// Options of streams that ordinary programs set. One that puts off a connection until data is sent would let it go where nobody judged.
const OF_STREAMS: &[u32] = &[
    word(libc::TCP_NODELAY),
    word(libc::TCP_MAXSEG),
    word(libc::TCP_CORK),
    word(libc::TCP_KEEPIDLE),
    word(libc::TCP_KEEPINTVL),
    word(libc::TCP_KEEPCNT),
    word(libc::TCP_LINGER2),
    word(libc::TCP_DEFER_ACCEPT),
    word(libc::TCP_QUICKACK),
    word(libc::TCP_CONGESTION),
    word(libc::TCP_USER_TIMEOUT),
    word(libc::TCP_FASTOPEN),
    word(libc::TCP_NOTSENT_LOWAT),
];
/// Options of the fourth and the sixth version that leave the way of packets alone: marks, hops, errors, groups of receivers.
const OF_FOURTH: &[u32] = &[
    word(libc::IP_TOS),
    word(libc::IP_TTL),
    word(libc::IP_PKTINFO),
    word(libc::IP_MTU_DISCOVER),
    word(libc::IP_RECVERR),
    word(libc::IP_RECVTOS),
    word(libc::IP_BIND_ADDRESS_NO_PORT),
    word(libc::IP_MULTICAST_IF),
    word(libc::IP_MULTICAST_TTL),
    word(libc::IP_MULTICAST_LOOP),
    word(libc::IP_ADD_MEMBERSHIP),
    word(libc::IP_DROP_MEMBERSHIP),
    word(libc::IP_MULTICAST_ALL),
];
const OF_SIXTH: &[u32] = &[
    word(libc::IPV6_UNICAST_HOPS),
    word(libc::IPV6_MULTICAST_IF),
    word(libc::IPV6_MULTICAST_HOPS),
    word(libc::IPV6_MULTICAST_LOOP),
    word(libc::IPV6_ADD_MEMBERSHIP),
    word(libc::IPV6_DROP_MEMBERSHIP),
    word(libc::IPV6_MTU_DISCOVER),
    word(libc::IPV6_MULTICAST_ALL),
    word(libc::IPV6_RECVERR),
    word(libc::IPV6_V6ONLY),
    word(libc::IPV6_RECVPKTINFO),
    word(libc::IPV6_RECVTCLASS),
    word(libc::IPV6_TCLASS),
    word(libc::IPV6_ADDR_PREFERENCES),
];

/// The commands for a lease on a file, and on a folder: `F_SETDELEG`.
const LEASES: &[u32] = &[word(libc::F_SETLEASE), 1024 + 16];
/// Levels of which every other option is allowed.
const WHOLE_LEVELS: &[u32] = &[word(libc::SOL_SOCKET), word(libc::IPPROTO_UDP), word(libc::SOL_NETLINK)];

/// All namespaces that a process could make for itself.
const NAMESPACES: c_int = libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET;

/// The byte of a command that says whose it is.
const KIND_OF_COMMAND: u32 = 0xFF00;
/// Commands to a terminal that type for its user: `TIOCSTI`, `TIOCLINUX`.
const TYPING: &[u32] = &[0x5412, 0x541C];
/// Commands to file systems, by the byte that all of a kind have: those of ext4 and of all, XFS, versions of files, Btrfs, bcachefs.
/// Many of them change a file that is open for reading alone, or make copies of a whole tree.
const OF_FILE_SYSTEMS: &[u32] = &[0x6600, 0x5800, 0x7600, 0x9400, 0xBC00];
/// Those of them that only tell, and those that copy into a file that is open for writing.
const HARMLESS: &[u32] = &[
    0x4004_9409, // FICLONE
    0x4020_940D, // FICLONERANGE
    0xC018_9436, // FIDEDUPERANGE
    0x8008_6601, // FS_IOC_GETFLAGS
    0x8004_6601, // the same of 32 bits
    0x801C_581F, // FS_IOC_FSGETXATTR
    0x8008_7601, // FS_IOC_GETVERSION
    0xC020_660B, // FS_IOC_FIEMAP
];

/// `which` of a priority: all processes of a user; and the same for input and output.
const OF_USER: &[u32] = &[2];
const IO_OF_USER: &[u32] = &[3];
/// The process itself.
const ITSELF: &[u32] = &[0];

/// The rules for a run with this part of the network.
pub(super) fn rules(network: &Network) -> Vec<CallRules> {
    let mut rules = opening();
    rules.extend([socket(network), socketpair(), socket_options()]);
    rules.extend(sending());
    rules.extend(making_processes());
    rules.extend(priorities());
    rules.extend([ioctl(), leases()]);
    rules.extend(asked().into_iter().map(|number| always(number, FilterVerdict::Ask)));
    rules.extend(absent().into_iter().map(|number| always(number, FilterVerdict::Refuse(libc::ENOSYS))));
    rules.extend(
        forbidden()
            .into_iter()
            .chain(in_common())
            .map(|number| always(number, FilterVerdict::Refuse(libc::EPERM))),
    );
    rules
}

fn always(number: c_long, verdict: FilterVerdict) -> CallRules {
    CallRules { number, cases: Vec::new(), otherwise: verdict }
}

/// Sockets by kind. Unix datagrams, which go to any name at each sending, are refused, and so is every kind that the judge does
/// not know. Datagrams of the network likewise: a name server on this machine passes on what it is asked.
fn socket(network: &Network) -> CallRules {
    let of_family = |family, rest: &[Test], verdict| ([&[Test::Is(0, family)], rest].concat(), verdict);
    let protocol = |protocols| Test::Is(2, protocols);
    let allowed = |family, rest: &[Test]| of_family(family, rest, FilterVerdict::Allow);
    let mut cases = vec![
        allowed(OF_FILES, &[STREAMS_AND_PACKETS]),
        allowed(OF_KERNEL, &[protocol(const { &[word(libc::NETLINK_ROUTE)] })]),
    ];
    if network.has_sockets() {
        cases.push(allowed(OF_INTERNET, &[STREAMS, protocol(const { &[0, word(libc::IPPROTO_TCP)] })]));
        // Libraries that try another protocol first go on with an ordinary one.
        cases.push(of_family(OF_INTERNET, &[STREAMS], FilterVerdict::Refuse(libc::EPROTONOSUPPORT)));
    }
    if network.is_open() {
        cases.push(allowed(OF_INTERNET, &[DATAGRAMS, protocol(const { &[0, word(libc::IPPROTO_UDP)] })]));
    }
    CallRules { number: libc::SYS_socket, cases, otherwise: FilterVerdict::Refuse(libc::EACCES) }
}

fn socketpair() -> CallRules {
    CallRules {
        number: libc::SYS_socketpair,
        cases: vec![(vec![Test::Is(0, OF_FILES), STREAMS_AND_PACKETS], FilterVerdict::Allow)],
        otherwise: FilterVerdict::Refuse(libc::EPROTONOSUPPORT),
    }
}

/// Options that ordinary programs set. Others send packets another way than the address says that was judged: by another interface, or
/// over machines that a header names.
fn socket_options() -> CallRules {
    let of = |level, options| (vec![Test::Is(1, level), Test::Is(2, options)], FilterVerdict::Allow);
    let of_others = vec![Test::Is(1, const { &[word(libc::SOL_SOCKET)] }), Test::Is(2, OF_OTHERS)];
    let cases = vec![
        (of_others, FilterVerdict::Refuse(libc::ENOPROTOOPT)),
        (vec![Test::Is(1, WHOLE_LEVELS)], FilterVerdict::Allow),
        of(const { &[word(libc::IPPROTO_TCP)] }, OF_STREAMS),
        of(const { &[word(libc::IPPROTO_IP)] }, OF_FOURTH),
        of(const { &[word(libc::IPPROTO_IPV6)] }, OF_SIXTH),
    ];
    CallRules { number: libc::SYS_setsockopt, cases, otherwise: FilterVerdict::Refuse(libc::ENOPROTOOPT) }
}

/// A connection that begins with its first data would pass by the judge.
fn sending() -> [CallRules; 3] {
    let fast = word(libc::MSG_FASTOPEN);
    [(libc::SYS_sendto, 3), (libc::SYS_sendmsg, 2), (libc::SYS_sendmmsg, 3)].map(|(number, flags)| {
        CallRules {
            number,
            cases: vec![(vec![Test::HasAny(flags, fast)], FilterVerdict::Refuse(libc::EOPNOTSUPP))],
            otherwise: FilterVerdict::Allow,
        }
    })
}

/// New processes are made in no namespace of their own. The newer call hides its flags in memory; libraries go back to the older one.
fn making_processes() -> [CallRules; 3] {
    let namespaces = word(NAMESPACES);
    let without = |number| CallRules {
        number,
        cases: vec![(vec![Test::HasAny(0, namespaces)], FilterVerdict::Refuse(libc::EPERM))],
        otherwise: FilterVerdict::Allow,
    };
    [
        without(libc::SYS_clone),
        without(libc::SYS_unshare),
        always(libc::SYS_clone3, FilterVerdict::Refuse(libc::ENOSYS)),
    ]
}

/// Limits and priorities: of itself freely, of others by the judge, of all processes of a user never.
fn priorities() -> Vec<CallRules> {
    let own = |number| CallRules {
        number,
        cases: vec![(vec![Test::Is(0, ITSELF)], FilterVerdict::Allow)],
        otherwise: FilterVerdict::Ask,
    };
    let mut rules: Vec<CallRules> = [
        libc::SYS_prlimit64,
        libc::SYS_sched_setaffinity,
        libc::SYS_sched_setscheduler,
        libc::SYS_sched_setparam,
        libc::SYS_sched_setattr,
    ]
    .map(own)
    .into();
    for (number, user) in [(libc::SYS_setpriority, OF_USER), (libc::SYS_ioprio_set, IO_OF_USER)] {
        rules.push(CallRules {
            number,
            cases: vec![
                (vec![Test::Is(0, user)], FilterVerdict::Refuse(libc::EPERM)),
                (vec![Test::Is(1, ITSELF)], FilterVerdict::Allow),
            ],
            otherwise: FilterVerdict::Ask,
        });
    }
    rules
}

fn ioctl() -> CallRules {
    CallRules {
        number: libc::SYS_ioctl,
        cases: vec![
            (vec![Test::Is(1, TYPING)], FilterVerdict::Refuse(libc::EPERM)),
            (vec![Test::Is(1, HARMLESS)], FilterVerdict::Allow),
            (vec![Test::Bits(1, KIND_OF_COMMAND, OF_FILE_SYSTEMS)], FilterVerdict::Refuse(libc::EOPNOTSUPP)),
        ],
        otherwise: FilterVerdict::Allow,
    }
}

/// Files that are made as programs of their owner or group: for other users of the machine they would be the way to this one.
fn opening() -> Vec<CallRules> {
    let makes = word(libc::O_CREAT | libc::O_TMPFILE & !libc::O_DIRECTORY);
    let made = |number, mode, flags: Option<u8>| {
        let mut tests = vec![Test::HasAny(mode, libc::S_ISUID | libc::S_ISGID)];
        tests.extend(flags.map(|flags| Test::HasAny(flags, makes)));
        CallRules {
            number,
            cases: vec![(tests, FilterVerdict::Refuse(libc::EPERM))],
            otherwise: FilterVerdict::Allow,
        }
    };
    vec![
        made(libc::SYS_openat, 3, Some(2)),
        made(libc::SYS_mknodat, 2, None),
        #[cfg(target_arch = "x86_64")]
        made(libc::SYS_open, 2, Some(1)),
        #[cfg(target_arch = "x86_64")]
        made(libc::SYS_creat, 1, None),
        #[cfg(target_arch = "x86_64")]
        made(libc::SYS_mknod, 1, None),
    ]
}

/// A lease holds up whoever opens a file for writing, outside too.
fn leases() -> CallRules {
    CallRules {
        number: libc::SYS_fcntl,
        cases: vec![(vec![Test::Is(1, LEASES)], FilterVerdict::Refuse(libc::EINVAL))],
        otherwise: FilterVerdict::Allow,
    }
}

/// Calls that the judge decides about: addresses, and owner, permissions, times and attributes of files.
fn asked() -> Vec<c_long> {
    vec![
        libc::SYS_connect,
        libc::SYS_bind,
        libc::SYS_listen,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_chmod,
        libc::SYS_fchmod,
        libc::SYS_fchmodat,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_chown,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_lchown,
        libc::SYS_fchown,
        libc::SYS_fchownat,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_utime,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_utimes,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_futimesat,
        libc::SYS_utimensat,
        libc::SYS_setxattr,
        libc::SYS_lsetxattr,
        libc::SYS_fsetxattr,
        libc::SYS_removexattr,
        libc::SYS_lremovexattr,
        libc::SYS_fremovexattr,
    ]
}

/// Calls that programs can do without, and do where they do not exist: a second way to make system calls, and new forms of
/// judged ones, whose words lie in memory.
fn absent() -> Vec<c_long> {
    vec![
        libc::SYS_io_uring_setup,
        libc::SYS_io_uring_enter,
        libc::SYS_io_uring_register,
        libc::SYS_openat2,
        FCHMODAT2,
        SETXATTRAT,
        REMOVEXATTRAT,
        FILE_SETATTR,
    ]
}

/// Calls that no tool of a project needs, and that reach further than the run.
fn forbidden() -> Vec<c_long> {
    vec![
        libc::SYS_setns,
        libc::SYS_mount,
        libc::SYS_umount2,
        libc::SYS_pivot_root,
        libc::SYS_chroot,
        libc::SYS_open_tree,
        OPEN_TREE_ATTR,
        libc::SYS_move_mount,
        libc::SYS_fsopen,
        libc::SYS_fsconfig,
        libc::SYS_fsmount,
        libc::SYS_fspick,
        libc::SYS_mount_setattr,
        libc::SYS_open_by_handle_at,
        libc::SYS_fanotify_init,
        libc::SYS_keyctl,
        libc::SYS_add_key,
        libc::SYS_request_key,
        libc::SYS_userfaultfd,
        libc::SYS_perf_event_open,
        libc::SYS_bpf,
        libc::SYS_process_madvise,
        libc::SYS_process_mrelease,
        libc::SYS_kcmp,
        libc::SYS_migrate_pages,
        libc::SYS_move_pages,
        libc::SYS_quotactl,
        QUOTACTL_FD,
        libc::SYS_swapon,
        libc::SYS_swapoff,
        libc::SYS_reboot,
        libc::SYS_kexec_load,
        libc::SYS_init_module,
        libc::SYS_finit_module,
        libc::SYS_delete_module,
        libc::SYS_acct,
        libc::SYS_settimeofday,
        libc::SYS_clock_settime,
        libc::SYS_adjtimex,
        libc::SYS_clock_adjtime,
        libc::SYS_sethostname,
        libc::SYS_setdomainname,
        libc::SYS_syslog,
        libc::SYS_vhangup,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_ioperm,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_iopl,
    ]
}

/// Memory, queues and semaphores that all processes of a user have in common.
fn in_common() -> Vec<c_long> {
    vec![
        libc::SYS_shmget,
        libc::SYS_shmat,
        libc::SYS_shmctl,
        libc::SYS_semget,
        libc::SYS_semop,
        libc::SYS_semtimedop,
        libc::SYS_semctl,
        libc::SYS_msgget,
        libc::SYS_msgsnd,
        libc::SYS_msgrcv,
        libc::SYS_msgctl,
        libc::SYS_mq_open,
        libc::SYS_mq_unlink,
    ]
}

const fn word(number: c_int) -> u32 {
    number.cast_unsigned()
}
