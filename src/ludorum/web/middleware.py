"""Bounds the body of every request, adds headers and an id to its answer, and logs it."""

from __future__ import annotations

import logging
import secrets
import time

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .config import SiteConfig
from .counters import Counters
from .errors import error_body

LOG = logging.getLogger("ludorum.web")

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; connect-src 'self' ws: wss:; object-src 'none'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # links to seats have their token in the address
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


class EveryRequest:
    """Gives each request an id, bounds its body, adds headers and cookies to its answer, and logs it."""

    def __init__(self, app: ASGIApp, config: SiteConfig, counters: Counters) -> None:
        self.app = app
        self.config = config
        self.counters = counters

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        state = scope.setdefault("state", {})
        request_id = state["request_id"] = secrets.token_hex(6)
        status = 500

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers["X-Request-Id"] = request_id
                for cookie in state.get("cookies", ()):
                    headers.append("Set-Cookie", cookie)
            await send(message)

        try:
            await self._bounded(scope, receive, answer)
        finally:
            self.counters.answers[f"{status // 100}xx"] += 1
            took = (time.perf_counter() - began) * 1000
            LOG.info("%s %s %s %d %.1f ms", request_id, scope["method"], scope["path"], status, took)

    async def _bounded(self, scope: Scope, receive: Receive, send: Send) -> None:
        limits = self.config.limits
        is_upload = scope["path"].rstrip("/") == "/api/v1/games"
        most = limits.upload_bytes if is_upload else limits.body_bytes
        told = Headers(scope=scope).get("content-length", "0")
        if not told.isascii() or not told.isdigit() or int(told) > most:
            message = f"at most {most} bytes are read here"
            # The rest of the body is not read: the connection cannot be used again.
            headers = {"Connection": "close"}
            await JSONResponse(error_body("too-large", message), 413, headers)(scope, receive, send)
            return
        read = 0

        async def bounded() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise HTTPException(413, f"at most {most} bytes are read here", {"Connection": "close"})
            return message

        await self.app(scope, bounded, send)


class OnlyHosts:
    """Answers only requests for the server's own names."""

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...]) -> None:
        self.app = app
        self.hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.hosts and scope["type"] in ("http", "websocket"):
            name = host_name(Headers(scope=scope).get("host", ""))
            if name not in self.hosts:
                if scope["type"] == "websocket":
                    await send({"type": "websocket.close", "code": 1008})
                    return
                body = error_body("wrong-host", "this server is not known by that name")
                await JSONResponse(body, 421)(scope, receive, send)
                return
        await self.app(scope, receive, send)


def host_name(host: str) -> str:
    """A host header without its port."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0].lower()
