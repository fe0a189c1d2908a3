"""Reports patches of modules, and of the checks themselves, before or during a check.

The public modules and this package are recorded when the package is imported.
"""

from __future__ import annotations

import sys
import types

from autograder.criteria.purity import process_state, source
from autograder.criteria.purity.findings import Findings
from autograder.criteria.purity.student import StudentModule

_PACKAGE = "autograder.criteria.purity"
_baseline: dict[str, tuple[types.ModuleType, dict[str, object]]] = {}
_own: dict[str, dict[str, object]] = {}
_codes: dict[types.FunctionType, types.CodeType] = {}


def seal() -> None:
    """Record everything as it is now; called once, at the end of the package's import."""
    for name in process_state.MODULES:
        module = sys.modules.get(name)
        if module is not None:
            _baseline[name] = (module, process_state.public_names(module))
    for name, module in list(sys.modules.items()):
        if name.startswith(_PACKAGE) and module is not None:
            _own[name] = {n: value for n, value in vars(module).items() if callable(value)}
            for value in _own[name].values():
                for function in vars(value).values() if isinstance(value, type) else (value,):
                    if isinstance(function, types.FunctionType):
                        _codes[function] = function.__code__


def _is_theirs(value: object, name: str, student: StudentModule) -> bool:
    """Check whether the student's module made a replacement, rather than other code."""
    if type(value) is types.FunctionType:
        return student.owns_function(value)
    if isinstance(value, type) or student.owns_type(type(value)):
        return student.owns_type(value if isinstance(value, type) else type(value))
    sources = source.trees(student)
    return not sources or source.stores_attribute(student, name) is not None


def check_before(student: StudentModule, report: Findings) -> None:
    """Report and undo patches made while the student's code was loaded."""
    for group, (module, names) in _baseline.items():
        now = process_state.public_names(module)
        for name, value in names.items():
            if now.get(name, value) is value:
                continue
            if _is_theirs(now[name], name, student):
                line = source.stores_attribute(student, name)
                report.add("module-patched", f"`{group}.{name}` was replaced", line)
                vars(module)[name] = value
    check_after(report)


def check_after(report: Findings) -> None:
    """Report and undo changes to this package."""
    for module_name, names in _own.items():
        module = sys.modules.get(module_name)
        for name, value in names.items():
            if module is None or vars(module).get(name) is not value:
                what = f"`{module_name}.{name}` was replaced"
                report.add("probe-tampered", what, source.stores_attribute(report.student, name))
                if module is not None:
                    setattr(module, name, value)
    for function, code in _codes.items():
        if function.__code__ is not code:
            what = f"the code of `{function.__qualname__}` was replaced"
            line = source.stores_attribute(report.student, "__code__")
            report.add("probe-tampered", what, line)
            function.__code__ = code
