"""Card games over HTTP: the chart is sent, percepts tell the rest, and the match is the same as without."""

from __future__ import annotations

import asyncio

import pytest

from ludorum.arena.match.local import play_match
from ludorum.arena.match.match import Match
from ludorum.arena.protocol import PlayerEvent, RemoteSeat
from ludorum.arena.protocol.dialects import Language
from ludorum.cards.language.config import MachineConfig
from ludorum.cards.language.faults import CardsError, ChartError
from ludorum.cards.load import load_card_game
from ludorum.cards.machine.game import CardGame
from ludorum.cards.wire import is_wired, read_wired, write_wired
from ludorum.cards.worlds.track import CardTrack
from ludorum.players import LegalPlayer
from ludorum.rules.kif import parse_term
from ludorum.rules.library import chart_sheets
from ludorum.rules.source import RulesError
from tests.arena.protocol.loopback import host_of, our_player, play_at, url_of
from tests.arena.protocol.makers import named
from tests.how_much import sample


@pytest.mark.parametrize("name", [sheet.name for sheet in chart_sheets()])
def test_every_chart_is_read_as_it_was_sent(name: str) -> None:
    game = load_card_game(name)
    sent = write_wired(game)
    assert "\n" not in sent
    assert is_wired(sent)
    assert sent.startswith("(role player0) (role player1)")
    assert read_wired(sent, "match").chart == game.chart


def test_what_is_sent_of_the_smallest_chart() -> None:
    sent = write_wired(load_card_game("higher_card"))
    assert sent.startswith(
        "(role player0) (role player1) (role random) (fcdl (state 0 (|startTerminal| 1))) "
        '(fcdl (state 1 (statement 2 |"Shuffle"|)))'
    )
    assert not is_wired("(role player0) (init (fcdl 1))")
    assert not is_wired("(<= (fcdl 1) (true 2))")


@pytest.mark.long
@pytest.mark.parametrize("language", [Language.GDL2, Language.GDL2_2011])
@pytest.mark.parametrize("name", sample(["trumps", "go_fish", "crazy_eights_simple", "oh_hell", "cheat"], 4))
def test_a_match_over_http_is_the_match_without(name: str, language: Language) -> None:
    game = load_card_game(name)
    events: list[PlayerEvent] = []

    async def play() -> Match:
        async with our_player(named("legal"), len(game.players), events) as server:
            urls = {role: url_of(server, at) for at, role in enumerate(game.players)}
            match, seats = await play_at(game, urls, seed=6, language=language, limit=60)
            assert all(isinstance(seat, RemoteSeat) for seat in seats.values())
            return match

    match = asyncio.run(play())
    alone = play_match(Match(game, 6), {role: LegalPlayer() for role in game.players}, 5, limit=60)
    assert match.faults == []
    assert match.moves == alone.moves
    assert {event.kind for event in events} <= {"start", "stop", "abort"}


def test_the_champion_plays_cards_over_http() -> None:
    game = load_card_game("higher_card")

    async def play() -> Match:
        async with our_player(named("card_mind:playouts=50"), len(game.players)) as server:
            urls = {role: url_of(server, at) for at, role in enumerate(game.players)}
            return (await play_at(game, urls, seed=2))[0]

    match = asyncio.run(play())
    assert match.is_over
    assert match.faults == []


@pytest.mark.parametrize("name", sample([sheet.name for sheet in chart_sheets()], 3))
def test_legal_moves_are_known_from_percepts_alone(name: str) -> None:
    game = load_card_game(name)
    tracks = {role: CardTrack(game, role) for role in game.players}
    match = Match(game, 3)
    while not match.is_over and len(match.moves) < 90:
        for role, track in tracks.items():
            position = track.position(0)
            assert position.legal == match.state.legal(role)
            assert (position.state is None) == bool(match.moves)
        match.play({role: match.state.legal(role)[-1] for role in game.players})
        for role, track in tracks.items():
            track.advance(match.state.joint[game.roles.index(role)], match.state.percepts(role), 0)  # type: ignore[index]


def test_what_cannot_have_happened_is_told() -> None:
    game = load_card_game("trumps")
    track = CardTrack(game, game.players[0])
    with pytest.raises(CardsError, match="step 1 cannot be followed"):
        track.advance(None, (parse_term("(event 1 0 (drew (player 0)))"), parse_term("(event x y)")), 0)
    assert not track.consistent
    track.restart()
    assert track.consistent


@pytest.mark.parametrize(
    ("rules", "error"),
    [
        ("(fcdl (state 0 (|startTerminal| 1)))", ChartError),
        ("(fcdl (state 0 (|startTerminal| 1))", RulesError),
        ("(fcdl (state x y))", ChartError),
        ("(fcdl 1 2)", ChartError),
        ("(fcdl |state(0,|)", ChartError),
        ("(fcdl (state 0 (statement ?x ?y)))", ChartError),
    ],
)
def test_charts_that_are_wrong_are_refused(rules: str, error: type[Exception]) -> None:
    assert is_wired(rules)
    with pytest.raises(error):
        read_wired(rules, "match")


def test_a_player_survives_charts_that_are_wrong() -> None:
    good = write_wired(load_card_game("higher_card"))

    async def talk() -> list[str]:
        async with our_player() as server:
            host = host_of(server)
            return [
                await host.say("(START m1 player0 ((fcdl (state 0 (|startTerminal| 1)))) 2 2)"),
                await host.say("(PLAY m1 0 nil nil)"),
                await host.say("(ABORT m1)"),
                await host.say(f"(START m2 player0 ({good}) 2 2)"),
                await host.say("(PLAY m2 0 nil nil)"),
                # Nobody can have played a card before any were dealt.
                await host.say("(PLAY m2 1 noop ((event 1 0 (played (player 1) (card 2 hearts)))))"),
            ]

    assert asyncio.run(talk()) == ["busy", "busy", "busy", "ready", "noop", "noop"]


def test_rules_of_the_house_are_not_sent() -> None:
    game = load_card_game("trumps")
    other = CardGame(game.chart, "trumps", MachineConfig(most_decisions=5))
    with pytest.raises(ValueError, match="is run with settings"):
        RemoteSeat("http://127.0.0.1:1", other)
