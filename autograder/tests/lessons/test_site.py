"""The site in a real browser, from the files on the disk: no server."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from plnkit.tests.needs import reason_without

pytest.importorskip("sphinx_book_theme", reason=reason_without("sphinx_book_theme", "site"))
pytest.importorskip("selenium", reason=reason_without("selenium", "dev"))

from autograder.lessons.rule_pages import rule_pages
from autograder.lessons.site.message_pages import error_slug, listed_rows
from autograder.tests.helpers import browser
from autograder.tests.helpers.browser import Page

pytestmark = pytest.mark.slow
in_browser = pytest.mark.skipif(bool(browser.missing()), reason=browser.missing())

LOOKED_AT = (
    "index.html",
    "course.html",
    "exercises/00_puzzles.html",
    "exercises/07_safe_where.html",
    "compiles-again.html",
    "rules/index.html",
    "rules/compiled-again.html",
    "errors/index.html",
    "teach.html",
    "plnkit.html",
    "changes.html",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    """The site; AUTOGRADER_SITE names one that was built before."""
    if built := os.environ.get("AUTOGRADER_SITE"):
        return Path(built).resolve()
    target = tmp_path_factory.mktemp("site") / "site"
    command = [sys.executable, "-m", "autograder", "site", str(target), "--jobs", "2"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return target


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser.chromium(tmp_path_factory.mktemp("browser")) as page:
        yield page


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    kept = os.environ.get("AUTOGRADER_PICTURES")
    return Path(kept).resolve() if kept else tmp_path_factory.mktemp("figures")


class Parts(HTMLParser):
    """What a page links to, loads, and has an id for."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.ids: set[str] = set()
        self.no_alt: list[str] = []
        self.landmarks: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value or "" for key, value in attrs}
        self.ids.add(given.get("id", ""))
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in ("script", "img", "iframe") and "src" in given:
            self.loaded.append(given["src"])
        if tag == "link" and given.get("rel") in ("stylesheet", "preload", "icon", "modulepreload"):
            self.loaded.append(given["href"])
        if tag == "img" and not given.get("alt"):
            self.no_alt.append(given.get("src", ""))
        if tag in ("main", "nav", "header", "footer", "article"):
            self.landmarks.add(tag)


def pages_of(site: Path) -> dict[Path, Parts]:
    files = [file for file in site.rglob("*.html") if "_static" not in file.parts]
    return {file: Parts(file.read_text(encoding="utf-8")) for file in files}


def test_every_error_and_every_rule_has_its_page(site: Path) -> None:
    names = [f"errors/{error_slug(row)}" for _, row in listed_rows()]
    names += [f"rules/{rule}" for rule in rule_pages()]
    assert len(names) == len(set(names)) > 150
    assert [name for name in names if not (site / f"{name}.html").is_file()] == []


def test_every_page_of_an_error_shows_what_running_it_printed(site: Path) -> None:
    for _, row in listed_rows():
        text = (site / f"errors/{error_slug(row)}.html").read_text(encoding="utf-8")
        assert "Code that raises it" in text and "It raises:" in text, row.says
        assert "The same code, repaired" in text and "Lessons that practise this" in text


def test_every_internal_link_leads_somewhere(site: Path) -> None:
    pages, broken = pages_of(site), []
    assert len(pages) > 200
    for file, parts in pages.items():
        for link in parts.links + parts.loaded:
            address = urlsplit(link)
            if address.scheme or not (address.path or address.fragment):
                continue
            target = (file.parent / unquote(address.path)).resolve() if address.path else file
            if not target.exists():
                broken.append(f"{file.relative_to(site)}: {link}")
            elif target in pages and address.fragment:
                ids = pages[target].ids
                broken += [] if unquote(address.fragment) in ids else [f"{file.name}: {link}"]
    assert broken == []


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for file, parts in pages_of(site).items():
        assert [src for src in parts.loaded if urlsplit(src).netloc] == [], file
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        assert re.findall(r"url\(['\"]?(?:https?:)?//[^)]*\)", text) == [], style


def test_pages_can_be_read_aloud(site: Path) -> None:
    for file, parts in pages_of(site).items():
        if file.name in ("search.html", "genindex.html"):
            continue
        assert parts.no_alt == [], file
        text = file.read_text(encoding="utf-8")
        assert text.count("<h1>") - text.count('class="onlyprint"') == 1, file
        assert {"main", "nav"} <= parts.landmarks, file


def test_no_line_of_the_page_names_this_machine(site: Path) -> None:
    home = str(Path.home())
    found = [
        file.relative_to(site)
        for file in site.rglob("*.html")
        if re.search(
            rf"{home}/|/tmp/(autograder|ipykernel)|0x[0-9a-f]{{8}}",
            file.read_text(encoding="utf-8"),
        )
    ]
    assert found == []


@in_browser
@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("TracerBoolConversionError", "TracerBoolConversionError: Attempted boolean conversion"),
        ("UnexpectedTracerError", "UnexpectedTracerError"),
        ("scan body output must be a pair", "TypeError: scan body output must be a pair"),
        ("compiled-again", "compiled-again"),
    ],
)
def test_search_finds_the_page_first(site: Path, page: Page, words: str, title: str) -> None:
    page.driver.get((site / "search.html").as_uri() + f"?q={words.replace(' ', '+')}")
    first = page.one("#search-results li a")
    assert first.text.startswith(title), first.text


@in_browser
def test_search_begins_on_any_page(site: Path, page: Page) -> None:
    page.driver.set_window_size(1300, 1000)
    page.driver.get((site / "index.html").as_uri())
    page.click(".search-button, .search-button__button")
    field = page.one("dialog input[type=search], .search-button__search-container input")
    field.send_keys("TracerBoolConversionError\n")
    first = page.one("#search-results li a")
    assert first.text.startswith("TracerBoolConversionError: ")


@in_browser
@pytest.mark.parametrize("name", LOOKED_AT)
def test_a_phone_scrolls_down_only(site: Path, page: Page, figures: Path, name: str) -> None:
    page.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True},
    )
    page.driver.get((site / name).as_uri())
    page.one("main h1")
    wide = page.driver.execute_script(
        "return [document.documentElement.scrollWidth, window.innerWidth]"
    )
    page.figure(figures / f"site-phone-{name.replace('/', '-')}.png")
    page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert wide[0] <= 360, wide


@in_browser
@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("name", LOOKED_AT)
def test_text_stands_out(site: Path, page: Page, figures: Path, name: str, mode: str) -> None:
    page.driver.get((site / name).as_uri())
    page.driver.execute_script(
        "document.documentElement.dataset.theme = arguments[0];"
        "document.documentElement.dataset.mode = arguments[0];",
        mode,
    )
    page.one("main h1")
    page.figure(figures / f"site-{mode}-{name.replace('/', '-')}.png")
    texts = page.all("main p, main li, main td, main h1, main h2, main pre span, main a, nav a")
    low = {
        f"{text.tag_name}.{text.get_attribute('class')} {text.text[:40]}: {ratio:.1f}"
        for text in texts[:400]
        if text.is_displayed() and text.text and (ratio := page.contrast(text)) < 4.5
    }
    assert low == set()


@in_browser
def test_the_console_is_quiet(site: Path, page: Page) -> None:
    page.driver.get_log("browser")
    for name in LOOKED_AT:
        page.driver.get((site / name).as_uri())
        page.one("main h1")
        assert page.driver.get_log("browser") == [], name


@in_browser
@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("recompiles tuple list", "Why jit compiles again"),
        ("lesson of your own", "Write a lesson of your own"),
        ("fit counts table", "Tables, covariates, offsets and formulas"),
    ],
)
def test_a_reader_finds_what_brought_them(site: Path, page: Page, words: str, title: str) -> None:
    page.driver.get((site / "search.html").as_uri() + f"?q={words.replace(' ', '+')}")
    page.one("#search-results li a")
    page.one("#search-results", "search")  # all are listed
    found = [link.text for link in page.all("#search-results li a")][:8]
    assert any(text.startswith(title) for text in found), found
