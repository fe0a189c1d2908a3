"""`autograder site DIR`: puts the sources of the site together, and runs Sphinx."""

from __future__ import annotations

import shutil
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

import sphinx.cmd.build

from autograder.judge.client import Judge, shared_judge
from autograder.lessons.authoring import build_exercise, notebook_text
from autograder.lessons.course import Course
from autograder.lessons.exercises import COLAB
from autograder.lessons.lesson import Lesson, LessonError
from autograder.lessons.site.course_run import run_course
from autograder.lessons.site.doc_pages import Door, find_pages, translate
from autograder.lessons.site.message_pages import check_examples, run_examples, write_pages
from autograder.model.notebook import NotebookNode, nbformat
from autograder.model.published import kits_repository
from autograder.render.card import html_card
from autograder.sandbox import shared_zygotes

SETTINGS = Path(".github") / "site"
CACHE = Path(".autograder") / "site"
"""What the lessons' notebooks showed, kept in the checkout from one build to the next."""

NEEDS_CHECKOUT = "the site is made from a checkout of the kit: there is no {path}"
NOT_A_SITE = "{path} holds something else than a site: name a new folder"
FAULTS = "Sphinx found the faults above, so {path} was left as it is"

APIS = {"api-autograder": "autograder", "api-plnkit": "plnkit"}
"""Generated pages with the docstrings of a package's public names."""

CHECKS = "Your copy runs the checks; this page does not."

CARD_OF = "prints"
"""The rule whose example shows its card on the first page."""


def build_site(course: Course, target: Path, say: Callable[[str], None], jobs: int) -> None:
    """Build the site.

    Args:
        course: the kit's, in a checkout.
        target: the folder to make; an earlier site in it is replaced.
        say: called with what is done, as it begins.
        jobs: how much is done at a time.

    Raises:
        LessonError: there is no checkout, the target holds something else, or Sphinx finds a fault.
    """
    settings = course.root / SETTINGS
    if not (settings / "conf.py").is_file():
        raise LessonError(NEEDS_CHECKOUT.format(path=settings))
    if target.exists() and any(target.iterdir()) and not (target / "searchindex.js").is_file():
        raise LessonError(NOT_A_SITE.format(path=target))
    with tempfile.TemporaryDirectory(prefix="autograder-site-") as folder:
        source, made = Path(folder) / "source", Path(folder) / "made"
        Sources(course, source).collect(say, jobs)
        say("the pages")
        options = ["-q", "-W", "--keep-going", "-j", str(jobs), "-d", f"{folder}/doctrees"]
        if sphinx.cmd.build.build_main([*options, "-b", "html", str(source), str(made)]):
            raise LessonError(FAULTS.format(path=target))
        for useless in (made / ".buildinfo", *made.glob("_static/*webpack-macros.html")):
            useless.unlink()
        (made / ".nojekyll").touch()  # GitHub Pages would leave out folders such as `_static`
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(made, target)


class Sources:
    """The folder with the sources of the site, as Sphinx reads them.

    Attributes:
        course: the kit's.
        folder: to be made.
        repository: ``"owner/name"`` on GitHub; "" if unknown.
        doors: the pages of the menu.
        lessons: of the course.
        pages: by the path of a source in the checkout, its page.
    """

    def __init__(self, course: Course, folder: Path) -> None:
        self.course, self.folder = course, folder
        self.repository, self.lessons = kits_repository(), course.lessons()
        settings = (course.root / SETTINGS / "pages.toml").read_text(encoding="utf-8")
        self.doors = [Door(**row) for row in tomllib.loads(settings)["doors"]]
        notebooks = [f"exercises/{one.notebook_name}" for one in self.lessons]
        self.pages = {
            **find_pages(self.doors, course.root),
            **dict(zip(notebooks, notebooks, strict=True)),
            "exercises/ERRORS.md": "errors/index",
        }

    def collect(self, say: Callable[[str], None], jobs: int) -> None:
        """Write all sources."""
        root = self.course.root
        shutil.copytree(root / SETTINGS, self.folder)
        shutil.copytree(root / ".github" / "figures", self.folder / "figures")
        self._collect_messages(say, jobs)
        self._collect_lessons(say, jobs)
        for door in self.doors:
            for source in (door.source, *door.under):
                if source.endswith(".md"):
                    text = self._translate((root / source).read_text(encoding="utf-8"), source)
                    below = self._below(door) if source == door.source else ""
                    self._write(f"{self.pages[source]}.md", text + below)
        for name, package in APIS.items():
            self._write(f"{name}.md", _api_page(package))

    def _collect_messages(self, say: Callable[[str], None], jobs: int) -> None:
        """Write the pages about messages, and the first page, which shows a card."""
        say("the examples of errors and rules")
        judges = [shared_judge(), *(Judge() for _ in range(jobs - 1))]
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(run_examples)  # one by one, beside what is checked
            checked = check_examples(judges, shared_zygotes())
            ran = running.result()
        for name, text in write_pages(self.lessons, ran, checked).items():
            self._write(name, text)
        index = (self.folder / "index.md").read_text(encoding="utf-8")
        card = "```{raw} html\n" + html_card(checked[CARD_OF][0]) + "\n```"
        menu = _toctree([(door.title, door.page) for door in self.doors])
        self._write("index.md", index.replace("{card}", card) + menu)

    def _collect_lessons(self, say: Callable[[str], None], jobs: int) -> None:
        """Write the notebooks with their outputs."""
        texts = {one.notebook_name: notebook_text(build_exercise(one)) for one in self.lessons}
        outputs = run_course(texts, self.course.root / CACHE, jobs, say)
        for lesson in self.lessons:
            notebook = outputs[lesson.notebook_name]
            source = f"exercises/{lesson.notebook_name}"
            for cell in notebook["cells"]:
                if cell["cell_type"] == "markdown":
                    cell["source"] = self._translate(cell["source"], source).rstrip("\n")
            self._add_ways_in(notebook, lesson)
            self._write(f"downloads/{lesson.notebook_name}", texts[lesson.notebook_name])
            self._write(source, nbformat.writes(notebook))

    def _translate(self, text: str, source: str) -> str:
        return translate(text, source, self.pages, self.repository, self.course.root)

    def _write(self, name: str, text: str) -> None:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def _below(self, door: Door) -> str:
        """Return the list of the pages under a door."""
        under = [("", self.pages.get(one, one)) for one in door.under]
        if door.page == "course":
            under += [("", f"exercises/{one.script.stem}") for one in self.lessons]
        return _toctree(under)

    def _add_ways_in(self, notebook: NotebookNode, lesson: Lesson) -> None:
        """Add a line below a lesson's title that says how to open it."""
        file = lesson.notebook_name
        ways = [f"{{download}}`Download <../downloads/{file}>`"]
        if self.repository:
            colab = f"{COLAB}/github/{self.repository}/blob/main/exercises/{file}"
            ways += [f"[Open in Colab]({colab})"]
        ways += [f"in JupyterLab: `autograder start`, then `jupyter lab exercises/{file}`"]
        title = notebook["cells"][0]
        head, _, rest = title["source"].partition("\n")
        title["source"] = f"{head}\n\n{' · '.join(ways)}. {CHECKS}\n{rest}"


def _toctree(entries: Sequence[tuple[str, str]]) -> str:
    lines = [f"{title} <{page}>" if title else page for title, page in entries]
    return "\n```{toctree}\n:hidden:\n\n" + "\n".join(lines) + "\n```\n" if lines else ""


def _api_page(package: str) -> str:
    """Return a page with the docstrings of a package's public names."""
    module = import_module(package)
    names = getattr(module, "__all__", None) or [name for name in vars(module) if name[0] != "_"]
    parts = [f"# Public names of {package}", f"Import them from `{package}`."]
    for name in sorted(names, key=str.lower):
        value = getattr(module, name)
        if getattr(value, "__module__", "").startswith(("autograder.", "plnkit.")):
            kind = "autoclass" if isinstance(value, type) else "autofunction"
            parts += [f"```{{eval-rst}}\n.. {kind}:: {package}.{name}\n```"]
    return "\n\n".join(parts) + "\n"
