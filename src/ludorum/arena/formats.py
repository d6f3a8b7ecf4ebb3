"""Record files: every JSON format matches are written down in, told apart by content.

Four shapes are read. *Replay*: ``roles``, ``states`` as lists of facts, ``moves``, ``goals`` and perhaps
``legal``. *Playout*: ``moves``, ``nlegal``, ``steps`` with state, legal moves and percepts, and ``final``.
*Spectator*: what GGP hosts publish, each state one string, ``gameMetaURL``, ``goalValues``. *Samples*:
single questions about given states. Replay is also written. A record is foreign text: whatever it holds, the
answer is a record or a ``RecordError`` that names the field.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from ..engine.game import JointMove, MalformedStateError, parse_facts
from ..rules.kif import format_term, parse_term
from ..rules.source import RulesError
from ..rules.terms import Term, sort_key
from .record import Facts, MatchRecord, PerRole, Record, RecordError, Rows, Sample, SampleRecord

T = TypeVar("T")

MAX_RECORD_BYTES = 64 * 1024 * 1024
"""Largest file read; the largest public match has about 1 MB."""

QUESTIONS = ("next", "legal", "goal", "terminal")


def load_record(path: Path) -> Record:
    """The record a file holds; RecordError if it cannot be read or holds none."""
    name = str(path)
    try:
        size = path.stat().st_size
        if size > MAX_RECORD_BYTES:
            raise RecordError(f"the file has {size / 1e6:.0f} MB; records are read up to "
                              f"{MAX_RECORD_BYTES / 1e6:.0f} MB", name)  # fmt: skip
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise RecordError(f"cannot read the file: {error.strerror or error}", name) from error
    except UnicodeDecodeError as error:
        raise RecordError(f"byte {error.start} is not UTF-8 text", name) from error
    return parse_record(text, name)


def parse_record(text: str, name: str = "<record>") -> Record:
    """The record a JSON text writes, in whichever of the formats it is."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise RecordError(f"not JSON: {where}: {error.msg}", name) from error
    except RecursionError as error:
        raise RecordError("nested too deeply to be a record", name) from error
    except ValueError as error:  # a number with thousands of digits
        raise RecordError(f"not usable JSON: {error}", name) from error
    try:
        return _read(Field(value))
    except RecordError as error:
        raise RecordError(error.message, name, error.field) from None


def format_record(record: MatchRecord) -> str:
    """A match as replay JSON; ``parse_record`` reads it back. What replay has no place for is left out."""
    roles = record.roles
    if roles is None or any(state is None for state in record.states):
        raise ValueError("only a match with its roles and every state can be written as a replay")
    data: dict[str, object] = {
        "game": record.game,
        "roles": [format_term(role) for role in roles],
        "states": [_texts(state) for state in record.states if state is not None],
        "moves": [[format_term(move) for move in joint] for joint in record.moves],
    }
    if record.source:
        data["source"] = record.source
    if record.legal and all(legal is not None for legal in record.legal):
        data["legal"] = [_texts_by_role(roles, legal) for legal in record.legal if legal is not None]
    if record.percepts and all(seen is not None for seen in record.percepts):
        data["percepts"] = [_texts_by_role(roles, seen) for seen in record.percepts if seen is not None]
    if record.goals is not None:
        data["goals"] = _texts_by_role(roles, record.goals)
    if record.terminal is not None:
        data["terminal"] = record.terminal
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _texts(terms: Facts) -> list[str]:
    return [format_term(term) for term in sorted(terms, key=sort_key)]


def _texts_by_role(roles: tuple[Term, ...], sets: PerRole) -> dict[str, list[str]]:
    return {format_term(role): _texts(terms) for role, terms in zip(roles, sets, strict=True)}


# -- the formats ------------------------------------------------------------------------------------------


def _read(root: Field) -> Record:
    keys = root.keys()
    if "samples" in keys:
        return _read_samples(root)
    if "steps" in keys or "nlegal" in keys:
        return _read_playout(root)
    if {"states", "moves"} <= keys:
        spectator = {"matchId", "gameMetaURL", "startTime"} & keys
        states = root["states"].items()
        return _read_spectator(root) if spectator or (states and states[0].is_text) else _read_replay(root)
    listed = ", ".join(sorted(keys)[:8]) or "none"
    raise RecordError(f"no record: a match has `states` and `moves`, or `moves` and `steps`, or `samples`; "
                      f"the fields here are {listed}"[:500])  # fmt: skip


def _read_replay(root: Field) -> MatchRecord:
    roles = root["roles"].terms()
    moves = _read_moves(root["moves"], len(roles))
    states = tuple(state.facts() for state in root["states"].items())
    _check_length(root["states"], len(states), len(moves) + 1, "one state more than moves")
    goals = root.get("goals", lambda field: _read_goals(field, roles, len(roles)))
    terminal = root.get("terminal", Field.truth)
    if terminal is None and goals is not None:
        terminal = True  # rewards are handed out at the end and nowhere else
    return MatchRecord(
        game=root.get("game", Field.text) or "",
        roles=roles,
        moves=moves,
        states=states,
        legal=root.get("legal", lambda field: _read_by_step(field, roles, len(states))) or (),
        percepts=root.get("percepts", lambda field: _read_by_step(field, roles, len(moves))) or (),
        goals=goals,
        terminal=terminal,
        source=root.get("source", Field.text) or "",
    )


def _read_playout(root: Field) -> MatchRecord:
    roles = root["roles"].terms()
    moves = _read_moves(root["moves"], len(roles))
    length = len(moves) + 1
    steps = root.get("steps", Field.items) or []
    if len(steps) > length:
        raise root["steps"].fault(f"{len(steps)} steps for {len(moves)} joint moves; at most {length} fit")
    states: list[Facts | None] = [None] * length
    legal: list[PerRole | None] = [None] * length
    percepts: list[PerRole | None] = [None] * len(moves)
    for at, step in enumerate(steps):
        states[at] = step.get("state", Field.facts)
        legal[at] = step.get("legal", lambda field: field.per_role(roles))
        seen = step.get("sees", lambda field: field.per_role(roles))
        if seen is not None:
            if at == len(moves):
                raise step["sees"].fault("percepts of a step in which nobody moved")
            percepts[at] = seen
    counts = root.get("nlegal", Field.items) or []
    if counts:
        _check_length(root["nlegal"], len(counts), length, "one list of counts for each state")
    goals = terminal = None
    if "final" in root:
        final = root["final"]
        goals = final.get("goals", lambda field: _read_goals(field, roles, len(roles)))
        terminal = final.get("terminal", Field.truth)
        state = final.get("state", Field.facts)
        states[-1] = states[-1] if state is None else state
    return MatchRecord(
        game=root.get("game", Field.text) or "",
        roles=roles,
        moves=moves,
        states=tuple(states),
        legal=tuple(legal),
        legal_counts=tuple(_read_counts(count, len(roles)) for count in counts),
        percepts=tuple(percepts),
        goals=goals,
        terminal=terminal,
        source=root.get("source", Field.text) or "",
    )


_META_URL = re.compile(r".*/games/([^/]+)/(?:v[0-9]+/)?")


def _read_spectator(root: Field) -> MatchRecord:
    states = tuple(state.state() for state in root["states"].items())
    roles = root.get("gameRoleNames", Field.terms)
    moves = _read_moves(root["moves"], None if roles is None else len(roles))
    width = len(roles) if roles is not None else len(moves[0]) if moves else None
    _check_length(root["states"], len(states), len(moves) + 1, "one state more than moves")
    url = _META_URL.fullmatch(root.get("gameMetaURL", Field.text) or "")
    # Of a match that is still running, or was broken off, the goal values say nothing about its last state.
    over = root.get("isCompleted", Field.truth) is True and root.get("isAborted", Field.truth) is not True
    goals = root.get("goalValues", lambda field: _read_goals(field, roles, width))
    return MatchRecord(
        # The address holds the key of the game; `gameName` is for people.
        game=url[1] if url else root.get("gameName", Field.text) or "",
        roles=roles,
        moves=moves,
        states=states,
        goals=goals if over else None,
        terminal=True if over else None,
        source=root.get("matchId", Field.text) or "",
        errors=root.get("errors", lambda field: _read_errors(field, width)) or (),
    )


def _read_samples(root: Field) -> SampleRecord:
    samples: list[Sample] = []
    groups = root["samples"]
    unknown = sorted(groups.keys() - set(QUESTIONS))
    if unknown:
        raise groups.fault(f"unknown question {unknown[0][:40]!r}; there are {', '.join(QUESTIONS)}")
    for question in QUESTIONS:
        for item in groups.get(question, Field.items) or []:
            expect: Facts | Rows | bool
            if question == "terminal":
                expect = item["expect"].truth()
            elif question == "next":
                expect = item["expect"].facts()
            else:
                expect = frozenset(item["expect"].pairs())
            does = item.get("does", Field.pairs) or ()
            samples.append(Sample(question, item["state"].facts(), does, expect))
    game, source = root.get("game", Field.text), root.get("source", Field.text)
    return SampleRecord(game or "", tuple(samples), source or "")


def _read_moves(field: Field, width: int | None) -> tuple[JointMove, ...]:
    """The joint moves; all as wide as there are roles, or as wide as the first one."""
    moves: list[JointMove] = []
    for item in field.items():
        joint = item.terms()
        width = len(joint) if width is None else width
        if len(joint) != width:
            raise item.fault(f"{len(joint)} moves for {width} roles")
        moves.append(joint)
    return tuple(moves)


def _read_goals(field: Field, roles: tuple[Term, ...] | None, width: int | None) -> PerRole:
    """Goal values as one list in the order of roles, or by role with every value the rules give."""
    if roles is not None and field.is_mapping:
        return field.per_role(roles)
    values = tuple(frozenset([Term(str(value.number()))]) for value in field.items())
    if width is not None:
        _check_length(field, len(values), width, "one value for each role")
    return values


def _read_errors(field: Field, width: int | None) -> tuple[tuple[str, ...], ...]:
    for row in field.items():
        if width is not None:
            _check_length(row, len(row.items()), width, "one text for each role")
    return tuple(row.texts() for row in field.items())


def _read_by_step(field: Field, roles: tuple[Term, ...], most: int) -> tuple[PerRole | None, ...]:
    """Sets by role for the first steps; those left out at the end were not noted."""
    steps = [item.per_role(roles) for item in field.items()]
    if len(steps) > most:
        raise field.fault(f"{len(steps)} entries where at most {most} fit")
    return (*steps, *([None] * (most - len(steps))))


def _read_counts(field: Field, width: int) -> tuple[int, ...]:
    counts = tuple(item.number() for item in field.items())
    _check_length(field, len(counts), width, "one count for each role")
    return counts


def _check_length(field: Field, length: int, needed: int, why: str) -> None:
    if length != needed:
        raise field.fault(f"{length} entries where {needed} are needed: {why}")


# -- one value of the JSON tree with the way to it -----------------------------------------------------------


class Field:
    """A value somewhere in a JSON tree: asked for as what it should be, it is that or a readable error."""

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
        """A field read as told, or None where it is missing or null."""
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
