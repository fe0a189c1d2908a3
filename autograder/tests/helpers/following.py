"""Follows a real call through the kit's files: `sys.setprofile` sees each function that is entered.

Counted are the files in which something happens. Not counted are the words that all rooms share
(`model/`), the plumbing of child processes (`processes/`), the rubrics, the card (`render/`), which
is made from what is decided, and what runs while a module is imported. A climb is a call from a
room to a higher one: a callback.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import autograder

HOME = str(Path(autograder.__file__).parent) + os.sep
ROOMS = (
    *("processes", "model", "programs", "errors", "render", "source", "criteria", "sandbox"),
    *("judge", "grading", "lessons", "learner", "classroom", "nbgrader_bridge", "cli.py"),
)
"""From the lowest to the highest."""
NOT_COUNTED = {"processes", "model", "rubrics", "render", "tests"}
_IMPORTS = "_call_with_frames_removed"
"""The function of `importlib` that runs a module."""


class Followed:
    """What a call went through.

    Args:
        first, last: names of functions, as ``"grading/run.py: run"``: only what happens from when
            the first is entered until the last has returned is counted; by default all.

    Attributes:
        files: paths relative to `autograder/`.
        climbs: the function that called, and the one that was called, which lies higher.
    """

    def __init__(self, first: str = "", last: str = "") -> None:
        self.files: set[str] = set()
        self.climbs: set[tuple[str, str]] = set()
        self._first, self._last, self._counts = first, last, not first

    def note(self, frame: FrameType, event: str, _: Any) -> None:
        """Note a function that is entered, as a profile hook."""
        file = frame.f_code.co_filename
        if not file.startswith(HOME):
            return
        self._counts = self._counts or _name(frame) == self._first
        if event == "return" and _name(frame) == self._last:
            self._counts = False
        if not self._counts or event != "call" or _is_importing(frame):
            return
        room = _room(file)
        if room in NOT_COUNTED:
            return
        self.files.add(file.removeprefix(HOME).replace(os.sep, "/"))
        caller = frame.f_back
        while caller is not None and not caller.f_code.co_filename.startswith(HOME):
            caller = caller.f_back
        # `called` calls the student's function, which may be one of the kit's own.
        if caller is None or caller.f_code.co_name in ("<module>", "called"):
            return
        above = _room(caller.f_code.co_filename)
        if above in ROOMS and room in ROOMS and ROOMS.index(room) > ROOMS.index(above):
            self.climbs.add((_name(caller), _name(frame)))


def _room(file: str) -> str:
    return file.removeprefix(HOME).split(os.sep)[0]


def _name(frame: FrameType) -> str:
    file = frame.f_code.co_filename.removeprefix(HOME).replace(os.sep, "/")
    return f"{file}: {frame.f_code.co_qualname}"  # type: ignore[attr-defined]


def _is_importing(frame: FrameType | None) -> bool:
    if frame is not None and frame.f_code.co_name == "<module>":
        return True
    while frame is not None:
        if frame.f_code.co_name == _IMPORTS:
            return True
        frame = frame.f_back
    return False


@contextmanager
def following(first: str = "", last: str = "") -> Iterator[Followed]:
    """Follow all calls in this process, in all threads that start meanwhile; see `Followed`."""
    followed = Followed(first, last)
    threading.setprofile(followed.note)
    sys.setprofile(followed.note)
    try:
        yield followed
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
