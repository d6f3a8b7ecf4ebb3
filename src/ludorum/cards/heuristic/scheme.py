"""Pseudo-heuristics prepared for cards (sections 9.2 and 9.5 of the specification).

Conditions are sorted by kind: plain ones must hold; those that name players may be wrong now;
``neg(playerHas(p,t))`` may fail too, and then counts how many cards must go first. A player's decision in the
pass (to pass or not) is free, so conditions about it are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from ..analysis import (
    ChartAnalysis,
    ChartProperty,
    PlayedCard,
    PseudoHeuristic,
    analyse,
    player_symbol,
    seat_of,
)
from ..language.faults import CardsError
from ..language.rules import Rules
from ..language.terms import Term, subterms
from .config import FEW, LIMITS, ThinkingConfig


@dataclass(frozen=True)
class Absence:
    """Cards that a player should not have: ``neg(playerHas(who,template))``."""

    who: Term
    template: Term


@dataclass(frozen=True)
class Scheme:
    """A pseudo-heuristic without its cards; ``symbols`` are the names of the cards it needs, mine first."""

    source: PseudoHeuristic
    symbols: tuple[PlayedCard, ...]
    plain: tuple[Term, ...]
    roles: tuple[Term, ...]
    absences: tuple[Absence, ...]

    @property
    def weight(self) -> int:
        return self.source.weight


def schemes_of(analysis: ChartAnalysis | None, players: int, config: ThinkingConfig) -> tuple[Scheme, ...]:
    """The schemes that belong to a card of mine: a path on which I play none says nothing about any.

    With ``others_cards`` paths on which only others play count too: they belong to the first of their cards.
    """
    if analysis is None or not config.heuristics:
        return ()
    wanted = analysis.instances if config.include_zero else analysis.heuristics
    found = [_scheme(one, players, config) for one in wanted if one.plays_my_card or config.others_cards]
    return tuple(one for one in found if one.symbols)


def is_shedding(analysis: ChartAnalysis) -> bool:
    """Whether a property besides the score is worth having: fewer cards, most of all."""
    return any(part.term.name != "score" for part in analysis.properties)


def for_family(config: ThinkingConfig, analysis: ChartAnalysis | None, players: int) -> ThinkingConfig:
    """The settings, with those of the game's family where none are given."""
    roles = config.role_mismatch
    if roles == "by_family":
        roles = "exclude" if analysis is not None and is_shedding(analysis) else "ignore"
    states, tries = LIMITS.get(players, FEW)
    return replace(
        config,
        role_mismatch=roles,
        most_states=config.most_states or states,
        most_tries=config.most_tries or tries,
    )


def properties_of(
    analysis: ChartAnalysis | None, players: int, config: ThinkingConfig
) -> tuple[ChartProperty, ...]:
    """The properties in which the progress so far is counted; of a chart without analysis, scores."""
    if not config.score_term:
        return ()
    if analysis is not None:
        return analysis.properties
    scores = [Term("score", (player_symbol(seat, players),)) for seat in range(players)]
    return (ChartProperty(scores[0], "max"), *(ChartProperty(one, "min") for one in scores[1:]))


def _scheme(source: PseudoHeuristic, players: int, config: ThinkingConfig) -> Scheme:
    symbols = tuple(sorted((one for one in source.cards if not one.passes), key=_order))
    roles = {Term("equal", (name, player_symbol(seat, players))) for name, seat in source.players}
    plain: list[Term] = []
    absences: list[Absence] = []
    for condition in sorted(source.conditions - roles, key=str):
        absent = _absence(condition)
        if absent is not None:
            absences.append(absent)
        elif not _is_free(condition, source):
            plain.append(condition)
    if config.drop_impossible:
        plain += _possible(symbols, absences)
    kept = tuple(sorted(roles & source.conditions, key=str))
    return Scheme(source, symbols, tuple(plain), kept, tuple(absences))


def _order(one: PlayedCard) -> tuple[int, int]:
    return one.seat, one.number


def _absence(condition: Term) -> Absence | None:
    if condition.name != "neg":
        return None
    inner = condition.args[0]
    if not isinstance(inner, Term) or inner.name != "playerHas":
        return None
    who, template = inner.args
    assert isinstance(who, Term)
    assert isinstance(template, Term)
    return Absence(who, template)


def _is_free(condition: Term, source: PseudoHeuristic) -> bool:
    """Whether a condition is decided in the pass itself: that a player passes, or its card."""
    seats = {one.seat for one in source.cards}
    inner = condition.args[0] if condition.name == "neg" else condition
    if isinstance(inner, Term) and inner.name == "equal":
        asked = inner.args[0]
        if isinstance(asked, Term) and asked.name == "passed" and seat_of(asked.args[0]) in seats:
            return True
    passing = {one.name for one in source.cards if one.passes}
    return not passing.isdisjoint(subterms(condition))


def _possible(symbols: Iterable[PlayedCard], absences: Iterable[Absence]) -> Iterator[Term]:
    """Conditions that no player plays a card that it should not have."""
    for absent in absences:
        for one in symbols:
            if one.seat == seat_of(absent.who):
                yield Term("neg", (Term("cardInstanceOf", (one.name, absent.template)),))


@lru_cache(maxsize=64)
def analysis_of(rules: Rules) -> ChartAnalysis | None:
    """The analysis of a chart; None where its form does not allow one: then only progress counts."""
    try:
        return analyse(rules)
    except CardsError:
        return None
