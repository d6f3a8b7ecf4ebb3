"""A bracket too few or too many, mended so that every rule reads as a rule again.

The text is cut into segments where rules begin: at `(<=` and at brackets in the first column. In a segment
whose brackets do not match, each place for one more and each bracket that could go is tried; what is left is
ranked by how well its terms agree with the rest of the sheet and with the layout of its lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from ...rules.build import CONNECTIVES, build_rules
from ...rules.keywords import KEYWORD_ARITIES
from ...rules.kif import TOKEN, read_nodes
from ...rules.source import Source, Span
from ...rules.syntax import Node, NodeKind, first_offset
from . import costs
from .fit import filler_of, misfit
from .focus import Focus
from .proposal import Edit, Proposal, apply_edits, insert
from .sheet import TextUnderRepair, begins_line
from .spots import spots_of

MOST = 14
"""The most ways to mend a segment that are evaluated in full."""
BODY_WORDS = frozenset({"true", "does", "not", "or", "distinct", "and"})
MOST_TOKENS = 3000
"""Words and brackets of the longest segment that is tried."""


@dataclass(frozen=True)
class BracketToken:
    """A bracket or a word."""

    kind: str
    span: Span
    text: str
    first: bool
    """Whether it stands in the first column."""


@dataclass(frozen=True)
class Segment:
    """A range of text that should hold whole rules."""

    tokens: tuple[BracketToken, ...]

    @property
    def span(self) -> Span:
        return Span(self.tokens[0].span.start, self.tokens[-1].span.end)

    @property
    def depth(self) -> tuple[int, int]:
        """The brackets still open at the end, and the lowest number on the way."""
        depth = lowest = 0
        for token in self.tokens:
            depth += {"open": 1, "close": -1}.get(token.kind, 0)
            lowest = min(lowest, depth)
        return depth, lowest


def propose_brackets(sheet: TextUnderRepair, focus: Focus) -> Iterator[Proposal]:
    """Ways to mend the first segment whose brackets do not match."""
    if not sheet.bracket_faults:
        return
    cut = segments(sheet.source.text)
    for number, segment in enumerate(cut):
        if segment.depth != (0, 0) and len(segment.tokens) <= MOST_TOKENS:
            yield from _mend(sheet, _with_its_rule(cut, number) if segment.depth[1] < 0 else segment)
            return


def segments(text: str) -> list[Segment]:
    """The text cut where rules begin."""
    tokens = _tokens(text)
    arrows = [at for at, token in enumerate(tokens) if token.text == "<=" and token.kind == "symbol"]
    in_first = sum(tokens[at - 1].first for at in arrows if at and tokens[at - 1].kind == "open")
    begins = {at - 1 if at and tokens[at - 1].kind == "open" else at for at in arrows}
    if 2 * in_first <= len(arrows):
        return _cut(tokens, begins)
    strict = _cut(tokens, begins | {at for at, token in enumerate(tokens) if _is_first(token)})
    # Some sheets have conditions in the first column, too: there only brackets after whole rules begin one.
    loose = _cut(tokens, begins | _after_wholes(tokens, begins))
    return min(strict, loose, key=lambda cut: sum(segment.depth != (0, 0) for segment in cut))


def _with_its_rule(cut: list[Segment], number: int) -> Segment:
    """The segment with those before it, from the last rule on, where they may be the end of that rule.

    Its own conditions are cut off from a rule that is closed too early, if they stand in the first column.
    """
    begin = number
    while begin and not _is_rule(cut[begin]):
        begin -= 1
    whole = Segment(tuple(token for each in cut[begin : number + 1] for token in each.tokens))
    is_end = all(_is_condition(each) for each in cut[begin + 1 : number + 1])
    return whole if is_end and _is_rule(cut[begin]) and len(whole.tokens) <= MOST_TOKENS else cut[number]


def _is_rule(segment: Segment) -> bool:
    return any(token.text == "<=" for token in segment.tokens[:2])


def _is_condition(segment: Segment) -> bool:
    """Whether it begins as conditions do and facts do not, or has a variable."""
    words = [token.text for token in segment.tokens[:2]]
    return words[-1] in BODY_WORDS or any(token.text.startswith("?") for token in segment.tokens)


def _is_first(token: BracketToken) -> bool:
    return token.first and token.kind == "open"


def _after_wholes(tokens: list[BracketToken], begins: set[int]) -> set[int]:
    """Brackets in the first column at which nothing is open since the last cut."""
    found: set[int] = set()
    depth = 0
    for at, token in enumerate(tokens):
        if at in begins or (depth <= 0 and _is_first(token)):
            found.add(at)
            depth = 0
        depth += {"open": 1, "close": -1}.get(token.kind, 0)
    return found


def _cut(tokens: list[BracketToken], begins: set[int]) -> list[Segment]:
    cuts = sorted({0, *begins, len(tokens)})
    return [Segment(tuple(tokens[a:b])) for a, b in pairwise(cuts) if a < b]


def _tokens(text: str) -> list[BracketToken]:
    return [
        BracketToken(found.lastgroup or "", Span(found.start(), found.end()), found.group(),
              found.start() == 0 or text[found.start() - 1] == "\n")
        for found in TOKEN.finditer(text, first_offset(text))
        if found.lastgroup != "comment"
    ]  # fmt: skip


def _mend(sheet: TextUnderRepair, segment: Segment) -> Iterator[Proposal]:
    rest = _without(sheet.source, segment)
    found: list[tuple[int, int, str, Edit]] = []
    for reason, edit in _edits(segment):
        score = _score(sheet.source, segment, edit, rest)
        if score is not None:
            found.append((score, edit.span.start, reason, edit))
    for score, _, reason, edit in sorted(found, key=lambda each: each[:2])[:MOST]:
        yield Proposal(reason, (edit,), costs.SLIP + score)


def _edits(segment: Segment) -> Iterator[tuple[str, Edit]]:
    depth, lowest = segment.depth
    tokens = segment.tokens
    following = [*tokens[1:], None]
    if depth > 0:
        for token, after in zip(tokens, following, strict=True):
            if after is None or after.kind != "close":  # before a closing bracket it would be the same
                yield "a closing bracket is missing", insert(token.span.end, ")" * depth)
        if depth == 1:
            for token in tokens:
                if token.kind == "open":
                    yield "this opening bracket is too many", Edit(token.span, "")
    elif lowest < 0:
        before = None
        for token in tokens:
            if before is None or before.kind != "open":
                yield "an opening bracket is missing", insert(token.span.start, "(")
            before = token
        for token in tokens:
            if token.kind == "close":
                yield "this closing bracket is too many", Edit(token.span, "")


def _without(source: Source, segment: Segment) -> TextUnderRepair:
    """The rest of the sheet, whose names and arities tell how this segment should read."""
    span = segment.span
    return TextUnderRepair(Source(source.name, source.text[: span.start] + "\n" + source.text[span.end :]))


def _score(source: Source, segment: Segment, edit: Edit, rest: TextUnderRepair) -> int | None:
    """The cost of the segment's reading after an edit; None where it still cannot be read."""
    span = segment.span
    # The start of the line is part of the layout.
    begin = source.text.rfind("\n", 0, span.start) + 1
    padded = Source(source.name, " " * (span.start - begin) + source.text[span.start : span.end])
    moved = Edit(Span(edit.span.start - begin, edit.span.end - begin), edit.text)
    text = apply_edits(padded, [moved])
    nodes, faults = read_nodes(text)
    if faults:
        return None
    _, unread = build_rules(nodes, text)
    score = 3 * costs.MISFIT * len(unread)
    for node in nodes:
        score += _oddity(node, rest) + _layout(node, text)
        column = text.position(node.span.start)[1]
        if begins_line(node, text) and column > 1:
            score += costs.ODD_LAYOUT
        if node.kind is not NodeKind.LIST and node.name not in {name for name, _ in rest.relations}:
            score += costs.MISFIT
    return score


def _oddity(form: Node, rest: TextUnderRepair) -> int:
    """The cost of a reading: names with arities, and arguments in places, that the rest never has."""
    score = 0
    for spot in spots_of(form):
        if spot.role == "relation":
            if spot.text in KEYWORD_ARITIES:
                score += 3 * costs.MISFIT * (KEYWORD_ARITIES[spot.text] != spot.arity)
            elif not rest.relations[spot.text, spot.arity] and spot.text not in CONNECTIVES:
                score += costs.MISFIT
            elif spot.text in CONNECTIVES:
                score += 3 * costs.MISFIT
        elif spot.role == "function":
            known = rest.held.get(spot.place) if spot.place else None
            if spot.place is None or known is None or not known[spot.filler]:
                score += costs.MISFIT
        if spot.role in ("relation", "function") and spot.whole.items:
            kind = "r" if spot.role == "relation" else "f"
            score += misfit(rest, kind, spot.text, [filler_of(item) for item in spot.whole.items[1:]])
        if spot.role == "variable" and form.head != "<=":
            score += costs.MISFIT  # a variable in a fact
    return score


def _layout(form: Node, text: Source) -> int:
    """Lines of one bracket that do not begin alike, or begin left of it."""
    score = 0
    for node in form.walk():
        inner = [item for item in node.items[1:] if begins_line(item, text)]
        columns = {text.position(item.span.start)[1] for item in inner}
        here = text.position(node.span.start)[1]
        score += costs.ODD_LAYOUT * (max(len(columns) - 1, 0) + sum(column <= here for column in columns))
    return score
