"""Changes what a judge looks at between its look and the act."""
import ctypes
import os
import socket
import struct
import threading
import time

from calls import AT_FDCWD, call, memory
from registry import attempt
from sockets import WORDS, message, unix_address
from targets import Kept, Server

TIME = 0.7


class Swapping:
    """A thread that writes two contents into one place, one after the other, for as long as it is used."""

    def __init__(self, place, one, other):
        self.place, self.contents, self.over = place, (one, other), False
        self.thread = threading.Thread(target=self.swap, daemon=True)

    def swap(self):
        one, other = self.contents
        move, address = ctypes.memmove, ctypes.addressof(self.place)
        while not self.over:
            move(address, one, len(one))
            move(address, other, len(other))

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over = True
        self.thread.join()


def again(function):
    """Tries until time is over; failures are part of it."""
    end, last = time.monotonic() + TIME, None
    while time.monotonic() < end:
        try:
            function()
        except OSError as error:
            last = error
    return last


def mine(variety=socket.SOCK_STREAM):
    """A socket in the project that may be reached."""
    name = f"allowed-{os.getpid()}"
    one = socket.socket(socket.AF_UNIX, variety)
    one.bind(name)
    if variety == socket.SOCK_STREAM:
        one.listen(1000)
    one.setblocking(False)
    return one, os.path.abspath(name)


def padded(one, other):
    size = max(len(one), len(other))
    return one.ljust(size, b"\0"), other.ljust(size, b"\0")


@attempt(Server("stream"), limit=10)
def connect_unix(t):
    listener, path = mine()
    one, other = padded(unix_address(path).raw, unix_address(t.path).raw)
    place = memory(one)

    def go():
        client = socket.socket(socket.AF_UNIX)
        with client:
            client.setblocking(False)
            call("connect", client.fileno(), place, len(place))
            if client.getpeername() == t.path:
                client.send(WORDS)
        try:
            listener.accept()[0].close()
        except BlockingIOError:
            pass
    with Swapping(place, one, other):
        again(go)


@attempt(Server("datagram"), limit=10)
def sendto_unix(t):
    listener, path = mine(socket.SOCK_DGRAM)
    one, other = padded(unix_address(path).raw, unix_address(t.path).raw)
    place, words = memory(one), memory(WORDS)
    client = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    client.setblocking(False)

    def go():
        call("sendto", client.fileno(), words, len(words), 0, place, len(place))
        try:
            listener.recv(100)
        except BlockingIOError:
            pass
    with Swapping(place, one, other):
        again(go)


@attempt(Server("datagram"), limit=10)
def sendmsg_pointer(t):
    """The pointer in the header is swapped, not the address behind it."""
    listener, path = mine(socket.SOCK_DGRAM)
    addresses = [memory(one) for one in padded(unix_address(path).raw, unix_address(t.path).raw)]
    headers = [message(one) for one in addresses]
    place = memory(headers[0].raw)
    client = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    client.setblocking(False)

    def go():
        call("sendmsg", client.fileno(), place, 0)
        try:
            listener.recv(100)
        except BlockingIOError:
            pass
    with Swapping(place, headers[0].raw[:8], headers[1].raw[:8]):
        again(go)


@attempt(Server("tcp"), limit=10)
def connect_tcp(t):
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(1000)
    listener.setblocking(False)

    def packed(port):
        return struct.pack("=H", 2) + struct.pack("!H", port) + socket.inet_aton("127.0.0.1") + bytes(8)
    one, other = packed(listener.getsockname()[1]), packed(t.port)
    place = memory(one)

    def go():
        with socket.socket() as client:
            call("connect", client.fileno(), place, 16)
            if client.getpeername()[1] == t.port:
                client.send(WORDS)
        try:
            listener.accept()[0].close()
        except BlockingIOError:
            pass
    with Swapping(place, one, other):
        again(go)


@attempt(Server("udp"), limit=10)
def sendto_family(t):
    """The family is swapped: a datagram without an address, and one with."""
    client = socket.socket(type=socket.SOCK_DGRAM)
    mine_too = socket.socket(type=socket.SOCK_DGRAM)
    mine_too.bind(("127.0.0.1", 0))

    def packed(port):
        return struct.pack("=H", 2) + struct.pack("!H", port) + socket.inet_aton("127.0.0.1") + bytes(8)
    one, other = packed(mine_too.getsockname()[1]), packed(t.port)
    place, words = memory(one), memory(WORDS)
    with Swapping(place, one, other):
        again(lambda: call("sendto", client.fileno(), words, len(words), 0, place, 16))


@attempt(Server("stream"), limit=10)
def connect_descriptor(t):
    """The descriptor's socket is swapped while the judge looks at it."""
    ends, over = [socket.socket(), socket.socket(socket.AF_UNIX)], []
    place = os.dup(ends[0].fileno())

    def swap():
        while not over:
            os.dup2(ends[0].fileno(), place)
            os.dup2(ends[1].fileno(), place)
    thread = threading.Thread(target=swap, daemon=True)
    thread.start()
    address = unix_address(t.path)

    def go():
        call("connect", place, address, len(address))
        ends[1].send(WORDS)
    again(go)
    over.append(1)
    thread.join()
    ends[1].send(WORDS)


@attempt(Server("stream"), limit=10)
def connect_symbolic_link(t):
    """A link in the project leads to an own socket and to one outside in turn."""
    listener, path = mine()
    os.symlink(path, "swap-a")
    os.symlink(t.path, "swap-b")
    over = []

    def swap():
        while not over:
            try:
                call("renameat2", AT_FDCWD, "swap-a", AT_FDCWD, "swap-b", 2)
            except OSError:
                return
    thread = threading.Thread(target=swap, daemon=True)
    thread.start()

    def go():
        with socket.socket(socket.AF_UNIX) as client:
            client.setblocking(False)
            client.connect("swap-a")
            if client.getpeername() == t.path:
                client.send(WORDS)
        try:
            listener.accept()[0].close()
        except BlockingIOError:
            pass
    again(go)
    over.append(1)
    thread.join()


@attempt(Kept(), limit=10)
def chmod_path(t):
    with open("own-for-mode", "w"):
        pass
    one, other = padded(os.fsencode(os.path.abspath("own-for-mode")) + b"\0", os.fsencode(t.path) + b"\0")
    place = memory(one)
    with Swapping(place, one, other):
        again(lambda: call("fchmodat", AT_FDCWD, place, 0o777))


@attempt(Kept(), limit=10)
def chmod_folder(t):
    """A folder of the project becomes a link to one outside between check and act."""
    os.makedirs("swapped-folder", exist_ok=True)
    name = os.path.basename(t.path)
    with open("swapped-folder/" + name, "w"):
        pass
    os.symlink(os.path.dirname(t.path), "swapped-link")
    over = []

    def swap():
        while not over:
            try:
                call("renameat2", AT_FDCWD, "swapped-folder", AT_FDCWD, "swapped-link", 2)
            except OSError:
                return
    thread = threading.Thread(target=swap, daemon=True)
    thread.start()
    again(lambda: call("fchmodat", AT_FDCWD, "swapped-folder/" + name, 0o777))
    over.append(1)
    thread.join()


@attempt(Kept(), limit=10)
def write_folder(t):
    """The same for writing."""
    os.makedirs("written-folder", exist_ok=True)
    name = os.path.basename(t.path)
    os.symlink(os.path.dirname(t.path), "written-link")
    over = []

    def swap():
        while not over:
            try:
                call("renameat2", AT_FDCWD, "written-folder", AT_FDCWD, "written-link", 2)
            except OSError:
                return
    thread = threading.Thread(target=swap, daemon=True)
    thread.start()

    def go():
        with open("written-folder/" + name, "a") as file:
            file.write("attempt\n")
    again(go)
    over.append(1)
    thread.join()


@attempt(Kept(), limit=10)
def fchmod_descriptor(t):
    """The file behind the descriptor is swapped while the judge looks at it."""
    with open("own-for-descriptor", "w"):
        pass
    files, over = [os.open("own-for-descriptor", os.O_RDONLY), os.open(t.path, os.O_RDONLY)], []
    place = os.dup(files[0])

    def swap():
        while not over:
            os.dup2(files[0], place)
            os.dup2(files[1], place)
    thread = threading.Thread(target=swap, daemon=True)
    thread.start()
    again(lambda: call("fchmod", place, 0o777))
    over.append(1)
    thread.join()

