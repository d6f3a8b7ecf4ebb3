"""Monty Hall, with a player and with chance as Monty: the whole tree, by hand."""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.engine.perft import perft
from tests.games.hidden_play import all_plays, facts, goals, legal, seen, step, view

HOSTS = {"monty_hall": "monty", "monty_hall_random": "random"}


def plays(name: str) -> list[list[State]]:
    return list(all_plays(load_game(name).initial()))


@pytest.mark.parametrize("name", HOSTS)
def test_the_tree_has_nine_then_twelve_then_twenty_four_paths(name: str) -> None:
    # Three doors may hide the car, three may be chosen. Behind the chosen door (3 of 9 ways) the car leaves
    # two doors to open, elsewhere (6 of 9) one: 3 * 2 + 6 = 12. Then the candidate stays or switches.
    assert perft(load_game(name), 4) == [9, 12, 24, 0]
    assert len(plays(name)) == 24


@pytest.mark.parametrize("name", HOSTS)
def test_every_end_has_one_goal_for_everybody(name: str) -> None:
    ends = [play[-1] for play in plays(name)]
    assert all(end.is_terminal for end in ends)
    assert all(None not in end.goals() for end in ends)
    # Staying wins where the car was chosen (6 of 12 histories), switching where it was not (6 of 12).
    assert sum(goals(end)["candidate"] == 100 for end in ends) == 12


def test_monty_wins_exactly_when_the_candidate_does_not() -> None:
    for play in plays("monty_hall"):
        found = goals(play[-1])
        assert (found["monty"], found["candidate"]) in {(0, 100), (100, 0)}


def chances(state: State, choice: str, final: str) -> Iterator[tuple[Fraction, State]]:
    """The ends of the candidate's plan and how likely chance makes them."""
    if state.is_terminal:
        yield Fraction(1), state
        return
    plan = (
        choice
        if choice in legal(state, "candidate")
        else final
        if final in legal(state, "candidate")
        else "noop"
    )
    options = legal(state, "random")
    for option in options:
        for chance, end in chances(step(state, random=option, candidate=plan), choice, final):
            yield chance / len(options), end


@pytest.mark.parametrize("door", [1, 2, 3])
@pytest.mark.parametrize(("final", "wins"), [("switch", Fraction(2, 3)), ("noop", Fraction(1, 3))])
def test_switching_wins_two_times_of_three(door: int, final: str, wins: Fraction) -> None:
    ends = list(chances(load_game("monty_hall_random").initial(), f"(choose {door})", final))
    assert sum(chance for chance, _ in ends) == 1
    assert sum(chance for chance, end in ends if goals(end)["candidate"] == 100) == wins


@pytest.mark.parametrize(("name", "host"), HOSTS.items())
def test_the_match_of_the_paper(name: str, host: str) -> None:
    state = load_game(name).initial()
    assert str(state) == "((closed 1) (closed 2) (closed 3) (step 1))"
    assert legal(state, "candidate") == ["(choose 1)", "(choose 2)", "(choose 3)"]

    state = step(state, **{host: "(hide_car 2)", "candidate": "(choose 1)"})
    assert str(state) == "((car 2) (chosen 1) (closed 1) (closed 2) (closed 3) (step 2))"
    assert seen(state, "candidate") == []
    assert legal(state, host) == ["(open_door 3)"]
    assert legal(state, "candidate") == ["noop"]

    state = step(state)
    assert str(state) == "((car 2) (chosen 1) (closed 1) (closed 2) (step 3))"
    assert seen(state, "candidate") == ["3"]
    assert legal(state, host) == ["noop"]
    assert legal(state, "candidate") == ["noop", "switch"]

    state = step(state, candidate="switch")
    assert str(state) == "((car 2) (chosen 2) (closed 1) (closed 2) (step 4))"
    assert seen(state, "candidate") == ["2"]
    assert state.is_terminal
    assert goals(state)["candidate"] == 100


def test_monty_sees_every_move_and_the_candidate_only_doors() -> None:
    state = step(load_game("monty_hall").initial(), monty="(hide_car 1)", candidate="(choose 1)")
    assert seen(state, "monty") == ["(move candidate (choose 1))", "(move monty (hide_car 1))"]
    assert legal(state, "monty") == ["(open_door 2)", "(open_door 3)"]
    state = step(state, monty="(open_door 2)")
    assert seen(state, "monty") == ["(move candidate noop)", "(move monty (open_door 2))"]
    state = step(state, candidate="noop")
    assert seen(state, "monty") == ["(move candidate noop)", "(move monty noop)"]
    assert seen(state, "candidate") == ["1"]
    assert goals(state) == {"monty": 0, "candidate": 100}


@pytest.mark.parametrize(("name", "host"), HOSTS.items())
def test_equal_views_mean_equal_moves_and_at_the_end_equal_goals(name: str, host: str) -> None:
    game = load_game(name)
    worlds: dict[tuple[str, object], set[State]] = {}
    for play in plays(name):
        for length in range(1, len(play) + 1):
            for role in game.info.players:
                worlds.setdefault((str(role), view(play[:length], role)), set()).add(play[length - 1])
    for (who, _), states in worlds.items():
        assert len({tuple(legal(state, who)) for state in states}) == 1
        assert len({state.is_terminal for state in states}) == 1
        if next(iter(states)).is_terminal:
            assert len({goals(state)[who] for state in states}) == 1
        # Monty always knows the state.
        assert who != host or len(states) == 1


@pytest.mark.parametrize(("name", "host"), HOSTS.items())
def test_before_the_last_move_the_car_is_behind_either_closed_door(name: str, host: str) -> None:
    hidden = {}
    for car in (1, 2):
        state = step(load_game(name).initial(), **{host: f"(hide_car {car})", "candidate": "(choose 1)"})
        state = step(state, **{host: "(open_door 3)"})
        hidden[car] = state
    assert seen(hidden[1], "candidate") == seen(hidden[2], "candidate") == ["3"]
    assert [facts(state, "car") for state in hidden.values()] == [["(car 1)"], ["(car 2)"]]
