"""Real matches once more: our player lives through recorded ones, and public sheets are hosted and played."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from ludorum.arena import MatchRecord, load_record
from ludorum.arena.match.clocks import Clocks
from ludorum.arena.protocol import PlayerEvent
from ludorum.engine.lifted import LiftedGame
from ludorum.players import RandomPlayer
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import format_term
from tests.arena.protocol.loopback import host_of, our_player, play_at, url_of
from tests.arena.protocol.makers import always
from tests.corpus.records import load_case_for, record_names, safe_rules, sheet_of
from tests.corpus_location import corpus_folder

RECORDS = [name for name in record_names() if name.split("/")[0] in ("tiltyard", "aaai2008")]
QUICK_ONES = [name for name in RECORDS if "tictactoe" in name.lower() or "Through" in name][:3]
STEPS = 40
"""Of a record; the moves of all roles are asked for in each."""
UNHURRIED = Clocks(30, 30)


def live_through(corpus: Path, name: str) -> None:
    """Tell our player a recorded match as its host told it, and look at every answer."""
    game, record = load_case_for(corpus, name, LiftedGame)
    assert isinstance(record, MatchRecord)
    record = record.seated(game.roles)
    text = sheet_of(corpus, name).read_text(encoding="utf-8")
    events: list[PlayerEvent] = []

    async def tell() -> None:
        async with our_player(always(RandomPlayer, 1), len(game.roles), events) as server:
            hosts = [host_of(server, at) for at in range(len(game.roles))]
            for role, host in zip(game.roles, hosts, strict=True):
                start = f"( START m1 {format_term(role)} ({text}\n) 60 60)"
                assert await host.say(start) == "ready"
            state, told = game.initial(), "NIL"
            for joint in record.moves[:STEPS]:
                for role, host in zip(game.roles, hosts, strict=True):
                    answer = await host.say(f"( PLAY m1 {told} )")
                    assert parse_term(answer) in state.legal(role)
                state, told = state.play(joint), f"({' '.join(map(format_term, joint))} )"
            for host in hosts:
                assert await host.say(f"( STOP m1 {told} )") == "done"

    asyncio.run(tell())
    assert [event for event in events if event.kind not in ("start", "stop")] == []


@pytest.mark.corpus
@pytest.mark.parametrize("name", QUICK_ONES)
def test_some_recorded_matches_are_lived_through(corpus: Path, name: str) -> None:
    live_through(corpus, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in RECORDS if name not in QUICK_ONES])
def test_recorded_matches_are_lived_through(corpus: Path, name: str) -> None:
    live_through(corpus, name)


NOT_TOLD = {"oneCardGame__uwa", "oneCardGame__uwa-safe", "sushi_go__uwa"}
"""Sheets that do not tell players whose turn it is, or which cards they hold: legal moves cannot be known."""


def public_sheets() -> list[str]:
    folder = corpus_folder()
    found = [] if folder is None else sorted(path.stem for path in (folder / "gdl2").glob("*.kif"))
    return [name for name in found if name not in NOT_TOLD]


@pytest.mark.slow
@pytest.mark.parametrize("name", public_sheets())
def test_public_sheets_with_secrets_are_hosted_and_played(corpus: Path, name: str) -> None:
    """Every message of our host is understood by our player, who knows its legal moves by percepts alone."""
    game = LiftedGame(safe_rules(corpus / "gdl2" / f"{name}.kif"), name)

    async def run() -> list[str]:
        roles = game.info.players
        async with our_player(always(RandomPlayer, 3), len(roles)) as server:
            urls = {role: url_of(server, at) for at, role in enumerate(roles)}
            match, _ = await play_at(game, urls, seed=5, clocks=UNHURRIED, limit=15)
            return [str(fault) for fault in match.faults]

    assert asyncio.run(run()) == []


def test_the_records_are_there(corpus: Path) -> None:
    assert len(RECORDS) == 64
    assert load_record(corpus / "matches" / f"{RECORDS[0]}.json")
