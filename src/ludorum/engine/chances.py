"""How likely the moves of nature are: the one place that says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from .._core import SplitMix64
from ..rules.ruleset import Ruleset
from ..rules.terms import Term
from .unread_places import UnreadPlaces


class Chances:
    """The weights of nature's moves under some rules; without rules all are as likely.

    >>> from ludorum.rules.kif import parse_term
    >>> chances = Chances(None)
    >>> chances.of([parse_term("(roll 1)"), parse_term("(roll 2)")])
    {parse_term('(roll 1)'): 1, parse_term('(roll 2)'): 1}
    """

    def __init__(self, rules: Ruleset | None) -> None:
        self._rules = rules

    @property
    def is_even(self) -> bool:
        """Whether all legal moves of nature are as likely."""
        return self._rules is None or self._rules.weights is None

    def weight(self, move: Term) -> int:
        """How likely a move is beside the other legal ones."""
        return 1 if self._rules is None or self._rules.weights is None else self._rules.weights.of(move)

    def of(self, legal: Sequence[Term]) -> dict[Term, int]:
        """Legal moves of nature with their weights; moves that no rule can tell apart are one."""
        odds: dict[Term, int] = {}
        first: dict[object, Term] = {}
        for move in legal:
            stands = first.setdefault(self.as_read(move), move)
            odds[stands] = odds.get(stands, 0) + self.weight(move)
        return odds

    def probability(self, move: Term, legal: Sequence[Term]) -> float:
        """How likely nature makes this of its legal moves."""
        return self.weight(move) / sum(map(self.weight, legal))

    def as_read(self, move: Term) -> object:
        """What rules read of a move: the same for moves after which everything is the same."""
        unread = frozenset() if self._unread is None else self._unread.of(move.signature)
        if not unread:
            return move
        return move.signature, tuple(arg for at, arg in enumerate(move.args) if at not in unread)

    def draw(self, legal: Sequence[Term], chooser: SplitMix64) -> Term:
        """One of the legal moves of nature, by the weights."""
        if self.is_even:
            return legal[chooser.below(len(legal))]
        weights = [self.weight(move) for move in legal]
        return legal[draw_place(weights, chooser)]

    @cached_property
    def _unread(self) -> UnreadPlaces | None:
        return None if self._rules is None else UnreadPlaces(self._rules)


def draw_place(weights: Sequence[int], chooser: SplitMix64) -> int:
    """The place of one of some weights, which are not all 0, drawn in whole numbers."""
    left = chooser.below(sum(weights))
    place = 0
    while left >= weights[place]:
        left -= weights[place]
        place += 1
    return place


def probabilities(odds: Mapping[Term, int]) -> dict[Term, Fraction]:
    """Moves by their exact probabilities."""
    total = sum(odds.values())
    return {move: Fraction(weight, total) for move, weight in odds.items()}
