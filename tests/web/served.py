"""A real server on a port of this machine, and people with browsers of their own."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import httpx
from fastapi import FastAPI
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from ludorum.web.app import make_app
from ludorum.web.config import SiteConfig
from ludorum.web.serving import Server, address_of, listen, options_for
from ludorum.web.store.database import open_database

API = "/api/v1"
PATIENCE = 60.0
"""Seconds after which a test gives up; a busy machine needs some of them."""


@contextmanager
def served(config: SiteConfig) -> Iterator[str]:
    """The address of a server that runs in a thread as long as the block."""
    with served_app(make_app(config, open_database(config.database))) as (address, _):
        yield address


@contextmanager
def served_app(app: FastAPI) -> Iterator[tuple[str, asyncio.AbstractEventLoop]]:
    """The address and the event loop of a server of this application."""
    listener = listen("127.0.0.1", 0, is_asked_for=True)
    ready = threading.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    def begin() -> None:
        loops.append(asyncio.get_running_loop())
        ready.set()

    server = Server(options_for(app), begin)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listener])))
    thread.start()
    try:
        assert ready.wait(PATIENCE), "the server has not begun"
        yield address_of(listener), loops[0]
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive(), "the server does not end"


class Person:
    """A person with a browser: cookies, and the CSRF token."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.http = httpx.Client(base_url=address, timeout=PATIENCE)
        self.csrf = ""

    def __enter__(self) -> Person:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def get(self, path: str, status: int = 200) -> Any:
        """The JSON of a path of the API."""
        answer = self.http.get(API + path)
        assert answer.status_code == status, answer.text
        return answer.json()

    def send(self, method: str, path: str, body: object = None, **headers: str) -> httpx.Response:
        """The answer to a request that changes something."""
        if not self.csrf:
            self.csrf = self.get("/me")["csrf"]
        told = {"X-CSRF-Token": self.csrf} | headers
        answer = self.http.request(method, API + path, json=body, headers=told)
        if path in ("/accounts", "/session") and answer.is_success:
            self.csrf = answer.json()["csrf"]
        return answer

    def post(self, path: str, body: object = None, status: int = 200) -> Any:
        answer = self.send("POST", path, body)
        assert answer.status_code == status, answer.text
        return answer.json()

    def sign_up(self, name: str, password: str = "a long password") -> None:
        self.post("/accounts", {"name": name, "password": password}, 201)

    def come_as(self, name: str, password: str = "a long password") -> None:
        """Sign in, or up where nobody has that name yet."""
        if not self.send("POST", "/session", {"name": name, "password": password}).is_success:
            self.sign_up(name, password)

    @property
    def cookies(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())

    def watch(self, match: str, query: str = "", origin: str | None = None) -> Page:
        """A page of a match: its open websocket."""
        where = self.address.replace("http:", "ws:") + f"{API}/matches/{match}/live{query}"
        headers = {"Cookie": self.cookies} if self.cookies else {}
        return Page(where, headers, origin or self.address)


class Page:
    """An open page of a match."""

    def __init__(self, address: str, headers: dict[str, str], origin: str) -> None:
        self._open = ExitStack()
        opened = connect(address, additional_headers=headers, origin=Origin(origin))
        self.connection = self._open.enter_context(opened)
        self.last: dict[str, Any] = {}
        self._count = 0

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.connection.recv(timeout=PATIENCE))
        if message["type"] == "view":
            self.last = message["view"]
        return message

    def view(self, **wanted: object) -> dict[str, Any]:
        """The first view that has these values."""
        while not self.last or any(self.last[key] != value for key, value in wanted.items()):
            self.receive()
        return self.last

    def ask(self, kind: str, **more: object) -> dict[str, Any]:
        """The acknowledgement or the refusal of a message."""
        self._count += 1
        self.connection.send(json.dumps({"type": kind, "id": self._count} | more))
        while True:
            message = self.receive()
            if message["type"] in ("ack", "refused") and message["id"] == self._count:
                return message

    def move(self, at: int = 0) -> str:
        """Make one of the moves that are offered; it must be accepted."""
        view = self.last
        move: str = view["choices"][at]["move"]
        assert self.ask("move", step=view["step"], move=move)["type"] == "ack"
        return move

    def close_code(self) -> int:
        """The code with which the server closes the websocket."""
        with suppress(ConnectionClosed):
            while True:
                self.receive()
        code = self.connection.close_code
        assert code is not None
        return code


def until(happened: Any, what: str) -> Any:
    """The first true value of a function that asks the server."""
    deadline = time.monotonic() + PATIENCE
    while not (found := happened()):
        assert time.monotonic() < deadline, f"it never came: {what}"
        time.sleep(0.02)
    return found
