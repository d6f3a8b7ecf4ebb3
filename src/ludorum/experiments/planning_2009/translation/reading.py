"""Rule text as the method of 2009 read it: brackets and single spaces, nothing else.

Line ends reach it as single spaces. Comments, tabs and doubled spaces mean nothing special: their characters
become part of whatever stands around them (B14).
"""

from __future__ import annotations

import re

_LINE_END = re.compile(r" *\r?\n *")


def statements(text: str) -> list[str]:
    """Every bracketed statement of the lowered text; what stands between them is passed over."""
    flat = _LINE_END.sub(" ", text.lower())
    found: list[str] = []
    depth = start = 0
    for at, sign in enumerate(flat):
        if sign == "(":
            start = at if depth == 0 else start
            depth += 1
        elif sign == ")" and depth > 0:
            depth -= 1
            if depth == 0:
                found.append(flat[start : at + 1])
    return found


def items(inside: str) -> list[str]:
    """The items of a list, told apart by single spaces; a doubled space makes an empty item."""
    found: list[str] = []
    depth = start = 0
    for at, sign in enumerate(inside):
        if sign == "(":
            depth += 1
        elif sign == ")":
            depth -= 1
        elif sign == " " and depth == 0:
            found.append(inside[start:at])
            start = at + 1
    found.append(inside[start:])
    return found


def parts(item: str) -> list[str]:
    """The items of a bracketed item, its functor first; a lone word is its own functor."""
    return items(item[1:-1]) if item.startswith("(") else [item]


def asp_text(item: str) -> str:
    """A term in the grounder's syntax: ``(on ?x a)`` is ``on(X,a)``; names are taken as they are."""
    if not item.startswith("("):
        return item[1:].upper() if item.startswith("?") else item
    functor, *arguments = parts(item)
    return f"{functor}({','.join(map(asp_text, arguments))})" if arguments else functor
