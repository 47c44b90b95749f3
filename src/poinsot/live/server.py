"""The server of a live page: on this machine alone, and only for those who know its address, which contains a random token.

Every request must carry the token and the right Host, so that other pages, other users and rebound names get nothing. Requests are
small JSON objects; what they may contain, and how large they may be, is checked before it is used.
"""

from __future__ import annotations

import json
import secrets
import socket
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from poinsot.errors import PoinsotError, SettingsError

HOST = "127.0.0.1"
LARGEST_BODY = 16_384  # bytes of a request
DRAINED, LINGER = 1_000_000, 1.0  # bytes and s that a refused request may still send: it would not see the answer if its connection were closed
AT_ONCE = 16  # requests at the same time
SLOW = 20.0  # s without a byte after which a connection is closed
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}
Answer = Callable[[dict[str, Any]], tuple[str, bytes]]  # of a request: its content type and content


class Refused(Exception):
    """A request that is not answered: its status and the reason."""

    def __init__(self, status: int, reason: str):
        super().__init__(reason)
        self.status = status


class Server(ThreadingHTTPServer):
    """Serves a page, and answers to requests, under an address with a token.

    Parameters
    ----------
    port : 0 chooses a free one
    page : the text of the page
    answers : by the last word of their address
    """

    daemon_threads = True
    block_on_close = False

    def __init__(self, port: int, page: Callable[[], str], answers: dict[str, Answer]):
        self.page, self.answers = page, answers
        self.token = secrets.token_urlsafe(24)
        self.free = threading.BoundedSemaphore(AT_ONCE)
        super().__init__((HOST, port), Handler)

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://{HOST}:{self.server_port}/{self.token}/"

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread of its own; where too many are at work already, not at all."""
        if self.free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """As that of the library, and make room for another request."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A connection that broke off is no news: pages are closed while they wait for an answer."""


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: Server
    server_version, sys_version = "Poinsot", ""
    timeout = SLOW

    def do_GET(self) -> None:
        """The page."""
        self._reply(self._page)

    def do_POST(self) -> None:
        """The answer to a request."""
        self._reply(self._answer)

    def _other(self) -> None:
        self._reply(self._no_method)

    do_HEAD = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = do_TRACE = do_CONNECT = _other

    def _reply(self, find: Callable[[str], tuple[str, bytes]]) -> None:
        try:
            kind, content = find(self._asked_for())
            self._send(200, kind, content)
        except (Refused, PoinsotError) as error:  # of the package: values out of range, a system that cannot be written
            self._send(getattr(error, "status", 400), "application/json", encoded({"error": str(error)}))
            self._drain()

    def _asked_for(self) -> str:
        """What is asked for, after the token; raises where Host, origin or token are wrong."""
        own = {f"{name}:{self.server.server_port}" for name in (HOST, "localhost")}
        hosts = self.headers.get_all("Host") or []
        if len(hosts) != 1 or hosts[0] not in own:
            raise Refused(403, "this server answers only under the address that it printed")
        origin = self.headers.get("Origin")
        if origin is not None and origin != f"http://{hosts[0]}":
            raise Refused(403, "other pages are not answered")
        token, _, rest = self.path.removeprefix("/").partition("/")
        if not secrets.compare_digest(token.encode(), self.server.token.encode()):
            raise Refused(403, "the token is missing or wrong: open the whole address that was printed")
        return rest

    def _no_method(self, rest: str) -> tuple[str, bytes]:
        raise Refused(405, f"{self.command} is not answered; there are GET and POST")

    def _page(self, rest: str) -> tuple[str, bytes]:
        if rest:
            raise Refused(404, "there is nothing under this address")
        return "text/html; charset=utf-8", self.server.page().encode()

    def _answer(self, rest: str) -> tuple[str, bytes]:
        if rest not in self.server.answers:
            raise Refused(404, "there is nothing under this address")
        return self.server.answers[rest](self._body())

    def _body(self) -> dict[str, Any]:
        """The JSON object of a request."""
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal() and len(length) < 12) or self.headers.get("Transfer-Encoding"):
            raise Refused(411, "the request must state its length")
        if int(length) > LARGEST_BODY:
            raise Refused(413, f"the request is larger than {LARGEST_BODY} bytes")
        content = self.rfile.read(int(length))
        if self.headers.get_content_type() != "application/json":
            raise Refused(415, "the request must be JSON")
        try:
            found = json.loads(content.decode(), parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise Refused(400, f"the request is not JSON: {error}") from None
        if not isinstance(found, dict):
            raise SettingsError("the request must be an object")
        return found

    def _send(self, status: int, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def _drain(self) -> None:
        """Read what is still being sent, within bounds."""
        self.wfile.flush()
        end, left = time.monotonic() + LINGER, DRAINED
        try:
            self.connection.shutdown(socket.SHUT_WR)
            while left > 0 and (rest := end - time.monotonic()) > 0:
                self.connection.settimeout(rest)
                got = len(self.connection.recv(65536))
                if not got:
                    return
                left -= got
        except OSError:  # it took too long, or nobody is there any more
            return

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: addresses contain the token."""


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is not a number")


def encoded(data: Any) -> bytes:
    """JSON without numbers that are not finite."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False).encode()
