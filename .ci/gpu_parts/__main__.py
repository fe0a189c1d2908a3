"""Runs one part of `.ci/gpu`: `python .ci/gpu_parts PART FOLDER [--small]`.

A part is the function `run` of the module of its name. It keeps what it finds in FOLDER/PART.json.
With --small, it runs on the CPU at the smallest sizes, and no speed is required.
"""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import threading
import time
from pathlib import Path

from findings import Findings


def end_with_parent() -> None:
    """End this process, and those that it has started, when `.ci/gpu` has been killed."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()
    if os.getpgrp() == os.getpid():  # a group of its own, as `.ci/gpu` starts it
        end_with_parent()
    findings = Findings(options.folder / f"{options.part}.json")
    importlib.import_module(options.part).run(findings, options.small)


if __name__ == "__main__":
    main()
