"""What the proof from source says about every submission, corpus and attack, and what is amiss.

    python -m autograder.tests.benchmarks.proofs [--reasons] [--more FOLDER ...]

It prints how many right submissions of each lesson are proved pure, and how many of these are one
jitted function; with `--reasons`, why the others are not. It fails where something is proved that
has an effect. A folder of `--more` holds contents of solution cells, with a line `# lesson: NAME`,
or files of their own beside a `rubric.py`; each file of it is looked at, and none may be proved but
those whose name begins with `right`.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.lessons.course import Lesson, kits_course
from autograder.lessons.solutions import lesson_cells
from autograder.lessons.verification.submissions import find_all_submissions
from autograder.model.exercise import Exercise
from autograder.source import SourceProof, prove_cells
from autograder.tests.benchmarks.purity_corpus import expected
from autograder.tests.helpers.attacks import read_attack
from autograder.tests.helpers.corpus import corpus_cases, read_head

BESIDE = "what it does stands outside of the slice, which alone is run"
RESULT = "it computes: what is wrong is its result, or that it has none"
HARMLESS: dict[str, str] = {
    **dict.fromkeys(
        (
            *("at_exit", "ast_transformers", "daemon_holds_pipe", "forged_two_answers"),
            *("import_hook", "replaced_modules", "thread", "judges_pipe", "shadows_the_kit"),
            *("deep_recursion", "replaces_record", "cached_list_returned"),
            *("decorator_call_on_library_class", "decorator_partial_register"),
            *("decorator_register_library_class", "library_context_func"),
            *("own_class_named_like_builtin", "timeit_rebound_name"),
        ),
        BESIDE,
    ),
    **dict.fromkeys(
        (
            *("all_bool", "all_complex", "all_inf", "all_integer", "all_key", "all_nan"),
            *("bfloat16", "endless_program", "huge_output", "huge_program", "int4"),
            *("keystr_lies", "long_names", "nothing", "shape_sniffing", "surrogate_in_error"),
            *("thousands_of_leaves", "zero_size"),
        ),
        RESULT,
    ),
}
"""Attacks that may be proved, each looked at by a person, and why."""


@dataclass(frozen=True)
class Case:
    """One source: `group` is its lesson or corpus; `kind` is right, wrong, pure, impure or attack.

    `lost` is the criteria that it must lose.
    """

    group: str
    name: str
    kind: str
    cells: tuple[tuple[str, str], ...]
    entries: tuple[str, ...]
    lost: tuple[str, ...] = ()
    drill: bool = False

    def prove(self) -> SourceProof:
        return prove_cells(self.cells, self.entries)


def lesson_cases() -> Iterator[Case]:
    """Yield the submissions of all lessons and drills whose purity counts, and their solutions."""
    course = kits_course()
    for lesson in course.lessons():
        given = find_all_submissions(course.root, lesson.name)
        own = [(e.name, "right", "", ()) for r in _rubrics(lesson) for e in r.exercises]
        rows = [(s.exercise, s.kind, s.name, s.must_fail, s.source) for s in given]
        rows += [(name, kind, f"the lesson's own {name}", (), None) for name, kind, _, _ in own]
        for exercise_name, kind, name, lost, source in rows:
            exercise = lesson.rubric_of(exercise_name).exercise(exercise_name)
            if "purity" not in exercise.points or kind == "empty":
                continue
            cells = _cells(lesson, exercise, kind, source)
            kind = "right" if kind == "right" else "wrong"
            drill = exercise_name in lesson.drill_names
            entries = exercise.entry_points or (exercise_name,)
            yield Case(lesson.name, name, kind, cells, tuple(entries), tuple(lost), drill)


def _rubrics(lesson: Lesson):
    return [lesson.rubric, *([lesson.drills] if lesson.drills else [])]


def _cells(
    lesson: Lesson, exercise: Exercise, kind: str, source: str | None
) -> tuple[tuple[str, str], ...]:
    from autograder.lessons.solutions import own_solution

    if kind == "right" and source is None:
        source = own_solution(lesson, exercise.name)
    cells = lesson_cells(lesson, exercise.name, source)
    return tuple((cell.id, cell.source) for cell in cells)


def purity_cases() -> Iterator[Case]:
    """Yield the functions of the purity corpus."""
    for case in corpus_cases("purity"):
        kind = expected(case).kind
        yield Case("purity", case.name, kind, ((case.name, case.text),), ("f",))


def attack_cases() -> Iterator[Case]:
    """Yield the attacks: on the probes, on the grader, and what the allow-list once admitted."""
    for file, entry in (("on_purity", "f"), ("on_compilations", "entry")):
        for case in corpus_cases(f"attacks/{file}"):
            yield Case(file, case.name, "attack", ((case.name, case.text),), (entry,))
    course = kits_course()
    for case in corpus_cases("attacks_on_the_grader"):
        attack = read_attack(case)
        lesson = course.lesson(attack.exercise)
        entries = lesson.rubric.exercise(attack.exercise).entry_points if lesson else ()
        cells = tuple((cell.id, cell.source) for cell in attack.cells)
        names, lost = tuple(entries or (attack.exercise,)), (attack.criterion,)
        yield Case("attacks_on_the_grader", case.name, "attack", cells, names, lost)
    for case in corpus_cases("reaching"):
        names = _defined(case.text)
        yield Case("reaching", case.name, "attack", ((case.name, case.text),), names)


def hidden_cases() -> Iterator[Case]:
    """Yield what hides an effect in words that the grammar admits."""
    for case in corpus_cases("hidden_effects"):
        cells = ("head", read_head(case.path)), ("solution", case.text)
        yield Case("hidden", case.name, "attack", cells, ("f",))


def more_cases(folder: Path) -> Iterator[Case]:
    """Yield the files of a folder that is no part of the kit."""
    course = kits_course()
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        found = re.search(r"^# lesson: (\w+)", text, re.MULTILINE)
        lesson = course.lesson(found[1]) if found else None
        if "rubric" in path.name:
            continue
        kind = "right" if path.name.startswith("right") else "attack"
        if lesson is not None:
            exercise = lesson.rubric.exercises[0]
            cells = tuple((c.id, c.source) for c in lesson_cells(lesson, exercise.name, text))
            entries = exercise.entry_points or (exercise.name,)
        else:
            beside = [
                *path.parent.glob("rubric.py"),
                *path.parent.glob(f"{path.stem[0]}_rubric.py"),
            ]
            checked = re.search(r"check\(\"(\w+)\"", text)
            if not beside or not checked:
                continue
            cells, entries = ((path.name, text),), (checked[1],)
        yield Case(folder.name, str(path.relative_to(folder)), kind, cells, tuple(entries))


def _defined(text: str) -> tuple[str, ...]:
    """Return all names that a source binds at its top."""
    try:
        nodes = ast.parse(text).body
    except SyntaxError:
        return ("f",)
    stored = (x for n in nodes for x in ast.walk(n) if isinstance(x, ast.Name))
    names = [x.id for x in stored if isinstance(x.ctx, ast.Store)]
    names += [n.name for n in nodes if isinstance(n, (ast.FunctionDef, ast.ClassDef))]
    return tuple(dict.fromkeys(names)) or ("f",)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reasons", action="store_true")
    parser.add_argument("--more", type=Path, action="append", default=[])
    options = parser.parse_args()
    amiss = _show_lessons(list(lesson_cases()), options.reasons)
    others = [
        *purity_cases(),
        *attack_cases(),
        *hidden_cases(),
        *(c for f in options.more for c in more_cases(f)),
    ]
    amiss += _show_others(others, options.reasons)
    print(f"\n{amiss} proved that must not be")
    return amiss


def _show_lessons(cases: list[Case], with_reasons: bool) -> int:
    reasons: Counter[str] = Counter()
    examples: dict[str, str] = {}
    amiss = 0
    total = Counter[str]()
    rows: dict[str, Counter[str]] = {}
    for case in cases:
        proof = case.prove()
        row = rows.setdefault(case.group, Counter())
        key = f"{case.kind}{' drill' if case.drill else ''}"
        for counter in (row, total):
            counter[key] += 1
            counter[f"{key} proved"] += proof.is_pure
        if case.kind == "right" and proof.unproved is not None:
            reasons[proof.unproved.reason] += 1
            place = proof.unproved.place
            line = dict(case.cells).get(place.cell, "").split("\n")[place.line - 1 : place.line]
            shown = line[0].strip() if line else ""
            examples.setdefault(proof.unproved.reason, f"{case.group}: {case.name}: {shown}")
        if case.kind == "wrong" and proof.is_pure and "purity" in case.lost:
            amiss += 1
            print(f"PROVED, loses {', '.join(case.lost)}: {case.group}: {case.name}")
    for group, row in (*rows.items(), ("all", total)):
        print(
            f"{group:18} right {row['right proved']:4}/{row['right']:<4} "
            f"drills {row['right drill proved']:4}/{row['right drill']:<4} "
            f"wrong {row['wrong proved'] + row['wrong drill proved']:4}"
            f"/{row['wrong'] + row['wrong drill']:<4}"
        )
    if with_reasons:
        for reason, count in reasons.most_common():
            print(f"{count:4} {reason}\n       {examples[reason]}")
    return amiss


def _show_others(cases: list[Case], with_reasons: bool) -> int:
    amiss = 0
    for group in dict.fromkeys(case.group for case in cases):
        some = [(case, case.prove()) for case in cases if case.group == group]
        for kind in dict.fromkeys(case.kind for case, _ in some):
            proved = [case for case, proof in some if case.kind == kind and proof.is_pure]
            count = sum(case.kind == kind for case, _ in some)
            print(f"{group:18} {kind:7} {len(proved):4}/{count:<4} proved")
            if kind in ("impure", "attack"):
                for case in proved:
                    why = HARMLESS.get(case.name, "")
                    amiss += not why
                    print(f"PROVED: {case.group}: {case.name}{f': {why}' if why else ''}")
            elif with_reasons:
                why = Counter(p.unproved.reason for c, p in some if c.kind == kind and p.unproved)
                for reason, number in why.most_common(12):
                    print(f"{number:4} {reason}")
    return amiss


if __name__ == "__main__":
    raise SystemExit(main())
