"""Changes modes, owners, times, attributes and flags of files outside."""
import fcntl
import os
import struct

from calls import AT_EMPTY_PATH, AT_FDCWD, O_PATH, Impossible, call, memory, shell
from registry import attempt
from targets import GETFLAGS, SETFLAGS, SETVERSION, XATTR, Claim, Kept, other_group

TIMES = memory(struct.pack("4q", 1, 0, 1, 0))
SECONDS = memory(struct.pack("2q", 1, 1))
NODUMP = 0x40


def reading(t):
    return os.open(t.path, os.O_RDONLY)


@attempt(Kept())
def chmod(t):
    call("chmod", t.path, 0o777)


@attempt(Kept(kind="folder"))
def chmod_locks_folder(t):
    call("fchmodat", AT_FDCWD, t.path, 0)


@attempt(Kept(".ssh"))
def chmod_hidden(t):
    call("fchmodat", AT_FDCWD, t.path, 0o666)


@attempt(Kept())
def fchmod(t):
    call("fchmod", reading(t), 0o777)


@attempt(Kept())
def fchmodat_of_folder(t):
    call("fchmodat", os.open(os.path.dirname(t.path), O_PATH), os.path.basename(t.path), 0o777)


@attempt(Kept())
def fchmodat2(t):
    call("fchmodat2", AT_FDCWD, t.path, 0o777, 0)


@attempt(Kept())
def fchmodat2_of_descriptor(t):
    call("fchmodat2", os.open(t.path, O_PATH), "", 0o777, AT_EMPTY_PATH)


@attempt(Kept())
def chmod_of_own_descriptor(t):
    call("fchmodat", AT_FDCWD, f"/proc/self/fd/{os.open(t.path, O_PATH)}", 0o777)


@attempt(Kept())
def chmod_of_symbolic_link(t):
    os.symlink(t.path, "link_for_mode")
    call("fchmodat", AT_FDCWD, "link_for_mode", 0o777)


@attempt(Kept())
def chmod_of_relative_path(t):
    call("fchmodat", AT_FDCWD, os.path.relpath(t.path), 0o777)


@attempt(Kept())
def chmod_of_dotted_path(t):
    call("fchmodat", AT_FDCWD, os.getcwd() + "/" + os.path.relpath(t.path), 0o777)


@attempt(Kept())
def chmod_of_own_root(t):
    call("fchmodat", AT_FDCWD, "/proc/self/root" + t.path, 0o777)


@attempt(Kept())
def chown(t):
    call("chown", t.path, -1, other_group())


@attempt(Kept())
def lchown(t):
    call("lchown", t.path, -1, other_group())


@attempt(Kept())
def fchown(t):
    call("fchown", reading(t), -1, other_group())


@attempt(Kept())
def fchownat(t):
    call("fchownat", AT_FDCWD, t.path, -1, other_group(), 0)


@attempt(Kept())
def fchownat_of_descriptor(t):
    call("fchownat", os.open(t.path, O_PATH), "", -1, other_group(), AT_EMPTY_PATH)


@attempt(Kept())
def utime(t):
    call("utime", t.path, SECONDS)


@attempt(Kept())
def utimes(t):
    call("utimes", t.path, TIMES)


@attempt(Kept())
def futimesat(t):
    call("futimesat", AT_FDCWD, t.path, TIMES)


@attempt(Kept())
def utimensat(t):
    call("utimensat", AT_FDCWD, t.path, TIMES, 0)


@attempt(Kept())
def utimensat_of_descriptor(t):
    call("utimensat", reading(t), None, TIMES, 0)


@attempt(Kept())
def utimensat_of_path_descriptor(t):
    call("utimensat", os.open(t.path, O_PATH), "", TIMES, AT_EMPTY_PATH)


@attempt(Kept())
def setxattr(t):
    call("setxattr", t.path, XATTR, b"attempt", 7, 0)


@attempt(Kept())
def lsetxattr(t):
    call("lsetxattr", t.path, XATTR, b"attempt", 7, 0)


@attempt(Kept())
def fsetxattr(t):
    call("fsetxattr", reading(t), XATTR, b"attempt", 7, 0)


@attempt(Kept())
def setxattrat(t):
    value = memory(b"attempt")
    import ctypes
    call("setxattrat", AT_FDCWD, t.path, 0, XATTR, memory(struct.pack("QII", ctypes.addressof(value), 7, 0)), 16)


@attempt(Kept())
def removexattr(t):
    call("removexattr", t.path, XATTR)


@attempt(Kept())
def lremovexattr(t):
    call("lremovexattr", t.path, XATTR)


@attempt(Kept())
def fremovexattr(t):
    call("fremovexattr", reading(t), XATTR)


@attempt(Kept())
def removexattrat(t):
    call("removexattrat", AT_FDCWD, t.path, 0, XATTR)


@attempt(Kept())
def flags(t):
    file, value = reading(t), memory(bytes(8))
    call("ioctl", file, GETFLAGS, value)
    call("ioctl", file, SETFLAGS, memory(struct.pack("Q", struct.unpack("I", value.raw[:4])[0] | NODUMP)))


@attempt(Kept())
def flags_of_file_system(t):
    file, value = reading(t), bytearray(28)
    fcntl.ioctl(file, 0x801C581F, value)
    value[0:4] = struct.pack("I", struct.unpack("I", value[:4])[0] | 0x80)
    fcntl.ioctl(file, 0x401C5820, bytes(value))


@attempt(Kept())
def file_setattr(t):
    call("file_setattr", AT_FDCWD, t.path, memory(struct.pack("QIIII", 0x80, 0, 0, 0, 0)), 24, 0)


def unless_unknown(t, error):
    """Fails with an error, which says that no program could do it here where none contains it."""
    if not t.inside and error.errno in (22, 25, 95):
        raise Impossible(f"this file system has nothing of the kind: {error}") from error
    raise error


@attempt(Kept())
def version(t):
    try:
        call("ioctl", reading(t), SETVERSION, memory(struct.pack("Q", 4242)))
    except OSError as error:
        unless_unknown(t, error)


@attempt(Kept())
def verity(t):
    """Would make the file one that nobody can ever change."""
    try:
        call("ioctl", reading(t), 0x40806685, memory(struct.pack("IIIIQIIQ", 1, 1, 4096, 0, 0, 0, 0, 0) + bytes(88)))
    except OSError as error:
        unless_unknown(t, error)


@attempt(Kept(kind="folder"))
def encryption(t):
    """Would make the folder one that nobody can write without a key."""
    try:
        call("ioctl", reading(t), 0x800C6613, memory(bytes([0, 1, 4, 0]) + b"attempt!"))
    except OSError as error:
        unless_unknown(t, error)


@attempt(Kept("/dev/shm"))
def shared_memory_by_link(t):
    """Its own shared memory has the same name, and a judge may have another under it."""
    os.symlink(t.path, "link-to-shared-memory")
    try:
        call("fchmodat", AT_FDCWD, "link-to-shared-memory", 0o777)
    finally:
        os.unlink("link-to-shared-memory")


@attempt(Claim())
def program_of_its_owner(t):
    """A program that runs as its owner, for other users of the machine: made by chmod, or by its first opening."""
    made, how = [], memory(struct.pack("QQQ", os.O_CREAT | os.O_WRONLY, 0o4755, 0))
    for name, make in [("by-chmod", lambda: os.chmod("by-chmod", 0o4755)),
                       ("by-open", lambda: os.open("by-open", os.O_CREAT | os.O_WRONLY, 0o4755)),
                       ("by-openat2", lambda: call("openat2", AT_FDCWD, "by-openat2", how, 24)),
                       ("by-creat", lambda: call("creat", "by-creat", 0o4755)),
                       ("by-mknod", lambda: os.mknod("by-mknod", 0o104755))]:
        if name == "by-chmod":
            with open(name, "w"):
                pass
        try:
            make()
        except OSError:
            continue
        made += [name] if os.stat(name).st_mode & 0o4000 else []
    if made:
        return "open: " + " ".join(made)
    raise PermissionError("no such program")


@attempt(Kept())
def lease(t):
    """A lease holds up whoever opens the file for writing."""
    file = reading(t)
    fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    return "open: whoever writes the file waits"


@attempt(Kept())
def shell_chmod(t):
    shell(f"chmod 777 {t.path}")


@attempt(Kept(kind="folder"))
def shell_chmod_recursive(t):
    shell(f"chmod -R 000 {t.path}")


@attempt(Kept())
def shell_chgrp(t):
    shell(f"chgrp {other_group()} {t.path}")


@attempt(Kept())
def shell_touch(t):
    shell(f"touch -d @1 {t.path}")


@attempt(Kept())
def shell_chattr(t):
    shell(f"chattr +d {t.path}")


@attempt(Kept())
def shell_node(t):
    shell(f"node -e 'require(\"fs\").chmodSync(\"{t.path}\", 0o777)'")
