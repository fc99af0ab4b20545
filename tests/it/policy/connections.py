"""Connects to listeners that take no more, and says how each connection ends."""

import errno
import select
import signal
import socket
import struct
import threading
import time

SYN_SENT = 2


def full():
    """A listener whose queue is full, and what fills it. A connection that was given up before takes no place."""
    mine, begun = socket.socket(), []
    mine.bind(("127.0.0.1", 0))
    mine.listen(0)
    while True:
        one = socket.socket()
        one.setblocking(False)
        one.connect_ex(mine.getsockname())
        time.sleep(0.05)
        if one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO) & 0xFF == SYN_SENT:
            one.close()
            return mine, begun
        begun.append(one)


def taken_late(mine, begun):
    for _ in begun:
        mine.accept()
    last, _ = mine.accept()
    last.close()
    mine.close()


def gone(mine, begun):
    mine.close()


def closed(mine, begun):
    mine.shutdown(socket.SHUT_RDWR)


def connected(one, address):
    one.connect(address)


def connected_later(one, address):
    one.setblocking(False)
    assert one.connect_ex(address) == errno.EINPROGRESS
    if not select.select([], [one], [], 30)[1]:
        raise TimeoutError("the connection stays under way")
    error = one.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    if error:
        raise OSError(error, "later")
    one.setblocking(True)


class Alarm(Exception):
    pass


def ring(*_):
    raise Alarm


def bounded(one):
    """A connection that the kernel waits for only so long."""
    one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", 0, 300_000))


def alarmed(one):
    """A connection at which the program does something else after a while."""
    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.3)


for connect in connected, connected_later:
    for ends in taken_late, gone, closed:
        mine, begun = full()
        address, one = mine.getsockname(), socket.socket()
        threading.Timer(0.3, ends, (mine, begun)).start()
        try:
            connect(one, address)
            said = repr(one.recv(9))
        except OSError as error:
            said = errno.errorcode.get(error.errno, str(error))
        print(connect.__name__, ends.__name__, said)

for prepare in bounded, alarmed:
    mine, begun = full()
    one = socket.socket()
    prepare(one)
    try:
        one.connect(mine.getsockname())
        print(prepare.__name__, "connected")
    except (OSError, Alarm) as error:
        print(prepare.__name__, error.__class__.__name__)
