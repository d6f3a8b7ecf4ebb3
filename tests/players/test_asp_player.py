"""The player `asp`: never loses tic-tac-toe, never late, never illegal, in matches of every kind."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.arena.match.clocks import Clocks
from ludorum.arena.match.local import play_match
from ludorum.arena.match.match import Match
from ludorum.arena.records.spectator import load_published
from ludorum.arena.records.store import MatchStore
from ludorum.cli.app import app
from ludorum.engine import load_game
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import Game, State, format_facts
from ludorum.engine.sight import position_of
from ludorum.players import Guard, make_player
from ludorum.search.budget import Budget
from ludorum.search.mixed import NoAdviceError
from ludorum.solve.logic_searcher import LogicConfig, LogicSearcher
from tests.arena.protocol.loopback import host_of, one_line, our_player, play_at, url_of
from tests.arena.protocol.makers import named
from tests.library_games import compiled_game

ENOUGH = Budget(seconds=300)


@pytest.fixture(scope="module")
def tictactoe() -> CompiledGame:
    game = compiled_game("tictactoe")
    assert isinstance(game, CompiledGame)
    return game


@pytest.mark.spec("asp-player", 41)
@pytest.mark.parametrize("seat", [0, 1])
def test_tictactoe_is_never_lost_whatever_the_other_does(tictactoe: CompiledGame, seat: int) -> None:
    """P4: every answer of the other one is tried in every position the player comes to."""
    role, searcher = tictactoe.roles[seat], LogicSearcher(tictactoe, LogicConfig(seed=3))
    todo, ends = [tictactoe.initial()], 0
    seen: set[State] = set(todo)
    while todo:
        state = todo.pop()
        if state.is_terminal:
            assert (state.goal(role) or 0) >= 50
            ends += 1
            continue
        move = searcher.search(state, role, ENOUGH).move
        for joint in state.joint_moves():
            if joint[seat] is move and (after := state.play(joint)) not in seen:
                seen.add(after)
                todo.append(after)
    assert ends > 20
    assert not any(said.startswith("lost") for said in searcher.announcements)


@pytest.mark.long
@pytest.mark.spec("asp-player", 57)
def test_a_goal_that_nobody_can_help_with_is_known_on_turn_one() -> None:
    """P5, with search at hand: that all is lost is proved by search, that help is in vain by logic."""
    game = compiled_game("hodgepodge")
    blocks, maze = game.roles
    searcher = LogicSearcher(game)
    searcher.search(game.initial(), maze, ENOUGH)
    assert [said.split(":")[0] for said in searcher.announcements] == ["unreachable"]
    searcher = LogicSearcher(game)
    decision = searcher.search(game.initial(), blocks, ENOUGH)
    assert (str(decision.move), decision.value) == ("(u c a)", 100.0)
    assert [said.split(":")[0] for said in searcher.announcements] == ["certain win"]


def against_random(game: Game, seat: int, seed: int) -> Match:
    names = ["random", "random"]
    names[seat] = "asp"
    players = {role: make_player(name, seed) for role, name in zip(game.info.players, names, strict=True)}
    return play_match(Match(game, seed), players, 5.0)


@pytest.mark.long
@pytest.mark.spec("asp-player", 40)
def test_openings_differ_by_seed_and_only_by_seed(tictactoe: CompiledGame) -> None:
    """P8."""
    at = position_of(tictactoe.initial(), tictactoe.roles[0])
    openings = [make_player("asp", seed).choose(at, 60.0) for seed in range(20)]
    assert len(set(openings)) >= 2
    assert openings == [make_player("asp", seed).choose(at, 60.0) for seed in range(20)]
    fixed = {make_player("asp:deterministic=true", seed).choose(at, 5.0) for seed in range(5)}
    assert len(fixed) == 1


@pytest.mark.long
@pytest.mark.spec("asp-player", 41)
def test_fifty_matches_against_random_players(tictactoe: CompiledGame) -> None:
    """None lost, none late, none illegal; the first player wins nearly all (P4)."""
    won = 0
    for number in range(50):
        match = against_random(tictactoe, number % 2, number)
        assert match.faults == []
        goal = match.state.goals()[number % 2]
        assert goal is not None
        assert goal >= 50
        won += goal == 100 and number % 2 == 0
    assert won >= 22  # of 25; 97 in a hundred are expected


MANY = [("tictactoe", 500), ("hodgepodge", 150), ("blocks", 100), ("nim", 100), ("rock_paper_scissors", 100),
        ("connect_four", 20), ("tron", 15), ("dots_and_boxes", 10), ("breakthrough", 5)]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("name", "count"), MANY)
def test_a_thousand_matches_against_random_players(name: str, count: int) -> None:
    """Section 22.7: no move is late or illegal."""
    game = compiled_game(name)
    for number in range(count):
        seats = game.info.players
        players = {role: make_player("random", number) for role in seats}
        players[seats[number % len(seats)]] = make_player("asp", number)
        match = play_match(Match(game, number), players, 1.0, start_seconds=3.0)
        assert match.faults == []
        assert match.is_over


@pytest.mark.long
@pytest.mark.spec("asp-player", 56)
def test_peg_solitaire_in_time() -> None:
    """Logic drowns in it; the answer comes all the same."""
    game = load_game("peg_solitaire", "auto")
    role = game.roles[0]
    guard = Guard(make_player("asp", 1))
    try:
        assert guard.start(game, role, 3.0) is None
        state = game.initial()
        for _ in range(3):
            answer = guard.choose(position_of(state, role), 2.0)
            assert answer.fault == ""
            state = state.play((answer.move,))
    finally:
        guard.stop()
        game.close()  # type: ignore[attr-defined]


@pytest.mark.spec("asp-player", 56)
@pytest.mark.slow
def test_a_whole_game_of_peg_solitaire_in_time() -> None:
    """To its end: no move is late or illegal, whether there is a plan or not."""
    game = load_game("peg_solitaire", "auto")
    try:
        match = play_match(Match(game, 1), {game.roles[0]: make_player("asp", 1)}, 2.0, start_seconds=4.0)
    finally:
        game.close()  # type: ignore[attr-defined]
    assert match.faults == []
    assert match.is_over
    assert match.state.goal(game.roles[0]) is not None


@pytest.mark.spec("asp-player", 56)
def test_peg_solitaire_without_search_falls_back() -> None:
    """Logic alone has no plan in no time: it says so, or names a legal move and claims nothing for it."""
    game = load_game("peg_solitaire")
    state, role = game.initial(), game.roles[0]
    searcher = LogicSearcher(game, LogicConfig(seed=1, search=False))
    with pytest.raises(NoAdviceError):
        searcher.search(state, role, Budget(seconds=0.001))
    always = LogicSearcher(game, LogicConfig(seed=1, search=False, always=True))
    decision = always.search(state, role, Budget(seconds=0.001))
    assert decision.move in state.legal(role)
    assert not decision.proven
    assert all(not choice.proven for choice in decision.choices)


@pytest.mark.long
@pytest.mark.spec("asp-player", 47)
@pytest.mark.parametrize("name", ["tictactoe", "hodgepodge"])
def test_a_finished_match_of_the_archive_is_replayed(tmp_path: Path, name: str) -> None:
    """Kept move by move while it is played; what comes back has the states and the result of the engine."""
    store = f"sqlite:///{tmp_path / 'matches.db'}"
    options = ["--players", "asp,random", "--clock", "10,10", "--seed", "4", "--store", store, "--id", "kept"]
    played = CliRunner().invoke(app, ["match", name, "--json", *options])
    assert played.exit_code == 0, played.output
    told = json.loads(played.stdout)
    with MatchStore(store) as archive:
        assert [(each.match_id, each.ended) for each in archive.matches()] == [("kept", "completed")]
        kept = archive.load("kept").record
    game = load_game(name)
    state = game.initial()
    assert kept.states[0] == state.facts()
    assert len(kept.states) == len(kept.moves) + 1 == told["steps"] + 1
    for joint, facts in zip(kept.moves, kept.states[1:], strict=True):
        assert not state.is_terminal
        assert all(move in state.legal(role) for role, move in zip(game.roles, joint, strict=True))
        state = state.play(joint)
        assert state.facts() == facts
    assert state.is_terminal
    goals = {str(role): state.goal(role) for role in game.roles}
    assert goals == told["goals"]
    assert kept.goals is not None
    assert [{str(value) for value in own} for own in kept.goals] == [{str(value)} for value in goals.values()]
    shown = CliRunner().invoke(app, ["replay", "kept", "--store", store, "--json"])
    replayed = json.loads(shown.stdout)
    assert [step["state"] for step in replayed["steps"]] == [
        format_facts(facts or ()) for facts in kept.states
    ]
    assert {role: str(value) for role, value in replayed["goals"].items()} == {
        role: str(value) for role, value in goals.items()
    }
    checked = CliRunner().invoke(app, ["replay", "kept", "--store", store, "--check", "--game", name])
    assert "nothing wrong" in checked.output


@pytest.mark.long
@pytest.mark.spec("asp-player", 42)
@pytest.mark.spec("asp-player", 43)
def test_matches_on_several_ports_at_once() -> None:
    """Two ports, two matches at a time on each, every state of its own; a match that starts again is new."""
    game = load_game("hodgepodge")
    clocks = Clocks(30, 30, connect=5, start_grace=5, play_grace=5)

    async def run() -> list[Match]:
        async with our_player(named("asp"), 2, matches=2) as server:
            urls = {role: url_of(server, at) for at, role in enumerate(game.roles)}
            both = await asyncio.gather(
                *(play_at(game, urls, seed=at, match_id=f"m{at}", clocks=clocks) for at in range(2))
            )
            again = await play_at(game, urls, match_id="m0", clocks=clocks)
            return [match for match, _ in (*both, again)]

    matches = asyncio.run(run())
    for match in matches:
        assert match.faults == []
        assert match.state.goals() == (100, 0)


@pytest.mark.long
@pytest.mark.spec("asp-player", 42)
def test_info_start_play_stop_and_abort() -> None:
    rules = one_line(str(load_game("buttons").rules))

    async def run() -> list[str]:
        async with our_player(named("asp")) as server:
            host = host_of(server)
            start = f"( START m white ({rules}) 60 60 )"
            messages = ["( INFO )", start, "( PLAY m NIL )", "( PLAY m (a) )", "( STOP m (b) )"]
            messages += [start, "( ABORT m )", "( PLAY m NIL )"]
            return [await host.say(message) for message in messages]

    info, ready, first, second, stopped, again, aborted, unknown = asyncio.run(run())
    assert "available" in info.lower()
    assert (ready, first, second, stopped) == ("ready", "a", "b", "done")
    assert again == "ready"
    assert aborted.lower() in ("done", "aborted")
    assert unknown not in ("a", "b", "c")


@pytest.mark.long
@pytest.mark.spec("asp-player", 46)
@pytest.mark.spec("asp-player", 47)
def test_a_match_is_stored_gone_on_with_and_replayed(tmp_path: Path) -> None:
    def match(*options: str, code: int = 0) -> dict[str, object]:
        done = CliRunner().invoke(
            app, ["match", "tictactoe", "--players", "asp", "--clock", "5,5", "--json", *options]
        )
        assert done.exit_code == code, done.output
        return json.loads(done.stdout)  # type: ignore[no-any-return]

    store, record = f"sqlite:///{tmp_path / 'matches.db'}", tmp_path / "match.json"
    begun = match("--store", store, "--id", "m1", "--limit", "3", code=1)
    assert (begun["steps"], begun["completed"]) == (3, False)
    cut = tmp_path / "cut.json"
    match("--id", "m2", "--limit", "3", "--record", str(cut), code=1)
    data = json.loads(cut.read_text())
    data["isAborted"] = False
    cut.write_text(json.dumps(data))
    ended = match("--from", str(cut), "--record", str(record))
    assert (ended["completed"], ended["goals"]) == (True, {"xplayer": 50, "oplayer": 50})
    found = load_published(record)
    assert found.record.moves[:3] == load_published(cut).record.moves
    game = load_game("tictactoe")
    state = game.initial()
    for joint, facts in zip(found.record.moves, found.record.states[1:], strict=True):
        state = state.play(joint)
        assert state.facts() == facts
    assert state.goals() == (50, 50)
