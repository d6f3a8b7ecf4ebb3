"""A tiny good game, and the questions the tests of the checks ask about variants of it."""

from ludorum.rules.check import check_source
from ludorum.rules.source import Diagnostic, Severity, Source

GOOD = """\
(role white)
(role black)
(init (heap 3))
(init (control white))
(succ 0 1) (succ 1 2) (succ 2 3)
(other white black) (other black white)
(<= (legal ?p take)
    (true (control ?p)))
(<= (legal ?p noop)
    (role ?p)
    (not (true (control ?p))))
(<= (next (heap ?m))
    (true (heap ?n))
    (succ ?m ?n))
(<= (next (control ?q))
    (true (control ?p))
    (other ?p ?q))
(<= terminal
    (true (heap 0)))
(<= (goal ?p 0)
    (true (control ?p)))
(<= (goal ?q 100)
    (true (control ?p))
    (other ?p ?q))
"""
"""A game of Nim with one heap: no fault, no warning, not even a note."""

LINES = GOOD.count("\n")


def check(text: str, lenient: bool = False) -> list[Diagnostic]:
    return check_source(Source("sheet.kif", text), lenient)


def check_added(text: str, lenient: bool = False) -> list[Diagnostic]:
    """The faults of the good game with some lines added."""
    return check(GOOD + text, lenient)


def places(faults: list[Diagnostic], code: str) -> list[tuple[int, int]]:
    """Line and column of each fault of a code."""
    return [(fault.line, fault.column) for fault in faults if fault.code == code]


def errors(faults: list[Diagnostic]) -> set[str]:
    return {fault.code for fault in faults if fault.severity is Severity.ERROR}
