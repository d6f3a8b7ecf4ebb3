"""The table of 2013: published cells come out again, and complete knowledge turns most of "no" into "yes"."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.cli.app import app
from ludorum.engine.load import load_game
from ludorum.experiments.filtering_2013.measure_2013 import COMPLETE, Knowing, measure_knowing
from ludorum.experiments.filtering_2013.rows_2013 import ROWS_2013, Row2013
from ludorum.experiments.filtering_2013.table_2013 import (
    MeasuredRow,
    format_text,
    reasons,
    remark_without_circuit,
)
from tests.how_much import some

BY_NUMBER = {row.number: row for row in ROWS_2013}
MATCHES = some(1000, 100)


def measured(row: Row2013, corpus: Path | None, engine: str, matches: int = MATCHES) -> Knowing:
    path = next(iter(corpus.rglob(f"{row.public_sheet}.kif")), None) if corpus and row.public_sheet else None
    game = load_game(str(path or row.own_sheet), "compiled", lenient=path is not None)
    return measure_knowing(game, game.info.players[row.role], engine, range(matches))


def cells(found: Knowing) -> tuple[bool, bool, bool]:
    return tuple(count == found.matches for count in (found.legal, found.terminal, found.goal))  # type: ignore[return-value]


@pytest.mark.parametrize("number", ["14", "15", "17", "18"])
@pytest.mark.spec("filtering-gdl2", 28)
def test_the_published_method_knows_what_was_published(corpus: Path, number: str) -> None:
    row = BY_NUMBER[number]
    assert cells(measured(row, corpus, "L0")) == (row.legal, row.terminal, row.goal)


@pytest.mark.parametrize("sheet", ["MontyHall__unsw", "montyhall__uwa"])
@pytest.mark.parametrize("engine", ["L0", COMPLETE])
@pytest.mark.spec("filtering-gdl2", 28)
def test_the_candidate_of_public_sheets_of_monty_hall_knows_all(
    corpus: Path, sheet: str, engine: str
) -> None:
    """Nature is the other role there, so that they cannot stand for both rows of the table."""
    game = load_game(str(next(corpus.rglob(f"{sheet}.kif"))), "compiled", lenient=True)
    (candidate,) = game.info.players
    row = BY_NUMBER["15"]
    assert cells(measure_knowing(game, candidate, engine, range(20))) == (row.legal, row.terminal, row.goal)


@pytest.mark.long
@pytest.mark.spec("filtering-gdl2", 28)
def test_the_published_method_knows_its_moves_where_ships_are_placed_one_after_the_other() -> None:
    """As published; where nature places both at once, it never knows them."""
    row = BY_NUMBER["5"]
    assert cells(measured(row, None, "L0", 10))[0] is row.legal is True
    together = load_game("battleships_in_fog", "compiled")
    assert measure_knowing(together, together.info.players[0], "L0", range(3)).legal == 0


@pytest.mark.spec("filtering-gdl2", 28)
@pytest.mark.spec("filtering-gdl2", 13)
def test_the_published_method_does_not_know_its_moves_in_krieg(corpus: Path) -> None:
    found = measured(BY_NUMBER["9"], corpus, "L0", 2)
    assert (found.legal, found.matches) == (0, 2)
    assert 0 < found.rounds_known < found.rounds


@pytest.mark.long
@pytest.mark.parametrize(
    ("number", "expected"),
    [
        ("17", (True, True, True)),
        ("18", (True, True, True)),
        ("20", (True, True, True)),
        ("19", (True, False, True)),
        ("2", (True, True, True)),
        ("3", (True, True, False)),
    ],
)
@pytest.mark.spec("filtering-gdl2", 31)
def test_complete_knowledge_turns_no_into_yes(
    corpus: Path, number: str, expected: tuple[bool, bool, bool]
) -> None:
    assert cells(measured(BY_NUMBER[number], corpus, COMPLETE)) == expected


@pytest.mark.long
@pytest.mark.parametrize("number", ["4", "9"])
@pytest.mark.spec("filtering-gdl2", 31)
def test_complete_knowledge_always_knows_the_legal_moves(corpus: Path, number: str) -> None:
    found = measured(BY_NUMBER[number], corpus, COMPLETE, some(50, 50))
    assert found.legal == found.matches
    assert found.rounds_known == found.rounds


@pytest.mark.long
@pytest.mark.spec("filtering-gdl2", 30)
def test_small_dominion_is_known_a_thousand_times_as_fast_as_published(corpus: Path) -> None:
    row = BY_NUMBER["16"]
    game = load_game(str(next(corpus.rglob(f"{row.public_sheet}.kif"))), "lifted", lenient=True)
    found = measure_knowing(game, game.info.players[row.role], "L0", range(some(100, 30)))
    assert cells(found) == (row.legal, row.terminal, row.goal) == (True, True, True)
    assert row.seconds is not None
    assert 1000 * found.seconds_per_1000 < row.seconds


@pytest.mark.spec("filtering-gdl2", 29)
def test_the_same_seeds_give_the_same_matches_to_every_engine() -> None:
    game = load_game("transit", "compiled")
    role = game.info.players[0]
    weak, strong = (measure_knowing(game, role, engine, range(3, 9)) for engine in ("L0", COMPLETE))
    assert (weak.rounds, weak.matches) == (strong.rounds, strong.matches) == (weak.rounds, 6)
    assert weak.terminal <= strong.terminal == 6
    again = measure_knowing(game, role, "L0", range(3, 9))
    assert replace(again, seconds=0.0) == replace(weak, seconds=0.0)


@pytest.mark.spec("filtering-gdl2", 28)
@pytest.mark.spec("filtering-gdl2", 30)
def test_the_table_names_a_reason_for_every_no_and_the_time_beside_the_published() -> None:
    row = MeasuredRow(BY_NUMBER["17"], "transit__uwa", True, "transit")
    row.found = [
        Knowing("L0", matches=4, rounds=50, rounds_known=50, legal=4, terminal=1, goal=1, seconds=0.1),
        Knowing(COMPLETE, matches=4, rounds=50, rounds_known=50, legal=4, terminal=4, goal=3, seconds=0.05),
    ]
    assert reasons(row) == {"terminal": "too hard for L0", "goal": "cannot be known in 1 of 4 matches"}
    lines = format_text([row]).splitlines()
    assert lines[1].split() == ["17", "Transit", "(role", "1)", "published", "yes", "no", "no", "4.18"]
    assert lines[2].split() == ["L0", "yes", "1/4", "1/4", "2.00", "2.1", "times"]
    assert lines[3].split() == ["complete", "yes", "yes", "3/4", "1.00", "4.2", "times"]


@pytest.mark.spec("filtering-gdl2", 29)
def test_the_command_writes_the_table_with_counts_and_seeds(tmp_path: Path) -> None:
    file = tmp_path / "table.json"
    words = ["bench", "knowledge", "--rows", "14,15", "--matches", "3", "--seed", "5", "--output", str(file)]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0
    assert "our own sheet monty_hall" in result.output
    kept = json.loads(file.read_text(encoding="utf-8"))
    assert (kept["matches"], kept["seed"], kept["complete"]) == (3, 5, True)
    assert [row["row"] for row in kept["rows"]] == ["14", "15"]
    for row in kept["rows"]:
        for found in row["found"]:
            assert (found["legal"], found["terminal"], found["goal"], found["matches"]) == (3, 3, 3, 3)
            assert found["rounds"] == 9


def test_unknown_rows_and_engines_are_refused_with_those_there_are() -> None:
    for words, fault in [
        (["--rows", "99"], "no row '99'; there are 1, 2"),
        (["--engines", "L9"], "no engine 'L9'"),
    ]:
        result = CliRunner().invoke(app, ["bench", "knowledge", *words])
        assert result.exit_code == 2
        assert fault in result.output


def test_complete_knowledge_is_not_missed_where_nothing_is_left_open() -> None:
    row = MeasuredRow(BY_NUMBER["16"], "small", is_public=True, role="duke")
    row.found = [Knowing("L0", matches=3, legal=3, terminal=3, goal=2)]
    assert "leaves nothing open" not in remark_without_circuit(row)
    row.found.append(replace(row.found[0], engine="L3", goal=3))
    assert remark_without_circuit(row).endswith("; L3 leaves nothing open")
