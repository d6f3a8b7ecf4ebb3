"""Measures of a card game by random play: length, choice, luck of the seat, drama and the like.

The last four follow the measures of CardStock and of Browne's work on the quality of games. Moments of a game
are valued by random playouts: ``w_i(t)`` is the mean goal of seat ``i`` from moment ``t`` on, 0..1, and
``g_i`` the goal of the seat at the end. Formulas stand with the functions and in the guide.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..machine.host import Host
from ..machine.machine import Machine
from ..machine.outcome import goals
from ..machine.position import CardPosition
from ..machine.reasons import NeedMove

MOMENTS = 10
"""Moments of a game that are valued, spread evenly over its decisions."""


@dataclass(frozen=True)
class RandomGame:
    """One random game: goals 0..1 by seat, options of every decision, whether the limit ended it."""

    goals: tuple[float, ...]
    options: tuple[int, ...]
    broken_off: bool


@dataclass(frozen=True)
class MeasuredDecision:
    """A decision: its player, the value of each option to it, and the value of the moment to every seat."""

    player: int
    values: tuple[float, ...]
    seats: tuple[float, ...]


@dataclass(frozen=True)
class Watched:
    """A game with some of its moments valued."""

    goals: tuple[float, ...]
    moments: tuple[MeasuredDecision, ...]


def play_random(machine: Machine, seed: int) -> RandomGame:
    """A random game from the start."""
    options: list[int] = []
    end = machine.start()
    for position, reason in Host(machine, seed).play():
        end = position
        if isinstance(reason, NeedMove):
            options.append(len(reason.options))
    return RandomGame(_goals(end), tuple(options), end.is_broken_off)


def watch_random(
    machine: Machine, seed: int, playouts: int, stopped: Callable[[], bool] = lambda: False
) -> Watched | None:
    """A random game with moments valued by so many playouts an option; None where it was stopped."""
    decisions: list[tuple[CardPosition, NeedMove]] = []
    position = machine.start()
    for position, reason in Host(machine, seed).play():
        if isinstance(reason, NeedMove) and len(reason.options) > 1:
            decisions.append((position, reason))
    if len(decisions) > MOMENTS:
        decisions = [decisions[at * len(decisions) // MOMENTS] for at in range(MOMENTS)]
    moments = []
    for at, (moment, reason) in enumerate(decisions):
        if stopped():
            return None
        moments.append(_moment(machine, moment, reason, playouts, seed * 1000 + at))
    return Watched(_goals(position), tuple(moments))


def fairness(shares: Sequence[float]) -> float:
    """1 where all seats get the same share of the goals, 0 where one seat gets everything.

    ``1 - n / (2 (n - 1)) * sum |s_i - 1/n|`` for shares ``s_i`` of n seats that add up to 1.
    """
    seats = len(shares)
    if seats < 2 or not sum(shares):
        return 1.0
    parts = [share / sum(shares) for share in shares]
    return 1 - seats / (2 * (seats - 1)) * sum(abs(part - 1 / seats) for part in parts)


def drama(game: Watched) -> float:
    """How far the winner was behind, on average: ``mean over t of max_j w_j(t) - w_winner(t)``."""
    winner = _winner(game)
    if winner is None or not game.moments:
        return 0.0
    return sum(max(one.seats) - one.seats[winner] for one in game.moments) / len(game.moments)


def decisiveness(game: Watched) -> float:
    """The part of the game in which the winner leads without a break to the end; 0 where nobody wins."""
    winner = _winner(game)
    if winner is None or not game.moments:
        return 0.0
    steady = 0
    for one in reversed(game.moments):
        if one.seats[winner] < max(one.seats):
            break
        steady += 1
    return steady / len(game.moments)


def clarity(game: Watched) -> float:
    """How much better the best option looks than an average one: ``mean over t of max_a q - mean_a q``."""
    if not game.moments:
        return 0.0
    gaps = [max(one.values) - sum(one.values) / len(one.values) for one in game.moments]
    return sum(gaps) / len(gaps)


def _moment(
    machine: Machine, position: CardPosition, reason: NeedMove, playouts: int, seed: int
) -> MeasuredDecision:
    by_option = []
    for at, option in enumerate(reason.options):
        after = machine.supply(position, option)
        ends = []
        for number in range(playouts):
            host = Host(machine, seed * 7919 + at * playouts + number)
            *_, (end, _) = host.play(start=after)
            ends.append(_goals(end))
        by_option.append([sum(seat) / playouts for seat in zip(*ends, strict=True)])
    values = tuple(one[reason.player] for one in by_option)
    seats = tuple(sum(seat) / len(by_option) for seat in zip(*by_option, strict=True))
    return MeasuredDecision(reason.player, values, seats)


def _winner(game: Watched) -> int | None:
    """The seat with the most, if it is the only one, or the first of a team that has it."""
    best = max(game.goals)
    return None if min(game.goals) == best else game.goals.index(best)


def _goals(position: CardPosition) -> tuple[float, ...]:
    return tuple(goal / 100 for goal in goals(position))
