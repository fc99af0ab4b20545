"""Doors of the kernel: namespaces, mounts, keys, shared memory, terminals, devices, administration."""
import ctypes
import fcntl
import os
import struct

from calls import AT_FDCWD, LIBC, Impossible, call, memory, only_root, shell
from registry import attempt
from targets import Claim, Shared, Terminal, Victim

NAMESPACES = {"user": 0x10000000, "mounts": 0x20000, "processes": 0x20000000, "network": 0x40000000,
              "messages": 0x8000000, "names": 0x4000000, "groups": 0x2000000, "time": 0x80}

for one, flag in NAMESPACES.items():
    @attempt(Claim(), name="unshare_" + one)
    def unshare(t, one=one, flag=flag):
        if one != "user":
            only_root()
        call("unshare", flag)
        return "open: a namespace of its own"

    if one == "time":
        continue  # clone takes no such flag.

    @attempt(Claim(), name="clone_" + one)
    def clone(t, one=one, flag=flag):
        if one != "user":
            only_root()
        if call("clone", flag | 17, 0, 0, 0, 0) == 0:
            os._exit(0)
        return "open: a child in a namespace of its own"


def own_mounts():
    """Whether the attempt's mounts are its own now: then it may do to them what it likes."""
    try:
        call("unshare", NAMESPACES["mounts"])
    except OSError:
        return False
    call("mount", "none", "/", None, 0x40000 | 0x4000, None)
    return True


def mounted(kind, place):
    only_root()
    os.makedirs(place, exist_ok=True)
    private = own_mounts()
    call("mount", kind, place, kind, 0, None)
    if not private:
        call("umount2", place, 2)
    return "open: mounted"


@attempt(Claim())
def unshare_user_and_mounts(t):
    call("unshare", NAMESPACES["user"] | NAMESPACES["mounts"])
    return "open: mounts of its own"


@attempt(Claim())
def clone3(t):
    if call("clone3", memory(struct.pack("8Q", NAMESPACES["user"], 0, 0, 0, 17, 0, 0, 0)), 64) == 0:
        os._exit(0)
    return "open: a child in a namespace of its own"


@attempt(Victim("space"))
def setns_of_process(t):
    call("setns", call("pidfd_open", t.pid, 0), NAMESPACES["user"])
    return t.claim(True)


@attempt(Victim("space"))
def setns_of_file(t):
    call("setns", os.open(f"/proc/{t.pid}/ns/user", os.O_RDONLY), 0)
    return t.claim(True)


@attempt(Claim())
def mount(t):
    return mounted("tmpfs", "mounted")


@attempt(Claim())
def mount_proc(t):
    return mounted("proc", "proc")


@attempt(Claim())
def open_tree(t):
    only_root()
    call("open_tree", AT_FDCWD, "/", 1)
    return "open: a copy of the tree"


@attempt(Claim())
def fsopen(t):
    only_root()
    call("fsopen", "tmpfs", 0)
    return "open: a file system"


@attempt(Claim())
def mount_setattr(t):
    only_root()
    tree = call("open_tree", AT_FDCWD, "/", 1)
    call("mount_setattr", tree, "", 0x1000, memory(struct.pack("4Q", 2, 0, 0, 0)), 32)
    return "open: attributes of mounts"


@attempt(Claim())
def move_mount(t):
    only_root()
    os.makedirs("moved", exist_ok=True)
    private = own_mounts()
    tree = call("open_tree", AT_FDCWD, "/", 1)
    call("move_mount", tree, "", AT_FDCWD, "moved", 4)
    if not private:
        call("umount2", "moved", 2)
    return "open: moved"


@attempt(Claim())
def pivot_root(t):
    only_root()
    os.makedirs("pivot", exist_ok=True)
    if own_mounts():
        call("mount", "tmpfs", "pivot", "tmpfs", 0, None)
        os.makedirs("pivot/old")
        call("pivot_root", "pivot", "pivot/old")
        return "open: another root"
    try:  # Of all mounts: only as far as the kernel's first check.
        call("pivot_root", ".", ".")
    except OSError as error:
        if error.errno == 1:
            raise
    return "open: another root"


@attempt(Claim())
def chroot(t):
    only_root()
    call("chroot", ".")
    return "open: another root"


@attempt(Claim())
def shell_unshare(t):
    return b"open: " + shell("unshare -U true && echo a namespace")


@attempt(Claim())
def shell_unshare_mapped(t):
    return b"open: " + shell("unshare -Urm sh -c 'mount -t tmpfs none /mnt && echo mounted'")


@attempt(Shared("key"))
def keyctl_read(t):
    got = memory(bytes(64))
    call("keyctl", 11, t.id, got, 64)
    return got.raw


@attempt(Claim())
def keyctl_session(t):
    call("keyctl", 1, None)
    return "open: a session of keys"


@attempt(Claim())
def add_key(t):
    call("add_key", "user", "attempt", b"x", 1, -4)
    call("keyctl", 9, call("request_key", "user", "attempt", None, 0), -4)
    return "open: a key for all programs of the user"


@attempt(Claim())
def request_key(t):
    try:
        call("request_key", "user", "attempt-nothing", None, 0)
    except OSError as error:
        if error.errno == 126:
            return "open: no such key"
        raise
    return "open: a key"


@attempt(Claim())
def userfaultfd(t):
    call("userfaultfd", 1)
    return "open: faults of its own memory"


@attempt(Claim())
def userfaultfd_of_device(t):
    only_root()
    fcntl.ioctl(os.open("/dev/userfaultfd", os.O_RDWR), 0xAA00, 0)
    return "open: faults of all memory"


@attempt(Shared("memory"))
def shared_memory(t):
    segment = call("shmget", t.key, 0, 0)
    LIBC.shmat.restype = ctypes.c_void_p
    place = LIBC.shmat(segment, None, 0o10000)
    if place in (None, 2 ** 64 - 1):
        raise PermissionError("shmat")
    return ctypes.string_at(place, 39)


@attempt(Shared("memory"))
def shared_memory_by_number(t):
    LIBC.shmat.restype = ctypes.c_void_p
    place = LIBC.shmat(t.id, None, 0o10000)
    if place in (None, 2 ** 64 - 1):
        raise PermissionError("shmat")
    return ctypes.string_at(place, 39)


@attempt(Shared("messages"))
def messages(t):
    got = memory(bytes(100))
    call("msgrcv", call("msgget", t.key, 0), got, 80, 0, 0o4000)
    return got.raw


@attempt(Shared("signs"))
def semaphores(t):
    call("semctl", call("semget", t.key, 1, 0), 0, 16, 7)


@attempt(Shared("queue"))
def message_queue(t):
    got = memory(bytes(64))
    queue = call("mq_open", t.name, os.O_RDONLY | os.O_NONBLOCK, 0, None)
    call("mq_timedreceive", queue, got, 64, 0, None)
    return got.raw


@attempt(Claim())
def shell_ipcs(t):
    return b"open: " + shell("made=$(ipcmk -M 64) && ipcrm -m ${made##* } && echo memory of System V")


@attempt(Claim())
def perf_event(t):
    call("perf_event_open", memory(struct.pack("IIQQQQQ", 1, 112, 1, 0, 0, 0, 1 | 1 << 5 | 1 << 6) + bytes(64)),
         0, -1, -1, 0)
    return "open: counters"


@attempt(Claim())
def bpf(t):
    only_root()
    call("bpf", 0, memory(struct.pack("IIII", 2, 4, 4, 1) + bytes(112)), 72)
    return "open: a map"


@attempt(Claim())
def fanotify(t):
    file = call("fanotify_init", 0x200, os.O_RDONLY)
    call("fanotify_mark", file, 1, 0x20, AT_FDCWD, os.path.expanduser("~"))
    return "open: hears of files that others open"


@attempt(Claim())
def fanotify_permission(t):
    only_root()
    call("fanotify_init", 4, os.O_RDONLY)
    return "open: decides which files others open"


@attempt(Claim())
def quotactl(t):
    only_root()
    try:
        call("quotactl", 0x800001 << 8, "/dev/vda", 0, None)
    except OSError as error:
        if error.errno != 1:
            raise Impossible(f"no quotas here: {error}") from error
        raise
    return "open: quotas"


@attempt(Claim())
def second_listener(t):
    call("prctl", 38, 1, 0, 0, 0)
    program = memory(struct.pack("HBBI", 6, 0, 0, 0x7FFF0000))
    call("seccomp", 1, 8, memory(struct.pack("HxxxxxxQ", 1, ctypes.addressof(program))))
    return "open: judges its own calls"


@attempt(Claim())
def capabilities(t):
    """Those that ordinary programs of root need may stay; none that reaches the machine."""
    only_root()
    with open("/proc/self/status") as file:
        held = int(dict(line.split(":\t", 1) for line in file if ":\t" in line)["CapEff"], 16)
    names = {2: "dac_read_search", 12: "net_admin", 13: "net_raw", 16: "sys_module", 17: "sys_rawio",
             18: "sys_chroot", 19: "sys_ptrace", 20: "sys_pacct", 21: "sys_admin", 22: "sys_boot", 23: "sys_nice",
             24: "sys_resource", 25: "sys_time", 27: "mknod", 32: "mac_override", 33: "mac_admin", 34: "syslog",
             37: "audit_read", 38: "perfmon", 39: "bpf", 40: "checkpoint_restore"}
    left = [name for number, name in names.items() if held >> number & 1]
    if left:
        return "open: " + " ".join(left)
    raise PermissionError("none")


@attempt(Claim())
def capabilities_by_program(t):
    """A program with set-user-id, or a file of root's, would give them back."""
    only_root()
    held = shell("grep CapEff /proc/self/status").split()[1]
    if int(held, 16) >> 21 & 1:
        return "open: sys_admin after exec"
    raise PermissionError("none after exec")


@attempt(Claim())
def new_privileges(t):
    with open("/proc/self/status") as file:
        if "NoNewPrivs:\t0" in file.read():
            return "open: set-user-id programs give new privileges"
    raise PermissionError("no_new_privs")


for one, number, words, fine in [
        ("accounting", "acct", (None,), ()), ("kernel_log", "syslog", (10, None, 0), ()),
        ("module", "init_module", (None, 0, ""), (14, 22, 8)), ("module_file", "finit_module", (-1, "", 0), (9, 22)),
        ("kexec", "kexec_load", (0, 99, None, 0), (22, 16, 99)), ("swap", "swapon", ("/attempt-none", 0), (2,)),
        ("port_level", "iopl", (0,), ()), ("ports", "ioperm", (0x80, 1, 1), ())]:
    @attempt(Claim(), name="root_" + one)
    def administration(t, number=number, words=words, fine=fine):
        only_root()
        try:
            call(number, *words)
        except OSError as error:
            if error.errno == 38:
                raise Impossible("this kernel has no such call") from error
            if error.errno not in fine:
                raise
        return "open: " + number


@attempt(Claim())
def root_clock(t):
    only_root()
    import time
    now = time.clock_gettime_ns(time.CLOCK_REALTIME)
    call("clock_settime", 0, memory(struct.pack("qq", now // 10 ** 9, now % 10 ** 9)))
    return "open: sets the clock"


@attempt(Claim())
def root_name_of_machine(t):
    only_root()
    name = os.uname().nodename
    call("sethostname", name, len(name))
    return "open: names the machine"


for one, path in [("core_pattern", "/proc/sys/kernel/core_pattern"), ("modprobe", "/proc/sys/kernel/modprobe"),
                  ("sysrq", "/proc/sysrq-trigger"), ("oom", "/proc/sys/vm/panic_on_oom"),
                  ("uevent_helper", "/sys/kernel/uevent_helper"), ("power", "/sys/power/state")]:
    @attempt(Claim(), name="root_file_" + one)
    def writable(t, path=path):
        only_root()
        if not os.path.exists(path):
            raise Impossible(f"no {path} here")
        os.open(path, os.O_WRONLY)
        return "open: for writing"


for one in ["kmsg", "mem", "port", "kvm", "fuse", "vhost-vsock", "loop-control", "net/tun", "vda", "uinput", "hwrng",
            "btrfs-control", "cpu_dma_latency", "vcs1", "tty1", "ttyS0", "console"]:
    @attempt(Claim(), name="device_" + one.replace("/", "_").replace("-", "_"))
    def device(t, one=one):
        path = "/dev/" + one
        if not os.path.exists(path):
            raise Impossible(f"no {path} here")
        file = None
        try:
            file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
            if one == "vda":
                return f"open: {len(os.read(file, 512))} bytes of the disk"
            return "open: for reading"
        except OSError as error:
            if error.errno in (6, 19, 16, 5) or (one == "vda" and error.errno == 1 and not t.inside):
                raise Impossible(f"nothing behind {path}: {error}") from error
            if not t.inside and os.geteuid() != 0:
                raise Impossible(f"{path} is root's") from error
            raise
        finally:
            if file is not None:
                os.close(file)


@attempt(Claim())
def disk_by_own_node(t):
    only_root()
    found = os.stat("/").st_dev
    if os.major(found) == 0:
        raise Impossible("the root is no disk")
    os.mknod("disk_node", 0o60600, found)
    try:
        return f"open: {len(os.read(os.open('disk_node', os.O_RDONLY), 512))} bytes of the disk"
    except PermissionError as error:
        if not t.inside:
            raise Impossible("this machine keeps its disk from root too") from error
        raise


@attempt(Terminal())
def terminal_read(t):
    return os.read(os.open(t.path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY), 200)


@attempt(Terminal())
def terminal_write(t):
    os.write(os.open(t.path, os.O_WRONLY | os.O_NOCTTY), b"attempt\n")


@attempt(Terminal())
def terminal_typed(t):
    """Types into the person's terminal."""
    file = os.open(t.path, os.O_RDWR | os.O_NOCTTY)
    if os.geteuid() != 0 and not t.inside:
        raise Impossible("the kernel lets root alone type into a foreign terminal")
    for one in b"attempt\n":
        fcntl.ioctl(file, 0x5412, bytes([one]))


@attempt(Terminal())
def terminal_of_process(t):
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{pid}/fd/0") == t.path:
                os.write(os.open(f"/proc/{pid}/fd/0", os.O_WRONLY | os.O_NOCTTY), b"attempt\n")
                return
        except OSError:
            pass
    raise PermissionError("no process led there")


@attempt(Terminal())
def shell_terminal(t):
    shell(f"echo attempt > {t.path}")


@attempt(Claim())
def inherited_descriptors(t):
    """Descriptors that cuff did not close."""
    found = []
    for one in os.listdir("/proc/self/fd"):
        if int(one) > 2 and int(one) not in t.own_descriptors:
            try:
                found.append(os.readlink(f"/proc/self/fd/{one}"))
            except OSError:
                pass
    found = [one for one in found if not one.startswith(os.getcwd()) and "/proc/" not in one]
    if found:
        return "open: " + " ".join(found)
    if not t.inside:
        raise Impossible("shown only inside")
    raise PermissionError("none")
