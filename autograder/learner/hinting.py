"""`hint`: what helps with what failed, a little more at each call."""

from __future__ import annotations

from autograder.core.hints import about
from autograder.core.report import Status
from autograder.learner import sentences
from autograder.learner.checking import check_notebook
from autograder.learner.folder import LessonNotebook
from autograder.learner.records import write_record
from autograder.learner.standing import Standing
from autograder.render import criterion_text


def next_hint(notebook: LessonNotebook) -> str:
    """Check the lesson if it has changed, and give the next hint on what fails first.

    Raises:
        autograder.judge.client.JudgeError: the judge cannot work here.
        autograder.sandbox.zygote_client.WorkerError: no worker can be started here.
    """
    rubric = notebook.rubric()
    record = check_notebook(notebook.path, rubric)
    failing = Standing(notebook, rubric, record).first_failing()
    if failing is None:
        return sentences.NO_HINT_NEEDED.format(lesson=notebook.lesson)
    report, criterion = failing
    exercise = rubric.exercise(report.exercise)
    said = {"exercise": exercise.name, "criterion": criterion.name, "lesson": notebook.lesson}
    if criterion.status is Status.NOT_GRADED:
        return f"{sentences.BEFORE_HINTS.format(**said)}\n\n{criterion_text(criterion)}"
    key = about(exercise, criterion)
    hints = exercise.hints.get(key, ())
    if not hints:
        return f"{sentences.NO_HINTS.format(**said)}\n\n{criterion_text(criterion)}"
    given = record.hints.get(f"{exercise.name}:{key}", 0)
    tier = min(given, len(hints) - 1)
    head = sentences.HINT.format(tier=tier + 1, tiers=len(hints), **said)
    lines = [head, "", hints[tier]]
    if given >= len(hints):
        lines += ["", sentences.NO_MORE_HINTS.format(**said)]
    elif not write_record(notebook.path, record.counted(exercise.name, key)):
        lines += ["", sentences.NOT_KEPT.format(folder=notebook.path.parent)]
    return "\n".join(lines)
