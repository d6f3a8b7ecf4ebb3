"""docs/speed.md shows what the newest results say; `make speed-page` makes it so."""

from tests.speed_page import PAGE, engine_table, newest_results, page_with_table


def test_the_page_shows_the_newest_results() -> None:
    newest = newest_results()
    assert newest is not None
    text = PAGE.read_text(encoding="utf-8")
    assert "engine table: begin" in text
    assert page_with_table(text, engine_table(newest)) == text
