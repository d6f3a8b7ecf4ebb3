"""Canonical JSON, form ``A`` of the match format: one text for one value, over which signatures are made.

Keys are sorted, there is no white space, and texts are quoted as the first hosts quoted them: besides what
JSON demands, ``</`` becomes ``<\\/``, and the control and punctuation blocks that break old readers are
written as ``\\u....``.
"""

from __future__ import annotations

import math
import re

FORM = "A"
"""The letter that names this form in signatures."""

_SPECIAL = re.compile('["\\\\\x00-\x1f\x80-\x9f\u2000-\u20ff]|(?<=<)/')
_SHORT = {
    '"': '\\"',
    "\\": "\\\\",
    "/": "\\/",
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\f": "\\f",
    "\r": "\\r",
}


def canonical_form(value: object) -> str:
    """The one text of a JSON value; ValueError for a value that JSON cannot write."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return _fraction(value)
        case str():
            return _quoted(value)
        case list() | tuple():
            return f"[{','.join(map(canonical_form, value))}]"
        case dict():
            pairs = (f"{_quoted(key)}:{canonical_form(value[key])}" for key in sorted(value, key=_utf16))
            return f"{{{','.join(pairs)}}}"
        case _:
            raise ValueError(f"JSON cannot write {type(value).__name__}")


def _utf16(key: str) -> bytes:
    """Keys sort as the first hosts' language sorts texts: by UTF-16 units."""
    return key.encode("utf-16-be", "surrogatepass")


def _quoted(text: str) -> str:
    return f'"{_SPECIAL.sub(_escape, text)}"'


def _escape(found: re.Match[str]) -> str:
    sign = found[0]
    return _SHORT.get(sign) or f"\\u{ord(sign):04x}"


def _fraction(value: float) -> str:
    """Whole numbers without a point. Very large and very small fractions differ between languages."""
    if not math.isfinite(value):
        raise ValueError("JSON cannot write infinite numbers")
    return str(int(value)) if value == int(value) and abs(value) < 1e7 else repr(value)
