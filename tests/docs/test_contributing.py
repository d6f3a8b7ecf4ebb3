"""What the pages of docs/contributing add is added to a copy of the package, and their tests pass there.

A block with `title="PATH"` is a new file of the copy. In a ```diff block the lines with a blank or `-` before
them must stand in the file, one after the other; those with a blank or `+` take their place. A page with a
pyproject.toml describes a package of its own, which the copy takes for installed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ludorum._core import kernels
from tests.corpus_location import ROOT

PAGES = sorted((ROOT / "docs" / "contributing").glob("*.md"))
BLOCK = re.compile(r'^```(\w+) title="([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
# An editable install finds the package in the clone, whatever stands in the path: that is left out here.
RUN = """
import sys
sys.meta_path[:] = [one for one in sys.meta_path if "Redirect" not in type(one).__name__]
sys.path[:0] = sys.argv[1:3]
import ludorum, pytest
assert ludorum.__file__.startswith(sys.argv[1]), ludorum.__file__
sys.exit(pytest.main(["-q", "-c", "pytest.ini", "--import-mode=importlib", "tests"]))
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A clone with the package and the library, and nothing else."""
    unneeded = shutil.ignore_patterns("*.cpp", "*.hpp", "experiments")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=unneeded)
    core = tmp_path / "src" / "ludorum" / "_core"
    if not (core / Path(kernels.__file__).name).exists():
        shutil.copy(kernels.__file__, core)
    (tmp_path / "games").symlink_to(ROOT / "games")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


def changed(text: str, diff: str) -> str:
    """A text with the change that a diff shows, whose first lines must stand in it exactly once."""
    lines = diff.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if line[0] in " -")
    after = "".join(line[1:] for line in lines if line[0] in " +")
    assert text.count(before) == 1, f"stands there {text.count(before)} times:\n{before}"
    return text.replace(before, after)


def add(page: Path, folder: Path, only: str = "") -> None:
    """Make the additions of a page, or only those below one folder."""
    for language, name, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        path = folder / name
        if not name.startswith(only):
            continue
        if language == "diff":
            path.write_text(changed(path.read_text(encoding="utf-8"), text), encoding="utf-8")
            continue
        assert not path.exists(), f"{name} is there already"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    if (folder / "pyproject.toml").exists():
        seem_installed(folder)


def seem_installed(folder: Path) -> None:
    """What pip would note of the package that a pyproject.toml describes."""
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    notes = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    notes.mkdir()
    head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (notes / "METADATA").write_text(head)
    points = [
        "\n".join([f"[{group}]", *(f"{name} = {target}" for name, target in targets.items())])
        for group, targets in project["entry-points"].items()
    ]
    (notes / "entry_points.txt").write_text("\n".join(points) + "\n")


def run_tests(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", RUN, str(folder / "src"), str(folder)],
        cwd=folder,
        # Plugins take half of the time that pytest takes to start, and no page needs one.
        env=os.environ
        | {
            "PYTHONPATH": str(folder),
            "PYTEST_ADDOPTS": "-p no:cacheprovider",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_adds_works(page: Path, copy: Path) -> None:
    add(page, copy)
    assert list((copy / "tests").rglob("test_*.py")), "a page without a test"
    done = run_tests(copy)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_without_the_addition_the_tests_of_a_page_fail(page: Path, copy: Path) -> None:
    add(page, copy, only="tests/")
    assert run_tests(copy).returncode == 1, "they show nothing"


def test_pages_of_additions_are_named_in_contributing() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert [page.name for page in PAGES if f"docs/contributing/{page.name}" not in text] == []
