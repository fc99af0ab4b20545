"""Ways of doing the same, measured in turns, so that a busy machine is unfair to all alike."""

import statistics
import subprocess
import time


def in_turns(ways, rounds, warm_up=3):
    """The median of each way in milliseconds, by its name. A way is what to call; what it returns is called afterwards,
    without counting, where it can be."""
    times = {name: [] for name in ways}
    for number in range(warm_up + rounds):
        for name, way in ways.items():
            start = time.perf_counter()
            afterwards = way()
            if number >= warm_up:
                times[name].append((time.perf_counter() - start) * 1000)
            if callable(afterwards):
                afterwards()
    return {name: statistics.median(taken) for name, taken in times.items()}


def process(words, cwd, env=None):
    """A way: a whole process, from its start to its end, whose output nobody reads."""
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return lambda: subprocess.run(words, cwd=cwd, env=env, check=True, **quiet)
