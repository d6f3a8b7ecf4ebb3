"""Faults that random play of a chart shows: games that cannot go on, with the moves that lead there.

All bounds count positions and nodes, so that every machine finds the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..._core import SplitMix64
from ...engine.game import JointMove, random_states
from ...rules.source import Severity
from ..language.faults import CardsError, ChartFault, fault
from ..language.rules import Rules
from ..language.terms import format_term
from ..machine.game import NOOP, CardGame, CardState
from ..machine.reasons import NeedMove

PLAYS = 10
ENOUGH = 2
"""Games without an end of their own after which there is a warning; each has a thousand decisions."""
MOST_POSITIONS = 3000
MOST_STEPS = 300_000
"""Most nodes of all plays together: loops of a chart may be long."""
MOST_MOVES = 8
"""Moves that a hint writes out, the last ones."""


def check_play(rules: Rules, name: str = "chart") -> Iterator[ChartFault]:
    """The first fault that some random games of a chart without errors meet."""
    game = CardGame(rules, name)
    left, steps, ended, played = MOST_POSITIONS, 0, 0, 0
    for seed in range(PLAYS):
        last: CardState | None = None
        try:
            for state in random_states(game.initial(), SplitMix64(seed)):
                assert isinstance(state, CardState)
                last = state
                left -= 1
                if left <= 0 or steps + state.position.step > MOST_STEPS:
                    break
        except CardsError as error:
            yield _cannot_go_on(error, game, seed)
            return
        assert last is not None
        steps += last.position.step
        if not last.is_terminal and not last.legal(last.asked):
            yield _stuck(last, game, seed)
            return
        bounded = rules.decision_limit is not None  # an end that the chart itself has set
        ended += last.is_terminal and (bounded or not last.position.is_broken_off)
        played += last.is_terminal
        if left <= 0 or steps > MOST_STEPS:
            break
    if not ended and played >= ENOUGH:
        message = f"none of {played} random games came to its end by itself"
        hint = "let a condition that leads to the end become true, or bound the number of rounds"
        yield fault("endless", message, hint, severity=Severity.WARNING, chart=name)


def _cannot_go_on(error: CardsError, game: CardGame, seed: int) -> ChartFault:
    node = error.node
    caption = "" if node is None or node not in game.chart.nodes else game.chart.caption(node)
    moves = _moves_before_the_fault(game, seed)
    hint = "; ".join(part for part in (error.hint, _told(moves, game)) if part)
    return fault("cannot-go-on", error.message, hint, node=node, caption=caption, chart=game.name)


def _stuck(state: CardState, game: CardGame, seed: int) -> ChartFault:
    node = state.position.node
    asked = "nature" if not isinstance(state.reason, NeedMove) else str(state.asked)
    message = f"{asked} is asked here and has nothing to choose"
    hint = "; ".join(
        part for part in ("let it pass", _told(_moves_before_the_fault(game, seed), game)) if part
    )
    return fault("no-move", message, hint, node=node, caption=game.chart.caption(node), chart=game.name)


def _moves_before_the_fault(game: CardGame, seed: int) -> list[JointMove]:
    """The moves of a random game that meets a fault, played again."""
    moves: list[JointMove] = []
    try:
        for state in random_states(game.initial(), SplitMix64(seed)):
            if state.joint is not None:
                moves.append(state.joint)
    except CardsError:
        pass
    return moves


def _told(moves: list[JointMove], game: CardGame) -> str:
    """The last moves of players; nature's draws do not help to find the fault."""
    done = [
        f"{role} {format_term(move)}"
        for joint in moves
        for role, move in zip(game.players, joint, strict=False)
        if move is not NOOP
    ]
    if not done:
        return ""
    before = "... " if len(done) > MOST_MOVES else ""
    return f"the play: {before}{', '.join(done[-MOST_MOVES:])}"
