"""``ludorum knows``: what a role knows, for people and for programs."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ludorum.cli.app import app


def knows(*words: str) -> Result:
    return CliRunner().invoke(app, ["knows", *words])


def test_every_step_is_told_as_json_with_what_is_known_and_possible() -> None:
    result = knows("monty_hall_random", "--seed", "3", "--json")
    assert result.exit_code == 0
    report = json.loads(result.output)
    assert (report["role"], report["legal_unknown_after"]) == ("candidate", [])
    second = report["steps"][2]
    assert (second["move"], second["percepts"]) == ("noop", ["3"])
    assert [fact for fact in second["facts"]["possible"] if fact not in second["facts"]["known"]] == [
        "(car 1)",
        "(car 2)",
    ]
    assert report["steps"][3]["goal"] == {"known": 0, "possible": [0]}
    assert report["steps"][3]["terminal"] == "true"


@pytest.mark.long
@pytest.mark.spec("filtering-gdl2", 36)
@pytest.mark.spec("filtering-gdl2", 32)
def test_two_courses_show_why_a_fact_is_not_known() -> None:
    asked = ("monty_hall_random", "--seed", "3", "--step", "2", "--why")
    result = knows(*asked, "(car 1)")
    assert result.exit_code == 1
    assert result.output == (
        "candidate cannot know (car 1) after step 2: these courses look the same to it.\n"
        "(car 1) is true after\n"
        "  1. random (hide_car 1), candidate (choose 1)\n"
        "  2. random (open_door 3), candidate noop\n"
        "(car 1) is false after\n"
        "  1. random (hide_car 2), candidate (choose 1)\n"
        "  2. random (open_door 3), candidate noop\n"
    )
    for fact, truth in [
        ("(car 3)", "false"),
        ("(true (chosen 1))", "true"),
        ("(legal switch)", "true"),
        ("terminal", "false"),
    ]:
        result = knows(*asked, fact, "--json")
        assert (result.exit_code, json.loads(result.output)["truth"]) == (0, truth)
    result = knows(*asked, "(goal 100)", "--json")
    assert (result.exit_code, json.loads(result.output)["truth"]) == (1, "unknown")


def test_a_recorded_match_is_followed(tmp_path: Path) -> None:
    record = tmp_path / "match.json"
    words = ["match", "kuhn_poker", "--players", "random", "--seed", "1", "--record", str(record)]
    assert CliRunner().invoke(app, words).exit_code == 0
    result = knows("kuhn_poker", "--record", str(record), "--role", "bob", "--json")
    assert result.exit_code == 0
    last = json.loads(result.output)["steps"][-1]
    assert last["terminal"] == "true"


def test_a_role_that_cannot_know_its_moves_is_told_as_a_fault(tmp_path: Path) -> None:
    sheet = tmp_path / "blind.kif"
    sheet.write_text(
        "(role random) (role player) (init start)\n"
        "(<= (legal random heads) (true start)) (<= (legal random tails) (true start))\n"
        "(<= (legal random wait) (not (true start)))\n"
        "(<= (legal player wait) (true start)) (<= (legal player (call ?c)) (true (coin ?c)))\n"
        "(<= (next (coin heads)) (does random heads)) (<= (next (coin tails)) (does random tails))\n"
        "(<= (next over) (does player (call ?c)))\n"
        "(<= (sees player thanks) (does player (call ?c)))\n"
        "(<= terminal (true over)) (<= (goal player 100) (true over))\n"
        "(<= (goal player 0) (not (true over)))\n"
        "(goal random 0)\n",
        encoding="utf-8",
    )
    result = knows(str(sheet))
    assert result.exit_code == 1
    assert "A fault of the rules: after step 1 player cannot know its legal moves." in result.output
    assert "0 moves known, 2 more possible" in result.output


def test_a_game_that_hides_nothing_is_refused_in_words() -> None:
    result = knows("tictactoe")
    assert result.exit_code == 2
    assert "tictactoe hides nothing: every role knows the whole state" in result.output
