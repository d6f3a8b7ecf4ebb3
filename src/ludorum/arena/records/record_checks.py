"""The invariants of published match JSON, as hosts and spectators check them: one small check each.

``record_faults`` looks at one object, ``growth_faults`` at two versions of the same match. Both list every
fault, not the first only. A check finds no fault in fields that are missing: a missing required field is a
fault of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

Json: TypeAlias = Mapping[str, object]
Check: TypeAlias = Callable[[Json], Iterator[str]]
Growth: TypeAlias = Callable[[Json, Json], Iterator[str]]

REQUIRED: dict[str, type | tuple[type, ...]] = {
    "matchId": str,
    "startTime": int,
    "randomToken": str,
    "startClock": (int, float),
    "playClock": (int, float),
    "states": list,
    "moves": list,
    "stateTimes": list,
    "gameMetaURL": str,
}
OPTIONAL: dict[str, type | tuple[type, ...]] = {
    "previewClock": (int, float),
    "analysisClock": (int, float),
    "isCompleted": bool,
    "isAborted": bool,
    "goalValues": list,
    "errors": list,
    "playerNamesFromHost": list,
    "isPlayerHuman": list,
    "tournamentNameFromHost": str,
    "scrambled": bool,
    "gameName": str,
    "gameRoleNames": list,
    "weight": (int, float),
    "matchHostPK": str,
    "matchHostSignature": str,
}
IDENTITY = (
    "matchId", "startTime", "randomToken", "startClock", "playClock", "previewClock", "analysisClock",
    "gameMetaURL", "gameName", "gameRoleNames", "playerNamesFromHost", "isPlayerHuman",
    "tournamentNameFromHost", "scrambled", "weight", "matchHostPK", "x-seed",
)  # fmt: skip
"""The fields that identify the match and its conditions: the same in every version."""
GROWING = ("states", "moves", "stateTimes", "errors", "x-percepts", "x-replies")
TOKEN_LENGTH = 12


@dataclass(frozen=True)
class RecordFault:
    """An invariant that is broken, and where."""

    check: str
    message: str

    def __str__(self) -> str:
        return f"{self.check}: {self.message}"


def record_faults(data: Json) -> list[RecordFault]:
    """Every fault of a published match."""
    return [RecordFault(_name(check), text) for check in CHECKS for text in check(data)]


def growth_faults(before: Json, after: Json) -> list[RecordFault]:
    """Every field that a later version of a match must not have changed, but has."""
    return [RecordFault(_name(check), text) for check in GROWTH_CHECKS for text in check(before, after)]


def _name(check: Callable[..., object]) -> str:
    return check.__name__.removeprefix("check_").replace("_", " ")


def _rows(data: Json, key: str) -> list[object] | None:
    found = data.get(key)
    return found if isinstance(found, list) else None


# -- one object -------------------------------------------------------------------------------------------


def check_required_fields(data: Json) -> Iterator[str]:
    yield from (f"`{key}` is missing" for key in REQUIRED if key not in data)


def check_kinds(data: Json) -> Iterator[str]:
    for key, kind in (REQUIRED | OPTIONAL).items():
        value = data.get(key)
        if key in data and (not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool)):
            yield f"`{key}` is {type(value).__name__}"


def check_known_fields(data: Json) -> Iterator[str]:
    known = REQUIRED.keys() | OPTIONAL.keys()
    unknown = [key for key in data if key not in known and not key.startswith("x-")]
    yield from (f"`{key[:40]}` is no field of the format; own fields begin with x-" for key in unknown)


def check_token(data: Json) -> Iterator[str]:
    token = data.get("randomToken")
    if isinstance(token, str) and len(token) < TOKEN_LENGTH:
        yield f"the token has {len(token)} characters, at least {TOKEN_LENGTH} are needed"


def check_meta_url(data: Json) -> Iterator[str]:
    url = data.get("gameMetaURL")
    if isinstance(url, str) and not re.search(r"/v[0-9]+/\Z", url):
        yield f"the address of the rules must end in /v<number>/, not {url[-40:]!r}"


def check_states_and_moves(data: Json) -> Iterator[str]:
    states, moves = _rows(data, "states"), _rows(data, "moves")
    if states is not None and moves is not None and len(states) != len(moves) + 1:
        yield f"{len(states)} states for {len(moves)} moves: one state more than moves is needed"


def check_state_times(data: Json) -> Iterator[str]:
    states, times = _rows(data, "states"), _rows(data, "stateTimes")
    if states is not None and times is not None and len(states) != len(times):
        yield f"{len(times)} times for {len(states)} states"


def check_errors(data: Json) -> Iterator[str]:
    states, errors = _rows(data, "states"), _rows(data, "errors")
    if states is not None and errors is not None and len(states) != len(errors):
        yield f"{len(errors)} lists of errors for {len(states)} states"


def check_state_texts(data: Json) -> Iterator[str]:
    for at, state in enumerate(_rows(data, "states") or []):
        if not isinstance(state, str) or not re.fullmatch(r"\s*\(.*\)\s*", state, re.DOTALL):
            yield f"states[{at}] is no parenthesised list of facts"


def check_times_go_on(data: Json) -> Iterator[str]:
    times = [time for time in _rows(data, "stateTimes") or [] if isinstance(time, int)]
    start = data.get("startTime")
    for at, (before, after) in enumerate(pairwise(times)):
        if after < before:
            yield f"stateTimes[{at + 1}] is {before - after} ms before the one before it"
    if isinstance(start, int) and times and times[0] < start:
        yield f"the first state is {start - times[0]} ms before the start"


def check_widths(data: Json) -> Iterator[str]:
    """Every row has one entry a role."""
    rows: list[tuple[str, object]] = [
        (key, data[key])
        for key in ("gameRoleNames", "goalValues", "playerNamesFromHost", "isPlayerHuman")
        if key in data
    ]
    for key in ("moves", "errors"):
        rows += [(f"{key}[{at}]", row) for at, row in enumerate(_rows(data, key) or [])]
    width: int | None = None
    for name, row in rows:
        if not isinstance(row, list):
            yield f"{name} is no list"
            continue
        width = len(row) if width is None else width
        if len(row) != width:
            yield f"{name} has {len(row)} entries for {width} roles"


def check_moves_are_texts(data: Json) -> Iterator[str]:
    for key in ("moves", "errors"):
        for at, row in enumerate(_rows(data, key) or []):
            if isinstance(row, list) and not all(isinstance(entry, str) for entry in row):
                yield f"{key}[{at}] holds something that is no text"


def check_goals_only_when_completed(data: Json) -> Iterator[str]:
    if _rows(data, "goalValues") and data.get("isCompleted") is not True:
        yield "goal values of a match that is not completed"


def check_not_completed_and_aborted(data: Json) -> Iterator[str]:
    if data.get("isCompleted") is True and data.get("isAborted") is True:
        yield "completed and aborted at once"


def check_signed_whole(data: Json) -> Iterator[str]:
    if ("matchHostPK" in data) != ("matchHostSignature" in data):
        yield "a signature needs its public key, and a key without a signature says nothing"


CHECKS: tuple[Check, ...] = (
    check_required_fields,
    check_kinds,
    check_known_fields,
    check_token,
    check_meta_url,
    check_states_and_moves,
    check_state_times,
    check_errors,
    check_state_texts,
    check_times_go_on,
    check_widths,
    check_moves_are_texts,
    check_goals_only_when_completed,
    check_not_completed_and_aborted,
    check_signed_whole,
)


# -- two versions of one match ------------------------------------------------------------------------------


def check_identity_stays(before: Json, after: Json) -> Iterator[str]:
    for key in IDENTITY:
        if key in before and before[key] != after.get(key):
            yield f"`{key}` was {str(before[key])[:40]!r} and is {str(after.get(key))[:40]!r}"


def check_lists_only_grow(before: Json, after: Json) -> Iterator[str]:
    for key in GROWING:
        old, new = _rows(before, key), _rows(after, key)
        if old is None:
            continue
        if new is None or len(new) < len(old):
            yield f"`{key}` had {len(old)} entries and has {0 if new is None else len(new)}"
        elif new[: len(old)] != old:
            at = next(at for at, entry in enumerate(old) if new[at] != entry)
            yield f"`{key}`[{at}] has changed"


def check_completed_stays(before: Json, after: Json) -> Iterator[str]:
    for key in ("isCompleted", "isAborted"):
        if before.get(key) is True and after.get(key) is not True:
            yield f"`{key}` was true and is no longer"


def check_nothing_after_the_end(before: Json, after: Json) -> Iterator[str]:
    if before.get("isCompleted") is True:
        for key in (*GROWING, "goalValues"):
            if before.get(key) != after.get(key):
                yield f"`{key}` has changed after the match was completed"


GROWTH_CHECKS: tuple[Growth, ...] = (
    check_identity_stays,
    check_lists_only_grow,
    check_completed_stays,
    check_nothing_after_the_end,
)
