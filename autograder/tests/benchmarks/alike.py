"""Counts planted copies that `report --similar` finds in the lessons' own submissions.

Each lesson's submissions are a class, all by one author, who wrote variants of one solution: people
who work alone are less alike. Half of them, drawn at random, are the class, the others what the
lesson's authors know. Five times in each lesson, one submission is handed in a second time, changed
in one of these ways:

    python -m autograder.tests.benchmarks.alike
"""

from __future__ import annotations

import ast
import random
from collections import Counter

from rich.console import Console
from rich.table import Table

from autograder.classroom.alike.features import Source, read_cells
from autograder.classroom.alike.similar import common_sources, find_pairs
from autograder.lessons.authoring import build_source
from autograder.lessons.course import find_course
from autograder.lessons.verification.submissions import find_submissions

PLANTS = 5


def own_names(tree: ast.AST) -> list[str]:
    """Names that the code binds inside functions; those of functions stay, as the task asks."""
    found: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            found[node.arg] = None
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] = None
    return [name for name in found if name != "self"]


class Rename(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = self.names.get(node.arg, node.arg)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        if isinstance(node.value, str):
            node.value = self.names.get(node.value, node.value)
        return node


def renamed(source: str) -> str:
    """All variables and parameters renamed; comments gone, and the layout is another."""
    tree = ast.parse(source)
    return ast.unparse(Rename({n: f"name_{i}" for i, n in enumerate(own_names(tree))}).visit(tree))


def reordered(source: str) -> str:
    """Neighbouring statements that do not use each other's names swapped; functions too."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        i = 0
        while i + 1 < len(body):
            first, second = body[i], body[i + 1]
            kinds = (ast.Assign, ast.FunctionDef, ast.ClassDef, ast.AugAssign)
            if isinstance(first, kinds) and isinstance(second, kinds):
                names = [{n.id for n in ast.walk(s) if isinstance(n, ast.Name)} for s in body]
                bound = [[*own_names(s), getattr(s, "name", "")] for s in body]
                if not (set(bound[i]) & names[i + 1] or set(bound[i + 1]) & names[i]):
                    body[i], body[i + 1] = second, first
                    i += 1
            i += 1
    return ast.unparse(tree)


def commented(source: str) -> str:
    """Other comments."""
    lines = ast.unparse(ast.parse(source)).splitlines()
    return "\n".join(f"{line}  # step {i}" for i, line in enumerate(lines))


def disguised(source: str) -> str:
    """All of it."""
    return commented(renamed(reordered(source)))


WAYS = {f.__name__: f for f in (str, renamed, reordered, commented, disguised)}


def source_of(text: str) -> Source:
    return Source.from_json(read_cells([(text, True)]))


def main() -> None:
    course = find_course(None)
    draw = random.Random(0)
    total: Counter[str] = Counter()
    table = Table("lesson", "class", *(f"{w}" for w in WAYS), "honest pairs", "flagged")
    for lesson in course.lessons():
        there = find_submissions(course.root, lesson.name)
        texts = {s.name: s.source.partition("\n")[2] for s in there if s.source}
        texts = {n: t for n, t in texts.items() if len(t.split()) > 10}
        draw_from = sorted(texts)
        row: Counter[str] = Counter()
        for _ in range(PLANTS):
            draw.shuffle(draw_from)
            half = len(draw_from) // 2
            common = common_sources(build_source(lesson), [texts[n] for n in draw_from[half:]])
            members = {n: source_of(texts[n]) for n in draw_from[:half]}
            victim = draw_from[0]
            row["class"] = half
            row["pairs"] += half * (half - 1) // 2
            row["flagged"] += len(find_pairs(members, common))
            for way, change in WAYS.items():
                try:
                    copied = change(texts[victim])
                except SyntaxError:
                    continue
                row[f"{way} of"] += 1
                found = find_pairs({**members, "~": source_of(copied)}, common)
                row[way] += any(set(p.students) == {victim, "~"} for p in found)
        total.update(row)
        table.add_row(lesson.name, *cells(row))
    table.add_row("all", *cells(total))
    Console(width=140).print(table)


def cells(row: Counter[str]) -> list[str]:
    ways = [f"{row[w]}/{row[f'{w} of']}" for w in WAYS]
    return [str(row["class"]), *ways, str(row["pairs"]), str(row["flagged"])]


if __name__ == "__main__":
    main()
