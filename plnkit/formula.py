"""Model formulas: `counts ~ 1 + site * season + offset(log(total))`, and what new samples need.

`formulaic` reads the formula and builds the covariates. This module finds the variables in a user's
tables and refuses what would end in a wrong number without a word: missing values, a level that the
fit has not seen, numbers that are text. A `Formula` remembers the variables of the fit. From these
alone, levels and transforms (the mean of `center`, the polynomials of `poly`) come back the same,
also from a file.

A formula holds arithmetic, comparisons and the functions below, nothing else: a fit's file may come
from anywhere, and no formula in it can run a program.

References:
    Wilkinson, Rogers (1973), Symbolic description of factorial models for analysis of variance,
    Journal of the Royal Statistical Society C 22(3).
"""

import ast
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plnkit.alignment import as_pandas
from plnkit.cells import doubt_levels
from plnkit.extras import from_extras
from plnkit.problems import DataError, DataWarning, guess, listed, warn
from plnkit.variables import Variable, at, clean, collect, has_names, is_text, like

if TYPE_CHECKING:
    import pandas as pd

FUNCTIONS = (
    *("log", "log2", "log10", "exp", "exp2", "exp10", "sqrt", "abs"),
    *("C", "I", "center", "scale", "standardize", "poly", "bs", "cr", "cc", "cs"),
    *("Treatment", "Sum", "Helmert", "Diff", "Poly"),
)
"""What a formula may call beside `offset`, NumPy's ufuncs (`np.arctan`) and `contr.sum` and the
like: formulaic's own, but for those that depend on the order of the rows."""
GRAMMAR = (
    *(ast.Expression, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.keyword, ast.Constant),
    *(ast.operator, ast.unaryop, ast.cmpop, ast.List, ast.Tuple, ast.Dict, ast.Name, ast.Load),
)
"""Of Python, beside attributes of `np` and `contr`."""
MODULES = ("np", "contr")
QUOTED = re.compile(r"`([^`]*)`")


class Factor(NamedTuple):
    """A part of a formula: a variable, or an expression.

    Attributes:
        names: of its variables, in order.
        category: its variable, if it is one alone, or one in `C()`, else "".
    """

    names: tuple[str, ...]
    category: str


class FormulaTerms(NamedTuple):
    """What a formula says.

    Attributes:
        response: the name of the counts' table, "" where the formula has no left side.
        covariates: formulaic's terms of the covariates.
        offsets: the expressions inside `offset()`.
        factors: of covariates and offsets, by their text.
        of_covariates: the names of the variables that the covariates need.
        of_offsets: those that the offsets need.
    """

    response: str
    covariates: tuple[Any, ...]
    offsets: tuple[str, ...]
    factors: dict[str, Factor]
    of_covariates: tuple[str, ...]
    of_offsets: tuple[str, ...]


class Built(NamedTuple):
    """What a formula makes of data.

    Attributes:
        X: covariates, (n, d) float64, with their names, and the samples' where the data have some.
        O: offsets on the log scale, (n, 1) or (n, p) float64, with the names of taxa where the data
            have them; None without an offset.
        index: the names of the samples, a pandas index; None where all data were arrays.
    """

    X: "pd.DataFrame"
    O: "pd.DataFrame | None"
    index: Any


@dataclass(frozen=True, eq=False)
class Formula:
    """A formula, and the variables of the samples that it was fitted to.

    Attributes:
        text: the formula.
        variables: by name, vectors (n,) and tables (n, k), in the order of the counts' rows.
        rows: n.
    """

    text: str
    variables: Mapping[str, Variable]
    rows: int

    @cached_property
    def terms(self) -> FormulaTerms:
        return parse(self.text)

    @cached_property
    def _own(self) -> tuple[Any, Any]:
        """formulaic's matrices of the fit, which remember its levels and transforms."""
        from formulaic import SimpleFormula

        specifications = (
            SimpleFormula(list(self.terms.covariates)),
            _specify(" + ".join(["0", *(f"{{{one}}}" for one in self.terms.offsets)])),
        )
        X, O = (_materialise(one, self.variables, self.rows) for one in specifications)
        for factor, levels in _levels(X.model_spec).items():
            if len(levels) < 2:
                raise DataError(
                    "covariates",
                    f"{factor} is {levels[0]} in every sample, and a factor needs two levels. "
                    "Leave it out of the formula.",
                )
        for factor in _levels(O.model_spec):
            raise DataError("formula", f"offset({factor}) is text; an offset is a number.")
        return X, O

    def build_own(self, names: Any = None) -> Built:
        """Build covariates and offsets of the samples that it was fitted to.

        Args:
            names: of the samples, the index of the tables.

        Raises:
            DataError: a value is not finite, or a factor has one level.
        """
        return _build(*self._own, names, self._has_names)

    def build(self, data: Any, with_offsets: bool = True) -> Built:
        """Build covariates and offsets of new samples, with the fit's levels and transforms.

        Args:
            data: a table with the formula's variables as columns, or a mapping of vectors and
                tables.
            with_offsets: whether to build the offsets, whose variables are needed then.

        Raises:
            DataError: a variable or a value is missing, a variable has another kind than in the
                fit, or a level is not among the fit's.
        """
        terms = self.terms
        needed = {*terms.of_covariates, *(terms.of_offsets if with_offsets else ())}
        entries = {"the data": data} if hasattr(data, "columns") else data
        found, rows, names = collect(entries, [n for n in self.variables if n in needed])
        variables = {}
        for name, value in found.items():
            known = self.variables[name]
            text = is_text(known)
            variables[name] = clean(name, like(name, value, known), names, text)
            if is_text(variables[name]) != text:
                kinds = ("text", "numbers") if text else ("numbers", "text")
                raise DataError("covariates", f"{name} was {kinds[0]} in the fit, here {kinds[1]}.")
        X, O = (matrix.model_spec for matrix in self._own)
        for factor, levels in _levels(X).items():
            name = terms.factors[factor].category
            if name:
                _refuse_new_level(name, variables[name], levels, names)
        return _build(
            _materialise(X, variables, rows),
            _materialise(O, variables, rows) if with_offsets else None,
            names,
            self._has_names,
        )

    def to_arrays(self) -> dict[str, NDArray]:
        """The formula in arrays of numbers and text, as a file holds them."""
        arrays: dict[str, NDArray] = {"formula": np.array(self.text), "rows": np.array(self.rows)}
        for i, (name, value) in enumerate(self.variables.items()):
            arrays[f"variable {i}"] = np.array(name)
            arrays[f"values {i}"] = (value.cat.codes if is_text(value) else value).to_numpy()
            if is_text(value):
                arrays[f"levels {i}"] = np.array(list(value.cat.categories), str)
            elif has_names(value):
                arrays[f"columns {i}"] = np.array(list(value.columns), str)
        return arrays

    @staticmethod
    def from_arrays(arrays: Mapping[str, NDArray]) -> "Formula":
        """Read what `to_arrays` gave.

        Raises:
            KeyError: an array is missing.
        """
        import pandas as pd

        variables: dict[str, Variable] = {}
        for i in range(sum(key.startswith("variable ") for key in arrays)):
            values, name = arrays[f"values {i}"], str(arrays[f"variable {i}"])
            if f"levels {i}" in arrays:
                levels = arrays[f"levels {i}"].tolist()
                variables[name] = pd.Series(pd.Categorical.from_codes(values, levels))
            elif values.ndim == 1:
                variables[name] = pd.Series(values)
            else:
                columns = arrays.get(f"columns {i}")
                variables[name] = pd.DataFrame(
                    values, columns=None if columns is None else columns.tolist()
                )
        return Formula(str(arrays["formula"]), variables, int(arrays["rows"]))

    def _has_names(self, expression: str) -> bool:
        """Whether an expression is about a table whose columns have names."""
        tables = (self.variables[name] for name in self.terms.factors[expression].names)
        return any(map(has_names, tables))


def read(text: str, data: Any) -> tuple[Any, Formula, Any]:
    """Read a formula, and find its variables in a user's data.

    Args:
        text: as `counts ~ 1 + site + offset(log(total))`.
        data: a mapping with the table of counts, and vectors or tables with the rest. Columns of
            these tables are found by their names, too.

    Returns:
        The table of counts, the formula with its variables, and the names of the samples, a pandas
        index, None where all data are arrays.

    Raises:
        DataError: the formula cannot be read, a name is not in the data, or a value is missing.
    """
    terms = parse(text)
    name = terms.response
    if not name:
        raise DataError(
            "formula", f"{text!r} names no counts; write 'counts ~ {text.lstrip(' ~')}'."
        )
    if not isinstance(data, Mapping) or name not in data:
        raise DataError(
            "formula",
            f"there is no {name} in the data; give a mapping with counts and covariates, as "
            f"{{{name!r}: counts, 'covariates': table}}.",
        )
    entries = {key: entry for key, entry in data.items() if key != name}
    counts = as_pandas("counts", data[name])
    needed = list(dict.fromkeys([*terms.of_covariates, *terms.of_offsets]))
    found, rows, names = collect(entries, needed, counts)
    categories = {f.category for key, f in terms.factors.items() if f.category != key}
    variables = {k: clean(k, value, names, k in categories) for k, value in found.items()}
    for key, value in variables.items():
        doubt = doubt_levels(key, value.tolist()) if is_text(value) else ""
        if doubt:
            warn(doubt, DataWarning)
    return counts, Formula(text, variables, rows), names


def parse(text: str) -> FormulaTerms:
    """Read a formula.

    Raises:
        DataError: it cannot be read, or it does more than a formula can.
    """
    with from_extras():
        from formulaic.errors import FormulaicError
    from formulaic.parser import DefaultFormulaParser

    try:
        tokens = list(DefaultFormulaParser().get_tokens(text))
        words = [str(token.token) for token in tokens]
        if "." in words or "|" in words:
            raise ValueError("Name each covariate; there is no '.' and no '|' in these formulas.")
        specification = _specify(text)
    except (FormulaicError, SyntaxError, ValueError) as error:
        raise DataError("formula", f"{text!r} cannot be read. {_first_line(error)}") from None
    for token, base, following in zip(tokens, words, words[1:], strict=False):
        if following in ("**", "^") and token.kind and token.kind.value in ("name", "python"):
            raise DataError(
                "formula",
                f"{base}{following} crosses {base} with itself, which is {base} again. For a "
                f"power, write I({base}**2) or poly({base}, 2).",
            )
    left = [term.factors for term in getattr(specification, "lhs", ())]
    right = list(getattr(specification, "rhs", specification))
    factors_of = [[f for f in term.factors if f.expr != "1"] for term in right]
    if left and not (len(left) == len(left[0]) == 1 and _is_name(left[0][0])):
        raise DataError(
            "formula",
            f"the left side of {text!r} must be the name of the table of counts alone: the model "
            "takes counts as they are.",
        )
    covariates, offsets = [], []
    factors: dict[str, Factor] = {}
    for term, parts in zip(right, factors_of, strict=True):
        inside = [_inside_offset(part.expr) for part in parts]
        if all(one is None for one in inside):
            covariates.append(term)
            for part in parts:
                name = Factor((part.expr,), part.expr)
                factors[part.expr] = name if _is_name(part) else _read_python(part.expr)
        elif len(inside) == 1 and inside[0] is not None:
            offsets.append(inside[0])
            factors[inside[0]] = _read_python(inside[0])
        else:
            raise DataError("formula", f"{term} is not possible; an offset is a term of its own.")
    return FormulaTerms(
        left[0][0].expr if left else "",
        tuple(covariates),
        tuple(offsets),
        factors,
        tuple(n for term in covariates for f in term.factors for n in _names(factors, f.expr)),
        tuple(name for one in offsets for name in factors[one].names),
    )


def _specify(text: str) -> Any:
    from formulaic import Formula as Specification

    make: Any = Specification  # which returns one of its subclasses
    return make(text)


def _is_name(factor: Any) -> bool:
    """Whether a factor of formulaic's is a name, and no expression."""
    return factor.eval_method.value == "lookup"


def _names(factors: dict[str, Factor], expression: str) -> tuple[str, ...]:
    return factors[expression].names if expression in factors else ()


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0]


def _read_python(expression: str) -> Factor:
    """Read an expression in Python.

    Raises:
        DataError: it is more than arithmetic, comparisons and functions that a formula may call.
    """
    quoted: dict[str, str] = {}  # names in backticks, which need not be Python's

    def rename(match: re.Match[str]) -> str:
        quoted[f"quoted_{len(quoted)}"] = match[1]
        return list(quoted)[-1]

    try:
        tree = ast.parse(QUOTED.sub(rename, expression), mode="eval")
    except SyntaxError as error:
        raise DataError("formula", f"{expression} cannot be read: {error.msg}.") from None
    nodes = list(ast.walk(tree))
    functions = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    modules = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
    for node in nodes:
        called = id(node) in functions
        if called and isinstance(node, ast.Name) and node.id not in FUNCTIONS:
            raise DataError(
                "formula",
                f"there is no function {node.id}.{guess(node.id, FUNCTIONS)} There are offset, "
                f"{', '.join(FUNCTIONS)}, and NumPy's ufuncs, as np.arctan. Anything else must be "
                "a column.",
            )
        known = _is_known(node) if isinstance(node, ast.Attribute) else isinstance(node, GRAMMAR)
        if not known or (called and not isinstance(node, ast.Name | ast.Attribute)):
            raise DataError(
                "formula",
                f"{expression} is more than a formula can do. Add a column with these values to "
                "the data, and name it.",
            )
    variables = [n for n in nodes if isinstance(n, ast.Name) and id(n) not in functions | modules]
    variables.sort(key=lambda node: (node.lineno, node.col_offset))
    names = tuple(dict.fromkeys(quoted.get(node.id, node.id) for node in variables))
    if not names:
        raise DataError("formula", f"{expression} names no variable; leave it out.")
    body = tree.body
    if isinstance(body, ast.Tuple):
        raise DataError("formula", f"offset({expression}) takes one number a sample, or a table.")
    if isinstance(body, ast.Call) and ast.unparse(body.func) == "C" and body.args:
        body = body.args[0]
    return Factor(names, quoted.get(body.id, body.id) if isinstance(body, ast.Name) else "")


def _is_known(node: ast.Attribute) -> bool:
    module = node.value.id if isinstance(node.value, ast.Name) else ""
    if module == "np":
        return isinstance(getattr(np, node.attr, None), np.ufunc)
    return module == "contr" and not node.attr.startswith("_")


def _inside_offset(expression: str) -> str | None:
    """Return what is inside of `offset(...)`, None for any other factor."""
    inside = re.fullmatch(r"offset\s*\((.*)\)", expression, re.DOTALL)
    if inside and not inside[1].strip():
        raise DataError("formula", "offset() is empty; it takes one number a sample, or a table.")
    return inside[1] if inside else None


def _levels(specification: Any) -> dict[str, list[Any]]:
    """The levels of each factor of a formulaic specification."""
    states = specification.encoder_state.items()
    return {f: list(s["categories"]) for f, (kind, s) in states if kind.value == "categorical"}


def _refuse_new_level(name: str, value: Variable, levels: list[Any], names: Any) -> None:
    new = ~value.isin(levels).to_numpy()
    if new.any():
        row = int(new.argmax())
        raise DataError(
            "covariates",
            f"is {value.iloc[row]}, a level that is not in the fit: it has {listed(levels)}.",
            row,
            name,
            at(names, row, f"column {name}"),
        )


def _materialise(specification: Any, variables: Mapping[str, Variable], rows: int) -> Any:
    """Let formulaic build a matrix; what it would only warn of is an error."""
    import pandas as pd
    from formulaic.errors import DataMismatchWarning, FormulaicError

    data = pd.DataFrame(
        {k: v for k, v in variables.items() if isinstance(v, pd.Series)}, index=range(rows)
    )
    tables = {k: v for k, v in variables.items() if isinstance(v, pd.DataFrame)}
    context = {"sqrt": np.sqrt, "abs": np.abs, **tables}
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("error", DataMismatchWarning)
            return specification.get_model_matrix(data, context=context, na_action="ignore")
    except (FormulaicError, DataMismatchWarning, ValueError, TypeError, KeyError) as error:
        raise DataError("formula", _first_line(error)) from None


def _build(covariates: Any, shifts: Any, names: Any, has_names: Callable[[str], bool]) -> Built:
    """Make tables of formulaic's matrices, and add up the offsets."""
    import pandas as pd

    X = pd.DataFrame(np.asarray(covariates, np.float64), names, list(covariates.columns))
    _refuse_not_finite(X, names)
    if shifts is None:
        return Built(X, None, names)
    total: Any = None
    for term, columns in shifts.model_spec.term_indices.items():
        shown = [str(shifts.columns[c]) for c in columns]
        part = pd.DataFrame(np.asarray(shifts, np.float64)[:, columns], names)
        _refuse_not_finite(part.set_axis([f"offset({one})" for one in shown], axis=1), names)
        if len(columns) > 1 and has_names(str(term)):
            # formulaic calls a table's columns "expression[column]".
            part = part.set_axis([one[len(str(term)) + 1 : -1] for one in shown], axis=1)
        total = part if total is None else _add(total, part)
    return Built(X, total, names)


def name_taxa(O: "pd.DataFrame", taxa: Any) -> "pd.DataFrame":
    """Offsets with the names of taxa, where they came without: in the order of the counts."""
    if taxa is None or has_names(O) or O.shape[1] != len(taxa):
        return O
    return O.set_axis(taxa, axis=1)


def _add(one: "pd.DataFrame", other: "pd.DataFrame") -> "pd.DataFrame":
    """Add offsets: of each sample, or of each sample and taxon; named columns by their names."""
    if one.shape[1] == 1 or other.shape[1] == 1:
        wide, narrow = (one, other) if other.shape[1] == 1 else (other, one)
        return wide.add(narrow.iloc[:, 0], axis=0)
    if set(one.columns) != set(other.columns):
        raise DataError("formula", "two offsets are tables, and their columns differ.")
    return one + other[one.columns]


def _refuse_not_finite(table: "pd.DataFrame", names: Any) -> None:
    wrong = ~np.isfinite(table.to_numpy())
    if wrong.any():
        i, j = map(int, np.argwhere(wrong)[0])
        column = str(table.columns[j])
        raise DataError(
            "covariates",
            f"is {table.iat[i, j]:g}; every value must be finite.",
            i,
            column,
            at(names, i, column),
        )
