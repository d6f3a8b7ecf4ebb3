"""A tiny GDL-II game for these tests, a right record of it, and engines that answer wrongly on purpose."""

from __future__ import annotations

from collections.abc import Iterable

from ludorum.engine.reference import ReferenceGame
from ludorum.rules.kif import parse_kif
from ludorum.rules.terms import Term

RULES = """
(role left) (role right)
(init (count 0))
(succ 0 1) (succ 1 2)
(legal left add) (legal left wait)
(<= (legal right (guess ?n)) (succ ?m ?n))
(<= (next (count ?n)) (true (count ?m)) (succ ?m ?n) (does left add))
(<= (next (count ?n)) (true (count ?n)) (does left wait))
(<= (sees right ?move) (does left ?move))
(<= terminal (true (count 2)))
(<= (goal left 100) (true (count 2)))
(<= (goal left 0) (not (true (count 2))))
(goal right 50)
"""

MOVES = [["add", "(guess 1)"], ["wait", "(guess 2)"], ["add", "(guess 1)"]]
STATES = [["(count 0)"], ["(count 1)"], ["(count 1)"], ["(count 2)"]]
LEGAL = {"left": ["add", "wait"], "right": ["(guess 1)", "(guess 2)"]}


def counter_game() -> ReferenceGame:
    return ReferenceGame(parse_kif(RULES), "counter")


def replay() -> dict[str, object]:
    """A fresh copy of the right record in replay form, for a test to spoil."""
    return {
        "game": "counter",
        "roles": ["left", "right"],
        "states": [list(state) for state in STATES],
        "moves": [list(joint) for joint in MOVES],
        "goals": [100, 50],
    }


def playout() -> dict[str, object]:
    """The same match as a playout that notes everything for two steps and counts for the rest."""
    return {
        "game": "counter",
        "roles": ["left", "right"],
        "moves": [list(joint) for joint in MOVES],
        "nlegal": [[2, 2]] * 4,
        "steps": [
            {"state": ["(count 0)"], "legal": LEGAL, "sees": {"left": [], "right": ["add"]}},
            {"state": ["(count 1)"], "legal": LEGAL, "sees": {"left": [], "right": ["wait"]}},
        ],
        "final": {
            "state": ["(count 2)"],
            "terminal": True,
            "goals": {"left": ["100"], "right": ["50"]},
            "step": 3,
        },
        "end": "terminal",
    }


def spectator() -> dict[str, object]:
    """The same match as a host publishes it: no role names, a state in one string."""
    return {
        "matchId": "kiosk.counter-1",
        "startTime": 1400000000000,
        "randomToken": "abcdefghijkl",
        "startClock": 10,
        "playClock": 5,
        "gameMetaURL": "http://games.ggp.org/base/games/counter/v0/",
        "states": ["( ( count 0 ) )", "( ( count 1 ) )", "( ( count 1 ) )", "( ( count 2 ) )"],
        "moves": [["add", "( guess 1 )"], ["wait", "( guess 2 )"], ["add", "( guess 1 )"]],
        "stateTimes": [1, 2, 3, 4],
        "errors": [["", ""], ["", "TO"], ["", ""], ["", ""]],
        "isCompleted": True,
        "goalValues": [100, 50],
    }


def samples() -> dict[str, object]:
    return {
        "game": "counter",
        "samples": {
            "next": [{"state": ["(count 0)"], "does": [["left", "add"]], "expect": ["(count 1)"]}],
            "legal": [
                {
                    "state": ["(count 0)"],
                    "does": [],
                    "expect": [[role, move] for role, moves in LEGAL.items() for move in moves],
                }
            ],
            "goal": [{"state": ["(count 2)"], "does": [], "expect": [["left", "100"], ["right", "50"]]}],
            "terminal": [
                {"state": ["(count 2)"], "does": [], "expect": True},
                {"state": [], "does": [], "expect": False},
            ],
        },
    }


class ForgetfulGame(ReferenceGame):
    """Tells nobody anything, and knows no way out of 1."""

    def successor(
        self, facts: Iterable[Term], does: Iterable[tuple[Term, Term]]
    ) -> tuple[frozenset[Term], dict[Term, tuple[Term, ...]]]:
        after, _ = super().successor(facts, does)
        one = frozenset({Term("count", (Term("1"),))})
        return (one if frozenset(facts) == one else after), {}
