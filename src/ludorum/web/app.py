"""Puts the web application together: the API, the websocket, the page, and what begins and ends with them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from fastapi import APIRouter, FastAPI, Request
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import JSONResponse, Response

from .. import __version__
from .config import SiteConfig
from .counters import Counters, watch_loop
from .errors import install_handlers, not_found
from .games.catalogue import Catalogue
from .jobs import Reports
from .ladder import MatchLadder
from .live import MatchHub
from .middleware import EveryRequest, OnlyHosts
from .page_files import PageFiles
from .peers import OwnPart, Peers, Question, SharedHub
from .remotes.register import RemoteRegister
from .routes import accounts, admin, games, health, ladder, live_socket, matches, remotes, tournaments
from .site import Site
from .store.accounts import make_admins
from .store.database import Database
from .store.journal import SqlJournal
from .store.matches import live_matches
from .tournaments import RunningTournaments, TournamentSights
from .watcher import ListKeeper

LOG = logging.getLogger("ludorum.web")
API = "/api/v1"


def make_app(config: SiteConfig, database: Database) -> FastAPI:
    """The application over an open database, which it closes when it ends."""
    counters = Counters()
    app = FastAPI(
        title="Ludorum",
        version=__version__,
        description="Play any game whose rules can be written down.",
        openapi_url=None,  # see _add_description
        docs_url=None,  # they fetch scripts from elsewhere
        redoc_url=None,
        lifespan=_lifespan(config, database, counters),
        responses={"4XX": {"description": "an error as {error: {code, message, hint}}"}},
        redirect_slashes=False,
    )
    install_handlers(app)
    api = APIRouter(prefix=API)
    for topic in (accounts, games, matches, tournaments, live_socket, ladder, remotes, admin):
        api.include_router(topic.router)
    app.include_router(api)
    app.include_router(health.router)
    app.include_router(health.router, prefix=API, include_in_schema=False)
    _add_description(app)
    _add_page(app, PageFiles(config.page))
    # The last one added is the first to see a request.
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)
    app.add_middleware(EveryRequest, config=config, counters=counters)
    app.add_middleware(OnlyHosts, hosts=config.hosts)
    return app


def _add_description(app: FastAPI) -> None:
    """Made in a thread: FastAPI's own route takes the event loop for half a second."""

    @app.get(f"{API}/openapi.json", include_in_schema=False)
    def description() -> JSONResponse:
        return JSONResponse(app.openapi())


def _add_page(app: FastAPI, files: PageFiles) -> None:
    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def page(request: Request) -> Response:
        if request.url.path.split("/")[1] == "api":
            raise not_found("page of the API")
        return await asyncio.to_thread(files.answer, request.url.path, request.headers)


def _lifespan(
    config: SiteConfig, database: Database, counters: Counters
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        site = _make_site(config, database, counters)
        app.state.site = site
        await database.write(make_admins, config.admins)
        await site.hub.start()
        site.catalogue.start()
        site.remotes.start(site.hub.speaks_to_remotes)
        working = [asyncio.create_task(watch_loop(counters.lateness))]
        if site.peers is None:
            await site.jobs.give_up()
            await site.tournaments.start()
            working.append(asyncio.create_task(_resume(site)))
        else:
            await site.peers.start(_about_us(site))
            await site.tournaments.start()
        try:
            yield
        finally:
            for task in working:
                task.cancel()
            await asyncio.gather(*working, return_exceptions=True)
            await site.tournaments.close()
            await site.jobs.close()
            await site.hub.close_matches()
            await site.journal.close()
            await site.lists.close()
            if site.peers is not None:
                await site.peers.leave()
            await site.hub.close()
            await site.remotes.close()
            site.catalogue.close()
            await database.settle()
            database.close()

    return lifespan


def _make_site(config: SiteConfig, database: Database, counters: Counters) -> Site:
    journal, lists = SqlJournal(database), ListKeeper(database)
    peers = Peers(database, config.private_host) if database.is_shared else None
    remotes = RemoteRegister(database, config)
    hub = (
        MatchHub(journal, lists, workers=config.workers, remotes=remotes)
        if peers is None
        else SharedHub(journal, lists, peers, workers=config.workers, remotes=remotes)
    )
    running = RunningTournaments(database, hub, config.workers, peers)
    lists.on_end.append(running.match_ended)
    return Site(
        config,
        database,
        journal,
        hub,
        lists,
        remotes,
        Catalogue(database, config.limits),
        MatchLadder(database),
        Reports(database, hub, None if peers is None else peers.name),
        running,
        TournamentSights(database),
        counters,
        peers,
    )


def _about_us(site: Site) -> OwnPart:
    """What the other processes may ask this one, and what it does when one of them has ended."""
    hub = site.hub
    assert isinstance(hub, SharedHub)
    questions: dict[str, Question] = {
        "end_sockets": site.end_sockets,
        "metrics": site.metrics,
        "resume": hub.resume,
    }
    return OwnPart(hub, hub.questions | questions, hub.watch_here, site.jobs.give_up)


async def _resume(site: Site) -> None:
    """Load matches that were live when the server stopped: their players think and their clocks go on."""
    for match_id in await site.database.read(live_matches):
        try:
            await site.hub.resume(match_id)
        except Exception:
            LOG.exception("match %s cannot be continued", match_id)
