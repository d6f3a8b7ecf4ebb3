"""Exact counts: joint-move paths by depth (perft), and exhaustive exploration of small games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from .auto import AutoGame
from .game import Game, State

Result = TypeVar("Result")

Progress = Callable[[int], None]
"""Called now and then with the number of states seen so far."""


def perft(game: Game, depth: int, progress: Progress | None = None) -> list[int]:
    """The number of joint-move paths of length 1, 2, ..., ``depth`` from the start.

    Equal states are expanded once and counted as often as they are reached, so the counts are those of the
    full tree at the cost of the distinct states. The last level needs no successors, only numbers of moves.
    Compiled games are counted in batches.
    """
    if isinstance(game, AutoGame):
        return _count_on_the_best(game, lambda engine, report: perft(engine, depth, report), progress)
    from .compiled import CompiledGame
    from .count_packed import perft_packed

    if isinstance(game, CompiledGame):
        packed = perft_packed(game, depth, progress)
        if packed is not None:
            return packed
    counts: list[int] = []
    layer: Counter[State] = Counter({game.initial(): 1})
    seen = 0
    for level in range(1, depth + 1):
        counts.append(sum(ways * joint_move_count(state) for state, ways in layer.items()))
        if level == depth:
            break
        following: Counter[State] = Counter()
        for state, ways in layer.items():
            for joint in state.joint_moves():
                following[state.play(joint)] += ways
                seen += 1
                if progress and seen % 100 == 0:
                    progress(seen)
        layer = following
    return counts


def joint_move_count(state: State) -> int:
    """How many joint moves a state has, without listing them; 0 where the game is over."""
    if state.is_terminal:
        return 0
    total = 1
    for role in state.game.roles:
        total *= len(state.legal(role))
    return total


@dataclass(frozen=True)
class Exploration:
    """The result of an exhaustive search. ``longest`` and ``games`` are None where play can go in circles."""

    states: int
    terminal: int
    stuck: int
    """States that are not terminal although some role has no move: a fault of the rules."""
    longest: int | None
    games: int | None
    complete: bool

    def as_json(self) -> dict[str, object]:
        return {
            "states": self.states,
            "terminal": self.terminal,
            "stuck": self.stuck,
            "longest": self.longest,
            "games": self.games,
            "complete": self.complete,
        }


def explore(game: Game, limit: int = 1_000_000, progress: Progress | None = None) -> Exploration:
    """Counts every reachable state, breadth first; stops with those seen so far once ``limit`` is reached."""
    if isinstance(game, AutoGame):
        return _count_on_the_best(game, lambda engine, report: explore(engine, limit, report), progress)
    from .compiled import CompiledGame
    from .count_packed import explore_packed

    if isinstance(game, CompiledGame):
        packed = explore_packed(game, limit, progress)
        if packed is not None:
            return Exploration(*packed)
    start = game.initial()
    successors: dict[State, Counter[State]] = {}
    terminal = stuck = 0
    known = {start}
    todo = [start]
    for state in todo:
        ways: Counter[State] = Counter()
        if state.is_terminal:
            terminal += 1
        else:
            for joint in state.joint_moves():
                following = state.play(joint)
                ways[following] += 1
                if following not in known:
                    if len(known) >= limit:
                        return Exploration(len(known), terminal, stuck, None, None, complete=False)
                    known.add(following)
                    todo.append(following)
            stuck += not ways
        successors[state] = ways
        if progress and len(successors) % 100 == 0:
            progress(len(known))
    longest, games = _longest_and_games(todo, successors)
    return Exploration(len(known), terminal, stuck, longest, games, complete=True)


class _CircuitReadyError(Exception):
    """Ends a count, since the circuit makes it faster from the beginning."""


def _count_on_the_best(
    game: AutoGame, count: Callable[[Game, Progress | None], Result], progress: Progress | None
) -> Result:
    """A count by the lifted engine, abandoned for the compiled one if that is ready first."""

    def report(seen: int) -> None:
        if game.is_compiled:
            raise _CircuitReadyError
        if progress:
            progress(seen)

    if not game.is_compiled:
        try:
            return count(game.lifted, report)
        except _CircuitReadyError:
            pass
    return count(game.best, progress)


def _longest_and_games(
    order: list[State], successors: dict[State, Counter[State]]
) -> tuple[int | None, int | None]:
    """Length of the longest play and number of complete plays: a state is done once all before it are."""
    waiting = Counter(following for ways in successors.values() for following in ways)
    ready = [state for state in order if not waiting[state]]
    done: list[State] = []
    depth = {order[0]: 0}
    paths = Counter({order[0]: 1})
    games = 0
    while ready:
        state = ready.pop()
        done.append(state)
        if not successors[state]:
            games += paths[state]
        for following, ways in successors[state].items():
            depth[following] = max(depth.get(following, 0), depth[state] + 1)
            paths[following] += ways * paths[state]
            waiting[following] -= 1
            if not waiting[following]:
                ready.append(following)
    if len(done) < len(order):
        return None, None
    return max(depth.values()), games
