"""``ludorum simulate``: the keys programs rely on, with every engine."""

import json

import pytest
from typer.testing import CliRunner

from ludorum.cli.app import app
from ludorum.engine.circuit import CircuitError
from ludorum.engine.load import ENGINES


@pytest.mark.long
@pytest.mark.parametrize("engine", ["reference", "lifted", "single", "lanes"])
def test_simulate_reports_speed_and_goals(engine: str) -> None:
    seconds = "3" if engine == "reference" else "0.2"  # one game of it takes a tenth of a second
    words = ["simulate", "tictactoe", "--seconds", seconds, "--engine", engine, "--json"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["engine"] == engine
    assert found["steps_per_s"] > found["playouts_per_s"] > 0
    assert found["build_s"] > 0
    assert sum(found["goals"].values()) == pytest.approx(100)
    if engine == "lanes":
        assert found["goals"]["xplayer"] == pytest.approx(64.84, abs=0.5)


@pytest.mark.parametrize(("game", "quickest"), [("tictactoe", "lanes"), ("higher_card", "bytecode")])
@pytest.mark.parametrize("engine", ["compiled", "auto"])
def test_simulate_takes_the_engines_of_other_verbs(game: str, quickest: str, engine: str) -> None:
    result = CliRunner().invoke(app, ["simulate", game, "--seconds", "0.05", "--engine", engine, "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["engine"] == quickest


@pytest.mark.parametrize("engine", ["lifted", "reference", "single"])
def test_simulate_says_which_engines_a_chart_has(engine: str) -> None:
    result = CliRunner().invoke(app, ["simulate", "higher_card", "--engine", engine])
    assert result.exit_code == 2
    assert "is a flow chart: its engines are machine and bytecode" in result.stderr


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("game", ["blocks", "higher_card"])
@pytest.mark.parametrize("verb", [["perft", "GAME", "1"], ["explore", "GAME", "--limit", "5"]])
def test_verbs_with_an_engine_take_every_engine(verb: list[str], game: str, engine: str) -> None:
    words = [game if word == "GAME" else word for word in verb]
    result = CliRunner().invoke(app, [*words, "--engine", engine])
    assert result.exit_code in (0, 1), result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)


def test_simulate_prints_lines_for_people() -> None:
    result = CliRunner().invoke(app, ["simulate", "tictactoe", "--seconds", "0.05"])
    assert result.exit_code == 0
    assert "steps per s" in result.stdout
    assert "goal of xplayer" in result.stdout


def test_unknown_engines_are_refused() -> None:
    assert CliRunner().invoke(app, ["simulate", "tictactoe", "--engine", "magic"]).exit_code == 2


def test_a_sheet_without_a_circuit_is_played_by_the_lifted_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise CircuitError("compiling took more than 60 s")

    monkeypatch.setattr("ludorum.engine.compiled.compile_circuit", fail)
    result = CliRunner().invoke(app, ["simulate", "buttons", "--seconds", "0.1", "--json"])
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["engine"] == "lifted"
    assert "took more than 60 s; the lifted engine plays" in result.stderr
    asked = CliRunner().invoke(app, ["simulate", "buttons", "--engine", "lanes"])
    assert asked.exit_code == 1
    assert "took more than 60 s" in asked.stderr
