"""Our own card player: what it decides, and what it says of it."""

from __future__ import annotations

import json

import pytest

from ludorum._core import SplitMix64
from ludorum.cards.language.faults import CardsError
from ludorum.cards.load import load_card_game
from ludorum.cards.machine.game import CardGame
from ludorum.cards.machine.position import hand
from ludorum.cards.machine.story import is_veiled
from ludorum.cards.mind.family import cards_worth, family_of, scores_last, size_of_sets
from ludorum.cards.mind.mind import CardMind, CardMindConfig
from ludorum.experiments.paired import play_game
from ludorum.players import make_player
from ludorum.rules.terms import Term
from ludorum.search.budget import Budget
from ludorum.search.decision import Decision


def mind_in_play(game: CardGame, seed: int, decisions: int, config: CardMindConfig) -> CardMind:
    """A mind in a random game that has to decide for the so-manieth time, with a choice."""
    random = SplitMix64(seed)
    state = game.initial()
    role = game.players[0]
    mind = CardMind(game, role, seed, config)
    while not state.is_terminal:
        mind.observe(state.percepts(role))
        if state.asked is role and len(state.legal(role)) > 1:
            decisions -= 1
            if decisions == 0:
                return mind
        legal = [state.legal(one) for one in game.roles]
        state = state.play([moves[random.below(len(moves))] for moves in legal])
    raise AssertionError("the game was too short")


def decide(mind: CardMind, playouts: int = 300) -> Decision:
    return mind.decide(Budget(playouts=playouts))


@pytest.mark.parametrize("model", ["none", "any_move", "learnt"])
@pytest.mark.parametrize("halving", [True, False])
def test_the_same_seed_decides_the_same(model: str, halving: bool) -> None:
    config = CardMindConfig(model=model, halving=halving)  # type: ignore[arg-type]
    game = load_card_game("trumps")
    first, again = (decide(mind_in_play(game, 3, 3, config)) for _ in range(2))
    assert (first.move, first.choices) == (again.move, again.choices)
    assert 250 <= first.playouts <= 300
    assert first.choices[0].move is first.move


def test_halving_tries_good_moves_most() -> None:
    found = decide(mind_in_play(load_card_game("kings_and_jacks"), 5, 2, CardMindConfig()), 2000)
    tried = [choice.visits for choice in found.choices]
    assert tried[0] == tried[1] > tried[-1]  # the last two have seen the same worlds
    assert found.choices[0].value >= found.choices[1].value


@pytest.mark.long
def test_a_long_search_agrees_with_and_without_halving() -> None:
    """Both are asked late in a game, where many playouts leave no doubt."""
    for game in (load_card_game("trumps"), load_card_game("kings_and_jacks")):
        for seed in range(4):
            values = []
            for halving in (True, False):
                found = decide(mind_in_play(game, seed, 4, CardMindConfig(halving=halving)), 6000)
                values.append({choice.move: choice.value for choice in found.choices})
                best = found.value
            assert values[0].keys() == values[1].keys()
            assert abs(max(values[0].values()) - best) < 6


def test_decisions_explain_themselves() -> None:
    mind = mind_in_play(load_card_game("kings_and_jacks"), 3, 3, CardMindConfig())
    decision = decide(mind)
    text = "\n".join(decision.reasons)
    assert f"{decision.playouts} looks into" in text
    assert "that agree with what was seen" in text
    assert text.count("tried") == len(decision.choices)
    assert "others are taken to do anything in 80% of their moves" in text
    why = mind.explain(decision, worlds=4)
    words = why.in_words()
    assert "a world that was possible: player1 " in words
    assert "the pseudo-heuristics of the chart" in words
    told = why.as_json()
    assert json.loads(json.dumps(told)) == told
    assert decision.as_json()["reasons"] == list(decision.reasons)


def test_fewer_cards_count_where_the_analysis_says_so() -> None:
    for name in ("crazy_eights_simple", "president", "sevens"):  # in sevens nobody passes who can play
        assert cards_worth(load_card_game(name).chart) == 1.0
    assert cards_worth(load_card_game("trumps").chart) == 0.0


@pytest.mark.long
def test_games_in_which_hands_only_shrink_are_played_out_longer() -> None:
    families = {"trumps": "tricks", "cheat": "shedding", "switch": "shedding", "sevens": "climbing"}
    for name, family in families.items():
        assert family_of(load_card_game(name).chart) == family
    mind = CardMind(load_card_game("president"), load_card_game("president").players[0])
    assert mind.settings == CardMindConfig().settings_for("climbing")
    assert mind.settings.longest > CardMindConfig().settings_for("shedding").longest


@pytest.mark.long
def test_games_whose_points_are_counted_at_the_end_are_played_to_it() -> None:
    late = {
        name for name in ("casino", "euchre", "trumps", "hearts") if scores_last(load_card_game(name).chart)
    }
    assert late == {"casino", "euchre"}
    game = load_card_game("casino")
    assert family_of(game.chart) == "reckoning"
    mind = CardMind(game, game.players[0])
    longest = 4 + 12 * 4 * 5  # cards played, and each of them with a few picked up
    assert mind.settings.longest > longest


def test_cards_count_where_sets_of_them_make_points() -> None:
    fish = load_card_game("go_fish").chart
    assert (size_of_sets(fish), family_of(fish), cards_worth(fish)) == (4, "collecting", -0.25)
    for name in ("old_maid", "cheat", "casino", "trumps"):  # pairs at old maid make no points
        assert size_of_sets(load_card_game(name).chart) is None


@pytest.mark.long
def test_who_collects_sets_asks_for_cards_that_somebody_surely_has() -> None:
    game = load_card_game("go_fish")
    role = game.players[0]
    found = []
    for seed in range(40):
        mind = CardMind(game, role, seed)
        for state in game.playout(seed):
            mind.observe(state.percepts(role))
            if state.is_terminal or state.legal(role)[0].name != "play":
                continue
            held = (one for other in (1, 2) for one in mind.knowledge.position.cards(hand(other)))
            known = {one.args[0] for one in held if not is_veiled(one)}
            own = {one.args[0] for one in mind.knowledge.hand}
            if known & own and own - known:
                shown = mind.decide(Budget(playouts=300)).move.args[0]
                found.append(isinstance(shown, Term) and shown.args[0] in known)
                break
        if len(found) == 12:
            break
    assert len(found) == 12
    assert sum(found) >= 11


def test_settings_by_name() -> None:
    player = make_player("card_mind:model=learnt,playouts=20,random_others=0.5")
    assert player.config == CardMindConfig(model="learnt", random_others=0.5)  # type: ignore[attr-defined]
    for wrong in ("model=some", "pool=0", "random_others=2", "colour=red", "playouts=x"):
        with pytest.raises(ValueError, match=wrong.partition("=")[0]):
            make_player(f"card_mind:{wrong}")


@pytest.mark.long
@pytest.mark.parametrize("name", ["trumps", "kings_and_jacks", "crazy_eights_simple", "whist"])
def test_every_model_plays_legal_games(name: str) -> None:
    game = load_card_game(name)
    for model in ("none", "any_move", "learnt"):
        own = make_player(f"card_mind:model={model},playouts=20", 1)
        others = {role: make_player("random", 2) for role in game.players[1:]}
        assert play_game(game, {game.players[0]: own, **others}, deal=4).is_terminal


@pytest.mark.alone
def test_a_clock_is_kept() -> None:
    mind = mind_in_play(load_card_game("trumps"), 4, 2, CardMindConfig())
    decision = mind.decide(Budget(seconds=0.3))
    assert 0.2 < decision.seconds < 3  # machines are busy at times
    assert decision.playouts > 100


def test_who_is_not_asked_decides_nothing() -> None:
    game = load_card_game("trumps")
    with pytest.raises(CardsError, match="player0 is not asked"):
        CardMind(game, game.players[0]).decide(Budget(playouts=10))
