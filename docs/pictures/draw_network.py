"""The network of docs/goal-values.md, from the rules: `python -m docs.pictures.draw_network`."""

from __future__ import annotations

from ludorum.engine.load import load_game
from ludorum.evaluate.goals.evaluation import GoalEvaluation
from ludorum.evaluate.goals.explanation import explain_value
from ludorum.evaluate.goals.network_picture import draw_network
from ludorum.evaluate.goals.versions import VERSIONS
from tests.corpus_location import ROOT

FILE = ROOT / "docs" / "images" / "goal-network.svg"
STATE = """(
    (cell 1 1 x) (cell 1 2 b) (cell 1 3 b)
    (cell 2 1 b) (cell 2 2 o) (cell 2 3 b)
    (cell 3 1 b) (cell 3 2 b) (cell 3 3 x)
    (control oplayer))"""


def draw() -> str:
    game = load_game("tictactoe", "lifted")
    evaluation = VERSIONS["final"].make(game)
    assert isinstance(evaluation, GoalEvaluation)
    assert game.rules is not None
    found = explain_value(evaluation, game.rules, game.parse_state(STATE))
    return draw_network(found, "tictactoe: values from goals")


if __name__ == "__main__":
    FILE.write_text(draw(), encoding="utf-8")
