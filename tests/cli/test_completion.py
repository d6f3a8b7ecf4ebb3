"""Shells complete verbs, options, games and players."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludorum.cli.app import app
from ludorum.rules.library import library_names

LUDORUM = Path(sys.executable).with_name("ludorum")


def complete(*words: str) -> list[str]:
    """What bash is offered after these words, the last of which is unfinished."""
    environment = {
        "_LUDORUM_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(["ludorum", *words]),
        "COMP_CWORD": str(len(words)),
    }
    return CliRunner().invoke(app, [], prog_name="ludorum", env=environment).output.split()


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("pl",), ["plan", "play", "players", "player"]),
        (("cards", "st"), ["step", "stats"]),
        (("play", "connect_f"), [name for name in library_names() if name.startswith("connect_f")]),
        (("cards", "stats", "hearts_"), ["hearts_two"]),
        (("check", "tictactoe", "breakthr"), ["breakthrough"]),
        (("play", "chess", "--player", "alph"), ["alphabeta"]),
        (("match", "chess", "--players", "mcts,rand"), ["mcts,random"]),
        (("rehearse", "chess", "--as", "cham"), ["champion"]),
        (("perft", "chess", "3", "--engine", "l"), ["lifted"]),
        (("simulate", "chess", "--engine", "l"), ["lifted", "lanes"]),
        (("solve", "chess", "--sec"), ["--seconds"]),
    ],
)
def test_words_are_completed(words: tuple[str, ...], found: list[str]) -> None:
    offered = complete(*words)
    assert sorted(offered) == sorted(found)
    assert offered


@pytest.mark.long
def test_bash_completes_by_the_script_it_is_shown(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash")
    script = tmp_path / "completion.sh"
    shown = {"_LUDORUM_COMPLETE": "source_bash"}
    source = subprocess.run([LUDORUM], env=os.environ | shown, capture_output=True, text=True, check=True)
    script.write_text(source.stdout)
    pressed = f"""
        source {script}
        COMP_WORDS=(ludorum play connect_fo)
        COMP_CWORD=2
        function_of_ludorum=$(complete -p ludorum | sed 's/.*-F \\([^ ]*\\).*/\\1/')
        $function_of_ludorum ludorum
        echo "${{COMPREPLY[@]}}"
    """
    path = f"{LUDORUM.parent}:{os.environ['PATH']}"
    done = subprocess.run(
        [bash, "--norc", "-c", pressed], env=os.environ | {"PATH": path}, capture_output=True, text=True
    )
    assert done.stdout.split() == [name for name in library_names() if name.startswith("connect_fo")], (
        done.stderr
    )


@pytest.mark.parametrize(
    ("shell", "word"),
    [("bash", "complete -o"), ("zsh", "#compdef ludorum"), ("fish", "complete --command ludorum")],
)
def test_there_is_a_script_for_each_shell(shell: str, word: str) -> None:
    asked = {"_LUDORUM_COMPLETE": f"source_{shell}"}
    shown = CliRunner().invoke(app, [], prog_name="ludorum", env=asked).output
    assert word in shown
    assert "_LUDORUM_COMPLETE" in shown


@pytest.mark.long
def test_completion_is_installed_on_request(tmp_path: Path) -> None:
    """In a shell of its own: it asks which shell it was called from, and tests may be run from none."""
    home = os.environ | {"HOME": str(tmp_path), "SHELL": "/bin/bash"}
    asked = ["bash", "--norc", "-c", f"{LUDORUM} --install-completion bash; exit $?"]
    done = subprocess.run(asked, env=home, capture_output=True, text=True)
    assert "bash completion installed" in done.stdout, done.stderr
    assert "_LUDORUM_COMPLETE" in (tmp_path / ".bash_completions" / "ludorum.sh").read_text()
