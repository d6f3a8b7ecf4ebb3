"""The frames of a recorded match, step by step: the same for screen, pipe and page."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..arena.match.goals_text import goals_text
from ..arena.records.role_view import role_view
from ..arena.records.spectator import PublishedMatch, meta_url
from ..engine.board import find_grid
from ..engine.game import Game
from ..engine.load import load_game
from ..rules.source import RulesError
from ..rules.terms import Term, format_term
from ..scene.card_games import IDLE, is_card_game
from ..scene.model import CardScene
from ..show.board import Marked, draw_state, last_places
from ..show.grid import Grid, grid_of
from ..show.pieces import CHANCE
from .card_table import Lines, said_moves, wrapped
from .replay_cards import events_said, table_lines, tables_of, tables_seen
from .sight_text import NOTHING
from .sight_text import told as told_text

CHANCE_WORD = "chance"
MOST_SAID = 2
"""Sentences in the line of a step at cards; where there are more, the line has the first."""
HIDDEN = "hidden"
OTHERS = "others move"
"""Shown where a role knows no more of a step at cards than what it is told."""


def bare_text(term: Term) -> str:
    """A move or percept without the brackets around it: ``move a 2 a 4``."""
    return " ".join([term.name, *map(format_term, term.args)]) if term.args else format_term(term)


def _is_event(percept: Term) -> bool:
    return percept.name == "event"


@dataclass(frozen=True)
class Frame:
    """A state, and the step that led to it."""

    step: int
    facts: frozenset[Term] | None
    """None where the viewing role may not know them."""
    before: frozenset[Term] | None
    moves: tuple[tuple[str, Term], ...]
    """Roles and their moves that led here."""
    errors: tuple[tuple[str, str], ...]
    """Roles and their faults."""
    percepts: tuple[tuple[str, tuple[Term, ...]], ...]
    """Roles and what they perceived."""
    milliseconds: int | None
    """Since the start, where the record has times."""
    cards: CardScene | None = None
    """The cards on the table, as far as they may be seen; None for games without cards."""

    @property
    def table(self) -> Lines:
        """The cards in words; empty for games without cards."""
        return () if self.cards is None else table_lines(self.cards)

    @property
    def move_text(self) -> str:
        return ", ".join(f"{role} {move}" for role, move in self.shown_moves) or self.happening

    @property
    def shown_moves(self) -> tuple[tuple[str, str], ...]:
        """Roles and moves as people read them: no idle roles where others move, no draws of cards."""
        if self.cards is not None:
            return tuple((role, text) for role, text in said_moves(self.moves) if role != CHANCE)
        told = [(CHANCE_WORD if role == CHANCE else role, bare_text(move)) for role, move in self.moves]
        busy = [(role, text) for role, text in told if text != IDLE]
        return tuple(busy or told)

    @property
    def happening(self) -> str:
        """The text of a step without moves to show."""
        if not self.step:
            return "start"
        if self.cards is None:
            return HIDDEN
        if len(self.said) > MOST_SAID:
            return f"{self.said[0]} …"
        return "; ".join(self.said) or ("a card is drawn" if self.is_chance else OTHERS)

    @property
    def is_chance(self) -> bool:
        """Whether chance has moved here, and the viewer can see it."""
        return any(role == CHANCE and move.name != IDLE for role, move in self.moves)

    @property
    def told(self) -> tuple[tuple[str, str], ...]:
        """Roles and what they perceived, in words; empty at cards, where ``said`` tells it once for all."""
        if self.cards is not None:
            return ()
        found = [
            (role, told_text(seen) if any(map(_is_event, seen)) else "; ".join(map(bare_text, seen)))
            for role, seen in self.percepts
        ]
        return tuple((role, text) for role, text in found if text != NOTHING)

    @property
    def said(self) -> tuple[str, ...]:
        """What happened at a card table, as far as the viewer may know it, a sentence each."""
        if self.cards is None:
            return ()
        return tuple(events_said(percept for _, seen in self.percepts for percept in seen))


@dataclass(frozen=True)
class Reel:
    """A whole match, ready to be shown."""

    match: PublishedMatch
    roles: tuple[str, ...]
    frames: tuple[Frame, ...]
    grid: Grid | None
    goals: tuple[tuple[str, str], ...]
    """Roles and their goal values at the end; empty before."""
    sight_of: str = ""
    """The viewing role; empty where everything may be seen."""
    game: Game | None = None
    """The rules, where they are known."""

    @property
    def title(self) -> str:
        names = self.match.player_names or ("",) * len(self.roles)
        who = ", ".join(
            f"{role}: {name}" if name else role
            for role, name in zip(self.roles, names, strict=False)
            if role != CHANCE
        )
        name = self.match.game_name or self.match.record.game or "match"
        return f"{name}: {who}" + (f" (as {self.sight_of} may see it)" if self.sight_of else "")

    @property
    def result(self) -> str:
        steps = f"{len(self.frames) - 1} steps"
        if self.goals:
            return f"over after {steps}: {goals_text(self.goals)}"
        return f"{'given up' if self.match.aborted else 'not over'} after {steps}"

    def picture(self, at: int, width: int = 78) -> str:
        """The state of a frame, drawn."""
        frame = self.frames[at]
        if frame.table:
            return wrapped(frame.table, width)
        if frame.facts is None:
            return HIDDEN
        marked = Marked()
        if self.grid is not None:
            moves = [move for _, move in frame.moves]
            marked = Marked(last=last_places(self.grid, moves, frame.facts, frame.before))
        return draw_state(frame.facts, self.grid, frame.before, width, marked)


def open_reel(match: PublishedMatch, game: Game | None = None, role: str | None = None) -> Reel:
    """A match drawn by its rules, those given, or the library's if they are the very ones played; of a role
    only what it may know."""
    rules = game or library_game(match)
    reel = replace(make_reel(match, game, None if rules is None else find_grid(rules)), game=rules)
    if role is None:
        return reel if rules is None else with_tables(reel, rules)
    if rules is None:
        raise ValueError("the rules decide what a role may see: name them with --game")
    return as_seen_by(reel, rules, role)


def library_game(match: PublishedMatch) -> Game | None:
    """The game of a match, if the library holds the very rules it was played by."""
    try:
        game = load_game(match.record.game)
    except (RulesError, OSError):
        return None
    return game if match.meta_url == meta_url(match.record.game, game) else None


def make_reel(match: PublishedMatch, game: Game | None = None, grid: Grid | None = None) -> Reel:
    """All frames of a match; ``game`` is needed where the record leaves states out, else ValueError.

    Without a grid the board is found from the states of the match itself.
    """
    if game is not None:
        match = _seated(match, game)
    record = match.record
    states = _states(match, game)
    width = record.width or len(match.player_names or ())
    roles = tuple(
        map(format_term, record.roles) if record.roles else (f"role {at + 1}" for at in range(width))
    )
    frames = tuple(_frame(match, roles, states, at) for at in range(len(states)))
    moves = {move for joint in record.moves for move in joint}
    goals = tuple(
        (role, " ".join(sorted(map(format_term, terms))) or "?")
        for role, terms in zip(roles, record.goals or (), strict=False)
    )
    return Reel(match, roles, frames, grid or grid_of(states, moves), goals, game=game)


def with_tables(reel: Reel, game: Game) -> Reel:
    """The same match with its states drawn as card tables, face up, where cards are played."""
    if not is_card_game(game):
        return reel
    states = [frame.facts for frame in reel.frames if frame.facts is not None]
    told = [[percept for _, seen in frame.percepts for percept in seen] for frame in reel.frames[1:]]
    tables = tables_of(game, states, told)
    frames = [replace(frame, cards=table) for frame, table in zip(reel.frames, tables, strict=True)]
    return replace(reel, frames=tuple(frames), grid=None)


def as_seen_by(reel: Reel, game: Game, name: str) -> Reel:
    """The same match with nothing in it that a role may not know; GameError if there is no such role."""
    role = game.role(name)
    states = tuple(frame.facts for frame in reel.frames)
    match = replace(reel.match, record=replace(reel.match.record, states=states))
    view = role_view(match, game, role)
    tables = []
    if is_card_game(game) and role in game.players:
        tables = tables_seen(game, role, view.percepts)
    frames = []
    for at, frame in enumerate(reel.frames):
        moves = zip(game.roles, view.moves[at - 1] if at else (), strict=False)
        errors = zip(game.roles, view.errors[at] if at < len(view.errors) else (), strict=False)
        told = view.percepts[at - 1] if at and view.percepts else ()
        frames.append(
            replace(
                frame,
                facts=view.states[at],
                before=view.states[at - 1] if at else None,
                moves=tuple((format_term(who), move) for who, move in moves if move is not None),
                errors=tuple((format_term(who), text) for who, text in errors if text),
                percepts=((name, told),) if told else (),
                cards=tables[at] if tables else frame.cards,
            )
        )
    goals = zip(game.roles, view.goals or (), strict=False)
    return replace(
        reel,
        frames=tuple(frames),
        grid=None if tables else _seen_board(game, frames),
        goals=tuple((format_term(who), goal) for who, goal in goals if goal is not None),
        sight_of=format_term(role),
        game=game,
    )


def _seen_board(game: Game, frames: list[Frame]) -> Grid | None:
    """The board by the rules, or as far as the role saw it: a board from all states would tell more."""
    states = [frame.facts for frame in frames if frame.facts is not None]
    moves = {move for frame in frames for _, move in frame.moves}
    return find_grid(game) or grid_of(states, moves)


def _seated(match: PublishedMatch, game: Game) -> PublishedMatch:
    record = match.record
    if record.roles is not None and set(record.roles) != set(game.roles):
        raise ValueError(
            f"the record is not of {game.name}: its roles are {', '.join(map(str, record.roles))}"
        )
    if record.width not in (None, len(game.roles)):
        raise ValueError(f"the record has {record.width} roles, {game.name} has {len(game.roles)}")
    return replace(match, record=replace(record, roles=record.roles or game.roles))


def _states(match: PublishedMatch, game: Game | None) -> list[frozenset[Term]]:
    record = match.record
    known = [state for state in record.states if state is not None]
    if len(known) == len(record.states):
        return known
    if game is None:
        raise ValueError("the record leaves states out: name its rules with --game")
    record = record.seated(game.roles)
    state = game.initial()
    found = [state.facts()]
    for joint in record.moves:
        state = state.play(joint)
        found.append(state.facts())
    return found


def _frame(match: PublishedMatch, roles: tuple[str, ...], states: list[frozenset[Term]], at: int) -> Frame:
    record = match.record
    errors = record.errors[at] if at < len(record.errors) else ()
    percepts = record.percepts[at - 1] if at and record.percepts else None
    times = record.times
    return Frame(
        step=at,
        facts=states[at],
        before=states[at - 1] if at else None,
        moves=tuple(zip(roles, record.moves[at - 1], strict=True)) if at else (),
        errors=tuple((role, text) for role, text in zip(roles, errors, strict=False) if text),
        percepts=tuple(
            (role, tuple(sorted(seen, key=format_term)))
            for role, seen in zip(roles, percepts or (), strict=False)
            if seen
        ),
        milliseconds=times[at] - times[0] if len(times) == len(states) else None,
    )
