"""Judges of a class that several threads share: as few as keep up with the requests."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any

from autograder.judge.client import Judge

WAIT_SECONDS = 2.0
"""How long a request waits for a busy judge before another one is started."""


class JudgePool:
    """Passes each request to a judge that is free; use it like a `Judge`.

    A judge takes a second to start, and keeps the results of a rubric's references. So a request
    waits a little before it starts another judge, but not for a program that never ends.
    """

    def __init__(self) -> None:
        self._free: list[Judge] = []
        self._all: list[Judge] = []
        self._changed = threading.Condition()

    def launch(self, devices: int = 1) -> None:
        """Start the first judge without waiting for it."""
        with self._changed:
            if not self._all:
                self._free.append(self._add())
                self._free[-1].launch(devices)

    def _add(self) -> Judge:
        self._all.append(Judge(apart=True))
        return self._all[-1]

    def _take(self, devices: int) -> Judge:
        end = time.monotonic() + WAIT_SECONDS
        with self._changed:
            while not self._free:
                left = end - time.monotonic()
                if left <= 0 or not self._all:
                    return self._add()
                self._changed.wait(left)
            judge = next((j for j in self._free if j.devices == devices), self._free[-1])
            self._free.remove(judge)
            return judge

    def ask(
        self, header: dict[str, Any], blobs: Sequence[bytes] = (), seconds: float = 30.0
    ) -> dict[str, Any]:
        """Send one request and wait for the answer. Raises the exceptions of `Judge.ask`."""
        judge = self._take(header.get("devices", 1))
        try:
            return judge.ask(header, blobs, seconds)
        finally:
            with self._changed:
                self._free.append(judge)
                self._changed.notify()

    def close(self) -> None:
        """End all judges. Each starts again when it is needed."""
        with self._changed:
            judges = list(self._all)
        for judge in judges:
            judge.close()
