"""An MCP server over HTTP that wants a login, and its authorization server, on one port.

It prints its address, and answers until it is killed. Everybody who comes with the right parameters is let in. Options
are a JSON object: `lifetime` of access tokens in seconds, `port`, and `public` for a server that wants a login for the tool
`admin` alone. POST /expire makes all access tokens worthless, and GET /log tells all that was asked.
"""

import base64
import hashlib
import json
import sys
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

OPTIONS = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}
LOCK = threading.Lock()
LOG, CODES, ACCESS, REFRESH = [], {}, {}, {}
TOOLS = [{"name": name, "inputSchema": {"type": "object"}} for name in ("echo", "admin")]


def number():
    return f"{len(LOG):04}-{hashlib.sha256(str(len(LOG)).encode()).hexdigest()[:16]}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def say(self, status, body=None, headers=()):
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        for name, value in [("content-type", "application/json"), ("content-length", str(len(data))), *headers]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def note(self, what, **details):
        LOG.append({"what": what, **details})

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.server.server_port}"

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        given = dict(urllib.parse.parse_qsl(url.query))
        with LOCK:
            if url.path == "/log":
                return self.say(200, LOG)
            if url.path == "/.well-known/oauth-protected-resource/mcp":
                return self.say(200, {
                    "resource": f"{self.origin}/mcp", "authorization_servers": [self.origin],
                    "scopes_supported": ["read"],
                })
            if url.path == "/.well-known/oauth-authorization-server":
                return self.say(200, {
                    "issuer": self.origin, "authorization_endpoint": f"{self.origin}/authorize",
                    "token_endpoint": f"{self.origin}/token", "registration_endpoint": f"{self.origin}/register",
                    "revocation_endpoint": f"{self.origin}/revoke", "code_challenge_methods_supported": ["S256"],
                    "token_endpoint_auth_methods_supported": ["none"],
                    "authorization_response_iss_parameter_supported": True,
                })
            if url.path == "/authorize":
                self.note("authorize", **given)
                if OPTIONS.get("deny"):
                    answer = {"error": "access_denied", "state": given["state"], "iss": self.origin}
                else:
                    code = f"code-{number()}"
                    CODES[code] = given
                    answer = {"code": code, "state": given["state"], "iss": self.origin}
                location = f"{given['redirect_uri']}?{urllib.parse.urlencode(answer)}"
                return self.say(302, headers=[("location", location)])
            self.say(405 if url.path == "/mcp" else 404)

    def do_DELETE(self):
        with LOCK:
            self.note("delete", session=self.headers.get("mcp-session-id"), authorization=self.headers.get("authorization"))
            self.say(200)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        with LOCK:
            if self.path == "/mcp":
                return self.mcp(json.loads(body))
            if self.path == "/expire":
                ACCESS.clear()
                return self.say(200, {})
            if self.path == "/register":
                about = json.loads(body)
                self.note("register", **about)
                return self.say(201, {"client_id": f"client-{number()}", "redirect_uris": about["redirect_uris"]})
            given = dict(urllib.parse.parse_qsl(body.decode()))
            self.note(self.path[1:], **given)
            if self.path == "/revoke":
                ACCESS.pop(given["token"], None)
                REFRESH.pop(given["token"], None)
                return self.say(200, {})
            if self.path == "/token":
                return self.token(given)
            self.say(404)

    def token(self, given):
        if given["grant_type"] == "authorization_code":
            asked = CODES.pop(given["code"], None)
            challenge = hashlib.sha256(given["code_verifier"].encode()).digest()
            challenge = base64.urlsafe_b64encode(challenge).rstrip(b"=").decode()
            same = ("redirect_uri", "resource", "client_id")
            if not asked or asked["code_challenge"] != challenge or any(asked[key] != given[key] for key in same):
                return self.say(400, {"error": "invalid_grant"})
            scope = asked.get("scope", "")
        else:
            # A refresh token counts once.
            scope = REFRESH.pop(given["refresh_token"], None)
            if scope is None:
                return self.say(400, {"error": "invalid_grant"})
        access, refresh = f"access-{number()}", f"refresh-{number()}"
        ACCESS[access], REFRESH[refresh] = scope, scope
        self.say(200, {
            "access_token": access, "refresh_token": refresh, "token_type": "bearer",
            "expires_in": OPTIONS.get("lifetime", 3600), "scope": scope,
        })

    def mcp(self, message):
        method, token = message["method"], (self.headers.get("authorization") or "").removeprefix("Bearer ")
        tool = message.get("params", {}).get("name")
        self.note("mcp", method=method, tool=tool, authorization=self.headers.get("authorization"))
        metadata = f'resource_metadata="{self.origin}/.well-known/oauth-protected-resource/mcp"'
        is_open = OPTIONS.get("public") and tool != "admin"
        if token not in ACCESS and not is_open:
            return self.say(401, {}, [("www-authenticate", f"Bearer {metadata}")])
        if tool == "admin" and "admin" not in ACCESS[token].split():
            challenge = f'Bearer error="insufficient_scope", scope="admin", {metadata}'
            return self.say(403, {}, [("www-authenticate", challenge)])
        if "id" not in message:
            return self.say(202)
        headers = []
        if method == "initialize":
            result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "wiki", "version": "1"}}
            headers = [("mcp-session-id", f"session-{number()}")]
        elif method == "tools/list":
            result = {"tools": TOOLS}
        elif method == "tools/call":
            result = {"content": [{"type": "text", "text": f"called {tool} with {token}"}]}
        else:
            return self.say(404, {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "unknown"}})
        self.say(200, {"jsonrpc": "2.0", "id": message["id"], "result": result}, headers)


server = ThreadingHTTPServer(("127.0.0.1", OPTIONS.get("port", 0)), Handler)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
