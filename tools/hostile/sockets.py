"""A WebSocket client that can be rude, for tools/hostile/attack.py.

SPDX-License-Identifier: Apache-2.0
"""
import base64
import os
import socket
import struct


def connect(port, said=b"", address="127.0.0.1", buffer=0):
    """A connection from an address of this machine; `buffer`: bytes that it can receive unread."""
    one = socket.socket()
    if buffer:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    one.bind((address, 0))
    one.settimeout(20)
    one.connect(("127.0.0.1", port))
    if said:
        one.sendall(said)
    return one


def request(port, target, more="", method="GET"):
    return (f"{method} {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{more}\r\n").encode()


def get(port, target):
    """The status of a page; 0 where none came."""
    with connect(port, request(port, target, "Connection: close\r\n")) as one:
        try:
            head = one.recv(64)
        except OSError:
            return 0
    words = head.split()
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else 0


def frame(payload, opcode=1, final=True, reserved=0, masked=True, size=None):
    """A frame, also one that breaks the rules; `size`: what it claims to hold."""
    size = len(payload) if size is None else size
    head = bytes([final << 7 | reserved << 4 | opcode])
    flag = masked << 7
    if size < 126:
        head += bytes([flag | size])
    elif size < 1 << 16:
        head += bytes([flag | 126]) + struct.pack(">H", size)
    else:
        head += bytes([flag | 127]) + struct.pack(">Q", size)
    return head + (b"\0\0\0\0" if masked else b"") + payload


class Live:
    """A socket that has been upgraded."""

    def __init__(self, port, token, buffer=0, more=""):
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket = connect(port, request(
            port, f"/live?token={token}", "Connection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n{more}"), buffer=buffer)
        self.waiting = b""
        while b"\r\n\r\n" not in self.waiting:
            more_bytes = self.socket.recv(4096)
            if not more_bytes:
                raise ConnectionError("no answer to the upgrade")
            self.waiting += more_bytes
        head, self.waiting = self.waiting.split(b"\r\n\r\n", 1)
        self.head = head
        if b" 101 " not in head:
            raise ConnectionError(head.split(b"\r\n")[0].decode())

    def send(self, payload, **how):
        self.socket.sendall(frame(payload, **how))

    def take(self, size):
        while len(self.waiting) < size:
            more = self.socket.recv(1 << 16)
            if not more:
                raise ConnectionError("the server has closed the connection")
            self.waiting += more
        taken, self.waiting = self.waiting[:size], self.waiting[size:]
        return taken

    def receive(self):
        """(opcode, payload) of the next frame."""
        first, second = self.take(2)
        size = second & 127
        if size == 126:
            size = struct.unpack(">H", self.take(2))[0]
        elif size == 127:
            size = struct.unpack(">Q", self.take(8))[0]
        return first & 15, self.take(size)

    def code(self):
        """The code with which the server closes; 0 where it just ends."""
        try:
            while True:
                opcode, payload = self.receive()
                if opcode == 8:
                    return struct.unpack(">H", payload[:2])[0] if len(payload) > 1 else 0
        except OSError:
            return 0

    def close(self):
        self.socket.close()
