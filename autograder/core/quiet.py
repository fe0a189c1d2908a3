"""What a student's code writes to the screen while it is probed would bury the card."""

from __future__ import annotations

import contextlib
import io
import os
import warnings
from collections.abc import Iterator


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Nothing is printed and nobody is warned, neither by Python nor by XLA."""
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        _quiet_descriptor(),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        yield


@contextlib.contextmanager
def _quiet_descriptor() -> Iterator[None]:
    # XLA writes some errors, that of a donated buffer for one, past Python to descriptor 2.
    try:
        kept = os.dup(2)
    except OSError:  # there is no standard error
        yield
        return
    try:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
