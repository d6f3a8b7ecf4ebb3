"""Modules: where they are found, what their names become, and faults at the statement that names them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ludorum.rules.source import Diagnostic, Severity, Source
from ludorum.rules.wdl.check import check_wdl
from ludorum.rules.wdl.modules import MOST_MODULES, VARIABLE, ModulePath, expand_includes, mangled
from ludorum.rules.wdl.sheet import read_wdl
from tests.rules.wdl.sheets import sheet_of


def write(folder: Path, **texts: str) -> ModulePath:
    for name, text in texts.items():
        path = folder / (name.replace("__", "/") + ".kif")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return ModulePath((folder,))


def heads(text: str, path: ModulePath) -> list[str]:
    return [str(rule.head) for rule in sheet_of(text, path).master.rules]


@pytest.mark.spec("wdl", 35)
def test_names_of_a_module_have_its_name_in_front_but_for_numbers_and_reserved_words(tmp_path: Path) -> None:
    path = write(
        tmp_path, deck="(card ace 10) (random pick 2 (one -7)) (<= (next (kept ?x)) (true (other:f ?x)))"
    )
    rules = sheet_of("(include deck) (card joker)", path).master.rules
    assert [str(rule) for rule in rules] == [
        "(deck:card deck:ace 10)",
        "(random deck:pick 2 (deck:one -7))",
        "(<= (next (deck:kept ?x))\n    (true (other:f ?x)))",
        "(card joker)",
    ]


def test_a_package_is_a_folder_and_part_of_the_name(tmp_path: Path) -> None:
    path = write(tmp_path, boardgames__dicing="(random dice 1 six)")
    assert heads("(include boardgames:dicing)", path) == [
        "(random boardgames:dicing:dice 1 boardgames:dicing:six)"
    ]


@pytest.mark.spec("wdl", 36)
def test_a_module_is_read_once_whoever_includes_it(tmp_path: Path) -> None:
    path = write(tmp_path, top="(include left) (include right)", left="(include base) (l 1)",
                 right="(include base) (r 1)", base="(b 1)")  # fmt: skip
    assert heads("(include top) (include base)", path) == ["(base:b 1)", "(left:l 1)", "(right:r 1)"]


@pytest.mark.spec("wdl", 36)
def test_modules_that_include_each_other_are_read_once_with_a_note(tmp_path: Path) -> None:
    path = write(tmp_path, one="(include two) (a 1)", two="(include one) (b 1)")
    sheet, faults = read_wdl(Source("main", "(include one)"), path)
    assert [str(rule.head) for rule in sheet.master.rules] == ["(two:b 1)", "(one:a 1)"]
    assert [(fault.code, fault.severity, fault.source.name, fault.line) for fault in faults] == [
        ("include-circle", Severity.NOTE, "two (two.kif)", 1)
    ]


@pytest.mark.spec("wdl", 34)
def test_folders_are_searched_in_the_order_of_the_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("first", "second", "here"):
        write(tmp_path / name, which=f"(from {name})")
    write(tmp_path / "second", only="(from second)")
    monkeypatch.chdir(tmp_path / "here")
    sheet = tmp_path / "here" / "game.wdl"

    def found(value: str | None, module: str = "which") -> list[str]:
        if value is None:
            monkeypatch.delenv(VARIABLE, raising=False)
        else:
            monkeypatch.setenv(VARIABLE, value)
        return heads(f"(include {module})", ModulePath.of_environment(sheet))

    both = os.pathsep.join(map(str, [tmp_path / "first", tmp_path / "second"]))
    assert found(both) == ["(which:from which:first)"]
    assert found(both, "only") == ["(only:from only:second)"]
    assert found(None) == found("") == found(".") == ["(which:from which:here)"]
    assert found(os.pathsep.join([both, "."]), "which") == ["(which:from which:first)"]
    assert "W09" in [
        fault.code for fault in check_wdl(Source("g", "(include only)"), ModulePath((tmp_path,)))
    ]


def only_fault(text: str, path: ModulePath) -> Diagnostic:
    _, faults = read_wdl(Source("main", text), path)
    assert len(faults) == 1, faults
    return faults[0]


def test_a_module_that_is_missing_is_a_fault_where_it_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, dicing="(a 1)")
    fault = only_fault("(role ann)\n  (include diceing)", path)
    assert (fault.code, fault.line, fault.column) == ("W09", 2, 3)
    assert fault.hint == "did you mean dicing?"


def test_a_module_that_a_module_misses_is_a_fault_of_that_module(tmp_path: Path) -> None:
    path = write(tmp_path, one="; a comment\n(include gone)")
    fault = only_fault("(include one)", path)
    assert (fault.code, fault.source.name, fault.line, fault.column) == ("W09", "one (one.kif)", 2, 1)


def test_a_module_with_faults_has_them_in_its_own_lines(tmp_path: Path) -> None:
    path = write(tmp_path, one="(a 1)\n(b 2")
    fault = only_fault("(role ann)\n(include one)\n(c 3)", path)
    assert (fault.code, fault.source.name, fault.line) == ("bracket", "one (one.kif)", 2)


def test_checks_place_faults_of_modules_in_their_files(tmp_path: Path) -> None:
    path = write(tmp_path, one="(a 1)\n(<= (b ?x) (not (a ?x)))")
    faults = check_wdl(Source("main", "(role ann)\n(include one)"), path)
    wrong = [fault for fault in faults if fault.code == "W01"]
    assert {(fault.source.name, fault.line) for fault in wrong} == {("one (one.kif)", 2)}


@pytest.mark.parametrize("name", ["../up", "..", "a:../b", "/etc/passwd", "a/b", "a:b:c", ":", "a:", "a\\b"])
def test_names_that_could_leave_the_folders_are_refused(tmp_path: Path, name: str) -> None:
    write(tmp_path, up="(secret 1)")
    inner = tmp_path / "inner"
    inner.mkdir()
    fault = only_fault(f"(include {name})", ModulePath((inner,)))
    assert fault.code == "W09"
    assert "no name of a module" in fault.message


def test_a_module_that_cannot_be_read_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "noise.kif").write_bytes(b"\xff\xfe\x00")
    fault = only_fault("(include noise)", ModulePath((tmp_path,)))
    assert fault.code == "W09"
    assert fault.message.startswith("the module noise: ")


@pytest.mark.parametrize(
    ("word", "column"),
    [("gone", 1), ("noise", 1), ("noise.kif", 10), ("../../etc/passwd", 10), ("a b", 1), ("(a)", 1)],
)
def test_every_include_that_fails_is_told_with_file_line_and_column(
    tmp_path: Path, word: str, column: int
) -> None:
    (tmp_path / "noise.kif").write_bytes(b"\xff\xfe\x00")
    path = write(tmp_path, top=f"; a module\n(a 1)\n(include {word})")
    fault = only_fault("(role ann)\n(include top)", path)
    assert (fault.source.name, fault.line, fault.column) == ("top (top.kif)", 3, column)
    assert fault.severity is Severity.ERROR
    assert str(fault).startswith(f"top (top.kif):3:{column}: error[{fault.code}]: ")


def test_a_name_of_a_module_and_one_of_the_sheet_do_not_clash(tmp_path: Path) -> None:
    path = write(tmp_path, deck="(card ace)", other="(card two)")
    assert heads("(card one) (include deck) (include other)", path) == [
        "(card one)", "(deck:card deck:ace)", "(other:card other:two)",
    ]  # fmt: skip


def test_too_many_modules_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path, **{f"m{at}": f"(include m{at + 1}) (a {at})" for at in range(MOST_MODULES + 5)})
    found = expand_includes(Source("main", "(include m0)"), path)
    assert [fault.code for fault in found.faults] == ["W09"]
    assert "too much" in found.faults[0].message


@pytest.mark.spec("wdl", 37)
def test_players_are_never_told_of_include(tmp_path: Path) -> None:
    path = write(tmp_path, deck="(card ace)")
    sheet = sheet_of("(role ann) (include deck) (<= (legal ann (take ?c)) (deck:card ?c))", path)
    assert str(sheet.description(sheet.roles[0])) == (
        "(role ann)\n(deck:card deck:ace)\n(<= (legal ann (take ?c))\n    (deck:card ?c))\n"
    )


def test_names_without_colons_can_be_had_and_differ() -> None:
    assert mangled(["a:b", "a_b", "c", "a:b_"]) == {"a:b": "a_b_", "a:b_": "a_b__"}
