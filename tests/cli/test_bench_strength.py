"""``ludorum bench strength``: what it keeps, shows and answers, with matches of this process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.arena.tournament import Here
from ludorum.cli import bench_strength
from ludorum.cli.app import app
from ludorum.experiments.strength.allowance import Allowance
from ludorum.experiments.strength.play_noted import play_noted

TINY = ("--sheets", "tictactoe", "--playouts", "20", "--label", "mine")


@pytest.fixture(autouse=True)
def play_here(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def runner(processes: int, allowance: Allowance) -> Iterator[Here]:
        yield Here(play_noted)

    monkeypatch.setattr(bench_strength, "_runner", runner)


def run(folder: Path, *options: str) -> tuple[int, str, str]:
    places = ["--out", str(folder / "logs")]
    result = CliRunner().invoke(app, ["bench", "strength", *places, *options])
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.long
def test_results_are_kept_shown_and_looked_at(tmp_path: Path) -> None:
    output, page = tmp_path / "rows.jsonl", tmp_path / "page.md"
    page.write_text("# Mine\n")
    options = (*TINY, "--player", "random", "--against", "mcts", "--matches", "2", "--output", str(output))
    code, text, _ = run(tmp_path, *options, "--page", str(page))
    assert code == 0
    assert "`random` of version mine with 20 playouts, 40 nodes a decision for each side" in text
    (row,) = map(json.loads, output.read_text().splitlines())
    assert (row["version"], row["player"], row["rival"], row["game"]) == (
        "mine",
        "random",
        "mcts",
        "tictactoe",
    )
    assert (row["wins"], row["draws"], row["losses"]) == (0, 1, 1)
    assert page.read_text().startswith("# Mine\n")
    assert text.strip() in page.read_text()

    (log,) = (tmp_path / "logs").rglob("matches.jsonl")
    before = log.read_bytes()
    assert run(tmp_path, *options)[0] == 0
    assert log.read_bytes() == before  # nothing was played again

    code, text, _ = run(tmp_path, "--saved", str(output))
    assert (code, "| mine |" in text) == (0, True)
    code, text, _ = run(tmp_path, "--losses", "--label", "mine", "--records", str(tmp_path / "records"))
    assert code == 0
    assert text.count("tictactoe: random as ") == 1
    assert text.count("it gave no values") == 1
    assert len(list((tmp_path / "records").iterdir())) == 1
    code, text, _ = run(tmp_path, "--losses", "--label", "mine", "--json")
    assert [one["game"] for one in json.loads(text)] == ["tictactoe"]
    code, _, errors = run(tmp_path, "--losses", "--label", "other")
    assert code == 2
    assert "there are mine, named by --label" in errors


@pytest.mark.parametrize(
    ("player", "against", "matches", "code", "answer"),
    [
        ("mcts", "random", "60", 0, "stronger"),
        ("random", "mcts", "60", 1, "weaker"),
        ("random", "legal", "2", 3, "not known"),
    ],
)
@pytest.mark.long
def test_the_short_form_answers_by_its_status(
    tmp_path: Path, player: str, against: str, matches: str, code: int, answer: str
) -> None:
    options = (
        *TINY,
        "--short",
        "--player",
        player,
        "--against",
        against,
        "--matches",
        matches,
        "--margin",
        "200",
    )
    found, text, _ = run(tmp_path, *options)
    assert (found, text.partition(":")[0]) == (code, answer)
    found, text, _ = run(tmp_path, *options, "--json")
    assert (found, json.loads(text)["answer"]) == (code, answer)
    assert not (tmp_path / "rows.jsonl").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--short", *TINY], "--short compares with one opponent"),
        (["--short", "--against", "random,legal", *TINY], "name exactly one"),
        (["--against", "nobody", *TINY], "no player 'nobody'"),
        (["--seconds", "1", *TINY], "a move has --seconds, or counted work"),
        (["--saved", "/nowhere"], "no file of results"),
        (["--against", "random@/nowhere", *TINY], "run `make setup` there"),
    ],
)
def test_what_cannot_be_asked_is_refused(tmp_path: Path, options: list[str], said: str) -> None:
    code, _, errors = run(tmp_path, *options)
    assert code == 2
    assert said in errors


def test_ctrl_c_keeps_finished_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(bench_strength, "_play", stopped)
    code, text, errors = run(
        tmp_path, *TINY, "--against", "random", "--output", str(tmp_path / "rows.jsonl"), "--json"
    )
    assert code == 130
    assert json.loads(text)["complete"] is False
    assert "the same command goes on" in errors
