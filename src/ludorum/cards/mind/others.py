"""A model of the other players in a match: whether they take what is best at once, or move at random.

The immediate gain of each option (points, and cards got rid of where fewer are better) can be computed for
every card a player may have had. The choice then speaks for one kind of player or the other; and of a player
that takes what is best it tells which better cards are not in the hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, isnan

from ..compiled import CompiledCards
from ..language.terms import PASS, Term
from ..machine.position import PACK
from ..machine.story import Decided
from ..worlds.history import History

SHARPNESS = 8.0
"""The worst option is chosen e^8 times less often than the best, by a player that takes what is best."""
LEAST, MOST = 0.05, 0.95
"""The bound on the certainty about a player: any player may change."""


@dataclass(frozen=True)
class AnswerFound:
    """The search result for one answer to the chosen move."""

    option: Term
    visits: int
    available: int
    value: float
    """For the player that gives it, 0..1."""


class Others:
    """The other players of one match, taken together."""

    def __init__(self, compiled: CompiledCards, random_share: float, cards_worth: float) -> None:
        self.random_share = random_share
        """The probability that they move at random rather than take what is best at once."""
        self._compiled = compiled
        self._cards_worth = cards_worth
        self._worths: dict[int, tuple[Decided, dict[Term, float]]] = {}

    def model(self, decided: Decided, history: History) -> tuple[float, Mapping[Term, float]]:
        """The likelihood of a decision of the deal (``worlds.dealing.Model``); new ones are learnt from."""
        known = self._worths.get(id(decided))
        if known is None:
            worth = self._worth(decided, history)
            self._learn(decided, history, worth)
            known = self._worths[id(decided)] = decided, worth
        return self.random_share, known[1]

    def _worth(self, decided: Decided, history: History) -> dict[Term, float]:
        """The gain of every option the player may have had, compared with the best."""
        compiled = self._compiled
        codes, places = compiled.program.codes, compiled.program.places
        table = compiled.table_of(history.fill(decided.before, decided.time))
        cards = compiled.kernel.unpack(table)["places"]
        answers = [*cards[places[decided.place]], *cards[places[PACK]]]
        names = [codes.kinds[codes.kind_of[card]] for card in answers]
        found = compiled.kernel.leads(table, [*answers, -1], 0, 1.0, self._cards_worth)
        leads = {name: lead for name, lead in zip([*names, PASS], found, strict=True) if not isnan(lead)}
        best, worst = max(leads.values(), default=0.0), min(leads.values(), default=0.0)
        if best == worst:
            return {}
        return {name: exp(SHARPNESS * (lead - best) / (best - worst)) for name, lead in leads.items()}

    def _learn(self, decided: Decided, history: History, worth: Mapping[Term, float]) -> None:
        """Bayes' rule, with the options of the given world."""
        if not worth or decided.choice not in worth:
            return
        held = set(history.cards(decided.before, decided.place, decided.time)) | {decided.choice}
        options = [one for one in worth if one in held or (one is PASS and decided.may_pass)]
        thinking = worth[decided.choice] / sum(worth[one] for one in options)
        anything, prior = 1 / len(options), self.random_share
        found = prior * anything / (prior * anything + (1 - prior) * thinking)
        self.random_share = min(MOST, max(LEAST, found))


__all__ = ["AnswerFound", "Others"]
