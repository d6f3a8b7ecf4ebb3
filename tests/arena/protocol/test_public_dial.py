"""Strangers who name an address reach the public internet with it, and nothing else."""

from __future__ import annotations

import asyncio
import socket
from ipaddress import ip_address
from typing import Any

import pytest

from ludorum.arena.protocol import public_dial
from ludorum.arena.protocol.client import Address, ExchangeError, Failure, exchange
from ludorum.arena.protocol.public_dial import ForbiddenAddressError, PublicDial, is_public
from ludorum.arena.testing import ScriptedPlayer

REQUEST = b"POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n( INFO )"

NOT_PUBLIC = [
    *("127.0.0.1", "127.9.9.9", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1"),
    *("100.100.100.200", "169.254.169.254", "169.254.170.2", "168.63.129.16", "192.0.0.192", "198.18.0.1"),
    *("203.0.113.5", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255", "::", "::1", "fe80::1"),
    *(
        "fe80::1%eth0",
        "fc00::1",
        "fd00:ec2::254",
        "fec0::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
    ),
    *("::127.0.0.1", "2002:7f00:1::", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::7f00:1"),
    *("2001:0:1:2:3:4:5:6", "2001:db8::1"),
]


@pytest.mark.parametrize("text", NOT_PUBLIC)
def test_addresses_that_are_not_public_are_known(text: str) -> None:
    assert not is_public(ip_address(text))


@pytest.mark.parametrize(
    "text", ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"]
)
def test_addresses_of_the_internet_are_public(text: str) -> None:
    assert is_public(ip_address(text))


def look_up(host: str, port: int = 9147, allowed: tuple[str, ...] = ()) -> list[str]:
    async def ask() -> list[str]:
        dial = PublicDial(allowed)
        try:
            return [str(one) for one in await dial.look_up(Address(host, port))]
        finally:
            dial.close()

    return asyncio.run(ask())


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "127.0.0.1",
        "2130706433",
        "0x7f000001",
        "127.1",
        "0177.0.0.1",
        "0",
        "::1",
        "169.254.169.254",
    ],
)
def test_this_machine_is_refused_however_it_is_written(host: str) -> None:
    with pytest.raises(OSError, match=r"public internet|not known"):
        look_up(host)


@pytest.mark.parametrize("port", [22, 25, 443, 1023])
def test_ports_of_other_services_are_refused(port: int) -> None:
    with pytest.raises(ForbiddenAddressError, match=f"port {port} is not one of a player"):
        look_up("1.1.1.1", port)


def test_the_web_port_and_high_ports_are_those_of_players() -> None:
    assert look_up("1.1.1.1", 80) == look_up("1.1.1.1", 1024) == ["1.1.1.1"]


def test_hosts_that_are_let_in_may_be_anywhere() -> None:
    assert look_up("127.0.0.1", 25, ("127.0.0.1",)) == ["127.0.0.1"]
    assert look_up("LOCALHOST", 25, ("localhost",)) == look_up("localhost", 25, ("Localhost",))
    with pytest.raises(ForbiddenAddressError):
        look_up("127.0.0.1", 9147, ("localhost",))


def test_this_machine_is_refused_by_its_public_address_too(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not public_dial.is_own(ip_address("1.1.1.1"))
    monkeypatch.setattr(public_dial, "is_public", lambda address: True)
    with pytest.raises(ForbiddenAddressError, match="localhost is the machine of this server"):
        look_up("localhost")


def test_one_private_address_among_public_ones_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *_, **__: [(2, 1, 6, "", (ip, 0)) for ip in ("1.1.1.1", "10.0.0.1")]
    )
    with pytest.raises(ForbiddenAddressError, match=r"mixed\.example is not a host of the public internet"):
        look_up("mixed.example")


def test_a_name_that_means_this_machine_a_moment_later_reaches_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The name is public at first. Each connection looks it up once, and takes what was checked."""
    answers = ["1.1.1.1", "127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.1"]
    asked: list[str] = []

    def look(host: str, *_: Any, **__: Any) -> Any:
        asked.append(host)
        return [(2, 1, 6, "", (answers.pop(0), 0))]

    async def play() -> tuple[ExchangeError, list[str]]:
        async with ScriptedPlayer() as player:
            port = int(player.url.rpartition(":")[2])
            dial = PublicDial()
            monkeypatch.setattr(socket, "getaddrinfo", look)
            await dial.look_up(Address("player.example", port))
            with pytest.raises(ExchangeError) as failed:
                await exchange(
                    Address("player.example", port),
                    REQUEST,
                    connect_seconds=2,
                    reply_seconds=2,
                    retry=False,
                    dial=dial,
                )
            dial.close()
            monkeypatch.undo()
            return failed.value, player.texts

    error, heard = asyncio.run(play())
    assert error.failure is Failure.UNREACHABLE
    assert "not a host of the public internet" in str(error)
    assert asked == ["player.example"] * 2
    assert heard == []


def test_a_host_that_is_let_in_is_talked_to() -> None:
    async def play() -> str:
        async with ScriptedPlayer() as player:
            dial = PublicDial(["127.0.0.1"])
            address = Address("127.0.0.1", int(player.url.rpartition(":")[2]))
            sent = await exchange(address, REQUEST, connect_seconds=2, reply_seconds=2, dial=dial)
            dial.close()
            return sent.response.body

    assert asyncio.run(play()) == "((name scripted) (status available))"
