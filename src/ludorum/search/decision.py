"""The answer of a search: the move it chose, the values of the others, and the cost of the search."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from ..engine.errors import GameError
from ..engine.game import Game, State
from ..engine.information import has_no_secret
from ..rules.terms import Term, format_term
from ..show.markup import listing, markup, report
from .budget import Budget


@dataclass(frozen=True)
class Choice:
    """One move of the role at the root."""

    move: Term
    visits: int
    value: float
    """Goal value, 0..100, that the role may expect after this move."""
    proven: bool = False
    """Whether the value follows from ends of the game alone, and is no estimate: what the role can force
    (alpha-beta), or gets if all play their best (exact solving, trees, MaxN). Where something is hidden only
    by a search over beliefs, since others assume that the state is known; in MaxN never where several choose
    at once."""
    chance: float | None = None
    """How likely the move is played, where moves are drawn from a mixture; None where they are not."""


@dataclass(frozen=True)
class Decision:
    """The answer of a search for one role in one state."""

    role: Term
    move: Term
    choices: tuple[Choice, ...]
    """Every move that was considered, best first."""
    nodes: int
    playouts: int
    seconds: float
    depth: int = 0
    """Joint moves the search looked ahead: full rounds of a deepening search, the longest line of a tree."""
    proven: bool = False
    """Whether no other move can be better, for values in the sense of ``Choice.proven``."""
    line: tuple[tuple[Term, ...], ...] = ()
    """The joint moves that the search expects, from the root on."""
    reasons: tuple[str, ...] = ()
    """Remarks of the search on its choice, in words."""
    settled: bool = False
    """Whether no other search should be asked, although this is no proof: all that follows was valued."""

    @property
    def value(self) -> float:
        """The value of the chosen move."""
        return next(choice.value for choice in self.choices if choice.move is self.move)

    @property
    def claims_something(self) -> bool:
        """Whether any value is marked as proven."""
        return self.proven or any(choice.proven for choice in self.choices)

    def as_json(self) -> dict[str, object]:
        return {
            "role": format_term(self.role),
            "move": format_term(self.move),
            "value": self.value,
            "proven": self.proven,
            "nodes": self.nodes,
            "playouts": self.playouts,
            "seconds": self.seconds,
            "depth": self.depth,
            "line": [[format_term(move) for move in joint] for joint in self.line],
            "reasons": list(self.reasons),
            "choices": [
                {
                    "move": format_term(choice.move),
                    "visits": choice.visits,
                    "value": choice.value,
                    "proven": choice.proven,
                    **({} if choice.chance is None else {"chance": choice.chance}),
                }
                for choice in self.choices
            ],
        }

    def _repr_html_(self) -> str:
        """The decision in a notebook: the move, the others beside it, and the reasons."""
        rows = [
            (
                format_term(one.move),
                f"{one.value:.1f}",
                "proven" if one.proven else "estimate",
                str(one.visits),
            )
            for one in self.choices
        ]
        told = [("expected", " ".join(map(format_term, joint))) for joint in self.line[:1]]
        told += [("because", reason) for reason in self.reasons]
        title = f"{format_term(self.role)} plays {format_term(self.move)}"
        return markup(report(title, told, listing(("move", "value", "kind", "visits"), rows)))


def without_proofs(decision: Decision) -> Decision:
    """The decision with all its values as estimates."""
    if not decision.claims_something:
        return decision
    choices = tuple(replace(choice, proven=False) for choice in decision.choices)
    return replace(decision, choices=choices, proven=False)


def honest(game: Game, decision: Decision) -> Decision:
    """The decision of a search that assumed the state to be known: proofs hold in open games only."""
    return decision if not decision.claims_something or has_no_secret(game) else without_proofs(decision)


class Searcher(Protocol):
    """A search that chooses a move for a role in a state."""

    def search(self, state: State, role: Term, budget: Budget) -> Decision:
        """The best move of a role in a state that is not terminal, as far as the budget allows."""
        ...

    def forget(self) -> None:
        """Drop everything kept from earlier searches."""
        ...


@runtime_checkable
class Ponderer(Protocol):
    """A searcher that can search where no answer is wanted, and keeps what it finds for the next search."""

    def ponder(self, state: State, role: Term, budget: Budget) -> None:
        """Search from a state that is not terminal, also where the role has no choice, as long as the budget
        allows; the event that stops it is heeded at once."""
        ...


@runtime_checkable
class Learner(Protocol):
    """A searcher that is told the result of a match."""

    def ended(self, role: Term, goal: int) -> None:
        """The match is over, and the role has this goal, 0..100."""
        ...


@runtime_checkable
class Successor(Protocol):
    """A searcher that keeps what another one knew, when a better engine is ready in the middle of a match."""

    def take_over(self, before: Searcher) -> None:
        """Keep what this searcher of the same game knew, if it is of the same kind."""
        ...


class Follower(Protocol):
    """Follows one match for one role by what the role perceives, and decides when it is asked."""

    def observe(self, percepts: Iterable[Term], move: Term | None) -> None:
        """What the role perceived in the last step of the match, and its own move as it was executed; None
        where the move is not known, since a message was lost."""
        ...

    def decide(self, budget: Budget) -> Decision:
        """The best move where the match stands, as far as the budget allows."""
        ...


class NoWorldError(GameError):
    """No state agrees with what a role has perceived, or none could be found in time."""
