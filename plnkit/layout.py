"""What the rows and columns of a table of counts are: samples, taxa, names of rows, or totals."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plnkit.problems import listed

_TAXON = re.compile(
    r"(.*[^a-z])?z?(otu|asv|taxon|taxa|taxonomy|species|genus|feature)([^a-z].*)?|[dkpcofgs]__.*",
    re.IGNORECASE,
)
_SAMPLE = re.compile(r"sample.*", re.IGNORECASE)
_FEW = 5
"""So many numbers can rise, or add up, by chance."""
_FEW_TOTALS = 10
"""Rows or columns, too few to tell samples from taxa by their totals."""


def says_taxa(name: str) -> bool:
    """Whether a name is that of a taxon, or of a column of taxa: "OTU_12", "g__Quercus"."""
    return bool(_TAXON.fullmatch(name))


def name_taxa_in_rows(rows: Sequence[str], columns: Sequence[str], header: str = "") -> str:
    """Say why names tell that taxa are in rows, "" where they do not.

    Args:
        rows: their names.
        columns: their names.
        header: what stands above the names of the rows.
    """
    if says_taxa(header) or all(map(says_taxa, rows)):
        return "the rows seem to be named by taxa"
    if len(columns) > 1 and all(map(_SAMPLE.fullmatch, columns)):
        return "the columns seem to be samples"
    return ""


def look_like_taxa(rows: Sequence[str], columns: Sequence[str], Y: NDArray) -> str:
    """Say that rows look like taxa and columns like samples, "" where they do not.

    Taxa differ more in their totals than samples, are numbered less often, and often are more.
    """
    if min(Y.shape) < 3 or all(map(says_taxa, columns)):
        return ""
    in_rows, in_columns = (
        np.mean([any(map(str.isdigit, name)) for name in names]) for names in (rows, columns)
    )
    totals = [Y.sum(axis=axis, dtype=np.float64) for axis in (1, 0)]
    of_rows, of_columns = (np.std(np.log(total[total > 0])) for total in totals)
    numbered = in_rows < 0.1 and in_columns > 0.9
    if numbered:
        doubt = of_rows > of_columns or 2 * len(rows) < len(columns)
    else:
        doubt = of_rows > 2 * of_columns and in_rows <= in_columns and min(Y.shape) >= _FEW_TOTALS
    if not doubt:
        return ""
    return (
        f"the rows ({listed(rows[:2])}, ...) look like taxa, and the columns "
        f"({listed(columns[:2])}, ...) like samples"
    )


def count_rows(values: ArrayLike) -> bool:
    """Whether numbers count the rows, from 0 or 1; of more than a few, in any order."""
    values = np.asarray(values, float)
    ordered = values if len(values) <= _FEW else np.sort(values)
    return len(values) > 2 and ordered[0] in (0, 1) and bool((np.diff(ordered) == 1).all())


def number_rows(values: ArrayLike) -> bool:
    """Whether numbers seem to name the rows: they count them, only rise, or leave none out."""
    values = np.asarray(values, float)
    runs = (np.diff(values) > 0).all() or (np.diff(np.sort(values)) == 1).all()
    return count_rows(values) or bool(len(values) > _FEW and runs)


def find_total(Y: NDArray) -> int | None:
    """Find a column that is the sum of all others in every row."""
    if len(Y) < _FEW or Y.shape[1] < 3:
        return None
    found = np.arange(Y.shape[1])
    for part in (Y[:_FEW], Y):  # a few rows rule it out, as a rule
        if len(found):
            totals = part.sum(axis=1, dtype=np.float64)
            found = found[(2.0 * part[:, found] == totals[:, None]).all(axis=0)]
    return int(found[0]) if len(found) else None
