"""System calls by number, and what the attempts share."""
import ctypes
import os
import platform
import struct
import subprocess

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.syscall.restype = ctypes.c_long
MACHINE = platform.machine()

# Name: number on x86_64, number on aarch64 (none: this machine has no such call).
NUMBERS = {
    "open": (2, None), "openat": (257, 56), "openat2": (437, 437), "creat": (85, None),
    "truncate": (76, 45), "rename": (82, None), "renameat2": (316, 276), "link": (86, None),
    "linkat": (265, 37), "unlink": (87, None), "unlinkat": (263, 35), "symlink": (88, None),
    "symlinkat": (266, 36), "mkdir": (83, None), "mkdirat": (258, 34), "rmdir": (84, None),
    "mknod": (133, None), "mknodat": (259, 33), "ioctl": (16, 29), "fcntl": (72, 25),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "copy_file_range": (326, 285),
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, None), "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54),
    "utime": (132, None), "utimes": (235, None), "futimesat": (261, None), "utimensat": (280, 88),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "setxattrat": (463, 463),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "removexattrat": (466, 466), "file_setattr": (469, 469),
    "kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240), "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424),
    "pidfd_getfd": (438, 438), "ptrace": (101, 117), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "process_madvise": (440, 440), "process_mrelease": (448, 448),
    "prlimit64": (302, 261), "setpriority": (141, 140), "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119), "sched_setparam": (142, 118), "sched_setattr": (314, 274),
    "ioprio_set": (251, 30), "kcmp": (312, 272), "migrate_pages": (256, 238), "move_pages": (279, 239),
    "perf_event_open": (298, 241), "get_robust_list": (274, 100), "setpgid": (109, 154),
    "socket": (41, 198), "connect": (42, 203), "sendto": (44, 206), "sendmsg": (46, 211),
    "sendmmsg": (307, 269), "listen": (50, 201), "bind": (49, 200),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "unshare": (272, 97), "clone": (56, 220), "clone3": (435, 435), "setns": (308, 268),
    "mount": (165, 40), "umount2": (166, 39), "open_tree": (428, 428), "move_mount": (429, 429),
    "fsopen": (430, 430), "fsmount": (432, 432), "mount_setattr": (442, 442), "pivot_root": (155, 41),
    "chroot": (161, 51), "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218),
    "userfaultfd": (323, 282), "shmget": (29, 194), "shmat": (30, 196), "msgget": (68, 186),
    "msgrcv": (70, 188), "msgsnd": (69, 189), "semget": (64, 190), "semctl": (66, 191),
    "mq_open": (240, 180), "mq_timedreceive": (243, 183), "bpf": (321, 280),
    "fanotify_init": (300, 262), "fanotify_mark": (301, 263), "quotactl": (179, 60),
    "seccomp": (317, 277), "prctl": (157, 167), "swapon": (167, 224), "acct": (163, 89),
    "syslog": (103, 116), "sethostname": (170, 161), "clock_settime": (227, 112),
    "adjtimex": (159, 171), "init_module": (175, 105), "finit_module": (313, 273),
    "kexec_load": (246, 104), "iopl": (172, None), "ioperm": (173, None), "memfd_secret": (447, 447),
    "capset": (126, 91), "setuid": (105, 146), "pkey_alloc": (330, 289), "lookup_dcookie": (212, 18),
}
AT_FDCWD = -100
O_PATH = 0o10000000
AT_EMPTY_PATH = 0x1000


def number(name):
    value = NUMBERS[name][1 if MACHINE == "aarch64" else 0]
    if value is None:
        raise Impossible(f"{MACHINE} has no call {name}")
    return value


class Impossible(Exception):
    """An attempt that this machine cannot make at all."""


def call(name, *words):
    """Makes a system call, and raises with its name where it fails."""
    return raw(number(name), *words, name=name)


def raw(value, *words, name=None):
    ctypes.set_errno(0)
    result = LIBC.syscall(ctypes.c_long(value), *[word(one) for one in words])
    if result == -1:
        code = ctypes.get_errno()
        raise OSError(code, f"{name or value}: {os.strerror(code)}")
    return result


def word(one):
    if isinstance(one, str):
        one = os.fsencode(one)
    if one is None or isinstance(one, int):
        return ctypes.c_long(one or 0)
    if isinstance(one, bytes):
        return ctypes.c_char_p(one)
    return ctypes.c_void_p(ctypes.addressof(one))


def memory(content):
    """Bytes at an address that stays."""
    return ctypes.create_string_buffer(bytes(content), len(content))


def vector(buffer):
    """One `struct iovec`, kept alive together with its buffer."""
    one = memory(struct.pack("QQ", ctypes.addressof(buffer), len(buffer)))
    one.of = buffer
    return one


def shell(line, **variables):
    """Runs a line of a shell as a person would. Fails where the shell does."""
    ended = subprocess.run(["bash", "-c", line], stdin=subprocess.DEVNULL, capture_output=True,
                           env={**os.environ, **variables}, timeout=8, check=False)
    if ended.returncode:
        said = (ended.stderr or ended.stdout).decode(errors="replace").strip().splitlines()
        raise OSError(f"exit code {ended.returncode}: {said[-1] if said else ''}")
    return ended.stdout


def program(name):
    """Where a program is; without it the attempt cannot be made."""
    from shutil import which
    found = which(name)
    if found is None:
        raise Impossible(f"no {name} on this machine")
    return found


def only_root():
    if os.geteuid() != 0:
        raise Impossible("root alone may try this")


def only_people():
    if os.geteuid() == 0:
        raise Impossible("as root it would reach the whole machine")
