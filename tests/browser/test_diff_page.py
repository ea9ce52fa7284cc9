"""What a person can do with the page of a comparison, in a real browser."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import making
from tests.browser.conftest import Open

VIEWS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True},
}
QUIET = "document.documentElement.scrollWidth <= innerWidth"


def embedded(file: Path, name: str) -> Any:
    """What is in this block of data?"""
    _, _, rest = file.read_text("utf-8").partition(f'<script type="application/json" id="{name}">')
    return json.loads(rest.partition("</script>")[0])


@pytest.mark.parametrize("view", VIEWS)
def test_nobody_is_kept_out(look: Open, diff_page: Path, view: str) -> None:
    seen = look(diff_page, **VIEWS[view])
    assert seen.barriers() == []
    seen.items.nth(1).click()
    assert seen.page.evaluate(QUIET)
    assert seen.barriers() == []


def test_the_verdict_comes_first(look: Open, diff_page: Path) -> None:
    seen = look(diff_page)
    heading = seen.page.locator("h1")
    assert heading.inner_text() in ("B is worse than A", "no difference beyond noise")
    assert re.search(r"p[=<]0\.\d+, n=\d+$", seen.page.locator(".evidence").inner_text())


def test_cases_where_something_happened_are_listed_at_first(look: Open, diff_page: Path) -> None:
    seen = look(diff_page)
    assert "unchanged" not in seen.kinds()
    assert seen.kinds() >= {"broke"}


def test_a_cell_of_the_matrix_lists_its_cases(look: Open, diff_page: Path) -> None:
    seen = look(diff_page)
    cell = seen.page.get_by_label("cases: passed in A, failed in B")
    cell.click()
    assert seen.kinds() == {"broke"}
    assert seen.status == f"{cell.inner_text()} of 400 cases"
    assert seen.focused() == "list"
    seen.page.get_by_role("button", name="show others again").click()
    assert seen.kinds() > {"broke"} or seen.status != f"{cell.inner_text()} of 400 cases"


def test_buckets_can_be_added_and_left_out(look: Open, diff_page: Path) -> None:
    seen = look(diff_page)
    chips = seen.page.locator(".chips")
    before = int(seen.status.split()[0])
    broke = chips.get_by_role("button", name="broke")
    number = int(broke.locator("span").inner_text())
    broke.click()
    assert broke.get_attribute("aria-pressed") == "false"
    assert int(seen.status.split()[0]) == before - number


def test_a_failure_mode_and_a_group_list_their_cases(look: Open, diff_page: Path) -> None:
    seen = look(diff_page)
    seen.page.locator("#failures button", has_text="Egress").click()
    rows, meta = embedded(diff_page, "rows"), embedded(diff_page, "meta")
    egress = meta["checks"].index("Egress")
    assert int(seen.status.split()[0]) == sum(egress in row[8] for row in rows)
    group = seen.page.locator("#where .facet").first
    group.click()
    assert seen.status == "100 of 400 cases"


def test_search_finds_ids_and_words_of_the_texts(look: Open, diff_page: Path) -> None:
    seen = look(diff_page, "#cases")
    search = seen.page.locator("#search")
    before = seen.status
    search.fill("otherwise")
    expect(seen.page.locator(".status").first).not_to_contain_text(before)
    seen.items.first.click()
    assert "otherwise" in seen.detail.inner_text()
    search.fill("no such words anywhere")
    seen.page.get_by_text("No case is like that.").wait_for()


@pytest.mark.parametrize("id_", ["r-2", "r-399"])
def test_a_link_leads_to_its_case(look: Open, diff_page: Path, id_: str) -> None:
    seen = look(diff_page, f"#case={id_}")
    assert seen.detail.locator("h3").inner_text() == id_
    assert seen.page.locator("#list [aria-selected=true] b").inner_text() == id_
    assert seen.focused() == "H3"


def test_a_gate_names_cases_as_links(look: Open, diff_page: Path) -> None:
    seen = look(diff_page)
    link = seen.page.locator(".gates a").first
    seen.follow(link)
    assert seen.detail.locator("h3").inner_text() == link.inner_text()


def test_a_link_to_no_case_says_so(look: Open, diff_page: Path) -> None:
    seen = look(diff_page, "#case=%E0%A4%A")
    assert seen.status.startswith("No case is called")


def test_the_address_follows_the_chosen_case(look: Open, diff_page: Path) -> None:
    seen = look(diff_page)
    seen.items.nth(2).click()
    id_ = seen.detail.locator("h3").inner_text()
    assert seen.page.url.endswith(f"#case={id_}")


def test_all_can_be_done_by_keyboard(look: Open, diff_page: Path) -> None:
    seen = look(diff_page)
    press = seen.page.keyboard.press
    press("Tab")
    press("Enter")  # the link to the cases
    for _ in range(40):
        press("Tab")
        if seen.focused() == "list":
            break
    assert seen.focused() == "list"
    press("ArrowDown")
    first = seen.detail.locator("h3").inner_text()
    assert first == seen.ids()[0]
    press("ArrowDown")
    assert seen.detail.locator("h3").inner_text() == seen.ids()[1]
    active = seen.page.locator("#list").get_attribute("aria-activedescendant")
    assert seen.page.locator(f"#{active} b").inner_text() == seen.ids()[1]
    press("End")
    assert seen.detail.locator("h3").inner_text() == seen.ids()[-1]
    press("Enter")
    assert seen.focused() == "H3"
    press("Escape")
    assert seen.focused() == "list"


def test_only_what_is_in_sight_is_drawn(look: Open, diff_page: Path) -> None:
    seen = look(diff_page)
    seen.page.get_by_role("button", name="unchanged").last.click()
    assert seen.items.count() < 60
    seen.page.locator("#list").evaluate("list => { list.scrollTop = list.scrollHeight }")
    last = embedded(diff_page, "rows")[-1][0]
    seen.page.locator("#list b", has_text=last).wait_for()
    assert seen.items.count() < 60


def test_word_changes_leave_both_texts_as_they_are(look: Open, diff_page: Path) -> None:
    seen = look(diff_page, "#cases")
    rows, checked = embedded(diff_page, "rows"), 0
    for number, row in enumerate(rows[:100]):
        a, b = embedded(diff_page, "details-0")[number]["trials"][0]
        if not a or not b or "out" not in a or "out" not in b or a["out"] == b["out"]:
            continue
        seen.page.evaluate("id => { location.hash = `#case=${id}` }", row[0])
        seen.detail.locator("h3", has_text=row[0]).wait_for()
        if not checked:
            seen.detail.get_by_role("button", name="Side by side").click()
        texts = seen.detail.locator(".pair .text").all_inner_texts()
        assert texts == [a["out"], b["out"]]
        assert seen.detail.locator("del, ins").count()
        checked += 1
    assert checked > 20


def test_what_is_listed_prints_as_a_table(look: Open, diff_page: Path) -> None:
    seen = look(diff_page)
    seen.page.emulate_media(media="print")
    seen.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert seen.page.locator(".printed tr").count() == int(seen.status.split()[0])
    assert seen.page.locator(".printed tr").first.is_visible()
    assert not seen.page.locator("#list").is_visible()


def test_without_scripts_all_but_the_list_is_there(look: Open, diff_page: Path) -> None:
    seen = look(diff_page, java_script_enabled=False)
    assert seen.page.locator("h1").is_visible()
    assert seen.page.locator(".matrix").is_visible()
    assert seen.page.locator("noscript p").is_visible()


def test_trials_are_looked_at_one_by_one(look: Open, trials_page: Path) -> None:
    seen = look(trials_page)
    assert "all of k trials pass" in seen.page.locator("figure").first.inner_text()
    seen.items.first.click()
    trial = seen.detail.get_by_role("button", name="3", exact=True)
    trial.click()
    assert trial.get_attribute("aria-pressed") == "true"
    assert seen.focused() == "BUTTON"
    assert seen.barriers() == []


def test_the_same_runs_give_the_same_bytes(diff_page: Path, tmp_path: Path) -> None:
    again = making.diff_page(diff_page.parent)
    assert again == diff_page
    first = diff_page.read_bytes()
    making.diff_page(diff_page.parent)
    assert diff_page.read_bytes() == first
