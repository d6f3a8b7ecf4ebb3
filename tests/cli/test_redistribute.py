"""``ludorum check --portable`` and ``ludorum format --redistribute``."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum._paths import games_folder
from ludorum.cli.app import app

MAZE = games_folder() / "planning_2009" / "maze.kif"


@pytest.mark.spec("asp-player", 12)
def test_variables_of_two_kinds_are_noted_when_asked_for(tmp_path: Path) -> None:
    usual = CliRunner().invoke(app, ["check", str(MAZE), "--json"])
    assert "variable-of-two-kinds" not in usual.output
    asked = CliRunner().invoke(app, ["check", str(MAZE), "--portable", "--json"])
    assert asked.exit_code == 0
    notes = [note for note in json.loads(asked.output) if note["code"] == "variable-of-two-kinds"]
    assert len(notes) == 2
    sheet = tmp_path / "maze.kif"
    shutil.copy(MAZE, sheet)
    changed = CliRunner().invoke(app, ["format", str(sheet), "--redistribute", "--write"])
    assert changed.exit_code == 0
    mended = CliRunner().invoke(app, ["check", str(sheet), "--portable", "--json"])
    assert "variable-of-two-kinds" not in mended.output
    assert sheet.read_text(encoding="utf-8").startswith("; title: Maze")
