"""Weights of worlds, given the players' choices in them.

``uniform``: every world counts the same. ``inverse_choices``: each decision counts as one of as many as the
player had in that world, 1/C_hg of the hyper-play authors. A policy: the probability that a modelled player
makes the observed choices, decision by decision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import exp, log
from typing import TypeAlias

from ..language.deck import fits
from ..language.terms import PASS, Term
from ..machine.game import CardState, move_of
from ..machine.reasons import NeedMove
from ..machine.story import Chose, Decided, is_veiled
from .chain import Trajectories
from .history import History

Telling: TypeAlias = History | Trajectories
"""A world with its past, however it was found."""

Policy: TypeAlias = Callable[[CardState], Mapping[Term, float]]
"""A player's probability of each of the legal moves; moves that are not named are never made."""

Weighting: TypeAlias = str | Policy
WEIGHTINGS = ("uniform", "inverse_choices")

_NEVER = 1e-9
"""If a model excludes an observed move, the model is wrong, not the world: such a move is very unlikely."""


def weights_of(histories: Sequence[Telling], weighting: Weighting) -> list[float]:
    """The weight of every world; their sum is 1."""
    if weighting == "uniform":
        return [1 / len(histories)] * len(histories)
    if weighting == "inverse_choices":
        return normalised([-sum(map(log, choices(history))) for history in histories])
    if isinstance(weighting, str):
        raise ValueError(f"there is no weighting {weighting!r}: {', '.join(WEIGHTINGS)}, or a policy")
    return normalised([log_likelihood(history, weighting) for history in histories])


def choices(history: Telling) -> list[int]:
    """The number of options at each decision of the deal in a world."""
    return [len(_options(decided, history)) for decided in history.decisions]


def log_likelihood(history: Telling, policy: Policy) -> float:
    """The log likelihood of the other players' choices in a world."""
    total = 0.0
    for decided in history.decisions:
        if decided.player == history.knowledge.player or is_veiled(decided.choice):
            continue
        likely = policy(past_state(history, decided))
        total += log(max(likely.get(move_of(decided.choice), 0.0), _NEVER))
    for said in history.sayings:
        if said.player != history.knowledge.player:
            likely = policy(state_of_saying(history, said))
            total += log(max(likely.get(move_of(said.choice), 0.0), _NEVER))
    return total


def past_state(history: Telling, decided: Decided) -> CardState:
    """The state in which a player decided, as it was in this world."""
    game = history.knowledge.game
    position = history.fill(decided.before, decided.time)
    options = tuple(_options(decided, history))
    reason = NeedMove(position.step, decided.player, options, decided.template, decided.may_pass)
    return CardState(game, position, reason, None, ())


def state_of_saying(history: Telling, said: Chose) -> CardState:
    """The same where a player chose something that is no card."""
    position = history.fill(said.before, said.time)
    reason = NeedMove(position.step, said.player, said.options)
    return CardState(history.knowledge.game, position, reason, None, ())


def equally_likely(state: CardState) -> dict[Term, float]:
    """The policy of a player that moves at random: the same weights as ``inverse_choices``."""
    moves = state.legal(state.asked)
    return dict.fromkeys(moves, 1 / len(moves))


def with_mistakes(choose: Callable[[CardState], Term], share: float) -> Policy:
    """The policy of a player that does what ``choose`` says, but now and then (0 < share <= 1) anything."""
    if not 0 < share <= 1:
        raise ValueError(f"a share of mistakes is above 0 and at most 1, not {share}")

    def policy(state: CardState) -> dict[Term, float]:
        moves = state.legal(state.asked)
        likely = dict.fromkeys(moves, share / len(moves))
        likely[choose(state)] += 1 - share
        return likely

    return policy


def normalised(logarithms: Sequence[float]) -> list[float]:
    """Weights with the sum 1 from logarithms, however small they are."""
    largest = max(logarithms)
    found = [exp(one - largest) for one in logarithms]
    total = sum(found)
    return [one / total for one in found]


def _options(decided: Decided, history: Telling) -> list[Term]:
    """The cards a player could choose from in this world, equal ones once, and passing."""
    cards = history.cards(decided.before, decided.place, decided.time)
    found = list(dict.fromkeys(card for card in cards if fits(card, decided.template)))
    return found + [PASS] * decided.may_pass
