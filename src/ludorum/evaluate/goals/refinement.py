"""What is known of a state beside its goals: goal values that hold already, moves, and what pieces are worth.

Goal values that the rules give before the end are mixed into a value. Moves and pieces only decide between
states of one value, as a bonus that is smaller than any difference between two values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import floor

from ..._core import SplitMix64
from ...engine.compiled import CompiledGame, CompiledState
from ...engine.errors import GameError
from ...engine.game import Game, State, random_states
from ...engine.lifted import LiftedGame
from ...rules.terms import Pattern, Term
from ..structures import Structure, StructureKind, find_structures

QUANTUM = 2.0**-40
"""Values that are nearer to each other are one value: sums of floating numbers tell no more."""
SHARE_OF_GOAL = 0.5
"""What a goal value that holds already counts for, beside the networks."""
SAMPLE = 100
"""States of random plays in which it is measured what a feature costs, and whether it tells states apart."""
MOST_JOINS = 3_000_000
"""Joins for all of them: less than 0.3 seconds. It is not the clock that decides what a value is made of."""
MOST_COUNTED = 20_000
"""Moves on empty boards that are counted, and pieces that are placed. With more, none has a value."""

PieceValues = Mapping[Term, Mapping[Term, float]]
"""Of each role the facts that are pieces of its own, and what each is worth."""


@dataclass(frozen=True)
class Refinement:
    """How the value of a state by its goals becomes the value that searches see."""

    has_goals: bool = False
    """Whether the rules give goal values before the end that tell states apart."""
    usual_moves: int | None = None
    """The moves that a role has on average; None where they are not counted."""
    pieces: PieceValues | None = None
    usual_worth: float = 0.0
    """What all pieces are worth at the start."""

    def __call__(self, state: State, role: Term, value: float) -> float:
        """The value of a state in which the match is not over."""
        goal = state.goal(role) if self.has_goals else None
        if goal is not None:
            value += SHARE_OF_GOAL * (goal - value)
        return with_bonus(value, self.bonus(state, role))

    def bonus(self, state: State, role: Term) -> float:
        """What decides between states of one value, 0 to 1."""
        parts = []
        if self.usual_moves is not None:
            moves = count_moves(state, role)
            parts.append(moves / (moves + self.usual_moves) if moves else 0.0)
        if self.pieces is not None:
            parts.append(self._piece_share(state, role, self.pieces))
        return sum(parts) / len(parts) if parts else 0.0

    def _piece_share(self, state: State, role: Term, pieces: PieceValues) -> float:
        """0 to 1: a half where a role and all others have as much on the board."""
        facts = state.facts()
        worth = {owner: _worth_in(facts, own) for owner, own in pieces.items()}
        ahead = 2 * worth.get(role, 0.0) - sum(worth.values())
        return (1 + max(-1.0, min(1.0, ahead / max(self.usual_worth, 1.0)))) / 2


def with_bonus(value: float, bonus: float) -> float:
    """A value that is moved by a bonus between 0 and 1, and never as far as to another value."""
    return (floor(value / QUANTUM) + bonus / 2) * QUANTUM


def find_refinement(game: Game) -> Refinement:
    """What there is in a game, and what is cheap enough."""
    states = sample_states(game)
    if not states:
        return Refinement()
    moves = [count_moves(state, role) for state in states for role in game.info.players]
    pieces = find_piece_values(game)
    return Refinement(
        has_goals=_have_goals(states),
        usual_moves=max(1, round(sum(moves) / len(moves))),
        pieces=pieces or None,
        usual_worth=_worth(game.initial(), pieces),
    )


def sample_states(game: Game) -> list[State]:
    """States of random plays in which the match is not over; none where moves and goals take too many joins.

    Compiled games have no joins, and no other game is asked.
    """
    if not isinstance(game, CompiledGame | LiftedGame):
        return []
    found: list[State] = []
    begin = _joins(game)
    for seed in range(SAMPLE):
        for state in islice(random_states(game.initial(), SplitMix64(seed)), SAMPLE):
            if not state.is_terminal:
                state.goals()
                found.append(state)
            if _joins(game) - begin > MOST_JOINS:
                return []
            if len(found) == SAMPLE:
                return found
    return found


def _joins(game: CompiledGame | LiftedGame) -> int:
    return game.program.core.steps if isinstance(game, LiftedGame) else 0


def count_moves(state: State, role: Term) -> int:
    """How many legal moves a role has."""
    if isinstance(state, CompiledState):  # without a term for each
        return len(state.legal_numbers(state.game.seat(role)))
    return len(state.legal(role))


def _have_goals(states: Iterable[State]) -> bool:
    """Whether every role has a goal value in all of them, and not always the same ones."""
    goals = [state.goals() for state in states]
    return all(None not in own for own in goals) and len(set(goals)) > 1


def find_piece_values(game: Game) -> dict[Term, dict[Term, float]]:
    """Of each role its pieces: each is worth the moves that it adds to an empty board, on average.

    A piece is of the only role to which it adds moves.
    """
    if game.rules is None:
        return {}
    initial = frozenset(game.initial().facts())
    structures = find_structures(game.rules, initial)
    found: dict[Term, dict[Term, float]] = {}
    left = MOST_COUNTED
    for board in structures:
        if board.kind is not StructureKind.BOARD or board.contents is None:
            continue
        empty = _EmptyBoard(game, board, structures, initial)
        for piece in _pieces_on(board, empty, structures):
            worth: dict[Term, tuple[float, Iterable[Term]]] = {}
            for role in game.info.players:
                without, moves = _moves_on(empty, role, piece, left)
                left -= without + sum(moves.values()) + len(moves)
                if left < 0:
                    return {}
                added = sum(count - without for count in moves.values())
                if added > 0:
                    worth[role] = added / len(moves), moves
            if len(worth) == 1:
                ((owner, (value, facts)),) = worth.items()
                found.setdefault(owner, {}).update(dict.fromkeys(facts, value))
    return found


def _pieces_on(board: Structure, empty: _EmptyBoard, structures: Iterable[Structure]) -> Iterator[Term]:
    for each in structures:
        is_marker = each.kind is StructureKind.MARKER and each.name == board.name
        if is_marker and each.value is not None and each.value is not empty.blank:
            yield each.value


def _moves_on(board: _EmptyBoard, owner: Term, piece: Term, most: int) -> tuple[int, dict[Term, int]]:
    """How many moves the owner has without the piece, and by where it stands; no more than are asked for."""
    moves: dict[Term, int] = {}
    try:
        without = counted = count_moves(board.state(owner), owner)
        for fact in board.known(board.fact(cell, piece) for cell in board.cells):
            moves[fact] = count_moves(board.state(owner, fact), owner)
            counted += moves[fact] + 1
            if counted > most:
                break
    except GameError:  # a board that the rules do not expect
        return 0, {}
    return without, moves


def _worth(state: State, pieces: PieceValues) -> float:
    facts = state.facts()
    return sum(_worth_in(facts, own) for own in pieces.values())


def _worth_in(facts: Collection[Term], own: Mapping[Term, float]) -> float:
    """What the pieces of one role are worth in a state."""
    return sum(own[fact] for fact in facts if fact in own)


class _EmptyBoard:
    """A board with nothing on it, and all else as it is at the start."""

    def __init__(
        self, game: Game, board: Structure, structures: Iterable[Structure], initial: frozenset[Term]
    ) -> None:
        assert board.contents is not None
        self._game = game
        self._arity = board.name[1]
        self._name, self._contents = board.name[0], board.contents
        own = [fact for fact in initial if fact.signature == board.name]
        self.blank = _blank(board, own)
        self._known = frozenset(game.circuit.fluents) if isinstance(game, CompiledGame) else None
        """What can hold at all, where that is known: cells that are never empty, say, are left out."""
        self._turns = {
            each.owner: Term(each.name[0], (each.owner,))
            for each in structures
            if each.kind is StructureKind.TURN and each.owner is not None
        }
        self._others = initial.difference(own, self._turns.values())
        self.cells = sorted(_cells(board, own), key=str)
        """The arguments of each cell, in the order of the board's places."""

    def fact(self, cell: tuple[Pattern, ...], content: Pattern) -> Term:
        args = list(cell)
        args.insert(self._contents, content)
        return Term(self._name, tuple(args))

    def known(self, facts: Iterable[Term]) -> list[Term]:
        """Those that can hold at all."""
        return [fact for fact in facts if self._known is None or fact in self._known]

    def state(self, mover: Term, piece: Term | None = None) -> State:
        """A state in which a role is to move; with this piece on the board, or without any."""
        facts = set(self._others)
        if mover in self._turns:
            facts.add(self._turns[mover])
        taken = None if piece is None else _without(piece.args, self._contents)
        if self.blank is not None:
            facts.update(self.fact(cell, self.blank) for cell in self.cells if cell != taken)
        if piece is not None:
            facts.add(piece)
        return self._game.state(self.known(facts))


def _blank(board: Structure, own: Sequence[Term]) -> Pattern | None:
    """What stands on an empty cell: what most cells have at the start, if the first state names all cells."""
    assert board.contents is not None
    if len(own) < board.size:
        return None
    counts = Counter(fact.args[board.contents] for fact in own)
    return max(sorted(counts, key=str), key=counts.__getitem__)


def _cells(board: Structure, own: Iterable[Term]) -> Iterator[tuple[Pattern, ...]]:
    """All cells of a board: those of the first state, if it has as many; else all of its axes."""
    assert board.contents is not None
    named = {_without(fact.args, board.contents) for fact in own}
    if len(named) == board.size or len(board.axes) < len(board.places):
        yield from named
    else:
        for names in product(*(sorted(order.names) for _, order in board.axes)):
            yield tuple(Term(name) for name in names)


def _without(args: tuple[Pattern, ...], place: int) -> tuple[Pattern, ...]:
    return args[:place] + args[place + 1 :]
