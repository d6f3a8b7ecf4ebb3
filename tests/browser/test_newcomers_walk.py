"""The first hour of a visitor in a real terminal and a browser: play, write a game, race players, look."""

from __future__ import annotations

import os
import re
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.corpus_location import ROOT
from tests.terminal_session import ENTER, F10, Terminal, terminal
from tests.test_readme import files_of

COMPILING = 1200.0
"""Seconds that a slow machine may take for the first `make play`."""


def win_connect_four(visitor: Terminal) -> None:
    """Four discs on one another: a random opponent with this seed never stands in the way."""
    visitor.type("ludorum play connect_four --player random --seed 1" + ENTER)
    for reply in ("7 moves: ", " 2. yellow drop", " 4. yellow drop", " 6. yellow drop"):
        visitor.see(reply, "Your move, red.")
        visitor.type("4" + ENTER)
    visitor.see("Game over after 7 moves", "You have won.")
    visitor.type("q")
    visitor.see_prompt()


def write_a_game(visitor: Terminal, folder: Path) -> None:
    """The sheet of the guide with a slip, which the visitor mends as the hint says."""
    name = "sticks.kif"
    text = files_of(ROOT / "docs" / "write-a-game.md")[name]
    lines = text.splitlines(keepends=True)
    lines[4] = lines[4].replace("sticks", "stiks")
    (folder / name).write_text("".join(lines))
    faults = visitor.run(f"ludorum check {name}")
    assert f"{name}:5:49: warning" in faults
    hint = re.search(r"hint: did you mean (\w+)\?", faults)
    assert hint is not None
    visitor.run(f"sed -i '5s/stiks/{hint[1]}/' {name}")
    assert (folder / name).read_text() == text
    assert "1 sheet checked: no faults" in visitor.run(f"ludorum check {name}")
    assert "best for ann: (take 1)" in visitor.run(f"ludorum solve {name}")


def race_two_players(visitor: Terminal, folder: Path) -> Path:
    visitor.run(
        "ludorum arena sticks.kif --players mcts:playouts=200,random --matches 4 --report report.html"
    )
    assert "written: report.html" in visitor.screen
    return folder / "report.html"


@pytest.mark.slow
def test_from_a_clone_to_the_first_game(tmp_path: Path) -> None:
    with terminal(tmp_path, Path(os.devnull)) as visitor:
        visitor.run(f"git clone --quiet {ROOT} ludorum")
        visitor.run("cd ludorum")
        visitor.type("make play" + ENTER)
        visitor.see("connect_four", "Your move, red.", patience=COMPILING)
        visitor.type(F10)
        visitor.see_prompt()


@pytest.mark.long
def test_play_write_mend_race_and_look(tmp_path: Path, visit: Callable[..., Page]) -> None:
    with terminal(tmp_path, Path(sysconfig.get_path("scripts"))) as visitor:
        win_connect_four(visitor)
        write_a_game(visitor, tmp_path)
        report = race_two_players(visitor, tmp_path)
    page = visit(report)
    assert "sticks" in page.title()
    best = page.locator("table").first.locator("tr").nth(1)
    assert "mcts:playouts=200" in best.inner_text().split()
