"""The chat of a match: the last lines, written by people at the match, where it is not switched off."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from .plan import Refused

MOST_LINES = 200
MOST_CHARACTERS = 500


@dataclass(frozen=True)
class ChatLine:
    by: str
    text: str


class Chat:
    """The lines that are kept."""

    def __init__(self, is_on: bool) -> None:
        self.is_on = is_on
        self._lines: deque[ChatLine] = deque(maxlen=MOST_LINES)

    @property
    def lines(self) -> list[ChatLine]:
        return list(self._lines)

    def check(self, text: object) -> str:
        """The text as it is kept; Refused where it cannot be."""
        if not self.is_on:
            raise Refused("the chat of this match is switched off")
        if not isinstance(text, str) or not (plain := " ".join(text.split())):
            raise Refused("there is nothing to say in this message")
        if len(plain) > MOST_CHARACTERS:
            raise Refused(f"a line of the chat has {MOST_CHARACTERS} characters at most")
        return "".join(letter for letter in plain if letter.isprintable())

    def add(self, by: str, text: str) -> None:
        self._lines.append(ChatLine(by, text))
