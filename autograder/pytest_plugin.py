"""`pytest exercises`: one item for each criterion, `NN_name.ipynb::exercise::criterion`.

With `--autograder-drills`, the drills are checked too; `--autograder-lessons DIR` names a lesson
folder.

pytest loads this module in every project of the environment, so it imports nothing heavy and
collects only notebooks that carry the kit's metadata.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from autograder.learner import sentences
from autograder.learner.folder import LessonNotebook, lesson_of

if TYPE_CHECKING:
    from autograder.model.exercise import Exercise
    from autograder.model.rubric import Rubric

NOTEBOOK = "autograder-notebook"
"""User property of pytest's reports on our items, which xdist sends on: the notebook's path."""

FAILED_BY_KIT = "autograder-failed-by-kit"
"""User property of pytest's reports on items for which the kit itself failed."""


class CheckFailed(Exception):
    """A criterion is not passed; the text is for the student."""


def _explain(error: Exception) -> str:
    """Return what a learner should read where a rubric is at fault, or the kit itself."""
    from autograder.model.exercise import RubricError
    from autograder.model.kit_fault import kit_finding

    return str(error) if isinstance(error, RubricError) else kit_finding(error).message


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the kit."""
    group = parser.getgroup("autograder", "the exercises of the kit")
    group.addoption(
        "--autograder-drills", action="store_true", help="check the drills of the lessons too"
    )
    group.addoption("--autograder-lessons", metavar="DIR", help="a lesson folder of your own")


def pytest_configure(config: pytest.Config) -> None:
    """Take lesson folders from the options."""
    if folder := config.getoption("--autograder-lessons"):
        _name_lessons(Path(folder).resolve())
    if not hasattr(config, "workerinput"):  # the learner's own process, not one of xdist's
        config.pluginmanager.register(CourseSummary(config), "autograder-summary")


def _name_lessons(folder: Path) -> None:
    """Let this process and its children find a lesson folder first."""
    from autograder.lessons.course import LessonError, open_lessons
    from autograder.model.rubric_files import LESSONS, own_folders

    try:
        open_lessons(folder)
    except LessonError as error:
        raise pytest.UsageError(str(error)) from None
    os.environ[LESSONS] = os.pathsep.join(map(str, dict.fromkeys([folder, *own_folders()])))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> LessonFile | None:
    """Collect a notebook of a lesson."""
    if file_path.suffix != ".ipynb" or ".ipynb_checkpoints" in file_path.parts:
        return None
    lesson = lesson_of(file_path)
    if lesson is None:
        return None
    return LessonFile.from_parent(parent, path=file_path, lesson=lesson)


class LessonFile(pytest.File):
    """A lesson's notebook, which runs once, for the first of its items."""

    def __init__(self, lesson: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.lesson = lesson
        self.drills: Rubric | None = None
        self._reports = cache(self._check)

    def collect(self) -> Iterator[ExerciseCollector]:
        """Yield a collector for each exercise."""
        try:
            self.rubric = LessonNotebook(self.lesson, self.path).rubric()
        except Exception as error:
            raise self.CollectError(_explain(error)) from None
        for exercise in self.rubric.exercises:
            yield ExerciseCollector.from_parent(self, name=exercise.name, exercise=exercise)
        if self.config.getoption("--autograder-drills"):
            from autograder.model.rubric_files import load_drills

            self.drills = load_drills(self.lesson)
            for drill in self.drills.exercises if self.drills else ():
                yield ExerciseCollector.from_parent(self, name=drill.name, exercise=drill)

    def report(self, exercise: str, *, timed: bool) -> Any:
        """Return the report on one exercise; `timed` measures its speed, which takes a while."""
        is_drill = self.drills and exercise in [drill.name for drill in self.drills.exercises]
        return self._reports("drills" if is_drill else "speed" if timed else "")[exercise]

    def _check(self, what: str) -> dict[str, Any]:
        """Check the exercises, with their "speed" if that is asked for, or the "drills"."""
        import autograder.model.notebook  # noqa: F401  (before anybody else imports nbformat)
        from autograder.learner.checking import check_drills, check_notebook
        from autograder.learner.timing import time_notebook

        if what == "drills" and self.drills:
            reports = check_drills(self.path, self.drills)
        else:
            check = time_notebook if what == "speed" else check_notebook
            reports = check(self.path, self.rubric).reports
        return {report.exercise: report for report in reports}


class ExerciseCollector(pytest.Collector):
    """One exercise of a lesson: an item for each criterion that has points."""

    parent: LessonFile

    def __init__(self, exercise: Exercise, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.exercise = exercise

    def collect(self) -> Iterator[CriterionItem]:
        """Yield an item for each criterion."""
        from autograder.model.report import CRITERIA

        for criterion in CRITERIA:
            if criterion in self.exercise.points:
                yield CriterionItem.from_parent(self, name=criterion)


class CriterionItem(pytest.Item):
    """One criterion of one exercise."""

    parent: ExerciseCollector

    def setup(self) -> None:
        """Say which notebook the item is about."""
        self.user_properties.append((NOTEBOOK, str(self.path)))

    def runtest(self) -> None:
        """Pass, fail or skip as the criterion did."""
        try:
            self._show_result()
        except (CheckFailed, pytest.skip.Exception):
            raise
        except Exception as error:
            self.user_properties.append((FAILED_BY_KIT, True))
            raise CheckFailed(_explain(error)) from error

    def _show_result(self) -> None:
        """Raise or skip, unless the criterion is passed."""
        from autograder.model.report import Status
        from autograder.render import criterion_text

        report = self.parent.parent.report(self.parent.name, timed=self.name == "speed")
        criterion = report.criterion(self.name)
        if criterion.status in (Status.PENDING, Status.INCONCLUSIVE):
            messages = [finding.message for finding in criterion.findings]
            pytest.skip(". ".join([f"{criterion.status}: {criterion.reason}", *messages]))
        if criterion.failed_by_kit:
            self.user_properties.append((FAILED_BY_KIT, True))
        if criterion.status is not Status.PASSED:
            notes = report.notes if criterion is report.criteria[0] else ()
            text = criterion_text(criterion, practice=report.practice)
            if self.config.get_verbosity() <= 0:  # first what was seen: why is for whoever asks
                seen = criterion_text(criterion, practice=report.practice, whole=False)
                ask = sentences.VERBOSE if report.practice else sentences.HINT_OR_VERBOSE
                text = text if seen == text else f"{seen}\n{ask.format(lesson=report.lesson)}"
            raise CheckFailed("\n".join([text, *notes]))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the teaching text in the place of a traceback."""
        if isinstance(excinfo.value, CheckFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return where the item stands: file, exercise and criterion."""
        return self.path, None, f"{self.path.stem}::{self.parent.name}::{self.name}"


class CourseSummary:
    """What a learner reads besides pytest's own lines.

    The first failure is shown at once, because the other items may take a while. The last lines
    show the progress in the course and what to do next.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._folders: dict[Path, Path] = {}
        self._pending: list[str] = []
        self._has_shown_failure = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the result of an item."""
        properties = dict(report.user_properties)
        if NOTEBOOK not in properties or report.when != "call":
            return
        path = Path(str(properties[NOTEBOOK]))
        self._folders[path.parent] = path
        if report.skipped and isinstance(report.longrepr, tuple):
            name = report.nodeid.partition(".ipynb::")[2]
            self._pending.append(f"{name} {report.longrepr[2].removeprefix('Skipped: ')}")
        if report.failed and not self._has_shown_failure and FAILED_BY_KIT not in properties:
            self._has_shown_failure = True
            self._show_failure(report)

    def _show_failure(self, report: pytest.TestReport) -> None:
        terminal: Any = self._config.pluginmanager.get_plugin("terminalreporter")
        if terminal is None or self._config.option.tbstyle == "no" or terminal.verbosity < 0:
            return
        terminal.ensure_newline()
        terminal.section(sentences.FIRST_TO_FIX.format(item=report.nodeid), sep="-")
        terminal.write_line(str(report.longrepr))
        terminal.write_line("-" * 20)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter: Any) -> Generator[None, None, None]:
        """Print the points of each notebook below pytest's own summary."""
        yield  # below pytest's own lines, where a learner looks first
        if not self._folders:
            return
        from autograder.learner.notebook_record import is_writable
        from autograder.learner.standing import course_bar, read_standings, what_next

        for folder, notebook in self._folders.items():
            terminalreporter.section(f"course in {folder.name}")
            lines = list(self._pending)
            if is_writable(notebook):
                course = read_standings(folder)
                lines += [course_bar(course), what_next(course)]
            else:
                lines.append(sentences.NOT_KEPT.format(folder=folder))
            for line in lines:
                terminalreporter.write_line(line)
