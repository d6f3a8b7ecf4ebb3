"""``ludorum bench evaluation``: figures of 2012 beside ours, from a run as small as can be."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.cli.app import app
from ludorum.evaluate.goals.versions import VERSIONS
from ludorum.experiments.evaluation_2012.page import page_of
from ludorum.experiments.evaluation_2012.pairs import EXPERIMENTS, PAIRS
from ludorum.players.registry import player_names
from ludorum.rules.library import find_sheet


def run(*options: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["bench", "evaluation", *options])
    return result.exit_code, result.stdout


@pytest.mark.long
def test_what_rules_tell_stands_beside_what_was_published(tmp_path: Path) -> None:
    target, page = tmp_path / "found.json", tmp_path / "page.md"
    sheets = "tictactoe,connect_four,eight_puzzle"
    code, text = run("--only", "E2,E4", "--sheets", sheets, "--output", str(target), "--page", str(page))
    assert code == 0
    found = json.loads(target.read_text())
    assert found["complete"]
    assert [row["game"] for row in found["experiments"]["E2"]["games"]] == [
        "tictactoe",
        "connect_four",
        "eight_puzzle",
    ]
    assert [row["game"] for row in found["experiments"]["E4"]] == sheets.split(",")
    assert "features a game in 3 games; published: 25.4." in text
    assert "| more first moves told apart | 31 | 2 |" in text
    assert "| fewer told apart | 0 | 0 |" in text
    assert page.read_text() == page_of(found)
    assert text.count("Not measured in this run.") == 5
    again = run("--saved", str(target))
    assert again == (0, text)


@pytest.mark.long
@pytest.mark.spec("evaluation-functions", 60)
def test_matches_are_played_with_seats_changed_and_told_with_their_interval(tmp_path: Path) -> None:
    target = tmp_path / "found.json"
    options = ["--only", "E1", "--sheets", "tictactoe", "--matches", "2", "--nodes", "30"]
    code, text = run(*options, "--output", str(target))
    assert code == 0
    (duel,) = json.loads(target.read_text())["experiments"]["E1"]
    assert duel["title"] == "v1.0 against fluxplayer, structural games"
    assert duel["published"] == 32.2
    assert [(game["game"], game["matches"]) for game in duel["games"]] == [("tictactoe", 2)]
    assert sum(duel["games"][0]["points"].values()) == 200
    assert f"| 32.2% | {duel['rate']:.1%} |" in text


@pytest.mark.spec("evaluation-functions", 60)
def test_games_of_2012_are_played_where_a_folder_has_them_and_others_are_left_out_with_the_reason(
    tmp_path: Path,
) -> None:
    sheets, target, page = tmp_path / "sheets" / "gdl1", tmp_path / "found.json", tmp_path / "page.md"
    sheets.mkdir(parents=True)
    (sheets / "conn4.kif").write_text(find_sheet("tictactoe").source.text)
    (sheets / "connect5.kif").write_text(find_sheet("eight_puzzle").source.text)
    (sheets / "connect6.kif").write_text("this is no game of 2012")
    paths = ",".join(str(path) for path in sorted(sheets.iterdir()))
    options = ["--only", "E1", "--sheets", paths, "--matches", "2", "--nodes", "30"]
    code, text = run(*options, "--corpus", str(sheets.parent), "--output", str(target), "--page", str(page))
    assert code == 0
    (duel,) = json.loads(target.read_text())["experiments"]["E1"]
    assert [(game["game"], game["matches"]) for game in duel["games"]] == [("conn4", 2)]
    assert duel["left_out"] == {"connect5": "connect5 is not for two players"}
    assert (
        "connect5 is left out of v1.0 against fluxplayer, structural games: connect5 is not for two" in text
    )
    code, text = run(*options)
    assert code == 0, "without the folder no experiment has these games"
    assert "| v1.0 |" not in text


def test_no_speed_is_told_where_work_is_counted(tmp_path: Path) -> None:
    code, text = run("--only", "E1", "--sheets", "tictactoe", "--matches", "2", "--nodes", "5")
    assert code == 0
    assert text.count("| tictactoe | v1.0 : fluxplayer |") == 1
    assert re.search(r"\| tictactoe \| v1\.0 : fluxplayer \| \d+% \|  \|", text)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--only", "E9"], "no experiment 'E9'; there are E1, E2, "),
        (["--matches", "3"], "an even number of matches is needed, not 3"),
    ],
)
def test_what_cannot_be_asked_is_refused(options: list[str], said: str) -> None:
    result = CliRunner().invoke(app, ["bench", "evaluation", *options])
    assert result.exit_code == 2
    assert said in result.stderr


def test_every_experiment_has_pairs_of_players_that_there_are() -> None:
    assert {pair.experiment for pair in PAIRS} | {"E2", "E4"} == set(EXPERIMENTS)
    names = {*VERSIONS, *player_names()}
    assert {name for pair in PAIRS for name in (pair.first, pair.second)} <= names
