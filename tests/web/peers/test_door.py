"""The private door of a process: it speaks to processes of the same database, and to nobody else."""

from __future__ import annotations

import asyncio
import json
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from ludorum.web.live import Elsewhere, Overtaken, Refused, UnknownMatch
from ludorum.web.peers import door as module
from ludorum.web.peers import line as line_module
from ludorum.web.peers.door import MOST_STRANGERS, Door
from ludorum.web.peers.line import Line, LineBroken, Lines, NotReached, PeerFailed
from ludorum.web.peers.wire import LONGEST_STRANGER, PeerWire, PeerWireError
from ludorum.web.store.servers import ServerRow

SECRET = "5" * 64
PATIENCE = 20.0


async def answer(question: str, args: list[Any]) -> Any:
    errors = {
        "refuse": Refused("not now"),
        "unknown": UnknownMatch("m1"),
        "elsewhere": Elsewhere("m1"),
        "overtaken": Overtaken("m1"),
        "fail": ZeroDivisionError("a secret of the server"),
    }
    if question in errors:
        raise errors[question]
    if question == "wait":
        await asyncio.Event().wait()
    return [question, args]


@asynccontextmanager
async def watch(args: list[Any]) -> AsyncIterator[AsyncIterator[Any]]:
    async def numbers() -> AsyncIterator[int]:
        for number in range(args[0]):
            yield number
            await asyncio.sleep(0)

    yield numbers()


@asynccontextmanager
async def opened() -> AsyncIterator[ServerRow]:
    """An open door, and the process behind it as the database has it."""
    door = Door("one", SECRET, answer, watch)
    try:
        yield ServerRow("one", await door.open("127.0.0.1"), SECRET)
    finally:
        await door.close()


def with_door(work: Callable[[ServerRow], Awaitable[Any]]) -> Any:
    async def do() -> Any:
        async with opened() as server:
            return await work(server)

    return asyncio.run(asyncio.wait_for(do(), PATIENCE))


async def raw(server: ServerRow) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, _, port = server.address.rpartition(":")
    return await asyncio.open_connection(host, int(port))


def test_questions_are_answered_and_errors_come_back_as_what_they_are() -> None:
    async def ask(server: ServerRow) -> list[Any]:
        line = await Line.to(server)
        asked = ("view", "refuse", "unknown", "elsewhere", "overtaken", "fail")
        found = await asyncio.gather(*(line.ask(one, "m1", None) for one in asked), return_exceptions=True)
        line.close()
        return found

    found = with_door(ask)
    assert found[0] == ["view", ["m1", None]]
    assert [type(error) for error in found[1:]] == [Refused, UnknownMatch, Elsewhere, Overtaken, PeerFailed]
    assert str(found[1]) == "not now"


def test_a_subscription_gives_the_newest_and_ends() -> None:
    async def look(server: ServerRow) -> list[Any]:
        line = await Line.to(server)
        async with line.subscribe(5) as views:
            found = [view async for view in views]
        line.close()
        return found

    found = with_door(look)
    assert found[-1] == 4
    assert found == sorted(set(found))


@pytest.mark.parametrize("wrong", [{"secret": "6" * 64}, {"secret": ""}, {"id": "two"}])
def test_a_stranger_is_turned_away(wrong: dict[str, str]) -> None:
    """One that does not know the secret, and one that looks for another process."""

    async def call(server: ServerRow) -> None:
        with pytest.raises(NotReached):
            await Line.to(replace(server, **wrong))

    with_door(call)


def test_nothing_is_answered_before_the_proof() -> None:
    async def call(server: ServerRow) -> bytes:
        reader, writer = await raw(server)
        await reader.readexactly(struct.unpack(">I", await reader.readexactly(4))[0])  # the challenge
        body = json.dumps({"number": 0, "method": "view", "args": ["m1", None]}).encode()
        writer.write(struct.pack(">I", len(body)) + body)
        return await reader.read()

    assert with_door(call) == b""


def test_a_proof_is_good_for_one_connection() -> None:
    """What was heard of another connection opens nothing: the challenge is another."""

    async def call(server: ServerRow) -> bytes:
        heard: list[dict[str, Any]] = []
        reader, writer = await raw(server)
        wire = PeerWire(reader, writer)
        send = wire.send

        async def listen(message: dict[str, Any]) -> None:
            heard.append(message)
            await send(message)

        wire.send = listen  # type: ignore[method-assign]
        await wire.prove_as_caller(server.id, server.secret)
        again = PeerWire(*await raw(server))
        await again.receive()
        await again.send(heard[0])
        with pytest.raises(PeerWireError):
            await again.receive()
        wire.close()
        return b"refused"

    assert with_door(call) == b"refused"


def test_a_stranger_cannot_send_much() -> None:
    async def call(server: ServerRow) -> bytes:
        reader, writer = await raw(server)
        await reader.readexactly(struct.unpack(">I", await reader.readexactly(4))[0])
        writer.write(struct.pack(">I", LONGEST_STRANGER + 1))
        return await reader.read()

    assert with_door(call) == b""


def test_strangers_that_say_nothing_are_bounded_in_number_and_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PROOF_SECONDS", 0.5)

    async def call(server: ServerRow) -> tuple[bytes, Any]:
        silent = [await raw(server) for _ in range(MOST_STRANGERS)]
        for reader, _ in silent:
            await reader.readexactly(4)
        reader, _ = await raw(server)
        turned_away = await reader.read()
        for reader, _ in silent:
            await reader.read()  # ends when their time is over
        line = await Line.to(server)
        found = await line.ask("view")
        line.close()
        return turned_away, found

    assert with_door(call) == (b"", ["view", []])


def test_who_waits_for_a_process_that_has_gone_is_told() -> None:
    """It may have done what it was asked; what is asked later has not been asked."""

    async def call() -> tuple[list[Any], list[Any]]:
        lines = Lines()
        async with opened() as server:
            line = await lines.to(server)
            async with line.subscribe(1_000_000) as views:
                asked = asyncio.create_task(line.ask("wait"))
                await line.ask("view")  # answered after the other was asked
                await anext(views)
                lines.keep(set())
                rest = [view async for view in views]
            told = await asyncio.gather(asked, line.ask("view"), return_exceptions=True)
        gone = await asyncio.gather(lines.to(server), return_exceptions=True)
        return rest[1:], [type(one) for one in (*told, *gone)]

    rest, found = asyncio.run(asyncio.wait_for(call(), PATIENCE))
    assert rest == []
    assert found == [LineBroken, NotReached, NotReached]


def test_a_process_that_hangs_is_called_once_however_many_want_to_ask_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(line_module, "CALL_SECONDS", 0.2)
    monkeypatch.setattr(line_module, "PAUSE_SECONDS", PATIENCE)
    calls: list[asyncio.StreamWriter] = []

    async def call() -> set[type]:
        listener = await asyncio.start_server(lambda _, writer: calls.append(writer), "127.0.0.1", 0)
        port = listener.sockets[0].getsockname()[1]
        lines, hangs = Lines(), ServerRow("one", f"127.0.0.1:{port}", SECRET)
        found = await asyncio.gather(*(lines.to(hangs) for _ in range(50)), return_exceptions=True)
        for writer in calls:
            writer.close()
        listener.close()
        return {type(error) for error in found}

    assert asyncio.run(asyncio.wait_for(call(), PATIENCE)) == {NotReached}
    assert len(calls) == 1
