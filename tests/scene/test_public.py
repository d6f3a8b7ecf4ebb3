"""What spectators may be told, by the form of the rules."""

from __future__ import annotations

from itertools import islice

import pytest

from ludorum.engine.load import load_game
from ludorum.rules.kif import parse_kif
from ludorum.rules.terms import Term
from ludorum.scene import FactGroup, StepLines, Watcher, scene_of
from ludorum.scene.public import public_news

TWO = "(role alice) (role bob) (other alice bob) (other bob alice) "
"""Two players, and a list of facts about them."""
SAID = "(<= (sees ?p (says ?q ?m)) (other ?p ?q) (true (turn ?q)) (does ?q ?m))"


@pytest.mark.parametrize(
    ("rules", "public"),
    [
        ("(<= (sees ?p (drawn ?c)) (role ?p) (does random (draw ?c)))", {"drawn"}),
        ("(<= (sees ?p (drawn ?c)) (other ?p ?q) (does random (draw ?c)))", {"drawn"}),
        ("(<= (sees alice bell) (true (at 3))) (<= (sees bob bell) (true (at 3)))", {"bell"}),
        ("(<= (sees ?p gong) (role ?p) (distinct ?p random) (true over))", {"gong"}),
        ("(<= (sees ?p (drawn ?c)) (does random (draw ?p ?c)))", set()),
        ("(<= (sees alice bell) (true (at 3))) (<= (sees bob bell) (true (at 4)))", set()),
        ("(<= (sees alice bell) (true (at 3)))", set()),
        ("(<= (sees ?p bell) (role ?p) (true (near ?p)))", set()),
        ("(<= (sees ?p ?x) (role ?p) (true (note ?x)))", set()),
        # One percept may be public, and another of the same relation not.
        ("(<= (sees ?p (did bet)) (role ?p) (does alice bet)) (<= (sees bob (did ?x)) (true ?x))", set()),
        ("(<= (sees ?p (did bet)) (role ?p) (does alice bet)) (<= (sees bob (did call)) (true at))", {"did"}),
        # What the others are told of a move is known to the role that made it.
        ("(<= (sees ?p (says ?q ?m)) (other ?p ?q) (does ?q ?m))", {"says"}),
        ("(<= (sees ?p (says ?q)) (other ?p ?q) (does ?q (bid ?m)))", {"says"}),
        ("(<= (sees ?p (says ?q ?x)) (other ?p ?q) (does ?q bid) (true (holds ?q ?x)))", set()),
        ("(<= (sees bob (hit ?x)) (does alice (fire ?x)) (true (ship ?x)))", set()),
        # A condition does no harm where the mover's own move decides it.
        (
            f"{SAID} (<= (legal ?p bet) (role ?p) (true (turn ?p)))"
            "(<= (legal ?p noop) (role ?p) (not (true (turn ?p))))",
            {"says"},
        ),
        (
            f"{SAID} (<= (legal ?p bet) (role ?p) (true (turn ?p)))(<= (legal ?p noop) (role ?p))",
            set(),
        ),
        (
            f"{SAID} (<= (legal ?p bet) (role ?p) (true (turn ?p)))"
            "(<= (legal ?p bet) (role ?p) (not (true (turn ?p))))",
            set(),
        ),
    ],
)
def test_percepts_are_public_where_every_role_can_know_so(rules: str, public: set[str]) -> None:
    news = public_news(parse_kif(TWO + rules))
    assert {one.what.name for one in news if isinstance(one.what, Term)} == public


def test_spectators_hear_what_is_said_at_poker() -> None:
    game = load_game("kuhn_poker")
    states = [game.initial()]
    deal = ({"random": "(deal alice king)"}, {"random": "(deal bob jack)"})
    for joint in (*deal, {"alice": "check"}, {"bob": "bet"}):
        states.append(states[-1].play(joint))
    sight = Watcher(game, None).sight(states)
    lines = StepLines(game, None).lines(states, sight.is_open)
    assert [(line.step, line.words) for line in lines] == [
        (3, "alice says check"),
        (4, "bob says bet"),
    ]
    scene = scene_of(game, sight)
    assert scene.facts == (FactGroup("to move", ("alice",)), FactGroup("bettor", ("bob",)))
    assert scene.told == ("bob says bet",)


def test_spectators_see_what_a_role_sees_that_plays_alone() -> None:
    game = load_game("minesweeper")
    states = list(islice(game.playout(1), 8))
    alone, watching = (Watcher(game, role).sight(states) for role in (game.role("player"), None))
    assert scene_of(game, alone) == scene_of(game, watching)
