"""The folder that `plnkit fit` writes: whole in a new folder beside it first, then in its place."""

import json
import math
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryFile

from plnkit.result import Fit
from plnkit.storage import save_fit

STANDARD_ERRORS = "coefficient_table.csv"


def _write_summary(fit: Fit, path: Path) -> None:
    summary = {
        "schema": 1,
        "elbo": fit.elbo,
        "elbo_stirling": fit.elbo_stirling,
        "n_parameters": fit.n_parameters,
        "aic": fit.aic,
        "bic": fit.bic,
        "icl": fit.icl,
        "r_squared": fit.r_squared if math.isfinite(fit.r_squared) else None,
        "covariance": fit.covariance_kind,
        "formula": fit.formula.text if fit.formula else None,
        "offsets": fit.scheme or None,
        "iterations": fit.iterations,
        "converged": fit.converged,
        "dtype": fit.dtype,
    }
    path.write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")


WRITERS: dict[str, Callable[[Fit, Path], object]] = {
    "coefficients.csv": lambda fit, path: fit.coefficients.to_csv(path),
    "variances.csv": lambda fit, path: fit.variances.rename("variance").to_csv(path),
    "covariance.csv": lambda fit, path: fit.covariance.to_csv(path),
    "precision.csv": lambda fit, path: fit.precision.to_csv(path),
    "latent_means.csv": lambda fit, path: fit.latent_means.to_csv(path),
    "fitted.csv": lambda fit, path: fit.fitted.to_csv(path),
    "summary.json": _write_summary,
    "fit.png": lambda fit, path: fit.plot().savefig(path, dpi=120),
}
"""What is made of a fit, beside its own file."""

OF_FULL_COVARIANCES = ("covariance.csv", "precision.csv")
"""Of others, the variances are all that is not 0; of thousands of taxa, these would be GB."""

FILES = frozenset({"fit.npz", STANDARD_ERRORS, *WRITERS})


class OutputError(Exception):
    """A folder that cannot be written to."""


@contextmanager
def new_folder(out: Path, overwrite: bool) -> Iterator[Path]:
    """Make a folder to write to; it takes the place of `out` at the end, if nothing was raised.

    The new folder is made at once, so that one that cannot be made is reported before the fit. Two
    renames put it in its place; where the system refuses them (a mount point, a folder that is
    open on Windows), the files are moved one by one. Files in `out` that no fit writes stay.

    Args:
        out: the folder; those above it are made, too.
        overwrite: whether it may hold an earlier fit, whose files go.

    Raises:
        OutputError: it exists and is not empty, or cannot be written; in the end, where the files
            are instead.
    """
    made: list[Path] = []
    try:
        out = out.resolve()  # the folder that a link leads to
        file = next((path for path in (out, *out.parents) if path.is_file()), None)
        if file is not None:
            raise OutputError(f"{file} is a file. Name a folder.")
        if not overwrite and out.exists() and any(out.iterdir()):
            raise OutputError(
                f"{out} exists and is not empty. Name another folder, or give --overwrite to "
                "replace the files of an earlier fit."
            )
        made = [folder for folder in out.parents if not folder.exists()]
        out.parent.mkdir(parents=True, exist_ok=True)
        new = _make_folder(out)
    except (OSError, RuntimeError) as error:  # the second, from Python 3.11, for links in a circle
        _remove(made)
        why = getattr(error, "strerror", None) or error
        raise OutputError(f"{out} cannot be written ({why}). Name another folder.") from None
    try:
        yield new
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        _remove(made)
        raise
    try:
        _put_in_place(new, out)
    except OSError as error:
        raise OutputError(
            f"{out} cannot be replaced ({error.strerror}). What is there stays, or is beside it; "
            f"the new files are in {new}."
        ) from None


def write_fit(fit: Fit, folder: Path) -> list[str]:
    """Write the fit, and then whatever of its tables can be written.

    Returns:
        A sentence on each file that is missing.

    Raises:
        OSError: the fit itself cannot be written.
    """
    save_fit(fit, folder / "fit.npz")
    sentences = [
        _write(writer, fit, folder / name)
        for name, writer in WRITERS.items()
        if fit.covariance_kind == "full" or name not in OF_FULL_COVARIANCES
    ]
    return [sentence for sentence in sentences if sentence]


def write_standard_errors(fit: Fit, folder: Path) -> list[str]:
    """Add the standard errors to a folder that has the fit; sentences as from `write_fit`."""
    part = folder / f"{STANDARD_ERRORS}.part"
    sentence = _write(
        lambda fit, path: fit.coefficient_table().to_csv(path, index=False), fit, part
    )
    if not sentence:
        part.replace(folder / STANDARD_ERRORS)
    return [sentence] if sentence else []


def _write(writer: Callable[[Fit, Path], object], fit: Fit, path: Path) -> str:
    """Write a file; where that fails, for whatever reason, leave none and say why."""
    try:
        writer(fit, path)
    except Exception as error:  # no file may cost the others
        with suppress(OSError):
            path.unlink(missing_ok=True)
        name = path.name.removesuffix(".part")
        return f"{name} is missing: {type(error).__name__}: {str(error)[:300]}"
    return ""


def _make_folder(out: Path) -> Path:
    """Make a folder beside another, or in it where nothing can be made beside it."""
    name = f"{out.name}.{token_hex(4)}.part"
    new = out.parent / name
    try:
        new.mkdir()
    except OSError:
        if not out.is_dir():
            raise
        new = out / name
        new.mkdir()
    try:
        if out.is_dir():
            shutil.copymode(out, new)
        with TemporaryFile(dir=new):
            pass  # its mode may forbid to write
    except OSError:
        new.rmdir()
        raise
    return new


def _remove(folders: list[Path]) -> None:
    """Remove folders that are empty, the innermost first."""
    with suppress(OSError):
        for folder in folders:
            folder.rmdir()


def _put_in_place(new: Path, out: Path) -> None:
    """Give a folder the name of another, and what that one holds beside a fit."""
    if not out.exists():
        new.rename(out)
        return
    here = Path.cwd().resolve()
    earlier = new.with_suffix(".earlier")
    try:
        if new.parent == out or out in (here, *here.parents):
            raise PermissionError("a folder that someone is in stays")
        out.rename(earlier)
    except OSError:
        _move_files(new, out)
        return
    try:
        new.rename(out)
    except OSError:
        earlier.rename(out)
        raise
    for path in earlier.iterdir():
        if path.name not in FILES:
            path.rename(out / path.name)
    shutil.rmtree(earlier, ignore_errors=True)


def _move_files(new: Path, out: Path) -> None:
    """Move the files of a fit from one folder to another, which has no others of a fit then."""
    for name in FILES:
        (out / name).unlink(missing_ok=True)
    for path in new.iterdir():
        shutil.move(path, out / path.name)
    new.rmdir()
