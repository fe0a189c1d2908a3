"""Rules of the house that no other tool checks: names, words, and where things may be used."""

import ast
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from autograder.model.report import CRITERIA

SHAPE = {"__init__", "observe", "judge", "messages"}  # what each criterion has
PLAYED = ("rubrics", "ladder")
"""Rubrics define what lessons do; every level of the ladder has the same model."""


def modules(root: Path) -> list[Path]:
    rooms = [*(root / "autograder").rglob("*.py"), *(root / "plnkit").rglob("*.py")]
    return [path for path in rooms if "tests" not in path.relative_to(root).parts]


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def repeated(found: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: places for name, places in found.items() if len(places) > 1}


def test_the_criteria_that_do_not_know_each_other_are_all(root):
    contracts = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["importlinter"]
    (apart,) = [one for one in contracts["contracts"] if one["type"] == "independence"]
    assert apart["modules"] == [f"autograder.criteria.{name}" for name in CRITERIA]


def test_no_class_name_is_used_twice(root):
    classes = defaultdict(list)
    for path in modules(root):
        if not set(PLAYED) & set(path.parts):
            for node in ast.walk(tree_of(path)):
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


READS = {"startswith", "endswith", "find", "index", "split", "rsplit", "partition", "rpartition"}
"""Methods of a text that look for words in it."""


def looks_into_message(node: ast.AST) -> bool:
    """Whether code decides by the words of a message."""

    def is_message(value: ast.AST) -> bool:
        return isinstance(value, ast.Attribute) and value.attr == "message"

    match node:
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[text]):
            return is_message(text)
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in READS:
            return is_message(value)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="re")), args=args):
            return any(map(is_message, args))
    return False


def test_what_looks_into_a_message_is_found():
    bad = ("'x' in f.message", "f.message.startswith('x')", "re.search('x', f.message)")
    good = ("f.message", "print(f.message)", "f.message.splitlines()", "'x' in f.rule")
    found = [any(map(looks_into_message, ast.walk(ast.parse(one)))) for one in (*bad, *good)]
    assert found == [True] * len(bad) + [False] * len(good)


def test_no_code_looks_into_the_words_of_a_message(root):
    found = [
        f"{path.relative_to(root)}:{node.lineno}"
        for path in modules(root)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.expr) and looks_into_message(node)
    ]
    assert found == []


PRIVATE = {"jax_private.py": ("jax._src", "jaxlib"), "custom_calls.py": ("jaxlib",)}
"""The modules that may use what is private to JAX, and what they use."""


def test_what_is_private_to_jax_is_used_in_one_place(root):
    for path in modules(root):
        tree = [*ast.walk(tree_of(path))]
        names = [
            *(node.module or "" for node in tree if isinstance(node, ast.ImportFrom)),
            *(a.name for node in tree if isinstance(node, ast.Import) for a in node.names),
        ]
        private = [name for name in names if name.startswith(("jax._src", "jaxlib"))]
        allowed = PRIVATE.get(path.name, ())
        assert [n for n in private if not n.startswith(allowed or "-")] == [], path


READ_BY_NAME = {"PAGES", "RULES"}
"""Tables that each module of messages may have."""


def imports(tree: ast.Module) -> set[str]:
    """The modules that are imported, and the names that are imported from modules."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{each.name}" for each in node.names} | {str(node.module)}
    return found


def test_no_message_is_left_that_nobody_uses(root):
    texts = {path: path.read_text(encoding="utf-8") for path in modules(root)}
    imported = {path: imports(tree_of(path)) for path in texts}
    words = {path: Counter(re.findall(r"\w+", text)) for path, text in texts.items()}
    unused = []
    for path in texts:
        if path.stem not in ("messages", "sentences", "defence_messages"):
            continue
        module = ".".join(path.relative_to(root).with_suffix("").parts)
        users = [words[other] for other, names in imported.items() if module in names]
        for name in names_defined(tree_of(path)):
            used = words[path][name] > 1 or any(name in user for user in users)
            if not used and name not in READ_BY_NAME:
                unused.append(f"{path.relative_to(root)}: {name}")
    assert unused == []


def names_defined(tree: ast.Module) -> Iterator[str]:
    """The functions, classes and constants of a module, without what a decorator registers."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.decorator_list:
            yield node.name
        for target in getattr(node, "targets", [getattr(node, "target", None)]):
            yield from [target.id] if isinstance(target, ast.Name) else []


def test_nothing_is_left_that_nobody_uses(root):
    sources = {path: path.read_text(encoding="utf-8") for path in modules(root)}
    others = [*(root / "autograder").rglob("*.html"), *(root / "autograder").rglob("*.md")]
    others += [*(root / "solutions").glob("*.py"), root / "README.md", root / "pyproject.toml"]
    texts = [*sources.values(), *(path.read_text(encoding="utf-8") for path in others)]
    count = Counter(word for text in texts for word in re.findall(r"\w+", text))
    unused = [
        f"{path.relative_to(root)}: {name}"
        for path in sources
        if path.is_relative_to(root / "autograder")
        for name in names_defined(tree_of(path))
        if count[name] == 1 and not name.startswith(("pytest_", "__"))
    ]
    assert unused == []


def without_docstring(tree: ast.AST) -> list[str]:
    """Public classes and functions, and those of public classes, that say nothing of themselves."""
    found = []
    for node in getattr(tree, "body", []):
        is_public = isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name[0] != "_"
        if is_public:
            found += [] if ast.get_docstring(node) else [node.name]
            found += without_docstring(node) if isinstance(node, ast.ClassDef) else []
    return found


def test_what_is_public_has_a_docstring(root):
    paths = [p for p in modules(root) if p.relative_to(root).parts[0] == "autograder"]
    trees = {path: tree_of(path) for path in paths}
    found = {str(p.relative_to(root)): without_docstring(t) for p, t in trees.items()}
    assert {path: names for path, names in found.items() if names} == {}


MOST_PARAMETERS = 7
COMMANDS = {"cli.py", "command.py", "report_command.py", "term_report.py"}
"""Options of a command are parameters: it may have many."""


def test_no_function_takes_many_parameters(root):
    found = []
    for path in modules(root):
        inside = path.relative_to(root).parts
        if inside[0] != "autograder" or "rubrics" in inside or path.name in COMMANDS:
            continue
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef) and node.name != "__init__":
                given = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
                if len(given) > MOST_PARAMETERS:
                    found.append(f"{path.relative_to(root)}: {node.name}")
    assert found == []
