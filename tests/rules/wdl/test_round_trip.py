"""What is printed is read again as the same rules: the library, its modules, the corpus, the forms of WDL."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludorum._paths import games_folder
from ludorum.rules.format import format_text
from ludorum.rules.kif import read_kif, read_nodes
from ludorum.rules.ruleset import format_kif
from ludorum.rules.source import Source
from ludorum.rules.syntax import Node, load_source
from ludorum.rules.wdl.sheet import read_wdl
from tests.rules.random_rules import corpus_sheets, sample

SHOUTED = """
; A COMMENT (with brackets) stays one
(ROLE Bank) (role player)(INIT (Points BANK 0))   ; and so does this
(<= (LEGAL ?Who (GET (VISIBLE ?WHO GetCard)))
  (true (phase (deal 1 ?who))) (not (or (true (done)) (distinct ?who Bank))))
(include CARDS:CardDeck) (set REALTIME) (visible bank (<= (odds ?X) (and (card ?x) (red ?x))))
(random getcard 1 cards:CardDeck:ACE) (next++ -3 +4) (wait)
"""
"""Comments, capitals, nested terms, every connective, and atoms with signs and colons."""


def shapes(nodes: list[Node]) -> list[str]:
    """Pieces of syntax without their places."""
    return [shape(node) for node in nodes]


def shape(node: Node) -> str:
    return f"{node.kind.name}:{node.name}[{' '.join(map(shape, node.items))}]"


def is_kept(source: Source) -> bool:
    """Whether a text survives its standard layout, and its rules being printed and read again."""
    nodes, faults = read_nodes(source)
    laid_out = Source(source.name, format_text(source, "kif"))
    rules, _ = read_kif(source)
    return (
        not faults
        and shapes(read_nodes(laid_out)[0]) == shapes(nodes)
        and read_kif(Source(source.name, format_kif(rules)))[0] == rules
    )


def own_sheets() -> list[Path]:
    return [
        path for folder in ("gdl", "gdl2", "wdl", "wdlib") for path in (games_folder() / folder).rglob("*.*")
    ]


@pytest.mark.spec("wdl", 1)
def test_comments_capitals_and_nested_terms_are_read_and_printed() -> None:
    source = Source("shouted.wdl", SHOUTED)
    sheet, faults = read_wdl(source)
    assert faults == []
    assert read_wdl(Source("lower.wdl", SHOUTED.lower()))[0].master == sheet.master
    printed = str(sheet.master)
    assert printed.startswith(
        "(role bank)\n(role player)\n(init (points bank 0))\n(<= (legal ?who (get (visible"
    )
    assert "(true done)" in printed
    assert "(random getcard 1 cards:carddeck:ace)\n(next++ -3 +4)\nwait\n" in printed
    assert read_kif(Source("printed", printed))[0] == sheet.master
    laid_out = format_text(source)
    assert shapes(read_nodes(Source("laid out", laid_out))[0]) == shapes(read_nodes(source)[0])
    assert laid_out.startswith("; A COMMENT (with brackets) stays one\n")
    assert "; and so does this\n" in laid_out


@pytest.mark.spec("wdl", 1)
@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.long)])
def test_sheets_and_modules_of_the_library_survive_a_round_trip(every: int) -> None:
    paths = own_sheets()[::every]
    assert {path.suffix for path in paths} == {".kif", ".wdl"}
    assert [path.name for path in paths if not is_kept(load_source(path))] == []


@pytest.mark.corpus
@pytest.mark.spec("wdl", 1)
@pytest.mark.parametrize("every", [60, pytest.param(9, marks=pytest.mark.long)])
def test_sheets_of_others_survive_a_round_trip(every: int) -> None:
    sheets = [path for path in sample(corpus_sheets(), every) if not read_kif(load_source(path))[1]]
    assert len(sheets) > 4
    assert [path.name for path in sheets if not is_kept(load_source(path))] == []
