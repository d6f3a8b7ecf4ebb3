"""Board games in tests: positions as diagrams, moves of the player on turn, and seeded random matches."""

from collections.abc import Mapping

from ludorum._core import SplitMix64
from ludorum.engine.game import Game, State, parse_move
from ludorum.rules.terms import Term


def drawn(game: Game, diagram: str, pieces: Mapping[str, str], more: str) -> State:
    """The position of a diagram, top row first, with ``more`` facts as text.

    ``pieces`` says what a character stands for after the coordinates: ``{"r": "red"}`` makes an ``r`` in the
    lower left corner ``(cell 1 1 red)``. A dot is a free cell.
    """
    rows = diagram.split()
    cells = [
        f"(cell {x} {len(rows) - y} {pieces[sign]})"
        for y, row in enumerate(rows)
        for x, sign in enumerate(row, start=1)
        if sign != "."
    ]
    return game.parse_state(f"({' '.join(cells)} {more})")


def diagram(state: State, signs: Mapping[str, str], width: int, height: int) -> list[str]:
    """The cells of a state drawn, top row first; the twin of ``drawn``."""
    found = {(str(fact.args[0]), str(fact.args[1])): fact for fact in state.facts() if fact.name == "cell"}
    content = {place: signs[" ".join(map(str, fact.args[2:]))] for place, fact in found.items()}
    return [
        "".join(content.get((str(x), str(y)), ".") for x in range(1, width + 1)) for y in range(height, 0, -1)
    ]


def on_turn(state: State) -> Term:
    """The role that has control."""
    (fact,) = (fact for fact in state.facts() if fact.name == "control")
    role = fact.args[0]
    assert isinstance(role, Term)
    return role


def moves(state: State) -> list[str]:
    """The moves of the player on turn, as text; the other players can only wait."""
    player = on_turn(state)
    waiting = [state.legal(role) for role in state.game.roles if role is not player]
    assert waiting == [(parse_move("noop"),)] * (len(state.game.roles) - 1)
    return [str(move) for move in state.legal(player)]


def play(state: State, *line: str) -> State:
    """The state after these moves, each by the player then on turn; nobody moves in a finished game."""
    for move in line:
        assert not state.is_terminal, f"the game is over before {move}"
        player = on_turn(state)
        state = state.play([parse_move(move if role is player else "noop") for role in state.game.roles])
    return state


def random_match(game: Game, seed: int) -> list[State]:
    """The states of a seeded random match; each has a move for the player on turn and one goal at its end."""
    chooser = SplitMix64(seed)
    match = [game.initial()]
    while not match[-1].is_terminal:
        choice = moves(match[-1])
        assert choice, f"{game.name} is stuck: {match[-1]}"
        match.append(play(match[-1], choice[chooser.below(len(choice))]))
    assert all(len(match[-1].goal_terms(role)) == 1 for role in game.roles), str(match[-1])
    return match
