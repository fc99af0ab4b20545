"""Reaches servers outside: by sockets in the file system, abstract ones, loopback and the network."""
import ctypes
import os
import select
import socket
import struct
import threading
import time

from calls import Impossible, call, memory, only_root, program, raw, shell, vector
from registry import attempt
from ring import Ring
from targets import Claim, Server, Tmux

WORDS = b"attempt\n"
# A state of a connection that is under way.
SYN_SENT = 2


def unix(t, variety=socket.SOCK_STREAM):
    one = socket.socket(socket.AF_UNIX, variety)
    one.connect(t.path)
    one.send(WORDS)


def unix_address(path):
    return memory(struct.pack("H", 1) + os.fsencode(path) + b"\0")


def address4(t, family=socket.AF_INET):
    return memory(struct.pack("=H", family) + struct.pack("!H", t.port) + socket.inet_aton(t.address) + bytes(8))


def address6(t):
    return memory(struct.pack("=H", 10) + struct.pack("!HI", t.port, 0) + socket.inet_pton(10, t.address) + bytes(4))


def message(address, content=WORDS):
    """A `struct msghdr` that names its address."""
    data = vector(memory(content))
    one = memory(struct.pack("QIxxxxQQQQixxxx", ctypes.addressof(address), len(address),
                             ctypes.addressof(data), 1, 0, 0, 0))
    one.of = (data, address)
    return one


UNIX = [
    ("in_project", "{project}/outside.sock"), ("nx", "/tmp/.nx/{uid}/{random}.sock"),
    ("temporary", "{tmp}/{name}.sock"),
    ("docker", "{runtime}/docker-{name}.sock"), ("podman", "{runtime}/podman/podman.sock"),
    ("ssh_agent", "{home}/.ssh/agent-{name}"), ("gpg_agent", "{home}/.gnupg/S.gpg-agent"),
    ("bus", "{runtime}/bus"), ("x11", "{runtime}/X11-unix/X0"), ("wayland", "{runtime}/wayland-0"),
    ("editor", "{runtime}/vscode-ipc.sock"), ("pulse", "{runtime}/pulse/native"),
    ("cuffs_own", "{runtime}/cuff/other.sock"),
]
for one, place in UNIX:
    attempt(Server("stream", place), name="unix_" + one)(lambda t: unix(t))


@attempt(Server("datagram"))
def unix_sendto(t):
    socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(WORDS, t.path)


@attempt(Server("datagram"))
def unix_datagram_connected(t):
    unix(t, socket.SOCK_DGRAM)


@attempt(Server("datagram"))
def unix_sendmsg(t):
    one = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    call("sendmsg", one.fileno(), message(unix_address(t.path)), 0)


@attempt(Server("datagram"))
def unix_sendmmsg(t):
    one = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    header = message(unix_address(t.path))
    call("sendmmsg", one.fileno(), memory(header.raw + bytes(8)), 1, 0)


@attempt(Server("datagram"))
def unix_sendmmsg_behind_own(t):
    """The first message goes to a socket of the project, the second one outside."""
    mine = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    mine.bind("mine.sock")
    one = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    headers = [message(unix_address("mine.sock")), message(unix_address(t.path))]
    call("sendmmsg", one.fileno(), memory(b"".join(header.raw + bytes(8) for header in headers)), 2, 0)


@attempt(Server("packets"))
def unix_packets(t):
    unix(t, socket.SOCK_SEQPACKET)


@attempt(Server("stream"))
def unix_relative_path(t):
    os.chdir(os.path.dirname(t.path))
    t.path = os.path.basename(t.path)
    unix(t)


@attempt(Server("stream"))
def unix_symbolic_link(t):
    os.symlink(t.path, "link.sock")
    t.path = "link.sock"
    unix(t)


@attempt(Server("stream"))
def unix_hard_link(t):
    os.link(t.path, "hard.sock")
    t.path = "hard.sock"
    unix(t)


@attempt(Server("stream"))
def unix_path_descriptor(t):
    t.path = f"/proc/self/fd/{os.open(t.path, os.O_PATH)}"
    unix(t)


@attempt(Server("stream"))
def unix_folder_descriptor(t):
    folder = os.open(os.path.dirname(t.path), os.O_PATH)
    t.path = f"/proc/self/fd/{folder}/{os.path.basename(t.path)}"
    unix(t)


@attempt(Server("stream"))
def unix_own_root(t):
    t.path = "/proc/self/root" + t.path
    unix(t)


@attempt(Server("stream"))
def unix_rename(t):
    os.rename(t.path, "moved.sock")
    t.path = "moved.sock"
    unix(t)


@attempt(Server("stream"))
def unix_path_without_end(t):
    """The address ends where the path does: no NUL."""
    one, path = socket.socket(socket.AF_UNIX), os.fsencode(t.path)
    call("connect", one.fileno(), memory(struct.pack("H", 1) + path), 2 + len(path))
    one.send(WORDS)


@attempt(Server("stream"))
def unix_in_a_thread(t):
    import threading
    failed = []

    def run():
        try:
            unix(t)
        except OSError as error:
            failed.append(error)
    one = threading.Thread(target=run)
    one.start()
    one.join()
    if failed:
        raise failed[0]


@attempt(Server("stream"))
def unix_not_waiting(t):
    one = socket.socket(socket.AF_UNIX)
    one.setblocking(False)
    one.connect(t.path)
    one.send(WORDS)


@attempt(Server("abstract"))
def abstract(t):
    unix(t)


@attempt(Server("abstract_datagram"))
def abstract_datagram(t):
    socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(WORDS, t.path)


def tcp(t, family=socket.AF_INET, protocol=0, address=None):
    one = socket.socket(family, socket.SOCK_STREAM, protocol)
    one.settimeout(1)
    one.connect((address or t.address, t.port))
    one.send(WORDS)


@attempt(Server("tcp"))
def tcp_loopback(t):
    tcp(t)


@attempt(Server("tcp6"))
def tcp_loopback6(t):
    tcp(t, socket.AF_INET6)


@attempt(Server("tcp", "0.0.0.0"))
def tcp_other_loopback(t):
    tcp(t, address="127.9.9.9")


@attempt(Server("tcp"))
def tcp_unspecified(t):
    tcp(t, address="0.0.0.0")


@attempt(Server("tcp6"))
def tcp_unspecified6(t):
    tcp(t, socket.AF_INET6, address="::")


@attempt(Server("tcp"))
def tcp_mapped(t):
    tcp(t, socket.AF_INET6, address="::ffff:127.0.0.1")


@attempt(Server("tcp", "0.0.0.0"))
def tcp_own_address(t):
    tcp(t, address=t.own)


@attempt(Server("tcp6", "::"))
def tcp_own_address6(t):
    if t.own6 == "::1":
        raise Impossible("this machine has no such address of its own")
    tcp(t, socket.AF_INET6, address=t.own6)


@attempt(Server("tcp"))
def tcp_address_bound(t):
    """Binds to a port first."""
    one = socket.socket()
    one.settimeout(1)
    one.bind(("127.0.0.1", 0))
    one.connect((t.address, t.port))
    one.send(WORDS)


@attempt(Server("tcp"))
def tcp_not_waiting(t):
    import select
    one = socket.socket()
    one.setblocking(False)
    one.connect_ex((t.address, t.port))
    select.select([], [one], [], 1)
    one.send(WORDS)


@attempt(Server("tcp"))
def tcp_after_refusal(t):
    """Asks again for as long as a judge might grow tired."""
    last = None
    for _ in range(300):
        try:
            return tcp(t)
        except OSError as error:
            last = error
    raise last


def borrowed(t, family, host, target=None):
    """Listens on the server's port itself, at another address: the port is the run's own now, and the server is not."""
    mine = socket.socket(family)
    mine.bind((host, t.port))
    mine.listen()
    tcp(t, target or socket.AF_INET)


@attempt(Server("tcp"))
def tcp_port_borrowed(t):
    borrowed(t, socket.AF_INET, "127.0.0.2")


@attempt(Server("tcp"))
def tcp_port_borrowed_of_sixth(t):
    borrowed(t, socket.AF_INET6, "::1")


@attempt(Server("tcp6"))
def tcp_port_borrowed_of_fourth(t):
    borrowed(t, socket.AF_INET, "127.0.0.1", socket.AF_INET6)


@attempt(Server("tcp_shared"))
def tcp_port_shared(t):
    """Listens beside the server, which lets others of its user do so, and connects until it gets the server."""
    mine = socket.socket()
    mine.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    mine.bind(("127.0.0.1", t.port))
    mine.listen(100)
    for _ in range(20):
        tcp(t)


@attempt(Server("tcp_late"))
def tcp_under_way(t):
    """Fills the queue of a listener of its own, begins one more connection, and leaves the port to the server."""
    mine, end = socket.socket(), time.monotonic() + 5
    mine.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    while True:
        try:
            mine.bind(("127.0.0.1", t.port))
            mine.listen(0)
            break
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.003)
    time.sleep(0.1)
    begun = []
    while not begun or begun[-1].getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO) & 0xff != SYN_SENT:
        begun.append(socket.socket())
        begun[-1].setblocking(False)
        begun[-1].connect_ex(("127.0.0.1", t.port))
    mine.close()
    late = begun[-1]
    if not select.select([], [late], [], 5)[1]:
        raise TimeoutError("the connection stays under way")
    late.send(WORDS)


def unnamed(t, listen, source, target):
    """Connects to no address in particular, which the kernel takes to mean that of the socket: it has one where the server is."""
    family, host = listen
    mine = socket.socket(family)
    if family == socket.AF_INET6:
        mine.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    mine.bind((host, t.port))
    mine.listen()
    one = socket.socket(socket.AF_INET6 if ":" in target else socket.AF_INET)
    one.settimeout(1)
    one.bind((source, 0))
    one.connect((target, t.port))
    one.send(WORDS)


@attempt(Server("tcp"))
def tcp_unnamed_of_mapped(t):
    unnamed(t, (socket.AF_INET6, "::1"), "::ffff:127.0.0.1", "::")


@attempt(Server("tcp", "127.0.0.5"))
def tcp_unnamed_of_fourth(t):
    unnamed(t, (socket.AF_INET, "127.0.0.1"), "127.0.0.5", "0.0.0.0")


@attempt(Server("tcp", "127.0.0.5"))
def tcp_unnamed_in_sixth(t):
    unnamed(t, (socket.AF_INET, "127.0.0.1"), "::ffff:127.0.0.5", "::ffff:0.0.0.0")


def sets(family, level, option, value):
    """Sends packets another way than their address says."""
    socket.socket(family).setsockopt(level, option, value)
    return "open: another way for packets"


@attempt(Claim())
def option_of_interface(t):
    return sets(socket.AF_INET, socket.SOL_SOCKET, 25, b"lo")


@attempt(Claim())
def option_of_interface_number(t):
    return sets(socket.AF_INET, socket.SOL_SOCKET, 62, 1)


@attempt(Claim())
def option_of_outgoing_interface(t):
    return sets(socket.AF_INET, socket.IPPROTO_IP, 50, struct.pack("!I", 1))


@attempt(Claim())
def option_of_outgoing_interface6(t):
    return sets(socket.AF_INET6, socket.IPPROTO_IPV6, 76, struct.pack("!I", 1))


@attempt(Claim())
def option_of_late_connection(t):
    return sets(socket.AF_INET, socket.IPPROTO_TCP, 30, 1)


@attempt(Claim())
def option_of_shared_port(t):
    return sets(socket.AF_INET, socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)


@attempt(Claim())
def option_of_segments(t):
    way = struct.pack("BBBBBBH", 0, 2, 4, 0, 0, 0, 0) + socket.inet_pton(socket.AF_INET6, "2001:db8::1")
    return sets(socket.AF_INET6, socket.IPPROTO_IPV6, 57, way)


@attempt(Server("tcp"))
def mptcp(t):
    tcp(t, protocol=262)


@attempt(Server("tcp6"))
def mptcp6(t):
    tcp(t, socket.AF_INET6, 262)


@attempt(Server("tcp"))
def fast_open_sendto(t):
    socket.socket().sendto(WORDS, 0x20000000, (t.address, t.port))


@attempt(Server("tcp"))
def fast_open_sendmsg(t):
    one = socket.socket()
    header = message(address4(t))
    call("sendmsg", one.fileno(), header, 0x20000000)


@attempt(Server("tcp"))
def fast_open_sendmmsg(t):
    one = socket.socket()
    header = message(address4(t))
    call("sendmmsg", one.fileno(), memory(header.raw + bytes(8)), 1, 0x20000000)


@attempt(Server("tcp"))
def fast_open_mptcp(t):
    socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262).sendto(WORDS, 0x20000000, (t.address, t.port))


@attempt(Server("tcp6"))
def fast_open_sendto6(t):
    socket.socket(socket.AF_INET6).sendto(WORDS, 0x20000000, (t.address, t.port))


@attempt(Server("tcp"))
def fast_open_connect(t):
    one = socket.socket()
    one.setsockopt(socket.IPPROTO_TCP, 30, 1)
    one.connect((t.address, t.port))
    one.send(WORDS)


@attempt(Server("tcp"))
def tcp_high_bits(t):
    """The kernel takes 32 bits of a descriptor and of an address's length; a filter may look at 64."""
    one, high = socket.socket(), 1 << 40
    call("connect", high | one.fileno(), address4(t), high | 16)
    one.send(WORDS)


@attempt(Server("tcp"))
def socket_of_high_bits(t):
    one = call("socket", 1 << 32 | 2, 1 << 32 | 1, 1 << 32 | 262)
    call("connect", one, address4(t), 16)
    os.write(one, WORDS)


@attempt(Server("udp"))
def udp_sendto(t):
    socket.socket(type=socket.SOCK_DGRAM).sendto(WORDS, (t.address, t.port))


@attempt(Server("udp"))
def udp_connected(t):
    one = socket.socket(type=socket.SOCK_DGRAM)
    one.connect((t.address, t.port))
    one.send(WORDS)


@attempt(Server("udp"))
def udp_sendmsg(t):
    one = socket.socket(type=socket.SOCK_DGRAM)
    call("sendmsg", one.fileno(), message(address4(t)), 0)


@attempt(Server("udp"))
def udp_sendmmsg(t):
    one = socket.socket(type=socket.SOCK_DGRAM)
    header = message(address4(t))
    call("sendmmsg", one.fileno(), memory(header.raw + bytes(8)), 1, 0)


@attempt(Server("udp6"))
def udp6_sendto(t):
    socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).sendto(WORDS, (t.address, t.port))


@attempt(Server("udp"))
def udp6_to_old_address(t):
    """A socket of IPv6 takes an address of IPv4."""
    one = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    call("sendto", one.fileno(), memory(WORDS), len(WORDS), 0, address4(t), 16)


@attempt(Server("udp"))
def udp6_connected_to_old_address(t):
    one = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    call("connect", one.fileno(), address4(t), 16)
    one.send(WORDS)


@attempt(Server("udp"))
def udp_no_family(t):
    """UDP takes an address without a family as one of IPv4."""
    one = socket.socket(type=socket.SOCK_DGRAM)
    call("sendto", one.fileno(), memory(WORDS), len(WORDS), 0, address4(t, 0), 16)


@attempt(Server("udp", "0.0.0.0"))
def udp_own_address(t):
    socket.socket(type=socket.SOCK_DGRAM).sendto(WORDS, (t.own, t.port))


@attempt(Server("udp"))
def udp_own_connection_then_other(t):
    """Connects to itself, and sends elsewhere."""
    one = socket.socket(type=socket.SOCK_DGRAM)
    one.bind(("127.0.0.1", 0))
    one.connect(one.getsockname())
    one.sendto(WORDS, (t.address, t.port))


@attempt(Server("tcp"))
def ring_connect(t):
    one = socket.socket()
    ring = Ring()
    ring.connect(one.fileno(), address4(t))
    ring.send(one.fileno(), WORDS)


@attempt(Server("stream"))
def ring_connect_unix(t):
    one = socket.socket(socket.AF_UNIX)
    ring = Ring()
    ring.connect(one.fileno(), unix_address(t.path))
    ring.send(one.fileno(), WORDS)


@attempt(Server("datagram"))
def ring_sendmsg(t):
    one = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    Ring().sendmsg(one.fileno(), message(unix_address(t.path)))


@attempt(Server("tcp"))
def ring_socket(t):
    """Both the socket and its connection are the ring's."""
    ring = Ring()
    one = ring.socket(2, 1, 262)
    ring.connect(one, address4(t))
    ring.send(one, WORDS)


@attempt(Claim())
def ring_setup(t):
    call("io_uring_setup", 4, memory(bytes(120)))
    return "open: a second table of calls"


def listens_everywhere(family, bind):
    one = socket.socket(family)
    if bind:
        one.bind(bind)
    one.listen()
    address = one.getsockname()[0]
    if address not in ("0.0.0.0", "::"):
        raise PermissionError(f"listens on {address}")
    return "open: listens on " + address


@attempt(Claim())
def listen_without_bind(t):
    return listens_everywhere(socket.AF_INET, None)


@attempt(Claim())
def listen_without_bind6(t):
    return listens_everywhere(socket.AF_INET6, None)


@attempt(Claim())
def listen_everywhere(t):
    return listens_everywhere(socket.AF_INET, ("0.0.0.0", 0))


@attempt(Claim())
def listen_everywhere6(t):
    return listens_everywhere(socket.AF_INET6, ("::", 0))


@attempt(Claim())
def listen_while_disconnecting(t):
    """A connected socket has an address of this machine, until another thread takes it away."""
    here = socket.create_server(("127.0.0.1", 0), backlog=4096)
    end = time.monotonic() + 2
    while time.monotonic() < end:
        one = socket.socket()
        one.connect(here.getsockname())
        here.accept()[0].close()
        other = threading.Thread(target=call, args=("connect", one.fileno(), memory(bytes(16)), 16))
        other.start()
        try:
            one.listen()
        except OSError:
            pass
        other.join()
        is_listening = one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
        if is_listening and one.getsockname()[0] == "0.0.0.0":
            return "open: listens everywhere"
        one.close()
    raise PermissionError("listens here alone")


@attempt(Claim())
def listen_on_own_address(t):
    one = socket.socket()
    one.bind((t.own, 0))
    one.listen()
    return "open: listens on the network"


@attempt(Claim())
def bind_without_family(t):
    one = socket.socket()
    call("bind", one.fileno(), memory(bytes(16)), 16)
    one.listen()
    if one.getsockname()[0] != "0.0.0.0":
        raise PermissionError("bound to loopback")
    return "open: listens everywhere"


@attempt(Claim())
def receive_from_network(t):
    one = socket.socket(type=socket.SOCK_DGRAM)
    one.bind(("0.0.0.0", 0))
    if one.getsockname()[0] != "0.0.0.0":
        raise PermissionError("bound to loopback")
    return "open: hears the network"


def opened(t, family, variety=socket.SOCK_RAW, protocol=0):
    try:
        call("socket", family, variety, protocol)
    except OSError as error:
        if error.errno in (13, 19, 93, 94, 97) and not t.inside:
            raise Impossible(f"this kernel has no such socket: {error}") from error
        raise
    return f"open: socket({family}, {variety}, {protocol})"


KINDS = [
    ("netlink_of_sockets", 16, 3, 4, False), ("netlink_of_audit", 16, 3, 9, False),
    ("netlink_of_firewall", 16, 3, 12, False), ("netlink_of_events", 16, 3, 15, False),
    ("netlink_generic", 16, 3, 16, False), ("netlink_connector", 16, 3, 11, False), ("vsock", 40, 1, 0, False),
    ("vsock_datagram", 40, 2, 0, False), ("packet", 17, 3, 0x0300, True), ("packet_datagram", 17, 2, 0x0300, True),
    ("crypto", 38, 5, 0, False), ("raw", 2, 3, 1, True), ("raw6", 10, 3, 58, True), ("ping", 2, 2, 1, True),
    ("sctp", 2, 1, 132, False), ("udplite", 2, 2, 136, False), ("bluetooth", 31, 3, 1, False), ("key", 15, 3, 2, True),
    ("rds", 21, 5, 0, False), ("tipc", 30, 1, 0, False), ("xdp", 44, 3, 0, True), ("smc", 43, 1, 0, False),
]
for one, family, variety, protocol, as_root in KINDS:
    @attempt(Claim(), name="socket_" + one)
    def kind(t, family=family, variety=variety, protocol=protocol, as_root=as_root):
        if as_root:
            only_root()
        return opened(t, family, variety, protocol)


@attempt(Claim())
def socketpair_of_vsock(t):
    import errno
    try:
        raw(53 if os.uname().machine == "x86_64" else 199, 40, 1, 0, memory(bytes(8)))
    except OSError as error:
        if error.errno in (errno.EOPNOTSUPP, errno.EAFNOSUPPORT):
            raise Impossible("this kernel makes no such pair") from error
        raise
    return "open: a pair"


def x32(value, *words):
    """The same call by the number of the other table."""
    if os.uname().machine != "x86_64":
        raise Impossible("no x32 here")
    return raw(0x40000000 | value, *words)


@attempt(Server("tcp"))
def x32_connect(t):
    import errno
    one = socket.socket()
    try:
        x32(42, one.fileno(), address4(t), 16)
    except OSError as error:
        if error.errno == errno.ENOSYS and not t.inside:
            raise Impossible("this kernel has no x32") from error
        raise
    one.send(WORDS)


@attempt(Server("tcp"))
def i386_connect(t):
    """int 0x80 from a program of 64 bits: the table of i386, with addresses below 4 GiB."""
    from old_calls import old_call, low
    import errno
    address = address4(t)
    try:
        one = old_call(359, 2, 1, 0)
    except OSError as error:
        if error.errno == errno.ENOSYS and not t.inside:
            raise Impossible("this kernel has no calls of i386") from error
        raise
    old_call(362, one, low(address.raw), 16)
    os.write(one, WORDS)


@attempt(Server("stream"))
def i386_connect_unix(t):
    from old_calls import old_call, low
    address = unix_address(t.path)
    words = struct.pack("III", 1, 1, 0)
    one = old_call(102, 1, low(words))  # socketcall(SOCKET)
    where = low(address.raw)
    old_call(102, 3, low(struct.pack("III", one, where, len(address))))
    os.write(one, WORDS)


@attempt(Server("tcp"))
def shell_curl(t):
    program("curl")
    shell(f"curl -s -m 2 http://{t.address}:{t.port}/attempt")


@attempt(Server("stream"))
def shell_curl_unix(t):
    program("curl")
    shell(f"curl -s -m 2 --unix-socket {t.path} http://d/attempt")


@attempt(Server("tcp"))
def shell_bash(t):
    shell(f"echo attempt > /dev/tcp/{t.address}/{t.port}")


@attempt(Server("udp"))
def shell_bash_udp(t):
    shell(f"echo attempt > /dev/udp/{t.address}/{t.port}")


@attempt(Server("stream"))
def shell_docker(t):
    program("docker")
    shell("timeout 3 docker version; true", DOCKER_HOST=f"unix://{t.path}")


@attempt(Server("stream"))
def shell_ssh_add(t):
    program("ssh-add")
    shell("timeout 2 ssh-add -l; true", SSH_AUTH_SOCK=t.path)


@attempt(Server("stream"))
def shell_dbus(t):
    program("dbus-send")
    shell("timeout 2 dbus-send --session --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListNames; true",
          DBUS_SESSION_BUS_ADDRESS=f"unix:path={t.path}")


@attempt(Server("stream", "{runtime}/units/systemd/private"))
def shell_systemd_run(t):
    program("systemd-run")
    shell("timeout 2 systemd-run --user true; true", XDG_RUNTIME_DIR=os.path.dirname(os.path.dirname(t.path)))


@attempt(Tmux())
def shell_tmux(t):
    program("tmux")
    shell(f"tmux -S {t.path} send-keys 'touch {t.made}' Enter")


@attempt(Server("tcp"))
def shell_node(t):
    shell(f"node -e 'require(\"net\").connect({t.port}, \"{t.address}\").end(\"attempt\")'")


@attempt(Server("tcp"))
def shell_git(t):
    shell(f"timeout 2 git ls-remote git://{t.address}:{t.port}/attempt; true")
