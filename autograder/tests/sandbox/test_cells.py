import dataclasses
import inspect
import sys

import pytest

from autograder.model.notebook import Cell
from autograder.sandbox.cells import run_cells


@pytest.fixture(autouse=True)
def _keep_main(monkeypatch):
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


def cells(*sources):
    return [Cell(f"cell {i}", source, "") for i, source in enumerate(sources)]


def test_cells_share_a_module_whose_source_is_at_hand(tmp_path):
    module, errors = run_cells(cells("a = 1", "def f():\n    return a + 1"), tmp_path)
    assert not errors
    assert module.f() == 2
    assert inspect.getsource(module.f) == "def f():\n    return a + 1\n"


def test_a_failing_cell_is_passed_over(tmp_path):
    module, errors = run_cells(cells("1 / 0", "def f(:", "raise SystemExit", "b = 2"), tmp_path)
    kinds = [type(e.error) for e in errors]
    assert kinds == [ZeroDivisionError, SyntaxError, SystemExit]
    assert [e.cell.id for e in errors] == ["cell 0", "cell 1", "cell 2"]
    assert module.b == 2


def test_dataclasses_find_their_module(tmp_path):
    source = "from dataclasses import dataclass\n@dataclass\nclass A:\n    x: 'int' = 1"
    module, errors = run_cells(cells(source), tmp_path)
    assert not errors
    assert dataclasses.asdict(module.A()) == {"x": 1}


def test_magics(tmp_path):
    module, errors = run_cells(cells("%timeit -n1 -r1 1 + 1\nx = 3\n", "y = 2 % 3"), tmp_path)
    assert not errors
    assert (module.x, module.y) == (3, 2)


def test_our_future_imports_do_not_leak_into_cells(tmp_path):
    module, _ = run_cells(cells("def f(x: int): ..."), tmp_path)
    assert module.f.__annotations__ == {"x": int}


@pytest.mark.parametrize(
    "source",
    ["# ready?\nx = 1", "s = '{} }\\\n... }'\n# is it?", "s = (f'){1}'\n% 2 if 0 else 3)  # = %d"],
)
def test_plain_python_runs_as_it_was_read(source, tmp_path):
    """The allow-list reads what Python does: IPython must not change it, nor be within reach."""
    module, errors = run_cells(cells(source), tmp_path)
    expected = {}
    exec(source, expected)
    assert not errors
    assert not hasattr(module, "get_ipython")
    assert {name: vars(module)[name] for name in ("s", "x") if name in expected} == {
        name: value for name, value in expected.items() if name in ("s", "x")
    }
