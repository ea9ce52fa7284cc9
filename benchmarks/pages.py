"""Measure making the HTML pages of big runs, and opening them in a real browser.

    python -m benchmarks.pages [--quick]

Needs the extra `dev` and Chromium (CHROMIUM_BIN names it where it has another name). No time is
asserted anywhere: a table says how long it took to make each page, how long the page took to be
ready for use, how evenly it scrolled, and how long its first search took.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.generate import report
from benchmarks.measuring import environment, measure, python, spread

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

MB = 1_000_000
FRAMES = 120
SCROLL = f"""() => new Promise(done => {{
  const list = document.getElementById("list"), took = [];
  let last = performance.now();
  list.scrollIntoView();
  const step = () => {{
    const now = performance.now();
    took.push(now - last);
    last = now;
    list.scrollTop += 700;
    if (took.length < {FRAMES}) requestAnimationFrame(step);
    else done(took.sort((a, b) => a - b));
  }};
  requestAnimationFrame(step);
}})"""


class Made(NamedTuple):
    """A page: what it is of, where it is, and the seconds that making it took."""

    name: str
    file: Path
    seconds: float


def make(folder: Path, cases: int, env: Mapping[str, str]) -> Iterator[Made]:
    """Which pages are measured?"""
    one, other = (json.loads("".join(report(cases, seed))) for seed in (0, 1))
    for before, after in zip(one["cases"], other["cases"], strict=True):
        after["content"] = before["content"]  # another answer to the same
    a, b = str(folder / "a.json"), str(folder / "b.json")
    for file, run in ((a, one), (b, other)):
        Path(file).write_text(json.dumps(run), encoding="utf-8")
    commands = {
        "a run": python("-m", "evalglot", "report", a, "-o"),
        "a run against itself": python("-m", "evalglot", "diff", a, a, "--format", "html", "-o"),
        "two runs, every case another": python(
            "-m", "evalglot", "diff", a, b, "--fail-on", "missing", "--format", "html", "-o"
        ),
    }
    for number, (name, command) in enumerate(commands.items()):
        file = folder / f"{number}.html"
        yield Made(name, file, measure([*command, str(file)], env).wall_s)


def opened(browser: Browser, file: Path) -> tuple[float, Page]:
    """How many seconds pass until the page can be used?"""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    begun = time.perf_counter()
    page.goto(file.as_uri())
    page.wait_for_selector("html[data-ready]")
    return time.perf_counter() - begun, page


def scrolled(page: Page) -> tuple[float, float]:
    """How many milliseconds do a middling and a slow frame take while all cases scroll by?"""
    left_out = page.locator(".chip[aria-pressed=false]")
    while left_out.count():
        left_out.first.click()
    took = page.evaluate(SCROLL)
    return took[FRAMES // 2], took[FRAMES * 95 // 100]


def searched(page: Page) -> float:
    """How many seconds does the first search through all texts take?"""
    begun = time.perf_counter()
    page.locator("#search").fill("no such words")
    page.locator(".nothing", has_text="No case").wait_for()
    return time.perf_counter() - begun


def main() -> None:
    """Print the table."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the cases, one round")
    quick = parser.parse_args().quick
    cases, rounds = (2_000, 1) if quick else (20_000, 5)
    chromium = os.environ.get("CHROMIUM_BIN") or which("chromium")
    if chromium is None:
        sys.exit("Chromium is missing: install it, or name it in CHROMIUM_BIN")
    print(f"{cases:,} cases a run\n")
    print("| page of | made in s | MB | ready in s | frame ms p50, p95 | first search s |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        browser = playwright.chromium.launch(executable_path=chromium)
        for page_of in make(folder, cases, environment(folder / "cache")):
            ready = []
            for _ in range(rounds):
                seconds, page = opened(browser, page_of.file)
                ready.append(seconds)
                frames, search = scrolled(page), searched(page)
                page.close()
            size = page_of.file.stat().st_size / MB
            told = f"{page_of.seconds:.1f} | {size:.1f} | {spread(ready)}"
            smooth = f"{frames[0]:.0f}, {frames[1]:.0f} | {search:.2f}"
            print(f"| {page_of.name} | {told} | {smooth} |")
        browser.close()


if __name__ == "__main__":
    main()
