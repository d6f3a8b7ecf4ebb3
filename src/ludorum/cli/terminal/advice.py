"""A player's evaluation of the position: a bar for its value, and the best moves with their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rich.style import Style
from rich.text import Text

from ...arena.table.table import Hint, Table
from ...rules.terms import Term
from .palette import DIM, STRONG

BAR = 12
"""Signs of the evaluation bar."""
MOST_CANDIDATES = 5
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def advice_text(
    table: Table, hint: Hint, label: Callable[[Term], str], styles: Mapping[Term, Style]
) -> Text:  # fmt: skip
    """The bar and the candidates; only the move where the player gives no values."""
    decision = hint.decision
    if decision is None or table.role is None or not decision.choices:
        return Text.assemble(("advice: ", DIM), (label(hint.move), STRONG))
    value = max(0.0, min(100.0, decision.value))
    text = Text.assemble(("you ", DIM), (bar(value, BAR), styles.get(table.role, STRONG)))
    text.append(f"▏{value:.0f} of 100", STRONG)
    for choice in decision.choices[:MOST_CANDIDATES]:
        sure = "=" if choice.proven else " "
        line = f"\n{sure}{choice.value:3.0f} {bar(choice.value, 8)} "
        text.append(line, DIM).append(label(choice.move), STRONG if choice.move is hint.move else "")
    return text


def bar(value: float, width: int) -> str:
    """A bar for a value of 0..100, exact to an eighth of a sign."""
    eighths = round(max(0.0, min(100.0, value)) * width * 8 / 100)
    full, rest = divmod(eighths, 8)
    return ("█" * full + (_EIGHTHS[rest] if rest else "")).ljust(width)
