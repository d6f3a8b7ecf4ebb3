"""The effects of statements on a position; each returns its question to the host, or None when done."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from ...rules.terms import Pattern
from ..language.captions import parse_condition
from ..language.config import MachineConfig
from ..language.deck import cards_like, fits, sorted_cards
from ..language.faults import ChartError
from ..language.language import HIDDEN_FUNCTIONS, PLACE_FUNCTIONS
from ..language.terms import (
    EMPTY,
    FALSE,
    PASS,
    TRUE,
    Term,
    format_term,
    is_string,
    number,
    player,
    subterms,
    text_of,
)
from .evaluate import EvaluationError, as_number, as_place, as_player, evaluate, evaluate_name, integer
from .position import DISCARD, NUMBER_OF_CARDS, PACK, STACK, CardPosition, hand
from .reasons import LAZY, NeedCard, NeedMove, NeedShuffle, Publish, Reason

_SHUFFLE, _MOVE, _PUBLISHED, _LEFT = Term("shuffle"), Term("move"), Term("published"), Term("left")
_VISIBILITY = {"Pile.open": "open", "Pile.closed": "closed", "Pile.private": "private"}
_PART = re.compile(r"#\{([^}]*)\}")
MOST_CARDS = 256
"""Most cards in a pack."""


def needs_hidden(term: Pattern) -> bool:
    """Whether the value of an expression may depend on cards that not all players see."""
    return any(
        one.name in HIDDEN_FUNCTIONS
        or (one.name in PLACE_FUNCTIONS and one.args and _may_be_hidden(one.args[0]))
        for one in subterms(term)
    )


def _may_be_hidden(place: Pattern) -> bool:
    return not (isinstance(place, Term) and place.name in ("stack", "discard"))


def _assign(action: Term, position: CardPosition, config: MachineConfig) -> Reason | None:
    value = evaluate(action.args[1], position)
    name = evaluate_name(action.args[0], position)
    position.variables[name] = value
    if needs_hidden(action.args[1]):
        position.tell(Term("variable", (name, value)))
    return None


def _publish(action: Term, position: CardPosition, config: MachineConfig) -> Reason | None:
    message = action.args[0]
    if not isinstance(message, Term) or not is_string(message):
        raise EvaluationError("publish shows a text", 'write publish("...")')
    shown = fill_in(text_of(message), position)
    if _PUBLISHED not in position.answers:
        return Publish(position.step, shown)
    position.tell(Term("said", (Term(f'"{shown}"'),)))
    return None


@lru_cache(maxsize=1024)  # a chart writes the same texts at every turn
def _name_in_text(text: str) -> Term:
    return parse_condition(text)


def parts_of_text(text: str) -> list[Term]:
    """The expressions in a text, those that cannot be read left out."""
    found = []
    for part in _PART.findall(text.replace("~", " ")):
        try:
            found.append(_name_in_text(part))
        except ChartError:
            continue
    return found


def fill_in(text: str, position: CardPosition) -> str:
    """A text with the values of the names in it: ``#{trumps} has been chosen``; ``~`` is a blank."""

    def value(match: re.Match[str]) -> str:
        try:
            return format_term(evaluate(_name_in_text(match[1]), position))
        except ChartError:
            raise EvaluationError(f"#{{{match[1]}}} is no name", "write #{name}") from None

    return _PART.sub(value, text.replace("~", " "))


def _shuffle(action: Term, position: CardPosition, config: MachineConfig) -> Reason | None:
    if _SHUFFLE not in position.answers:
        return NeedShuffle(position.step, position.composition)
    for place in list(position.places):
        position.empty(place)
    for index in range(position.players):
        position.variables[Term("middle", (player(index),))] = EMPTY
    _lay_pack(position, position.composition)
    position.tell(Term("shuffled"))
    return None


def _lay_pack(position: CardPosition, cards: tuple[Term, ...]) -> None:
    """Make a new pack of these cards in the order the host has given, or in none yet."""
    order = position.answers[_SHUFFLE]
    if order is LAZY:
        position.order, position.undrawn = (None,) * len(cards), tuple(sorted_cards(cards))
    else:
        assert isinstance(order, tuple)
        position.order, position.undrawn = order, ()
    position.set_index(0)


def _deal(action: Term, position: CardPosition, config: MachineConfig) -> Reason | None:
    each = integer(action.args[0], position)
    wanted = each * position.players
    if each < 0 or wanted > position.count(PACK):
        have = position.count(PACK)
        raise EvaluationError(
            f"{each} cards for each of {position.players}: the pack has {have}",
            f"deal at most {have // position.players} to each" if have else "Shuffle before",
        )
    need = _unknown(position, wanted)
    if need is not None:
        return need
    for at, what in enumerate(_draw(position, wanted)):
        _give(position, at % position.players, (what,))
    position.variables[NUMBER_OF_CARDS] = number(each)
    return None


def _unknown(position: CardPosition, count: int) -> Reason | None:
    """The first of the next cards that is still undrawn."""
    for at in range(position.index, position.index + count):
        if position.order[at] is None:
            return NeedCard(position.step, at, position.undrawn)
    return None


def _draw(position: CardPosition, count: int) -> list[Term]:
    cards = [one for one in position.order[position.index : position.index + count] if one is not None]
    position.set_index(position.index + count)
    return cards


def _give(position: CardPosition, index: int, cards: tuple[Term, ...]) -> None:
    position.put(hand(index), cards)
    for one in cards:
        position.tell(Term("drew", (player(index), one)), [index], Term("drew", (player(index),)))


def _pick_up(action: Term, position: CardPosition, config: MachineConfig) -> Reason | None:
    index = as_player(evaluate(action.args[0], position), position)
    wanted = integer(action.args[1], position)
    if wanted < 0:
        raise EvaluationError(f"nobody picks up {wanted} cards")
    return _from_pack(position, wanted, config, lambda cards: _give(position, index, cards))


def _from_pack(
    position: CardPosition, wanted: int, config: MachineConfig, give: Callable[[tuple[Term, ...]], None]
) -> Reason | None:
    """Take cards from the top of the pack, which is renewed from played cards where it is used up.

    The host may be asked several times on the way; the number still to be taken is kept with its answers.
    """
    position.answers.setdefault(_LEFT, wanted)
    while (left := _left(position)) > 0:
        some = min(left, position.count(PACK))
        if some == 0:
            recycled = _recyclable(position) if _recycles(position, config) else ()
            if not recycled:
                return None  # there are no cards to take
            if _SHUFFLE not in position.answers:
                return NeedShuffle(position.step, recycled)
            _recycle(position, recycled)
            continue
        need = _unknown(position, some)
        if need is not None:
            return need
        give(tuple(_draw(position, some)))
        position.answers[_LEFT] = left - some
    return None


def _left(position: CardPosition) -> int:
    left = position.answers[_LEFT]
    assert isinstance(left, int)
    return left


def _recycles(position: CardPosition, config: MachineConfig) -> bool:
    said = position.variables.get(Term("recycle"))
    return config.recycle if said is None else said is TRUE


def _recyclable(position: CardPosition) -> tuple[Term, ...]:
    """All played cards but those that stay on the stack."""
    cards = list(position.cards(DISCARD) + position.cards(STACK))
    for one in _staying(position):
        cards.remove(one)
    return tuple(cards)


def _staying(position: CardPosition) -> tuple[Term, ...]:
    """The cards that a new pack leaves on the stack, as they lie there: the topmost, and those in the middle.

    Of equal cards the topmost are meant, as many as lie in the middle.
    """
    stack = position.cards(STACK)
    names = [Term("middle", (player(index),)) for index in range(position.players)]
    wanted = Counter(position.variables[name] for name in names)
    found: list[Term] = []
    for at, one in enumerate(reversed(stack)):
        if wanted[one] > 0 or at == 0:
            wanted[one] -= 1
            found.append(one)
    return tuple(reversed(found))


def _recycle(position: CardPosition, cards: tuple[Term, ...]) -> None:
    staying = _staying(position)
    position.empty(DISCARD)
    position.empty(STACK)
    position.put(STACK, staying)
    _lay_pack(position, cards)
    del position.answers[_SHUFFLE]  # the next pack is shuffled separately
    position.tell(Term("packRecycled"))


def _stack_empty(action: Term, position: CardPosition, config: MachineConfig) -> Reason | None:
    position.put(DISCARD, position.empty(STACK))
    for index in range(position.players):
        position.variables[Term("middle", (player(index),))] = EMPTY
    return None


def _play_card(action: Term, position: CardPosition, config: MachineConfig) -> Reason | None:
    index = as_player(evaluate(action.args[0], position), position)
    found = _ask_for_card(action, position, index, hand(index), evaluate(action.args[1], position))
    if not isinstance(found, Term):
        return found
    position.variables[Term("passed", (player(index),))] = TRUE if found is PASS else FALSE
    if found is PASS:
        position.tell(Term("passed", (player(index),)))
        return None
    position.take(hand(index), found)
    position.put(STACK, (found,))
    position.variables[Term("middle", (player(index),))] = found
    position.tell(Term("played", (player(index), found)))
    return None


def _choose_card(action: Term, position: CardPosition, config: MachineConfig) -> Reason | None:
    index = as_player(evaluate(action.args[0], position), position)
    source, target = (as_place(evaluate(arg, position), position) for arg in action.args[1:3])
    if not position.sees(index, source):
        raise EvaluationError(f"player({index}) does not see {format_term(source)} and cannot choose from it")
    found = _ask_for_card(action, position, index, source, evaluate(action.args[3], position))
    if not isinstance(found, Term):
        return found
    position.variables[Term("passed", (player(index),))] = TRUE if found is PASS else FALSE
    if found is PASS:
        position.tell(Term("passed", (player(index),)))
        return None
    position.take(source, found)
    carry(position, source, target, (found,))
    return None


def _ask_for_card(
    action: Term, position: CardPosition, index: int, place: Term, template: Term
) -> Term | Reason:
    """The card a player has chosen, or the question; a player without any choice is a fault of the chart."""
    may_pass = action.name.endswith("OrPass")
    cards = dict.fromkeys(one for one in position.cards(place) if fits(one, template))
    options = tuple(sorted_cards(cards)) + ((PASS,) if may_pass else ())
    if not options:
        message = f"player({index}) has no card that fits {format_term(template)}"
        raise EvaluationError(message, "ask playerHas before, or let the player pass: playCardOrPass")
    return _answer(position, NeedMove(position.step, index, options, template, may_pass))


def _answer(position: CardPosition, question: NeedMove) -> Term | Reason:
    found = position.answers.get(_MOVE)
    if found is None:
        return question
    assert isinstance(found, Term)
    position.decisions += 1
    position.decided_at = position.step
    return found


def _choose(action: Term, position: CardPosition, config: MachineConfig) -> Reason | None:
    index = as_player(evaluate(action.args[0], position), position)
    name = evaluate_name(action.args[1], position)
    options = tuple(one for arg in action.args[2:] for one in _options(evaluate(arg, position)))
    if not options:
        raise EvaluationError(f"player({index}) has nothing to choose")
    found = _answer(position, NeedMove(position.step, index, tuple(dict.fromkeys(options))))
    if not isinstance(found, Term):
        return found
    position.variables[name] = found
    position.tell(Term("chose", (player(index), found)))
    return None


def _options(value: Term) -> list[Term]:
    if value.name != "range":
        return [value]
    least, most = (as_number(arg) for arg in value.args if isinstance(arg, Term))
    if most - least > MOST_CARDS:
        raise EvaluationError(f"range({least},{most}) has too many values")
    return [number(one) for one in range(least, most + 1)]


def _move(action: Term, position: CardPosition, config: MachineConfig) -> Reason | None:
    source, target = (as_place(evaluate(arg, position), position) for arg in action.args[:2])
    wanted = integer(action.args[2], position)
    if source is PACK:
        return _from_pack(position, wanted, config, lambda cards: carry(position, source, target, cards))
    cards = position.cards(source)
    moved = cards[max(0, len(cards) - wanted) :] if wanted > 0 else ()
    for one in reversed(moved):
        position.take(source, one)
    carry(position, source, target, moved[::-1])
    return None


def _move_all(action: Term, position: CardPosition, config: MachineConfig) -> Reason | None:
    source, target = (as_place(evaluate(arg, position), position) for arg in action.args[:2])
    if source is PACK:
        return _from_pack(
            position, position.count(PACK), config, lambda cards: carry(position, PACK, target, cards)
        )
    template = evaluate(action.args[2], position) if len(action.args) == 3 else None
    moved = tuple(one for one in position.cards(source) if template is None or fits(one, template))
    for one in moved:
        position.take(source, one)
    carry(position, source, target, moved)
    return None


def carry(position: CardPosition, source: Term, target: Term, cards: tuple[Term, ...]) -> None:
    """Put cards on a place; a player that sees either place sees which they are."""
    position.put(target, cards)
    if source is STACK:
        for index in range(position.players):
            name = Term("middle", (player(index),))
            if position.variables[name] in cards:
                position.variables[name] = EMPTY
    for one in cards:
        who = [at for at in range(position.players) if position.sees(at, source) or position.sees(at, target)]
        told = Term("moved", (source, target))
        position.tell(
            Term("moved", (source, target, one)), None if len(who) == position.players else who, told
        )


def _pack(action: Term, position: CardPosition, config: MachineConfig) -> Reason | None:
    template = evaluate(action.args[0], position)
    copies = integer(action.args[1], position) if len(action.args) == 2 else 1
    if action.name == "Pack.remove":
        position.composition = tuple(one for one in position.composition if not fits(one, template))
        return None
    if not 0 <= copies <= MOST_CARDS:
        raise EvaluationError(f"a card {copies} times")
    kept = () if action.name == "Pack.use" else position.composition
    position.composition = kept + cards_like(template) * copies
    if len(position.composition) > MOST_CARDS:
        raise EvaluationError(f"a pack of {len(position.composition)} cards: {MOST_CARDS} are the most")
    return None


def _visibility(action: Term, position: CardPosition, config: MachineConfig) -> Reason | None:
    position.visibility[str(action.args[0])] = _VISIBILITY[action.name]
    return None


STATEMENT_EFFECTS: dict[str, Callable[[Term, CardPosition, MachineConfig], Reason | None]] = {
    "assign": _assign,
    "publish": _publish,
    "Shuffle": _shuffle,
    "Deal": _deal,
    "pickUp": _pick_up,
    "Stack.empty": _stack_empty,
    "playCard": _play_card,
    "playCardOrPass": _play_card,
    "chooseCard": _choose_card,
    "chooseCardOrPass": _choose_card,
    "choose": _choose,
    "move": _move,
    "moveAll": _move_all,
    "Pack.use": _pack,
    "Pack.add": _pack,
    "Pack.remove": _pack,
    **dict.fromkeys(_VISIBILITY, _visibility),
}
