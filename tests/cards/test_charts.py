"""Chart facts, compiled facts, tables and JSON: one chart in four dresses, and back without loss."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.cards.language.chart import chart_from_json, chart_to_json, format_chart, parse_chart
from ludorum.cards.language.compile import compile_chart, decompile
from ludorum.cards.language.faults import ChartError
from ludorum.cards.language.rules import (
    ChoiceNode,
    EndTerminal,
    StartTerminal,
    format_rules,
    format_table,
    parse_rules,
    parse_table,
)
from ludorum.cards.load import load_card_game, read_chart
from ludorum.rules.library import chart_sheets
from ludorum.rules.source import Source
from tests.cards.printed import TRUMPS_CHART, TRUMPS_RULES

LIBRARY = [sheet.name for sheet in chart_sheets()]


@pytest.mark.spec("card-games-fcdl", 1)
def test_the_printed_chart_of_trumps_has_26_elements() -> None:
    chart = parse_chart(TRUMPS_CHART)
    assert len(chart.elements) == 26
    assert len(chart.connections) == 32
    assert chart.elements[5].caption == 'publish("#{trumps} has been chosen as trumps.")'
    assert format_chart(parse_chart(format_chart(chart))) == format_chart(chart)


@pytest.mark.spec("card-games-fcdl", 1)
@pytest.mark.parametrize(
    ("line", "place", "word"),
    [
        ('statement(1,0,200 "Shuffle").', (2, 19), "not expected"),
        ('statement(1,0,200,"Shuffle")', (3, 1), "statement"),
        ('statement(1,0,"Shuffle").', (2, 1), "4 arguments"),
        ('statement(one,0,200,"Shuffle").', (2, 1), "whole number"),
        ('oval(1,0,200,"Shuffle").', (2, 1), "oval/4"),
        ('statement(1,0,200,"Shuffle).', (2, 19), "no meaning"),
        ("connection(1,0,2,1).", (2, 1), "5 arguments"),
        ("players(9).", (2, 1), "players"),
    ],
)
def test_a_bad_fact_is_told_with_line_and_column(line: str, place: tuple[int, int], word: str) -> None:
    text = f'terminal(0,0,0,"Start Game").\n{line}\nstatement(7,0,0,"r=0").\n'
    with pytest.raises(ChartError) as found:
        parse_chart(text)
    fault = found.value.diagnostics[0]
    assert (fault.line, fault.column) == place
    assert word in fault.message


@pytest.mark.spec("card-games-fcdl", 2)
def test_a_choice_is_left_at_the_bottom_if_true_and_at_the_right_if_false() -> None:
    rules = compile_chart(parse_chart(TRUMPS_CHART))
    node = rules.nodes[11]
    assert isinstance(node, ChoiceNode)
    assert (node.yes, node.no) == (13, 54)
    turned = TRUMPS_CHART.replace("connection(14,11,2,", "connection(14,11,X,").replace(
        "connection(55,11,1,", "connection(55,11,2,"
    )
    other = compile_chart(parse_chart(turned.replace("11,X", "11,1"))).nodes[11]
    assert isinstance(other, ChoiceNode)
    assert (other.yes, other.no) == (54, 13)


@pytest.mark.spec("card-games-fcdl", 3)
def test_the_chart_of_trumps_compiles_to_the_printed_rules() -> None:
    assert format_rules(compile_chart(parse_chart(TRUMPS_CHART))) == TRUMPS_RULES
    assert compile_chart(parse_chart(TRUMPS_CHART)) == parse_rules(TRUMPS_RULES)


@pytest.mark.spec("card-games-fcdl", 3)
def test_the_library_has_trumps_as_in_the_table() -> None:
    """The other variant: node 70 shows the text, and node 9 sets a name nobody reads."""
    expected = TRUMPS_RULES.replace("state(7,statement(9,", "state(7,statement(70,").replace(
        "state(9,statement(11,publish(", "state(9,statement(11,assign(r,0))).\nstate(70,statement(9,publish("
    )
    assert load_card_game("trumps").chart == parse_rules(expected)


@pytest.mark.spec("card-games-fcdl", 4)
@pytest.mark.parametrize("name", LIBRARY)
def test_rules_become_a_chart_and_the_same_rules_again(name: str) -> None:
    rules = load_card_game(name).chart
    chart = decompile(rules)
    assert compile_chart(chart) == rules
    assert compile_chart(parse_chart(format_chart(chart))) == rules
    assert compile_chart(chart_from_json(json.loads(json.dumps(chart_to_json(chart))))) == rules
    places = [(one.x, one.y) for one in chart.elements]
    assert len(set(places)) == len(places), "two elements at one place"


@pytest.mark.parametrize("name", LIBRARY)
def test_rules_are_read_back_from_facts_and_from_tables(name: str) -> None:
    rules = load_card_game(name).chart
    assert parse_rules(format_rules(rules)) == rules
    assert parse_table(format_table(rules)) == rules
    for text in (format_rules(rules), format_table(rules), format_chart(decompile(rules))):
        assert read_chart(Source(name, text), name) == (rules, [])


@pytest.mark.spec("card-games-fcdl", 7)
def test_statements_may_be_quoted_or_terms() -> None:
    quoted = re.sub(
        r"statement\((\d+),(assign\(.*\)|publish\(.*\))\)\)\.",
        lambda found: f'statement({found[1]},"{surface(found[2])}")).',
        TRUMPS_RULES,
    )
    terms = re.sub(r'"([A-Za-z][^"#]*)"', r"\1", TRUMPS_RULES)
    assert quoted.count('"') > TRUMPS_RULES.count('"') > terms.count('"')
    assert parse_rules(quoted) == parse_rules(terms) == parse_rules(TRUMPS_RULES)
    plain = TRUMPS_CHART.replace(
        'publish("#{trumps} has been chosen as trumps.")',
        '"publish(\\"#{trumps} has been chosen as trumps.\\")"',
    )
    assert plain != TRUMPS_CHART
    assert parse_chart(plain) == parse_chart(TRUMPS_CHART)


def surface(term: str) -> str:
    """A compiled assignment or text as somebody may have left it in quotation marks."""
    if term.startswith("publish"):
        return term.replace('"', '\\"')
    name, value = re.fullmatch(r"assign\((\w+(?:\([^,]*\))?),(.*)\)", term).groups()  # type: ignore[union-attr]
    return f"{name} = {value}"


@pytest.mark.spec("card-games-fcdl", 8)
def test_blanks_of_a_text_are_written_as_tildes_and_come_back() -> None:
    rules = compile_chart(parse_chart(TRUMPS_CHART))
    assert 'publish("#{trumps}~has~been~chosen~as~trumps.")' in format_rules(rules)
    assert rules.caption(9) == 'publish("#{trumps} has been chosen as trumps.")'
    assert parse_rules(format_rules(rules)).caption(9) == rules.caption(9)


JUNK = st.text(alphabet='state(1,choice"terminal)startTerminal.connection 023;%?:->\n={}[]#~\\é', max_size=80)


@given(JUNK | st.text(max_size=60))
def test_any_text_is_a_chart_or_has_faults(text: str) -> None:
    rules, faults = read_chart(Source("junk", text), "junk")
    assert rules is not None or faults
    for one in faults:
        assert str(one)


@given(st.integers(0, len(TRUMPS_CHART) - 1), st.characters(codec="utf-8"))
def test_a_chart_with_one_wrong_character_is_told_or_read(at: int, character: str) -> None:
    text = TRUMPS_CHART[:at] + character + TRUMPS_CHART[at + 1 :]
    rules, faults = read_chart(Source("trumps", text), "trumps")
    assert rules is not None or faults


@given(st.integers(0, len(TRUMPS_RULES) - 1), st.characters(codec="utf-8"))
def test_rules_with_one_wrong_character_are_told_or_read(at: int, character: str) -> None:
    text = TRUMPS_RULES[:at] + character + TRUMPS_RULES[at + 1 :]
    rules, faults = read_chart(Source("trumps", text), "trumps")
    assert rules is not None or faults


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 60) | st.text(max_size=8) | st.floats(allow_nan=False),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["elements", "connections", "players", "id", "kind", "x", "caption", "from", "port", "to"]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=12,
)


@given(VALUES)
def test_any_json_value_is_a_chart_or_has_faults(value: object) -> None:
    rules, faults = read_chart(Source("junk", json.dumps(value)), "junk")
    assert rules is not None or faults


ELEMENTS = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.integers(0, 6),
            "kind": st.sampled_from(["terminal", "statement", "choice"]),
            "caption": st.sampled_from(["Start", "End", "Shuffle", "i=i+1", "i<3", "Deal(7)", "1<2", ""]),
        }
    ),
    max_size=6,
)
CONNECTIONS = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.integers(7, 14),
            "from": st.integers(0, 6),
            "port": st.integers(0, 3),
            "to": st.integers(0, 6),
        }
    ),
    max_size=8,
)


@given(ELEMENTS, CONNECTIONS)
def test_any_drawing_is_a_chart_or_has_faults(elements: list[object], connections: list[object]) -> None:
    text = json.dumps({"elements": elements, "connections": connections})
    rules, faults = read_chart(Source("drawing", text), "drawing")
    assert rules is not None or faults
    if rules is not None and not faults:
        assert sum(isinstance(node, StartTerminal) for node in rules.nodes.values()) == 1
        assert sum(isinstance(node, EndTerminal) for node in rules.nodes.values()) == 1


TABLE = format_table(parse_rules(TRUMPS_RULES))


@given(st.integers(0, len(TABLE) - 1), st.characters(codec="utf-8") | st.just(""))
def test_a_table_with_one_wrong_character_is_told_or_read(at: int, character: str) -> None:
    rules, faults = read_chart(Source("trumps", TABLE[:at] + character + TABLE[at + 1 :]), "trumps")
    assert rules is not None or faults
