"""Charts that ``check`` passes are analysed, and played by the generated players, without a fault."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from ludorum.cards.analysis import ChartAnalysis, analyse
from ludorum.cards.check.loops import check_for_player
from ludorum.cards.heuristic import USUAL, HeuristicThinker
from ludorum.cards.heuristic.compiled_judge import CompiledJudge
from ludorum.cards.heuristic.readable_judge import ReadableJudge
from ludorum.cards.language.faults import CardsError
from ludorum.cards.language.rules import Rules
from ludorum.cards.load import checked_rules
from ludorum.cards.machine.game import CardGame, option_of
from ludorum.cards.mind.mind import CardMind
from ludorum.cards.worlds.knowledge import Knowledge
from ludorum.rules.source import Source
from ludorum.search.budget import Budget
from tests.cards.valid_charts import valid_chart

TURNS_ROUND = """
; players: 4
0  start
1  Shuffle
2  Deal(5)
3  turn=0
4  dir=1
5  cardsRemaining(player(turn))>0 ? 6 : 14
6  playCardOrPass(player(turn),card(any,any))
7  passed(player(turn)) ? 8 : 9
8  playCardOrPass(player(turn),card(any,hearts))
9  middle(player(turn))!=empty&rank(middle(player(turn)))==ace ? 10 : 11
10 dir=-dir
11 score(player(turn))=score(player(turn))+1
12 score(player((turn+dir)%4))=score(player((turn+dir)%4))-1
13 turn=playerNumber(player((turn+dir)%4)) -> 5
14 end
"""
"""Aces turn the direction of play; a player that passes is asked a second time in the same pass."""


def rules_of(text: str) -> Rules:
    return checked_rules(Source("chart", text), "chart")


def analysis_or_reason(rules: Rules) -> ChartAnalysis | CardsError:
    try:
        return analyse(rules)
    except CardsError as error:
        return error


def play(game: CardGame, seed: int, decisions: int) -> int:
    """A game of random moves; at some of its decisions both players say what they would do. How many."""
    chance = Random(seed)
    minds = [CardMind(game, role, seed) for role in game.players]
    known = [Knowledge.of(game, at) for at in range(len(game.players))]
    thinker = HeuristicThinker(game, replace(USUAL, n_worlds=2), seed)
    state, count = game.initial(), 0
    while not state.is_terminal and count < decisions:
        for role, mind, one in zip(game.players, minds, known, strict=True):
            mind.observe(state.percepts(role))
            one.observe(state.percepts(role))
        if state.asked in game.players and len(state.legal(state.asked)) > 1:
            at = game.players.index(state.asked)
            legal = state.legal(state.asked)
            assert minds[at].decide(Budget(playouts=12)).move in legal
            options = [option_of(move) for move in legal]
            assert thinker.decide(known[at], options).option in options
            count += 1
        state = state.play([chance.choice(state.legal(role)) for role in game.roles])
    return count


def test_a_turn_that_goes_by_a_direction_is_analysed_and_played() -> None:
    rules = rules_of(TURNS_ROUND)
    found = analyse(rules)
    assert len(found.heuristics) > 0
    roles = {str(name) for one in found.heuristics for name, _ in one.players}
    assert {"(player turn)", "(player (operation modulo dir 4))"} <= roles
    codes = [fault.code for fault in check_for_player(rules)]
    assert not {"not-finite", "no-analysis"} & set(codes)
    assert play(CardGame(rules, "turns"), seed=1, decisions=3) == 3


def test_a_player_that_a_sum_names_is_told_apart_by_seat() -> None:
    """``player(r%2)`` with three players: no counter of turns, but still one of the players."""
    text = TURNS_ROUND.replace("players: 4", "players: 3").replace("%4", "%3").replace("dir=1", "r=0")
    text = text.replace("dir=-dir", "r=r+1").replace("(turn+dir)%3", "r%2")
    found = analyse(rules_of(text))
    assert any(
        str(name) == "(player (operation modulo r 2))" for one in found.heuristics for name, _ in one.players
    )


FAILS = """
; players: 2
0  start
1  Shuffle
2  Deal(3)
3  turn=0
4  cardsRemaining(player(0))>0 ? 5 : 9
5  playCardOrPass(player(turn),card(any,any))
6  rank(middle(player(turn)))==ace ? 7 : 8
7  score(player(turn))=score(player(turn))+1
8  turn=(turn+1)%2 -> 4
9  {last}
10 end
"""
"""A player that passes before it has played ends the game with an error: there is no card in the middle."""


@pytest.mark.parametrize("last", ["r=0", "r=cards(pile(odd,cards(pack)))"], ids=["bytecode", "readable"])
def test_ways_on_which_a_chart_fails_do_not_keep_players_from_deciding(last: str) -> None:
    """What other moves lead to is looked at all the same; both judges value such a way as it stands."""
    rules = rules_of(FAILS.format(last=last))
    game = CardGame(rules, "fails")
    role, state = game.players[0], game.initial()
    mind, known = CardMind(game, role, 1), Knowledge.of(game, 0)
    while state.asked is not role:
        mind.observe(state.percepts(role))
        known.observe(state.percepts(role))
        state = state.play([state.legal(one)[0] for one in game.roles])
    mind.observe(state.percepts(role))
    known.observe(state.percepts(role))
    legal = state.legal(role)
    decision = mind.decide(Budget(playouts=200))
    assert decision.move in legal
    assert decision.playouts > 100
    options = [option_of(move) for move in legal]
    assert HeuristicThinker(game, replace(USUAL, n_worlds=2), 1).decide(known, options).option in options


def test_both_judges_value_ways_on_which_a_chart_fails_alike() -> None:
    game = CardGame(rules_of(FAILS.format(last="r=0")), "fails")
    analysis = analyse(game.chart)
    config = replace(USUAL, most_states=10**6, most_tries=10**6)
    judges = [ReadableJudge(game, analysis, config), CompiledJudge(game, analysis, config)]
    state = game.initial()
    while state.asked is not game.players[0]:
        state = state.play([state.legal(role)[0] for role in game.roles])
    quick, plain = (
        {option: one.value for option, one in judge.outcomes(state.position, 0, 1).items()}
        for judge in judges
    )
    assert len(quick) == 4
    assert quick == pytest.approx(plain)


@pytest.mark.long
@pytest.mark.parametrize("seed", [3, 14, 77, 93, 115, 410, 517])
def test_a_random_valid_chart_is_analysed_and_played(seed: int) -> None:
    _analyse_and_play(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200))
def test_many_random_valid_charts_are_analysed_and_played(seed: int) -> None:
    _analyse_and_play(seed)


def _analyse_and_play(seed: int) -> None:
    rules = rules_of(valid_chart(seed))
    found = analysis_or_reason(rules)
    if isinstance(found, CardsError):
        assert "no loop contains the decisions" in found.message  # nobody is asked in this chart
    play(CardGame(rules, "random"), seed, 3)
