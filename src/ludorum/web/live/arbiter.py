"""The arbiter of one game: what its rules say about matches, as plain values that can be written as JSON.

It lives in this process for games of the library, and in a process that can be killed for games of strangers.
It is asked with the whole course of a match each time. Matches it knows are kept, so that only new steps
are computed; an arbiter that has died can be replaced by a new one without telling it anything.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypedDict

from ...arena.match.limits import is_given_up
from ...arena.match.match import Match
from ...arena.match.opening import open_match
from ...arena.protocol.dialects import Language
from ...arena.protocol.remote_player import wired_game
from ...engine.errors import GameError, IllegalMoveError
from ...engine.game import Game
from ...engine.load import make_game
from ...engine.sight import past_of, position_of
from ...rules.kif import parse_term
from ...rules.library import Sheet, read_header
from ...rules.source import Source
from ...rules.terms import Term, format_term, sort_key
from ...scene import Asking
from ...scene.card_games import is_card_game
from ...scene.fact_groups import fact_words, telling_facts
from .plan import GameText, Json
from .portrait import Portrayer
from .record_view import About, record_of

MOST_KEPT = 400
"""Matches whose states are kept; others are played again from their courses."""


class Course(TypedDict):
    """A match as the arbiter is told it."""

    match: str
    seed: int
    joints: Sequence[Sequence[str]]


@dataclass
class _Kept:
    """A match that the arbiter knows."""

    match: Match
    asking: Asking
    joints: list[tuple[str, ...]] = field(default_factory=list)
    """Its joint moves as texts; the match itself may have been taken further by a step that was not written
    down."""
    portrayers: dict[str | None, Portrayer] = field(default_factory=dict)


class Arbiter:
    """One game and its matches. Not for several threads at once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._matches: OrderedDict[str, _Kept] = OrderedDict()
        self._roles = {format_term(role): role for role in game.info.players}

    @classmethod
    def of_text(cls, text: GameText) -> Arbiter:
        """The arbiter of rules as they were written; RulesError or GameError where they cannot be played."""
        return cls(game_of(text))

    # -- the questions, answered as plain values --------------------------------------------------------

    def about(self) -> Json:
        """What pages say about the game."""
        info = self.game.info
        return {
            "name": self.game.name,
            "roles": list(self._roles),
            "hides": not info.is_open,
            "chance": info.chance_role is not None,
        }

    def opening(self, seed: int, moves: int) -> Json:
        """Random joint moves that begin a match, and the seed of nature that belongs to them."""
        match = open_match(self.game, seed, moves)
        return {
            "seed": match.seed,
            "joints": [[format_term(move) for move in joint] for joint in match.moves],
        }

    def choose(
        self, course: Course, chosen: dict[str, str], choosing: Sequence[str], role: str, text: str
    ) -> Json:
        """The move that a text means for a role, and the advance where nobody else has to choose.

        ``chosen`` are the moves of this step so far, ``choosing`` the roles with a choice.
        """
        move = format_term(find_move(text, self._match(course).state.legal(self._roles[role])))
        moves = {**chosen, role: move}
        is_last = all(one in moves for one in choosing)
        return {"move": move, "advance": self.advance(course, moves) if is_last else None}

    def advance(self, course: Course, moves: dict[str, str] | None) -> Json:
        """Make a step of some moves, and all that are forced after it; the advance of the match as JSON.

        Without moves, only what is forced. Moves must be those of all roles that have a choice.
        """
        match = self._match(course)
        kept = self._matches[course["match"]]
        before = len(match.moves)
        if moves is not None:
            match.play(self._joint_of(match, moves))
        end = self._end(match)
        while end is None and not _choosing(kept):
            match.play(self._joint_of(match, {}))
            end = self._end(match)
        joints = [[format_term(move) for move in joint] for joint in match.moves[before:]]
        kept.joints.extend(tuple(joint) for joint in joints)
        return {"joints": joints, "choosing": [] if end else _choosing(kept), "end": end}

    def sight(self, course: Course, role: str) -> Json:
        """All that a role may know of the match, for its player: every joint move, or else every position."""
        match = self._match(course)
        own = self._roles[role]
        legal = [format_term(move) for move in match.state.legal(own)]
        if match.is_open:
            return {"joints": [list(joint) for joint in course["joints"]], "legal": legal}
        positions = [*past_of(match.states, own), position_of(match.state, own)]
        return {
            "legal": legal,
            "positions": [
                {
                    "legal": [format_term(move) for move in one.legal],
                    "move": None if one.view.move is None else format_term(one.view.move),
                    "percepts": sorted(format_term(percept) for percept in one.view.percepts),
                }
                for one in positions
            ],
        }

    def wired(self, player: str, language: str | None) -> Json:
        """The game as a player elsewhere is told it; ValueError where the player cannot play it."""
        game = wired_game(self.game, None if language is None else Language(language), name=player)
        return {
            "name": game.name,
            "roles": list(map(format_term, game.roles)),
            "is_hidden": game.is_hidden,
            "language": game.language.value,
            "rules": game.rules,
            "words": game.scrambler.words,
            "views": None
            if game.wdl is None
            else {
                "did": game.wdl.did,
                "descriptions": {format_term(role): text for role, text in game.wdl.descriptions.items()},
            },
        }

    def told(self, course: Course, role: str, step: int) -> Json:
        """What a player elsewhere is told at a step: the joint move before it where all is open, else its own
        move and its percepts; and its legal moves, which it finds out by itself."""
        match = self._match(course)
        own = self._roles[role]
        notice = match.notice(own, step)
        return {
            "joint": None if notice.joint is None else list(map(format_term, notice.joint)),
            "own": None if notice.own is None else format_term(notice.own),
            "percepts": list(map(format_term, notice.percepts)),
            "legal": list(map(format_term, match.states[step].legal(own))),
        }

    def portrait(self, course: Course, role: str | None, is_over: bool) -> Json:
        """What a viewer sees now: scene, choices, what is asked, and the moves so far in words."""
        match = self._match(course)
        return self._portrayer(course, role).portrait(match.states, is_over)

    def scene_at(self, course: Course, role: str | None, is_over: bool, step: int) -> Json:
        """What a viewer may see of an earlier step: the scene, and the moves up to it in words."""
        match = self._match(course)
        return self._portrayer(course, role).at_step(match.states, is_over, step)

    def premoves(self, course: Course, role: str) -> list[Json]:
        """The moves that a role can prepare while another one chooses."""
        match = self._match(course)
        return self._portrayer(course, role).premoves(match.state)

    def record(self, course: Course, role: str | None, about: About) -> Json:
        """The record of the match, as far as a viewer may see it."""
        return record_of(self._match(course), None if role is None else self._roles[role], about)

    def knowledge(self, course: Course, role: str) -> Json:
        """What a role knows of the position where the rules hide it: what is sure, and what may be."""
        match = self._match(course)
        sight = self._portrayer(course, role).sight(match.states)
        if sight.cards is not None and sight.seat is not None and is_card_game(self.game):
            from .card_knowledge import known_hands

            return {"sure": known_hands(self.game, sight.cards.position, sight.seat), "possible": []}
        known = telling_facts(self.game, sight.facts or ())
        possible = telling_facts(self.game, sight.possible)
        return {
            "sure": [fact_words(fact) for fact in sorted(known, key=sort_key)],
            "possible": [fact_words(fact) for fact in sorted(possible, key=sort_key)],
        }

    def choosing(self, course: Course) -> list[str]:
        """The roles that are asked for a move."""
        match = self._match(course)
        return [] if match.is_over else _choosing(self._matches[course["match"]])

    # -- matches ----------------------------------------------------------------------------------------

    def _match(self, course: Course) -> Match:
        """The match of a course: the one that is kept, taken back or played on where it differs."""
        wanted = [tuple(joint) for joint in course["joints"]]
        kept = self._matches.get(course["match"])
        if kept is None or kept.match.seed != course["seed"]:
            kept = self._matches[course["match"]] = _Kept(Match(self.game, course["seed"]), Asking(self.game))
        match = kept.match
        same = _common(kept.joints, wanted)
        while len(match.moves) > same:
            match.take_back()
        for joint in wanted[same:]:
            match.follow(tuple(parse_term(move) for move in joint))
        kept.joints = wanted
        self._matches.move_to_end(course["match"])
        while len(self._matches) > MOST_KEPT:
            self._matches.popitem(last=False)
        return match

    def _portrayer(self, course: Course, role: str | None) -> Portrayer:
        kept = self._matches[course["match"]]
        if role not in kept.portrayers:
            viewer = None if role is None else self._roles[role]
            kept.portrayers[role] = Portrayer(self.game, viewer, kept.asking)
        return kept.portrayers[role]

    def _joint_of(self, match: Match, moves: dict[str, str]) -> dict[Term, Term]:
        """The moves of all players: those given, and the only ones of the others."""
        joint = {}
        for name, role in self._roles.items():
            legal = match.state.legal(role)
            if name in moves:
                joint[role] = find_move(moves[name], legal)
            elif len(legal) == 1:
                joint[role] = legal[0]
            else:
                raise GameError(f"a move of {name} is missing")
        return joint

    def _end(self, match: Match) -> Json | None:
        """How the match has ended by its rules; None where it goes on."""
        state = match.state
        if state.is_terminal:
            goals = {name: state.goal(role) for name, role in self._roles.items()}
            result = None if None in goals.values() else goals
            return {"how": "rules", "result": result, "by": None, "why": ""}
        stuck = [format_term(role) for role in self.game.roles if not state.legal(role)]
        if stuck:
            why = (
                f"no legal move for {', '.join(stuck)} although the game is not over: the rules are at fault"
            )
            return {"how": "stuck", "result": None, "by": None, "why": why}
        if is_given_up(match):
            return {"how": "long", "result": None, "by": None, "why": "the match has too many decisions"}
        return None


def _choosing(kept: _Kept) -> list[str]:
    return list(map(format_term, kept.asking.roles(kept.match.states)))


def find_move(text: str, legal: Sequence[Term]) -> Term:
    """The legal move of a text; IllegalMoveError where there is none."""
    for move in legal:
        if format_term(move) == text:
            return move
    try:
        asked = parse_term(text)
    except Exception as error:
        raise IllegalMoveError(f"{text!r} is no move") from error
    if asked in legal:
        return asked
    raise IllegalMoveError(f"{text} is not legal")


def game_of(text: GameText, engine: str = "lifted") -> Game:
    """The game of rules as they were written."""
    sheet = Sheet(text.id, text.language, Source(text.id, text.text), read_header(text.text))
    return make_game(sheet, engine)


def _common(one: Sequence[tuple[str, ...]], other: Sequence[tuple[str, ...]]) -> int:
    """How many entries at the beginning are the same."""
    same = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        same += 1
    return same
