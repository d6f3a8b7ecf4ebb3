"""Lights Out against linear algebra over GF(2)."""

from itertools import combinations

from ludorum._core import SplitMix64
from ludorum.engine.check_game import check_game
from ludorum.engine.game import State, parse_facts
from ludorum.engine.load import load_game
from tests.games.single_player import Square, legal, play, squares

PANEL = [(x, y) for x in range(1, 6) for y in range(1, 6)]


def switched(press: Square) -> frozenset[Square]:
    """The lights a press changes: a vector over GF(2), as the set of its ones."""
    return frozenset((x, y) for x, y in PANEL if abs(x - press[0]) + abs(y - press[1]) <= 1)


def solutions(lit: frozenset[Square]) -> list[frozenset[Square]]:
    """Every set of presses that puts out these lights, by elimination over GF(2)."""
    rows = [
        (switched(press), frozenset({press})) for press in PANEL
    ]  # what it changes, which presses make it
    kernel: list[frozenset[Square]] = []
    pivots: dict[Square, tuple[frozenset[Square], frozenset[Square]]] = {}
    for changes, presses in rows:
        for pivot, (others, made) in pivots.items():
            if pivot in changes:
                changes, presses = changes ^ others, presses ^ made
        if changes:
            pivots[min(changes)] = (changes, presses)
        else:
            kernel.append(presses)
    presses = frozenset()
    for pivot, (others, made) in pivots.items():
        if pivot in lit:
            lit, presses = lit ^ others, presses ^ made
    if lit:
        return []
    found = []
    for size in range(len(kernel) + 1):
        for chosen in combinations(kernel, size):
            solution = presses
            for quiet in chosen:
                solution ^= quiet
            found.append(solution)
    return found


def press(state: State, *pressed: Square) -> State:
    return play(state, *(f"(press {x} {y})" for x, y in pressed))


def test_random_play_keeps_every_promise() -> None:
    assert check_game(load_game("lights_out"), plays=1, seed=3) == []


def test_lights_out_oracle_finds_the_published_figures() -> None:
    # Rank 23: four solutions where there is one. A single corner light is hopeless, a full panel needs 15.
    assert {len(solution) for solution in solutions(frozenset(PANEL))} == {15}
    assert len(solutions(frozenset(PANEL))) == 4
    assert solutions(frozenset({(1, 1)})) == []


def test_lights_out_starts_with_the_border_and_takes_ten_presses() -> None:
    start = load_game("lights_out").initial()
    border = frozenset((x, y) for x, y in PANEL if {x, y} & {1, 5})
    assert squares(start, "lit") == border
    found = solutions(border)
    assert sorted(map(len, found)) == [10, 10, 10, 10]
    for solution in found:
        *before, last = sorted(solution)
        almost = press(start, *before)
        assert not almost.is_terminal
        assert almost.goals() == (0,)
        end = press(almost, last)
        assert str(end) == "((step 10))"
        assert end.is_terminal
        assert end.goals() == (100,)


def test_lights_out_presses_add_up_over_gf2() -> None:
    chooser = SplitMix64(2)
    state = load_game("lights_out").initial()
    lit = squares(state, "lit")
    for step in range(20):
        assert not state.is_terminal
        assert len(legal(state)) == 25
        pressed = PANEL[chooser.below(25)]
        lit ^= switched(pressed)
        state = press(state, pressed)
        assert squares(state, "lit") == lit
        assert state.facts() >= parse_facts(f"((step {step + 1}))")
    assert state.is_terminal
    assert state.goals() == (0,)
