"""The strength bench: exact results of counted play, how it resumes and answers, where estimates broke."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.arena.match.local import play_match
from ludorum.arena.match.match import Match
from ludorum.arena.protocol.invitations import Invitation, parse_invitation
from ludorum.arena.tournament import (
    Fixture,
    Here,
    MatchResult,
    PlanError,
    TournamentPlan,
    planned_game,
)
from ludorum.arena.tournament.noted_decision import NotedDecision
from ludorum.arena.tournament.result import result_from_json
from ludorum.arena.tournament.statistics import StrengthAnswer, TwoSidedSprt
from ludorum.engine.load import load_game
from ludorum.engine.sight import Position, position_of
from ludorum.experiments.strength.allowance import Allowance
from ludorum.experiments.strength.clone_player import ClonePlayer, python_of
from ludorum.experiments.strength.ladder_games import (
    CORPUS,
    LIBRARY,
    QUICK,
    kind_of,
    ladder_games,
    named_games,
)
from ludorum.experiments.strength.losses import losses_text, lost_matches
from ludorum.experiments.strength.noting_player import NotingPlayer, ProcessorClock
from ludorum.experiments.strength.play_noted import play_noted
from ludorum.experiments.strength.rung import (
    RowOrigin,
    Rung,
    RungMatches,
    make_rung,
    open_log,
    play_rung,
    verdict_text,
)
from ludorum.experiments.strength.strength_page import BEGIN, END, ladder_part, page_with
from ludorum.experiments.strength.strength_rows import (
    SideWork,
    StrengthRow,
    keep_rows,
    pooled,
    read_rows,
)
from ludorum.players import Player, make_player
from ludorum.rules.library import find_sheet
from ludorum.rules.terms import Term
from tests.corpus_location import ROOT, corpus_folder

ABOUT = RowOrigin("v1", "2026-01-02", "a machine", "20 playouts", 3)
COUNTED = Allowance(playouts=20, nodes=200)


def rung(*games: str, rival: str = "random", player: str = "mcts", seed: int = 3) -> Rung:
    return make_rung(player, Invitation(rival), named_games(games), COUNTED, seed)


def here() -> Here:
    return Here(play_noted)


def pretended(one: Rung, matches: int, points: Sequence[float]) -> RungMatches:
    """Matches of two players in which the first has these points, match by match."""
    fixtures = one.fixtures(matches)
    results = {}
    for fixture, share in zip(fixtures, points, strict=False):
        first = fixture.players.index(one.plan.players[0])
        goals = [50, 50] if share == 0.5 else [100 * int((at == first) == (share == 1)) for at in (0, 1)]
        results[fixture.match_id] = MatchResult(fixture.match_id, tuple(goals))
    return RungMatches(one, fixtures, results)


# -- the games ---------------------------------------------------------------------------------------------


def test_there_are_twenty_games_of_the_library_and_twenty_of_the_corpus_of_all_kinds() -> None:
    library, corpus = ([name for names in games.values() for name in names] for games in (LIBRARY, CORPUS))
    assert (len(set(library)), len(set(corpus))) == (20, 20)
    assert {kind_of(name) for name in library} >= {
        "turns",
        "at once",
        "several players",
        "hidden",
        "alone",
        "cards",
    }
    assert kind_of("chess") == "other"
    assert set(QUICK) <= set(library)
    for name in library:
        assert find_sheet(name).name == name


@pytest.mark.long
def test_games_that_are_not_there_are_left_out_and_said(tmp_path: Path) -> None:
    games, remarks = ladder_games(None)
    assert len(games) == 20
    assert remarks == ["no corpus: 20 games are left out (--corpus FOLDER, or LUDORUM_CORPUS)"]


@pytest.mark.corpus
@pytest.mark.long
def test_the_corpus_has_all_its_games() -> None:
    folder = corpus_folder()
    if folder is None:
        pytest.skip("no corpus here")
    games, remarks = ladder_games(folder)
    assert remarks == []
    assert len(games) == 40
    assert {len(game.planned.roles) for game in games if game.kind == "alone"} == {1}
    assert {len(game.planned.roles) for game in games if game.kind == "turns"} == {2}
    assert all(len(game.planned.roles) > 2 for game in games if game.kind == "several players")


# -- exact results -----------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_tiny_ladder_has_exact_results_and_says_so_again(tmp_path: Path) -> None:
    one = rung("tictactoe", "nim")
    rows = []
    for folder in ("a", "b"):
        with open_log(one, tmp_path / folder) as log:
            rows.append(play_rung(one, log, here(), 4).rows(ABOUT))
    first, again = (
        [(row.game, row.wins, row.draws, row.losses, row.sets) for row in found] for found in rows
    )
    assert first == again
    assert first == EXACT
    assert [row.kind for row in rows[0]] == ["other", "other"]


EXACT = [("tictactoe", 3, 1, 0, {"0.75": 1, "1": 1}), ("nim", 3, 0, 1, {"0.5": 1, "1": 1})]


def test_seats_and_openings_are_the_same_for_both(tmp_path: Path) -> None:
    fixtures = rung("chinese_checkers", "tictactoe").fixtures(6)
    trio = [one for one in fixtures if one.game == "chinese_checkers"]
    player = "mcts:playouts=20,nodes=200"
    assert [one.players.index(player) for one in trio] == [0, 2, 1, 0, 2, 1]
    assert all(Counter(one.players) == {player: 1, "random": 2} for one in trio)
    assert len({one.seed for one in trio}) == 2
    pair = [one for one in fixtures if one.game == "tictactoe"]
    assert [one.players.index(player) for one in pair] == [0, 1] * 3


def test_a_run_that_was_stopped_goes_on_and_grows(tmp_path: Path) -> None:
    one = rung("tictactoe")
    played: list[str] = []

    class Counting(Here):
        def results(
            self, plan: TournamentPlan, fixtures: Sequence[Fixture]
        ) -> Generator[MatchResult, None, None]:
            for result in super().results(plan, fixtures):
                played.append(result.match_id)
                yield result

    def stop(found: RungMatches) -> bool:
        if len(found.missing) == 1:
            raise KeyboardInterrupt
        return True

    with open_log(one, tmp_path) as log, pytest.raises(KeyboardInterrupt):
        play_rung(one, log, Counting(play_noted), 4, stop)
    assert len(played) == 3
    (log_file,) = tmp_path.glob("*/matches.jsonl")
    text = log_file.read_bytes()
    log_file.write_bytes(text[:-20])  # killed while the last line was written
    with open_log(one, tmp_path) as log:
        found = play_rung(one, log, Counting(play_noted), 6)
    assert len(played) == 3 + 4
    assert found.missing == []
    with open_log(one, tmp_path / "whole") as log:
        whole = play_rung(one, log, here(), 6)
    assert whole.results == found.results


def test_another_setting_has_another_folder(tmp_path: Path) -> None:
    recipe = tmp_path / "mine.toml"
    recipe.write_text('name = "mine"\n[[part]]\nuse = "mcts"\n')
    names = {rung("tictactoe").folder_name, rung("tictactoe", seed=4).folder_name, rung("nim").folder_name}
    names.add(rung("tictactoe", rival=str(recipe)).folder_name)
    recipe.write_text('name = "mine"\n[[part]]\nuse = "alphabeta"\n')
    names.add(rung("tictactoe", rival=str(recipe)).folder_name)
    assert len(names) == 5


def test_players_get_bounds_that_they_know() -> None:
    named = Allowance(playouts=7, nodes=9).named
    assert named("champion") == "champion:playouts=7,nodes=9"
    assert named("mcts:batch=1") == "mcts:batch=1,playouts=7,nodes=9"
    assert named("mcts:playouts=3") == "mcts:playouts=3"
    assert named("champion@/a/clone") == "champion:playouts=7,nodes=9@/a/clone"
    assert named("openspiel") == "openspiel:simulations=7"
    assert (named("random"), named("./mine.py:Mine")) == ("random", "./mine.py:Mine")
    assert Allowance().named("champion") == "champion"


def test_a_program_elsewhere_has_seconds_and_one_seat() -> None:
    outside = parse_invitation("sancho=http://127.0.0.1:9147")
    games = named_games(["tictactoe", "chinese_checkers"])
    with pytest.raises(PlanError, match="use --seconds"):
        make_rung("mcts", outside, games, COUNTED, 0)
    found = make_rung("mcts", outside, games, Allowance(), 0)
    assert [game.name for game in found.plan.games] == ["tictactoe"]
    assert found.left_out[0].startswith("chinese_checkers is left out against sancho: ")
    with pytest.raises(PlanError, match="can play none of these games"):
        make_rung("mcts", outside, games[1:], Allowance(), 0)


# -- the answer --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "answer", "even"),
    [
        ([1, 1] * 40, StrengthAnswer.STRONGER, False),
        ([0, 0] * 40, StrengthAnswer.WEAKER, False),
        ([1, 0] * 40, StrengthAnswer.NOT_KNOWN, True),
        ([1, 1, 0, 0] * 3, StrengthAnswer.NOT_KNOWN, False),
        ([], StrengthAnswer.NOT_KNOWN, False),
    ],
)
def test_the_gate_has_three_answers(points: list[float], answer: StrengthAnswer, even: bool) -> None:
    found = pretended(rung("tictactoe"), 80, points)
    test = found.test(40.0)
    assert (test.answer, test.is_even) == (answer, even)
    assert test.is_over == (even or answer is not StrengthAnswer.NOT_KNOWN)
    assert verdict_text(found, test).startswith(f"{answer}: mcts against random, ")
    assert test.better.games == 80 or test.is_over or len(points) < 80


def test_the_gate_stops_as_soon_as_it_is_sure() -> None:
    test = pretended(rung("tictactoe"), 80, [1] * 80).test(40.0)
    assert test.better.wins == test.better.games < 80
    before = TwoSidedSprt(40.0)
    for _ in range(test.better.sets - 1):
        before.add([1, 1])
    assert not before.is_over


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), max_size=40))
def test_the_answer_for_the_other_side_is_the_opposite(points: list[float]) -> None:
    test, mirrored = TwoSidedSprt(), TwoSidedSprt()
    for at in range(0, len(points) - 1, 2):
        test.add(points[at : at + 2])
        mirrored.add([1 - one for one in points[at : at + 2]])
    opposite = {
        StrengthAnswer.STRONGER: StrengthAnswer.WEAKER,
        StrengthAnswer.WEAKER: StrengthAnswer.STRONGER,
        StrengthAnswer.NOT_KNOWN: StrengthAnswer.NOT_KNOWN,
    }
    assert mirrored.answer is opposite[test.answer]
    assert (mirrored.is_over, mirrored.is_even) == (test.is_over, test.is_even)


def test_sets_count_up_to_the_first_that_is_missing() -> None:
    found = pretended(rung("tictactoe"), 8, [1] * 8)
    results = dict(found.results)
    del results[found.fixtures[2].match_id]
    test = RungMatches(found.rung, found.fixtures, results).test(40.0)
    assert (test.better.wins, test.better.games) == (2, 2)


# -- lost matches ------------------------------------------------------------------------------------------


def lost_example() -> tuple[Rung, Fixture, MatchResult]:
    """A match that is lost as the second player, with values that fall at its second decision."""
    one = rung("tictactoe")
    fixture = one.fixtures(2)[1]
    moves = [("(mark 1 1)", "noop"), ("noop", "(mark 2 1)"), ("(mark 1 2)", "noop"), ("noop", "(mark 2 2)"),
             ("(mark 1 3)", "noop")]  # fmt: skip
    decisions = (
        NotedDecision(1, 1, 55.0, depth=4, visits=10, playouts=20, nodes=7),
        NotedDecision(2, 0, 70.0, depth=5, visits=30),
        NotedDecision(3, 1, 48.0, depth=3, visits=11, playouts=21, nodes=8),
        NotedDecision(4, 0, 100.0, depth=1, visits=3, proven=True),
    )
    texts = tuple(f"({' '.join(joint)})" for joint in moves)
    return one, fixture, MatchResult(fixture.match_id, (100, 0), moves=texts, decisions=decisions)


def test_the_report_says_where_the_estimate_broke(monkeypatch: pytest.MonkeyPatch) -> None:
    one, fixture, result = lost_example()
    plan = replace(one.plan, opening=0)
    (lost,) = lost_matches(plan, [fixture], {fixture.match_id: result})
    assert (lost.game, lost.role, lost.goals, lost.length) == ("tictactoe", "oplayer", (100, 0), 5)
    assert lost.values == ((1, 55.0), (3, 48.0))
    broken = lost.broken
    assert broken is not None
    assert (broken.step, broken.move, broken.before, broken.after) == (3, "(mark 2 2)", 48.0, 0.0)
    assert (broken.at_end, broken.depth, broken.visits, broken.playouts) == (True, 3, 11, 21)
    assert broken.between == ("(noop (mark 2 2))", "((mark 1 3) noop)")
    assert broken.other is not None
    assert (broken.other.step, broken.other.move) == (4, "(mark 1 3)")
    assert (broken.other.value, broken.other.proven) == (100.0, True)
    text = losses_text([lost])
    assert (
        "move 4: (mark 2 2), estimated 48.0, at the end of the match 0.0 (-48.0); depth 3, 11 visits" in text
    )
    assert "random at move 5: (mark 1 3), had proven 100.0 for itself, depth 1" in text
    assert "its values by move: 2:55 4:48" in text
    assert json.loads(json.dumps(lost.as_json()))["broken"]["before"] == 48.0


def test_a_fall_between_two_decisions_is_told_with_the_other_side_before_it() -> None:
    one, fixture, result = lost_example()
    fallen = replace(result.decisions[0], value=99.0)
    result = replace(result, decisions=(fallen, *result.decisions[1:]))
    (lost,) = lost_matches(replace(one.plan, opening=0), [fixture], {fixture.match_id: result})
    assert lost.broken is not None
    assert (lost.broken.step, lost.broken.fall, lost.broken.at_end) == (1, 51.0, False)
    assert lost.broken.other is not None
    assert (lost.broken.other.step, lost.broken.other.value) == (2, 70.0)
    assert "move 2: (mark 2 1), estimated 99.0, at move 4 48.0 (-51.0)" in losses_text([lost])


def test_only_lost_matches_are_listed_and_some_have_no_values() -> None:
    one, fixture, result = lost_example()
    plan = replace(one.plan, opening=0)
    won = replace(result, goals=(0, 100))
    assert lost_matches(plan, [fixture], {fixture.match_id: won}) == []
    silent = replace(result, decisions=())
    (lost,) = lost_matches(plan, [fixture], {fixture.match_id: silent})
    assert lost.broken is None
    assert "it gave no values" in losses_text([lost])
    assert losses_text([]) == "no match was lost\n"


def test_decisions_travel_with_results() -> None:
    _, _, result = lost_example()
    again = result_from_json(json.loads(json.dumps(result.as_json())))
    assert again == result
    assert again.decisions == result.decisions
    assert "decisions" not in replace(result, decisions=()).as_json()


# -- noting and clocks -------------------------------------------------------------------------------------


def test_every_choice_between_moves_is_noted_with_its_value() -> None:
    match = Match(load_game("tictactoe"), 1)
    notes: list[NotedDecision] = []
    players = {
        role: NotingPlayer(make_player(name, 5), match, seat, notes.append)
        for seat, (role, name) in enumerate(
            zip(match.game.info.players, ("mcts:playouts=20", "random"), strict=True)
        )
    }
    play_match(match, players, 60.0)
    choices = [
        step
        for step, joint in enumerate(match.moves)
        if len(match.states[step].legal(match.game.info.players[0])) > 1
    ]
    assert [one.step for one in notes if one.seat == 0] == choices
    told = [one for one in notes if one.seat == 0]
    assert all(one.value is not None for one in told)
    assert told[0].playouts >= 20
    assert all(one.value is None for one in notes if one.seat == 1)


def test_the_clock_is_stretched_where_the_processor_is_shared() -> None:
    clock = ProcessorClock(2.0)
    assert clock.clock_seconds(20.0) == 2.0
    clock.note(1.0, 2.0, 2.0)  # half a processor
    assert (clock.share, clock.owed) == (0.75, 1.0)
    assert clock.clock_seconds(20.0) == 4.0
    for _ in range(60):
        clock.note(2.0, 4.0, 4.0)
    assert clock.clock_seconds(20.0) == pytest.approx(6.0)  # a second is still owed
    assert clock.clock_seconds(3.0) == 3.0
    clock.note(0.0, 0.001, 6.0)  # proven at once: nothing is left for others
    assert clock.owed == 1.0
    for _ in range(60):
        clock.note(4.0, 2.0, 2.0)  # two threads
    assert clock.clock_seconds(20.0) == pytest.approx(0.25)  # it has had too much


@given(st.lists(st.floats(0.2, 3.0), min_size=200, max_size=200))
def test_both_sides_have_the_same_processor_time_whatever_they_get_of_it(shares: list[float]) -> None:
    clock, spent = ProcessorClock(1.0), 0.0
    for share in shares:
        given_seconds = clock.clock_seconds(100.0)
        clock.note(share * given_seconds, given_seconds, given_seconds)
        spent += share * given_seconds
    assert spent == pytest.approx(200.0, abs=10.0)


class Asked(Player):
    """Remembers the seconds it was given."""

    name = "asked"
    seconds = 0.0

    def choose(self, position: Position, seconds: float) -> Term:
        self.seconds = seconds
        return position.legal[-1]


def test_a_noted_player_thinks_by_its_own_clock() -> None:
    match, player = Match(load_game("tictactoe"), 1), Asked()
    noting = NotingPlayer(player, match, 0, lambda note: None, ProcessorClock(0.5))
    role = match.game.info.players[0]
    position = Position(role, match.state.legal(role), None, match.state)
    assert noting.choose(position, 30.0) is position.legal[-1]
    assert player.seconds == 0.5


@pytest.mark.long
def test_a_player_of_another_clone_plays_the_same_as_here(tmp_path: Path) -> None:
    clone = tmp_path / "earlier"
    clone.mkdir()
    (clone / ".venv").symlink_to(sys.prefix)
    game = planned_game("krieg_tictactoe")
    match = Match(game.load("lifted"), 4)
    there = ClonePlayer(clone, "ismcts:playouts=30,nodes=30", 7, match, 0, game, "lifted")
    try:
        ours = make_player("ismcts:playouts=30,nodes=30", 7)
        roles = match.game.info.players
        for player in (ours, there):
            player.start(match.game, roles[0], 0.0)
        for _ in range(3):
            position = position_of(match.state, roles[0])
            move = ours.choose(position, 60.0)
            assert there.choose(position, 60.0) is move
            assert ours.decision is not None
            assert there.decision is not None
            assert there.decision.value == ours.decision.value
            match.play({roles[0]: move, roles[1]: match.state.legal(roles[1])[0]})
    finally:
        there.close()


def test_a_folder_without_an_interpreter_is_no_clone(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="make setup"):
        python_of(tmp_path)


# -- results and the page ----------------------------------------------------------------------------------


def row(**changes: object) -> StrengthRow:
    work = SideWork(4, 2.0, 80)
    made = StrengthRow(
        *ABOUT,
        "champion",
        "mcts",
        "hex",
        "turns",
        "library",
        3,
        0,
        1,
        0,
        {"0.5": 1, "1": 1},
        work,
        SideWork(4, 1.0),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def test_results_of_the_same_matches_replace_each_other(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "rows.jsonl"
    keep_rows(file, [row(), row(game="othello")])
    keep_rows(file, [row(wins=5), row(version="v2"), row(seed=9)])
    found = read_rows(file)
    assert [(one.version, one.game, one.seed, one.wins) for one in found] == [
        ("v1", "hex", 3, 5), ("v1", "othello", 3, 3), ("v2", "hex", 3, 3), ("v1", "hex", 9, 3),
    ]  # fmt: skip
    file.write_text(file.read_text() + "{}\n")
    with pytest.raises(ValueError, match=r"rows.jsonl:5: this line is no result"):
        read_rows(file)


def test_rows_are_pooled() -> None:
    total = pooled([row(), row(game="othello", wins=0, draws=2, losses=0, sets={"0.5": 1})])
    assert (total.wins, total.draws, total.losses, total.games) == (3, 2, 1, 6)
    assert total.share == 4 / 6
    assert total.sets == {0.5: 2, 1.0: 1}
    assert total.own == SideWork(8, 4.0, 160)
    assert total.own.seconds_a_move == 0.5
    assert total.answer() is StrengthAnswer.NOT_KNOWN
    assert pooled([row(wins=80, losses=0, sets={"1": 40})]).answer() is StrengthAnswer.STRONGER
    assert pooled([row(wins=0, losses=80, sets={"0": 40})]).answer() is StrengthAnswer.WEAKER


def test_the_page_shows_the_newest_version_and_all_others() -> None:
    part = ladder_part(
        [row(), row(version="v2", wins=4, losses=0), row(version="v2", game="tron", kind="at once")]
    )
    assert "`champion` of version v2 with 20 playouts a decision for each side: 8 matches in 2 games" in part
    assert "This is little: fewer than 100 matches against mcts." in part
    assert "| `mcts` | 2 | 7-0-1 | 87.5% |" in part
    assert "processor time" not in part
    assert "or more than twice, of mcts: these scores compare counted work" in ladder_part(
        [row(theirs=SideWork(4, 0.5))]
    )
    assert "| turns | `mcts` | 4-0-0 | 100.0% |" in part
    assert part.index("| v2 |") < part.index("| v1 |")
    assert ladder_part([]) == "\nNothing has been measured yet.\n\n"


def test_the_rest_of_the_page_stays_as_it_is() -> None:
    page = page_with("# Strength\n\nWords.\n", [row()])
    assert page.startswith(f"# Strength\n\nWords.\n\n{BEGIN}\n")
    assert (
        page_with(page + "\nMore.\n", [row(wins=9)])
        == page_with("# Strength\n\nWords.\n", [row(wins=9)]) + "\nMore.\n"
    )
    with pytest.raises(ValueError, match="has no line"):
        page_with(page.replace(END, ""), [row()])


def test_the_page_of_strength_shows_the_results() -> None:
    page = (ROOT / "docs" / "strength.md").read_text(encoding="utf-8")
    assert page_with(page, read_rows(ROOT / "bench" / "results" / "strength.jsonl")) == page
