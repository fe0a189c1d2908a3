"""A fit in a file, and back: NumPy's .npz, which holds arrays and runs nothing when it is read."""

import zipfile
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plnkit.checks import Tables
from plnkit.design import make_design
from plnkit.result import Fit

SCHEMA = 2  # 1 had S instead of log_S


class FitFileError(ValueError):
    """A file that holds no fit, or one of a newer plnkit."""


def save_fit(fit: Fit, path: str | Path) -> None:
    """Write a fit and the data it was fitted to, with all names.

    Args:
        path: the file, by custom `.npz`; what is there is replaced, whole or not at all.
    """
    path = Path(path)
    partial = path.with_name(path.name + ".part")
    with partial.open("wb") as file:
        np.savez_compressed(
            file,
            schema=SCHEMA,
            Y=fit.tables.Y,
            O=fit.tables.O,
            X=fit.tables.X,
            samples=np.array(fit.tables.samples),
            taxa=np.array(fit.tables.taxa),
            covariates=np.array(fit.tables.covariates),
            M=fit.M,
            log_S=fit.log_S,
            trace=fit.trace,
            converged=fit.converged,
            dtype=fit.dtype,
        )
    partial.replace(path)


def load_fit(path: str | Path) -> Fit:
    """Read what `save_fit` wrote.

    Raises:
        FitFileError: the file is no fit's, or a newer plnkit's.
        OSError: there is no such file, or it cannot be read.
    """
    path = Path(path)
    content = _read_arrays(path)
    schema = content.get("schema")
    if schema is None or schema.shape or schema.dtype.kind != "i":
        raise FitFileError(f"{path}: this is not a file that plnkit.save_fit wrote.")
    if int(schema) > SCHEMA:
        raise FitFileError(
            f"{path}: a newer plnkit wrote this (format {int(schema)}, this one reads {SCHEMA}). "
            "Upgrade plnkit."
        )
    try:
        tables = Tables(
            Y=content["Y"],
            O=content["O"],
            X=content["X"],
            samples=tuple(content["samples"].tolist()),
            taxa=tuple(content["taxa"].tolist()),
            covariates=tuple(content["covariates"].tolist()),
        )
        return Fit(
            tables=tables,
            design=make_design(tables.X, tables.covariates),
            M=content["M"],
            log_S=content["log_S"] if "log_S" in content else np.log(content["S"]),
            trace=content["trace"],
            converged=bool(content["converged"]),
            dtype=str(content["dtype"]),
        )
    except KeyError as error:
        raise FitFileError(f"{path}: the fit has no {error}; the file is damaged.") from None


def _read_arrays(path: Path) -> dict[str, NDArray]:
    """Read the arrays of a file in NumPy's format; none of a file in another, or with objects."""
    with path.open("rb") as file:
        if not zipfile.is_zipfile(file):
            return {}
        file.seek(0)
        try:
            with np.load(file, allow_pickle=False) as arrays:
                return {name: arrays[name] for name in arrays.files}
        except (ValueError, EOFError, zipfile.BadZipFile, zlib.error):
            return {}
