"""What a class stumbled over: the same finding counted over all submissions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.classroom.outcome import Outcome
from autograder.core.finding import Finding


@dataclass(frozen=True)
class Mistake:
    """One rule that submissions broke.

    Attributes:
        exercise, criterion, rule: where and what.
        students: who, each once, in the class's order.
        example: the finding whose message is the most frequent.
        example_of: whose finding that is.
    """

    exercise: str
    criterion: str
    rule: str
    students: tuple[str, ...]
    example: Finding
    example_of: str

    @property
    def says(self) -> str:
        """The example's message, without the line number that is shown beside it."""
        return self.example.message.removeprefix(f"Line {self.example.line}: ")


def mistakes(outcomes: Sequence[Outcome]) -> list[Mistake]:
    """All mistakes of a class, the most frequent first; warnings, which cost nothing, do not count.

    Args:
        outcomes: of one assignment, by student.
    """
    found: dict[tuple[str, str, str], list[tuple[str, Finding]]] = defaultdict(list)
    for outcome in outcomes:
        for report in outcome.reports:
            for criterion in report.criteria:
                if criterion.reason == "outputs-first":
                    continue  # what follows from wrong outputs is no second mistake
                for finding in criterion.findings:
                    if finding.severity == "error":
                        key = (report.exercise, criterion.name, finding.rule)
                        found[key].append((outcome.student, finding))
    listed = []
    for (exercise, criterion, rule), seen in found.items():
        usual = Counter(finding.message for _, finding in seen).most_common(1)[0][0]
        student, example = next(s for s in seen if s[1].message == usual)
        students = tuple(dict.fromkeys(student for student, _ in seen))
        listed.append(Mistake(exercise, criterion, rule, students, example, student))
    return sorted(listed, key=lambda m: -len(m.students))
