"""A spectator of a card game sees what is public, and nothing more."""

from __future__ import annotations

import json
import re

import pytest
from typer.testing import CliRunner

from ludorum.cards.language.terms import Term, format_term
from ludorum.cards.load import load_card_game
from ludorum.cards.machine.host import Host
from ludorum.cards.machine.position import PACK
from ludorum.cli.app import app
from ludorum.rules.library import chart_sheets
from tests.cards.seen_cards import SPECTATOR, Onlooker, named_in
from tests.how_much import sample

NAMES = [str(sheet.name) for sheet in chart_sheets()]
SEED, NODES = 5, 70
"""The game that is watched, and how far: beyond the deal in every chart."""


def shown(name: str, *options: str, view: str = "spectator") -> str:
    """What ``ludorum cards step`` writes."""
    words = ["cards", "step", name, "--view", view, "--seed", str(SEED), "--steps", str(NODES)]
    found = CliRunner().invoke(app, [*words, *options], catch_exceptions=False)
    assert found.exit_code == 0, found.output
    return found.output


def watched(name: str) -> tuple[Onlooker, list[set[Term]]]:
    """The same game by the words of its chart, and after each node the cards a spectator has not seen yet."""
    walker = load_card_game(name).machine
    host, onlooker = Host(walker, SEED), Onlooker(walker)
    unseen = []
    for _ in range(NODES):
        while (reason := onlooker.node()) is not None:
            onlooker.answer(host.answer(reason, onlooker.position))
        unseen.append(onlooker.hidden_from(SPECTATOR))
        if onlooker.position.is_finished:
            break
    return onlooker, unseen


@pytest.mark.spec("card-games-fcdl", 86)
@pytest.mark.parametrize("name", sample(NAMES, 3))
def test_spectators_are_shown_the_public_cards_and_no_others(name: str) -> None:
    """Node by node only cards that lie open or did; at last every place, open ones card by card."""
    onlooker, unseen = watched(name)
    assert unseen[-1]
    told = json.loads(shown(name, "--json"))
    for step, hidden in zip(told["steps"], unseen, strict=True):
        del step["caption"]  # the chart is public, and may name cards
        assert not named_in(json.dumps(step, ensure_ascii=False), hidden), step
    position = onlooker.position
    assert told["table"] == {"pack": position.count(PACK)} | {
        format_term(place): [format_term(one) for one in cards]
        if onlooker.sees(SPECTATOR, place)
        else len(cards)
        for place, cards in position.places.items()
    }


@pytest.mark.spec("card-games-fcdl", 86)
@pytest.mark.parametrize("name", ["trumps", "crazy_eights", "hearts", "cheat", "old_maid"])
def test_the_lines_and_the_picture_for_spectators_name_no_hidden_card(name: str) -> None:
    onlooker, unseen = watched(name)
    nodes = onlooker.machine.rules.nodes
    text = shown(name, "--table")
    lines = re.split(r"^(?= *\d+  node )", text, flags=re.MULTILINE)[1:]
    assert len(lines) == len(unseen)
    for line, hidden in zip(lines, unseen, strict=True):
        node = re.match(r" *\d+  node (\d+)", line)
        assert node is not None
        assert int(node[1]) in nodes
        said = line.replace(onlooker.machine.rules.caption(int(node[1])), "")
        assert not named_in(said, hidden), said
    held = {one for place, cards in onlooker.position.places.items() if place.name == "hand" for one in cards}
    assert held & unseen[-1]
    assert not named_in(lines[-1], held & unseen[-1])
    assert "(you)" not in text
    everything = shown(name, "--table", view="all")
    assert named_in(everything, held) == {format_term(one) for one in held}


def test_a_spectator_is_not_told_what_is_asked_of_a_player() -> None:
    """Options of a player are cards of that hand: at the prompt only the name of the player is shown."""
    words = ["cards", "step", "trumps", "--view", "spectator", "--seed", str(SEED), "-i"]
    text = CliRunner().invoke(app, words, input="g 13\np\nq\n", catch_exceptions=False).output
    assert re.search(r"it asks player\([01]\)\n", text)
    walker = load_card_game("trumps").machine
    host, onlooker = Host(walker, SEED), Onlooker(walker)
    while not re.search("playCard", walker.rules.caption(onlooker.position.node)):
        while (reason := onlooker.node()) is not None:
            onlooker.answer(host.answer(reason, onlooker.position))
    hidden = onlooker.hidden_from(SPECTATOR)
    assert len(hidden) == 52
    assert not named_in(text, hidden)
