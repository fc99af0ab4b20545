"""A client of MCP servers over standard input and output."""

import json
import os
import pty
import subprocess


def approve(cuff, project, env):
    """Approves settings as a person does at a terminal: nobody else's yes counts."""
    ours, theirs = pty.openpty()
    try:
        subprocess.run(
            [cuff, "approve", "settings", "--yes"], cwd=project, env=env, stdin=theirs, stdout=theirs, stderr=theirs, check=True
        )
    finally:
        os.close(theirs)
        os.close(ours)


class Client:
    """A server that was started and greeted."""

    def __init__(self, words, cwd, env):
        self.process = subprocess.Popen(
            words, cwd=cwd, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.asked = 0
        greeting = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        self.ask("initialize", greeting)
        self.write({"method": "notifications/initialized"})

    def write(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method, parameters=None):
        answer = json.loads(self.exchange(method, parameters))
        if "error" in answer or answer["result"].get("isError"):
            raise RuntimeError(f"{method}: {answer}")
        return answer["result"]

    def exchange(self, method, parameters=None):
        """The line of the answer as it came: what a client does with a long one is its own time."""
        self.asked += 1
        self.write({"id": self.asked, "method": method, "params": parameters or {}})
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(f"the server ended before it answered {method}")
            # A notification is short, and no long line need be read to know that it is an answer.
            if len(line) > 4096 or json.loads(line).get("id") == self.asked:
                return line

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
