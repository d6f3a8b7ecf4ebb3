"""``ludorum serve``: the web application."""

from __future__ import annotations

import json
import logging
import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from .common import JsonOption, readable_errors

if TYPE_CHECKING:
    from ..web.config import SiteConfig

PORT = 8000
OWN_NAMES = ("localhost", "127.0.0.1", "[::1]")
"""Names of this machine, by which a server for it alone is asked."""


def run(
    host: Annotated[
        str, typer.Option("--host", help="address to listen at; 0.0.0.0 lets other machines in")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            min=0,
            max=65535,
            help=f"port to listen on, 0 for any; without it {PORT}, or a free one where that is taken",
        ),
    ] = None,
    database: Annotated[
        str,
        typer.Option(
            "--database",
            help="path of an SQLite file, or an address such as postgresql://user@host/name; without it a "
            "file in your data folder",
        ),
    ] = "",
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers-ai",
            min=1,
            max=256,
            help="processes that think for players; without it one less than there are processors. "
            "--processes share them, and each has one at least",
        ),
    ] = None,
    processes: Annotated[
        int,
        typer.Option(
            "--processes",
            min=1,
            max=64,
            help="processes that answer requests at the same port; more than one need PostgreSQL",
        ),
    ] = 1,
    private_host: Annotated[
        str,
        typer.Option(
            "--private-host",
            help="address of this machine for servers on other machines that use the same PostgreSQL; they "
            "reach each other at ports that the system chooses, in a network that nobody else can read",
        ),
    ] = "127.0.0.1",
    admin: Annotated[
        list[str] | None,
        typer.Option("--admin", help="account that administrates; again for more"),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(
            "--name",
            help="host name that browsers may use, such as play.example.org; again for more. Without it "
            "any, and on 127.0.0.1 only this machine's own",
        ),
    ] = None,
    origin: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-origin",
            help="another origin whose pages may ask, such as http://localhost:5173; again for more",
        ),
    ] = None,
    allow_remote: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-remote",
            help="host such as localhost or 192.168.1.7 at which players may be registered although it is "
            "not in the public internet; again for more",
        ),
    ] = None,
    limits: Annotated[
        bool,
        typer.Option("--limits/--no-limits", help="bound how often one account or address may do things"),
    ] = True,
    opened: Annotated[bool, typer.Option("--open", help="open the page in the browser")] = False,
    log: Annotated[bool, typer.Option("--log", help="log every request on the error stream")] = False,
    as_json: JsonOption = False,
) -> None:
    """Serve the web application: play any game in a browser, until interrupted.

    Matches, accounts and uploaded games are kept in the database. A server that was killed goes on with every
    move that it had acknowledged. PostgreSQL needs the extra `ludorum[postgresql]`.

    With PostgreSQL several processes (--processes), and servers on several machines, may use one database.
    Each match is played by one of them, and people who are connected to another play it all the same. When a
    process ends, the others go on with its matches.
    """
    from ..web.config import SiteConfig
    from ..web.serving import address_of, listen, serve
    from ..web.several import check_database, serve_several

    with readable_errors(as_json):
        config = SiteConfig(
            database=database or default_database(),
            workers=workers or max(1, (os.cpu_count() or 1) - 1),
            admins=tuple(admin or ()),
            hosts=_hosts(host, name or []),
            origins=tuple(map(_origin, origin or ())),
            remote_hosts=tuple(allow_remote or ()),
            is_limited=limits,
            private_host=private_host,
        )
        check_database(config.database, processes)
        _check_private(private_host)
        _show_log(log)
        listener = listen(host, PORT if port is None else port, port is not None)
        address = address_of(listener)

        def say_ready() -> None:
            _say_ready(address, config, opened, as_json)

        if processes == 1:
            serve(config, listener, say_ready)
        else:
            serve_several(config, listener, processes, say_ready, partial(_show_log, log))


def default_database() -> str:
    """The file of a person's own server; its folder is made when it is opened."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return str(Path(base) / "ludorum" / "web.db")


def _hosts(host: str, names: list[str]) -> tuple[str, ...]:
    """The names a server answers to; all where it is empty."""
    if names:
        return (*OWN_NAMES, *(name.lower() for name in names))
    return OWN_NAMES if host in ("localhost", "127.0.0.1", "::1") else ()


def _check_private(host: str) -> None:
    """ValueError or OSError where others cannot call this machine at an address."""
    from ..web.serving import listen

    if host in ("0.0.0.0", "::"):
        raise ValueError(
            f"--private-host {host!r} is no address that others can call: give this machine's own"
        )
    listen(host, 0, True).close()


def _origin(text: str) -> str:
    parts = urlsplit(text)
    is_whole = bool(parts.netloc) and f"{parts.scheme}://{parts.netloc}" == text
    if parts.scheme not in ("http", "https") or not is_whole:
        raise ValueError(f"--allow-origin {text!r} is no origin: write https://example.org")
    return text


def _say_ready(address: str, config: SiteConfig, opened: bool, as_json: bool) -> None:
    """Print the address as soon as requests are answered; another program may wait for the line."""
    from ..arena.records.store_address import display

    where = display(config.database)
    if as_json:
        print(json.dumps({"event": "listening", "address": address, "database": where}), flush=True)
    else:
        print(f"Ludorum is at {address} (Ctrl-C ends it; data in {where})", flush=True)
    if opened:
        import webbrowser

        webbrowser.open(address)


def _show_log(requests: bool) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    logging.getLogger("ludorum").addHandler(handler)
    logging.getLogger("ludorum.web").setLevel(logging.INFO if requests else logging.WARNING)
    logging.getLogger("uvicorn.error").addHandler(handler)
