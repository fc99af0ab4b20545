"""What an attacker tries from inside a run. Python's own library alone.

    attempts list                          the names of all attempts
    attempts stage                         makes the targets, says where they are, waits, and judges what came of them
    attempts run STAGE RESULTS [NAMES]     makes the attempts in the current folder

The stage and the attempts are two processes, one outside and one inside. `stage` writes one line of JSON when it is ready,
and for each line that it gets, the path of a file of results, one line of JSON: each attempt's name, its verdict and why.
A verdict is `escaped` or `held` by the effect on the target, `impossible` where this machine or user cannot make the
attempt at all, and `untried` where no result came back."""
import json
import os
import select
import signal
import socket
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import calls  # noqa: E402
import kinds  # noqa: E402,F401
from registry import ATTEMPTS  # noqa: E402


class Target:
    """What an attempt knows of its target."""

    def __init__(self, values):
        self.__dict__.update(values)

    def claim(self, value):
        """What the attempt came back with proves it."""
        if not value:
            raise PermissionError("nothing to see")
        return "open"


def chosen(names):
    return [one for name, one in ATTEMPTS.items()
            if not names or any(name == wanted or name.startswith(wanted + ".") for wanted in names)]


def stage(names):
    from targets import Stage, die_with_parent
    die_with_parent()
    here, prepared = Stage(), {}
    for one in chosen(names):
        try:
            prepared[one.name] = one.target.prepare(here, one.name)
        except PermissionError as error:
            prepared[one.name] = {"impossible": f"no target could be made: {error}"}
    told = {name: {key: value for key, value in before.items() if key != "looks"} for name, before in prepared.items()}
    own = {"own": own_address(socket.AF_INET, "192.0.2.1", "127.0.0.1"),
           "own6": own_address(socket.AF_INET6, "2001:db8::1", "::1")}
    print(json.dumps({"machine": own, "targets": told}), flush=True)
    for line in sys.stdin:
        print(json.dumps(judge(here, prepared, line.strip())), flush=True)
    for name, before in prepared.items():
        if "impossible" not in before and hasattr(ATTEMPTS[name].target, "end"):
            ATTEMPTS[name].target.end(before)
    for pid in here.processes:
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass
    for path in filter(os.path.exists, here.files):
        os.unlink(path)


def own_address(family, towards, otherwise):
    """The address by which others reach this machine; loopback where there is none."""
    try:
        one = socket.socket(family, socket.SOCK_DGRAM)
        one.connect((towards, 9))
        return one.getsockname()[0]
    except OSError:
        return otherwise


def judge(here, prepared, path):
    results = {}
    if os.path.exists(path):
        with open(path) as file:
            results = {one["name"]: one for one in map(json.loads, file)}
    time.sleep(0.3)
    verdicts = []
    for name, before in prepared.items():
        result = results.get(name)
        if result is None:
            verdicts.append((name, "untried", "no result came back"))
            continue
        if result["state"] == "impossible":
            verdicts.append((name, "impossible", result["detail"]))
            continue
        came = result["detail"] if result["state"] == "done" else ""
        why = ATTEMPTS[name].target.escaped(here, name, before, came)
        if not why and came.startswith("open"):
            why = came
        verdicts.append((name, "escaped", str(why)) if why else (name, "held", result["detail"]))
    return verdicts


def run(place, results, names):
    with open(place) as file:
        told = json.load(file)
    inside = "CUFF_RUN" in os.environ
    known = [int(one) for one in os.listdir("/proc/self/fd")] if not inside else []
    with open(results, "w") as out:
        for one in chosen(names):
            if one.name not in told["targets"]:
                continue
            values = {**told["machine"], "inside": inside, "own_descriptors": known + [out.fileno()],
                      **told["targets"][one.name]}
            state, detail = alone(one, Target(values))
            out.write(json.dumps({"name": one.name, "state": state, "detail": detail}) + "\n")
            out.flush()
    print("all attempts were made")


def alone(one, target):
    """Makes an attempt in a process of its own: it may end there, or never."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        target.own_descriptors += [writer]
        state, detail = tried(one, target)
        os.write(writer, json.dumps([state, detail[:2000]]).encode())
        os._exit(0)
    os.close(writer)
    ready, _, _ = select.select([reader], [], [], one.limit)
    content = os.read(reader, 8000) if ready else b""
    os.close(reader)
    try:
        os.kill(child, signal.SIGKILL)
    except OSError:
        pass
    status = os.waitpid(child, 0)[1]
    if content:
        return json.loads(content)
    if not ready:
        return "failed", f"not over after {one.limit} seconds"
    return "failed", f"ended by signal {status & 127}"


def tried(one, target):
    try:
        if hasattr(target, "impossible"):
            raise calls.Impossible(target.impossible)
        came = one.run(target)
    except calls.Impossible as error:
        return "impossible", str(error)
    except Exception as error:  # Any failure is an answer here.
        return "failed", f"{type(error).__name__}: {error}"
    if isinstance(came, bytes):
        came = came.decode(errors="replace")
    return "done", came if isinstance(came, str) else "made the call"


def main(words):
    if words[:1] == ["list"]:
        print("\n".join(ATTEMPTS))
    elif words[:1] == ["stage"]:
        stage(words[1:])
    elif words[:1] == ["run"]:
        run(words[1], words[2], words[3:])
    else:
        sys.exit(__doc__)


main(sys.argv[1:])
