"""What a role at a card table knows of hands is true, and its worlds count what it cannot know."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from ludorum.cards.machine.game import CardGame, CardState
from ludorum.cards.machine.position import hand
from ludorum.cards.show.faces import face
from ludorum.cards.worlds.knowledge import Knowledge
from ludorum.engine.load import load_game
from ludorum.web.live.card_knowledge import known_hands, likely_hands
from ludorum.web.live.plan import Json
from tests.web.live.hubs import person, plan_of, player, run, running_hub, view_when

MOST = 1_000


def random_match(name: str, seed: int, steps: int) -> list[CardState]:
    game = load_game(name)
    assert isinstance(game, CardGame)
    chance = Random(seed)
    states = [game.initial()]
    while len(states) <= steps and not states[-1].is_terminal:
        joint = tuple(chance.choice(sorted(states[-1].legal(role), key=str)) for role in game.roles)
        states.append(states[-1].play(joint))
    return states


def hands_in(states: list[CardState]) -> dict[str, set[str]]:
    """The hands as they are, by the words for their owners: player 0 is asked."""
    game, position = states[-1].game, states[-1].position
    owners = ["you", *map(str, game.players[1:])]
    return {owner: set(map(face, position.cards(hand(at)))) for at, owner in enumerate(owners)}


def split(words: str) -> tuple[str, set[str]]:
    owner, _, cards = words.partition(": ")
    return owner, set(cards.split(", "))


@pytest.mark.long
@pytest.mark.parametrize("name", ["hearts", "gin_rummy", "go_fish"])
def test_known_cards_are_where_they_are_said_to_be_and_no_others_are_held_for_likely(name: str) -> None:
    for steps in (64, 80):
        states = random_match(name, 1, steps)
        true = hands_in(states)
        knowledge = Knowledge.after(states, 0)
        known = dict(map(split, known_hands(states[-1].game, knowledge.position, 0)))
        assert known["you"] == true["you"]
        assert len(known) > 1, "nothing is known of others, and the test shows nothing"
        assert all(cards <= true[owner] for owner, cards in known.items())
        game = states[-1].game
        told = [state.percepts(game.players[0]) for state in states[1:]]
        found = likely_hands(game, game.players[0], told, MOST)
        places: dict[str, float] = {}
        for one in found["opinion"]:
            owner, (card,) = split(one["words"])
            assert card not in true["you"] | known.get(owner, set())
            places[card] = places.get(card, 0.0) + one["value"]
        assert max(places.values()) < 1 + 1e-3, "no card is in two hands"


def test_of_thirteen_cards_each_other_one_is_as_likely() -> None:
    states = random_match("one_card_poker", 1, 3)
    game = states[-1].game
    (own,) = hands_in(states)["you"]
    told = [state.percepts(game.players[0]) for state in states[1:]]
    found = likely_hands(game, game.players[0], told, MOST)
    assert (found["worlds"], found["is_all"], len(found["opinion"])) == (12, True, 12)
    assert {one["value"] for one in found["opinion"]} == {round(float(Fraction(1, 12)), 4)}
    assert f"player1: {own}" not in {one["words"] for one in found["opinion"]}


@pytest.mark.long
def test_a_person_at_a_card_table_is_told_both() -> None:
    async def play() -> Json:
        async with running_hub() as hub:
            seats = {f"player{at}": person("ann") if at == 0 else player("legal") for at in range(4)}
            await hub.create(plan_of("hearts", seats))
            await view_when(hub, "u:ann", lambda view: view["phase"] == "choice")
            return await hub.knowledge_for("m1", "u:ann")

    known = run(play())
    owner, cards = split(known["sure"][0])
    assert (owner, len(cards), len(known["sure"])) == ("you", 13, 1)
    assert (known["worlds"], known["is_all"], len(known["opinion"])) == (200, False, 40)
    assert all(0.3 < one["value"] < 0.6 for one in known["opinion"])
