"""Realtime games in a terminal: a real one, with a person who presses keys while the clock runs."""

from __future__ import annotations

import re
import sysconfig
import time
from pathlib import Path

import pytest

from ludorum.cli.terminal.move_keys import KEYS, MoveKeys
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from tests.terminal_session import ENTER, F10, Terminal, terminal

BOARD = """; title: Lights
; rules: Switch all three lamps on before bob can; he cannot.
; players: 2
(set realtime) (role ann) (role bob)
(lamp 1) (lamp 2) (lamp 3)
(<= (init (shines ?n off)) (lamp ?n))
(<= (legal ann (switch ?n)) (true (shines ?n off)))
(<= (legal bob (switch ?n)) (lamp ?n) (never))
(<= (never) (true (shines 9 on)))
(<= (next (shines ?n on)) (does ann (switch ?n)))
(<= (next (shines ?n ?x)) (true (shines ?n ?x)) (not (switched ?n)))
(<= (switched ?n) (does ?_p (switch ?n)))
(<= dark (true (shines ?_n off)))
(<= terminal (not dark)) (<= terminal (clock 6000))
(<= (goal ann 100) (not dark)) (<= (goal ann 0) dark)
(<= (goal bob 100) dark) (<= (goal bob 0) (not dark))
"""


def clock_of(screen: Terminal) -> float:
    found = re.search(r"\| ([0-9.]+) s", screen.see("| you are ann |"))
    assert found
    return float(found[1])


@pytest.mark.long
def test_a_person_acts_by_keys_and_by_typing_while_the_clock_runs(tmp_path: Path) -> None:
    (tmp_path / "lights.wdl").write_text(BOARD)
    with terminal(tmp_path, Path(sysconfig.get_path("scripts"))) as screen:
        screen.type("ludorum play lights.wdl --player legal --record lights.jsonl" + ENTER)
        screen.see("Press Enter to begin", "1  switch 1", "3  switch 3", "| 0.00 s")
        screen.type("2")  # the clock does not run yet
        screen.type(ENTER)
        screen.see("You may act.")
        before = clock_of(screen)
        end = time.monotonic() + 60
        while clock_of(screen) <= before + 0.3:  # the picture changes by itself
            assert time.monotonic() < end
            screen._draw()
        screen.type("3")
        screen.see("ann switch 3  you", "3 on")
        screen.type("/")
        screen.see("move: _")
        screen.type("switch" + ENTER)
        screen.see("2 moves fit 'switch'.")
        screen.type(" 2" + ENTER)
        screen.see("ann switch 2  you")
        screen.type("1")
        screen.see("Over after", "ann 100, bob 0")
        screen.type(F10)
        screen.see_prompt()
    lines = (tmp_path / "lights.jsonl").read_text().splitlines()
    assert next(line for line in lines if "moves" in line).count("(switch 3)") == 2
    assert lines[-1] == '{"goals": {"ann": ["100"], "bob": ["0"]}}'


@pytest.mark.long
def test_a_match_that_is_left_ends_at_once(tmp_path: Path) -> None:
    (tmp_path / "lights.wdl").write_text(BOARD)
    with terminal(tmp_path, Path(sysconfig.get_path("scripts"))) as screen:
        screen.type("ludorum play lights.wdl --player legal" + ENTER)
        screen.see("Press Enter to begin")
        screen.type(ENTER)
        screen.see("You may act.")
        screen.type(F10)
        screen.see_prompt()
        assert "Traceback" not in screen.screen


def test_a_move_keeps_its_key_while_others_come_and_go() -> None:
    keys = MoveKeys()
    one, two, three = (parse_term(f"(step {n})") for n in (1, 2, 3))
    keys.offer((one, two))
    assert [keys.key_of(move) for move in (one, two)] == ["1", "2"]
    keys.offer((two, three))
    assert [keys.key_of(move) for move in (two, three)] == ["2", "3"]
    assert keys.move_of("1") is None
    keys.offer((one,))
    assert keys.move_of("1") is one


def test_more_moves_than_keys_take_those_of_moves_that_are_gone() -> None:
    keys = MoveKeys()
    many = [Term(f"m{number}") for number in range(len(KEYS) + 1)]
    keys.offer(many)
    assert keys.key_of(many[-1]) == ""
    keys.offer(many[1:])
    assert keys.key_of(many[-1]) == KEYS[0]
    assert keys.move_of(KEYS[0]) is many[-1]
