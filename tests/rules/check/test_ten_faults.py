"""A sheet with ten faults of different kinds: all ten are told, each at its line and column."""

from tests.rules.check.sheets import check

SHEET = """\
(role white) (role black)
(init (heap 3))
(init (heap 2 1))
(true (heap 1))
(distinct white black)
(succ 0 1) (succ 1 2) (succ 2 ?n)
(<= (legal ?p take)
    (true (heap ?m)))
(<= (legal ?p noop)
    (role ?p)
    (does ?p take))
(<= (next (heap ?m))
    (true (heap ?n))
    (succ ?m ?n)
    (not (blocked ?k)))
(<= (blocked ?n)
    (succ ?n 1)
    (not (free ?n)))
(<= (free ?n)
    (blocked ?n))
(<= terminal
    (next (heap 0)))
(<= (goal ?p 1000)
    (role ?p)
    (true (heap 0)))
(<= (goal ?p 0)
    (role ?p)
    (won))
"""


def test_ten_planted_faults_are_all_told_at_their_places() -> None:
    told = {(fault.code, fault.line, fault.column) for fault in check(SHEET)}
    assert {
        ("function-arities", 3, 7),
        ("keyword-head", 4, 1),
        ("misplaced-connective", 5, 1),
        ("variable-in-fact", 6, 31),
        ("unsafe-head", 7, 12),
        ("depends-on-does", 11, 5),
        ("negation-only-variable", 15, 19),
        ("negation-cycle", 18, 10),
        ("next-in-body", 22, 5),
        ("goal-value", 23, 14),
        ("undefined-relation", 28, 5),
    } <= told


def test_diagnostics_come_in_the_order_of_the_text() -> None:
    starts = [fault.span.start for fault in check(SHEET)]
    assert starts == sorted(starts)
