"""A plug-in of pytest: limits on what tests compile, and a report of it.

    @pytest.mark.compiles(at_most=1)     a limit for a test
    def test_fit(compiles): ...          `autograder.compiles`, as a fixture
    pytest --compiles-report             what each test compiled, how long it took, and why again

pytest loads this module in every project of the environment. So it imports pytest alone, and the
rest when a test asks for it. It never imports jax before the project does.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Generator
from contextlib import ExitStack
from importlib.abc import MetaPathFinder
from types import ModuleType
from typing import Any

import pytest

MARK = "compiles"
ATTRIBUTE = "plnkit_compiled"
"""Of pytest's reports, which xdist sends on as JSON: what was compiled since the last one."""


@pytest.fixture
def compiles() -> Any:
    """Limit what a block compiles: `with compiles(at_most=1): ...`; see `autograder.compiles`."""
    import autograder

    return autograder.compiles


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for the report."""
    parser.getgroup("compiles", "what tests compile with jax.jit").addoption(
        "--compiles-report",
        action="store_true",
        help="list what each test compiled, how long it took, and why again (all of it with -v)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Explain the mark, and record what is compiled, for the report."""
    config.addinivalue_line(
        "markers",
        f"{MARK}(at_most, of=None): fail where the test compiles more programs of the project's "
        "functions; see autograder.compiles",
    )
    if config.getoption("--compiles-report"):
        config.pluginmanager.register(CompilationRecorder(config), "compiles-recorder")
        if not hasattr(config, "workerinput"):  # not one of xdist's workers
            config.pluginmanager.register(CompilationSummary(), "compiles-summary")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Hold a test to the limit of its nearest mark.

    A mark without arguments is another project's: it limits nothing.
    """
    mark = item.get_closest_marker(MARK)
    if mark is None or not (mark.args or mark.kwargs):
        return (yield)
    from autograder.criteria.compilations import messages
    from autograder.criteria.compilations.limit import Limit, TooManyCompilations

    if mark.args or "at_most" not in mark.kwargs or mark.kwargs.keys() - {"at_most", "of"}:
        pytest.fail(messages.MARK_FORM, pytrace=False)
    try:
        with Limit(mark.kwargs["at_most"], mark.kwargs.get("of"), str(item.path)):
            return (yield)
    except TooManyCompilations as failure:
        text = str(failure)
    pytest.fail(text, pytrace=False)


class CompilationRecorder:
    """Records what this process compiles, from the moment at which the project imports jax."""

    def __init__(self, config: pytest.Config) -> None:
        self._near = str(config.rootpath / "pyproject.toml")
        self._stack = ExitStack()
        self._watch: Any = None
        self._imported: int | None = None  # how many were compiled before the first test
        self._reported = 0
        if "jax" in sys.modules:
            self._start()
        else:
            sys.meta_path.insert(0, _AfterImport("jax", self._start))

    def _start(self) -> None:
        from autograder.criteria.compilations.limit import recording

        self._watch = self._stack.enter_context(recording(self._near))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        """Note what was compiled as the tests were imported: it is no test's."""
        if self._imported is None:
            self._imported = len(self._watch.compilations) if self._watch else 0

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Add what was compiled to the report on a phase of a test."""
        report = yield
        if self._watch is not None and len(self._watch.compilations) > self._reported:
            setattr(report, ATTRIBUTE, self._compiled_for(report.nodeid))
            self._reported = len(self._watch.compilations)
        return report

    def _compiled_for(self, test: str) -> list[tuple[str, Any]]:
        """Return what was compiled since the last report, each with the test that it belongs to."""
        from autograder.criteria.compilations.compiled_report import describe
        from autograder.criteria.compilations.watch import explain

        earlier = self._watch.compilations[: self._reported]
        new = explain(self._watch.compilations[self._reported :], earlier)
        imported = (self._imported or 0) - self._reported
        return [("" if i < imported else test, describe(one)) for i, one in enumerate(new)]

    def pytest_unconfigure(self) -> None:
        """Stop recording."""
        self._stack.close()


class CompilationSummary:
    """Collects what the tests compiled, here or in xdist's workers, and lists it at the end."""

    def __init__(self) -> None:
        self._compiled: dict[str, list[Any]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what a test compiled."""
        for test, one in getattr(report, ATTRIBUTE, ()):
            self._compiled.setdefault(test, []).append(one)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """List it."""
        from autograder.criteria.compilations.compiled_report import report_lines

        terminalreporter.section("compilations")
        for line in report_lines(self._compiled, in_full=terminalreporter.verbosity > 0):
            terminalreporter.write_line(line)


class _AfterImport(MetaPathFinder):
    """Finds one module as others do, and calls a function once it is imported."""

    def __init__(self, name: str, then: Callable[[], None]) -> None:
        self._name, self._then = name, then

    def find_spec(self, fullname: str, path: Any, target: ModuleType | None = None) -> Any:
        if fullname != self._name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is None or spec.loader is None:
            return spec
        loader: Any = spec.loader
        execute = loader.exec_module

        def execute_then(module: ModuleType) -> None:
            del loader.exec_module  # the loader's own again
            execute(module)
            self._then()

        loader.exec_module = execute_then
        return spec
