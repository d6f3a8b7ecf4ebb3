"""``ludorum prove``: verdicts for people and programs, and exit codes that say what they are."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from ludorum.cli.app import app

runner = CliRunner()


def test_one_property_for_programs() -> None:
    done = runner.invoke(app, ["prove", "tictactoe", "playable", "--plays", "20", "--json"])
    found = json.loads(done.stdout)
    assert done.exit_code == 0
    assert (found["property"], found["status"], found["witness"]) == ("playable", "proved", None)


def test_a_refutation_exits_with_1_and_tells_the_play() -> None:
    done = runner.invoke(app, ["prove", "hodgepodge", "turn-taking", "playable", "--plays", "20"])
    assert done.exit_code == 1
    assert "blocksplayer and mazeplayer choose at the same time" in done.stdout
    assert "play: (u c a) move" in done.stdout


def test_what_is_open_exits_with_3() -> None:
    asked = ["prove", "tictactoe", "strongly-winnable", "--method", "induction", "--plays", "20", "--json"]
    done = runner.invoke(app, asked)
    assert done.exit_code == 3
    assert json.loads(done.stdout)["status"] == "unknown"


def test_misuse_exits_with_2_and_says_what_there_is() -> None:
    for asked in (["prove", "tictactoe", "beautiful"], ["prove", "tictactoe", "--method", "magic"]):
        done = runner.invoke(app, asked)
        assert done.exit_code == 2
        assert "there are" in done.output


def test_the_properties_can_be_listed() -> None:
    done = runner.invoke(app, ["prove", "--list"])
    assert done.exit_code == 0
    assert "terminates" in done.stdout


def test_show_takes_proofs_in() -> None:
    done = runner.invoke(app, ["show", "nim", "--prove", "20", "--json"])
    info = json.loads(done.stdout)["info"]
    assert info["turn_taking"] == {"value": True, "status": "proved"}
    assert info["maximum_length"] == {"value": 16, "status": "proved"}
