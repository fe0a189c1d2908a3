"""Reports patches of modules, and of the checks themselves, before or during a check.

The public modules and this package are recorded when the package is imported.
"""

from __future__ import annotations

import sys
import types

from autograder.core.seal import Seal
from autograder.criteria.purity import process, source
from autograder.criteria.purity.report import Report
from autograder.criteria.purity.student import Student

_baseline: dict[str, tuple[types.ModuleType, dict[str, object]]] = {}
_seals: list[Seal] = []


def record() -> None:
    """Record everything as it is now; called once, at the end of the package's import."""
    _seals.append(Seal("autograder.criteria.purity"))
    for name in process.MODULES:
        module = sys.modules.get(name)
        if module is not None:
            _baseline[name] = (module, process.public_names(module))


def _is_theirs(value: object, name: str, student: Student) -> bool:
    """Check whether the student's module made a replacement, rather than other code."""
    if type(value) is types.FunctionType:
        return student.owns_function(value)
    if isinstance(value, type) or student.owns_type(type(value)):
        return student.owns_type(value if isinstance(value, type) else type(value))
    sources = source.trees(student)
    return not sources or source.stores_attribute(student, name) is not None


def check_before(student: Student, report: Report) -> None:
    """Report and undo patches made while the student's code was loaded."""
    for group, (module, names) in _baseline.items():
        now = process.public_names(module)
        for name, value in names.items():
            replacement = now.get(name, value)
            if replacement is not value and _is_theirs(replacement, name, student):
                line = source.stores_attribute(student, name)
                report.add("module-patched", f"`{group}.{name}` was replaced", line)
                vars(module)[name] = value
    check_after(report)


def check_after(report: Report) -> None:
    """Report and undo changes to this package."""
    for seal in _seals:
        for path in seal.restore():
            line = source.stores_attribute(report.student, path.rpartition(".")[2])
            report.add("probe-tampered", f"`{path}` was replaced", line)
