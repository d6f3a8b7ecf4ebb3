"""Repaired public sheets are accepted by the reference engine and follow the recorded playouts."""

import json
from pathlib import Path

import pytest

from ludorum.engine.reference import ReferenceGame
from ludorum.rules.kif import parse_term, read_kif
from ludorum.rules.lenient import make_safe, repair
from ludorum.rules.syntax import load_source

MENDED = [
    "gdl1/Modified-ticTacToe2__sancho", "gdl1/bonaparte__sancho", "gdl1/chinesecheckers1__cs227b",
    "gdl1/simultaneousTicTacToe__sancho", "gdl1/test_case_3b__ggpbase", "gdl1/test_case_3e__ggpbase",
    "gdl1/test_case_3f__ggpbase", "gdl1/tron__iggp", "gdl2/ConnectThreeDecompositionII__unsw",
    "gdl2/blind_breakthrough_5x5__uwa", "gdl2/dominion__uwa", "gdl2/oneCardGame__uwa-safe",
]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("name", MENDED)
def test_a_mended_sheet_follows_the_recorded_playout(corpus: Path, name: str) -> None:
    ruleset, notes = make_safe(read_kif(load_source(corpus / f"{name}.kif"))[0])
    assert notes
    record = json.loads((corpus / "matches" / "clingo" / f"{Path(name).name}.json").read_text())
    state = ReferenceGame(ruleset).initial()
    for number, step in enumerate(record["steps"][:4]):
        assert state.facts() == {parse_term(fact) for fact in step["state"]}
        for role, moves in step.get("legal", {}).items():
            assert set(state.legal(parse_term(role))) == {parse_term(move) for move in moves}
        if number < len(record["moves"]):
            state = state.play([parse_term(move) for move in record["moves"][number]])


@pytest.mark.slow
def test_the_reference_engine_accepts_every_repaired_sheet(corpus: Path) -> None:
    for folder in ("gdl1", "gdl2"):
        for path in sorted((corpus / folder).glob("*.kif")):
            game = ReferenceGame(repair(read_kif(load_source(path))[0])[0], path.stem)
            assert game.roles, path.stem
