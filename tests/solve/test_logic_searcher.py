"""The searcher that reasons: legal and in time whatever the other process does, plans used again, no lies."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time

import pytest

from ludorum.engine import load_game
from ludorum.engine.game import Game, State
from ludorum.engine.lifted import LiftedGame
from ludorum.processes.service import Service
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.terms import Term
from ludorum.search.budget import Budget
from ludorum.search.mixed import NoAdviceError
from ludorum.solve import logic_searcher
from ludorum.solve.logic_searcher import LogicConfig, LogicSearcher
from ludorum.solve.thinker import LogicThinker

from ..small_games import CIRCLE, COIN, DOOR
from .boards import BEFORE_TURN_5, BEFORE_TURN_7, SECOND_BEFORE_TURN_2, SECOND_BEFORE_TURN_4, board
from .slow_minds import Dying, Endless, EndlessButHelpful, Failing, Swelling

ENOUGH = Budget(seconds=300)
LOGIC = LogicConfig(search=False, always=True)

EXPLODING = """
; The goal looks at ten numbers of forty as soon as somebody has armed it, which the rules take back at once.
(role a)
(init (step 0))
(succ 0 1) (succ 1 2) (succ 2 3)
(number 1) (number 2) (number 3) (number 4) (number 5) (number 6) (number 7) (number 8) (number 9)
(<= (legal a arm) (true (step 0)))
(legal a rest) (legal a sleep)
(<= (next armed) (does a arm))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 3)))
(<= (sum ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j) (true armed)
    (number ?a) (number ?b) (number ?c) (number ?d) (number ?e)
    (number ?f) (number ?g) (number ?h) (number ?i) (number ?j))
(<= (goal a 100) (sum ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j) (distinct ?a ?j))
(<= (goal a 0) (not (true armed)))
"""


def made(text: str) -> Game:
    return LiftedGame(parse_kif(text), "made")


def with_mind(
    monkeypatch: pytest.MonkeyPatch, mind: type[Endless], megabytes: float = 2000.0
) -> LogicSearcher:
    monkeypatch.setattr(logic_searcher, "_borrow", lambda _: Service(mind, megabytes))
    return LogicSearcher(made(DOOR), LOGIC)


def ask(searcher: LogicSearcher, seconds: float, state: State | None = None) -> tuple[Term, float]:
    begin = time.monotonic()
    state = state or searcher.game.initial()
    role = searcher.game.roles[0]
    decision = searcher.search(state, role, Budget(seconds=seconds))
    assert decision.move in state.legal(role)
    return decision.move, time.monotonic() - begin


@pytest.mark.long
@pytest.mark.alone
@pytest.mark.spec("asp-player", 29)
def test_an_endless_solve_ends_in_a_legal_move_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    searcher = with_mind(monkeypatch, Endless)
    _, took = ask(searcher, 3.0)
    assert took < 3.5
    assert "took more than" in searcher.troubles[0]


@pytest.mark.long
@pytest.mark.spec("asp-player", 29)
def test_what_was_told_until_then_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    searcher = with_mind(monkeypatch, EndlessButHelpful)
    move, _ = ask(searcher, 10.0)
    assert move == Term("push")


@pytest.mark.long
@pytest.mark.spec("asp-player", 41)
@pytest.mark.parametrize(
    ("mind", "megabytes", "words"),
    [(Dying, 2000.0, "exited with 7"), (Swelling, 100.0, "100 MB"), (Failing, 2000.0, "KeyError")],
)
def test_a_crash_and_exhausted_memory_end_in_a_legal_move(
    monkeypatch: pytest.MonkeyPatch, mind: type[Endless], megabytes: float, words: str
) -> None:
    searcher = with_mind(monkeypatch, mind, megabytes)
    ask(searcher, 60.0)
    assert words in searcher.troubles[0]


@pytest.mark.long
@pytest.mark.spec("asp-player", 41)
@pytest.mark.parametrize("mind", [Dying, Failing])
def test_who_has_failed_is_not_lent_again(monkeypatch: pytest.MonkeyPatch, mind: type[Endless]) -> None:
    """Not even where the searcher is dropped without a word, as in a match that was broken off."""
    monkeypatch.setattr(logic_searcher, "_idle", [])
    searcher = with_mind(monkeypatch, mind)
    ask(searcher, 60.0)
    del searcher
    gc.collect()
    assert logic_searcher._idle == []


@pytest.mark.long
@pytest.mark.spec("asp-player", 41)
def test_a_killed_process_is_started_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("blocks")
    monkeypatch.setattr(logic_searcher, "_borrow", lambda _: Service(LogicThinker))
    searcher = LogicSearcher(game, LOGIC)
    first, _ = ask(searcher, 60.0)
    assert str(first) == "(u c a)"
    service = searcher._service
    assert service is not None
    assert service.pid is not None
    searcher._plan = {}
    os.kill(service.pid, signal.SIGKILL)
    ask(searcher, 60.0)
    assert len(searcher.troubles) == 1
    again, _ = ask(searcher, 60.0)
    assert str(again) == "(u c a)"
    assert service.starts == 2


@pytest.mark.spec("asp-player", 41)
def test_without_advice_others_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logic_searcher, "_borrow", lambda _: Service(Dying))
    searcher = LogicSearcher(made(DOOR))
    with pytest.raises(NoAdviceError, match="exited with 7"):
        ask(searcher, 60.0)


def test_somebody_who_cannot_wait_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    searcher = with_mind(monkeypatch, Endless)
    stop = threading.Event()
    threading.Timer(0.5, stop.set).start()
    game = searcher.game
    begin = time.monotonic()
    searcher.search(game.initial(), game.roles[0], Budget(seconds=100, stop=stop))
    assert time.monotonic() - begin < 20
    assert searcher.troubles == []


@pytest.mark.long
@pytest.mark.alone
@pytest.mark.spec("asp-player", 30)
@pytest.mark.spec("asp-player", 41)
def test_a_sheet_that_explodes_is_abandoned_in_time() -> None:
    searcher = LogicSearcher(made(EXPLODING), LOGIC)
    _, took = ask(searcher, 4.0)
    assert took < 6
    assert "logic" in searcher.troubles[0]


@pytest.mark.long
@pytest.mark.spec("asp-player", 30)
def test_a_sheet_that_explodes_stays_within_its_memory() -> None:
    searcher = LogicSearcher(made(EXPLODING), LogicConfig(search=False, always=True, megabytes=120))
    ask(searcher, 60.0)
    assert "120 MB" in searcher.troubles[0]


@pytest.mark.spec("asp-player", 28)
@pytest.mark.spec("asp-player", 57)
@pytest.mark.parametrize(("name", "length"), [("blocks", 3), ("buttons", 6), ("maze", 6)])
def test_a_plan_is_made_once_and_used_again(name: str, length: int) -> None:
    game = load_game(name)
    searcher = LogicSearcher(game, LOGIC)
    state, role, solves, steps = game.initial(), game.roles[0], [], 0
    while not state.is_terminal:
        decision = searcher.search(state, role, ENOUGH)
        assert decision.proven
        state = state.play((decision.move,))
        solves.append(searcher.solves)
        steps += 1
    assert (steps, state.goal(role)) == (length, 100)
    assert len(set(solves)) == 1  # all of them before the first move
    assert searcher.announcements == ["certain win: the plan reaches 100"]
    searcher.forget()


@pytest.mark.long
def test_an_endless_game_has_no_plan_and_a_legal_move() -> None:
    searcher = LogicSearcher(made(CIRCLE), LOGIC)
    ask(searcher, 2.0)
    searcher.forget()


@pytest.mark.spec("asp-player", 6)
def test_hidden_information_is_left_to_others() -> None:
    game = made(COIN)
    with pytest.raises(NoAdviceError, match="draw lots"):
        LogicSearcher(game).search(game.initial(), Term("guesser"), ENOUGH)


def judged(position: tuple[str, str], config: LogicConfig = LOGIC) -> tuple[str, LogicSearcher]:
    state = board(*position)
    searcher = LogicSearcher(state.game, config)
    role = Term(f"{position[1]}player")
    move = str(searcher.search(state, role, ENOUGH).move)
    searcher.forget()
    return move, searcher


@pytest.mark.spec("asp-player", 38)
@pytest.mark.spec("asp-player", 57)
def test_the_two_lost_games_are_not_lost_again() -> None:
    """No error before turn 5 of the first; the longest defence in the second once it is lost."""
    move, searcher = judged(BEFORE_TURN_5)
    assert move in {"(mark 2 1)", "(mark 2 3)", "(mark 3 1)", "(mark 3 3)"}
    assert searcher.announcements == []
    _, searcher = judged(BEFORE_TURN_7)
    assert [said.split(":")[0] for said in searcher.announcements] == ["lost"]
    move, searcher = judged(SECOND_BEFORE_TURN_4)
    assert move == "(mark 1 2)"
    assert [said.split(":")[0] for said in searcher.announcements] == ["lost"]


@pytest.mark.slow
@pytest.mark.spec("asp-player", 57)
def test_the_second_game_is_held_by_the_middle() -> None:
    move, searcher = judged(SECOND_BEFORE_TURN_2)
    assert move == "(mark 2 2)"
    assert searcher.announcements == []


@pytest.mark.spec("asp-player", 57)
def test_after_the_middle_nothing_is_certain() -> None:
    _, searcher = judged(("x.. .o. x..", "o"))
    assert searcher.announcements == []


def test_a_win_by_force_is_followed_without_asking_again() -> None:
    """x has two threats after any of some moves; the strategy is followed to the end."""
    state = board("x.o .o. x.x", "o").play((Term("noop"), parse_term("(mark 2 1)")))  # (3 2) is missed
    searcher = LogicSearcher(state.game, LOGIC)
    x = Term("xplayer")
    decision = searcher.search(state, x, ENOUGH)
    assert (str(decision.move), decision.proven, decision.value) == ("(mark 3 2)", True, 100.0)
    fork = board("x.. .o. ..x", "o").play((Term("noop"), parse_term("(mark 1 3)")))
    searcher = LogicSearcher(fork.game, LOGIC)
    decision = searcher.search(fork, x, ENOUGH)
    assert (str(decision.move), decision.proven, decision.value) == ("(mark 3 1)", True, 100.0)
    solves, threatened = searcher.solves, fork.play((decision.move, Term("noop")))
    waiting = searcher.search(threatened, x, ENOUGH)
    assert (waiting.move, waiting.proven) == (Term("noop"), True)
    state = threatened.play((Term("noop"), threatened.legal(Term("oplayer"))[0]))
    end = state.play((searcher.search(state, x, ENOUGH).move, Term("noop")))
    assert end.goal(x) == 100
    assert searcher.solves == solves
    searcher.forget()


@pytest.mark.spec("asp-player", 17)
@pytest.mark.spec("asp-player", 57)
def test_hodgepodge_from_both_sides() -> None:
    """Blocks win in three by force; the maze is out of reach even with help, and is played all the same."""
    game = load_game("hodgepodge")
    blocks, maze = (LogicSearcher(game, LogicConfig(seed=at, search=False, always=True)) for at in range(2))
    state, steps = game.initial(), 0
    while not state.is_terminal:
        joint = [
            player.search(state, role, ENOUGH).move
            for player, role in zip((blocks, maze), game.roles, strict=True)
        ]
        state, steps = state.play(joint), steps + 1
    assert (steps, state.goals()) == (3, (100, 0))
    assert [said.split(":")[0] for said in blocks.announcements] == ["certain win"]
    assert [said.split(":")[0] for said in maze.announcements] == ["unreachable"]
    blocks.forget()
    maze.forget()


def test_an_unknown_model_is_refused() -> None:
    with pytest.raises(ValueError, match="paranoid"):
        LogicConfig(model="kind")
