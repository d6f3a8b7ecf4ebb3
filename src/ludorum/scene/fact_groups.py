"""The facts of a position that are not drawn, in words: whose turn it is first, then the rest by relation.

Relations that only count steps come last, since pages number the steps themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..engine.game import Game
from ..rules.move_counters import move_counters
from ..rules.terms import Pattern, Term, as_integer, sort_key
from ..rules.wdl.names import without_modules
from ..show.board import spaced
from .amounts import amount_of, dice_of
from .card_faces import face_of_args
from .game_look import GameLook
from .model import Dice, FactAmount, FactGroup
from .sight import ViewerSight

TURN = "to move"
STEP = "step"
ROLLED = "rolled"
"""The dice of the last step, where no fact keeps them."""
POSSIBLE = "may be true"
"""The name of the group of facts that the viewer holds for possible."""
MOST_DICE = 8
"""Dice of one face that are drawn."""
MOST_POSSIBLE = 12
"""Possible facts that are named; where there are more, they are counted."""
TURN_WORDS = frozenset({"control", "turn"})
COUNTER_WORDS = frozenset({"step", "ply", "phase_step", "move_number", "clock", "time"})
QUIET = "quiet"
"""Counts the moves since something was captured, for the end of a game that leads nowhere: not shown."""
INNER = TURN_WORDS | COUNTER_WORDS | {QUIET}
"""Relations that only count steps or name the role to move, by the names that rule sheets give them. Counters
of other names are found by a proof from the rules."""


def fact_groups(look: GameLook, sight: ViewerSight) -> tuple[FactGroup, ...]:
    """The facts that the viewer knows beside those on the board, and those that it holds for possible in its
    seat."""
    facts = [fact for fact in sight.facts or () if not _is_drawn(look, fact)]
    first: list[FactGroup] = []
    last: list[FactGroup] = []
    groups: dict[str, list[Term]] = {}
    for fact in sorted(facts, key=sort_key):
        if _is_turn(look, fact):
            first.append(FactGroup(TURN, (str(fact.args[0]),)))
        elif len(fact.args) == 1 and (fact.name in COUNTER_WORDS or fact.name in look.counters):
            name = STEP if fact.name in COUNTER_WORDS else spaced(fact.name)
            last.append(FactGroup(name, (str(fact.args[0]),)))
        elif len(fact.args) == 1 and fact.name == QUIET:
            continue
        else:
            groups.setdefault(spaced(fact.name) if fact.args else "", []).append(fact)
    rest = [_group(look, name, found) for name, found in groups.items()]
    if not any(group.dice for group in rest) and (rolled := tuple(_rolled(look, sight))):
        first.append(FactGroup(ROLLED, tuple(f"{one.label} {one.faces[0]}" for one in rolled), dice=rolled))
    # To one that plays in no seat nearly everything is possible.
    has_seat = sight.role is not None or len(look.players) == 1
    return (*first, *rest, *last, *(_possible(look, sight.possible) if has_seat else ()))


def _group(look: GameLook, name: str, facts: Sequence[Term]) -> FactGroup:
    """Facts of one name, with what can be drawn of them."""
    entries = tuple(words_of_args(fact) if fact.args else spaced(fact.name) for fact in facts)
    labels = [" ".join(map(fact_words, fact.args[:-1])) for fact in facts]
    dice = [_dice(look, fact) for fact in facts]
    if all(dice):
        return FactGroup(name, entries, dice=tuple(filter(None, dice)))
    amounts = [_amount(look, label, fact) for label, fact in zip(labels, facts, strict=True)]
    if all(amounts):
        return FactGroup(name, entries, amounts=tuple(filter(None, amounts)))
    cards = [face_of_args(fact.args, look.faces) for fact in facts]
    return FactGroup(name, entries, cards=tuple(filter(None, cards)) if all(cards) else ())


def _dice(look: GameLook, fact: Term) -> Dice | None:
    """The dice of a fact: those of its name, or the face that chance drew; None where it has none."""
    faces = dice_of(fact)
    if faces:
        return Dice(" ".join(map(fact_words, fact.args[:-1])), faces)
    at = look.dice.facts.get(fact.signature)
    face = None if at is None else as_integer(fact.args[at])
    if at is None or face is None:
        return None
    rest = [arg for place, arg in enumerate(fact.args) if place != at]
    often = as_integer(rest[0]) if at == 0 and len(rest) == 1 else None
    if often is not None and 0 < often <= MOST_DICE:  # a face, and how many dice show it
        return Dice("", (face,) * often)
    return Dice(" ".join(map(fact_words, rest)), (face,))


def _rolled(look: GameLook, sight: ViewerSight) -> Iterable[Dice]:
    for role, move in sight.moves:
        at = look.dice.moves.get(move.signature)
        face = None if at is None else as_integer(move.args[at])
        if face is not None:
            yield Dice(fact_words(role), (face,))


def _amount(look: GameLook, label: str, fact: Term) -> FactAmount | None:
    count = amount_of(fact) if fact.signature in look.amounts else None
    return None if count is None else FactAmount(label, count)


def _possible(look: GameLook, facts: Iterable[Term]) -> Iterable[FactGroup]:
    found = sorted((fact for fact in facts if fact.name not in look.counters), key=sort_key)
    if not found:
        return []
    words = [fact_words(fact) for fact in found[:MOST_POSSIBLE]]
    return [FactGroup(POSSIBLE, (f"{len(found)} facts",) if len(found) > MOST_POSSIBLE else tuple(words))]


def _is_drawn(look: GameLook, fact: Term) -> bool:
    if look.grid is not None:
        return look.grid.spot(fact) is not None
    if look.points is not None:
        return look.points.is_drawn(fact)
    return look.cards is not None and look.cards.is_card(fact)


def _is_turn(look: GameLook, fact: Term) -> bool:
    if len(fact.args) != 1:
        return False
    named = fact.name == look.turn or (look.turn is None and fact.name in TURN_WORDS)
    return named and fact.args[0] in look.players


def telling_facts(game: Game, facts: Iterable[Term]) -> frozenset[Term]:
    """Facts without those that only count steps or name the role to move."""
    inner = INNER if game.rules is None else INNER | move_counters(game.rules)
    return frozenset(fact for fact in facts if not (fact.name in inner and len(fact.args) < 2))


def fact_words(fact: Pattern) -> str:
    """A fact without brackets: ``car 2``."""
    return spaced(without_modules(str(fact).replace("(", "").replace(")", "")))


def words_of_args(fact: Term) -> str:
    """The arguments of a fact without brackets."""
    return " ".join(map(fact_words, fact.args))
