"""Matches between our player and our host over real sockets: no late, illegal or lost move."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from ludorum.arena.match.clocks import Clocks
from ludorum.arena.match.match import ErrorCode, Match
from ludorum.arena.match.referee import Referee
from ludorum.arena.protocol import DIALECTS, Language, PlayerConfig, RemoteSeat, scrambler_of
from ludorum.arena.protocol.remote_player import wire_rules
from ludorum.arena.protocol.scramble import names_without_colons, plain_names
from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.players import Player, RandomPlayer, make_player
from ludorum.processes import is_possible
from ludorum.rules.library import library_sheets
from ludorum.rules.terms import Term
from tests.arena.protocol.loopback import LIGHT, PATIENT, QUICK, coin, door, our_player, play_at, url_of
from tests.arena.protocol.makers import always, named
from tests.arena.protocol.odd_players import Cheat, Faint, Sleeper
from tests.how_much import sample

HIDDEN = sorted(sheet.name for sheet in library_sheets() if sheet.language == "gdl2")
SECOND = Clocks(1, 1, connect=5, start_grace=0, play_grace=1)
"""The 1 s clocks of the ggp-base host."""


def play_here(game: Game, seed: int = 0, **options: object) -> Match:
    """A match of random players of ours, one port for each role."""

    async def run() -> Match:
        players = game.info.players
        async with our_player(always(RandomPlayer, seed), len(players)) as server:
            urls = {role: url_of(server, at) for at, role in enumerate(players)}
            match, _ = await play_at(game, urls, seed=seed, **options)  # type: ignore[arg-type]
            assert all(not seat.matches for seat in server.seats)
            return match

    return asyncio.run(run())


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("make", [door, coin])
def test_every_dialect_is_understood(dialect: str, make: object) -> None:
    match = play_here(make(), dialect=DIALECTS[dialect])  # type: ignore[operator]
    assert match.is_over
    assert match.faults == []


@pytest.mark.parametrize("language", [Language.GDL2, Language.GDL2_2011])
@pytest.mark.parametrize("name", ["tictactoe", "rock_paper_scissors"])
def test_open_games_are_played_by_percepts(language: Language, name: str) -> None:
    game = load_game(name)
    match = play_here(game, 3, language=language)
    assert match.faults == []
    assert match.moves == play_here(game, 3).moves


@pytest.mark.parametrize("name", HIDDEN)
def test_games_with_secrets_are_played_by_percepts(name: str) -> None:
    match = play_here(load_game(name), 7, clocks=QUICK)  # some of it is spent on finding possible states
    assert match.is_over
    assert match.faults == []


@pytest.mark.long
@pytest.mark.parametrize("name", ["kuhn_poker", "goofspiel", "krieg_tictactoe", "small_dominion"])
def test_games_with_secrets_are_played_by_percepts_as_in_2011(name: str) -> None:
    game = load_game(name)
    match = play_here(game, 5, language=Language.GDL2_2011)
    assert match.faults == []
    assert match.moves == play_here(game, 5).moves


@pytest.mark.parametrize(
    "name", sample(["tictactoe", "chinese_checkers", "pentago", "coin", *HIDDEN[::3]], 2)
)
@pytest.mark.parametrize("dialect", ["ggp-base", "dresden"])
def test_scrambled_play_comes_out_the_same(name: str, dialect: str) -> None:
    game = coin() if name == "coin" else load_game(name)
    assert game.rules is not None
    plain = play_here(game, 11)
    scrambled = play_here(game, 11, scrambler=scrambler_of(game.rules, 99), dialect=DIALECTS[dialect])
    assert scrambled.faults == []
    assert scrambled.moves == plain.moves
    assert scrambled.state.goals() == plain.state.goals()


def test_names_of_modules_are_sent_without_colons_where_that_is_asked_for() -> None:
    game = load_game("pig")
    assert game.rules is not None
    words = names_without_colons(game.rules.as_sent)
    assert words.words == {"boardgames:dicing:dice": "boardgames_dicing_dice"}
    match = play_here(game, 11, scrambler=words)
    assert match.faults == []
    assert match.is_over
    assert "(roll boardgames:dicing:dice)" in {str(move) for joint in match.moves for move in joint}
    assert ":" in wire_rules(game, Language.GDL2, plain_names(game.rules.as_sent))
    assert ":" not in wire_rules(game, Language.GDL2, words)


@pytest.mark.long
def test_searching_players_play_the_same_scrambled() -> None:
    game = load_game("tictactoe")
    assert game.rules is not None
    scrambler = scrambler_of(game.rules, 5)

    async def run(scrambled: bool) -> list[tuple[Term, ...]]:
        config = PlayerConfig(engine="lifted")
        async with our_player(always(make_player, "mcts:playouts=60", 4), 2, config=config) as server:
            urls = {role: url_of(server, at) for at, role in enumerate(game.roles)}
            match, _ = await play_at(game, urls, scrambler=scrambler if scrambled else None)
            assert match.faults == []
            return match.moves

    assert asyncio.run(run(False)) == asyncio.run(run(True))


@pytest.mark.parametrize("processes", [True, False], ids=["in processes", "in threads"])
@pytest.mark.parametrize("make", [Sleeper, Cheat, Faint])
def test_whatever_a_player_does_the_answer_is_legal_and_in_time(make: type[Player], processes: bool) -> None:
    """The host allows a minute beyond the clock, for busy machines; the sleeper would take an hour."""
    game = door()
    short = Clocks(0.5, 0.5, connect=60, start_grace=60, play_grace=60)

    async def run() -> Match:
        async with our_player(always(make), 2, processes=processes and is_possible()) as server:
            urls = {role: url_of(server, at) for at, role in enumerate(game.roles)}
            match, _ = await play_at(game, urls, clocks=short)
            Sleeper.woken.set()
            return match

    Sleeper.woken.clear()
    match = asyncio.run(run())
    assert match.is_over
    assert match.faults == []


async def many(game: Game, count: int, at_once: int, clocks: Clocks, player: str) -> Sequence[Match]:
    """So many matches, some of them at once, on one port for each role."""
    gate = asyncio.Semaphore(at_once)
    roles = game.info.players

    async with our_player(named(player), len(roles), matches=at_once, config=LIGHT) as server:

        async def one(number: int) -> Match:
            async with gate:
                urls = {role: url_of(server, at) for at, role in enumerate(roles)}
                match, _ = await play_at(game, urls, seed=number, match_id=f"m{number}", clocks=clocks)
                return match

        return await asyncio.gather(*map(one, range(count)))


@pytest.mark.long
def test_dozens_of_matches_at_once() -> None:
    """Sixteen processes begin at once, and each reads the rules: that is what a start clock is for."""
    clocks = replace(SECOND, start=30, play=30)
    matches = asyncio.run(many(load_game("connect_four"), 24, 8, clocks, "random"))
    assert [match.faults for match in matches] == [[]] * 24
    assert all(match.is_over for match in matches)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "player", "count", "at_once"),
    [("tictactoe", "random", 500, 4), ("connect_four", "random", 300, 4), ("kuhn_poker", "random", 150, 4),
     ("tictactoe", "mcts", 50, 2)],
)  # fmt: skip
@pytest.mark.spec("evaluation-functions", 7)
def test_a_thousand_matches_with_one_second_clocks(name: str, player: str, count: int, at_once: int) -> None:
    matches = asyncio.run(many(load_game(name), count, at_once, SECOND, player))
    assert all(match.is_over for match in matches)
    assert [fault for match in matches for fault in match.faults] == []


@pytest.mark.slow
@pytest.mark.spec("evaluation-functions", 7)
def test_a_hundred_matches_by_values_of_goals() -> None:
    """The evaluation is made in the start clock of each match."""
    clocks = replace(SECOND, start=10, play=10)
    matches = asyncio.run(many(load_game("tictactoe"), 100, 2, clocks, "nexplayer:nodes=60"))
    assert all(match.is_over for match in matches)
    assert [fault for match in matches for fault in match.faults] == []


@pytest.mark.long
@pytest.mark.spec("evaluation-functions", 7)
def test_a_match_by_values_of_goals_is_never_late() -> None:
    (match,) = asyncio.run(many(load_game("tictactoe"), 1, 1, PATIENT, "nexplayer:nodes=60"))
    assert match.is_over
    assert match.faults == []


def test_a_restarted_host_finds_its_players_where_they_are() -> None:
    """The host dies after it asked and before it wrote anything down; the same question comes again."""
    game = load_game("iterated_prisoners_dilemma")  # the same joint moves are legal again and again

    async def run() -> tuple[Match, Match]:
        async with our_player(always(RandomPlayer, 4), 2) as server:
            urls = {role: url_of(server, at) for at, role in enumerate(game.roles)}
            whole, _ = await play_at(game, urls, match_id="whole")
            first = Match(game, match_id="m1")
            seats = {role: RemoteSeat(url, game) for role, url in urls.items()}
            written: list[object] = []

            async def die_after_two(match: Match) -> None:
                if len(match.moves) == 3:
                    raise KeyboardInterrupt
                written[:] = [match.record()]

            referee = Referee(first, seats, PATIENT, die_after_two)
            referee.abort = _nothing  # type: ignore[method-assign]  # a killed host says no good-bye
            with pytest.raises(KeyboardInterrupt):
                await referee.run()
            again = Match.resumed(game, written[0])  # type: ignore[arg-type]
            assert len(again.moves) == 2
            seats = {role: RemoteSeat(url, game, rejoin=True) for role, url in urls.items()}
            await Referee(again, seats, PATIENT).run()
            return whole, again

    whole, again = asyncio.run(run())
    assert again.is_over
    assert again.faults == []
    assert again.moves[:2] == whole.moves[:2]


async def _nothing() -> None:
    pass


def test_a_player_whose_match_is_unknown_is_busy_and_that_is_noted() -> None:
    game = door()

    async def run() -> Match:
        async with our_player(ports=2) as server:
            match = Match(game, match_id="m1")
            seats = {
                role: RemoteSeat(url_of(server, at), game, rejoin=True) for at, role in enumerate(game.roles)
            }
            return await Referee(match, seats, QUICK).run()

    match = asyncio.run(run())
    assert [(fault.code, fault.text) for fault in match.faults] == [(ErrorCode.ILLEGAL, "busy")] * 2
