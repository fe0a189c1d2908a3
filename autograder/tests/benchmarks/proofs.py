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

CORPUS = Path(__file__).parents[1] / "corpus"


BESIDE = "what it does stands outside of the slice, which alone is run"
RESULT = "it computes: what is wrong is its result, or that it has none"
HARMLESS: dict[str, str] = {
    **dict.fromkeys(
        (
            *("attack_at_exit.py", "attack_ast_transformers.py"),
            *("attack_daemon_holds_pipe.py", "attack_forged_two_answers.py"),
            *("attack_import_hook.py", "attack_replaced_modules.py", "attack_thread.py"),
            *("attack_judges_pipe.py", "attack_shadows_the_kit.py", "attack_deep_recursion.py"),
            *("compilations_replaces_record.py", "cached_list_returned.py"),
            *("decorator_call_on_library_class.py", "decorator_partial_register.py"),
            *("decorator_register_library_class.py", "library_context_func.py"),
            *("own_class_named_like_builtin.py", "timeit_rebound_name.py"),
        ),
        BESIDE,
    ),
    **dict.fromkeys(
        (
            *("attack_all_bool.py", "attack_all_complex.py", "attack_all_inf.py"),
            *("attack_all_integer.py", "attack_all_key.py", "attack_all_nan.py"),
            *("attack_bfloat16.py", "attack_endless_program.py", "attack_huge_output.py"),
            *("attack_huge_program.py", "attack_int4.py", "attack_keystr_lies.py"),
            *("attack_long_names.py", "attack_nothing.py", "attack_shape_sniffing.py"),
            *("attack_surrogate_in_error.py", "attack_thousands_of_leaves.py"),
            "attack_zero_size.py",
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
    """Yield the functions of the purity corpus, and the attacks on it."""
    for path in sorted((CORPUS / "purity").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        kind = "pure" if text.startswith("# pure") else "impure"
        yield Case("purity", path.name, kind, ((path.name, text),), ("f",))


def attack_cases() -> Iterator[Case]:
    """Yield the attacks: on the probes, on the grader, and what the allow-list once admitted."""
    for path in sorted((CORPUS / "attacks").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        entry = "entry" if path.name.startswith("compilations_") else "f"
        yield Case("attacks", path.name, "attack", ((path.name, text),), (entry,))
    course = kits_course()
    for path in sorted((CORPUS / "submissions").glob("attack_*.py")):
        text = path.read_text(encoding="utf-8")
        found = re.search(r"exercise: (\w+)", text.partition("\n")[0])
        assert found is not None, path
        lesson = course.lesson(found[1])
        entries = lesson.rubric.exercise(found[1]).entry_points if lesson else ()
        cells = (("setup", "import jax\nimport jax.numpy as jnp\n"), ("solution", text))
        lost = re.search(r"must not gain: (\w+)", text.partition("\n")[0])
        yield Case(
            "submissions", path.name, "attack", cells, tuple(entries or (found[1],)),
            (lost[1],) if lost else (),
        )  # fmt: skip
    for path in sorted((CORPUS / "reaching").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        yield Case("reaching", path.name, "attack", ((path.name, text),), _defined(text))


def hidden_cases() -> Iterator[Case]:
    """Yield what hides an effect in words that the grammar admits."""
    text = (CORPUS / "hidden_effects.ipy").read_text(encoding="utf-8")
    _, head, *others = re.split(r"^# %% ", text, flags=re.MULTILINE)
    for section in others:
        name, _, source = section.partition("\n")
        cells = ("head", head.partition("\n")[2]), ("solution", source)
        yield Case("hidden", name, "attack", cells, ("f",))


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
