"""The effects of statements on a symbolic position."""

from __future__ import annotations

from collections.abc import Callable

from ..language.terms import FALSE, TRUE, Term, number, player
from ..machine.position import DISCARD, NUMBER_OF_CARDS, PACK, STACK
from .contents import Contents, add
from .places import change_hand, empty, forget_middles, move, move_all, put
from .symbolic import CHOSEN, PLAYED, UNKNOWN, Role, SymbolicState


def effect(action: Term, state: SymbolicState) -> list[SymbolicState]:
    """The states after a statement: several where a player may pass."""
    found = _EFFECTS.get(action.name)
    if found is None:
        return [state.copy()]  # texts, packs and piles: no effect here
    return found(action, state)


def _assign(action: Term, state: SymbolicState) -> list[SymbolicState]:
    target, expression = action.args
    assert isinstance(target, Term)
    found = state.copy()
    value = state.evaluate(expression)
    name = state.name_of(Term(target.name, tuple(state.evaluate(arg) for arg in target.args)))
    if not all(state.names.is_value(arg) for arg in name.args):
        # Which of them is assigned is not known: all of that name may have changed.
        for other in [one for one in found.variables if one.signature == name.signature]:
            found.variables[other] = Term(UNKNOWN, (other, number(state.steps)))
    found.variables[name] = value
    _remember_source(found, name, expression)
    return [found]


def _remember_source(state: SymbolicState, name: Term, expression: object) -> None:
    """How a name follows from the start of the pass, as the chart writes it; only before the first play."""
    assert isinstance(expression, Term)
    if state.cards:
        state.sources.pop(name, None)
    else:
        state.sources[name] = _replaced(expression, state.sources)


def _replaced(term: Term, by: dict[Term, Term]) -> Term:
    if term in by:
        return by[term]
    return Term(term.name, tuple(_replaced(arg, by) for arg in term.args if isinstance(arg, Term)))


def _play(action: Term, state: SymbolicState) -> list[SymbolicState]:
    index = state.who(action.args[0])
    template = state.evaluate(action.args[1])
    return _ask(action, state, index, template, lambda found, name: _lay(found, index, name))


def _lay(state: SymbolicState, index: int, name: Term) -> None:
    change_hand(state, player(index), number(1), -1)
    put(state, STACK, (name,))
    state.variables[Term("middle", (player(index),))] = name


def _choose_card(action: Term, state: SymbolicState) -> list[SymbolicState]:
    index = state.who(action.args[0])
    source, target, template = (state.evaluate(arg) for arg in action.args[1:])

    def carry(found: SymbolicState, name: Term) -> None:
        if source.name == "hand":
            change_hand(found, player(index), number(1), -1)
        else:
            known = found.contents(source)
            found.places[source] = Contents(add(known.count, number(1), -1))
        put(found, target, (name,))

    return _ask(action, state, index, template, carry)


def _ask(
    action: Term,
    state: SymbolicState,
    index: int,
    template: Term,
    carry: Callable[[SymbolicState, Term], None],
) -> list[SymbolicState]:
    """Ask a player for a card; the condition names it also where the player passes: so it is printed."""
    number_of = 1 + sum(name.args[0] is player(index) for name, _ in state.cards)
    name = Term(PLAYED, (player(index), number(number_of)))
    asked = state.assume(Term("cardInstanceOf", (name, template)))
    if asked is None:
        return []
    _repeat_role(action, asked, index)
    passed = Term("passed", (player(index),))
    laid = asked.copy()
    laid.cards += ((name, False),)
    carry(laid, name)
    laid.variables[passed] = FALSE
    if not action.name.endswith("OrPass"):
        return [laid]
    asked.cards += ((name, True),)
    asked.variables[passed] = TRUE
    said = Term("equal", (_decision(state, passed), TRUE))
    both = [asked.assume(said), laid.assume(Term("neg", (said,)))]
    return [one for one in both if one is not None]


def _decision(state: SymbolicState, passed: Term) -> Term:
    """The decision to pass; a player that is asked again in the same pass of the loop decides again."""
    asked = sum(name.args[0] is passed.args[0] for name, _ in state.cards)
    return passed if asked == 0 else Term("passed", (*passed.args, number(asked + 1)))


def _repeat_role(action: Term, state: SymbolicState, index: int) -> None:
    """The player of ``playCard(player(follower),...)`` as an expression over the start."""
    said = action.args[0]
    if isinstance(said, Term) and said.name == "player":
        assert isinstance(said.args[0], Term)
        role = Role(Term("player", (_replaced(said.args[0], state.sources),)), index)
        if role not in state.roles and role not in state.repeated_roles and role.term is not player(index):
            state.repeated_roles += (role,)


def _choose(action: Term, state: SymbolicState) -> list[SymbolicState]:
    index = state.who(action.args[0])
    target = action.args[1]
    assert isinstance(target, Term)
    found = state.copy()
    name = state.name_of(Term(target.name, tuple(state.evaluate(arg) for arg in target.args)))
    found.variables[name] = Term(CHOSEN, (player(index), name, number(state.steps)))
    return [found]


def _pick_up(action: Term, state: SymbolicState) -> list[SymbolicState]:
    found = state.copy()
    change_hand(found, player(state.who(action.args[0])), state.evaluate(action.args[1]), 1)
    return [found]


def _deal(action: Term, state: SymbolicState) -> list[SymbolicState]:
    found = state.copy()
    each = state.evaluate(action.args[0])
    for index in range(state.names.players):
        change_hand(found, player(index), each, 1)
    found.variables[NUMBER_OF_CARDS] = each
    return [found]


def _shuffle(action: Term, state: SymbolicState) -> list[SymbolicState]:
    """All cards go back into the pack."""
    found = state.copy()
    for index in range(state.names.players):
        found.variables[Term("cardsRemaining", (player(index),))] = number(0)
    for place in [STACK, DISCARD, *found.places]:
        empty(found, place)
    found.places.pop(PACK, None)
    forget_middles(found, None)
    return [found]


def _stack_empty(action: Term, state: SymbolicState) -> list[SymbolicState]:
    found = state.copy()
    empty(found, STACK)
    forget_middles(found, None)
    return [found]


def _move(action: Term, state: SymbolicState) -> list[SymbolicState]:
    found = state.copy()
    source, target, count = (state.evaluate(arg) for arg in action.args)
    before = state.contents(source).cards
    move(found, source, target, count)
    _left_middle(found, source, before)
    return [found]


def _move_all(action: Term, state: SymbolicState) -> list[SymbolicState]:
    found = state.copy()
    source, target = (state.evaluate(arg) for arg in action.args[:2])
    template = state.evaluate(action.args[2]) if len(action.args) == 3 else None
    before = state.contents(source).cards
    move_all(found, source, target, template)
    _left_middle(found, source, before if template is not None else None)
    return [found]


def _left_middle(state: SymbolicState, source: Term, before: tuple[Term, ...] | None) -> None:
    if source is STACK:
        kept = state.contents(STACK).cards
        forget_middles(state, None if before is None else tuple(one for one in before if one not in kept))


_EFFECTS: dict[str, Callable[[Term, SymbolicState], list[SymbolicState]]] = {
    "assign": _assign,
    "playCard": _play,
    "playCardOrPass": _play,
    "chooseCard": _choose_card,
    "chooseCardOrPass": _choose_card,
    "choose": _choose,
    "pickUp": _pick_up,
    "Deal": _deal,
    "Shuffle": _shuffle,
    "Stack.empty": _stack_empty,
    "move": _move,
    "moveAll": _move_all,
}
