"""Whether every exercise has its hints."""

from __future__ import annotations

from autograder.core.rubric import Exercise

TIERS = 3


def hint_problems(exercise: Exercise) -> list[str]:
    """One sentence for each criterion without three hints, and for each hint that is empty."""
    problems = []
    for criterion in exercise.points:
        if criterion not in exercise.hints:
            problems.append(f"{exercise.name}: no hints for {criterion}")
    for about, hints in exercise.hints.items():
        if len(hints) != TIERS or not all(hint.strip() for hint in hints):
            problems.append(f"{exercise.name}: {about} needs {TIERS} hints, none of them empty")
        elif len(set(hints)) != TIERS:
            problems.append(f"{exercise.name}: two hints for {about} are the same")
    return problems
