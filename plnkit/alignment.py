"""Names before positions: tables with names are matched by them, arrays by their order.

The names of a pandas table are its index and its columns, unless these only count from 0, as pandas
does where it was given none. An index of such default numbers beside one of other numbers (rows
that were sorted or selected) is names, too: both come from the same table, as a rule. A number is
the same name as an integer, as a float (2.0) and as text.
"""

import numbers
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plnkit.problems import DataError, guess

PLURALS = {"sample": "samples", "taxon": "taxa", "covariate": "covariates"}


class Axis(NamedTuple):
    """The rows or the columns of a table.

    Attributes:
        what: "sample", "taxon" or "covariate".
        labels: a name for each.
        kind: "names"; "numbers", an index of whole numbers, or of names that are those of a default
            one; "default", one that counts from 0; or "positions", those of an array, whose labels
            are made up.
    """

    what: str
    labels: tuple[str, ...]
    kind: str


def is_pandas(table: Any) -> bool:
    return hasattr(table, "iloc") and hasattr(table, "index")


def as_pandas(which: str, table: Any) -> Any:
    """Return another library's table that has names (polars, xarray) as a pandas table.

    Raises:
        DataError: its library cannot make one of it.
    """
    if not hasattr(table, "to_pandas"):
        return table
    try:
        return table.to_pandas()
    except (ImportError, ValueError) as error:
        raise DataError(which, f"this cannot become a pandas table ({error}).") from None


def rows_of(table: Any, length: int) -> Axis:
    """The rows of a table or an array, which has so many."""
    return _of_index("sample", table.index) if is_pandas(table) else _positions("sample", length)


def columns_of(table: Any, what: str, length: int) -> Axis:
    """The columns of a table or an array; a series is a column."""
    if is_pandas(table) and hasattr(table, "columns"):
        return _of_index(what, table.columns)
    if is_pandas(table) and table.name is not None:
        return Axis(what, (str(table.name),), "names")
    return _positions(what, length)


def recall(what: str, labels: Sequence[str]) -> Axis:
    """The axis of an earlier table, of which the labels were kept."""
    labels = tuple(labels)
    if labels == _positions(what, len(labels)).labels:
        return Axis(what, labels, "positions")
    if labels == _positions("", len(labels)).labels:
        return Axis(what, labels, "default")
    return Axis(what, labels, "numbers" if _count_from_0(labels) else "names")


@lru_cache(maxsize=8)  # for thousands of samples, making names takes longer than checking numbers
def _positions(what: str, length: int) -> Axis:
    return Axis(what, tuple(f"{what} {i}".strip() for i in range(length)), "positions")


def _of_index(what: str, index: Any) -> Axis:
    if type(index).__name__ == "RangeIndex" and (index.start, index.step) == (0, 1):
        return Axis(what, tuple(map(str, index)), "default")
    names = index.tolist()
    labels = tuple(map(_label, names))
    whole = getattr(index.dtype, "kind", "O") in "iu" or all(map(_is_whole, names))
    return Axis(what, labels, "numbers" if whole or _count_from_0(labels) else "names")


def _label(name: Any) -> str:
    return str(int(name)) if isinstance(name, float) and name.is_integer() else str(name)


def _is_whole(name: Any) -> bool:
    if isinstance(name, float):
        return name.is_integer()
    return isinstance(name, numbers.Integral) and not isinstance(name, bool)


def _count_from_0(labels: tuple[str, ...]) -> bool:
    """Whether these are the names that pandas gives by default, in any order."""
    return "0" in labels and set(labels) == set(_positions("", len(labels)).labels)


def go_by_name(one: Axis, other: Axis) -> bool:
    """Whether two axes are matched by name, and not by position."""
    kinds = {one.kind, other.kind}
    return kinds <= {"names", "numbers"} or kinds == {"default", "numbers"}


def refuse_twins(table: str, axis: Axis) -> None:
    """Refuse an axis that has the same name twice."""
    if axis.kind in ("positions", "default"):
        return
    twice = next((name for name, count in Counter(axis.labels).items() if count > 1), None)
    if twice is not None:
        raise DataError(
            table,
            f"two {PLURALS[axis.what]} have the name {twice!r}; names must differ."
            + (" reset_index(drop=True) makes new ones." if axis.kind == "numbers" else ""),
        )


def order_as(
    wanted: Axis, found: Axis, table: str, whose: str, fix: str
) -> NDArray[np.intp] | None:
    """Where the rows or columns that are wanted stand; None where they are in order.

    Args:
        wanted: the axis that is the measure, whose names differ.
        found: the axis of the table at hand.
        table: "counts", "offsets" or "covariates".
        whose: whose the wanted axis is, "the counts" say.
        fix: code that takes the wanted names, for messages.

    Raises:
        DataError: names are missing, or others are there, or one is there twice.
    """
    if not go_by_name(wanted, found) or wanted.labels == found.labels:
        return None
    refuse_twins(table, found)
    places = {name: i for i, name in enumerate(found.labels)}
    missing = [name for name in wanted.labels if name not in places]
    known = set(wanted.labels)
    extra = [name for name in found.labels if name not in known]
    how = f"{fix} takes those of {whose}; .to_numpy() goes by position."
    if missing:
        here = f" (here is {extra[0]!r})" if extra else ""
        near = guess(missing[0], extra[:1000])
        raise DataError(
            table, f"{wanted.what} {_list(missing)} of {whose} is missing{here}.{near} {how}"
        )
    if extra:
        raise DataError(table, f"{wanted.what} {_list(extra)} is not in {whose}. {how}")
    return np.array([places[name] for name in wanted.labels], np.intp)


def _list(names: Sequence[str]) -> str:
    return repr(names[0]) + (f" (and {len(names) - 1} more)" if len(names) > 1 else "")
