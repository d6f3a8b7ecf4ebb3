"""Searchers that work together: shares of the time, proofs that bind, parts without advice."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from ludorum.engine.game import State
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from ludorum.search import Budget, Choice, Decision
from ludorum.search.mixed import Mixed, NoAdviceError, SearchPart
from tests.small_games import door

LEFT, PUSH, PULL = map(parse_term, ("left", "push", "pull"))


@dataclass
class Says:
    """Always the same values; None has no advice."""

    values: dict[Term, float] | None
    proven: frozenset[Term] = frozenset()
    all_proven: bool = False
    budgets: list[Budget] = field(default_factory=list)

    def search(self, state: State, role: Term, budget: Budget) -> Decision:
        self.budgets.append(budget)
        if self.values is None:
            raise NoAdviceError("not here")
        order = sorted(self.values, key=lambda move: -self.values[move])  # type: ignore[index]
        choices = tuple(Choice(move, 1, self.values[move], move in self.proven) for move in order)
        return Decision(role, order[0], choices, nodes=10, playouts=5, seconds=0, proven=self.all_proven)

    def forget(self) -> None:
        self.values = None


def decide(*parts: SearchPart, seconds: float = 10.0) -> Decision:
    return Mixed(parts).search(door().initial(), LEFT, Budget(seconds=seconds))


def test_the_last_part_counts_and_work_adds_up() -> None:
    found = decide(SearchPart(Says({PUSH: 90, PULL: 10}), 0.2), SearchPart(Says({PUSH: 40, PULL: 60})))
    assert found.move is PULL
    assert (found.nodes, found.playouts) == (20, 10)


def test_a_proof_ends_the_search() -> None:
    never = Says({PUSH: 0, PULL: 100})
    found = decide(
        SearchPart(Says({PUSH: 100, PULL: 0}, frozenset({PUSH}), all_proven=True), 0.2), SearchPart(never)
    )
    assert found.move is PUSH
    assert found.proven
    assert never.budgets == []


def test_a_move_that_is_proven_to_lose_gives_way() -> None:
    found = decide(
        SearchPart(Says({PUSH: 0, PULL: 50}, frozenset({PUSH})), 0.2), SearchPart(Says({PUSH: 70, PULL: 30}))
    )
    assert found.move is PULL
    assert not found.proven
    assert {choice.move: choice.value for choice in found.choices} == {PUSH: 0, PULL: 30}


def test_a_proven_draw_is_kept_where_the_rest_looks_worse() -> None:
    found = decide(
        SearchPart(Says({PUSH: 50, PULL: 50}, frozenset({PUSH})), 0.2), SearchPart(Says({PULL: 45, PUSH: 40}))
    )
    assert found.move is PUSH


def test_parts_without_advice_are_passed_over() -> None:
    assert decide(SearchPart(Says(None)), SearchPart(Says({PUSH: 1}))).move is PUSH
    with pytest.raises(NoAdviceError):
        decide(SearchPart(Says(None)))


def test_each_part_has_its_share_of_what_is_left() -> None:
    first, second = Says({PUSH: 1}), Says({PUSH: 1})
    decide(SearchPart(first, 0.25), SearchPart(second))
    assert first.budgets[0].seconds == pytest.approx(2.5, abs=0.1)
    assert second.budgets[0].seconds == pytest.approx(10.0, abs=0.1)
