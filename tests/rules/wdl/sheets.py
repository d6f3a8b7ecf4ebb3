"""Small WDL sheets for tests."""

from __future__ import annotations

from ludorum.rules.source import Source
from ludorum.rules.wdl.modules import ModulePath
from ludorum.rules.wdl.sheet import WdlSheet, read_wdl

COIN = """
(role ann) (role bob) (role cat)
(random coin 2 heads) (random coin 6 tails)
(init (turn ann))
(<= (legal ann (flip (visible ?p coin))) (true (turn ann)) (role ?p) (distinct ?p ann))
(<= (legal ann wait) (true (told ?c)))
(<= (legal ?p wait) (role ?p) (distinct ?p ann))
(<= (next (told ?c)) (does ann (flip ?c)))
(<= terminal (true (told ?c)))
(<= (goal ?p 100) (role ?p) (true (told heads)))
(<= (goal ?p 0) (role ?p) (not (true (told heads))))
"""
"""One flip that only the player of one's choice is shown; heads is a quarter."""

DECK = """
(role ann) (role bob)
(card ace) (card two) (card ten)
(init (step 1))
(count 1 2) (count 2 3) (count 3 4)
(<= (random deck 1 ?c) (card ?c) (not (dealt ?c)))
(<= (random deck 0 ?c) (dealt ?c))
(<= (dealt ?c) (true (hand ?p ?c)))
(<= (legal ann (get (visible ann deck))) (not (true (step 4))))
(<= (legal bob wait) (not (true (step 4))))
(<= (next (hand ann ?c)) (does ann (get ?c)))
(<= (next (hand ann ?c)) (true (hand ann ?c)))
(<= (next (step ?m)) (true (step ?n)) (count ?n ?m))
(<= terminal (true (step 4)))
(goal ann 100) (goal bob 0)
"""
"""Three cards are dealt one after the other: each only once."""

DICE = """
(role ann) (role bob)
(random dice 1 1) (random dice 1 2) (random dice 1 3) (random dice 1 4) (random dice 1 5) (random dice 1 6)
(init start)
(<= (legal ?p (roll dice)) (role ?p) (true start))
(<= (legal ?p wait) (role ?p) (not (true start)))
(<= (next (rolled ?p ?n)) (does ?p (roll ?n)))
(<= terminal (not (true start)))
(<= (goal ?p 100) (true (rolled ?p 6)))
(<= (goal ?p 0) (role ?p) (not (true (rolled ?p 6))))
"""
"""Both roll at once: two draws that know nothing of each other."""

MYCIN = """
(role ann)
(random first 1 yes) (random first 9 no)
(random second 3 yes) (random second 1 no)
(init start)
(<= (legal ann (try first second)) (true start))
(<= (legal ann wait) (not (true start)))
(<= (next concluded) (does ann (try yes ?b)))
(<= (next concluded) (does ann (try ?a yes)))
(<= (next over) (true start))
(<= terminal (true over))
(<= (goal ann 100) (true concluded))
(<= (goal ann 0) (not (true concluded)))
"""
"""Two independent reasons of 1/10 and 3/4 for one conclusion, which has 31/40."""


def sheet_of(text: str, path: ModulePath | None = None) -> WdlSheet:
    """A sheet that can be read."""
    sheet, faults = read_wdl(Source("test", text), path)
    assert not faults, faults
    return sheet
