"""Only what is asked is worked out: consequences of the whole history cost many times as much."""

from __future__ import annotations

import time
from collections.abc import Iterable

import clingo
import pytest

from ludorum.asp.control import make_growing_control
from ludorum.asp.history import HistoryProgram
from ludorum.asp.names import read_symbol
from ludorum.engine.load import load_game
from ludorum.knowledge.history_knower import HistoryKnower
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.terms import Term
from tests.corpus_location import corpus_folder
from tests.how_much import some
from tests.knowledge.role_matches import follow

KINDS = ("legal", "over", "goal")
FOLDER = corpus_folder()
PUBLISHED = str(FOLDER / "gdl2" / "meier__scully.kif") if FOLDER else "absent"


class WholeHistory:
    """The same program without a projection: clingo's consequences of all atoms of all steps."""

    def __init__(self, rules: Ruleset, role: Term) -> None:
        self.program = HistoryProgram(rules, role)
        self.control, _ = make_growing_control()
        text = self.program.text.replace("#show.\n", "")
        self.control.add("base", [], f"{text}#program root.\np_true_1(F,0) :- p_init_1(F).\n")
        self.step = self.models = 0
        self.seconds = 0.0
        self.control.ground([("base", []), ("root", []), ("state", [clingo.Number(0)])])

    def update(self, move: Term, percepts: Iterable[Term]) -> None:
        told, now = f"told_{self.step}", clingo.Number(self.step + 1)
        self.control.add(told, [], self.program.own_step(self.step, move, percepts))
        self.step += 1
        asked = f"ask_{self.step}"
        self.control.add(asked, [], self.program.questions(self.step))
        self.control.ground([(told, []), ("step", [now]), ("state", [now]), (asked, [])])

    def ask(self, kind: str) -> tuple[frozenset[Term], frozenset[Term]]:
        """What is known and what is possible, of one kind."""
        return self._consequences("cautious", kind), self._consequences("brave", kind)

    def _consequences(self, mode: str, kind: str) -> frozenset[Term]:
        solving, found = self.control.configuration.solve, list[clingo.Symbol]()
        solving.enum_mode, solving.models = mode, "0"  # type: ignore[union-attr]
        began = time.process_time()
        with self.control.solve(yield_=True) as models:
            for model in models:
                self.models += 1
                found = list(model.symbols(atoms=True))
        self.seconds += time.process_time() - began
        name = f"{kind}_{self.step}"
        return frozenset(read_symbol(atom.arguments[0]) for atom in found if atom.name == name)


@pytest.mark.long
@pytest.mark.spec("filtering-gdl2", 22)
@pytest.mark.parametrize(
    "sheet", ["meier", pytest.param(PUBLISHED, marks=pytest.mark.corpus, id="published")]
)
def test_what_is_asked_takes_a_fifth_of_the_work_of_all_atoms(sheet: str) -> None:
    game = load_game(sheet, lenient="/" in sheet)
    assert game.rules is not None
    role = game.info.players[0]
    asked, all_atoms, seconds = 0, 0, [0.0, 0.0]
    for seed in range(some(30)):
        knower, whole = HistoryKnower(game.rules, role), WholeHistory(game.rules, role)
        seat = game.roles.index(role)
        for state in follow(game, knower, seed):
            if state.joint is None:
                continue
            whole.update(state.joint[seat], state.percepts(role))
            began = time.process_time()
            answers = {kind: knower.ask(kind) for kind in KINDS}
            seconds[0] += time.process_time() - began
            known, possible = whole.ask("legal")
            assert (answers["legal"].known, answers["legal"].possible) == (known, possible)
            assert all(answer.is_exact for answer in answers.values())
        asked, all_atoms = asked + knower.work.models, all_atoms + whole.models
        seconds[1] += whole.seconds
    assert all_atoms >= 5 * asked  # 12 to 23 times the models
    assert seconds[1] >= 5 * seconds[0]  # 13 to 16 times the seconds of the processor
