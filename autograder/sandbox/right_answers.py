"""Where the right answers lie: folders that no worker of a class may find.

The wall (`confinement`) covers them with empty folders. Where there is no wall, a submission can
still open files as its user can, but imports find nothing in them.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

_KIT = Path(__file__).resolve().parents[1]

HIDDEN = (_KIT / "rubrics", _KIT / "tests", _KIT / "lessons" / "shipped")
"""Rubrics, tests and solutions. A worker gets its part of a rubric with the request."""

_OF_A_CHECKOUT = _KIT.parent / "solutions"
"""No wall shows it, but Python finds it beside the kit."""


class _FindsNothing:
    """The finder of modules in a hidden folder."""

    def __init__(self, folder: str) -> None:
        path = Path(folder).resolve()
        if not any(path.is_relative_to(hidden) for hidden in (*HIDDEN, _OF_A_CHECKOUT)):
            raise ImportError(f"{folder} is not hidden", path=folder)  # Python asks the next hook

    def find_spec(self, name: str, target: ModuleType | None = None) -> ModuleSpec | None:
        return None


def refuse_imports() -> None:
    """Let no import find a module in the hidden folders, in this process and its forks."""
    sys.path_hooks.insert(0, _FindsNothing)
    sys.path_importer_cache.clear()
