"""Which games are open: all of GDL-I, and those of GDL-II whose percepts tell the state."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings

from ludorum.engine.game import Game, Known, State, Status
from ludorum.engine.information import Secret, find_secret
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.engine.observe import observed_info, sample_play
from ludorum.rules.kif import parse_kif
from ludorum.rules.library import chart_sheets, library_sheets
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.terms import Term
from tests.random_games import random_games
from tests.small_games import circle, coin, door

DEALT = """
; Nature deals one of two cards; then two players say in turn what it is.
(role random) (role left) (role right)
(card ace) (card king)
(init (phase deal))
(<= (legal random (deal ?c)) (card ?c) (true (phase deal)))
(<= (legal random noop) (not (true (phase deal))))
(<= (legal left noop) (not (true (phase first))))
(<= (legal left (say ?c)) (card ?c) (true (phase first)))
(<= (legal right noop) (not (true (phase last))))
(<= (legal right (say ?c)) (card ?c) (true (phase last)))
(<= (next (phase first)) (true (phase deal)))
(<= (next (phase last)) (true (phase first)))
(<= (next (phase over)) (true (phase last)))
(<= (next (dealt ?c)) (does random (deal ?c)))
(<= (next (dealt ?c)) (true (dealt ?c)))
(<= (next (said ?p ?c)) (does ?p (say ?c)))
(<= (next (said ?p ?c)) (true (said ?p ?c)))
(<= terminal (true (phase over)))
(<= (goal ?p 100) (true (said ?p ?c)) (true (dealt ?c)))
(<= (goal ?p 0) (role ?p) (not (goal_100 ?p)))
(<= (goal_100 ?p) (true (said ?p ?c)) (true (dealt ?c)))
"""

ALL = "(<= (sees ?r (did ?s ?m)) (role ?r) (does ?s ?m))"


def dealt(*percepts: str) -> LiftedGame:
    return LiftedGame(parse_kif("\n".join((DEALT, *percepts))), "dealt")


@pytest.mark.long
def test_the_library_hides_something_in_gdl2_and_in_cards() -> None:
    for sheet in (*library_sheets(), *chart_sheets()):
        secret = find_secret(load_game(sheet.name, "lifted"))
        assert (secret is None) == (sheet.language == "gdl"), sheet.name
        assert secret is None or secret.proved


def test_the_reason_names_the_player_and_two_moves() -> None:
    secret = find_secret(load_game("kuhn_poker", "lifted"))
    assert secret == Secret("bob is told the same whether random does (deal alice jack) or (deal alice king)")


@pytest.mark.parametrize(
    "percepts",
    [
        (ALL,),
        ("(<= (sees ?r (did ?s ?m)) (does ?s ?m) (role ?r) (distinct ?r ?s))",),
        ("(<= (sees ?r (drawn ?m)) (role ?r) (does random ?m))",
         "(<= (sees left (right ?m)) (does right ?m))", "(<= (sees right (left ?m)) (does left ?m))"),
        # What is told under a condition tells the rest by its absence.
        ("(<= (sees ?r ace) (role ?r) (does random (deal ace)))",
         "(<= (sees ?r (said ?p ace)) (role ?r) (does ?p (say ace)))"),
    ],
)  # fmt: skip
def test_percepts_that_tell_the_state_hide_nothing(percepts: tuple[str, ...]) -> None:
    assert find_secret(dealt(*percepts)) is None


@pytest.mark.parametrize(
    "percepts",
    [
        (),
        ("(<= (sees ?r (did ?r ?m)) (role ?r) (does ?r ?m))",),  # its own moves, which it knows
        ("(<= (sees left (did ?s ?m)) (role ?s) (does ?s ?m))",),  # left alone
        ("(<= (sees ?r (did ?s ?m)) (role ?r) (does ?s ?m) (true (phase first)))",),
        ("(<= (sees ?r (did ?s ?m)) (role ?r) (does ?s ?m) (distinct ?s random))",),
        ("(<= (sees ?r (did random ?m)) (role ?r) (does ?s ?m))",
         "(<= (sees ?r (did random (deal ?c))) (role ?r) (card ?c) (does random (deal ace)))",
         "(<= (sees ?r (did random (deal ?c))) (role ?r) (card ?c) (does random (deal king)))"),
    ],
)  # fmt: skip
def test_percepts_that_leave_two_states_are_found(percepts: tuple[str, ...]) -> None:
    secret = find_secret(dealt(*percepts))
    assert secret is not None
    assert secret.proved


def test_what_is_hidden_when_the_game_is_over_is_hidden_from_no_choice() -> None:
    assert find_secret(coin()) is not None
    blind = parse_kif(str(door().rules) + "\n(<= (sees ?r tick) (role ?r))")
    secret = find_secret(LiftedGame(blind, "door"))
    assert secret is not None, "in its first step the other one may push or wait"
    last = parse_kif(
        str(door().rules).replace("(init (step 0))", "(init (step 1))") + "(<= (sees ?r t) (role ?r))"
    )
    assert find_secret(LiftedGame(last, "door")) is None, "one step, both at once, and the game is over"


def test_the_info_of_a_game_says_what_was_found() -> None:
    for game, known in ((dealt(ALL), True), (dealt(), False)):
        info = observed_info(game, sample_play(game, 5))
        assert info.perfect_information == Known(known, Status.PROVED)


def test_a_role_alone_knows_all_that_it_does() -> None:
    rules = parse_kif(str(circle().rules) + "\n(<= (sees walker tick) (does walker go))")
    assert find_secret(LiftedGame(rules, "circle")) is None


def test_what_is_not_settled_is_not_called_open() -> None:
    game = dealt(*"""(<= (sees ?r ace) (role ?r) (does random (deal ace)))
        (<= (sees ?r (b ?s ?c)) (role ?r) (does ?s (say ?c)))""".splitlines())  # fmt: skip
    secret = find_secret(game, most_steps=3)
    assert secret is not None
    assert not secret.proved
    assert find_secret(game) is None, "a larger bound looks again"
    assert find_secret(game, most_steps=3) is None


@settings(max_examples=10, deadline=None)
@given(random_games())
def test_histories_tell_the_state_where_a_game_is_called_open(rules: Ruleset) -> None:
    game = LiftedGame(rules, "random")
    if game.info.perfect_information.value is not True and find_secret(game, most_steps=300) is None:
        assert not confused(game, depth=3, most=400)


def confused(game: Game, depth: int, most: int) -> bool:
    """Whether some player has met the same in two plays and stands in different states, not both at an end.

    All plays one by one, with what each player has met in them: the oracle, which knows no induction.
    """
    plays: list[tuple[State, dict[Term, tuple[object, ...]]]]
    plays = [(game.initial(), dict.fromkeys(game.info.players, ()))]
    for _ in range(depth):
        longer = []
        for state, met in plays:
            if state.is_terminal:
                continue
            for joint in product(*(state.legal(role) for role in game.roles)):
                after = state.play(joint)
                moves = dict(zip(game.roles, joint, strict=True))
                told = {p: (*past, moves[p], after.percepts(p)) for p, past in met.items()}
                longer.append((after, told))
        if len(longer) > most:
            return False
        plays = longer
        for player in game.info.players:
            known: dict[object, State] = {}
            for state, met in plays:
                other = known.setdefault(met[player], state)
                if other != state and not (other.is_terminal and state.is_terminal):
                    return True
    return False
