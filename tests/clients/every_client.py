"""Drives cuff with the clients of others: both official TypeScript SDKs, Python's, mcporter, Claude Code and Codex.

    npm install --prefix /tmp/clients @anthropic-ai/claude-code@2.1.332 @openai/codex@0.169.0 mcporter@0.9.0
    node /tmp/clients/node_modules/@anthropic-ai/claude-code/install.cjs
    python3 tests/clients/every_client.py /tmp/clients/node_modules/.bin --cuff target/debug

Each lists, calls, fails and confirms in a project: first alone, then beside four servers that never answer and one with forty
odd definitions. Nothing of the project may be lost or late. It needs no account and no network: a stand-in for the
models answers on loopback. Each case prints a line; the exit code is 1 where one of them fails.
"""

import argparse
import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

import claude_code

HERE = pathlib.Path(__file__).resolve().parent
TOOLS = HERE.parent / "tools"
SDK_CLIENTS = HERE.parent / "it" / "support" / "clients"
SCRIPTS = {
    "hi": "echo hello-from-npm",
    "types": "echo \"src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.\" && exit 2",
    "ship": "echo shipped-it",
}
# What servers of all kinds have in the fields of a definition, and one tool that is well.
ODD = [
    {"description": None}, {"title": None}, {"annotations": None}, {"_meta": None}, {"outputSchema": None},
    {"icons": None}, {"execution": None}, {"description": 7}, {"title": ["a"]}, {"annotations": "read-only"},
    {"annotations": {"readOnlyHint": "yes"}}, {"annotations": {"title": None}}, {"_meta": []}, {"icons": {}},
    {"icons": [{"src": 1}]}, {"execution": {"taskSupport": "sometimes"}}, {"execution": {"taskSupport": "required"}},
    {"outputSchema": {}}, {"outputSchema": {"type": "array"}}, {"outputSchema": {"anyOf": [{"type": "object"}]}},
    {"outputSchema": True}, {"outputSchema": {"type": "object", "properties": {"x": {"pattern": "("}}}},
    {"outputSchema": {"type": "object", "$ref": "#/$defs/none"}}, {"inputSchema": {}}, {"inputSchema": None},
    {"inputSchema": {"type": "object", "properties": {"x": True}}}, {"inputSchema": {"type": "object", "properties": None}},
    {"inputSchema": {"type": "object", "required": None}}, {"inputSchema": {"type": "object", "properties": {"x": None}}},
    {"inputSchema": {"type": "object", "properties": {"x": {"pattern": "("}}}}, {"inputSchema": {"anyOf": [{"type": "object"}]}},
    {"inputSchema": {"type": ["object", "null"]}}, {"inputSchema": {"type": "string"}}, {"inputSchema": True},
    {"inputSchema": {"type": "object", "properties": {"x": {"type": "text"}}}}, {"inputSchema": {"type": "object", "properties": []}},
    {"inputSchema": {"type": "object", "additionalProperties": None}}, {"inputSchema": {"type": "object", "$schema": 7}},
    {"inputSchema": {"type": "object", "properties": {"x": {"enum": None}}}}, {"inputSchema": {"type": "object", "required": ["x", 1]}},
]
SERVER = """
import json, sys
ODD = json.loads(sys.argv[1])
tools = [{"name": f"odd{n}", "inputSchema": {"type": "object"}, **odd} for n, odd in enumerate(ODD)]
tools.append({"name": "well", "inputSchema": {"type": "object"}})
for line in sys.stdin:
    said = json.loads(line)
    results = {
        "initialize": lambda: {"protocolVersion": said["params"]["protocolVersion"], "capabilities": {"tools": {}},
                               "serverInfo": {"name": "odd", "version": "1"}},
        "tools/list": lambda: {"tools": tools},
        "tools/call": lambda: {"content": [{"type": "text", "text": "from " + said["params"]["name"]}]},
    }
    if "id" in said:
        known = results.get(said["method"])
        answer = {"result": known()} if known else {"error": {"code": -32601, "message": "no"}}
        print(json.dumps({"jsonrpc": "2.0", "id": said["id"], **answer}), flush=True)
"""


class Responses(http.server.BaseHTTPRequestHandler):
    """Stands in for the model of Codex: asks for the next call, then says that it is done."""

    calls, requests = [], []

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.reply("application/json", '{"data": [], "models": []}')

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        self.requests.append(body)
        item = {"type": "message", "id": "m", "role": "assistant", "content": [{"type": "output_text", "text": "done"}]}
        if self.calls:
            name = self.calls.pop(0)
            item = {"type": "function_call", "id": "f", "call_id": f"call_{len(self.requests)}", "namespace": "mcp__cuff",
                    "name": name.replace(".", "_"), "arguments": "{}"}
        events = [
            {"type": "response.created", "response": {"id": "r"}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": {"id": "r", "usage": {
                "input_tokens": 1, "input_tokens_details": None, "output_tokens": 1, "output_tokens_details": None,
                "total_tokens": 2}}},
        ]
        self.reply("text/event-stream", "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events))

    reply = claude_code.Model.reply


class Project:
    """A folder with three scripts, one of which asks for a yes, and a home of its own."""

    def __init__(self, folder, cuff, is_hard):
        self.folder, self.cuff = folder, cuff
        self.root, self.home = folder / "project", folder / "home"
        self.root.mkdir(parents=True)
        self.home.mkdir()
        subprocess.run(["git", "init", "-q", self.root], check=True)
        (self.root / "package.json").write_text(json.dumps({"name": "p", "version": "1.0.0", "scripts": SCRIPTS}))
        plugins = {"packagejson": {"config": {"confirm": ["*_ship"]}}}
        if is_hard:
            asleep = {"type": "mcp", "command": "sleep", "args": ["1001"], "config": {"connect_timeout": 8}}
            plugins.update({f"asleep{n}": asleep for n in range(4)})
            plugins["odd"] = {"type": "mcp", "command": sys.executable, "args": ["-c", SERVER, json.dumps(ODD)]}
        (self.root / "settings.yml").write_text(json.dumps({"version": "1", "plugins": plugins}))
        path = f"{cuff}{os.pathsep}{os.environ['PATH']}"
        self.environment = {"PATH": path, "HOME": str(self.home), "TMPDIR": str(folder), "TERM": "xterm", "LANG": "C.UTF-8"}
        claude_code.approve(cuff, self.root, self.environment)

    def run(self, words, timeout=120, **more):
        environment = {**self.environment, **more}
        run = subprocess.run(words, cwd=self.root, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                             text=True, timeout=timeout)
        if run.returncode:
            raise RuntimeError(f"{words[0]} ended with {run.returncode}: {run.stdout[-900:]} {run.stderr[-900:]}")
        return run.stdout

    def serve(self):
        return {"command": str(self.cuff / "cuff"), "args": ["serve", "--expose", "tools"]}


def listening(handler):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


CALLS = ["packagejson.npm_hi", "packagejson.npm_types", "packagejson.npm_ship"]
# How often a client starts cuff in a session, where that is not once: mcporter for the list and for each call, the SDK to ask one
# process for its versions before it starts the one that it uses.
STARTS = {"mcporter": len(CALLS) + 1, "TypeScript SDK 2": 2}


def names(tools):
    return [tool if isinstance(tool, str) else tool["name"] for tool in tools]


def of_sdk(program, script, **words):
    def drive(project):
        calls = [{"name": name, "arguments": {}} for name in CALLS]
        task = {**project.serve(), "calls": calls, **words}
        said = json.loads(project.run([program, str(SDK_CLIENTS / script), json.dumps(task)]))
        return names(said["tools"]), [json.dumps(result) for result in said["results"]]
    return drive


def of_mcporter(bin):
    def drive(project):
        config = project.root / "mcporter.json"
        config.write_text(json.dumps({"mcpServers": {"cuff": project.serve()}}))
        words = [str(bin / "mcporter"), "--config", str(config)]
        listed = json.loads(project.run([*words, "list", "cuff", "--json"]))
        def call(name):
            run = subprocess.run([*words, "call", "--server", "cuff", "--tool", name], cwd=project.root, env=project.environment, text=True,
                                 stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
            return run.stdout + run.stderr
        return names(listed["tools"]), [call(name) for name in CALLS]
    return drive


def of_claude(bin):
    def drive(project):
        claude_code.Model.calls = [(f"mcp__cuff__{name.replace('.', '_')}", {}) for name in CALLS]
        claude_code.Model.requests = []
        server = listening(claude_code.Model)
        config = project.folder / "claude.json"
        config.write_text(json.dumps({"mcpServers": {"cuff": project.serve()}}))
        project.run([str(bin / "claude"), "-p", "go", "--allowedTools", "mcp__cuff", "--mcp-config", str(config)],
                    ANTHROPIC_API_KEY="sk-ant-none", ANTHROPIC_BASE_URL=f"http://127.0.0.1:{server.server_port}",
                    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1", DISABLE_AUTOUPDATER="1", ENABLE_TOOL_SEARCH="false")
        server.shutdown()
        requests = claude_code.Model.requests
        blocks = [block for message in requests[-1]["messages"] if isinstance(message["content"], list)
                  for block in message["content"] if block["type"] == "tool_result"]
        tools = [name.removeprefix("mcp__cuff__") for name in names(requests[0]["tools"])]
        return tools, [json.dumps(block) for block in blocks]
    return drive


def of_codex(bin):
    def drive(project):
        Responses.calls, Responses.requests = list(CALLS), []
        server = listening(Responses)
        folder = project.home / ".codex"
        folder.mkdir(exist_ok=True)
        command = json.dumps(project.serve()["command"])
        (folder / "config.toml").write_text(
            f'model = "m"\nmodel_provider = "standin"\napproval_policy = "never"\nsandbox_mode = "danger-full-access"\n'
            f'[model_providers.standin]\nname = "standin"\nbase_url = "http://127.0.0.1:{server.server_port}/v1"\n'
            f'wire_api = "responses"\nenv_key = "STANDIN_KEY"\n'
            f'[mcp_servers.cuff]\ncommand = {command}\nargs = ["serve", "--expose", "tools"]\n')
        project.run([str(bin / "codex"), "exec", "--skip-git-repo-check", "go"], STANDIN_KEY="none")
        server.shutdown()
        spaces = [tool for tool in Responses.requests[0]["tools"] if tool.get("name") == "mcp__cuff"]
        outputs = [one for one in Responses.requests[-1]["input"] if one["type"] == "function_call_output"]
        return names(spaces[0]["tools"] if spaces else []), [json.dumps(one["output"]) for one in outputs]
    return drive


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path, help="the folder with claude, codex and mcporter")
    parser.add_argument("--cuff", type=pathlib.Path, required=True, help="the folder with cuff")
    parser.add_argument("--only", help="one of the clients")
    typed = parser.parse_args()
    bin, cuff, failed = typed.bin.absolute(), typed.cuff.resolve(), 0
    accepts = {"action": "accept", "content": {"yes": True}}
    clients = {
        "TypeScript SDK 1": of_sdk("node", "client.mjs", elicit=accepts),
        "TypeScript SDK 2": of_sdk("node", "client2026.mjs", mode="auto"),
        "Python SDK": of_sdk(str(TOOLS / "bin" / "python-mcp"), "client.py", mode="auto"),
        "mcporter": of_mcporter(bin),
        "Claude Code": of_claude(bin),
        "Codex": of_codex(bin),
    }

    def check(what, holds, detail):
        nonlocal failed
        failed += not holds
        print(f"{'ok  ' if holds else 'FAIL'} {what}", "" if holds else str(detail)[:1500], flush=True)

    for client, drive in clients.items():
        if typed.only and typed.only != client:
            continue
        took = {}
        for kind in ("alone", "beside them"):
            with tempfile.TemporaryDirectory() as name:
                project = Project(pathlib.Path(name), cuff, kind == "beside them")
                for turn in ("first", "next"):
                    begun = time.monotonic()
                    try:
                        tools, results = drive(project)
                    except Exception as error:
                        check(f"{client}, {kind}: a session", False, error)
                        break
                    took[kind, turn] = time.monotonic() - begun
                else:
                    own = [call for call in CALLS if call in tools or call.replace(".", "_") in tools]
                    check(f"{client}, {kind}: the project's tools are listed", own == CALLS, tools)
                    if kind == "beside them":
                        odd = [name for name in tools if "odd" in name]
                        check(f"{client}, {kind}: the tool that is well is listed, and {len(odd) - 1} odd ones",
                              any("well" in name for name in odd), tools)
                    check(f"{client}, {kind}: a call answers", "hello-from-npm" in results[0], results)
                    check(f"{client}, {kind}: a failure has its finding",
                          "TS2322" in results[1] and "src/a.ts" in results[1], results[1])
                    check(f"{client}, {kind}: a yes is asked for",
                          "shipped-it" in results[2] or "cuff approve" in results[2], results[2])
        # At its end cuff gives a server that hangs a third of a second.
        ends = 0.5 * STARTS.get(client, 1)
        if len(took) == 4:
            alone, first, later = took["alone", "next"], took["beside them", "first"], took["beside them", "next"]
            check(f"{client}: a session takes {alone:.1f} s; beside them {first:.1f} s the first time, {later:.1f} s then",
                  first <= alone + 1 + ends and later <= 1.5 * alone + ends, took)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
