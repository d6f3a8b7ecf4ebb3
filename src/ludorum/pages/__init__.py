"""Pages made from templates, HTML and SVG by Jinja2: every value is escaped unless it is markup of ours.

Templates and styles lie beside this file; ``built/`` has the components of the web application that draw
recorded matches, made from ``frontend/`` by ``make page``. A page contains all it needs and requests nothing
from other computers; its content security policy allows only the one script that is named by its hash.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

BUILT = files(__name__).joinpath("built")
NOT_BUILT = "its matches are not drawn, only told: what draws them is built by `make page` in a clone"
"""Said of a page that was made without the components."""


def render(template: str, **values: object) -> Markup:
    """The text of a template of this folder; a value that the template names must be given."""
    return Markup(environment().get_template(template).render(values))


@cache
def environment() -> Environment:
    """The one environment of all pages."""
    made = Environment(
        loader=FunctionLoader(page_file),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    # Short, in the order given, and in ASCII: no character of a record is read differently elsewhere.
    made.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "ensure_ascii": True, "sort_keys": False}
    made.globals |= {"page_text": page_text, "built": built, "script_hash": script_hash, "zip": zip}
    return made


def page_file(name: str) -> str:
    """A file of this folder as it is."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


def page_text(*names: str) -> Markup:
    """Styles or scripts of this folder, to be put into a page as they are."""
    return Markup("".join(map(page_file, names)))


def built(name: str) -> Markup:
    """A file of those that are built; empty where they have not been."""
    return Markup(BUILT.joinpath(name).read_text(encoding="utf-8")) if is_built() else Markup()


def is_built() -> bool:
    """Whether recorded matches can be drawn."""
    return BUILT.joinpath("recorded.js").is_file()


def script_hash(script: str) -> str:
    """The hash by which a page's policy allows one script."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
