"""What a kernel gives to every cell and keeps from it, so that cells run here as they do there.

IPython is an extra of the kit's, so the few names are made here: `display`, `In`, `Out`, `_` and
their kin. `get_ipython()` is IPython's own, imported when a cell asks for it.
"""

from __future__ import annotations

import builtins
import codeop
import contextlib
import functools
import io
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from autograder.model.student_code import IN_A_CELL

_CAPTURE = re.compile(r"\s*%%capture\b(?:[ \t]+--?[\w-]+)*[ \t]+([^\W\d]\w*)[ \t]*(?:\n|$)")


class _Displayed:
    """What `display(..., display_id=True)` returns: nobody looks at what it updates."""

    def display(self, *_objects: object, **_options: object) -> None:
        pass

    update = display


def display(*_objects: object, display_id: object = None, **_options: object) -> _Displayed | None:
    """Show nothing: nobody looks."""
    return None if display_id is None else _Displayed()


class Captured:
    """What `%%capture name` assigns to the name: the text that the cell printed."""

    def __init__(self, stdout: str, stderr: str) -> None:
        self.stdout, self.stderr, self.outputs = stdout, stderr, []

    def __str__(self) -> str:
        return self.stdout

    def show(self) -> None:
        """Show nothing: nobody looks."""

    __call__ = show


@functools.cache
def _shell_class() -> Any:
    """Return the class of IPython's shell. Its name is that in a kernel: some code asks for it."""
    from IPython.core.interactiveshell import InteractiveShell

    class ZMQInteractiveShell(InteractiveShell):
        def enable_gui(self, gui: object = None) -> None:
            """Do nothing: there is no window."""

    return ZMQInteractiveShell


class KernelShell:
    """The shell around the cells of one module.

    Attributes:
        compile: compiles the statements of cells, with the features that those before them have
            imported from `__future__`.
    """

    def __init__(self, module: ModuleType) -> None:
        self.compile: Any = codeop.Compile()  # it compiles trees, too
        self.compile.flags = IN_A_CELL
        self._module = module
        self._inputs, self._results = [""], {}
        self._last: list[Any] = ["", "", ""]
        builtins.__dict__.setdefault("display", display)
        self._give_names()

    def _give_names(self) -> None:
        names = vars(self._module)
        names["In"] = names["_ih"] = self._inputs
        names["Out"] = names["_oh"] = self._results
        names.update(zip(("_", "__", "___"), self._last, strict=True))

    def get_ipython(self) -> Any:
        """Return IPython's own shell, for what only it can do.

        Raises:
            ModuleNotFoundError: IPython is not installed here.
        """
        shell = _shell_class().instance(user_module=self._module)
        self._give_names()  # it has set its own
        vars(self._module)["get_ipython"] = self.get_ipython
        return shell

    def begin(self, source: str) -> None:
        """Note what a cell holds, before it runs."""
        if "get_ipython" in source:
            vars(self._module).setdefault("get_ipython", self.get_ipython)
        last, before, first = (*self._inputs[:0:-1], "", "", "")[:3]
        number = len(self._inputs)
        vars(self._module).update(_i=last, _ii=before, _iii=first, **{f"_i{number}": source})
        self._inputs.append(source)

    def keep_result(self, value: object) -> None:
        """Keep the value of a cell's last expression, as a kernel does when it shows one."""
        names = vars(self._module)
        if value is None or value is self._results:
            return
        number = len(self._inputs) - 1
        is_untouched = names.get("_") is self._last[0]
        self._last = [value, *self._last[:2]]
        if is_untouched:  # the student has not taken the name for something else
            names.update(zip(("_", "__", "___"), self._last, strict=True))
        names[f"_{number}"] = self._results[number] = value

    @contextlib.contextmanager
    def capturing(self, source: str) -> Iterator[None]:
        """Run a cell; where it begins with `%%capture name`, keep what it prints."""
        found = _CAPTURE.match(source)
        if found is None:
            yield
            return
        out, err = io.StringIO(), io.StringIO()
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                yield
        finally:
            vars(self._module)[found[1]] = Captured(out.getvalue(), err.getvalue())
