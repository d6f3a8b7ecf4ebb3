"""The examples of the README and the guides are run, and must print what the page says they print.

In a ```console block every line `$ ludorum …` is run by bash in an empty folder, and what follows up to the
next `$` is its output, where `...` stands for anything, as in doctests. It must exit with 0: an example whose
answer is "no" says so with `|| echo "exit $?"`. A ```python block is a doctest; the blocks of a page are
one session. Commands that are not to be run belong into a ```sh block. A block with a title, such as
```kif title="sticks.kif", is a file: the examples of its page find it in their folder.

In the quick tests one block is run by processes; in the others `ludorum` itself answers in this process.
"""

import doctest
import os
import re
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.cli.app import app
from tests.corpus_location import ROOT
from tests.how_much import FULL

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
LONG_PAGES = {
    "tournaments.md",
    "write-a-game.md",
    "cookbook.md",
    "hidden-information.md",
    "fcdl.md",
    "solving.md",
}
FENCE = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r'^```\w+ title="([\w.-]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced example and where it stands."""

    document: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.document.relative_to(ROOT)}:{self.line}"


def blocks_of(document: Path) -> list[Block]:
    text = document.read_text(encoding="utf-8")
    return [
        Block(document, text.count("\n", 0, match.start()) + 2, match[1], match[2])
        for match in FENCE.finditer(text)
    ]


def files_of(document: Path) -> dict[str, str]:
    """The files that a page shows, by name."""
    return {match[1]: match[2] for match in FILE.finditer(document.read_text(encoding="utf-8"))}


def commands_of(block: Block) -> list[tuple[str, str]]:
    """The commands of a console block, each with the output the page shows."""
    commands: list[tuple[str, list[str]]] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], []))
        elif commands:
            commands[-1][1].append(line)
        else:
            pytest.fail(f"{block}: output before the first command")
    return [(command, "\n".join(lines).rstrip("\n")) for command, lines in commands]


PROGRESS = re.compile(r"round \d+: \d+ of \d+ matches after \d+ s")
"""What a tournament says every ten seconds: on a busy machine, and not on others."""


def same_output(expected: str, printed: str) -> bool:
    # Ends of lines are not compared: editors strip them, tables pad them.
    lines = [line.rstrip() for line in printed.splitlines()]
    tidy = "\n".join(line for line in lines if not PROGRESS.fullmatch(line)).rstrip("\n")
    return doctest.OutputChecker().check_output(expected + "\n", tidy + "\n", doctest.ELLIPSIS)


BLOCKS = [block for document in DOCUMENTS if document.exists() for block in blocks_of(document)]


CONSOLE = [block for block in BLOCKS if block.language == "console"]
ENVIRONMENT = {
    "PATH": sysconfig.get_path("scripts") + os.pathsep + os.environ["PATH"],
    "COLUMNS": "100",
    "NO_COLOR": "1",
    "TERM": "dumb",
}
# For bash `ludorum` is then one that notes what it is asked, and one that repeats what was answered.
ASKED = """ludorum() { printf '%s\\0' "$@" > .words; cat > .input; }; """
ANSWERED = "ludorum() { cat .output; return $(< .code); }; "


def bash(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        env=os.environ | ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )


def in_this_process(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The same without a new Python: it would take longer to begin than most examples take."""
    bash(ASKED + command, folder)
    words = (folder / ".words").read_text().split("\0")[:-1]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        done = CliRunner().invoke(app, words, input=(folder / ".input").read_bytes(), env=ENVIRONMENT)
    (folder / ".output").write_text(done.output)
    (folder / ".code").write_text(str(done.exit_code))
    return bash(ANSWERED + command, folder)


def marked(block: Block) -> object:
    """Those of the guides that take long are long tests; those of the README never are."""
    is_long = block.document.name in LONG_PAGES
    return pytest.param(block, marks=pytest.mark.long) if is_long else block


@pytest.mark.parametrize("block", map(marked, CONSOLE), ids=str)
def test_console_example_prints_what_the_page_says(block: Block, tmp_path: Path) -> None:
    run = bash if FULL or block == CONSOLE[0] else in_this_process
    for name, text in files_of(block.document).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for command, expected in commands_of(block):
        assert command.startswith("ludorum "), f"{block}: not ours to run, use a ```sh block: {command}"
        done = run(command, tmp_path)
        assert same_output(expected, done.stdout), f"{block}: $ {command}\nprints\n{done.stdout}"
        assert done.returncode == 0, f"{block}: $ {command}\nexits with {done.returncode}"


PAGES = list(dict.fromkeys(block.document for block in BLOCKS if block.language == "python"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_examples_are_true(page: Path) -> None:
    names: dict[str, object] = {}  # the blocks of a page go on from one another
    for block in BLOCKS:
        if block.language != "python" or block.document != page:
            continue
        example = doctest.DocTestParser().get_doctest(block.text, names, str(block), str(page), block.line)
        assert example.examples, f"{block}: a python block is a doctest, with >>> prompts"
        report: list[str] = []
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=report.append, clear_globs=False)
        assert not report, "".join(report)
        names = example.globs


README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_readme_names_the_two_commands() -> None:
    assert "make play" in README
    assert "make test" in README


def test_recipes_of_the_readme_have_at_most_ten_lines() -> None:
    recipes = README.partition("## Five recipes")[2].partition("\n## ")[0]
    assert len(re.findall(r"^\*\*", recipes, re.MULTILINE)) == 5
    for text in re.findall(r"^```\w.*?\n(.*?)^```$", recipes, re.MULTILINE | re.DOTALL):
        assert len(text.splitlines()) <= 10, text


def test_figures_of_the_readme_are_those_of_the_page_of_speed() -> None:
    figures = README.partition("## How fast")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in figures.splitlines() if line.startswith("| ")]
    page = (ROOT / "docs" / "speed.md").read_text(encoding="utf-8").partition("## Beside the rivals")[2]
    cells = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    heads, *measured = cells[: next(at for at, row in enumerate(cells) if row[0].startswith("hex")) + 1]
    columns = [heads.index(head) for head in ("game", "ours, lanes", "RBG, whole moves", "OpenSpiel")]
    known = [[row[column] for column in columns] for row in measured]
    assert len(rows) == 6  # with the heads
    assert all(row in known for row in rows[1:])


def test_scores_of_the_readme_are_those_of_the_page_of_strength() -> None:
    strength = (ROOT / "docs" / "strength.md").read_text(encoding="utf-8")
    told = README.partition("Against OpenSpiel's tree search")[2].partition("(")[0]
    scores = re.findall(r"([\d.]+%) in ([\w ]+?)(?=,| and|\s*$)", told.replace("\n", " "))
    assert len(scores) == 4
    for score, game in scores:
        assert re.search(rf"^\| {game.replace(' ', '_')} \| [\d-]+ \| {score} ", strength, re.MULTILINE), game
