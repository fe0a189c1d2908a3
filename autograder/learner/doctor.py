"""`autograder doctor`: what this machine offers the kit, and how to get the rest."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import sys
from typing import Literal, NamedTuple

from rich.console import Console
from rich.table import Table

from autograder.learner.installing import installed_version
from autograder.processes.child_process import count_cores
from autograder.render.terminal import plain

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "firefox")
DRIVERS = ("chromedriver", "chromium-driver", "geckodriver")

SYMBOLS = {"good": ("✓", "green"), "less": ("–", "yellow"), "broken": ("✗", "red")}


class MachineCheck(NamedTuple):
    """One thing that the kit uses, and what was found.

    Part of the kit cannot be used where the state is "less", and nothing where it is "broken".
    `cure` then says what does not work, and how to get it.
    """

    name: str
    state: Literal["good", "less", "broken"]
    found: str
    cure: str = ""


def _versions(*packages: str) -> str:
    return ", ".join(f"{name} {installed_version(name) or 'missing'}" for name in packages)


def check_python() -> MachineCheck:
    """Check the version of Python, and count the cores."""
    return MachineCheck("Python", "good", f"{platform.python_version()} on {count_cores()} cores")


def check_jax() -> MachineCheck:
    """Check that JAX is there, and that its compiler computes right values."""
    versions = _versions("jax", "jaxlib")
    try:
        from plnkit.compiler_guard import FLAG_NAME, WrongCompilerError, canary
    except ImportError as error:
        cure = f"{error}: pip install jax, or jax[cuda13]"
        return MachineCheck("jax", "broken", versions, cure)
    try:
        canary()
    except WrongCompilerError as error:
        return MachineCheck("jax", "broken", versions, str(error))
    flags = os.environ.get("XLA_FLAGS", "")
    how = f"right with XLA_FLAGS={flags}" if FLAG_NAME in flags else "right"
    return MachineCheck("jax", "good", f"{versions}; compiled values are {how}")


def check_installation() -> MachineCheck:
    """Check that no other package has taken the kit's names."""
    try:
        from plnkit.installation import find_problem
    except ImportError as error:
        return MachineCheck("kit", "less", "cannot be tried", f"{error}: fix that first")
    problem = find_problem()
    state = "broken" if problem else "good"
    return MachineCheck("kit", state, _versions("plnkit"), problem)


def check_gpu() -> MachineCheck:
    """Check whether JAX finds a GPU."""
    try:
        import jax

        kinds = [device.device_kind for device in jax.devices("gpu")]
        return MachineCheck("GPU", "good", ", ".join(kinds))
    except (ImportError, RuntimeError):
        found = "none"
    cure = "Speed stays pending; on a GPU machine `python -m autograder.speed BUNDLE` judges it."
    if shutil.which("nvidia-smi"):
        found = "the driver, but not for JAX"
        cure += " JAX has no CUDA here: pip install 'plnkit[cuda]'."
    return MachineCheck("GPU", "less", found, cure)


def check_worker() -> MachineCheck:
    """Check what runs a learner's notebook, and the judge, by running an empty notebook."""
    try:
        from autograder.judge.client import Judge, judge_draw
        from autograder.model.kit_fault import CannotJudge
        from autograder.model.rubric import PUBLIC_KEY
        from autograder.model.rubric_files import load_lesson
        from autograder.sandbox import PlainWorkers
        from autograder.sandbox.worker_answers import try_out
    except ImportError as error:
        return MachineCheck("checks", "broken", "cannot be tried", f"{error}: fix that first")
    judge, problem = Judge(), try_out(PlainWorkers())
    try:
        drawn = load_lesson("static_branch").draw("static_branch", PUBLIC_KEY)
        judge_draw(judge, drawn, PUBLIC_KEY)
    except (CannotJudge, OSError) as error:
        problem = str(error)
    finally:
        judge.close()
    if problem:
        cure = f"No exercise can be checked here: {problem}. Please report this."
        return MachineCheck("checks", "broken", "a notebook cannot be checked", cure)
    return MachineCheck("checks", "good", "notebooks are run and judged in processes of their own")


def check_sandbox() -> MachineCheck:
    """Check what confines a submission, by confining one."""
    if sys.platform != "linux":
        cure = (
            "Learning needs none. Grading a class does: `autograder grade` works on Linux, for "
            "instance in a container or in WSL."
        )
        return MachineCheck("sandbox", "less", f"none on {platform.system()}", cure)
    try:
        from autograder.sandbox.confinement import MEANING, Protection, protection
        from autograder.sandbox.worker_answers import try_out
        from autograder.sandbox.zygote_client import Zygotes
    except ImportError as error:
        return MachineCheck("sandbox", "less", "cannot be tried", f"{error}: fix that first")

    strength = protection()
    found, _, cure = MEANING[strength].partition(". ")
    problem = try_out(Zygotes())
    if problem:
        cure = f"No submission can be graded here: {problem}. Please report this."
        return MachineCheck("sandbox", "broken", found, cure)
    if strength is Protection.NAMESPACES:
        return MachineCheck("sandbox", "good", found)
    if shutil.which("bwrap"):
        cure = (
            "bubblewrap is installed, but this system forbids it to make namespaces: allow "
            "unprivileged user namespaces, or grade in a container of its own"
        )
    return MachineCheck("sandbox", "less", found, f"{cure}.")


def check_nbgrader() -> MachineCheck:
    """Check that nbgrader is there, and the helper that it starts by name."""
    version = installed_version("nbgrader")
    if not version:
        return MachineCheck(
            "nbgrader", "less", "missing", "No courses: pip install 'plnkit[instructor]'"
        )
    if shutil.which("alembic"):
        return MachineCheck("nbgrader", "good", version)
    cure = (
        "`nbgrader` starts `alembic` by name: activate the environment first "
        "(`autograder grade` does not need it)."
    )
    return MachineCheck("nbgrader", "less", f"{version}, alembic not on PATH", cure)


def check_browser() -> MachineCheck:
    """Check for a browser that works without a screen."""
    browser = next(filter(shutil.which, BROWSERS), None)
    driver = next(filter(shutil.which, DRIVERS), None)
    parts = {"a browser": browser, "its driver": driver, "selenium": installed_version("selenium")}
    missing = [name for name, part in parts.items() if not part]
    if not missing:
        return MachineCheck("browser", "good", f"{browser} with {driver} and selenium")
    cure = "Only the tests of the notebook pages need it: apt install chromium chromium-driver"
    cure += ", pip install selenium."
    return MachineCheck("browser", "less", f"without {', '.join(missing)}", cure)


def check_peers() -> MachineCheck:
    """Check for pyPLNmodels and torch, which plnkit is compared with."""
    needed = ("pyPLNmodels", "torch", "pkg_resources")
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
    cure = "No `plnkit bench --peers`: pip install 'plnkit[peers]'." if missing else ""
    found = _versions("pyPLNmodels", "torch")
    return MachineCheck("peers", "less" if cure else "good", found, cure)


CHECKS = (
    *(check_python, check_jax, check_installation, check_gpu, check_worker, check_sandbox),
    *(check_nbgrader, check_browser, check_peers),
)


def show_machine(console: Console | None = None) -> bool:
    """Run all checks, show them, and return whether the kit can work here."""
    console = console or Console(highlight=False)
    table = Table(show_header=False, box=None, padding=(0, 1))
    found = [check() for check in CHECKS]
    for one in found:
        text = plain(one.found)
        if one.cure:
            text.append(plain(f"\n{one.cure}", "dim"))
        table.add_row(plain(*SYMBOLS[one.state]), plain(one.name), text)
    console.print(table)
    works = all(one.state != "broken" for one in found)
    if not works:
        console.print(plain("The kit cannot work here until you fix what is marked ✗.", "red"))
    return works
