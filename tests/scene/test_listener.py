"""What follows for spectators from what is public."""

from __future__ import annotations

import pytest

from ludorum.engine.game import State
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.rules.kif import parse_kif
from ludorum.scene import Watcher
from ludorum.scene.listener import with_listener

SHEET = """
(role alice) (role bob)
(<= (init (cards ?p 3)) (role ?p))
(init listener)
(legal alice bet) (legal alice pass) (legal bob noop)
(<= (next (did ?p ?m)) (does ?p ?m))
(<= (next lively) (does ?p ?m) (distinct ?m pass) (distinct ?m noop))
(<= (next (can ?m)) (legal ?p ?m))
(<= (sees ?p (called ?m)) (role ?p) (does alice ?m))
(<= (sees bob secret) (does alice bet) (true (did alice pass)))
(<= terminal (true lively)) (<= (goal ?p 0) (role ?p))
"""


def test_a_listener_changes_nothing_for_the_roles_of_the_game() -> None:
    rules, listener, move = with_listener(parse_kif(SHEET))
    one, other = LiftedGame(parse_kif(SHEET)), LiftedGame(rules)
    assert (str(listener), str(move)) == ("listener_", "listens")
    assert other.roles == (*one.roles, listener)
    before, with_it = one.initial(), other.initial()
    for call in ("pass", "bet"):
        assert with_it.legal(listener) == (move,)
        before, with_it = before.play({"alice": call}), with_it.play({"alice": call})
        assert with_it.facts() == before.facts()
        assert with_it.is_terminal == before.is_terminal
        assert all(with_it.percepts(role) == before.percepts(role) for role in one.roles)
        assert [str(percept) for percept in with_it.percepts(listener)] == [f"(called {call})"]


def shown(name: str, *moves: dict[str, str]) -> set[str]:
    """The facts that a spectator is shown after some moves."""
    game = load_game(name)
    states: list[State] = [game.initial()]
    for joint in moves:
        states.append(states[-1].play(joint))
    facts = Watcher(game, None).sight(states).facts
    assert facts is not None
    return set(map(str, facts))


@pytest.mark.parametrize("card", ["queen", "jack"])
def test_stakes_and_turns_of_poker_follow_from_what_is_said(card: str) -> None:
    deal = [{"random": f"(deal alice {card} spades)"}, {"random": "(deal bob king spades)"}]
    assert shown("leduc_poker", *deal, {"alice": "bet"}) == {
        *("(bets 1)", "(round 1)", "(stake alice 3)", "(stake bob 1)", "(turn bob)"),
    }


def test_discs_of_hidden_aims_are_on_the_boards_of_spectators() -> None:
    game = load_game("hidden_connect")
    states = [game.initial()]
    while len(states) < 4:
        states.append(states[-1].play([states[-1].legal(role)[0] for role in game.roles]))
    facts = Watcher(game, None).sight(states).facts
    assert facts is not None
    cells = {fact for fact in states[-1].facts() if fact.name == "cell"}
    assert len(cells) == 2
    assert cells <= facts


def test_nothing_of_a_blind_board_is_shown() -> None:
    marks = {"xplayer": "(mark 1 1)", "oplayer": "(mark 2 2)"}
    assert shown("krieg_tictactoe", marks) == set()
