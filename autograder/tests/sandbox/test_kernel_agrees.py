"""What a cell leaves to the next is the same in a worker as in a real kernel."""

from __future__ import annotations

import sys

import pytest

from autograder.model.notebook import Cell
from autograder.sandbox.cells import run_cells

NOTEBOOKS = {
    "await": ("import asyncio\nawait asyncio.sleep(0)\na = 1", "a"),
    "async for and with": (
        "import contextlib\n"
        "@contextlib.asynccontextmanager\nasync def lend():\n    yield 2\n"
        "async def count():\n    for i in range(3):\n        yield i\n"
        "async with lend() as b:\n    pass\n"
        "async for c in count():\n    pass\n"
        "d = [i async for i in count()]",
        "(b, c, d)",
    ),
    "a task of an earlier cell": (
        "import asyncio\nasync def later():\n    await asyncio.sleep(0)\n    return 3\n"
        "task = asyncio.create_task(later())",
        "e = await task",
        "e",
    ),
    "a running loop": (
        "import asyncio\ns = asyncio.sleep(0)\n"
        "try:\n    asyncio.run(s)\nfinally:\n    s.close()\nf = 1",
        "'f' in globals()",
    ),
    "the last result": ("4", "h = _", "5;\n", "i = _", "6", "None", "(h, i, _, __, ___)"),
    "an own underscore": ("_ = 7\n8", "_"),
    "history": ("9", "10", "(In[0], In[-3:-1], _i, _ii, len(Out))"),
    "an error at the end": ("j = 1\n1 / 0", "j"),
    "an error of compilation at the end": ("k = 1\nreturn", "k"),
    "a syntax error": ("l = 1\ndef (", "'l' in globals()"),
    "an interrupt": ("m = 1\nraise KeyboardInterrupt", "m"),
    "a name bound again": ("n = 1", "n = n + 1", "n"),
    "display": (
        "p = display('x')",
        "q = display('x', display_id=True)",
        "(p, hasattr(q, 'update'))",
    ),
    "%%time": ("%%time\nr = 1", "r"),
    "%%prun": ("%%prun -q\ns = 1", "s"),
    "%%timeit": ("%%timeit -n1 -r1\nt = 1", "'t' in globals()"),
    "%%capture": ("%%capture\nu = 1", "u"),
    "%%capture name": ("%%capture --no-stderr out\nprint('v')\nw = 1", "(out.stdout, w)"),
    "get_ipython": (
        "get_ipython().run_line_magic('matplotlib', 'inline')\nx = 1",
        "(x, type(get_ipython()).__name__)",
    ),
    "an annotation": ("y: int = 1", "__annotations__['y'] is int or __annotations__['y']"),
    "another folder": ("import os\nz = os.getcwd()\nos.chdir('/')", "os.getcwd()"),
    "and back": ("os.chdir(z)", "os.getcwd() == z"),
    "the path": ("import sys\nsys.path.append('/nowhere')", "sys.path.pop()"),
    "a future import, for all that follows": (
        "from __future__ import annotations",
        "def g(x: Nowhere): ...",
        "g.__annotations__",
    ),
}
"""By name, cells; the last is an expression that is asked for. All run in one kernel, in order."""


def _sources():
    for name, (*cells, asked) in NOTEBOOKS.items():
        yield from cells
        yield f"print('\\n' + {name!r}, repr({asked}), sep='=')"


def _answers(text):
    lines = (line.partition("=") for line in text.splitlines())
    return {name: answer for name, _, answer in lines if name in NOTEBOOKS}


@pytest.mark.slow
def test_a_worker_agrees_with_a_kernel(tmp_path, monkeypatch, capsys):
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    cells = [nbformat.v4.new_code_cell(source) for source in _sources()]
    notebook = nbformat.v4.new_notebook(cells=cells)
    options = {"timeout": 120, "allow_errors": True, "kernel_name": "python3"}
    nbclient.NotebookClient(notebook, **options).execute()
    outputs = [output for cell in cells for output in cell["outputs"]]
    kernels = _answers("".join(o["text"] for o in outputs if o["output_type"] == "stream"))
    assert set(kernels) == set(NOTEBOOKS)

    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    run_cells([Cell(f"cell-{i}", source, "") for i, source in enumerate(_sources())], tmp_path)
    assert _answers(capsys.readouterr().out) == kernels
