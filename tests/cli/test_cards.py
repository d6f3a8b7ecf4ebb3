"""``ludorum cards`` and card games under the other verbs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.cards.language.rules import parse_rules, parse_table
from ludorum.cards.load import load_card_game
from ludorum.cli.app import app
from tests.cards.printed import TRUMPS_CHART, TRUMPS_RULES

runner = CliRunner()


def ludorum(*args: str, code: int = 0, stdin: str = "") -> str:
    done = runner.invoke(app, list(args), input=stdin)
    assert done.exit_code == code, done.output + str(done.exception)
    return done.stdout


@pytest.mark.long
def test_check_finds_nothing_in_good_charts(tmp_path: Path) -> None:
    assert "no faults" in ludorum("cards", "check", "trumps", "spades")
    chart = tmp_path / "mine.fcdl"
    chart.write_text(TRUMPS_CHART)
    assert json.loads(ludorum("cards", "check", str(chart), "--json")) == []


def test_check_tells_node_column_and_hint(tmp_path: Path) -> None:
    chart = tmp_path / "mine.fcdl"
    chart.write_text("0 start\n1 Shuffle\n2 Deal(3)\n3 playCard(0,card(any,any))\n4 end\n")
    shown = ludorum("cards", "check", str(chart), code=1)
    assert "mine: node 3, column 10: error[wrong-type]" in shown
    assert "hint: write player(0)" in shown
    (fault,) = json.loads(ludorum("check", str(chart), "--json", code=1))
    assert (fault["node"], fault["code"]) == (3, "wrong-type")
    assert "column 10" in runner.invoke(app, ["play", str(chart)]).output
    ludorum("cards", "check", "no_such_game", code=2)
    ludorum("cards", "check", code=2)


def test_json_that_is_no_chart_is_told_what_charts_have(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text('{"elements": 3}')
    shown = ludorum("cards", "check", str(path), code=1)
    assert "error[bad-json]: 'elements' is a list of objects" in shown
    assert "hint: elements have id, kind, x, y and caption" in shown


@pytest.mark.parametrize("form", ["chart", "json", "rules", "table"])
def test_every_form_is_translated_into_every_other(form: str, tmp_path: Path) -> None:
    path = tmp_path / ("mine.json" if form == "json" else "mine.fcdl")
    path.write_text(ludorum("cards", "decompile", "kings_and_jacks", "--to", form))
    rules = load_card_game("kings_and_jacks").chart
    assert parse_rules(ludorum("cards", "compile", str(path))) == rules
    assert parse_table(ludorum("cards", "compile", str(path), "--to", "table")) == rules
    assert json.loads(ludorum("cards", "compile", str(path), "--json"))["form"] == "rules"


def test_a_drawing_keeps_its_places(tmp_path: Path) -> None:
    path = tmp_path / "mine.fcdl"
    path.write_text(TRUMPS_CHART)
    assert ludorum("cards", "compile", str(path)) == TRUMPS_RULES
    drawn = json.loads(ludorum("cards", "decompile", str(path), "--to", "json"))
    assert {"id": 36, "kind": "statement", "x": 400, "y": 2600}.items() <= drawn["elements"][18].items()


def test_steps_are_shown_with_changes_and_branches() -> None:
    shown = ludorum("cards", "step", "trumps", "--steps", "9", "--answers", "1;2", "--seed", "4")
    assert "leader=random(numberOfPlayers)  <- 1  => leader=1" in shown
    assert "trumps=suit(random(4))  <- 2  => trumps=hearts" in shown
    assert "hearts has been chosen as trumps." in shown
    assert "cardsRemaining(player(0))>0  yes -> 13" in shown
    assert shown == ludorum("cards", "step", "trumps", "--steps", "9", "--answers", "1;2", "--seed", "4")


@pytest.mark.spec("card-games-fcdl", 85)
def test_a_view_shows_own_cards_and_backs_of_others() -> None:
    """The terminal's half of the debug mode: all face up, or any player's view, and every variable."""
    steps = ("cards", "step", "trumps", "--steps", "7", "--json")
    everything = json.loads(ludorum(*steps))
    hands = {index: everything["table"][f"hand(player({index}))"] for index in (0, 1)}
    assert len(hands[0]) == len(hands[1]) == 7
    for index in (0, 1):
        seen = json.loads(ludorum(*steps, "--view", str(index)))
        assert seen["table"][f"hand(player({index}))"] == hands[index]
        assert seen["table"][f"hand(player({1 - index}))"] == 7
        assert not any(card in json.dumps(seen) for card in hands[1 - index])
        assert seen["variables"] == everything["variables"]
    assert "--view is all" in runner.invoke(app, [*steps, "--view", "2"]).output


@pytest.mark.spec("card-games-fcdl", 85)
def test_the_debugger_takes_commands_and_moves_for_anybody() -> None:
    commands = "s 3\na 1\na 2\nc\na #1\nv\np 0\np all\nu\na card(ace,nowhere)\na #1\ng 49\nq\n"
    shown = ludorum("cards", "step", "trumps", "-i", "--seed", "2", stdin=commands)
    assert "leader = 1" in shown
    assert "it asks for player(1)" in shown
    assert "is not allowed" in shown
    assert "player0 (you)  score 0" in shown
    assert "at node 49" in shown
    ludorum("cards", "step", "trumps", "-i", stdin="a nonsense(\n", code=2)


def test_a_game_is_walked_to_its_end() -> None:
    assert "over after" in ludorum("cards", "step", "higher_card", "--node", "12")
    found = json.loads(ludorum("cards", "step", "higher_card", "--json"))
    assert found["finished"]
    assert sum(found["scores"]) == 7
    assert {"step", "node", "caption", "asked", "answer", "changes"} <= found["steps"][0].keys()


@pytest.mark.long
def test_statistics_of_random_games() -> None:
    found = json.loads(
        ludorum("cards", "stats", "trumps", "--games", "40", "--watched", "2", "--playouts", "2", "--json")
    )
    assert found["length"] == {"mean": 14.0, "least": 14, "most": 14}
    assert 1 < found["branching"] < 7
    assert sum(seat["points"] for seat in found["seats"]) == pytest.approx(1)
    for seat in found["seats"]:
        assert seat["from"] < seat["points"] < seat["to"]
    for measure in ("fairness", "drama", "decisiveness", "clarity"):
        assert 0 <= found[measure] <= 1
    assert found["watched"] == 2


def test_statistics_of_named_players() -> None:
    found = json.loads(
        ludorum("cards", "stats", "higher_card", "--players", "random,legal", "--games", "4", "--json")
    )
    assert [one["player"] for one in found["by_player"]] == ["random", "legal"]
    assert sum(one["points"] for one in found["by_player"]) == pytest.approx(1)
    ludorum("cards", "stats", "higher_card", "--players", "a,b,c", "--json", code=2)


@pytest.mark.long
def test_card_games_are_in_the_library() -> None:
    rows = {row["name"]: row for row in json.loads(ludorum("games", "--json"))}
    assert rows["hearts"]["players"] == 4
    assert rows["hearts"]["information"] == "hidden"
    assert len([row for row in rows.values() if row["language"] == "fcdl"]) >= 24


@pytest.mark.long
def test_show_and_simulate_know_charts() -> None:
    spec = json.loads(ludorum("show", "trumps", "--steps", "20", "--json"))
    assert spec["sizes"]["nodes"] == 27
    assert "playCard" in spec["structures"]["statements"]
    ludorum("show", "trumps", "--prove", "1", code=2)
    for options in (("--seconds", "0.1"), ("--seconds", "2", "--engine", "machine")):
        found = json.loads(ludorum("simulate", "trumps", "--json", *options))
        assert sum(found["goals"].values()) == pytest.approx(100)
    ludorum("simulate", "trumps", "--engine", "lanes", code=2)
    ludorum("simulate", "tictactoe", "--engine", "machine", code=2)


@pytest.mark.parametrize("verb", ["plan", "explain", "format", "repair", "prove"])
def test_verbs_that_need_logic_say_so(verb: str) -> None:
    args = [verb, "trumps", "playable"] if verb == "prove" else [verb, "trumps"]
    done = runner.invoke(app, args)
    assert done.exit_code == 2
    assert "trumps is a flow chart" in done.output
    assert "--lenient" not in done.output


def test_cards_are_played_in_the_terminal_with_faces() -> None:
    shown = ludorum("play", "trumps", "--plain", "--player", "random", "--seed", "3", stdin="1\n1\nquit\n")
    assert "player0 (you)" in shown
    assert "▒" in shown
    assert any(sign in shown for sign in "♣♦♥♠")
    assert "noop" not in shown
    assert "has been chosen as trumps." in shown


@pytest.mark.long
def test_a_match_of_cards_is_played_and_recorded(tmp_path: Path) -> None:
    record = tmp_path / "match.json"
    ludorum("match", "higher_card", "--players", "random", "--clock", "1,1", "--record", str(record))
    assert record.exists()
