"""The table: one person (or only a spectator) and players around a match, for terminal and page alike.

Terminal and page ask the same questions here: whose turn it is, what the person may see, what a player would
do, whether a move can be taken back. The table blocks only in ``Thinking.run``, which belongs into a thread.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from ...engine.errors import GameError, IllegalMoveError
from ...engine.game import Game
from ...engine.resolved_moves import resolved_moves
from ...rules.terms import Term, format_term, sort_key
from ...search.decision import Decision
from ..match.goals_text import goals_text
from ..match.match import Match
from ..records.formats import format_record
from .person_knowledge import PersonFacts, PersonKnowledge, WorldsOpinion, worlds_opinion
from .table_player import TablePlayer
from .thinking import Thinking
from .typed_moves import Writings, in_rule_words, read_move

NEXT_MATCH_SEED = 101
"""The distance between the seeds of one table's matches, so that their players' seeds do not coincide."""

LEAST_SECONDS = 5.0
"""The time that worlds have at least: in most games counts end them long before."""
WORLDS_SEED = 0
"""The seed of worlds that are drawn for a person."""


class TableError(GameError):
    """An action that is not possible at this table now; says why."""


class Phase(Enum):
    """What the table waits for."""

    CHOICE = "choice"
    """The person has a choice."""
    MOVES = "moves"
    """The players' moves; the person has none to choose."""
    OVER = "over"
    RESIGNED = "resigned"
    STUCK = "stuck"
    """The rules leave a role without a move although the game is not over."""


@dataclass(frozen=True)
class Step:
    """One step of the match as the person may know it."""

    number: int
    moves: tuple[tuple[Term, Term], ...]
    """Roles and moves; where something is hidden, only the person's own."""
    percepts: tuple[Term, ...]
    chosen: frozenset[Term] = frozenset()
    """Moves of the roles that had a choice."""

    def __str__(self) -> str:
        shown = [(role, move) for role, move in self.moves if role in self.chosen] or self.moves
        return ", ".join(f"{role} {move}" for role, move in shown)


@dataclass(frozen=True)
class Sight:
    """What the person sees now: facts, or None where the rules hide them, and the facts before."""

    facts: frozenset[Term] | None
    before: frozenset[Term] | None
    last: Step | None


@dataclass(frozen=True)
class Hint:
    """A player's advice in the person's place."""

    move: Term
    decision: Decision | None = None

    def __str__(self) -> str:
        return self.text()

    def text(self, label: Callable[[Term], str] = format_term) -> str:
        """The hint in words; ``label`` writes a move."""
        text = label(self.move)
        if self.decision is None or self.decision.move is not self.move:
            return text
        value = f"{self.decision.value:.0f} of 100"
        text += f", sure of {value}" if self.decision.proven else f", expects {value}"
        others = [choice for choice in self.decision.choices if choice.move is not self.move][:2]
        if others:
            text += "; then " + ", ".join(f"{label(choice.move)} {choice.value:.0f}" for choice in others)
        return "\n  ".join((text, *self.decision.reasons))


class Table:
    """A match with a person in one role, or in none, and a player in each of the others."""

    def __init__(
        self,
        game: Game,
        role: Term | None,
        player: str,
        seconds: float = 3.0,
        seed: int = 0,
        others: Mapping[Term, str] | None = None,
    ) -> None:
        """``others`` names players for single roles instead of ``player``."""
        self.game = game
        self.role = role
        self.player = player
        self.seconds = seconds
        self.seed = seed
        self.matches = 0
        self._others = dict(others or {})
        self.thinking: Thinking | None = None
        """The step that the players think about now."""
        self._players: dict[Term, TablePlayer] = {}
        self._own: Term | None = None
        self._hinting: Thinking | None = None
        """The last question to the adviser."""
        self._seated: list[TablePlayer] = []
        """The players of other roles, and the adviser."""
        self._chosen: list[frozenset[Term]] = []
        self._resigned = False
        self._knowledge: PersonKnowledge | None = None
        self.new()

    # -- what the person may see ------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """Whether the rules hide nothing from any role."""
        return self.game.info.is_open

    @property
    def phase(self) -> Phase:
        if self.match.is_over:
            return Phase.OVER
        if self._resigned:
            return Phase.RESIGNED
        if self.thinking is not None:
            return Phase.MOVES
        if not all(self.match.state.legal(role) for role in self.game.roles):
            return Phase.STUCK
        return Phase.CHOICE if len(self.legal) > 1 else Phase.MOVES

    @property
    def is_finished(self) -> bool:
        """Whether nothing more will be played in this match."""
        return self.phase in (Phase.OVER, Phase.RESIGNED, Phase.STUCK)

    @property
    def legal(self) -> tuple[Term, ...]:
        """The person's moves."""
        return () if self.role is None or self.match.is_over else self.match.state.legal(self.role)

    @property
    def names(self) -> dict[Term, str]:
        """The players of the roles that the person does not play."""
        return {role: player.name for role, player in self._players.items()}

    @property
    def sees_all(self) -> bool:
        """Whether the person may see the whole state: in open games, as a spectator, and after the end."""
        return self.is_open or self.role is None or self.match.is_over or self._resigned

    def sight(self) -> Sight:
        """What the person may see now."""
        states = self.match.states
        if self.sees_all or self.role is None:
            before = states[-2].facts() if len(states) > 1 else None
            return Sight(states[-1].facts(), before, self.step(-1))
        return Sight(states[-1].view(self.role).facts, None, self.step(-1))

    def known_facts(self) -> PersonFacts | None:
        """Facts that the person knows for certain, and possible ones, where the rules hide some; None where
        that cannot be found out."""
        if self.role is None or self.game.rules is None:
            return None
        if self._knowledge is None or self._knowledge.role is not self.role:
            self._knowledge = PersonKnowledge(self.role)
        return self._knowledge.facts(self.match.states)

    def check_worlds(self) -> None:
        """TableError where there are no worlds to be asked: nothing is hidden, or no move is wanted."""
        if self.role is None or self.sees_all or self.game.rules is None:
            raise TableError("nothing is hidden from you here")
        if self.phase is not Phase.CHOICE:
            raise TableError("there is nothing to choose now")

    def worlds(self) -> WorldsOpinion:
        """What worlds that agree with what the person was told say; blocks, so it belongs into a thread.

        TableError where there is none.
        """
        self.check_worlds()
        assert self.role is not None
        try:
            # A seed of its own: with that of the match the worlds would be drawn as nature draws.
            seconds = max(self.seconds, LEAST_SECONDS)
            return worlds_opinion(list(self.match.states), self.role, seconds, WORLDS_SEED)
        except GameError as error:
            raise TableError(str(error)) from error

    def step(self, at: int) -> Step | None:
        """A step by its index, from the end if negative; None if there is none."""
        length = len(self.match.moves)
        at = at + length if at < 0 else at
        if not 0 <= at < length:
            return None
        pairs = tuple(zip(self.game.roles, self.match.moves[at], strict=True))
        if resolved := resolved_moves(self.match.states[at + 1]):
            drawn = {role for role, move in pairs if resolved.get(role, move) is not move}
            chosen = self._chosen[at].intersection(resolved) | drawn
            return Step(at + 1, tuple(resolved.items()), (), chosen)
        if self.role is None:
            return Step(at + 1, pairs, (), self._chosen[at])
        if not self.sees_all:
            pairs = tuple(pair for pair in pairs if pair[0] is self.role)
        percepts = () if self.is_open else self.match.states[at + 1].percepts(self.role)
        chosen = self._chosen[at].intersection(role for role, _ in pairs)
        return Step(at + 1, pairs, tuple(sorted(percepts, key=sort_key)), chosen)

    def steps(self, most: int = 100) -> list[Step]:
        """The last steps, oldest first: matches may be very long."""
        length = len(self.match.moves)
        found = (self.step(at) for at in range(max(0, length - most), length))
        return [step for step in found if step is not None]

    def result(self) -> str:
        """The state of the match in a sentence; goals only where the person may know them."""
        moves = f"{len(self.match.moves)} move{'' if len(self.match.moves) == 1 else 's'}"
        if self.phase is Phase.RESIGNED:
            return f"{self.role} resigned after {moves}"
        if self.phase is Phase.STUCK:
            stuck = [str(role) for role in self.game.roles if not self.match.state.legal(role)]
            return (
                f"No legal move for {', '.join(stuck)} although the game is not over: the rules are at fault"
            )
        if not self.sees_all:
            return f"Stopped after {moves}"
        goals = goals_text(self.goals())
        return f"Game over after {moves}: {goals}" if self.match.is_over else f"Stopped: {goals}"

    def goals(self) -> list[tuple[Term, int | None]]:
        """The goal values of every role but nature."""
        return [(role, self.match.state.goal(role)) for role in self.game.info.players]

    # -- playing ----------------------------------------------------------------------------------------

    def read(self, text: str, writings: Writings = in_rule_words) -> Term:
        """The move a text writes, also in other ``writings``; IllegalMoveError says why there is none."""
        return read_move(text, self.legal, writings)

    def begin(self, move: Term | None = None) -> Thinking:
        """Settle the person's move, which may be left out where there is no choice, and let the others think.

        Run what is returned, in a thread or not, and then ``complete`` it.
        """
        if self.thinking is not None:
            raise TableError("the other moves of this step are still awaited")
        if self.phase not in (Phase.CHOICE, Phase.MOVES):
            raise TableError(self.result())
        if self.role is not None and move is None and len(self.legal) == 1:
            move = self.legal[0]
        if self.role is not None and move not in self.legal:
            raise IllegalMoveError(f"{move} is not legal for {self.role}")
        self._own = move
        self.thinking = Thinking(self.match.states, self._players, self.seconds)
        return self.thinking

    def complete(self, thinking: Thinking) -> bool:
        """Play the joint move; False if it was taken back, or the match left, in the meantime."""
        if thinking is not self.thinking:
            return False
        self.thinking = None
        moves = dict(thinking.moves)
        if self.role is not None and self._own is not None:
            moves[self.role] = self._own
        state = self.match.state
        self.match.play(moves)
        self._chosen.append(frozenset(role for role in self.game.roles if len(state.legal(role)) > 1))
        return True

    def advance(self, move: Term | None = None) -> Thinking:
        """``begin``, think and ``complete`` in one; blocks until the players have moved."""
        thinking = self.begin(move)
        try:
            thinking.run()
        except BaseException:
            self._drop_thinking()
            raise
        self.complete(thinking)
        return thinking

    def begin_hint(self) -> Thinking:
        """Let a player think in the person's place; ``hint`` returns what it found."""
        if self.role is None:
            raise TableError("a spectator needs no hint")
        if self.phase is not Phase.CHOICE:
            raise TableError("there is nothing to choose now")
        self._adviser.role = self.role
        self._hinting = Thinking(self.match.states, {self.role: self._adviser}, self.seconds)
        return self._hinting

    def hint(self, thinking: Thinking) -> Hint:
        """The result of ``begin_hint``."""
        (move,) = thinking.moves.values()
        decision = self._adviser.decision
        return Hint(move, decision if isinstance(decision, Decision) else None)

    def undo(self) -> None:
        """Go back to the person's last choice, or one step where the person only watches."""
        if self.thinking is not None:
            unanswered = self.role is None or len(self.legal) > 1
            self._drop_thinking()
            if unanswered:
                return
        if not self.is_open and self.role is not None:
            raise TableError("nothing can be taken back where something is hidden: what you were told stays")
        if self.game.info.chance_role is not None and self.role is not None:
            raise TableError("nothing can be taken back where there is chance: you would know what comes")
        if self._resigned:
            self._resigned = False
            return
        target = self._last_choice()
        if target is None:
            raise TableError("nothing to take back")
        while len(self.match.moves) > target:
            self.match.take_back()
            self._chosen.pop()

    def _last_choice(self) -> int | None:
        steps = range(len(self.match.moves) - 1, -1, -1)
        return next((at for at in steps if self.role is None or self.role in self._chosen[at]), None)

    def resign(self) -> None:
        if self.role is None:
            raise TableError("a spectator cannot resign")
        if self.is_finished:
            raise TableError("the match is over already")
        self._drop_thinking()
        self._resigned = True

    def new(self, role: Term | None = None, watch: bool = False) -> None:
        """Another match, in the same role unless one is named; nature and players go on to other seeds."""
        self.leave()
        if role is not None or watch:
            self.role = role
        self._next_seed = self.seed + NEXT_MATCH_SEED * self.matches
        self.matches += 1
        self.match = Match(self.game, self._next_seed)
        self._chosen = []
        self._resigned = False
        self._sit_down()

    def sit(self, role: Term | None) -> None:
        """Take another role, or none, and let the match go on; TableError where that would reveal
        something."""
        if role is self.role:
            return
        if not self.is_open and (self.match.moves or self._resigned) and not self.match.is_over:
            raise TableError("seats cannot change where something is hidden: begin a new match")
        self.leave()
        self._resigned = False
        self.role = role
        self._sit_down()

    def leave(self) -> None:
        """Tell the players and the adviser that their answers are no longer wanted."""
        self._drop_thinking()
        if self._hinting is not None:
            self._hinting.abandon()
            self._hinting = None
        for player in self._seated:
            player.stop()

    def _sit_down(self) -> None:
        players = self.game.info.players
        self._players = {
            role: TablePlayer(role, self._others.get(role, self.player), self._next_seed + at)
            for at, role in enumerate(players)
            if role is not self.role
        }
        self._adviser = TablePlayer(self.role or players[0], self.player, self._next_seed + len(players))
        self._seated = [*self._players.values(), self._adviser]

    def _drop_thinking(self) -> None:
        if self.thinking is not None:
            self.thinking.abandon()
            self.thinking = None

    # -- writing it down --------------------------------------------------------------------------------

    def save(self, path: Path | None = None, leaving: bool = False) -> Path:
        """Write the match record, to a fresh file if no path is given; returns the path."""
        if not self.sees_all and not leaving:
            raise TableError("the record would show what is hidden: it is written when the match is over")
        path = path or _free_path(self.game.name)
        path.write_text(format_record(self.match.record(self._source())), encoding="utf-8")
        return path

    def _source(self) -> str:
        who = dict.fromkeys(self.game.info.players, "person") | self.names
        names = ", ".join(f"{role}: {who[role]}" for role in self.game.info.players)
        return f"ludorum play; {names}; seed {self.match.seed}"


def _free_path(game: str) -> Path:
    name = re.sub(r"[^\w.]+", "_", game) or "match"
    number = 1
    while (path := Path(f"{name}-{number}.json")).exists():
        number += 1
    return path
