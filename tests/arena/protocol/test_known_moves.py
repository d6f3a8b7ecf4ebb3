"""Legal moves over the wire: our host tells percepts only, and our player knows its legal moves by them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from ludorum.arena.match.clocks import Clocks
from ludorum.arena.match.match import Match
from ludorum.arena.protocol import Language, PlayerEvent
from ludorum.engine.game import Game
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.engine.sight import Position
from ludorum.players import RandomPlayer
from ludorum.rules.terms import Term
from tests.arena.protocol.loopback import our_player, play_at, url_of
from tests.arena.protocol.test_corpus_matches import public_sheets
from tests.corpus.records import safe_rules
from tests.corpus_location import corpus_folder
from tests.how_much import sample, some
from tests.knowledge.role_matches import hidden_games

UNHURRIED = Clocks(60, 60)
LIBRARY = ["battleships_in_fog", "krieg_tictactoe", "meier", "minesweeper", "small_dominion"]
CORPUS = ["BattleshipsFog__unsw", "SmallDominion2__unsw", "kriegTTT_4x4__uwa", "twogenerals__unsw"]
UNKNOWABLE = ("BlindBreakthrough", "ConnectThreeDecompositionII", "blind_breakthrough", "oneCard", "sushi_go")
"""Sheets in which some moves cannot be known: a capture where nothing tells what there is to capture."""
STEPS = some(40, 8)


class Noting(RandomPlayer):
    """Plays by chance, and notes every position it is asked about."""

    def __init__(self, seed: int, noted: list[Position]) -> None:
        super().__init__(seed)
        self._noted = noted

    def choose(self, position: Position, seconds: float) -> Term:
        self._noted.append(position)
        return super().choose(position, seconds)


def assert_known(game: Game, language: Language | None = None) -> None:
    """All positions have the true legal moves, and nothing odd is reported."""
    match, noted, events = played(game, language)
    assert match.faults == []
    for role in game.info.players:
        own = [position.legal for position in noted if position.role is role]
        assert own == [state.legal(role) for state in match.states[: len(own)]]
        assert len(own) >= min(STEPS, len(match.moves))
    assert events == []


def played(game: Game, language: Language | None = None) -> tuple[Match, list[Position], list[PlayerEvent]]:
    """A match by HTTP, in threads of this process so that positions can be compared with the truth.

    With the positions of all players, and what they report beside begin and end.
    """
    noted: list[Position] = []
    events: list[PlayerEvent] = []
    roles = game.info.players

    async def run() -> Match:
        async with our_player(
            lambda seed: Noting(seed, noted), len(roles), events, processes=False
        ) as server:
            urls = {role: url_of(server, at) for at, role in enumerate(roles)}
            return (await play_at(game, urls, seed=5, clocks=UNHURRIED, limit=STEPS, language=language))[0]

    match = asyncio.run(run())
    return match, noted, [event for event in events if event.kind not in ("start", "stop", "abort")]


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [name if name in LIBRARY else pytest.param(name, marks=pytest.mark.slow) for name in hidden_games()],
)
def test_all_positions_of_library_matches_have_the_true_legal_moves(name: str) -> None:
    assert_known(load_game(name))


@pytest.mark.parametrize("name", ["krieg_tictactoe", "leduc_poker"])
def test_the_percepts_of_hosts_of_2011_tell_as_much(name: str) -> None:
    assert_known(load_game(name), Language.GDL2_2011)


@pytest.mark.long
@pytest.mark.corpus
@pytest.mark.parametrize(
    "name",
    [
        name if name in CORPUS else pytest.param(name, marks=pytest.mark.slow)
        for name in public_sheets()
        if not name.startswith(UNKNOWABLE)
    ],
)
def test_all_positions_of_public_matches_have_the_true_legal_moves(corpus: Path, name: str) -> None:
    assert_known(LiftedGame(safe_rules(corpus / "gdl2" / f"{name}.kif"), name))


def unknowable_sheets() -> list[str]:
    folder = corpus_folder()
    found = [] if folder is None else sorted(path.stem for path in (folder / "gdl2").glob("*.kif"))
    return [name for name in found if name.startswith(UNKNOWABLE)]


@pytest.mark.long
@pytest.mark.corpus
@pytest.mark.parametrize("name", sample(unknowable_sheets(), 16))
def test_where_some_moves_cannot_be_known_the_others_are_offered(corpus: Path, name: str) -> None:
    """A position has moves that are not legal only where none is known, and then this is reported."""
    game = LiftedGame(safe_rules(corpus / "gdl2" / f"{name}.kif"), name)
    match, noted, events = played(game)
    for role in game.info.players:
        own = [position for position in noted if position.role is role]
        for position, state in zip(own, match.states, strict=False):
            if not set(position.legal) <= set(state.legal(role)):
                assert any("cannot know its legal moves" in event.text for event in events)
