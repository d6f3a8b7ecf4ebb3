"""Library games on smaller boards."""

from __future__ import annotations

from ludorum.engine.compiled import CompiledGame
from ludorum.rules.kif import parse_kif
from ludorum.rules.library import find_sheet


def connect_four(columns: int, rows: int) -> CompiledGame:
    """Connect four on another board; the values of small ones are published."""
    text = find_sheet("connect_four").source.text
    for wide in range(columns + 1, 8):
        text = text.replace(f"(column {wide})", "")
    for high in range(rows + 1, 7):
        text = text.replace(f"(row {high})", "")
    text = text.replace("(filled ?c 6)", f"(filled ?c {rows})")
    return CompiledGame(parse_kif(text), f"connect_four_{columns}x{rows}")
