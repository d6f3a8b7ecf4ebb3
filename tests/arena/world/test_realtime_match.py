"""WDL matches in realtime: the clock, first come first served, what players are told, the end, records."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.arena.protocol.messages import MessageError, Start
from ludorum.arena.protocol.realtime_messages import (
    ClockSignal,
    Happened,
    OwnMove,
    TimeIsUp,
    format_realtime,
    parse_realtime,
)
from ludorum.arena.world import RealtimeMatch, read_record, replay
from ludorum.arena.world.record import LONGEST_DROPPED, MOST_DROPPED, Dropped, MadeMoves, Ticks
from ludorum.engine.wdl_master import MasterState, WdlMaster
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from tests.rules.wdl.sheets import DICE, sheet_of

ANN, BOB = Term("ann"), Term("bob")

GRAB = """
(set realtime) (role ann) (role bob)
(random prize 1 gold) (random prize 1 silver)
(init (lies apple))
(<= (legal ?p (grab ?x (visible ?p prize))) (role ?p) (true (lies ?x)))
(<= (next (has ?p ?x)) (does ?p (grab ?x ?_prize)))
(<= (next (has ?p ?x)) (true (has ?p ?x)))
(<= (next (lies ?x)) (true (lies ?x)) (not taken))
(<= (next (lies pear)) (clock 20))
(<= taken (does ?_p (grab ?_x ?_prize)))
(<= terminal (true (has ann apple)) (true (has ann pear)))
(<= (goal ?p 100) (true (has ?p pear)))
(<= (goal ?p 0) (role ?p) (not (true (has ?p pear))))
"""
"""One apple for whoever is first; a pear comes with the twentieth tick. Who grabs sees a prize."""


def match_of(text: str = GRAB, seconds: float = 0, seed: int = 1) -> RealtimeMatch:
    return RealtimeMatch(WdlMaster(sheet_of(text)), "m1", seed, 3, seconds)


def grab(role: Term, what: str) -> Term:
    return parse_term(f"(grab {what} (visible {role} prize))")


@pytest.mark.spec("wdl", 23)
def test_a_match_begins_like_any_other_and_only_realtime_games_have_one() -> None:
    start = match_of(seconds=300).start(BOB)
    assert (start.match_id, start.role, start.start_clock, start.play_clock) == ("m1", BOB, 3, 300)
    assert start.rules.startswith("(set realtime) (role ann)")
    assert "(init (lies apple))" in start.rules
    with pytest.raises(ValueError, match="rounds"):
        match_of(DICE)


@pytest.mark.spec("wdl", 24)
def test_a_second_has_a_hundred_signals_of_the_clock() -> None:
    match = match_of(seconds=1)
    told = [one for _ in range(100) for one in match.tick()]
    signals = [one[ANN] for one in told if isinstance(one[ANN], ClockSignal)]
    assert signals == [ClockSignal("m1", number) for number in range(1, 101)]
    assert told[-1] == {ANN: TimeIsUp("m1"), BOB: TimeIsUp("m1")}
    assert match.is_over


@pytest.mark.spec("wdl", 29)
def test_the_playclock_is_the_length_of_the_game_and_none_is_no_bound() -> None:
    short = match_of("(set tick 10)" + GRAB, seconds=2)
    for _ in range(19):
        short.tick()
    assert not short.is_over
    short.tick()
    assert short.is_over
    long = match_of(seconds=0)
    for _ in range(500):
        long.tick()
    assert not long.is_over
    assert long.state.clock == 500


@pytest.mark.spec("wdl", 26)
def test_everybody_is_told_who_acted_and_sees_the_own_view() -> None:
    match = match_of()
    told = match.act(BOB, grab(BOB, "apple"))
    prize = match.record.events[0].moves[0].draws[0][1]  # type: ignore[union-attr]
    assert told == {
        ANN: Happened("m1", BOB, parse_term("(grab apple)")),
        BOB: Happened("m1", BOB, parse_term(f"(grab apple {prize})")),
    }


@pytest.mark.spec("wdl", 27)
def test_who_comes_second_is_dropped_without_a_word() -> None:
    match = match_of()
    assert match.act(ANN, grab(ANN, "apple"))
    state = match.state
    assert match.act(BOB, grab(BOB, "apple")) == {}
    assert match.state == state
    assert match.act(ANN, Term("nonsense")) == {}


def test_a_record_keeps_the_first_dropped_moves_of_a_role_and_counts_the_others() -> None:
    match = match_of()
    for number in range(MOST_DROPPED + 25):
        match.act(ANN, Term(f"nonsense{number}"))
        match.tick()
    match.act(BOB, Term("x" * 1000))
    match.act(BOB, grab(BOB, "apple"))
    record = match.record
    dropped = [one for one in record.events if isinstance(one, Dropped)]
    first = [f"nonsense{number}" for number in range(MOST_DROPPED)]
    assert [one.move for one in dropped if one.role == "ann"] == first
    assert [len(one.move) for one in dropped if one.role == "bob"] == [LONGEST_DROPPED]
    assert record.more_dropped == {"ann": 25}
    assert record.events[-3] == Ticks(26)  # nothing of the last moves stands between the ticks
    read = read_record(f"{line}\n" for line in record.lines())
    assert read == record
    assert list(replay(read, match.master))[-1] == match.state


@pytest.mark.spec("wdl", 28)
def test_having_no_legal_move_is_no_fault_in_realtime() -> None:
    match = match_of()
    match.act(ANN, grab(ANN, "apple"))
    assert match.master.legal(match.state, BOB) == ()
    match.tick()
    assert not match.is_over


@pytest.mark.spec("wdl", 30)
def test_a_move_that_ends_the_game_is_told_with_the_end() -> None:
    match = match_of()
    match.act(ANN, grab(ANN, "apple"))
    for _ in range(20):
        match.tick()
    told = match.act(ANN, grab(ANN, "pear"))
    assert told[BOB] == Happened("m1", ANN, parse_term("(grab pear)"), is_last=True)
    assert match.is_over
    assert match.record.goals == {"ann": ["100"], "bob": ["0"]}
    with pytest.raises(ValueError, match="over"):
        match.tick()


CHESS_CLOCK = """
(set realtime) (role x) (role o)
(init (control x)) (init (used x 0)) (init (used o 0))
(other x o) (other o x)
(<= (legal ?p move) (true (control ?p)))
(<= somemove (does ?_p ?_m))
(<= (next (control ?q)) (does ?p move) (other ?p ?q))
(<= (next (control ?p)) (true (control ?p)) (not somemove))
(<= (next (used ?p ?m)) (true (used ?p ?n)) (true (control ?p)) (not somemove) (succ ?n ?m))
(<= (next (used ?p ?n)) (true (used ?p ?n)) (not (true (control ?p))))
(<= (next (used ?p ?n)) (true (used ?p ?n)) somemove)
(<= terminal (true (used ?_p 21)))
(<= (goal ?p 100) (true (used ?q 21)) (other ?p ?q))
(<= (goal ?p 0) (true (used ?p 21)))
""" + " ".join(f"(succ {n} {n + 1})" for n in range(21))


@pytest.mark.spec("wdl", 31)
def test_a_chess_clock_counts_the_ticks_of_whoever_is_in_control() -> None:
    match = match_of(CHESS_CLOCK)
    for _ in range(5):
        match.tick()
    match.act(Term("x"), Term("move"))
    ticks = 0
    while not match.is_over:
        match.tick()
        ticks += 1
    assert ticks == 21
    assert {str(fact) for fact in match.state.facts} == {"(control o)", "(used x 5)", "(used o 21)"}
    assert match.record.goals == {"x": ["100"], "o": ["0"]}


events = st.lists(st.sampled_from(["tick", "tick", "tick", "ann", "bob", "pear"]), max_size=40)


@pytest.mark.long
@settings(max_examples=25, deadline=None)
@given(events, st.integers(0, 100))
@pytest.mark.spec("wdl", 32, 44)
def test_the_same_events_give_the_same_states_and_a_record_gives_them_again(
    course: list[str], seed: int
) -> None:
    def play() -> tuple[RealtimeMatch, list[MasterState]]:
        match = match_of(seed=seed)
        states = [match.state]
        for event in course:
            if match.is_over:
                break
            if event == "tick":
                match.tick()
            elif not match.act(*((ANN, grab(ANN, event)) if event == "pear" else _apple(event))):
                continue
            states.append(match.state)
        return match, states

    (match, states), (again, others) = play(), play()
    assert states == others
    assert list(match.record.lines()) == list(again.record.lines())
    record = read_record(f"{line}\n" for line in match.record.lines())
    assert list(replay(record, match.master)) == states


def _apple(name: str) -> tuple[Term, Term]:
    return Term(name), grab(Term(name), "apple")


@pytest.mark.spec("wdl", 42)
@pytest.mark.parametrize("message", [
    ClockSignal("m1", 0), ClockSignal("Match.7", 30000),
    Happened("m1", ANN, Term("wait")), Happened("m1", ANN, parse_term("(grab (box 1) x)"), is_last=True),
    TimeIsUp("m1"), OwnMove("m1", BOB, parse_term("(grab pear (visible bob prize))")),
    Start("m1", ANN, "(role ann)", 3, 0),
])  # fmt: skip
def test_messages_are_read_as_they_were_written(message: object) -> None:
    text = format_realtime(message)  # type: ignore[arg-type]
    assert parse_realtime(text) == message
    if not isinstance(message, Start):
        shouted = text.upper().replace("MATCH.7", "Match.7").replace(" M1 ", " m1 ")
        assert parse_realtime(shouted) == message


@pytest.mark.parametrize("text", [
    "(CLOCK m1)", "(CLOCK m1 x)", "(CLOCK m1 -1)", "(MOVE m1 ann)", "(MOVE m1 ann ?x)", "(PLAY m1 ann ?x)",
    "(TICK m1 3)", "(CLOCK", "",
])  # fmt: skip
def test_what_is_no_message_is_refused(text: str) -> None:
    with pytest.raises(MessageError):
        parse_realtime(text)


# -- moves that the rules force ------------------------------------------------------------------------------

TURNS = """
(set realtime) (set force 10) (role ann) (role bob) (other ann bob) (other bob ann)
(init (turn ann)) (init (count 0)) (stone 1) (stone 2)
(<= (legal ?p (put ?n)) (true (turn ?p)) (stone ?n))
(<= moved (does ?_p ?_m))
(<= (next (turn ?q)) (does ?p ?_m) (other ?p ?q))
(<= (next (turn ?p)) (true (turn ?p)) (not moved))
(<= (next (count ?m)) (true (count ?n)) moved (succ ?n ?m))
(<= (next (count ?n)) (true (count ?n)) (not moved))
(succ 0 1) (succ 1 2) (succ 2 3)
(<= terminal (true (count 3)))
(goal ann 50) (goal bob 50)
"""
"""One after the other puts one stone or two, three times in all."""


def ticks(match: RealtimeMatch, count: int) -> list[object]:
    """What Bob is told of so many signals of the clock, without the signals."""
    told = [one[BOB] for _ in range(count) for one in match.tick()]
    return [one for one in told if not isinstance(one, ClockSignal)]


@pytest.mark.spec("wdl", 54)
def test_who_lets_the_time_pass_gets_a_random_move() -> None:
    match = match_of(TURNS, seed=3)
    assert match.start(ANN).rules.startswith("(set realtime) (set force 10) (role ann)")
    assert ticks(match, 9) == []
    (first,) = ticks(match, 1)
    assert isinstance(first, Happened)
    assert (first.player, first.is_last) == (ANN, False)
    assert first.move in (parse_term("(put 1)"), parse_term("(put 2)"))
    # Only the time in which one can move counts: Bob's begins with his turn, and his own move ends it.
    assert ticks(match, 9) == []
    assert match.act(BOB, parse_term("(put 1)"))
    assert ticks(match, 9) == []
    (last,) = ticks(match, 1)
    assert isinstance(last, Happened)
    assert (last.player, last.is_last) == (ANN, True)
    assert match.is_over
    made = [one.moves[0] for one in match.record.events if isinstance(one, MadeMoves)]
    assert [(one.role, one.fault) for one in made] == [("ann", "forced"), ("bob", ""), ("ann", "forced")]
    record = read_record(match.record.lines())
    assert list(replay(record, match.master))[-1] == match.state


def test_nobody_is_forced_where_the_rules_do_not_say_so_and_all_are_told_what_they_may_see() -> None:
    assert ticks(match_of(TURNS.replace("(set force 10)", "")), 50) == []
    match = match_of("(set force 5)" + GRAB)
    told = [one for _ in range(5) for one in match.tick()]
    (forced,) = [one for one in told if isinstance(one[BOB], Happened)]
    assert str(forced[BOB].move) == "(grab apple)"  # type: ignore[union-attr]
    assert str(forced[ANN].move) in ("(grab apple gold)", "(grab apple silver)")  # type: ignore[union-attr]
