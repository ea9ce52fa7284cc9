"""A page, and what it did that no page of ours may do."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page


class Watched:
    """A page under watch: `said` is what came to its console, or was raised, or asked a person;
    `asked_elsewhere` are its requests but for that for the page itself."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.said: list[str] = []
        self.asked_elsewhere: list[str] = []
        self._pages = 0
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("dialog", lambda dialog: (self.said.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: self._request(request.url, request.resource_type))

    def _request(self, url: str, kind: str) -> None:
        if kind == "document" and url.startswith("file:") and not self._pages:
            self._pages += 1
        else:
            self.asked_elsewhere.append(url)

    @property
    def status(self) -> str:
        return self.page.locator(".status").first.inner_text()

    @property
    def items(self) -> Locator:
        return self.page.locator("#list .item")

    @property
    def detail(self) -> Locator:
        return self.page.locator("#detail")

    def ids(self) -> list[str]:
        """Which cases are drawn in the list?"""
        return self.page.locator("#list .item .id b").all_inner_texts()

    def kinds(self) -> set[str]:
        return set(self.page.locator("#list .item > .badge").all_inner_texts())

    def focused(self) -> str:
        return str(
            self.page.evaluate("document.activeElement.id || document.activeElement.tagName")
        )

    def follow(self, link: Locator) -> None:
        """Clicks a link within the page, and waits until the page has turned to where it leads."""
        turned = "new Promise(done => addEventListener('hashchange', done, {once: true}))"
        self.page.evaluate(f"() => {{ window.turned = {turned}.then(() => true) }}")
        link.click()
        assert self.page.evaluate("window.turned")

    def barriers(self) -> list[Any]:
        """What keeps some people from using the page, by axe-core?"""
        found = Axe().run(self.page).response["violations"]
        return [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]
