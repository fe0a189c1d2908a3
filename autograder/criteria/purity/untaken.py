"""Mutations and impure calls behind branches that these arguments did not take."""

from __future__ import annotations

import ast
import builtins
import sys
import types
from collections.abc import Iterator

from autograder.criteria.purity.changed import covered_lines, is_static_memo
from autograder.criteria.purity.impure_calls import impurity_of
from autograder.criteria.purity.origins import Origin, Origins
from autograder.criteria.purity.report import Report
from autograder.criteria.purity.runs import Bench
from autograder.criteria.purity.source import (
    Function,
    Mutation,
    chain_of,
    executed,
    functions,
    mutations,
    numbered_steps,
    outer_changes,
    own_nodes,
)
from autograder.criteria.purity.student import unwrap
from autograder.criteria.purity.values import instance_dict
from autograder.criteria.purity.walk import snapshot

_MUTABLE = (list, dict, set, bytearray)


def _resolve(bench: Bench, chain: tuple[str, ...]) -> object:
    """The object behind `name.attribute...` in the student's namespace; None if unknown."""
    value = bench.student.namespace.get(chain[0], vars(builtins).get(chain[0]))
    for part in chain[1:]:
        if not part.startswith("."):
            return None
        name = part[1:]
        if isinstance(value, types.ModuleType):
            value = vars(value).get(name)
        else:
            value = (instance_dict(value) or {}).get(name)
    return value


def _origins(bench: Bench, called: list[Function]) -> Origins:
    code = getattr(unwrap(bench.function), "__code__", None)
    return Origins(
        called,
        resolve=lambda chain: _resolve(bench, chain),
        lives=lambda value: _can_change(bench, value),
        is_entry=lambda function: code is not None and function.matches(code),
        copied=hasattr(bench.function, "lower"),
    )


def _can_change(bench: Bench, value: object) -> bool:
    return isinstance(value, _MUTABLE) or bench.student.owns_type(type(value))


def _origin(
    bench: Bench, mutation: Mutation, ran: list[Function], called: list[Function], origins: Origins
) -> Origin:
    """Find where the object comes from that a mutation changes, as far as the source can tell.

    Unknown only in functions that did not run: what those that ran are given, the runs have shown.
    """
    owner = mutation.function.owner(mutation.root)
    if owner is None:
        known = mutation.how == "assigned" or _can_change(bench, _resolve(bench, mutation.chain))
        return Origin.OUTSIDE if known else Origin.INSIDE
    if owner not in called:
        return Origin.OUTSIDE  # of a function that has returned
    if mutation.how == "assigned" and len(mutation.chain) == 1:
        return Origin.INSIDE  # `nonlocal`, of a function of this call
    found = origins.of(mutation.function, mutation.root)
    if found is Origin.ARGUMENT:
        # An array has methods of the same names, which change nothing.
        changes = mutation.how in ("assigned", "append") and len(mutation.chain) > 1
        return Origin.OUTSIDE if changes else Origin.INSIDE
    return Origin.INSIDE if found is Origin.UNKNOWN and owner in ran else found


def _patches_library(bench: Bench, mutation: Mutation) -> bool:
    """Whether a library's object changes, which no snapshot sees: `jnp.sum.calls = 1`."""
    if mutation.function.owner(mutation.root) is not None or len(mutation.chain) < 2:
        return False
    value = _resolve(bench, mutation.chain[:1])
    return isinstance(value, types.ModuleType) and mutation.how == "assigned"


def _is_guarded(mutation: Mutation) -> bool:
    """Whether an `if` or `try` around it names the target: `if key not in CACHE: ...`."""
    for node in own_nodes(mutation.function.node):
        if not isinstance(node, (ast.If, ast.Try)):
            continue
        if node.lineno <= mutation.line <= (node.end_lineno or 0):
            guards = [node.test] if isinstance(node, ast.If) else node.body
            names = (n for guard in guards for n in ast.walk(guard) if isinstance(n, ast.Name))
            if any(name.id == mutation.root for name in names):
                return True
    return False


def _reachable(bench: Bench, ran: list[Function], known: list[Function]) -> list[Function]:
    """Find functions that untaken branches would call, by the names in the code that ran."""
    found: list[Function] = []
    todo = list(ran)
    while todo:
        for node in own_nodes(todo.pop().node):
            if not isinstance(node, ast.Call):
                continue
            chain = chain_of(node.func)
            target = unwrap(_resolve(bench, chain)) if chain else None
            code = getattr(target, "__code__", None)
            for function in known:
                new = function not in found and function not in ran
                if code is not None and new and function.matches(code):
                    found.append(function)
                    todo.append(function)
    return found


def _check_bytecode(bench: Bench, report: Report) -> None:
    """Do the same without source: globals and their mutating methods only."""
    found = [
        c
        for c in outer_changes(bench.hits.codes)
        if not c.free
        and (c.how == "assigned" or isinstance(bench.student.namespace.get(c.name), _MUTABLE))
    ]
    if found:
        covered = covered_lines(bench, {(c.code.co_filename, c.line) for c in found})
        for change in found:
            if (change.code.co_filename, change.line) not in covered:
                what = f"`{change.name}`, which lives outside the call, would change here"
                report.add("untaken-mutation", what, change.line, change.code.co_filename)


def _report_sys_modules(bench: Bench, report: Report) -> None:
    """Report that `sys.modules` is read: that is no call, so no probe sees it."""
    for code in bench.hits.codes:
        previous = None
        for step, line in numbered_steps(code):
            if previous is not None and step.argval == "modules":
                value = bench.student.namespace.get(previous.argval)
                if previous.opname in ("LOAD_GLOBAL", "LOAD_FAST") and value is sys:
                    what = "sys.modules is read: it tells who is running the function"
                    report.add("inspects-interpreter", what, line, code.co_filename)
            previous = step


def check(bench: Bench, report: Report) -> None:
    _report_sys_modules(bench, report)
    known = functions(bench.student)
    if not known:
        _check_bytecode(bench, report)
        return
    ran = executed(known, bench.hits.codes)
    called = ran + _reachable(bench, ran, known)
    origins = _origins(bench, called)
    origin = {m: _origin(bench, m, ran, called, origins) for f in called for m in mutations(f)}
    found = [m for m, where in origin.items() if where is not Origin.INSIDE]
    calls = [c for f in called for c in _impure_calls(bench, f)]
    if not found and not calls:
        return
    lines = {(m.function.filename, m.line) for m in found}
    covered = covered_lines(bench, lines | {(f.filename, line) for f, line, _, _ in calls})
    for mutation in found:
        if _patches_library(bench, mutation):
            what = f"`{''.join(mutation.chain)}` of a library is changed"
            report.add("module-patched", what, mutation.line, mutation.function.filename)
            continue
        if (mutation.function.filename, mutation.line) in covered & lines:
            continue
        if _is_guarded(mutation):
            _report_refilled(bench, report, mutation)
            continue
        name = "".join(mutation.chain).replace("[]", "[...]")
        if origin[mutation] is Origin.UNKNOWN:
            rule, what = "untaken-effect", f"`{name}`, which may live outside the call"
        else:
            rule, what = "untaken-mutation", f"`{name}`, which lives outside the call"
        what = f"{what}, would change here"
        report.add(rule, what, mutation.line, mutation.function.filename)
    for function, line, rule, what in calls:
        if (function.filename, line) not in covered:
            mild = rule in ("prints", "logs", "warns", "debug-print")
            rule = "untaken-effect" if mild else "untaken-mutation"
            report.add(rule, f"{what} behind a branch", line, function.filename)


def _impure_calls(bench: Bench, function: Function) -> Iterator[tuple[Function, int, str, str]]:
    for node in own_nodes(function.node):
        if not isinstance(node, ast.Call):
            continue
        chain = chain_of(node.func)
        if chain is None or function.owner(chain[0]) is not None:
            continue
        impurity = impurity_of(_resolve(bench, chain))
        if impurity is not None:
            yield function, node.lineno, *impurity


def _report_refilled(bench: Bench, report: Report, mutation: Mutation) -> None:
    """Empty a guarded memo that earlier calls have filled, and watch it being filled."""
    value = _resolve(bench, mutation.chain[:1])
    if mutation.function.owner(mutation.root) is not None:
        return
    if isinstance(value, (dict, list, set)):
        value.clear()
    else:
        bench.student.namespace[mutation.root] = None
    warm = bench.start
    bench.start = snapshot(bench.student, bench.function, saving=True)
    try:
        plain = bench.run("plain", before=bench.start)
        again = bench.run("plain", before=plain.after)
        bench.restore()
        trace = bench.run("trace", before=bench.start)
        bench.restore()
        cold = [r for r in (plain, trace) if r.error is None]
        for change in plain.changed:
            if change.root != mutation.root:
                continue
            if is_static_memo(bench, change, cold, [again]):
                rule, what = "static-memo", "remembers a static value"
            else:
                rule, what = "global-mutated", "keeps what an earlier call computed"
            what = f"`{change.path}` {what}"
            report.add(rule, what, mutation.line, mutation.function.filename)
    finally:
        bench.start = warm
        bench.restore()
