"""A player elsewhere in one match: START, PLAY, STOP and ABORT by the GGP protocol.

It needs no game and no state, only plain values: what is sent is a function of a ``WiredGame`` and of
``Notice``s, which hold only what the role may know. So the rules may live in another process. Every answer,
or its absence, becomes a ``Reply``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Protocol

from ...cards.machine.game import CardGame
from ...cards.wire import write_wired
from ...engine.game import Game
from ...rules.kif import parse_kif
from ...rules.ruleset import Ruleset, format_rule
from ...rules.terms import Term, format_term
from ...rules.wdl.to_gdl2 import WdlRuleset
from ..match.clocks import Clocks
from ..match.match import ErrorCode, Notice, Reply
from ..records.begin import check_match_id
from .client import Address, Dial, ExchangeError, Failure, Sent, dial_any
from .dialects import DIALECTS, Dialect, Language
from .messages import Abort, Message, MessageError, Play, PlayPercepts, Preview, Start, Stop, StopPercepts
from .player_line import Exchange, PlayerLine, read_aside
from .replies import excerpt, parse_move_reply
from .scramble import ScrambleError, Scrambler, plain_names

EVERYBODY_SEES_ALL = "(<= (sees ?seer (did ?doer ?move)) (role ?seer) (does ?doer ?move))"
"""The rule that turns a game without hidden information into GDL-II, for players that know nothing else."""

_CODES = {
    Failure.UNREACHABLE: ErrorCode.LOST,
    Failure.LATE: ErrorCode.LATE,
    Failure.BROKEN: ErrorCode.LOST,
}


@dataclass(frozen=True)
class WiredViews:
    """What players of a WDL sheet are told."""

    descriptions: Mapping[Term, str]
    """The rules as each player is sent them."""
    did: str
    """The percept that tells a move."""


@dataclass(frozen=True)
class WiredGame:
    """A game as a player elsewhere is told it."""

    name: str
    roles: tuple[Term, ...]
    is_hidden: bool
    language: Language
    """The language in which the player is told what happens."""
    rules: str
    """The rules as they are sent: one line, no comments, without the brackets around all of them."""
    scrambler: Scrambler
    """Words of the rules that are sent for names of the game."""
    wdl: WiredViews | None = None
    """In WDL: what is another thing for each player."""


class SeatedRole(Protocol):
    """What every message of a match depends on, such as a ``Briefing``."""

    @property
    def match_id(self) -> str: ...
    @property
    def role(self) -> Term: ...
    @property
    def clocks(self) -> Clocks: ...
    @property
    def players(self) -> tuple[str, ...]:
        """The name of each role's player, nature among them; empty where no names are given."""


class RemotePlayer(PlayerLine):
    """One role of one match, played by the player at an address."""

    def __init__(
        self,
        address: Address,
        game: WiredGame,
        *,
        dialect: Dialect = DIALECTS["ggp-base"],
        method: str = "POST",
        name: str = "",
        rejoin: bool = False,
        dial: Dial = dial_any,
    ) -> None:
        """``rejoin``: the player is in the match already and must not be started again."""
        # A player that is in the match already must be able to recognise a repeated question.
        spoken = replace(dialect, match_headers=dialect.match_headers or rejoin)
        super().__init__(address, dialect=spoken, method=method, name=name, dial=dial)
        self._game = game
        self._rejoin = rejoin

    async def start(self, seated: SeatedRole) -> Reply:
        check_match_id(seated.match_id)
        if self._rejoin:
            return Reply(text="already in the match")
        clocks = seated.clocks
        role = self._game.scrambler.sentence(seated.role)
        views = self._game.wdl
        rules = self._game.rules if views is None else views.descriptions[seated.role]
        message = Start(seated.match_id, role, rules, clocks.start, clocks.play)
        try:
            sent = await self._tell_in(seated, message, clocks.start_limit)
        except ExchangeError as error:
            return _failed(error)
        response, said = sent.response, excerpt(sent.response.body)
        # No host uses what a player says to START; that it answered matters.
        if response.status >= 400:
            return Reply(None, ErrorCode.LOST, f"HTTP {response.status} {said}".rstrip(), sent.seconds)
        if not response.complete:
            return Reply(None, ErrorCode.LOST, f"the reply was cut off: {said}", sent.seconds)
        return Reply(text=said, seconds=sent.seconds)

    async def play(self, seated: SeatedRole, notice: Notice) -> Reply:
        message = self._turn(seated.match_id, notice, Play, PlayPercepts)
        try:
            sent = await self._tell_in(seated, message, seated.clocks.play_limit, notice.step)
        except ExchangeError as error:
            return _failed(error)
        return await self._read_move(sent, notice.step)

    async def stop(self, seated: SeatedRole, notice: Notice) -> None:
        message = self._turn(seated.match_id, notice, Stop, StopPercepts)
        with suppress(ExchangeError):  # noted in the exchanges; a match that is over needs no answer
            await self._tell_in(seated, message, seated.clocks.stop_limit, notice.step)

    async def abort(self, seated: SeatedRole) -> None:
        with suppress(ExchangeError):
            await self._tell_in(seated, Abort(seated.match_id), seated.clocks.abort_limit)

    async def preview(self, clocks: Clocks, seconds: float) -> bool:
        """Show the rules before the match. Many players drop this message, so silence means nothing."""
        try:
            sent = await self.tell(Preview(self._game.rules, seconds), clocks, seconds)
        except ExchangeError:
            return False
        return sent.response.body.strip().lower() == "ready"

    # -- the messages of a match ----------------------------------------------------------------------

    def _turn(
        self,
        match_id: str,
        notice: Notice,
        open_form: type[Play] | type[Stop],
        hidden_form: type[PlayPercepts] | type[StopPercepts],
    ) -> Message:
        game = self._game
        if game.language is Language.GDL:
            if notice.step and notice.joint is None:
                raise ValueError(f"{self.name} would have to be told what {game.name} hides")
            return open_form(match_id, None if notice.joint is None else self._all(notice.joint))
        if game.language is Language.WDL:
            return open_form(match_id, self._all(self._views(notice)) if notice.step else None)
        percepts = self._all(self._percepts(notice))
        if game.language is Language.GDL2_2011:
            return open_form(match_id, percepts if notice.step else None)
        own = None if notice.own is None else game.scrambler.sentence(notice.own)
        return hidden_form(match_id, notice.step, own, percepts)

    def _views(self, notice: Notice) -> tuple[Term, ...]:
        """The last moves as the player may see them, in the order of the roles of its description."""
        views = self._game.wdl
        assert views is not None
        told = {one.args[0]: one.args[1] for one in notice.percepts if one.name == views.did}
        return tuple(move for role in views.descriptions if isinstance(move := told.get(role), Term))

    def _percepts(self, notice: Notice) -> tuple[Term, ...]:
        if self._game.is_hidden or notice.joint is None:
            return notice.percepts
        return tuple(
            Term("did", (role, move)) for role, move in zip(self._game.roles, notice.joint, strict=True)
        )

    def _all(self, terms: Iterable[Term]) -> tuple[Term, ...]:
        return tuple(map(self._game.scrambler.sentence, terms))

    async def _read_move(self, sent: Sent, step: int) -> Reply:
        body, seconds = sent.response.body, sent.seconds
        said = excerpt(body)
        try:
            reply = await read_aside(parse_move_reply, body)
            move = self._game.scrambler.back(reply.move)
        except (MessageError, ScrambleError) as error:
            if sent.response.status >= 400:
                return Reply(None, ErrorCode.LOST, f"HTTP {sent.response.status} {said}".rstrip(), seconds)
            return Reply(None, ErrorCode.ILLEGAL, f"{said} ({error})" if said else str(error), seconds)
        if reply.explanation or reply.taunt:
            last = self.exchanges[-1]
            self.exchanges[-1] = Exchange(
                last.asked, step, said, seconds, sent.connect_seconds, reply.explanation, reply.taunt
            )
        # In the words of the game, also where the player was told others.
        remarks = (("explanation", reply.explanation), ("taunt", reply.taunt))
        text = " ".join([format_term(move), *(f'({kind} "{said}")' for kind, said in remarks if said)])
        return Reply(move, text=excerpt(text), seconds=seconds)

    async def _tell_in(self, seated: SeatedRole, message: Message, seconds: float, step: int = 0) -> Sent:
        tags = self._dialect.tags(seated.match_id, step, seated.players)
        return await self.tell(message, seated.clocks, seconds, step, tags)


def wired_game(
    game: Game, language: Language | None = None, scrambler: Scrambler | None = None, name: str = "a player"
) -> WiredGame:
    """A game as the player of a name is told it; ValueError where it cannot play it.

    ``language``: what the player speaks; None for the one the game needs.
    """
    spoken = language or (Language.GDL if game.tells_joint_moves else Language.GDL2)
    _refuse(game, spoken, name)
    words = scrambler or _plain_names(game)
    views = _wired_views(game, words) if spoken is Language.WDL else None
    rules = wire_rules(game, spoken, words) if views is None else ""
    return WiredGame(game.name, game.roles, not game.tells_joint_moves, spoken, rules, words, views)


def wire_rules(game: Game, language: Language, scrambler: Scrambler) -> str:
    """The rules as they are sent: one line, no comments, with sight of all moves where a player needs it."""
    if isinstance(game, CardGame):
        return write_wired(game)
    assert game.rules is not None
    rules = game.rules.as_sent
    if language is not Language.GDL and game.tells_joint_moves:
        rules = rules.with_rules((*rules.rules, *parse_kif(EVERYBODY_SEES_ALL).rules))
    return _on_one_line(rules, scrambler)


def _wired_views(game: Game, scrambler: Scrambler) -> WiredViews:
    assert isinstance(game.rules, WdlRuleset)
    sheet = game.rules.sheet
    assert sheet is not None
    descriptions = {role: _on_one_line(sheet.description(role), scrambler) for role in sheet.roles}
    return WiredViews(descriptions, game.rules.did)


def _on_one_line(rules: Ruleset, scrambler: Scrambler) -> str:
    return " ".join(" ".join(format_rule(rule).split()) for rule in scrambler.rules(rules).rules)


def _plain_names(game: Game) -> Scrambler:
    """Names that any peer can read; those of a chart stay: only players of ours are sent charts."""
    return Scrambler({}, strict=False) if game.rules is None else plain_names(game.rules.as_sent)


def _refuse(game: Game, language: Language, name: str) -> None:
    if game.rules is None and not isinstance(game, CardGame):
        raise ValueError(f"{game.name} has no rules that could be sent to {name}")
    if language is Language.WDL and not isinstance(game.rules, WdlRuleset):
        raise ValueError(f"{game.name} is not written in WDL, which is all that {name} speaks")
    if language is Language.GDL and not game.tells_joint_moves:
        raise ValueError(
            f"{game.name} hides something, and {name} speaks GDL-I only: it would have to be told every "
            f"move; take a player that speaks GDL-II, or a game in which all is open"
        )


def _failed(error: ExchangeError) -> Reply:
    return Reply(None, _CODES[error.failure], excerpt(str(error)), error.seconds)
