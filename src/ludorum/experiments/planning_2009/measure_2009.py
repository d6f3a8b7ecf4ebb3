"""The matches and tables of 2009 measured again: the old method and today's planner in the same run.

Times are processor seconds, since machines are shared. At every turn both are asked for a move in the
position of the published match, whatever they would have played before.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

from ..._paths import games_folder
from ...engine.load import load_rules
from ...rules.kif import parse_term
from ...rules.library import find_sheet
from ...rules.ruleset import Ruleset
from ...rules.source import Source
from ...rules.terms import Term
from ...search.budget import Budget
from ...solve.planner import PlanAnswer, Planner
from .legacy import LegacyAnswer, LegacyPlanner, sent_text
from .published_2009 import ANSWER_SETS, GROUNDING, SEVERAL, SHORTEST, SINGLE, PublishedMatch2009

PATIENCE = Budget(seconds=600)
TRIES = 3
"""Times both methods are asked; the quickest counts, as others share the machine."""
MOST_COUNTED = 20_000
"""Answer sets counted in a usual run: more take the better part of a minute."""


@dataclass
class TurnRow:
    turn: int
    played: str
    published_s: float
    legacy_move: str
    legacy_s: float
    modern_move: str
    modern_s: float


@dataclass
class MatchRow:
    """A match of 2009, its turns measured again."""

    game: str
    role: str
    goal: int
    published_s: float
    legacy_s: float = 0.0
    modern_s: float = 0.0
    turns: list[TurnRow] = field(default_factory=list)


@dataclass
class GroundingRow:
    """How long a description takes to ground, from its text on."""

    sheet: str
    published_s: float
    published_instances: int
    legacy_instances: int
    legacy_s: float
    modern_s: float


@dataclass
class PlanRow:
    """The first plan from the text of the rules, all shorter horizons among it."""

    game: str
    role: str
    length: int | None
    plans: int
    published: tuple[int | None, int]
    answer_sets: dict[int, int] | None
    """By length of plan, where they were counted."""
    published_answer_sets: dict[int, int] | None
    legacy_s: float
    legacy_size: tuple[int, int]
    """Atoms and rules of the ground program."""
    modern_s: float
    modern_size: tuple[int, int]


@dataclass
class PlanBench:
    """All tables of a run."""

    matches: list[MatchRow] = field(default_factory=list)
    as_first_written: list[MatchRow] = field(default_factory=list)
    """Matches from rules in which nobody had redistributed variables by hand, as rules come."""
    grounding: list[GroundingRow] = field(default_factory=list)
    plans: list[PlanRow] = field(default_factory=list)

    def ratios(self) -> dict[str, float]:
        """Geometric means: how many times as long the other took as today's planner."""
        found = {
            "legacy/modern, first plan": [row.legacy_s / row.modern_s for row in self.plans],
            "legacy/modern, match": [row.legacy_s / row.modern_s for row in self.matches],
            "legacy/modern, match from rules as first written": [
                row.legacy_s / row.modern_s for row in self.as_first_written
            ],
            "published/modern, match": [row.published_s / row.modern_s for row in self.matches],
        }
        return {name: _geometric_mean(ratios) for name, ratios in found.items() if ratios}

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "ratios": self.ratios()}

    @staticmethod
    def from_json(kept: dict[str, Any]) -> PlanBench:
        """The tables of an earlier run."""
        return PlanBench(
            [_match_row(row) for row in kept["matches"]],
            [_match_row(row) for row in kept["as_first_written"]],
            [GroundingRow(**row) for row in kept["grounding"]],
            [_plan_row(row) for row in kept["plans"]],
        )


@dataclass(frozen=True)
class Stage:
    """A part of a run: its name, and the work that adds its rows to the tables."""

    name: str
    measure: Callable[[PlanBench], None]


def stages_2009(full: bool = False) -> list[Stage]:
    """All parts of a run, table by table. Full: what takes minutes, too."""
    stages = [
        Stage(f"match: {match.game}, {match.role}", partial(_add_match, match))
        for match in (*SINGLE, *SEVERAL)
    ]
    for match in SEVERAL:
        if f"{match.game}_reused" in GROUNDING and match.seat == 0:
            name = f"match as first written: {match.game}, {match.role}"
            stages.append(Stage(name, partial(_add_first_written, match)))
    stages += [Stage(f"grounding: {sheet}", partial(_add_grounding, sheet)) for sheet in GROUNDING]
    stages += [
        Stage(f"plans: {match.game}, {match.role}", partial(_add_plans, match, full))
        for match in (*SINGLE, *SEVERAL)
    ]
    return stages


def _add_match(match: PublishedMatch2009, bench: PlanBench) -> None:
    row = measure_match(match)
    bench.matches.append(row)
    if match in SINGLE:  # these rules are as they were first written
        bench.as_first_written.append(row)


def _add_first_written(match: PublishedMatch2009, bench: PlanBench) -> None:
    bench.as_first_written.append(measure_match(replace(match, game=f"{match.game}_reused")))


def _add_grounding(sheet: str, bench: PlanBench) -> None:
    bench.grounding.append(measure_grounding(sheet))


def _add_plans(match: PublishedMatch2009, full: bool, bench: PlanBench) -> None:
    bench.plans.append(measure_plans(match.game, match.role, full))


def measure_match(match: PublishedMatch2009) -> MatchRow:
    """Both methods asked at every turn of a match; today's keeps its plan where it plays alone."""
    rules = rules_2009(match.game)
    legacy = LegacyPlanner(sent_text(rules_2009(match.game, lenient=False)), match.role)
    modern = [_modern_turns(match, rules) for _ in range(TRIES)]
    row = MatchRow(match.game, match.role, match.goal, match.seconds)
    for number, turn in enumerate(match.turns, 1):
        old = _quickest_answer(legacy)
        move, seconds = min((turns[number - 1] for turns in modern), key=lambda answer: answer[1])
        played = turn.joint[match.seat]
        row.turns.append(TurnRow(number, played, turn.seconds, old.move, old.seconds, move, seconds))
        legacy.after(turn.joint)
    row.legacy_s = sum(each.legacy_s for each in row.turns)
    row.modern_s = sum(each.modern_s for each in row.turns)
    return row


def _quickest_answer(legacy: LegacyPlanner) -> LegacyAnswer:
    """The quickest of a few tries; what takes long is not disturbed by much and tried once."""
    answers = [legacy.answer()]
    while len(answers) < TRIES and answers[0].seconds < 0.5:
        answers.append(legacy.answer())
    return min(answers, key=lambda answer: answer.seconds)


def _modern_turns(match: PublishedMatch2009, rules: Ruleset) -> list[tuple[str, float]]:
    """Move and seconds of every turn."""
    player = _ModernPlayer(rules, Term(match.role))
    found = []
    for turn in match.turns:
        found.append(player.answer())
        player.after(tuple(map(parse_term, turn.joint)))
    return found


class _ModernPlayer:
    """Today's planner in one seat: a plan of its own is followed as long as nobody leaves it."""

    def __init__(self, rules: Ruleset, role: Term) -> None:
        self._rules, self._role = rules, role
        self._planner: Planner | None = None
        self._plan: tuple[tuple[Term, ...], ...] = ()

    def answer(self) -> tuple[str, float]:
        started = time.process_time()
        if self._planner is None:
            self._planner = Planner(self._rules)
        if not self._plan or len(self._planner.roles) > 1:
            found = self._planner.plan(self._role, PATIENCE).plan
            self._plan = () if found is None else found.moves
        move = str(self._plan[0][self._planner.roles.index(self._role)]) if self._plan else "-"
        return move, time.process_time() - started

    def after(self, joint: tuple[Term, ...]) -> None:
        assert self._planner is not None
        self._planner.after(joint)
        self._plan = self._plan[1:] if self._plan[:1] == (joint,) else ()


def measure_grounding(sheet: str) -> GroundingRow:
    """Old and new from the same text."""
    seconds, instances = GROUNDING[sheet]
    legacy = LegacyPlanner(sent_text(rules_2009(sheet, lenient=False)), "blocksplayer")
    ground_s = legacy.answer(most=1).ground_s
    return GroundingRow(
        sheet, seconds, instances, legacy.program.count_instances(), ground_s, modern_grounding_s(sheet)
    )


def modern_grounding_s(sheet: str, horizon: int = 3) -> float:
    """Processor seconds to unroll a game of 2009, the quickest of a few tries."""
    rules = rules_2009(sheet)
    return min(_timed(lambda: Planner(rules).unrolled.extend(horizon)) for _ in range(TRIES))


def measure_plans(game: str, role: str, full: bool) -> PlanRow:
    """The first plan of both, and how many there are."""
    text = sent_text(rules_2009(game, lenient=False))
    old = LegacyPlanner(text, role).answer()
    legacy_s = min(_timed(lambda: LegacyPlanner(text, role).answer()) for _ in range(TRIES))
    published_sets = ANSWER_SETS.get((game, role))
    worth_counting = published_sets is not None and (full or sum(published_sets.values()) <= MOST_COUNTED)
    modern_s = min(_timed(lambda: first_plan(text, role)) for _ in range(TRIES))
    planner, answer = first_plan(text, role)
    plan = answer.plan
    return PlanRow(
        game,
        role,
        None if plan is None else len(plan),
        0 if plan is None else planner.count_plans(plan, PATIENCE),
        SHORTEST[game, role],
        dict(sorted(LegacyPlanner(text, role).lengths().items())) if worth_counting else None,
        published_sets,
        legacy_s,
        (old.atoms, old.rules),
        modern_s,
        planner.unrolled.size,
    )


def first_plan(text: str, role: str) -> tuple[Planner, PlanAnswer]:
    """From the text of rules to the first plan for 100, or the proof that there is none."""
    from ...rules.lenient import repair
    from ...rules.reader import read_rules

    rules, _ = repair(read_rules(Source("game.kif", text))[0])
    planner = Planner(rules)
    return planner, planner.plan(Term(role), PATIENCE, values=[100])


def rules_2009(name: str, lenient: bool = True) -> Ruleset:
    """A game in its dress of then: as it stands, or with what is missing repaired."""
    return load_rules(find_sheet(str(games_folder() / "planning_2009" / f"{name}.kif")), lenient)


def _match_row(kept: dict[str, Any]) -> MatchRow:
    return MatchRow(**{**kept, "turns": [TurnRow(**turn) for turn in kept["turns"]]})


def _plan_row(kept: dict[str, Any]) -> PlanRow:
    """Files know lists and texts only, where rows have pairs and numbers."""
    pairs = {name: tuple(kept[name]) for name in ("published", "legacy_size", "modern_size")}
    counts = {
        name: kept[name] and {int(length): count for length, count in kept[name].items()}
        for name in ("answer_sets", "published_answer_sets")
    }
    return PlanRow(**{**kept, **pairs, **counts})


def _timed(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def _geometric_mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))
