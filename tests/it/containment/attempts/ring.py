"""As much of io_uring as an attempt needs: one entry at a time."""
import ctypes
import mmap
import os
import struct

from calls import call, memory


class Ring:
    def __init__(self):
        told = memory(bytes(120))
        self.file = call("io_uring_setup", 4, told)
        self.entries = struct.unpack_from("II", told.raw)
        self.offsets = struct.unpack_from("10I", told.raw, 40), struct.unpack_from("10I", told.raw, 80)
        size = max(self.offsets[0][6] + self.entries[0] * 4, self.offsets[1][5] + self.entries[1] * 16)
        self.ring = mmap.mmap(self.file, size, offset=0)
        self.slots = mmap.mmap(self.file, 64 * self.entries[0], offset=0x10000000)
        self.kept = []

    def number(self, offset):
        return struct.unpack_from("I", self.ring, offset)[0]

    def do(self, operation, file, address=0, length=0, offset=0, flags=0):
        entry = struct.pack("<BBHiQQII", operation, 0, 0, file, offset, address, length, flags) + bytes(32)
        submitted, completed = self.offsets
        tail = self.number(submitted[1])
        slot = tail & self.number(submitted[2])
        self.slots[slot * 64:slot * 64 + 64] = entry
        struct.pack_into("I", self.ring, submitted[6] + slot * 4, slot)
        struct.pack_into("I", self.ring, submitted[1], tail + 1)
        call("io_uring_enter", self.file, 1, 1, 1, None, 0)
        head = self.number(completed[0])
        place = completed[5] + (head & self.number(completed[2])) * 16
        result = struct.unpack_from("i", self.ring, place + 8)[0]
        struct.pack_into("I", self.ring, completed[0], head + 1)
        if result < 0:
            raise OSError(-result, "ring: " + os.strerror(-result))
        return result

    def connect(self, file, address):
        return self.do(16, file, ctypes.addressof(address), 0, len(address))

    def send(self, file, content):
        self.kept.append(memory(content))
        return self.do(26, file, ctypes.addressof(self.kept[-1]), len(content))

    def sendmsg(self, file, message):
        return self.do(9, file, ctypes.addressof(message), 1)

    def socket(self, family, variety, protocol):
        return self.do(45, family, 0, protocol, variety)

    def open(self, path, flags):
        self.kept.append(memory(os.fsencode(path) + b"\0"))
        return self.do(18, -100, ctypes.addressof(self.kept[-1]), 0, 0, flags)
