"""A game made ready for knowledge in boxes: ground, constrained and compiled once for all its matches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from ...engine.errors import GameError
from ...engine.game import Game
from ...rules.ruleset import Ruleset
from ...rules.terms import Term
from .box import BoxReasoner
from .constraints import ConstrainedProgram, Group, constrain, never
from .ground_sheet import MOST_RULES, GroundSheet, goal_value, ground_sheet
from .invariants import find_invariants
from .lanes import Slice
from .normal_program import Literal


@dataclass(frozen=True)
class Ladder:
    """Which reasoning is added to the paper's method. Each is sound, with any of the others."""

    joint: bool = False
    """All percepts and absences are one observation."""
    one_move: bool = False
    """Each role makes exactly one move."""
    legal_moves: bool = False
    """Moves are legal in the state in which they are made; part of no level."""
    skeptical: bool = False
    """What holds in all worlds is known, whether or not one derivation shows it."""
    conditioned: bool = False
    """The next state follows from the worlds that agree with the percepts, not from their box."""
    invariants: bool = False
    """Groups of facts of which exactly or at most one holds, proved once for a game."""

    @classmethod
    def at(cls, level: int, legal_moves: bool = False) -> Ladder:
        """The reasoning of a level: 0 is the paper's, each adds one kind to those before, up to 5."""
        if not 0 <= level <= 5:
            raise ValueError(f"no level {level}: levels go from 0 to 5")
        return cls(level > 0, level > 1, legal_moves, level > 2, level > 3, level > 4)


@dataclass(frozen=True)
class BoxParts:
    """The compiled parts of a game for one role and one ladder, and what questions about them require."""

    reasoner: BoxReasoner
    legal: Slice
    """Legal moves of all roles."""
    end: Slice
    """Whether the match is over."""
    goal: Slice
    """The role's goal values, and the end; asked last, since other roles' moves do not depend on them."""
    sees: Slice
    """The role's percepts."""
    step: Slice
    """The facts of the next state."""
    state_required: tuple[Literal, ...]
    step_required: tuple[Literal, ...]
    move_groups: tuple[frozenset[int], ...]
    fact_groups: tuple[frozenset[int], ...]
    percepts: tuple[int, ...]
    """What the role may see."""
    later: tuple[int, ...]
    """What may hold in the next state."""
    own_legal: Mapping[int, Term]
    """The role's moves, by the atoms that say that they are legal."""
    goals: Mapping[int, int]
    """The role's goal values, by their atoms."""
    others: Mapping[int, int]
    """The atoms of other roles' moves, by the atoms that say that they are legal."""


class BoxGame:
    """A ground game, with the programs and compiled parts that knowers of its matches share."""

    def __init__(self, sheet: GroundSheet, compiled: bool = True) -> None:
        self.sheet = sheet
        self.compiled = compiled
        self._reasoners: dict[tuple[bool, ...], tuple[ConstrainedProgram | None, BoxReasoner]] = {}
        self._parts: dict[tuple[Term, Ladder, bool], BoxParts] = {}

    @cached_property
    def invariants(self) -> tuple[Group, ...]:
        """Groups of facts that hold as they must in every state of the game."""
        return find_invariants(self.sheet)

    @cached_property
    def largest_group(self) -> int:
        return max((len(moves) for moves in self.sheet.does.values()), default=0)

    def parts(self, role: Term, ladder: Ladder, quick: bool = True) -> BoxParts:
        """What a role's questions need; made once."""
        key = (role, ladder, quick)
        if key not in self._parts:
            self._parts[key] = self._make_parts(role, ladder, quick)
        return self._parts[key]

    def _make_parts(self, role: Term, ladder: Ladder, quick: bool) -> BoxParts:
        sheet = self.sheet
        groups = self.invariants if ladder.invariants else ()
        constrained, reasoner = self._reasoner(ladder)
        if not quick:
            reasoner = BoxReasoner(reasoner.program, sheet.base, quick=False)
        of_state, of_step = [], []
        if constrained is not None:
            of_state = [constrained.wrong_facts] if groups else []
            of_step = [*of_state, constrained.wrong_moves] if ladder.one_move else list(of_state)
            of_step += [constrained.illegal_moves] if ladder.legal_moves else []
        legal = [atom for moves in sheet.legal.values() for atom in moves.values()]
        ends = [] if sheet.terminal is None else [sheet.terminal]
        sees = list(sheet.sees[role].values())
        observed = sees if ladder.conditioned else []
        of_sees = reasoner.slice([*sees, *of_step])
        step = reasoner.slice([*sheet.next.values(), *observed, *of_step])
        return BoxParts(
            reasoner,
            legal=reasoner.slice([*legal, *of_state]),
            end=reasoner.slice([*ends, *of_state]),
            goal=reasoner.slice([*ends, *sheet.goal[role].values(), *of_state]),
            sees=of_sees,
            step=step,
            state_required=tuple(map(never, of_state)),
            step_required=tuple(map(never, of_step)),
            move_groups=tuple(frozenset(moves.values()) for moves in sheet.does.values() if ladder.one_move),
            fact_groups=tuple(group.atoms for group in groups),
            percepts=_roots(of_sees, sees),
            later=_roots(step, sheet.next.values()),
            own_legal={atom: move for move, atom in sheet.legal[role].items()},
            goals={
                atom: value
                for term, atom in sheet.goal[role].items()
                if (value := goal_value(term)) is not None
            },
            others={
                atom: sheet.does[other][move]
                for other, moves in sheet.legal.items()
                for move, atom in moves.items()
                if other is not role and move in sheet.does[other]
            },
        )

    def _reasoner(self, ladder: Ladder) -> tuple[ConstrainedProgram | None, BoxReasoner]:
        """The constraints that a ladder needs, if any, and what answers questions about the program."""
        constraints = (ladder.one_move, ladder.legal_moves, ladder.invariants)
        if constraints not in self._reasoners:
            groups = self.invariants if ladder.invariants else ()
            constrained = constrain(self.sheet, groups) if any(constraints) else None
            program = self.sheet.program if constrained is None else constrained.program
            largest = self.largest_group if ladder.one_move else 0
            reasoner = BoxReasoner(program, self.sheet.base, largest, compiled=self.compiled)
            self._reasoners[constraints] = (constrained, reasoner)
        return self._reasoners[constraints]


def _roots(part: Slice, atoms: Iterable[int]) -> tuple[int, ...]:
    """The atoms in order; the very roots of a part where these are all, since those are answered faster."""
    wanted = tuple(sorted(set(atoms)))
    return part.roots if part.roots == wanted else wanted


def box_game(source: Game | Ruleset | GroundSheet | BoxGame, most_rules: int = MOST_RULES) -> BoxGame:
    """The game made ready; TooManyRulesError where it is too large, GameError without rules in logic."""
    if isinstance(source, BoxGame):
        return source
    if isinstance(source, GroundSheet):
        return BoxGame(source)
    rules = source.rules if isinstance(source, Game) else source
    if rules is None:
        raise GameError("the game has no rules in logic that knowledge could follow from")
    return BoxGame(ground_sheet(rules, most_rules=most_rules))
