"""Kuhn poker: every history, every percept."""

from collections import Counter
from fractions import Fraction

import pytest

from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.engine.perft import explore, perft
from tests.games.hidden_play import all_plays, goals, legal, seen, step, view

GAME = load_game("kuhn_poker")


@pytest.fixture(scope="module")
def plays() -> list[list[State]]:
    return list(all_plays(GAME.initial()))


def deal(alice: str, bob: str) -> State:
    dealt = step(GAME.initial(), random=f"(deal alice {alice})")
    return step(dealt, random=f"(deal bob {bob})")


def test_thirty_histories_are_six_deals_times_five_betting_sequences(plays: list[list[State]]) -> None:
    assert len(plays) == 6 * 5
    # Two deals, then two moves (check check, bet fold, bet call) or three (check bet fold, check bet call).
    assert Counter(len(play) - 1 for play in plays) == {4: 6 * 3, 5: 6 * 2}
    assert perft(GAME, 5) == [3, 6, 12, 24, 12]


def test_exploration_finds_nine_betting_states_for_each_deal() -> None:
    found = explore(GAME)
    assert (found.states, found.terminal, found.stuck) == (1 + 3 + 6 * 9, 30, 0)
    assert (found.longest, found.games) == (5, 30)


def test_every_ending_pays_both_players(plays: list[list[State]]) -> None:
    """Of five sequences two end in a fold (gain 1), one in a check-down (1), two in a called bet (2)."""
    values = Counter((play[-1].goal(GAME.role("alice")), play[-1].goal(GAME.role("bob"))) for play in plays)
    # Each folds in six histories; Alice wins half of the 6 check-downs and of the 12 called bets.
    assert values == {(25, 75): 6 + 3, (75, 25): 6 + 3, (0, 100): 6, (100, 0): 6}
    assert all(len(play[-1].goal_terms(role)) == 1 for play in plays for role in GAME.roles)


def test_uniform_play_is_worth_an_eighth_to_alice(plays: list[list[State]]) -> None:
    """Showdowns cancel over the deals; Bob folds with 1/2 * 1/2 and loses 1, Alice with 1/2 * 1/2 * 1/2."""
    expected = Fraction(0)
    for play in plays:
        chance = Fraction(1)
        for state in play[:-1]:
            for role in GAME.roles:
                chance /= len(state.legal(role))
        value = play[-1].goal(GAME.role("alice"))
        assert value is not None
        expected += chance * value
    assert expected == 50 + 25 * (Fraction(1, 4) - Fraction(1, 8)) == Fraction(425, 8)


@pytest.mark.spec("filtering-gdl2", 3)
def test_check_bet_call_ends_in_a_showdown() -> None:
    state = step(GAME.initial(), random="(deal alice queen)")
    assert (seen(state, "alice"), seen(state, "bob")) == (["(dealt queen)"], [])
    assert legal(state, "random") == ["(deal bob jack)", "(deal bob king)"]
    state = step(state, random="(deal bob jack)")
    assert (seen(state, "alice"), seen(state, "bob")) == ([], ["(dealt jack)"])
    assert (legal(state, "alice"), legal(state, "bob")) == (["bet", "check"], ["noop"])
    state = step(state, alice="check")
    assert (seen(state, "alice"), seen(state, "bob")) == ([], ["(says alice check)"])
    assert (legal(state, "alice"), legal(state, "bob")) == (["noop"], ["bet", "check"])
    state = step(state, bob="bet")
    assert (seen(state, "alice"), seen(state, "bob")) == (["(says bob bet)"], [])
    assert (legal(state, "alice"), legal(state, "bob")) == (["call", "fold"], ["noop"])
    state = step(state, alice="call")
    assert seen(state, "alice") == ["(shows bob jack)"]
    assert seen(state, "bob") == ["(says alice call)", "(shows alice queen)"]
    assert state.is_terminal
    assert goals(state) == {"alice": 100, "bob": 0, "random": 100}


def test_a_fold_shows_no_card() -> None:
    state = step(step(deal("king", "queen"), alice="bet"), bob="fold")
    assert (seen(state, "alice"), seen(state, "bob")) == (["(says bob fold)"], [])
    assert goals(state) == {"alice": 75, "bob": 25, "random": 100}


def test_two_checks_compare_the_cards_for_the_ante() -> None:
    state = step(step(deal("jack", "king"), alice="check"), bob="check")
    assert seen(state, "alice") == ["(says bob check)", "(shows bob king)"]
    assert seen(state, "bob") == ["(shows alice jack)"]
    assert goals(state) == {"alice": 25, "bob": 75, "random": 100}


def test_percepts_do_not_depend_on_the_other_card_until_showdown(plays: list[list[State]]) -> None:
    for name, other in (("alice", "bob"), ("bob", "alice")):
        role = GAME.role(name)
        cards: dict[object, set[str]] = {}
        for play in plays:
            for length in range(3, len(play) + 1):
                for fact in play[length - 1].facts():
                    if fact.name == "holds" and str(fact.args[0]) == other:
                        cards.setdefault(view(play[:length], role), set()).add(str(fact.args[1]))
        for history, held in cards.items():
            shown = "shows" in str(history)
            assert len(held) == (1 if shown else 2)


def test_each_player_has_six_information_sets_with_one_set_of_moves_each(plays: list[list[State]]) -> None:
    """Three cards, and two situations in which a player decides: twelve sets in all, as is well known."""
    for name in ("alice", "bob"):
        role = GAME.role(name)
        moves: dict[object, set[object]] = {}
        for play in plays:
            for length in range(1, len(play)):
                moves.setdefault(view(play[:length], role), set()).add(play[length - 1].legal(role))
        assert all(len(found) == 1 for found in moves.values())
        assert sum(len(only) == 2 for (only,) in moves.values() if isinstance(only, tuple)) == 6
