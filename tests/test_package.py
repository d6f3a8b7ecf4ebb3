"""The package as a whole: its version, and the files that travel with it."""

from importlib.metadata import version

import ludorum
from ludorum._paths import games_folder


def test_version_is_that_of_the_distribution() -> None:
    assert ludorum.__version__ == version("ludorum")


def test_game_library_is_found() -> None:
    assert list(games_folder().glob("gdl/*.kif"))
