"""The table of 2013 beside what the engines of today know, as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .measure_2013 import COMPLETE, Knowing
from .rows_2013 import Row2013


@dataclass
class MeasuredRow:
    """A row of the table, the sheet that stands for it, and what was measured."""

    row: Row2013
    sheet: str
    is_public: bool
    role: str
    found: list[Knowing] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """What could not be measured, and why."""

    def as_json(self) -> dict[str, object]:
        return {
            "row": self.row.number,
            "title": self.row.title,
            "published": {
                "legal": self.row.legal,
                "terminal": self.row.terminal,
                "goal": self.row.goal,
                "seconds_per_1000": self.row.seconds,
            },
            "sheet": self.sheet,
            "public_sheet": self.is_public,
            "role": self.role,
            "found": [one.as_json() for one in self.found],
            "reasons": reasons(self),
            "remarks": self.remarks,
        }


def reasons(measured: MeasuredRow) -> dict[str, str]:
    """For each thing that some engine does not always know, by name: why."""
    complete = next((one for one in measured.found if one.engine == COMPLETE), None)
    found: dict[str, str] = {}
    if complete is None:
        return found
    for name in ("legal", "terminal", "goal"):
        weakest = min(getattr(one, name) for one in measured.found)
        best = getattr(complete, name)
        if best < complete.matches:
            limit = (
                f" ({complete.undecided} of them perhaps: too hard a question)" if complete.undecided else ""
            )
            found[name] = f"cannot be known in {complete.matches - best} of {complete.matches} matches{limit}"
        elif weakest < complete.matches:
            weak = [one.engine for one in measured.found if getattr(one, name) < complete.matches]
            found[name] = f"too hard for {', '.join(weak)}"
    return found


def remark_without_circuit(measured: MeasuredRow) -> str:
    """Why complete knowledge was not measured, and whether it could be more than what was."""
    why = f"{COMPLETE}: not measured, for the sheet has no circuit within a minute"
    whole = [one.engine for one in measured.found if one.legal == one.terminal == one.goal == one.matches]
    return f"{why}; {whole[0]} leaves nothing open" if whole else why


def format_text(rows: Sequence[MeasuredRow]) -> str:
    """A line for what was published, and one for each engine."""
    lines = [f"{'':4}{'game':27}{'engine':10}{'legal':>9}{'terminal':>10}{'goal':>9}{'s/1000 rounds':>15}"]
    for one in rows:
        lines += _lines(one)
    return "\n".join(lines)


def _lines(measured: MeasuredRow) -> list[str]:
    row = measured.row
    seconds = "" if row.seconds is None else f"{row.seconds:.2f}"
    first = f"{row.number:4}{row.title:27}{'published':10}"
    cells = f"{_cell(row.legal):>9}{_cell(row.terminal):>10}{_cell(row.goal):>9}{seconds:>15}"
    lines = [first + cells]
    for one in measured.found:
        counts = f"{_part(one.legal, one):>9}{_part(one.terminal, one):>10}{_part(one.goal, one):>9}"
        lines.append(f"{'':31}{one.engine:10}{counts}{one.seconds_per_1000:>15.2f}{_times(one, measured)}")
    lines += [f"{'':31}{name}: {why}" for name, why in reasons(measured).items()]
    lines += [f"{'':31}{remark}" for remark in measured.remarks]
    if not measured.is_public:
        lines.append(f"{'':31}our own sheet {measured.sheet}: times are not those of the published one")
    return lines


def _cell(value: bool | None) -> str:
    return {True: "yes", False: "no", None: "-"}[value]


def _part(count: int, one: Knowing) -> str:
    return "yes" if count == one.matches else f"{count}/{one.matches}"


def _times(one: Knowing, measured: MeasuredRow) -> str:
    """How many times as fast as published, on a newer machine."""
    if measured.row.seconds is None or not measured.is_public or not one.seconds_per_1000:
        return ""
    return f"  {measured.row.seconds / one.seconds_per_1000:,.1f} times"
