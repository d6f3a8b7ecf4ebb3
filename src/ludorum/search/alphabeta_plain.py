"""Alpha-beta over any engine's states: the readable twin of ``_core/alphabeta/search.cpp``.

It serves games without a circuit and is the oracle of the compiled core: both visit the same nodes in the
same order and find the same values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from math import prod
from typing import NamedTuple

from ..engine.game import JointMove, State
from ..rules.terms import Term
from .alphabeta_config import AlphaBetaConfig
from .bounds import SOLVED, BoundedValue, Bounds
from .budget import Stopwatch
from .evaluation import Evaluation
from .score import DRAW, INFINITE, UNIT, alpha_below, beta_below, fade, score_of_estimate

WORST, BEST = 0, 100 * UNIT
STATE_BYTES = 2000
"""Approximate bytes of a table entry; the table is emptied when it is full."""
DEEPEST = 100
"""The most steps it looks ahead, since it is recursive, with several calls a step."""
MOST_REPLIES = 1 << 16
"""The most joint replies searched in one state; where some are left out, the value is not solved."""


class RootChoice(NamedTuple):
    """A move at the root. A score that is not exact is an upper bound, or an old one."""

    move: Term
    score: int = DRAW
    exact: bool = False
    solved: bool = False
    nodes: int = 0
    reply: int = 0
    better: bool = False
    """Whether it is better than all moves that the round searched before."""
    done: bool = False


@dataclass
class _Node:
    """A state, the role's own moves, and the joint replies of the others (with a gap for the role)."""

    state: State
    ply: int
    depth: int
    extensions: int
    own: tuple[Term, ...] = ()
    replies: list[JointMove] = field(default_factory=list)
    truncated: bool = False
    reply_role: int | None = None
    """The last of the other roles that has a choice."""
    own_order: list[int] = field(default_factory=list)
    reply_order: list[int] = field(default_factory=list)
    children: dict[tuple[int, int], State] = field(default_factory=dict)

    @property
    def both(self) -> bool:
        """Whether the role and the others choose at once."""
        return len(self.own) > 1 and len(self.replies) > 1


class _Stopped(Exception):
    """The budget is spent."""


Key = tuple[int, Term]
Search = Callable[[int, int, int], BoundedValue]


class PlainAlphaBeta:
    """One role against all others over ``State``; see ``alphabeta``."""

    def __init__(
        self,
        evaluation: Evaluation | None,
        config: AlphaBetaConfig,
        is_quiet: Callable[[State], bool] | None = None,
    ) -> None:
        self.evaluation = evaluation
        self.config = config
        self.is_quiet = is_quiet
        self.nodes = 0
        self._table: dict[State, Bounds] = {}
        self._role: Term | None = None
        self._seat = 0

    def forget(self) -> None:
        self._table.clear()

    def search(
        self, state: State, role: Term, watch: Stopwatch
    ) -> tuple[list[RootChoice], int, bool, list[JointMove]]:
        """Moves, best first, the depth of the last finished round, whether all is solved, and the line."""
        if role is not self._role:
            self.forget()
        self._role, self._seat = role, state.game.roles.index(role)
        self._watch = watch
        self._history: dict[Key, int] = {}
        self._killers: dict[int, list[Key]] = {}
        self.nodes = 0
        root = _Node(state, 0, 0, self.config.extensions if self.is_quiet else 0)
        if not self._list_options(root):
            return [], 0, False, []
        self._choices = [RootChoice(move) for move in root.own]
        answer, depth, solved = self._deepen(root)
        return answer, depth, solved, self._line(state, answer[0], depth) if depth else []

    # ------------------------------------------------------------------------------------------ the root

    def _deepen(self, root: _Node) -> tuple[list[RootChoice], int, bool]:
        config = self.config
        answer, done = self._choices, 0
        # Where any win suffices, all wins are above the window and all losses below it.
        top = BEST - UNIT // 2 if config.any_win else INFINITE
        bottom = WORST + UNIT // 2 if config.any_win else -INFINITE
        deepest = min(config.max_depth, DEEPEST)
        for depth in range(min(config.first_depth, deepest), deepest + 1, config.deepening):
            alpha, beta = bottom, top
            if done and not config.every_value and config.window <= 100:
                guess, width = self._choices[0].score, int(config.window * UNIT)
                alpha, beta = max(bottom, guess - width), min(top, guess + width)
            while True:
                try:
                    self._round(root, depth, alpha, beta)
                except _Stopped:
                    return _with_unfinished(answer, self._choices), done, False
                best = self._choices[0].score
                if best <= alpha and alpha > bottom:
                    alpha = bottom
                elif best >= beta and beta < top and best < fade(BEST):
                    beta = top
                else:
                    break
            answer, done = list(self._choices), depth
            if self._is_decided():
                return answer, done, True
        return answer, done, False

    def _round(self, root: _Node, depth: int, alpha: int, beta: int) -> None:
        every = self.config.every_value
        root.depth = depth
        choices = self._choices = [choice._replace(done=False) for choice in self._choices]
        self._order(root, root.own.index(choices[0].move) * len(root.replies) + choices[0].reply)
        best, most = alpha, fade(BEST)
        for at, choice in enumerate(choices):
            own, before = root.own.index(choice.move), self.nodes
            whole = at == 0 or every or best + 1 >= beta
            floor = alpha if every else best
            try:
                found, reply = self._replies(root, own, floor, beta if whole else floor + 1)
                if not whole and floor < found.score < beta:
                    found, reply = self._replies(root, own, floor, beta)
            finally:
                choices[at] = choice = choice._replace(nodes=choice.nodes + self.nodes - before)
            choices[at] = choice._replace(
                score=found.score,
                solved=found.solved,
                exact=(found.score > floor and (found.score < beta or found.score >= BEST - UNIT // 2))
                or (found.solved and found.score <= WORST + UNIT // 2),
                better=found.score > floor,
                reply=reply,
                done=True,
            )
            best = max(best, found.score)
            if not every and best >= min(beta, most):
                choices[:] = [one if one.done else _not_above(one, best) for one in choices]
                break
        choices.sort(key=lambda choice: (-choice.score, not choice.better))

    def _is_decided(self) -> bool:
        best = self._choices[0]
        won = best.solved and best.better and best.score >= BEST - UNIT // 2
        return (won and not self.config.every_value) or all(choice.solved for choice in self._choices)

    def _line(self, state: State, best: RootChoice, depth: int) -> list[JointMove]:
        node = _Node(state, 0, 0, 0)
        self._list_options(node)
        own, reply = node.own.index(best.move), best.reply
        line: list[JointMove] = []
        while True:
            line.append(self._joint(node, own, reply))
            node = _Node(node.state.play(line[-1]), 0, 0, 0)
            known = self._table.get(node.state)
            if len(line) >= depth or node.state.is_terminal or known is None:
                return line
            if known.option is None or not self._list_options(node):
                return line
            own, reply = divmod(known.option, len(node.replies))

    # ------------------------------------------------------------------------------------------ the nodes

    def _visit(
        self, state: State, depth: int, extensions: int, alpha: int, beta: int, ply: int
    ) -> BoundedValue:
        if self._watch.is_up(self.nodes):
            raise _Stopped
        self.nodes += 1
        most, least = fade(BEST), fade(WORST)
        known = self._table.get(state)
        if known is not None:
            lower, upper = known.lower_depth >= depth, known.upper_depth >= depth
            if lower and known.lower >= min(beta, most):
                return BoundedValue(known.lower, known.lower_depth == SOLVED)
            if upper and known.upper <= max(alpha, least):
                return BoundedValue(known.upper, known.upper_depth == SOLVED)
            if lower and upper and known.lower == known.upper:
                return BoundedValue(known.lower, known.lower_depth == known.upper_depth == SOLVED)
        if state.is_terminal:
            return self._goal(state)
        node = _Node(state, ply, depth, extensions)
        if depth <= 0:
            if extensions <= 0 or self.is_quiet is None or self.is_quiet(state):
                return self._leaf(state)
            node.depth, node.extensions = 1, extensions - 1
        if not self._list_options(node):
            return self._goal(state)
        if alpha >= most:
            return BoundedValue(most, True)
        if beta <= least:
            return BoundedValue(least, True)
        alpha, beta = max(alpha, least), min(beta, most)
        found, option = self._options(node, known.option if known else None, alpha, beta)
        bounds = self._bounds(state)
        found_at = SOLVED if found.solved else max(depth, 0)
        if found.score > alpha:
            bounds.raise_lower(found.score, found_at)
        if found.score < beta:
            bounds.drop_upper(found.score, found_at)
        bounds.option = option
        return found

    def _goal(self, state: State) -> BoundedValue:
        assert self._role is not None
        return BoundedValue(min(100, max(0, state.goal(self._role) or 0)) * UNIT, True)

    def _leaf(self, state: State) -> BoundedValue:
        assert self._role is not None
        value = 50.0 if self.evaluation is None else self.evaluation(state, self._role)
        found = BoundedValue(score_of_estimate(value, WORST, BEST), False)
        if self.evaluation is not None:
            bounds = self._bounds(state)
            bounds.raise_lower(found.score, 0)
            bounds.drop_upper(found.score, 0)
        return found

    def _bounds(self, state: State) -> Bounds:
        known = self._table.get(state)
        if known is None:
            if len(self._table) * STATE_BYTES >= self.config.table_bytes:
                self._table.clear()
            known = self._table[state] = Bounds()
        return known

    def _list_options(self, node: _Node) -> bool:
        """Own moves and replies; False where a role has no move."""
        state = node.state
        moves = [state.legal(role) for role in state.game.roles]
        if not all(moves):
            return False
        node.own = moves[self._seat]
        others = [seat for seat in range(len(moves)) if seat != self._seat and len(moves[seat]) > 1]
        node.reply_role = others[-1] if others else None
        moves[self._seat] = node.own[:1]
        node.replies = list(islice(product(*moves), MOST_REPLIES))
        node.truncated = len(node.replies) < prod(map(len, moves))
        return True

    def _joint(self, node: _Node, own: int, reply: int) -> JointMove:
        joint = node.replies[reply]
        return (*joint[: self._seat], node.own[own], *joint[self._seat + 1 :])

    def _child(self, node: _Node, own: int, reply: int) -> State:
        known = node.children.get((own, reply))
        if known is None:
            known = node.children[own, reply] = node.state.play(self._joint(node, own, reply))
        return known

    def _below(self, node: _Node, own: int, reply: int, alpha: int, beta: int) -> BoundedValue:
        found = self._visit(
            self._child(node, own, reply),
            node.depth - 1,
            node.extensions,
            alpha_below(alpha),
            beta_below(beta),
            node.ply + 1,
        )
        return BoundedValue(fade(found.score), found.solved)

    def _options(self, node: _Node, hinted: int | None, alpha: int, beta: int) -> tuple[BoundedValue, int]:
        self._order(node, hinted)
        if len(node.own) == 1:
            return self._replies(node, 0, alpha, beta)
        answers: dict[int, int] = {}

        def search(own: int, low: int, high: int) -> BoundedValue:
            found, answers[own] = self._replies(node, own, low, high)
            return found

        found, own = self._choose(node, 1, node.own_order, alpha, beta, search)
        return found, own * len(node.replies) + answers.get(own, 0)

    def _replies(self, node: _Node, own: int, alpha: int, beta: int) -> tuple[BoundedValue, int]:
        if len(node.replies) == 1:
            return self._below(node, own, 0, alpha, beta), 0
        return self._choose(
            node,
            -1,
            node.reply_order,
            alpha,
            beta,
            lambda reply, low, high: self._below(node, own, reply, low, high),
        )

    def _choose(
        self, node: _Node, sign: int, order: Sequence[int], alpha: int, beta: int, search: Search
    ) -> tuple[BoundedValue, int]:
        """The best option for one side (1: the role, -1: the others), and its value to the role.

        Options after the first are first searched with a null window.
        """
        low, high = (alpha, beta) if sign > 0 else (-beta, -alpha)

        def ask(option: int, above: int, below: int) -> BoundedValue:
            found = search(option, above, below) if sign > 0 else search(option, -below, -above)
            return BoundedValue(sign * found.score, found.solved)

        best, chosen = BoundedValue(-2 * INFINITE, False), order[0]
        all_solved = sign > 0 or not node.truncated
        for at, option in enumerate(order):
            floor = max(low, best.score)
            whole = at == 0 or floor + 1 >= high
            found = ask(option, floor, high if whole else floor + 1)
            if not whole and floor < found.score < high:
                found = ask(option, floor, high)
            all_solved &= found.solved
            if found.score > best.score:
                best, chosen = found, option
            if best.score >= high:
                self._reward(node, self._key(node, sign, option))
                return BoundedValue(sign * best.score, best.solved), chosen
            if at == 0 and node.depth >= 2 and not node.both:
                cut = self._cut_by_table(node, sign, order, high)
                if cut is not None:
                    return cut
        return BoundedValue(sign * best.score, all_solved), chosen

    def _cut_by_table(
        self, node: _Node, sign: int, order: Sequence[int], high: int
    ) -> tuple[BoundedValue, int] | None:
        """A child that the table knows to be good enough for a cutoff, so that no other is searched."""
        for option in order[1:]:
            known = self._table.get(self._child(node, *((option, 0) if sign > 0 else (0, option))))
            if known is None:
                continue
            found_at = known.lower_depth if sign > 0 else known.upper_depth
            score = fade(known.lower if sign > 0 else known.upper)
            if found_at >= node.depth - 1 and sign * score >= high:
                return BoundedValue(score, found_at == SOLVED), option
        return None

    # ------------------------------------------------------------------------------------------ the order

    def _key(self, node: _Node, sign: int, option: int) -> Key | None:
        if sign > 0:
            return self._seat, node.own[option]
        seat = node.reply_role
        return None if seat is None else (seat, node.replies[option][seat])

    def _order(self, node: _Node, hinted: int | None) -> None:
        own, reply = (None, None) if hinted is None else divmod(hinted, len(node.replies))
        node.own_order = sorted(range(len(node.own)), key=self._rank(node, 1, own))
        node.reply_order = sorted(range(len(node.replies)), key=self._rank(node, -1, reply))

    def _rank(self, node: _Node, sign: int, hinted: int | None) -> Callable[[int], tuple[int, int]]:
        """The table's best move, then killers, then by the history of cutoffs; a stable sort."""
        killers = self._killers.get(node.ply, [])

        def rank(option: int) -> tuple[int, int]:
            key = self._key(node, sign, option)
            if option == hinted:
                return 0, 0
            if key in killers:
                return 1 + killers.index(key), 0
            return 3, -self._history.get(key, 0) if key is not None else 0

        return rank

    def _reward(self, node: _Node, key: Key | None) -> None:
        if key is None:
            return
        self._history[key] = self._history.get(key, 0) + node.depth**2
        killers = self._killers.setdefault(node.ply, [])
        if killers[:1] != [key]:
            killers[:] = [key, *killers[:1]]


def _not_above(choice: RootChoice, best: int) -> RootChoice:
    """Marks a move that was not searched as no better than the best, whatever its earlier score."""
    return choice._replace(score=min(choice.score, best), exact=False, solved=False)


def _with_unfinished(answer: list[RootChoice], going_on: list[RootChoice]) -> list[RootChoice]:
    """Moves to the front what an unfinished round found better than all moves it searched before."""
    nodes = {choice.move: choice.nodes for choice in going_on}
    answer = [choice._replace(nodes=nodes[choice.move]) for choice in answer]
    better = [choice for choice in going_on if choice.done and choice.better]
    if not better:
        return answer
    best = max(better, key=lambda choice: choice.score)
    others = [choice for choice in answer if choice.move is not best.move]
    return [best, *(_not_above(one, best.score) if one.score > best.score else one for one in others)]
