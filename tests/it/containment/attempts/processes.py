"""Ends, stops, traces, reads, limits and impersonates processes outside."""
import fcntl
import os
import signal
import socket
import struct
import time

from calls import call, memory, only_people, only_root, program, shell, vector
from registry import attempt
from targets import Claim, Client, Patched, Victim

SIGNAL = signal.SIGTERM
RLIMIT_NOFILE = 7


def read(path):
    with open(path, "rb") as file:
        return file.read()


@attempt(Victim())
def kill(t):
    call("kill", t.pid, SIGNAL)


@attempt(Victim())
def kill_group(t):
    call("kill", -t.pid, SIGNAL)


@attempt(Victim())
def stop(t):
    call("kill", t.pid, signal.SIGSTOP)
    time.sleep(0.05)


@attempt(Victim())
def tkill(t):
    call("tkill", t.pid, SIGNAL)


@attempt(Victim())
def tgkill(t):
    call("tgkill", t.pid, t.pid, SIGNAL)


def information():
    return memory(struct.pack("iii", SIGNAL, 0, -1) + bytes(116))


@attempt(Victim())
def queued_signal(t):
    call("rt_sigqueueinfo", t.pid, SIGNAL, information())


@attempt(Victim())
def queued_signal_to_thread(t):
    call("rt_tgsigqueueinfo", t.pid, t.pid, SIGNAL, information())


@attempt(Victim())
def signal_by_descriptor(t):
    call("pidfd_send_signal", call("pidfd_open", t.pid, 0), SIGNAL, None, 0)


@attempt(Victim())
def signal_by_folder(t):
    call("pidfd_send_signal", os.open(f"/proc/{t.pid}", os.O_RDONLY), SIGNAL, None, 0)


@attempt(Victim())
def signal_by_owner_of_pipe(t):
    reader, writer = os.pipe()
    fcntl.fcntl(reader, fcntl.F_SETOWN, t.pid)
    fcntl.fcntl(reader, 10, SIGNAL)
    fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    os.write(writer, b"x")
    time.sleep(0.05)


@attempt(Victim())
def signal_by_extended_owner(t):
    one, other = socket.socketpair()
    fcntl.fcntl(one, 15, struct.pack("ii", 1, t.pid))
    fcntl.fcntl(one, fcntl.F_SETFL, os.O_ASYNC)
    other.send(b"x")
    time.sleep(0.05)


@attempt(Victim())
def signal_by_owner_of_socket(t):
    one, other = socket.socketpair()
    fcntl.ioctl(one, 0x8901, struct.pack("i", t.pid))
    fcntl.fcntl(one, fcntl.F_SETFL, os.O_ASYNC)
    other.send(b"x")
    time.sleep(0.05)


@attempt(Victim())
def signal_by_lease(t):
    """The owner of a lease is told by a signal when somebody opens the file."""
    with open("leased", "w"):
        pass
    lease = os.open("leased", os.O_RDONLY)
    fcntl.fcntl(lease, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    fcntl.fcntl(lease, fcntl.F_SETOWN, t.pid)
    fcntl.fcntl(lease, 10, SIGNAL)
    try:
        os.open("leased", os.O_WRONLY | os.O_NONBLOCK)
    except BlockingIOError:
        pass
    time.sleep(0.05)


@attempt(Victim())
def signal_by_watched_folder(t):
    folder = os.open(".", os.O_RDONLY)
    fcntl.fcntl(folder, fcntl.F_SETOWN, t.pid)
    fcntl.fcntl(folder, 10, SIGNAL)
    fcntl.fcntl(folder, fcntl.F_NOTIFY, fcntl.DN_CREATE)
    with open("watched", "w"):
        pass
    time.sleep(0.05)


@attempt(Victim())
def trace_by_attach(t):
    call("ptrace", 16, t.pid, 0, 0)
    time.sleep(0.05)
    os.kill(os.getpid(), signal.SIGKILL)


@attempt(Victim())
def trace_by_seize(t):
    call("ptrace", 0x4206, t.pid, 0, 0)
    call("ptrace", 0x4207, t.pid, 0, 0)
    os.waitpid(t.pid, 0x40000000)
    words = [memory(bytes(8)) for _ in range(5)]
    for place, one in enumerate(words):
        call("ptrace", 2, t.pid, t.address + 8 * place, one)
    return b"".join(one.raw for one in words)


def peek(t):
    file = os.open(f"/proc/{t.pid}/mem", os.O_RDONLY)
    return os.pread(file, 39, t.address)


@attempt(Victim())
def process_vm_readv(t):
    got = memory(bytes(39))
    there = memory(struct.pack("QQ", t.address, 39))
    call("process_vm_readv", t.pid, vector(got), 1, there, 1, 0)
    return got.raw


@attempt(Patched())
def process_vm_writev(t):
    there = memory(struct.pack("QQ", t.address, 7))
    call("process_vm_writev", t.pid, vector(memory(b"attempt")), 1, there, 1, 0)


@attempt(Victim())
def memory_file(t):
    return peek(t)


@attempt(Patched())
def memory_file_written(t):
    os.pwrite(os.open(f"/proc/{t.pid}/mem", os.O_RDWR), b"attempt", t.address)


@attempt(Victim("environment"))
def environment(t):
    return read(f"/proc/{t.pid}/environ")


@attempt(Victim("environment"))
def environment_of_thread(t):
    return read(f"/proc/{t.pid}/task/{t.pid}/environ")


@attempt(Victim())
def mappings(t):
    return t.claim(b"heap" in read(f"/proc/{t.pid}/maps"))


@attempt(Victim())
def auxiliary_vector(t):
    return t.claim(read(f"/proc/{t.pid}/auxv"))


@attempt(Victim())
def targets_of_descriptors(t):
    return t.claim(os.readlink(f"/proc/{t.pid}/fd/{t.fd}"))


@attempt(Victim())
def pidfd_getfd(t):
    file = call("pidfd_getfd", call("pidfd_open", t.pid, 0), t.fd, 0)
    return os.pread(file, 100, 0)


@attempt(Victim())
def kcmp(t):
    call("kcmp", os.getpid(), t.pid, 2, 0, 0)
    return t.claim(True)


@attempt(Victim())
def robust_list(t):
    call("get_robust_list", t.pid, memory(bytes(8)), memory(bytes(8)))
    return t.claim(True)


@attempt(Victim())
def prlimit_processor(t):
    call("prlimit64", t.pid, 0, memory(struct.pack("QQ", 0, 0)), None)


@attempt(Victim())
def prlimit_files(t):
    call("prlimit64", t.pid, RLIMIT_NOFILE, memory(struct.pack("QQ", 3, 3)), None)


@attempt(Victim())
def setpriority(t):
    call("setpriority", 0, t.pid, 19)


@attempt(Victim())
def setpriority_of_group(t):
    call("setpriority", 1, t.pid, 19)


@attempt(Claim())
def setpriority_of_user(t):
    """Zero changes nothing, and is refused where somebody has more: either way all processes were reached."""
    only_people()
    try:
        call("setpriority", 2, os.geteuid(), 0)
    except OSError as error:
        if error.errno != 13:
            raise
    return "open: reaches all processes of the user"


@attempt(Victim())
def sched_setaffinity(t):
    call("sched_setaffinity", t.pid, 8, memory(struct.pack("Q", 1)))


@attempt(Victim())
def sched_setscheduler(t):
    call("sched_setscheduler", t.pid, 5, memory(bytes(4)))


@attempt(Victim())
def sched_setattr(t):
    call("sched_setattr", t.pid, memory(struct.pack("IIQiIQQQ", 48, 5, 0, 0, 0, 0, 0, 0)), 0)


@attempt(Victim())
def sched_setattr_nice(t):
    call("sched_setattr", t.pid, memory(struct.pack("IIQiIQQQ", 48, 0, 0, 15, 0, 0, 0, 0)), 0)


@attempt(Victim())
def ioprio_set(t):
    call("ioprio_set", 1, t.pid, 3 << 13)


@attempt(Victim())
def ioprio_set_of_group(t):
    call("ioprio_set", 2, t.pid, 3 << 13)


@attempt(Victim())
def process_madvise(t):
    only_root()
    there = memory(struct.pack("QQ", t.address & ~4095, 4096))
    call("process_madvise", call("pidfd_open", t.pid, 0), there, 1, 20, 0)
    return t.claim(True)


@attempt(Victim())
def migrate_pages(t):
    only_root()
    call("migrate_pages", t.pid, 64, memory(struct.pack("Q", 1)), memory(struct.pack("Q", 1)))
    return t.claim(True)


@attempt(Victim())
def move_pages(t):
    status = memory(bytes(4))
    call("move_pages", t.pid, 1, memory(struct.pack("Q", t.address & ~4095)), None, status, 0)
    return t.claim(True)


@attempt(Victim())
def perf_event(t):
    call("perf_event_open", memory(struct.pack("IIQQQQQ", 1, 112, 0, 0, 0, 0, 1 | 1 << 5 | 1 << 6) + bytes(64)),
         t.pid, -1, -1, 0)
    return t.claim(True)


for one, text in [("oom_score_adj", b"500"), ("autogroup", b"10"), ("coredump_filter", b"0"),
                  ("timerslack_ns", b"90000"), ("clear_refs", b"1")]:
    @attempt(Victim(), name="proc_" + one)
    def proc(t, one=one, text=text):
        if one == "timerslack_ns":
            only_root()
        file = os.open(f"/proc/{t.pid}/{one}", os.O_WRONLY)
        os.write(file, text)
        return t.claim(one == "clear_refs")


@attempt(Client())
def answers_for_the_person(t):
    """Stops the client that asked, and says yes through its pipe."""
    try:
        call("kill", t.pid, signal.SIGSTOP)
    except OSError:
        pass
    os.write(os.open(f"/proc/{t.pid}/fd/{t.fd}", os.O_WRONLY), b"yes\n")


@attempt(Client())
def answers_by_taken_descriptor(t):
    os.write(call("pidfd_getfd", call("pidfd_open", t.pid, 0), t.fd, 0), b"yes\n")


def ancestors():
    pid = os.getppid()
    while pid > 1:
        with open(f"/proc/{pid}/stat") as file:
            name, _, rest = file.read().partition("(")[2].rpartition(")")
        yield pid, name
        pid = int(rest.split()[1])


@attempt(Claim())
def ends_cuff(t):
    """Ends the supervisor of the run, and the server that started it. Outside of a run it only sees that it could."""
    above = [pid for pid, name in ancestors() if name.startswith("cuff")] if t.inside else [os.getppid()]
    if not above:
        raise ProcessLookupError("no cuff above this process")
    for pid in above:
        os.kill(pid, signal.SIGKILL if t.inside else 0)
    return "open: " + " ".join(map(str, above))


@attempt(Claim())
def reads_cuff(t):
    above = [pid for pid, name in ancestors() if name.startswith("cuff")] if t.inside else [os.getppid()]
    for pid in above:
        for file in ("environ", "maps", "mem"):
            try:
                return f"open: /proc/{pid}/{file} of {len(read(f'/proc/{pid}/{file}'))} bytes"
            except OSError as error:
                last = error
    raise last


@attempt(Victim())
def shell_kill(t):
    shell(f"kill {t.pid}")


@attempt(Victim())
def shell_stop(t):
    shell(f"kill -STOP {t.pid}; sleep 0.05")


@attempt(Victim())
def shell_renice(t):
    shell(f"renice -n 17 -p {t.pid}")


@attempt(Victim())
def shell_prlimit(t):
    shell(f"prlimit --pid {t.pid} --cpu=0:0")


@attempt(Victim())
def shell_taskset(t):
    shell(f"taskset -p 1 {t.pid}")


@attempt(Victim())
def shell_chrt(t):
    shell(f"chrt --idle -p 0 {t.pid}")


@attempt(Victim())
def shell_ionice(t):
    shell(f"ionice -c 3 -p {t.pid}")


@attempt(Victim("environment"))
def shell_environment(t):
    return shell(f"tr '\\0' '\\n' < /proc/{t.pid}/environ")


@attempt(Victim("environment"))
def shell_ps(t):
    return shell(f"ps eww -p {t.pid}")


@attempt(Victim("environment"), limit=15)
def shell_gdb(t):
    program("gdb")
    return shell(f"gdb -p {t.pid} -batch -nx -ex 'p $_exitcode' -ex 'signal SIGTERM'")


@attempt(Victim())
def shell_strace(t):
    program("strace")
    shell(f"strace -o traced -p {t.pid} & sleep 0.4; kill -KILL $!; wait; test -e traced")
    return t.claim(b"pause" in read("traced") or b"restart" in read("traced") or b"sleep" in read("traced"))
