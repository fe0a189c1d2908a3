"""`autograder doctor`: what this machine offers the kit, and how to get the rest."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from rich.console import Console
from rich.table import Table

from autograder.render.terminal import plain

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "firefox")
DRIVERS = ("chromedriver", "chromium-driver", "geckodriver")


class State(StrEnum):
    """How much of the kit works with what was found."""

    GOOD = "good"
    LESS = "less"
    BROKEN = "broken"

    @property
    def symbol(self) -> str:
        return {"good": "✓", "less": "–", "broken": "✗"}[self]

    @property
    def colour(self) -> str:
        return {"good": "green", "less": "yellow", "broken": "red"}[self]


@dataclass(frozen=True)
class Check:
    """One thing that was looked for.

    Attributes:
        name: of the thing.
        state: broken only where the kit cannot work.
        found: what is there.
        cure: what is missing without it, and how to get it; empty when nothing is missing.
    """

    name: str
    state: State
    found: str
    cure: str = ""


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def python() -> Check:
    """The interpreter, and how many cores it may use."""
    count = getattr(os, "sched_getaffinity", None)
    cores = len(count(0)) if count else os.cpu_count()
    return Check("Python", State.GOOD, f"{platform.python_version()} on {cores} cores")


def jax() -> Check:
    """JAX, and whether its compiler computes right values."""
    versions = ", ".join(f"{name} {_version(name) or 'missing'}" for name in ("jax", "jaxlib"))
    try:
        from plnkit.compiler_guard import FLAG_NAME, WrongCompilerError, canary
    except ImportError as error:
        return Check("jax", State.BROKEN, versions, f"{error}: pip install jax, or jax[cuda13]")
    try:
        canary()
    except WrongCompilerError as error:
        return Check("jax", State.BROKEN, versions, str(error))
    flagged = FLAG_NAME in os.environ.get("XLA_FLAGS", "")
    how = f"right with XLA_FLAGS={os.environ['XLA_FLAGS']}" if flagged else "right"
    return Check("jax", State.GOOD, f"{versions}; compiled values are {how}")


def gpu() -> Check:
    """A GPU that JAX can use."""
    try:
        import jax

        kinds = [device.device_kind for device in jax.devices("gpu")]
    except (ImportError, RuntimeError):
        kinds = []
    if kinds:
        return Check("GPU", State.GOOD, ", ".join(kinds))
    driver = shutil.which("nvidia-smi")
    cure = "Speed stays pending; on a GPU machine `python -m autograder.speed BUNDLE` judges it. "
    cure += "JAX has no CUDA here: pip install 'plnkit[cuda]'." if driver else ""
    return Check("GPU", State.LESS, "the driver, but not for JAX" if driver else "none", cure)


def sandbox() -> Check:
    """What confines the cells of a submission."""
    try:
        from autograder.sandbox.confinement import MEANING, Protection, protection
        from autograder.sandbox.zygote_client import try_out
    except ImportError as error:
        return Check("sandbox", State.LESS, "cannot be tried", f"{error}: mend that first")

    strength = protection()
    found, _, cure = MEANING[strength].partition(". ")
    problem = try_out()
    if problem:
        cure = f"No submission can be graded here: {problem}. Please report this."
        return Check("sandbox", State.BROKEN, found, cure)
    if strength is Protection.NAMESPACES:
        return Check("sandbox", State.GOOD, found)
    if shutil.which("bwrap"):
        cure = (
            "bubblewrap is installed, but this system forbids it to make namespaces: allow "
            "unprivileged user namespaces, or grade in a container of its own"
        )
    return Check("sandbox", State.LESS, found, f"{cure}.")


def nbgrader() -> Check:
    """nbgrader, and the helper that it starts by name."""
    version = _version("nbgrader")
    if version is None:
        return Check("nbgrader", State.LESS, "missing", "No courses: pip install nbgrader")
    if shutil.which("alembic") is None:
        cure = (
            "`nbgrader` starts `alembic` by name: activate the environment first "
            "(`autograder grade` does without)."
        )
        return Check("nbgrader", State.LESS, f"{version}, alembic not on PATH", cure)
    return Check("nbgrader", State.GOOD, version)


def browser() -> Check:
    """A browser that can be driven without a screen."""
    found = [name for name in BROWSERS if shutil.which(name)]
    driver = [name for name in DRIVERS if shutil.which(name)]
    if found and driver and _version("selenium"):
        return Check("browser", State.GOOD, f"{found[0]} with {driver[0]} and selenium")
    missing = [
        *(["a browser"] if not found else []),
        *(["its driver"] if not driver else []),
        *(["selenium"] if not _version("selenium") else []),
    ]
    cure = "Only the tests of the notebook pages need it: apt install chromium chromium-driver"
    cure += ", pip install selenium."
    return Check("browser", State.LESS, f"without {', '.join(missing)}", cure)


def peers() -> Check:
    """pyPLNmodels and torch: the oaks data, and what plnkit is measured against."""
    versions = {name: _version(name) for name in ("pyPLNmodels", "torch")}
    found = ", ".join(f"{name} {version or 'missing'}" for name, version in versions.items())
    if versions["pyPLNmodels"] is None:
        cure = "The oaks data come with it: pip install --no-deps pyPLNmodels is enough for them."
        return Check("pyPLNmodels", State.LESS, found, cure)
    if versions["torch"] is None or importlib.util.find_spec("pkg_resources") is None:
        cure = (
            "The oaks data are there; `plnkit bench --peers` wants more: "
            "pip install torch 'setuptools<81'"
        )
        return Check("pyPLNmodels", State.LESS, found, cure)
    return Check("pyPLNmodels", State.GOOD, found)


CHECKS: tuple[Callable[[], Check], ...] = (python, jax, gpu, sandbox, nbgrader, browser, peers)


def show(console: Console | None = None) -> bool:
    """Run all checks and show them.

    Returns:
        Whether the kit can work here.
    """
    console = console or Console(highlight=False)
    table = Table(show_header=False, box=None, padding=(0, 1))
    found = [check() for check in CHECKS]
    for check in found:
        text = plain(check.found)
        if check.cure:
            text.append(plain(f"\n{check.cure}", "dim"))
        table.add_row(plain(check.state.symbol, check.state.colour), plain(check.name), text)
    console.print(table)
    works = all(check.state is not State.BROKEN for check in found)
    if not works:
        text = "The kit cannot work here until what is marked ✗ is mended."
        console.print(plain(text, "red"))
    return works
