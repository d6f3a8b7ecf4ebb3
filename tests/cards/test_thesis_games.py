"""The three games of the thesis and its toy, played to the end."""

from __future__ import annotations

import pytest

from ludorum.cards.language.terms import PASS, Term
from ludorum.cards.load import load_card_game
from ludorum.cards.machine.host import Host
from ludorum.cards.machine.outcome import goals, scores
from ludorum.cards.machine.position import CardPosition
from ludorum.cards.machine.reasons import NeedMove, Publish
from tests.cards.small_charts import cards, stacked, value

GAMES = 16


def play(name: str, seed: int) -> tuple[CardPosition, list[tuple[CardPosition, Term]], list[str]]:
    """The end of a random game, the moves with the positions in which they were made, and all texts."""
    host = Host(load_card_game(name).machine, seed)
    moves: list[tuple[CardPosition, Term]] = []
    texts: list[str] = []
    end = host.machine.start()
    for position, reason in host.play():
        if isinstance(reason, NeedMove):
            moves.append((position, Term("none")))
        if isinstance(reason, Publish):
            texts.append(reason.text)
        end = position
    chosen = [one for one in host.answers if isinstance(one, Term)]
    return end, [(position, move) for (position, _), move in zip(moves, chosen, strict=True)], texts


def beats(led: Term, other: Term, trumps: str) -> bool:
    """Whether the second card of a trick takes it, as people say it."""
    order = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace"]
    (first, suit), (second, own) = (tuple(map(str, one.args)) for one in (led, other))
    if suit == own:
        return order.index(second) > order.index(first)
    return own == trumps


@pytest.mark.spec("card-games-fcdl", 33)
def test_trumps_is_played_by_its_rules() -> None:
    winners = set()
    for seed in range(GAMES):
        end, moves, texts = play("trumps", seed)
        trumps = value(end, "trumps")
        assert texts == [f"{trumps} has been chosen as trumps."]
        assert len(moves) == 14
        tricks = [0, 0]
        leader = int(value(moves[0][0], "leader"))
        for at in range(0, 14, 2):
            (before, led), (between, answer) = moves[at : at + 2]
            assert before.variables[Term("leader")] is Term(str(leader))
            held = between.cards(Term("hand", (Term("player", (Term(str(1 - leader)),)),)))
            if any(one.args[1] is led.args[1] for one in held):
                assert answer.args[1] is led.args[1], "who can follow suit must"
            leader = 1 - leader if beats(led, answer, trumps) else leader
            tricks[leader] += 1
        assert scores(end) == tuple(tricks)
        assert sum(scores(end)) == 7
        assert sorted(goals(end)) == [0, 100]
        winners.add(goals(end))
    assert len(winners) == 2


@pytest.mark.spec("card-games-fcdl", 34)
def test_kings_and_jacks_cost_ten_each() -> None:
    for seed in range(GAMES):
        end, moves, _ = play("kings_and_jacks", seed)
        assert len(moves) == 14
        played = [str(move.args[0]) for _, move in moves]
        assert sum(scores(end)) == -10 * sum(rank in ("king", "jack") for rank in played)
        assert sum(goals(end)) == 100


@pytest.mark.spec("card-games-fcdl", 35)
def test_every_branch_of_crazy_eights_is_reached() -> None:
    reached: dict[str, int] = {}
    for seed in range(6):
        end, moves, _ = play("crazy_eights_simple", seed)
        for position, move in moves:
            if position.node == 7:
                kind = (
                    "pass"
                    if move is PASS
                    else {"king": "king", "8": "eight", "2": "two"}.get(str(move.args[0]), "plain")
                )
            else:
                assert position.node == 30
                kind = "two passed" if move is PASS else "two answered"
            reached[kind] = reached.get(kind, 0) + 1
        if not end.is_broken_off:
            out = [value(end, f"cardsRemaining(player({index}))") == "0" for index in (0, 1)]
            assert any(out)
            assert scores(end) == ((1, 0) if out[0] else (0, 1))
    assert set(reached) == {"pass", "king", "eight", "two", "plain", "two passed", "two answered"}


DEAL = stacked(
    "2h", "2s", "kh", "3h", "8c", "4h", "5h", "5s", "6h", "6s", "7h", "7s", "9h", "9s", "10h", "10s",
)  # fmt: skip


@pytest.mark.spec("card-games-fcdl", 35)
@pytest.mark.parametrize(
    ("moves", "leader", "counts"),
    [
        ("5h", 1, (7, 8)),  # a plain card: the turn goes over
        ("kh", 0, (7, 8)),  # a king: once more
        ("8c", 1, (7, 8)),
        ("pass", 1, (9, 8)),  # a pass: one card, and the turn goes over
        ("2h pass", 1, (7, 10)),  # a two: the other picks up two
        ("2h 2s", 0, (11, 7)),  # a two answered: four for oneself, and once more
    ],
)
def test_what_a_card_does_in_crazy_eights(moves: str, leader: int, counts: tuple[int, int]) -> None:
    chart = load_card_game("crazy_eights_simple").machine
    played = [PASS if one == "pass" else cards(one)[0] for one in moves.split()]
    position = chart.start()
    answers: list[object] = [DEAL, 0, *played]
    while answers:
        position, _ = chart.advance(position)
        position = chart.supply(position, answers.pop(0))
    position, reason = chart.advance(position)
    assert isinstance(reason, NeedMove)
    assert reason.player == leader
    assert tuple(int(value(position, f"cardsRemaining(player({index}))")) for index in (0, 1)) == counts


def test_the_higher_card_takes_the_point() -> None:
    for seed in range(GAMES):
        end, moves, _ = play("higher_card", seed)
        points = [0, 0]
        for at in range(0, 14, 2):
            (before, led), (_, answer) = moves[at : at + 2]
            leader = int(value(before, "leader"))
            order = [str(rank) for rank in range(2, 11)] + ["jack", "queen", "king", "ace"]
            higher = order.index(str(led.args[0])) > order.index(str(answer.args[0]))
            points[leader if higher else 1 - leader] += 1
        assert scores(end) == tuple(points)
