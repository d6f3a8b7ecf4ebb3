"""``ludorum bench engine``: the keys programs rely on, files that reproduce tables, and what Ctrl-C keeps."""

import json
import platform
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.cli.app import app
from ludorum.experiments import measure
from ludorum.experiments.measure import Speeds


def run(*options: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["bench", "engine", *options])
    return result.exit_code, result.stdout


@pytest.fixture(scope="module")
def results_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("bench") / "deep" / "engine.json"
    code, _ = run("--sheets", "tictactoe,buttons", "--seconds", "0.02", "--output", str(target), "--json")
    assert code == 0
    return target


@pytest.mark.long
def test_results_name_the_machine_and_nobody(results_file: Path) -> None:
    text = results_file.read_text()
    found = json.loads(text)
    assert found["complete"]
    assert found["machine"]["cores"] >= 1
    assert found["machine"]["vector_bits"] >= 128
    assert [row["game"] for row in found["games"]] == ["tictactoe", "buttons"]
    assert found["games"][0]["ratios"]["lanes/single"] > 1
    assert found["geometric_means"]["lifted/reference"] > 1
    assert platform.node() not in text
    assert str(Path.home()) not in text


def test_saved_results_are_shown_again_with_rivals(results_file: Path, tmp_path: Path) -> None:
    rivals = tmp_path / "rivals.json"
    rivals.write_text(json.dumps({"tictactoe": {"slow": 1000, "absent": None}, "unknown": {"slow": 1}}))
    code, text = run("--saved", str(results_file), "--rivals", str(rivals), "--markdown")
    assert code == 0
    assert "| tictactoe |" in text
    assert "lanes / slow" in text
    assert "absent" not in text


def test_ctrl_c_keeps_what_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(rules: object, row: Speeds, **_: object) -> Iterator[str]:
        row.gates = 7
        yield "building"
        if row.game == "buttons":
            raise KeyboardInterrupt
        row.lanes_steps_per_s = 5.0

    monkeypatch.setattr(measure, "measure_game", stopped)
    target = tmp_path / "engine.json"
    code, text = run("--sheets", "tictactoe,buttons,chess", "--output", str(target))
    assert code == 130
    assert "buttons" in text
    found = json.loads(target.read_text())
    assert not found["complete"]
    assert [(row["game"], row["gates"]) for row in found["games"]] == [("tictactoe", 7), ("buttons", 7)]
    assert found["games"][1]["lanes_steps_per_s"] is None


def test_a_sheet_that_cannot_be_measured_does_not_end_the_run(tmp_path: Path) -> None:
    bad = tmp_path / "bad.kif"
    bad.write_text("(role x) (<= (legal x a) (not (true p)) (not (p")
    code, text = run("--sheets", f"{bad},buttons", "--engines", "lifted", "--seconds", "0.01")
    assert code == 0
    assert "RulesError" in text
    assert "buttons" in text


def test_corpus_sheets_stand_beside_ours(tmp_path: Path) -> None:
    from ludorum.rules.library import find_sheet

    (tmp_path / "ticTacToe.kif").write_text(find_sheet("tictactoe").source.text)
    code, text = run(
        "--corpus", str(tmp_path), "--every", "1", "--engines", "lifted", "--seconds", "0.01", "--json"
    )
    assert code == 0
    assert [(row["game"], row["source"]) for row in json.loads(text)["games"]] == [("ticTacToe", "corpus")]


@pytest.mark.parametrize(
    "options", [("--engines", "magic"), ("--corpus", "nowhere-at-all"), ("--saved", "nothing.json")]
)
def test_misuse_is_told(options: tuple[str, str]) -> None:
    assert run(*options)[0] == 2


@pytest.mark.long
@pytest.mark.alone
def test_starting_is_quick() -> None:
    """Twice what is promised: a machine busy with tests is slower than an idle one.

    In seconds of the processor, for others may use it as well; in those of the clock where they are fewer,
    since NumPy begins with a thread for every core, and those of many cores add up.
    """
    result = CliRunner().invoke(
        app, ["bench", "start", "--sheets", "tictactoe,chess", "--tries", "1", "--json"]
    )
    assert result.exit_code == 0
    small, large = json.loads(result.stdout)
    assert min(small["import_s"], small["import_wall_s"]) < 0.6
    assert small["first_playout_s"] < 0.6
    assert large["first_playout_s"] < 6
