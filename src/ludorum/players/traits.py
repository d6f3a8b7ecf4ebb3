"""The traits of a game, as far as rules and a moment of random play can tell.

``GameInfo`` says what is proved; the rest is measured in the start clock, and a recipe decides by it.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from statistics import fmean

from ..engine.compiled import CompiledGame
from ..engine.game import Game, State, Status
from ..rules.ruleset import Ruleset, signed_atoms
from ..rules.terms import Signature, Term

MOST_WALKS = 50
LONGEST_WALK = 500
MOST_STATES = 3000
"""States of all walks: counted, so that a busy machine measures the same traits."""


@dataclass(frozen=True)
class Traits:
    """Facts that a recipe decides by. Those seen only in random play may turn out otherwise."""

    players: int
    chance: bool
    hidden: bool
    simultaneous: bool
    """Whether two players ever had a choice at the same time."""
    constant_sum: bool
    """Whether the goals of all players always had the same sum at the end."""
    branching: float
    """Moves of a player with a choice, on average."""
    length: float
    """Joint moves of a random game, on average."""
    compiled: bool
    asks: bool = False
    """Whether the rules have a move that only shows something: no rule but those of ``sees`` asks for it."""

    def as_json(self) -> dict[str, object]:
        return dict(vars(self))


def measure_traits(game: Game, seconds: float | None = None, seed: int = 0) -> Traits:
    """Measure traits by random play: for so many states, or until the seconds of a clock are over."""
    deadline = math.inf if seconds is None else time.monotonic() + seconds
    seen = _Seen()
    for walk in range(MOST_WALKS):
        length = _walk(game, seed + walk, seen, deadline)
        if length is None:
            break
        seen.lengths.append(length)
    info = game.info
    simultaneous = info.simultaneous.value if info.simultaneous.status is Status.PROVED else seen.simultaneous
    return Traits(
        players=len(info.players),
        chance=info.chance_role is not None,
        hidden=game.rules is not None and game.rules.has_hidden_information and not info.is_open,
        simultaneous=bool(simultaneous),
        constant_sum=info.zero_sum.value
        if info.zero_sum.status is Status.PROVED and info.zero_sum.value is not None
        else seen.constant_sum(len(info.players)),
        branching=fmean(seen.branchings) if seen.branchings else 1.0,
        length=fmean(seen.lengths) if seen.lengths else 0.0,
        compiled=isinstance(game, CompiledGame),
        asks=game.rules is not None and has_questions(game.rules),
    )


def has_questions(rules: Ruleset) -> bool:
    """Whether some move is a condition of its own role's percepts alone: it changes only what is known.

    >>> from ludorum.engine.load import load_game
    >>> [has_questions(load_game(name).rules) for name in ("battleships_in_fog", "krieg_tictactoe")]
    [True, False]
    """
    shown: set[Signature] = set()
    used: set[Signature] = set()
    for rule in rules.rules:
        is_percept = rule.head.signature == ("sees", 2)
        atoms = (atom.term for atom, _ in signed_atoms(rule.body))
        for by, move in (term.args for term in atoms if term.signature == ("does", 2)):
            if not isinstance(move, Term):
                if not is_percept:
                    return False  # it asks for any move at all
            elif not is_percept:
                used.add(move.signature)
            elif by == rule.head.args[0]:  # others may be told of any move
                shown.add(move.signature)
    return bool(shown - used)


def _walk(game: Game, seed: int, seen: _Seen, deadline: float) -> int | None:
    """Walk through one random game; its length, cut where it is too long, or None if time is up."""
    length = -1
    for length, state in enumerate(game.playout(seed)):
        seen.look(state)
        if length >= LONGEST_WALK:
            break
        if seen.states >= MOST_STATES or time.monotonic() > deadline:
            return None
    return length


class _Seen:
    """What random play has seen."""

    def __init__(self) -> None:
        self.simultaneous = False
        self.sums: set[int] = set()
        self.branchings: list[int] = []
        self.lengths: list[int] = []
        self.states = 0

    def constant_sum(self, players: int) -> bool:
        """A guess where no game was seen to its end: that sums are constant, for two players only."""
        return len(self.sums) == 1 if self.sums else players == 2

    def look(self, state: State) -> None:
        self.states += 1
        if state.is_terminal:
            goals = [state.goal(role) for role in state.game.info.players]
            self.sums.add(sum(goal or 0 for goal in goals))
            return
        choices = [count for role in state.game.info.players if (count := len(state.legal(role))) > 1]
        self.simultaneous |= len(choices) > 1
        self.branchings.extend(choices)
