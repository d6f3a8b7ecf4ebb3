"""Finds the end of a text of brackets, for peers that do not send its length."""

from __future__ import annotations

import re

LONGEST_NAME = 4096
"""Largest number of bytes between two bars; anything longer is not a name."""
_QUIET = re.compile(rb";[^\r\n]*(?=[\r\n])|\|[^|\n]*\|")
_UNFINISHED_NAME = re.compile(rb"\|[^|\n]*\Z")
_COMMENT = re.compile(rb";[^\r\n]*")
_LINE_END = re.compile(rb"[\r\n]")


class Brackets:
    """Counts the brackets of a text that comes in pieces, comments and names between bars aside.

    Every byte is looked at once or twice, however small the pieces are: counting the whole text again for
    each piece would let a peer that sends byte by byte keep the program busy.
    """

    def __init__(self) -> None:
        self._open = 0
        """How many brackets are open."""
        self._in_comment = False
        self._name = b""
        """A name between bars that has not ended yet, or a bar that begins none."""

    def feed(self, data: bytes | bytearray) -> None:
        if self._in_comment:
            end = _LINE_END.search(data)
            if end is None:
                return
            self._in_comment, data = False, data[end.start() :]
        text = _QUIET.sub(b"", self._name + data)
        name, comment = _UNFINISHED_NAME.search(text), text.find(b";")
        self._name = b""
        if comment >= 0 and (name is None or comment < name.start()):
            self._in_comment, text = True, text[:comment]
        elif name is not None and len(name[0]) <= LONGEST_NAME:
            self._name, text = bytes(name[0]), text[: name.start()]
        self._open += _excess(text)

    @property
    def balanced(self) -> bool:
        """Whether every bracket so far is closed."""
        return self._open + _excess(_COMMENT.sub(b"", self._name)) <= 0


def is_balanced(data: bytes | bytearray) -> bool:
    """Whether every bracket of a text is closed, comments and names between bars aside."""
    brackets = Brackets()
    brackets.feed(data)
    return brackets.balanced


def _excess(text: bytes | bytearray) -> int:
    return text.count(b"(") - text.count(b")")
