"""The best plan of several methods: logic, search, moves in any order, parts and bounds run in parallel.

Logic proves that shorter plans or better values do not exist where that follows from the rules; search on the
compiled engine enumerates millions of states where logic takes too long. The first method that proves its
answer stops the others.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace

from ..asp.ground import GroundingError
from ..engine.auto import AutoGame
from ..engine.errors import GameError
from ..engine.game import Game, State
from ..engine.near_states import near_states
from ..engine.perft import joint_move_count
from ..processes.session import ChildLimitError, Limit, run_limited, tell
from ..rules.lenient import make_safe
from ..rules.normalise import normalise
from ..rules.ruleset import Ruleset
from ..rules.terms import Term
from ..search.budget import Budget, Stopwatch
from ..search.compiled_state import compiled_game
from ..search.plan import Plan, best_goal
from ..search.single_player import SinglePlayer, SinglePlayerConfig
from .any_order import highest_end, plan_in_any_order
from .goal_bound import highest_goal
from .horizon import OutOfTime, Unrolled, refuse_hidden_information
from .plan_by_parts import plan_by_parts
from .plan_progress import TICK, PlanProgress, Report
from .planner import LONGEST, JointPlan, PlanAnswer, Planner, PlanNews
from .prove.subgames import may_split

MEGABYTES = 3000.0
"""The solver's memory limit; beyond it the solver is stopped and the other methods go on."""
TRIED_STEPS, DEAR_RULES = 2, 120_000
"""Steps ground to measure how costly the rules are, and the number of ground rules that is too many."""
FEW_STATES, FEW_MOVES = 200, 500
"""States and joint moves that are searched first, to see whether any play ends."""
PATIENCE = 2.0
"""Seconds after which a limit is looked for: most games are solved by then."""
GRACE = 0.3
"""Seconds beyond the time in which a process may report what it has found."""


@dataclass(frozen=True)
class WayResult:
    """What one method has found."""

    way: str
    answer: PlanAnswer | None
    trouble: str | None = None
    """Why there is no answer: it took too long, or needed too much memory."""
    method: str = ""
    """The variant of the method that found it."""


@dataclass(frozen=True)
class PlanTask:
    """A question for plans."""

    game: Game
    role: Term
    state: frozenset[Term] | None = None
    """The state to plan from, if not the initial one."""
    values: tuple[int, ...] | None = None
    longest: int = LONGEST
    seed: int = 0
    shortest: bool = False
    """Whether a plan of the best value is final only when no shorter one exists."""
    searcher: SinglePlayer | None = None
    """What searches, where it is to keep what it learns; a new one otherwise."""

    @property
    def rules(self) -> Ruleset:
        assert self.game.rules is not None
        return self.game.rules


def best_plan(
    task: PlanTask, budget: Budget, ways: Iterable[str] | None = None, report: Report | None = None
) -> list[WayResult]:
    """The answers of the methods (of all that apply, if none is named), best first; a proof ends the others.

    ``report`` is told a few times a second how far they have come.
    """
    refuse_hidden_information(task.rules)
    fits = {
        "logic": lambda _: True,
        "search": _can_search,
        "any-order": _can_search,
        "parts": _can_split,
        "bound": _can_bound,
    }
    wanted = [way for way in map(_known, _WAYS if ways is None else ways) if fits[way](task)]
    if not wanted:
        raise GameError(
            "`search` and `any-order` plan for one player and the highest value, `parts` where such a game"
            " may fall into parts, `bound` from the beginning; use `logic` for all else"
        )
    watch = Stopwatch(budget)
    if _never_ends(task):
        return [WayResult(wanted[0], _no_plan(0.0))]
    stop = threading.Event()  # the one of the budget is the caller's
    limited = replace(budget, stop=stop, seconds=watch.seconds_left)

    progress = PlanProgress()

    def run(way: str) -> WayResult:
        found = _WAYS[way](task, limited, progress)
        if found.answer is not None:
            progress.hear(PlanNews(0, found.answer.plan))
        if _is_last_word(task, found.answer):
            stop.set()
        return found

    with ThreadPoolExecutor(len(wanted)) as pool:
        try:
            work = [pool.submit(run, way) for way in wanted]
            while wait(work, TICK).not_done:
                if report is not None:
                    report(progress)
                done = [each.result() for each in work if each.done()]
                if _is_enough(task, progress, done) or (budget.stop is not None and budget.stop.is_set()):
                    stop.set()
            answers = [each.result() for each in work]
        finally:
            stop.set()  # Ctrl-C reaches this thread alone
    bound = proved_bound(answers)
    return sorted((_as_good_as_it_gets(found, bound) for found in answers), key=_rank, reverse=True)


def _no_plan(seconds: float) -> PlanAnswer:
    """The proved answer that no play ends with a value."""
    return PlanAnswer(None, True, 0, 0, seconds, bound=0)


def _never_ends(task: PlanTask) -> bool:
    """Whether there are few states and none is an end, so that longer plays need not be searched."""
    left = FEW_MOVES

    def spend(state: State) -> bool:
        nonlocal left
        left -= joint_move_count(state)
        return left >= 0

    try:
        start = task.game.initial() if task.state is None else task.game.state(task.state)
        near = near_states(start, FEW_STATES, spend)
        return near.complete and not any(state.is_terminal for state in near.states)
    except GameError:  # too costly to play: the methods report that themselves
        return False


def proved_bound(found: Iterable[WayResult]) -> int:
    """The least upper bound that any method has proved."""
    return min((each.answer.bound for each in found if each.answer is not None), default=100)


def _is_enough(task: PlanTask, progress: PlanProgress, found: Iterable[WayResult]) -> bool:
    """Whether one method has a plan of which another has proved that nothing brings more."""
    best = progress.best
    return not task.shortest and best is not None and best.goal >= proved_bound(found)


def _as_good_as_it_gets(found: WayResult, bound: int) -> WayResult:
    """Marks a plan as best where another method has proved that no higher value exists."""
    answer = found.answer
    if answer is None or answer.plan is None or answer.plan.optimal or answer.plan.goal < bound:
        return found
    return replace(found, answer=replace(answer, plan=replace(answer.plan, optimal=True)))


def ask_logic(task: PlanTask, budget: Budget, progress: PlanProgress) -> WayResult:
    """Plans by the solver, in a process that can be killed."""
    seconds = 60.0 if budget.seconds is None else budget.seconds
    until = time.monotonic() + seconds
    args = (task.rules, task.role, task.state, task.values, task.longest, task.seed, not task.shortest, until)
    last = PlanNews(0, None)

    def hear(news: PlanNews) -> None:
        nonlocal last
        last = news
        progress.hear(news)

    try:
        answer = run_limited(_plan, args, seconds + GRACE, MEGABYTES, stop=budget.stop, on_news=hear)
    except ChildLimitError as error:
        trouble = None if error.limit is Limit.STOPPED else str(error)
        if last.plan is None:
            return WayResult("logic", None, trouble)
        # Not the last word, but a plan.
        return WayResult("logic", PlanAnswer(last.plan, False, last.horizon, 0, progress.seconds), trouble)
    return WayResult("logic", answer)


def ask_search(task: PlanTask, budget: Budget, progress: PlanProgress) -> WayResult:
    """Plans by search on the compiled engine, for one player and the highest value."""
    watch = Stopwatch(budget)
    _await_circuit(task.game, watch)
    budget = replace(budget, seconds=watch.seconds_left)
    state = task.game.initial() if task.state is None else task.game.state(task.state)
    searcher = task.searcher or SinglePlayer(task.game, SinglePlayerConfig(seed=task.seed))
    try:
        found = searcher.plan(
            state,
            budget,
            shortest=task.shortest,
            on_better=lambda found: progress.hear(PlanNews(0, _joint(task, found))),
        )
    except GameError as error:
        return WayResult("search", None, str(error))
    if searcher.has_no_end:
        return WayResult("search", _no_plan(watch.seconds))
    if found is None:
        return WayResult("search", None, "no play came to an end")
    plan = _joint(task, found)
    complete = found.optimal and found.shortest
    bound = found.goal if found.optimal else best_goal(task.game)
    answer = PlanAnswer(plan, complete, 0, found.nodes, found.seconds, bound)
    return WayResult("search", answer, method=found.method)


def _joint(task: PlanTask, plan: Plan) -> JointPlan:
    moves = tuple((move,) for move in plan.moves)
    return JointPlan(task.role, moves, plan.goal, plan.shortest, plan.optimal)


def _await_circuit(game: Game, watch: Stopwatch) -> None:
    """Waits for the circuit, up to half of the time if a clock runs: a search without it never uses it."""
    if not isinstance(game, AutoGame):
        return
    left = watch.seconds_left
    half = math.inf if left is None else left / 2
    while not game.is_compiled and not game.failure and watch.seconds < half and not watch.is_up():
        game.wait(0.02)


def ask_any_order(task: PlanTask, budget: Budget, _progress: PlanProgress) -> WayResult:
    """A plan whose moves can be made in any order, for one player; or a limit to what an end can bring."""
    watch = Stopwatch(budget)
    _await_circuit(task.game, watch)
    game = compiled_game(task.game)
    if game is None:
        stopped = budget.stop is not None and budget.stop.is_set()
        return WayResult("any-order", None, None if stopped else "there is no circuit")
    bound, plan = 100, None
    try:
        state = game.initial() if task.state is None else game.state(task.state)
        highest = highest_end(game.circuit, watch)
        bound = min(100, 100 if highest is None else highest)
        if bound >= best_goal(game):
            plan = plan_in_any_order(game, state, watch, task.seed)
    except OutOfTime:
        pass
    except GameError as error:
        return WayResult("any-order", None, str(error))
    joint = None if plan is None else _joint(task, plan)
    answer = PlanAnswer(joint, False, 0, 0, watch.seconds, bound)
    return WayResult("any-order", answer, method="moves in any order")


def ask_parts(task: PlanTask, budget: Budget, _progress: PlanProgress) -> WayResult:
    """A plan for each of several independent parts."""
    began = time.monotonic()
    try:
        plan = plan_by_parts(task.rules, budget)
    except (GameError, OutOfTime, GroundingError) as error:
        return WayResult("parts", None, str(error) or "took too long")
    if plan is None:
        return WayResult("parts", None, "the game does not fall into parts")
    return WayResult("parts", PlanAnswer(plan, plan.shortest, len(plan), 0, time.monotonic() - began))


def ask_bound(task: PlanTask, budget: Budget, _progress: PlanProgress) -> WayResult:
    """No plan, but a limit to what any can bring, in a process that can be killed."""
    watch = Stopwatch(budget)
    if budget.stop is not None and budget.stop.wait(PATIENCE):
        return WayResult("bound", None)
    seconds = 60.0 if watch.seconds_left is None else watch.seconds_left
    try:
        bound = run_limited(
            highest_goal, (task.rules, task.role), max(seconds, GRACE), MEGABYTES, stop=budget.stop
        )
    except ChildLimitError as error:
        return WayResult("bound", None, None if error.limit is Limit.STOPPED else str(error))
    return WayResult("bound", PlanAnswer(None, False, 0, 0, watch.seconds, bound))


_WAYS: dict[str, Callable[[PlanTask, Budget, PlanProgress], WayResult]] = {
    "logic": ask_logic,
    "search": ask_search,
    "any-order": ask_any_order,
    "parts": ask_parts,
    "bound": ask_bound,
}


def _known(way: str) -> str:
    if way not in _WAYS:
        raise ValueError(f"no way {way!r} to plan; there are {', '.join(_WAYS)}")
    return way


def _plan(
    rules: Ruleset,
    role: Term,
    state: frozenset[Term] | None,
    values: tuple[int, ...] | None,
    longest: int,
    seed: int,
    hurry: bool,
    until: float,
) -> PlanAnswer:
    planner = _cheapest(rules, state, seed)
    left = Budget(seconds=max(0.0, until - time.monotonic()))  # one clock for all processes of a machine
    last, told = -math.inf, PlanNews(0, None)

    def pass_on(news: PlanNews) -> None:
        nonlocal last, told
        now = time.monotonic()
        if news.plan is not told.plan or now > last + TICK:  # small horizons are quick
            last, told = now, news
            tell(news)

    return planner.plan(role, left, values=values, longest=longest, hurry=hurry, on_news=pass_on)


def _cheapest(rules: Ruleset, state: frozenset[Term] | None, seed: int) -> Planner:
    """A planner of the rules as they are or, where grounding is costly, with their bodies split.

    A frame axiom that compares every fact with every move is ground for all pairs of them, at every step;
    split rules avoid that, but propagate less in the solver.
    """
    planner = Planner(Unrolled(rules, state, seed))
    planner.unrolled.extend(TRIED_STEPS)
    if planner.unrolled.count_first_rules() < DEAR_RULES:
        return planner
    return Planner(Unrolled(normalise(make_safe(rules)[0]), state, seed))


def _can_search(task: PlanTask) -> bool:
    return len(task.game.roles) == 1 and task.values is None and task.longest == LONGEST


def _can_bound(task: PlanTask) -> bool:
    return task.state is None and task.values is None and task.longest == LONGEST


def _can_split(task: PlanTask) -> bool:
    """Whether the names of fluents already show parts, so that other games skip the longer test."""
    return _can_search(task) and task.state is None and may_split(task.rules)


def _is_last_word(task: PlanTask, answer: PlanAnswer | None) -> bool:
    if answer is None:
        return False
    plan = answer.plan
    return answer.complete or (plan is not None and plan.optimal and not task.shortest)


def _rank(found: WayResult) -> tuple[int, int, int, int]:
    answer = found.answer
    if answer is None:
        return (-2, 0, 0, 0)
    if answer.plan is None:
        return (-1, answer.complete, 0, 0)
    return (answer.plan.goal, answer.plan.optimal, answer.complete, -len(answer.plan))
