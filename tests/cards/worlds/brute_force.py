"""All worlds by trying: the machine itself plays every draw, and the player must perceive the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ludorum.cards.language.rules import parse_table
from ludorum.cards.language.terms import Term
from ludorum.cards.machine.game import CardGame, CardState
from ludorum.cards.machine.position import hand
from ludorum.cards.machine.reasons import NeedCard
from ludorum.rules.terms import sort_key

Hands = tuple[tuple[Term, ...], ...]


def before_the_end(game: CardGame, seed: int) -> list[CardState]:
    """The states of a random game but for its last one."""
    return [state for state in game.playout(seed) if isinstance(state, CardState)][:-1]


def brute_force(states: Sequence[CardState], player: int) -> dict[tuple[object, ...], CardState]:
    """The last state of every history that looks to a player as the true one, by what tells them apart.

    Histories are told apart by the hidden cards of each step, not by the order in which they were dealt.
    """
    return {key: path[-1] for key, path in paths_alike(states, player).items()}


def paths_alike(states: Sequence[CardState], player: int) -> dict[tuple[object, ...], tuple[CardState, ...]]:
    """The same with all states on the way."""
    role = states[0].game.players[player]
    worlds: dict[tuple[object, ...], tuple[CardState, ...]] = {((),): (states[0],)}
    for at in range(1, len(states)):
        seen = states[at].percepts(role)
        own_draw = _own_draw(states, at, player)
        worlds = {
            _key(path[-1], key, after): (*path, after)
            for key, path in worlds.items()
            for joint in path[-1].joint_moves()
            if own_draw is None or own_draw in joint
            for after in [path[-1].play(joint)]
            if after.percepts(role) == seen
        }
    return worlds


def final_positions(worlds: Sequence[CardState], player: int) -> Counter[Hands]:
    """How often every way to hold the cards occurs."""
    return Counter(hidden(state, player) for state in worlds)


def hidden(state: CardState, player: int) -> Hands:
    """The cards a player does not see: other hands, and piles in their order."""
    position = state.position
    others = [position.cards(hand(at)) for at in range(position.players) if at != player]
    piles = sorted((place for place in position.places if place.name == "pile"), key=sort_key)
    return (*others, *(position.cards(place) for place in piles))


def _own_draw(states: Sequence[CardState], at: int, player: int) -> Term | None:
    """What nature did, where that was to draw a card for the player: it is known, and saves many tries."""
    joint = states[at].joint
    if not isinstance(states[at - 1].reason, NeedCard) or joint is None:
        return None
    step = states[at - 1].position.step
    mine = {
        event.seen.args[1]
        for state in states[at:]
        for event in state.events
        if event.step == step
        and event.seen.name == "drew"
        and event.seen.args[0].name == "player"
        and event.witnesses == frozenset([player])
    }
    return joint[-1] if joint[-1].args[0] in mine else None


def _key(before: CardState, key: tuple[object, ...], after: CardState) -> tuple[object, ...]:
    """Draws of an unfinished step are kept in order; when it is over, only who has what counts.

    A step that makes a new pack gives cards in its middle: so what was held when it began is kept too.
    """
    position = after.position
    held = tuple(sorted(position.places.items(), key=str))
    pending = position.order[position.index :] if isinstance(after.reason, NeedCard) else ()
    *past, last = key
    begun = held
    if position.step != before.position.step:
        past.append(last[:3])  # type: ignore[index]
    elif last:
        begun = last[1]  # type: ignore[index]
    return (*past, (position.step, begun, held, pending))


def table_game(text: str, name: str = "table") -> CardGame:
    """The game of a chart written as a table."""
    return CardGame(parse_table(text), name)
