"""Backgammon in WDL against a short program, and the odds of its dice."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.engine.load import load_game
from ludorum.engine.wdl_master import MasterState, WdlMaster
from ludorum.rules.kif import parse_term
from ludorum.rules.library import find_sheet
from ludorum.rules.logic_sheets import read_wdl_sheet
from ludorum.rules.terms import Term
from tests.games.plain_backgammon import BAR, Men, legal_moves, most_dice
from tests.how_much import FULL

BLACK, WHITE = Term("black"), Term("white")
START = {24: 2, 13: 5, 8: 3, 6: 5}
MASTER = WdlMaster(read_wdl_sheet(find_sheet("backgammon"))[0])


def men_of(state: MasterState, player: Term) -> tuple[int, ...]:
    found = [0] * 26
    for fact in state.facts:
        if fact.name == "men" and fact.args[0] is player:
            found[int(str(fact.args[1]))] = int(str(fact.args[2]))
    return tuple(found)


def other(player: Term) -> Term:
    return WHITE if player is BLACK else BLACK


def dice_of(state: MasterState) -> tuple[int, ...]:
    left = [fact.args for fact in state.facts if fact.name == "left"]
    return tuple(sorted(int(str(die)) for die, count in left for _ in range(int(str(count)))))


def phase(state: MasterState) -> tuple[str, Term | None]:
    for fact in state.facts:
        if fact.name == "phase":
            return str(fact.args[0]), parse_term(str(fact.args[1]))
    return "opening", None


def check(state: MasterState) -> None:
    """Men are neither lost nor made, no point has men of both, and moves are those of the short program."""
    black, white = men_of(state, BLACK), men_of(state, WHITE)
    assert sum(black) == sum(white) == 15
    assert not any(black[n] and white[25 - n] for n in range(1, 25))
    stage, player = phase(state)
    if stage != "move" or player is None or MASTER.is_terminal(state):
        return
    men = Men(men_of(state, player), men_of(state, other(player)))
    legal = {str(move) for move in MASTER.legal(state, player)}
    expected = {f"(move {n} {die})" for n, die in legal_moves(men, dice_of(state))}
    assert legal == (expected or {"pass"}), (men, dice_of(state))
    assert [str(move) for move in MASTER.legal(state, other(player))] == ["wait"]


def play(seed: int) -> list[MasterState]:
    rng = Random(seed)
    states = [MASTER.initial()]
    while not MASTER.is_terminal(state := states[-1]):
        check(state)
        moves = {}
        for role in MASTER.roles:
            moves[role], _ = MASTER.resolve(state, rng.choice(MASTER.legal(state, role)), rng)
        states.append(MASTER.after(state, moves))
    return states


@pytest.mark.long
@pytest.mark.spec("wdl", 45)
@pytest.mark.parametrize("seed", range(200 if FULL else 2))
def test_every_state_of_random_matches_is_right(seed: int) -> None:
    last = play(seed)[-1]
    goals = {role: int(str(values[0])) for role, values in MASTER.goals(last).items()}
    assert all(len(values) == 1 for values in MASTER.goals(last).values())
    winner = BLACK if men_of(last, BLACK)[0] == 15 else WHITE
    loser = men_of(last, other(winner))
    worth = 33 if loser[0] else 100 if any(loser[19:]) else 66
    assert goals == {winner: worth, other(winner): 0}


@pytest.mark.long
@pytest.mark.spec("wdl", 45)
def test_ten_thousand_matches_end_with_one_winner() -> None:
    found = load_game("backgammon", "compiled").playouts(10_000, seed=1)
    goals = Counter(tuple(sorted(pair)) for pair in found.goals[:, :2].tolist())
    assert set(goals) == {(0, 33), (0, 66), (0, 100)}


def test_the_start_has_a_pip_count_of_167() -> None:
    state = MASTER.initial()
    for player in (BLACK, WHITE):
        men = men_of(state, player)
        assert {n: k for n, k in enumerate(men) if k} == START
        assert sum(n * k for n, k in enumerate(men)) == 167


@pytest.mark.spec("wdl", 45)
def test_the_opening_has_thirty_outcomes_of_the_same_odds_after_ties() -> None:
    state = MASTER.initial()
    found = MASTER.outcomes(state, {role: MASTER.legal(state, role)[0] for role in MASTER.roles})
    tied = {after: chance for after, chance in found.items() if phase(after)[0] == "opening"}
    assert sum(tied.values()) == Fraction(1, 6)
    begun = {
        (phase(after)[1], dice_of(after)): chance for after, chance in found.items() if after not in tied
    }
    assert len(begun) == 30
    assert set(begun.values()) == {Fraction(1, 36)}
    assert {player for player, _ in begun} == {BLACK, WHITE}


@pytest.mark.spec("wdl", 45)
def test_a_double_has_a_sixth_and_counts_four_times() -> None:
    facts = {fact for fact in MASTER.initial().facts if fact.name == "men"}
    state = MasterState(frozenset(facts | {parse_term("(phase first white)")}))
    chances: Counter[tuple[int, ...]] = Counter()
    for one, chance in _rolls(state).items():
        for two, part in _rolls(one).items():
            chances[dice_of(two)] += chance * part  # type: ignore[assignment]
    doubles = {dice: chance for dice, chance in chances.items() if len(dice) == 4}
    assert sum(doubles.values()) == Fraction(1, 6)
    assert set(doubles) == {(n,) * 4 for n in range(1, 7)}
    assert all(chance == Fraction(1, 18) for dice, chance in chances.items() if len(dice) == 2)


def _rolls(state: MasterState) -> dict[MasterState, Fraction]:
    moves = {role: MASTER.legal(state, role)[0] for role in MASTER.roles}
    return MASTER.outcomes(state, moves)


@st.composite
def positions(draw: st.DrawFn) -> tuple[Men, tuple[int, ...]]:
    """Men anywhere, as long as no point has men of both, and dice."""
    own, others = [0] * 26, [0] * 26
    near = draw(st.booleans())
    for _ in range(15):
        at = draw(st.integers(0, 8 if near else BAR).filter(lambda n: n in (0, BAR) or not others[25 - n]))
        own[at] += 1
    for _ in range(15):
        at = draw(st.integers(0, BAR).filter(lambda n: n in (0, BAR) or not own[25 - n]))
        others[at] += 1
    one, two = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    return Men(tuple(own), tuple(others)), (one,) * 4 if one == two else tuple(sorted((one, two)))


@settings(deadline=None, max_examples=300 if FULL else 25)
@given(positions())
@pytest.mark.spec("wdl", 45)
def test_moves_are_those_of_the_program_from_any_position(position: tuple[Men, tuple[int, ...]]) -> None:
    men, dice = position
    if men.own[0] == 15 or men.other[0] == 15:
        return
    facts = [f"(men white {n} {k})" for n, k in enumerate(men.own)]
    facts += [f"(men black {n} {k})" for n, k in enumerate(men.other)]
    facts += [f"(left {die} {dice.count(die)})" for die in set(dice)]
    check(MasterState(frozenset(map(parse_term, [*facts, "(phase move white)"]))))


def test_the_program_knows_what_dice_must_be_used() -> None:
    own = [0] * 26
    own[10], own[0] = 1, 14
    blocked = [0] * 26
    blocked[25 - 2] = 2  # ten less eight: both dice together are not possible
    blocked[0] = 13
    men = Men(tuple(own), tuple(blocked))
    assert most_dice(men, (3, 5)) == 1
    assert legal_moves(men, (3, 5)) == {(10, 5)}
