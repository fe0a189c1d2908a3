"""CSV files of made-up tables, for tests of what reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from plnkit.tables import Inputs, read_inputs

ROLES = ("counts", "offsets", "covariates")


def write_files(folder: Path, **texts: str | bytes) -> dict[str, Path]:
    """Write a file for each keyword, `counts="a,b\\n1,2\\n"`, and return the paths."""
    paths = {}
    for role, text in texts.items():
        paths[role] = folder / f"{role}.csv"
        paths[role].write_bytes(text if isinstance(text, bytes) else text.encode())
    return paths


def read(folder: Path, **texts: Any) -> Inputs:
    """Write files, and read them; keywords that are no file's are options."""
    options = {name: texts.pop(name) for name in set(texts) - set(ROLES)}
    return read_inputs(**write_files(folder, **texts), **options)
