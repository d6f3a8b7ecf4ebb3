"""Kinds of variables: found, told, and given names of their own."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from ludorum._paths import games_folder
from ludorum.experiments.planning_2009.translation import legacy_program
from ludorum.rules.argument_domains import argument_domains
from ludorum.rules.check import check_portability
from ludorum.rules.kif import parse_kif
from ludorum.rules.library import find_sheet, library_names
from ludorum.rules.redistribute import redistribute_variables
from ludorum.rules.ruleset import Rule, Ruleset, format_kif, formula_variables
from ludorum.rules.source import Source
from ludorum.rules.terms import Variable, variables_of
from tests.how_much import some

from .random_rules import canonical, rulesets


def sheet(name: str) -> Source:
    return find_sheet(str(games_folder() / "planning_2009" / f"{name}.kif")).source


def variables(rule: Rule) -> list[Variable]:
    return [*variables_of(rule.head), *(found for each in rule.body for found in formula_variables(each))]


def renaming(one: Ruleset, other: Ruleset) -> dict[str, str]:
    """How names correspond over whole sheets; an error where one name corresponds to two."""
    pairs = {
        (left.name, right.name)
        for rule, twin in zip(one.rules, other.rules, strict=True)
        for left, right in zip(variables(rule), variables(twin), strict=True)
    }
    found = dict(pairs)
    assert len(found) == len(pairs) == len(set(found.values()))
    return found


@pytest.mark.spec("asp-player", 12)
def test_the_maze_mixes_cells_and_steps() -> None:
    notes = check_portability(sheet("maze"))
    assert {note.code for note in notes} == {"variable-of-two-kinds"}
    assert {note.message.split()[0] for note in notes} == {"?m", "?n"}
    assert check_portability(Source("maze.kif", redistribute_variables(sheet("maze")))) == []
    for name in ("blocks", "buttons", "tictactoe", "hodgepodge"):
        assert check_portability(sheet(name)) == []


@pytest.mark.spec("asp-player", 12)
def test_redistribution_does_what_was_done_by_hand() -> None:
    by_hand = parse_kif(sheet("hodgepodge").text)
    ours = parse_kif(redistribute_variables(sheet("hodgepodge_reused")))
    assert len(renaming(by_hand, ours)) == 8
    assert canonical(by_hand) == canonical(ours)


@pytest.mark.spec("asp-player", 12)
def test_the_baseline_profits() -> None:
    """Fifteen values for each variable of the maze become five cells and ten steps."""
    before = legacy_program(sheet("maze").text, "robot").domains
    after = legacy_program(redistribute_variables(sheet("maze")), "robot").domains
    assert {len(found) for found in before.constants.values()} == {15}
    assert sorted(len(found) for found in after.constants.values()) == [5, 5, 10, 10]


@pytest.mark.spec("asp-player", 12)
@pytest.mark.parametrize("name", ["maze", "hodgepodge_reused"])
def test_layout_and_comments_stay(name: str) -> None:
    source = sheet(name)
    text = redistribute_variables(source)
    assert text != source.text
    assert [line.split("?")[0] for line in text.splitlines()] == [
        line.split("?")[0] for line in source.text.splitlines()
    ]


@pytest.mark.parametrize("name", library_names()[::6])
def test_rules_keep_their_meaning(name: str) -> None:
    source = find_sheet(name).source
    ours = parse_kif(redistribute_variables(source))
    assert canonical(ours) == canonical(parse_kif(source.text))


@given(rulesets)
@settings(max_examples=some(30), deadline=None)
def test_any_sheet_keeps_its_meaning(rules: Ruleset) -> None:
    text = format_kif(rules)
    read = parse_kif(text)
    ours = parse_kif(redistribute_variables(Source("made.kif", text)))
    assert canonical(ours) == canonical(read)


BLOCKS = frozenset("abc")
CELLS = frozenset("abcd")
CELLS_OR_HAND = CELLS | {"i"}
INDEX = frozenset("123")
STEPS = {last: frozenset(map(str, range(1, last + 1))) for last in (4, 7, 10)}
ROLES = frozenset({"xplayer", "oplayer"})


@pytest.mark.spec("asp-player", 11)
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "blocks",
            {
                ("on", 2): (BLOCKS, BLOCKS),
                ("clear", 1): (BLOCKS,),
                ("table", 1): (BLOCKS,),
                ("step", 1): (STEPS[4],),
                ("s", 2): (BLOCKS, BLOCKS),
                ("u", 2): (BLOCKS, BLOCKS),
                ("successor", 2): (INDEX, frozenset("234")),
                ("true", 1): (frozenset({"on", "clear", "table", "step"}),),
                ("does", 2): (frozenset({"robot"}), frozenset("su")),
            },
        ),
        (
            "buttons",
            {
                ("on", 1): (frozenset("pqr"),),
                ("off", 1): (frozenset("pqr"),),
                ("step", 1): (STEPS[7],),
                ("does", 2): (frozenset({"white"}), BLOCKS),
            },
        ),
        (
            "maze",
            {
                ("cell", 1): (CELLS,),
                ("gold", 1): (CELLS_OR_HAND,),
                ("adjacent", 2): (CELLS, CELLS),
                ("step", 1): (STEPS[10],),
                ("does", 2): (frozenset({"robot"}), frozenset({"move", "grab", "drop"})),
            },
        ),
        (
            "tictactoe",
            {
                ("cell", 3): (INDEX, INDEX, frozenset("xob")),
                ("control", 1): (ROLES,),
                ("mark", 2): (INDEX, INDEX),
                ("row", 2): (INDEX, frozenset("xob")),
                ("line", 1): (frozenset("xob"),),
                ("does", 2): (ROLES, frozenset({"mark", "noop"})),
            },
        ),
        (
            "hodgepodge",
            {
                ("on", 2): (BLOCKS, BLOCKS),
                ("cell", 1): (CELLS,),
                ("gold", 1): (CELLS_OR_HAND,),
                ("step", 1): (STEPS[10],),
                ("does", 2): (
                    frozenset({"blocksplayer", "mazeplayer"}),
                    frozenset({"s", "u", "move", "grab", "drop"}),
                ),
            },
        ),
    ],
)
def test_domains_of_arguments(name: str, expected: dict[tuple[str, int], tuple[frozenset[str], ...]]) -> None:
    """In the dress of 2009 and in the library's words alike."""
    for source in (sheet(name), find_sheet(name).source):
        found = argument_domains(parse_kif(source.text))
        assert {signature: found[signature] for signature in expected} == expected
