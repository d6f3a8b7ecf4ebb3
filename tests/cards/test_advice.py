"""Pseudo-heuristics as prior and playout policy of the search: by hand, and against the readable judge."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean

import pytest

from ludorum._core import SplitMix64
from ludorum.cards.analysis.seats import by_number
from ludorum.cards.heuristic import USUAL
from ludorum.cards.heuristic.compiled_judge import CompiledJudge
from ludorum.cards.heuristic.readable_judge import ReadableJudge
from ludorum.cards.heuristic.scheme import Scheme, analysis_of
from ludorum.cards.heuristic.select import expected_values
from ludorum.cards.language.terms import TRUE, Term
from ludorum.cards.load import load_card_game
from ludorum.cards.machine.evaluate import evaluate
from ludorum.cards.machine.game import CardGame
from ludorum.cards.machine.outcome import scores
from ludorum.cards.machine.position import CardPosition, hand
from ludorum.cards.machine.reasons import NeedMove
from ludorum.cards.mind.mind import CardMindConfig
from ludorum.cards.show.faces import move_text
from ludorum.experiments.paired import play_game
from ludorum.players import make_player
from ludorum.search.budget import Budget
from tests.cards.heuristic.tables import HIGHER_CARD, KINGS_AND_JACKS, TRUMPS, asked, table
from tests.cards.small_charts import cards
from tests.cards.test_champion import mind_in_play
from tests.how_much import sample, some

FULL = {"most_states": 10**6, "most_tries": 10**6}


def quick(game: CardGame) -> CompiledJudge:
    return CompiledJudge(game, analysis_of(game.chart), USUAL)


def three_worlds() -> list[CardPosition]:
    """An eight was led; I hold a nine and a three, and the other one more card: a ten, a two or a five."""
    found = []
    for left in ("10h", "2h", "5h"):
        start = table(HIGHER_CARD, [["9c", "3d"], ["8s", left]], {"leader": "1"})
        found.append(asked(HIGHER_CARD, start, "8s"))
    return found


def test_preferences_are_the_mean_over_worlds() -> None:
    """The nine takes the trick (1), the three does not (-1); then what is left is worth 1 against a lower
    card and -1 against a higher one. Against the ten 0 and -2, the two 2 and 0, the five 0 and 0."""
    judge = quick(HIGHER_CARD)
    kernel = judge.cards.kernel
    tables = [judge.cards.table_of(world) for world in three_worlds()]
    options = judge.cards.options(kernel.run(tables[0], 0))
    nine, three = (options[card] for card in cards("9c", "3d"))
    each = [kernel.preferences([one], judge.kernel, 1) for one in tables]
    assert [(one[nine], one[three]) for one in each] == [(0, -2), (2, 0), (0, 0)]
    found = kernel.preferences(tables, judge.kernel, 1)
    assert found == pytest.approx({nine: 2 / 3, three: -2 / 3})


@pytest.mark.parametrize("looks", [5.0, 20.0])
def test_the_prior_fades_with_every_look(looks: float) -> None:
    """The nine is preferred, so it has half of the prior more, the three half less; every look takes away."""
    judge = quick(HIGHER_CARD)
    kernel = judge.cards.kernel
    tables = [judge.cards.table_of(world) for world in three_worlds()]
    options = judge.cards.options(kernel.run(tables[0], 0))
    nine, three = (options[card] for card in cards("9c", "3d"))
    advice = {"judge": judge.kernel, "prior": 0.4, "prior_looks": looks, "prior_worlds": 3}
    for halving in (True, False):
        for iterations in (2, 40):
            found = kernel.ismcts(tables, iterations, 1, halving=halving, **advice)  # type: ignore[arg-type]
            bonus = {option: (visits, more) for option, visits, _, more in found["options"]}
            for option, side in ((nine, 0.5), (three, -0.5)):
                visits, more = bonus[option]
                assert more == pytest.approx(0.4 * side * looks / (looks + visits))
    without = kernel.ismcts(tables, 40, 1, halving=True)
    assert all(more == 0 for _, _, _, more in without["options"])


def test_who_has_seen_next_to_nothing_plays_what_is_preferred() -> None:
    """One look each says hardly anything: with a strong prior the nine is played, whatever was seen."""
    judge = quick(HIGHER_CARD)
    tables = [judge.cards.table_of(world) for world in three_worlds()]
    nine = judge.cards.options(judge.cards.kernel.run(tables[0], 0))[cards("9c")[0]]
    for seed in range(20):
        found = judge.cards.kernel.ismcts(
            tables, 2, seed, halving=True, judge=judge.kernel, prior=1.0, prior_looks=1e9, prior_worlds=3
        )
        assert found["best"] == nine


def random_worlds(game: CardGame, seed: int, count: int) -> list[CardPosition]:
    """Positions of one random game in which somebody has a choice."""
    random = SplitMix64(seed)
    state = game.initial()
    found: list[CardPosition] = []
    while not state.is_terminal and len(found) < count:
        legal = [state.legal(role) for role in game.roles]
        if state.asked in game.players and max(map(len, legal)) > 1:
            found.append(state.position)
        state = state.play([moves[random.below(len(moves))] for moves in legal])
    return found


@pytest.mark.long
@pytest.mark.parametrize("name", sample(["trumps", "kings_and_jacks", "higher_card"], 3))
def test_preferences_equal_those_of_the_readable_judge(name: str) -> None:
    game = load_card_game(name)
    judge, readable = quick(game), ReadableJudge(game, analysis_of(game.chart), USUAL)
    for seed in range(some(3)):
        for world in random_worlds(game, seed, 4):
            position, reason = game.machine.run(world)
            assert isinstance(reason, NeedMove)
            told = readable.outcomes(world, reason.player, 5)
            expected = expected_values([{move: one.value for move, one in told.items()}])
            state = judge.cards.table_of(world)
            found = judge.cards.kernel.preferences([state], judge.kernel, 5)
            options = judge.cards.options(judge.cards.kernel.run(state, 0))
            assert {options[move]: value for move, value in expected.items()} == pytest.approx(found)
            assert position.cards(hand(reason.player))


class ReadablePolicy:
    """What cards are good for, counted instance by instance."""

    def __init__(self, game: CardGame, worlds: list[CardPosition]) -> None:
        self.game = game
        config = replace(USUAL, role_mismatch="ignore")
        self.judge = ReadableJudge(game, analysis_of(game.chart), config)
        self.keeps: dict[tuple[int, Term], list[float]] = {}
        self.gains: dict[tuple[int, tuple[Term, ...], Term], list[float]] = {}
        for world in worlds:
            for who in range(game.chart.players):
                for one in self.judge.instances(world, who):
                    self.keeps.setdefault((who, one.card), []).append(one.worth)
                    if one.is_active:
                        key = who, one.scheme.roles, one.card
                        self.gains.setdefault(key, []).append(one.scheme.weight)

    def weights(self, world: CardPosition) -> dict[Term, float]:
        position, reason = self.game.machine.run(world)
        assert isinstance(reason, NeedMove)
        who = reason.player
        roles = next((one.roles for one in self.judge.schemes if self._holds(one, position, who)), ())
        found = {}
        for option in reason.options:
            answered = self.game.machine.supply(position, option)
            after, asked_again = self.judge._run(answered, SplitMix64(0), self.judge.header)
            points = scores(after)
            value = points[who] - fmean(one for at, one in enumerate(points) if at != who)
            value -= fmean(self.keeps.get((who, option), [0.0]))
            if asked_again is not None:
                value += fmean(self.gains.get((who, roles, option), [0.0]))
            found[option] = value
        return found

    def _holds(self, scheme: Scheme, position: CardPosition, who: int) -> bool:
        players = self.game.chart.players
        return all(evaluate(by_number(role, who, players), position) is TRUE for role in scheme.roles)


@pytest.mark.parametrize("name", ["trumps", "kings_and_jacks", "hearts_two"])
@pytest.mark.long
def test_weights_in_the_kernel_equal_those_that_can_be_read(name: str) -> None:
    game = load_card_game(name)
    judge = CompiledJudge(game, analysis_of(game.chart), replace(USUAL, **FULL))  # type: ignore[arg-type]
    for seed in range(2):
        first, *rest = random_worlds(game, seed, 4)
        looked = [first, rest[-1]]
        policy = ReadablePolicy(game, looked)
        states = [judge.cards.table_of(one) for one in looked]
        for world in (first, *rest):
            state = judge.cards.table_of(world)
            found = judge.cards.kernel.policy_weights(state, states, judge.kernel)
            options = judge.cards.options(judge.cards.kernel.run(state, 0))
            expected = {options[move]: value for move, value in policy.weights(world).items()}
            assert found == pytest.approx(expected)
            assert len(set(found.values())) > 1 or len(found) == 1 or name != "trumps"


@pytest.mark.long
@pytest.mark.parametrize("name", ["trumps", "crazy_eights_simple", "president", "briscola", "ninety_nine"])
def test_advised_players_play_legal_games(name: str) -> None:
    game = load_card_game(name)
    own = make_player("card_mind:playouts=20,prior=0.3,policy=0.5,prior_worlds=2", 1)
    others = {role: make_player("random", 2) for role in game.players[1:]}
    assert play_game(game, {game.players[0]: own, **others}, deal=4).is_terminal


def test_the_same_seed_decides_the_same_with_advice() -> None:
    config = CardMindConfig(prior=0.3, policy=0.5)
    first, again = (
        mind_in_play(KINGS_AND_JACKS, 3, 3, config).decide(Budget(playouts=200)) for _ in range(2)
    )
    assert (first.move, first.choices) == (again.move, again.choices)


def test_a_decision_says_what_was_preferred() -> None:
    """The prior is so strong that the preferred move is played; without it nothing is said of it."""
    config = CardMindConfig(prior=1.0, prior_looks=1e9, looks_a_world=1)
    found = mind_in_play(TRUMPS, 4, 2, config).decide(Budget(playouts=40))
    told = [one for one in found.reasons if "the pseudo-heuristics preferred" in one]
    assert told == [f"before any look the pseudo-heuristics preferred {move_text(found.move)}"]
    found = mind_in_play(TRUMPS, 4, 2, CardMindConfig(prior=0.0)).decide(Budget(playouts=40))
    assert not any("pseudo-heuristics" in one for one in found.reasons)


def test_advice_of_another_game_is_refused() -> None:
    trumps, kings = quick(TRUMPS), quick(KINGS_AND_JACKS)
    world = random_worlds(TRUMPS, 1, 1)[0]
    with pytest.raises(ValueError, match="knows another program"):
        trumps.cards.kernel.preferences([trumps.cards.table_of(world)], kings.kernel, 1)
    with pytest.raises(ValueError, match="need a judge"):
        trumps.cards.kernel.ismcts([trumps.cards.table_of(world)], 10, 1, prior=0.5)


def test_only_two_who_play_for_tricks_have_a_prior() -> None:
    usual = CardMindConfig()
    assert usual.settings_for("tricks", 2).prior > 0 == usual.settings_for("tricks", 4).prior
    assert not usual.settings_for("shedding", 2).is_advised
    assert CardMindConfig(prior=0.2).settings_for("tricks", 4).prior == 0.2
    assert not CardMindConfig(prior=0.0).settings_for("tricks", 2).is_advised


def test_settings_that_make_no_sense_are_refused() -> None:
    for wrong in ("prior=2", "policy=-1", "prior_worlds=0", "prior_looks=0", "sharpness=0"):
        with pytest.raises(ValueError, match=wrong.partition("=")[0]):
            make_player(f"card_mind:{wrong}")
