"""Answers of a worker to people that want to understand a match: values, candidates, reasons, worlds.

All are made from what one role may know, or from open positions.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from ...arena.table.person_knowledge import told_opinion
from ...engine.auto import best_engine
from ...engine.compiled import CompiledGame
from ...engine.errors import GameError
from ...engine.game import Game, State
from ...engine.sight import Position
from ...evaluate.acquaintance import Acquaintance, AcquaintanceConfig
from ...rules.kif import parse_term
from ...rules.terms import Term, format_term
from ...scene.card_games import is_card_game
from ...scene.choices import move_labels
from ...scene.fact_groups import fact_words
from ...scene.game_look import look_of_game
from ...scene.step_words import moves_words
from ...search.decision import Decision
from .plan import Json

MOST_LINE = 12
"""Joint moves of the principal line that are told."""
MOST_FEATURES = 12
LEARN_SECONDS = 3.0
"""How long the evaluation of a game may be learned, once in a worker."""
SUM_SECONDS, SUM_GAMES, SUM_STEPS = 0.5, 20, 2000
"""How long, and in how many random games of how many states, the sum of goals is looked for."""
COMPILE_SECONDS = 5.0
"""How long the circuit of a game is waited for, from which its evaluation is learned."""
MOST_FACTS = 40
"""Facts of the worlds' opinion that are told."""


def told_decision(game: Game, position: Position, decision: Decision | None) -> Json:
    """A decision in numbers and words; without one, what is known without a search."""
    role = position.role
    facts = None if position.state is None else position.state.facts()
    if decision is None:
        return {"values": {}, "choices": [], "line": [], "reasons": [], "features": []}
    labels = move_labels(look_of_game(game), [one.move for one in decision.choices], facts)
    line = [] if position.state is None else line_words(game, position.state, decision.line)
    return {
        "values": _values(game, role, decision),
        "choices": [
            {
                "move": format_term(one.move),
                "words": words,
                "value": round(one.value, 2),
                "visits": one.visits,
                "proven": one.proven,
            }
            for one, words in zip(decision.choices, labels, strict=True)
        ],
        "line": line,
        "reasons": list(decision.reasons),
        "features": [],
    }


def final_values(state: State) -> Json:
    """The goals of a position in which the game is over, as an analysis."""
    players = state.game.info.players
    values = {format_term(role): goal for role in players if (goal := state.goal(role)) is not None}
    return {"values": values, "choices": [], "line": [], "reasons": ["The game is over."], "features": []}


def _values(game: Game, role: Term, decision: Decision) -> Json:
    """The value for the role that decides, and for the other one where their goals have one sum."""
    if not decision.choices:
        return {}
    value = decision.value
    players = game.info.players
    values = {format_term(role): round(value, 2)}
    if len(players) == 2 and (whole := _sum_of_goals(game)) is not None:
        other = players[1] if players[0] is role else players[0]
        values[format_term(other)] = round(whole - value, 2)
    return values


@lru_cache(maxsize=16)
def _sum_of_goals(game: Game) -> int | None:
    """The sum of all players' goals, as proved or as seen in some random games; None where it varies."""
    if game.info.proved_sum is not None:
        return game.info.proved_sum
    sums = set()
    until = time.monotonic() + SUM_SECONDS
    for seed in range(SUM_GAMES):
        *_, last = islice(game.playout(seed), SUM_STEPS)
        if not last.is_terminal:
            return None
        goals = [last.goal(role) for role in game.info.players]
        if None in goals:
            return None
        sums.add(sum(goal for goal in goals if goal is not None))
        if len(sums) > 1 or time.monotonic() > until:
            break
    return sums.pop() if len(sums) == 1 else None


def line_words(game: Game, state: State, line: Sequence[tuple[Term, ...]]) -> list[str]:
    """The expected joint moves in words, as far as they can be played."""
    found: list[str] = []
    words = look_of_game(game).words
    for joint in line[:MOST_LINE]:
        try:
            chosen = [
                (role, move)
                for role, move in zip(game.roles, joint, strict=True)
                if len(state.legal(role)) > 1
            ]
            after = state.play(joint)
        except (GameError, ValueError):  # a line of a search that has left something out
            break
        if chosen:
            found.append(moves_words(words, chosen, state.facts()))
        state = after
    return found


class Evaluations:
    """The features of games with learned weights, in words."""

    def __init__(self) -> None:
        self._met: dict[Game, Acquaintance] = {}

    def features(self, game: Game, state: State, role: Term) -> list[Json]:
        """What speaks for a role and what against it in a position, in goal points, the weightiest first.

        None where the game has no evaluation, or no time was left to learn one.
        """
        fast = best_engine(game, COMPILE_SECONDS)
        if not isinstance(fast, CompiledGame) or fast.rules is None:
            return []
        if fast not in self._met:
            self._met.clear()  # of one game at a time: they hold many positions
            self._met[fast] = Acquaintance(fast, AcquaintanceConfig(games=100))
        heuristic = self._met[fast].meet(LEARN_SECONDS)
        if heuristic is None:
            return []
        values = heuristic.features.values(fast.state(state.facts()))
        found = []
        for feature, value in zip(heuristic.features.all, values, strict=True):
            weight = heuristic.weight(feature, role)
            if weight:
                found.append({"words": feature.text, "value": round(weight * float(value), 2)})
        found.sort(key=lambda one: -abs(float(str(one["value"]))))
        return [one for one in found if one["value"]][:MOST_FEATURES]


def opinion(game: Game, role: Term, positions: Sequence[Json], seconds: float) -> Json:
    """What worlds say that agree with all that a role was told."""
    told = [
        (parse_term(one["move"]), tuple(map(parse_term, one["percepts"])))
        for one in positions
        if one["move"] is not None
    ]
    try:
        if is_card_game(game):
            from .card_knowledge import likely_hands

            return likely_hands(game, role, (percepts for _, percepts in told), MOST_FACTS)
        found = told_opinion(game, role, told, seconds)
    except GameError:
        return {"worlds": None, "is_all": False, "opinion": []}
    shares = [{"words": fact_words(fact), "value": round(share, 4)} for fact, share in found.shares]
    return {"worlds": found.worlds, "is_all": found.is_all, "opinion": shares[:MOST_FACTS]}
