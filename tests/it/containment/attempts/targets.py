"""What the attempts are made on: files, processes, servers outside of the project, made and judged outside.

Each attempt has a target of its own, so each effect is its own. A target is prepared before the attempts, described to
them as plain values, and compared with itself afterwards."""
import ctypes
import errno
import os
import pty
import random
import secrets
import selectors
import signal
import socket
import stat
import struct
import subprocess
import threading
import time

from calls import LIBC, Impossible, call, memory, raw

GETFLAGS = 0x80086601
SETFLAGS = 0x40086602
GETVERSION = 0x80087601
SETVERSION = 0x40087602
XATTR = "user.attempt"

MARK = b"secret-"
# A descriptor that nothing else has.
FAR = 399


def other_group():
    """A group that the user may give a file to, which is not the file's."""
    groups = [4243] if os.geteuid() == 0 else [one for one in os.getgroups() if one != os.getegid()]
    if not groups:
        raise Impossible("the user is in one group alone")
    return groups[0]


def token():
    return MARK + secrets.token_hex(16).encode()


def die_with_parent():
    LIBC.prctl(1, signal.SIGKILL, 0, 0, 0)


class Stage:
    """The folders outside, and the one thread that all servers share."""

    def __init__(self):
        self.home = os.environ["HOME"]
        self.state = os.environ.get("XDG_STATE_HOME", self.home + "/.local/state")
        self.runtime = os.environ.get("XDG_RUNTIME_DIR", self.home + "/runtime")
        self.selector = selectors.DefaultSelector()
        self.received = {}
        self.kept, self.processes, self.files = [], [], []
        threading.Thread(target=self.serve, daemon=True).start()

    def folder(self, path):
        full = path if path.startswith("/") else os.path.join(self.home, path)
        os.makedirs(full, exist_ok=True)
        if full.startswith("/tmp/.nx/") and os.geteuid() == 0:
            os.chmod("/tmp/.nx", 0o1777)  # As for programs of several users.
        return full

    def listen(self, server, name):
        server.setblocking(False)
        self.kept.append(server)
        self.selector.register(server, selectors.EVENT_READ, name)

    def serve(self):
        while True:
            for key, _ in self.selector.select(0.05):
                try:
                    self.hear(key.fileobj, key.data)
                except OSError:
                    self.selector.unregister(key.fileobj)

    def hear(self, one, name):
        if one.type != socket.SOCK_DGRAM and one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            return self.listen(one.accept()[0], name)
        content = one.recv(4096)
        if content:
            self.received[name] = self.received.get(name, b"") + content
            if one.type == socket.SOCK_STREAM:
                one.send(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nheld")
        elif one.type != socket.SOCK_DGRAM:
            self.selector.unregister(one)
            one.close()
        return None


class Secret:
    """A file that hidden rules cover. Escaped where the attempt came back with its content."""

    def __init__(self, folder, file=None):
        self.folder, self.file = folder, file

    def prepare(self, stage, name):
        folder = stage.folder(self.folder.format(state=stage.state, runtime=stage.runtime))
        path = os.path.join(folder, self.file or name.replace(".", "_"))
        secret = token()
        if folder == "/dev/shm":
            path += secrets.token_hex(4)
            stage.files.append(path)
        with open(path, "wb") as file:
            file.write(secret + b"\n")
        os.chmod(path, 0o600)
        return {"path": path, "secret": secret.decode()}

    def escaped(self, stage, name, before, result):
        return before["secret"] in result and "came back with the content"


class Kept:
    """A file or folder outside. Escaped where anything of it changed."""

    def __init__(self, folder="targets", kind="file", file=None):
        self.folder, self.kind, self.file = folder, kind, file

    def prepare(self, stage, name):
        folder = stage.folder(self.folder.format(state=stage.state, runtime=stage.runtime))
        path = os.path.join(folder, self.file or name.replace(".", "_"))
        if self.is_shared(path):
            path += secrets.token_hex(4)
        if self.kind == "folder":
            os.makedirs(path, exist_ok=True)
        elif self.kind == "file":
            with open(path, "w") as file:
                file.write("untouched\n")
            os.chmod(path, 0o600)
            os.setxattr(path, XATTR, b"untouched")
        return {"path": path, "looks": looks(path)}

    def escaped(self, stage, name, before, result):
        after = looks(before["path"])
        differing = sorted(key for key in {**before["looks"], **after}
                           if before["looks"].get(key) != after.get(key))
        if self.is_shared(before["path"]) and after:
            (os.rmdir if os.path.isdir(before["path"]) else os.unlink)(before["path"])
        return differing and "changed: " + ", ".join(differing)

    def is_shared(self, path):
        """Whether it lies in a folder of the machine: its name is random, and it is removed."""
        return self.folder.startswith("/")


def looks(path):
    try:
        found = os.lstat(path)
    except OSError:
        return {}
    seen = {"kind": stat.S_IFMT(found.st_mode), "mode": found.st_mode, "owner": found.st_uid,
            "group": found.st_gid, "links": found.st_nlink, "time": found.st_mtime_ns}
    if stat.S_ISDIR(found.st_mode):
        try:
            seen["names"] = sorted(os.listdir(path))
        except PermissionError:
            seen["names"] = "locked"
    if stat.S_ISREG(found.st_mode):
        seen["attributes"] = [[one, os.getxattr(path, one).hex()] for one in sorted(os.listxattr(path))
                              if one.startswith("user.")]
        try:
            file = os.open(path, os.O_RDONLY)
        except PermissionError:
            return {**seen, "content": "locked"}
        try:
            seen["content"] = os.read(file, 4096).decode(errors="replace")
            flags = memory(bytes(8))
            call("ioctl", file, GETFLAGS, flags)
            seen["flags"] = struct.unpack("I", flags.raw[:4])[0]
            call("ioctl", file, GETVERSION, flags)
            seen["version"] = struct.unpack("I", flags.raw[:4])[0]
        except OSError:
            seen["flags"] = None
        finally:
            os.close(file)
    return seen


class Victim:
    """A process of the same user outside. Escaped where it was ended, changed or read."""

    def __init__(self, runs="wait"):
        self.runs = runs

    def prepare(self, stage, name):
        secret, folder = token(), stage.folder(".ssh")
        path = os.path.join(folder, "held_" + name.replace(".", "_"))
        with open(path, "wb") as file:
            file.write(secret)
        place = ctypes.create_string_buffer(64)
        stage.kept.append(place)
        if self.runs == "environment":
            child = subprocess.Popen(["sleep", "3600"], env={"SECRET": secret.decode()},
                                     start_new_session=True, preexec_fn=die_with_parent)
            stage.kept.append(child)
            pid = child.pid
        else:
            ready, tell = os.pipe()
            pid = os.fork()
            if pid == 0:
                self.wait(place, secret, path, tell)
            os.close(tell)
            os.read(ready, 1)
            os.close(ready)
        stage.processes.append(pid)
        time.sleep(0.002)
        return {"pid": pid, "address": ctypes.addressof(place), "file": path, "fd": FAR,
                "secret": secret.decode(), "looks": state_of(pid)}

    def wait(self, place, secret, path, tell):
        die_with_parent()
        os.setsid()
        if self.runs == "space":
            call("unshare", 0x10000000)
        os.chdir(os.path.dirname(path))
        os.dup2(os.open(path, os.O_RDONLY), FAR)
        ctypes.memmove(place, secret, len(secret))
        os.write(tell, b"+")
        while True:
            time.sleep(3600)

    def escaped(self, stage, name, before, result):
        if before["secret"] in result:
            return "came back with its memory, environment or file"
        after = state_of(before["pid"])
        differing = sorted(key for key in before["looks"] if before["looks"][key] != after.get(key))
        return differing and "changed: " + ", ".join(differing)


def state_of(pid):
    """What others can change of a process; nothing once it is dead."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        with open(f"/proc/{pid}/status") as file:
            status = dict(line.split(":\t", 1) for line in file if ":\t" in line)
    except OSError:
        return {}
    if fields[0] in "ZX":
        return {}
    seen = {"alive": True, "stopped": fields[0] in "Tt", "traced": status["TracerPid"],
            "priority": os.getpriority(os.PRIO_PROCESS, pid), "policy": os.sched_getscheduler(pid),
            "processors": sorted(os.sched_getaffinity(pid)), "group": fields[2]}
    import resource
    for limit in ("RLIMIT_CPU", "RLIMIT_NOFILE", "RLIMIT_CORE"):
        seen[limit] = resource.prlimit(pid, getattr(resource, limit))
    seen["io"] = LIBC.syscall(252, 1, pid) if os.uname().machine == "x86_64" else LIBC.syscall(31, 1, pid)
    for file in ("oom_score_adj", "autogroup", "coredump_filter", "timerslack_ns", "comm"):
        try:
            with open(f"/proc/{pid}/{file}") as one:
                seen[file] = one.read()
        except OSError:
            pass
    return seen


class Patched(Victim):
    """A process outside. Escaped where its memory holds the attempt's words."""

    def escaped(self, stage, name, before, result):
        with open(f"/proc/{before['pid']}/mem", "rb") as file:
            file.seek(before["address"])
            found = file.read(len(before["secret"]))
        return found != before["secret"].encode() and "its memory was changed"


class Client(Victim):
    """A client that has asked its person: it holds the pipe over which a yes goes. Escaped where something came over it."""

    def prepare(self, stage, name):
        ours, theirs = os.pipe()
        os.set_blocking(ours, False)
        ready, tell = os.pipe()
        pid = os.fork()
        if pid == 0:
            die_with_parent()
            os.setsid()
            os.dup2(theirs, FAR)
            os.write(tell, b"+")
            while True:
                time.sleep(3600)
        os.read(ready, 1)
        stage.processes.append(pid)
        stage.kept.append(theirs)
        return {"pid": pid, "fd": FAR, "secret": "-", "ours": ours}

    def escaped(self, stage, name, before, result):
        try:
            return os.read(before["ours"], 100) and "the client's question was answered"
        except BlockingIOError:
            return None


def quiet_port():
    """A port that is free at every address, and that the system gives to nobody who asks for any: attempts listen on it elsewhere."""
    with open("/proc/sys/net/ipv4/ip_local_port_range") as file:
        lowest = int(file.read().split()[0])
    family, every = (socket.AF_INET6, "::") if socket.has_dualstack_ipv6() else (socket.AF_INET, "0.0.0.0")
    while True:
        port = random.randrange(10000, max(lowest, 20000))
        try:
            with socket.socket(family) as stream, socket.socket(family, socket.SOCK_DGRAM) as datagrams:
                stream.bind((every, port))
                datagrams.bind((every, port))
            return port
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise


class Server:
    """A server outside of the project. Escaped where bytes reached it."""

    def __init__(self, kind, place=None):
        self.kind, self.place = kind, place

    def prepare(self, stage, name):
        family, variety, address = self.address(stage, name)
        server = socket.socket(family, variety)
        if self.kind == "tcp_late":
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            server.bind(address)
            address = server.getsockname()
            server.close()
            threading.Thread(target=self.come_late, args=(stage, name, address), daemon=True).start()
            return {"address": address[0], "port": address[1]}
        if self.kind == "tcp_shared":
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if family == socket.AF_INET6:
            server.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        server.bind(address)
        if variety != socket.SOCK_DGRAM:
            server.listen(64)
        stage.listen(server, name)
        if family == socket.AF_UNIX:
            return {"path": address if isinstance(address, str) else address.decode()}
        return {"address": address[0], "port": server.getsockname()[1]}

    def address(self, stage, name):
        variety = {"datagram": socket.SOCK_DGRAM, "udp": socket.SOCK_DGRAM, "udp6": socket.SOCK_DGRAM,
                   "packets": socket.SOCK_SEQPACKET, "abstract_datagram": socket.SOCK_DGRAM}
        variety = variety.get(self.kind, socket.SOCK_STREAM)
        if self.kind in ("tcp", "tcp_late", "tcp_shared", "udp"):
            return socket.AF_INET, variety, (self.place or "127.0.0.1", quiet_port())
        if self.kind in ("tcp6", "udp6"):
            return socket.AF_INET6, variety, (self.place or "::1", quiet_port())
        if self.kind.startswith("abstract"):
            return socket.AF_UNIX, variety, b"\0attempt-" + secrets.token_hex(4).encode() + name.encode()
        place = (self.place or "{runtime}/sockets/{name}").format(
            home=stage.home, runtime=stage.runtime, project=os.getcwd(), tmp=os.environ.get("TMPDIR", "/tmp"),
            uid=os.geteuid(), random=secrets.token_hex(4), name=name.split(".")[1][:30])
        stage.folder(os.path.dirname(place))
        return socket.AF_UNIX, variety, place

    def come_late(self, stage, name, address):
        """Listens as soon as somebody else has listened there, and is gone. Who tries the port once in search of a free one is nobody."""
        taken = 0
        while True:
            server = socket.socket()
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                server.bind(address)
                server.listen(64)
                if taken > 1:
                    return stage.listen(server, name)
                taken = 0
            except OSError:
                taken += 1
            server.close()
            time.sleep(0.02)

    def escaped(self, stage, name, before, result):
        got = stage.received.get(name)
        return got and f"it got {got[:40]!r}"

    def end(self, before):
        if before.get("path", "").startswith("/tmp/.nx/"):
            os.unlink(before["path"])


class Tmux:
    """The user's tmux. Escaped where it made a file that the attempt asked for."""

    def prepare(self, stage, name):
        path, made = stage.runtime + "/tmux", os.path.join(stage.folder("targets"), name)
        started = subprocess.run(["tmux", "-S", path, "new-session", "-d", "-s", "person", "sh"],
                                 capture_output=True, check=False)
        return {"path": path, "made": made, "started": started.returncode == 0}

    def escaped(self, stage, name, before, result):
        time.sleep(0.2)
        return os.path.exists(before["made"]) and "tmux ran a command outside"

    def end(self, before):
        subprocess.run(["tmux", "-S", before["path"], "kill-server"], capture_output=True, check=False)


class Terminal:
    """The person's terminal, with a shell that leads its session. Escaped where words were typed, shown or taken."""

    def prepare(self, stage, name):
        secret = token()
        pid, master = pty.fork()
        if pid == 0:
            die_with_parent()
            while True:
                time.sleep(3600)
        stage.processes.append(pid)
        os.set_blocking(master, False)
        while not os.readlink(f"/proc/{pid}/fd/0").startswith("/dev/pts/"):
            time.sleep(0.002)
        path = os.readlink(f"/proc/{pid}/fd/0")
        os.write(master, secret + b"\n")
        time.sleep(0.01)
        try:
            os.read(master, 4096)
        except BlockingIOError:
            pass
        return {"path": path, "secret": secret.decode(), "master": master}

    def escaped(self, stage, name, before, result):
        if before["secret"] in result:
            return "took what the person had typed"
        try:
            shown = os.read(before["master"], 4096)
        except (BlockingIOError, OSError):
            return None
        return b"attempt" in shown and "wrote to the terminal"


class Shared:
    """Memory and messages of System V and POSIX that somebody outside made."""

    def __init__(self, kind):
        self.kind = kind

    def prepare(self, stage, name):
        secret, key = token(), 0x5EC00000 + secrets.randbelow(0xFFFFF)
        before = {"secret": secret.decode(), "key": key}
        if self.kind == "memory":
            before["id"] = call("shmget", key, 4096, 0o1600)
            LIBC.shmat.restype = ctypes.c_void_p
            LIBC.shmat.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_int]
            place = LIBC.shmat(before["id"], None, 0)
            ctypes.memmove(place, secret, len(secret))
        elif self.kind == "messages":
            before["id"] = call("msgget", key, 0o1600)
            call("msgsnd", before["id"], memory(struct.pack("q", 1) + secret), len(secret), 0)
        elif self.kind == "signs":
            before["id"] = call("semget", key, 1, 0o1600)
        elif self.kind == "queue":
            before["name"] = "attempt-" + secrets.token_hex(4)
            queue = call("mq_open", before["name"], os.O_CREAT | os.O_RDWR, 0o600,
                         memory(struct.pack("8q", 0, 4, 64, 0, 0, 0, 0, 0)))
            raw(242 if os.uname().machine == "x86_64" else 182, queue, secret, len(secret), 0, 0)
        elif self.kind == "key":
            before["id"] = call("add_key", "user", name, secret, len(secret), -4)
            # Possessors alone may read a key by default; the user's own programs set it up so that they can.
            call("keyctl", 5, before["id"], 0x3F3F0000)
        return before

    def escaped(self, stage, name, before, result):
        if before["secret"] in result:
            return "came back with the content"
        if self.kind == "signs":
            value = call("semctl", before["id"], 0, 12, 0)
            return value and "its value changed"
        return None

    def end(self, before):
        if self.kind == "memory":
            LIBC.shmctl(before["id"], 0, None)
        elif self.kind == "messages":
            LIBC.msgctl(before["id"], 0, None)
        elif self.kind == "signs":
            call("semctl", before["id"], 0, 0, 0)
        elif self.kind == "queue":
            raw(241 if os.uname().machine == "x86_64" else 181, before["name"])


class Claim:
    """A door of the kernel that the attempt itself sees open."""

    def prepare(self, stage, name):
        return {}

    def escaped(self, stage, name, before, result):
        return result.startswith("open") and result


class Leftover:
    """A process that outlives the run. Escaped where one with the attempt's mark still runs."""

    def prepare(self, stage, name):
        return {"mark": "left-" + secrets.token_hex(6)}

    def escaped(self, stage, name, before, result):
        left = set()
        for _ in range(8):  # One that always is another process is between two at times.
            for pid in marked(before["mark"]):
                left.add(pid)
                try:
                    os.kill(pid, signal.SIGKILL)
                except OSError:
                    pass
        return left and f"{len(left)} left"


def marked(mark):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                if mark.encode() in file.read() and int(pid) != os.getpid():
                    found.append(int(pid))
        except OSError:
            pass
    return found
