"""``ludorum bench plan``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.cli.app import app
from ludorum.experiments.planning_2009 import measure_2009


@pytest.mark.long
@pytest.mark.spec("asp-player", 55)
def test_one_command_measures_and_keeps_its_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure_2009, "SEVERAL", ())
    monkeypatch.setattr(measure_2009, "GROUNDING", {"hodgepodge": (1.39, 37_903)})
    file = tmp_path / "plan.json"
    shown = CliRunner().invoke(app, ["bench", "plan", "--json", "--output", str(file)])
    assert shown.exit_code == 0, shown.output
    kept = json.loads(file.read_text(encoding="utf-8"))
    assert [row["game"] for row in kept["matches"]] == ["blocks", "buttons", "maze"]
    assert [row["answer_sets"] for row in kept["plans"]] == [
        {"3": 1}, {"6": 2, "7": 10}, {"6": 1, "8": 2, "10": 5},
    ]  # fmt: skip
    assert kept["complete"]
    assert kept["ratios"]["published/modern, match"] > 1
    again = CliRunner().invoke(app, ["bench", "plan", "--saved", str(file), "--markdown"])
    assert again.exit_code == 0, again.output
    assert "| maze, robot | 6 moves, 1 plans | 6 moves, 1 plans |" in again.output
    assert "12 (6: 2, 7: 10)" in again.output


def test_a_file_that_is_missing_is_misuse(tmp_path: Path) -> None:
    shown = CliRunner().invoke(app, ["bench", "plan", "--saved", str(tmp_path / "none.json")])
    assert shown.exit_code == 2
