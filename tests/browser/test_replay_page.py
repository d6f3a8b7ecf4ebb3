"""Replay pages in a real browser: they show what the record says, at every step and by every control."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import CDPSession, Page, expect

from ludorum.arena.records.publisher import open_record
from ludorum.arena.records.spectator import PublishedMatch
from ludorum.cli.replay_frames import Reel, as_seen_by, make_reel, open_reel
from ludorum.cli.replay_html import replay_page
from ludorum.engine.load import load_game
from ludorum.rules.terms import Term
from ludorum.scene.card_faces import card_face
from ludorum.scene.model import CardPile
from tests.browser.chromium import has_browser
from tests.cli.random_matches import played

Visit = Callable[..., Page]

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&amp;"


@cache
def reel_of(name: str, seed: int = 1) -> Reel:
    return open_reel(played(name, seed))


def write(folder: Path, reel: Reel) -> Path:
    path = folder / "match.html"
    path.write_text(replay_page(reel), encoding="utf-8")
    return path


def step_of(page: Page) -> str:
    return page.locator("#where").inner_text()


def shown_board(page: Page) -> dict[str, str]:
    """What stands on each place, read from the picture."""
    found = page.evaluate(
        "[...document.querySelectorAll('[data-place]')].map(cell => [cell.dataset.place,"
        " [...cell.querySelectorAll('title')].map(title => title.textContent).sort().join(' + ')])"
    )
    return {place: words for place, words in found if words}


def true_board(reel: Reel, at: int) -> dict[str, str]:
    """What stands on each place by the facts of the record."""
    assert reel.grid is not None
    joined = reel.grid.columns[0].isalpha() and len(reel.grid.columns[0]) == 1
    found: dict[str, list[str]] = {}
    for fact in reel.frames[at].facts or ():
        spot = reel.grid.spot(fact)
        if spot is not None and reel.grid.marks[spot.content] != ".":
            found.setdefault(("" if joined else " ").join(spot.place), []).append(spot.content)
    return {place: " + ".join(sorted(words)) for place, words in found.items()}


def test_buttons_keys_and_slider_step_back_and_forth(tmp_path: Path, visit: Visit) -> None:
    reel = reel_of("connect_four")
    end = len(reel.frames) - 1
    page = visit(write(tmp_path, reel))
    assert step_of(page) == f"step 0 of {end}"
    presses = [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", end), ("ArrowRight", end),
               ("ArrowLeft", end - 1), ("Home", 0), ("ArrowLeft", 0), ("PageDown", 10),
               ("PageUp", 0)]  # fmt: skip
    for key, at in presses:
        page.keyboard.press(key)
        assert step_of(page) == f"step {at} of {end}"
        assert shown_board(page) == true_board(reel, at)
    for button, at in [("last", end), ("back", end - 1), ("on", end), ("first", 0), ("on", 1)]:
        page.click(f"#{button}")
        assert step_of(page) == f"step {at} of {end}"
        assert page.locator("#slider").input_value() == str(at)
    page.locator("#slider").fill("5")
    assert step_of(page) == f"step 5 of {end}"
    assert shown_board(page) == true_board(reel, 5)
    page.click("#moves li:nth-child(4)")
    assert step_of(page) == f"step 3 of {end}"
    assert page.locator("#moves [aria-current=step]").inner_text().split()[0] == "3"
    expect(page).to_have_url(re.compile("#3$"))


def test_it_plays_by_itself_until_the_end_or_until_it_is_stopped(tmp_path: Path, visit: Visit) -> None:
    reel = reel_of("tictactoe")
    end = len(reel.frames) - 1
    page = visit(write(tmp_path, reel))
    page.select_option("#speed", "140")
    page.locator("h1").click()
    page.keyboard.press(" ")
    assert page.get_attribute("#run", "aria-label") == "stop"
    expect(page.locator("#where")).to_have_text(f"step {end} of {end}")
    expect(page.locator("#run")).to_have_attribute("aria-label", "play")
    page.select_option("#speed", "1400")
    page.click("#run")
    assert step_of(page) == f"step 0 of {end}", "from the start again"
    page.keyboard.press("ArrowRight")
    assert page.get_attribute("#run", "aria-label") == "play", "a step by hand stops it"


def test_keys_leave_the_browser_and_focused_controls_alone(tmp_path: Path, visit: Visit) -> None:
    page = visit(write(tmp_path, reel_of("tictactoe")))
    page.focus("#on")
    page.keyboard.press(" ")
    assert step_of(page).startswith("step 1 "), "the button, not the play key"
    assert page.get_attribute("#run", "aria-label") == "play"
    page.keyboard.press("Control+ArrowRight")
    assert step_of(page).startswith("step 1 ")
    # One tab stop for the whole list of moves; in it, up and down go through the match.
    assert page.locator("#moves button[tabindex='0']").count() == 1
    page.focus("#moves button[tabindex='0']")
    page.keyboard.press("ArrowDown")
    assert step_of(page).startswith("step 2 ")
    assert page.evaluate("document.activeElement.getAttribute('aria-current')") == "step"


@pytest.mark.parametrize(
    "name", ["chess", "othello", "krieg_tictactoe", "chinese_checkers", "english_draughts"]
)
def test_the_last_state_is_that_of_the_record(tmp_path: Path, visit: Visit, name: str) -> None:
    reel = reel_of(name)
    page = visit(write(tmp_path, reel), f"#{len(reel.frames) - 1}")
    assert shown_board(page) == true_board(reel, -1)
    label = page.get_attribute("#board svg", "aria-label") or ""
    assert label.removeprefix("board: ").count("; ") + 1 == len(true_board(reel, -1))
    notes = page.locator("#notes").inner_text()
    goals = [(role, value) for role, value in reel.goals if role != "random"]
    for role, value in goals:
        assert f"{role}'s goal {value}" in notes
    assert "random's goal" not in notes
    listed = page.evaluate("[...document.querySelectorAll('#players .goal')].map(goal => goal.textContent)")
    assert listed == [value for _, value in goals]


def test_a_game_without_a_board_shows_its_facts(tmp_path: Path, visit: Visit) -> None:
    reel = reel_of("leduc_poker")
    page = visit(write(tmp_path, reel), "#0")
    assert page.locator("#board svg").count() == 0
    for at, frame in enumerate(reel.frames):
        page.locator("#slider").fill(str(at))
        shown = page.evaluate(
            "[...document.querySelectorAll('#facts dd')].flatMap(line => [...line.children].map(fact =>"
            " (line.previousElementSibling.textContent + ' ' + fact.textContent).trim()))"
        )
        assert sorted(shown) == sorted(str(fact).strip("()") for fact in frame.facts or ())
        fresh = page.locator("#facts .new").count()
        assert fresh == (len(frame.facts - frame.before) if frame.facts and frame.before else 0), at
        for role, text in frame.told:
            assert f"{role} is told {text}" in page.locator("#notes").inner_text().replace("“", "")
    # A card that a fact names in words looks like one.
    faces = page.evaluate("[...document.querySelectorAll('.chip')].map(chip => chip.dataset.face)")
    assert len(faces) >= 2
    assert all(re.fullmatch("[AKQJ][♣♦♥♠]", face) for face in faces)


def test_what_a_role_may_not_know_is_not_in_the_page(tmp_path: Path, visit: Visit) -> None:
    match, game = played("kuhn_poker"), load_game("kuhn_poker")
    page = visit(write(tmp_path, as_seen_by(make_reel(match), game, "bob")), "#2")
    assert "hidden from this role" in page.locator("#notes").inner_text()
    assert page.locator("#facts dd").count() == 0
    dealt = next(str(move) for joint in match.record.moves for move in joint if "alice" in str(move))
    assert dealt.strip("()") not in page.content()


def shown_table(page: Page) -> dict[str, list[str]]:
    """The cards of each hand and of the trick, as they are named for those who hear the page."""
    found = page.evaluate(
        "[...document.querySelectorAll('#board .seat'), document.querySelector('#board .felt')].map(place =>"
        " [place.querySelector('p b')?.textContent, [...place.querySelectorAll('.fan .card, .played .card')]"
        ".map(card => card.getAttribute('aria-label'))])"
    )
    *seats, (_, trick) = found
    return dict(seats) | {"trick": trick}


def true_table(reel: Reel, at: int) -> dict[str, list[str]]:
    table = reel.frames[at].cards
    assert table is not None
    hands = {hand.role: [card.text for card in hand.hand.cards or ()] for hand in table.hands}
    return hands | {"trick": [card.text for _, card in table.trick]}


@pytest.mark.parametrize("name", ["trumps", "hearts", "four_colours"])
def test_cards_lie_on_the_table(tmp_path: Path, visit: Visit, name: str) -> None:
    reel = reel_of(name)
    page = visit(write(tmp_path, reel))
    for at in range(0, len(reel.frames), 3):
        page.locator("#slider").fill(str(at))
        assert step_of(page).startswith(f"step {at} ")
        assert shown_table(page) == true_table(reel, at)
        faces = page.locator("#board .seats .card").all_inner_texts()
        assert page.locator("#board .seats .card.red").count() >= len(re.findall("[♥♦]", "".join(faces)))
        assert page.locator("#facts dd").count() == 0
    text = page.locator("body").inner_text()
    assert not re.search(r"noop|currentP|numberOf|\bi=|\brandom 0\b", text), "nothing of the chart's own"
    assert page.locator("#players li").count() == len(reel.roles) - 1, "nature has no seat"


def test_the_deal_is_one_line_and_one_step_until_it_is_unfolded(tmp_path: Path, visit: Visit) -> None:
    reel = reel_of("hearts")
    page = visit(write(tmp_path, reel))
    assert step_of(page).startswith("step 52 "), "a reader meets the cards, not an empty table"
    assert page.locator("#notes").inner_text().startswith("The cards are dealt.")
    assert page.locator("#moves > li").count() == len(reel.frames) - 51
    fold = page.locator("#moves .fold summary")
    assert fold.inner_text().split("\n")[-1].endswith("the cards are dealt")
    assert fold.get_attribute("aria-current") == "step"
    page.keyboard.press("ArrowLeft")
    assert step_of(page).startswith("step 0 ")
    assert fold.get_attribute("aria-current") is None
    page.click("#on")
    assert step_of(page).startswith("step 52 ")
    page.keyboard.press("ArrowRight")
    assert step_of(page).startswith("step 53 ")
    fold.click()
    page.click("#moves [data-step='7']")
    assert step_of(page).startswith("step 7 ")
    page.keyboard.press("ArrowRight")
    assert step_of(page).startswith("step 52 ")


def test_a_trick_is_seen_until_it_is_taken(tmp_path: Path, visit: Visit) -> None:
    reel = reel_of("hearts")
    page = visit(write(tmp_path, reel), "#65")
    for size in (1, 2, 3, 4):
        assert page.locator("#board .played").count() == size
        assert page.locator("#board .newest").count() == 1
        assert page.locator("#board .hint").count() == (size == 4)
        page.keyboard.press("ArrowRight")
    assert page.locator("#board .played").count() == 1


def test_a_card_player_sees_backs(tmp_path: Path, visit: Visit) -> None:
    reel = open_reel(played("trumps"), role="player1")
    page = visit(write(tmp_path, reel), "#16")
    shown = shown_table(page)
    assert shown["player0"] == ["a card face down"] * 7
    assert shown["player1"] == true_table(reel, 16)["player1"]
    assert len(shown["player1"]) == 7
    assert page.locator("#board .seat p").nth(1).inner_text().split() == ["player1", "(you)", "score", "0"]
    assert "hidden" not in page.locator("#notes").inner_text()


@pytest.mark.parametrize("width", [390, 1280])
def test_a_card_table_fits_a_phone_and_a_desk(tmp_path: Path, visit: Visit, width: int) -> None:
    page = visit(write(tmp_path, reel_of("hearts")), "#52", viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for hand in page.locator("#board .seat").all():
        box, last = hand.bounding_box(), hand.locator(".card").last.bounding_box()
        assert box is not None
        assert last is not None
        assert last["x"] + last["width"] <= box["x"] + box["width"], "thirteen cards lie inside"


def with_faults(match: PublishedMatch) -> PublishedMatch:
    errors: list[tuple[str, ...]] = [("", "") for _ in match.record.states]
    errors[0], errors[2], errors[3] = ("CE refused", ""), ("", "IL (mark 9 9)"), (f"TO {HOSTILE}", "")
    return replace(match, record=replace(match.record, errors=tuple(errors)))


def test_faults_are_shown_where_they_happened(tmp_path: Path, visit: Visit) -> None:
    page = visit(write(tmp_path, make_reel(with_faults(played("tictactoe")))))
    assert page.locator("#notes .fault").inner_text().startswith("xplayer CE refused")
    assert page.locator("#slide i").count() == 3
    page.click("#faults summary")
    page.click("#faults [data-step='2']")
    assert step_of(page).startswith("step 2 ")
    assert page.locator("#notes .fault").inner_text() == "oplayer IL (mark 9 9) (the move was not legal)"
    assert page.locator("#moves [aria-current] em").inner_text() == "oplayer: IL (mark 9 9)"
    page.keyboard.press("End")
    assert page.locator("#notes .fault").count() == 0


def test_what_others_wrote_stays_text(tmp_path: Path, visit: Visit) -> None:
    match = with_faults(played("tictactoe"))
    match = replace(match, game_name=HOSTILE, player_names=(HOSTILE, "{title}"), tournament=HOSTILE)
    page = visit(write(tmp_path, make_reel(match)), "#3")
    assert page.locator("h1").text_content() == HOSTILE
    assert page.title().startswith(HOSTILE)
    assert page.locator("#players .name").all_text_contents() == [HOSTILE, "{title}"]
    assert HOSTILE in (page.locator("#notes .fault").text_content() or "")
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2


def test_hostile_facts_and_moves_stay_text_and_no_other_script_may_run(tmp_path: Path, visit: Visit) -> None:
    data = {
        "matchId": "m", "startTime": 1, "randomToken": "123456789012", "startClock": 1, "playClock": 1,
        "gameMetaURL": "x/games/g/v1/", "isCompleted": True,
        "states": [f"(( said |{HOSTILE}| ))", f"(( cell 1 1 |{HOSTILE}| ) ( cell 1 2 a ) ( cell 2 1 a ))"],
        "moves": [[f"|{HOSTILE}|"]], "stateTimes": [1, 2], "gameRoleNames": [f"|{HOSTILE}|"],
        "errors": [[""], [""]], "goalValues": [50],
    }  # fmt: skip
    page = visit(write(tmp_path, make_reel(open_record(json.dumps(data), "m"))))
    assert HOSTILE in (page.locator("#facts").text_content() or "")
    page.keyboard.press("End")
    assert HOSTILE in (page.locator("#notes").text_content() or "")
    assert page.locator("img").count() == 0
    policy = page.get_attribute("meta[http-equiv]", "content") or ""
    assert "script-src 'sha256-" in policy
    assert policy.startswith("default-src 'none'")


def test_a_hostile_card_table_stays_text(tmp_path: Path, visit: Visit) -> None:
    reel = reel_of("trumps")
    table = reel.frames[20].cards
    assert table is not None
    evil = card_face(Term("card", (Term(HOSTILE), Term(HOSTILE))))
    pile = CardPile(HOSTILE, 1, (evil,))
    hand = replace(table.hands[0], role=HOSTILE, notes=(HOSTILE,), hand=pile)
    hostile = replace(
        table,
        hands=(hand, table.hands[1]),
        trick=((HOSTILE, card_face(Term("card", (Term(HOSTILE), Term("hearts"))))),),
        piles=(pile,),
        suits=((HOSTILE, HOSTILE),),
    )
    frames = tuple(replace(frame, cards=hostile) for frame in reel.frames)
    roles = ("<script>alert(1)</script>", 'it\'s "quoted"', "random")
    page = visit(write(tmp_path, replace(reel, frames=frames, roles=roles)), "#20")
    assert page.locator("#players .role").all_text_contents() == list(roles[:2])
    assert page.locator("#board .seat p b").first.text_content() == HOSTILE
    assert page.locator("#board .heaps figcaption").text_content() == HOSTILE
    assert page.locator("#board .fan .card").first.get_attribute("aria-label") == f"|{HOSTILE}|"
    assert page.locator("#board .suits span").text_content() == f"{HOSTILE} {HOSTILE}"
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2


def processor_seconds(session: CDPSession) -> float:
    """What the page's thread has used of the processor: a busy machine makes no page slow by this measure."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(row["value"] for row in metrics if row["name"] == "TaskDuration"))


def test_a_long_match_steps_fast(tmp_path: Path, visit: Visit) -> None:
    match = played("chess")
    record = match.record
    times = 4  # the way there and back, as it were: what is shown need not be legal
    longer = replace(record, states=record.states * times, times=(),
                     moves=(record.moves + record.moves[:1]) * (times - 1) + record.moves,
                     errors=(), percepts=(), replies=())  # fmt: skip
    path = write(tmp_path, make_reel(replace(match, record=longer)))
    page = visit(path)
    steps = len(longer.moves)
    assert steps > 500
    assert path.stat().st_size < 400_000
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    used = processor_seconds(session)
    page.evaluate(
        "count => { for (let n = 0; n < count; n++) { document.body.dispatchEvent("
        "new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true})); document.body.offsetHeight; } }",
        steps,
    )
    used = processor_seconds(session) - used
    assert step_of(page) == f"step {steps} of {steps}"
    assert used / steps < 0.016, f"{1000 * used / steps:.1f} ms a step: a key held down would outrun the page"


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone_and_a_desk_by_day_and_night(
    tmp_path: Path, visit: Visit, width: int, scheme: str
) -> None:
    reel = reel_of("chess")
    named = replace(reel, match=replace(reel.match, player_names=("a" * 90, "b c" * 30)))
    page = visit(
        write(tmp_path, named), "#9",
        viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce",
    )  # fmt: skip
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box = page.locator("#board svg").bounding_box()
    assert box is not None
    assert box["width"] > 300
    light = page.evaluate(
        "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)[0] > 128"
    )
    assert light == (scheme == "light")
    before = page.evaluate("scrollY")
    page.keyboard.press("End")
    assert page.evaluate("scrollY") == before, "the page stays where it is"
    assert page.evaluate("document.getAnimations().length") == 0, "less motion was asked for"


def test_it_prints_the_board_and_every_move(tmp_path: Path, visit: Visit) -> None:
    reel = reel_of("breakthrough")
    page = visit(write(tmp_path, reel))
    page.emulate_media(media="print")
    assert not page.locator("#steps").is_visible()
    assert page.locator("#board svg").is_visible()
    last = page.locator("#moves li").last
    assert last.is_visible()
    assert page.evaluate("getComputedStyle(document.getElementById('moves')).overflowY") == "visible"
    assert page.pdf()[:5] == b"%PDF-"


def test_without_scripts_the_moves_can_be_read(tmp_path: Path, visit: Visit) -> None:
    reel = reel_of("tictactoe")
    page = visit(write(tmp_path, reel), java_script_enabled=False)
    assert page.locator("#moves li").count() == len(reel.frames)
    assert not page.locator("#steps").is_visible()
    assert page.locator("noscript").is_visible()


@pytest.mark.slow
def test_a_record_of_the_corpus(tmp_path: Path, corpus: Path, request: pytest.FixtureRequest) -> None:
    file = next((corpus / "matches" / "tiltyard").glob("chineseCheckers4-*.json"))
    reel = make_reel(open_record(file.read_text(), file.name))
    path = write(tmp_path, reel)
    if not has_browser():
        return  # the page was made; a corpus test is not skipped where the corpus is
    visit: Visit = request.getfixturevalue("visit")
    page = visit(path)
    page.keyboard.press("End")
    assert shown_board(page) == true_board(reel, -1)
    assert page.locator("#players li").count() == 4
