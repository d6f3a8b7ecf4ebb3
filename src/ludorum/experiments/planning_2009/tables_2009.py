"""The tables of 2009 with published, old and new figures side by side, for terminals and for pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .measure_2009 import GroundingRow, MatchRow, PlanBench, PlanRow


@dataclass(frozen=True)
class Table2009:
    title: str
    heads: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def tables_2009(bench: PlanBench) -> list[Table2009]:
    """Tables 17.1 to 17.4 of the specification, as far as they have been measured."""
    alone = [match for match in bench.matches if len(match.turns) and match.game in _ALONE]
    together = [match for match in bench.matches if match.game not in _ALONE]
    return [
        _matches("17.1 Matches alone: processor seconds a turn", alone),
        _matches("17.2 Matches against others: processor seconds a turn", together),
        _grounding(bench.grounding),
        _as_first_written(bench.as_first_written),
        _answer_sets(bench.plans),
        _first_plans(bench.plans),
    ]


_ALONE = ("blocks", "buttons", "maze")


def _matches(title: str, matches: Sequence[MatchRow]) -> Table2009:
    heads = ("match", "turn", "played", "published s", "legacy", "legacy s", "modern", "modern s",
             "legacy / modern", "published / modern")  # fmt: skip
    rows: list[tuple[str, ...]] = []
    for match in matches:
        name = f"{match.game}, {match.role}"
        for turn in match.turns:
            rows.append((
                name, str(turn.turn), turn.played, f"{turn.published_s:.3f}", turn.legacy_move,
                _s(turn.legacy_s), turn.modern_move, _s(turn.modern_s),
                _ratio(turn.legacy_s, turn.modern_s), _ratio(turn.published_s, turn.modern_s),
            ))  # fmt: skip
        rows.append((
            name, "all", f"goal {match.goal}", f"{match.published_s:.3f}", "", _s(match.legacy_s), "",
            _s(match.modern_s), _ratio(match.legacy_s, match.modern_s),
            _ratio(match.published_s, match.modern_s),
        ))  # fmt: skip
    return Table2009(title, heads, rows)


def _grounding(found: Sequence[GroundingRow]) -> Table2009:
    heads = ("sheet", "published s", "published instances", "legacy instances", "legacy s", "modern s",
             "legacy / modern", "published / modern")  # fmt: skip
    rows = [
        (
            row.sheet, f"{row.published_s:.2f}", f"{row.published_instances:,}", f"{row.legacy_instances:,}",
            _s(row.legacy_s), _s(row.modern_s), _ratio(row.legacy_s, row.modern_s),
            _ratio(row.published_s, row.modern_s),
        )
        for row in found
    ]  # fmt: skip
    return Table2009("17.3 Grounding with reused and with redistributed variables", heads, rows)


def _as_first_written(found: Sequence[MatchRow]) -> Table2009:
    rows = [
        (f"{row.game}, {row.role}", _s(row.legacy_s), _s(row.modern_s), _ratio(row.legacy_s, row.modern_s))
        for row in found
    ]
    title = "17.3 Whole matches from rules as they were first written"
    return Table2009(title, ("match", "legacy s", "modern s", "legacy / modern"), rows)


def _answer_sets(found: Sequence[PlanRow]) -> Table2009:
    heads = ("game", "answer sets, reference", "answer sets, legacy", "atoms / rules, legacy")
    rows = [
        (
            f"{row.game}, {row.role}",
            _by_length(row.published_answer_sets, "more than 100"),
            _by_length(row.answer_sets, "not counted"),
            _size(row.legacy_size),
        )
        for row in found
    ]
    return Table2009("17.4 The old encoding at the first turn", heads, rows)


def _first_plans(found: Sequence[PlanRow]) -> Table2009:
    heads = ("game", "shortest, reference", "shortest", "atoms / rules", "legacy s", "modern s",
             "legacy / modern")  # fmt: skip
    rows = [
        (
            f"{row.game}, {row.role}",
            _plans(*row.published),
            _plans(row.length, row.plans),
            _size(row.modern_size),
            _s(row.legacy_s),
            _s(row.modern_s),
            _ratio(row.legacy_s, row.modern_s),
        )
        for row in found
    ]
    return Table2009("17.4 From the text to the first plan, all shorter horizons among it", heads, rows)


def format_text(bench: PlanBench) -> str:
    """All tables for a terminal."""
    return "\n\n".join(
        [*(f"{table.title}\n{_aligned(table)}" for table in tables_2009(bench)), _means(bench)]
    )


def format_markdown(bench: PlanBench) -> str:
    """All tables for a page."""
    parts = []
    for table in tables_2009(bench):
        lines = [table.heads, ("---",) * len(table.heads), *table.rows]
        parts.append(f"### {table.title}\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines))
    return "\n\n".join([*parts, _means(bench)])


def _aligned(table: Table2009) -> str:
    lines = [table.heads, *table.rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def _means(bench: PlanBench) -> str:
    shown = "; ".join(f"{name}: {value:.3g}" for name, value in bench.ratios().items())
    return f"Geometric means: {shown}."


def _by_length(found: dict[int, int] | None, otherwise: str) -> str:
    if found is None:
        return otherwise
    lengths = ", ".join(f"{length}: {count:,}" for length, count in found.items())
    return f"{sum(found.values()):,} ({lengths})"


def _plans(length: int | None, count: int) -> str:
    return "none" if length is None else f"{length} moves, {count:,} plans"


def _size(size: tuple[int, int]) -> str:
    return f"{size[0]:,} / {size[1]:,}"


def _s(seconds: float) -> str:
    return f"{seconds:.4f}"


def _ratio(one: float, other: float) -> str:
    return "-" if other < 1e-4 else f"{one / other:.3g}"  # a plan that is kept costs nothing to look up
