"""Calls by the table of i386, from machine code in a program of 64 bits."""
import ctypes
import mmap
import os

from calls import LIBC, MACHINE, Impossible

MAP_32BIT = 0x40


def place(size, access):
    LIBC.mmap.restype = ctypes.c_void_p
    LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
    found = LIBC.mmap(None, size, access, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_32BIT, -1, 0)
    if found in (None, 2 ** 64 - 1):
        raise OSError("no memory below 4 GiB")
    return found


def low(content):
    """These bytes at an address of 32 bits."""
    where = place(4096, mmap.PROT_READ | mmap.PROT_WRITE)
    ctypes.memmove(where, content, len(content))
    return where


def old_call(number, first=0, second=0, third=0):
    if MACHINE != "x86_64":
        raise Impossible("no calls of i386 here")
    # Number, first, second, third come in edi, esi, edx, ecx and go to eax, ebx, ecx, edx. ebx is the caller's: it is put back.
    code = bytes.fromhex("53" "89f8" "89f3" "89d6" "89ca" "89f1" "cd80" "5b" "c3")
    where = place(4096, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    ctypes.memmove(where, code, len(code))
    function = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_uint] * 4)(where)
    result = function(number, first, second, third)
    if result < 0:
        raise OSError(-result, f"i386 call {number}: {os.strerror(-result)}")
    return result
