"""A real Chromium for tests, and the few things that a person does in JupyterLab."""

from __future__ import annotations

import contextlib
import io
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from PIL import Image, PngImagePlugin
from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    NoSuchElementException,
    StaleElementReferenceException,
)
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

SECONDS = 120.0
"""For a page to come to what is waited for; a busy machine is slow, a broken page does not end."""

IN_WINDOW = "return arguments[0].getBoundingClientRect()"
TO_THE_TOP = (
    "arguments[0].style.scrollMarginTop = '80px';"  # of a header that stays above what scrolls
    "arguments[0].scrollIntoView({block: 'start'})"
)
CARD_TEXT = "card"
"""The key of a picture's text that holds what its card says."""
MARGIN = 8

NOT_YET = (
    NoSuchElementException,
    StaleElementReferenceException,
    ElementNotInteractableException,
    ElementClickInterceptedException,
)
"""What a page that is still being put together answers."""

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


# Relative luminances as in WCAG 2.1; the background is that of the nearest box that has one.
CONTRAST = """
const parts = colour => colour.match(/[0-9.]+/g).map(Number);
const luminance = colour => {
  const [r, g, b] = parts(colour).slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
let box = arguments[0];
const clear = box => (parts(getComputedStyle(box).backgroundColor)[3] ?? 1) < 1;
while (clear(box) && box.parentElement) box = box.parentElement;
const text = luminance(getComputedStyle(arguments[0]).color);
const ground = clear(box) ? 1 : luminance(getComputedStyle(box).backgroundColor);
return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
"""


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
        wait = WebDriverWait(self.driver, SECONDS, ignored_exceptions=NOT_YET)
        return wait.until(lambda _: condition(), f"in vain: {what}")

    def all(self, css: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def shown(self, css: str, text: str = "") -> WebElement | None:
        """The first element that is in sight and says `text`, if there is one now."""
        return next((e for e in self.all(css) if e.is_displayed() and text in e.text), None)

    def one(self, css: str, text: str = "") -> WebElement:
        """The first element that is in sight and says `text`."""
        return self.until(lambda: self.shown(css, text), f"{css} with {text!r}")

    def click(self, css: str, text: str = "") -> None:
        def clicked() -> bool:
            element = self.shown(css, text)
            if element is None or not element.is_enabled():
                return False
            element.click()
            return True

        self.until(clicked, f"a click on {css} with {text!r}")

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

    def contrast(self, element: WebElement) -> float:
        """Of an element's text with what is behind it: 1 is none, 21 is black on white."""
        return self.driver.execute_script(CONTRAST, element)

    def figure(self, path: Path, element: WebElement | None = None) -> None:
        """A screenshot of the window, or of one element."""
        path.parent.mkdir(parents=True, exist_ok=True)
        if element is None:
            assert self.driver.save_screenshot(str(path))
        else:
            self.scroll_to(element)
            assert element.screenshot(str(path))

    def figure_of_card(self, path: Path, first: WebElement, card: WebElement) -> None:
        """A picture of the page from an element to a card below it, which also holds its text."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.driver.execute_script(TO_THE_TOP, first)
        window = Image.open(io.BytesIO(self.driver.get_screenshot_as_png()))
        above, below = (self.driver.execute_script(IN_WINDOW, part) for part in (first, card))
        left, right = min(above["left"], below["left"]), max(above["right"], below["right"])
        bottom = below["bottom"] + MARGIN
        text = PngImagePlugin.PngInfo()
        text.add_itxt(CARD_TEXT, card.text)
        window.crop((int(left), max(0, int(above["top"])), int(right), int(bottom))).save(
            path, pnginfo=text
        )


def text_of_card(path: Path) -> str:
    """Return what the card of a picture said when the picture was made."""
    with Image.open(path) as picture:
        return picture.info[CARD_TEXT]


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
