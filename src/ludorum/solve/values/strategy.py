"""Strategies: for each state in which a role chooses, what it chooses, and what that is worth.

A strategy is data that anybody can replay (``check_strategy``). In a file it names facts and moves by their
text, so that every engine can read it, whatever its own numbers are; a name that ends in ``.gz`` is packed.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ...engine.game import Game, GameError, State, format_facts, parse_facts, parse_move
from ...rules.kif import format_kif, format_term
from ...rules.ruleset import Ruleset
from ...rules.terms import Term, sort_key

FORMAT = "ludorum strategy 1"


class StrategyError(GameError):
    """A file that holds no strategy, or one of another game."""


@dataclass(frozen=True)
class Strategy:
    """What a role does so as to get at least ``value``, whatever the others do."""

    game: str
    rules: str
    """Digest of the rules, so that a changed sheet is noticed."""
    role: Term
    value: int
    start: frozenset[Term]
    fluents: tuple[Term, ...]
    moves: tuple[Term, ...]
    states: bytes
    """A row of packed bits for each choice, in the order of ``fluents``, lowest bit first."""
    choices: tuple[int, ...]
    """By row: the number of the move."""

    def __len__(self) -> int:
        return len(self.choices)

    @property
    def row_bytes(self) -> int:
        return (len(self.fluents) + 7) // 8

    def move(self, state: State) -> Term | None:
        """What the role does in a state: the only move it has, or its choice; None where it has none."""
        legal = state.legal(self.role)
        if len(legal) == 1:
            return legal[0]
        row = self._pack(state.facts())
        number = None if row is None else self._by_row.get(row)
        return None if number is None else self.moves[number]

    def save(self, path: Path) -> None:
        head = {
            "format": FORMAT,
            "game": self.game,
            "rules": self.rules,
            "role": format_term(self.role),
            "value": self.value,
            "start": format_facts(self.start),
            "fluents": [format_term(fluent) for fluent in self.fluents],
            "moves": [format_term(move) for move in self.moves],
            "choices": len(self),
        }
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(path, "wt", encoding="utf-8") as file:
            file.write(json.dumps(head, ensure_ascii=False) + "\n")
            for row, number in zip(self._rows(), self.choices, strict=True):
                file.write(f"{row.hex()} {number}\n")

    def _rows(self) -> Iterator[bytes]:
        size = self.row_bytes
        return (self.states[at * size : (at + 1) * size] for at in range(len(self)))

    @cached_property
    def _by_row(self) -> dict[bytes, int]:
        return dict(zip(self._rows(), self.choices, strict=True))

    @cached_property
    def _places(self) -> dict[Term, int]:
        return {fluent: at for at, fluent in enumerate(self.fluents)}

    def _pack(self, facts: Iterable[Term]) -> bytes | None:
        packed = bytearray(self.row_bytes)
        for fact in facts:
            at = self._places.get(fact)
            if at is None:
                return None
            packed[at >> 3] |= 1 << (at & 7)
        return bytes(packed)


def rules_digest(rules: Ruleset) -> str:
    """The same for the same rules, however they are laid out."""
    return hashlib.sha256(format_kif(rules).encode()).hexdigest()[:32]


def strategy_of(chosen: Mapping[State, Term], start: State, role: Term, value: int) -> Strategy:
    """A strategy from what a role does in some states, those in which it has a choice."""
    rules = start.game.rules
    assert rules is not None
    facts = {state: state.facts() for state in (*chosen, start)}
    fluents = sorted(set().union(*facts.values()), key=sort_key)
    places = {fluent: at for at, fluent in enumerate(fluents)}
    names = sorted(set(chosen.values()), key=sort_key)
    rows = bytearray()
    for state in chosen:
        bits = sum(1 << places[fact] for fact in facts[state])
        rows += bits.to_bytes((len(fluents) + 7) // 8, "little")
    return Strategy(
        start.game.name,
        rules_digest(rules),
        role,
        value,
        start.facts(),
        tuple(fluents),
        tuple(names),
        bytes(rows),
        tuple(names.index(move) for move in chosen.values()),
    )


def strategy_from_plan(start: State, role: Term, moves: Iterable[Term], value: int) -> Strategy:
    """The strategy of the only role that follows a plan."""
    chosen: dict[State, Term] = {}
    state = start
    for move in moves:
        if len(state.legal(role)) > 1:
            chosen[state] = move
        state = state.play((move,))
    return strategy_of(chosen, start, role, value)


def load_strategy(path: Path) -> Strategy:
    """The twin of ``Strategy.save``; StrategyError with the place of the first fault."""
    with path.open("rb") as raw:
        packed = raw.read(2) == b"\x1f\x8b"
    try:
        with gzip.open(path, "rt", encoding="utf-8") if packed else path.open(encoding="utf-8") as file:
            return _read(file, path)
    except (UnicodeDecodeError, EOFError, gzip.BadGzipFile) as error:
        raise StrategyError(f"{path} is no strategy: {error}") from error


def _read(file: io.TextIOBase, path: Path) -> Strategy:  # type: ignore[type-arg, unused-ignore]
    try:
        head = json.loads(file.readline())
        if head.get("format") != FORMAT:
            raise ValueError(f"its format is not {FORMAT!r}")
        fluents = tuple(parse_move(text) for text in head["fluents"])
        moves = tuple(parse_move(text) for text in head["moves"])
        strategy = Strategy(
            head["game"],
            head["rules"],
            parse_move(head["role"]),
            int(head["value"]),
            parse_facts(head["start"]),
            fluents,
            moves,
            b"",
            (),
        )
        count = int(head["choices"])
    except (ValueError, KeyError, TypeError, AttributeError, GameError) as error:
        raise StrategyError(f"{path} is no strategy: {error}") from error
    rows, choices = bytearray(), list[int]()
    for number, line in enumerate(file, start=2):
        try:
            row, move = line.split()
            state = bytes.fromhex(row)
            if len(state) != strategy.row_bytes or not 0 <= int(move) < len(moves):
                raise ValueError("a state or a move that the first line does not know")
        except ValueError as error:
            raise StrategyError(f"{path}:{number}: {error}") from error
        rows += state
        choices.append(int(move))
    if len(choices) != count:
        raise StrategyError(f"{path} is cut short: {len(choices)} of {count} choices")
    return Strategy(
        strategy.game,
        strategy.rules,
        strategy.role,
        strategy.value,
        strategy.start,
        fluents,
        moves,
        bytes(rows),
        tuple(choices),
    )


def refuse_other_game(strategy: Strategy, game: Game) -> None:
    """StrategyError where a strategy was made for other rules than those of a game."""
    if game.rules is not None and rules_digest(game.rules) != strategy.rules:
        raise StrategyError(f"this strategy was made for other rules ({strategy.game}) than {game.name} has")
