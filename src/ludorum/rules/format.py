"""Rule sheets in one standard layout, comments included.

Facts stand on one line; a rule has its head on the first line and each body literal on a line of its own;
only what is wider than a line is broken further. Comments stay where they were, paragraphs stay apart by one
empty line, and the rules never change. Formatting what is formatted changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .convert import convert_text
from .kif import TOKEN, read_kif, read_nodes
from .reader import rule_language
from .source import RulesError, Source
from .syntax import first_offset

MAX_WIDTH = 100
INDENT = 4

_HUGGING = frozenset({"<=", "not"})
"""Words whose first argument stays on their line where the other arguments are broken over several."""


def format_text(source: Source, language: str | None = None) -> str:
    """The sheet in the standard layout of its own language; raises RulesError where it cannot be read."""
    return format_as(source, rule_language(source, language), language)


def format_as(source: Source, to: str, language: str | None = None) -> str:
    """The sheet in the standard layout of the language ``to``, comments converted with it."""
    written = rule_language(source, language)
    wanted = rule_language(source, to)
    if written == wanted == "kif":
        # WDL has rules inside `visible`, which are none of GDL's forms.
        _, faults = (read_nodes if source.name.endswith(".wdl") else read_kif)(source)
        if faults:
            raise RulesError(faults)
        return _format_kif_text(source.text)
    return convert_text(source, written, wanted)


@dataclass(slots=True)
class _Item:
    """A symbol, a comment or a bracket of the text, with its width when written on one line."""

    text: str = ""
    is_comment: bool = False
    trails: bool = False
    """Whether a comment stands behind code on the same line."""
    paragraph: bool = False
    """Whether an empty line stands before it."""
    items: list[_Item] = field(default_factory=list)
    is_list: bool = False
    has_comment: bool = False
    width: int = 0


@dataclass(slots=True)
class _Line:
    indent: int
    code: str = ""
    comment: str = ""

    def __str__(self) -> str:
        parts = [part for part in (self.code, self.comment) if part]
        return (" " * self.indent + " ".join(parts)).rstrip()


def _format_kif_text(text: str) -> str:
    lines: list[_Line] = []
    for item in _read_items(text):
        if item.paragraph and lines:
            lines.append(_Line(0))
        if item.is_comment:
            _add_comment(lines, item, 0)
        else:
            lines += _layout(item, 0, 0)
    return "".join(f"{line}\n" for line in lines)


def _read_items(text: str) -> list[_Item]:
    """The top-level items of a text whose brackets are known to match."""
    top: list[_Item] = []
    stack: list[_Item] = []
    end = first_offset(text)
    before_all = True
    for token in TOKEN.finditer(text, end):
        between = text[end : token.start()]
        breaks = between.count("\n") or between.count("\r")
        end = token.end()
        kind = token.lastgroup
        inside = stack[-1].items if stack else top
        if kind == "close":
            closed = stack.pop()
            outer = stack[-1].items if stack else top
            closed.width = 1 + len(closed.items) + sum(item.width for item in closed.items)
            closed.has_comment = any(item.has_comment for item in closed.items)
            outer.append(closed)
        elif kind == "open":
            stack.append(_Item(is_list=True, paragraph=breaks > 1))
        elif kind == "comment":
            trails = not breaks and not before_all
            inside.append(_Item(token.group().rstrip(), True, trails, breaks > 1, has_comment=True))
        else:
            symbol = token.group() if kind == "quoted" else token.group().lower()
            inside.append(_Item(symbol, paragraph=breaks > 1, width=len(symbol)))
        before_all = False
    return top


def _layout(item: _Item, indent: int, closing: int) -> list[_Line]:
    """The lines of an item at an indentation, with room on the last for brackets that close after it."""
    if not item.is_list:
        return [_Line(indent, item.text)]
    word = item.items[0].text if item.items else ""
    is_rule = word == "<=" and len(item.items) > 2
    if not item.has_comment and not is_rule and indent + item.width + closing <= MAX_WIDTH:
        return [_Line(indent, _flat(item))]
    lines = [_Line(indent, "(")]
    last = max((at for at, inner in enumerate(item.items) if not inner.is_comment), default=-1)
    for at, inner in enumerate(item.items):
        if inner.is_comment:
            _add_comment(lines, inner, indent + INDENT)
        elif at == 0 and not inner.is_list:
            lines[0].code += inner.text
        elif at == 1 and word in _HUGGING and not lines[0].comment:
            hugged = _layout(inner, indent + len(word) + 2, closing + 1 if at == last else 0)
            lines[0].code += f" {hugged[0].code}"
            lines[0].comment = hugged[0].comment
            lines += hugged[1:]
        else:
            lines += _layout(inner, indent + INDENT, closing + 1 if at == last else 0)
    if lines[-1].code:
        lines[-1].code += ")"
    else:
        lines.append(_Line(indent, ")"))
    return lines


def _add_comment(lines: list[_Line], comment: _Item, indent: int) -> None:
    if comment.trails and lines and lines[-1].code and not lines[-1].comment:
        lines[-1].comment = comment.text
    else:
        lines.append(_Line(indent, "", comment.text))


def _flat(item: _Item) -> str:
    if not item.is_list:
        return item.text
    return f"({' '.join(_flat(inner) for inner in item.items)})"
