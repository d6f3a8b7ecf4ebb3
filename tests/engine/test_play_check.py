"""Quick play finds games that cannot be played, and shows the play; it finds the same on every machine."""

import pytest

from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.engine.near_states import near_states
from ludorum.engine.play_check import PlayFaultKind, PlayLimits, PlayReport, check_play
from ludorum.engine.play_faults import play_faults
from ludorum.rules.reader import parse_rules
from ludorum.rules.source import Severity
from ludorum.rules.terms import format_term

TURNS = """
(role first) (role second)
(init (control first)) (init (count 0))
(succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?p go) (true (control ?p)))
(<= (legal first noop) (true (control second)))
(<= (legal second noop) (true (control first)))
(<= (next (control second)) (true (control first)))
(<= (next (control first)) (true (control second)))
(<= (next (count ?n)) (true (count ?m)) (succ ?m ?n))
(<= terminal (true (count 3)))
(goal first 50) (goal second 50)
"""


def report(text: str, limits: PlayLimits | None = None) -> PlayReport:
    return check_play(LiftedGame(parse_rules(text), "small"), limits)


def found(text: str) -> list[tuple[str, str, str]]:
    """Code, place and hint of all that quick play says."""
    return [(one.code, f"{one.line}:{one.column}", one.hint) for one in play_faults(parse_rules(text))]


def test_a_game_that_can_be_played_has_no_fault_and_all_its_states_were_looked_at() -> None:
    assert report(TURNS) == PlayReport((), complete=True)


def test_a_role_without_a_move_at_the_start_is_told_at_its_fact() -> None:
    sheet = TURNS.replace("(<= (legal second noop) (true (control first)))\n", "")
    (fault,) = play_faults(parse_rules(sheet))
    assert (fault.code, fault.severity, fault.line, fault.column) == ("no-move", Severity.ERROR, 2, 14)
    assert fault.message == "at the start second has no legal move, and the game is not over"


def test_a_turn_that_gets_lost_is_told_with_the_moves_that_lose_it() -> None:
    sheet = TURNS.replace("(<= (next (control second)) (true (control first)))\n", "")
    (fault,) = play_faults(parse_rules(sheet))
    assert fault.code == "no-move"
    assert fault.message == "after 1 move first and second have no legal move, and the game is not over"
    assert fault.hint.startswith("the play: first go + second noop; ")


def test_a_lost_turn_in_which_all_may_wait_never_ends() -> None:
    waiting = "(<= (legal ?p noop) (role ?p) (not (true (control ?p))))"
    sheet = TURNS.replace("(<= (legal first noop) (true (control second)))", waiting)
    sheet = sheet.replace("(<= (legal second noop) (true (control first)))\n", "")
    sheet = sheet.replace("(<= (next (control second)) (true (control first)))\n", "")
    sheet = sheet.replace("(true (count 3))", "(true (control nobody))")
    sheet = sheet.replace("(succ ?m ?n))", "(succ ?m ?n))\n(<= (next (count 3)) (true (count 3)))")
    ((code, _, hint),) = found(sheet)
    assert code == "never-ends"
    assert hint.startswith("the play: first go + second noop, ")
    assert hint.endswith("for ever: first noop + second noop")


def test_a_misspelt_role_is_told() -> None:
    ((code, place, _),) = found(TURNS.replace("(role second)", "(role secnd)"))
    assert (code, place) == ("no-move", "2:14")


def test_a_game_that_may_go_on_is_warned_of_with_the_way_round() -> None:
    sheet = """
    (role a) (init (at 1)) (legal a walk) (legal a stop)
    (<= (next (at 2)) (true (at 1)) (does a walk))
    (<= (next (at 1)) (true (at 2)) (does a walk))
    (<= (next over) (does a stop))
    (<= terminal (true over)) (goal a 100)
    """
    ((code, _, hint),) = found(sheet)
    assert (code, hint) == ("may-not-end", "for ever: walk, walk")


def test_an_end_without_one_goal_value_is_warned_of() -> None:
    ((code, place, hint),) = found(TURNS.replace("(goal second 50)", "(goal second 50) (goal second 20)"))
    assert (code, place) == ("end-without-goal", "2:14")
    assert hint.startswith("the play: first go + second noop, first noop + second go, first go + second noop")


def test_a_game_that_is_over_at_the_start_is_warned_of() -> None:
    assert [code for code, _, _ in found(TURNS.replace("(count 3)))", "(count 0)))"))] == ["over-at-start"]


HARBOUR = """
(role a) (init (day 0)) {days}
(legal a wait) (<= (legal a sail) (true (day 300)))
(<= (next (day ?n)) (true (day ?m)) (succ ?m ?n))
(<= terminal (true (day 320))) (goal a 0)
"""


def test_a_fault_far_from_the_start_is_found_by_random_play() -> None:
    days = " ".join(f"(succ {day} {day + 1})" for day in range(350))
    sheet = HARBOUR.format(days=days).replace("(legal a wait)", "(<= (legal a wait) (not (true (day 310))))")
    limits = PlayLimits(states=100)
    (fault,) = report(sheet, limits).faults
    assert (fault.kind, len(fault.moves)) == (PlayFaultKind.STUCK, 310)
    assert report(sheet, limits) == report(sheet, limits)


def test_a_loop_far_from_the_start_is_found_where_nothing_leads_out_of_it() -> None:
    days = " ".join(f"(succ {day} {day + 1})" for day in range(310)) + "(succ 310 310)"
    (fault,) = report(HARBOUR.format(days=days), PlayLimits(states=100)).faults
    assert fault.kind is PlayFaultKind.NEVER_ENDS
    assert [format_term(joint[0]) for joint in fault.loop] == ["wait"]


GROWING = """
(role a) (init (s 0)) (legal a go)
(<= (next (s (f ?x))) (true (s ?x)))
(<= terminal (true (s end))) (goal a 0)
"""

EXPLODING = """
(role a) (init (s 0)) (legal a go) (goal a 0) (<= terminal (true (s end)))
{numbers}
(<= (pair ?a ?b ?c ?d ?e ?f) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f) (true (s 0)))
(<= (next (s end)) (pair ?a ?b ?c ?d ?e ?f) (n ?a) (distinct ?a ?b) (distinct ?b ?a) (pair ?b ?a ?d ?c ?f ?e))
"""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (GROWING, "terms within terms"),
        (EXPLODING.format(numbers=" ".join(f"(n {n})" for n in range(40))), "too many derived facts"),
    ],
)
def test_sheets_that_explode_are_given_up_after_counted_work(text: str, reason: str) -> None:
    (note,) = play_faults(parse_rules(text))
    assert (note.code, note.severity) == ("not-played", Severity.NOTE)
    assert reason in note.message


def test_states_that_were_not_followed_count_as_open() -> None:
    start = load_game("tictactoe").initial()
    near = near_states(start, 50, lambda state: True)
    assert len(near.states) == 50
    assert not near.complete
    assert near.without_end() is None
    assert near.circle() is None


@pytest.mark.parametrize("most", [1, 2, 17, 1000])
def test_the_way_to_a_state_leads_there(most: int) -> None:
    game = load_game("nim")
    near = near_states(game.initial(), most, lambda state: True)
    for at in range(0, len(near.states), 37):
        state = game.initial()
        for joint in near.way_to(at):
            state = state.play(joint)
        assert state == near.states[at]


def test_sheets_with_thousands_of_rules_are_not_played() -> None:
    rules = "\n".join(f"(<= (extra {n}) (true (count {n})))" for n in range(4001))
    (note,) = play_faults(parse_rules(TURNS + rules))
    assert note.message == "quick play was given up: there are 4008 rules, and at most 4000 are played here"
