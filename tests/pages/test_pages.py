"""The environment of all pages: values are escaped, names must be given, data cannot leave its script."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError
from markupsafe import Markup

import ludorum
from ludorum.pages import built, environment, page_text, render, script_hash
from ludorum.pages.packed import packed, unpacked

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&amp;{{ 7 * 7 }}"
TEMPLATES = sorted(
    file.name for file in files("ludorum.pages").iterdir() if file.name.endswith((".html", ".svg"))
)


class Reader(HTMLParser):
    """What a browser would take for elements and for text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def made(source: str, **values: object) -> str:
    return environment().from_string(source).render(values)


@pytest.mark.long
@given(st.text())
def test_a_value_stays_text_between_tags_and_in_attributes(value: str) -> None:
    page = made('<p title="{{ value }}">{{ value }}</p>', value=value)
    assert Reader(page).tags == ["p"]
    plain = re.sub(r"[\0\r]", "", value)
    assert re.sub(r"[\0\r\ufffd]", "", Reader(page).text) == plain.replace("\ufffd", "")


def test_a_hostile_value_is_neither_markup_nor_template() -> None:
    assert Reader(made("<b>{{ value }}</b>", value=HOSTILE)).tags == ["b"]
    assert Reader(made("<b>{{ value }}</b>", value=HOSTILE)).text == HOSTILE
    assert made("{{ value }}", value=Markup("<i>ours</i>")) == "<i>ours</i>"


def test_data_cannot_end_the_script_that_holds_it() -> None:
    data = {"name": HOSTILE, HOSTILE: ["<!--", "]]>", "\u2028", "é"]}
    page = made('<script type="application/json">{{ data|tojson }}</script>', data=data)
    assert page.count("<") == 2
    assert page.isascii()
    assert json.loads(page.split(">", 1)[1].rsplit("<", 1)[0]) == data


def test_data_keeps_its_order() -> None:
    assert made("{{ data|tojson }}", data={"b": 1, "a": [2, 3]}) == '{"b":1,"a":[2,3]}'


@pytest.mark.parametrize("source", ["{{ unknown }}", "{{ known.unknown }}", "{% if unknown %}{% endif %}"])
def test_what_was_not_given_is_an_error(source: str) -> None:
    with pytest.raises(UndefinedError):
        made(source, known=object())


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_trusts_nothing_and_fetches_nothing(name: str) -> None:
    text = files("ludorum.pages").joinpath(name).read_text(encoding="utf-8")
    text = text.replace('xmlns="http://www.w3.org/2000/svg"', "")  # a name, not an address
    assert not re.search(r"\|\s*safe|autoescape|https?:|//", text)
    assert environment().get_template(name).name == name


def test_a_page_without_its_values_is_not_made() -> None:
    with pytest.raises(UndefinedError):
        render("report.html", title="only this")


def test_a_policy_names_the_script_by_its_hash() -> None:
    assert script_hash("") == "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    assert script_hash(page_text("report.css")) != script_hash(page_text("report.css", "replay.css"))


@pytest.mark.usefixtures("built_pages")
def test_what_is_built_cannot_end_the_element_that_holds_it() -> None:
    assert not re.search(r"</script|<!--", built("recorded.js"), re.IGNORECASE)
    assert not re.search(r"</style|@import|url\(", built("recorded.css"), re.IGNORECASE)


def test_what_is_not_built_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludorum.pages.BUILT", tmp_path)
    assert (built("recorded.js"), built("recorded.css")) == ("", "")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@pytest.mark.long
@given(JSON)
def test_packed_values_are_the_same_again(value: object) -> None:
    parts = json.loads(json.dumps(packed(value)))
    assert json.dumps(unpacked(parts)) == json.dumps(value)


def test_parts_are_those_that_scripts_of_pages_read() -> None:
    value = [{"a": "One. Two.", "b": [7, None]}, {"a": "One. Two.", "b": []}]
    assert packed(value) == [
        *["a", "b", [0, 1], "One. ", "Two.", [3, 4], {"text": 5}, 7, None, [7, 8], [-3, 6, 9]],
        *[[], [-3, 6, 11], [10, 12]],
    ]  # as in frontend/tests/recorded.test.ts


def test_equal_parts_are_packed_once() -> None:
    scene = {"cards": [{"rank": "7", "suit": "♥"}] * 50, "spoken": "Seven of hearts. " * 50}
    one, many = packed([scene]), packed([scene] * 100)
    assert len(many) == len(one)
    *_, one_last = one
    *_, many_last = many
    assert many[:-1] == one[:-1]
    assert isinstance(one_last, list)
    assert many_last == one_last * 100


def test_no_module_writes_elements_by_hand() -> None:
    """HTML is made by templates alone; the broken answers of hosts that tests need are none."""
    package = Path(ludorum.__file__).parent
    markup = re.compile(
        r"</?(html|head|body|div|section|p|span|table|tr|t[dh]|ul|ol|li|h[1-6]|style|script|a|b)\b[ >]"
    )
    found = {
        str(path.relative_to(package))
        for path in package.rglob("*.py")
        if markup.search(path.read_text(encoding="utf-8"))
        or "from html import escape" in path.read_text(encoding="utf-8")
    }
    assert found <= {"arena/testing.py"}
