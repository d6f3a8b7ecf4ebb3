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
from ludorum.cli.replay_frames import Reel, make_reel, open_reel
from ludorum.cli.replay_html import replay_page
from ludorum.scene.game_look import content_words
from ludorum.show.pieces import make_pieces
from tests.browser.accessible import faults_of
from tests.browser.chromium import has_browser
from tests.cli.random_matches import played

pytestmark = pytest.mark.usefixtures("built_pages")

Visit = Callable[..., Page]

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&amp;<!--\u2028"


@cache
def reel_of(name: str, seed: int = 1) -> Reel:
    return open_reel(played(name, seed))


def write(folder: Path, reel: Reel) -> Path:
    path = folder / "match.html"
    path.write_text(replay_page(reel), encoding="utf-8")
    return path


def step_of(page: Page) -> str:
    return str(page.locator(".slider output").evaluate("one => one.firstChild.textContent"))


def press(page: Page, button: str) -> None:
    page.get_by_role("button", name=button, exact=True).click()


def shown_board(page: Page) -> dict[str, str]:
    """What stands on each place, as those who hear the page are told."""
    found = page.evaluate(
        "[...document.querySelectorAll('.board [data-place]')].map(cell =>"
        " [cell.dataset.place, cell.getAttribute('aria-label')])"
    )
    words = {place: label.removeprefix(f"{place}, ").split(", ") for place, label in found}
    return {
        place: " + ".join(sorted(one for one in here if one != "last move"))
        for place, here in words.items()
        if here[0] != "empty"
    }


def true_board(reel: Reel, at: int) -> dict[str, str]:
    """What stands on each place by the facts of the record."""
    assert reel.grid is not None
    pieces = make_pieces(reel.grid.marks, reel.roles)
    joined = reel.grid.columns[0].isalpha() and len(reel.grid.columns[0]) == 1
    found: dict[str, list[str]] = {}
    for fact in reel.frames[at].facts or ():
        spot = reel.grid.spot(fact)
        if spot is not None and reel.grid.marks[spot.content] != ".":
            words = content_words(spot.content, pieces[spot.content])
            found.setdefault(("" if joined else " ").join(spot.place), []).append(words)
    return {place: " + ".join(sorted(words)) for place, words in found.items()}


def drawn_pieces(page: Page) -> int:
    return page.locator(".board .token").count()


def test_buttons_keys_slider_and_list_step_back_and_forth(tmp_path: Path, visit: Visit) -> None:
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
        assert drawn_pieces(page) == at
    buttons = [
        ("Last position", end),
        ("Step back", end - 1),
        ("Step on", end),
        ("First position", 0),
        ("Step on", 1),
    ]
    for button, at in buttons:
        press(page, button)
        assert step_of(page) == f"step {at} of {end}"
        assert page.get_by_label("step", exact=True).input_value() == str(at)
    page.get_by_label("step", exact=True).fill("5")
    assert step_of(page) == f"step 5 of {end}"
    assert shown_board(page) == true_board(reel, 5)
    page.click(".moves li:nth-child(3) button")
    assert step_of(page) == f"step 3 of {end}"
    assert page.locator(".moves [aria-current=step]").inner_text().split()[0] == "3"
    expect(page).to_have_url(re.compile("#3$"))
    page.evaluate("location.hash = '#7'")
    expect(page.locator(".moves [aria-current=step] small")).to_have_text("7")


@pytest.mark.long
def test_it_plays_by_itself_until_the_end_or_until_it_is_stopped(tmp_path: Path, visit: Visit) -> None:
    reel = reel_of("tictactoe")
    end = len(reel.frames) - 1
    page = visit(write(tmp_path, reel))
    speed = page.get_by_label("speed of the replay")
    speed.select_option("5")
    page.locator("h1").click()
    page.keyboard.press(" ")
    assert page.get_by_role("button", name="Stop").is_visible()
    expect(page.locator(".slider output")).to_contain_text(f"step {end} of {end}")
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    speed.select_option("0.5")
    press(page, "Replay from here")
    assert step_of(page) == f"step 0 of {end}", "from the start again"
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("button", name="Replay from here").is_visible(), "a step by hand stops it"


def test_keys_leave_the_browser_and_focused_controls_alone(tmp_path: Path, visit: Visit) -> None:
    page = visit(write(tmp_path, reel_of("tictactoe")))
    page.get_by_role("button", name="Step on").focus()
    page.keyboard.press(" ")
    assert step_of(page).startswith("step 1 "), "the button, not the play key"
    assert page.get_by_role("button", name="Stop").count() == 0
    page.keyboard.press("Control+ArrowRight")
    assert step_of(page).startswith("step 1 ")
    page.get_by_label("step", exact=True).focus()
    page.keyboard.press("ArrowRight")
    assert step_of(page).startswith("step 2 "), "one step by the slider, none by the page besides"
    page.locator("[data-place='2 2']").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.place") == "3 2"
    assert step_of(page).startswith("step 2 "), "arrows on the board go from place to place"


@pytest.mark.parametrize(
    "name",
    [
        "chess",
        "krieg_tictactoe",
        *(
            pytest.param(name, marks=pytest.mark.long)
            for name in ("othello", "chinese_checkers", "english_draughts")
        ),
    ],
)
def test_the_last_state_is_that_of_the_record(tmp_path: Path, visit: Visit, name: str) -> None:
    reel = reel_of(name)
    page = visit(write(tmp_path, reel), f"#{len(reel.frames) - 1}")
    assert shown_board(page) == true_board(reel, -1)
    spoken = page.get_by_label("position in words").inner_text()
    for words in {one for here in true_board(reel, -1).values() for one in here.split(" + ")}:
        assert f"{words} on " in spoken
    goals = {role: value for role, value in reel.goals if role != "random"}
    shown = [seat.inner_text().split() for seat in page.locator(".seats .seat").all()]
    assert {role: value for role, *_, value in shown} == goals
    assert page.locator(".status").text_content() == reel.result


def test_a_game_without_a_board_shows_its_facts(tmp_path: Path, visit: Visit) -> None:
    reel = reel_of("nim")
    page = visit(write(tmp_path, reel))
    for at, frame in enumerate(reel.frames):
        page.get_by_label("step", exact=True).fill(str(at))
        heaps = {str(fact.args[0]): str(fact.args[1]) for fact in frame.facts or () if fact.name == "heap"}
        rows = [row.inner_text().split() for row in page.locator(".facts.main .amounts li").all()]
        assert {row[0]: row[-1] for row in rows} == heaps
        assert page.locator(".tokens i").count() == sum(map(int, heaps.values()))


def test_everything_tells_what_each_role_was_told(tmp_path: Path, visit: Visit) -> None:
    page = visit(write(tmp_path, reel_of("leduc_poker")), "#0")
    told = [
        [],
        ["alice is told dealt king hearts"],
        ["bob is told dealt jack spades"],
        ["bob is told alice says bet"],
        ["alice is told bob says raise"],
        ["bob is told alice says fold"],
    ]
    for at, expected in enumerate(told):
        page.get_by_label("step", exact=True).fill(str(at))
        texts = page.locator(".hears").all_inner_texts()
        assert [text.replace("“", "").replace("”", "") for text in texts] == expected
    # Cards that facts name in words look like cards.
    names = [card.get_attribute("aria-label") for card in page.locator(".scene .card").all()]
    assert len(names) >= 2
    assert all(
        re.fullmatch("(ace|king|queen|jack) of (clubs|diamonds|hearts|spades)", name or "") for name in names
    )


def test_the_view_of_a_role_shows_what_it_knew(tmp_path: Path, visit: Visit) -> None:
    reel = reel_of("krieg_tictactoe")
    page = visit(write(tmp_path, reel))
    show = page.get_by_label("Show", exact=True)
    assert show.locator("option").all_inner_texts() == [
        "everything",
        "what xplayer knew",
        "what oplayer knew",
    ]
    end = len(reel.frames) - 1
    marks = {"xplayer": "x", "oplayer": "o"}
    for role, mark in marks.items():
        show.select_option(label=f"what {role} knew")
        for at in (1, 2, 9, end - 1, end):
            page.get_by_label("step", exact=True).fill(str(at))
            own = {place for place, words in true_board(reel, at).items() if words == mark}
            known = shown_board(page)
            assert {place for place, words in known.items() if words == mark} == own
            # What the other has is known where an own move failed, and nowhere else.
            others = {place for place, words in known.items() if words not in (mark, "unknown")}
            failed = {
                " ".join(map(str, percept.args))
                for frame in reel.frames[1 : at + 1]
                for who, seen in frame.percepts
                if who == role
                for percept in seen
                if percept.name == "failed"
            }
            assert others <= failed
    show.select_option(label="everything")
    assert shown_board(page) == true_board(reel, end)


def test_what_a_role_may_not_know_is_not_in_the_page(tmp_path: Path, visit: Visit) -> None:
    match = played("kuhn_poker")
    page = visit(write(tmp_path, open_reel(match, role="bob")), "#2")
    assert page.get_by_label("Show", exact=True).count() == 0, "there is nothing to choose from"
    assert "Some of this game is hidden from you." in page.get_by_label("position in words").inner_text()
    assert ["noop", "noop", "(deal alice queen)"] in [list(map(str, joint)) for joint in match.record.moves]
    page.get_by_label("step", exact=True).fill(str(len(match.record.moves)))
    may_be = page.locator(".facts > div", has_text="may be true").locator("dd span").all_inner_texts()
    assert may_be == ["holds alice king", "holds alice queen"], (
        "the other card than bob's own, at the end too"
    )
    cards = [card.get_attribute("aria-label") for card in page.locator(".table .card").all()]
    assert sorted(map(str, cards)) == ["a card face down", "jack"]


def shown_table(page: Page) -> dict[str, list[str]]:
    """The cards of each hand and of the trick, as they are named for those who hear the page."""
    found = page.evaluate(
        "[...document.querySelectorAll('.table .other, .table .own, .table .middle')]"
        ".map(place => [place.querySelector('.seat-line b')?.textContent,"
        " [...place.querySelectorAll('.fan .card, .hand .card, .trick .card')]"
        ".map(card => card.getAttribute('aria-label'))])"
    )
    return {who or "trick": cards for who, cards in found}


def true_table(reel: Reel, at: int) -> dict[str, list[str]]:
    table = reel.frames[at].cards
    assert table is not None
    hands = {hand.role: [card.words for card in hand.hand.cards or ()] for hand in table.hands}
    return hands | {"trick": [card.words for _, card in table.trick]}


@pytest.mark.parametrize(
    "name", ["trumps", *(pytest.param(name, marks=pytest.mark.long) for name in ("hearts", "spades"))]
)
def test_a_card_table_shows_hands_and_the_trick(tmp_path: Path, visit: Visit, name: str) -> None:
    reel = reel_of(name)
    page = visit(write(tmp_path, reel))
    assert page.locator(".board").count() == 0
    for at in range(0, len(reel.frames), len(reel.frames) // 13):
        page.get_by_label("step", exact=True).fill(str(at))
        assert step_of(page).startswith(f"step {at} ")
        assert shown_table(page) == true_table(reel, at)
        red = [
            words
            for hand in true_table(reel, at).values()
            for words in hand
            if re.search("hearts|diamonds", words)
        ]
        assert page.locator(".fan .card.red, .trick .card.red").count() == len(red)
    text = page.locator("body").inner_text()
    assert not re.search(r"noop|currentP|numberOf|\bi=|\brandom 0\b", text), "nothing of the chart's own"
    page.keyboard.press("End")
    assert page.locator(".table .other").count() == len(reel.roles) - 1, "nature has no seat"
    page.locator("h1").click()
    assert page.locator(".seats .seat").count() == len(reel.roles) - 1


@pytest.mark.long
def test_the_deal_is_one_line_and_one_step(tmp_path: Path, visit: Visit) -> None:
    reel = reel_of("hearts")
    page = visit(write(tmp_path, reel))
    assert step_of(page).startswith("step 52 "), "a reader meets the cards, not an empty table"
    assert page.locator(".step-notes p").first.inner_text() == "52 cards dealt"
    assert page.locator(".moves li").count() == len(reel.frames) - 52
    deal = page.locator(".moves li button").first
    assert deal.get_attribute("aria-current") == "step"
    page.keyboard.press("ArrowLeft")
    assert step_of(page).startswith("step 0 ")
    assert deal.get_attribute("aria-current") is None
    press(page, "Step on")
    assert step_of(page).startswith("step 52 ")
    page.keyboard.press("ArrowRight")
    assert step_of(page).startswith("step 53 ")
    page.get_by_label("step", exact=True).fill("7")
    assert step_of(page).startswith("step 7 "), "the slider shows each step of the deal"
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    assert step_of(page).startswith("step 52 ")


@pytest.mark.long
def test_a_trick_is_seen_until_it_is_taken(tmp_path: Path, visit: Visit) -> None:
    page = visit(write(tmp_path, reel_of("hearts")), "#65")
    for size in (1, 2, 3, 4):
        assert page.locator(".trick figure").count() == size
        assert page.get_by_text("trick complete").count() == (size == 4)
        page.keyboard.press("ArrowRight")
    assert page.locator(".trick figure").count() == 1


@pytest.mark.long
def test_a_card_player_sees_backs(tmp_path: Path, visit: Visit) -> None:
    reel = open_reel(played("trumps"), role="player1")
    page = visit(write(tmp_path, reel), "#16")
    shown = shown_table(page)
    assert shown["player0"] == ["a card face down"] * 7
    assert shown["player1"] == true_table(reel, 16)["player1"]
    assert len(shown["player1"]) == 7
    assert page.locator(".own .seat-line").inner_text().split() == ["player1", "you", "score", "0"]
    # The page that shows everything has the same view to choose.
    page = visit(write(tmp_path, reel_of("trumps")), "#16")
    page.get_by_label("Show", exact=True).select_option(label="what player1 knew")
    assert shown_table(page) == shown


@pytest.mark.parametrize("width", [390, 1280])
def test_a_card_table_fits_a_phone_and_a_desk(tmp_path: Path, visit: Visit, width: int) -> None:
    page = visit(write(tmp_path, reel_of("hearts")), "#52", viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for hand in page.locator(".table .other").all():
        box, last = hand.bounding_box(), hand.locator(".card").last.bounding_box()
        assert box is not None
        assert last is not None
        assert last["x"] + last["width"] <= box["x"] + box["width"], "thirteen cards lie inside"


def test_the_board_is_turned_around(tmp_path: Path, visit: Visit) -> None:
    page = visit(write(tmp_path, reel_of("chess")))

    def places() -> list[float]:
        boxes = [page.locator(f"[data-place={name}]").bounding_box() for name in ("a1", "a8")]
        return [box["y"] for box in boxes if box is not None]

    def seats() -> list[str]:
        return [seat.inner_text() for seat in page.locator(".seat .role").all()]

    low, high = places()
    assert low > high
    assert seats() == ["black", "white"]
    press(page, "Turn the board around")
    assert places() == [high, low]
    assert seats() == ["white", "black"]


def with_faults(match: PublishedMatch) -> PublishedMatch:
    errors: list[tuple[str, ...]] = [("", "") for _ in match.record.states]
    errors[0], errors[2], errors[3] = ("CE refused", ""), ("", "IL (mark 9 9)"), (f"TO {HOSTILE}", "")
    return replace(match, record=replace(match.record, errors=tuple(errors)))


def test_faults_are_shown_where_they_happened(tmp_path: Path, visit: Visit) -> None:
    page = visit(write(tmp_path, make_reel(with_faults(played("tictactoe")))))
    assert page.locator(".step-notes .fault").inner_text().startswith("xplayer CE refused")
    assert page.locator(".slider i").count() == 3
    assert page.locator(".faults summary").inner_text() == "3 faults"
    page.click(".faults summary")
    page.get_by_role("button", name=re.compile("^step 2:")).click()
    assert step_of(page).startswith("step 2 ")
    fault = page.locator(".step-notes .fault").inner_text()
    assert fault == "oplayer IL (mark 9 9) (the move was not legal)"
    page.keyboard.press("End")
    assert page.locator(".step-notes .fault").count() == 0


def test_what_others_wrote_stays_text(tmp_path: Path, visit: Visit) -> None:
    match = with_faults(played("tictactoe"))
    match = replace(match, game_name=HOSTILE, player_names=(HOSTILE, "{title}"), tournament=HOSTILE)
    page = visit(write(tmp_path, make_reel(match)), "#3")
    assert page.locator("h1").text_content() == HOSTILE
    assert page.title().startswith(HOSTILE.split("\u2028")[0])
    assert sorted(page.locator(".seat .name").all_text_contents()) == [HOSTILE, "{title}"]
    assert HOSTILE in (page.locator(".step-notes .fault").text_content() or "")
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2


def test_hostile_facts_and_moves_stay_text_and_no_other_script_may_run(tmp_path: Path, visit: Visit) -> None:
    name = HOSTILE.replace("|", "")
    data = {
        "matchId": "m", "startTime": 1, "randomToken": "123456789012", "startClock": 1, "playClock": 1,
        "gameMetaURL": "x/games/g/v1/", "isCompleted": True,
        "states": [f"(( said |{name}| ) ( |__proto__| |{name}| ))",
                   f"(( cell 1 1 |{name}| ) ( cell 1 2 a ) ( cell 2 1 a ))"],
        "moves": [[f"|{name}|"]], "stateTimes": [1, 2], "gameRoleNames": [f"|{name}|"],
        "errors": [[""], [""]], "goalValues": [50],
    }  # fmt: skip
    page = visit(write(tmp_path, make_reel(open_record(json.dumps(data), "m"))))
    assert HOSTILE in (page.locator(".match").text_content() or "")
    page.keyboard.press("End")
    assert HOSTILE in (page.locator(".step-notes").text_content() or "")
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2
    policy = page.get_attribute("meta[http-equiv]", "content") or ""
    assert "script-src 'sha256-" in policy
    assert policy.startswith("default-src 'none'")


def processor_seconds(session: CDPSession) -> float:
    """What the page's thread has used of the processor: a busy machine makes no page slow by this measure."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(row["value"] for row in metrics if row["name"] == "TaskDuration"))


@pytest.mark.long
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
    assert path.stat().st_size < 800_000
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    used, count = processor_seconds(session), 100
    page.evaluate(
        "async count => { for (let n = 0; n < count; n++) { document.body.dispatchEvent("
        "new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));"
        " await new Promise(done => setTimeout(done)); document.body.offsetHeight; } }",
        count,
    )
    used = processor_seconds(session) - used
    assert step_of(page) == f"step {count} of {steps}"
    assert used / count < 0.016, f"{1000 * used / count:.1f} ms a step: a key held down would outrun the page"


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
    box = page.locator(".board").bounding_box()
    assert box is not None
    assert box["width"] > 300

    def is_light() -> bool:
        colour = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)[0] > 128"
        return bool(page.evaluate(colour))

    assert is_light() == (scheme == "light")
    before = page.evaluate("scrollY")
    page.keyboard.press("End")
    assert page.evaluate("scrollY") == before, "the page stays where it is"
    assert page.evaluate("document.getAnimations().length") == 0, "less motion was asked for"
    press(page, "Dark colours" if scheme == "light" else "Light colours")
    assert is_light() == (scheme == "dark")


def test_it_prints_the_board_and_every_move(tmp_path: Path, visit: Visit) -> None:
    page = visit(write(tmp_path, reel_of("breakthrough")))
    page.emulate_media(media="print")
    assert not page.locator(".slider").is_visible()
    assert not page.locator(".stepping").is_visible()
    assert page.locator(".board").is_visible()
    last = page.locator(".moves li").last
    assert last.is_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('.moves ol')).overflowY") == "visible"
    assert page.pdf()[:5] == b"%PDF-"


def test_without_scripts_the_moves_can_be_read(tmp_path: Path, visit: Visit) -> None:
    reel = reel_of("tictactoe")
    page = visit(write(tmp_path, reel), java_script_enabled=False)
    assert page.locator(".plain-moves li").count() == len(reel.frames) - 1
    assert page.locator("pre").inner_text().split("\n")[:3] == reel.picture(-1).split("\n")[:3]
    assert page.locator(".slider").count() == 0
    assert page.locator("noscript").is_visible()


@pytest.mark.parametrize(
    ("name", "at"), [("chess", 9), ("hearts", 90), pytest.param("krieg_tictactoe", 9, marks=pytest.mark.long)]
)
@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_it_is_accessible(tmp_path: Path, visit: Visit, name: str, at: int, scheme: str) -> None:
    page = visit(write(tmp_path, reel_of(name)), f"#{at}", color_scheme=scheme, reduced_motion="reduce")
    assert faults_of(page) == []


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
    assert page.locator(".seats .seat").count() == 4
