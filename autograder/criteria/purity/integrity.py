"""Reports patches of modules, and of the checks themselves, before or during a check.

The public modules and this package are recorded when the package is imported.
"""

from __future__ import annotations

import sys
import types

from autograder.core.seal import Seal
from autograder.criteria.purity import process_state, source
from autograder.criteria.purity.findings import Findings
from autograder.criteria.purity.student import StudentModule

_baseline: dict[str, tuple[types.ModuleType, dict[str, object]]] = {}
_seals: list[Seal] = []


def record() -> None:
    """Record everything as it is now; called once, at the end of the package's import."""
    _seals.append(Seal("autograder.criteria.purity"))
    for name in process_state.MODULES:
        module = sys.modules.get(name)
        if module is not None:
            _baseline[name] = (module, process_state.public_names(module))


def _is_theirs(value: object, name: str, student: StudentModule) -> bool:
    """Check whether the student's module made a replacement, rather than other code."""
    if type(value) is types.FunctionType:
        return student.owns_function(value)
    if isinstance(value, type) or student.owns_type(type(value)):
        return student.owns_type(value if isinstance(value, type) else type(value))
    sources = source.trees(student)
    return not sources or source.stores_attribute(student, name) is not None


def check_before(student: StudentModule, findings: Findings) -> None:
    """Report and undo patches made while the student's code was loaded."""
    for group, (module, names) in _baseline.items():
        now = process_state.public_names(module)
        for name, value in names.items():
            replacement = now.get(name, value)
            if replacement is not value and _is_theirs(replacement, name, student):
                line = source.stores_attribute(student, name)
                findings.add("module-patched", f"`{group}.{name}` was replaced", line)
                vars(module)[name] = value
    check_after(findings)


def check_after(findings: Findings) -> None:
    """Report and undo changes to this package."""
    for seal in _seals:
        for path in seal.restore():
            line = source.stores_attribute(findings.student, path.rpartition(".")[2])
            findings.add("probe-tampered", f"`{path}` was replaced", line)
