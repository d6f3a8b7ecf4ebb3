"""Record files: every JSON format of matches, told apart by content.

Four shapes are read. *Replay*: ``roles``, ``states`` as lists of facts, ``moves``, ``goals`` and perhaps
``legal``. *Playout*: ``moves``, ``nlegal``, ``steps`` with state, legal moves and percepts, and ``final``.
*Spectator*: what GGP hosts publish, each state one string, ``gameMetaURL``, ``goalValues``. *Samples*:
single questions about given states. Replay is also written. A record is foreign text: whatever it holds, the
answer is a record or a ``RecordError`` that names the field.
"""

from __future__ import annotations

import json
from pathlib import Path

from ...rules.terms import Term, format_term, sort_key
from ..match.record import Facts, MatchRecord, PerRole, Record, RecordError, Rows, Sample, SampleRecord
from .fields import Field, check_length, read_goals, read_json, read_moves, read_text

QUESTIONS = ("next", "legal", "goal", "terminal")


def load_record(path: Path) -> Record:
    """The record a file holds; RecordError if it cannot be read or holds none."""
    return parse_record(read_text(path), str(path))


def parse_record(text: str, name: str = "<record>") -> Record:
    """The record of a JSON text, in any of the formats."""
    value = read_json(text, name)
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
        from .spectator import read_spectator  # a module that most readers do not need

        spectator = {"matchId", "gameMetaURL", "startTime"} & keys
        states = root["states"].items()
        return read_spectator(root) if spectator or (states and states[0].is_text) else _read_replay(root)
    listed = ", ".join(sorted(keys)[:8]) or "none"
    raise RecordError(f"no record: a match has `states` and `moves`, or `moves` and `steps`, or `samples`; "
                      f"the fields here are {listed}"[:500])  # fmt: skip


def _read_replay(root: Field) -> MatchRecord:
    roles = root["roles"].terms()
    moves = read_moves(root["moves"], len(roles))
    states = tuple(state.facts() for state in root["states"].items())
    check_length(root["states"], len(states), len(moves) + 1, "one state more than moves")
    goals = root.get("goals", lambda field: read_goals(field, roles, len(roles)))
    terminal = root.get("terminal", Field.truth)
    if terminal is None and goals is not None:
        terminal = True  # rewards are given at the end only
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
    moves = read_moves(root["moves"], len(roles))
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
        check_length(root["nlegal"], len(counts), length, "one list of counts for each state")
    goals = terminal = None
    if "final" in root:
        final = root["final"]
        goals = final.get("goals", lambda field: read_goals(field, roles, len(roles)))
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


def _read_by_step(field: Field, roles: tuple[Term, ...], most: int) -> tuple[PerRole | None, ...]:
    """Sets by role for the first steps; those left out at the end were not noted."""
    steps = [item.per_role(roles) for item in field.items()]
    if len(steps) > most:
        raise field.fault(f"{len(steps)} entries where at most {most} fit")
    return (*steps, *([None] * (most - len(steps))))


def _read_counts(field: Field, width: int) -> tuple[int, ...]:
    counts = tuple(item.number() for item in field.items())
    check_length(field, len(counts), width, "one count for each role")
    return counts
