"""A real Chromium for tests, and the few things that a person does in JupyterLab."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

SECONDS = 120.0
"""For a page to come to what is waited for; a busy machine is slow, a broken page does not end."""

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-device-scale-factor=1",
    "--window-size=1300,1000",
)


def missing() -> str:
    """Why no browser can be started here; empty when one can."""
    absent = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    return f"not installed here: {', '.join(absent)}" if absent else ""


class Page:
    """What a person sees and does; every step waits for what it needs."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def until(self, condition: Callable[[], Any], what: str) -> Any:
        """Wait for a condition and return what it gives; `what` names it in the error."""
        wait = WebDriverWait(self.driver, SECONDS)
        return wait.until(lambda _: condition(), f"in vain: {what}")

    def all(self, css: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def one(self, css: str, text: str = "") -> WebElement:
        """The first element that is shown and says `text`."""

        def found() -> WebElement | None:
            return next((e for e in self.all(css) if e.is_displayed() and text in e.text), None)

        return self.until(found, f"{css} with {text!r}")

    def click(self, css: str, text: str = "") -> None:
        element = self.one(css, text)
        self.until(element.is_enabled, f"{css} enabled")
        element.click()

    def open_notebook(self, url: str) -> None:
        """Open a notebook in JupyterLab and wait until its kernel is ready."""
        self.driver.get(url)
        self.one(".jp-NotebookPanel .jp-CodeCell")
        self.one("#jp-main-statusbar .jp-StatusBar-TextItem", "| Idle")

    def choose(self, menu: str, command: str) -> None:
        """An entry of JupyterLab's menu bar, by its command."""
        self.click(".lm-MenuBar-item", menu)
        self.click(f".lm-Menu-item[data-command='{command}']")

    def replace_text(self, cell: WebElement, text: str) -> None:
        """Put text in place of a cell's, as pasting does; a rendered text is opened first."""
        self.scroll_to(cell)
        for rendered in cell.find_elements(By.CSS_SELECTOR, ".jp-MarkdownOutput"):
            ActionChains(self.driver).double_click(rendered).perform()
        editor = self.until(
            lambda: cell.find_element(By.CSS_SELECTOR, ".cm-content"), "the cell's editor"
        )
        editor.click()
        editor.send_keys(Keys.CONTROL, "a")
        self.driver.execute_cdp_cmd("Input.insertText", {"text": text})

    def scroll_to(self, element: WebElement) -> None:
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)

    def picture(self, path: Path, element: WebElement | None = None) -> None:
        """A screenshot of the window, or of one element."""
        path.parent.mkdir(parents=True, exist_ok=True)
        if element is None:
            assert self.driver.save_screenshot(str(path))
        else:
            self.scroll_to(element)
            assert element.screenshot(str(path))


@contextlib.contextmanager
def chromium(profile: Path) -> Iterator[Page]:
    """A browser with a new profile, closed after the block."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    # Named, so that Selenium looks for no other one and downloads nothing.
    service = webdriver.ChromeService(shutil.which("chromedriver"))
    driver = webdriver.Chrome(options=options, service=service)
    try:
        yield Page(driver)
    finally:
        driver.quit()
