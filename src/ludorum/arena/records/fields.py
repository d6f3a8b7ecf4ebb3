"""One value of a JSON tree with the path to it: read as the wanted type, or an error.

A record is foreign text; whatever it holds, the reader gets a value of the type it asked for, or a
``RecordError`` that names the field.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from ...engine.errors import MalformedStateError
from ...engine.game import JointMove, parse_facts
from ...rules.kif import parse_term
from ...rules.source import RulesError
from ...rules.terms import Term
from ..match.record import Facts, PerRole, RecordError

T = TypeVar("T")

MAX_RECORD_BYTES = 64 * 1024 * 1024
"""Largest file read; the largest public match has about 1 MB."""


def read_text(path: Path) -> str:
    """The text of a record file; RecordError if it is too large, not text, or cannot be read."""
    name = str(path)
    try:
        size = path.stat().st_size
        if size > MAX_RECORD_BYTES:
            raise RecordError(f"the file has {size / 1e6:.0f} MB; records are read up to "
                              f"{MAX_RECORD_BYTES / 1e6:.0f} MB", name)  # fmt: skip
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise RecordError(f"cannot read the file: {error.strerror or error}", name) from error
    except UnicodeDecodeError as error:
        raise RecordError(f"byte {error.start} is not UTF-8 text", name) from error


def read_json(text: str, name: str = "<record>") -> object:
    """The value of a JSON text; RecordError says where the text is not JSON."""
    try:
        value: object = json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise RecordError(f"not JSON: {where}: {error.msg}", name) from error
    except RecursionError as error:
        raise RecordError("nested too deeply to be a record", name) from error
    except ValueError as error:  # a number with thousands of digits
        raise RecordError(f"not usable JSON: {error}", name) from error
    return value


class Field:
    """A value somewhere in a JSON tree: read as the wanted type, or a readable error."""

    __slots__ = ("_terms", "_value", "path")

    def __init__(self, value: object, path: str = "", terms: dict[str, Term] | None = None) -> None:
        self._value = value
        self.path = path
        self._terms: dict[str, Term] = {} if terms is None else terms
        """Terms read so far: the same facts recur in state after state."""

    def fault(self, message: str) -> RecordError:
        return RecordError(message, field=self.path)

    def _wrong(self, wanted: str) -> RecordError:
        kinds = {dict: "an object", list: "a list", str: "a text", bool: "true or false", int: "a number",
                 float: "a fraction", type(None): "null"}  # fmt: skip
        return self.fault(f"{wanted} is needed, here is {kinds[type(self._value)]}")

    def _below(self, value: object, path: str) -> Field:
        return Field(value, path, self._terms)

    @property
    def is_text(self) -> bool:
        return isinstance(self._value, str)

    @property
    def is_mapping(self) -> bool:
        return isinstance(self._value, dict)

    def mapping(self) -> dict[str, Field]:
        if not isinstance(self._value, dict):
            raise self._wrong("an object")
        prefix = f"{self.path}." if self.path else ""
        return {key: self._below(value, prefix + key[:40]) for key, value in self._value.items()}

    def keys(self) -> set[str]:
        return set(self.mapping())

    def __contains__(self, key: str) -> bool:
        return isinstance(self._value, dict) and key in self._value

    def __getitem__(self, key: str) -> Field:
        field = self.mapping().get(key)
        if field is None:
            raise self.fault(f"the field `{key}` is missing")
        return field

    def get(self, key: str, read: Callable[[Field], T]) -> T | None:
        """A field read by the given function, or None where it is missing or null."""
        field = self.mapping().get(key)
        return None if field is None or field._value is None else read(field)

    def items(self) -> list[Field]:
        if not isinstance(self._value, list):
            raise self._wrong("a list")
        return [self._below(value, f"{self.path}[{at}]") for at, value in enumerate(self._value)]

    def text(self) -> str:
        if not isinstance(self._value, str):
            raise self._wrong("a text")
        try:
            self._value.encode()
        except UnicodeEncodeError as error:
            raise self.fault("half of a surrogate pair is no text") from error
        return self._value

    def texts(self) -> tuple[str, ...]:
        return tuple(item.text() for item in self.items())

    def truth(self) -> bool:
        if not isinstance(self._value, bool):
            raise self._wrong("true or false")
        return self._value

    def number(self) -> int:
        """A whole number; old hosts write goal values as texts."""
        value = self._value
        if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,9}", value):
            return int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._wrong("a whole number")
        if abs(value) >= 10**9:
            raise self.fault("a number beyond any count or goal value")
        return value

    def whole(self, most: int) -> int:
        """A whole number of any size up to ``most``, which may be written as a text: seeds have 64 bits."""
        value = self._value
        if isinstance(value, str) and re.fullmatch(r"[0-9]{1,20}", value):
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._wrong("a whole number")
        if not 0 <= value <= most:
            raise self.fault(f"a number between 0 and {most} is needed")
        return value

    def seconds(self) -> float:
        """A clock: a number of seconds, whole with most hosts."""
        value = self._value
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise self._wrong("a number of seconds")
        if not -1 <= value < 1e7:
            raise self.fault("a number beyond any clock")
        return value

    @property
    def value(self) -> object:
        """The value itself, as JSON has it."""
        return self._value

    def term(self) -> Term:
        return self._read_term(self.text())

    def _read_term(self, text: str) -> Term:
        known = self._terms.get(text)
        if known is None:
            try:
                known = parse_term(text)
            except RulesError as error:
                reason = error.diagnostics[0].message if error.diagnostics else "it is empty"
                raise self.fault(f"not a ground term: {reason}: {text[:60]!r}") from error
            self._terms[text] = known
        return known

    def terms(self) -> tuple[Term, ...]:
        return tuple(item.term() for item in self.items())

    def facts(self) -> Facts:
        return frozenset(self.terms())

    def state(self) -> Facts:
        """The facts one string writes: ``( ( cell 1 1 b ) ( control x ) )``."""
        try:
            return parse_facts(self.text())
        except MalformedStateError as error:
            raise self.fault(str(error)) from error

    def pairs(self) -> tuple[tuple[Term, Term], ...]:
        found = []
        for item in self.items():
            pair = item.terms()
            if len(pair) != 2:
                raise item.fault(f"a role and a term are needed, here are {len(pair)} terms")
            found.append((pair[0], pair[1]))
        return tuple(found)

    def per_role(self, roles: tuple[Term, ...]) -> PerRole:
        """An object with a list of terms for every role."""
        sets = {field._read_term(name): field for name, field in self.mapping().items()}
        for role in roles:
            if role not in sets:
                raise self.fault(f"nothing for the role {role}")
        for role, field in sets.items():
            if role not in roles:
                raise field.fault(f"no role of this match: the roles are {', '.join(map(str, roles))}")
        return tuple(sets[role].facts() for role in roles)


# -- what several formats share --------------------------------------------------------------------------


def read_moves(field: Field, width: int | None) -> tuple[JointMove, ...]:
    """The joint moves; all as wide as there are roles, or as wide as the first one."""
    moves: list[JointMove] = []
    for item in field.items():
        joint = item.terms()
        width = len(joint) if width is None else width
        if len(joint) != width:
            raise item.fault(f"{len(joint)} moves for {width} roles")
        moves.append(joint)
    return tuple(moves)


def read_goals(field: Field, roles: tuple[Term, ...] | None, width: int | None) -> PerRole:
    """Goal values as one list in the order of roles, or by role with every value the rules give."""
    if roles is not None and field.is_mapping:
        return field.per_role(roles)
    values = tuple(frozenset([Term(str(value.number()))]) for value in field.items())
    if width is not None:
        check_length(field, len(values), width, "one value for each role")
    return values


def read_errors(field: Field, width: int | None) -> tuple[tuple[str, ...], ...]:
    for row in field.items():
        if width is not None:
            check_length(row, len(row.items()), width, "one text for each role")
    return tuple(row.texts() for row in field.items())


def check_length(field: Field, length: int, needed: int, why: str) -> None:
    if length != needed:
        raise field.fault(f"{length} entries where {needed} are needed: {why}")
