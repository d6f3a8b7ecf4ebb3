"""Matches of WDL sheets over real sockets: by players of plain GDL, and by ours, which know more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from ludorum.arena.match.match import Match
from ludorum.arena.protocol import Language, scrambler_of
from ludorum.arena.protocol.messages import Abort, Play, Start, Stop, parse_message
from ludorum.arena.protocol.server import HttpServer
from ludorum.arena.protocol.wire import Request
from ludorum.engine.game import Game
from ludorum.engine.load import load_game, make_game
from ludorum.players import RandomPlayer
from ludorum.rules.library import Sheet, SheetInfo
from ludorum.rules.logic_sheets import is_wdl
from ludorum.rules.ruleset import format_kif
from ludorum.rules.source import Source
from ludorum.rules.terms import Term
from ludorum.rules.wdl.to_gdl2 import WdlRuleset
from tests.arena.protocol.loopback import QUICK, our_player, play_at, url_of
from tests.arena.protocol.makers import always
from tests.arena.world.naive_player import NaivePlayer
from tests.rules.wdl.sheets import COIN, DICE


def game_of(text: str) -> Game:
    return make_game(Sheet("small", "wdl", Source("small.wdl", text), SheetInfo()))


class NaiveServer:
    """A program that speaks GDL-I and has never heard of WDL; one seat. It keeps all that it was sent."""

    def __init__(self, seed: int) -> None:
        self.heard: list[str] = []
        self._seed = seed
        self._player: NaivePlayer | None = None
        self.server = HttpServer(self._answer)

    async def _answer(self, request: Request, _: asyncio.StreamWriter) -> str:
        self.heard.append(request.body)
        message = parse_message(request.body)
        match message:
            case Start():
                self._player = NaivePlayer(message, self._seed)
                return "READY"
            case Play():
                assert self._player is not None
                return str(self._player.answer(message))
            case Stop() | Abort():
                return "DONE"
        raise AssertionError(f"not for a player of GDL-I: {request.body}")


@asynccontextmanager
async def naive_servers(game: Game, seed: int) -> AsyncIterator[dict[Term, NaiveServer]]:
    servers = {role: NaiveServer(seed + at) for at, role in enumerate(game.info.players)}
    try:
        for one in servers.values():
            await one.server.open()
        yield servers
    finally:
        for one in servers.values():
            await one.server.close()


def play_naively(game: Game, seed: int, **options: object) -> tuple[Match, dict[str, list[str]]]:
    async def run() -> tuple[Match, dict[str, list[str]]]:
        async with naive_servers(game, seed) as servers:
            urls = {role: f"http://127.0.0.1:{one.server.port}" for role, one in servers.items()}
            match, _ = await play_at(game, urls, seed=seed, language=Language.WDL, **options)  # type: ignore[arg-type]
            return match, {str(role): one.heard for role, one in servers.items()}

    return asyncio.run(run())


@pytest.mark.parametrize("name", ["black_jack", "pig"])
@pytest.mark.spec("wdl", 43, 52)
def test_players_of_plain_gdl_play_wdl_over_the_wire(name: str) -> None:
    match, _ = play_naively(load_game(name), 4)
    assert match.is_over
    assert match.faults == []


@pytest.mark.spec("wdl", 13, 14, 37)
def test_each_player_is_sent_its_own_description_and_its_own_views() -> None:
    game = game_of(COIN + "(visible cat (secret 7))")
    match, heard = play_naively(game, 1)
    assert "(secret 7)" in heard["cat"][0]
    assert all("secret" not in text for role in ("ann", "bob") for text in heard[role])
    assert "sees" not in heard["bob"][0]
    assert "(random coin 6 tails)" in heard["bob"][0]
    (joint,) = match.moves
    receiver = str(joint[0].args[0].args[0])  # type: ignore[union-attr]
    views = {role: texts[-1].split("(STOP")[-1] for role, texts in heard.items()}
    assert {role: "heads" in text or "tails" in text for role, text in views.items()} == {
        role: role == receiver for role in ("ann", "bob", "cat")
    }


def test_other_words_can_be_told_in_wdl_too() -> None:
    game = game_of(DICE)
    assert isinstance(game.rules, WdlRuleset)
    match, heard = play_naively(game, 2, scrambler=scrambler_of(game.rules, 5))
    assert match.faults == []
    assert "dice" not in heard["ann"][0]


@pytest.mark.long
@pytest.mark.parametrize("language", [Language.WDL, Language.GDL2])
def test_our_players_follow_by_what_is_possible(language: Language) -> None:
    """They translate what they are sent, and know what follows from it, not from what they lack."""
    game = load_game("black_jack")

    async def run() -> Match:
        async with our_player(always(RandomPlayer, 3), 2) as server:
            urls = {role: url_of(server, at) for at, role in enumerate(game.info.players)}
            match, _ = await play_at(game, urls, seed=3, clocks=QUICK, language=language)
            return match

    match = asyncio.run(run())
    assert match.is_over
    assert match.faults == []


def test_a_host_that_speaks_wdl_needs_a_sheet_in_wdl() -> None:
    with pytest.raises(ValueError, match="not written in WDL"):
        play_naively(load_game("kuhn_poker"), 1)


@pytest.mark.parametrize(("name", "expected"), [
    ("black_jack", True), ("pig", True), ("tictactoe", False), ("kuhn_poker", False),
])  # fmt: skip
def test_rules_that_are_sent_show_their_language(name: str, expected: bool) -> None:
    rules = load_game(name).rules
    assert rules is not None
    if isinstance(rules, WdlRuleset):
        assert rules.sheet is not None
        told = rules.sheet.description(rules.sheet.roles[0])
        assert not is_wdl(format_kif(rules)), "the translation is GDL-II"
    else:
        told = rules
    assert is_wdl(format_kif(told)) is expected
