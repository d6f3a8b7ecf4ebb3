"""A right game agrees with a right record; every wrong answer is listed, once and exactly."""

import json
from typing import Any

import pytest

from ludorum.arena import Disagreement, MatchRecord, VerifyReport, parse_record, verify, verify_random
from ludorum.engine.reference import ReferenceGame
from ludorum.rules.kif import parse_kif
from tests.arena.counter import (
    RULES,
    ForgetfulGame,
    counter_game,
    playout,
    replay,
    samples,
    spectator,
)


def report_on(value: object, game: ReferenceGame | None = None, **options: Any) -> VerifyReport:
    return verify(game or counter_game(), parse_record(json.dumps(value)), **options)


def with_rules(old: str, new: str) -> ReferenceGame:
    assert old in RULES
    return ReferenceGame(parse_kif(RULES.replace(old, new)), "counter")


@pytest.mark.parametrize(
    ("make", "questions"),
    [
        # roles, initial, 3 x state, 6 x move, 4 x terminal, 2 x goal
        (replay, 17),
        # as above with 1 state not noted, and 4 x legal, 8 x legal count, 4 x percepts more
        (playout, 32),
        # as a replay that does not name its roles
        (spectator, 16),
    ],
)
def test_a_right_match_agrees(make: Any, questions: int) -> None:
    report = report_on(make())
    assert report.agrees
    assert (report.states, report.questions) == (4, questions)
    assert (report.checked, report.steps) == (3, 3)
    assert report.as_json() == {
        "states": 4,
        "questions": questions,
        "disagreements": [],
        "disagreement_count": 0,
        "checked": 3,
        "steps": 3,
        "complete": True,
        "stopped": "",
    }


def test_right_samples_agree() -> None:
    report = report_on(samples())
    assert report.agrees
    # next, legal of two roles, goal of two roles, twice terminal
    assert (report.states, report.questions) == (5, 7)


def test_other_roles_end_the_comparison() -> None:
    value = replay()
    value["roles"] = ["left", "guest"]
    report = report_on(value)
    assert report.disagreements == (Disagreement(0, "roles", None, ("guest",), ("right",)),)
    assert not report.complete
    assert not report.agrees


def test_a_record_may_have_its_roles_in_another_order() -> None:
    value: Any = playout()
    value["roles"] = ["right", "left"]
    value["moves"] = [joint[::-1] for joint in value["moves"]]
    assert report_on(value).agrees
    value["nlegal"][1] = [2, 9]
    value["final"]["goals"] = {"left": ["100"], "right": ["0"]}
    assert report_on(value).disagreements == (
        Disagreement(1, "legal count", "left", ("9",), ("2",)),
        Disagreement(3, "goal", "right", ("0",), ("50",)),
    )


def test_a_published_match_of_other_width_ends_the_comparison() -> None:
    value = spectator() | {"moves": [["add"]] * 3, "goalValues": [100], "errors": [[""]] * 4}
    report = report_on(value)
    assert report.disagreements == (Disagreement(0, "roles", None, ("1",), ("2",)),)
    assert "not as many roles" in str(report)
    over = {"states": ["((count 0))"], "moves": [], "goalValues": [1, 2, 3]}
    report = report_on(spectator() | over)
    assert report.disagreements == (Disagreement(0, "roles", None, ("3",), ("2",)),)


def test_a_wrong_state_is_listed_once_with_what_is_not_shared() -> None:
    value: Any = replay()
    value["states"][1] = ["(count 0)", "(count 1)"]
    report = report_on(value)
    assert report.disagreements == (
        Disagreement(1, "state", None, ("(count 0)",), ()),
        # the recorded state is taken as given: waiting there keeps both facts
        Disagreement(2, "state", None, (), ("(count 0)",)),
    )


def test_a_wrong_initial_state_is_listed() -> None:
    value: Any = replay()
    value["states"][0] = ["(count 1)"]
    value["states"][1] = ["(count 1)"]
    value["moves"][0][0] = "wait"
    assert report_on(value).disagreements == (
        Disagreement(0, "initial", None, ("(count 1)",), ("(count 0)",)),
    )


def test_an_illegal_move_is_listed_and_followed() -> None:
    value: Any = replay()
    value["moves"][1][1] = "(guess 9)"
    assert report_on(value).disagreements == (Disagreement(1, "move", "right", ("(guess 9)",), ()),)


def test_wrong_legal_moves_are_listed() -> None:
    value: Any = playout()
    value["steps"][1]["legal"] = {"left": ["add", "rest"], "right": ["(guess 1)", "(guess 2)"]}
    value["nlegal"][2] = [2, 3]
    assert report_on(value).disagreements == (
        Disagreement(1, "legal", "left", ("rest",), ("wait",)),
        Disagreement(2, "legal count", "right", ("3",), ("2",)),
    )


def test_wrong_percepts_are_listed_where_they_arrive() -> None:
    value: Any = playout()
    value["steps"][0]["sees"] = {"left": ["bell"], "right": ["add"]}
    assert report_on(value).disagreements == (Disagreement(1, "percepts", "left", ("bell",), ()),)


def test_wrong_ends_and_goals_are_listed() -> None:
    value: Any = playout()
    value["final"]["terminal"] = False
    value["final"]["goals"] = {"left": ["100", "0"], "right": []}
    assert report_on(value).disagreements == (
        Disagreement(3, "terminal", None, ("false",), ("true",)),
        Disagreement(3, "goal", "left", ("0",), ()),
        Disagreement(3, "goal", "right", (), ("50",)),
    )


def test_a_match_that_goes_on_after_its_end_is_listed() -> None:
    game = with_rules("(<= terminal (true (count 2)))", "(<= terminal (true (count 1)))")
    assert [str(one) for one in report_on(replay(), game).disagreements] == [
        "step 1: terminal: expected false, got true",
        "step 2: terminal: expected false, got true",
        "step 3: terminal: expected true, got false",
    ]


def test_wrong_samples_are_listed() -> None:
    value: Any = samples()
    value["samples"]["next"][0]["expect"] = []
    value["samples"]["legal"][0]["expect"].append(["guest", "come"])
    value["samples"]["goal"][0]["expect"] = []
    value["samples"]["terminal"][1]["expect"] = True
    assert report_on(value).disagreements == (
        Disagreement(0, "state", None, (), ("(count 1)",)),
        Disagreement(1, "legal", "guest", ("come",), ()),
        Disagreement(2, "goal", "left", (), ("100",)),
        Disagreement(2, "goal", "right", (), ("50",)),
        Disagreement(4, "terminal", None, ("true",), ("false",)),
    )


def test_rules_without_an_answer_are_listed_and_the_record_goes_on() -> None:
    game = with_rules("(goal right 50)", "(<= (goal right ?n) (true (count 2)) (not (succ 0 ?n)))")
    report = report_on(replay(), game)
    assert [(one.step, one.question) for one in report.disagreements] == [
        (step, "error") for step in range(4)
    ]
    assert "unsafe" in report.disagreements[0].got[0]
    assert report.complete


def test_without_a_next_state_from_anyone_the_comparison_ends() -> None:
    game = with_rules(
        "(<= (next (count ?n)) (true (count ?n)) (does left wait))", "(<= (next ?n) (does left wait))"
    )
    report = report_on(playout(), game)
    assert not report.complete
    assert report.checked == 2
    assert "no next state" in report.stopped


def test_only_so_many_disagreements_are_listed_but_all_are_counted() -> None:
    game = with_rules("(legal left add) (legal left wait)", "(legal left sing)")
    report = report_on(replay(), game, listed=2)
    assert len(report.disagreements) == 2
    assert report.disagreement_count == 3
    assert report.as_json()["disagreements"] == [
        {"step": 0, "question": "move", "role": "left", "expected": ["add"], "got": []},
        {"step": 1, "question": "move", "role": "left", "expected": ["wait"], "got": []},
    ]


def test_a_time_limit_gives_a_partial_report_that_says_so() -> None:
    record = parse_record(json.dumps(replay()))
    steps: list[tuple[int, int]] = []
    report = verify(counter_game(), record, seconds=0.0, progress=lambda done, of: steps.append((done, of)))
    assert not report.complete
    assert not report.agrees
    assert str(report).endswith("checked 0 of 3 steps: the time limit of 0 s was reached")
    assert report.disagreement_count == 0
    report = verify(counter_game(), record, seconds=60, progress=lambda done, of: steps.append((done, of)))
    assert report.complete
    assert steps == [(1, 3), (2, 3), (3, 3)]
    assert not report_on(samples(), seconds=0.0).complete


def test_an_engine_that_agrees_with_the_reference() -> None:
    report = verify_random(counter_game(), counter_game(), states=50, seed=7)
    assert report.agrees
    assert report.states == 50


def test_an_engine_that_differs_from_the_reference_is_caught() -> None:
    wrong = ForgetfulGame(parse_kif(RULES), "counter")
    report = verify_random(wrong, counter_game(), states=50, seed=7)
    questions = {one.question for one in report.disagreements}
    assert questions == {"percepts", "state"}
    assert (
        Disagreement(1, "percepts", "right", (report.disagreements[0].expected[0],), ())
        in report.disagreements
    )
    state = next(one for one in report.disagreements if one.question == "state")
    assert (state.expected, state.got) == (("(count 2)",), ("(count 1)",))
    assert report == verify_random(wrong, counter_game(), states=50, seed=7)


def test_other_seeds_play_other_games() -> None:
    wrong = ForgetfulGame(parse_kif(RULES), "counter")
    reports = {verify_random(wrong, counter_game(), states=30, seed=seed).disagreements for seed in range(5)}
    assert len(reports) > 1


def test_an_engine_with_other_legal_moves_or_goals_is_caught() -> None:
    slow = with_rules("(legal left add)", "(<= (legal left add) (true (count 0)))")
    questions = [one.question for one in verify_random(slow, counter_game(), states=20, seed=1).disagreements]
    assert "legal" in questions
    assert "error" in questions  # the move it does not know
    generous = with_rules("(goal right 50)", "(goal right 60)")
    first = verify_random(generous, counter_game(), states=1, seed=1).disagreements[0]
    assert first == Disagreement(0, "goal", "right", ("50",), ("60",))


def test_engines_of_different_games_are_told_apart_at_once() -> None:
    other = with_rules("(role left) (role right)", "(role right) (role left)")
    report = verify_random(other, counter_game(), states=20, seed=1)
    assert report.disagreements == (Disagreement(0, "roles", None, ("left", "right"), ("right", "left")),)
    assert not report.complete


def test_the_general_successor_needs_a_move_of_every_role() -> None:
    """Engines without an unchecked transition play the moves instead."""
    from ludorum.engine.errors import GameError
    from ludorum.engine.game import Game
    from ludorum.rules.kif import parse_term

    game = counter_game()
    zero = [parse_term("(count 0)")]
    left, right = game.roles
    joint = [(left, parse_term("add")), (right, parse_term("(guess 1)"))]
    facts, percepts = Game.successor(game, zero, joint)
    assert facts == {parse_term("(count 1)")}
    assert percepts == {left: (), right: (parse_term("add"),)}
    with pytest.raises(GameError, match="needs a move of"):
        Game.successor(game, zero, joint[:1])


def test_a_record_needs_one_state_more_than_moves() -> None:
    with pytest.raises(ValueError, match="one more is needed"):
        MatchRecord("game", None, moves=(), states=())
    with pytest.raises(ValueError, match="2 entries of legal where 1 are needed"):
        MatchRecord("game", None, moves=(), states=(None,), legal=(None, None))
