"""A player at an address in a realtime match. Its moves come as replies to any message, or are posted."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, replace

from ...rules.ruleset import format_rule
from ...rules.terms import Term
from ...rules.wdl.sheet import WdlSheet
from ..protocol.client import Address, Dial, dial_any, parse_address
from ..protocol.messages import Abort, MessageError, Start
from ..protocol.realtime_messages import Happened, RealtimeMessage, format_realtime
from ..protocol.replies import ABORTED, BUSY, DONE, NIL_REPLY, READY, excerpt, parse_move_reply
from ..protocol.scramble import Scrambler, names_without_colons, plain_names
from ..protocol.wire import WireError
from .move_inlet import MOVES_TO, MoveInlet
from .outbox import View
from .stream import MessageStream

APART = 3
"""Views that wait for a remote player before signals of the clock become one: with one message on the way at
a time more would tell of times long past."""
WORDS = {READY, BUSY, DONE, ABORTED, NIL_REPLY}
"""Replies that are no moves."""


@dataclass(frozen=True)
class SentRules:
    """A game as the player of one role is sent it."""

    words: Scrambler
    text: str
    """The settings and the rules, without the brackets around all of them."""


def sent_rules(sheet: WdlSheet, role: Term, no_colons: bool = False) -> SentRules:
    """What the player of a role is sent of a sheet. ``no_colons``: names of modules have none."""
    words = (names_without_colons if no_colons else plain_names)(sheet.master)
    description = words.rules(sheet.description(role))
    rules = " ".join(" ".join(format_rule(rule).split()) for rule in description.rules)
    return SentRules(words, f"{sheet.settings} {rules}")


class RealtimeRemoteSeat:
    """One role of one match, played by the player at an address."""

    def __init__(
        self,
        address: str,
        sent: SentRules,
        role: Term,
        offer: Callable[[Term, Term], bool],
        inlet: MoveInlet | None = None,
        name: str = "",
        dial: Dial = dial_any,
    ) -> None:
        """Without an ``inlet`` the player acts by its replies alone."""
        self.name = name or address
        self.trouble = ""
        """Why the player was not there; empty where it was."""
        self._role = role
        self._offer = offer
        self._sent = sent
        self._words = sent.words
        self._address: Address = parse_address(address)
        self._dial = dial
        self._headers = {
            "Accept": "text/delim",
            "Host": str(self._address),
            "Sender": "GAMESERVER",
        }
        if inlet is not None:
            self._headers[MOVES_TO] = inlet.add(role, self._hear)
        self._stream = MessageStream(self._address, self._headers, dial=dial)

    async def start(self, message: Start, seconds: float) -> bool:
        """Tell the player that the match begins; whether it has answered that it will play."""
        sent = replace(message, role=self._words.sentence(message.role), rules=self._sent.text)
        stream = MessageStream(self._address, self._headers, seconds=seconds, dial=self._dial)
        try:
            response = await stream.tell(format_realtime(sent))
            said = response.body.strip().lower()
            if response.status >= 400 or said == BUSY:
                self.trouble = f"answered {excerpt(response.body) or response.status}"
        except TimeoutError:
            self.trouble = f"no answer in {seconds:g} s"
        except (OSError, WireError) as error:
            self.trouble = str(error) or type(error).__name__
        finally:
            stream.close()
        return not self.trouble

    async def send(self, view: View) -> None:
        """Tell the player what has happened, and read whether it acts; OSError where it is gone."""
        if isinstance(view, Happened):
            player, move = self._words.sentence(view.player), self._words.sentence(view.move)
            view = replace(view, player=player, move=move)
        await self._tell(view)

    async def abort(self, match_id: str) -> None:
        """Tell the player that the match is given up, by a connection of its own.

        The match may have ended in the middle of another message: nobody knows how much of that has gone out.
        """
        stream = MessageStream(self._address, self._headers, dial=self._dial)
        with suppress(OSError, WireError), closing(stream):
            await stream.tell(format_realtime(Abort(match_id)))

    def close(self) -> None:
        self._stream.close()

    async def _tell(self, message: RealtimeMessage) -> None:
        response = await self._stream.tell(format_realtime(message))
        body = response.body.strip()
        if response.status < 400 and body and body.lower() not in WORDS:
            with suppress(MessageError):  # what is no move is nothing
                self._hear(parse_move_reply(body).move)

    def _hear(self, move: Term) -> bool:
        return self._offer(self._role, self._words.back(move))
