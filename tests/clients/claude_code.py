"""Drives Claude Code, as it is on npm, with the plugins of this repository. A stand-in for the model answers on loopback.

    npm install --prefix /tmp/old @anthropic-ai/claude-code@2.1.76
    python3 tests/clients/claude_code.py /tmp/old/node_modules/.bin/claude --cuff target/debug

It needs no account and no network. Each case prints a line; the exit code is 1 where one of them fails.
"""

import argparse
import http.server
import json
import os
import pathlib
import pty
import shutil
import subprocess
import sys
import tempfile
import threading

PLUGINS = pathlib.Path(__file__).resolve().parents[2] / "plugins"
SETTINGS = 'version: "1"\nagent_shell: enforce\nplugins:\n  makefile:\n    enabled: true\n'


class Model(http.server.BaseHTTPRequestHandler):
    """Asks for the next call of the case, then says that it is done. It keeps what it was sent."""

    calls, requests = [], []

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.send_response(200)
        self.end_headers()

    do_GET = do_HEAD

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        if not self.path.startswith("/v1/messages") or "count_tokens" in self.path:
            return self.reply("application/json", json.dumps({"input_tokens": 1}))
        block = {"type": "text", "text": "done"}
        if body.get("tools"):
            self.requests.append(body)
            if self.calls:
                name, arguments = self.calls.pop(0)
                block = {"type": "tool_use", "id": f"toolu_{len(self.requests)}", "name": name, "input": arguments}
        is_call = block["type"] == "tool_use"
        reason = "tool_use" if is_call else "end_turn"
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": body.get("model", "m"),
                   "content": [block], "stop_reason": reason, "stop_sequence": None,
                   "usage": {"input_tokens": 1, "output_tokens": 1}}
        if not body.get("stream"):
            return self.reply("application/json", json.dumps(message))
        empty = {**block, "input": {}} if is_call else {**block, "text": ""}
        delta = ({"type": "input_json_delta", "partial_json": json.dumps(block["input"])} if is_call
                 else {"type": "text_delta", "text": block["text"]})
        events = [
            {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
            {"type": "content_block_start", "index": 0, "content_block": empty},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None},
             "usage": {"output_tokens": 1}},
            {"type": "message_stop"},
        ]
        self.reply("text/event-stream", "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events))

    def reply(self, kind, text):
        data = text.encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def session(claude, folder, path, calls):
    """Runs one session that makes these calls; returns all that the model was sent, as text, and the answers alone."""
    Model.calls, Model.requests = list(calls), []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home = folder / "home"
    home.mkdir(exist_ok=True)
    environment = {
        "PATH": path, "HOME": str(home), "TMPDIR": str(folder), "ANTHROPIC_API_KEY": "sk-ant-none",
        "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{server.server_port}",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1",
    }
    words = [claude, "-p", "go", "--allowedTools", "Bash,mcp__plugin_cuff_cuff"]
    for plugin in ("cuff", "toolscript"):
        words += ["--plugin-dir", str(folder / "plugins" / plugin)]
    run = subprocess.run(words, cwd=folder / "project", env=environment, stdin=subprocess.DEVNULL,
                         capture_output=True, text=True, timeout=120)
    server.shutdown()
    if not Model.requests:
        sys.exit(f"{claude} did not ask the model: {run.stdout} {run.stderr}")
    blocks = [block for message in Model.requests[-1]["messages"] if isinstance(message["content"], list)
              for block in message["content"]]
    return json.dumps(Model.requests), json.dumps([one["content"] for one in blocks if one["type"] == "tool_result"])


def approve(cuff, project, environment):
    """Approves the settings, as a person at a terminal does who reads the question first."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(project)
        os.execve(cuff / "cuff", ["cuff", "approve", "settings"], environment)
    said, has_answered = b"", False
    while True:
        try:
            said += os.read(terminal, 4096)
        except OSError:
            break
        if b"[y/N" in said and not has_answered:
            os.write(terminal, b"y\r")
            has_answered = True
    if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]):
        raise RuntimeError(f"the settings were not approved: {said.decode()}")


def prepare(folder):
    shutil.copytree(PLUGINS, folder / "plugins")
    project = folder / "project"
    project.mkdir()
    (folder / "home").mkdir()
    subprocess.run(["git", "init", "-q", project], check=True)
    (project / "Makefile").write_text(".PHONY: build\nbuild:\n\t@echo built-by-make\n")
    (project / "settings.yml").write_text(SETTINGS)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("claude", help="the program `claude`")
    parser.add_argument("--cuff", type=pathlib.Path, required=True, help="the folder with cuff and toolscript")
    typed = parser.parse_args()
    cuff, claude = typed.cuff.resolve(), os.path.abspath(typed.claude)
    system = os.environ["PATH"]
    failed = 0

    def check(what, holds, detail=""):
        nonlocal failed
        failed += not holds
        print(f"{'ok  ' if holds else 'FAIL'} {what}", detail if not holds else "")

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(folder)
        with_cuff = f"{cuff}{os.pathsep}{system}"
        approve(cuff, folder / "project", {"PATH": with_cuff, "HOME": str(folder / "home"), "TERM": "xterm"})
        owned = folder / "owned"
        attack = f"make build\ntouch {owned}-line\necho $(touch {owned}-word) `touch {owned}-tick`\n\"; touch {owned}-quote; \"\n"
        seen, answers = session(claude, folder, with_cuff, [("Bash", {"command": attack, "description": f"$(touch {owned}-text)"})])
        left = sorted(one.name for one in folder.glob("owned*"))
        check("a denied command leaves nothing that it would have run", not left, left)
        check("the denial names the tool", "makefile__make_build" in answers, answers)
        check("the session has the tools of the project", "mcp__plugin_cuff_cuff__makefile__make_build" in seen)
        _, answers = session(claude, folder, with_cuff, [("mcp__plugin_cuff_cuff__makefile__make_build", {})])
        check("a call of a tool answers", "built-by-make" in answers, answers)
        shell = [("Bash", {"command": "toolscript gateway status", "description": "status"})]
        _, answers = session(claude, folder, with_cuff, shell)
        check("the session has its gateway", "healthy" in answers, answers)
        own = folder / "plugins" / "cuff" / "bin"
        own.mkdir()
        (own / "cuff").symlink_to(cuff / "cuff")
        _, answers = session(claude, folder, system, [("mcp__plugin_cuff_cuff__makefile__make_build", {})])
        check("the plugin finds its own binary", "built-by-make" in answers, answers)
        (own / "cuff").unlink()
        seen, _ = session(claude, folder, system, [])
        check("the plugin says that cuff is missing", "cuff is not installed" in seen, seen[-600:])
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
