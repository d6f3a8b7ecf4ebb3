"""Whether two sheets mean the same game, and what became of a damaged one."""

from __future__ import annotations

from enum import Enum

from ludorum._core import SplitMix64
from ludorum.engine.errors import GameError
from ludorum.engine.game import Game, State
from ludorum.engine.lifted import LiftedGame
from ludorum.rules.check import check_source
from ludorum.rules.identity import shape_id
from ludorum.rules.keywords import HINTS
from ludorum.rules.reader import read_rules
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.source import RulesError, Severity, Source
from ludorum.solve.repair import Mended, mend
from ludorum.solve.repair.play import play

GAMES = 8
LONGEST = 60


class Outcome(Enum):
    """What became of one damage."""

    RESTORED = "the first repair has the old meaning"
    OFFERED = "another repair that was offered has it"
    OTHER = "a repair with another meaning"
    NOTHING = "no repair"
    RUINED = "a game that is over at the start"
    HARMLESS = "left out: neither check nor random games show that the damage changes anything"
    UNSEEN = "left out: a valid other game, in which check and play find nothing new"
    DOES_NOT_APPLY = "left out: no place for such a damage"


def plain(rules: Ruleset) -> Ruleset:
    """The rules without hints, which change no game."""
    return rules.with_rules(rule for rule in rules.rules if rule.head.name not in HINTS)


def same_rules(one: Ruleset, other: Ruleset) -> bool:
    """The same rules up to order and names."""
    return shape_id(plain(one)) == shape_id(plain(other))


def same_meaning(one: Ruleset, other: Ruleset) -> bool:
    """The same rules up to order and names, or the same positions, moves, ends and values in random games."""
    if same_rules(one, other):
        return True
    try:
        left, right = LiftedGame(one, "one"), LiftedGame(other, "other")
        if {*left.roles} != {*right.roles}:
            return False
        return all(_play_alike(left, right, seed) for seed in range(GAMES if _is_quick(left) else 2))
    except (GameError, RulesError):
        return False


def _is_quick(game: Game) -> bool:
    return sum(len(game.initial().legal(role)) for role in game.roles) < 500


def _play_alike(one: Game, other: Game, seed: int) -> bool:
    chooser = SplitMix64(seed)
    left, right = one.initial(), other.initial()
    for _ in range(LONGEST):
        if not _alike(left, right):
            return False
        choices = {role: left.legal(role) for role in one.roles}
        if left.is_terminal or not all(choices.values()):
            return True
        moves = {role: found[chooser.below(len(found))] for role, found in choices.items()}
        left = left.play([moves[role] for role in one.roles])
        right = right.play([moves[role] for role in other.roles])
    return True


def _alike(left: State, right: State) -> bool:
    return (
        left.facts() == right.facts()
        and left.is_terminal == right.is_terminal
        and all(
            left.legal(role) == right.legal(role) and left.goal_terms(role) == right.goal_terms(role)
            for role in left.game.roles
        )
    )


def findings(text: str) -> list[str]:
    """What `check` says of a text, without places."""
    return sorted(f"{fault.code}" for fault in check_source(Source("sheet.kif", text)))


def outcome(good: str, bad: str | None) -> tuple[Outcome, Mended | None]:
    """Mend a damaged text and compare it with the good one.

    Where random games do not tell the damaged sheet from the good one, they cannot judge a repair either:
    there only the same rules count as the old meaning.
    """
    if bad is None:
        return Outcome.DOES_NOT_APPLY, None
    old, _ = read_rules(Source("sheet.kif", good))
    rules, unread = read_rules(Source("sheet.kif", bad))
    errors = [f for f in check_source(Source("sheet.kif", bad)) if f.severity is Severity.ERROR]
    plays_alike = not unread and not errors and same_meaning(old, rules)
    if plays_alike and findings(bad) == findings(good):
        return Outcome.HARMLESS, None
    same = same_rules if plays_alike else same_meaning
    found = mend(Source("sheet.kif", bad))
    if not found.offers:
        seen = unread or errors or findings(bad) != findings(good) or play(rules).symptoms
        return (Outcome.NOTHING if seen else Outcome.UNSEEN), found
    for number, offer in enumerate(found.offers):
        after, faults = read_rules(offer.after)
        if not faults and LiftedGame(after, "mended").initial().is_terminal:
            return Outcome.RUINED, found
        if not faults and same(old, after):
            return (Outcome.OFFERED if number else Outcome.RESTORED), found
    return Outcome.OTHER, found
