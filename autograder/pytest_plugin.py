"""`pytest exercises`: one item a criterion, `NN_name.ipynb::exercise::criterion`.

pytest loads this module in every project of the environment, so it imports nothing heavy and
collects only notebooks that carry the kit's metadata.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

KIT_METADATA = "autograder"


class CheckFailed(Exception):
    """A criterion that does not hold; the text is for the student."""


def _lesson(path: Path) -> str | None:
    """The lesson a notebook belongs to; by its file name when it can no longer be read."""
    try:
        return json.loads(path.read_bytes())["metadata"][KIT_METADATA]["lesson"]
    except (OSError, ValueError, KeyError, TypeError):
        stem, _, lesson = path.stem.partition("_")
        if not stem.isdigit():
            return None
    from autograder.rubric import rubric_names

    return lesson if lesson in rubric_names() else None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> LessonFile | None:
    if file_path.suffix != ".ipynb" or ".ipynb_checkpoints" in file_path.parts:
        return None
    lesson = _lesson(file_path)
    if lesson is None:
        return None
    return LessonFile.from_parent(parent, path=file_path, lesson=lesson)


class LessonFile(pytest.File):
    """A lesson's notebook; run once, when its first criterion is asked for."""

    def __init__(self, lesson: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.lesson = lesson
        self._reports: dict[str, Any] | None = None

    def collect(self) -> Iterator[ExerciseCollector]:
        from autograder.rubric import RubricError, load_rubric

        try:
            self.rubric = load_rubric(self.lesson)
        except RubricError as error:
            raise self.CollectError(str(error)) from None
        for exercise in self.rubric.exercises:
            yield ExerciseCollector.from_parent(self, name=exercise.name)

    def report(self, exercise: str) -> Any:
        """The report on one exercise, from pytest's cache when nothing has changed."""
        if self._reports is None:
            self._reports = {r.exercise: r for r in self._grade()}
        return self._reports[exercise]

    def _grade(self) -> list[Any]:
        from autograder.judge import shared_judge
        from autograder.report import Report
        from autograder.submission import grade_notebook
        from autograder.versions import engine_digest

        digest = hashlib.sha256(self.path.read_bytes() + self.rubric.digest.encode())
        digest.update(engine_digest().encode())
        key = f"autograder/{digest.hexdigest()[:32]}"
        cache = getattr(self.config, "cache", None)
        known = cache.get(key, None) if cache is not None else None
        if known is not None:
            return [Report.from_json(data) for data in known]
        reports = grade_notebook(self.path, self.rubric, shared_judge())
        if cache is not None:
            cache.set(key, [report.to_json() for report in reports])
        return reports


class ExerciseCollector(pytest.Collector):
    """One exercise of a lesson: an item for each criterion that carries points."""

    parent: LessonFile

    def collect(self) -> Iterator[CriterionItem]:
        from autograder.report import CRITERIA

        exercise = self.parent.rubric.exercise(self.name)
        for criterion in CRITERIA:
            if criterion in exercise.points:
                yield CriterionItem.from_parent(self, name=criterion)


class CriterionItem(pytest.Item):
    """One criterion of one exercise."""

    parent: ExerciseCollector

    def runtest(self) -> None:
        from autograder.card import criterion_text
        from autograder.report import Status

        report = self.parent.parent.report(self.parent.name)
        criterion = report.criterion(self.name)
        if criterion.status in (Status.PENDING, Status.INCONCLUSIVE):
            pytest.skip(f"{criterion.status}: {criterion.reason}")
        if criterion.status is not Status.PASSED:
            raise CheckFailed(criterion_text(criterion))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        from autograder.judge import JudgeError

        if isinstance(excinfo.value, CheckFailed | JudgeError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"{self.path.stem}::{self.parent.name}::{self.name}"
