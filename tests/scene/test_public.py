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


def test_spectators_of_goofspiel_see_prizes_and_points_and_no_bids() -> None:
    """Who has won is told to both, to each in its own words; so all know the points, as spectators do."""
    game = load_game("goofspiel")
    states = [game.initial()]
    bids = ({"alice": "(bid 4)", "bob": "(bid 2)"}, {"alice": "(bid 3)", "bob": "(bid 3)"})
    for joint in ({"random": "(turn 3)"}, bids[0], {"random": "(turn 4)"}, bids[1]):
        states.append(states[-1].play(joint))
    shown = [scene_of(game, Watcher(game, None).sight(states[:step])) for step in range(2, 6)]
    assert [one.told for one in shown] == [("turned 3",), ("alice won", "bob lost"), ("turned 4",), ("tied",)]
    facts = [{group.name: group.entries for group in one.facts} for one in shown]
    assert [one["points"] for one in facts[1:]] == [("alice 3", "bob 0")] * 3
    assert facts[1]["prize"] == ("1", "2", "4")
    # Whoever wins has not bid 1, and whoever loses not 4: nothing else is known of the bids.
    assert facts[1]["holds"] == ("alice 1", "bob 4")
    assert "holds" not in facts[3]
    assert StepLines(game, None).lines(states, False)[1].words == "alice won, bob lost"


THEM = "(role alice) (role bob) (opp alice bob) (opp bob alice) (legal alice (bid 1)) (legal bob (bid 1)) "
BEATS = "(<= (beats ?p ?q) (does ?p (bid ?n)) (opp ?p ?q) (does ?q (bid ?m)) (above ?n ?m)) (above 2 1) "
WON, LOST = "(<= (sees ?p won) (beats ?p ?_q)) ", "(<= (sees ?q lost) (beats ?_p ?q)) "


@pytest.mark.parametrize(
    ("rules", "public"),
    [
        (BEATS + WON + LOST, {"(alice won)", "(bob lost)", "(alice lost)", "(bob won)"}),
        # The words are the same, in another order of conditions.
        ("(<= (sees ?p tied) (does ?p (bid ?n)) (opp ?p ?q) (does ?q (bid ?n)))", {"tied"}),
        # One is not told.
        (BEATS + WON, set()),
        (BEATS + WON + LOST.replace("(beats", "(true (shown ?q)) (beats"), set()),
        # What it is told may have another reason.
        (BEATS + WON + LOST + "(<= (sees alice won) (true gift))", {"(alice lost)", "(bob won)"}),
        (BEATS + WON + LOST + "(<= (sees bob ?x) (true (note ?x)))", set()),
        # More than that it happened is told.
        (BEATS + "(<= (sees ?p (won ?n)) (beats ?p ?_q) (does ?p (bid ?n)))" + LOST, set()),
        # The relation has two rules, of which each player may notice another.
        (BEATS + "(<= (beats alice bob) (true luck))" + WON + LOST, set()),
        # Percepts of the sheet look like those that spectators would hear.
        (BEATS + WON + LOST + "(<= (sees bob (alice ?x)) (true (secret ?x)))", {"(bob lost)", "(bob won)"}),
    ],
)
def test_an_event_is_public_that_tells_each_player_something_of_its_own(rules: str, public: set[str]) -> None:
    assert {str(one.what) for one in public_news(parse_kif(THEM + rules))} == public


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
