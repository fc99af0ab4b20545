"""Processor time, as the kernel counts it."""

import os
import resource
import statistics
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
    return sum(of_process(words, cwd, env) for _ in range(rounds)) / rounds


def in_turns(commands, cwd, env, rounds, warm_up=2):
    """The median milliseconds of one process of each command, by its name, all in turns."""
    times = {name: [] for name in commands}
    for number in range(warm_up + rounds):
        for name, words in commands.items():
            taken = of_process(words, cwd, env)
            if number >= warm_up:
                times[name].append(taken)
    return {name: statistics.median(taken) for name, taken in times.items()}


def of_process(words, cwd, env):
    """Milliseconds that a process takes, with those that it waited for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run(words, cwd=cwd, env=env, check=True, **quiet)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000
