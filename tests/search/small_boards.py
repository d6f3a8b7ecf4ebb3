"""Library games on smaller boards: the sheets with other numbers in them."""

from functools import cache

from ludorum.engine.compiled import CompiledGame
from ludorum.rules.kif import parse_kif
from ludorum.rules.library import find_sheet


def _numbers(name: str, count: int) -> str:
    return " ".join(f"({name} {number})" for number in range(1, count + 1))


def _sheet(name: str, *changes: tuple[str, str]) -> str:
    text = find_sheet(name).source.text
    for old, new in changes:
        assert old in text, f"the sheet of {name} no longer says {old!r}"
        text = text.replace(old, new)
    return text


def _game(text: str, name: str) -> CompiledGame:
    return CompiledGame(parse_kif(text), name)


@cache
def connect_four(width: int, height: int) -> CompiledGame:
    """Connect four on so many columns and rows, up to 7 by 6."""
    text = _sheet(
        "connect_four",
        (_numbers("column", 7), _numbers("column", width)),
        (_numbers("row", 6), _numbers("row", height)),
        ("(filled ?c 6)", f"(filled ?c {height})"),
    )
    return _game(text, f"connect_four_{width}x{height}")


@cache
def breakthrough(width: int, height: int) -> CompiledGame:
    """Breakthrough on so many columns and rows, from 4 rows on, up to 8 by 8."""
    homes = {"white": (1, 2), "black": (height - 1, height)}
    home_rows = "\n".join(f"(home_row {who} {row})" for who, rows in homes.items() for row in rows)
    text = _sheet(
        "breakthrough",
        (_numbers("index", 8), _numbers("column", width) + " " + _numbers("line", height)),
        ("(far_row white 8)", f"(far_row white {height})"),
        ("(home_row white 1)\n(home_row white 2)\n(home_row black 7)\n(home_row black 8)", home_rows),
        ("(index ?x)", "(column ?x)"),
        ("(index ?y)", "(line ?y)"),
        (
            "(<= (forward white ?y1 ?y2)\n    (succ ?y1 ?y2))",
            "(<= (forward white ?y1 ?y2)\n    (up ?y1 ?y2))",
        ),
        (
            "(<= (forward black ?y2 ?y1)\n    (succ ?y1 ?y2))",
            "(<= (forward black ?y2 ?y1)\n    (up ?y1 ?y2))",
        ),
        ("(<= (beside ?x1 ?x2)\n    (succ ?x1 ?x2))", "(<= (beside ?x1 ?x2)\n    (next_to ?x1 ?x2))"),
        ("(<= (beside ?x2 ?x1)\n    (succ ?x1 ?x2))", "(<= (beside ?x2 ?x1)\n    (next_to ?x1 ?x2))"),
    )
    text += "(<= (up ?a ?b) (succ ?a ?b) (line ?a) (line ?b))\n"
    text += "(<= (next_to ?a ?b) (succ ?a ?b) (column ?a) (column ?b))\n"
    return _game(text, f"breakthrough_{width}x{height}")


@cache
def dots_and_boxes_2() -> CompiledGame:
    """Dots and boxes on two by two boxes."""
    text = _sheet(
        "dots_and_boxes",
        (_numbers("index", 3), _numbers("index", 2)),
        ("(follows 3 ?y1 1 ?y2)", "(follows 2 ?y1 1 ?y2)"),
        ("(counted ?p 3 3 ?n)", "(counted ?p 2 2 ?n)"),
        ("(majority 5) (majority 6) (majority 7) (majority 8) (majority 9)", "(majority 3) (majority 4)"),
    )
    return _game(text, "dots_and_boxes_2")
