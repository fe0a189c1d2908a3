"""Evidence by comparing results and programs, for causes that no probe has seen."""

from __future__ import annotations

import numpy as np

from autograder.criteria.purity import programs, trusted
from autograder.criteria.purity.report import Report
from autograder.criteria.purity.runs import Bench, Result, Run, captured, same
from autograder.criteria.purity.values import Token


def report_differences(
    bench: Bench,
    report: Report,
    plain: Run,
    again: Run,
    nojit: Run,
    first: Run,
    second: Run,
    later: Run,
) -> None:
    line = report.first_line(bench.function)
    if first.program is not None and second.program is not None:
        found = programs.difference(first.program, second.program, bench.student)
        if found is not None:
            what = f"traced twice, the function gives two programs: {found[0]}"
            report.add("retrace-differs", what, found[1] or line)
            return
    deleted = [r for r in (plain, again, later) if "deleted" in str(r.error or "")]
    if deleted:
        report.add("argument-donated", "an array is used after its buffer was donated", line)
        return
    if plain.result is None:
        return
    for other in (again, later):
        if other.error is None and other.result is not None:
            if not same(plain.result, other.result, exact=True):
                report.add("results-differ", "the same arguments give another result", line)
                return
        elif other.error is not None:
            what = f"the same call works first and then raises {type(other.error).__name__}"
            report.add("results-differ", what, line)
            return
    what = _jit_differs(bench, plain, nojit, first)
    if what is not None:
        # jit hands dicts over in the order of their keys: that alone is no impurity.
        bench.canonical = True
        bench.restore()
        plain, nojit, first = bench.run("plain"), bench.run("nojit"), bench.run("trace")
        bench.restore()
        what = _jit_differs(bench, plain, nojit, first)
    if what is not None:
        report.add("jit-differs", what, line)


def _jit_differs(bench: Bench, plain: Run, nojit: Run, traced: Run) -> str | None:
    if plain.result is None:
        return None
    if nojit.result is not None and not same(plain.result, nojit.result, exact=False):
        return "the function gives another result without jit"
    arrays: list[np.ndarray | Token] = [x for x in plain.result.leaves if not isinstance(x, tuple)]
    compiled = _compiled(bench, traced)
    if compiled is not None and not same(Result(arrays, ""), compiled, exact=False):
        return "the jitted function gives another result"
    return None


def _compiled(bench: Bench, traced: Run) -> Result | None:
    """The traced program's result, or None when it need not or cannot be run.

    It is run operation by operation: an unrolled loop would take long to compile as a whole.
    """
    if traced.traced is None or hasattr(bench.function, "lower"):
        return None
    try:
        with captured():
            return bench.result(trusted.as_function(traced.traced.jaxpr)(*traced.inputs))
    except Exception:
        return None
