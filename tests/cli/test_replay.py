"""``ludorum replay``: any record, as text, on a screen, as a page."""

import asyncio
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ludorum.arena import MatchRecord, load_record
from ludorum.arena.records.publisher import open_record
from ludorum.arena.records.record_checks import record_faults
from ludorum.arena.records.signatures import SigningKey, sign
from ludorum.arena.records.spectator import format_published, parse_published, published_json
from ludorum.cli.app import app
from ludorum.cli.replay_data import match_data
from ludorum.cli.replay_frames import make_reel
from ludorum.cli.replay_html import replay_page
from ludorum.cli.terminal.replay_app import ReplayApp
from ludorum.pages import NOT_BUILT
from ludorum.pages.packed import unpacked
from tests.arena.counter import playout, replay, samples
from tests.arena.test_spectator import published, rich_match, right_match
from tests.corpus.records import record_names


def run(*options: str, code: int = 0) -> str:
    found = CliRunner().invoke(app, ["replay", *options])
    assert found.exit_code == code, found.output
    return found.output


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short match of tic-tac-toe."""
    path = tmp_path_factory.mktemp("match") / "r.json"
    options = ["--players", "random,legal", "--seed", "587", "--record", str(path), "--engine", "lifted"]
    assert CliRunner().invoke(app, ["match", "tictactoe", *options]).exit_code == 0
    return path


def test_a_record_in_a_pipe(record: Path) -> None:
    said = run(str(record))
    assert said.startswith("tictactoe: xplayer: random, oplayer: legal\n\n  0. start\n3  . . .\n2  . . .\n")
    assert said.endswith(
        "  5. xplayer mark 2 2\n3  o . x\n2  o[x].\n1  x . .\n   1 2 3\ncontrol  *oplayer\n\n"
        "over after 5 steps: xplayer 100, oplayer 0\n"
    )


def test_a_record_for_programs(record: Path) -> None:
    found = json.loads(run(str(record), "--json"))
    assert found["goals"] == {"xplayer": "100", "oplayer": "0"}
    assert found["steps"][0]["moves"] == {}
    assert found["steps"][1]["moves"] == {"xplayer": "(mark 1 1)", "oplayer": "noop"}
    assert len(found["steps"]) == 6


@pytest.mark.parametrize("form", [replay, right_match])
def test_records_of_other_hosts_are_shown(tmp_path: Path, form: object) -> None:
    path = tmp_path / "r.json"
    path.write_text(json.dumps(form()))  # type: ignore[operator]
    assert "2. " in run(str(path))
    assert "over after 3 steps" in run(str(path))


def test_a_record_without_all_states_needs_its_rules(tmp_path: Path) -> None:
    from tests.arena.counter import RULES

    path, rules = tmp_path / "r.json", tmp_path / "counter.kif"
    path.write_text(json.dumps(playout()))
    rules.write_text(RULES)
    assert "name its rules with --game" in run(str(path), code=2)
    assert "over after 3 steps: left 100, right 50" in run(str(path), "--game", str(rules))
    assert "right is told: add" in run(str(path), "--game", str(rules))
    assert "the record is not of tictactoe" in run(str(path), "--game", "tictactoe", code=2)
    path.write_text(json.dumps(samples()))
    assert "not a match" in run(str(path), code=2)


def test_a_record_is_checked(tmp_path: Path, record: Path) -> None:
    assert run(str(record), "--check", "--game", "tictactoe") == "not signed\nnothing wrong\n"
    data = json.loads(record.read_text())
    path = tmp_path / "r.json"
    path.write_text(json.dumps(sign(data, SigningKey.generate())))
    assert "signed with 1" in run(str(path), "--check")
    path.write_text(json.dumps(sign(data, SigningKey.generate()) | {"goalValues": [0, 100]}))
    assert "something in it was changed" in run(str(path), "--check", code=1)
    path.write_text(json.dumps(data | {"randomToken": "x", "goalValues": [0, 100]}))
    found = json.loads(run(str(path), "--check", "--json", "--game", "tictactoe", code=1))
    assert len(found["faults"]) == 3


class Elements(HTMLParser):
    """What a page is made of."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self._id = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._id = dict(attrs).get("id") or tag

    def handle_data(self, data: str) -> None:
        self.texts[self._id] = self.texts.get(self._id, "") + data


def matches_in(page: str) -> list[dict[str, Any]]:
    """The matches that a page holds as data."""
    found = unpacked(json.loads(Elements(page).texts["data"]))
    assert isinstance(found, list)
    return found


@pytest.mark.usefixtures("built_pages")
def test_a_page_needs_nothing_from_outside(tmp_path: Path, record: Path) -> None:
    path = tmp_path / "r.html"
    assert run(str(record), "--html", str(path)) == f"page: {path}\n"
    page = path.read_text()
    elements = Elements(page)
    loads = [
        attrs.get(key) for _, attrs in elements.tags for key in ("src", "href", "action") if key in attrs
    ]
    assert loads == ["data:,"]
    assert not re.search(r"@import|url\(|fetch\(|XMLHttp", page)
    match = matches_in(page)[0]
    (view,) = match["views"]
    first, *_, last = (step["scene"]["board"] for step in view["steps"])
    assert (first["columns"], first["rows"], first["look"]) == (["1", "2", "3"], ["3", "2", "1"], "lines")
    assert first["names"] == ["1 3", "2 3", "3 3", "1 2", "2 2", "3 2", "1 1", "2 1", "3 1"]
    assert [(man["words"], man["shape"], man["colour"]) for man in first["contents"]] == [
        ("o", "ring", "red"),
        ("x", "cross", "blue"),
    ]
    assert first["cells"] == {}
    assert last["cells"] == {"0": [0], "2": [1], "3": [0], "4": [1], "6": [1]}
    assert last["last"] == [4]
    assert view["moves"][4] == {"first": 5, "step": 5, "words": "xplayer mark 2 2"}
    # Without scripts the moves and the last position are text.
    assert elements.texts["pre"].startswith("3  o . x\n2  o[x].\n1  x . .\n")
    assert sum(tag == "li" for tag, _ in elements.tags) == 2 + 5


@pytest.mark.usefixtures("built_pages")
def test_what_is_the_same_in_all_positions_is_written_once(record: Path) -> None:
    match = parse_published(record.read_text())
    times = 10  # what is shown need not be legal
    short = replace(match.record, times=(), percepts=(), replies=(), errors=())
    moves = (short.moves + short.moves[:1]) * (times - 1) + short.moves
    longer = replace(short, states=short.states * times, moves=moves)
    pages = [replay_page(make_reel(replace(match, record=one))) for one in (short, longer)]
    steps = [len(matches_in(page)[0]["views"][0]["steps"]) for page in pages]
    assert steps == [6, 60]
    assert len(pages[1]) - len(pages[0]) < 54 * 250


def test_without_the_built_components_the_page_is_text_and_says_so(
    tmp_path: Path, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludorum.pages.BUILT", tmp_path / "nothing")
    path = tmp_path / "r.html"
    assert run(str(record), "--html", str(path)).splitlines() == [f"page: {path}", NOT_BUILT]
    assert json.loads(run(str(record), "--html", str(path), "--json"))["drawn"] is False
    elements = Elements(path.read_text())
    assert "script" not in [tag for tag, _ in elements.tags]
    assert "make page" in elements.texts["code"]
    assert elements.texts["pre"].startswith("3  o . x\n2  o[x].\n1  x . .\n")
    assert path.stat().st_size < 5_000


@pytest.mark.usefixtures("built_pages")
def test_nothing_in_a_record_becomes_markup() -> None:
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>&\"'<!--\u2028"
    data = right_match() | {
        "gameName": evil,
        "playerNamesFromHost": [evil, "B"],
        "errors": [["", ""], [evil, ""], ["", ""], ["", ""]],
        "moves": [[f"|{evil.replace('|', '')}|", "wait"]] * 3,
    }
    page = replay_page(make_reel(parse_published(json.dumps(data))))
    tags = [tag for tag, _ in Elements(page).tags]
    assert tags.count("script") == 2
    assert "img" not in tags
    match = matches_in(page)[0]
    assert match["views"][0]["steps"][1]["faults"] == [["role 1", evil]]
    assert match["roles"][0]["name"] == evil
    assert match["title"] == evil
    written = page[page.index('<script id="data"') :].split("</script>")[0]
    assert written.isascii()
    assert "<" not in written[1:]


def test_stepping_on_the_screen(record: Path) -> None:
    async def steps() -> list[str]:
        app = ReplayApp(make_reel(parse_published(record.read_text())))
        told = []
        async with app.run_test(size=(80, 24)) as pilot:
            for key in ("", "right", "right", "left", "end", "right", "home", "left", "pagedown"):
                if key:
                    await pilot.press(key)
                told.append(str(app.words["status"].render()))
            await pilot.press("home", "space")
            assert app.running
            await pilot.press("right")
            assert not app.running
            await pilot.press("q")
        return told

    told = asyncio.run(steps())
    end = "step 5 of 5; over after 5 steps: xplayer 100, oplayer 0"
    numbers = [0, 1, 2, 1, 5, 5, 0, 0, 5]
    assert told == [end if at == 5 else f"step {at} of 5" for at in numbers]


def test_faults_and_percepts_are_shown() -> None:
    reel = make_reel(published(rich_match()))
    assert reel.frames[0].errors == (("right", "CE refused"),)
    assert reel.frames[1].errors == (("left", "IL fly"),)
    assert reel.frames[2].milliseconds == 2000
    (view,) = match_data(reel)["views"]
    assert view["steps"][0]["faults"] == [("right", "CE refused")]
    assert view["steps"][2]["milliseconds"] == 2000
    assert [step["scene"]["board"] for step in view["steps"]] == [None] * len(reel.frames)


def test_xml_for_each_role(tmp_path: Path, record: Path) -> None:
    found = json.loads(run(str(record), "--xml", str(tmp_path / "d"), "--dialect", "dresden", "--json"))[
        "files"
    ]
    assert len(found) == 18
    assert (tmp_path / "d" / "xplayer" / "finalstate.xml").read_text().count("<fact>") == 10
    assert run(str(record), "--xml", str(tmp_path / "g")) == f"21 files in {tmp_path / 'g'}\n"
    assert "there are ggp and dresden" in run(str(record), "--xml", str(tmp_path), "--dialect", "x", code=2)
    path = tmp_path / "r.json"
    path.write_text(json.dumps(right_match()))
    assert "name them with --game" in run(str(path), "--xml", str(tmp_path), code=2)


def test_a_store_is_listed_and_its_matches_shown(tmp_path: Path) -> None:
    url = str(tmp_path / "matches.db")
    options = ["--players", "legal", "--id", "m1", "--store", url, "--engine", "lifted"]
    assert CliRunner().invoke(app, ["match", "tictactoe", *options]).exit_code == 0
    assert run("--store", url) == "m1  tictactoe  7 steps  completed\n"
    listed = json.loads(run("--store", url, "--json"))
    assert [(row["match_id"], row["steps"], row["ended"]) for row in listed] == [("m1", 7, "completed")]
    assert "over after 7 steps: xplayer 100, oplayer 0" in run("m1", "--store", url)
    assert "nothing wrong" in run("m1", "--store", url, "--check", "--game", "tictactoe")
    assert "no match 'm2' here; matches there: 1" in run("m2", "--store", url, code=2)
    assert "which match?" in run(code=2)


def test_a_role_is_shown_what_it_may_know(tmp_path: Path, record: Path) -> None:
    path = tmp_path / "kuhn.json"
    options = ["--players", "random", "--seed", "3", "--record", str(path), "--engine", "lifted"]
    assert CliRunner().invoke(app, ["match", "kuhn_poker", *options]).exit_code == 0
    whole = json.loads(run(str(path), "--json"))
    player = "bob"
    seen = json.loads(run(str(path), "--json", "--role", player))
    first, *later = [step["state"] for step in seen["steps"]]
    assert first == whole["steps"][0]["state"]
    assert set(later) == {None}
    assert {role for step in seen["steps"] for role in step["moves"]} == {player}
    assert {role for step in seen["steps"] for role in step["told"]} <= {player}
    assert seen["goals"] == {player: whole["goals"][player]}
    assert run(str(path), "--role", player).count("hidden") == len(seen["steps"]) - 1
    run(str(path), "--role", player, "--html", str(tmp_path / "k.html"))
    assert "(as " in (tmp_path / "k.html").read_text()
    # Where nothing is hidden a role sees all, and may know the others' goals.
    open_game = json.loads(run(str(record), "--json", "--role", "oplayer"))
    assert open_game == json.loads(run(str(record), "--json"))
    assert "has no role 'z'" in run(str(record), "--role", "z", code=1)


@pytest.mark.slow
@pytest.mark.corpus
@pytest.mark.parametrize("name", record_names())
def test_every_match_of_the_corpus_is_shown(corpus: Path, name: str, tmp_path: Path) -> None:
    """Those with all their states; the others need their rules, which tests/corpus looks at."""
    path = corpus / "matches" / f"{name}.json"
    record = load_record(path)
    if not isinstance(record, MatchRecord) or record.noted_states < len(record.states):
        return
    match = open_record(path.read_text())
    assert record_faults(published_json(match)) == []
    assert parse_published(format_published(match)) == match
    reel = make_reel(match)
    assert all(reel.picture(at) or not frame.facts for at, frame in enumerate(reel.frames))
    assert len(matches_in(replay_page(reel))[0]["views"][0]["steps"]) == len(record.states)
