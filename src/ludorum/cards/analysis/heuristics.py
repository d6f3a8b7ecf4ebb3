"""From paths through the main loop to pseudo-heuristics: weights for each player, and conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from ..language.deck import fits, point_value, standard_pack
from ..language.rules import Statement
from ..language.terms import Term, as_integer, number, player, player_number, subterms
from .linear import as_sum, as_term
from .names import ChartNames
from .needs import NeedPlayer, NeedTruth, NoValue
from .properties import change_of
from .result import ChartProperty, PlayedCard, PseudoHeuristic
from .seats import by_number, card_symbol, player_symbol, seen_from
from .simplify import negation
from .symbolic import SymbolicState, is_foreseen

MOST_CASES = 100
"""Most combinations of card values on one path: two cards of six values are 36."""


def pseudo_heuristics(
    names: ChartNames,
    ends: Sequence[SymbolicState],
    properties: Sequence[ChartProperty],
    all_seats: bool = True,
) -> list[PseudoHeuristic]:
    """One for every path and every player that looks at it; equal ones are merged, those of weight 0
    included.

    Where seats are alike the paths of one leader are given, and stand for those of all.
    """
    settled = [state for end in ends for state in _settled(names, end, properties)]
    by_player = [
        [one for state in settled for one in _instances(names, state, properties, me)]
        for me in range(names.players)
    ]
    kinds = [{_key(one) for one in instances} for instances in by_player]
    common = set.intersection(*kinds) if all_seats else set.union(*kinds)
    found: dict[tuple[int, frozenset[Term], frozenset[Term]], PseudoHeuristic] = {}
    for me, instances in enumerate(by_player):
        for one in instances:
            if _key(one) not in common:
                # Seats differ in this game: an instance must name the seat it was found for.
                seat = Term("equal", (player(me), player_symbol(0, names.players)))
                one = _with_conditions(one, one.conditions | {seat})
            found.setdefault(_key(one), one)
    return sorted(found.values(), key=_order)


def _key(one: PseudoHeuristic) -> tuple[int, frozenset[Term], frozenset[Term]]:
    return one.weight, one.conditions, one.unforeseen


def _order(one: PseudoHeuristic) -> tuple[object, ...]:
    return one.path, [seat for _, seat in one.players], -one.weight, sorted(map(str, one.conditions))


def _settled(
    names: ChartNames, state: SymbolicState, properties: Sequence[ChartProperty]
) -> Iterator[SymbolicState]:
    """States in which all players of conditions are known, and the number of cards that properties count."""
    need = _unsettled(names, state, properties)
    if need is None:
        yield state
        return
    if isinstance(need, NeedPlayer):
        try:
            more: Iterable[SymbolicState | None] = state.with_player(need)
        except NoValue:
            return
    else:
        more = (state.assume(need.condition), state.assume(negation(need.condition)))
    for one in more:
        if one is not None:
            yield from _settled(names, one, properties)


def _unsettled(
    names: ChartNames, state: SymbolicState, properties: Sequence[ChartProperty]
) -> NeedPlayer | NeedTruth | None:
    for condition in state.conditions:
        for part in subterms(condition):
            if part in state.initial:
                continue  # it is known, though the condition could not be written without it
            if names.holds_number_of_player(part):
                return NeedPlayer(part, as_number=True)
            if names.holds_player(part):
                return NeedPlayer(part, as_number=False)
    for one in properties:
        for me in range(names.players):
            try:
                state.evaluate(by_number(one.term, me, names.players))
            except (NeedPlayer, NeedTruth) as need:
                return need
            except NoValue:
                continue
    return None


def _instances(
    names: ChartNames, state: SymbolicState, properties: Sequence[ChartProperty], me: int
) -> Iterator[PseudoHeuristic]:
    players = names.players
    conditions = [seen_from(one, me, players) for one in state.conditions]
    roles = [(role.term, (role.who - me) % players) for role in state.roles]
    conditions += [Term("equal", (term, player_symbol(seat, players))) for term, seat in roles]
    repeated = [
        Term("equal", (role.term, player_symbol((role.who - me) % players, players)))
        for role in state.repeated_roles
    ]
    cards = tuple(_card(name, passes, me, players) for name, passes in state.cards)
    for weight, more in _weights(names, state, properties, me):
        whole = frozenset(conditions) | frozenset(seen_from(one, me, players) for one in more)
        yield PseudoHeuristic(
            weight=weight,
            conditions=frozenset(filter(is_foreseen, whole)),
            unforeseen=frozenset(one for one in whole if not is_foreseen(one)),
            players=tuple(roles),
            path=state.path,
            plays_my_card=any(one.seat == 0 and not one.passes for one in cards),
            cards=cards,
            redundant=frozenset(repeated) - whole,
        )


def _card(name: Term, passes: bool, me: int, players: int) -> PlayedCard:
    who, count = player_number(name.args[0]), as_sum(name.args[1]).constant
    assert who is not None
    seat = (who - me) % players
    return PlayedCard(card_symbol(seat, count, players), seat, count, passes)


def _weights(
    names: ChartNames, state: SymbolicState, properties: Sequence[ChartProperty], me: int
) -> list[tuple[int, tuple[Term, ...]]]:
    """The sum of all changes for the better; several where it depends on which of two terms is larger."""
    found: list[tuple[int, tuple[Term, ...]]] = [(0, ())]
    for one in properties:
        sign = 1 if one.direction == "max" else -1
        term = by_number(one.term, me, names.players)
        changes = _distances(state, term) if term.name == "abs" else _plain(names, state, term)
        found = [
            (weight + sign * change, (*before, *more)) for weight, before in found for change, more in changes
        ]
    return found


def _plain(names: ChartNames, state: SymbolicState, term: Term) -> list[tuple[int, tuple[Term, ...]]]:
    """A change that is not a number is unknown before the game, and counts as 0.

    The points of cards are known: a change made of them is told apart by the values of those cards.
    """
    change = change_of(state, term)
    if change is None:
        return [(0, ())]
    if change.is_constant:
        return [(change.constant, ())]
    cards = [part for part, _ in change.parts]
    values = card_values(names, state.initial)
    if any(part.name != "pointValue" for part in cards) or len(values) ** len(cards) > MOST_CASES:
        return [(0, ())]
    found = []
    for case in product(values, repeat=len(cards)):
        weight = change.constant + sum(
            count * value for (_, count), value in zip(change.parts, case, strict=True)
        )
        more = (Term("equal", (part, number(value))) for part, value in zip(cards, case, strict=True))
        found.append((weight, tuple(more)))
    return found


def card_values(names: ChartNames, known: Mapping[Term, Term]) -> list[int]:
    """All points that a card of the pack can have, by what the chart has assigned before the game."""
    pack = list(standard_pack())
    for node in names.rules.nodes.values():
        if isinstance(node, Statement) and node.action.name == "Pack.remove":
            pack = [one for one in pack if not fits(one, node.action.args[0])]
    found = set()
    for card in pack:
        said = [known.get(Term("pointValue", (part,))) for part in (card, *card.args)]
        first = next((one for one in said if one is not None), None)
        value = point_value(card.args[0]) if first is None else as_integer(first)  # type: ignore[arg-type]
        found.add(value or 0)
    return sorted(found)


def _distances(state: SymbolicState, term: Term) -> list[tuple[int, tuple[Term, ...]]]:
    """The change of a distance, which depends on which of two terms is larger at the start."""
    inner = term.args[0]
    assert isinstance(inner, Term)
    change = change_of(state, inner)
    if change is None or not change.is_constant or change.constant == 0:
        return [(0, ())]
    start = as_sum(state.at_start(inner))
    below = Term("lessThan", (as_term(start), Term("0")))
    by = change.constant
    if by > 0:
        return [(-by, (below,)), (by, (negation(below),))]
    above = Term("greaterThan", (as_term(start), Term("0")))
    return [(by, (above,)), (-by, (negation(above),))]


def _with_conditions(one: PseudoHeuristic, conditions: frozenset[Term]) -> PseudoHeuristic:
    from dataclasses import replace

    return replace(one, conditions=conditions)
