"""A searcher that reasons: plans and strategies by logic, proofs by alpha-beta where that is faster.

Logic thinks in another process (``thinker``), which is killed when its time or memory is spent; what it had
found until then counts. A plan that no other role can spoil, and a strategy for the best value, are followed
without another search.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from zlib import crc32

from .._core import SplitMix64
from ..engine.errors import GameError
from ..engine.game import Game, JointMove, State
from ..engine.words import Named
from ..evaluate.acquaintance import Acquaintance, AcquaintanceConfig
from ..processes.service import Service
from ..processes.session import ChildLimitError, Limit
from ..rules.ruleset import is_nature
from ..rules.terms import Term
from ..search.alphabeta import AlphaBeta
from ..search.alphabeta_config import AlphaBetaConfig
from ..search.budget import Budget, Stopwatch
from ..search.compiled_state import compiled_game
from ..search.decision import Choice, Decision
from ..search.mixed import NoAdviceError
from .goals import goal_values
from .opponents import OpponentModel
from .planner import JointPlan
from .selection import Announcer, Assessment, select
from .strategy_search import StrategyNode
from .thinker import Advice, LogicThinker, ThinkerConfig
from .tree_leaves import LeafWeights

log = logging.getLogger("ludorum.asp")
log.addHandler(logging.NullHandler())  # no log on the screen of a person who plays

GRACE = 0.05
"""The share of the time kept back from the other process: it is killed only if it overruns this as well."""
MOST_IDLE = 2
"""Processes that are kept for the next match: starting one costs more than a small game."""


@dataclass(frozen=True)
class LogicConfig:
    """Settings that may be changed, with their defaults."""

    seed: int = 0
    deterministic: bool = False
    """Whether the first of equal moves is taken, not a random one."""
    search: bool = True
    """Whether alpha-beta may prove values where the game has a circuit; else logic is on its own."""
    search_share: float = 0.2
    always: bool = False
    """Whether to name a legal move even where nothing is known, for a player without other searches."""
    program: bool = False
    """Whether plans are made by the clingo program instead of its library."""
    model: str = OpponentModel.SAMPLED.value
    """The model of the opponents' choices where nothing is proved."""
    most_plans: int = 120
    megabytes: float = 2000.0
    features: bool = False
    """Whether states at the leaves of open trees are valued by features of the rules."""
    memory: str = ""
    """The folder of heuristics of games met before, for features; nothing is kept without one."""
    learn_share: float = 0.3
    """The share of the first search's time for learning the weights of a new game."""

    def __post_init__(self) -> None:
        if self.model not in {each.value for each in OpponentModel}:
            names = ", ".join(each.value for each in OpponentModel)
            raise ValueError(f"no model of opponents {self.model!r}; there are {names}")


class LogicSearcher:
    """Chooses moves by plans, strategies and proofs. One match at a time."""

    def __init__(self, game: Game, config: LogicConfig | None = None) -> None:
        self.game = game
        self.config = config or LogicConfig()
        self.announcements: list[str] = []
        self.troubles: list[str] = []
        """The last failure of the other process, in words."""
        self.solves = 0
        self._service: Service | None = None
        self._announcer: Announcer | None = None
        self._role: Term | None = None
        self._plan: dict[State, tuple[JointPlan, int]] = {}
        """States on a plan that no other role can spoil, with the number of its moves already made."""
        self._strategy: dict[State, tuple[StrategyNode, int]] = {}
        """States after the last move, each with the strategy to follow from there and its value."""
        self._alphabeta: AlphaBeta | None = None
        self._acquaintance = Acquaintance(game, AcquaintanceConfig(self.config.memory, seed=self.config.seed))
        self._in_vain = 0.0
        """Seconds in which no plan was found for one player: less time is not tried again."""

    # -- answers ----------------------------------------------------------------------------------------

    def search(self, state: State, role: Named, budget: Budget) -> Decision:
        role = state.game.role(role)
        watch = Stopwatch(budget)
        if not state.legal(role):
            raise GameError(f"{self.game.name} goes no further: {role} has no move")
        self._sit(role)
        decision = self._follow(state, role, watch)
        if decision is not None:
            return decision
        if not self._is_open():
            return self._shrug(state, role, watch, "rules that hide something or draw lots")
        if self.config.features and len(self.game.roles) > 1:
            left = watch.seconds_left
            self._acquaintance.meet(None if left is None else left * self.config.learn_share)
        known = self._prove_by_search(state, role, budget, watch)
        advice = None
        if known is None:
            advice = self._ask(state, role, watch)
            known = () if advice is None else advice.assessments
        elif not self.announcements and all(its.at_most == self._worst for its in known):
            advice = self._ask(state, role, watch)  # whether the help of all others could change it
        if not known:
            return self._shrug(state, role, watch, self.troubles[-1] if self.troubles else "no time")
        chosen = select(known, self._lot(state))
        self._announce(known, advice)
        self._remember(state, role, chosen, advice)
        if advice is not None and not _says_something(known):
            return self._shrug(state, role, watch, "nothing is proved and no plan is known")
        return self._decide(role, chosen, known, advice, watch)

    def forget(self) -> None:
        """Drop plans and strategies, and give the other process back."""
        self._plan, self._strategy = {}, {}
        self._alphabeta = None
        if self._service is not None:
            _give_back(self._service)
            self._service = None

    def ended(self, role: Term, goal: int) -> None:
        """Note the result of the match: it rates the features that were used."""
        self._acquaintance.ended(role, goal)

    def __del__(self) -> None:
        service = getattr(self, "_service", None)
        if service is not None:
            _give_back(service)

    # -- what is known already --------------------------------------------------------------------------

    def _follow(self, state: State, role: Term, watch: Stopwatch) -> Decision | None:
        """The next move of a plan or a strategy that needs no further search."""
        on_plan = self._plan.get(state)
        if on_plan is not None:
            plan, behind = on_plan
            rest = plan.moves[behind:]
            value = Choice(rest[0][0], len(rest), float(plan.goal), proven=True)
            return Decision(
                role, rest[0][0], (value,), 0, 0, watch.seconds, depth=len(rest), proven=True, line=rest
            )
        found = self._strategy.get(state)
        if found is not None and self._announcer is not None and found[1] == self._announcer.best:
            strategy, worth = found
            self._expect(state, role, strategy, worth)
            choice = Choice(strategy.move, strategy.nodes, float(worth), proven=True)
            return Decision(
                role, strategy.move, (choice,), 0, 0, watch.seconds, depth=strategy.depth, proven=True
            )
        return None

    def _remember(self, state: State, role: Term, chosen: Assessment, advice: Advice | None) -> None:
        self._strategy = {}
        if advice is None:
            return
        alone = len(self.game.roles) == 1
        if alone and advice.plan is not None and advice.complete:
            self._plan = {}
            at = state
            for behind, joint in enumerate(advice.plan.moves):
                self._plan[at] = (advice.plan, behind)
                at = at.play(joint)
        strategy = advice.strategy
        if strategy is not None and strategy.move is chosen.move:
            self._expect(state, role, strategy, chosen.guaranteed)

    def _expect(self, state: State, role: Term, strategy: StrategyNode, value: int) -> None:
        self._strategy = {}
        others = [other for other in self.game.roles if other is not role]
        for answer in product(*(state.legal(other) for other in others)):
            if answer in strategy.after:
                moves = dict(zip(others, answer, strict=True)) | {role: strategy.move}
                joint: JointMove = tuple(moves[each] for each in self.game.roles)
                self._strategy[state.play(joint)] = (strategy.after[answer], value)

    # -- finding out ------------------------------------------------------------------------------------

    def _prove_by_search(
        self, state: State, role: Term, budget: Budget, watch: Stopwatch
    ) -> tuple[Assessment, ...] | None:
        """The value of every move by alpha-beta on the circuit, if all are proved in a share of the time."""
        if not self.config.search or len(self.game.roles) < 2 or compiled_game(self.game) is None:
            return None
        if self._alphabeta is None:
            self._alphabeta = AlphaBeta(self.game, config=AlphaBetaConfig(every_value=True))
        left = watch.seconds_left
        share = replace(budget, seconds=None if left is None else left * self.config.search_share)
        found = self._alphabeta.search(state, role, share)
        if not all(choice.proven for choice in found.choices):
            return None
        by_move = {choice.move: round(choice.value) for choice in found.choices}
        if set(by_move) != set(state.legal(role)):
            return None
        # Of several wins it names the quickest, of several losses the slowest.
        preferred = found.move if by_move[found.move] in (self._best, self._worst) else None
        return tuple(
            Assessment(move, value, value, lasts=int(move is preferred)) for move, value in by_move.items()
        )

    def _ask(self, state: State, role: Term, watch: Stopwatch) -> Advice | None:
        """The answer of the other process; its last intermediate one where it had to be killed."""
        seconds = watch.seconds_left if watch.seconds_left is not None else 5.0
        alone = len(self.game.roles) == 1
        if alone and seconds <= self._in_vain:
            return None
        latest: list[Advice] = []
        died = False
        service = self._service_for(role)
        if service.pid is None and seconds < _START_SECONDS:
            return None  # it would be killed before it could begin
        try:
            advice: Advice | None = service.ask(
                "think",
                state.facts(),
                max(0.0, seconds * (1 - 2 * GRACE) - _START_SECONDS * (service.pid is None)),
                seconds=seconds * (1 - GRACE),
                stop=watch.budget.stop,
                on_news=latest.append,
            )
        except (ChildLimitError, GameError, MemoryError) as error:
            limit = error.limit if isinstance(error, ChildLimitError) else Limit.CRASH
            if limit is not Limit.STOPPED:
                self._note_trouble(f"logic: {error}")
            died = limit in (Limit.CRASH, Limit.MEMORY)
            advice = latest[-1] if latest else None
        except Exception as error:  # a bug in the other process must not cost the match
            service.kill()  # nor the next match, which would borrow a process in an unknown state
            self._note_trouble(f"logic failed: {type(error).__name__}: {error}")
            advice = latest[-1] if latest else None
        if advice is not None:
            self.solves += advice.solves
        if alone and not died and (advice is None or advice.plan is None):
            self._in_vain = seconds
        return advice

    def _note_trouble(self, text: str) -> None:
        self.troubles.append(text)
        log.warning("%s: %s; going on without it", self.game.name, text)

    def _service_for(self, role: Term) -> Service:
        if self._service is None:
            self._service = _borrow(self.config.megabytes)
            config = ThinkerConfig(
                seed=self.config.seed,
                most_plans=self.config.most_plans,
                model=OpponentModel(self.config.model),
                program=self.config.program,
                leaves=self._leaves(role),
            )
            self._service.open("begin", self.game.rules, role, config)
        return self._service

    def _leaves(self, role: Term) -> LeafWeights | None:
        """The heuristic by features of the rules, as weights of facts."""
        heuristic = self._acquaintance.heuristic
        if heuristic is None:
            return None
        circuit = compiled_game(self.game)
        facts = heuristic.features.facts_met if circuit is None else circuit.circuit.fluents
        found = heuristic.fact_weights(role, facts)
        return None if found is None else LeafWeights(*found)

    # -- saying it --------------------------------------------------------------------------------------

    def _announce(self, known: Sequence[Assessment], advice: Advice | None) -> None:
        assert self._announcer is not None
        alone, said = len(self.game.roles) == 1, None
        if advice is not None and advice.complete and not alone:
            said = self._announcer.unreachable(self._worst if advice.plan is None else advice.plan.goal)
        said = said or self._announcer.consider(known, alone)
        if said is not None:
            self.announcements.append(said)
            log.info("%s as %s: %s", self.game.name, self._role, said)

    def _decide(
        self,
        role: Term,
        chosen: Assessment,
        known: Sequence[Assessment],
        advice: Advice | None,
        watch: Stopwatch,
    ) -> Decision:
        ordered = sorted(known, key=lambda each: (each is chosen, each.rank), reverse=True)
        choices = tuple(Choice(each.move, 1, float(_shown(each)), proven=each.is_exact) for each in ordered)
        best = max(each.at_most for each in known)
        line = advice.plan.moves if advice is not None and advice.plan is not None else ()
        return Decision(
            role,
            chosen.move,
            choices,
            0 if advice is None else advice.solves,
            0,
            watch.seconds,
            depth=0 if advice is None else advice.depth,
            proven=chosen.guaranteed >= best,
            line=line if line and line[0][self.game.roles.index(role)] is chosen.move else (),
        )

    def _shrug(self, state: State, role: Term, watch: Stopwatch, why: str) -> Decision:
        if not self.config.always:
            raise NoAdviceError(why)
        legal, lot = state.legal(role), self._lot(state)
        move = legal[0 if lot is None else lot.below(len(legal))]
        return Decision(role, move, (Choice(move, 0, 0.0),), 0, 0, watch.seconds)

    def _lot(self, state: State) -> SplitMix64 | None:
        """The generator for a position: it depends on the seed and the position only."""
        if self.config.deterministic:
            return None
        return SplitMix64((self.config.seed << 32) % 2**64 ^ crc32(str(state).encode()))

    def _sit(self, role: Term) -> None:
        if self._role is role:
            return
        self.forget()
        self._role = role
        rules = self.game.rules
        values = (100, 0) if rules is None else goal_values(rules, role)
        self._best, self._worst = values[0], values[-1]
        self._announcer = Announcer(self._best, self._worst)

    def _is_open(self) -> bool:
        rules = self.game.rules
        return rules is not None and not rules.has_hidden_information and not any(map(is_nature, rules.roles))


def _says_something(known: Sequence[Assessment]) -> bool:
    """Whether the moves differ in value, or the best of them is proved."""
    return len({each.rank for each in known}) > 1 or all(each.is_exact for each in known)


def _shown(its: Assessment) -> float:
    """A value to show: the proved one, else the middle of what is possible."""
    return its.guaranteed if its.is_exact else (its.guaranteed + its.at_most) / 2


_START_SECONDS = 1.0
"""Seconds a new process may need to start; its time to think is shorter by that."""

_idle: list[Service] = []


def _borrow(megabytes: float) -> Service:
    while _idle:
        service = _idle.pop()
        if service.megabytes == megabytes:
            return service
        service.kill()
    return Service(LogicThinker, megabytes)


def _give_back(service: Service) -> None:
    if len(_idle) < MOST_IDLE and service.pid is not None:
        _idle.append(service)
    else:
        service.kill()
