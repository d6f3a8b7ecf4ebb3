"""The player that goes by features: what it learned in one match serves the next, under any names."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from ludorum.arena.match.clocks import Clocks
from ludorum.arena.match.local import play_match
from ludorum.arena.match.match import Match
from ludorum.arena.protocol import PlayerEvent
from ludorum.arena.protocol.scramble import scrambler_of
from ludorum.engine import load_game
from ludorum.engine.game import Game
from ludorum.engine.lifted import LiftedGame
from ludorum.evaluate import Features, HeuristicStore
from ludorum.evaluate.acquaintance import left_out
from ludorum.players import make_player
from ludorum.players.feature_searcher import FeatureConfig, FeatureSearcher
from ludorum.rules.kif import parse_kif
from ludorum.search.budget import Budget
from tests.arena.protocol.loopback import our_player, play_at, url_of
from tests.arena.protocol.makers import named
from tests.library_games import compiled_game

from ..small_games import CIRCLE, DOOR

WORK = Budget(nodes=60)


def played(game: Game, memory: Path, seed: int) -> Match:
    """A match between two of them that share a memory."""
    name = f"features:memory={memory},games=40,nodes=30"
    players = {role: make_player(name, seed) for role in game.info.players}
    match = play_match(Match(game, seed), players, 60.0)
    assert match.faults == []
    assert match.is_over
    return match


@pytest.mark.long
@pytest.mark.spec("asp-player", 51)
def test_a_second_match_uses_the_weights_of_the_first(tmp_path: Path) -> None:
    game = compiled_game("tictactoe")
    store, features = HeuristicStore(tmp_path), Features(game)
    first = played(game, tmp_path, seed=1)
    kept = store.all(features.rules)
    assert len(kept) == 1
    # Both roles noted how it ended, and that is the rating.
    assert kept[0].rating.matches == 2
    assert kept[0].rating.points == sum(goal or 0 for goal in first.state.goals()) / 100
    played(game, tmp_path, seed=2)
    again = store.all(features.rules)
    assert [each.id for each in again] == [kept[0].id]  # another seed would have learned other weights
    assert again[0].rating.matches == 4


@pytest.mark.spec("asp-player", 51)
def test_a_scrambled_game_is_played_with_the_same_weights(tmp_path: Path) -> None:
    game = compiled_game("tictactoe")
    first = FeatureSearcher(game, FeatureConfig(memory=str(tmp_path), games=40))
    decision = first.search(game.initial(), game.roles[0], WORK)
    assert not first.acquaintance.known
    assert game.rules is not None
    scrambler = scrambler_of(game.rules, 3)
    other = LiftedGame(parse_kif(str(scrambler.rules(game.rules))), "scrambled")
    second = FeatureSearcher(other, FeatureConfig(memory=str(tmp_path), games=40, seed=9))
    again = second.search(other.initial(), other.roles[0], WORK)
    assert second.acquaintance.known
    assert first.acquaintance.heuristic is not None
    assert second.acquaintance.heuristic is not None
    assert second.acquaintance.heuristic.id == first.acquaintance.heuristic.id
    # Scrambled names keep their order, so the searches meet the same states and choose the same move.
    assert scrambler.back(again.move) is decision.move


@pytest.mark.spec("asp-player", 51)
def test_what_a_match_over_http_came_to_is_noted(tmp_path: Path) -> None:
    game = load_game("tictactoe")
    clocks = Clocks(30, 30, connect=5, start_grace=5, play_grace=5)
    name = f"features:memory={tmp_path},games=20,nodes=20"

    events: list[PlayerEvent] = []

    async def run() -> Match:
        async with our_player(named(name), 2, events) as server:
            urls = {role: url_of(server, at) for at, role in enumerate(game.roles)}
            match, _ = await play_at(game, urls, clocks=clocks)
            return match

    match = asyncio.run(run())
    assert match.faults == []
    assert [event for event in events if event.kind == "fault"] == []
    assert game.rules is not None
    lines = HeuristicStore(tmp_path).matches(game.rules)
    assert {line["role"]: line["goal"] for line in lines} == {
        str(role): goal for role, goal in zip(game.roles, match.state.goals(), strict=True)
    }


@pytest.mark.long
def test_a_damaged_memory_costs_a_warning_and_no_match(tmp_path: Path) -> None:
    game = compiled_game("tictactoe")
    searcher = FeatureSearcher(game, FeatureConfig(memory=str(tmp_path), games=20))
    searcher.search(game.initial(), game.roles[0], WORK)
    (file,) = tmp_path.glob("*/*.json")
    file.write_text(json.dumps({"version": 1}))
    again = FeatureSearcher(game, FeatureConfig(memory=str(tmp_path), games=20))
    assert again.search(game.initial(), game.roles[0], WORK).move in game.initial().legal(game.roles[0])
    assert not again.acquaintance.known
    assert "remove the file" in again.acquaintance.troubles[0]
    blocked = tmp_path / "blocked"
    blocked.write_text("")
    worse = FeatureSearcher(game, FeatureConfig(memory=str(blocked), games=20))
    worse.search(game.initial(), game.roles[0], WORK)
    worse.ended(game.roles[0], 100)
    assert sum("cannot be written" in text for text in worse.acquaintance.troubles) == 2


@pytest.mark.parametrize("text", [DOOR, CIRCLE])
def test_games_of_other_kinds_are_played_too(text: str) -> None:
    """Two who move at once; one who walks for ever, of which nothing can be learned."""
    game = LiftedGame(parse_kif(text), "small")
    searcher = FeatureSearcher(game, FeatureConfig(games=5))
    role = game.roles[0]
    assert searcher.search(game.initial(), role, WORK).move in game.initial().legal(role)


def test_features_to_leave_out_are_named_by_their_beginnings() -> None:
    features = Features(load_game("tictactoe"))
    assert len(left_out(features, "goal+mobility")) == 4
    with pytest.raises(ValueError, match=r"begins with 'gaol'.*goal, mobility, number, turn"):
        left_out(features, "gaol")


def test_values_by_facts_alone_are_those_of_the_compiled_search() -> None:
    game = compiled_game("connect_four")
    searcher = FeatureSearcher(game, FeatureConfig(games=20, facts=True))
    found = searcher.search(game.initial(), game.roles[0], Budget(nodes=2000))
    assert found.depth >= 3
    assert type(searcher.evaluation(game.roles[0])).__name__ == "FactWeights"


@pytest.mark.spec("asp-player", 51)
def test_the_logical_player_remembers_too(tmp_path: Path) -> None:
    """What is learned for the leaves of its trees in one match serves the next; both rate it."""
    game = compiled_game("tictactoe")
    for number in range(2):
        players = {role: make_player("random", number) for role in game.info.players}
        players[game.roles[number]] = make_player(f"asp:features=true,memory={tmp_path}", number)
        match = play_match(Match(game, number), players, 600.0, start_seconds=600.0)
        assert match.faults == []
        assert match.is_over
    assert game.rules is not None
    (kept,) = HeuristicStore(tmp_path).all(game.rules)
    assert kept.rating.matches == 2
