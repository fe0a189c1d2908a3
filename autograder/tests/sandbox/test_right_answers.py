"""No worker of a class imports a right answer, whatever confines it; a learner's own may."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from autograder.model.notebook import Cell
from autograder.model.rubric import PUBLIC_KEY
from autograder.model.rubric_files import load_rubric
from autograder.sandbox import PlainWorkers, Processes, Protection, Zygotes
from autograder.tests.helpers.drawn import whole_notebook

DRAWN = load_rubric("static_reshape").draw("static_reshape", PUBLIC_KEY)
WAYS = {
    "a rubric": "from autograder.rubrics.static_reshape import rubric",
    "a rubric by its name": "load_rubric('static_reshape')",
    "drills": "importlib.import_module('autograder.rubrics.drills.static_reshape')",
    "a solution": "importlib.import_module('solutions.09_static_reshape')",
    "the tests": "import autograder.tests.helpers.attacks",
}
TRY = """
import importlib
from autograder.model.rubric import PUBLIC_KEY
from autograder.model.rubric_files import load_rubric
found = []
for way in WAYS:
    importlib.invalidate_caches()
    try:
        exec(way)
        found.append("imported")
    except Exception as error:
        found.append(type(error).__name__)
raise ValueError("<" + " ".join(found) + ">")
"""

Workers = Zygotes | PlainWorkers


@pytest.fixture
def tried() -> Iterator[Callable[[Workers], list[str]]]:
    """Try all ways in a worker, and return what came of each."""
    opened: list[Workers] = []

    def try_all(workers: Workers) -> list[str]:
        opened.append(workers)
        cells = [Cell("solution", TRY.replace("WAYS", repr([*WAYS.values()])), "solution")]
        attempt = whole_notebook(cells, DRAWN.name)
        refused = Processes(workers=workers).observe(attempt, {DRAWN: []})[DRAWN.name].refused
        assert refused is not None
        return refused[1].message.partition("<")[2].partition(">")[0].split()

    yield try_all
    for workers in opened:
        workers.close()


@pytest.mark.slow
def test_a_worker_without_walls_imports_no_right_answer(tried):
    zygotes = Zygotes()
    zygotes.protection = Protection.LIMITS
    assert tried(zygotes) == ["ModuleNotFoundError"] * len(WAYS)


@pytest.mark.slow
def test_the_same_worker_on_this_machine(tried):
    """Behind a wall, or as another user, if that works here."""
    assert not {"imported"} & {*tried(Zygotes())}


@pytest.mark.slow
def test_a_learners_own_worker_hides_nothing(tried):
    """All of it is on the learner's disk. Outside of a checkout, there are no solutions."""
    found = dict(zip(WAYS, tried(PlainWorkers()), strict=True))
    assert found["a rubric"] == found["a rubric by its name"] == found["drills"] == "imported"
