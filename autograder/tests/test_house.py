"""One word, one thing: no class name stands for two ideas, and no two modules share a name."""

import ast
from collections import defaultdict
from pathlib import Path

SHAPE = {"__init__", "observe", "judge", "messages"}  # what each criterion has
PLAYED = ("rubrics", "ladder")
"""Rubrics define what lessons do; every level of the ladder has the same model."""


def modules(root: Path) -> list[Path]:
    rooms = [*(root / "autograder").rglob("*.py"), *(root / "plnkit").rglob("*.py")]
    return [path for path in rooms if "tests" not in path.relative_to(root).parts]


def repeated(found: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: places for name, places in found.items() if len(places) > 1}


def test_no_class_name_is_used_twice(root):
    classes = defaultdict(list)
    for path in modules(root):
        if not set(PLAYED) & set(path.parts):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    classes[node.name].append(str(path.relative_to(root)))
    assert len(classes) > 200
    assert repeated(classes) == {}


def test_no_module_name_is_used_twice(root):
    names = defaultdict(list)
    for path in modules(root):
        inside = path.relative_to(root)
        if inside.parts[0] == "autograder" and not {*PLAYED, *SHAPE} & {*inside.parts, inside.stem}:
            names[inside.stem].append(str(inside))
    assert len(names) > 150
    assert repeated(names) == {}
