"""`hint`: help with what failed, a little more at each call."""

from __future__ import annotations

from autograder.core.report import Status
from autograder.learner import sentences
from autograder.learner.folder import LessonNotebook
from autograder.learner.notebook_record import write_record
from autograder.learner.standing import check_lesson
from autograder.render import criterion_text


def next_hint(notebook: LessonNotebook) -> str:
    """Check the notebook if it has changed, and return the next hint on what fails first."""
    standing = check_lesson(notebook)
    failing = standing.first_failing()
    if failing is None:
        return sentences.NO_HINT_NEEDED.format(lesson=notebook.lesson)
    report, criterion = failing
    exercise = standing.rubric.exercise(report.exercise)
    key = exercise.hint_key(criterion)
    hints = exercise.hints.get(key, ())
    words = {"exercise": exercise.name, "criterion": criterion.name, "lesson": notebook.lesson}
    if criterion.status is Status.NOT_GRADED or not hints:
        not_graded = criterion.status is Status.NOT_GRADED
        head = sentences.BEFORE_HINTS if not_graded else sentences.NO_HINTS
        return f"{head.format(**words)}\n\n{criterion_text(criterion)}"
    given = standing.record.hints.get(f"{exercise.name}:{key}", 0)
    tier = min(given, len(hints) - 1)
    head = sentences.HINT.format(tier=tier + 1, tiers=len(hints), **words)
    lines = [head, "", hints[tier]]
    if given >= len(hints):
        lines += ["", sentences.NO_MORE_HINTS.format(**words)]
    elif not write_record(notebook.path, standing.record.with_hint(exercise.name, key)):
        lines += ["", sentences.NOT_KEPT.format(folder=notebook.path.parent)]
    return "\n".join(lines)
