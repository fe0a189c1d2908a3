"""The variables of a formula: found in a user's tables, in one order of samples, without gaps."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from plnkit.alignment import (
    Axis,
    as_pandas,
    columns_of,
    go_by_name,
    is_pandas,
    order_as,
    refuse_twins,
    rows_of,
)
from plnkit.cells import find_doubt, parse_numbers
from plnkit.entries import is_number
from plnkit.problems import DataError, guess, listed

Variable: TypeAlias = Any
"""A pandas Series or DataFrame, whose stubs know fewer of their methods than pandas has."""


class Collected(NamedTuple):
    """Variables with their rows in one order.

    Attributes:
        variables: by name, without an index of their own.
        rows: how many samples there are.
        index: the names of the samples, a pandas index; None where all came from arrays.
    """

    variables: dict[str, Variable]
    rows: int
    index: Any


def collect(entries: Any, needed: Iterable[str], counts: Any = None) -> Collected:
    """Find variables, and bring their rows into one order.

    Args:
        entries: a mapping of vectors and tables.
        needed: the names of the variables.
        counts: the table whose order it is; None for that of the first entry.

    Raises:
        DataError: a variable is not there, or has other samples than the rest.
    """
    if not isinstance(entries, Mapping):
        raise DataError(
            "covariates",
            f"they are of type {type(entries).__name__}; a formula takes them from a table with "
            "columns, or from a mapping of vectors and tables.",
        )
    entries = {str(key): as_pandas("covariates", entry) for key, entry in entries.items()}
    found = {name: _find(name, entries) for name in needed}
    tables = {"": counts} if counts is not None else {**found, **_tables(entries)}
    if not tables:
        raise DataError("covariates", "give a table, whose rows are the samples.")
    first = next(iter(tables.values()))
    rows = first.shape[0] if hasattr(first, "shape") else len(first)
    index = next((one.index for one in tables.values() if is_pandas(one)), None)
    # Each variable goes by the names of the first table that its own can be compared with.
    measures = [] if counts is None else [("the counts", rows_of(counts, rows))]
    nameless = counts is not None and measures[0][1].kind in ("default", "positions")
    for name, value in found.items():
        if len(value) != rows:
            whose = "the counts have" if counts is not None else "others have"
            raise DataError("covariates", f"{name} has {len(value)} rows, but {whose} {rows}.")
        axis = rows_of(value, rows)
        whose, measure = next(((w, m) for w, m in measures if go_by_name(m, axis)), ("", axis))
        order = order_as(measure, axis, "covariates", whose, f"{name}.loc[counts.index]")
        if order is not None and counts is not None and whose != "the counts":
            raise DataError(
                "covariates",
                f"the samples of {name} are not in the order of those of {whose}, and the counts "
                "have no names to go by. Give the counts as a table with the samples' names.",
            )
        if not whose:
            refuse_twins("covariates", axis)
            measures.append((name, axis))
            if nameless and axis.kind in ("names", "numbers"):
                index, nameless = value.index, False
        found[name] = _to_pandas(value if order is None else value.iloc[order])
    return Collected(found, rows, index)


def _tables(entries: Mapping[Any, Any]) -> dict[str, Any]:
    return {key: entry for key, entry in entries.items() if is_pandas(entry)}


def _to_pandas(value: Any) -> Variable:
    """A vector or a table without names of rows, as pandas has them."""
    import pandas as pd

    if is_pandas(value):
        return value.reset_index(drop=True)
    return pd.Series(value) if value.ndim == 1 else pd.DataFrame(value)


def _find(name: str, entries: Mapping[Any, Any]) -> Any:
    """Find an entry or a column of a table by its name: a pandas one, or an array."""
    if name in entries:
        value = entries[name]
        if not is_pandas(value):
            value = np.ma.filled(value, np.nan) if np.ma.is_masked(value) else np.asarray(value)
            if value.ndim not in (1, 2):
                raise DataError("covariates", f"{name} has {value.ndim} dimensions, not 1 or 2.")
            return value[:, 0] if value.shape[1:] == (1,) else value
        if not hasattr(value, "columns"):
            return value
        axis = _columns(value)
        refuse_twins("covariates", axis)
        if len(axis.labels) == 1:
            return value.iloc[:, 0]
        return value.set_axis(axis.labels, axis=1) if axis.kind == "names" else value
    holders = {
        key: entry[column]
        for key, entry in entries.items()
        for column in getattr(entry, "columns", ())
        if str(column) == name
    }
    if len(holders) == 1:
        value = next(iter(holders.values()))
        if hasattr(value, "columns"):
            raise DataError("covariates", f"two columns have the name {name}; names must differ.")
        return value
    if holders:
        raise DataError(
            "covariates", f"{name} is a column of both {listed(holders, ' and ')}; rename one."
        )
    columns = [str(c) for entry in entries.values() for c in getattr(entry, "columns", ())]
    known = [key for key, entry in entries.items() if not hasattr(entry, "columns")] + columns
    raise DataError(
        "covariates",
        f"there is no {name}.{guess(name, known)} The data have {listed(known) or 'no names'}.",
    )


def clean(name: str, value: Variable, names: Any, text: bool) -> Variable:
    """Bring a variable into one of three forms: numbers, booleans, or text in categories.

    Args:
        name: of the variable.
        value: a vector or a table.
        names: of the samples, for messages.
        text: whether the values are levels of a factor, even if they are all numbers.

    Raises:
        DataError: a value is missing or infinite, is a date, or is text among numbers.
    """
    import pandas as pd

    if isinstance(value, pd.DataFrame):
        parts = {c: clean(f"{name}[{c}]", value[c], names, False) for c in value.columns}
        if any(map(is_text, parts.values())):
            raise DataError("covariates", f"{name} has text; a table in a formula holds numbers.")
        return pd.DataFrame(parts).astype(float).set_axis(value.columns, axis=1)

    def refuse(row: Any, problem: str) -> None:
        i = int(row)
        raise DataError("covariates", problem, i, name, at(names, i, f"column {name}"))

    missing = value.isna().to_numpy()
    if missing.any():
        more = f" ({missing.sum()} such values)" if missing.sum() > 1 else ""
        refuse(missing.argmax(), f"is missing{more}. Leave these samples out, or fill in values.")
    kind = value.dtype.kind if isinstance(value.dtype, np.dtype) else ""
    if isinstance(value.dtype, pd.CategoricalDtype):
        return value.cat.remove_unused_categories().cat.rename_categories(str)
    if kind == "c":
        raise DataError("covariates", f"{name} holds complex numbers.")
    if kind == "m":
        raise DataError("covariates", f"{name} holds durations. Give numbers: {name}.dt.days.")
    if kind == "M" or isinstance(value.dtype, pd.DatetimeTZDtype | pd.PeriodDtype):
        raise DataError(
            "covariates",
            f"{name} holds dates. Give numbers, as the days since the first, or text for a factor.",
        )
    if pd.api.types.is_bool_dtype(value.dtype):
        return value.astype(bool)
    if pd.api.types.is_integer_dtype(value.dtype):
        return value.astype(np.int64)
    if pd.api.types.is_numeric_dtype(value.dtype):
        infinite = np.isinf(value.to_numpy(float))
        if infinite.any():
            refuse(infinite.argmax(), "is infinite.")
        return value.astype(float)
    return _clean_text(name, value, refuse, text)


def _clean_text(name: str, value: Variable, refuse: Any, text: bool) -> Variable:
    """Make categories of text; refuse text among numbers, and numbers that are text."""
    if value.map(is_number).all():
        return clean(name, value.astype(float), None, text)
    words = value.map(str)
    cells = words.str.strip().tolist()
    if not text:
        if not np.isnan(parse_numbers(cells)).any():
            raise DataError(
                "covariates",
                f"{name} holds numbers as text. Convert them (astype(float)), or write C({name}) "
                "if these are the names of levels.",
            )
        doubt = find_doubt(cells)
        if doubt is not None:
            row, problem = doubt
            refuse(row, f"{problem} If these are the names of levels, write C({name}).")
    return words.astype("category")


def like(name: str, value: Variable, known: Variable) -> Variable:
    """Return a table with the columns of the fit's, in their order; a vector as it is."""
    columns, expected = (getattr(one, "columns", None) for one in (value, known))
    if expected is None or columns is None:
        if expected is not columns:
            shape = "a vector" if expected is None else f"a table of {len(expected)} columns"
            raise DataError("covariates", f"{name} was {shape} in the fit.")
        return value
    if not has_names(value) and len(columns) == len(expected):
        return value.set_axis(expected, axis=1)
    if len(columns) != len(expected) or set(columns) != set(expected):
        raise DataError(
            "covariates",
            f"the columns of {name} are {listed(columns)}; the fit's were {listed(expected)}.",
        )
    return value[expected]


def is_text(value: Variable) -> bool:
    return getattr(value.dtype, "name", "") == "category" if hasattr(value, "dtype") else False


def has_names(value: Variable) -> bool:
    """Whether the columns of a table have names."""
    return hasattr(value, "columns") and _columns(value).kind == "names"


def _columns(value: Variable) -> Axis:
    return columns_of(value, "covariate", value.shape[1])


def at(names: Any, row: int, column: str) -> str:
    """Say where an entry is: with the name of its sample, or the number of its row."""
    sample = f"row {row} (from 0)" if names is None else f"sample {names[row]}"
    return f"{sample}, {column} "
