"""An MCP server over standard input and output: a library of books, for the tests of sessions.

`library.py change FILE` has another tool once the file is there, and says so. `library.py stubborn` does not end by itself."""

import json
import os
import signal
import sys
import threading
import time

BOOKS = [(1, "The Sea"), (2, "Sea of Stars"), (3, "Moon Rivers")]
TEXT = {"type": "string"}
FIND = {
    "name": "find_books",
    "description": "Finds books by words of their title",
    "annotations": {"readOnlyHint": True},
    "inputSchema": {"type": "object", "properties": {"words": TEXT}, "required": ["words"], "additionalProperties": False},
    "outputSchema": {
        "type": "object",
        "properties": {
            "books": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"id": {"type": "integer"}, "title": TEXT},
                    "required": ["id", "title"],
                },
            }
        },
        "required": ["books"],
    },
}
BORROW = {
    "name": "borrow_book",
    "description": "Borrows a book for a reader",
    "inputSchema": {
        "type": "object",
        "properties": {"id": {"type": "integer"}, "reader": TEXT},
        "required": ["id", "reader"],
    },
}
RETURN = {"name": "return_book", "description": "Returns a book", "inputSchema": {"type": "object"}}

mode, changed = (sys.argv[1:] + ["", ""])[:2]
if mode == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if mode == "slow":
    time.sleep(float(changed))


def say(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def tools():
    more = mode == "change" and os.path.exists(changed)
    return [FIND, BORROW] + ([RETURN] if more else [])


def call(name, arguments):
    if name == "find_books":
        words = arguments["words"].lower().split()
        books = [{"id": id, "title": title} for id, title in BOOKS if all(word in title.lower() for word in words)]
        return {"content": [{"type": "text", "text": json.dumps(books)}], "structuredContent": {"books": books}}
    if name == "borrow_book" and arguments["id"] not in [id for id, _ in BOOKS]:
        return {"content": [{"type": "text", "text": f"there is no book {arguments['id']}"}], "isError": True}
    return {"content": [{"type": "text", "text": json.dumps({"ok": True})}]}


def watch():
    while not os.path.exists(changed):
        time.sleep(0.05)
    say({"method": "notifications/tools/list_changed"})


for line in sys.stdin:
    message = json.loads(line)
    method, id = message.get("method"), message.get("id")
    if method == "initialize":
        say({"id": id, "result": {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {"listChanged": True}},
            "serverInfo": {"name": "library", "version": "1"},
        }})
        if mode == "change":
            threading.Thread(target=watch, daemon=True).start()
    elif method == "tools/list":
        say({"id": id, "result": {"tools": tools()}})
    elif method == "tools/call":
        say({"id": id, "result": call(message["params"]["name"], message["params"]["arguments"])})
    elif id is not None:
        say({"id": id, "error": {"code": -32601, "message": "no such method"}})

if mode == "stubborn":
    time.sleep(600)
