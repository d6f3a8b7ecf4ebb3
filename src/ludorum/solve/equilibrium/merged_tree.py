"""The tree of a game with histories joined that lead to the same: for games whose tree is too large.

A role's information is what it can tell about the state: the set of all states that agree with its moves and
percepts. Histories that lead to the same state and leave every role with the same set are one node, whatever
their order was; ten deposits in four banks have a million orders, and 286 outcomes. What is lost: a role
forgets how likely each of its states is by the way it came there. So strategies are good answers, and no
promise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...engine.errors import GameError
from ...engine.game import Game, JointMove, State
from ...rules.terms import Term
from .game_tree import GameTree, InformationSet, tree_too_large
from .plain_tree import HistoryNumbers, PendingHistory, TreeMaking

LOOKS_A_NODE = 3
"""Outcomes of joint moves that may be looked at for each node allowed."""
LEAST_STEPS = 12
"""A step may have this part of all nodes at most, so that games which grow and grow are soon given up."""
LOOKS_AT_ONCE = 64
"""Outcomes between two looks at the clock."""


@dataclass(frozen=True)
class MergedTree:
    """A tree whose nodes may have several parents, and the way to find a role's place in it."""

    tree: GameTree
    supports: dict[Term, SupportNumbers]
    sets: dict[tuple[Term, int], InformationSet]
    """By role and the number of its set of possible states."""

    def find(self, role: Term, history: Sequence[tuple[Term, frozenset[Term]]]) -> InformationSet | None:
        """A role's choice after a history; None where it is not in the tree."""
        numbers, at = self.supports[role], 0
        for move, percepts in history:
            at = numbers.after(at, move, percepts)
        return self.sets.get((role, at))


def make_merged_tree(game: Game, most_nodes: int, is_up: Callable[[], bool] | None = None) -> MergedTree:
    """The tree of a game that hides something, with joined histories.

    TreeTooLargeError where it has more nodes than allowed (nodes before they are joined count), where sets of
    possible states are too large to be followed, or where ``is_up`` says that time is up. GameError as in
    ``make_tree``, and where nothing is hidden.
    """
    if game.info.is_open:
        raise GameError(f"{game.name} hides nothing")
    making = _MergedMaking(game, most_nodes, is_up)
    tree = making.run(game.initial())
    return MergedTree(
        tree,
        dict(zip(making.players, making.supports, strict=True)),
        {
            (making.players[player], key): making.sets[number]
            for (player, key), number in making.set_numbers.items()
        },
    )


class _Plays:
    """Outcomes of joint moves, each made once: the next state, and what each player perceives."""

    def __init__(self, game: Game, most_nodes: int, is_up: Callable[[], bool] | None) -> None:
        self._game, self._most_nodes, self._is_up = game, most_nodes, is_up
        self._looks = 0
        self._known: dict[tuple[State, JointMove], tuple[State, tuple[frozenset[Term], ...]]] = {}

    def after(self, state: State, joint: JointMove) -> tuple[State, tuple[frozenset[Term], ...]]:
        self._looks += 1
        is_late = self._is_up is not None and self._looks % LOOKS_AT_ONCE == 0 and self._is_up()
        if is_late or self._looks > LOOKS_A_NODE * self._most_nodes:
            raise tree_too_large(self._game.name, self._most_nodes)
        found = self._known.get((state, joint))
        if found is None:
            after = state.play(joint)
            found = after, tuple(frozenset(after.percepts(role)) for role in self._game.info.players)
            self._known[state, joint] = found
        return found


class SupportNumbers(HistoryNumbers):
    """Numbers for the sets of states that a role thinks possible."""

    def __init__(self, start: State, player: int, plays: _Plays) -> None:
        super().__init__()
        self._player, self._role = player, start.game.info.players[player]
        self._seat = start.game.roles.index(self._role)
        self._plays = plays
        self._supports = [frozenset([start])]
        self._known: dict[frozenset[State], int] = {self._supports[0]: 0}
        self._after: dict[tuple[int, Term], dict[frozenset[Term], int]] = {}
        self._first: list[tuple[int, Term, frozenset[Term]] | None] = [None]

    def after(self, before: int, move: Term, percepts: frozenset[Term]) -> int:
        """-1 where nothing agrees."""
        if before < 0:
            return before
        found = self._after.get((before, move))
        if found is None:
            found = self._after[before, move] = self._step(before, move)
        return found.get(percepts, -1)

    def steps(self, number: int) -> tuple[tuple[Term, frozenset[Term]], ...]:
        """One of the histories that lead to a set of states."""
        found = []
        while (step := self._first[number]) is not None:
            number, move, percepts = step
            found.append((move, percepts))
        return tuple(reversed(found))

    def _step(self, before: int, move: Term) -> dict[frozenset[Term], int]:
        """The sets after a move, by what is perceived."""
        parts: dict[frozenset[Term], set[State]] = {}
        for state in self._supports[before]:
            if state.is_terminal or move not in state.legal(self._role):
                continue
            for joint in state.joint_moves():
                if joint[self._seat] is move:
                    after, percepts = self._plays.after(state, joint)
                    parts.setdefault(percepts[self._player], set()).add(after)
        return {
            percepts: self._number(before, move, percepts, frozenset(part))
            for percepts, part in parts.items()
        }

    def _number(self, before: int, move: Term, percepts: frozenset[Term], support: frozenset[State]) -> int:
        number = self._known.setdefault(support, len(self._supports))
        if number == len(self._supports):
            self._supports.append(support)
            self._first.append((before, move, percepts))
        return number


class _MergedMaking(TreeMaking):
    """Makes a tree in which histories are joined."""

    def __init__(self, game: Game, most_nodes: int, is_up: Callable[[], bool] | None) -> None:
        super().__init__(game, most_nodes, None)
        self._plays, start = _Plays(game, most_nodes, is_up), game.initial()
        self.supports = [SupportNumbers(start, at, self._plays) for at in range(len(self.players))]
        self._histories = list(self.supports)

    @property
    def set_numbers(self) -> dict[tuple[int, int], int]:
        return self._set_numbers

    def _played(self, one: PendingHistory) -> PendingHistory:
        after, percepts = self._plays.after(one.state, one.chosen)
        moves = dict(zip(self.game.roles, one.chosen, strict=True))
        keys = tuple(
            numbers.after(key, moves[role], seen)
            for numbers, key, role, seen in zip(self.supports, one.keys, self.players, percepts, strict=True)
        )
        return PendingHistory(one.node, after, (), keys)

    def _joined(self, pending: list[PendingHistory]) -> list[PendingHistory]:
        first: dict[tuple[State, tuple[int, ...]], PendingHistory] = {}
        for one in pending:
            twin = first.setdefault((one.state, one.keys), one)
            if twin is not one:
                self._twins[one.node] = twin.node
        going = sum(not one.state.is_terminal for one in first.values())
        if going > self.most_nodes // LEAST_STEPS:
            raise tree_too_large(self.game.name, self.most_nodes)
        return list(first.values())
