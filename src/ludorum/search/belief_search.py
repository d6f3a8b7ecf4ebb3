"""Search over beliefs: what a role that decides alone should do, when what it learns on the way counts.

The game is followed level by level, from what the role believes now to the end: every move splits a belief by
what would be seen, every part is a belief of the next level, and equal beliefs are one. So a move is worth
what the role can make of its answers. Where all options fit the work allowed, the answer is the best there
is. Else the search goes in rounds: of each belief only the most promising options are followed, more in each
round, those near the root most. The first round follows one option everywhere, which values a whole policy
at the price of a few playouts; later rounds improve it.

What is promising is read off ``sees`` alone: an option whose parts are many and even leaves little to find
out. Among moves of the same value the search takes those that end the match sooner.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..engine.compiled import CompiledGame
from ..engine.game import Game
from ..engine.packed_rows import mixed
from ..engine.simulator import Packed
from ..rules.terms import Term
from .beliefs import Beliefs, BeliefSteps, Floats, Ints, Keys, Prospect, rounded, sums_of
from .budget import Budget, Stopwatch
from .decision import Choice, Decision
from .mixed import NoAdviceError

STEP_COST = 1e-6
"""Points of a goal that a step costs: far less than any difference of goals, and enough to end sooner."""
SAME = 1e-9
EXPONENT = 0.1
"""How much of a goal what is still hidden may cost, as an exponent of its probability. Little: what ends a
match badly counts first. With 1/2 a policy of minesweeper wins 59 fields of 100, with 1/10 it wins 67."""
SHARE_OF_DRAWS = 0.2
"""The share of the work in which a first policy must be followed to the end where nature goes on drawing: the
rest is for other searches."""
FEW_JOINTS, FEW_WORLDS = 10_000, 8
"""Where a first look has more joint moves and a clock runs, a look at some worlds says how long they take."""
MARGIN = 0.8
"""The share of a clock that predicted work may fill: predictions fail on a busy machine."""
SHARE_OF_FIRST_LOOK = 0.25
"""The share of a clock that the first look may take."""
STEPS_A_PLAYOUT = 10
"""Joint moves that count as one playout, where a budget counts those."""
GROWTH = 4
"""A round follows so many times as many options as the one before."""


@dataclass(frozen=True)
class BeliefConfig:
    """Bounds of a search over beliefs, all of them counts."""

    worlds: int = 4096
    """The most worlds of the belief to begin with; of more of them, some are drawn."""
    work: int = 1_000_000
    """Joint moves of all rounds together."""
    steps: int = 200
    """Steps that a round looks ahead."""


@dataclass(frozen=True)
class _Level:
    """Beliefs of one step, and what may come of them."""

    prospect: Prospect
    kept: NDArray[np.bool_]
    """By option: whether it is followed."""
    number: Ints
    """By belief after this level: its number among those that the next level has; -1 where none."""


@dataclass(frozen=True)
class _Worth:
    """Values of beliefs or options."""

    value: Floats
    """What the best policy that was followed gets; an estimate where it was not followed to the end."""
    upper: Floats
    """What no policy can exceed."""
    settled: NDArray[np.bool_]
    """Whether the value was followed to the end."""


def decides_alone(game: Game, role: Term) -> bool:
    """Whether no other role ever has a choice: all but nature have one move in the whole game.

    >>> import ludorum
    >>> game = ludorum.load_game("minesweeper", "compiled")
    >>> decides_alone(game, game.role("player"))
    True
    """
    others = [one for one in game.info.players if one is not role]
    if not others:
        return True
    if not isinstance(game, CompiledGame):
        return False
    return all(len(game.circuit.role_moves[game.roles.index(one)]) == 1 for one in others)


class BeliefSearch:
    """Searches beliefs of one role of a game with a circuit."""

    def __init__(self, game: CompiledGame, role: Term, config: BeliefConfig | None = None) -> None:
        """NoAdviceError where another role may decide something, too."""
        if not decides_alone(game, role):
            raise NoAdviceError(f"{role} does not decide alone in {game.name}")
        self.game, self.role = game, role
        self.config = config or BeliefConfig()
        self.searched = 0
        """Worlds of the last search: fewer than given where a clock has no time for all."""
        self._steps = BeliefSteps(game, role)

    def search(self, rows: Packed, weights: Floats, budget: Budget, *, exact: bool = True) -> Decision:
        """The best move of a role that may be in any of these states, none of which is over.

        ``exact``: whether these are all states that are possible; else nothing is proven. NoAdviceError where
        not even one step can be looked ahead, or where nature goes on drawing and no policy can be followed
        to the end: what is known then says little about what is won.
        """
        watch = Stopwatch(budget)
        root = self._in_time(self._steps.start(rows, weights), watch)
        self.searched = len(root.rows)
        exact = exact and self.searched == len(rows)
        most = self._most_work(budget)
        if self._steps.cost(root) > max(most, self.config.work):
            raise NoAdviceError("a single step has too many outcomes")
        levels, work = self._round(root, 1, most, watch, is_first=True)
        if not levels:
            raise NoAdviceError("time was up before one step was looked ahead")
        worth, width = self._worth(levels), GROWTH
        if not worth.settled[levels[0].kept].any() and any(one.prospect.draws for one in levels):
            raise NoAdviceError("nature draws so much that no policy can be followed to the end")
        while not _is_settled(worth, levels[0]) and work < most:
            wider, spent = self._round(root, width, most - work, watch)
            work += spent
            if not wider:
                break
            levels, worth, width = wider, self._worth(wider), width * GROWTH
        return self._decision(worth, levels, work, watch.seconds, exact)

    def _in_time(self, root: Beliefs, watch: Stopwatch) -> Beliefs:
        """The belief, or some of its worlds where a look at all of them would take too much of a clock."""
        left, cost = watch.seconds_left, self._steps.cost(root)
        if left is None or cost <= FEW_JOINTS:
            return root
        few = self._some_worlds(root, FEW_WORLDS)
        begin = watch.seconds
        self._steps.look(few, watch.is_up)
        pace = (watch.seconds - begin) / self._steps.cost(few)
        fits = left * SHARE_OF_FIRST_LOOK / pace
        return root if cost <= fits else self._some_worlds(root, max(1, int(len(root.rows) * fits / cost)))

    def _some_worlds(self, root: Beliefs, count: int) -> Beliefs:
        """So many worlds of a belief at most, from all parts of it."""
        places = np.unique(np.linspace(0, len(root.rows) - 1, count).astype(np.int64))
        return self._steps.start(root.rows[places], root.weights[places])

    def _most_work(self, budget: Budget) -> int:
        """Joint moves that may be made."""
        limits = [self.config.work]
        limits += [] if budget.nodes is None else [budget.nodes]
        limits += [] if budget.playouts is None else [budget.playouts * STEPS_A_PLAYOUT]
        return min(limits)

    # -- one round -----------------------------------------------------------------------------------------

    def _round(
        self, root: Beliefs, width: int, most: int, watch: Stopwatch, is_first: bool = False
    ) -> tuple[list[_Level], int]:
        """The levels of one round, and its work. No levels where it would be too much: a first round then
        ends early."""
        levels: list[_Level] = []
        beliefs, work, share = root, 0, 1.0
        while len(beliefs) and len(levels) < self.config.steps:
            prospect = None
            cost = self._steps.cost(beliefs)
            if not levels or (work + cost <= share * most and _fits(cost, work, watch, share)):
                prospect = self._steps.look(beliefs, watch.is_up)
            if prospect is None:
                return (levels, work) if is_first else ([], work)
            work += prospect.work
            share = SHARE_OF_DRAWS if prospect.draws and is_first else share
            kept = self._promising(prospect, len(beliefs), width)
            used = np.unique(prospect.part_after[kept[prospect.part_option]])
            number = np.full(len(prospect.after), -1)
            number[used] = np.arange(len(used))
            levels.append(_Level(prospect, kept, number))
            beliefs = prospect.after.some(used)
            width = max(1, width // 2)
        return levels, work

    def _promising(self, found: Prospect, beliefs: int, width: int) -> NDArray[np.bool_]:
        """The options that are followed: so many of each belief, the most promising ones."""
        score = found.ended + _sum_of_parts(found, self._estimate(found.after)) - STEP_COST
        upper = found.ended + found.going * (self._steps.top - STEP_COST) - STEP_COST
        is_end = found.going == 0
        sure = np.full(beliefs, -np.inf)
        np.maximum.at(sure, found.belief[is_end], score[is_end])
        hopeless = (upper <= sure[found.belief] + SAME) & ~(is_end & (score >= sure[found.belief] - SAME))
        again = _rank((found.move, -score), (_profile(found), found.belief))
        rank = _rank((found.move, -score, again, hopeless), (found.belief,))
        promising: NDArray[np.bool_] = (rank < width) & ~hopeless
        return promising

    def _estimate(self, beliefs: Beliefs) -> Floats:
        """What beliefs may be worth, not followed further: the more is known, the more."""
        return self._steps.top * beliefs.sameness**EXPONENT

    # -- back to the root ----------------------------------------------------------------------------------

    def _worth(self, levels: list[_Level]) -> _Worth:
        """What the options of the root are worth."""
        after = levels[-1].prospect.after.some(np.flatnonzero(levels[-1].number >= 0))
        below = _Worth(self._estimate(after), self._ceiling(len(after)), np.zeros(len(after), np.bool_))
        for level in reversed(levels):
            options = self._of_options(level, below)
            below = _of_beliefs(level, options)
        return options

    def _ceiling(self, count: int) -> Floats:
        return np.full(count, self._steps.top - STEP_COST)

    def _of_options(self, level: _Level, below: _Worth) -> _Worth:
        found, known = level.prospect, level.number >= 0
        which = level.number[known]
        value, upper = self._estimate(found.after), self._ceiling(len(found.after))
        settled = np.zeros(len(found.after), np.bool_)
        value[known], upper[known], settled[known] = (
            below.value[which],
            below.upper[which],
            below.settled[which],
        )
        open_parts = np.bincount(found.part_option, ~settled[found.part_after], len(found.belief))
        return _Worth(
            found.ended + _sum_of_parts(found, value) - STEP_COST,
            found.ended + _sum_of_parts(found, upper) - STEP_COST,
            open_parts == 0,
        )

    def _decision(
        self, worth: _Worth, levels: list[_Level], work: int, seconds: float, exact: bool
    ) -> Decision:
        first, moves = levels[0], self.game.circuit.moves
        proven = exact and _is_settled(worth, first)
        order = sorted(
            np.flatnonzero(first.kept).tolist(),
            key=lambda at: (-round(float(worth.value[at]), 9), first.prospect.move[at]),
        )
        choices = tuple(
            Choice(
                moves[first.prospect.move[at]][1],
                1,
                round(float(worth.value[at]), 3),
                bool(exact and worth.settled[at] and worth.upper[at] <= worth.value[at] + SAME),
            )
            for at in order
        )
        reason = _reason(worth, order[0], proven, len(levels))
        return Decision(
            self.role, choices[0].move, choices, work, 0, seconds, len(levels), proven, reasons=(reason,)
        )


def _fits(cost: float, work: int, watch: Stopwatch, share: float) -> bool:
    """Whether a share of a clock has time for so many more joint moves, at the pace of those that were made;
    without a clock always."""
    clock, spent = watch.budget.seconds, watch.seconds
    return clock is None or spent + cost * spent / work <= MARGIN * share * clock


def _reason(worth: _Worth, best: int, proven: bool, steps: int) -> str:
    """What was found out about the best option, in words."""
    if proven:
        return "no policy gets more on average: every move and every answer that matters was followed"
    if worth.settled[best]:
        most = round(float(worth.upper.max()), 3)
        return f"by a policy that was followed to the end; none gets more than {most} on average"
    return f"followed for {steps} steps, and estimated from there on by what would be known"


def _sum_of_parts(found: Prospect, values: Floats) -> Floats:
    """By option: the values of its parts, by their probability."""
    return sums_of(found.part_option, found.part_chance * values[found.part_after], len(found.belief))


def _profile(found: Prospect) -> Keys:
    """By option: a number that is the same where parts are as many and as likely, as in mirrored moves.

    Of such options one is followed before the others, since they often come to the same.
    """
    keys = rounded(found.ended)
    np.add.at(keys, found.part_option, mixed(rounded(found.part_chance)))
    return keys


def _rank(order: tuple[NDArray[np.generic], ...], groups: tuple[NDArray[np.generic], ...]) -> Ints:
    """The place of each item in its group, from 0 on; the last key of ``order`` counts first."""
    places = np.lexsort((*order, *groups))
    begins = np.zeros(len(places), np.bool_)
    for group in groups:
        begins |= np.diff(group[places].astype(np.uint64), prepend=~group[places[:1]].astype(np.uint64)) != 0
    numbers = np.arange(len(places))
    rank = np.empty(len(places), np.int64)
    rank[places] = numbers - np.maximum.accumulate(np.where(begins, numbers, 0))
    return rank


def _of_beliefs(level: _Level, options: _Worth) -> _Worth:
    """What beliefs are worth, from what their options are."""
    belief, kept = level.prospect.belief, level.kept
    count = int(belief[-1]) + 1
    value, upper = np.full(count, -np.inf), np.full(count, -np.inf)
    np.maximum.at(value, belief[kept], options.value[kept])
    np.maximum.at(upper, belief, options.upper)
    best = kept & (options.value >= value[belief] - SAME)
    settled = np.zeros(count, np.bool_)
    np.logical_or.at(settled, belief[best], options.settled[best])
    return _Worth(value, upper, settled)


def _is_settled(worth: _Worth, first: _Level) -> bool:
    """Whether no option of the root can be better than the best that was followed to the end."""
    sure = worth.value[first.kept & worth.settled]
    return bool(len(sure) and sure.max() >= worth.upper.max() - SAME)
