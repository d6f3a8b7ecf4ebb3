"""The whole analysis: loops, the main loop, properties, and the weight of every path through it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...rules.source import Severity
from ..language.faults import CardsError, ChartFault, fault
from ..language.language import DECISIONS
from ..language.rules import ChoiceNode, Rules, Statement, successors
from ..language.terms import EMPTY, Term, number, player, truth
from ..machine.position import STACK
from .contents import Contents
from .heuristics import pseudo_heuristics
from .loops import Loop, all_loops, find_loops
from .names import ChartNames
from .needs import NeedPlayer, NeedTruth, NoValue
from .normalise import NormalForm, normalise
from .properties import change_of, important_properties, teams_of
from .result import ChartAnalysis, MainLoop, Path
from .symbolic import SymbolicState
from .symmetry import seats_are_alike
from .walk import USUAL, NotFinite, WalkConfig, Walker
from .why import why_no_weights


def analyse(rules: Rules, config: WalkConfig = USUAL, name: str = "chart") -> ChartAnalysis:
    """Analyse a game before it is played; CardsError where its form does not allow it."""
    if rules.players < 2:
        raise CardsError("a game for one player has no opponents", None, "let two to six play")
    form = normalise(rules, name)
    loops, _ = find_loops(form.rules)
    work = _Work(form, loops, config)
    warnings = list(form.notes)
    try:
        loop, start, ends = work.main_loop(warnings, name)
    except NotFinite as error:
        if config.sampled or not config.may_sample:
            raise
        work = _Work(form, loops, replace(config, sampled=True))
        loop, start, ends = work.main_loop(warnings, name)
        if not ends:
            raise
        warnings.append(_sampled(len(ends), error, name))
    after = work.after(loop, start, warnings, name)
    teams = teams_of(work.names, start.known)
    sampled = work.walker.config.sampled
    properties, doubts = important_properties(work.names, teams, after, ends, name, sampled)
    found = pseudo_heuristics(work.names, ends, properties, all_seats=not start.is_symmetric)
    if not any(one.is_shown for one in found):
        doubts += why_no_weights(form, loop, [*after, *ends], name)
    body = frozenset(form.original(node) for node in loop.body) - {form.original(loop.header)}
    return ChartAnalysis(
        main_loop=MainLoop(form.original(loop.header), body),
        properties=properties,
        heuristics=tuple(one for one in found if one.is_shown),
        hidden=tuple(one for one in found if not one.is_shown),
        loops=tuple(loops),
        paths=tuple(_path(end) for end in ends),
        warnings=(*warnings, *doubts),
    )


def _path(end: SymbolicState) -> Path:
    players = tuple((role.term, role.who) for role in end.roles)
    return Path(end.path, players, dict(end.variables), end.conditions)


def decisions(rules: Rules) -> set[int]:
    """Nodes at which a player is asked."""
    return {
        index
        for index, node in rules.nodes.items()
        if isinstance(node, Statement) and node.action.name in DECISIONS
    }


def main_loop_candidates(rules: Rules, loops: Sequence[Loop]) -> list[Loop]:
    """The smallest loop with all decisions, or with most of them.

    Where that is a round, with a deal or bids of its own, then also the loops inside it, those with most
    decisions first.

    Decisions outside the main loop, a bid for instance, are left to the player; the analysis is about how the
    cards are played.
    """
    asked = decisions(rules)
    every = [one for one in all_loops(loops) if asked & one.body]
    found = sorted(every, key=lambda one: (-len(asked & one.body), len(one.body)))[:1]
    for loop in found:
        inner = [one for one in loop.inner if asked & one.body and is_round(rules, loop, one)]
        found += sorted(inner, key=lambda one: (-len(asked & one.body), len(one.body)))
    return found


def is_round(rules: Rules, loop: Loop, inner: Loop | None = None) -> bool:
    """Whether a loop deals, or asks for bids, outside another one: then a pass of it is a whole round."""
    outside = loop.body - (inner.body if inner else frozenset())
    actions = (rules.nodes[node] for node in outside)
    return any(
        isinstance(one, Statement) and one.action.name in ("Shuffle", "Deal", "choose") for one in actions
    )


@dataclass(frozen=True)
class PassStart:
    """What always holds when a pass of the main loop begins."""

    known: dict[Term, Term]
    places: dict[Term, Contents]
    is_symmetric: bool = False
    """Whether all seats are alike in a pass: then the first leader stands for all."""

    def state(self, names: ChartNames, node: int, one_leader: bool = False) -> SymbolicState:
        return SymbolicState(
            names,
            node,
            initial=dict(self.known),
            places=dict(self.places),
            first_places=dict(self.places),
            one_leader=one_leader and self.is_symmetric,
        )


class _Work:
    """One chart under analysis."""

    def __init__(self, form: NormalForm, loops: list[Loop], config: WalkConfig) -> None:
        self.form, self.rules, self.loops = form, form.rules, loops
        self.names = ChartNames(form.rules)
        headers = frozenset(one.header for one in all_loops(loops))
        self.walker = Walker(form.rules, headers, headers | set(form.origin), config)

    def main_loop(self, warnings: list[ChartFault], name: str) -> tuple[Loop, PassStart, list[SymbolicState]]:
        """The first loop that can be unrolled; the others are reported with the reason."""
        candidates = main_loop_candidates(self.rules, self.loops)
        if not candidates:
            for note in self.form.notes:
                if note.code == "loop-shape":
                    raise CardsError(note.message, note.node, note.hint)
            asked = sorted(self.form.original(node) for node in decisions(self.rules))
            hint = "let players be asked in a loop that begins at a choice"
            raise CardsError("no loop contains the decisions of players", asked[0] if asked else None, hint)
        refused: NotFinite | None = None
        for loop in candidates:
            try:
                start, ends = self._pass(loop, self._walker_for(loop))
            except NotFinite as error:
                node = None if error.node is None else self.form.original(error.node)
                warnings.append(_not_finite(loop, error, node, name))
                refused = refused or error
                continue
            warnings += self._outside(loop, name)
            return loop, start, ends
        assert refused is not None
        node = None if refused.node is None else self.form.original(refused.node)
        raise type(refused)(refused.message, node, refused.hint)

    def _walker_for(self, loop: Loop) -> Walker:
        if not is_round(self.rules, loop):
            return self.walker
        config = self.walker.config
        return replace(self.walker, config=replace(config, most_work=config.most_work_outside))

    def _outside(self, loop: Loop, name: str) -> list[ChartFault]:
        origin = self.form.original
        outside = {origin(node) for node in decisions(self.rules)} - {origin(node) for node in loop.body}
        if not outside:
            return []
        message = f"what is decided at {', '.join(map(str, sorted(outside)))} is not in the main loop"
        return [fault("outside", message, node=origin(loop.header), severity=Severity.WARNING, chart=name)]

    def _pass(self, loop: Loop, walker: Walker) -> tuple[PassStart, list[SymbolicState]]:
        """All paths through one pass, with what always holds at its beginning."""
        start = self._before(loop)
        if walker.config.sampled:
            return self._sampled_pass(loop, walker, start)
        while True:
            alike = seats_are_alike(self.names, loop.body, start.known)
            start = replace(start, is_symmetric=alike)
            ends = walker.walk([start.state(self.names, loop.entry, one_leader=True)], {loop.header})
            kept = _invariant(start, [one for one in ends if not self._surely_leaves(loop, one)])
            if (kept.known, kept.places) == (start.known, start.places):
                return start, [one for end in ends for one in self._left(loop, end)]
            start = kept

    def _sampled_pass(
        self, loop: Loop, walker: Walker, start: PassStart
    ) -> tuple[PassStart, list[SymbolicState]]:
        """Some paths through one pass; only what no path at all can change is known."""
        changed = {
            name
            for node in loop.body
            if isinstance(statement := self.rules.nodes[node], Statement)
            for name in _changes(statement.action)
        }
        known = {variable: value for variable, value in start.known.items() if variable.name not in changed}
        alike = seats_are_alike(self.names, loop.body, known)
        start = PassStart(known, start.places, alike)
        ends = walker.walk([start.state(self.names, loop.entry, one_leader=True)], {loop.header})
        start = replace(start, places=_invariant(start, ends).places)
        left = []
        for end in ends:
            if not self._surely_leaves(loop, end):
                left.append(end)
                continue
            end.node, end.leaves = loop.exit, True
            left += replace(walker, config=replace(walker.config, most_work_sampled=100)).walk(
                [end], {loop.header}
            )
        return start, left

    def _surely_leaves(self, loop: Loop, end: SymbolicState) -> bool:
        """Whether the header is known to lead out of the loop at the end of a way."""
        header = self.rules.nodes[loop.header]
        assert isinstance(header, ChoiceNode)
        try:
            answer = end.truth(header.condition)
        except (NeedPlayer, NeedTruth, NoValue):
            return False
        return answer is truth(header.yes != loop.entry)

    def _left(self, loop: Loop, end: SymbolicState) -> list[SymbolicState]:
        """Follow paths that are known to leave the loop on to the end: they change the score."""
        if not self._surely_leaves(loop, end):
            return [end]
        end.node, end.leaves = loop.exit, True
        return self.walker.walk([end], {loop.header})

    def _before(self, loop: Loop) -> PassStart:
        """What is known when the main loop is first reached, and is not changed elsewhere later."""
        config = self.walker.config
        walker = replace(self.walker, config=replace(config, most_work=config.most_work_outside))
        try:
            arrivals = walker.walk([_opening(self.names, self.rules.start)], {loop.header})
        except NotFinite:
            return PassStart({}, {})
        arrivals = [one for one in arrivals if one.node == loop.header]
        if not arrivals:
            return PassStart({}, {})
        elsewhere = self._assigned_elsewhere(loop)
        first = arrivals[0]
        known = {
            variable: value
            for variable, value in first.variables.items()
            if self.names.is_value(value)
            and variable.name not in elsewhere
            and variable.name != "cardsRemaining"
            and all(one.variables.get(variable) is value for one in arrivals)
        }
        stack = [one.contents(STACK) for one in arrivals]
        empty = all(one.complete and not one.cards for one in stack)
        return PassStart(known, {STACK: stack[0]} if empty else {})

    def _assigned_elsewhere(self, loop: Loop) -> set[str]:
        """Names that get a value after the main loop, from where a path may lead back to it."""
        from ..language.rules import reachable

        later = reachable(self.rules, loop.exit, {loop.header})
        back = {node for node in later if loop.header in _around(self.rules, node, loop.header)}
        found = set()
        for node in back:
            statement = self.rules.nodes[node]
            if isinstance(statement, Statement):
                found |= _changes(statement.action)
        return found

    def _at_header(self, loop: Loop, start: PassStart) -> tuple[list[SymbolicState], list[SymbolicState]]:
        """The states in which the header leads out of the loop, and those in which it goes on."""
        try:
            both = self.walker.step_from(start.state(self.names, loop.header))
        except NotFinite:
            both = []
        leaving = [one for one in both if one.node == loop.exit]
        return leaving or [start.state(self.names, loop.exit)], [one for one in both if one not in leaving]

    def _counts(self, end: SymbolicState) -> bool:
        """Whether a score is computed from something that was counted before."""
        scores = [Term("score", (player(index),)) for index in range(self.names.players)]
        changes = [(score, change_of(end, score)) for score in scores]
        return any(part is not score for score, change in changes if change for part, _ in change.parts)

    def after(
        self, loop: Loop, start: PassStart, warnings: list[ChartFault], name: str
    ) -> list[SymbolicState]:
        """All paths from the main loop to the end of the game, or to the main loop again."""
        if loop.exit == loop.header:
            return []
        state = start.state(self.names, loop.exit)
        try:
            found = self.walker.walk([state], {loop.header})
            if any(one.conditions or self._counts(one) for one in found):
                return found
            # Only whether the loop is over is asked: then that decides, as in games to the last card.
            leaving, staying = self._at_header(loop, start)
            return self.walker.walk(leaving, {loop.header}) + staying
        except NotFinite as error:
            node = None if error.node is None else self.form.original(error.node)
            message = f"the part after the main loop is not analysed: {error}"
            warnings.append(fault("after", message, node=node, severity=Severity.WARNING, chart=name))
            return []


def _opening(names: ChartNames, node: int) -> SymbolicState:
    state = SymbolicState(names, node, places={STACK: Contents(number(0), (), True)})
    for index in range(names.players):
        state.variables[Term("middle", (player(index),))] = EMPTY
        state.variables[Term("score", (player(index),))] = number(0)
    return state


def _invariant(start: PassStart, ends: Sequence[SymbolicState]) -> PassStart:
    """What still holds at the end of every path."""
    known = {
        variable: value
        for variable, value in start.known.items()
        if all(one.value(variable) is value for one in ends)
    }
    places = {
        place: contents
        for place, contents in start.places.items()
        if all(one.contents(place) == contents for one in ends)
    }
    return PassStart(known, places)


def _around(rules: Rules, node: int, header: int) -> set[int]:
    """All nodes that can be reached from one, the header among them where a path leads back to it."""
    from ..language.rules import reachable

    within = reachable(rules, node, {header})
    return within | {to for one in within for to in successors(rules.nodes[one])}


def _changes(action: Term) -> set[str]:
    """Names of variables that a statement changes."""
    if action.name in ("assign", "choose"):
        target = action.args[action.name == "choose"]
        return {target.name} if isinstance(target, Term) else set()
    return {"middle", "passed"} if action.name in DECISIONS else set()


def _sampled(count: int, error: NotFinite, name: str) -> ChartFault:
    message = (
        f"{count} ways through the main loop were drawn at random, others have no weight: {error.message}"
    )
    return fault("sampled", message, error.hint, node=error.node, severity=Severity.WARNING, chart=name)


def _not_finite(loop: Loop, error: NotFinite, node: int | None, name: str) -> ChartFault:
    message = f"the loop at node {loop.header} is not strictly finite: {error}"
    return fault("not-finite", message, error.hint, node=node, severity=Severity.WARNING, chart=name)
