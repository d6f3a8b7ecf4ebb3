"""Search over information sets: what is hidden is not used, what is open is found."""

from __future__ import annotations

import pytest

from ludorum._core import SplitMix64
from ludorum.cards.compiled import CompiledCards
from ludorum.cards.language.rules import parse_table
from ludorum.cards.load import load_card_game
from ludorum.cards.machine.game import CardGame, CardState
from ludorum.cards.machine.reasons import NeedCard, NeedMove, NeedRandom
from ludorum.engine.load import load_game
from ludorum.rules.terms import Term
from ludorum.search.budget import Budget
from ludorum.search.ismcts import Ismcts, IsmctsConfig

GUESS = parse_table("""
    0 start
    1 Pack.use(card(2,any))
    2 Shuffle
    3 Deal(1)
    4 choose(player(0),guess,clubs,diamonds,hearts,spades)
    5 playerHas(player(1),card(any,guess)) ? 6 : 7
    6 score(player(0))=1 -> 8
    7 score(player(1))=1
    8 end
""")


def _asked(game: CardGame, seed: int) -> CardState:
    """The first state of a random deal in which a player is asked."""
    random = SplitMix64(seed)
    state = game.initial()
    while not isinstance(state.reason, NeedMove):
        assert isinstance(state.reason, (NeedCard, NeedRandom))
        legal = [state.legal(role) for role in game.roles]
        state = state.play([moves[random.below(len(moves))] for moves in legal])
    return state


@pytest.mark.long
def test_a_player_cannot_see_the_card_it_guesses() -> None:
    # Whoever looked at the sampled worlds would win every game; three unseen cards are a third each.
    game = CardGame(GUESS, "guess")
    state = _asked(game, 3)
    own = state.position.cards(Term("hand", (Term("player", (Term("0"),)),)))[0].args[1]
    worlds = [one for seed in range(60) if _hand(one := _asked(game, seed)) == _hand(state)]
    assert len({_hand(one, 1) for one in worlds}) == 3
    found = Ismcts(IsmctsConfig(seed=1)).search(
        lambda random: worlds[random.below(len(worlds))], game.roles[0], Budget(playouts=3000)
    )
    values = {choice.move: choice.value for choice in found.choices}
    own_guess = Term("choose", (own,))
    assert values[own_guess] == 0  # it holds that card itself
    assert found.move is not own_guess
    assert all(20 < value < 50 for move, value in values.items() if move is not own_guess)


def _hand(state: CardState, index: int = 0) -> tuple[Term, ...]:
    return state.position.cards(Term("hand", (Term("player", (Term(str(index)),)),)))


def test_where_nothing_is_hidden_it_finds_the_winning_move() -> None:
    game = load_game("tictactoe")
    text = (
        "((cell 1 1 x) (cell 1 2 x) (cell 1 3 b) (cell 2 1 o) (cell 2 2 o) (cell 2 3 b) "
        "(cell 3 1 b) (cell 3 2 b) (cell 3 3 b) (control xplayer))"
    )
    state = game.parse_state(text)
    found = Ismcts().search(lambda random: state, game.roles[0], Budget(playouts=400))
    assert str(found.move) == "(mark 1 3)"
    assert found.playouts == 400


def test_the_same_seed_gives_the_same_answer() -> None:
    game = CardGame(GUESS, "guess")
    worlds = [_asked(game, seed) for seed in range(5)]

    def ask(seed: int) -> object:
        search = Ismcts(IsmctsConfig(seed=seed))
        found = search.search(lambda random: worlds[random.below(5)], game.roles[0], Budget(playouts=50))
        return [(choice.move, choice.visits, choice.value) for choice in found.choices]

    assert ask(4) == ask(4)


def test_playouts_and_first_tries_follow_their_policies() -> None:
    game = load_game("tictactoe")
    state = game.initial()
    corner = next(move for move in state.legal(game.roles[0]) if str(move) == "(mark 1 1)")

    def prior(state: object, role: Term, moves: object) -> list[float]:
        assert isinstance(moves, (list, tuple))
        return [1e9 if move is corner else 1.0 for move in moves]

    found = Ismcts(IsmctsConfig(prior=prior, policy=prior)).search(
        lambda random: state, game.roles[0], Budget(playouts=1)
    )
    assert found.move is corner


@pytest.mark.long
def test_the_compiled_search_of_card_games_agrees_with_the_plain_one() -> None:
    """Both look at the last three tricks of Trumps in one world."""
    game = load_card_game("trumps")
    compiled = CompiledCards(game.chart)
    random = SplitMix64(11)
    state = game.initial()
    while not (isinstance(state.reason, NeedMove) and state.position.decisions == 8):
        legal = [state.legal(role) for role in game.roles]
        state = state.play([moves[random.below(len(moves))] for moves in legal])
    role = state.asked
    plain = Ismcts(IsmctsConfig(seed=2)).search(lambda random: state, role, Budget(playouts=800))
    table = compiled.table_of(state.position)
    options = {number: term for term, number in compiled.options(compiled.kernel.run(table, 0)).items()}
    fast = compiled.kernel.ismcts([table], 800, 2)["options"]
    values = {str(choice.move.args[0]): choice.value for choice in plain.choices}
    for option, _, value, *_ in fast:
        assert abs(values[str(options[option])] - 100 * value) < 12
    best = max(fast, key=lambda one: one[1])
    assert values[str(options[best[0]])] > max(values.values()) - 12
    assert max(values.values()) - min(values.values()) > 20  # the cards differ
