"""Checks that a game answers as a record, or as another engine, says. Everything is compared exactly.

A record is followed from its own states: after a disagreement the recorded state is taken as given, so that
one fault is listed once and not again at every later step.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from ..._core import SplitMix64
from ...asp import SolverError
from ...engine.errors import GameError
from ...engine.game import Game, JointMove, State
from ...rules.terms import Term, format_term, sort_key
from ..match.record import MatchRecord, Record, Sample, SampleRecord

Progress: TypeAlias = Callable[[int, int], None]
"""Called after each step with the number of steps done and the number there are."""

LISTED = 100
"""Disagreements listed unless told otherwise; all are counted."""

MAX_RANDOM_LENGTH = 500
"""Random play starts again after so many steps: some games never end."""


@dataclass(frozen=True)
class Disagreement:
    """One question with another answer than expected. Of two sets, only their difference is kept."""

    step: int
    question: str
    """``roles``, ``initial``, ``state``, ``legal``, ``legal count``, ``move``, ``percepts``, ``terminal``,
    ``goal`` or ``error`` (the game had no answer)."""
    role: str | None
    expected: tuple[str, ...]
    got: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        return {
            "step": self.step,
            "question": self.question,
            "role": self.role,
            "expected": list(self.expected),
            "got": list(self.got),
        }

    def __str__(self) -> str:
        who = f" of {self.role}" if self.role else ""
        expected, got = " ".join(self.expected) or "nothing", " ".join(self.got) or "nothing"
        return f"step {self.step}: {self.question}{who}: expected {expected}, got {got}"


@dataclass(frozen=True)
class VerifyReport:
    """What was compared, and the disagreements."""

    states: int
    """States the game was asked about."""
    questions: int
    """Single comparisons made."""
    disagreements: tuple[Disagreement, ...]
    """The first ones, up to the number asked for."""
    disagreement_count: int
    checked: int
    """Steps (of a record: joint moves; of samples: samples) worked through …"""
    steps: int
    """… of so many."""
    stopped: str = ""
    """Why not all steps were checked; empty if they were."""

    @property
    def complete(self) -> bool:
        return not self.stopped

    @property
    def agrees(self) -> bool:
        """Whether everything was checked and nothing disagreed."""
        return self.complete and not self.disagreement_count

    def as_json(self) -> dict[str, object]:
        return {
            "states": self.states,
            "questions": self.questions,
            "disagreements": [one.as_json() for one in self.disagreements],
            "disagreement_count": self.disagreement_count,
            "checked": self.checked,
            "steps": self.steps,
            "complete": self.complete,
            "stopped": self.stopped,
        }

    def __str__(self) -> str:
        what = f"{self.states} states, {self.questions} questions, {self.disagreement_count} disagreements"
        if self.complete:
            return what
        return f"{what}; checked {self.checked} of {self.steps} steps: {self.stopped}"


def verify(
    game: Game,
    record: Record,
    *,
    listed: int = LISTED,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> VerifyReport:
    """Compare a game with a record of either kind; see ``verify_record`` and ``verify_samples``."""
    if isinstance(record, SampleRecord):
        return verify_samples(game, record, listed=listed, seconds=seconds, progress=progress)
    return verify_record(game, record, listed=listed, seconds=seconds, progress=progress)


def verify_record(
    game: Game,
    record: MatchRecord,
    *,
    listed: int = LISTED,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> VerifyReport:
    """Compare a game with a recorded match: roles, every state, legal moves, percepts, the end and the goals.

    ``seconds`` is checked between two questions: a single slow answer is waited for.
    """
    account = _Account(record.last, listed, seconds, progress)
    if record.roles is not None:
        account.compare_sets(0, "roles", None, record.roles, game.roles)
    if account.found:
        return account.report("the roles of the record are not those of the rules")
    if record.width not in (None, len(game.roles)):
        account.compare_numbers(0, "roles", None, record.width or 0, len(game.roles))
        return account.report("the record has not as many roles as the rules")
    record = record.seated(game.roles)
    start = game.initial()
    if record.states[0] is not None:
        account.compare_sets(0, "initial", None, record.states[0], start.facts())
    begin = _take_state(game, 0, [start.facts() if record.states[0] is None else record.states[0]], account)
    if begin is None:
        return account.report("the game cannot be in the state the record begins with")
    state = begin
    for step in range(record.last + 1):
        if account.out_of_time:
            return account.report(account.late)
        account.states += 1
        following = _verify_step(game, record, step, state, account)
        if step == record.last:
            break
        account.step_done()
        noted = record.states[step + 1]
        taken = _take_state(
            game, step + 1, [facts for facts in (noted, following) if facts is not None], account
        )
        if taken is None:
            return account.report("the game had no next state, and the record gives none that it knows")
        state = taken
    return account.report()


def _take_state(game: Game, step: int, choices: Iterable[frozenset[Term]], account: _Account) -> State | None:
    """The first state that the game can be in; engines may refuse facts that no play makes true."""
    for facts in choices:
        try:
            return game.state(facts)
        except GameError as error:
            account.error(step, error)
    return None


def _verify_step(
    game: Game, record: MatchRecord, step: int, state: State, account: _Account
) -> frozenset[Term] | None:
    """Ask every question about one state of a record; returns the game's facts of the next state."""
    last = step == record.last
    try:
        _verify_state(game, record, step, state, account)
    except (GameError, SolverError) as error:
        account.error(step, error)
    if last:
        return None
    joint = record.moves[step]
    try:
        facts, percepts = game.successor(state.facts(), zip(game.roles, joint, strict=True))
    except (GameError, SolverError) as error:
        account.error(step, error)
        return None
    noted = record.states[step + 1]
    if noted is not None:
        account.compare_sets(step + 1, "state", None, noted, facts)
    seen = record.percepts[step] if record.percepts else None
    if seen is not None:
        for role, expected in zip(game.roles, seen, strict=True):
            account.compare_sets(step + 1, "percepts", role, expected, percepts.get(role, ()))
    return facts


def _verify_state(game: Game, record: MatchRecord, step: int, state: State, account: _Account) -> None:
    last = step == record.last
    legal = record.legal[step] if record.legal else None
    counts = record.legal_counts[step] if record.legal_counts else None
    for seat, role in enumerate(game.roles):
        moves = state.legal(role)
        if legal is not None:
            account.compare_sets(step, "legal", role, legal[seat], moves)
        if counts is not None:
            account.compare_numbers(step, "legal count", role, counts[seat], len(moves))
        if not last:
            account.check_member(step, "move", role, record.moves[step][seat], moves)
    terminal = record.terminal if last else False
    if terminal is not None:
        account.compare_truth(step, "terminal", terminal, state.is_terminal)
    if last and record.goals is not None:
        for role, values in zip(game.roles, record.goals, strict=True):
            account.compare_sets(step, "goal", role, values, state.goal_terms(role))


def verify_samples(
    game: Game,
    record: SampleRecord,
    *,
    listed: int = LISTED,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> VerifyReport:
    """Compare a game with single questions about given states; ``step`` is the number of the sample, from
    0."""
    account = _Account(len(record.samples), listed, seconds, progress)
    for number, sample in enumerate(record.samples):
        if account.out_of_time:
            return account.report(account.late)
        account.states += 1
        try:
            _verify_sample(game, number, sample, account)
        except (GameError, SolverError) as error:
            account.error(number, error)
        account.step_done()
    return account.report()


def _verify_sample(game: Game, number: int, sample: Sample, account: _Account) -> None:
    expect = sample.expect
    if isinstance(expect, bool):
        account.compare_truth(number, "terminal", expect, game.state(sample.state).is_terminal)
        return
    if sample.question == "next":
        facts = frozenset(fact for fact in expect if isinstance(fact, Term))
        account.compare_sets(number, "state", None, facts, game.successor(sample.state, sample.does)[0])
        return
    rows = [row for row in expect if isinstance(row, tuple)]
    state = game.state(sample.state)
    # Some such sheets have no role facts, so the roles of the samples count as well.
    roles = dict.fromkeys((*game.roles, *sorted((role for role, _ in rows), key=sort_key)))
    for role in roles:
        own = [term for who, term in rows if who is role]
        got = state.legal(role) if sample.question == "legal" else state.goal_terms(role)
        account.compare_sets(number, sample.question, role, own, got)


def verify_random(
    game: Game,
    reference: Game,
    states: int,
    seed: int,
    *,
    listed: int = LISTED,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> VerifyReport:
    """Compare a game with another engine of the same rules on so many states of seeded random play.

    ``expected`` is the answer of the reference. The game follows its own successors as long as they are
    right.
    """
    account = _Account(states, listed, seconds, progress)
    account.compare_order(0, "roles", reference.roles, game.roles)
    if account.found:
        return account.report("the engines disagree on the roles")
    random = SplitMix64(seed)
    ours: State = game.initial()
    theirs: State = reference.initial()
    account.compare_sets(0, "initial", None, theirs.facts(), ours.facts())
    length = 0
    for step in range(states):
        if account.out_of_time:
            return account.report(account.late)
        account.states += 1
        try:
            if ours.facts() != theirs.facts():
                ours = game.state(theirs.facts())
            _compare_states(step, theirs, ours, account)
        except (GameError, SolverError) as error:
            account.error(step, error)
        account.step_done()
        joint = random_joint_move(theirs, random)
        length += 1
        if joint is None or length > MAX_RANDOM_LENGTH:
            ours, theirs, length = game.initial(), reference.initial(), 0
            continue
        theirs = theirs.play(joint)
        try:
            ours = ours.play(joint)
        except (GameError, SolverError) as error:
            account.error(step, error)
            ours = game.state(theirs.facts())
            continue
        account.compare_sets(step + 1, "state", None, theirs.facts(), ours.facts())
        for role in reference.roles:
            account.compare_sets(step + 1, "percepts", role, theirs.percepts(role), ours.percepts(role))
    return account.report()


def random_joint_move(state: State, random: SplitMix64) -> JointMove | None:
    """One move a role, each as likely as the others; None where the game is over or a role has no move."""
    if state.is_terminal:
        return None
    choices = [state.legal(role) for role in state.game.roles]
    if not choices or not all(choices):
        return None
    return tuple(moves[random.below(len(moves))] for moves in choices)


def _compare_states(step: int, expected: State, got: State, account: _Account) -> None:
    account.compare_truth(step, "terminal", expected.is_terminal, got.is_terminal)
    for role in expected.game.roles:
        account.compare_sets(step, "legal", role, expected.legal(role), got.legal(role))
        account.compare_sets(step, "goal", role, expected.goal_terms(role), got.goal_terms(role))


@dataclass
class _Account:
    """Counts comparisons, keeps the first disagreements, and watches the clock."""

    steps: int
    listed: int
    seconds: float | None
    progress: Progress | None
    states: int = 0
    checked: int = 0
    questions: int = 0
    found: int = 0
    disagreements: list[Disagreement] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    @property
    def out_of_time(self) -> bool:
        return self.seconds is not None and time.monotonic() - self.began > self.seconds

    @property
    def late(self) -> str:
        return f"the time limit of {self.seconds:g} s was reached"

    def step_done(self) -> None:
        self.checked += 1
        if self.progress:
            self.progress(self.checked, self.steps)

    def report(self, stopped: str = "") -> VerifyReport:
        return VerifyReport(self.states, self.questions, tuple(self.disagreements), self.found,
                            self.checked, self.steps, stopped)  # fmt: skip

    def compare_sets(
        self, step: int, question: str, role: Term | None, expected: Iterable[Term], got: Iterable[Term]
    ) -> None:
        self.questions += 1
        wanted, given = frozenset(expected), frozenset(got)
        if wanted != given:
            self._add(step, question, role, _texts(wanted - given), _texts(given - wanted))

    def compare_order(self, step: int, question: str, expected: Iterable[Term], got: Iterable[Term]) -> None:
        self.questions += 1
        wanted, given = tuple(map(format_term, expected)), tuple(map(format_term, got))
        if wanted != given:
            self._add(step, question, None, wanted, given)

    def compare_numbers(self, step: int, question: str, role: Term | None, expected: int, got: int) -> None:
        self.questions += 1
        if expected != got:
            self._add(step, question, role, (str(expected),), (str(got),))

    def compare_truth(self, step: int, question: str, expected: bool, got: bool) -> None:
        self.questions += 1
        if expected != got:
            self._add(step, question, None, (str(expected).lower(),), (str(got).lower(),))

    def check_member(self, step: int, question: str, role: Term, move: Term, legal: tuple[Term, ...]) -> None:
        self.questions += 1
        if move not in legal:
            self._add(step, question, role, (format_term(move),), ())

    def error(self, step: int, error: Exception) -> None:
        self._add(step, "error", None, (), (str(error),))

    def _add(
        self, step: int, question: str, role: Term | None, expected: tuple[str, ...], got: tuple[str, ...]
    ) -> None:
        self.found += 1
        if len(self.disagreements) < self.listed:
            who = None if role is None else format_term(role)
            self.disagreements.append(Disagreement(step, question, who, expected, got))


def _texts(terms: Iterable[Term]) -> tuple[str, ...]:
    return tuple(format_term(term) for term in sorted(terms, key=sort_key))
