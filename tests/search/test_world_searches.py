"""Searches over worlds: their votes, their budgets, and what knowing more is worth to them."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import Game, State
from ludorum.engine.lifted import LiftedGame
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.terms import Term
from ludorum.search.budget import Budget
from ludorum.search.decision import Choice, Decision
from ludorum.search.hyperplay import HyperPlay, HyperPlayConfig
from ludorum.search.hyperplay_two import HyperPlayTwo, HyperPlayTwoConfig
from ludorum.search.ismcts import Ismcts, IsmctsConfig
from ludorum.search.mcts import Mcts
from ludorum.search.mcts_config import MctsConfig
from ludorum.search.mixed import NoAdviceError
from ludorum.search.pimc import Pimc
from ludorum.search.world_votes import WorldSearcher, joint_vote

LOOK = """
    (role random) (role player) (side heads) (side tails)
    (init (phase toss))
    (<= (legal random (toss ?side)) (true (phase toss)) (side ?side))
    (<= (legal random noop) (not (true (phase toss))))
    (<= (legal player noop) (true (phase toss)))
    (<= (legal player look) (true (phase wait)))
    (<= (legal player wait) (true (phase wait)))
    (<= (legal player (guess ?side)) (true (phase guess)) (side ?side))
    (<= (next (coin ?side)) (does random (toss ?side)))
    (<= (next (coin ?side)) (true (coin ?side)))
    (<= (next (phase wait)) (true (phase toss)))
    (<= (next (phase guess)) (true (phase wait)))
    (<= (next (phase end)) (true (phase guess)))
    (<= (next looked) (does player look))
    (<= (next looked) (true looked))
    (<= (next right) (does player (guess ?side)) (true (coin ?side)))
    (<= (sees player ?side) (does player look) (true (coin ?side)))
    (<= terminal (true (phase end)))
    (<= (goal player 100) (true right) (not (true looked)))
    (<= (goal player 90) (true right) (true looked))
    (<= (goal player 0) (not (true right)))
    (goal random 100)
"""
"""Whoever looks at the coin gets a little less for guessing it, and always guesses it."""

NAME_IT = """
    (role random) (role me) (role other) (card red) (card black) (init (phase deal))
    (<= (legal random (deal ?card)) (true (phase deal)) (card ?card))
    (<= (legal random noop) (not (true (phase deal))))
    (<= (legal me noop) (not (true (phase bet))))
    (<= (legal me bet) (true (phase bet)))
    (<= (legal me fold) (true (phase bet)))
    (<= (legal other noop) (not (true (phase call))))
    (<= (legal other (name ?card)) (true (phase call)) (card ?card))
    (<= (next (has ?card)) (does random (deal ?card)))
    (<= (next (has ?card)) (true (has ?card)))
    (<= (next (phase bet)) (true (phase deal)))
    (<= (next (phase call)) (does me bet))
    (<= (next (phase end)) (does me fold))
    (<= (next (phase end)) (true (phase call)))
    (<= (next named) (does other (name ?card)) (true (has ?card)))
    (<= (sees other ?card) (does random (deal ?card)))
    (<= (sees other bet) (does me bet))
    (<= terminal (true (phase end)))
    (<= (next folded) (does me fold))
    (<= (goal me 40) (true folded))
    (<= (goal me 100) (not (true folded)) (not (true named)))
    (<= (goal me 0) (true named))
    (<= (goal other 60) (true folded))
    (<= (goal other 0) (not (true folded)) (not (true named)))
    (<= (goal other 100) (true named))
    (goal random 100)
"""
"""The other role must match a card that only it has seen."""

PLAYER = Term("player")


@dataclass(frozen=True)
class World:
    """A world as samplers give it."""

    state: State
    weight: float
    views: tuple[int, ...] = ()


def tossed(game: Game, heads: float = 0.5) -> list[World]:
    """Both ways the coin may have come down; the player has seen the same in both."""
    start = game.initial()
    sides = [(parse_term("(toss heads)"), heads), (parse_term("(toss tails)"), 1 - heads)]
    return [
        World(start.play((toss, Term("noop"))), weight, (at, 7)) for at, (toss, weight) in enumerate(sides)
    ]


def look() -> CompiledGame:
    return CompiledGame(parse_kif(LOOK), "look")


def searches(game: Game) -> dict[str, WorldSearcher]:
    return {
        "ismcts": Ismcts(IsmctsConfig(seed=1, observers="all")),
        "hyperplay2": HyperPlayTwo(game, HyperPlayTwoConfig(seed=1)),
        "pimc": Pimc(Mcts(game, MctsConfig(seed=1))),
        "hyperplay": HyperPlay(game, HyperPlayConfig(seed=1)),
    }


@pytest.mark.parametrize(
    ("name", "best", "value"),
    [("ismcts", "look", 85), ("hyperplay2", "look", 90), ("pimc", "wait", 100), ("hyperplay", "wait", 50)],
)
def test_only_searches_that_know_what_they_know_pay_for_a_look(name: str, best: str, value: float) -> None:
    game = look()
    found = searches(game)[name].search_worlds(tossed(game), PLAYER, Budget(playouts=4000))
    assert str(found.move) == best
    assert found.value == pytest.approx(value, abs=6)
    assert not found.claims_something


@pytest.mark.parametrize("name", ["ismcts", "hyperplay2", "pimc", "hyperplay"])
def test_the_likelier_world_has_more_to_say(name: str) -> None:
    game = look()
    waited = [
        World(world.state.play((Term("noop"), Term("wait"))), world.weight, world.views)
        for world in tossed(game, heads=0.8)
    ]
    found = searches(game)[name].search_worlds(waited, PLAYER, Budget(playouts=3000))
    assert str(found.move) == "(guess heads)"
    assert {str(choice.move): choice.value for choice in found.choices} == pytest.approx(
        {"(guess heads)": 80, "(guess tails)": 20}, abs=6
    )


@pytest.mark.parametrize("name", ["ismcts", "hyperplay2", "pimc", "hyperplay"])
def test_the_same_seed_gives_the_same_answer(name: str) -> None:
    game = look()
    one, other = (
        searches(game)[name].search_worlds(tossed(game), PLAYER, Budget(playouts=200)).choices
        for _ in range(2)
    )
    assert one == other


def test_random_games_without_a_circuit_find_the_same() -> None:
    rules = parse_kif(LOOK)
    game = LiftedGame(rules, "look")
    waited = [
        World(world.state.play((Term("noop"), Term("wait"))), world.weight)
        for world in tossed(game, heads=0.8)
    ]
    found = HyperPlay(game).search_worlds(waited, PLAYER, Budget(playouts=4))
    assert {str(choice.move): choice.value for choice in found.choices} == pytest.approx(
        {"(guess heads)": 80, "(guess tails)": 20}
    )
    with pytest.raises(NoAdviceError):
        HyperPlayTwo(game).search_worlds(waited, PLAYER, Budget(playouts=4))


def test_votes_are_weighed_and_prove_nothing() -> None:
    a, b = Term("a"), Term("b")

    def says(first: float, second: float) -> Decision:
        choices = (Choice(a, 1, first, proven=True), Choice(b, 2, second, proven=True))
        return Decision(PLAYER, a, choices, 3, 4, 0.0, proven=True)

    found = joint_vote(PLAYER, [(0.25, says(100, 0)), (0.75, says(0, 60))], 0.5)
    assert [(one.move, one.visits, one.value, one.proven) for one in found.choices] == [
        (b, 4, 45.0, False),
        (a, 2, 25.0, False),
    ]
    assert (found.move, found.proven, found.nodes, found.playouts) == (b, False, 6, 8)


def test_a_move_that_was_not_tried_counts_as_nothing_in_that_world() -> None:
    a, b = Term("a"), Term("b")
    sure = Decision(PLAYER, a, (Choice(a, 0, 100), Choice(b, 0, 50)), 1, 0, 0.0)
    unsure = Decision(PLAYER, b, (Choice(b, 5, 60), Choice(a, 5, 0)), 9, 10, 0.0)
    found = joint_vote(PLAYER, [(0.5, sure), (0.5, unsure)], 0.1)
    assert {one.move: one.value for one in found.choices} == {a: 50.0, b: 30.0}


def test_each_world_has_its_share_of_the_budget() -> None:
    game = look()
    asked: list[Budget] = []

    class Asked(Mcts):
        def search(self, state: State, role: Term | str, budget: Budget) -> Decision:
            asked.append(budget)
            return super().search(state, role, budget)

    Pimc(Asked(game)).search_worlds(tossed(game), PLAYER, Budget(playouts=100, nodes=50))
    assert [(one.playouts, one.nodes) for one in asked] == [(50, 25), (50, 25)]


def test_one_observer_lets_others_choose_by_what_it_knows_and_all_by_what_they_know() -> None:
    """The other role must match a card that only it has seen."""
    rules = parse_kif(NAME_IT)
    game = CompiledGame(rules, "name_it")
    me = Term("me")
    deals = [parse_term("(deal red)"), parse_term("(deal black)")]
    worlds = [
        World(game.initial().play((deal, Term("noop"), Term("noop"))), 0.5, (at, 1, 2 + at))
        for at, deal in enumerate(deals)
    ]
    moves = {
        observers: str(
            Ismcts(IsmctsConfig(seed=1, observers=observers))
            .search_worlds(worlds, me, Budget(playouts=2000))
            .move
        )
        for observers in ("one", "all")
    }
    # Other always knows the card; who does not see that believes it must guess, and bets.
    assert moves == {"one": "bet", "all": "fold"}
