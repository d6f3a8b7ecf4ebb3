"""``ludorum cards analyse``, and what ``cards check`` says about players made from charts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.cards.language.rules import format_table
from ludorum.cli.app import app
from tests.cards.analysis import charts

runner = CliRunner()


def ludorum(*args: str, code: int = 0) -> str:
    done = runner.invoke(app, list(args))
    assert done.exit_code == code, done.output + str(done.exception)
    return done.output


@pytest.mark.spec("card-games-fcdl", 48)
def test_the_heuristics_can_be_viewed() -> None:
    shown = ludorum("cards", "analyse", "trumps")
    assert "main loop   node 11: cardsRemaining(player(0))>0" in shown
    assert "properties  maximise score(me)\n            minimise score(otherPlayer)\n" in shown
    assert shown.count("  path ") == 12
    assert (
        "  +1  path ab\n"
        "      cardInstanceOf(myCard,card(any,any))\n"
        "      cardInstanceOf(otherCard,card(any,suit(myCard)))\n"
        "      player(leader)==me\n"
        "      playerHas(otherPlayer,card(any,suit(myCard)))\n"
        "      rankValue(myCard)>=rankValue(otherCard)\n"
    ) in shown


@pytest.mark.spec("card-games-fcdl", 48)
def test_programs_get_weights_and_conditions() -> None:
    data = json.loads(ludorum("cards", "analyse", "kings_and_jacks", "--json"))
    assert data["main_loop"]["header"] == 7
    assert data["properties"][0] == {"term": "score(me)", "direction": "max"}
    assert len(data["heuristics"]) == 18
    assert sum(len(one["conditions"]) for one in data["heuristics"]) == 120
    everything = json.loads(ludorum("cards", "analyse", "kings_and_jacks", "--json", "--all"))
    assert sorted(one["weight"] for one in everything["heuristics"]).count(0) == 6


def test_what_cannot_be_analysed_is_a_no(tmp_path: Path) -> None:
    chart = tmp_path / "endless.fcdl"
    chart.write_text(format_table(charts.ENDLESS))
    assert "node 5: no way leads out" in ludorum("cards", "analyse", str(chart), code=1)
    assert "error" in json.loads(ludorum("cards", "analyse", str(chart), "--json", code=1))
    ludorum("cards", "analyse", "no_such_game", code=2)


@pytest.mark.long
def test_what_has_too_many_ways_is_analysed_by_a_sample_and_says_so(tmp_path: Path) -> None:
    chart = tmp_path / "unbounded.fcdl"
    chart.write_text(format_table(charts.UNBOUNDED))
    said = ludorum("cards", "analyse", str(chart))
    assert "ways through the main loop were drawn at random" in said
    assert "how often playerHas" in said
    assert "drawn at random" not in ludorum("cards", "analyse", str(chart), "--passes", "1")


@pytest.mark.long
@pytest.mark.spec("card-games-fcdl", 38, 40)
def test_check_warns_of_what_no_player_can_be_made_of(tmp_path: Path) -> None:
    def faults(name: str) -> list[tuple[str, int | None]]:
        chart = tmp_path / f"{name}.fcdl"
        chart.write_text(format_table(getattr(charts, name)))
        found = json.loads(ludorum("cards", "check", str(chart), "--ai", "--json"))
        assert all(one["severity"] == "warning" for one in found)
        return [(one["code"], one["node"]) for one in found]

    assert faults("DO_WHILE") == [("loop-form", 5)]
    assert ("loop-shape", 5) in faults("ENDLESS")
    assert faults("UNBOUNDED") == [("not-finite", 6), ("sampled", 6)]
    assert faults("ROUNDS") == [("player-count", None)]
    assert "no faults" in ludorum(
        "cards", "check", "--ai", "trumps", "kings_and_jacks", "crazy_eights_simple"
    )


def test_a_loop_that_never_ends_is_told_without_being_asked(tmp_path: Path) -> None:
    chart = tmp_path / "endless.fcdl"
    chart.write_text(format_table(charts.ENDLESS))
    assert "no way leads out of this loop" in ludorum("cards", "check", str(chart))
