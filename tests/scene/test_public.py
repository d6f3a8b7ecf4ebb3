"""What spectators may be told, by the form of the rules."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from ludorum.engine.game import State
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


def test_spectators_of_goofspiel_see_prizes_and_neither_bids_nor_points() -> None:
    """Both players know the points. But each is told in words of its own who won a prize, and what is told to
    one alone is nothing that spectators are told."""
    game = load_game("goofspiel")
    states = [game.initial()]
    bids = ({"alice": "(bid 4)", "bob": "(bid 2)"}, {"alice": "(bid 3)", "bob": "(bid 3)"})
    for joint in ({"random": "(turn 3)"}, bids[0], {"random": "(turn 4)"}, bids[1]):
        states.append(states[-1].play(joint))
    shown = [scene_of(game, Watcher(game, None).sight(states[:step])) for step in range(2, 6)]
    assert [one.told for one in shown] == [("turned 3",), (), ("turned 4",), ()]
    # What every match begins with is known until the first bids.
    assert "points" in {group.name for group in shown[0].facts}
    assert [group.name for one in shown[1:] for group in one.facts] == [
        "",
        "prize",
        "open",
        "prize",
        "",
        "prize",
    ]
    alice = scene_of(game, Watcher(game, game.role("alice")).sight(states))
    assert {group.name: group.entries for group in alice.facts}["points"] == ("alice 3", "bob 0")
    over = scene_of(game, Watcher(game, None).sight(states, is_over=True))
    assert {"holds", "points"} <= {group.name for group in over.facts}


def _after_random_steps(name: str, steps: int) -> list[State]:
    """The states of a random match of a game in WDL that does not end before."""
    game, chance = load_game(name), Random(5)
    states = [game.initial()]
    for _ in range(steps):
        states.append(states[-1].play([chance.choice(states[-1].legal(role)) for role in game.roles]))
    return states


def _seen_by_a_spectator(states: list[State]) -> tuple[set[str], set[str]]:
    """The names of facts that a spectator is shown at any step, and the first words of what it is told."""
    game = states[0].game
    scenes = [scene_of(game, Watcher(game, None).sight(states[: at + 1])) for at in range(1, len(states))]
    facts = {group.name for scene in scenes for group in scene.facts}
    return facts, {line.split()[1] for scene in scenes for line in scene.told}


@pytest.mark.parametrize(
    ("name", "steps", "hidden", "told"),
    [
        ("auction", 3, {"worth"}, {"look", "bid"}),
        ("bazaar", 3, {"wants", "heard"}, {"dream", "tell", "silence", "offer", "pass"}),
        ("forecast", 14, {"hand"}, {"deal", "say", "play"}),
    ],
)
@pytest.mark.long
def test_spectators_of_games_in_wdl_never_see_what_one_player_alone_was_shown(
    name: str, steps: int, hidden: set[str], told: set[str]
) -> None:
    states = _after_random_steps(name, steps)
    assert hidden & {fact.name for fact in states[-1].facts()}
    facts, words = _seen_by_a_spectator(states)
    assert not facts & hidden
    assert words <= told


def test_spectators_see_what_a_role_sees_that_plays_alone() -> None:
    game = load_game("minesweeper")
    states = list(islice(game.playout(1), 8))
    alone, watching = (Watcher(game, role).sight(states) for role in (game.role("player"), None))
    assert scene_of(game, alone) == scene_of(game, watching)
