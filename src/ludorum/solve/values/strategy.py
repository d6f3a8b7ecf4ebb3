"""Strategies: the move of a role in each state in which it has a choice, and the value it guarantees.

A strategy is data that can be replayed (``check_strategy``). In a file it names facts and moves by their
text, so that every engine can read it, whatever its own numbers are; a name that ends in ``.gz`` is packed.

Two rules keep it small: where a state is not listed but a symmetric image of it is, the choice for the image
is renamed; where no image is listed, the role makes a move that ends the game at once with that value.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from ..._core import RowIndex
from ...engine.errors import GameError
from ...engine.game import Game, State, format_facts, parse_facts, parse_move
from ...engine.information import find_secret
from ...rules.ruleset import Ruleset, format_kif
from ...rules.terms import Term, format_term, sort_key

FORMAT = "ludorum strategy 2"
OLD_FORMATS = ("ludorum strategy 1",)
"""The format without images, and with immediate ends among the states; still read."""
AT_ONCE = 1 << 16
"""Lines that are written at once."""


class StrategyError(GameError):
    """A file that holds no strategy, or one of another game."""


@dataclass(frozen=True)
class Image:
    """A renaming of a strategy's facts and moves, by number: what becomes of each."""

    fluents: tuple[int, ...]
    moves: tuple[int, ...]

    def move_back(self, number: int) -> int:
        """The move whose image is this one."""
        return self.moves.index(number)


@dataclass(frozen=True)
class Strategy:
    """The choices of a role that give it at least ``value``, whatever the others do."""

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
    choices: array[int]
    """By row: the number of the move, four bytes each."""
    images: tuple[Image, ...] = ()
    """Renamings under which a choice for one state is a choice for its images. They need not be
    trusted to preserve the rules: a choice made by them is checked like any other."""
    opened: bool = False
    """Whether it is for the opened game: the role knows the state although the game hides it."""

    def __len__(self) -> int:
        return len(self.choices)

    @property
    def row_bytes(self) -> int:
        return (len(self.fluents) + 7) // 8

    def move(self, state: State) -> Term | None:
        """The role's move in a state: its only legal move, or its choice; None where it has none."""
        legal = state.legal(self.role)
        if len(legal) == 1:
            return legal[0]
        listed = self.listed(state)
        if listed is not None:
            return listed
        at_once = self.end_at_once(state)
        return None if at_once is None else at_once[0]

    def listed(self, state: State) -> Term | None:
        """The choice for a state, or the one for an image of it; None where none is listed."""
        places = [self._places.get(fact, -1) for fact in state.facts()]
        if -1 in places:
            return None
        number = self._find(places)
        if number >= 0:
            return self.moves[number]
        for image in self.images:
            number = self._find([image.fluents[place] for place in places])
            if number >= 0:
                return self.moves[image.move_back(number)]
        return None

    def end_at_once(self, state: State) -> tuple[Term, int] | None:
        """The move that ends the game here with the highest goal, and that goal, where it is enough and no
        other role has a choice."""
        moves: list[tuple[Term, ...]] = [state.legal(role) for role in state.game.roles]
        seat = state.game.roles.index(self.role)
        if any(len(own) != 1 for at, own in enumerate(moves) if at != seat):
            return None
        ends = list[tuple[Term, int]]()
        for move in moves[seat]:
            after = state.play(tuple(move if at == seat else own[0] for at, own in enumerate(moves)))
            if is_over(after):
                ends.append((move, goal_at_end(after, self.role)))
        best = max(ends, key=lambda end: end[1], default=None)
        return None if best is None or best[1] < self.value else best

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
            "images": [[image.fluents, image.moves] for image in self.images],
            "opened": self.opened,
            "choices": len(self),
        }
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(path, "wt", encoding="utf-8") as file:
            file.write(json.dumps(head, ensure_ascii=False) + "\n")
            for begin in range(0, len(self), AT_ONCE):
                part = slice(begin, begin + AT_ONCE)
                numbered = zip(self._rows(part), self.choices[part], strict=True)
                lines = (f"{row.hex()} {number}\n" for row, number in numbered)
                file.write("".join(lines))

    def _rows(self, part: slice) -> Iterator[bytes]:
        size = self.row_bytes
        return (self.states[at * size : (at + 1) * size] for at in range(*part.indices(len(self))))

    @cached_property
    def _index(self) -> RowIndex:
        index = RowIndex(self.row_bytes)
        index.add(np.frombuffer(self.states, np.uint8).reshape(-1, self.row_bytes))
        return index

    @cached_property
    def _places(self) -> dict[Term, int]:
        return {fluent: at for at, fluent in enumerate(self.fluents)}

    def _find(self, places: Iterable[int]) -> int:
        """The number of the move that is listed for a state, given by the places of its facts; -1: none."""
        row = np.zeros((1, self.row_bytes), np.uint8)
        for at in places:
            row[0, at >> 3] |= 1 << (at & 7)
        found = int(self._index.find(row)[0])
        return self.choices[found] if found >= 0 else -1


def is_over(state: State) -> bool:
    """Whether play ends in a state: it is terminal, or a role has no move."""
    return state.is_terminal or not all(state.legal(role) for role in state.game.roles)


def goal_at_end(state: State, role: Term) -> int:
    """The goal of a role where play is over; 0 where it has none."""
    return max(0, state.goal(role) or 0)


def rules_digest(rules: Ruleset) -> str:
    """A digest of the rules that does not depend on their layout."""
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
        array("I", [names.index(move) for move in chosen.values()]),
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
    """Reads what ``Strategy.save`` wrote; StrategyError with the place of the first fault."""
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
        if head.get("format") not in (FORMAT, *OLD_FORMATS):
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
            array("I"),
            tuple(_image(fluents, moves, *numbers) for numbers in head.get("images", [])),
            head.get("opened") is True,
        )
        count = int(head["choices"])
    except (ValueError, KeyError, TypeError, AttributeError, GameError) as error:
        raise StrategyError(f"{path} is no strategy: {error}") from error
    rows, choices = bytearray(), array("I")
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
    return replace(strategy, states=bytes(rows), choices=choices)


def _image(
    all_fluents: Sequence[Term], all_moves: Sequence[Term], fluents: Sequence[int], moves: Sequence[int]
) -> Image:
    for numbers, names in ((fluents, all_fluents), (moves, all_moves)):
        if sorted(numbers) != list(range(len(names))):
            raise ValueError("an image is no renaming of all facts and moves")
    return Image(tuple(fluents), tuple(moves))


def refuse_other_game(strategy: Strategy, game: Game) -> None:
    """StrategyError where a strategy was made for other rules than those of a game."""
    if game.rules is not None and rules_digest(game.rules) != strategy.rules:
        raise StrategyError(f"this strategy was made for other rules ({strategy.game}) than {game.name} has")


def refuse_secrets(strategy: Strategy, game: Game) -> None:
    """StrategyError where a strategy chooses by the state in a game that hides it from the role."""
    secret = None if strategy.opened else find_secret(game)
    if secret is not None:
        raise StrategyError(
            f"{game.name} does not show every role the state, by which this strategy chooses: {secret.reason}"
        )
