"""Measured speeds as tables, for terminals and for Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .measure import Speeds, geometric_means

Cell = Callable[[Speeds], str]


@dataclass(frozen=True)
class Column:
    title: str
    cell: Cell


def short(value: float | None, unit: float = 1.0) -> str:
    """A number with three digits, or a dash."""
    if value is None:
        return "-"
    value /= unit
    if value >= 10_000:
        return f"{value / 1e6:.3g} M" if value >= 1e6 else f"{value / 1e3:.3g} k"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def _ratio(name: str) -> Cell:
    return lambda row: short(row.ratios().get(name))


SPEED = (
    Column("game", lambda row: row.game),
    Column("ground rules", lambda row: short(row.ground_rules)),
    Column("gates / literals", lambda row: f"{short(row.gates)} / {short(row.literals)}"),
    Column("build s", lambda row: short(row.build_s)),
    Column("lanes M steps/s", lambda row: short(row.lanes_steps_per_s, 1e6)),
    Column("playouts/s", lambda row: short(row.playouts_per_s)),
    Column("single k steps/s", lambda row: _single(row)),
    Column("lifted k steps/s", lambda row: short(row.lifted_steps_per_s, 1e3)),
    Column("reference steps/s", lambda row: short(row.reference_steps_per_s)),
)

RATIOS = (
    Column("game", lambda row: row.game),
    Column("lanes / single", _ratio("lanes/single")),
    Column("single / lifted", _ratio("single/lifted")),
    Column("lifted / reference", _ratio("lifted/reference")),
    Column("load limit", lambda row: _share(row.load_limit)),
    Column("gates alone", lambda row: _share(row.load_limit_gates)),
    Column("loops once", lambda row: _share(row.load_limit_once)),
    Column("2 threads", lambda row: _threads(row)),
    Column("bytes a state", lambda row: short(row.bytes_per_state)),
    Column("bytes a lane", lambda row: short(row.bytes_per_lane)),
)


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.0%}"


def _single(row: Speeds) -> str:
    """Full and incremental evaluation, the chosen one with a star."""
    if not row.single_steps_per_s:
        return "-"
    return " / ".join(
        short(speed, 1e3) + ("*" if mode == row.single else "")
        for mode, speed in row.single_steps_per_s.items()
    )


def _threads(row: Speeds) -> str:
    if row.two_threads is None or row.two_threads_processor is None:
        return "-"
    return f"{row.two_threads:.2f} ({row.two_threads_processor:.2f})"


def rival_columns(rows: Sequence[Speeds]) -> tuple[Column, ...]:
    """For each rival its playouts a second and how many times as fast the lanes are."""
    names = dict.fromkeys(name for row in rows for name in row.rivals)
    columns = [
        Column("game", lambda row: row.game),
        Column("lanes, playouts/s", lambda row: short(row.playouts_per_s)),
    ]
    for name in names:
        columns.append(Column(name, lambda row, name=name: short(row.rivals.get(name))))  # type: ignore[misc]
        columns.append(Column(f"lanes / {name}", _ratio(f"lanes/{name}")))
    return tuple(columns)


def tables(rows: Sequence[Speeds]) -> list[tuple[Column, ...]]:
    """The tables that these rows fill."""
    found = [SPEED, RATIOS]
    if any(row.rivals for row in rows):
        found.append(rival_columns(rows))
    return found


def format_text(rows: Sequence[Speeds]) -> str:
    """Tables for a terminal, the geometric means, and what went wrong."""
    good = [row for row in rows if row.error is None]
    parts = [_aligned(columns, good) for columns in tables(good)]
    return "\n\n".join([*parts, *_remarks(rows)])


def format_markdown(rows: Sequence[Speeds]) -> str:
    """The same for a page."""
    good = [row for row in rows if row.error is None]
    parts = []
    for columns in tables(good):
        lines = [[column.title for column in columns], ["---"] * len(columns)]
        lines += [[column.cell(row) for column in columns] for row in good]
        parts.append("\n".join(f"| {' | '.join(line)} |" for line in lines))
    return "\n\n".join([*parts, *_remarks(rows)])


def _aligned(columns: Sequence[Column], rows: Sequence[Speeds]) -> str:
    cells = [
        [column.title for column in columns],
        *([column.cell(row) for column in columns] for row in rows),
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in cells
    )


def _remarks(rows: Sequence[Speeds]) -> list[str]:
    means = geometric_means(rows)
    remarks = []
    if means:
        shown = ", ".join(f"{name.replace('_', ' ')} {short(value)}" for name, value in means.items())
        remarks.append(f"Geometric means: {shown}.")
    remarks += [f"{row.game}: {row.error}" for row in rows if row.error is not None]
    return remarks
