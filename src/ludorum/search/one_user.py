"""A guard for objects with state, such as searchers: a call by a second thread meanwhile is refused."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class HasUser(Protocol):
    _user: threading.RLock


S = TypeVar("S", bound=HasUser)


def one_user(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """Let one thread at a time call the methods of an object that are marked so; RuntimeError for others."""

    @wraps(method)
    def guarded(self: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if not self._user.acquire(blocking=False):
            raise RuntimeError(
                f"this {type(self).__name__} is in use by another thread: one search at a time"
            )
        try:
            return method(self, *args, **kwargs)
        finally:
            self._user.release()

    return guarded
