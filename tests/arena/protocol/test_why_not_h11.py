"""Why the protocol reads HTTP by itself: h11, which serves the web application, loses what GGP programs send.

Should a later h11 read all of these, the test fails: the decision in ``docs/architecture.md`` is due again.
"""

import h11

from ludorum.arena.protocol.wire import Request
from tests.arena.protocol.test_player_bytes import WAYS

LOST = {
    "header names in any case",
    "no length, closed",
    "no length, left open",
    "no length, bracket in a comment",
    "a length that is none",
    "a length counted in characters",
    "chunks",
    "GET with blanks",
    "a host that asks for leave",
    "empty lines first",
    "no version",
}


def message_by_h11(data: bytes) -> str | None:
    """The message of a request as h11 reads it; None where h11 refuses the request."""
    connection = h11.Connection(h11.SERVER)
    head, body = None, bytearray()
    try:
        connection.receive_data(data)
        while not isinstance(event := connection.next_event(), h11.EndOfMessage):
            if isinstance(event, h11.Request):
                head = event
            elif isinstance(event, h11.Data):
                body += event.data
            else:
                return None  # it waits for more, although all of the message is there
    except h11.RemoteProtocolError:
        return None
    assert head is not None
    text = body.decode(errors="replace")
    return Request(head.method.decode().upper(), head.target.decode(), {}, text).message


def test_h11_loses_messages_that_we_read() -> None:
    heard = {way: message_by_h11(data) for way, (data, _) in WAYS.items()}
    lost = {way for way, text in heard.items() if not text or "INFO" not in text or text.strip()[-1] != ")"}
    assert lost == LOST
