"""Games of the thesis on WDL in our words, with the defects that were found in its printed rules.

They are for tests alone: the library has these games as they are meant.
"""

from __future__ import annotations

from ludorum.rules.library import find_sheet

_START = {1: ("white", 2), 12: ("white", 5), 17: ("white", 3), 19: ("white", 5),
          24: ("black", 2), 13: ("black", 5), 8: ("black", 3), 6: ("black", 5)}  # fmt: skip


def _men() -> str:
    found = []
    for point in range(1, 25):
        colour, count = _START.get(point, ("", 0))
        found += [f"(init (men {point} {one} {count if one == colour else 0}))" for one in ("black", "white")]
    return " ".join(found)


def _all_home(colour: str, other: str, points: range) -> str:
    outside = " ".join(f"(true (men {n} {colour} 0)) (true (men {n} {other} ?k))" for n in points)
    return f"(<= (allhome {colour}) {outside})"


BACKGAMMON = f"""
(include dicing) (include greater) (include plus) (set range 0 64)
(role black) (role white) (opposite black white) (opposite white black)
(init (phase prestart)) (init (bar black 0)) (init (bar white 0)) (init (out black 0)) (init (out white 0))
{_men()}

(<= (legal ?p (roll dicing:dice)) (role ?p) (true (phase prestart)))
(<= (legal ?p noop) (role ?p) (true (phase getstarter)))
(<= (legal ?p (roll dicing:dice)) (true (phase ?p ?i)))
(<= (legal ?q noop) (opposite ?p ?q) (true (phase ?p ?i)))
(<= (legal ?q noop) (opposite ?p ?q) (true (phase ?p move ?i)))
(<= (die 1 first ?v) (true (firstroll ?v)))
(<= (die 2 second ?v) (true (secondroll ?v)))
(<= (legal ?p (move ?from ?to ?d)) (true (phase ?p move ?i)) (die ?i ?d ?v) (true (bar ?p 0))
    (true (men ?from ?p ?k)) (greater:greaterthan ?k 0) (far ?p ?from ?v ?to) (open ?p ?to))
(<= (legal ?p (move 0 ?to ?d)) (true (phase ?p move ?i)) (die ?i ?d ?v) (true (bar ?p ?k))
    (greater:greaterthan ?k 0) (entry ?p ?v ?to) (open ?p ?to))
(<= (legal ?p (move ?from out ?d)) (true (phase ?p move ?i)) (die ?i ?d ?v) (true (bar ?p 0)) (allhome ?p)
    (true (men ?from ?p ?k)) (greater:greaterthan ?k 0) (beyond ?p ?from ?v))
(<= (legal ?p (move 25 25 ?d)) (true (phase ?p move ?i)) (die ?i ?d ?v) (true (bar ?p ?k))
    (greater:greaterthan ?k 0) (entry ?p ?v ?to) (opposite ?p ?q) (true (men ?to ?q ?n))
    (greater:greaterthan ?n 2))
(<= (far white ?from ?v ?to) (true (men ?from white ?k)) (true (men ?to white ?n)) (die ?i ?d ?v)
    (plus:plus ?from ?v ?to))
(<= (far black ?from ?v ?to) (true (men ?from black ?k)) (true (men ?to black ?n)) (die ?i ?d ?v)
    (plus:minus ?from ?v ?to))
(<= (entry white ?v ?v) (die ?i ?d ?v))
(<= (entry black ?v ?to) (die ?i ?d ?v) (plus:minus 25 ?v ?to))
(<= (open ?p ?to) (opposite ?p ?q) (true (men ?to ?q ?n)) (greater:greaterthan 2 ?n))
(<= (beyond white ?from ?v) (true (men ?from white ?k)) (die ?i ?d ?v) (plus:plus ?from ?v ?s)
    (greater:greaterthan ?s 24))
(<= (beyond black ?from ?v) (true (men ?from black ?k)) (die ?i ?d ?v) (plus:minus ?from ?v ?s)
    (greater:greaterthan 0 ?s))
{_all_home("white", "black", range(1, 18))}
{_all_home("black", "white", range(7, 25))}

(<= (next (rollvalue ?p ?v)) (does ?p (roll ?v)) (true (phase prestart)))
(<= (next (phase getstarter)) (true (phase prestart)))
(<= (starts ?p) (true (rollvalue ?p ?v)) (opposite ?p ?q) (true (rollvalue ?q ?w))
    (greater:greaterthan ?v ?w))
(<= (next (phase ?p move 1)) (true (phase getstarter)) (starts ?p))
(<= (next (phase prestart)) (true (phase getstarter)) (true (rollvalue black ?v)) (true (rollvalue white ?v)))
(<= (next (firstroll ?v)) (true (phase getstarter)) (true (rollvalue black ?v)))
(<= (next (secondroll ?v)) (true (phase getstarter)) (true (rollvalue white ?v)))
(<= (next (firstroll ?v)) (true (phase ?p 1)) (does ?p (roll ?v)))
(<= (next (secondroll ?v)) (true (phase ?p 2)) (does ?p (roll ?v)))
(<= (next (firstroll ?v)) (true (firstroll ?v)) (not first_again))
(<= (next (secondroll ?v)) (true (secondroll ?v)) (not second_again))
(<= first_again (true (phase ?p 1)))
(<= second_again (true (phase ?p 2)))
(<= (next (pair ?d)) (true (phase ?p 2)) (does ?p (roll ?d)) (true (firstroll ?d)))
(<= (next (pair ?d)) (true (pair ?d)) (true (phase ?p move 1)))
(<= (next (phase ?p 2)) (true (phase ?p 1)))
(<= (next (phase ?p move 1)) (true (phase ?p 2)))
(<= (next (phase ?p move 2)) (true (phase ?p move 1)))
(<= (next (phase ?p move 1)) (true (phase ?p move 2)) (true (pair ?d)))
(<= (next (phase ?q 1)) (true (phase ?p move 2)) (opposite ?p ?q) (not paired))
(<= paired (true (pair ?d)))

(<= (next (men ?n ?p ?j)) (does ?p (move ?n ?to ?d)) (true (men ?n ?p ?k)) (plus:minus ?k 1 ?j))
(<= (next (men ?n ?p ?j)) (does ?p (move ?from ?n ?d)) (true (men ?n ?p ?k)) (plus:plus ?k 1 ?j))
(<= (next (men ?n ?q 0)) (does ?p (move ?from ?n ?d)) (opposite ?p ?q) (true (men ?n ?q ?k)))
(<= (next (men ?n ?c ?k)) (true (men ?n ?c ?k)) (not (touched ?n ?c)))
(<= (touched ?n ?p) (does ?p (move ?n ?to ?d)))
(<= (touched ?n ?c) (role ?c) (does ?p (move ?from ?n ?d)))
(<= moving (does ?p (move ?from ?to ?d)))
(<= (next (bar ?p ?j)) (does ?p (move 0 ?to ?d)) (true (bar ?p ?k)) (plus:minus ?k 1 ?j))
(<= (next (bar ?p ?k)) (does ?p (move ?from ?to ?d)) (distinct ?from 0) (true (bar ?p ?k)))
(<= (next (bar ?q ?j)) (does ?p (move ?from ?to ?d)) (opposite ?p ?q) (true (men ?to ?q 1)) (true (bar ?q ?k))
    (plus:plus ?k 1 ?j))
(<= (next (bar ?q ?k)) (does ?p (move ?from ?to ?d)) (opposite ?p ?q) (true (men ?to ?q ?n)) (distinct ?n 1)
    (true (bar ?q ?k)))
(<= (next (bar ?q ?k)) (does ?p (move 25 25 ?d)) (opposite ?p ?q) (true (bar ?q ?k)))
(<= (next (bar ?p ?k)) (true (bar ?p ?k)) (not moving))
(<= (next (out ?p ?j)) (does ?p (move ?from out ?d)) (true (out ?p ?k)) (plus:plus ?k 1 ?j))
(<= (next (out ?p ?k)) (true (out ?p ?k)) (not (bears_off ?p)))
(<= (bears_off ?p) (does ?p (move ?from out ?d)))

(<= (goal ?p 100) (true (out ?p 15)) (opposite ?p ?q) (true (bar ?q ?k)) (greater:greaterthan 0 ?k))
(<= (goal ?p 66) (true (out ?p 15)) (opposite ?p ?q) (true (out ?q 0)))
(<= (goal ?p 33) (true (out ?p 15)) (opposite ?p ?q) (true (out ?q ?k)) (greater:greaterthan 0 ?k))
"""
"""Nothing ends it (B1); entering and passing leave a gap (B2), and passing exists on the bar alone (B3).
Goals compare with less than nothing (B4). Being home asks for equal heaps of the other (B5) and forgets point
18 (B6); black bears off below nothing only (B7), losing the other bar (B8). Dice outlive ties (B10)."""


def black_jack() -> str:
    """Our black jack with goals as printed: a misspelt name compares with any number (J1), and nobody is told
    of having lost (J2)."""
    text = find_sheet("black_jack").source.text
    start, end = text.index("(<= (goal "), text.index("; --- numbers")
    goals = """
    (<= (goal ?p 100) (true (points ?p ?n)) (not_over ?n) (role ?q) (distinct ?p ?q) (true
    (points ?q ?m)) (not_over ?m)
        (above ?n ?mine))
    (<= (goal ?p 100) (true (points ?p ?n)) (not_over ?n) (role ?q) (distinct ?p ?q) (true (points ?q ?m))
        (not (not_over ?m)))
    (<= (goal ?p 0) (true (points ?p ?n)) (not (not_over ?n)))
    """
    return text[:start] + goals + text[end:]


UNSAFE_DECK = (
    "(<= (random getcard 1 ?card) (cards:carddeck:card ?card ?_s ?_r) (not (true (hascard ?who ?card))))"
)
"""A card is undealt where nobody holds it, but nothing says who is asked for (J3)."""

CLOCK = """
(set realtime) (include successor) (include greater)
(role white) (role black) (opposite white black) (opposite black white)
(init (control white))
(<= (legal ?p hit) (true (control ?p)))
(<= (next (control ?q)) (does ?p hit) (opposite ?p ?q))
(<= (next (chessclock ?p ?m)) (true (control ?p)) (true (chessclock ?p ?n)) (clock ?now) (successor:++ ?n ?m))
(<= terminal (true (chessclock ?p ?n)) (greater:greaterthan ?n 200))
(<= (goal ?q 100) (true (chessclock ?p ?n)) (greater:greaterthan ?n 200) (opposite ?p ?q))
"""
"""The counters have no beginning, so they never count; and whose turn it is, is gone at the first tick."""
