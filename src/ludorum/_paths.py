"""Where the files that travel with Ludorum lie, in a wheel and in a clone alike."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def games_folder() -> Path:
    """The folder of the game library, with one folder per language in it (`gdl/`, `gdl2/`, …).

    A wheel carries the library inside the package; in a clone it is `games/` beside `src/`.
    """
    packed = _PACKAGE / "games"
    if packed.is_dir():
        return packed
    return _PACKAGE.parent.parent / "games"


def clone_folder() -> Path | None:
    """The root of the clone this runs from; None for an installed wheel."""
    root = _PACKAGE.parent.parent
    return root if (root / "pyproject.toml").is_file() and (root / "bench").is_dir() else None
