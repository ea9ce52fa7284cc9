"""Nothing that a file says can act in a page, or look like what it is not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.browser import making
from tests.browser.conftest import Open
from tests.browser.watching import Watched
from tests.hostile import TEXTS


def run(marks: str) -> Any:
    """A run in which every text is hostile."""
    made = making.before()
    made["cases"] = made["cases"][: len(TEXTS)]
    for case, text in zip(made["cases"], TEXTS.values(), strict=True):
        case |= {
            "content": text,
            "response": f"{marks} {text}",
            "error": None,
            "passed": marks == "a",
            "score": 0.5,
            "provider": "<b>provider</b>\u202e",
            "scenario_id": text,
            "risk_type": text,
            "assertions": [
                {"type": text, "metric": text, "passed": marks == "a", "score": 0, "reason": text}
            ],
        }
        case["metadata"] |= {"recordId": text, "severity": text, "dataset": "<i>\u202e"}
    return made


def hold_harmless(seen: Watched) -> None:
    for number in range(seen.items.count()):
        seen.items.nth(number).click()
        for name in ("Side by side", "Word by word"):
            button = seen.detail.get_by_role("button", name=name)
            if button.count():
                button.click()
    seen.page.mouse.move(200, 200)
    assert seen.page.evaluate("window.hit") is None
    assert seen.page.locator("img, iframe, object, embed, link, base").count() == 0
    assert seen.page.locator("script:not([type])").count() == 1
    assert seen.page.locator("style").count() == 1
    assert seen.page.locator("meta[http-equiv]").count() == 1
    names = "[...document.querySelectorAll('*')].flatMap(one => one.getAttributeNames())"
    assert not [name for name in seen.page.evaluate(names) if name.startswith("on")]
    assert not re.search("[\u202e\u2066\x1b\u2028]", seen.page.content())
    assert r"\u202e" in seen.page.content()


@pytest.mark.parametrize("view", ["diff", "run"])
def test_hostile_texts_stay_texts(look: Open, tmp_path: Path, view: str) -> None:
    made = run("b")
    if view == "diff":
        page = making.compared(tmp_path, run("a"), made, "--by", "risk_type")
    else:
        page = making.shown(tmp_path, made, "--by", "risk_type", "--by", "severity")
    hold_harmless(look(page))


def test_a_hostile_id_can_be_linked_to(look: Open, tmp_path: Path) -> None:
    page = making.compared(tmp_path, run("a"), run("b"), "--fail-on", "new-failure")
    seen = look(page)
    links = seen.page.locator(".gates a")
    assert links.count() == len(TEXTS)
    for number in range(links.count()):
        seen.follow(links.nth(number))
        assert seen.detail.locator("h3").inner_text() == links.nth(number).inner_text()


def test_scripts_from_elsewhere_are_refused(look: Open, tmp_path: Path) -> None:
    page = making.shown(tmp_path, run("b"))
    told = page.read_text("utf-8").replace("</body>", "<script>window.hit=1</script></body>")
    page.write_text(told, "utf-8")
    seen = look(page)
    assert seen.page.evaluate("window.hit") is None
    assert any("Content Security Policy" in one for one in seen.said)
    seen.said.clear()
