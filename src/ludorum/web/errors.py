"""Errors as the API tells them: a code for programs, a message and a hint for people."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from ..arena.records.store_address import StoreError
from .live import Elsewhere, Refused, UnknownMatch

_ID = re.compile(r"[A-Za-z0-9_-]{1,80}")
LOG = logging.getLogger("ludorum.web")

CODES = {
    400: "bad-request",
    401: "sign-in-needed",
    403: "forbidden",
    404: "not-found",
    405: "wrong-method",
    409: "refused",
    413: "too-large",
    415: "wrong-type",
    422: "invalid",
    429: "too-many",
    503: "busy",
}


class ApiError(Exception):
    """An answer that is no success."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        code: str = "",
        hint: str | None = None,
        faults: Sequence[dict[str, object]] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code or CODES.get(status, "error")
        self.message = message
        self.hint = hint
        self.faults = faults
        self.retry_after = retry_after

    def as_json(self) -> dict[str, object]:
        body = error_body(self.code, self.message, self.hint)
        return body if self.faults is None else body | {"faults": list(self.faults)}


def not_found(what: str) -> ApiError:
    return ApiError(404, f"there is no such {what}")


def is_plain_id(text: str) -> bool:
    """Whether a text of an address may be the id of something: others are not looked for."""
    return _ID.fullmatch(text) is not None


def error_body(code: str, message: str, hint: str | None = None) -> dict[str, object]:
    return {"error": {"code": code, "message": message, "hint": hint}}


def install_handlers(app: FastAPI) -> None:
    """Let all errors of an app be told in the same form."""
    app.add_exception_handler(ApiError, _api_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _of_framework)
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(UnknownMatch, _unknown_match)
    app.add_exception_handler(Elsewhere, _elsewhere)
    app.add_exception_handler(StoreError, _broken_store)
    app.add_exception_handler(Exception, _unexpected)


def _answer(status: int, body: dict[str, object], headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse(body, status, headers)


async def _api_error(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ApiError)
    wait = error.retry_after
    return _answer(
        error.status, error.as_json(), None if wait is None else {"Retry-After": str(max(1, round(wait)))}
    )


async def _invalid(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    # What was sent is not repeated: it may hold a password, or text that is no text.
    told = []
    for fault in error.errors()[:10]:
        where = ".".join(str(part) for part in fault["loc"][1:])
        told.append(f"{where}: {fault['msg']}" if where else str(fault["msg"]))
    text = "; ".join(told).encode("utf-8", "replace").decode()
    return _answer(422, error_body("invalid", text or "the request is not as it should be"))


async def _of_framework(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    code = CODES.get(error.status_code, "error")
    headers = None if error.headers is None else dict(error.headers)
    return _answer(error.status_code, error_body(code, str(error.detail)), headers)


async def _refused(_: Request, error: Exception) -> JSONResponse:
    return _answer(409, error_body("refused", str(error)))


async def _unknown_match(_: Request, error: Exception) -> JSONResponse:
    return _answer(404, not_found("match").as_json())


async def _elsewhere(_: Request, error: Exception) -> JSONResponse:
    body = error_body("busy", "the match is given to another process of the server", "try again in a moment")
    return _answer(503, body, {"Retry-After": "1"})


async def _broken_store(_: Request, error: Exception) -> JSONResponse:
    LOG.error("the database cannot be used: %s", error)
    return _answer(503, error_body("busy", "the database cannot be used now", "try again in a moment"))


async def _unexpected(request: Request, error: Exception) -> JSONResponse:
    number = getattr(request.state, "request_id", "")
    hint = f"the server's log has it under {number}" if number else None
    return _answer(500, error_body("internal", "something went wrong in the server", hint))
