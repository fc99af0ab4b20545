"""Processor time, as the kernel counts it."""

import os
import subprocess
from pathlib import Path

TICK = 1000 / os.sysconf("SC_CLK_TCK")


def of_tree(root):
    """Milliseconds of a process and all below it: of those that live, and of those that one of them has waited for."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        # utime, stime, and those of the children that were waited for.
        found[int(stat.parent.name)] = (int(fields[1]), sum(map(int, fields[11:15])))
    inside = {root}
    while more := {pid for pid, (parent, _) in found.items() if parent in inside} - inside:
        inside |= more
    return sum(found[pid][1] for pid in inside if pid in found) * TICK


def of_command(words, cwd, env, rounds):
    """Milliseconds that one process of a command takes, its start included."""
    before = os.times()
    for _ in range(rounds):
        subprocess.run(words, cwd=cwd, env=env, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    after = os.times()
    taken = after.children_user + after.children_system - before.children_user - before.children_system
    return taken * 1000 / rounds
