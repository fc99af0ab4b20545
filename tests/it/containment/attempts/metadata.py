"""Changes modes, owners, times, attributes and flags of files outside."""
import fcntl
import os
import struct

from calls import AT_EMPTY_PATH, AT_FDCWD, O_PATH, call, memory, shell
from registry import attempt
from targets import GETFLAGS, GROUP, SETFLAGS, XATTR, Kept

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
    call("chown", t.path, -1, GROUP)


@attempt(Kept())
def lchown(t):
    call("lchown", t.path, -1, GROUP)


@attempt(Kept())
def fchown(t):
    call("fchown", reading(t), -1, GROUP)


@attempt(Kept())
def fchownat(t):
    call("fchownat", AT_FDCWD, t.path, -1, GROUP, 0)


@attempt(Kept())
def fchownat_of_descriptor(t):
    call("fchownat", os.open(t.path, O_PATH), "", -1, GROUP, AT_EMPTY_PATH)


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


@attempt(Kept())
def shell_chmod(t):
    shell(f"chmod 777 {t.path}")


@attempt(Kept(kind="folder"))
def shell_chmod_recursive(t):
    shell(f"chmod -R 000 {t.path}")


@attempt(Kept())
def shell_chgrp(t):
    shell(f"chgrp {GROUP} {t.path}")


@attempt(Kept())
def shell_touch(t):
    shell(f"touch -d @1 {t.path}")


@attempt(Kept())
def shell_chattr(t):
    shell(f"chattr +d {t.path}")


@attempt(Kept())
def shell_node(t):
    shell(f"node -e 'require(\"fs\").chmodSync(\"{t.path}\", 0o777)'")
