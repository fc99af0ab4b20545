"""Answers for packaging/test on loopback: every name is 127.0.0.5, where a web server says 418."""

import http.server
import socket
import struct
import threading


def answer_names():
    answers = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    answers.bind(("127.0.0.1", 53))
    while True:
        question, sender = answers.recvfrom(512)
        end = question.index(b"\0", 12) + 5
        (kind,) = struct.unpack(">H", question[end - 4 : end - 2])
        # An address for A, nothing for the rest.
        record = b"\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4\x7f\0\0\5" if kind == 1 else b""
        header = question[:2] + b"\x81\x80\0\1" + struct.pack(">H", bool(record)) + b"\0\0\0\0"
        answers.sendto(header + question[12:end] + record, sender)


class Teapot(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.send_error(418)

    do_GET = do_DELETE = do_POST

    def log_message(self, *_):
        pass


threading.Thread(target=answer_names, daemon=True).start()
http.server.ThreadingHTTPServer(("127.0.0.5", 80), Teapot).serve_forever()
