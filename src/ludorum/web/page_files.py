"""The files of the built page: read once, compressed once, and found again by their content.

Every path that is no file and no part of the API answers the page itself, which shows what the path names.
"""

from __future__ import annotations

import gzip
import mimetypes
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response

from ..pages import page_file

SMALLEST_COMPRESSED = 500
FOR_EVER = "public, max-age=31536000, immutable"
"""Files under ``assets/`` have a digest of their content in their names."""
ASK_AGAIN = "no-cache"

mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("font/woff2", ".woff2")
mimetypes.add_type("image/svg+xml", ".svg")


@dataclass(frozen=True)
class PageFile:
    """A file as it is sent."""

    body: bytes
    compressed: bytes | None
    kind: str
    tag: str


class PageFiles:
    """The files below one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._known: dict[Path, tuple[int, PageFile]] = {}

    def answer(self, path: str, headers: Headers) -> Response:
        """The answer to a request for a path."""
        file = self._find(path.strip("/"))
        is_asset = path.startswith("/assets/")
        if file is None and is_asset:
            return Response("there is no such file\n", 404, media_type="text/plain")
        if file is None:
            file = self._find("index.html")
            if file is None:
                return Response(
                    page_file("not_built.html"),
                    503,
                    media_type="text/html",
                    headers={"Cache-Control": "no-store"},
                )
        return _answer(file, FOR_EVER if is_asset else ASK_AGAIN, headers)

    def _find(self, path: str) -> PageFile | None:
        """The file of a path; None where there is none below the folder."""
        if not path or "\0" in path:
            return None
        try:
            whole = (self._folder / path).resolve()
            if not whole.is_relative_to(self._folder) or not whole.is_file():
                return None
            changed = whole.stat().st_mtime_ns
            known = self._known.get(whole)
            if known is None or known[0] != changed:  # a page that was built anew is served at once
                known = self._known[whole] = (changed, _read(whole))
        except OSError:  # such as a name that is too long
            return None
        return known[1]


def _read(path: Path) -> PageFile:
    body = path.read_bytes()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    is_text = kind.startswith("text/") or kind in ("image/svg+xml", "application/json")
    compressed = gzip.compress(body, 9, mtime=0) if is_text and len(body) >= SMALLEST_COMPRESSED else None
    return PageFile(body, compressed, kind, f'"{sha256(body).hexdigest()[:24]}"')


def _answer(file: PageFile, caching: str, headers: Headers) -> Response:
    told = {"Cache-Control": caching, "ETag": file.tag, "Vary": "Accept-Encoding"}
    if file.tag in [tag.strip() for tag in headers.get("if-none-match", "").split(",")]:
        return Response(status_code=304, headers=told)
    body = file.body
    if file.compressed is not None and "gzip" in headers.get("accept-encoding", ""):
        body, told["Content-Encoding"] = file.compressed, "gzip"
    return Response(body, headers=told, media_type=file.kind)
