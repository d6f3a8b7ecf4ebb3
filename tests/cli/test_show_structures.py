"""``ludorum show`` lists what people recognise in rules, and hears it under any names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.cli.app import app
from ludorum.engine.load import load_game
from ludorum.rules import format_kif
from tests.evaluate.renaming import Renaming
from tests.how_much import sample

GAMES = ["tictactoe", "nim", "racetrack", "breakthrough", "chess", "hodgepodge"]


def show(*args: str) -> str:
    done = CliRunner().invoke(app, ["show", *args, "--steps", "0"])
    assert done.exit_code == 0, done.output
    return done.stdout


def recognised(sheet: str) -> list[dict[str, object]]:
    found = json.loads(show(sheet, "--json"))["recognised"]
    assert isinstance(found, list)
    return found


def test_people_read_boards_pieces_turns_and_orders() -> None:
    lines = show("tictactoe").partition("recognised, whatever its names\n")[2].splitlines()
    assert [line.split(maxsplit=1)[0] for line in lines] == ["board", *["marker"] * 3, *["turn"] * 2]
    assert lines[0].endswith("9 cells; cells named at 1, 2; contents at 3")
    assert "(cell ? ? ?)" in lines[0]
    assert {line.rpartition("line 19")[2].strip() for line in lines[1:4]} == {
        "piece of xplayer",
        "piece of oplayer",
        "can stand there",
    }
    nim = show("nim")
    assert "(heap a ?)" in nim
    assert "one of 8 in the row of succ" in nim
    assert "8 things in a row" in nim
    assert "counter    (step ?)" in show("maze")
    assert "recognised" not in show("higher_card")


def test_in_very_large_sheets_nothing_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludorum.cli.show.MOST_RULES", 20)
    assert "no boards or pieces looked for: there are more than 20 rules" in show("tictactoe")
    assert json.loads(show("tictactoe", "--json"))["recognised"] is None


@pytest.mark.parametrize("name", sample(GAMES, 3))
def test_under_other_names_the_same_is_recognised(name: str, tmp_path: Path) -> None:
    rules = load_game(name).rules
    assert rules is not None
    renaming = Renaming(rules, seed=7)
    path = tmp_path / "renamed.kif"
    path.write_text(format_kif(renaming.rules))
    ours, theirs = recognised(name), recognised(str(path))
    assert len(ours) > 2
    for kept in ("kind", "key"):
        assert [each[kept] for each in ours] == [each[kept] for each in theirs]

    def unnamed(found: list[dict[str, object]], words: dict[str, str]) -> list[tuple[object, ...]]:
        """All but names, which are those that stand for them in the other sheet."""
        return sorted(
            (
                *(str(each[key]) for key in ("kind", "places", "contents", "order", "ordered", "size")),
                words.get(str(each["owner"]), str(each["owner"])),
            )
            for each in found
        )

    assert unnamed(ours, renaming.names) == unnamed(theirs, {})
