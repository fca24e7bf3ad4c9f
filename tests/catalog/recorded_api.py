"""A loopback HTTP server that answers as a cloud's API does, from answers written after the public API pages."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from click.testing import CliRunner

from generator.cli import describe, trainform
from generator.errors import InputError


class Request(NamedTuple):
    """What was asked: the path, the query and the body, and the names of the headers in lower case."""

    method: str
    path: str
    query: dict[str, str]
    body: Any
    headers: dict[str, str]


DAY = "2026-12-01"

Answer = tuple[int, Any]


def run(*args: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of `trainform catalog ARGS`."""
    done = CliRunner().invoke(trainform, ["catalog", *args])
    if isinstance(done.exception, InputError):
        told = "\n".join(describe(problem) for problem in done.exception.problems)
        return 2, done.stdout, done.stderr + told
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout, done.stderr


@contextmanager
def serve(answer: Callable[[Request], Answer]) -> Iterator[str]:
    """The address of a server that answers every request with a status and JSON."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def reply(self) -> None:
            text = self.rfile.read(int(self.headers.get("content-length") or 0)).decode()
            parts = urlsplit(self.path)
            query = dict(parse_qsl(parts.query, keep_blank_values=True))
            try:
                body = json.loads(text) if text else None
            except ValueError:
                body = dict(parse_qsl(text))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, told = answer(Request(self.command, parts.path, query, body, headers))
            data = json.dumps(told).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.send_header("connection", "close")
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = reply  # noqa: N815 - names of the library

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
