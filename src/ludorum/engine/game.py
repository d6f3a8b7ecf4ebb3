"""The interface of all engines: what a game and a state are.

``Game`` and ``State`` are all that players, servers and pages use. Moves, facts and percepts are ground
terms; a joint move has one move for each role, in the order of ``game.roles``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import product
from operator import xor
from typing import TYPE_CHECKING, TypeAlias

from .._core import SplitMix64
from ..rules.kif import parse_term
from ..rules.ruleset import RANDOM, Ruleset, is_nature
from ..rules.terms import Term, as_integer, format_term, sort_key
from .chances import Chances
from .errors import GameError
from .facts_text import format_facts, parse_facts
from .info import GameInfo, Known, Status, unknown
from .words import Moves, Named, illegal_move, missing_move, move_from, unknown_role, wrong_count

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from ..show.picture import Picture
    from .results import PlayoutResults
    from .simulator import Simulator

JointMove: TypeAlias = tuple[Term, ...]
MOST_SHOWN = 40
"""The most facts or moves that a line of a notebook lists."""


@dataclass(frozen=True)
class View:
    """What a role may know of a state from the last step alone: its own move and its percepts.

    ``facts`` is the whole state where the rules hide nothing, and at the start, which every role knows.
    """

    role: Term
    move: Term | None
    percepts: frozenset[Term]
    facts: frozenset[Term] | None


class Game(ABC):
    """A game: its name, its roles, where it begins, and what is known about it.

    >>> import ludorum
    >>> game = ludorum.load_game("tictactoe")
    >>> game.name, [str(role) for role in game.roles], game.info.is_open
    ('tictactoe', ['xplayer', 'oplayer'], True)
    """

    name: str
    roles: tuple[Term, ...]
    info: GameInfo
    rules: Ruleset | None = None
    decision_limit: int | None = None
    """The number of decisions after which the game is over by its own rules, and valued as it stands; None
    where the rules set no such bound. ``State.is_decision`` says what counts. Matches that give up long
    games take this bound for theirs."""

    @property
    def tells_joint_moves(self) -> bool:
        """Whether roles are told every joint move as it is, as in GDL-I; else their percepts alone.

        An open game may tell all by percepts: then players of GDL-II can play it, and those of GDL-I cannot.
        """
        rules = self.rules
        return rules is not None and self.info.chance_role is None and not rules.has_hidden_information

    @abstractmethod
    def initial(self) -> State:
        """The state in which a match begins."""

    @abstractmethod
    def state(self, facts: Iterable[Term]) -> State:
        """The state in which exactly these facts hold."""

    def successor(
        self, facts: Iterable[Term], does: Iterable[tuple[Term, Term]]
    ) -> tuple[frozenset[Term], dict[Term, tuple[Term, ...]]]:
        """The facts after some moves and what each role perceives; whether the moves are legal is not asked.

        Replaying records of other programs needs this: they may leave roles out. An engine that cannot do so
        plays the moves instead, and raises GameError where that is impossible.
        """
        after = self.state(facts).play(self.one_move_each(does))
        return after.facts(), {role: after.percepts(role) for role in self.roles}

    def one_move_each(self, does: Iterable[tuple[Term, Term]]) -> JointMove:
        """Moves by role as a joint move; GameError where a role has none or several, or is no role."""
        moves: dict[Term, Term] = {}
        for role, move in does:
            if role not in self.roles:
                raise GameError(f"{role} is no role of {self.name}")
            if moves.setdefault(role, move) is not move:
                raise GameError(
                    f"{role} cannot do both {moves[role]} and {move}: {self.name} has joint moves"
                )
        missing = [role for role in self.roles if role not in moves]
        if missing:
            raise GameError(f"the engine of {self.name} needs a move of {missing[0]}")
        return tuple(moves[role] for role in self.roles)

    def parse_state(self, text: str) -> State:
        """The state of a text, a list of facts such as ``((cell 1 1 x) (control o))``: the twin of ``str``.

        >>> import ludorum
        >>> game = ludorum.load_game("tictactoe")
        >>> game.parse_state(str(game.initial())) == game.initial()
        True
        """
        return self.state(parse_facts(text))

    def playout(self, seed: int = 0) -> Iterator[State]:
        """The states of one random game from the start to its end, all moves of a player as likely.

        Where a role has no move although the game is not over, the playout stops.

        >>> import ludorum
        >>> states = list(ludorum.load_game("tictactoe").playout(seed=1))
        >>> states[-1].is_terminal
        True
        """
        return random_states(self.initial(), SplitMix64(seed))

    def playouts(self, count: int, *, seed: int = 0, max_steps: int = 0, threads: int = 1) -> PlayoutResults:
        """Random games from the start: goal values and length of every one, in the order in which they begin.

        The same seed gives the same games from the same engine, whatever the number of threads. A game ends
        where the rules say so, where a role has no move, or after ``max_steps`` joint moves (0: any length).
        The engine ``compiled`` plays hundreds of games at once; others play one after another in one thread.

        >>> import ludorum
        >>> found = ludorum.load_game("tictactoe").playouts(10, seed=1)
        >>> found.goals.shape, int(found.lengths.max()) <= 9
        ((10, 2), True)
        """
        import numpy as np

        from .results import NO_GOAL, PlayoutResults

        refuse_negative(count=count, max_steps=max_steps)
        goals = np.full((count, len(self.roles)), NO_GOAL, np.int32)
        lengths = np.zeros(count, np.int32)
        chooser = SplitMix64(seed)
        for number in range(count):
            last, lengths[number] = last_random_state(self.initial(), chooser, max_steps)
            goals[number] = [NO_GOAL if value is None else value for value in last.goals()]
        return PlayoutResults(self.name, self.roles, goals, lengths)

    @cached_property
    def chances(self) -> Chances:
        """How likely moves of nature are."""
        return Chances(self.rules)

    def random_joint(self, choices: Sequence[Sequence[Term]], chooser: SplitMix64) -> list[Term]:
        """One of the given moves of each role: nature's by the odds, those of players evenly."""
        return [
            self.chances.draw(moves, chooser) if is_nature(role) else moves[chooser.below(len(moves))]
            for role, moves in zip(self.roles, choices, strict=True)
        ]

    @cached_property
    def picture(self) -> Picture:
        """How states are drawn: the board that the facts of some states show, if they show one."""
        from .board import find_picture

        return find_picture(self)

    def _repr_html_(self) -> str:
        """The game in a notebook: its roles, what is known of it, and where it begins."""
        from ..show.markup import markup, report

        info = self.info
        known = {True: "perfect", False: "imperfect", None: "unknown"}
        rows = [
            ("roles", ", ".join(map(format_term, self.roles))),
            ("information", known[info.perfect_information.value]),
            ("nature", ", ".join(map(format_term, info.chance_roles)) or "none"),
        ]
        return markup(report(self.name, rows, self.initial().drawing()))

    def simulator(self, lanes: int = 0) -> Simulator[State]:
        """Many states at once in compiled code; GameError where the engine has no circuit."""
        raise GameError(f"the engine of {self.name} plays one state at a time; 'compiled' has lanes")

    def role(self, name: Named) -> Term:
        """The role of that name, or the role itself; GameError with the roles there are for any other.

        >>> import ludorum
        >>> game = ludorum.load_game("tictactoe")
        >>> game.role("xplayer") is game.roles[0]
        True
        >>> game.role("xplayr")
        Traceback (most recent call last):
        ...
        ludorum.engine.errors.GameError: tictactoe has no role 'xplayr'; its roles are xplayer, oplayer; did \
you mean xplayer?
        """
        for role in self.roles:
            if role is name or (isinstance(name, str) and format_term(role) in (name, name.lower())):
                return role
        raise unknown_role(self.name, name, self.roles)


class State(ABC):
    """A position. States of one game are equal when the same facts hold, whatever engine made them.

    A state is never changed: ``play`` gives another one.

    >>> import ludorum
    >>> state = ludorum.load_game("tictactoe").initial().play(["(mark 2 2)", "noop"])
    >>> state.is_terminal, len(state.legal("oplayer"))
    (False, 8)
    """

    __slots__ = ()  # so that engines with small states can keep them small
    game: Game

    @abstractmethod
    def facts(self) -> frozenset[Term]:
        """Everything that is true, without the ``true`` wrapper."""

    @abstractmethod
    def legal(self, role: Named) -> tuple[Term, ...]:
        """The moves of a role, sorted. Rules may give moves even where the game is over.

        >>> import ludorum
        >>> [str(move) for move in ludorum.load_game("tictactoe").initial().legal("oplayer")]
        ['noop']
        """

    @abstractmethod
    def play(self, joint: Moves) -> State:
        """The state after a joint move; IllegalMoveError if some move of it is not legal.

        The moves come in the order of ``game.roles``, or by role. By role, those may be left out that have
        only one legal move.

        >>> import ludorum
        >>> start = ludorum.load_game("tictactoe").initial()
        >>> start.play(["(mark 2 2)", "noop"]) == start.play({"xplayer": "(mark 2 2)"})
        True
        """

    @property
    @abstractmethod
    def is_terminal(self) -> bool:
        """Whether the game is over here."""

    @abstractmethod
    def goal_terms(self, role: Named) -> tuple[Term, ...]:
        """Every goal value the rules give a role here, sorted: one in good rules, else none or several."""

    @property
    @abstractmethod
    def joint(self) -> JointMove | None:
        """The joint move that led here; None where the match began."""

    @abstractmethod
    def percepts(self, role: Named) -> tuple[Term, ...]:
        """What a role was told on the way here (GDL-II ``sees``), sorted; nothing at the start."""

    def odds(self, role: Named) -> dict[Term, int]:
        """The legal moves of a role of nature with their weights: the share of the sum is the probability.

        Whatever reckons with chance asks this. Moves that no rule can tell apart are one, with the weights
        of all: the first of them stands for the others.

        >>> import ludorum
        >>> game = ludorum.load_game("monty_hall_random")
        >>> {str(move): weight for move, weight in game.initial().odds("random").items()}
        {'(hide_car 1)': 1, '(hide_car 2)': 1, '(hide_car 3)': 1}
        """
        return self.game.chances.of(self.legal(role))

    @property
    def is_decision(self) -> bool:
        """Whether the step from here counts as a decision of a player: one has more than one legal move."""
        return not self.is_terminal and any(len(self.legal(role)) > 1 for role in self.game.info.players)

    def goal(self, role: Named) -> int | None:
        """The goal value of a role, 0..100; None where the rules give none or several, or no number.

        >>> import ludorum
        >>> *_, end = ludorum.load_game("tictactoe", "compiled").playout(seed=1)
        >>> end.goal("xplayer"), end.goal("oplayer")
        (0, 100)
        """
        terms = self.goal_terms(role)
        return as_integer(terms[0]) if len(terms) == 1 else None

    def goals(self) -> tuple[int | None, ...]:
        """The goal values of all roles, in their order."""
        return tuple(self.goal(role) for role in self.game.roles)

    def playouts(self, count: int = 1, *, seed: int = 0, max_steps: int = 0) -> tuple[float, ...]:
        """Mean goal values of random games from here, a role each; what is no number counts as 0.

        Games longer than ``max_steps`` (0: any length) are valued where they stop, as are those in which a
        role has no move.

        >>> import ludorum
        >>> sum(ludorum.load_game("tictactoe").initial().playouts(20, seed=1))
        100.0
        """
        chooser = SplitMix64(seed)
        sums = [0] * len(self.game.roles)
        for _ in range(count):
            last, _ = last_random_state(self, chooser, max_steps)
            sums = [total + (value or 0) for total, value in zip(sums, last.goals(), strict=True)]
        return tuple(total / count for total in sums)

    def joint_move(self, moves: Moves) -> JointMove:
        """Moves as terms in the order of the roles; only ``play`` checks that they are legal.

        >>> import ludorum
        >>> ludorum.load_game("tictactoe").initial().joint_move({"xplayer": "(mark 1 3)", "oplayer": "noop"})
        (parse_term('(mark 1 3)'), Term('noop'))
        """
        roles = self.game.roles
        if isinstance(moves, Mapping):
            moves = self._ordered(moves)
        elif isinstance(moves, str):  # a sequence, too, but of letters
            moves = (moves,)
        if len(moves) != len(roles):
            raise wrong_count(len(moves), roles)
        return tuple(
            move if isinstance(move, Term) else move_from(move, role, self.legal(role))
            for role, move in zip(roles, moves, strict=True)
        )

    def legal_joint(self, moves: Moves) -> JointMove:
        """Moves as terms in the order of the roles; IllegalMoveError where one of them is not legal.

        >>> import ludorum
        >>> ludorum.load_game("tictactoe").initial().legal_joint({"xplayer": "(mark 1 3)"})
        (parse_term('(mark 1 3)'), Term('noop'))
        """
        roles = self.game.roles
        if type(moves) is tuple or type(moves) is list:  # first the case that searches use millions of times
            for role, move in zip(roles, moves, strict=False):
                if move not in self.legal(role):
                    break
            else:
                if len(moves) == len(roles):
                    return tuple(moves)
        joint = self.joint_move(moves)
        for role, move in zip(roles, joint, strict=True):
            if move not in self.legal(role):
                raise illegal_move(move, role, self.legal(role))
        return joint

    def _ordered(
        self, given: Mapping[Term, Named] | Mapping[str, Named] | Mapping[Named, Named]
    ) -> list[Named]:
        """Moves by role as a list; a role that is left out makes its only move."""
        moves: dict[Term, Named] = {}
        for name, move in given.items():
            role = self.game.role(name)
            if role in moves:
                raise GameError(f"two moves for {role}: {moves[role]} and {move}")
            moves[role] = move
        for role in self.game.roles:
            if role not in moves:
                legal = self.legal(role)
                if len(legal) != 1:
                    raise missing_move(role, legal)
                moves[role] = legal[0]
        return [moves[role] for role in self.game.roles]

    def _role(self, role: Named) -> Term:
        """A role by its name, for engines; a term is kept, since rules may name terms that are no roles."""
        return self.game.role(role) if isinstance(role, str) else role

    def joint_moves(self) -> Iterator[JointMove]:
        """Every joint move, the last role's moves varying fastest; none in a terminal state."""
        if self.is_terminal:
            return iter(())
        return product(*(self.legal(role) for role in self.game.roles))

    def view(self, role: Named) -> View:
        """What a role may know from the last step alone; for knowledge of a whole match see ``knowledge``."""
        role = self.game.role(role)
        joint = self.joint
        own = None if joint is None else joint[self.game.roles.index(role)]
        open_game = self.game.info.is_open
        return View(
            role, own, frozenset(self.percepts(role)), self.facts() if open_game or joint is None else None
        )

    def ascii(self, width: int = 78) -> str:
        """The state as text: the board with the last move in brackets, and the other facts under it.

        >>> import ludorum
        >>> print(ludorum.load_game("tictactoe").initial().play({"xplayer": "(mark 2 1)"}).ascii())
        3  . . .
        2  . . .
        1  .[x].
           1 2 3
        control  oplayer
        """
        return self.game.picture.text(self.facts(), self.joint or (), width)

    def svg(self) -> str:
        """The state as an SVG picture: the board, or the facts where there is none.

        >>> import ludorum
        >>> ludorum.load_game("tictactoe").initial().svg()[:41]
        '<svg xmlns="http://www.w3.org/2000/svg" v'
        """
        from ..show.markup import markup

        return markup(self.drawing())

    def drawing(self) -> Element:
        """The picture of ``svg`` as an element, for a page that shows more than the state.

        >>> import ludorum
        >>> ludorum.load_game("tictactoe").initial().drawing().tag
        'svg'
        """
        return self.game.picture.element(self.facts(), self.joint or ())

    def _repr_html_(self) -> str:
        """The state in a notebook: the board, the other facts, the legal moves, or the goals at the end."""
        from ..show.markup import markup, report

        picture, facts = self.game.picture, self.facts()
        rows = [] if picture.grid is None else [("facts", _listed(picture.off_board(facts)))]
        if self.is_terminal:
            values = zip(self.game.roles, self.goals(), strict=True)
            rows += [(f"goal of {role}", "none" if goal is None else str(goal)) for role, goal in values]
        else:
            rows += [(f"{role} may", _listed(self.legal(role))) for role in self.game.roles]
        return markup(report(self.game.name, rows, self.drawing()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.game.name == other.game.name and self.facts() == other.facts()

    def __hash__(self) -> int:
        return reduce(xor, map(hash_fact, self.facts()), 0)

    def __str__(self) -> str:
        return format_facts(self.facts())

    def __repr__(self) -> str:
        return f"<{self.game.name} {self}>"


def _listed(terms: Iterable[Term]) -> str:
    """Terms in one line, the first of them where they are many."""
    names = [format_term(term) for term in sorted(terms, key=sort_key)]
    more = f" and {len(names) - MOST_SHOWN} more" if len(names) > MOST_SHOWN else ""
    return " ".join(names[:MOST_SHOWN]) + more or "none"


def random_states(state: State, chooser: SplitMix64) -> Iterator[State]:
    """The states of one random game from here on; it stops where a role has no move."""
    roles = state.game.roles
    yield state
    while not state.is_terminal:
        choices = [state.legal(role) for role in roles]
        if not all(choices):
            return
        state = state.play(state.game.random_joint(choices, chooser))
        yield state


def last_random_state(state: State, chooser: SplitMix64, max_steps: int = 0) -> tuple[State, int]:
    """Where one random game from here ends, after at most so many steps (0: any number), and its length."""
    step = 0
    for step, last in enumerate(random_states(state, chooser)):  # noqa: B007  (their last values)
        if step == max_steps > 0:
            break
    return last, step


def refuse_negative(**numbers: int) -> None:
    """ValueError for the first number below 0."""
    for name, number in numbers.items():
        if number < 0:
            raise ValueError(f"{name} must not be negative, but is {number}")


def hash_fact(fact: Term) -> int:
    """The summand of a fact in the hash of a state: engines can add it up without making sets of facts."""
    return hash((fact,))  # the hash of a term alone is its address, which mixes badly


def parse_move(text: str) -> Term:
    """The move of a text."""
    return parse_term(text)


__all__ = [
    "RANDOM",
    "Chances",
    "Game",
    "GameInfo",
    "JointMove",
    "Known",
    "Moves",
    "Named",
    "State",
    "Status",
    "View",
    "format_facts",
    "is_nature",
    "parse_facts",
    "parse_move",
    "unknown",
]
