"""Seats that are alike: then a path with one leader stands for the same path with any other."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ..language.rules import ChoiceNode, Rules, Statement
from ..language.terms import COMPARISONS, Term, as_integer, player, player_number, subterms
from .names import ChartNames


def seats_are_alike(names: ChartNames, body: Collection[int], known: Mapping[Term, Term]) -> bool:
    """Whether nothing in a part of the chart, and nothing known at its start, tells one seat from another.

    With two players nothing is gained, and both are analysed.
    """
    players = names.players
    if players == 2:
        return False
    if any(_names_a_seat(names, term) for node in body for term in _terms(names.rules, node)):
        return False
    return _teams_turn(known, players) and all(
        _same_for_all(variable, value, known, players) and not names.holds_number_of_player(variable)
        for variable, value in known.items()
        if variable.name != "team"
    )


def _terms(rules: Rules, node: int) -> list[Term]:
    found = rules.nodes[node]
    if isinstance(found, Statement):
        return [found.action]
    return [found.condition] if isinstance(found, ChoiceNode) else []


def _names_a_seat(names: ChartNames, term: Term) -> bool:
    """``player(0)``, ``player(k)`` with a counter that begins somewhere, ``leader==0``, ``leader=0``."""
    for one in subterms(term):
        if one.name == "player" and not any(_says_who(names, part) for part in subterms(one)[1:]):
            return True
        if one.name in (*COMPARISONS, "assign") and len(one.args) == 2:
            for left, right in (one.args, one.args[::-1]):
                if as_integer(right) is not None and isinstance(left, Term) and _says_who(names, left):
                    return True
    return False


def _says_who(names: ChartNames, term: Term) -> bool:
    return (
        names.holds_number_of_player(term)
        or names.holds_player(term)
        or term.name in ("playerNumber", "nextPlayer", "modulo")
    )


def _same_for_all(variable: Term, value: Term, known: Mapping[Term, Term], players: int) -> bool:
    if player_number(value) is not None:
        return False
    for at, arg in enumerate(variable.args):
        if player_number(arg) is None:
            continue
        for index in range(players):
            args = (*variable.args[:at], player(index), *variable.args[at + 1 :])
            if known.get(Term(variable.name, args)) is not value:
                return False
    return True


def _teams_turn(known: Mapping[Term, Term], players: int) -> bool:
    """Whether the opposite player is a partner for all players, or for none."""
    teams = [known.get(Term("team", (player(index),)), Term(str(index))) for index in range(players)]
    return all(
        (teams[one] is teams[(one + step) % players]) == (teams[0] is teams[step])
        for one in range(players)
        for step in range(1, players)
    )
