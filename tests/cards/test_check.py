"""Every fault a chart can have: a small chart each, with the code, the node and the column that are told."""

from __future__ import annotations

import pytest

from ludorum.cards.check.speed import check_speed
from ludorum.cards.language.chart import parse_chart
from ludorum.cards.language.compile import compile_chart
from ludorum.cards.language.faults import ChartError, ChartFault
from ludorum.cards.load import checked_rules, read_chart
from ludorum.rules.library import chart_sheets, find_sheet
from ludorum.rules.source import Severity, Source

DRAWING = """\
terminal(0,0,0,"Start Game").
statement(1,0,200,"Shuffle").
choice(2,0,400,"i<3").
statement(3,0,600,"i=i+1").
terminal(4,400,400,"TerminateGame").
connection(10,0,2,1,0).
connection(11,1,2,2,0).
connection(12,2,2,3,0).
connection(13,2,1,4,0).
connection(14,3,3,2,3).
"""

DRAWINGS = {
    "no start": ([("terminal(0", "statement(0"), ("Start Game", "r=0")], "no-start", None),
    "two starts": (
        [("connection(10", 'terminal(5,0,0,"Start").\nconnection(15,5,2,1,0).\nconnection(10')],
        "many-starts",
        None,
    ),
    "no end": (
        [("terminal(4", "statement(4"), ("TerminateGame", "r=0"), ("14,3", "15,4,2,4,0).\nconnection(14,3")],
        "no-end",
        None,
    ),
    "two ends": ([("connection(10", 'terminal(5,0,0,"End").\nconnection(10')], "many-ends", None),
    "element 0 is not the start": ([("terminal(0", "terminal(7"), ("(10,0,", "(10,7,")], "start-not-0", 7),
    "missing connection": ([("connection(14,3,3,2,3).", "")], "no-way-on", 3),
    "surplus connection": (
        [("connection(10", "connection(15,3,1,4,0).\nconnection(10")],
        "surplus-connection",
        3,
    ),
    "choice without its bottom": ([("connection(12,2,2", "connection(12,2,3")], "choice-ports", 2),
    "choice without its right": ([("connection(13,2,1", "connection(13,2,0")], "choice-ports", 2),
    "connection to nowhere": ([("connection(14,3,3,2,3)", "connection(14,3,3,9,3)")], "unknown-element", 3),
    "connection from nowhere": (
        [("connection(10", "connection(15,9,3,2,3).\nconnection(10")],
        "unknown-element",
        2,
    ),
    "duplicate element": (
        [("statement(3,0,600", 'statement(3,0,800,"r=0").\nstatement(3,0,600')],
        "duplicate-index",
        3,
    ),
    "duplicate of a connection": ([("connection(14", "connection(13")], "duplicate-index", 13),
    "no such port": ([("connection(14,3,3", "connection(14,3,4")], "bad-port", 3),
}


@pytest.mark.spec("card-games-fcdl", 10)
@pytest.mark.parametrize(("changes", "code", "node"), DRAWINGS.values(), ids=DRAWINGS)
def test_a_faulty_drawing(changes: list[tuple[str, str]], code: str, node: int | None) -> None:
    text = DRAWING
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    rules, faults = read_chart(Source("drawing", text), "drawing")
    assert rules is None
    assert (code, node) in [(one.code, one.node) for one in faults]
    with pytest.raises(ChartError):
        compile_chart(parse_chart(text))
    for one in faults:
        assert one.severity is Severity.ERROR
        assert str(one).startswith("drawing: node" if one.node is not None else "drawing")


def test_the_drawing_has_no_fault_itself() -> None:
    assert read_chart(Source("drawing", DRAWING), "drawing")[1] == []


@pytest.mark.spec("card-games-fcdl", 10)
@pytest.mark.parametrize(("before", "node"), [("Start Game", 0), ("TerminateGame", 4)])
def test_an_ellipse_says_what_it_is(before: str, node: int) -> None:
    rules, (fault,) = read_chart(Source("drawing", DRAWING.replace(before, "Go")), "drawing")
    assert rules is not None
    assert (fault.code, fault.node, fault.severity) == ("terminal-caption", node, Severity.WARNING)


TABLE = """\
0 start
1 Shuffle
2 Deal(3)
3 {caption}
4 end
"""

CAPTIONS = {
    "syntax": ("i=(1+2", "caption-syntax", 7),
    "no meaning": ("i=1;2", "caption-syntax", 4),
    "unknown statement": ("shuffle", "unknown-statement", 1),
    "unknown function": ("i=3+rnk(middle(player(0)))", "unknown-function", 5),
    "a statement is no function": ("i=Deal(3)", "unknown-function", 3),
    "never assigned": ("i=tricks(player(0))", "unknown-function", 3),
    "arity of a statement": ("pickUp(player(0))", "wrong-arity", 1),
    "arity of a function": ("i=1+rankValue(king,2)", "wrong-arity", 5),
    "a number for a player": ("pickUp(0,1)", "wrong-type", 8),
    "a variable that is a number": ("pickUp(numberOfCards,1)", "wrong-type", 8),
    "a player for a number": ("i=player(player(0))", "wrong-type", 10),
    "a player in a sum": ("i=1+player(0)", "wrong-type", 5),
    "the second of two": ("score(player(0))=score(0)", "wrong-type", 24),
    "no template": ("playCard(player(0),3)", "wrong-type", 20),
    "a suit in a sum": ("i=hearts+1", "wrong-type", 3),
    "true is no number": ("i=1<true", "wrong-type", 5),
    "read-only": ("numberOfPlayers=3", "read-only", 1),
    "read-only with arguments": ("cardsRemaining(player(0))=3", "read-only", 1),
    "a function is read-only": ("suit(player(0))=hearts", "read-only", 1),
    "a word of the analysis": ("otherPlayer=3", "reserved", 1),
    "a word of the analysis as a value": ("i=myCard", "reserved", 1),
    "a constant": ("hearts=3", "constant", 1),
    "a constant rank": ("king=3", "constant", 1),
    "a number is no name": ("3=4", "caption-syntax", 1),
    "a capital": ("Leader=4", "not-a-name", 1),
    "publish shows texts": ("publish(3)", "wrong-type", 9),
}


@pytest.mark.spec("card-games-fcdl", 10)
@pytest.mark.parametrize(("caption", "code", "column"), CAPTIONS.values(), ids=CAPTIONS)
def test_a_faulty_caption(caption: str, code: str, column: int) -> None:
    _, faults = read_chart(Source("table", TABLE.format(caption=caption)), "table")
    assert [(one.code, one.node, one.column) for one in faults] == [(code, 3, column)]
    with pytest.raises(ChartError):
        checked_rules(Source("table", TABLE.format(caption=caption)), "table")
    shown = str(faults[0]).splitlines()
    assert shown[0].startswith(f"table: node 3, column {column}: error[{code}]")
    assert shown[2].index("^") == column + 3


FLOWS = {
    "unreachable": ("0 start -> 2\n1 i=1\n2 end", "unreachable", 1),
    "end unreachable": ("0 start\n1 i=1 -> 1\n2 end", "end-unreachable", 2),
    "play before the deal": (
        "0 start\n1 Shuffle\n2 playCard(player(0),card(any,any))\n3 Deal(3)\n4 end",
        "too-early",
        2,
    ),
    "play without shuffling": (
        "0 start\n1 Deal(3)\n2 playCard(player(0),card(any,any))\n3 end",
        "too-early",
        1,
    ),
    "a way around the deal": (
        "0 start\n1 Shuffle\n2 random(2)==0 ? 3 : 4\n3 Deal(3)\n4 playCard(player(0),card(any,any))\n5 end",
        "too-early",
        4,
    ),
    "no start": ("1 i=1\n2 end", "no-start", None),
    "two ends": ("0 start\n1 random(2)==0 ? 2 : 3\n2 end\n3 end", "many-ends", None),
    "start is not 0": ("1 start\n2 end", "start-not-0", 1),
    "to nowhere": ("0 start\n1 i=1 -> 9\n2 end", "unknown-element", 1),
    "a condition that is none": ("0 start\n1 1+2 ? 2 : 2\n2 end", "wrong-type", 1),
    "one draw": ("0 start\n1 i=random(6)+random(6)\n2 end", "one-draw", 1),
}


@pytest.mark.spec("card-games-fcdl", 10)
@pytest.mark.parametrize(("table", "code", "node"), FLOWS.values(), ids=FLOWS)
def test_a_faulty_way(table: str, code: str, node: int | None) -> None:
    _, faults = read_chart(Source("table", table), "table")
    assert (code, node) in [(one.code, one.node) for one in faults]


LIMITS = {
    "no number": ("decisionLimit=cards(pack)", "whole number above 0"),
    "nothing": ("decisionLimit=0", "whole number above 0"),
    "a choice": ("choose(player(0),decisionLimit,5,6)", "whole number above 0"),
    "two bounds": ("decisionLimit=5\n9 decisionLimit=6", "is 5 elsewhere"),
}


@pytest.mark.parametrize(("caption", "message"), LIMITS.values(), ids=LIMITS)
def test_a_bound_is_one_number_known_before_the_game(caption: str, message: str) -> None:
    _, faults = read_chart(Source("table", TABLE.format(caption=caption).replace("4 end", "10 end")), "table")
    assert [one.code for one in faults] == ["bad-limit"]
    assert message in faults[0].message


def test_a_bound_may_be_set_anywhere() -> None:
    assert checked_rules(Source("table", TABLE.format(caption="decisionLimit=5")), "t").decision_limit == 5
    assert checked_rules(Source("table", TABLE.format(caption="i=5")), "t").decision_limit is None


@pytest.mark.parametrize("written", ["0", "7", "10", "61", "x", "", "2 or 3", "-1"])
def test_a_number_of_players_that_cannot_be_is_refused(written: str) -> None:
    _, faults = read_chart(Source("table", f"; players: {written}\n" + TABLE.format(caption="r=0")), "table")
    assert [one.code for one in faults] == ["bad-line"]
    assert faults[0].message == f"a game has 1 to 6 players, not {written or 'none'}"


@pytest.mark.parametrize("written", ["1", "6", " 4  "])
def test_a_number_of_players_is_read(written: str) -> None:
    table = f"; players:{written}\n" + TABLE.format(caption="r=0")
    assert checked_rules(Source("table", table), "t").players == int(written)


LINTS = {
    "a word that has a value": (["bet=2", "choose(player(0),answer,check,bet)"], ["option-value"]),
    "a number beside suits": (["bet=2", "choose(player(0),trumps,hearts,bet)"], ["option-value"]),
    "a suit beside suits": (["led=clubs", "choose(player(0),trumps,hearts,led)"], []),
    "values alone": (["least=2", "most=3", "choose(player(0),bid,least,most)"], []),
    "words alone": (["r=0", "choose(player(0),answer,check,bet)"], []),
    "a card of a hand in a text": (['publish("it is #{top(hand(player(0)))}")'], ["told-to-all"]),
    "points of a hand in a text": (['publish("it is #{1+total(hand(player(0)))}")'], ["told-to-all"]),
    "what a hand has in a text": (['publish("#{playerHas(player(0),card(any,hearts))}")'], ["told-to-all"]),
    "a closed pile in a text": (["Pile.closed(own)", 'publish("#{top(pile(own))}")'], ["told-to-all"]),
    "a card of a hand in a variable": (["c=top(hand(player(0)))"], ["told-to-all"]),
    "the rank of a card of a hand": (["r=rank(top(hand(player(0))))"], ["told-to-all"]),
    "what a card of a hand is worth": (["r=rankValue(top(hand(player(0))))+1"], ["told-to-all"]),
    "how many cards a hand has": (["r=count(hand(player(0)),card(any,hearts))"], []),
    "an open pile in a text": (['publish("#{top(pile(own))} #{cards(hand(player(0)))}")'], []),
    "the stack in a text": (['publish("#{top(stack)} #{cardsRemaining(player(0))}")'], []),
}


@pytest.mark.parametrize(("captions", "codes"), LINTS.values(), ids=LINTS)
def test_what_is_hardly_meant_is_warned_of(captions: list[str], codes: list[str]) -> None:
    lines = ["start", "Shuffle", "Deal(3)", *captions, "end"]
    text = "\n".join(f"{at} {line}" for at, line in enumerate(lines))
    rules, faults = read_chart(Source("table", text), "table")
    assert rules is not None
    assert [one.code for one in faults] == codes
    assert all(one.severity is Severity.WARNING and one.hint for one in faults)
    assert all(one.node == len(lines) - 2 for one in faults)


def test_a_chart_without_bytecode_is_told_so() -> None:
    fast = TABLE.format(caption="moveAll(stack,pile(won,team(player(0))))")
    slow = TABLE.format(caption="moveAll(stack,pile(won,cards(pack)))")
    assert list(check_speed(checked_rules(Source("fast", fast), "fast"))) == []
    (fault,) = check_speed(checked_rules(Source("slow", slow), "slow"))
    assert (fault.code, fault.severity) == ("no-bytecode", Severity.WARNING)
    assert "what cards(pack) can be is not known beforehand" in fault.message


@pytest.mark.parametrize("name", [sheet.name for sheet in chart_sheets()])
def test_charts_of_the_library_have_bytecode_and_no_warnings(name: str) -> None:
    rules, faults = read_chart(find_sheet(name).source, name)
    assert rules is not None
    assert [*faults, *check_speed(rules, name)] == []


def test_all_faults_are_told_at_once() -> None:
    _, faults = read_chart(Source("table", "0 start\n1 shuffle\n2 Deal(x,y)\n3 hearts=1\n4 end\n"), "table")
    assert [one.code for one in faults] == ["too-early", "unknown-statement", "wrong-arity", "constant"]
    assert all(isinstance(one, ChartFault) for one in faults)


@pytest.mark.parametrize(
    "text",
    [
        "0 start\n1 " + "!" * 1900 + "a ? 2 : 2\n2 end",
        "0 start\n1 x=" + "f(" * 600 + "1" + ")" * 600 + "\n2 end",
        "state(0,choice(2,2," + "neg(" * 5000 + "a" + ")" * 5000 + ")).",
        "0 start\n1 x=" + "9" * 1900 + "\n2 end",
        "1" * 5000 + " end",
        f'terminal(0,{"1" * 5000},0,"Start").',
        '{"elements":' + "[" * 100_000,
    ],
)
def test_what_is_too_large_is_refused(text: str) -> None:
    rules, faults = read_chart(Source("large", text), "large")
    assert rules is None
    assert faults


def test_a_chart_with_too_many_nodes_is_refused_before_its_captions_are_read() -> None:
    nodes = "\n".join(f"{number} x=x+1" for number in range(1, 10_000))
    with pytest.raises(ChartError) as caught:
        checked_rules(Source("long", f"0 start\n{nodes}\n10000 end\n"), "long")
    assert [fault.code for fault in caught.value.diagnostics] == ["too-many-nodes"]
