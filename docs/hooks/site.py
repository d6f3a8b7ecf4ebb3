"""Pages of the clone that lie outside docs/ become pages of the site, and links to them lead there.

README.md is the site's first page. The licence and the results that figures rest on are copied as files. So
every page has one text, with links that work in a clone as well as on the site.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing/index.md",
    "CHANGELOG.md": "changelog.md",
    "LICENSE": "LICENSE.txt",
}
RESULTS = "bench/results"
LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)\s#]+)(?=[)#])")


def site_path(path: str) -> str:
    """Where a file of the clone lies on the site."""
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if posixpath.dirname(path) == RESULTS:
        return f"results/{posixpath.basename(path)}"
    return PAGES.get(path, path)


def clone_path(page: str) -> str:
    """Where the text of a page of the site lies in the clone."""
    return next((path for path, place in PAGES.items() if place == page), f"docs/{page}")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    results = [f"{RESULTS}/{file.name}" for file in sorted((ROOT / RESULTS).iterdir())]
    for path in (*PAGES, *results):
        content = (ROOT / path).read_text(encoding="utf-8")
        files.append(File.generated(config, site_path(path), content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    here = page.file.src_uri
    folder = posixpath.dirname(clone_path(here))

    def led(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, link[1]))
        return posixpath.relpath(site_path(target), posixpath.dirname(here) or ".")

    return LINK.sub(led, markdown)
